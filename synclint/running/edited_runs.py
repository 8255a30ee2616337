"""What a run finds after edits that leave its conclusions as they are: what it found before, on the lines of today.

Where files have other comments, or their code stands on other lines, nothing has to be analysed again. The reports of
these files are made anew of what was seen in them; in those of other files, places move that they tell of.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from synclint.analysis.results.moved_lines import MovedFile, moved_event, moved_facts
from synclint.config.options import Options
from synclint.results.file_reports import FileReport
from synclint.results.moved_reports import is_told_apart, moved_report
from synclint.running.file_findings import is_matched
from synclint.running.finished_runs import FinishedRun
from synclint.running.premises import Premises
from synclint.running.reporting import report_by_itself
from synclint.running.seen import Seen
from synclint.running.survey import CodeFile
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract

if TYPE_CHECKING:
    from synclint.running.runner import Memory


@dataclass(frozen=True)
class _Edit:
    """A file of the same code with another text, and where its lines stand now."""

    file: CodeFile
    moved: MovedFile


def reports_after(
    run: FinishedRun, real_paths: Mapping[str, Path], memory: Memory, options: Options
) -> list[FileReport] | None:
    """The reports of a run by now; None where more may be new than comments and lines.

    ``real_paths`` are the paths of its files by their resolved paths.
    """
    edits: dict[Path, _Edit] = {}
    try:
        premises = msgspec.json.decode(run.premises, type=Premises)
    except msgspec.MsgspecError:
        return None
    for name, (before, now) in run.changed.items():
        path = real_paths.get(os.path.realpath(name))
        # What is called by a third name may stand so in what was found.
        if path is None or name not in (os.path.realpath(name), str(path.absolute())):
            return None
        found = None if path in edits else _edit(path, before, now, run, premises, memory)
        if found is None and path not in edits:
            return None
        if found is not None:
            edits[path], premises = found
    moves = [edit.moved for edit in edits.values()]
    made: list[FileReport] = []
    for report, written in run.reports:
        edit = edits.get(report.path)
        if edit is None:
            new = _elsewhere(report, written, moves)
        else:
            new = _made_again(edit.file, moves, run, memory, options)
        if new is None:
            return None
        made.append(new)
    return made


def _edit(
    path: Path, before: str, now: str, run: FinishedRun, premises: Premises, memory: Memory
) -> tuple[_Edit, Premises] | None:
    """How a file has changed between two hashes, and on what the reports rest after that."""
    real = os.path.realpath(path)
    found = memory.shares.code.edit(real, before, now)
    if found is None or real in run.looked_at:
        return None
    old, new = (CodeFile(path, Path(real), text) for text in (found.before, found.after))
    try:
        if extract(path, new.source) is not None or is_matched(old) or is_matched(new):
            return None
    except EmbeddedSourceError:
        return None
    moved = MovedFile(real, str(path), found.since.code.lines)
    rest = premises.after(old, new, moved, found.since)
    return None if found.since.code.functions or rest is None else (_Edit(new, moved), rest)


def _made_again(
    file: CodeFile, moves: Sequence[MovedFile], run: FinishedRun, memory: Memory, options: Options
) -> FileReport | None:
    """The report of an edited file; None where it is not known what was seen in it."""
    basis, real = run.bases.get(str(file.path)), str(file.real_path)
    seen = None if basis is None else memory.reports.seen_in(str(file.path), basis)
    if seen is None:
        return None
    events, facts = seen.events, seen.facts
    for move in moves:
        events = [moved_event(event, real, move) for event in events]
        facts = moved_facts(facts, real, move)
    events = sorted(events, key=lambda event: (event.span, event.construct))
    return report_by_itself(file, Seen(events, facts), options)


def _elsewhere(report: FileReport, written: msgspec.Raw, moves: Sequence[MovedFile]) -> FileReport | None:
    """The report of a file that is as it was, after lines of others have moved."""
    moves = [file for file in moves if any(_in_json(name) in bytes(written) for name in (file.path, file.real_path))]
    if not all(is_told_apart(report, file) for file in moves):
        return None
    return moved_report(report, moves)


def _in_json(text: str) -> bytes:
    return json.dumps(text)[1:-1].encode()
