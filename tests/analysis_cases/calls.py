# case: helper-returns-a-tensor
from torch import Tensor


def _is_degenerate(x: Tensor) -> Tensor:
    return (x.std(dim=0) == 0).any()


def check(x: Tensor) -> Tensor:
    if _is_degenerate(x):  # sync: SYN301
        return x + 1e-6
    return x


# case: helper-without-annotations-returns-a-tensor
from torch import Tensor


def _is_degenerate(x):
    return (x.std(dim=0) == 0).any()


def check(x: Tensor) -> Tensor:
    if _is_degenerate(x):  # sync: SYN301
        return x + 1e-6
    return x


# case: helper-that-waits-is-reported-once
from torch import Tensor


def _is_degenerate(x: Tensor) -> bool:
    return bool((x.std(dim=0) == 0).any())  # sync: SYN203


def check(x: Tensor) -> Tensor:
    if _is_degenerate(x):
        return x + 1e-6
    return x if not _is_degenerate(x) else -x


# case: helper-returns-what-it-is-given
from torch import Tensor


def _identity(value):
    return value


def check(x: Tensor, count: int) -> int:
    if _identity(count):
        return 1
    return 1 if _identity(x.sum()) else 0  # sync: SYN301


# case: arguments-give-types-to-parameters
from torch import Tensor


def _larger(a, b):
    return a if a > b else b  # sync: SYN301


def check(x: Tensor, y: Tensor) -> Tensor:
    return _larger(x.sum(), y.sum())


# case: arguments-that-are-numbers
def _larger(a, b):
    return a if a > b else b


def check(x: float, y: float) -> float:
    return _larger(x + 1.0, y)


# case: keyword-arguments-give-types-to-parameters
from torch import Tensor


def _scaled(*, limit, count=1):
    if count > 1:
        return limit
    return limit if limit > 0 else -limit  # sync: SYN301


def check(x: Tensor) -> Tensor:
    return _scaled(limit=x.sum())


# case: helper-returns-a-tuple
from torch import Tensor


def _bounds(x: Tensor):
    return x.amin(), x.size(0)


def check(x: Tensor) -> int:
    low, count = _bounds(x)
    if count == 0:
        return 0
    return 1 if low < 0 else 0  # sync: SYN301


# case: helper-returns-a-dict
from torch import Tensor


def _losses(x: Tensor):
    return {"total": x.sum(), "count": x.numel()}


def check(x: Tensor) -> int:
    losses = _losses(x)
    if losses["count"] == 0:
        return 0
    return 1 if losses["total"] < 0 else 0  # sync: SYN301


# case: recursion
from torch import Tensor


def _depth_sum(x: Tensor, depth: int):
    if depth == 0:
        return x.sum()
    return _depth_sum(x * 2, depth - 1)


def check(x: Tensor) -> int:
    return 1 if _depth_sum(x, 3) > 0 else 0  # sync: SYN301


# case: method-through-a-variable
from torch import Tensor


class Monitor:
    def broken(self, x: Tensor):
        return x.isnan().any()


def check(x: Tensor) -> Tensor:
    monitor = Monitor()
    if monitor.broken(x):  # sync: SYN301
        return x.nan_to_num()
    return x


# case: method-through-an-attribute
from torch import Tensor


class Monitor:
    def broken(self, x: Tensor):
        return x.isnan().any()


class Trainer:
    def __init__(self) -> None:
        self.monitor = Monitor()

    def training_step(self, x: Tensor) -> Tensor:
        if self.monitor.broken(x):  # sync: SYN301
            return x.nan_to_num()
        return x


# case: function-given-as-an-argument
from torch import Tensor


def _broken(x: Tensor):
    return x.isnan().any()


def _guarded(x: Tensor, test) -> Tensor:
    return x.nan_to_num() if test(x) else x  # sync: SYN301


def check(x: Tensor) -> Tensor:
    return _guarded(x, _broken)


# case: helper-returns-a-number-from-a-shape
from torch import Tensor


def _rows(x: Tensor):
    return x.shape[0]


