"""A process that dies costs the file it was busy with, and no other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from synclint.processes import Done, work_in_processes
from synclint.runner import Progress


def names(files: Sequence[Path], progress: Progress) -> list[str]:
    """Work that dies where a file's name asks for it: while it is read, or when all have been."""
    for path in files:
        if path.suffix == ".reading":
            os.kill(os.getpid(), signal.SIGKILL)
        if path.suffix == ".raising":
            raise ValueError(path.name)
        progress(1)
    if any(path.suffix == ".afterwards" for path in files):
        os.kill(os.getpid(), signal.SIGKILL)
    return [path.name for path in files]


def results(*shares: str, jobs: int = 2, progress: Progress = lambda count: None) -> list[Done[Path, list[str]]]:
    parts = [[Path(name) for name in share.split()] for share in shares]
    return list(work_in_processes(parts, names, jobs, progress))


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_shares(jobs: int) -> None:
    assert results("a b", "c", "d e", jobs=jobs) == [Done(["a", "b"]), Done(["c"]), Done(["d", "e"])]


def test_a_death_costs_one_file() -> None:
    assert results("a b.reading c", "d") == [Done(["a", "c"], (Path("b.reading"),)), Done(["d"])]


def test_as_many_deaths_as_files_end() -> None:
    files = (Path("a.reading"), Path("b.reading"))
    assert results("a.reading b.reading", "d") == [Done([], files), Done(["d"])]


def test_a_death_that_no_file_can_be_blamed_for_costs_its_share_alone() -> None:
    assert results("a b.afterwards", "d") == [Done(None, (Path("a"), Path("b.afterwards"))), Done(["d"])]


@pytest.mark.parametrize("given", [0, 1, 2])
def test_what_the_system_gives_no_process_for_is_done_by_those_that_there_are(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    real = multiprocessing.Process.start
    started: list[multiprocessing.Process] = []

    def start(process: multiprocessing.Process) -> None:
        if len(started) == given:
            raise BlockingIOError("Resource temporarily unavailable")
        started.append(process)
        real(process)

    monkeypatch.setattr(multiprocessing.Process, "start", start)
    counted: list[int] = []
    expected: list[Done[Path, list[str]]] = [Done(["a", "b"]), Done(["c"]), Done(["d", "e"])]
    assert results("a b", "c", "d e", jobs=3, progress=counted.append) == expected
    assert sum(counted) == 5
    assert not multiprocessing.active_children()


def test_a_death_after_which_the_system_gives_no_process_costs_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    real = multiprocessing.Process.start
    started: list[multiprocessing.Process] = []

    def start(process: multiprocessing.Process) -> None:
        if len(started) == 2:
            raise OSError("Cannot allocate memory")
        started.append(process)
        real(process)

    monkeypatch.setattr(multiprocessing.Process, "start", start)
    assert results("a b.reading c", "d") == [Done(None, (Path("a"), Path("b.reading"), Path("c"))), Done(["d"])]


def test_each_file_is_counted_once() -> None:
    counted: list[int] = []
    results("a b.reading c", "d e.afterwards", progress=counted.append)
    assert sum(counted) == 5


def until_it_was_counted(files: Sequence[Path], progress: Progress) -> bool:
    """Work that ends when somebody has heard of its beginning."""
    progress(1)
    while not files[0].exists():
        time.sleep(0.01)
    return True


def test_files_are_counted_while_others_are_still_worked_on(tmp_path: Path) -> None:
    counted = tmp_path / "counted"
    done = work_in_processes([[counted, tmp_path]], until_it_was_counted, 2, lambda count: counted.touch())
    assert list(done) == [Done(True)]


def test_meanwhile_something_else_is_done_once(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    made: list[Path] = []

    def meanwhile() -> None:
        begun.touch()
        made.append(begun)

    done = work_in_processes([[begun], [begun]], until_it_was_counted, 1, lambda count: None, meanwhile)
    assert list(done) == [Done(True), Done(True)]
    assert made == [begun]


def test_what_is_raised_in_a_process_is_raised_here_and_no_process_stays() -> None:
    with pytest.raises(ValueError, match=r"b\.raising"):
        results("a b.raising", "c d")
    assert multiprocessing.active_children() == []


def test_no_process_stays_when_nobody_wants_the_rest() -> None:
    running = work_in_processes([[Path("a")], [Path("b")]], names, 2, lambda count: None)
    assert next(running) == Done(["a"])
    running.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []
