"""Recurrent networks over packed sequences that PyTorch has to sort."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    embedded = torch.randn(4, 6, 8, device=device)
    lengths = torch.arange(3, 7, device=device).unsqueeze(-1)
    return {
        "encode": (embedded, [3, 6, 2, 5]),
        "sentence_vectors": (embedded, torch.arange(6, device=device) < lengths),
    }


def _recurrent(device: torch.device) -> nn.GRU:
    network = nn.GRU(8, 8, batch_first=True, device=device)
    for parameter in network.parameters():
        nn.init.constant_(parameter, 0.1)
    return network


def encode(embedded: Tensor, lengths: list[int]) -> Tensor:
    network = _recurrent(embedded.device)
    packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)  # sync: SYN508
    outputs, _ = network(packed)
    padded, _ = pad_packed_sequence(outputs, batch_first=True)  # sync: SYN508
    return padded


def sentence_vectors(embedded: Tensor, valid: Tensor) -> Tensor:
    network = _recurrent(embedded.device)
    lengths = valid.sum(dim=1).cpu()  # sync: SYN204
    packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)  # sync: SYN508
    _, state = network(packed)
    return state[-1]
