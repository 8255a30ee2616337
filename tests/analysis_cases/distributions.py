# case: distribution-annotated-by-its-base
from torch import Tensor
from torch.distributions import Distribution


def nll(prior: Distribution, x: Tensor) -> Tensor:
    return -prior.log_prob(x).mean() + prior.cdf(x).mean()  # sync: SYN504, SYN504


# case: independent-is-checked-by-its-base
from torch import Tensor
from torch.distributions import Independent, Normal


def checked(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    base = Normal(loc, scale)  # sync: SYN504
    return Independent(base, 1).log_prob(x)  # sync: SYN504


def unchecked(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    base = Normal(loc, scale, validate_args=False)
    return Independent(base, 1).log_prob(x)


# case: mixture-is-checked-by-itself-and-by-its-components
from torch import Tensor
from torch.distributions import Categorical, MixtureSameFamily, Normal


def checked(weights: Tensor, loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    mix = Categorical(logits=weights, validate_args=False)
    parts = Normal(loc, scale, validate_args=False)
    return MixtureSameFamily(mix, parts).log_prob(x)  # sync: SYN504


def checked_by_its_components(weights: Tensor, loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    mix = Categorical(logits=weights, validate_args=False)
    parts = Normal(loc, scale)  # sync: SYN504
    return MixtureSameFamily(mix, parts, validate_args=False).log_prob(x)  # sync: SYN504


def unchecked(weights: Tensor, loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    mix = Categorical(logits=weights, validate_args=False)
    parts = Normal(loc, scale, validate_args=False)
    return MixtureSameFamily(mix, parts, validate_args=False).log_prob(x)


# case: transformed-distribution-is-checked-twice
from torch import Tensor
from torch.distributions import Normal, TransformedDistribution
from torch.distributions.transforms import TanhTransform


def checked(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    base = Normal(loc, scale, validate_args=False)
    return TransformedDistribution(base, [TanhTransform()]).log_prob(x)  # sync: SYN504


def unchecked(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    base = Normal(loc, scale, validate_args=False)
    squashed = TransformedDistribution(base, [TanhTransform()], validate_args=False)
    return squashed.log_prob(x)


# case: expanded-distribution-is-checked-like-the-one-it-was
from torch import Tensor
from torch.distributions import Normal


def nll(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    checked = Normal(loc, scale).expand(x.shape)  # sync: SYN504
    unchecked = Normal(loc, scale, validate_args=False).expand(x.shape)
    return checked.log_prob(x) + unchecked.log_prob(x)  # sync: SYN504


# case: own-subclass-of-a-distribution
from torch import Tensor
from torch.distributions import Normal, TransformedDistribution
from torch.distributions.transforms import TanhTransform


class Squashed(TransformedDistribution):
    def __init__(self, loc: Tensor, scale: Tensor) -> None:
        self.base = Normal(loc, scale)  # cold: SYN504
        super().__init__(self.base, [TanhTransform()])


class Shifted(Normal):
    def __init__(self, loc: Tensor, scale: Tensor, shift: Tensor) -> None:
        super().__init__(loc + shift, scale)  # cold: SYN504
        self.shift = shift

    def log_prob(self, value: Tensor) -> Tensor:
        return super().log_prob(value - self.shift)  # sync: SYN504


def policy(loc: Tensor, scale: Tensor, action: Tensor) -> Tensor:
    squashed = Squashed(loc, scale)
    shifted = Shifted(loc, scale, scale)
    return squashed.log_prob(action) + shifted.log_prob(action)  # sync: SYN504


# case: constraint-that-is-asked-by-hand
import torch
from torch import Tensor
from torch.distributions import Distribution, constraints


def verify(d: Distribution, x: Tensor) -> Tensor:
    if not constraints.positive.check(x).all():  # sync: SYN303
        raise ValueError("not positive")
    support = d.support
    if not support.check(x).all():  # sync: SYN303
        raise ValueError("outside")
    return x


# case: distribution-chosen-by-a-condition
import torch
from torch import Tensor, nn
from torch.distributions import Categorical, Normal


class Policy(nn.Module):
    def __init__(self, discrete: bool) -> None:
        super().__init__()
        self.discrete = discrete
        self.net = nn.Linear(4, 4)

    def distribution(self, x: Tensor):
        out = self.net(x)
        if self.discrete:
            return Categorical(logits=out)  # sync: SYN504
        return Normal(out, torch.ones_like(out))  # sync: SYN504

    def forward(self, x: Tensor, action: Tensor) -> Tensor:
        return self.distribution(x).log_prob(action)  # sync: SYN504


# case: what-a-function-of-unknown-text-gives-has-a-log-prob
import torch
from torch import Tensor, nn
from torch.distributions import kl_divergence


class Agent(nn.Module):
    def act(self, x, action: Tensor) -> Tensor:
        dist = self.policy(x)
        return dist.log_prob(action).sum(-1) + dist.entropy() + kl_divergence(dist, dist)  # sync: SYN504


# case: sample-of-a-distribution-that-is-made-of-another
from torch import Tensor
from torch.distributions import Independent, Normal


def surprise(loc: Tensor, scale: Tensor) -> Tensor:
    inner = Normal(loc, scale, validate_args=False)
    if Independent(inner, 1).rsample().max() > 1:  # sync: SYN301
        return loc
    return scale


def of_the_host() -> bool:
    return bool(Independent(Normal(0.0, 1.0), 0).sample() > 1)


# case: validation-turned-off-for-all-by-the-attribute-of-the-class
from torch import Tensor
from torch.distributions import Distribution, Normal

Distribution._validate_args = False


def nll(loc: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    return -Normal(loc, scale).log_prob(x).mean()


# case: what-is-given-to-a-distribution-is-a-tensor
from torch import Tensor
from torch.distributions import Categorical, Distribution


def improvement(policy: Distribution, batch, old: Tensor) -> Tensor:
    return (policy.log_prob(batch.actions) - old).exp()  # sync: SYN504


def drawn(policy: Distribution) -> Tensor:
    return policy.sample()  # sync: SYN504


def chosen(policy: Categorical, batch) -> Tensor:
    return policy.log_prob(batch.actions)  # sync: SYN504


def drawn_with_gradient(policy: Distribution) -> Tensor:
    return policy.rsample()


# case: what-has-a-log-prob-is-a-distribution
import torch
from torch import Tensor


class Node:
    def __init__(self, prior) -> None:
        self.prior = prior

    def log_prob(self, value: Tensor) -> Tensor:
        return self.prior.log_prob(value)  # sync: SYN504


def score(nodes, value: Tensor) -> Tensor:
    return nodes["x"].log_prob(value)  # sync: SYN504


def start(nodes) -> Tensor:
    return nodes["x"].sample().detach()  # sync: SYN504


def several(nodes) -> Tensor:
    return nodes["x"].sample(sample_shape=(3,))  # sync: SYN504


def of_a_context(agent, seen: Tensor, before: Tensor) -> Tensor:
    return agent.log_prob(seen, context=before)


def of_two_arguments(agent, seen: Tensor, done: Tensor) -> Tensor:
    return agent.log_prob(seen, done)


def of_a_buffer(buffer) -> Tensor:
    rows = buffer.sample(32)
    return rows.detach()


# case: a-module-of-ones-own-has-a-log-prob-too
from torch import Tensor, nn


class Flow(nn.Module):
    def log_prob(self, value: Tensor) -> Tensor:
        return value.sum()


def score(parts, value: Tensor) -> Tensor:
    return parts["x"].log_prob(value)


# case: a-divergence-is-registered-for-classes
from torch import Tensor
from torch.distributions import Binomial, Distribution, kl, register_kl


@register_kl(Binomial, Binomial)
def both(p, q) -> Tensor:
    if (p.total_count > q.total_count).any():  # sync: SYN301
        raise NotImplementedError
    return p.probs - q.probs


@kl.register_kl(Binomial, Distribution)
def mixed(p, q) -> Tensor:
    return -q.log_prob(p.mean)  # sync: SYN504


def unregistered(p, q) -> Tensor:
    return p.probs - q.probs


# case: numbers-are-broadcast-to-tensors
import torch
from torch import Tensor
from torch.distributions.utils import broadcast_all


class Skewed:
    def __init__(self, skew: Tensor, scale=1.0) -> None:
        self.skew, self.scale = broadcast_all(skew, scale)  # cold: SYN401

    def is_symmetric(self) -> bool:
        return bool((self.scale == 1).all())  # sync: SYN203


def of_tensors(rate: Tensor, count: Tensor) -> tuple[Tensor, ...]:
    return broadcast_all(rate, count)


def of_numbers() -> tuple[Tensor, ...]:
    return broadcast_all(1.0, 2.0)


# case: what-is-made-of-a-normal-distribution-draws-from-it
from torch import Tensor
from torch.distributions import Independent, Laplace, Normal


def drawn(loc: Tensor, scale: Tensor) -> Tensor:
    policy = Independent(Normal(loc, scale, validate_args=False), 1)
    return policy.sample()  # sync: SYN507


def with_gradient(loc: Tensor, scale: Tensor) -> Tensor:
    return Independent(Normal(loc, scale, validate_args=False), 1).rsample()


def of_another(loc: Tensor, scale: Tensor) -> Tensor:
    return Independent(Laplace(loc, scale, validate_args=False), 1).sample()


# case: a-constructor-turns-validation-off
from torch import Tensor, nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        Normal.set_default_validate_args(False)

    def density(self, loc: Tensor, scale: Tensor, value: Tensor) -> Tensor:
        return Normal(loc, scale).log_prob(value)


# case: super-is-checked-as-well
from torch import Tensor
from torch.distributions import Normal


class Bounded(Normal):
    def log_prob(self, value: Tensor) -> Tensor:
        return super().log_prob(value.clamp(-1, 1))  # sync: SYN504


# case: a-distribution-draws-from-what-it-holds
import torch
from torch import Tensor
from torch.distributions import Distribution


class Shifted(Distribution):
    def __init__(self, inner) -> None:
        self.inner = inner

    def sample(self, sample_shape=()) -> Tensor:
        return self.inner.sample(sample_shape) + 1  # sync: SYN504


class Memory:
    def sample(self, count) -> Tensor:
        return self.inner.sample(count)


# case: what-a-library-gives-may-draw-in-a-way-of-its-own
import torch
from somewhere import Encoder, Policy


def encode(encoder: Encoder, x: torch.Tensor) -> torch.Tensor:
    return encoder.encode(x).latent_dist.sample().mul_(0.18)


def act(policy: Policy, x: torch.Tensor) -> torch.Tensor:
    return policy(x).sample().clamp(-1, 1)  # sync: SYN504


# case: all-that-a-method-may-belong-to-derive-from-a-class-that-has-it
import torch
from torch import Tensor
from torch.distributions import Categorical, Laplace, Normal


class Speed(Normal):
    def mode(self) -> Tensor:
        return self.mean


class Spread(Laplace):
    def mode(self) -> Tensor:
        return self.mean


class Choice(Categorical):
    def sample(self) -> Tensor:
        return super().sample().unsqueeze(-1)


def act(features: Tensor, is_discrete: bool) -> Tensor:
    if is_discrete:
        policy = Choice(logits=features, validate_args=False)
    else:
        policy = Speed(features, features.exp(), validate_args=False)
    return policy.sample()  # sync: SYN507


def drift(features: Tensor, is_discrete: bool) -> Tensor:
    if is_discrete:
        policy = Choice(logits=features, validate_args=False)
    else:
        policy = Spread(features, features.exp(), validate_args=False)
    return policy.sample()


def gradient_of(features: Tensor) -> Tensor:
    return Speed(features, features.exp(), validate_args=False).rsample()


def of_numbers() -> Tensor:
    return Speed(0.0, 1.0, validate_args=False).sample()


# case: a-subclass-declares-constraints-of-its-own
from torch import Tensor
from torch.distributions import Beta, TransformedDistribution, constraints
from torch.distributions.transforms import AffineTransform


class Scaled(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, base: Beta, scale: Tensor, validate_args=None) -> None:
        self.scale = scale
        super().__init__(base, AffineTransform(0.0, scale), validate_args=validate_args)  # cold: SYN504


class Unchecked(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, base: Beta, scale: Tensor) -> None:
        self.scale = scale
        super().__init__(base, AffineTransform(0.0, scale), validate_args=False)


class Plain(TransformedDistribution):
    def __init__(self, base: Beta, scale: Tensor) -> None:
        super().__init__(base, AffineTransform(0.0, scale))


# case: what-a-base-of-unknown-kind-defines
import torch
from somewhere import Checked
from torch import Tensor


class Folded(Checked):
    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)  # sync: SYN504
        return super().log_prob(value)  # sync: SYN504

    def shifted(self, value: Tensor) -> Tensor:
        return torch.exp(self.transform(value))


# case: what-no-base-defines
import torch
from torch import Tensor


class Score:
    def total(self, value: Tensor) -> Tensor:
        return torch.exp(self.log_prob(value))


# case: further-arguments-that-may-be-none
import torch
from torch import Tensor
from torch.distributions import Distribution


def scored(outer: Distribution, value: Tensor, *args: object, **kwargs: object) -> Tensor:
    return outer.log_prob(value, *args, **kwargs)  # sync: SYN504


def flattened(x: Tensor, *sizes: int) -> Tensor:
    return torch.nonzero(x, *sizes)  # sync: SYN101


# case: one-of-two-things-that-are-unknown
import torch
from torch import Tensor


def scored(distribution, value) -> Tensor:
    value = getattr(value, "_unquantized", value)
    return torch.exp(distribution.log_prob(value))  # sync: SYN504


def scored_number(distribution, value, is_known: bool) -> Tensor:
    value = value if is_known else 0.5
    return torch.exp(distribution.log_prob(value))


# case: distribution-that-may-be-of-a-number
import torch
from torch import Tensor
from torch.distributions import Bernoulli, Normal


class Sometimes:
    def __init__(self, p: float = 0.5, scale=None):
        self.scale = scale
        self._p = p
        self.chance = Bernoulli(self._p)
        self.noise = Normal(0.0, self.scale)

    def set(self, p) -> None:
        self._p = p
        self.chance = Bernoulli(self._p)

    def applied(self, x: Tensor) -> Tensor:
        y = self.chance.sample((len(x),)).to(x.device)  # sync: SYN402
        return x * y + self.noise.sample().to(x.device)


def on_the_device(p: Tensor, x: Tensor) -> Tensor:
    return Bernoulli(p).sample().to(x.device)  # sync: SYN504


# case: a-class-whose-constructor-turns-the-checks-off
import torch
from torch import distributions


class Clamped(distributions.Normal):
    def __init__(self, mean: torch.Tensor, scale: torch.Tensor) -> None:
        super().__init__(mean, scale, validate_args=False)


class Checked(distributions.Normal):
    def __init__(self, mean: torch.Tensor, scale: torch.Tensor, checks: bool = True) -> None:
        super().__init__(mean, scale, validate_args=checks)  # cold: SYN504


def scores(mean: torch.Tensor, scale: torch.Tensor, action: torch.Tensor) -> tuple:
    quiet = Clamped(mean.cuda(non_blocking=True), scale)
    loud = Checked(mean.cuda(non_blocking=True), scale)
    found = quiet.log_prob(action)
    return found, loud.log_prob(action)  # sync: SYN504
