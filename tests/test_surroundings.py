"""However the process was started, a run ends in one line and with the right status."""

from __future__ import annotations

import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

import pytest
from command_line import CLEAN, HAZARD, Synclint

from synclint.files.atomic_files import replace_file
from synclint.files.real_paths import real_path

PROGRAM = f"{sys.executable} -m synclint"
CLOSED = "synclint: error: the output could not be written: bad file descriptor\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a file in which there is something to find, one without, and links in a circle."""
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "clean.py").write_text(CLEAN)
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "taken").mkdir()
    return tmp_path


def shell(folder: Path, command: str) -> tuple[int, str, str]:
    """Status, output and errors of a command, in which SYNCLINT stands for the program."""
    done = subprocess.run(
        ["bash", "-c", command.replace("SYNCLINT", PROGRAM)],
        cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


# Closed and full streams


@pytest.mark.parametrize(
    "command",
    ["loss.py", "loss.py --output-format json", "loss.py --statistics", "rules", "explain SYN101", "config",
     "--version", "--help", "check --help"],
)  # fmt: skip
def test_what_cannot_be_printed_because_the_output_is_closed_is_status_2(folder: Path, command: str) -> None:
    assert shell(folder, f"SYNCLINT {command} >&-") == (2, "", CLOSED)


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
@pytest.mark.parametrize(("path", "status"), [("loss.py", 1), ("clean.py", 0), ("missing.py", 2)])
def test_the_status_is_the_same_without_the_other_streams(folder: Path, closed: str, path: str, status: int) -> None:
    found, out, err = shell(folder, f"SYNCLINT {path} {closed}")
    assert found == status
    assert ("SYN101" in out) == (status == 1)
    assert bool(err) == (status == 2 and "2>&-" not in closed)


def test_without_any_stream_there_is_a_status(folder: Path) -> None:
    assert shell(folder, "SYNCLINT clean.py --quiet <&- >&- 2>&-") == (0, "", "")
    assert shell(folder, "SYNCLINT loss.py <&- >&- 2>&-") == (2, "", "")


def test_a_file_is_never_written_in_the_place_of_a_closed_stream(folder: Path) -> None:
    assert shell(folder, "SYNCLINT loss.py missing.py --output-file json=a.json <&- >&- 2>&-") == (2, "", "")
    assert (folder / "a.json").read_text().startswith("[\n")
    assert (folder / "a.json").read_text().endswith("]\n")


def test_closed_standard_input_cannot_be_checked(folder: Path) -> None:
    said = "synclint: error: -: standard input could not be read: bad file descriptor\n"
    assert shell(folder, "SYNCLINT - <&-") == (2, "", said)


@pytest.mark.parametrize("given", ["missing.py", "loss.py missing.py", "--unknown", "loss.py --jobs x"])
def test_a_full_standard_error_does_not_change_the_status(folder: Path, given: str) -> None:
    assert shell(folder, f"SYNCLINT {given} 2>/dev/full")[0] == 2


def test_a_full_output_and_a_full_standard_error_are_status_2(folder: Path) -> None:
    assert shell(folder, "SYNCLINT loss.py >/dev/full 2>/dev/full") == (2, "", "")


# Links in a circle, directories, and a directory that is gone


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--output-file", "json=circle"), "circle: the json report could not be written: too many levels"),
        (("--baseline", "circle", "--write-baseline"), "circle: too many levels of symbolic links"),
        (("--baseline", "circle/b", "--write-baseline"), "circle/b: too many levels of symbolic links"),
        (("--baseline", "circle"), "circle: no such baseline"),
        (("--baseline", "taken", "--write-baseline"), "taken: is a directory"),
        (("--baseline", "none/b", "--write-baseline"), "none/b: no such file or directory"),
        (("--output-file", "circle/a"), "--output-file: circle is not a directory"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_by_its_name(
    run: Synclint, folder: Path, given: tuple[str, ...], said: str
) -> None:
    result = run("loss.py", *given)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert said in result.err
    assert {path.name for path in folder.iterdir()} == {"loss.py", "clean.py", "circle", "taken"}


@pytest.mark.parametrize("name", ["circle", "circle/x.py", "taken", "none/x.py"])
def test_standard_input_may_have_any_name(run: Synclint, folder: Path, name: str) -> None:
    result = run("-", "--stdin-filename", name, "--output-format", "concise", "-q", stdin=HAZARD.encode())
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith(f"{name}:5:12: SYN101")


def test_a_cache_in_a_circle_is_done_without(run: Synclint, folder: Path) -> None:
    fresh = run("loss.py", "--no-cache")
    assert run("loss.py", "--cache-dir", "circle") == fresh
    assert run("loss.py", "--cache-dir", "circle/kept") == fresh


def test_what_fails_to_be_written_names_the_file_and_not_the_one_beside_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No such file .*none/a'$"):
        replace_file(tmp_path / "none" / "a", "text")


def test_the_real_path_of_links_in_a_circle_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    assert real_path(tmp_path / "circle" / "x").name == "x"


@pytest.mark.parametrize(
    "command", ["SYNCLINT .", "SYNCLINT $OLDPWD/loss.py", "SYNCLINT - < $OLDPWD/loss.py", "SYNCLINT config"]
)
def test_a_working_directory_that_is_gone_is_told(folder: Path, command: str) -> None:
    status, out, err = shell(folder, f"mkdir gone; cd gone; rmdir ../gone; {command}")
    said = [line for line in err.splitlines() if line.startswith("synclint")]
    assert (status, out) == (2, "")
    assert said == ["synclint: error: the working directory no longer exists, or cannot be read; change to another one"]
    assert "Traceback" not in err


# The beginning and the end of the process, and too little memory


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        ("KeyboardInterrupt", 130, "interrupted"),
        ("MemoryError", 2, "memory ran out"),
        ("ImportError('no\\nroom')", 2, "could not be started: no room"),
    ],
)
@pytest.mark.parametrize("module", ["synclint.cli", "click", "synclint.rules"])
def test_what_happens_while_the_program_is_being_imported_ends_it_in_one_line(
    tmp_path: Path, module: str, error: str, status: int, said: str
) -> None:
    program = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: raise {error}\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from synclint.__main__ import program\n"
        "program()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"synclint: error: {said}\n")


