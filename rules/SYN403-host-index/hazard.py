"""Rows and columns picked by lists, arrays and CPU tensors of positions."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "last_layers": (torch.randn(12, 4, 16, device=device),),
        "mirror_pose": (torch.randn(4, 7, 3, device=device),),
        "reverse_sequence": (torch.randn(10, 4, device=device),),
        "every_other_frame": (torch.randn(2, 9, 4, device=device),),
    }


def last_layers(hidden_states: Tensor) -> Tensor:
    return hidden_states[[-4, -3, -2, -1]].mean(dim=0)  # sync: SYN403


def mirror_pose(joints: Tensor) -> Tensor:
    left = joints[:, [1, 3, 5]]  # sync: SYN403
    mirrored = joints.clone()
    mirrored[:, [1, 3, 5]] = joints[:, 2::2]  # sync: SYN403
    mirrored[:, [2, 4, 6]] = left  # sync: SYN403
    return mirrored


def reverse_sequence(frames: Tensor) -> Tensor:
    order = torch.arange(len(frames) - 1, -1, -1)
    return frames[order]  # sync: SYN403


def every_other_frame(clips: Tensor) -> Tensor:
    kept = np.arange(0, clips.shape[1], 2)
    return clips[:, kept]  # sync: SYN403
