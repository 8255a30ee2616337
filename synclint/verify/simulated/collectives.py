"""A process group called NCCL on the simulated device, for one process.

PyTorch's own FakeProcessGroup does the collectives, which with one process change nothing; the Python
above it (object collectives, with their sizes and payloads) runs as it is and is seen to wait.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import torch
import torch.distributed

if torch.distributed.is_available():
    import torch.distributed.distributed_c10d as c10d
    from torch._C._distributed_c10d import FakeProcessGroup, ProcessGroup


class _FakesCountAsNccl(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, FakeProcessGroup)


class ProcessGroupNCCL(metaclass=_FakesCountAsNccl):
    """Stands where a CUDA build has NCCL's process group."""

    class Options(SimpleNamespace):
        """Takes any option; with one process none of them matters."""

    def __new__(cls, store: object, rank: int, size: int, options: Options) -> ProcessGroupNCCL:
        """Return a group of one. Raises RuntimeError for more processes."""
        if size != 1:
            raise RuntimeError(f"the simulated device is that of one process: no group of {size} processes over NCCL")
        # Older releases have a constructor instead.
        make: Any = getattr(FakeProcessGroup, "_create_internal", FakeProcessGroup)
        group: ProcessGroupNCCL = make(rank, size)
        return group


def collective_replacements(native: ModuleType) -> list[tuple[object, str, object]]:
    """What has to stand where for ``init_process_group("nccl")`` to work: owner, name and value."""
    if not torch.distributed.is_available():
        return []
    plain_barrier = ProcessGroup.barrier

    def barrier(group: ProcessGroup, *arguments: object, **options: object) -> object:
        work = plain_barrier(group, *arguments, **options)
        asked = [*arguments, *options.values()]
        asynchronous = any(getattr(option, "asyncOp", False) for option in asked)
        if c10d.get_backend(group) == "nccl" and not asynchronous:
            native.report_wait("c10d::barrier", "explicit", True)
        return work

    return [
        (c10d, "_NCCL_AVAILABLE", True),
        (c10d, "ProcessGroupNCCL", ProcessGroupNCCL),
        (c10d, "default_pg_nccl_timeout", c10d.default_pg_timeout),
        (FakeProcessGroup, "uid", 0),
        (FakeProcessGroup, "_set_sequence_number_for_group", lambda group: None),
        (FakeProcessGroup, "_group_start", lambda group: None),
        (FakeProcessGroup, "_group_end", lambda group: None),
        (ProcessGroup, "barrier", barrier),
    ]