def check(x: Tensor) -> Tensor:
    return x if _rows(x) > 1 else x.squeeze(0)


# case: generator-yields-tensors
from collections.abc import Iterator

from torch import Tensor


def _chunks(x: Tensor, size: int) -> Iterator[Tensor]:
    for start in range(0, len(x), size):
        yield x[start : start + size]


def check(x: Tensor) -> list[float]:
    return [float(chunk.sum()) for chunk in _chunks(x, 8)]  # sync: SYN203


# case: classmethod-constructs-an-instance
from torch import Tensor


class Box:
    def __init__(self, low: Tensor) -> None:
        self.low = low

    @classmethod
    def of(cls, x: Tensor) -> "Box":
        return cls(x.amin())


def check(x: Tensor) -> int:
    return 1 if Box.of(x).low < 0 else 0  # sync: SYN301


# case: call-of-an-instance
from torch import Tensor


class Norm:
    def __call__(self, x: Tensor) -> Tensor:
        return x.norm()


def check(x: Tensor) -> int:
    norm = Norm()
    return 1 if norm(x) > 1 else 0  # sync: SYN301


# case: operator-of-a-user-class
class Version:
    def __init__(self, number: int) -> None:
        self.number = number

    def __gt__(self, other: "Version") -> bool:
        return self.number > other.number


def newer(first: Version, second: Version) -> Version:
    return first if first > second else second


# case: method-of-a-user-class-named-like-a-tensors
class Record:
    def item(self) -> int:
        return 1

    def any(self) -> bool:
        return True


def check(record: Record) -> int:
    if record.any():
        return record.item()
    return 0


# case: helper-in-another-file
from checks import is_degenerate
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if is_degenerate(x):  # sync: SYN301
        return x + 1e-6
    return x


# file: checks.py
def is_degenerate(x):
    return (x.std(dim=0) == 0).any()


# case: helper-that-waits-in-another-file
from checks import is_degenerate
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if is_degenerate(x):
        return x + 1e-6
    return x


# file: checks.py
from torch import Tensor


def is_degenerate(x: Tensor) -> bool:
    return (x.std(dim=0) == 0).any().item()  # sync: SYN201


# case: module-of-a-package
from pkg import checks
from torch import Tensor


def check(x: Tensor) -> Tensor:
    return x + 1e-6 if checks.is_degenerate(x) else x  # sync: SYN301


# file: pkg/__init__.py


# file: pkg/checks.py
def is_degenerate(x):
    return (x.std(dim=0) == 0).any()


# case: relative-import
# file: pkg/__init__.py


# file: pkg/checks.py
def is_degenerate(x):
    return (x.std(dim=0) == 0).any()


# file: pkg/losses/__init__.py


# file: pkg/losses/contrastive.py
from torch import Tensor

from ..checks import is_degenerate


def check(x: Tensor) -> Tensor:
    return x + 1e-6 if is_degenerate(x) else x  # sync: SYN301


# case: re-export
import pkg
from torch import Tensor


def check(x: Tensor) -> Tensor:
    return x + 1e-6 if pkg.is_degenerate(x) else x  # sync: SYN301


# file: pkg/__init__.py
from .checks import is_degenerate as is_degenerate

__all__ = ["is_degenerate"]


# file: pkg/checks.py
def is_degenerate(x):
    return (x.std(dim=0) == 0).any()


# case: re-export-by-a-star
from pkg import is_degenerate
from torch import Tensor


def check(x: Tensor) -> Tensor:
    return x + 1e-6 if is_degenerate(x) else x  # sync: SYN301


# file: pkg/__init__.py
from .checks import *


# file: pkg/checks.py
__all__ = ["is_degenerate"]


def is_degenerate(x):
    return (x.std(dim=0) == 0).any()


# case: base-class-in-another-file
from pkg.base import Scaled
from torch import Tensor


class Signed(Scaled):
    def forward(self, x: Tensor) -> Tensor:
        return x if self.scale > 0 else -self.total(x)  # sync: SYN301


# file: pkg/__init__.py


# file: pkg/base.py
import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def total(self, x):
        return x.sum() * self.scale


