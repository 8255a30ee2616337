# case: an-annotation-does-not-hold-where-the-body-asks-for-another-class
import torch
from torch import Tensor


def normalized(data: Tensor, mean: Tensor, std: Tensor) -> Tensor:
    if isinstance(mean, (int, float)):
        mean = torch.tensor([mean] * data.shape[1], device=data.device)  # sync: SYN401
    if bool((std == 0).any()):  # sync: SYN203
        raise ValueError("no spread")
    return (data - mean) / std


def padded(x: Tensor, sizes: list[int]) -> Tensor:
    if isinstance(sizes, torch.Tensor):
        sizes = sizes.tolist()  # sync: SYN202
    return torch.nn.functional.pad(x, sizes)


def stacked(rows: Tensor) -> Tensor:
    if isinstance(rows, (list, tuple)):
        rows = torch.stack(rows)
    return rows[rows.sum(-1) > 0]  # sync: SYN103


# case: what-callers-give-settles-what-the-body-asks
import torch
from torch import Tensor


def padded(x: Tensor, sizes: list[int]) -> Tensor:
    if isinstance(sizes, torch.Tensor):
        sizes = sizes.tolist()
    return torch.nn.functional.pad(x, sizes)


def main(x: Tensor) -> Tensor:
    return padded(x, [1, 2])


# case: what-a-module-is-moved-with-leaves-its-tensors-on-the-device
from typing import Callable

import torch
from torch import Tensor, nn


class Sampled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.set_place(torch.device("cpu"))

    def set_place(self, device: torch.device) -> None:
        self.place = device

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> nn.Module:
        moved = super()._apply(fn)
        self.set_place(fn(torch.zeros((), device=self.place)).device)
        return moved


class Jitter(Sampled):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.noise = torch.distributions.Uniform(-scale, scale)

    def forward(self, shape: tuple[int, ...]) -> Tensor:
        return self.noise.rsample(shape).to(device=self.place)  # sync: SYN402


class Fixed(nn.Module):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.noise = torch.distributions.Uniform(-scale, scale)
        self.place = torch.device("cpu")

    def forward(self, shape: tuple[int, ...]) -> Tensor:
        return self.noise.rsample(shape).to(device=self.place)
