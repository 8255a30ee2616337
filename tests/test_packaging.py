"""What is installed is what works here: rules and catalogue inside the wheel, and no torch needed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from command_line import HAZARD

from synclint.rules.loading import all_rules, load_rules

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(REPOSITORY),
    ]
    subprocess.run(command, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution built from the repository, and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(REPOSITORY)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder)
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of programs of a fresh environment into which the wheel has been installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return programs


def call(program: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FORCE_COLOR")}
    return subprocess.run(
        [program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_every_rule_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for rule in load_rules():
        assert rule.folder is not None
        for file in ("rule.toml", "README.md", "hazard.py", "sync_free.py"):
            assert f"synclint/rules/{rule.folder.name}/{file}" in names
        assert (f"synclint/rules/{rule.folder.name}/fix.py" in names) is (rule.folder / "fix.py").is_file()
    assert "synclint/py.typed" in names
    assert "synclint/report/page.html" in names
    assert "synclint/report/page.js" in names
    assert "synclint/catalog/torch_api.json" in names
    assert not [name for name in names if name.endswith(".pyc") or name.startswith(("tests/", "rules/"))]


def test_the_source_distribution_holds_what_its_tests_read(unpacked: Path) -> None:
    reading = [
        str(path)
        for path in sorted((unpacked / "tests").glob("test_*.py"))
        if re.search(r"\bparent\.parent\b|\bparents\[", path.read_text(encoding="utf-8"))
    ]
    assert len(reading) > 10
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *reading],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert collected.returncode == 0, collected.stdout[-2000:]
    for name in ("action.yml", ".pre-commit-hooks.yaml", "CONTRIBUTING.md", "examples/train.py"):
        assert (unpacked / name).is_file()


def test_the_installed_program_lists_and_explains_its_rules(installed: Path, tmp_path: Path) -> None:
    listed = call(installed / "synclint", "rules", folder=tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [rule.code for rule in all_rules()]
    explained = call(installed / "synclint", "explain", "nonzero", folder=tmp_path)
    assert (explained.returncode, explained.stderr) == (0, "")
    assert explained.stdout.startswith("# SYN101 nonzero\n")


def test_linting_works_where_torch_is_not_installed(installed: Path, tmp_path: Path) -> None:
    assert call(installed / "python", "-c", "import torch", folder=tmp_path).returncode != 0
    (tmp_path / "loss.py").write_text(HAZARD)
    result = call(installed / "synclint", ".", folder=tmp_path)
    assert (result.returncode, result.stderr) == (1, "")
    assert "\nloss.py:5:12: SYN101 nonzero: " in result.stdout
