"""Several numbers of one step."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    logits, target = torch.randn(6, 4, device=device), torch.randint(0, 4, (6,), device=device)
    return {"one_after_the_other": (logits, target), "in_a_dictionary": (logits, target)}


def one_after_the_other(logits: Tensor, target: Tensor) -> tuple[float, float, float]:
    loss = F.cross_entropy(logits, target)
    entropy = -(logits.softmax(dim=-1) * logits.log_softmax(dim=-1)).sum(dim=-1).mean()
    loss_number, entropy_number = torch.stack([loss, entropy.detach()]).tolist()
    largest = logits.softmax(dim=-1).max().item()  # for the log
    return loss_number, entropy_number, largest


def in_a_dictionary(logits: Tensor, target: Tensor) -> dict[str, float]:
    loss = F.cross_entropy(logits, target)
    norm = logits.norm()
    loss_value, norm_value = torch.stack([loss, norm]).tolist()
    return {
        "loss": loss_value,  # of the batch
        "norm": norm_value,
        "loss again": loss_value,
    }
