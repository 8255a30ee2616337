"""The lines that have changed since a git revision.

Git tells which texts the revision had. They are compared with the files here, so that neither a filter nor a driver
for diffs, which the repository may choose, has a say in it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from synclint.adoption.git import LARGEST_TEXT_BYTES, Git, GitError, NoGitError
from synclint.adoption.line_diff import counted_lines, new_lines, similarity
from synclint.files.regular_files import read_regular

# As git has it: a file that is new and half of another that is gone is the other under a new name.
_SAME_FILE = 0.5
_MOST_OLD_NAMES = 200


class DiffBaseError(ValueError):
    """Git cannot tell what has changed; the message says why and what to do."""


@dataclass(frozen=True)
class ChangedLines:
    """The changed lines of the files that have changed, None: all, the file is new; and what was in those before."""

    files: Mapping[Path, tuple[range, ...] | None]
    olds: Mapping[Path, bytes] = field(default_factory=dict, repr=False)

    def touch(self, path: Path, first: int, last: int) -> bool:
        """Whether one of the lines ``first`` to ``last`` of ``path`` (resolved) has changed."""
        if path not in self.files:
            return False
        ranges = self.files[path]
        return ranges is None or any(lines.start <= last and first < lines.stop for lines in ranges)


def changed_lines(revision: str, folder: Path, paths: Iterable[Path]) -> ChangedLines:
    """What has changed in the files at ``paths`` (resolved) since the history and ``revision`` parted.

    ``folder`` says which repository is meant; what lies outside of it has not changed. Lines of files that git does
    not know yet, and does not ignore, have all changed. Raises DiffBaseError.
    """
    try:
        return _changed_lines(revision, folder, paths)
    except NoGitError:
        raise DiffBaseError("--diff-base needs git, which is not installed") from None
    except GitError as error:
        if "not a git repository" in str(error):
            raise DiffBaseError(f"--diff-base needs a git repository, and {folder} is not in one") from None
        raise DiffBaseError(str(error)) from None


def _changed_lines(revision: str, folder: Path, paths: Iterable[Path]) -> ChangedLines:
    git = Git(Git(folder).top())
    base = _base(revision, git)
    named = {
        os.fsencode(path.relative_to(git.folder).as_posix()): path for path in paths if path.is_relative_to(git.folder)
    }
    then, tracked = git.files_of(base), git.tracked()
    here = [name for name in named if not tracked.is_elsewhere(name)]
    unknown = [name for name in here if name not in tracked.files]
    files: dict[Path, tuple[range, ...] | None] = {}
    for name in set(unknown) - git.ignored(unknown):
        files[named[name]] = None
    known = {name: _text(named[name]) for name in here if name in tracked.files}
    moved = {name: text for name, text in known.items() if name not in then}
    gone = [name for name in then if name not in tracked.files or not os.path.lexists(git.folder / os.fsdecode(name))]
    sources = {name: then[name] for name in known if name in then} | _old_names(moved, gone, then, git)
    olds = git.texts(dict.fromkeys(sources.values()))
    before: dict[Path, bytes] = {}
    for name, text in known.items():
        if name not in sources:
            files[named[name]] = None
        elif sources[name] not in olds:
            _complain_about_missing(git, sources[name], name, base)
            files[named[name]] = None
        elif olds[sources[name]] != text:
            files[named[name]] = new_lines(olds[sources[name]], text)
            before[named[name]] = olds[sources[name]]
    return ChangedLines(files, before)


def _base(revision: str, git: Git) -> str:
    """The commit from which both the working tree and ``revision`` come, as a pull request compares."""
    try:
        commit = git.commit(revision)
    except NoGitError:
        raise
    except (GitError, ValueError):  # a null character cannot even be asked for
        raise DiffBaseError(
            f"git knows no revision {revision!r}; fetch it first (a shallow clone lacks most: "
            "`git fetch --unshallow`, or `fetch-depth: 0` in GitHub's checkout action)"
        ) from None
    try:
        return git.merge_base("HEAD", commit)
    except GitError:  # nothing in common, or nothing committed yet
        return commit


def _text(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_TEXT_BYTES)
    except OSError as error:
        raise DiffBaseError(f"{path}: {(error.strerror or str(error)).lower()}") from None


def _complain_about_missing(git: Git, identity: str, name: bytes, base: str) -> None:
    """Raise DiffBaseError for a text that the repository lacks; one that is too large is none that anybody wrote."""
    if identity not in git.sizes([identity]):
        shown = os.fsdecode(name)
        raise DiffBaseError(
            f"the repository lacks {shown} as it was in {base[:12]}, and synclint does not fetch it; "
            f"in a partial clone, `git diff {base[:12]}` does"
        )


def _old_names(
    new: Mapping[bytes, bytes], gone: Collection[bytes], then: Mapping[bytes, str], git: Git
) -> dict[bytes, str]:
    """The ids of the texts that files had under other names, for those new files of which one is found."""
    candidates = {name: _nearest_names(name, gone) for name in new}
    wanted = sorted({name for names in candidates.values() for name in names})
    texts = git.texts(dict.fromkeys(then[name] for name in wanted))
    lines: dict[str, Counter[bytes]] = {identity: counted_lines(text) for identity, text in texts.items()}
    found: dict[bytes, str] = {}
    for name, text in new.items():
        mine = counted_lines(text)
        known = [then[other] for other in candidates[name] if then[other] in lines]
        best = max(known, key=lambda identity: similarity(mine, lines[identity]), default=None)
        if best is not None and similarity(mine, lines[best]) >= _SAME_FILE:
            found[name] = best
    return found


def _nearest_names(name: bytes, others: Iterable[bytes]) -> list[bytes]:
    """Names of files of the same kind, those that differ in their folders alone first."""
    path = PurePosixPath(os.fsdecode(name))
    alike = [other for other in others if PurePosixPath(os.fsdecode(other)).suffix == path.suffix]
    return sorted(alike, key=lambda other: (PurePosixPath(os.fsdecode(other)).name != path.name, other))[
        :_MOST_OLD_NAMES
    ]
