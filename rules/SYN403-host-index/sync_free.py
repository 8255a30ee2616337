"""The same rows and columns as slices, flips and positions made on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def last_layers(hidden_states: Tensor) -> Tensor:
    return hidden_states[-4:].mean(dim=0)


def mirror_pose(joints: Tensor) -> Tensor:
    mirrored = joints.clone()
    mirrored[:, 1::2] = joints[:, 2::2]
    mirrored[:, 2::2] = joints[:, 1::2]
    return mirrored


def reverse_sequence(frames: Tensor) -> Tensor:
    order = torch.arange(len(frames) - 1, -1, -1, device=frames.device)
    return frames[order]


def every_other_frame(clips: Tensor) -> Tensor:
    return clips[:, ::2]
