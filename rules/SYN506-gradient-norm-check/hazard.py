"""Gradient clipping that raises an error for an infinite norm."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batch = (torch.randn(16, 8, device=device), torch.randn(16, 4, device=device))
    return {"training_step": batch, "gradient_norm": batch}


def _model(device: torch.device) -> nn.Linear:
    model = nn.Linear(8, 4, device=device)
    for parameter in model.parameters():
        nn.init.constant_(parameter, 0.1)
    return model


def training_step(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    F.mse_loss(model(features), targets).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5, error_if_nonfinite=True)  # sync: SYN506
    optimizer.step()
    return model.weight.detach()


def gradient_norm(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    F.mse_loss(model(features), targets).backward()
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    return nn.utils.get_total_norm(gradients, error_if_nonfinite=True)  # sync: SYN506
