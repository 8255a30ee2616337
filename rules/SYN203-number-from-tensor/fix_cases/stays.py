"""Numbers that have to be read where they are."""

from __future__ import annotations

import torch
from torch import Tensor


def truncated(x: Tensor) -> tuple[int, int]:
    mean, norm = x.mean(), x.norm()
    return int(mean), int(norm)


def decided_in_each_step(batches: list[Tensor]) -> int:
    steps = 0
    for batch in batches:
        steps += int((batch > 0).sum())
        if steps > 10:
            break
    return steps


def put_on_the_cpu(x: Tensor) -> Tensor:
    return torch.FloatTensor([float(x.norm())])
