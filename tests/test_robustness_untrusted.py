"""What is checked stays data, one run is like the next, and a run that is stopped leaves nothing behind."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import product
from pathlib import Path
from pkgutil import resolve_name
from xml.etree import ElementTree

import pytest
from command_line import CLEAN, HAZARD, Synclint, plant_two_shares
from sleeping import until_it_sleeps

from synclint.analysis.interpreter import expressions
from synclint.config.format_names import FORMAT_NAMES

# What a terminal, a browser, a runner of workflows and a reader of Markdown would each obey.
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;"
COMMANDS = "%0A::error::owned ::set-output name=a::b ##[error]owned"
HOSTILE_LINE = f"    kept = torch.nonzero(target)  # {ESCAPES} {MARKUP} {COMMANDS} ]]> `x` @octocat"
HOSTILE_NAME = f"evil\n::error::owned{ESCAPES}<b>&\"'%,:.py"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def environment(**changed: str) -> dict[str, str]:
    return {**os.environ, **changed}


def bytes_out(folder: Path, *arguments: str, **changed: str) -> tuple[int, bytes, bytes]:
    """Exit status and output of the program in a process of its own."""
    command = [sys.executable, "-m", "synclint", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, check=False, env=environment(**changed), timeout=120
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    source = HAZARD.replace("    kept = torch.nonzero(target)", HOSTILE_LINE)
    (tmp_path / HOSTILE_NAME).write_text(source, encoding="utf-8")
    return tmp_path


# What would be obeyed is shown


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_no_format_lets_a_file_or_its_name_speak_to_the_terminal(run: Synclint, hostile: Path, name: str) -> None:
    result = run(".", "--output-format", name)
    assert (result.status, result.err) == (1, "")
    assert not OBEYED.search(result.out)


@pytest.mark.parametrize("name", ["missing", "not_utf_8", "broken_notebook"])
def test_complaints_do_not_let_a_name_speak_to_the_terminal(run: Synclint, tmp_path: Path, name: str) -> None:
    path = HOSTILE_NAME if name != "broken_notebook" else HOSTILE_NAME + ".ipynb"
    if name != "missing":
        (tmp_path / path).write_bytes(b"\xff" if name == "not_utf_8" else b"{}")
    result = run(path)
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert not OBEYED.search(result.err)


def test_github_gets_one_command_for_each_finding(run: Synclint, hostile: Path) -> None:
    lines = run("-q", ".", "--output-format", "github").out.splitlines()
    assert [line.startswith("::") for line in lines] == [True]
    properties, _, message = lines[0].removeprefix("::warning ").partition("::")
    assert "::" not in properties + message
    assert "file=evil%0A%3A%3Aerror%3A%3Aowned" in properties


def test_html_has_no_element_of_the_files_making(run: Synclint, hostile: Path) -> None:
    page = run(".", "--output-format", "html").out
    for opening in ("<script>alert", "<img", "<b>&"):
        assert opening not in page
    assert page.count("<script") == 1  # ours
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_formats_for_programs_can_be_parsed(run: Synclint, hostile: Path) -> None:
    for name in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(run(".", "--output-format", name).out)
    ElementTree.fromstring(run(".", "--output-format", "junit").out)


def test_sarif_keeps_a_name_within_its_uri(run: Synclint, hostile: Path) -> None:
    (analysis,) = json.loads(run(".", "--output-format", "sarif").out)["runs"]
    (result,) = analysis["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9._~%/-]+", uri)


# Nothing is imported or run

TRAP = "from pathlib import Path\nPath({marker!r}).touch()\n"
TRAPPED = (
    "__init__.py", "__main__.py", "conftest.py", "setup.py", "sitecustomize.py", "usercustomize.py",
    "torch.py", "libcst/__init__.py", "click.py", "synclint.py", "typing.py", "noxfile.py",
)  # fmt: skip


def test_a_package_full_of_traps_is_checked_and_none_is_sprung(tmp_path: Path) -> None:
    marker = tmp_path / "sprung"
    trap = TRAP.format(marker=str(marker))
    package = tmp_path / "checkout" / "trapped"
    for name in TRAPPED:
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(trap)
    (package / "trap.pth").write_text(f"import pathlib; pathlib.Path({str(marker)!r}).touch()\n")
    (package / "setup.cfg").write_text("[metadata]\nname = trapped\n")
    (package / "pyproject.toml").write_text("[tool.synclint]\ncold = true\n[project]\nname = 'trapped'\n")
    (package / "loss.py").write_text(
        f"from . import conftest, setup\nimport trapped.torch\nfrom trapped import *\n{HAZARD}"
        f'X: "__import__(\\"pathlib\\").Path({str(marker)!r}).touch()" = 1\n'
    )
    notebook = {
        "cells": [{"cell_type": "code", "metadata": {}, "source": ["%run trapped/setup.py\n", trap]}],
        "metadata": {},
        "nbformat": 4,
    }
    (package / "run.ipynb").write_text(json.dumps(notebook))
    # `python -m` would itself look for modules in the directory it is started in.
    program = Path(sys.executable).with_name("synclint")
    done = subprocess.run([program, "."], cwd=package, capture_output=True, check=False, text=True)
    assert done.returncode == 1, done.stderr
    assert "loss.py:8:12: SYN101" in done.stdout
    assert not marker.exists()
    assert not list(package.rglob("__pycache__"))


# One run is like the next


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Files that call one another, findings of several rules, and a file name that is not ASCII."""
    calls = "from loss import loss\n\n\ndef run(loader, model):\n    for batch in loader:\n"
    calls += "        total = loss(model(batch), batch.cuda())\n        print(total.item(), {1, 2})\n"
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "größe.py").write_text(calls, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "broken.py").write_text("def f(:\n")
    (tmp_path / "sub" / "loss.py").write_text(HAZARD.replace("nonzero", "unique"))
    return tmp_path


