"""What lies in the folder of a cache is believed where this user wrote it, and cannot keep a run from its end."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import HAZARD, Synclint

from synclint.memo.entry_files import LIMIT_BYTES, Entries
from synclint.memo.user_secret import user_secret

CACHE = "--cache-dir=kept"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def body_of(entry: Path) -> dict[str, Any]:
    values = json.loads(entry.read_bytes().partition(b"\n")[2])
    assert isinstance(values, dict)
    return values


def without_findings(values: dict[str, Any]) -> dict[str, Any]:
    return values | {"reports": [report | {"findings": []} for report in values["reports"]]}


# Who wrote an entry


def by_another_user(entry: Path, values: object) -> None:
    """Write an entry as the program does for somebody who has another secret."""
    Entries(entry.parent, b"x" * 32).write({entry.stem: values})


def by_hand(entry: Path, values: object) -> None:
    """Write an entry with a checksum that needs no secret."""
    body = json.dumps(values).encode()
    entry.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def without_checksum(entry: Path, values: object) -> None:
    entry.write_bytes(b"\n" + json.dumps(values).encode())


FORGED = pytest.mark.parametrize("forge", [by_another_user, by_hand, without_checksum])


@FORGED
def test_an_entry_that_somebody_else_made_is_not_believed(
    run: Synclint, tmp_path: Path, forge: Callable[[Path, object], None]
) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run(CACHE, "main.py")
    assert "SYN101" in fresh.out
    (entry,) = entries(tmp_path / "kept")
    forge(entry, without_findings(body_of(entry)))
    assert run(CACHE, "main.py") == fresh


def test_an_entry_of_the_user_that_says_so_is_believed(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    run(CACHE, "main.py")
    (entry,) = entries(tmp_path / "kept")
    own = Entries(entry.parent, (own_cache / "key").read_bytes())
    own.write({entry.stem: without_findings(body_of(entry))})
    assert run(CACHE, "main.py").out == "No waits found in 1 file.\n"


def test_an_entry_of_the_user_is_not_believed_under_another_name(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run(CACHE, "main.py")
    (entry,) = entries(tmp_path / "kept")
    run(CACHE, "--ignore", "SYN101", "main.py")
    (other,) = set(entries(tmp_path / "kept")) - {entry}
    other.replace(entry)
    assert run(CACHE, "main.py") == fresh


# What an entry is


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def circle(path: Path) -> None:
    path.symlink_to(path.name)


def elsewhere(path: Path) -> None:
    own = path.with_suffix(".moved")
    path.rename(own)
    path.symlink_to(own.name)


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(LIMIT_BYTES * 1000)


def nested(path: Path) -> None:
    path.write_bytes(b"0" * 64 + b"\n" + b"[" * 10_000_000)


ODD = pytest.mark.parametrize("make", [fifo, endless, circle, sparse, nested])


@ODD
def test_an_entry_that_is_no_file_of_ours_is_replaced(
    run: Synclint, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run(CACHE, "main.py")
    (entry,) = entries(tmp_path / "kept")
    entry.unlink()
    make(entry)
    assert run(CACHE, "main.py") == fresh
    assert stat.S_ISREG(entry.lstat().st_mode)
    assert b"SYN101" in entry.read_bytes()


def test_an_entry_behind_a_link_is_not_read(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run(CACHE, "main.py")
    (entry,) = entries(tmp_path / "kept")
    elsewhere(entry)
    assert run(CACHE, "main.py") == fresh
    assert not entry.is_symlink()


def test_an_entry_that_is_a_directory_is_done_without(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run(CACHE, "main.py")
    (entry,) = entries(tmp_path / "kept")
    entry.unlink()
    (entry / "something").mkdir(parents=True)
    assert run(CACHE, "main.py") == fresh
    assert (entry / "something").is_dir()


@pytest.mark.parametrize("error", [OSError(28, "full"), MemoryError(), RecursionError(), ValueError("odd")])
@pytest.mark.parametrize("place", ["synclint.memo.entry_files._write", "synclint.memo.entry_files.json.dumps"])
def test_a_run_that_has_printed_its_findings_ends_well_whatever_becomes_of_the_cache(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, error: Exception
) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run("--no-cache", "main.py")

    def fail(first: object, *rest: object) -> str:
        if place.endswith("dumps") and not isinstance(first, dict):
            return "[]"
        raise error

    monkeypatch.setattr(place, fail)
    assert run(CACHE, "main.py") == fresh


# The secret


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    secret = user_secret(folder)
    assert secret is not None
    assert len(secret) == 32
    assert user_secret(folder) == secret
    assert user_secret(tmp_path / "other") != secret
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["key"]


def readable(path: Path) -> None:
    path.write_bytes(b"s" * 32)
    path.chmod(0o644)


def short(path: Path) -> None:
    path.write_bytes(b"s" * 31)
    path.chmod(0o600)


def long(path: Path) -> None:
    path.write_bytes(b"s" * 33)
    path.chmod(0o600)


def linked(path: Path) -> None:
    short(path.with_name("theirs"))
    path.with_name("theirs").write_bytes(b"s" * 32)
    path.symlink_to("theirs")


@pytest.mark.parametrize("make", [readable, short, long, linked, fifo, endless, circle])
def test_what_is_no_secret_is_replaced(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "key")
    secret = user_secret(tmp_path)
    assert secret not in (None, b"s" * 32)
    assert user_secret(tmp_path) == secret
    assert stat.S_IMODE((tmp_path / "key").lstat().st_mode) == 0o600


def test_runs_at_the_same_time_agree_on_a_secret(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from synclint.memo.user_secret import user_secret;"
        "sys.stdin.read(); print(user_secret(Path(sys.argv[1])).hex())"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    runs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    for process in runs:
        assert process.stdin is not None
        process.stdin.close()
    said = {process.stdout.read() for process in runs if process.stdout is not None}
    assert [process.wait() for process in runs] == [0] * 8
    assert len(said) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_user_who_can_keep_no_secret_keeps_no_results(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.py").write_text(HAZARD)
    fresh = run("--no-cache", "main.py")
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    assert run(CACHE, "main.py") == fresh
    assert not (tmp_path / "kept").exists()
    assert user_secret(tmp_path / "taken") is None
