"""Shares whose analysis is held in memory: an edit of a function's body runs that function again, and what rests on it.

Other shares may have looked at the edited file as well. One that is open is edited in the same way. What is known of
one that never concluded anything from the edited functions still holds, on the lines where all stands now.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from synclint.analysis.project import Edited
from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Observations
from synclint.analysis.syntax.edited_bodies import EditedBodies, MovedLines, edited_bodies
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.positions import lines_of
from synclint.running.progress import Progress
from synclint.running.share_analysis import AnalysedShare
from synclint.running.share_results import ShareResult
from synclint.running.shares import size_of
from synclint.running.survey import CodeFile

# An open share takes about a hundred times the size of its files: as many are open as have so many bytes together.
_MOST_BYTES = 14_000_000

Paths = tuple[Path, ...]


def paths_of(share: Sequence[CodeFile]) -> Paths:
    """What names a share whatever its files contain."""
    return tuple(file.real_path for file in share)


@dataclass
class OpenShare:
    """A share whose files can be edited; ``edited`` are the functions that were since its result was last taken."""

    analysed: AnalysedShare
    edited: set[str] = field(default_factory=set)
    _result: ShareResult | None = None
    _is_ahead: bool = False

    def edit(self, file: CodeFile) -> Edited | None:
        """Let a file have the text that it has now; None where this share has to be analysed anew."""
        if file.path in self.analysed.result.shortfalls:
            return None
        edit = self.analysed.project.edit(file.path, file.source)
        self._is_ahead = True
        if edit is not None:
            self.edited |= edit.functions
        return edit

    @property
    def is_spoiled(self) -> bool:
        """Whether an edit was begun that came to no end, so that nothing more can be said."""
        return self.analysed.project.is_spoiled

    def seen_in(self, file: CodeFile, methods: Collection[str]) -> Observations:
        """What has been seen in a file by now; ``methods`` are the names of all functions."""
        return self.analysed.project.seen_in(file.path, methods)

    def functions_in(self, file: CodeFile) -> Mapping[str, FunctionFacts]:
        """What the texts of all functions in a file say by now."""
        return self.analysed.project.functions_in(file.path)

    def result(self) -> ShareResult:
        """What came of the share, with all edits."""
        project = self.analysed.project
        if self._is_ahead:
            self._is_ahead = False
            self.edited.clear()
            observations = project.observed()
            self._result = replace(
                self.analysed.result, observations=observations, consulted=project.consulted, entered=project.entered
            )
        return self._result or self.analysed.result


@dataclass
class OpenShares:
    """The shares that were edited last; ``analyse`` makes others that can be edited."""

    analyse: Callable[[Sequence[CodeFile], Progress], AnalysedShare]
    _open: OrderedDict[Paths, OpenShare] = field(default_factory=OrderedDict)
    _sizes: dict[Paths, int] = field(default_factory=dict)

    def find(self, share: Sequence[CodeFile]) -> OpenShare | None:
        """An open share."""
        return self._open.get(paths_of(share))

    def opened(self, share: Sequence[CodeFile], progress: Progress) -> OpenShare:
        """A share that is open, or is opened now, with the texts that its files have here."""
        found = self.find(share)
        if found is None:
            found = self.keep(share, OpenShare(self.analyse(share, progress)))
        self._open.move_to_end(paths_of(share))
        return found

    def keep(self, share: Sequence[CodeFile], opened: OpenShare) -> OpenShare:
        """Keep a share that has been opened, with the texts that its files have here."""
        key = paths_of(share)
        self._open.pop(key, None)
        self._sizes[key] = sum(map(size_of, share))
        self._make_room(self._sizes[key])
        self._open[key] = opened
        return opened

    def has_room(self, share: Sequence[CodeFile]) -> bool:
        """Whether a share can be opened beside those that are open."""
        return self._size() + sum(map(size_of, share)) <= _MOST_BYTES

    def _size(self) -> int:
        return sum(self._sizes[key] for key in self._open)

    def _make_room(self, size: int) -> None:
        """Close the shares that were not used for the longest time until there is room for another one."""
        is_closed = False
        while self._open and self._size() + size > _MOST_BYTES:
            self._open.popitem(last=False)
            is_closed = True
        if is_closed:
            gc.collect()  # trees refer to one another

    def close(self, share: Sequence[CodeFile]) -> None:
        """Forget a share that has to be analysed anew."""
        self._open.pop(paths_of(share), None)

    def close_those_with(self, paths: Collection[Path]) -> None:
        """Forget the shares of some files, by their resolved paths."""
        for share in [share for share in self._open if not set(share).isdisjoint(paths)]:
            del self._open[share]


def edited_in(before: CodeFile, after: CodeFile) -> EditedBodies | None:
    """How two texts of a file differ; None where that is in more than bodies of functions."""
    if before.embedded is not None or after.embedded is not None or not after.has_torch_in_reach:
        return None
    try:
        trees = parse(before.source), parse(after.source)
    except ParseFailure:
        return None
    return edited_bodies(*trees, lines_of(before.source), lines_of(after.source))


def with_moved_lines(results: Sequence[ShareResult], file: CodeFile, lines: MovedLines) -> tuple[ShareResult, ...]:
    """What came of a share to which an edit of another one's file brings no more than other lines."""
    if lines.first is None:
        return tuple(results)
    place = MovedFile(str(file.real_path), str(file.path), lines)
    return tuple(replace(result, observations=moved(result.observations, place)) for result in results)
