"""What a measurement was made with: releases of libraries, and the commit of the checkout."""

from __future__ import annotations

import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# Libraries that cases of rules run.
_LIBRARIES = ("torchmetrics", "torchvision", "numpy", "accelerate", "lightning", "pytorch-lightning", "transformers")
_PACKAGE = Path(__file__).parents[1]


def releases() -> dict[str, str]:
    """The releases of the libraries that are installed."""
    found = {name: _release(name) for name in _LIBRARIES}
    return {name: release for name, release in found.items() if release is not None}


def _release(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def commit_of_checkout() -> str | None:
    """The commit that this program runs from, with "+changes" where files differ; None if it is in no checkout."""
    # An environment may lie in a checkout of something else, which does not know our files.
    if _git("ls-files", "--error-unmatch", "version.py") is None:
        return None
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return None
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "..")
    return commit if changed == "" else f"{commit}+changes"


def _git(*arguments: str) -> str | None:
    """What git says in the folder of the program; None where there is no git, or it refuses."""
    try:
        done = subprocess.run(
            ["git", "-C", str(_PACKAGE), *arguments], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
