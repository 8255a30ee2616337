"""The accuracy of each batch, by a function that validates what it is given."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics.functional.classification import binary_accuracy


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    labels = torch.arange(32, device=device).view(4, 8) % 2
    return {"accuracy_of_batches": (torch.rand(4, 8, device=device), labels)}


def accuracy_of_batches(scores: Tensor, targets: Tensor) -> Tensor:
    found = []
    for batch_scores, batch_targets in zip(scores, targets):
        found.append(binary_accuracy(batch_scores, batch_targets))  # sync: SYN512
    return torch.stack(found)
