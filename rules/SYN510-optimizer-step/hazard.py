"""Optimizer steps, loss scaling and weight averaging that read a device value."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batch = (torch.randn(16, 8, device=device), torch.randn(16, 4, device=device))
    return {
        "mixed_precision_step": batch,
        "tensor_learning_rate": batch,
        "average_weights": (torch.randn(5, 4, 8, device=device),),
    }


def _model(device: torch.device) -> nn.Linear:
    model = nn.Linear(8, 4, bias=False, device=device)
    nn.init.constant_(model.weight, 0.1)
    return model


def mixed_precision_step(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(features.device.type)
    loss = F.mse_loss(model(features), targets)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # sync: SYN510
    scaler.update()
    return model.weight.detach()


def tensor_learning_rate(features: Tensor, targets: Tensor) -> Tensor:
    model = _model(features.device)
    learning_rate = torch.full((), 0.1, device=features.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)  # sync: SYN510
    F.mse_loss(model(features), targets).backward()
    optimizer.step()  # sync: SYN510
    return model.weight.detach()


def average_weights(checkpoints: Tensor) -> Tensor:
    model = _model(checkpoints.device)
    averaged = AveragedModel(model).to(checkpoints.device, non_blocking=True)
    for weight in checkpoints:
        with torch.no_grad():
            model.weight.copy_(weight)
        averaged.update_parameters(model)  # sync: SYN510
    return averaged.module.weight.detach()
