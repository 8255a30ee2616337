# case: if-and-elif
from torch import Tensor


def check(x: Tensor, y: Tensor) -> int:
    if x.any():  # sync: SYN301
        return 1
    elif y.all():  # sync: SYN301
        return 2
    return 0


# case: while
from torch import Tensor


def halve(x: Tensor) -> Tensor:
    while x.norm() > 1:  # sync: SYN301
        x = x / 2
    return x


# case: conditional-expression
from torch import Tensor


def check(x: Tensor) -> Tensor:
    return x if x.mean() > 0 else -x  # sync: SYN301


# case: filter-of-a-comprehension
from torch import Tensor


def keep(rows: list[Tensor]) -> list[Tensor]:
    return [row for row in rows if row.any()]  # sync: SYN301


# case: filter-of-a-generator
from torch import Tensor


def total(rows: list[Tensor]) -> int:
    return sum(1 for row in rows if row.any())  # sync: SYN301


# case: assertion
from torch import Tensor


def check(x: Tensor) -> Tensor:
    assert x.isfinite().all()  # sync: SYN302
    return x


# case: assertion-with-a-message
from torch import Tensor


def check(x: Tensor) -> Tensor:
    assert (x >= 0).all(), "negative"  # sync: SYN302
    return x


# case: assertion-about-metadata
from torch import Tensor


def check(x: Tensor, y: Tensor) -> Tensor:
    assert x.shape == y.shape and x.is_cuda
    assert isinstance(x, Tensor), type(x)
    return x + y


# case: or-of-two-tensors
from torch import Tensor


def check(x: Tensor, y: Tensor) -> Tensor:
    return x.any() or y.any()  # sync: SYN303


# case: and-of-a-tensor-and-a-flag
from torch import Tensor


def check(x: Tensor, strict: bool) -> bool:
    return x.any() and strict  # sync: SYN303


# case: last-operand-is-not-tested
from torch import Tensor


def check(x: Tensor, strict: bool) -> Tensor | bool:
    return strict and x.any()


# case: negation
from torch import Tensor


def check(x: Tensor) -> bool:
    return not x.any()  # sync: SYN303


# case: condition-of-an-or-tests-both
from torch import Tensor


def check(x: Tensor, y: Tensor) -> int:
    if x.any() or y.any():  # sync: SYN301, SYN303
        return 1
    return 0


# case: condition-of-an-and-tests-the-tensor-last
from torch import Tensor


def check(x: Tensor | None, strict: bool) -> int:
    if x is not None and strict and x.any():  # sync: SYN301
        return 1
    return 0


# case: condition-of-a-negation
from torch import Tensor


def check(x: Tensor) -> int:
    if not x.any():  # sync: SYN303
        return 1
    return 0


# case: assertion-of-a-negation
from torch import Tensor


def check(x: Tensor) -> Tensor:
    assert not x.isnan().any()  # sync: SYN303
    return x


# case: chained-comparison
from torch import Tensor


def inside(x: Tensor) -> Tensor:
    return 0 < x < 1  # sync: SYN303


# case: single-comparison-is-a-tensor
from torch import Tensor


def inside(x: Tensor) -> Tensor:
    return (x > 0) & (x < 1) | ~(x == 2)


# case: identity-is-not-a-truth-test
from torch import Tensor


def same(x: Tensor | None, y: Tensor) -> bool:
    return x is None or x is y or x is not y


# case: builtin-max-of-two-tensors
from torch import Tensor


def larger(x: Tensor, y: Tensor) -> Tensor:
    return max(x.sum(), y.sum())  # sync: SYN304


# case: builtin-max-of-a-number-and-a-tensor
from torch import Tensor


def floor(x: Tensor) -> Tensor | float:
    return max(0.0, x.mean())  # sync: SYN304


# case: builtin-min-of-a-tensor
from torch import Tensor


def smallest(x: Tensor) -> Tensor:
    return min(x)  # sync: SYN304


# case: builtin-max-of-tensors-by-a-host-key
from torch import Tensor


def longest(rows: list[Tensor]) -> Tensor:
    return max(rows, key=len)


# case: builtin-max-of-a-generator-of-tensors
from torch import Tensor


