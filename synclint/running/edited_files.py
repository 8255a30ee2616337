"""Edits in functions that concern nothing but their own file, since the project was last put together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.results.observations import Observations
from synclint.results.file_reports import FileReport
from synclint.running.edited_file import KnownInShare, LinesSince, events_after, known_in_share, lines_since, move_of
from synclint.running.edited_shares import Shares
from synclint.running.file_findings import is_matched
from synclint.running.held_shares import with_new_text
from synclint.running.open_shares import OpenShares, Paths, edited_in, paths_of
from synclint.running.progress import Progress
from synclint.running.reporting import Reporting
from synclint.running.same_code import is_same_besides_code
from synclint.running.survey import CodeFile, Survey
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

    def __init__(self, surveyed: Survey, shares: Shares, reporting: Reporting, opened: OpenShares) -> None:
        self._surveyed = surveyed
        self._shares = shares
        self._reporting = reporting
        self._open = opened
        self._files: dict[Path, _EditedFile] = {}

    def report(
        self, path: Path, others: Collection[Path], texts: Mapping[Path, str], progress: Progress
    ) -> FileReport | None:
        """The report of a file, by its resolved path, after an edit in a function that concerns nothing else.

        None where it may concern more: then the project has to be put together anew. Until that is done, and after
        any number of such edits, the reports of other files are on the lines of before; ``others`` are those that
        were edited so.
        """
        known, reporting = self._edited_file(path), self._reporting
        if known is None or known.is_unclear or not self._were_edited(others, texts):
            return None
        with unsaved_texts(texts):
            new = with_new_text(known.file)
        if new is None or not is_same_besides_code(known.file.source, new.source) or is_matched(new):
            return None
        lines, *changed = known.lines.edited(new.source)
        if reporting.graph.words.could_change(*changed):
            return None
        seen: dict[Paths, Observations] | None = {}
        if new.source != known.file.source or lines.edits > 1:
            if self._open.find(known.owner) is None:
                edited = edited_in(known.file, new)
                if edited is None or not edited.functions:
                    return None  # with comments alone, which need no analysis at all, reports are soon made
            seen = self._seen_after_edit(known, new, progress)
            known.lines = lines
        if seen is None:
            known.is_unclear = True
            return None
        moves = [move_of(one.file, one.lines) for one in self._files.values() if one.lines.edits]
        shown = [(before, seen.get(share)) for share, before in known.shown.items()]
        found = events_after(new, moves, shown, reporting.graph)
        return None if found is None else reporting.report_instead(new, *found)

    def _were_edited(self, paths: Collection[Path], texts: Mapping[Path, str]) -> bool:
        """Whether all that is different in files by now are edits that concerned nothing else."""
        known = {path: self._files.get(path) for path in paths}
        return all(
            one is not None and not one.is_unclear and one.lines.source == texts.get(path)
            for path, one in known.items()
        )

    def _seen_after_edit(
        self, known: _EditedFile, new: CodeFile, progress: Progress
    ) -> dict[Paths, Observations] | None:
        """What is seen in an edited file in the shares that are concerned; None where an edit reaches others."""
        owner = self._open.opened(known.owner, progress)
        concerned = [known.owner]
        edit = owner.edit(new)
        for share, held in self._shares.items():
            is_concerned = self._open.find(share) is not None or not owner.edited.isdisjoint(held.entered)
            if share is not known.owner and str(new.real_path) in held.consulted and is_concerned:
                concerned.append(share)
        seen: dict[Paths, Observations] = {}
        for share in concerned:
            opened = owner if share is known.owner else self._open.opened(share, progress)
            edit = edit if opened is owner else opened.edit(new)
            if edit is None:
                self._open.close(share)
                return None
            if not edit.is_alone:
                return None
            seen[paths_of(share)] = opened.seen_in(new, known.shown[paths_of(share)].methods)
        return seen

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
