"""Edits in functions that concern nothing but their own file, since the project was last put together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.results.file_reports import FileReport
from synclint.running.edited_file import (
    KnownInShare,
    LinesSince,
    Move,
    events_after,
    known_in_share,
    likely_events,
    lines_since,
    move_of,
)
from synclint.running.edited_shares import Shares
from synclint.running.file_findings import is_matched
from synclint.running.held_shares import with_new_text
from synclint.running.open_shares import OpenShare, OpenShares, Paths, edited_in, paths_of
from synclint.running.progress import Progress
from synclint.running.reporting import Reporting
from synclint.running.same_code import is_same_besides_code
from synclint.running.survey import CodeFile, SurveyedFiles
from synclint.sources.decoding import unsaved_texts


@dataclass
class _EditedFile:
    """A file that is edited: its text, its share, and what shares have shown, when the project was last put together.

    ``lines`` are those of the text that it had at the last edit. It ``is_unclear`` once an edit has reached others.
    """

    file: CodeFile
    owner: tuple[CodeFile, ...]
    shown: Mapping[Paths, KnownInShare]
    lines: LinesSince
    is_unclear: bool = False


class EditedFiles:
    """The files that were edited so; their shares are ``opened`` when the first of their edits comes."""

    def __init__(self, surveyed: SurveyedFiles, shares: Shares, reporting: Reporting, opened: OpenShares) -> None:
        self._surveyed = surveyed
        self._shares = shares
        self._reporting = reporting
        self._open = opened
        self._files: dict[Path, _EditedFile] = {}

    def report(
        self, path: Path, others: Collection[Path], texts: Mapping[Path, str], progress: Progress | None
    ) -> FileReport | None:
        """The report of a file, by its resolved path, after an edit in a function that concerns nothing else.

        None where it may concern more: then the project has to be put together anew. Until that is done, and after
        any number of such edits, the reports of other files are on the lines of before; ``others`` are those that
        were edited so. Without ``progress`` no share is opened for it.
        """
        known, reporting = self._edited_file(path), self._reporting
        if known is None or known.is_unclear or not self._were_edited(others, texts):
            return None
        new = self._with_new_text(known, texts)
        if new is None:
            return None
        before = known.lines.source
        lines, *_ = known.lines.edited(new.source)
        if reporting.graph.reach.premises.could_change(before, new.source):
            return None
        seen: dict[Paths, Observations] = {}
        own: Mapping[str, FunctionFacts] = {}
        if new.source != known.file.source or lines.edits > 1:
            if self._open.find(known.owner) is None:
                edited = edited_in(known.file, new)
                if progress is None or edited is None or not edited.functions:
                    return None  # with comments alone, which need no analysis at all, reports are soon made
                self._open.opened(known.owner, progress)
            concerned = self._put_into_shares(known, new, progress)
            if concerned is None:
                return None
            known.lines = lines
            own = concerned[paths_of(known.owner)].functions_in(new)
            seen = {share: one.seen_in(new, known.shown[share].methods) for share, one in concerned.items()}
        shown = [(before, seen.get(share)) for share, before in known.shown.items()]
        found = events_after(new, self._moves(), shown, own, reporting.graph)
        return None if found is None else reporting.report_instead(new, *found)

    def likely_report(self, path: Path, texts: Mapping[Path, str]) -> FileReport | None:
        """The report of a file, by its resolved path, as if its edits concerned nothing else, from its own share.

        None where that is not open, or an edit cannot be put into it.
        """
        known = self._edited_file(path)
        new = None if known is None else self._with_new_text(known, texts)
        opened = None if known is None else self._open.find(known.owner)
        if known is None or new is None or opened is None or opened.edit(new) is None:
            return None
        known.is_unclear = True
        known.lines, *_ = known.lines.edited(new.source)
        share = paths_of(known.owner)
        before = known.shown[share]
        found = likely_events(new, self._moves(), opened.seen_in(new, before.methods), self._reporting.graph)
        return self._reporting.report_instead(new, *found)

    def _moves(self) -> list[Move]:
        return [move_of(one.file, one.lines) for one in self._files.values() if one.lines.edits]

    @staticmethod
    def _with_new_text(known: _EditedFile, texts: Mapping[Path, str]) -> CodeFile | None:
        with unsaved_texts(texts):
            new = with_new_text(known.file)
        if new is None or not is_same_besides_code(known.file.source, new.source) or is_matched(new):
            return None
        return new

    def _were_edited(self, paths: Collection[Path], texts: Mapping[Path, str]) -> bool:
        """Whether all that is different in files by now are edits that concerned nothing else."""
        known = {path: self._files.get(path) for path in paths}
        return all(
            one is not None and not one.is_unclear and one.lines.source == texts.get(path)
            for path, one in known.items()
        )

    def _put_into_shares(
        self, known: _EditedFile, new: CodeFile, progress: Progress | None
    ) -> dict[Paths, OpenShare] | None:
        """The shares that are concerned, with the edit; None where it reaches others, or can be put into no share."""
        edited: set[str] = set()
        concerned: dict[Paths, OpenShare] = {}
        for share in (known.owner, *(share for share in self._shares if share is not known.owner)):
            opened, held = self._open.find(share), self._shares[share]
            if str(new.real_path) not in held.consulted or (opened is None and edited.isdisjoint(held.entered)):
                continue
            if opened is None and (progress is None or not self._open.has_room(share)):
                return None
            opened = opened or self._open.opened(share, progress or _nobody)
            edit = opened.edit(new)
            if edit is None:
                if opened.is_spoiled:
                    self._open.close(share)
                return None
            if not edit.is_alone or self._reporting.graph.rests_on_names(edit.taken, edit.left):
                known.is_unclear = True
                return None
            concerned[paths_of(share)] = opened
            edited |= opened.edited
        return concerned

    def _edited_file(self, path: Path) -> _EditedFile | None:
        if path not in self._files:
            file = next((file for file in self._surveyed.files if file.real_path == path), None)
            owner = next((share for share in self._shares if file in share), None)
            if file is None or owner is None or file.path in self._reporting.shortfalls:
                return None
            if any(len(held.results) != 1 for held in self._shares.values()):
                return None
            shown = {
                paths_of(share): known_in_share(file, held.results[0].observations)
                for share, held in self._shares.items()
            }
            self._files[path] = _EditedFile(file, owner, shown, lines_since(file.source))
        return self._files.get(path)


def _nobody(count: int) -> None:
    """Report progress to nobody."""
