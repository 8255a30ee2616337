# case: a-text-that-may-be-left-out-names-a-device-where-it-is-given
from typing import Optional

import torch
from torch import Tensor


def thresholds(values: list[float], device: Optional[str] = None) -> Tensor:
    return torch.tensor(values, device=device)  # sync: SYN401


class Weights:
    def __init__(self, values: list[float], device: Optional[str] = None) -> None:
        self.device = device or torch.tensor(()).device
        self.values = values

    def get(self) -> Tensor:
        return torch.as_tensor(self.values, device=self.device)  # sync: SYN401


# case: the-cpu-by-its-name-or-by-none-is-no-device
import torch
from torch import Tensor


def on_the_host(values: list[float], is_named: bool) -> Tensor:
    return torch.tensor(values, device="cpu" if is_named else None)


def left_out(values: list[float], device: None = None) -> Tensor:
    return torch.tensor(values, device=device)
