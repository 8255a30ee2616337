"""The same networks over sequences sorted on the host, or not packed at all."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def _recurrent(device: torch.device) -> nn.GRU:
    network = nn.GRU(8, 8, batch_first=True, device=device)
    for parameter in network.parameters():
        nn.init.constant_(parameter, 0.1)
    return network


def encode(embedded: Tensor, lengths: list[int]) -> Tensor:
    network = _recurrent(embedded.device)
    order = sorted(range(len(lengths)), key=lambda row: lengths[row], reverse=True)
    longest_first = torch.stack([embedded[row] for row in order])
    packed = pack_padded_sequence(longest_first, [lengths[row] for row in order], batch_first=True)
    outputs, _ = network(packed)
    padded, _ = pad_packed_sequence(outputs, batch_first=True)
    return torch.stack([padded[order.index(row)] for row in range(len(lengths))])


def sentence_vectors(embedded: Tensor, valid: Tensor) -> Tensor:
    network = _recurrent(embedded.device)
    outputs, _ = network(embedded)
    last = (valid.sum(dim=1) - 1).view(-1, 1, 1).expand(-1, 1, outputs.shape[-1])
    return outputs.gather(1, last).squeeze(1)
