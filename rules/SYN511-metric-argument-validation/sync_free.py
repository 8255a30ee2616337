"""The same metrics with validate_args=False."""

from __future__ import annotations

from torch import Tensor
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy, MultilabelF1Score


def binary_accuracy(scores: Tensor, targets: Tensor) -> Tensor:
    accuracy = BinaryAccuracy(validate_args=False).to(scores.device, non_blocking=True)
    for batch_scores, batch_targets in zip(scores, targets):
        accuracy.update(batch_scores, batch_targets)
    return accuracy.compute()


def top_class_accuracy(logits: Tensor, targets: Tensor) -> Tensor:
    accuracy = MulticlassAccuracy(num_classes=5, average="micro", validate_args=False)
    accuracy = accuracy.to(logits.device, non_blocking=True)
    for batch_logits, batch_targets in zip(logits, targets):
        accuracy.update(batch_logits.argmax(dim=-1), batch_targets)
    return accuracy.compute()


def tag_f1(scores: Tensor, targets: Tensor) -> Tensor:
    f1 = MultilabelF1Score(num_labels=3, validate_args=False).to(scores.device, non_blocking=True)
    for batch_scores, batch_targets in zip(scores, targets):
        f1.update(batch_scores, batch_targets)
    return f1.compute()
