"""Analyses a share of the files of a run: what the analysis has seen in them, and what kept it from their ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from synclint.analysis.interpreter.engine import TooMuchWorkError
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.syntax.parsing import ParseFailure, TooLongToParse, check_syntax
from synclint.config.options import Options
from synclint.findings import Position
from synclint.fixes.folders import fixable_constructs
from synclint.phases import ANALYSE, GATE, Phases
from synclint.rules.own import ANALYSIS_LIMIT, SYNTAX_ERROR
from synclint.running.collection import without_garbage_collection
from synclint.running.recorded import Records
from synclint.running.share_results import EncodedRuns, ShareResult
from synclint.running.shortfalls import Shortfall, internal_error, shortfall_at
from synclint.running.survey import CodeFile
from synclint.running.user_libraries import summaries_for

# The analysis calls itself for what code nests: calls, elif, and, or.
_DEEPEST_RECURSION = 5000
_TOO_MUCH_WORK = "the rest of the file was not analysed: it takes more work than is allowed for one file"
_TOO_DEEP = "the rest of the file was not analysed: it is nested too deeply"


def analyse_share(
    files: Sequence[CodeFile],
    progress: Callable[[int], None],
    roots: Sequence[Path],
    options: Options,
    records: Records | None = None,
    *,
    store: bool = False,
) -> ShareResult:
    """Follow what files do and call; whatever goes wrong with one of them is kept for its report.

    ``roots`` are the files and directories that the user named, from which the project's own modules are found.
    ``progress`` is told after each file. ``records`` says what is recorded, nothing as a rule. ``store`` asks for what
    the runs came to.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_RECURSION))
    phases = Phases()
    with without_garbage_collection(), phases.phase(ANALYSE):
        for_contracts = records is not None and records.contracts
        project = project_of([file.path for file in files], roots, options, phases, for_contracts=for_contracts)
        shortfalls: dict[Path, Shortfall] = {}
        if records is not None:
            _record(files, records, project)
        for file in files:
            if file.has_torch_in_reach:
                with suppress(Exception):  # which its analysis will meet again
                    project.begin(file.path, file.source)
        for file in files:
            shortfall = _analyse(file, project, phases)
            if shortfall is not None:
                shortfalls[file.path] = shortfall
            progress(1)
        for file in files if project.failures else ():
            error = project.failures.get(str(file.real_path))
            if error is not None:
                shortfalls.setdefault(file.path, internal_error(file.path, error))
        observations = project.observations()
    stored = None
    if store and (records is None or (records.words == () and not records.contracts)):
        with without_garbage_collection():
            stored = _stored(project)
    return ShareResult(
        shortfalls,
        observations,
        consulted=project.consulted,
        starred=project.starred,
        seconds=phases.seconds,
        stored=stored,
    )


def _stored(project: ProjectAnalysis) -> EncodedRuns | None:
    """What runs came to; None where a file has a name that cannot be written."""
    from synclint.analysis.program.late_bodies import unread_functions
    from synclint.analysis.run_records.writer import stored_share
    from synclint.memo.packed import packed  # which a run without memory does without

    unread = {
        str(module.real_path): frozenset(node.lineno for node in unread_functions(module.tree))
        for module in project.modules
    }
    try:
        share = packed(stored_share(project.engine, project.modules))
    except UnicodeEncodeError:
        return None
    return EncodedRuns(
        share,
        frozenset(str(module.real_path) for module in project.modules),
        project.called_by_name,
        project.marked,
        {path: lines for path, lines in unread.items() if lines},
    )


def project_of(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    phases: Phases | None = None,
    *,
    for_contracts: bool = False,
) -> ProjectAnalysis:
    """The project in which files will be analysed, with the settings that matter to the analysis."""
    named = {
        "hot_functions": options.hot_functions,
        "cold_functions": options.cold_functions,
        "device_functions": options.device_functions,
        "allowed_regions": tuple(region.pattern for region in options.allowed_regions),
    }
    given: dict[str, Any] = {name: patterns for name, patterns in named.items() if patterns}
    versions = dict(options.library_versions)
    given["analysed"] = files
    given["for_contracts"] = for_contracts
    given["catalog"] = options.catalog
    given["fixable"] = fixable_constructs()
    given["summary_of"] = summaries_for(options)
    return ProjectAnalysis(roots, options.torch_version, versions, phases=phases, **given)


def _record(files: Sequence[CodeFile], records: Records, project: ProjectAnalysis) -> None:
    """Let what is wanted be recorded before anything is run: a file may be run for another one that comes first."""
    if records.with_evidence:
        project.record_evidence()
    for file in files:
        # One without torch in reach is run where it is given something of torch.
        if records.wants(file):
            with suppress(ParseFailure, RecursionError):  # which its analysis will meet again
                project.record(file.path, file.source, with_evidence=records.with_evidence)


def _analyse(file: CodeFile, project: ProjectAnalysis, phases: Phases) -> Shortfall | None:
    path = file.path
    try:
        if file.has_torch_in_reach:
            project.analyse(path, file.source)
        else:
            with phases.phase(GATE):
                check_syntax(file.source)
    except TooLongToParse as error:
        return Shortfall(ANALYSIS_LIMIT, error.message, Position(1, 1))
    except ParseFailure as error:
        return Shortfall(SYNTAX_ERROR, error.message, Position(error.line, error.column))
    except TooMuchWorkError as error:
        return shortfall_at(path, ANALYSIS_LIMIT, _TOO_MUCH_WORK, error)
    except RecursionError as error:
        return shortfall_at(path, ANALYSIS_LIMIT, _TOO_DEEP, error)
    except Exception as error:
        return internal_error(path, error)
    return None