def largest(rows: list[Tensor]) -> Tensor:
    return max(row.amax() for row in rows)  # sync: SYN304


# case: builtin-sorted-of-tensors
from torch import Tensor


def ordered(losses: list[Tensor]) -> list[Tensor]:
    return sorted(losses)  # sync: SYN304


# case: builtin-any-and-all-of-a-tensor
from torch import Tensor


def check(x: Tensor) -> bool:
    return any(x > 0) or all(x < 1)  # sync: SYN304


# case: builtin-any-of-a-list-of-tensors
from torch import Tensor


def check(rows: list[Tensor]) -> bool:
    return any(row.isnan().any() for row in rows)  # sync: SYN304


# case: torch-max-is-no-builtin
import torch
from torch import Tensor


def larger(x: Tensor, y: Tensor) -> Tensor:
    return torch.max(x, y) + torch.maximum(x, y).max() + torch.any(x > 0) + torch.all(y > 0)


# case: builtin-max-of-sizes
from torch import Tensor


def longest(rows: list[Tensor], x: Tensor) -> int:
    return max(max(row.size(0) for row in rows), max(x.shape), len(x))


# case: builtin-sum-adds-tensors
from torch import Tensor


def total(x: Tensor, losses: dict[str, Tensor]) -> Tensor:
    return sum(x) + sum(losses.values()) + sum(row.mean() for row in x)


# case: number-in-a-tensor
from torch import Tensor


def has_padding(tokens: Tensor) -> bool:
    return 0 in tokens  # sync: SYN304


# case: key-in-a-dict-of-tensors
from torch import Tensor


def has_main(losses: dict[str, Tensor]) -> bool:
    return "main" in losses and "other" not in losses.keys()


# case: item
from torch import Tensor


def read(x: Tensor) -> float:
    return x.sum().item()  # sync: SYN201


# case: tolist
from torch import Tensor


def read(x: Tensor) -> list[float]:
    return x.tolist()  # sync: SYN202


# case: number-conversions
from torch import Tensor


def read(x: Tensor) -> complex:
    a = float(x.sum())  # sync: SYN203
    b = int(x.argmax())  # sync: SYN203
    c = bool(x.any())  # sync: SYN203
    d = complex(x.sum())  # sync: SYN203
    return a + b + c + d


# case: number-conversions-of-items
from torch import Tensor


def read(x: Tensor) -> int:
    return int(x.argmax().item())  # sync: SYN201


# case: number-conversions-of-sizes
from torch import Tensor


def read(x: Tensor, text: str) -> float:
    return float(x.size(0)) + int(x.numel() / 2) + bool(x.shape) + float(text)


# case: math-function-of-a-tensor
import math

from torch import Tensor


def read(x: Tensor) -> float:
    return math.sqrt(x.sum())  # sync: SYN203


# case: math-function-of-a-size
import math

from torch import Tensor


def scale(x: Tensor) -> float:
    return 1 / math.sqrt(x.size(-1))


# case: is-nonzero
import torch
from torch import Tensor


def check(x: Tensor) -> bool:
    return torch.is_nonzero(x.sum())  # sync: SYN206


# case: equal-and-allclose
import torch
from torch import Tensor


def check(x: Tensor, y: Tensor) -> bool:
    if torch.equal(x, y * 2):  # sync: SYN206
        return True
    return x.allclose(y)  # sync: SYN206


# case: equal-of-parameters-that-may-be-one-object
import torch
from torch import Tensor


def same(x: Tensor, y: Tensor) -> bool:
    return torch.equal(x, y)


# case: equal-of-one-object
# What shares memory, shape and strides is equal without a comparison: `cuda_equal` in `ATen/native/cuda/Equal.cpp`.
import torch
from torch import Tensor


def is_known(x: Tensor) -> bool:
    y = x * 2
    return torch.equal(y, y) or y.equal(y)


# case: isclose-and-eq-stay-tensors
import torch
from torch import Tensor


def check(x: Tensor, y: Tensor) -> Tensor:
    return torch.isclose(x, y).all() & torch.eq(x, y).any()


# case: print
from torch import Tensor


def step(x: Tensor) -> None:
    print("mean", x.mean())  # sync: SYN205


