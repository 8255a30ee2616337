"""The lines that have changed since a git revision, as git tells them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_ESCAPED = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}

# A repository's own configuration must neither run programs nor change what a diff looks like.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=true")
_DIFF = (
    "diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--ignore-submodules",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


class DiffBaseError(ValueError):
    """Git cannot tell what has changed; the message says why and what to do."""


@dataclass(frozen=True)
class ChangedLines:
    """The changed lines of the files in the repository at ``top``; None: all, the file is new."""

    top: Path
    files: Mapping[Path, tuple[range, ...] | None]

    def touch(self, path: Path, first: int, last: int) -> bool:
        """Whether one of the lines ``first`` to ``last`` of ``path`` (resolved) has changed."""
        if path not in self.files:
            return False
        ranges = self.files[path]
        return ranges is None or any(lines.start <= last and first < lines.stop for lines in ranges)


def changed_lines(revision: str, folder: Path) -> ChangedLines:
    """What has changed in the working tree since its history and ``revision`` parted. Raises DiffBaseError.

    Lines of files that git does not know yet, and does not ignore, have all changed.
    """
    top = Path(os.fsdecode(_top(folder)))
    base = _base(revision, top)
    files: dict[Path, tuple[range, ...] | None] = {
        top / name: ranges for name, ranges in parse_diff(_git(top, *_DIFF, base, "--"))
    }
    untracked = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    files |= {top / os.fsdecode(name): None for name in untracked.split(b"\0") if name}
    return ChangedLines(top, files)


def _top(folder: Path) -> bytes:
    try:
        return _git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n")
    except _GitFailureError as error:
        if "not a git repository" in str(error):
            raise DiffBaseError(f"--diff-base needs a git repository, and {folder} is in none") from None
        raise


def _base(revision: str, top: Path) -> str:
    """The commit from which both the working tree and ``revision`` come, as a pull request compares."""
    unknown = DiffBaseError(
        f"git knows no revision {revision!r}; fetch it first (a shallow clone lacks most: "
        "`git fetch --unshallow`, or `fetch-depth: 0` in GitHub's checkout action)"
    )
    if revision.startswith("-"):
        raise unknown
    try:
        commit = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except _GitFailureError:
        raise unknown from None
    try:
        return _git(top, "merge-base", "HEAD", commit).decode().strip()
    except _GitFailureError:  # nothing in common, or nothing committed yet
        return commit


class _GitFailureError(DiffBaseError):
    """Git ended with an error, which is the message."""


def _git(folder: Path, *arguments: str) -> bytes:
    plain = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        run = subprocess.run(
            [*_GIT, *arguments],
            cwd=folder,
            env=plain,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise DiffBaseError("--diff-base needs git, which is not installed") from None
    if run.returncode:
        told = run.stderr.decode("utf-8", "replace").strip() or f"status {run.returncode}"
        raise _GitFailureError(f"git {arguments[0]} failed: {told}")
    return run.stdout


def parse_diff(diff: bytes) -> Iterator[tuple[str, tuple[range, ...]]]:
    """The files of a ``git diff -U0`` that exist after it, each with the line numbers that are new in it."""
    lines = diff.decode("utf-8", "surrogateescape").split("\n")
    name: str | None = None
    ranges: list[range] = []
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        hunk = _HUNK.match(line)
        if line.startswith("diff --git "):
            if name is not None:
                yield name, tuple(ranges)
            name, ranges = None, []
        elif line.startswith("+++ "):
            name = _name(line[len("+++ ") :])
        elif hunk:
            removed, start, added = (1 if group is None else int(group) for group in hunk.groups())
            if added:
                ranges.append(range(start, start + added))
            # What was removed and added may itself look like a header.
            position = _after(lines, position, removed + added)
    if name is not None:
        yield name, tuple(ranges)


def _after(lines: Sequence[str], position: int, count: int) -> int:
    while position < len(lines) and (count or lines[position].startswith("\\")):
        count -= not lines[position].startswith("\\")
        position += 1
    return position


def _name(text: str) -> str | None:
    """The path behind ``+++``, None for a file that was deleted."""
    text = text.removesuffix("\t")
    if text == "/dev/null":
        return None
    if text.startswith('"') and text.endswith('"'):
        text = os.fsdecode(_unquoted(text[1:-1]))
    return text.removeprefix("b/")


def _unquoted(text: str) -> bytes:
    """A name as git writes it between quotes: octal numbers for bytes, C's escapes for the rest."""
    parts: list[bytes] = []
    position = 0
    for match in _ESCAPE.finditer(text):
        parts.append(os.fsencode(text[position : match.start()]))
        escape = match[1]
        code = int(escape, 8) if len(escape) > 1 else _ESCAPED.get(escape, ord(escape))
        parts.append(bytes([code]))
        position = match.end()
    return b"".join([*parts, os.fsencode(text[position:])])
