"""Runs commands and reads what they cost from the operating system."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

REPOSITORY = Path(__file__).parent.parent
BYTES_OF_MAXRSS = 1 if sys.platform == "darwin" else 1024


class ProgramError(Exception):
    """A measured program that failed; says which and how."""


@dataclass(frozen=True)
class Cost:
    """What a program took, its children included: seconds of wall clock and of CPU, and MB of its largest process."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True)
class Run:
    """A program that has ended: what it took and what it printed."""

    cost: Cost
    output: str
    errors: str


def compile_bytecode() -> None:
    """Compile the program's modules, as an installation does: a checkout may lack what was compiled, or have it old."""
    compileall.compile_dir(REPOSITORY / "synclint", quiet=2)
    for path in REPOSITORY.glob("rules/*/fix.py"):
        compileall.compile_file(path, quiet=2)


def run(command: Sequence[str], accepted: Sequence[int] = (0,)) -> Run:
    """Run a command in the repository; raises ProgramError for an exit status that is not ``accepted``."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=REPOSITORY, stdout=output, stderr=errors)
        # Waiting by hand gives the resources of this child alone, and of the processes that it waited for.
        _, ended, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(ended)
        printed, said = (_text(stream) for stream in (output, errors))
    if process.returncode not in accepted:
        raise ProgramError(f"{' '.join(command)} ended with status {process.returncode}: {said.strip()[-400:]}")
    memory = usage.ru_maxrss * BYTES_OF_MAXRSS / 1e6
    return Run(Cost(wall, usage.ru_utime + usage.ru_stime, memory), printed, said)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def python(*arguments: str) -> tuple[str, ...]:
    """A command for this interpreter."""
    return (sys.executable, *arguments)
