"""The benchmarks run and write their results. Nothing here looks at how long anything took."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import CLEAN, HAZARD

from benchmarks.corpus import Corpus, copies, corpus, packages_without_torch, standard_library
from benchmarks.figures import Bound, compared, figures, large_figures
from benchmarks.measurement import MEASURED_PHASES, Large, LinterCost, Measurement, Round
from benchmarks.programs import Cost

REPOSITORY = Path(__file__).parent.parent


def benchmarks(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(
        command, cwd=REPOSITORY, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def records(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of results of one round over a corpus of three files, one of which is no Python."""
    folder = tmp_path_factory.mktemp("measured")
    corpus = folder / "tiny"
    corpus.mkdir()
    (corpus / "hazard.py").write_text(HAZARD)
    (corpus / "clean.py").write_text(CLEAN)
    (corpus / "broken.py").write_text("def\n")
    output = ("--output", str(folder / "results"))
    # Where there is Matplotlib, it keeps a list of fonts, which is no result.
    kept = {"XDG_CACHE_HOME": str(folder / "cache"), "MPLCONFIGDIR": str(folder / "fonts")}
    ended = benchmarks(str(corpus), "--rounds", "1", "--large", "30", *output, **kept)
    assert ended.returncode == 0, ended.stderr
    return folder / "results"


def test_the_page_has_a_table_of_figures_and_targets_of_phases_and_of_seconds(measured: Path) -> None:
    page = (measured / "RESULTS.md").read_text(encoding="utf-8")
    assert "## tiny\n\n3 files, " in page
    for row in (
        r"total / libcst.parse_module \| \d+\.\d\d \| ≤ 1.5, better ≤ 1.25 \| (met|\*\*missed\*\*)",
        r"one process / two processes \| \d+\.\d\d \| ≥ 1.8 \| (met|\*\*missed\*\*)",
        r"unchanged files, wall \| \d+\.\d+ s \| ≤ 0.5 s \| (met|\*\*missed\*\*)",
        r"small file, nothing cached, wall \| \d+\.\d+ s \| ≤ 0.25 s \| (met|\*\*missed\*\*)",
        r"small file, unchanged, wall \| \d+\.\d+ s \| ≤ 0.15 s \| (met|\*\*missed\*\*)",
        r"ast.parse, CPU \| \d+\.\d\d\d",
    ):
        assert re.search(rf"^\| {row} \|$", page, re.MULTILINE), row
    for phase in ("discover", "parse", "analyse", "report"):
        assert re.search(rf"^\| {phase} \| \d+\.\d\d\d \|$", page, re.MULTILINE)


def test_a_bound_holds_at_its_limit_and_on_one_side_of_it() -> None:
    assert [Bound(1.5).is_met(value) for value in (1.4, 1.5, 1.6)] == [True, True, False]
    assert [Bound(15, at_least=True).is_met(value) for value in (14, 15, 16)] == [False, True, True]


def test_targets_follow_what_a_corpus_is_made_of() -> None:
    took = Cost(wall=1, cpu=1, memory=1)
    phases = dict.fromkeys(MEASURED_PHASES, 0.1)
    double = Cost(wall=2, cpu=2, memory=1)
    torchfix = LinterCost(every_core=Cost(20, 30, 1), one_process=Cost(30, 30, 1))
    one = Round(4, 1, phases, double, took, took, 2, took, took, took, {"torchfix 0.7.0": torchfix})

    def bounded(name: str) -> dict[str, str]:
        measurement = Measurement(Corpus(name, Path(), 1, 1, 1), (one,))
        return {figure.name: str(figure.bound) for figure in figures(measurement) if figure.bound}

    assert bounded("stdlib")["libcst.parse_module / total"] == "≥ 5"
    assert not {"total / libcst.parse_module", "unchanged files, wall"} & set(bounded("stdlib"))
    assert bounded("torchmetrics")["torchfix 0.7.0 / synclint, one process each"] == "≥ 15"
    assert "libcst.parse_module / total" not in bounded("torchmetrics")
    assert compared(Measurement(Corpus("a", Path(), 1, 1, 1), (one,))) == {
        "torchfix 0.7.0": {
            "one process each": 15,
            "every core each": 20,
            "every core against one process": 10,
        }
    }


