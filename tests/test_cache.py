"""The cache of results never changes an answer, and never gets in the way."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import HAZARD, Run, Synclint

import synclint
from synclint.config import Options
from synclint.findings import (
    Applicability,
    CallPlace,
    Confidence,
    Context,
    Edit,
    Finding,
    Fix,
    Phase,
    Position,
    Repetition,
    Severity,
    Span,
)
from synclint.memo import entry_files
from synclint.memo.entry_files import LIMIT_BYTES
from synclint.memo.folders import default_folder
from synclint.memo.program import fingerprint
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_of, report_values
from synclint.running import cache
from synclint.running.cache import check_files_cached
from synclint.sources.embedded import Block, Embedded

CALLER = """\
import torch
from helper import pick


def loss(prediction: torch.Tensor) -> torch.Tensor:
    kept = pick(prediction.cuda())
    return kept.item()
"""
ON_DEVICE = "import torch\n\n\ndef pick(x):\n    return x.sum()\n"
ON_HOST = "import torch\n\n\ndef pick(x):\n    return torch.zeros(()).cpu()\n"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def same_with_and_without(run: Synclint, *arguments: str) -> Run:
    """What a run says, which must be the same twice with the cache and once without."""
    fresh = run("--no-cache", *arguments)
    assert run(*arguments) == fresh
    assert run(*arguments) == fresh
    return fresh


def test_no_edit_makes_a_cached_answer_differ(run: Synclint, tmp_path: Path) -> None:
    arguments = ("--cold", "--min-confidence", "low", "main.py")
    (tmp_path / "main.py").write_text(CALLER)
    missing = same_with_and_without(run, *arguments)
    (tmp_path / "helper.py").write_text(ON_DEVICE)
    on_device = same_with_and_without(run, *arguments)
    (tmp_path / "helper.py").write_text(ON_HOST)
    on_host = same_with_and_without(run, *arguments)
    assert "SYN201" in on_device.out
    assert "SYN201" not in on_host.out
    (tmp_path / "helper").mkdir()
    (tmp_path / "helper" / "__init__.py").write_text(ON_DEVICE)
    assert same_with_and_without(run, *arguments) == on_device
    (tmp_path / "helper" / "__init__.py").unlink()
    (tmp_path / "helper").rmdir()
    assert same_with_and_without(run, *arguments) == on_host
    (tmp_path / "helper.py").unlink()
    assert same_with_and_without(run, *arguments) == missing


def test_a_helper_that_cannot_be_parsed_is_looked_at_again_when_mended(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(CALLER)
    (tmp_path / "helper.py").write_text("def pick(:\n")
    same_with_and_without(run, "--cold", "main.py")
    (tmp_path / "helper.py").write_text(ON_HOST)
    assert "SYN201" not in same_with_and_without(run, "--cold", "main.py").out


def test_a_stub_beside_a_file_counts(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("def loss(x):\n    for _ in range(9):\n        print(x.item())\n")
    same_with_and_without(run, "--cold", "main.py")
    (tmp_path / "main.pyi").write_text("import torch\n\ndef loss(x: torch.Tensor) -> None: ...\n")
    same_with_and_without(run, "--cold", "main.py")


def test_options_and_releases_have_entries_of_their_own(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    assert same_with_and_without(run, "main.py").status == 1
    assert same_with_and_without(run, "--ignore", "SYN1", "main.py").status == 0
    same_with_and_without(run, "--library-versions", "torchmetrics=1.5", "main.py")
    assert len(entries(own_cache)) == 3
    (tmp_path / "requirements.txt").write_text("torchmetrics==1.4.0\n")
    same_with_and_without(run, "main.py")
    assert len(entries(own_cache)) == 4


def test_another_format_is_served_from_the_same_entry(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    run("main.py")
    assert json.loads(run("--output-format", "json", "main.py").out)
    assert len(entries(own_cache)) == 1


def test_notebooks_are_told_by_cell_from_the_cache(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": HAZARD}
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "main.ipynb").write_text(json.dumps(notebook))
    assert "SYN101" in same_with_and_without(run, "main.ipynb").out
    assert len(entries(own_cache)) == 1


def test_a_report_comes_back_as_it_was() -> None:
    span = Span(Position(3, 5), Position(4, 1))
    full = Finding(
        code="SYN101",
        name="nonzero",
        message="it waits \udcff",
        filename="a\udcfe.py",
        span=span,
        severity=Severity.INFO,
        confidence=Confidence.LOW,
        mechanism="shape",
        context=Context(
            Phase.EVAL,
            "in a loop",
            times=(Repetition("layer", "a.py", 3),),
            path=(CallPlace("f", "b.py", 4),),
            captured="a graph",
            assumed=True,
        ),
        instead="torch.where",
        url="https://example.org",
        evidence=("x is a tensor", "x is on the device"),
        construct="nonzero",
        subject="x",
        cause="a.py:1",
        group="0123",
        repeats=True,
        priority=12.5,
        fix=Fix("write y", (Edit(span, "y"), Edit(span, "z", "/b.py", 3)), Applicability.UNSAFE, "it differs"),
        cell=2,
    )
    embedded = Embedded("x\n", "%x\n", (Block(1, (3,), (4,), 2), Block(2, (), ())))
    report = FileReport(Path("a\udcfe.py"), (full, replace(full, fix=None, cell=None)), "x\n", embedded=embedded)
    report = replace(report, unshown=(full,), unsure=(full, full))
    assert report_of(json.loads(json.dumps(report_values(report))), lambda path: report.source) == report


def test_a_hit_imports_neither_the_parser_nor_the_analysis(own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    program = (
        "import sys; from synclint.cli import main; main(['--isolated', '--cold', '--output-format', 'json', '.']);"
        "print([n for n in sys.modules if n.startswith(('libcst', 'synclint.analysis'))], file=sys.stderr)"
    )
    command = [sys.executable, "-c", program]
    first, second = (
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert "synclint.analysis.interpreter.engine" in first.stderr
    assert second.stderr == "[]\n"
    assert second.stdout == first.stdout
    assert "SYN101" in second.stdout


@pytest.mark.parametrize("damage", [b"", b"\0" * 50, b"{}", b"0" * 64 + b"\n{}"])
def test_a_damaged_entry_is_replaced(run: Synclint, own_cache: Path, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run("main.py")
    (entry,) = entries(own_cache)
    whole = entry.read_bytes()
    for broken in (damage, whole[:-9], whole.replace(b"SYN101", b"SYN102")):
        entry.write_bytes(broken)
        assert run("main.py") == fresh
        assert b"SYN101" in entry.read_bytes()


def test_values_of_another_kind_are_refused() -> None:
    good = report_values(FileReport(Path("a.py")))
    for bad in (good | {"source": 1}, good | {"findings": [{}]}, good | {"embedded": []}, {}):
        with pytest.raises((TypeError, ValueError, KeyError)):
            report_of(bad, str)


def test_a_folder_that_cannot_be_written_is_done_without(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    (tmp_path / "taken").write_text("a file")
    fresh = run("--no-cache", "main.py")
    assert run("--cache-dir", "taken/below", "main.py") == fresh
    assert run("--cache-dir", "taken", "main.py") == fresh
    assert (tmp_path / "taken").read_text() == "a file"


def test_a_read_only_folder_or_full_disk_is_done_without(
    run: Synclint, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "main.py").write_text(HAZARD)
    monkeypatch.setattr(entry_files, "_write", refuse)
    assert run("main.py") == run("--no-cache", "main.py")
    assert entries(own_cache) == []


def test_no_cache_reads_and_writes_nothing(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    run("--no-cache", "main.py")
    assert entries(own_cache) == []


def test_results_with_a_problem_are_not_kept(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(b"x = '\xff'\n")
    assert run("main.py").status == 2
    assert entries(own_cache) == []


def test_a_file_that_changes_during_the_run_is_not_kept(tmp_path: Path) -> None:
    path, folder = tmp_path / "main.py", tmp_path / "kept"
    path.write_text(HAZARD)

    def edit(count: int) -> None:
        path.write_text("x = 1\n")
        later = path.stat().st_ctime_ns
        while path.stat().st_ctime_ns == later:  # until the clock of the file system has gone on
            path.touch()

    (report,) = check_files_cached([path], [path], Options(), 1, edit, Phases(), folder)
    assert report.findings
    assert entries(folder) == []


def test_the_oldest_entries_make_room(tmp_path: Path) -> None:
    folder, path = tmp_path / "kept", tmp_path / "main.py"
    path.write_text(HAZARD)

    def keep(version: str, limit: int) -> None:
        options = Options(torch_version=version)
        list(check_files_cached([path], [path], options, 1, lambda count: None, Phases(), folder, limit))

    keep("2.4", LIMIT_BYTES)
    (first,) = entries(folder)
    os.utime(first, (1, 1))
    stranger = folder / "somebody.json"
    stranger.write_text("x" * 100_000)
    size = first.stat().st_size
    keep("2.5", 2 * size + 100)
    assert first.exists()
    keep("2.6", 2 * size + 100)
    assert not first.exists()
    assert len(entries(folder)) == 3
    assert stranger.exists()
    keep("2.7", size // 2)
    assert len(entries(folder)) == 3


def test_runs_at_the_same_time_do_not_disturb_one_another(own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    command = [sys.executable, "-m", "synclint", "--isolated", "."]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = {run.communicate()[0] for run in runs}
    assert len(said) == 1
    assert len(entries(own_cache)) == 1
    assert [path.name for path in own_cache.iterdir() if path.suffix == ".tmp"] == []


def test_the_hash_of_the_program_follows_its_contents(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("a.py", "b.toml", "c.json", "d.md")]
    seen = {fingerprint([(tmp_path, (".py", ".toml", ".json"))])}
    for path in names:
        path.write_text("1")
        seen.add(fingerprint([(tmp_path, (".py", ".toml", ".json"))]))
        before = path.stat()
        path.write_text("2")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        seen.add(fingerprint([(tmp_path, (".py", ".toml", ".json"))]))
    assert len(seen) == 7


def test_another_program_does_not_believe_an_entry(
    run: Synclint, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    run("main.py")
    monkeypatch.setattr(cache, "this_program", lambda: f"after {synclint.__version__}")
    run("main.py")
    assert len(entries(own_cache)) == 2


def test_the_default_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "synclint"


def test_entries_are_plain_json(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    run("main.py")
    (entry,) = entries(own_cache)
    assert stat.S_ISREG(entry.lstat().st_mode)
    values = json.loads(entry.read_bytes().partition(b"\n")[2])
    assert set(values) == {"states", "premises", "bases", "looked_at", "contexts", "shares", "paths", "reports"}
