"""Asks git about a repository without letting the repository run anything.

A repository's own configuration can name programs: filters, drivers for diffs, hooks, monitors of the file system,
and, where objects are missing, whatever fetches them. Only commands are used here that read objects, the index and
patterns of ignored files as they are; of what those could still start, each is switched off.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Git reads files that the repository names, and a pipe among them would never end.
LONGEST_SECONDS = 120.0
# A text that is larger than this is none that somebody has written.
LARGEST_TEXT_BYTES = 32 * 2**20

_OFF = (
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.attributesFile=",
    # A directory of the project may look like a repository without a working tree, with a configuration of its own.
    "-c", "safe.bareRepository=explicit",
    "-c", "core.quotePath=true",
)  # fmt: skip
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    **dict.fromkeys((f"GIT_{kind}_PATHSPECS" for kind in ("LITERAL", "GLOB", "NOGLOB", "ICASE")), "0"),
    # Git before 2.45 does not know the first and fetches what is missing, but by no protocol.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
}


class GitError(Exception):
    """Git could not tell; the message says why. ``status`` is git's exit status, None where it has none."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class NoGitError(GitError):
    """Git is not installed."""


@dataclass(frozen=True)
class Git:
    """Git in a folder. Every method raises GitError."""

    folder: Path

    def top(self) -> Path:
        """The top of the working tree that the folder is in."""
        return Path(os.fsdecode(self._run("rev-parse", "--show-toplevel").removesuffix(b"\n")))

    def commit(self, revision: str) -> str:
        """The id of the commit that a revision stands for."""
        if revision.startswith("-"):
            raise GitError("a revision does not begin with a hyphen")
        return self._run("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()

    def merge_base(self, one: str, other: str) -> str:
        """The commit from which two others come."""
        return self._run("merge-base", one, other).decode().strip()

    def files_of(self, commit: str) -> dict[bytes, str]:
        """The files of a commit, which counts from the top, and the ids of what is in them."""
        found: dict[bytes, str] = {}
        for entry in _separated(self._run("ls-tree", "-r", "-z", "--full-tree", commit)):
            described, _, name = entry.partition(b"\t")
            _, kind, identity = described.split()
            if kind == b"blob":
                found[name] = identity.decode()
        return found

    def tracked(self) -> Tracked:
        """What git knows of below the folder."""
        files: set[bytes] = set()
        repositories: set[bytes] = set()
        for entry in _separated(self._run("ls-files", "--stage", "-z")):
            described, _, name = entry.partition(b"\t")
            (repositories if described.startswith(b"160000 ") else files).add(name)
        return Tracked(frozenset(files), frozenset(repositories))

    def ignored(self, names: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the names, relative to the folder, that git is told to ignore."""
        # A name that began with a colon would be a pattern.
        asked = b"".join(b"./" + name + b"\0" for name in names)
        if not asked:
            return frozenset()
        try:
            output = self._run("check-ignore", "-z", "--stdin", given=asked)
            return frozenset(name.removeprefix(b"./") for name in _separated(output))
        except GitError as error:
            if error.status == 1:  # it ignores none of them
                return frozenset()
            raise

    def sizes(self, identities: Iterable[str]) -> dict[str, int]:
        """How many bytes objects have; those that the repository lacks are left out."""
        asked = "".join(f"{identity}\n" for identity in identities).encode()
        output = self._run("cat-file", "--batch-check=%(objectname) %(objectsize)", given=asked) if asked else b""
        found = (line.split(" ") for line in output.decode().splitlines())
        return {identity: int(size) for identity, size in found if size != "missing"}

    def texts(self, identities: Iterable[str]) -> dict[str, bytes]:
        """What is in objects, as it was stored; those that are missing, or larger than any text, are left out."""
        sizes = {identity: size for identity, size in self.sizes(identities).items() if size <= LARGEST_TEXT_BYTES}
        if not sizes:
            return {}
        asked = "".join(f"{identity}\n" for identity in sizes).encode()
        output = memoryview(self._run("cat-file", "--batch=%(objectname)", given=asked))
        texts: dict[str, bytes] = {}
        position = 0
        for identity, size in sizes.items():
            start = position + len(identity) + 1
            texts[identity] = bytes(output[start : start + size])
            position = start + size + 1
        return texts

    def _run(self, *arguments: str, given: bytes = b"") -> bytes:
        try:
            run = subprocess.run(
                [_program(), *_OFF, *arguments],
                cwd=self.folder,
                env={**os.environ, **_ENVIRONMENT},
                input=given,
                capture_output=True,
                check=False,
                timeout=LONGEST_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise GitError(f"git {arguments[0]} did not end within {LONGEST_SECONDS:g} s") from None
        except OSError as error:
            raise GitError(f"git could not be started: {(error.strerror or str(error)).lower()}") from None
        if run.returncode:
            reason = " ".join(run.stderr.decode("utf-8", "replace").split()) or f"status {run.returncode}"
            raise GitError(f"git {arguments[0]} failed: {reason}", run.returncode)
        return run.stdout


@dataclass(frozen=True)
class Tracked:
    """The names that git knows: of files, and of repositories within this one."""

    files: frozenset[bytes]
    repositories: frozenset[bytes]

    def is_elsewhere(self, name: bytes) -> bool:
        """Whether a name belongs to a repository within this one."""
        parts = name.split(b"/")
        return any(b"/".join(parts[:count]) in self.repositories for count in range(1, len(parts)))


def _program() -> str:
    """Git as the user has installed it, never what lies in the directory that is being checked."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute()]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if found is None or not Path(found).is_absolute():
        raise NoGitError("git is not installed")
    return found


def _separated(output: bytes) -> Iterator[bytes]:
    return (entry for entry in output.split(b"\0") if entry)
