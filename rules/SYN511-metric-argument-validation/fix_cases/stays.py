from __future__ import annotations

from torch import Tensor
from torchmetrics.classification import BinaryAccuracy


def it_was_decided(scores: Tensor, targets: Tensor) -> Tensor:
    accuracy = BinaryAccuracy(validate_args=True).to(scores.device)
    for batch_scores, batch_targets in zip(scores, targets):
        accuracy.update(batch_scores, batch_targets)
    return accuracy.compute()


def made_elsewhere(accuracy: BinaryAccuracy, scores: Tensor, targets: Tensor) -> Tensor:
    for batch_scores, batch_targets in zip(scores, targets):
        accuracy.update(batch_scores, batch_targets)
    return accuracy.compute()


def made_in_two_ways(scores: Tensor, targets: Tensor, threshold: float | None) -> Tensor:
    if threshold is None:
        accuracy = BinaryAccuracy().to(scores.device)
    else:
        accuracy = BinaryAccuracy(threshold).to(scores.device)
    for batch_scores, batch_targets in zip(scores, targets):
        accuracy.update(batch_scores, batch_targets)
    return accuracy.compute()
