"""Hearing of waits in ``torch.distributed`` out of reach of Python, and keeping the sync debug mode quiet there.

PyTorch turns a warning of C++ into one of Python only within the functions that its Python bindings generate. Those of
``torch.distributed`` are not among them, and the threads of Gloo run no Python at all: what the debug mode says there
goes to standard error, a line for each wait, which a program without a recording does not print.

``DistributedDataParallel`` waits for events of its last step where it keeps statistics, in its first steps and in each
hundredth later (``Logger::set_runtime_stats_and_log``, torch/csrc/distributed/c10d/logger.cpp): the mode is silent.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import torch

from synclint.verify.operator_warnings import heard

# Functions of C++ that read sizes and parameters back, on the thread that calls them.
_WAITING = ("_verify_params_across_processes", "_broadcast_coalesced")
# c10's level below which it prints nothing of C++ (c10/util/Logging.h): 1 is a warning, 2 an error.
_LEVEL = "FLAGS_caffe2_log_level"
_ERROR = 2


# What changes among the statistics with each step that they are kept of.
_STEP = "forward_compute_time_start"


@contextmanager
def hearing_distributed(publish: Callable[..., None]) -> Iterator[None]:
    """Within the block waits in functions of ``torch.distributed`` are heard, and those of Gloo's threads unsaid.

    ``publish`` is told of those that no mode hears.
    """
    if not torch.distributed.is_available():
        yield
        return
    import torch.distributed.distributed_c10d as groups

    replaced: list[tuple[object, str, object]] = []
    with ExitStack() as quiet:

        def replace(owner: object, name: str, value: object) -> None:
            replaced.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)

        for name in _WAITING:
            if hasattr(torch.distributed, name):
                replace(torch.distributed, name, _relaying(getattr(torch.distributed, name)))
        wrapped = torch.nn.parallel.DistributedDataParallel
        replace(wrapped, "__init__", _relaying(wrapped.__init__))
        replace(wrapped, "_pre_forward", _reporting_statistics(wrapped._pre_forward, publish))
        make: Callable[..., Any] = groups._new_process_group_helper

        @functools.wraps(make)
        def making(*arguments: object, **options: object) -> object:
            made = make(*arguments, **options)
            _silence_gloo(groups, quiet)
            return made

        replace(groups, "_new_process_group_helper", making)
        _silence_gloo(groups, quiet)
        try:
            yield
        finally:
            while replaced:
                owner, name, before = replaced.pop()
                setattr(owner, name, before)


def _relaying(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def relaying(*arguments: object, **options: object) -> object:
        return heard(lambda: function(*arguments, **options))

    return relaying


def _reporting_statistics(function: Callable[..., Any], publish: Callable[..., None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def reporting(module: Any, *arguments: object, **options: object) -> object:  # noqa: ANN401 -- a class of PyTorch
        # What is compiled is compiled as it would be without this.
        if torch.compiler.is_compiling():
            return function(module, *arguments, **options)
        before = _statistics(module)
        result = function(module, *arguments, **options)
        if _statistics(module) != before:
            publish("cudaEventSynchronize", "explicit", simulated=False)
        return result

    return reporting


def _statistics(module: Any) -> int | None:  # noqa: ANN401 -- a class of PyTorch
    """Of which step a model that is on the device has kept statistics last."""
    if module.logger is None or module.device_type != "cuda":
        return None
    step: int | None = module.logger._get_ddp_logging_data().ints_map.get(_STEP)
    return step


def _silence_gloo(groups: Any, quiet: ExitStack) -> None:  # noqa: ANN401 -- a module of PyTorch
    """Where a process group exchanges tensors of the device through Gloo, have C++ print errors alone until the end."""
    known = groups._world.pg_map
    if not any(_uses_gloo(group) for group in known):
        return
    level = _level()
    if level is not None and level.value < _ERROR:
        before, level.value = level.value, _ERROR
        quiet.callback(setattr, level, "value", before)


def _uses_gloo(group: Any) -> bool:  # noqa: ANN401 -- a class of C++
    with suppress(RuntimeError):  # no backend for this device
        return "gloo" in str(group._get_backend(torch.device("cuda")).name()).lower()
    return False


def _level() -> ctypes.c_int | None:
    for library in (Path(torch.__file__).parent / "lib").glob("libc10.*"):
        with suppress(OSError, ValueError):
            return ctypes.c_int.in_dll(ctypes.CDLL(str(library)), _LEVEL)
    return None
