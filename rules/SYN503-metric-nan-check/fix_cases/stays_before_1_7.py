from __future__ import annotations

from torch import Tensor
from torchmetrics import SumMetric

TORCHMETRICS = "1.6.3"


def the_release_does_not_know_it(losses: Tensor) -> Tensor:
    total = SumMetric().to(losses.device)
    for loss in losses:
        total.update(loss)
    return total.compute()
