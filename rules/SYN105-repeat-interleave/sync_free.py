"""The same expansions with the length that another tensor's shape already tells."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def duration_loss(phonemes: Tensor, durations: Tensor, spectrogram: Tensor) -> Tensor:
    """The spectrogram has as many frames as the durations add up to."""
    frames = phonemes.repeat_interleave(durations, dim=0, output_size=spectrogram.shape[0])
    return F.l1_loss(frames, spectrogram)


def graph_size_norm(nodes: Tensor, nodes_per_graph: Tensor) -> Tensor:
    """There is one entry for every node."""
    graph_of_node = torch.repeat_interleave(nodes_per_graph, output_size=nodes.shape[0])
    return nodes * nodes_per_graph.rsqrt()[graph_of_node].unsqueeze(1)


def weighted_token_loss(token_losses: Tensor, sample_weights: Tensor, lengths: Tensor) -> Tensor:
    """Look each token's sample up among the ends of the samples."""
    tokens = torch.arange(token_losses.shape[0], device=token_losses.device)
    sample_of_token = torch.bucketize(tokens, lengths.cumsum(0), right=True)
    weights = (sample_weights / lengths)[sample_of_token]
    return (token_losses * weights).sum() / sample_weights.sum()
