"""The same steps with a fused optimizer, a number as the learning rate and a counter on the host."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def _model(device: torch.device) -> nn.Linear:
    model = nn.Linear(8, 4, bias=False, device=device)
    nn.init.constant_(model.weight, 0.1)
    return model


def mixed_precision_step(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, fused=True)
    scaler = torch.amp.GradScaler(features.device.type)
    loss = F.mse_loss(model(features), targets)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return model.weight.detach()


def tensor_learning_rate(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    F.mse_loss(model(features), targets).backward()
    optimizer.step()
    return model.weight.detach()


def average_weights(checkpoints: Tensor) -> Tensor:
    model = _model(checkpoints.device)
    averaged = torch.zeros_like(model.weight)
    for seen, weight in enumerate(checkpoints):
        with torch.no_grad():
            model.weight.copy_(weight)
            averaged.lerp_(model.weight, 1.0 / (seen + 1))
    return averaged
