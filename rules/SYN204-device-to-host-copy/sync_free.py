"""The same statistics taken on the device, and a copy that does not wait."""

from __future__ import annotations

from torch import Tensor


def hard_example_weights(losses: Tensor, quantile: float) -> Tensor:
    """`torch.quantile` interpolates as NumPy does."""
    return (losses > losses.detach().quantile(quantile)).float()


def best_candidate(candidates: Tensor, scores: Tensor) -> Tensor:
    """An index of one dimension is used on the device, one of none would be read on the host."""
    return candidates.index_select(0, scores.argmax().view(1)).squeeze(0)


def mean_recall(confusion: Tensor) -> Tensor:
    """Division and mean run where the counts are."""
    return (confusion.diagonal() / confusion.sum(dim=1)).mean()


def offload_features(features: Tensor) -> Tensor:
    """The copy is complete once the stream has come this far; ask an event before reading it."""
    return features.to("cpu", non_blocking=True)
