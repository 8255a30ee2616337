"""``--fix``, ``--unsafe-fixes`` and ``--diff``: makes fixes in files, or shows what they would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from synclint.adoption.edits import EditError, encoded
from synclint.commands.differences import difference
from synclint.commands.output import is_obeyed
from synclint.files.atomic_files import replace_bytes
from synclint.files.bounded_files import read_at_most
from synclint.results.file_reports import FileReport
from synclint.sources.decoding import UnreadableSourceError, decode_source, most_bytes


@dataclass(frozen=True)
class Fixing:
    """What the user asked for: fixes to be made, ``unsafe`` ones as well, or to be shown as a difference.

    ``only`` says that what is left is not reported, ``shows`` that what was fixed is listed.
    """

    fix: bool
    unsafe: bool
    diff: bool
    only: bool = False
    shows: bool = False

    @property
    def is_asked_for(self) -> bool:
        """Whether any text is to be changed."""
        return self.fix or self.diff


@dataclass(frozen=True)
class Outcome:
    """What is found after the fixes, the ``diff`` for standard output, what to say of it, and what went wrong.

    ``texts`` are the new ones of the files, by their resolved paths.
    """

    reports: Sequence[FileReport]
    diff: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    problems: tuple[str, ...]
    texts: Mapping[Path, str] = field(default_factory=dict)


def read_fixing(given: dict[str, object]) -> Fixing:
    """Take what ``fix_options`` added out of a command's arguments."""
    fix, unsafe, diff = (bool(given.pop(name)) for name in ("fix", "unsafe_fixes", "diff"))
    only, shows = bool(given.pop("fix_only")), bool(given.pop("show_fixes"))
    return Fixing(fix or (only and not diff), unsafe, diff, only, shows)


def fix_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of fixes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option("--fix", is_flag=True, help="Apply the safe fixes to the files; for `-`, print the fixed text."),
    click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that change behaviour; each says how."),
    click.option("--diff", is_flag=True, help="Show what --fix would change, but write nothing."),
    click.option("--fix-only", is_flag=True, help="Apply the fixes, and report nothing that is left; implies --fix."),
    click.option("--show-fixes", is_flag=True, help="With --fix or --diff: list what was fixed, on standard error."),
)


def fix_files(
    reports: Sequence[FileReport],
    check: Callable[[], Sequence[FileReport]],
    fixing: Fixing,
    folder: Path,
    *,
    written: bool = True,
) -> Outcome:
    """Make the fixes that ``reports`` offer, or show them; ``check`` checks the same files again.

    Paths are told relative to ``folder``. What is not to be ``written`` is among the texts of the outcome only.
    """
    from synclint.fixes.rounds import fixed

    found = fixed(reports, check, unsafe=fixing.unsafe)
    names = {real: _shown_path(report.path, folder) for report in reports for real in [_real(report.path)]}
    count = sum(sum(counter.values()) for counter in found.counts.values())
    said = f"{_number(count, 'finding')} in {_number(len(found.changes), 'file')}"
    listed = tuple(_listed(found.counts, names)) if fixing.shows else ()
    if fixing.diff:
        diff = tuple(
            line
            for path, change in sorted(found.changes.items())
            for line in difference(change.before, change.after, names.get(path, str(path)), is_obeyed=is_obeyed)
        )
        notes = (f"would fix {said}", *listed) if found.changes else ()
        return Outcome(reports, diff, notes, found.left, ())
    problems = [
        problem
        for path, change in (found.changes.items() if written else ())
        if (problem := _write(path, change.before, change.after, names.get(path, str(path))))
    ]
    notes = (f"fixed {said}", *listed) if found.changes and not problems else ()
    texts = {path: change.after for path, change in found.changes.items()}
    return Outcome(found.reports, (), notes, found.left, tuple(problems), texts)


def _real(path: Path) -> Path:
    from synclint.files.real_paths import real_path

    return real_path(path)


def _shown_path(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)) if path.is_absolute() and path.is_relative_to(folder) else str(path)


def _write(path: Path, before: str, after: str, name: str) -> str | None:
    """Write the new text of a file; why it could not be written, if so."""
    try:
        data = read_at_most(path, most_bytes(path), "a source file")
        if decode_source(data) != before:
            return f"{name}: changed while it was being checked; it was left as it is"
        replace_bytes(path, encoded(after, data))
    except (EditError, UnreadableSourceError) as error:
        return f"{name}: {error}"
    except OSError as error:
        return f"{name}: the fixes could not be written: {(error.strerror or str(error)).lower()}"
    return None


def _listed(counts: Mapping[Path, Counter[str]], names: Mapping[Path, str]) -> Iterator[str]:
    """What was fixed in each file, by rule, as ruff lists it."""
    from synclint.rules.loading import load_rules

    rules = {rule.code: rule.name for rule in load_rules()}
    for path, counter in sorted(counts.items()):
        for code, count in sorted(counter.items()):
            yield f"{names.get(path, str(path))}: {count} × {code} ({rules.get(code, code)})"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