def test_too_little_memory_is_told_in_one_line(folder: Path) -> None:
    """Whatever there is room for: Python alone, some of the program, all of it."""
    statuses = set()
    for megabytes in (*range(16, 64, 4), 4096):
        limit = megabytes * 2**20
        done = subprocess.run(
            [sys.executable, "-m", "synclint", "loss.py", "--no-cache"],
            cwd=folder, capture_output=True, text=True, check=False, timeout=120,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (limit, limit)),
        )  # fmt: skip
        if ("synclint: " not in done.stderr and not done.stdout) or "ERROR:root:code for hash" in done.stderr:
            continue  # there was not enough for Python itself, which says so of its module hashlib in its own way
        statuses.add(done.returncode)
        assert "Traceback" not in done.stderr
        if done.returncode == 1:
            assert "SYN101" in done.stdout
        elif "SYN003" in done.stdout:  # there was enough for all but the file
            assert (done.returncode, done.stderr) == (2, "")
        else:
            assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert 1 in statuses


@pytest.mark.parametrize(
    "place", ["synclint.analysis.project.ProjectAnalysis.analyse", "synclint.running.file_findings.findings"]
)
def test_memory_that_runs_out_for_one_file_costs_that_file(
    run: Synclint, own_cache: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    original = resolve_name(place)
    (folder / "odd.py").write_text(HAZARD.replace("kept", "odd"))

    def fail_for_odd(*arguments: object) -> object:
        if any("odd.py" in str(argument) for argument in arguments):
            raise MemoryError
        return original(*arguments)

    monkeypatch.setattr(place, fail_for_odd)
    result = run("loss.py", "odd.py", "--output-format", "concise")
    assert (result.status, result.err) == (2, "")
    assert "loss.py:5:12: SYN101" in result.out
    assert "odd.py:1:1: SYN003 internal-error: the file was not checked to its end: memory ran out; " in result.out
    assert not list(own_cache.glob("*.json"))


@pytest.mark.parametrize("seconds", ["inf", "-inf", "nan", "0", "-1", "1e300", "x"])
def test_a_limit_for_a_case_is_a_number_that_a_clock_can_wait_for(run: Synclint, seconds: str) -> None:
    result = run("verify", "--device", "sim", "--timeout", seconds)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert "--timeout" in result.err
