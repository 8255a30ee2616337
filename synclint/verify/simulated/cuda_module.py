"""What ``torch.cuda`` needs to work on the simulated device.

A CPU build of PyTorch has all of ``torch.cuda``'s Python, but not the functions of ``torch._C`` on
which it stands. Those are put in place here, so that the Python above them runs as it is; only what
is bound while ``torch`` is imported is replaced by name. Everything is undone by ``undress``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import torch
import torch.autograd.graph
import torch.autograd.profiler
import torch.cuda.graphs
import torch.cuda.nvtx
import torch.storage

from synclint.verify.simulated.collectives import collective_replacements
from synclint.verify.simulated.legacy_types import legacy_types, set_default_tensor_type
from synclint.verify.simulated.memory import MEMORY, memory_left, memory_statistics
from synclint.verify.simulated.streams import DEVICE, Event, Stream

# Marks for a profiler that is not there.
NVTX = SimpleNamespace(
    rangePushA=lambda message: 0,
    rangePop=lambda: 0,
    rangeStartA=lambda message: 0,
    rangeEnd=lambda handle: None,
    deviceRangeStart=lambda message, stream: None,
    deviceRangeEnd=lambda handle, stream: None,
    markA=lambda message: None,
)

# Traced or compiled functions would hide the lines of the code under test.
ENVIRONMENT = {"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_DISABLE": "1", "PYTORCH_JIT": "0"}


@dataclass(frozen=True)
class DeviceProperties:
    """What ``torch.cuda.get_device_properties`` answers: an A100's numbers, under an honest name."""

    name: str = "simulated device (synclint)"
    major: int = 8
    minor: int = 0
    total_memory: int = MEMORY
    multi_processor_count: int = 108
    warp_size: int = 32
    max_threads_per_multi_processor: int = 2048
    regs_per_multiprocessor: int = 65536
    shared_memory_per_block: int = 48 * 1024
    shared_memory_per_block_optin: int = 163 * 1024
    L2_cache_size: int = 40 * 2**20
    is_integrated: int = 0
    is_multi_gpu_board: int = 0
    gcnArchName: str = ""  # noqa: N815 -- PyTorch's name
    uuid: str = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class _Replacement:
    owner: object
    name: str
    value: object


_ABSENT = object()


def _held(owner: object, name: str) -> object:
    """What an object itself holds; what a module answers for is its own as well, as with the settings of dynamo.

    These deny a setting for good that is taken away (``torch/utils/_config_module.py``).
    """
    inherited = getattr(owner, name, _ABSENT) if isinstance(owner, ModuleType) else _ABSENT
    return vars(owner).get(name, inherited)


class Clothes:
    """The replacements in place, and what they replaced."""

    def __init__(self, native: ModuleType) -> None:
        """Prepare for the compiled device ``native``; nothing changes before ``dress``."""
        self._native = native
        self._replaced: list[_Replacement] = []
        self._environment: dict[str, str | None] = {}

    def dress(self) -> None:
        """Put everything in place."""
        for replacement in _replacements(self._native):
            owner, name = replacement.owner, replacement.name
            self._replaced.append(_Replacement(owner, name, _held(owner, name)))
            setattr(owner, name, replacement.value)
        for name, value in ENVIRONMENT.items():
            self._environment[name] = os.environ.get(name)
            os.environ[name] = value

    def undress(self) -> None:
        """Restore what was there before, in reverse order."""
        while self._replaced:
            before = self._replaced.pop()
            if before.value is _ABSENT:
                delattr(before.owner, before.name)
            else:
                setattr(before.owner, before.name, before.value)
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._environment.clear()


def _replacements(native: ModuleType) -> list[_Replacement]:
    replacements = [
        *(_Replacement(torch._C, name, function) for name, function in _c_functions(native).items()),
        *(_Replacement(torch.cuda, name, value) for name, value in _cuda_attributes(native).items()),
        *(_Replacement(torch.cuda, name, value) for name, value in legacy_types().items()),
        _Replacement(torch, "set_default_tensor_type", set_default_tensor_type),
        _Replacement(torch.cuda.streams, "Stream", Stream),
        _Replacement(torch.cuda.streams, "Event", Event),
        _Replacement(torch.cuda.graphs, "_cuda_isCurrentStreamCapturing", lambda: False),
        _Replacement(torch.cuda.nvtx, "_nvtx", NVTX),
        _Replacement(torch.autograd.profiler, "ProfilerState", _profiler_states()),
        # cuDNN is not there, and asking for it warns at every call.
        _Replacement(torch.backends.cudnn, "is_acceptable", lambda tensor: False),
        _Replacement(torch.storage._StorageBase, "clone", _clone_storage),
        _Replacement(torch.storage, "_to", _move_storage),
        _Replacement(torch.jit._state._enabled, "enabled", False),
        _Replacement(torch.autograd, "_engine_run_backward", _run_backward_here),
        *(_Replacement(*replacement) for replacement in collective_replacements(native)),
    ]
    # Where it is imported already, it has read its environment.
    dynamo = sys.modules.get("torch._dynamo.config")
    if dynamo is not None:
        replacements.append(_Replacement(dynamo, "disable", True))
    return replacements


