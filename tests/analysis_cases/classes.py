# case: attribute-that-subclasses-give
import torch
from torch import Tensor


class Tableau:
    middle: Tensor
    order = None

    def moved(self, y: Tensor) -> Tensor:
        return self.middle.to(y.device) * y  # sync: SYN402

    def weighted(self, y: Tensor) -> Tensor:
        return self.order.to(y.device) * y  # sync: SYN402


class Midpoint(Tableau):
    middle = torch.tensor([0.1, 0.9])
    order = torch.tensor([1.0, 2.0])


# case: method-that-subclasses-have-to-write
import torch
from torch import Tensor


class Source:
    def values(self) -> Tensor:
        """What it holds."""
        raise NotImplementedError

    def nothing(self) -> Tensor: ...


class Fixed(Source):
    def values(self) -> Tensor:
        return torch.tensor([1.0, 2.0])

    def nothing(self) -> Tensor:
        return torch.zeros(3)


def uploaded(source: Source, device: torch.device) -> Tensor:
    return source.values().to(device) + source.nothing().to(device)  # sync: SYN402


# case: one-class-of-a-table
import torch
from torch import Tensor


class Solver:
    def __init__(self, y: Tensor, tolerance: float):
        self.tolerance = torch.as_tensor(tolerance, device=y.device)  # cold: SYN401

    def integrated(self, t: Tensor) -> list[int]:
        return [index for index in range(len(t)) if t[index] > 0.5]  # sync: SYN301


class A(Solver): ...
class B(Solver): ...
class C(Solver): ...
class D(Solver): ...
class E(Solver): ...
class F(Solver): ...
class G(Solver): ...


SOLVERS = {"a": A, "b": B, "c": C, "d": D, "e": E, "f": F, "g": G}


def solve(y, t, method: str):
    return SOLVERS[method](y, 1e-7).integrated(t)


# case: operators-that-a-class-defines
import torch
from torch import Tensor


class Box:
    def __init__(self, low: Tensor):
        self.low = low

    def __eq__(self, other):
        return (self.low == other.low).all()

    def __lt__(self, other):
        return (self.low < other.low).all()

    def __mul__(self, factor):
        return self.low * factor


def compared(x: Tensor) -> float:
    first, second = Box(x), Box(x + 1)
    if first == second:  # sync: SYN301
        return 0.0
    if first < second or x.ndim == 1:  # sync: SYN303
        return 1.0
    return float(first * 2)  # sync: SYN203


# case: autograd-functions-are-applied
import torch
from torch import Tensor


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * torch.as_tensor(factor, device=x.device)  # sync: SYN401


class Shifted(torch.autograd.Function):
    @staticmethod
    def forward(x, offset):
        return x + torch.as_tensor(offset, device=x.device)  # sync: SYN401

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)


def scaled(x: Tensor) -> float:
    return Scaled.apply(x, 2.0).sum().item() + Shifted.apply(x, 1.0).sum().item()  # sync: SYN201


# case: buffers-where-they-are-made
import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.register_buffer("levels", torch.tensor(levels, dtype=torch.int32))
        self.size = self.levels.prod().item()

    def forward(self, x):
        return x * self.levels.prod().item()  # sync: SYN201
