"""The benchmarks run and write their results. Nothing here looks at how long anything took."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD

REPOSITORY = Path(__file__).parent.parent


def benchmarks(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": os.environ["PATH"] if path is None else path}
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of results of one round over a corpus of three files, one of which is no Python."""
    folder = tmp_path_factory.mktemp("measured")
    corpus = folder / "tiny"
    corpus.mkdir()
    (corpus / "hazard.py").write_text(HAZARD)
    (corpus / "clean.py").write_text(CLEAN)
    (corpus / "broken.py").write_text("def\n")
    ended = benchmarks(str(corpus), "--rounds", "1", "--output", str(folder / "results"))
    assert ended.returncode == 0, ended.stderr
    return folder / "results"


def test_the_page_has_a_table_of_ratios_of_phases_and_of_seconds(measured: Path) -> None:
    page = (measured / "RESULTS.md").read_text(encoding="utf-8")
    assert "## tiny\n\n3 files, " in page
    for row in ("total / libcst.parse_module", "one process / two processes", "small file / import libcst"):
        assert re.search(rf"^\| {re.escape(row)} \| \d+\.\d\d \|$", page, re.MULTILINE)
    for phase in ("discover", "parse", "analyse", "report"):
        assert re.search(rf"^\| {phase} \| \d+\.\d\d\d \|$", page, re.MULTILINE)
    assert re.search(r"^\| ast.parse, CPU \| \d+\.\d\d\d \|$", page, re.MULTILINE)


def test_results_name_no_path_of_the_machine(measured: Path) -> None:
    for name in ("RESULTS.md", "history.jsonl"):
        text = (measured / name).read_text(encoding="utf-8")
        assert str(measured.parent) not in text
        assert str(REPOSITORY) not in text
        assert str(Path.home()) not in text


def test_each_run_adds_a_line_to_the_history_and_keeps_those_before(measured: Path, tmp_path: Path) -> None:
    line = (measured / "history.jsonl").read_text(encoding="utf-8")
    record = json.loads(line)
    assert record["corpus"]["files"] == 3
    assert set(record["phases"]) >= {"parse", "analyse"}
    (tmp_path / "history.jsonl").write_text(line)
    corpus = tmp_path / "one"
    corpus.mkdir()
    (corpus / "clean.py").write_text(CLEAN)
    assert benchmarks(str(corpus), "--rounds", "1", "--output", str(tmp_path)).returncode == 0
    kept, added = (tmp_path / "history.jsonl").read_text(encoding="utf-8").splitlines()
    assert kept == line.rstrip("\n")
    assert json.loads(added)["corpus"]["name"] == "one"


def test_a_linter_to_compare_with_is_left_out_where_it_is_not_installed(measured: Path, tmp_path: Path) -> None:
    corpus = measured.parent / "tiny"
    ended = benchmarks(str(corpus), "--rounds", "1", "--compare", "--output", str(tmp_path / "out"), path=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert "torchfix is not installed: left out" in ended.stderr
    assert json.loads((tmp_path / "out" / "history.jsonl").read_text())["compared"] == {}


def test_a_linter_that_is_installed_is_named_as_it_names_itself(measured: Path, tmp_path: Path) -> None:
    program = tmp_path / "flake8"
    program.write_text(f"#!{sys.executable}\nprint('1.2.3 (plugin: 4) CPython 3.99')\n")
    program.chmod(0o755)
    ended = benchmarks(
        str(measured.parent / "tiny"),
        "--rounds",
        "1",
        "--compare",
        "--output",
        str(tmp_path / "out"),
        path=str(tmp_path),
    )
    assert ended.returncode == 0, ended.stderr
    assert list(json.loads((tmp_path / "out" / "history.jsonl").read_text())["compared"]) == [
        "flake8 1.2.3 (plugin: 4)"
    ]


@pytest.mark.parametrize("corpus", ["no_such_package_anywhere", "json.decoder"])
def test_a_corpus_that_is_neither_directory_nor_package_is_told_in_one_line(corpus: str, tmp_path: Path) -> None:
    ended = benchmarks(corpus, "--output", str(tmp_path))
    assert ended.returncode == 1
    assert ended.stderr == f"Error: {corpus}: neither a directory nor an installed package\n"
    assert list(tmp_path.iterdir()) == []
