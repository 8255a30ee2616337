"""Constants of a loss, a preprocessing step and a noise schedule, copied to the device at every call."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "label_smoothing_loss": (torch.randn(16, 4, device=device), torch.arange(16, device=device) % 4),
        "normalise_images": (torch.rand(2, 3, 8, 8, device=device),),
        "add_noise": (torch.randn(4, 8, device=device), torch.randn(4, 8, device=device), 7),
    }


def label_smoothing_loss(logits: Tensor, targets: Tensor) -> Tensor:
    smoothing = torch.tensor(0.1, device=logits.device)  # sync: SYN401
    log_probs = logits.log_softmax(dim=-1)
    true_class = -log_probs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    all_classes = -log_probs.mean(dim=-1)
    return ((1 - smoothing) * true_class + smoothing * all_classes).mean()


def normalise_images(images: Tensor) -> Tensor:
    mean = images.new_tensor([0.485, 0.456, 0.406])  # sync: SYN401
    std = torch.tensor([0.229, 0.224, 0.225], dtype=images.dtype, device=images.device)  # sync: SYN401
    return (images - mean.view(1, 3, 1, 1)) / std.view(1, 3, 1, 1)


def add_noise(latents: Tensor, noise: Tensor, step: int) -> Tensor:
    betas = np.linspace(1e-4, 0.02, 50, dtype=np.float32)
    schedule = torch.as_tensor(betas, device=latents.device)  # sync: SYN401
    kept = (1 - schedule).cumprod(dim=0)[step]
    return kept.sqrt() * latents + (1 - kept).sqrt() * noise
