"""Fixes a copy of a repository, and compares what its own tests say of it before and after.

    python scripts/fix_and_test.py REPOSITORY --package src/torchmetrics --tests tests/unittests/bases [-- -k mean]

REPOSITORY is a checkout with the sources and tests of a package. Two copies are made, and ``--fix`` is run over the
package in one of them (with ``--unsafe-fixes``, those as well). Then pytest runs the same tests in both; what follows
``--`` is passed on to it. The exit status is 1 where a test that passed before does not pass afterwards.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

_LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", ".pytest_cache")
_PASSED = "passed"


def copied(repository: Path, folder: Path) -> Path:
    """A copy of a repository without its history."""
    return Path(shutil.copytree(repository, folder, ignore=_LEFT_OUT))


def fix(package: Path, *, unsafe: bool) -> str:
    """Fix a package; what synclint says of it."""
    command = [sys.executable, "-m", "synclint", "check", "--isolated", "--no-cache", "--fix-only", "--runs", "all"]
    command += ["--unsafe-fixes"] if unsafe else []
    done = subprocess.run([*command, str(package)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"synclint ended with status {done.returncode}: {done.stderr}")
    return done.stderr.strip()


def outcomes(repository: Path, package: str, tests: Sequence[str], arguments: Sequence[str]) -> dict[str, str]:
    """What pytest says of each test, by its name."""
    report = repository / "report-of-tests.xml"
    sources = os.pathsep.join([str((repository / package).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": sources, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    command += [*arguments, *tests]
    subprocess.run(command, cwd=repository, env=environment, check=False, stdout=subprocess.DEVNULL)
    if not report.exists():
        raise SystemExit(f"pytest wrote no report in {repository}")
    return {f"{case.get('classname')}::{case.get('name')}": _outcome(case) for case in _cases(report)}


def _cases(report: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(report).getroot().iter("testcase"))


def _outcome(case: ElementTree.Element) -> str:
    return next((part.tag for part in case if part.tag in ("failure", "error", "skipped")), _PASSED)


def worse(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The tests that passed before, and do not afterwards."""
    return sorted(name for name, said in before.items() if said == _PASSED and after.get(name) != _PASSED)


def main() -> int:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--package", required=True, help="the package, relative to the repository")
    parser.add_argument("--tests", nargs="+", required=True, help="the tests, relative to the repository")
    parser.add_argument("--unsafe-fixes", action="store_true")
    given, passed_on = parser.parse_known_args()
    arguments = [argument for argument in passed_on if argument != "--"]
    with tempfile.TemporaryDirectory() as scratch:
        before, after = (copied(given.repository, Path(scratch).resolve() / name) for name in ("before", "after"))
        print(fix(after / given.package, unsafe=given.unsafe_fixes) or "nothing to fix")
        old, new = (outcomes(folder, given.package, given.tests, arguments) for folder in (before, after))
    for name, said in (("before", old), ("after", new)):
        counts = sorted(Counter(said.values()).items())
        print(f"{name}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts))
    lost = worse(old, new)
    for test in lost:
        print(f"no longer passes: {test}")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
