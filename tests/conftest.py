"""Fixtures that several test modules share."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import pytest
from command_line import Run, Synclint
from hypothesis import HealthCheck, settings

from synclint.cli import main

# A shell lets what it starts in the background ignore SIGINT, and so would every program that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


# How long an example takes says how busy the machine is, and nothing of the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# Each test has a cache of its own, but what is compiled for one of them serves all.
os.environ.setdefault(
    "SYNCLINT_DEVICE_FOLDER", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synclint")
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for the results that a test keeps between its runs, which no other test sees."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    # No test but those of it is about what is said after a user's first report.
    (folder / "synclint").mkdir()
    (folder / "synclint" / "explained").touch()
    return folder / "synclint"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Synclint:
    """The program, to be called with its arguments, in a directory that is empty at first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*arguments: str, stdin: bytes | None = None) -> Run:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(arguments)
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err)

    return call