def test_no_setting_of_the_process_changes_a_byte(project: Path) -> None:
    settings: tuple[dict[str, str], ...] = (
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "TZ": "America/St_Johns"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
    )
    for name in ("text", "sarif", "html"):
        runs = {bytes_out(project, ".", "--output-format", name, **one) for one in settings}
        assert len(runs) == 1, name
        ((status, out, err),) = runs
        assert (status, err) == (1, b"")
        assert out


def test_neither_the_order_of_arguments_nor_naming_twice_changes_a_byte(run: Synclint, project: Path) -> None:
    names = ["loss.py", "größe.py", "sub"]
    reference = run(*names)
    assert reference.status == 1
    for order in (names[::-1], [names[1], names[2], names[0]], [*names, "loss.py", "sub/loss.py"]):
        assert run(*order) == reference


def test_the_number_of_jobs_changes_no_byte_of_any_format(run: Synclint, tmp_path: Path) -> None:
    plant_two_shares(tmp_path)
    for number, kind in product(range(4), ("hazard", "clean", "broken")):
        source = {"hazard": HAZARD, "clean": CLEAN, "broken": "def f(:\n"}[kind]
        (tmp_path / f"{kind}{number:02}.py").write_text(source)
    for name in ("concise", "sarif"):
        alone = run(".", "--output-format", name, "--jobs", "1")
        assert alone.status == 1
        for jobs in ("2", "3"):
            assert run(".", "--output-format", name, "--jobs", jobs) == alone


# Mistakes of our own


@pytest.mark.parametrize(
    "place",
    [
        "synclint.analysis.project.ProjectAnalysis.analyse",
        "synclint.running.file_findings.findings",
        "synclint.running.survey.extract",
    ],
)
def test_an_internal_error_is_a_finding_and_a_log_wherever_it_happens(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    for name in ("a.py", "odd.py", "z.py"):
        (tmp_path / name).write_text(HAZARD if name != "odd.py" else HAZARD.replace("kept", "odd"))
    logs = tmp_path / "logs"
    logs.mkdir()
    original = resolve_name(place)

    def fail_for_odd(*arguments: object) -> object:
        if any("odd.py" in str(argument) for argument in arguments):
            raise ZeroDivisionError("an invented mistake")
        return original(*arguments)

    monkeypatch.setattr(place, fail_for_odd)
    monkeypatch.setattr("tempfile.tempdir", str(logs))
    first, second = run(".", "--output-format", "concise"), run(".", "--output-format", "concise")
    assert (first.status, first.err) == (2, "")
    assert "2 waits in the training step and 1 internal error (3 of" in first.out
    told = re.search(
        r"^odd\.py:1:1: SYN003 internal-error: internal error ([0-9a-f]{8}) \(ZeroDivisionError\), "
        r"please report it with (.+\.log) \[high\]$",
        first.out,
        re.MULTILINE,
    )
    assert told, first.out
    assert "an invented mistake" in Path(told[2]).read_text(encoding="utf-8")
    # The same mistake has the same id in every report of it.
    assert told[1] in second.out


def test_a_mistake_in_a_file_that_others_use_costs_them_nothing(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(expressions._HANDLERS, ast.Set, fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    (tmp_path / "odd.py").write_text("import torch\ndef f(a): return {a}\n")
    for name in ("a.py", "z.py"):
        (tmp_path / name).write_text(f"import odd\nodd.f(1)\n{HAZARD}")
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (2, "")
    assert re.search(r"^odd\.py:2:11: SYN003 internal-error: internal error [0-9a-f]{8} ", result.out, re.MULTILINE)
    assert "2 waits in the training step and 1 internal error (3 of" in result.out


def test_a_disk_without_room_for_a_log_still_leaves_the_line(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(HAZARD)

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("synclint.analysis.project.ProjectAnalysis.analyse", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    told = r"a\.py:1:1: SYN003 internal-error: internal error [0-9a-f]{8} \(ZeroDivisionError\), please report it \["
    assert re.match(told, run("a.py", "--output-format", "concise").out)


# A run that is stopped


def reader_of(pipe: Path) -> int:
    """Open a pipe for writing once somebody reads from it."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    raise AssertionError("nobody reads")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_no_process_and_no_half_written_report_stays(tmp_path: Path, sent: signal.Signals) -> None:
    plant_two_shares(tmp_path)
    report = tmp_path / "report.json"
    report.write_text("before")
    pipe = tmp_path / "zz.py"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "synclint", ".", "zz.py", "--jobs", "2", "--output-file", "json=report.json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    writing = reader_of(pipe)
    until_it_sleeps(process.pid)
    process.send_signal(sent)
    process.wait(timeout=60)
    # A process whose parent was killed notices when it has something to tell.
    os.close(writing)
    # The output ends only when no process that could write to it is left.
    out, err = process.communicate(timeout=60)
    assert out == ""
    if sent == signal.SIGINT:
        assert (process.returncode, err.strip()) == (130, "synclint: error: interrupted")
    assert report.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".py"] == ["report.json"]
