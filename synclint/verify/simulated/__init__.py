"""A ``cuda:0`` for a PyTorch without CUDA, on which every wait of the host is seen.

Its tensors are plain tensors over host memory. All of PyTorch above the kernels runs as it is, CUDA
branches included, and each operator for which CUDA would make the host wait is reported to whoever
records (``synclint.verify.record_syncs``). What it says is a model of PyTorch on CUDA and always marked
as simulated.

Limits: work is done by the time a call returns; strided, nested, COO and CSR tensors; no custom kernels and no CUDA
graphs; Gloo under NCCL's name, which compares nothing that NCCL would; no worker processes that touch the device;
generators of the device draw what the host's would draw.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType

import torch

from synclint.verify import recording
from synclint.verify.simulated.compilation import MODULE, SimulatedDeviceUnavailable, build, check_torch
from synclint.verify.simulated.cuda_module import Clothes
from synclint.verify.simulated.kernels import load_kernels

__all__ = ["SimulatedDeviceUnavailable", "operators_run", "simulated_device"]

_lock = threading.RLock()
_users = 0


@contextmanager
def simulated_device(devices: int = 1) -> Iterator[torch.device]:
    """Give this process a working ``cuda:0`` while the block runs; yields its ``torch.device``.

    ``devices`` is how many there are: processes of a distributed run each select one of their own.

    Code that says "cuda" runs unchanged: ``torch.cuda.is_available()`` is True, streams, events and seeds
    work. Autograd runs on the calling thread, ``torch.compile`` and ``torch.jit.script`` leave functions as
    they are, so that waits show at their lines. On exit all of that is restored; tensors that are still on
    the device keep working, because what PyTorch's core knows of a device it knows until the process ends.
    Blocks nest.

    The device is compiled on first use (some 20 seconds) and kept in the user's cache.

    Raises SimulatedDeviceUnavailable where there is no C++ compiler, or PyTorch is built for CUDA or too old.
    """
    global _users
    check_torch()
    clothes = _clothes()
    with _lock:
        _users += 1
        if _users == 1:
            _native().set_device_count(devices)
            clothes.dress()
    try:
        yield torch.device("cuda", 0)
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                clothes.undress()
                _native().select_device(0)


def operators_run() -> int:
    """How many operators, copies included, ran on the device since the process began."""
    return int(_native().operators_run())


@cache
def _clothes() -> Clothes:
    return Clothes(_native())


@cache
def _native() -> ModuleType:
    """The compiled device, registered with PyTorch and told what cannot be observed."""
    spec = importlib.util.spec_from_file_location(MODULE, build())
    assert spec is not None and spec.loader is not None
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    for kernel in load_kernels():
        native.model_kernel(kernel.operator, kernel.mechanism, kernel.alternatives)
    native.listen(_publish)
    native.install()
    recording.add_source(recording.Source(lambda: native.set_recording(True), lambda: native.set_recording(False)))
    return native


def _publish(op: str, mechanism: str, certain: bool, operators: list[str]) -> None:
    recording.publish(op, mechanism, simulated=True, certain=certain, operators=operators)
