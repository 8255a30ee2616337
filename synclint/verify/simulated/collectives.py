"""Process groups on the simulated device, those called NCCL included.

For one process PyTorch's own FakeProcessGroup does the collectives, which then change nothing; for more of them Gloo
does, over the memory of the device's tensors. The Python above (object collectives, with their sizes and payloads,
DistributedDataParallel) runs as it is and is seen to wait.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any, cast

import torch
import torch.distributed

if torch.distributed.is_available():
    import torch.distributed.distributed_c10d as c10d
    from torch._C._distributed_c10d import FakeProcessGroup, ProcessGroup

    if c10d.is_gloo_available():
        from torch._C._distributed_c10d import ProcessGroupGloo

        class GlooInPlaceOfNccl(ProcessGroupGloo):  # type: ignore[misc]
            """Does what NCCL's group would do."""

            uid = 0

        STAND_INS: tuple[type, ...] = (FakeProcessGroup, GlooInPlaceOfNccl)
    else:
        STAND_INS = (FakeProcessGroup,)


class _StandInsCountAsNccl(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, STAND_INS)


class ProcessGroupNCCL(metaclass=_StandInsCountAsNccl):
    """Stands where a CUDA build has NCCL's process group."""

    class Options(SimpleNamespace):
        """Takes any option; none of them matters here but the time limit."""

    def __new__(cls, store: object, rank: int, size: int, options: Options) -> ProcessGroupNCCL:
        """Return a group of ``size`` processes. Raises RuntimeError where several need Gloo and it is missing."""
        make: Any
        if size == 1:
            # Older releases have a constructor instead.
            make = getattr(FakeProcessGroup, "_create_internal", FakeProcessGroup)
            return cast(ProcessGroupNCCL, make(rank, size))
        if not c10d.is_gloo_available():
            raise RuntimeError(
                f"the simulated device needs Gloo for a group of {size} processes, and this PyTorch has none"
            )
        make = GlooInPlaceOfNccl
        return cast(ProcessGroupNCCL, make(store, rank, size, timeout=options._timeout))


def collective_replacements(native: ModuleType) -> list[tuple[object, str, object]]:
    """What has to stand where for ``init_process_group("nccl")`` to work: owner, name and value."""
    if not torch.distributed.is_available():
        return []
    plain_barrier = ProcessGroup.barrier
    plain_register_backend = ProcessGroup._register_backend

    def register_backend(group: ProcessGroup, device: torch.device, kind: object, backend: object = None) -> None:
        if device.type == "cuda" and backend is not None and not isinstance(backend, FakeProcessGroup):
            backend = native.with_host_memory(backend)
            if kind == ProcessGroup.BackendType.GLOO:
                # A group has one backend of each kind, and Gloo's own is that of the host.
                kind = ProcessGroup.BackendType.CUSTOM
        plain_register_backend(group, device, kind, backend)

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
        (ProcessGroup, "_register_backend", register_backend),
    ]
