"""What is no waste, or cannot be written otherwise without knowing more."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def made_on_the_host() -> Tensor:
    return torch.tensor([1.0, 2.0])


def of_unknown_data(data, x: Tensor) -> Tensor:
    return torch.tensor(data, device=x.device)


def with_options(x: Tensor, **options) -> Tensor:
    return torch.tensor([1, 2], device=x.device, **options)


def learned(x: Tensor) -> Tensor:
    return torch.tensor([1.0, 2.0], device=x.device, requires_grad=True)


def of_other_tensors(x: Tensor) -> Tensor:
    return torch.tensor([x.sum(), x.mean()], device=x.device)


class torch_like:
    @staticmethod
    def tensor(data, device):
        return data


def of_another_library(x: Tensor) -> object:
    return torch_like.tensor(1.0, device=x.device)


def of_an_array(x: Tensor) -> Tensor:
    return x * torch.as_tensor(np.linspace(0.1, 0.2, 3), device=x.device)


def with_a_comment_that_would_be_lost(x: Tensor) -> Tensor:
    return torch.tensor(
        0.5,  # half of it
        device=x.device,
    )


def given_another_thing_in_the_round_before(x: Tensor, arrays) -> Tensor:
    rows = [0]
    for array in arrays:
        x = x + torch.tensor(rows, device=x.device).sum()
        rows = array
    return x


def what_a_dictionary_is_given_elsewhere(x: Tensor, fill) -> Tensor:
    rows_of = {}
    fill(rows_of)
    for rows in rows_of.values():
        x = x + torch.tensor(rows, device=x.device).sum()
    return x
