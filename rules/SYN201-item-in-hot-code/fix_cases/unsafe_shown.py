"""Losses that are read in each step, and shown in some."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"shown": ([torch.rand(3, device=device)] * 4, Bar()), "kept": ([torch.rand(3, device=device)] * 4,)}


class Bar:
    def set_description(self, text: str) -> None:
        self.text = text


def shown(batches: list[Tensor], bar: Bar) -> int:
    for step, batch in enumerate(batches):
        loss = batch.sum()
        # What is seen while it runs.
        bar.set_description(f"loss {loss.item():.2f}")
        if step % 3 == 0:
            bar.set_description(f"step {step}")
    return step


def kept(batches: list[Tensor]) -> list[float]:
    losses: list[float] = []
    means = []
    for step, batch in enumerate(batches):
        loss = batch.sum().item()
        losses.append(loss)
        if step % 2 == 1:
            means.append(sum(losses) / len(losses))
            losses.clear()
    return means