# case: class-in-another-file
from pkg.monitor import Monitor
from torch import Tensor


def check(x: Tensor, monitor: Monitor) -> Tensor:
    if monitor.enabled:
        return x if monitor.norm(x) > 1 else -x  # sync: SYN301
    return x


# file: pkg/__init__.py


# file: pkg/monitor.py
class Monitor:
    def __init__(self) -> None:
        self.enabled = True

    def norm(self, x):
        return x.norm()


# case: mask-helper-in-another-file
from masks import causal, lengths_to_mask
from torch import Tensor


def packed(x: Tensor, lengths: Tensor) -> Tensor:
    x = x.masked_fill(causal(x), 0.0)
    return x[lengths_to_mask(lengths, x.size(1))]  # sync: SYN103


# file: masks.py
import torch


def lengths_to_mask(lengths, size):
    return torch.arange(size, device=lengths.device)[None, :] < lengths[:, None]


def causal(x):
    return torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).triu(1)


# case: two-files-that-import-each-other
# file: pkg/__init__.py


# file: pkg/first.py
from pkg import second


def total(x):
    return x.sum()


def check(x):
    return second.scaled(x)


# file: pkg/second.py
from torch import Tensor

from pkg import first


def scaled(x: Tensor) -> Tensor:
    return x if first.total(x) > 0 else -x  # sync: SYN301


# case: constant-of-another-file
from settings import EPSILON, LEVELS
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if EPSILON > 0 and LEVELS:
        return x.clamp(min=EPSILON)
    return x


# file: settings.py
EPSILON = 1e-6
LEVELS = [0.1, 0.5]


# case: types-come-from-call-sites-in-another-file
from helpers import larger
from torch import Tensor


def check(x: Tensor, y: Tensor) -> Tensor:
    return larger(x.sum(), y.sum())


# file: helpers.py
def larger(a, b):
    return a if a > b else b  # sync: SYN301


# case: helper-for-strings-as-well-as-tensors-and-more-calls-than-are-kept-apart
import torch
from torch import Tensor


def first(values):
    return values[0]


def check(x: Tensor, y: Tensor) -> int:
    count = 0
    names = first(("a", "x")), first(("b", "x")), first(("c", "x")), first(("d", "x")), first(("e", "x"))
    tensors = first((x, 1)), first((x > 0, "a")), first((x.long(), "b")), first((x.int(), "c")), first((x.sum(), "d"))
    if first(("f", "x")):
        count += 1
    if first(("g", "x")):
        count += 1
    if first((y, "e")):  # sync: SYN301
        count += 1
    if first((y > 0, "f")):  # sync: SYN301
        count += 1
    if first(("h", "x")):
        count += 1
    if first(("i", "x")):
        count += 1
    if first(("j", "x")):
        count += 1
    return count + len(names) + len(tensors)


# case: one-of-several-things-given-where-a-number-is-meant
import torch


class Schedule:
    def __init__(self) -> None:
        self.weights = torch.ones(1000)

    def weight(self, step: int) -> torch.Tensor:
        return self.weights[step]  # sync: SYN207


def train(schedule: Schedule, steps: torch.Tensor, kept) -> None:
    for step in (steps if len(steps) > 1 else kept):
        schedule.weight(step)


# case: something-unknown-given-where-a-number-is-meant
import torch


class Schedule:
    def __init__(self) -> None:
        self.weights = torch.ones(1000)

    def weight(self, step: int) -> torch.Tensor:
        return self.weights[step]


def train(schedule: Schedule, kept) -> None:
    for step in kept:
        schedule.weight(step)


# case: functions-that-torch-has-by-two-names
import torch.nn.functional as F
from torch import Tensor


def convolved(x: Tensor, weight: Tensor) -> float:
    likeness = F.cosine_similarity(x, x)
    if F.conv2d(x, weight).sum() > 0:  # sync: SYN301
        return F.pixel_shuffle(x, 2).max().item()  # sync: SYN201
    return float(likeness.sum())  # sync: SYN203


# case: where-with-something-that-is-none
import torch
from torch import Tensor


