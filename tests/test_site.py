"""The documentation site is built without a warning, and its pages say of their code what waits."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from synclint.rules.loading import load_rules

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The hook of MkDocs that makes pages of the rules."""
    spec = spec_from_file_location("site_pages", REPOSITORY / "scripts" / "site_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is published."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_each_rule_has_a_page_with_both_programs(site: Path) -> None:
    for rule in load_rules():
        assert rule.folder is not None
        page = (site / "rules" / rule.folder.name / "index.html").read_text(encoding="utf-8")
        assert f"{rule.code} {rule.name}" in page
        assert re.search(r"<label[^>]*>Waits</label>.*?<label[^>]*>Does not wait</label>", page, re.DOTALL)


def test_the_first_screens_have_the_measured_figures(site: Path) -> None:
    calibration = (REPOSITORY / "docs" / "calibration.md").read_text(encoding="utf-8")
    row = re.search(r"^\| all \| ([\d.]+ % \(\d+ of \d+\)) .*\| ([\d.]+ %) \|$", calibration, re.MULTILINE)
    assert row is not None
    for page in (".", "inference", "frequency", "calibration"):
        text = unescape((site / page / "index.html").read_text(encoding="utf-8"))
        assert f"<strong>{row[2]}</strong>" in text
        assert f"<strong>{row[1]}</strong>" in text


def test_nothing_on_the_first_page_is_loaded_from_elsewhere(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="([^"]+)"', page)
    assert loaded
    assert not [address for address in loaded if "//" in address]


def test_of_two_blocks_without_a_word_between_them_the_first_waits(hook: ModuleType) -> None:
    block = "```python\n{}\n```\n"
    page = f"A\n\n{block.format('a')}\n{block.format('b')}\nB\n\n{block.format('c')}\nC\n\n{block.format('d  # waits')}"
    labels = re.findall(r'title="(.*?)"', hook.labelled(page))
    assert labels == ["Waits", "Does not wait", "Does not wait", "Waits, or does not: see the comments"]


def test_every_block_of_python_in_the_pages_has_a_label(hook: ModuleType) -> None:
    for rule in load_rules():
        assert "```python" not in hook.labelled(rule.page)
        assert rule.page.count("```python") == hook.labelled(rule.page).count("title=")
