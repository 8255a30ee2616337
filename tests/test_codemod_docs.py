"""What docs/codemods.md and docs/own-rules.md show is what the files say, and does what the pages claim."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Synclint
from fix_cases import fix
from installed_rules import ACME

from synclint.verify.source_lines import marked_lines

REPOSITORY = Path(__file__).parent.parent
CODEMODS = (REPOSITORY / "docs" / "codemods.md").read_text(encoding="utf-8")
FIXES = (REPOSITORY / "docs" / "fixes.md").read_text(encoding="utf-8")
OWN_RULES = (REPOSITORY / "docs" / "own-rules.md").read_text(encoding="utf-8")
BLOCK = r"\n\n```\w+\n(.*?)```"
SHOWN = [
    found for page in (CODEMODS, OWN_RULES) for found in re.findall(rf"<!-- file: (\S+) -->{BLOCK}", page, re.DOTALL)
]


def block(page: str, name: str) -> str:
    (found,) = re.findall(rf"<!-- {name} -->{BLOCK}", page, re.DOTALL)
    return str(found)


@pytest.mark.parametrize(("name", "text"), SHOWN, ids=[name for name, _ in SHOWN])
def test_a_file_is_shown_as_it_is(name: str, text: str) -> None:
    assert (REPOSITORY / name).read_text(encoding="utf-8") == text


def test_every_part_of_the_example_that_decides_is_shown() -> None:
    shown = {name for name, _ in SHOWN}
    rules = ACME / "acme_training" / "synclint_rules"
    deciding = {*rules.glob("*/rule.toml"), *rules.glob("*/match.py"), *rules.glob("*/catalog.toml")}
    assert {path.relative_to(REPOSITORY).as_posix() for path in deciding} <= shown


def test_the_facts_are_read_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(
        "from losses import loss\n\n\ndef train(batches, optimizer):\n    for batch in batches:\n"
        "        total = loss(batch)\n        total.backward()\n        optimizer.step()\n        total.item()\n"
    )
    (tmp_path / "losses.py").write_text(
        "import torch\n\n\ndef loss(batch: torch.Tensor) -> torch.Tensor:\n    return batch.mean()\n"
    )
    exec(compile(block(CODEMODS, "reading"), "docs/codemods.md", "exec"), {})
    assert capsys.readouterr().out == "total.item()\n"


def test_the_codemod_does_what_the_page_says_and_nothing_when_it_is_run_again(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    before, after = block(CODEMODS, "before"), block(CODEMODS, "after")
    (source / "train.py").write_text(before)
    (source / "other.py").write_text("import torch\n\nBITS = 1 << 3\n")
    command = [sys.executable, "-m", "libcst.tool", "codemod", "-x", "--no-format", "keep_values.KeepValues", "src"]
    path = os.pathsep.join([str(REPOSITORY / "examples" / "codemods"), str(REPOSITORY)])
    environment = {**os.environ, "PYTHONPATH": path}
    unchanged = before.partition("        recorder << loss")[0]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert (source / "train.py").read_text() == unchanged + after
    assert (source / "other.py").read_text() == "import torch\n\nBITS = 1 << 3\n"


def test_the_entries_on_the_page_find_what_is_marked_there(run: Synclint, tmp_path: Path) -> None:
    source = block(OWN_RULES, "found")
    (tmp_path / "pyproject.toml").write_text(block(OWN_RULES, "configuration"))
    (tmp_path / "train.py").write_text(source)
    out = run("check", "--output-format", "concise", "train.py").out
    found = {int(line.split(":")[1]): (line.split()[1],) for line in out.splitlines() if ": SYN" in line}
    assert found == marked_lines(source)


def test_the_transformation_that_the_page_shows_makes_the_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, object] = {}
    exec(compile(block(FIXES, "transformation"), "docs/fixes.md", "exec"), shown)
    monkeypatch.setattr("synclint.fixes.with_libcst.transformations", lambda code: shown["TRANSFORMATIONS"])
    case = REPOSITORY / "rules/SYN209-tensor-as-number/fix_cases/unsafe_multiplied.py"
    source = tmp_path / "scaled.py"
    source.write_text(case.read_text(encoding="utf-8"))
    (change,) = fix(source, {}, unsafe=True).changes.values()
    assert "values.add_(other * (-2 * rate))" in change.after
    assert "values.addcmul_(other, other, value=rate)" in change.after
