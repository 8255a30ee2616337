"""What a run finds after edits that leave its conclusions as they are: what it found before, on the lines of today.

Where files have other comments, or their code stands on other lines, nothing has to be analysed again. The reports of
these files are made anew of what was seen in them; in those of other files, places move that they tell of. Functions
with other bodies are run with what is kept of all others; what is seen there takes the place of what was seen, and its
contexts follow from what the run knew of the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from synclint.analysis.syntax.positions import lines_of
from synclint.config.options import Options
from synclint.contracts.marks import may_hold_contracts
from synclint.results.file_reports import FileReport
from synclint.results.moved_reports import is_distinguishable, moved_report
from synclint.running.edited_file import Move, move_by, move_of
from synclint.running.edited_functions import (
    SeenAfterEdit,
    Spans,
    is_within,
    likely_after_edits,
    seen_after_edits,
    seen_now,
)
from synclint.running.file_findings import is_matched
from synclint.running.finished_runs import FinishedRun
from synclint.running.mentions_elsewhere import concerns_others
from synclint.running.premises import Premises
from synclint.running.reporting import report_by_itself
from synclint.running.same_code import lines_of_edit
from synclint.running.survey import CodeFile, survey
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract
from synclint.sources.kept_texts import kept

if TYPE_CHECKING:
    from synclint.analysis.frequency.contexts import KnownContexts
    from synclint.analysis.results.facts import FunctionFacts
    from synclint.running.run_memo import RunMemo
    from synclint.running.runner import Memo
    from synclint.running.seen import SeenInFile


@dataclass(frozen=True)
class _Edit:
    """A file with another text, and where its lines stand now.

    Where functions were edited, that is what was ``seen`` there in another look, and the ``spans`` where they stood.
    """

    file: CodeFile
    move: Move
    seen: SeenAfterEdit | None = None
    spans: Spans = ()


@dataclass(frozen=True)
class _Edits:
    """The edits of files by their paths, and on what all reports rest after these.

    ``before`` are the files as they were, ``asks_for_reach`` says whether anything else may be reached than was, and
    ``unreached`` what is not in files where that was asked, by their resolved paths.
    """

    by_path: Mapping[Path, _Edit]
    premises: Premises
    before: Mapping[Path, CodeFile] = field(default_factory=dict)
    asks_for_reach: bool = False
    unreached: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Base:
    """The run from which is told what another one would find, and what else is known of its project.

    ``real_paths`` are the paths of all its files by their resolved paths.
    """

    run: FinishedRun
    real_paths: Mapping[str, Path]
    memo: Memo
    options: Options

    @cached_property
    def run_memo(self) -> RunMemo:
        """What is kept of the runs over functions in the shares of the project."""
        from synclint.running.run_memo import RunMemo  # brings the analysis with it

        shares = self.memo.shares
        return RunMemo(
            shares.entries,
            shares.code,
            self.run.shares,
            shares.roots,
            self.options,
            self.run.state,
            self.real_paths,
            with_evidence=shares.records is not None and shares.records.with_evidence,
        )

    @cached_property
    def premises(self) -> Premises | None:
        """On what the reports of the run rest besides code; None where that cannot be read."""
        try:
            return msgspec.json.decode(self.run.premises, type=Premises)
        except msgspec.MsgspecError:
            return None

    def contexts(self, path: str) -> KnownContexts | None:
        """What tells the contexts of functions in the file at a resolved path; None where nothing is known."""
        return self.memo.contexts.find(self.run.contexts, path)

    def are_told_of(self, functions: Mapping[str, FunctionFacts]) -> bool:
        """Whether something tells of functions that nobody calls."""
        return self.run_memo.are_told_of(functions)


@dataclass(frozen=True)
class _After:
    """What is known of the project of a ``base`` after edits, with what is ``unreached`` now in some files."""

    base: Base
    unreached: Mapping[str, frozenset[str]]

    def contexts(self, path: str) -> KnownContexts | None:
        """What tells the contexts of functions in the file at a resolved path; None where nothing is known."""
        known = self.base.contexts(path)
        if known is None or path not in self.unreached:
            return known
        return replace(known, unreached={**known.unreached, path: self.unreached[path]})

    def are_told_of(self, functions: Mapping[str, FunctionFacts]) -> bool:
        """Whether something tells of functions that nobody calls."""
        return self.base.are_told_of(functions)


def reports_after(base: Base) -> list[FileReport] | None:
    """The reports of a run by now; None where more may be new than comments, lines, and what edited functions show."""
    edits = _edits_since(base)
    if edits is None:
        return None
    made: list[FileReport] = []
    for report, written in base.run.reports:
        new = _report_now(report, written, edits, base)
        if new is None:
            return None
        made.append(new)
    return made


def report_after(base: Base, path: Path) -> FileReport | None:
    """The report of one file of a run by now; None where that is so."""
    edits = _edits_since(base)
    known = None if edits is None else next((both for both in base.run.reports if both[0].path == path), None)
    return None if edits is None or known is None else _report_now(*known, edits, base)


def likely_report(base: Base, path: Path) -> FileReport | None:
    """The report of one file of a run by now as if its edits concerned nothing else.

    None where they are not edits of functions' bodies, or too little is known of the file.
    """
    real = os.path.realpath(path)
    states = base.run.changed().get(real)
    found = None if states is None else base.memo.shares.code.edit(real, *states)
    if found is None or base.premises is None:
        return None
    file = CodeFile(path, Path(real), kept(found.after))
    lines = lines_of_edit(found.before, found.after)
    seen = None if lines is None or _is_more_than_code(file) else base.run_memo.likely_after(file)
    before = _seen_before(file, base)
    if lines is None or seen is None or before is None:
        return None
    now = likely_after_edits(file, before, lines.spans_then, seen, base, [move_of(file, lines)])
    return None if now is None else report_by_itself(file, now, base.options, base.premises.compiled)


def _edits_since(base: Base) -> _Edits | None:
    """All edits since a run; None where they may have changed more than what is seen in edited functions."""
    edits = None if base.premises is None else _Edits({}, base.premises)
    if edits is None:
        return None
    for name, states in base.run.changed().items():
        path = base.real_paths.get(os.path.realpath(name))
        # What is called by a third name may stand so in what was found.
        if path is None or name not in (os.path.realpath(name), str(path.absolute())):
            return None
        if path not in edits.by_path:
            more = _with_edit(edits, path, states, base)
            if more is None:
                return None
            edits = more
    return _with_reach(edits, base) if edits.asks_for_reach else edits


def _with_reach(edits: _Edits, base: Base) -> _Edits | None:
    """The edits with what is reached after them; None where something else is than was before."""
    from synclint.running.edited_reach import reach_after

    surveyed = survey(tuple(base.real_paths.values()), base.memo.shares.roots)
    known = base.memo.contexts.reach(base.run.contexts)
    reach = None if known is None else reach_after(base.memo.surveyed(surveyed), edits.before, known)
    if reach is None:
        return None
    edited = [str(edit.file.real_path) for edit in edits.by_path.values()]
    return replace(edits, unreached={path: reach.unreached.get(path, frozenset()) for path in edited})


def _report_now(report: FileReport, written: msgspec.Raw, edits: _Edits, base: Base) -> FileReport | None:
    moves = [edit.move for edit in edits.by_path.values()]
    edit = edits.by_path.get(report.path)
    return _elsewhere(report, written, moves) if edit is None else _made_again(edit, edits, moves, base)


def _with_edit(edits: _Edits, path: Path, states: tuple[str, str], base: Base) -> _Edits | None:
    """Also the edit of a file between two hashes; None where it may concern others."""
    real = os.path.realpath(path)
    found = base.memo.shares.code.edit(real, *states)
    if found is None or real in base.run.looked_at:
        return None
    before, after = (CodeFile(path, Path(real), kept(text)) for text in (found.before, found.after))
    if any(_is_more_than_code(file) for file in (before, after)):
        return None
    code, names, reach = found.code, frozenset[str](), edits.premises.reach
    asks_for_reach = edits.asks_for_reach
    if code is not None:
        edit = _Edit(after, move_by(after, code.lines, len(lines_of(before.source))))
    else:
        lines = lines_of_edit(before.source, after.source)
        if lines is None or not lines.is_of_code or concerns_others(before, after, lines, base.run.rests_on):
            return None
        names = lines.names | lines.names_in_classes
        seen = base.run_memo.seen_after(after)
        if seen is None:
            return None
        asks_for_reach |= reach.is_asked and not reach.runs_nothing and seen.has_events_within(lines.added)
        edit = _Edit(after, move_of(after, lines), seen, lines.spans_then)
    if not edits.premises.stand_after(before, after, names, mentions_the_same=found.mentions_the_same):
        return None
    asks_for_reach |= reach.could_change(before.source, after.source, names)
    return _Edits({**edits.by_path, path: edit}, edits.premises, {**edits.before, path: before}, asks_for_reach)


def _is_more_than_code(file: CodeFile) -> bool:
    """Whether a text is looked at by others than the analysis: a document, one for matchers, or one with contracts."""
    try:
        is_looked_at = is_matched(file) or may_hold_contracts(file.kept.utf8)
        return is_looked_at or extract(file.path, file.source) is not None
    except EmbeddedSourceError:
        return True


def _made_again(edit: _Edit, edits: _Edits, moves: Sequence[Move], base: Base) -> FileReport | None:
    """The report of an edited file; None where too little is known of it."""
    real = str(edit.file.real_path)
    seen = _seen_before(edit.file, base)
    if seen is None or _rests_on_edited(edit, seen, edits):
        return None
    if edit.seen is None:
        now: SeenInFile | None = seen_now(seen, real, moves)
    else:
        now = seen_after_edits(edit.file, seen, edit.spans, edit.seen, _After(base, edits.unreached), moves)
    return None if now is None else report_by_itself(edit.file, now, base.options, edits.premises.compiled)


def _is_edited(path: str, line: int, edits: _Edits) -> bool:
    """Whether a line, as it was numbered before, stood in a function that is edited."""
    return any(path in edit.move.now.names and is_within(line, edit.spans) for edit in edits.by_path.values())


def _rests_on_edited(edit: _Edit, seen: SeenInFile, edits: _Edits) -> bool:
    """Whether an expression outside of edited functions may be what was made in one: it is made elsewhere by now."""
    own = str(edit.file.real_path)
    return any(
        _is_edited(made.path, made.place.line, edits)
        for place, fact in seen.facts.items()
        if fact.made and not _is_edited(own, place.line, edits)
        for made in fact.made
    )


def _seen_before(file: CodeFile, base: Base) -> SeenInFile | None:
    """What the run has seen in a file; None where that is not known any longer."""
    basis = base.run.bases.get(str(file.path))
    return None if basis is None else base.memo.reports.seen_in(str(file.path), basis)


def _elsewhere(report: FileReport, written: msgspec.Raw, moves: Sequence[Move]) -> FileReport | None:
    """The report of a file that is as it was, after lines of others have moved."""
    json_text = memoryview(written).tobytes()
    files = [move.now for move in moves if any(_in_json(name) in json_text for name in move.now.names)]
    return moved_report(report, files) if all(is_distinguishable(report, file) for file in files) else None


def _in_json(text: str) -> bytes:
    return json.dumps(text)[1:-1].encode()
