"""How long copies hold the host while the device is busy, printed as JSON.

    python scripts/gpu_uploads.py

``uploads`` are single copies to the device, by size, kind of memory and kind of call; ``several`` are copies of
pageable memory with ``non_blocking=True``, one after the other; ``downloads`` are copies to the host, with
``non_blocking=True``.

PyTorch does not wait for a copy of pageable memory with ``non_blocking=True``, and the driver does where its staging
buffers do not hold the data: from which size on is for a GPU to say (CUDA C API, "API synchronization behavior").
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

KIB = 2**10
SIZES = tuple(2**exponent for exponent in range(16, 24))  # bytes: 64 KiB to 8 MiB
SEVERAL_SIZES = (4 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB)
SEVERAL = (1, 2, 3, 4, 8, 16, 32, 48, 64, 128, 256)
DOWNLOADED_SIZES = (KIB, 64 * KIB, 1024 * KIB, 4096 * KIB)
REPEATED = 7
# Of work that is queued before each copy: what returns sooner has not waited for it.
BUSY_SECONDS = 0.01

Held = Callable[[Callable[[], object]], float]


def _stopwatch() -> Held:
    """Tells how many milliseconds a call holds the host behind a busy device: the median of some calls."""
    import torch

    from synclint.verify import cuda_survey

    cuda_survey.prepare_environment()
    cycles = int(cuda_survey.calibrate().rate * BUSY_SECONDS)

    def held(call: Callable[[], object]) -> float:
        seconds = []
        for _ in range(REPEATED + 1):
            torch.cuda.synchronize()
            torch.cuda._sleep(cycles)
            began = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - began)
        torch.cuda.synchronize()
        # The first one meets whatever is set up once.
        return round(1000 * statistics.median(seconds[1:]), 4)

    return held


def _uploads(held: Held) -> Iterator[dict[str, Any]]:
    import torch

    for size in SIZES:
        target = torch.empty(size, dtype=torch.uint8, device="cuda")
        for pinned in (False, True):
            source = torch.ones(size, dtype=torch.uint8, pin_memory=pinned)
            for non_blocking in (False, True):
                took = held(lambda: target.copy_(source, non_blocking=non_blocking))  # noqa: B023
                yield {"bytes": size, "pinned": pinned, "non_blocking": non_blocking, "held_ms": took}


def _several(held: Held) -> Iterator[dict[str, Any]]:
    import torch

    for size in SEVERAL_SIZES:
        source = torch.ones(size, dtype=torch.uint8)
        targets = torch.empty(SEVERAL[-1], size, dtype=torch.uint8, device="cuda")
        for number in SEVERAL:
            took = held(lambda: [row.copy_(source, non_blocking=True) for row in targets[:number]])  # noqa: B023
            yield {"bytes": size, "copies": number, "held_ms": took}


def _downloads(held: Held) -> Iterator[dict[str, Any]]:
    import torch

    for size in DOWNLOADED_SIZES:
        source = torch.ones(size, dtype=torch.uint8, device="cuda")
        for pinned in (False, True):
            target = torch.empty(size, dtype=torch.uint8, pin_memory=pinned)
            took = held(lambda: target.copy_(source, non_blocking=True))  # noqa: B023
            yield {"bytes": size, "pinned": pinned, "held_ms": took}


def main() -> None:
    """Measure and print."""
    held = _stopwatch()
    import torch

    found = {"uploads": [*_uploads(held)], "several": [*_several(held)], "downloads": [*_downloads(held)]}
    made_with = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "busy_ms": 1000 * BUSY_SECONDS}
    print(json.dumps({**made_with, **found}))


if __name__ == "__main__":
    main()
