"""Checks files or a text: returns what ``synclint check --output-format json`` reports, as a list."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from functools import partial
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.adoption.baseline import BaselineError, compare, read_baseline
from synclint.adoption.comparable import could_find
from synclint.api.errors import ExecutorError, FilesNotCheckedError, SettingsError
from synclint.api.records import Finding, findings_of
from synclint.api.settings import PathLike, configuration_errors, configurations_with
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.plugins.discovery import PluginError
from synclint.results.file_reports import FileReport
from synclint.results.ranking import ranked
from synclint.running.discovery import discover
from synclint.running.elsewhere import LostWorkError
from synclint.running.runner import check_files, check_text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from synclint.api.settings import Settings

_log = logging.getLogger("synclint")
_UNNAMED = Path("-")


def check_paths(
    paths: PathLike | Iterable[PathLike],
    *,
    executor: Executor | None = None,
    config: PathLike | None = None,
    isolated: bool = False,
    **settings: Unpack[Settings],
) -> list[Finding]:
    """Return the findings of ``synclint check`` in files, and in all files below directories, in their order.

    ``settings`` take precedence over configuration files; ``config`` names the only one to read, ``isolated`` reads
    none, and no lock files either. With an ``executor``, the shares into which a project is divided run on it instead
    of in processes of this machine (``jobs``), with the same results; its workers must see the same files at the same
    paths. Nothing is kept between calls.

    Raises SettingsError, FilesNotCheckedError for paths that do not exist or cannot be read (it contains the findings
    of the others), and ExecutorError.
    """
    folder = Path.cwd()
    named = [Path(paths)] if isinstance(paths, (str, os.PathLike)) else [Path(path) for path in paths]
    configured = configurations_with(dict(settings), config, isolated, folder)
    with configuration_errors():
        run = configured.of(folder).options
        found = discover(named, lambda below: configured.of(below).options.files)
        alike: dict[Options, list[Path]] = {}
        for path, real in found.files.items():
            alike.setdefault(configured.of_file(real), []).append(path)
        for options in alike:
            if options.sync_free or options.allowed_regions:
                from synclint.running.contract_states import verify_names  # which most projects do without

                verify_names(options)
    for warning in (*configured.warnings, *found.warnings):
        _log.warning("%s", warning)
    made: list[Iterable[FileReport]] = []
    try:
        for options, files in alike.items():
            check = partial(check_files, files, named, options, run.jobs, executor=executor, with_evidence=True)
            made.append(check().reports)
        reports = tuple(merge(*made, key=lambda report: report.path))
    except LostWorkError as error:
        raise ExecutorError(f"the executor did not finish: {error}") from error
    except PluginError as error:
        raise SettingsError(str(error)) from None
    reports = without_known(reports, run, configured)
    findings = findings_of(ranked(reports), folder)
    problems = [*found.problems, *(report.problem for report in reports if report.problem)]
    if problems:
        raise FilesNotCheckedError(problems, findings)
    return findings


def check_source(
    text: str,
    filename: PathLike = _UNNAMED,
    *,
    config: PathLike | None = None,
    isolated: bool = False,
    **settings: Unpack[Settings],
) -> list[Finding]:
    """Check a text as if it were the content of ``filename``, whether or not that file exists.

    The name determines the kind of text (Python, a notebook, a document), which configuration applies, and where the
    modules that it imports are looked up. Its callers are not known; use a ``Project`` to take them into account.

    Raises SettingsError, and FilesNotCheckedError for a text that is not of the kind that its name indicates.
    """
    folder, path = Path.cwd(), Path(filename)
    configured = configurations_with(dict(settings), config, isolated, folder)
    with configuration_errors():
        named = path.absolute()
        options = configured.of_file(named)
        run = configured.of(folder).options
        if path != _UNNAMED and options.files.excludes_named(named):
            return []
    try:
        report = check_text(text, path, (Path() if path == _UNNAMED else path,), options, with_evidence=True)
    except PluginError as error:
        raise SettingsError(str(error)) from None
    reports = without_known((report,), run, configured)
    findings = findings_of(ranked(reports), folder)
    if report.problem:
        raise FilesNotCheckedError([report.problem], findings)
    return findings


def without_known(reports: Sequence[FileReport], run: Options, configured: Configurations) -> tuple[FileReport, ...]:
    """The reports without the findings that the baseline of a run lists. Raises SettingsError if it cannot be used."""
    if run.baseline is None:
        return tuple(reports)
    try:
        baseline = read_baseline(run.baseline)
    except BaselineError as error:
        raise SettingsError(str(error)) from None
    return tuple(compare(reports, baseline, could_find(reports, baseline, configured)).reports)
