"""The same positions, bounds and counts used on the device."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def last_hidden_states(hidden: Tensor, tokens: Tensor, padding: int) -> Tensor:
    """Two index tensors pick one state per sequence."""
    lengths = (tokens != padding).sum(dim=1)
    rows = torch.arange(hidden.shape[0], device=hidden.device)
    return hidden[rows, lengths - 1]


def segment_sums(values: Tensor, offsets: Tensor) -> Tensor:
    """Each row looks up its segment among the ends."""
    rows = torch.arange(values.shape[0], device=values.device)
    segment_of_row = torch.bucketize(rows, offsets[1:], right=True)
    sums = values.new_zeros(offsets.shape[0] - 1, values.shape[1])
    return sums.index_add_(0, segment_of_row, values)


def run_layers(layers: list[nn.Linear], hidden: Tensor, depth: Tensor) -> Tensor:
    """All layers run, and the device keeps what the depth asks for."""
    output = torch.zeros_like(hidden)
    for index, layer in enumerate(layers):
        result = layer(hidden)
        output = torch.where(depth == index, result, output)
        hidden = torch.relu(result)
    return output


def replace_oldest(bank: Tensor, ages: Tensor, key: Tensor) -> Tensor:
    """An index of one dimension stays on the device."""
    return bank.index_copy(0, ages.argmax().view(1), key.unsqueeze(0))
