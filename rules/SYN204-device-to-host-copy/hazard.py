"""Statistics taken on the host from tensors that live on the device."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "hard_example_weights": (torch.rand(64, device=device), 0.75),
        "best_candidate": (torch.randn(12, 5, device=device), torch.rand(12, device=device)),
        "mean_recall": (torch.randint(1, 20, (6, 6), device=device),),
        "offload_features": (torch.randn(16, 8, device=device),),
    }


def hard_example_weights(losses: Tensor, quantile: float) -> Tensor:
    """Keep the samples whose loss is above a quantile of the batch."""
    cutoff = float(np.quantile(losses.detach().cpu().numpy(), quantile))  # sync: SYN204
    return (losses > cutoff).float()


def best_candidate(candidates: Tensor, scores: Tensor) -> Tensor:
    """The candidate with the best score."""
    best = scores.to("cpu").argmax()  # sync: SYN204
    return candidates[best]


def mean_recall(confusion: Tensor) -> Tensor:
    """Recall per class, averaged, from a confusion matrix."""
    correct = confusion.diagonal().type(torch.FloatTensor)  # sync: SYN204
    support = confusion.sum(dim=1).numpy(force=True)  # sync: SYN204
    recall = correct.numpy() / support
    return torch.full((), float(recall.mean()), device=confusion.device)


def offload_features(features: Tensor) -> Tensor:
    """Move the features of a batch to the host to free memory on the device."""
    offloaded = torch.empty(features.shape)
    offloaded.copy_(features)  # sync: SYN204
    return offloaded
