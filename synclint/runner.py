"""Runs the analysis over many files, in this process or in several, and brings together what came of it.

The files are divided into shares by their order and size alone. Each share is analysed by itself, and the
observations of all of them are joined before any file is reported, so that neither the number of processes nor the
order of the arguments can change a result.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.file_reports import FileReport
from synclint.findings import Confidence, Context, Finding, Position, Span
from synclint.phases import Phases
from synclint.rules import ANALYSIS_LIMIT, INTERNAL_ERROR, findings, load_rules
from synclint.selection import is_told, may_speak_to_us, reported_codes

if TYPE_CHECKING:
    from synclint.analysis.call_graph import CallGraph
    from synclint.learning import Learned, LearnedFile, Shortfall
    from synclint.outline_files import OutlineFiles

Progress = Callable[[int], None]

# What files of a share have in common is learned once; what two shares have in common, twice. Smaller shares keep
# more processes busy, larger ones repeat less.
SHARE_BYTES = 2_000_000
_BYTES_BETWEEN_COLLECTIONS = 5_000_000
# Edits that leave a file about as large as it was shall leave it in its share.
_COUNTED_BYTES = 4096


@dataclass(frozen=True)
class Checked:
    """What came of files that were learned together.

    ``reports`` gives one report for each file, in the order given, and makes it when it is asked for; the paths
    ``consulted`` are those on which the reports depend.
    """

    reports: Iterator[FileReport]
    consulted: frozenset[str]


def check_files(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int = 1,
    progress: Progress = lambda count: None,
    phases: Phases | None = None,
    outlines: OutlineFiles | None = None,
) -> Checked:
    """Learn files that may call one another, in up to ``jobs`` processes, so that they can be reported.

    ``roots`` are the files and directories that the user named, from which the project's own modules
    are found. ``progress`` is told how many more files have been learned, ``phases`` where the time went.
    ``outlines`` are those of the files that a run over few files imports.
    """
    phases = phases or Phases()
    parts: list[Learned] = []
    for part in _learned(shares(files), roots, options, jobs, progress, outlines):
        phases.add(part.seconds)
        parts.append(part)
    return Checked(_reported(files, parts, options), frozenset[str]().union(*(part.consulted for part in parts)))


def check_text(text: str, path: Path, roots: Sequence[Path], options: Options) -> FileReport:
    """Check one file whose text stands, or shall stand, at ``path``."""
    from synclint.learning import learn_text

    return next(_reported((path,), [learn_text(text, path, roots, options)], options))


def shares(files: Sequence[Path]) -> list[tuple[Path, ...]]:
    """The files, in the order of their paths, divided into shares of about the same size."""
    ordered = sorted(files)
    sizes = [_size(path) for path in ordered]
    total = sum(sizes)
    count = max(1, round(total / SHARE_BYTES))
    divided: list[list[Path]] = [[] for _ in range(count)]
    before = 0
    for path, size in zip(ordered, sizes, strict=True):
        divided[min(before * count // total, count - 1)].append(path)
        before += size
    return [tuple(share) for share in divided if share]


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    return _COUNTED_BYTES * (1 + size // _COUNTED_BYTES)


def _learned(
    divided: Sequence[Sequence[Path]],
    roots: Sequence[Path],
    options: Options,
    jobs: int,
    progress: Progress,
    outlines: OutlineFiles | None,
) -> Iterator[Learned]:
    # Imported here so that results from the cache, and commands which check nothing, do not pay for the engine.
    from synclint.learning import Learned, learn_files

    # A run over much of a project learns most of what its files import: outlines are for a hook on a few.
    work = partial(learn_files, roots=roots, options=options, outlines=outlines if len(divided) == 1 else None)
    if jobs == 1 or len(divided) == 1:
        collected = 0
        for share in divided:
            size = sum(map(_size, share))
            if collected + size > _BYTES_BETWEEN_COLLECTIONS:
                gc.collect()  # the trees of earlier shares refer to one another
                collected = 0
            collected += size
            yield work(share, progress)
        return
    from synclint.processes import work_in_processes

    load_catalog()  # once, before there are processes that would each do so
    for done in work_in_processes(divided, work, jobs, progress):
        if done.result is not None:
            yield done.result
        problem = "not checked: it is nested too deeply, or memory ran out"
        yield Learned(problems={path: f"{path}: {problem}" for path in done.left_out})


def _reported(files: Sequence[Path], parts: Sequence[Learned], options: Options) -> Iterator[FileReport]:
    from synclint.analysis.call_graph import CallGraph
    from synclint.analysis.observations import joined

    graph = CallGraph(joined(part.observations for part in parts))
    learned = {path: file for part in parts for path, file in part.files.items()}
    problems = {path: problem for part in parts for path, problem in part.problems.items()}
    for path in files:
        yield _report(path, learned, problems, graph, options)


def _report(
    path: Path,
    learned: Mapping[Path, LearnedFile],
    problems: Mapping[Path, str],
    graph: CallGraph,
    options: Options,
) -> FileReport:
    if path in problems:
        return FileReport(path, problem=problems[path])
    file = learned[path]
    try:
        found = _findings(path, file, graph, options)
    except Exception as error:
        from synclint.learning import internal_error

        # A mistake of our own in one file: the others must not lose their results by it.
        found = (_not_checked(path, internal_error(path, error)),)
    return FileReport(path, found, file.source, embedded=file.embedded) if found else FileReport(path)


def _findings(path: Path, file: LearnedFile, graph: CallGraph, options: Options) -> tuple[Finding, ...]:
    events = graph.events(os.path.realpath(path), str(path))
    said = findings(events, load_rules(), load_catalog()) if events else []
    is_whole = file.shortfall is None
    if (said or is_whole) and may_speak_to_us(file.source, said):
        from synclint.suppressions import review

        # Whether a comment suppresses anything does not depend on what is asked for; but nobody can tell where a part
        # of the file was not checked.
        reviewed = review(said, file.source, path, options.require_reason)
        said = [*reviewed.findings, *(reviewed.complaints if is_whole else ())]
    if said:
        codes = reported_codes(options, path)
        said = [finding for finding in said if finding.code in codes and options.admits(finding)]
    if file.shortfall is not None and is_told(file.shortfall.rule, options):
        said.append(_not_checked(path, file.shortfall))
    return tuple(sorted(said, key=lambda finding: finding.span))


# What to do about what kept a file from being checked; a syntax error speaks for itself.
_ADVICE = {
    ANALYSIS_LIMIT.code: "Split or simplify the function, or leave the file out with `exclude`.",
    INTERNAL_ERROR.code: "Until this is mended, `exclude` leaves the file out.",
}


def _not_checked(path: Path, shortfall: Shortfall) -> Finding:
    rule, start = shortfall.rule, shortfall.place
    return Finding(
        code=rule.code,
        name=rule.name,
        message=" ".join(shortfall.message.split()),
        filename=str(path),
        span=Span(start, Position(start.line, start.column + 1)),
        severity=rule.severity,
        confidence=Confidence.HIGH,
        mechanism=rule.mechanism,
        context=Context(hot=True, reason=""),
        instead=_ADVICE.get(rule.code, ""),
    )
