"""How long uploads hold the host while the device is busy, by size, kind of memory and kind of call; printed as JSON.

    python scripts/gpu_uploads.py

PyTorch does not wait for a copy of pageable memory with ``non_blocking=True``, and the driver does where its staging
buffers do not hold the data: from which size on is for a GPU to say (CUDA C API, "API synchronization behavior").
"""

from __future__ import annotations

import json
import statistics
import time

SIZES = tuple(2**exponent for exponent in range(16, 24))  # bytes: 64 KiB to 8 MiB
REPEATED = 7
# Of work that is queued before each copy: what returns sooner has not waited for it.
BUSY_SECONDS = 0.01


def main() -> None:
    """Measure and print."""
    import torch

    from synclint.verify import cuda_survey

    cuda_survey.prepare_environment()
    cycles = int(cuda_survey.calibrate().rate * BUSY_SECONDS)
    found = []
    for size in SIZES:
        for pinned in (False, True):
            source = torch.ones(size, dtype=torch.uint8, pin_memory=pinned)
            target = torch.empty(size, dtype=torch.uint8, device="cuda")
            for non_blocking in (False, True):
                held = []
                for _ in range(REPEATED + 1):
                    torch.cuda.synchronize()
                    torch.cuda._sleep(cycles)
                    began = time.perf_counter()
                    target.copy_(source, non_blocking=non_blocking)
                    held.append(time.perf_counter() - began)
                torch.cuda.synchronize()
                found.append(
                    {
                        "bytes": size,
                        "pinned": pinned,
                        "non_blocking": non_blocking,
                        "busy_ms": 1000 * BUSY_SECONDS,
                        # The first one meets whatever is set up once.
                        "held_ms": round(1000 * statistics.median(held[1:]), 4),
                    }
                )
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "uploads": found}))


if __name__ == "__main__":
    main()
