# case: loop-whose-else-raises
from torch import Tensor


def found(names: list[str], x: Tensor) -> float:
    for name in names:
        if name == "wanted":
            break
    else:
        raise KeyError("wanted")
    return x.sum().item()  # sync: SYN201


# case: loop-whose-else-binds-again
from torch import Tensor


def first_positive(parts: list[Tensor], name: str) -> float:
    best = 0.0
    for part in parts:
        if name:
            best = part.max()
            break
    else:
        best = 1.0
    return float(best)  # sync: SYN203


# case: while-whose-else-returns
from torch import Tensor


def retried(left: int, x: Tensor) -> float:
    while left > 0:
        left -= 1
        if left == 3:
            break
    else:
        return 0.0
    return x.sum().item()  # sync: SYN201


# case: else-of-an-inner-loop-that-goes-on-with-the-outer
from torch import Tensor


def searched(rows: list[str], columns: list[str], x: Tensor) -> float:
    value = 0.0
    for row in rows:
        for column in columns:
            if row == column:
                value = x.sum()
                break
        else:
            value = 2.0
            continue
        print(float(value))  # sync: SYN203
    return float(value)  # sync: SYN203


# case: endless-loop-without-break-never-gets-to-its-else
from torch import Tensor


def spinning(x: Tensor) -> float:
    while True:
        x = x + 1
    else:
        return x.sum().item()


# case: what-the-last-statement-tried-would-have-bound
import torch
from torch import Tensor


def converted(x: Tensor, numbers: list[float]) -> Tensor:
    try:
        numbers = x.sum()
    except ValueError:
        numbers = torch.tensor(numbers, device=x.device)  # cold: SYN401
    return numbers


# case: what-was-bound-before-the-last-statement-tried
from torch import Tensor


def converted(x: Tensor) -> float:
    total = 0.0
    try:
        total = x.sum()
        total = total.unknown_method()
    except AttributeError:
        return float(total)  # cold: SYN203
    return 0.0


# case: function-put-into-a-dictionary-on-one-way-only
from torch import Tensor


def root_mean_square(x):
    return x.abs().pow(2).mean().sqrt()


def first_step(y: Tensor, norm) -> float:
    if norm(y) < 1e-5:  # sync: SYN301
        return 1e-6
    return 1e-3


def solve(y: Tensor, options) -> float:
    if "norm" not in options:
        options["norm"] = root_mean_square
    return first_step(y, options["norm"])


# case: kinds-of-tensor-are-not-all-tensors
import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor


def of_others(x: Tensor) -> float:
    if isinstance(x, nn.Parameter):
        return 0.0
    if isinstance(x, nn.Buffer) or isinstance(x, torch.cuda.FloatTensor):
        return 1.0
    if isinstance(x, DTensor):
        return 2.0
    return x.sum().item()  # sync: SYN201


def of_unknown(x) -> float:
    if isinstance(x, nn.Parameter):
        return x.sum().item()  # sync: SYN201
    if not isinstance(x, nn.Buffer):
        return x.detach().sum().item()  # sync: SYN201
    return 0.0


# case: what-forward-is-asked-for-none
import torch
from torch import nn


class Recurrent(nn.Module):
    def forward(self, x, state):
        if state is None:
            state = torch.zeros(1, x.shape[1]).to(x.device)  # sync: SYN402
        return x + state


# case: no-tuple-behind-the-test-for-one
from torch import Tensor


def picked(hidden: tuple[Tensor, Tensor] | Tensor) -> float:
    if isinstance(hidden, tuple):
        return hidden[0].sum().item()  # sync: SYN201
    return float(hidden.sum())  # sync: SYN203


# case: test-of-a-kind-that-has-a-name
import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence


def unpacked(given: Tensor | PackedSequence) -> int:
    is_packed = isinstance(given, PackedSequence)
    if is_packed:
        data, sizes, order, _ = given
        return len(data.split(tuple(sizes))) + int(sizes[0])
    return int(given[0])  # sync: SYN203


def total(x) -> float:
    is_tensor = torch.is_tensor(x)
    if is_tensor and x.sum() > 0:  # sync: SYN301
        return x.item()  # sync: SYN201
    return 0.0
