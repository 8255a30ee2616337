"""The reports on what a run of ``synclint check`` looks at: files and folders, or standard input."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from heapq import merge
from pathlib import Path

import click

from synclint.commands.named_files import (
    NOT_KNOWN,
    Asked,
    KnownProject,
    are_single_files,
    belongs_to_more,
    in_project,
    too_much_has_changed,
)
from synclint.commands.output import complain, write
from synclint.commands.plan import Plan
from synclint.commands.standard_input import STDIN, StandardInput
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.phases import DISCOVER, Phases
from synclint.report.terminal import escape
from synclint.results.file_reports import FileReport
from synclint.running.limits import TooMuchHasChangedError

# Takes files that are checked alike, the paths that the user named, how they are checked, in how many processes,
# what is told how far it has come and how long it took, and which of the files are to be reported (None for all).
CheckFiles = Callable[
    [Sequence[Path], Sequence[Path], Options, int | None, Callable[[int], None], Phases, frozenset[Path] | None],
    Iterator[FileReport],
]

_PROGRESS_AFTER_SECONDS = 1.0


def check_files_of(plan: Plan, phases: Phases) -> tuple[Iterator[FileReport], list[str]]:
    """Analyse the files; the reports, in the order of their paths, are made when they are asked for.

    Raises ConfigurationError.
    """
    check_alike = _with_cache(plan.run.cache_dir) if plan.remembers else _without_cache()
    # Fixes are tried on texts that are not on disk, of which no memory knows.
    known = _known_projects(plan) if plan.run.project and not plan.fixing.is_asked_for else None
    return _check_paths(plan, check_alike, phases, known, quiet=plan.quiet)


def check_files_again(plan: Plan, phases: Phases) -> Sequence[FileReport]:
    """The reports on the files with texts that may not have been written yet; nothing is said on the way."""
    again, _ = _check_paths(plan, _without_cache(), phases, None, quiet=True)
    return tuple(again)


def check_standard_input(given: StandardInput, configured: Configurations) -> Sequence[FileReport]:
    """The report on standard input; none where exclusions are forced and leave out the name that it is given."""
    named = given.path.absolute()
    if given.path != STDIN and configured.of(named.parent).options.files.excludes_named(named):
        return ()
    return (given.report(configured),)


def list_files(plan: Plan) -> Sequence[str]:
    """Print the files that a run would check; the problems with the paths, which have been told."""
    from synclint.running.discovery import discover

    found = discover(plan.paths, lambda folder: plan.configured.of(folder).options.files)
    write(escape(str(path)) for path in found.files)
    for kind, said in (("warning", found.warnings), ("error", found.problems)):
        for sentence in () if plan.quiet and kind == "warning" else said:
            complain(kind, sentence)
    return found.problems


def _without_cache() -> CheckFiles:
    # Imported here because what is found in the cache does without it.
    from synclint.running.runner import check_files

    return lambda files, roots, options, jobs, progress, phases, wanted: (
        check_files(files, roots, options, jobs, progress, phases, wanted=wanted).reports
    )


def _with_cache(folder: Path | None) -> CheckFiles:
    from synclint.memo.folders import default_folder
    from synclint.running.cache import check_files_cached

    folder = folder or default_folder()
    if folder is None:
        return _without_cache()
    return lambda files, roots, options, jobs, progress, phases, wanted: check_files_cached(
        files, roots, options, jobs, progress, phases, folder, wanted=wanted
    )


def _known_projects(plan: Plan) -> KnownProject:
    from synclint.memo.folders import default_folder
    from synclint.running.cache import known_project

    folder = plan.run.cache_dir or default_folder()
    return partial(known_project, folder) if folder is not None and plan.remembers else lambda _: None


def _check_paths(
    plan: Plan, check_alike: CheckFiles, phases: Phases, known: KnownProject | None, *, quiet: bool
) -> tuple[Iterator[FileReport], list[str]]:
    """Files that are named one by one are seen with the project around them, where that is ``known``."""
    from synclint.running.discovery import discover

    configured = plan.configured
    with phases.phase(DISCOVER):
        found = discover(plan.paths, lambda folder: configured.of(folder).options.files)
    if not quiet:
        for warning in (*configured.warnings, *found.warnings):
            complain("warning", warning)
    asked = Asked(plan.paths, found.files)
    if known is not None and are_single_files(plan.paths):
        with phases.phase(DISCOVER):
            project = in_project(asked, configured, known)
        if project is not None:
            try:
                return _checked(project, configured, plan.run.jobs, quiet, check_alike, phases), list(found.problems)
            except TooMuchHasChangedError:
                unknown = too_much_has_changed(project.roots)
        else:
            unknown = NOT_KNOWN if belongs_to_more(found.files.values()) else ""
        if unknown and not quiet:
            complain("note", unknown)
    return _checked(asked, configured, plan.run.jobs, quiet, check_alike, phases), list(found.problems)


def _checked(
    asked: Asked,
    configured: Configurations,
    jobs: int | None,
    quiet: bool,
    check_alike: CheckFiles,
    phases: Phases,
) -> Iterator[FileReport]:
    """What came of the files that are asked for. Raises TooMuchHasChangedError, and ConfigurationError."""
    alike: dict[Options, list[Path]] = {}
    for path, real in asked.files.items():
        alike.setdefault(configured.of_file(real), []).append(path)
    made: list[Iterator[FileReport]] = []
    with _progress(len(asked.files), shown=not quiet and sys.stderr.isatty()) as progress:
        for options, files in alike.items():
            if options.sync_free or options.allowed_regions:
                from synclint.running.contract_states import verify_names

                verify_names(options)
            if asked.wanted is None or not asked.wanted.isdisjoint(files):
                made.append(check_alike(files, asked.roots, options, jobs, progress, phases, asked.wanted))
    return merge(*made, key=lambda report: report.path)


@contextmanager
def _progress(total: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Count files on a bar on standard error, which appears once the run has taken a while."""
    started = time.monotonic()
    bar = click.progressbar(length=total, label="Checking", file=sys.stderr, show_pos=True)
    uncounted = 0

    def advance(count: int) -> None:
        nonlocal uncounted
        uncounted += count
        if shown and time.monotonic() - started >= _PROGRESS_AFTER_SECONDS:
            bar.update(uncounted)
            uncounted = 0

    try:
        yield advance
    finally:
        if bar.pos:
            bar.render_finish()
