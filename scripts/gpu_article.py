"""Run one of the articles' programs for some steps and print what a step takes as JSON.

    python scripts/gpu_article.py PROGRAM.py

The program runs as it stands, but for two things: its loader hands out the same batch again and again, so that
its steps are not those of the loader, and its own profiler is one that counts steps and ends the program. The device is
drained before the first counted step and after the last one only: in between, the host may run ahead as far as the
program lets it, which is what a wait costs.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import json
import runpy
import sys
import time
import types
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

# At most: some of the programs end by themselves after eight steps.
STEPS = 24
# Steps at the beginning that are not counted: memory is allocated, kernels are loaded and chosen.
WARM_UP = 3
BATCHES = 1


class StepClock:
    """Stands in for ``torch.profiler.profile``: counts steps, and ends the program after the last one."""

    ended = 0
    began = 0.0

    def __init__(self, *arguments: object, **options: object) -> None:
        pass

    def __enter__(self) -> StepClock:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    start = stop = lambda self: None

    def step(self) -> None:
        """A step has been queued."""
        StepClock.ended += 1
        if StepClock.ended == WARM_UP:
            StepClock.began = _drained()
        if StepClock.ended >= STEPS:
            sys.exit(0)


def _drained() -> float:
    """The time at which the device has done everything that was queued, in seconds."""
    import torch

    torch.cuda.synchronize()
    return time.perf_counter()


def _replayed(iterate: Any) -> Any:  # noqa: ANN401 -- a method of a class of PyTorch
    def replayed(loader: Any) -> Iterator[Any]:  # noqa: ANN401
        # A dozen workers would first make as many batches, and then some, of which nobody asks for more than these.
        loader.num_workers, loader.prefetch_factor = 0, None
        return itertools.cycle(list(itertools.islice(iterate(loader), BATCHES)))

    return replayed


def _stand_in_for_torchvision() -> bool:
    """Where torchvision is not installed, a residual network with as many convolutions in place of its ResNet-18."""
    if importlib.util.find_spec("torchvision") is not None:
        return False
    from torch import Tensor, nn

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self, width: int, out: int, stride: int) -> None:
            super().__init__()
            self.main = nn.Sequential(
                nn.Conv2d(width, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
                nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out),
            )  # fmt: skip
            self.beside = nn.Conv2d(width, out, 1, stride, bias=False)

        def forward(self, images: Tensor) -> Tensor:
            return nn.functional.relu(self.main(images) + self.beside(images))

    def resnet18() -> nn.Module:
        widths = (64, 64, 64, 128, 128, 256, 256, 512, 512)
        blocks = [Block(a, b, 1 if a == b else 2) for a, b in itertools.pairwise(widths)]
        stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))

    with suppress(ImportError):
        # It looks for torchvision when it is imported, and must find that it is not there.
        importlib.import_module("torchmetrics")
    models: Any = types.ModuleType("torchvision.models")
    models.resnet18 = resnet18
    torchvision: Any = types.ModuleType("torchvision")
    torchvision.models = models
    sys.modules.update({"torchvision": torchvision, "torchvision.models": models})
    return True


def main(program: str) -> None:
    """Run the program and print what its steps took, in the mean."""
    import torch
    from torch.utils.data import DataLoader

    torchvision = "not used"
    if "import torchvision" in Path(program).read_text(encoding="utf-8"):
        torchvision = "a stand-in" if _stand_in_for_torchvision() else "installed"
    torch.profiler.profile = StepClock
    DataLoader.__iter__ = _replayed(DataLoader.__iter__)
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise
    counted = max(StepClock.ended - WARM_UP, 0)
    mean = round(1000 * (_drained() - StepClock.began) / counted, 4) if counted else None
    told = {"steps": counted, "mean_ms": mean, "torchvision": torchvision}
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, **told}))


if __name__ == "__main__":
    main(sys.argv[1])
