"""Waits until processes are in calls that block, where a signal is noticed at once.

A signal between Python's last look for signals and a call that blocks is noticed only when that is over.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

_PATIENCE = 60.0


def until_it_sleeps(process: int) -> None:
    """Wait until a process is in a call of the system's, where the system tells."""
    _wait_for((process,))


def until_all_sleep(group: int) -> None:
    """Wait until all processes of a group are in calls of the system's, where the system tells."""
    _wait_for(tuple(int(one.name) for one in Path("/proc").glob("[0-9]*") if _told_of(one, 2) == str(group)))


def _wait_for(processes: tuple[int, ...]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while any(_told_of(Path(f"/proc/{one}"), 0) not in ("S", "") for one in processes):
        assert time.monotonic() < deadline
        time.sleep(0.002)


def _told_of(process: Path, number: int) -> str:
    """What stands behind the name of a process: its state, its parent, its group (``man 5 proc_pid_stat``)."""
    with suppress(OSError):
        return (process / "stat").read_text().rpartition(")")[2].split()[number]
    return ""
