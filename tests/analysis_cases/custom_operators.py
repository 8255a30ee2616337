# case: operator-registered-with-a-fake-function
import torch
from torch import Tensor


@torch.library.custom_op("mine::pick", mutates_args=())
def pick(x: Tensor, k: int) -> Tensor:
    return x.topk(k).indices


@pick.register_fake
def _(x, k):
    return x.new_empty(k, dtype=torch.long)


def chosen(x: Tensor) -> float:
    best = torch.ops.mine.pick(x, 3)
    return best[0].item()  # sync: SYN201


# case: operator-that-returns-a-number
import torch
from torch import Tensor


@torch.library.custom_op("mine::size_of", mutates_args=())
def size_of(x: Tensor) -> int:
    return x.numel()


def checked(x: Tensor) -> Tensor:
    if torch.ops.mine.size_of(x) > 3:
        return x
    return x + size_of(x)


# case: operator-defined-by-a-schema
import torch
from torch import Tensor

torch.library.define("mine::split", "(Tensor x, int n) -> (Tensor, int)")
torch.library.define("mine::scale", "(Tensor x) -> Tensor")
library = torch.library.Library("yours", "DEF")
library.define("count(Tensor x) -> int")


@torch.library.register_fake("mine::scale")
def _(x):
    return torch.empty_like(x)


def used(x: Tensor) -> Tensor:
    part, count = torch.ops.mine.split(x, 2)
    if count > 1:
        return part
    if torch.ops.yours.count(x) > 1:
        return part
    if torch.ops.mine.scale(x).sum() > 0:  # sync: SYN301
        return x
    if part.sum() > 0:  # sync: SYN301
        return x
    return part


# case: operator-of-which-nothing-is-known-gives-a-tensor
import torch
from torch import Tensor


def used(x: Tensor) -> Tensor:
    if torch.ops.theirs.fused_norm(x).sum() > 0:  # sync: SYN301
        return x
    return x * 2


# case: operator-implemented-for-the-device
import torch
from torch import Tensor

library = torch.library.Library("hers", "DEF")
library.define("number(Tensor x, Tensor number) -> Tensor")
library.define("largest(Tensor x) -> Tensor")
library.define("kept(Tensor x) -> Tensor")


@torch.library.impl(library, "number", "CUDA")
def _number(x: Tensor, number: Tensor) -> Tensor:
    return x * number.item()


@torch.library.impl(library, "largest", "CUDA")
def _largest(x: Tensor) -> Tensor:
    return x * x.max().item()  # sync: SYN201


@torch.library.impl("hers::kept", "CPU")
def _kept(x: Tensor) -> Tensor:
    return torch.zeros(3)


def used(x: Tensor) -> Tensor:
    number = torch.tensor([3], device="cpu")
    if torch.ops.hers.kept(x).sum() > 0:  # sync: SYN301
        return x
    return torch.ops.hers.largest(torch.ops.hers.number(x, number=number))


# case: context-of-an-operator
import torch
from torch import Tensor


@torch.library.custom_op("ours::scale", mutates_args=())
def scale(x: Tensor, number: Tensor, largest: Tensor) -> Tensor:
    return x * 2


def _set_up(ctx, inputs, output):
    _, number, largest = inputs
    ctx.number = number.item()
    ctx.largest = largest.item()  # sync: SYN201


def _backward(ctx, grad):
    return grad * ctx.number, None, None


torch.library.register_autograd("ours::scale", _backward, setup_context=_set_up)


def used(x: Tensor) -> Tensor:
    return torch.ops.ours.scale(x, torch.tensor([3]), largest=x.max())
