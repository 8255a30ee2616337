"""What ``torch.cuda`` says of memory: bytes that are truly in use, in the form of CUDA's caching allocator.

The simulated device keeps nothing back, so what is reserved is what is allocated.
"""

from __future__ import annotations

from types import ModuleType

GIBIBYTE = 2**30
MEMORY = 80 * GIBIBYTE

POOLS = ("all", "small_pool", "large_pool")
BYTES = ("allocated_bytes", "reserved_bytes", "active_bytes", "requested_bytes")
# Figures of CUDA's allocator that have no counterpart here.
ZERO = (
    "allocation",
    "segment",
    "active",
    "inactive_split",
    "inactive_split_bytes",
)
COUNTERS = ("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free")
OVERSIZE = ("oversize_allocations", "oversize_segments")


def _statistic(current: int = 0, peak: int = 0, allocated: int = 0, freed: int = 0) -> dict[str, int]:
    return {"current": current, "peak": peak, "allocated": allocated, "freed": freed}


def memory_statistics(native: ModuleType, index: int) -> dict[str, object]:
    """What ``torch._C._cuda_memoryStats`` returns (torch/csrc/cuda/Module.cpp, THCPModule_memoryStats), in bytes."""
    use = _statistic(*native.memory_use(index))
    statistics: dict[str, object] = {
        name: {pool: use if pool == "all" else _statistic() for pool in POOLS} for name in BYTES
    }
    statistics.update({name: {pool: _statistic() for pool in POOLS} for name in ZERO})
    statistics.update({name: _statistic() for name in OVERSIZE})
    statistics.update(dict.fromkeys(COUNTERS, 0))
    statistics["max_split_size"] = -1
    return statistics


def memory_left(native: ModuleType, index: int) -> tuple[int, int]:
    """Bytes that are free, and all there are, as ``torch.cuda.mem_get_info`` returns them."""
    return MEMORY - native.memory_use(index)[0], MEMORY
