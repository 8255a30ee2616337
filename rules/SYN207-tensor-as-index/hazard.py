"""Positions, bounds and counts that live on the device and are used as Python integers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    lengths = torch.arange(6, device=device) % 4 + 1
    tokens = torch.where(torch.arange(5, device=device) < lengths.unsqueeze(1), 7, 0)
    offsets = torch.arange(7, device=device) * torch.arange(1, 8, device=device) // 2
    layers = [nn.Linear(8, 8, device=device) for _ in range(4)]
    return {
        "last_hidden_states": (torch.randn(6, 5, 8, device=device), tokens, 0),
        "segment_sums": (torch.randn(21, 8, device=device), offsets),
        "run_layers": (layers, torch.randn(3, 8, device=device), torch.full((), 2, device=device)),
        "replace_oldest": (
            torch.randn(10, 4, device=device),
            torch.randperm(10, device=device),
            torch.randn(4, device=device),
        ),
    }


def last_hidden_states(hidden: Tensor, tokens: Tensor, padding: int) -> Tensor:
    """Hidden state of each sequence at its last token before the padding."""
    lengths = (tokens != padding).sum(dim=1)
    states = []
    for sequence, length in zip(hidden, lengths):
        states.append(sequence[length - 1])  # sync: SYN207
    return torch.stack(states)


def segment_sums(values: Tensor, offsets: Tensor) -> Tensor:
    """Sum of each segment; segment i ends where segment i + 1 starts."""
    sums = []
    for i in range(len(offsets) - 1):
        sums.append(values[offsets[i] : offsets[i + 1]].sum(dim=0))  # sync: SYN207
    return torch.stack(sums)


def run_layers(layers: list[nn.Linear], hidden: Tensor, depth: Tensor) -> Tensor:
    """Run as many layers as a controller asked for, then the one after them as output."""
    for index in range(depth):  # sync: SYN207
        hidden = torch.relu(layers[index](hidden))
    output = layers[depth]  # sync: SYN207
    return output(hidden)


def replace_oldest(bank: Tensor, ages: Tensor, key: Tensor) -> Tensor:
    """Write a key over the oldest entry of a memory bank."""
    bank = bank.clone()
    bank[ages.argmax()] = key  # sync: SYN207
    return bank
