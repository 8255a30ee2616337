"""A process that dies costs the file it was busy with, and no other."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from synclint.processes import Progress, work_in_processes

DEAD = "died"


def names(files: Sequence[Path], progress: Progress) -> Iterator[str]:
    """Work that dies where a file's name asks for it: while it is learned, or while it is reported."""
    for path in files:
        if path.suffix == ".learning":
            os.kill(os.getpid(), signal.SIGKILL)
        progress(1)
    for path in files:
        if path.suffix == ".reporting":
            os.kill(os.getpid(), signal.SIGKILL)
        if path.suffix == ".raising":
            raise ValueError(path.name)
        yield path.name


def died(path: Path) -> str:
    return DEAD


def results(*shares: str) -> list[str]:
    parts = [[Path(name) for name in share.split()] for share in shares]
    return list(work_in_processes(parts, names, died, lambda count: None))


def test_results_come_in_the_order_of_the_files() -> None:
    assert results("a b c", "d e", "f") == list("abcdef")


@pytest.mark.parametrize("moment", ["learning", "reporting"])
def test_a_death_costs_one_file_and_its_place_is_kept(moment: str) -> None:
    assert results(f"a b.{moment} c", "d e") == ["a", DEAD, "c", "d", "e"]


def test_as_many_deaths_as_files_end() -> None:
    assert results("a.learning b.reporting c.learning", "d") == [DEAD, DEAD, DEAD, "d"]


def test_each_file_is_counted_once() -> None:
    counted: list[int] = []
    share = [Path(name) for name in ("a", "b.reporting", "c")]
    assert list(work_in_processes([share], names, died, counted.append)) == ["a", DEAD, "c"]
    assert sum(counted) == len(share)


def test_what_is_raised_in_a_process_is_raised_here_and_no_process_stays() -> None:
    with pytest.raises(ValueError, match=r"b\.raising"):
        results("a b.raising", "c d")
    assert multiprocessing.active_children() == []


def test_no_process_stays_when_nobody_wants_the_rest() -> None:
    running = work_in_processes([[Path("a")], [Path("b")]], names, died, lambda count: None)
    assert next(running) == "a"
    running.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []
