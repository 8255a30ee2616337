"""The process in which cases run: a hang, a crash or a lost device ends it and nothing else."""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timezone
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.verify.cases import Case
from synclint.verify.measurement import Environment
from synclint.verify.stopwatch import SLEEP_SECONDS, TOLERANCE
from synclint.version import __version__

if TYPE_CHECKING:
    import torch

    from synclint.verify.programs import Program
    from synclint.verify.survey import Survey

CUDA = "cuda"
SIMULATED = "sim"


@dataclass(frozen=True)
class Job:
    """A case to measure; its trace is kept at ``trace_path`` when there is one."""

    case: Case
    trace_path: Path | None


@dataclass(frozen=True)
class Ready:
    """The device is there and jobs are taken."""

    environment: Environment


@dataclass(frozen=True)
class Unable:
    """There is no device to measure on; ``message`` says why and what to do."""

    message: str


@dataclass(frozen=True)
class Stage:
    """What is being done now: the last one named is to blame for a hang."""

    name: str


@dataclass(frozen=True)
class Done:
    """The case is finished; ``lost`` when the device did not survive it and this process ends."""

    lost: bool = False


@dataclass(frozen=True)
class _Device:
    device: torch.device
    environment: Environment
    measure: Callable[[Case, Path | None, Connection], None]


def serve(connection: Connection, device: str, log: str) -> None:
    """Measure the cases that come over ``connection`` until None comes.

    Whatever the cases print goes to the file ``log``, whose end explains a crash.
    """
    _stand_alone()
    with Path(log).open("ab", buffering=0) as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    with ExitStack() as stack:
        try:
            opened = _open_cuda() if device == CUDA else _open_simulated(stack)
        except Exception as error:
            connection.send(Unable(_in_one_line(error)))
            return
        if isinstance(opened, Unable):
            connection.send(opened)
            return
        from synclint.verify.process_state import unchanged_process

        connection.send(Ready(opened.environment))
        while (job := connection.recv()) is not None:
            try:
                with unchanged_process():
                    opened.measure(job.case, job.trace_path, connection)
            except _DeviceLostError:
                connection.send(Done(lost=True))
                return
            connection.send(Done())


def _stand_alone() -> None:
    """Make this process what a user's program is: the first of its session, starting others as Python does.

    What the cases start belongs to its group, so that all can be ended together. A process that was
    spawned would spawn as well, and every worker of a loader would import torch anew.
    """
    multiprocessing.set_start_method(None, force=True)
    if hasattr(os, "setsid"):
        os.setsid()
        # No signal of the terminal reaches another session: end with the process that asked.
        threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.killpg(0, signal.SIGKILL)


# What CUDA says of a device that is there and cannot be had, and what to do about it.
_WHAT_TO_DO = {
    "busy or unavailable": "another process may hold the GPU in exclusive mode; nvidia-smi shows which",
    "out of memory": "other processes hold its memory; nvidia-smi shows which",
}


def _in_one_line(error: Exception) -> str:
    """The first line of what CUDA says; the rest is advice on how to debug kernels."""
    first = next(iter(str(error).strip().splitlines()), "")
    hints = [hint for said, hint in _WHAT_TO_DO.items() if said in first]
    return f"{type(error).__name__}: {'; '.join([first, *hints])}"


class _DeviceLostError(Exception):
    """A CUDA error that every later call of this process would meet again."""


def _open_cuda() -> _Device | Unable:
    from synclint.verify import cuda_survey

    cuda_survey.prepare_environment()
    import torch

    if torch.version.hip is not None:
        return Unable(f"this PyTorch ({torch.__version__}) is for ROCm, whose waits are not known here; CUDA is needed")
    if torch.version.cuda is None:
        return Unable(f"this PyTorch ({torch.__version__}) was built without CUDA")
    if not torch.cuda.is_available():
        return Unable(f"PyTorch {torch.__version__} finds no CUDA device{_hidden_devices()}")
    device = torch.device("cuda", torch.cuda.current_device())
    ruler = cuda_survey.calibrate()

    def recover() -> None:
        try:
            cuda_survey.recover()
        except RuntimeError as error:
            raise _DeviceLostError(str(error)) from None

    def measure(case: Case, trace_path: Path | None, connection: Connection) -> None:
        survey, programs = _prepare(case, device, connection, torch.cuda.synchronize, recover)
        if programs is not None:
            cuda_survey.measure(survey, case, programs, ruler, trace_path)

    environment = _environment(
        simulated=False,
        device=torch.cuda.get_device_name(device),
        driver=cuda_survey.driver_version(),
        cuda=torch.version.cuda,
        cupti=cuda_survey.cupti_version(),
        settings={
            "sleep_seconds": SLEEP_SECONDS,
            "tolerance": TOLERANCE,
            "cycles_per_second": ruler.rate,
        },
    )
    return _Device(device, environment, measure)


def _hidden_devices() -> str:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return "" if visible is None else f"; CUDA_VISIBLE_DEVICES is {visible!r}"


def _open_simulated(stack: ExitStack) -> _Device | Unable:
    # Scripted and compiled functions run as the Python they were written in, where their lines show.
    os.environ["PYTORCH_JIT"] = "0"
    os.environ["TORCHDYNAMO_DISABLE"] = "1"
    from synclint.verify import simulated_device, simulated_survey
    from synclint.verify.simulated import SimulatedDeviceUnavailable

    try:
        device = stack.enter_context(simulated_device())
    except SimulatedDeviceUnavailable as error:
        return Unable(str(error))

    def measure(case: Case, trace_path: Path | None, connection: Connection) -> None:
        survey, programs = _prepare(case, device, connection, simulated_survey.drain, simulated_survey.recover)
        if programs is not None:
            simulated_survey.measure(survey, case, programs)

    return _Device(device, _environment(simulated=True, device="simulated cuda:0"), measure)


def _prepare(
    case: Case,
    device: torch.device,
    connection: Connection,
    drain: Callable[[], None],
    recover: Callable[[], None],
) -> tuple[Survey, tuple[Program, Program] | None]:
    # They import torch, which must not happen before the environment is prepared.
    from synclint.verify.programs import load_programs
    from synclint.verify.survey import Survey, failure

    survey = Survey(connection.send, lambda name: connection.send(Stage(name)), drain, recover)
    survey.announce("loading")
    try:
        _leave_process_group()
        return survey, load_programs(case, device)
    except (Exception, SystemExit) as error:
        survey.send(failure(error, "loading", case.hazard.filename))
        return survey, None


def _environment(
    *,
    simulated: bool,
    device: str,
    driver: str | None = None,
    cuda: str | None = None,
    cupti: int | None = None,
    settings: dict[str, float] | None = None,
) -> Environment:
    import torch

    from synclint.verify.provenance import commit_of_checkout, releases

    return Environment(
        simulated=simulated,
        device=device,
        torch=torch.__version__,
        python=".".join(map(str, sys.version_info[:3])),
        platform=f"{platform.system()} {platform.machine()}",
        date=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        driver=driver,
        cuda=cuda,
        capabilities=("nccl",) if _has_nccl() else (),
        settings=settings or {},
        cupti=cupti,
        packages=releases(),
        synclint=__version__,
        commit=commit_of_checkout(),
    )


def _leave_process_group() -> None:
    """Leave the process group that an earlier case may have joined: metrics wait for each other in one."""
    import torch

    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def _has_nccl() -> bool:
    import torch

    return bool(torch.distributed.is_available() and torch.distributed.is_nccl_available())
