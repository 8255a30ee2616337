"""What the README and the documentation show is what the program does, and their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from synclint.rules.loading import load_rules
from synclint.version import REVISION, __version__

REPOSITORY = Path(__file__).parent.parent
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BLOB = "https://github.com/synclint/synclint/blob/main/"
RAW = "https://raw.githubusercontent.com/synclint/synclint/main/"


@pytest.mark.parametrize("name", ["generate_rule_table.py", "draw_terminal.py"])
def test_the_generated_parts_of_the_documentation_are_current(name: str) -> None:
    checked = subprocess.run([sys.executable, REPOSITORY / "scripts" / name, "--check"], check=False)
    assert checked.returncode == 0, f"run `python scripts/{name}`"


def test_links_within_the_documentation_lead_somewhere() -> None:
    for page in (*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_links_of_the_readme_work_where_a_package_index_shows_it() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    for target in targets:
        assert target.startswith((BLOB, RAW)), f"{target} leads nowhere outside of the repository"
        assert (REPOSITORY / target.removeprefix(BLOB).removeprefix(RAW)).is_file(), target


def test_the_readme_begins_with_how_to_install_and_how_to_test() -> None:
    commands = re.findall(r"```console\n(.*?)\n```", README, re.DOTALL)
    environment = "python3 -m venv .venv && . .venv/bin/activate && "
    assert commands[:2] == [
        f"{environment}pip install . && synclint examples/",
        f"{environment}pip install -e '.[dev]' && pytest -n 2",
    ]


def test_the_first_command_of_the_readme_shows_waits() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "synclint", "--no-cache", "examples/"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 1, checked.stderr
    assert "examples/train.py:32:18: SYN201" in checked.stdout


def test_the_readme_names_the_python_versions_that_the_package_does() -> None:
    versions = re.findall(r"Python :: (3\.\d+)", (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"Python {', '.join(versions[:-1])} or {versions[-1]}" in README


def test_pages_and_examples_name_the_revision_that_reports_link_to() -> None:
    assert REVISION in ("main", f"v{__version__}")
    named = []
    for page in (*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")):
        text = page.read_text(encoding="utf-8")
        named += re.findall(r"synclint/synclint@(\S+)|repo: https://github\.com/synclint/synclint\n  rev: (\S+)", text)
    assert len(named) > 4
    assert {action or hook for action, hook in named} == {REVISION}


def test_the_readme_counts_the_rules_and_says_what_was_not_measured() -> None:
    text = " ".join(README.split())
    # Written by scripts/generate_rule_table.py, whose output is compared above.
    assert "Run on a GPU: <!-- evidence -->" in text
    assert f"[{len(load_rules())} rules]" in text
