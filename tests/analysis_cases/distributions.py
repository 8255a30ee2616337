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


# case: distribution-that-a-function-of-unknown-text-gives
import torch
from torch import Tensor, nn
from torch.distributions import kl_divergence


class Agent(nn.Module):
    def act(self, x, action: Tensor) -> Tensor:
        dist = self.policy(x)
        return dist.log_prob(action).sum(-1) + dist.entropy() + kl_divergence(dist, dist)


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