def _c_functions(native: ModuleType) -> dict[str, object]:
    """The functions that the CUDA library adds to ``torch._C``."""
    sync_debug_mode = 0

    def set_sync_debug_mode(mode: int) -> None:
        nonlocal sync_debug_mode
        sync_debug_mode = mode

    def set_device(index: int) -> None:
        if index >= 0:
            native.select_device(index)

    def synchronize() -> None:
        native.report_wait("cudaDeviceSynchronize", "explicit", True)

    def empty_cache() -> None:
        native.report_wait("cudaFree", "explicit", True)

    def stream_identity(stream_id: int, index: int | None) -> tuple[int, int, int]:
        any_stream = torch.Stream(device=DEVICE)
        return stream_id, native.selected_device() if index is None else index, any_stream.device_type

    def current_stream(index: int | None = None) -> tuple[int, int, int]:
        return stream_identity(native.selected_stream(), index)

    def set_stream(stream_id: int, device_index: int, device_type: int) -> None:
        native.select_device(device_index)
        native.select_stream(stream_id)

    exchange_device = _device_exchange(native)

    def nothing(*arguments: object, **options: object) -> None:
        return None

    return {
        "_has_cuda": True,
        "_cuda_init": nothing,
        "_cuda_isInBadFork": lambda: False,
        "_cuda_getDeviceCount": native.device_count,
        "_cuda_getDevice": native.selected_device,
        "_cuda_setDevice": set_device,
        "_cuda_synchronize": synchronize,
        "_cuda_emptyCache": empty_cache,
        "_cuda_memoryStats": lambda index: memory_statistics(native, index),
        "_cuda_resetAccumulatedMemoryStats": nothing,
        "_cuda_resetPeakMemoryStats": native.reset_peak,
        "_cuda_ipc_collect": nothing,
        "_cuda_sleep": nothing,
        "_scatter": _scatter,
        "_cuda_getArchFlags": lambda: "sm_80",
        "_cuda_canDeviceAccessPeer": lambda device, peer: False,
        "_cuda_exchangeDevice": exchange_device,
        "_cuda_maybeExchangeDevice": exchange_device,
        "_cuda_hasPrimaryContext": lambda index: True,
        "_cuda_isCurrentStreamCapturing": lambda: False,
        "_cuda_getAllocatorBackend": lambda: "native",
        "_cuda_hostMemoryStats": dict,
        "_cuda_clearCublasWorkspaces": nothing,
        "_cuda_getCurrentBlasHandle": lambda: 0,
        "_cuda_getCurrentRawStream": lambda index: native.selected_stream(),
        "_cuda_getCurrentStream": current_stream,
        "_cuda_getDefaultStream": lambda index=None: stream_identity(0, index),
        "_cuda_setStream": set_stream,
        "_cuda_set_sync_debug_mode": set_sync_debug_mode,
        "_cuda_get_sync_debug_mode": lambda: sync_debug_mode,
    }


def _cuda_attributes(native: ModuleType) -> dict[str, object]:
    """Names of ``torch.cuda`` that are bound when it is imported, or that ask the CUDA runtime."""
    properties = DeviceProperties()
    exchange_device = _device_exchange(native)

    def index_of(device: object) -> int:
        return int(torch.cuda._utils._get_device_index(device, optional=True))

    return {
        "_initialized": True,
        "_lazy_init": lambda: None,
        "_exchange_device": exchange_device,
        "_maybe_exchange_device": exchange_device,
        "_get_device_properties": lambda index: properties,
        "get_device_properties": lambda device=None: properties,
        "get_device_name": lambda device=None: properties.name,
        "get_device_capability": lambda device=None: (properties.major, properties.minor),
        "is_bf16_supported": lambda including_emulation=True: True,
        "is_tf32_supported": lambda: True,
        "mem_get_info": lambda device=None: memory_left(native, index_of(device)),
        "is_current_stream_capturing": lambda: False,
        "_cudart": SimpleNamespace(
            cudaError=SimpleNamespace(success=0),
            cudaProfilerStart=lambda: 0,
            cudaProfilerStop=lambda: 0,
            cudaMemGetInfo=lambda index: memory_left(native, index),
            cudaHostRegister=lambda address, size, flags: 0,
            cudaHostUnregister=lambda address: 0,
        ),
        # Work on the device draws from the host's generator.
        "default_generators": (torch.default_generator,) * native.device_count(),
        "Stream": Stream,
        "Event": Event,
    }


def _profiler_states() -> SimpleNamespace:
    """The profiler's modes: where Kineto knows no CUDA it would ask for events of it, and warn at every operator."""
    states = dict(torch.autograd.ProfilerState.__members__)
    return SimpleNamespace(**{**states, "KINETO_GPU_FALLBACK": states["KINETO"]})


def _scatter(
    tensor: torch.Tensor, devices: list[int], sizes: list[int] | None, dim: int, streams: object
) -> tuple[torch.Tensor, ...]:
    """Parts of a tensor, one on each device (torch/csrc/cuda/comm.cpp, scatter)."""
    parts = tensor.split(sizes, dim) if sizes else tensor.chunk(len(devices), dim)
    return tuple(part.to(f"cuda:{index}", non_blocking=True) for part, index in zip(parts, devices, strict=False))


def _device_exchange(native: ModuleType) -> Callable[[int], int]:
    def exchange_device(index: int) -> int:
        if index < 0:
            return -1
        before = int(native.selected_device())
        native.select_device(index)
        return before

    return exchange_device


_run_backward = torch.autograd.graph._engine_run_backward


def _run_backward_here(*arguments: object, **options: object) -> object:
    """Run the backward pass on the calling thread: on autograd's own, the Python stack would be lost."""
    with torch.autograd.set_multithreading_enabled(False):
        return _run_backward(*arguments, **options)


def _clone_storage(storage: torch.UntypedStorage) -> torch.UntypedStorage:
    """Storages are made for the devices that PyTorch was built for only, tensors for all."""
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage).clone().untyped_storage()


def _move_storage(
    storage: torch.UntypedStorage, device: torch.device, non_blocking: bool = False
) -> torch.UntypedStorage:
    if storage.device == device:
        return storage
    view = torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)
    return view.to(device, non_blocking=non_blocking).untyped_storage()
