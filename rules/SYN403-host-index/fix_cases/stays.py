"""Positions that no slice picks, or that another kind of index moves."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn


def irregular(x: Tensor) -> Tensor:
    return x[:, [0, 1, 3]] * 2


def backwards(x: Tensor) -> Tensor:
    return x[:, [2, 1, 0]] * 2


def across_the_end(x: Tensor) -> Tensor:
    return x[:, [-1, 0]] * 2


def twice_the_same(x: Tensor) -> Tensor:
    return x[[0, 0]] * 2


def beside_another_index(x: Tensor, index: Tensor) -> Tensor:
    return x[index, :, [0]] * 2


def of_the_host(rows: np.ndarray) -> np.ndarray:
    return rows[:, [0, 1]] * 2


def with_unknown_positions(x: Tensor, positions: list[int]) -> Tensor:
    return x[positions] * 2


class Shuffled(nn.Module):
    def __init__(self, order: list[int]) -> None:
        super().__init__()
        self.order = order

    def shuffle(self) -> None:
        self.order = self.order[1:] + self.order[:1]

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.order]


class NoModule:
    def __init__(self, order: list[int]) -> None:
        self.order = order

    def __call__(self, x: Tensor) -> Tensor:
        return x[:, self.order]


class TooEarly(nn.Module):
    def __init__(self, order: list[int]) -> None:
        self.order = order
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.order]


class NotAlways(nn.Module):
    def __init__(self, order: list[int] | None) -> None:
        super().__init__()
        if order is not None:
            self.order = order

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.order]


class NameIsTaken(nn.Module):
    def __init__(self, order: list[int]) -> None:
        super().__init__()
        self.order = order
        self.order_tensor = [len(order)]

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.order]


def in_a_tensor_of_the_host(y: Tensor) -> Tensor:
    order = torch.tensor([3, 1, 2, 0])
    return y[order]


def shifted(boxes: Tensor, pad) -> Tensor:
    boxes[..., [0, 2]] -= pad[0]  # x padding
    boxes[..., [1, 3]] *= pad[1]
    return boxes


def shifted_by_itself(boxes: Tensor) -> Tensor:
    left = boxes[:, :2]
    boxes[:, [1, 2]] += left
    boxes[:, [0, 1, 2]] /= boxes[:, 1:4]
    return boxes


def scaled(boxes: Tensor, factor: Tensor) -> Tensor:
    boxes[..., [2, 3]] *= factor
    return boxes
