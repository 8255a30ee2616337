"""What came of the shares of a project, kept between runs: it holds while nothing has changed on which it rests.

The analysis of a share looks at the files of the share and at what these import, and at nothing else. What is kept is
therefore what the share would give again, byte for byte. Where code stands on other lines than it did, that is what it
gave, on these lines: nothing that the analysis concludes hangs on the numbers of lines, only on their order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Observations
from synclint.config.options import Options
from synclint.files.real_paths import RealPaths
from synclint.findings import Position
from synclint.fixes.folders import fixable_constructs
from synclint.memo.entry_files import key_of
from synclint.memo.packed import packed, unpacked, unwritten
from synclint.memo.path_states import PathStates, surroundings
from synclint.memo.program import this_program
from synclint.memo.stores import Store
from synclint.rules.own import ANALYSIS_LIMIT, SYNTAX_ERROR
from synclint.running.code_memo import CodeMemo
from synclint.running.recorded import Records
from synclint.running.run_memo import ShareRuns, identity_of, note_use, runs_of, written_runs
from synclint.running.share_results import ShareResult
from synclint.running.shortfalls import Shortfall
from synclint.running.survey import CodeFile
from synclint.running.user_libraries import installed_in

# Of a project's own faults a share tells each time in the same way; ours, and the system's, are not kept.
_KEPT_SHORTFALLS = {rule.code: rule for rule in (ANALYSIS_LIMIT, SYNTAX_ERROR)}


@dataclass(frozen=True)
class _Header:
    """What has to be so for an entry to hold, and what it holds."""

    states: dict[str, str]
    body: msgspec.Raw


@dataclass(frozen=True)
class _WrittenShortfall:
    path: str
    code: str
    message: str
    line: int
    column: int


@dataclass(frozen=True)
class _Body:
    observations: Observations
    shortfalls: tuple[_WrittenShortfall, ...]
    starred: frozenset[str]


@dataclass(frozen=True)
class _Change:
    """A file whose lines have moved, and what has changed in it."""

    file: MovedFile
    mentions_the_same: bool


@dataclass
class ShareMemo:
    """What came of shares, in ``entries``, by runs over the same ``roots`` with settings that mean the same.

    ``code`` knows the texts that they had. ``started`` is when this run began, in nanoseconds: what has changed since
    then is not kept. ``states`` tell what is at paths.
    """

    entries: Store
    code: CodeMemo
    roots: Sequence[Path]
    options: Options
    records: Records | None
    started: int
    states: PathStates = field(default_factory=PathStates)
    _new: dict[str, tuple[Sequence[CodeFile], ShareResult]] = field(default_factory=dict)
    # What identifies the texts from which shares were learned that this run rests on, by the names of what is kept.
    learned_from: dict[str, str] = field(default_factory=dict)

    def find(self, share: Sequence[CodeFile], files: Mapping[str, Path]) -> ShareResult | None:
        """What came of a share, None where that is not known any longer.

        ``files`` are the paths of all files of the run by their resolved paths.
        """
        key = self.key(share)
        header = unpacked(self.entries.read_bytes(key), _Header)
        changes = None if header is None else self._changes(key, header.states, files)
        if header is None or changes is None:
            return None
        body = unwritten(header.body, _Body)
        observations = None if body is None else _after(body, changes)
        if body is None or observations is None:
            return None
        note_use(self.entries, key)
        self.learned_from[key] = identity_of(header.states)
        shortfalls = {
            Path(each.path): Shortfall(_KEPT_SHORTFALLS[each.code], each.message, Position(each.line, each.column))
            for each in body.shortfalls
        }
        return ShareResult(shortfalls, observations, consulted=frozenset(header.states), starred=body.starred)

    def _changes(self, key: str, states: Mapping[str, str], files: Mapping[str, Path]) -> list[_Change] | None:
        """The files whose code has moved since they had these states; None where more has changed.

        What has changed in code at which the share under this name has never looked is nothing to it.
        """
        changes: dict[str, _Change] = {}
        runs: ShareRuns | None = None
        for path, state in states.items():
            now = self.states.now(path)
            if now == state:
                continue
            real = os.path.realpath(path)
            named = files.get(real)
            edit = None if named is None else self.code.edit(real, state, now)
            # What is called by a third name may stand so in what was found.
            if named is None or edit is None or path not in (real, str(named.absolute())):
                return None
            if edit.code is not None:
                lines: Callable[[int], int] | None = edit.code.lines
            else:
                runs = runs or runs_of(self.entries, key)
                lines = None if runs is None else runs.lines_now(real, edit.before, edit.after)
            if lines is None:
                return None
            changes[real] = _Change(MovedFile(real, str(named), lines), edit.mentions_the_same)
        return list(changes.values())

    def keep(self, share: Sequence[CodeFile], result: ShareResult) -> None:
        """Keep what came of a share once all is done, unless something went wrong with it."""
        if not result.killed and all(each.rule.code in _KEPT_SHORTFALLS for each in result.shortfalls.values()):
            self._new[self.key(share)] = share, result

    def write(self, files: Sequence[CodeFile], states: PathStates) -> None:
        """Write what is to be kept of a project with these files; ``states`` tell what is at paths after the run."""
        paths = RealPaths()
        written: dict[str, bytes] = {}
        for key, (share, result) in self._new.items():
            consulted = {*result.consulted, *(str(file.path) for file in share)}
            found = states.since({*consulted, *surroundings(self.roots, consulted, paths)}, self.started)
            if found is not None:
                shortfalls = tuple(_written(*item) for item in result.shortfalls.items())
                body = _Body(result.observations, shortfalls, result.starred)
                with suppress(UnicodeEncodeError):  # for the name of a file that no text can tell
                    header = _Header(found, msgspec.Raw(msgspec.msgpack.encode(body)))
                    written[key] = packed(header)
                    written.update(written_runs(key, share, result, found))
                    self.learned_from[key] = identity_of(found)
        self._new.clear()
        self.entries.write_bytes(written)
        unchanged = ((file, states.since([str(file.real_path)], self.started)) for file in files)
        self.code.write({file: state for file, found in unchanged if found for state in found.values()})

    def key(self, share: Sequence[CodeFile]) -> str:
        """The name of what is kept of a share."""
        return key_for(share, self.roots, self.options, self.records)


def key_for(share: Sequence[CodeFile], roots: Sequence[Path], options: Options, records: Records | None) -> str:
    """The name of what is kept of a share, another one wherever the analysis would be told something else."""
    told = [
        options.hot_functions,
        options.cold_functions,
        options.device_functions,
        [region.pattern for region in options.allowed_regions],
        options.torch_version,
        options.library_versions,
        options.waits,
        options.gives,
        installed_in(options),
    ]
    files = [[str(file.path), str(file.real_path), file.has_torch_in_reach] for file in share]
    named = [[str(root), str(root.resolve())] for root in roots]
    fixable = sorted(fixable_constructs())
    recorded = "" if records is None else records.told_of(share)
    return key_of("share", this_program(), repr(told), recorded, fixable, str(Path.cwd()), named, files)


def _after(body: _Body, changes: Sequence[_Change]) -> Observations | None:
    """What was seen in a share, on the lines of today; None where more may be new."""
    observed = body.observations
    short = {os.path.realpath(each.path) for each in body.shortfalls}
    for change in changes:
        real = change.file.real_path
        if real in short or (real in body.starred and not change.mentions_the_same):
            return None
        observed = moved(observed, change.file)
    return observed


def _written(path: Path, shortfall: Shortfall) -> _WrittenShortfall:
    return _WrittenShortfall(str(path), shortfall.rule.code, shortfall.message, *shortfall.place)
