"""The same, with one copy at the end."""

from __future__ import annotations

import torch
from acme_training import Recorder
from torch import Tensor


def recorded(batches: Tensor) -> Tensor:
    recorder = Recorder()
    for batch in batches.unbind():
        recorder.keep(batch.square().mean())
    return torch.tensor(recorder.flush())