def dropped(labels: Tensor, ids: Tensor | None = None) -> Tensor:
    other = None
    return torch.where(labels > 0, 3, other)


# case: constructor-of-a-distribution-of-ones-own
import torch
from torch import Tensor
from torch.distributions import Distribution, Normal, constraints


class Decay(Distribution):
    arg_constraints = {"rate": constraints.positive}

    def __init__(self, rate: Tensor, validate_args=None):
        self.rate = rate
        super().__init__(rate.shape, validate_args=validate_args)  # cold: SYN504

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)  # sync: SYN504
        return value * self.rate


class Unchecked(Distribution):
    arg_constraints = {}

    def __init__(self, rate: Tensor):
        self.rate = rate
        super().__init__(rate.shape)


class Silent(Distribution):
    arg_constraints = {"rate": constraints.positive}

    def __init__(self, rate: Tensor):
        self.rate = rate
        super().__init__(rate.shape, validate_args=False)


class Wide(Normal):
    def __init__(self, loc: Tensor):
        super().__init__(loc, 3 * loc)  # cold: SYN504


STANDARD = Normal(0.0, 1.0)


# case: validation-turned-off-for-the-whole-program
from settings import READY
from torch import Tensor
from torch.distributions import Categorical

assert READY


def step(logits: Tensor) -> Tensor:
    policy = Categorical(logits=logits)
    return policy.log_prob(policy.sample())


# file: settings.py
from torch import distributions

distributions.Distribution.set_default_validate_args(False)
READY = True


# case: validation-turned-off-in-one-function-only
import torch
from torch import Tensor
from torch.distributions import Categorical


def quietly() -> None:
    torch.distributions.Distribution.set_default_validate_args(False)


def step(logits: Tensor) -> Categorical:
    return Categorical(logits=logits)  # sync: SYN504


torch.distributions.Distribution.set_default_validate_args(True)


# case: value-of-a-distribution-of-ones-own
from torch.distributions import Distribution


class Own(Distribution):
    def log_prob(self, value):
        if value.sum() > 0:  # sync: SYN301
            return 0.0
        return 1.0


# case: lists-of-any-length-are-handed-on-by-stars
import torch
from torch import Tensor


def mesh(*axes):
    return torch.meshgrid(*axes, indexing="ij")


def grid_for(image: Tensor) -> Tensor:
    axes = [torch.arange(0, size) for size in image.shape[2:]]
    grid = torch.stack(mesh(*axes), dim=0)
    return grid.to(image)  # sync: SYN402


def grid_on_the_device(image: Tensor) -> Tensor:
    axes = [torch.arange(0, size, device="cuda") for size in image.shape[2:]]
    grid = torch.stack(mesh(*axes), dim=0)
    return grid.to(image)


# case: of-several-classes-those-are-called-that-take-what-the-call-gives
import torch
from torch import nn


class Plain(nn.Module):
    def forward(self, tokens, layers=(), needs_weights=False, returns_contacts=False):
        if returns_contacts:
            return tokens * len(layers)
        return tokens if needs_weights else tokens / 2


class Deep(nn.Module):
    def forward(self, tokens, exact):
        if exact:
            return tokens
        return tokens / 2


class Structured(nn.Module):
    def forward(self, coordinates, mask, confidence, tokens):
        if tokens.max() > 3:  # sync: SYN301
            return coordinates * confidence
        return mask


def build(name: str):
    if name == "plain":
        model = Plain()
    elif name == "deep":
        model = Deep()
    else:
        model = Structured()
    return model.cuda()


def train(name: str, loader, optimizer) -> None:
    model = build(name)
    for batch in loader:
        x = batch.cuda(non_blocking=True)
        model(x, x > 0, x.sigmoid(), x.long()).sum().backward()
        optimizer.step()


# case: method-that-is-asked-for-by-its-name
import torch
from torch import Tensor


def parts(x) -> tuple[Tensor, Tensor]:
    unbind = getattr(x, "unbind", None)
    if callable(unbind):
        first, second = unbind()
        if first.is_cuda and first.sum() > 0:  # sync: SYN301
            return first, second
    raise TypeError(x)
