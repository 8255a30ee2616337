"""The same, with nothing read."""

from __future__ import annotations

from acme_training import Recorder
from torch import Tensor


def total(batches: Tensor) -> Tensor:
    recorder = Recorder()
    for batch in batches.unbind():
        recorder.keep(batch.square().mean())
    return recorder.kept().sum()