def test_only_a_million_lines_are_held_against_the_bound_on_memory() -> None:
    cost = Cost(wall=1, cpu=1, memory=1)
    large = [Large(Corpus("a", Path(), 1, lines, 1), cost) for lines in (999_999, 1_000_000)]
    assert [str(large_figures(one)[0].bound) for one in large] == ["None", "≤ 1000"]


def test_a_general_corpus_leaves_out_tests_and_what_needs_torch() -> None:
    library = {file.place.as_posix() for file in standard_library()}
    assert {"library/json/decoder.py", "library/ast.py"} <= library
    packages = {file.place.as_posix() for file in packages_without_torch()}
    assert {"packages/click/core.py", "packages/libcst/__init__.py"} <= packages
    assert not {"torch", "torchmetrics", "functorch", "synclint"} & {place.split("/")[1] for place in packages}
    assert not [place for place in library | packages if {"test", "tests", "site-packages"} & set(place.split("/"))]


def test_a_corpus_is_a_copy_of_the_files_that_are_checked(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "build").mkdir(parents=True)
    (package / "build" / "left_out.py").touch()
    (package / "module.py").write_text("import package.other\n")
    (package / "data.txt").touch()
    copied = corpus(str(package), tmp_path / "copied")
    assert (copied.name, copied.files, copied.lines) == ("package", 1, 1)
    assert [path.name for path in copied.folder.rglob("*") if path.is_file()] == ["module.py"]


def test_copies_of_a_corpus_import_themselves(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "module.py").write_text("import package.other, packages\n\n")
    copied = copies(corpus(str(package), tmp_path / "copied"), 3, tmp_path / "large")
    assert (copied.name, copied.files, copied.lines) == ("package, 2 times", 2, 4)
    for number in (0, 1):
        text = (copied.folder / f"package_{number}" / "module.py").read_text()
        assert text == f"import package_{number}.other, packages\n\n"


def test_the_cache_of_the_user_gets_no_results(measured: Path) -> None:
    """What runs keep elsewhere is sealed with the user's key; that, and that reports have been explained, is all."""
    made = sorted(path.name for path in (measured.parent / "cache").rglob("*") if path.is_file())
    assert made == ["explained", "key"]


def test_results_name_no_path_of_the_machine(measured: Path) -> None:
    for name in ("RESULTS.md", "history.jsonl"):
        text = (measured / name).read_text(encoding="utf-8")
        assert str(measured.parent) not in text
        assert str(REPOSITORY) not in text
        assert str(Path.home()) not in text


def test_each_run_adds_lines_to_the_history_and_keeps_those_before(measured: Path, tmp_path: Path) -> None:
    tiny, hook, large = records(measured)
    assert tiny["corpus"]["files"] == 3
    assert set(tiny["phases"]) >= {"parse", "analyse"}
    assert "small file, unchanged, wall" in hook["hook"]
    assert (large["corpus"]["name"], large["corpus"]["files"]) == ("tiny, 3 times", 9)
    (tmp_path / "history.jsonl").write_text((measured / "history.jsonl").read_text())
    corpus = tmp_path / "one"
    corpus.mkdir()
    (corpus / "clean.py").write_text(CLEAN)
    assert benchmarks(str(corpus), "--rounds", "1", "--output", str(tmp_path)).returncode == 0
    *kept, added, _ = records(tmp_path)
    assert kept == [tiny, hook, large]
    assert added["corpus"]["name"] == "one"


def test_linters_to_compare_with_are_named_as_they_name_themselves_or_left_out(measured: Path, tmp_path: Path) -> None:
    program = tmp_path / "flake8"
    program.write_text(f"#!{sys.executable}\nprint('1.2.3 (plugin: 4) CPython 3.99')\n")
    program.chmod(0o755)
    output = tmp_path / "out"
    tiny = str(measured.parent / "tiny")
    ended = benchmarks(tiny, "--rounds", "1", "--compare", "--output", str(output), PATH=str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert "torchfix is not installed: left out" in ended.stderr
    assert list(records(output)[0]["compared"]) == ["flake8 1.2.3 (plugin: 4)"]


@pytest.mark.parametrize("named", ["no_such_package_anywhere", "json.decoder"])
def test_a_corpus_that_is_neither_directory_nor_package_is_told_in_one_line(named: str, tmp_path: Path) -> None:
    ended = benchmarks(named, "--output", str(tmp_path))
    assert ended.returncode == 1
    said = f"Error: {named}: neither a directory nor an installed package, nor one of stdlib, general\n"
    assert ended.stderr == said
    assert list(tmp_path.iterdir()) == []