# case: print-of-metadata
from torch import Tensor


def step(x: Tensor) -> None:
    print("x", x.shape, x.dtype, x.device, len(x), x.requires_grad)


# case: formatted-string
from torch import Tensor


def describe(x: Tensor) -> str:
    return f"mean {x.mean():.3f}"  # sync: SYN205


# case: formatted-string-of-metadata
from torch import Tensor


def describe(x: Tensor) -> str:
    return f"{x.shape[0]} rows of {x.dtype} on {x.device}"


# case: format-method-and-percent-operator
from torch import Tensor


def describe(x: Tensor) -> str:
    first = "mean {:.3f}".format(x.mean())  # sync: SYN205
    return first + "max %s" % x.max()  # sync: SYN205


# case: str-and-repr
from torch import Tensor


def describe(x: Tensor) -> str:
    return str(x.mean()) + repr(x)  # sync: SYN205


# case: formatted-string-of-an-item
from torch import Tensor


def describe(x: Tensor) -> str:
    return f"mean {x.mean().item():.3f}"  # sync: SYN201


# case: formatted-string-given-to-a-logger
import logging

from torch import Tensor

logger = logging.getLogger(__name__)


def step(x: Tensor) -> None:
    logger.debug(f"mean {x.mean()}")  # sync: SYN205


# case: arguments-of-a-logger
import logging

from torch import Tensor

logger = logging.getLogger(__name__)


def step(x: Tensor, index: int) -> None:
    logger.info("step %d of shape %s", index, x.shape)
    logger.info("mean %s", x.mean())  # sync: SYN205


# case: postfix-of-a-progress-bar
from torch import Tensor
from tqdm import tqdm


def step(losses: list[Tensor], bar: tqdm, loss: Tensor) -> None:
    bar.set_postfix(count=len(losses))
    bar.set_postfix(loss=loss)  # sync: SYN205


# case: scalar-of-a-summary-writer
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter


def step(writer: SummaryWriter, loss: Tensor, rate: float, index: int) -> None:
    writer.add_scalar("rate", rate, index)
    writer.add_scalar("loss", loss, index)  # sync: SYN205


# case: hash-and-id
from torch import Tensor


def keys(x: Tensor) -> tuple[int, int]:
    return hash(x), id(x)


# case: iteration-is-free-and-its-elements-wait
from torch import Tensor


def read(x: Tensor) -> float:
    total = 0.0
    for row in x:
        total += float(row.sum())  # sync: SYN203
    return total


# case: class-given-as-an-argument
import numpy as np
import torch


def converted(data, kind=None):
    kind = kind or type(data)
    if issubclass(kind, torch.Tensor):
        return torch.as_tensor(data, device="cuda")  # sync: SYN401
    if issubclass(kind, np.ndarray):
        return np.asarray(data)
    raise ValueError(f"unknown kind {kind}")


def check(values: list[float]) -> int:
    if converted(values, np.ndarray).max() > 0:
        return 1
    return 2 if converted(values, torch.Tensor).max() > 0 else 0  # sync: SYN301


# case: text-in-a-dictionary-that-may-be-nested
import torch


