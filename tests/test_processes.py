"""A process that dies costs the file it was busy with, and no other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import HAZARD, plant_two_shares

from synclint.running.processes import Done, work_in_processes
from synclint.running.progress import Progress


def is_first(path: Path) -> bool:
    """Whether nobody has asked this of a path before."""
    if path.exists():
        return False
    path.touch()
    return True


def names(files: Sequence[Path], progress: Progress) -> list[str]:
    """Work that dies where a file's name asks for it: while it is read, or when all have been; some do so but once."""
    for path in files:
        if path.suffix == ".reading" or (path.suffix == ".reading_once" and is_first(path)):
            os.kill(os.getpid(), signal.SIGKILL)
        if path.suffix == ".raising":
            raise ValueError(path.name)
        progress(1)
    once = [path for path in files if path.suffix == ".afterwards_once"]
    if any(path.suffix == ".afterwards" for path in files) or any(map(is_first, once)):
        os.kill(os.getpid(), signal.SIGKILL)
    return [path.name for path in files]


def results(*shares: str, jobs: int = 2, progress: Progress = lambda count: None) -> list[Done[Path, list[str]]]:
    parts = [[Path(name) for name in share.split()] for share in shares]
    return list(work_in_processes(parts, names, jobs, progress))


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_shares(jobs: int) -> None:
    assert results("a b", "c", "d e", jobs=jobs) == [Done((["a", "b"],)), Done((["c"],)), Done((["d", "e"],))]


def test_a_death_costs_one_file() -> None:
    assert results("a b.reading c", "d") == [Done((["a", "c"],), (Path("b.reading"),)), Done((["d"],))]


def test_as_many_deaths_as_files_end() -> None:
    files = (Path("a.reading"), Path("b.reading"))
    assert results("a.reading b.reading", "d") == [Done((), files), Done((["d"],))]


def test_a_death_that_does_not_happen_again_costs_nothing(tmp_path: Path) -> None:
    reading, afterwards = tmp_path / "b.reading_once", tmp_path / "d.afterwards_once"
    found = results(f"a {reading} c", f"{afterwards} e")
    assert found == [Done((["a", reading.name, "c"],)), Done(([afterwards.name, "e"],))]


def test_a_death_when_all_was_read_costs_the_one_file_that_brings_it_about() -> None:
    found = results("a b c.afterwards e f", "d")
    assert found == [Done((["a", "b"], ["e", "f"]), (Path("c.afterwards"),)), Done((["d"],))]


def test_deaths_of_all_kinds_cost_the_files_that_bring_them_about(tmp_path: Path) -> None:
    once = tmp_path / "x.afterwards_once"
    share = f"a b.reading {once} c.afterwards e f.reading g"
    (done,) = results(share, jobs=2)
    assert sorted(name for result in done.results for name in result) == ["a", "e", "g", once.name]
    assert {path.name for path in done.left_out} == {"b.reading", "c.afterwards", "f.reading"}


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
    expected: list[Done[Path, list[str]]] = [Done((["a", "b"],)), Done((["c"],)), Done((["d", "e"],))]
    assert results("a b", "c", "d e", jobs=3, progress=counted.append) == expected
    assert sum(counted) == 5
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("given", [2, 3])
def test_a_death_after_which_the_system_gives_no_process_costs_its_share(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    real = multiprocessing.Process.start
    started: list[multiprocessing.Process] = []

    def start(process: multiprocessing.Process) -> None:
        if len(started) == given:
            raise OSError("Cannot allocate memory")
        started.append(process)
        real(process)

    monkeypatch.setattr(multiprocessing.Process, "start", start)
    first, second = results("a b.reading c", "d")
    assert (first.results, second) == ((), Done((["d"],)))
    assert set(first.left_out) == {Path("a"), Path("b.reading"), Path("c")}


def without_memory(files: Sequence[Path], progress: Progress) -> list[str]:
    """Work for which there is no memory where there is more than one file."""
    for _ in files:
        progress(1)
    if len(files) > 1:
        raise MemoryError
    return [path.name for path in files]


def test_a_share_for_which_memory_runs_out_is_divided() -> None:
    done = work_in_processes([[Path("a"), Path("b"), Path("c")]], without_memory, 2, lambda count: None)
    assert list(done) == [Done((["a"], ["b"], ["c"]))]


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
    assert list(done) == [Done((True,))]


def test_meanwhile_something_else_is_done_once(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    made: list[Path] = []

    def meanwhile() -> None:
        begun.touch()
        made.append(begun)

    done = work_in_processes([[begun], [begun]], until_it_was_counted, 1, lambda count: None, meanwhile)
    assert list(done) == [Done((True,)), Done((True,))]
    assert made == [begun]


def test_what_is_raised_in_a_process_is_raised_here_and_no_process_stays() -> None:
    with pytest.raises(ValueError, match=r"b\.raising"):
        results("a b.raising", "c d")
    assert multiprocessing.active_children() == []


def test_no_process_stays_when_nobody_wants_the_rest() -> None:
    running = work_in_processes([[Path("a")], [Path("b")]], names, 2, lambda count: None)
    assert next(running) == Done((["a"],))
    running.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_a_run_of_which_a_process_is_killed_finds_what_it_finds_otherwise(tmp_path: Path) -> None:
    plant_two_shares(tmp_path)
    for name in ("b", "y"):
        (tmp_path / f"{name}.py").write_text(HAZARD)
    command = [sys.executable, "-m", "synclint", ".", "--no-cache", "--jobs", "2", "--output-format", "concise"]
    undisturbed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert undisturbed.stdout.count("SYN101") == 2
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    os.kill(child_of(process), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (1, undisturbed.stdout, "")


def child_of(process: subprocess.Popen[str]) -> int:
    """A process that another one has started, once it has."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if numbers := children.read_text().split():
            return int(numbers[0])
    raise AssertionError("no process was started")


class Unpickled:
    """A result that tells, where it is unpickled, whether a path exists."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.exists, (self.path,)


def made_for(files: Sequence[Path], progress: Progress) -> object:
    """Work that leaves a trace, and asks for that of another share."""
    trace, other = files
    trace.touch()
    return Unpickled(other)


def test_a_process_does_not_begin_with_what_came_of_others(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    done = list(work_in_processes([[first, second], [second, third], [third, first]], made_for, 1, lambda count: None))
    assert [one.results for one in done] == [(True,), (True,), (True,)]
