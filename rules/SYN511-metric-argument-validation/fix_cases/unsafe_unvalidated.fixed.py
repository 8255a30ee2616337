"""Classification metrics that validate every batch."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy, MultilabelF1Score


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    labels = torch.arange(32, device=device).view(4, 8)
    return {
        "binary_accuracy": (torch.rand(4, 8, device=device), labels % 2),
        "top_class_accuracy": (torch.randn(4, 8, 5, device=device), labels % 5),
        "tag_f1": (torch.rand(4, 8, 3, device=device), (labels % 2).unsqueeze(-1).expand(4, 8, 3)),
    }


def binary_accuracy(scores: Tensor, targets: Tensor) -> Tensor:
    accuracy = BinaryAccuracy(validate_args=False).to(scores.device)
    for batch_scores, batch_targets in zip(scores, targets):
        accuracy.update(batch_scores, batch_targets)
    return accuracy.compute()


def top_class_accuracy(logits: Tensor, targets: Tensor) -> Tensor:
    accuracy = MulticlassAccuracy(
        num_classes=5,
        average="micro",  # over all
        validate_args=False,
    ).to(logits.device)
    for batch_logits, batch_targets in zip(logits, targets):
        accuracy.update(batch_logits.argmax(dim=-1), batch_targets)
    return accuracy.compute()


def tag_f1(scores: Tensor, targets: Tensor) -> Tensor:
    f1 = MultilabelF1Score(num_labels=3, validate_args=False).to(scores.device)
    for batch_scores, batch_targets in zip(scores, targets):
        f1(batch_scores, batch_targets)
    return f1.compute()