def unpacked(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    state = state.get("model", state)
    state = state.get("module", state)
    if "head.weight" in state and not state["head.weight"].any():  # sync: SYN303
        return {name: value for name, value in state.items() if "head" not in name}
    return state


# case: function-whose-truth-is-asked-for-is-not-called
from torch import Tensor


def route(index: Tensor, rows: int) -> Tensor:
    assert lambda: index.unique().numel() == rows, "holes"
    while lambda: index.any():
        return index
    return index.unique() if (lambda: index.max()) else index  # sync: SYN102


# case: message-of-a-check-is-made-before-it-raises
import torch
from torch import Tensor


def checked(index: Tensor, rows: int, keep) -> Tensor:
    torch._check(rows > 2, lambda: f"too few for {index.max().item()}")  # once: SYN201
    return keep(rows > 2, lambda: index.min().item())  # sync: SYN201


# case: chosen-by-a-key
from functools import partial

import torch
from torch import Tensor


def score(found: dict, penalty: float) -> Tensor:
    return found["score"] - penalty * len(found["tokens"])


def nearest(x: Tensor) -> Tensor:
    low, high = x.aminmax()
    return min(low, high, key=torch.abs)  # sync: SYN304


def best(x: Tensor) -> dict:
    found = [{"tokens": [1], "score": x.sum()}, {"tokens": [2, 3], "score": x.mean()}]
    return max(found, key=partial(score, penalty=0.5))  # sync: SYN304


def longest(x: Tensor, y: Tensor) -> Tensor:
    return max(x, y, key=len)


# case: classes-asked-for-one-by-one
import numpy as np
import torch


class Record:
    values: list


def flat(observed: torch.Tensor | np.ndarray | Record, keys: list[str]) -> torch.Tensor:
    if isinstance(observed, dict) or (isinstance(observed, Record) and keys):
        return torch.tensor([observed[key] for key in keys])
    if isinstance(observed, list) or isinstance(observed, torch.Tensor):
        return torch.tensor([observed[index] for index in range(3)])  # sync: SYN209
    return torch.tensor(observed)


def larger(first: torch.Tensor | float, second: torch.Tensor | float) -> float:
    if isinstance(first, float) or isinstance(second, float):
        return float(first)  # sync: SYN203
    return 0.0


# case: compared-with-a-text-that-has-a-name
import torch
from stages import TRAINING, VALIDATION


def log(loss: torch.Tensor, step: int, stage: str) -> None:
    if stage == VALIDATION:
        print("validation", loss.item())  # epoch: SYN201
    elif step % 100 == 0:
        print("training", loss.item())  # interval: SYN201


def train(model, batches, optimizer) -> None:
    for epoch in range(10):
        for step, batch in enumerate(batches):
            loss = model(batch.cuda(non_blocking=True)).mean()
            loss.backward()
            optimizer.step()
            log(loss, step, TRAINING)
        log(loss, 0, VALIDATION)

# file: stages.py
TRAINING = "training"
VALIDATION = "validation"


# case: asked-whether-it-is-there
import torch


class Scaled(torch.nn.Module):
    def __init__(self, scaler=None, weight=None) -> None:
        super().__init__()
        self.scaler = scaler
        self.weight = weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scaler:
            x = self.scaler.transform(x)
        if self.weight:  # sync: SYN301
            x = x * self.weight
        return x


def train(model, loader, optimizer, mean: torch.Tensor, moment: torch.Tensor) -> None:
    scaled = Scaled(choose(Scaler(mean.cuda()), mean.cuda()), moment.cuda())
    for x in loader:
        model(scaled(x)).sum().backward()
        optimizer.step()


class Scaler:
    def __init__(self, mean: torch.Tensor) -> None:
        self.mean = mean

    def transform(self, x: torch.Tensor) -> torch.Tensor:
        return x - self.mean


def choose(*options):
    return options[0] if len(options) > 2 else options[-1]


# case: what-is-looked-for-in-a-list-is-compared-with-one-element-after-another
import torch


def others(n: int):
    labels = torch.zeros(4, device="cuda")
    left = list(range(n))
    left.remove(labels[0])  # sync: SYN304
    where = left.index(labels[1])  # sync: SYN304
    found = [labels.sum(), labels.max()]
    how_often = found.count(3)  # sync: SYN304
    seen = {0, 1}
    seen.remove(labels[2])
    left.remove(2)
    return where, how_often, left


# case: what-a-dictionary-may-hold-under-a-name-is-hardly-a-tensor-that-is-tested
import torch


def encode(model: torch.nn.Module, x: torch.Tensor, **kwargs) -> torch.Tensor:
    if kwargs.get("use_cache") or x is None:
        return x
    return model(x)


def ended(x: torch.Tensor, **kwargs) -> bool:
    if kwargs.get("done") or x is None:  # sync: SYN303
        return True
    return False


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    for batch in loader:
        batch: dict[str, torch.Tensor] = {name: held.to("cuda", non_blocking=True) for name, held in batch.items()}
        loss = encode(model, batch["x"], **batch).sum()
        if batch.get("use_cache"):
            loss = loss * 2
        if batch["weights"].sum():  # sync: SYN301
            loss = loss * 3
        loss.backward()
        optimizer.step()
        if ended(batch["x"], done=loss > 3):
            break
