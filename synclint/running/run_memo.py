"""What came of the runs over functions in each share of a project, kept so that an edited function can be run alone.

A function whose body is edited is run with what is kept of all others. Where it tells these the same as before, what
was found elsewhere still holds, and what is seen in the function takes the place of what was seen there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from synclint.analysis.frequency.calls_meant import namesakes_in
from synclint.analysis.results.expression_facts import Facts, either
from synclint.analysis.results.facts import Call, FunctionFacts, LoopFacts
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Key, Observation, Observations, joined
from synclint.analysis.run_records.records import ShareRecords, with_hashable_rows
from synclint.analysis.syntax.edited_lines import EditedLines, Span
from synclint.config.options import Options
from synclint.memo.entry_files import key_of
from synclint.memo.packed import packed, unpacked
from synclint.memo.stores import Store
from synclint.running.code_memo import CodeMemo
from synclint.running.collection import without_garbage_collection
from synclint.running.edited_functions import SeenAfterEdit, Spans, is_within
from synclint.running.same_code import is_same_besides_bodies, lines_of_edit, mentions_the_same
from synclint.running.share_results import ShareResult
from synclint.running.survey import CodeFile
from synclint.sources.decoding import unsaved_texts

if TYPE_CHECKING:
    from synclint.analysis.incremental import EditedFunctions, RestoredFunctions
    from synclint.analysis.project import ProjectAnalysis


@dataclass(frozen=True)
class ShareRuns:
    """What is kept of a share: what identifies the texts on which it rests, and the ``files`` that it consists of.

    ``starred`` are the files of which it was asked what a star gives, ``short`` the files that were not analysed to
    their ends, ``events`` what was seen in each file, by resolved paths. ``methods`` are the names of all functions,
    ``handles`` those by which functions are known, ``taken`` those that are taken for something else; for the others
    see ``EncodedRuns``.
    """

    states: dict[str, str]
    files: tuple[tuple[str, str], ...]
    starred: frozenset[str]
    short: frozenset[str]
    parsed: frozenset[str]
    events: dict[str, msgspec.Raw]
    methods: frozenset[str]
    handles: frozenset[str]
    taken: frozenset[str]
    called_by_name: frozenset[str]
    marked: frozenset[str]
    unread: dict[str, frozenset[int]]

    def events_in(self, path: str) -> tuple[Observation, ...]:
        """What was seen in the file at a resolved path."""
        known = self.events.get(path)
        return () if known is None else msgspec.msgpack.decode(known, type=tuple[Observation, ...])

    def lines_now(self, path: str, before: str, after: str) -> Callable[[int], int] | None:
        """Where the lines of a file, by its resolved path, stand in another text of which the share tells the same.

        None where it may tell something else, as it has looked at what was edited.
        """
        if not is_same_besides_bodies(before, after):
            return None
        if path in self.starred and not mentions_the_same(before, after):
            return None
        lines = lines_of_edit(before, after)
        if lines is None:
            return None
        if path not in self.parsed:  # its text was looked at, but never its code
            return lines.now
        is_own = any(real == path for _, real in self.files)
        if lines.redefined or lines.classes or (is_own and (lines.added or lines.gone)):
            return None
        unread = self.unread.get(path, frozenset())
        is_unread = lines.assigns_the_same and all(first in unread for first, _ in lines.spans_then)
        return lines.now if is_unread else None


def written_runs(
    share_key: str, share: Sequence[CodeFile], result: ShareResult, states: Mapping[str, str]
) -> dict[str, bytes]:
    """The entries for a share that rests on paths in these ``states``; none where nothing was stored."""
    if result.stored is None:
        return {}
    observed = result.observations
    events: dict[str, list[Observation]] = {}
    for event in observed.events:
        events.setdefault(event.path, []).append(event)
    runs = ShareRuns(
        dict(states),
        tuple((str(file.path), str(file.real_path)) for file in share),
        result.starred,
        frozenset(map(str, result.shortfalls)),
        result.stored.parsed,
        {path: msgspec.Raw(msgspec.msgpack.encode(seen)) for path, seen in events.items()},
        frozenset(facts.name for facts in observed.functions.values()),
        frozenset(handle.name for handle in observed.known_callers.handles.values()),
        observed.known_callers.taken,
        result.stored.called_by_name,
        result.stored.marked,
        {**result.stored.unread},
    )
    return {_runs_key(share_key): packed(runs), _stored_key(share_key): result.stored.share}


def identity_of(states: Mapping[str, str]) -> str:
    """What identifies the texts from which a share was learned."""
    return key_of(sorted(states.items()))


def runs_of(entries: Store, share_key: str) -> ShareRuns | None:
    """What is kept of a share; None where nothing is, or it cannot be read."""
    return unpacked(entries.read_bytes(_runs_key(share_key)), ShareRuns)


def note_use(entries: Store, share_key: str) -> None:
    """Remember that what is kept of a share was of use."""
    for key in (share_key, _runs_key(share_key), _stored_key(share_key)):
        entries.note_use(key)


def _runs_key(share_key: str) -> str:
    return key_of("runs", share_key)


def _stored_key(share_key: str) -> str:
    return key_of("stored", share_key)


@dataclass
class RunMemo:
    """The runs in the shares of a project, in ``entries``.

    ``shares`` are the names of what is kept of these, with what identifies the texts from which they were learned: a
    run over few files may have learned one from others since then. ``states`` tell what is at a path now, ``code`` what
    its text was, ``names`` how the run calls its files, by their resolved paths. ``with_evidence`` lets
    the chain of inferences be told of what is seen.
    """

    entries: Store
    code: CodeMemo
    shares: Mapping[str, str]
    roots: Sequence[Path]
    options: Options
    states: Callable[[str], str]
    names: Mapping[str, Path]
    with_evidence: bool
    _runs: dict[str, ShareRuns] | None = field(default=None)
    _stored: tuple[str, ShareRecords] | None = field(default=None)
    # By the names of shares and the paths of files: what the last text of one has shown, and how others are run.
    _edited: dict[tuple[str, Path], tuple[str, EditedFunctions | None]] = field(default_factory=dict)
    _restored: dict[tuple[str, Path], RestoredFunctions] = field(default_factory=dict)
    # What was seen in the last text of each file, where others stood.
    _seen: dict[tuple[str, Path], tuple[str, SeenAfterEdit | None]] = field(default_factory=dict)

    def seen_after(self, file: CodeFile) -> SeenAfterEdit | None:
        """What is seen in a file in which functions have other bodies; None where other files may be concerned."""
        shares = self._known()
        if shares is None:
            return None
        observed: list[Observations] = []
        facts: Facts = {}
        functions: dict[str, FunctionFacts] = {}
        own: dict[str, FunctionFacts] = {}
        loops: dict[str, LoopFacts] = {}
        spans: Spans = ()
        for key, share in shares.items():
            if str(file.real_path) not in share.states:
                continue
            found = self._seen_in(key, share, file)
            if found is None or _rest_on_names(shares.values(), found):
                return None
            observed.append(Observations(events=found.events))
            for place, fact in found.facts.items():
                facts[place] = either(facts[place], fact) if place in facts else fact
            functions.update(found.functions)
            own.update(found.own)
            loops.update(found.loops)
            spans = found.spans or spans
        return SeenAfterEdit(joined(observed).events, facts, spans, functions, loops, own)

    def are_told_of(self, functions: Mapping[str, FunctionFacts]) -> bool:
        """Whether calls by name alone, or what is done with functions without calling them, tell of some functions."""
        shares = self._known() or {}
        marked: set[str] = set().union(*(share.marked for share in shares.values()))
        called: set[str] = set().union(*(share.called_by_name for share in shares.values()))
        names = {facts.name for facts in functions.values()}
        return not (marked.isdisjoint(names) and called.isdisjoint(namesakes_in(functions)))

    def _known(self) -> dict[str, ShareRuns] | None:
        if self._runs is None:
            found = {key: runs_of(self.entries, key) for key in self.shares}
            known = {key: runs for key, runs in found.items() if runs is not None}
            if {key: identity_of(runs.states) for key, runs in known.items()} != self.shares:
                return None
            self._runs = known
        return self._runs

    def _seen_in(self, key: str, share: ShareRuns, file: CodeFile) -> SeenAfterEdit | None:
        """What a share sees in a file, on the lines of today."""
        texts = self._texts_then(share)
        if texts is None:
            return None
        source, seen = self._seen.get((key, file.path), ("", None))
        if source != file.source:
            seen = self._seen_where_others_stood(key, share, file, texts)
            self._seen[key, file.path] = file.source, seen
        if seen is None:
            return None
        observed, own = Observations(seen.events, seen.functions, seen.loops), Observations(functions=seen.own)
        for path, before in texts.items():
            if path != str(file.real_path):
                move = self._move_since(path, before, share.states[path])
                if move is None:
                    return None
                observed, own = moved(observed, move), moved(own, move)
        return replace(
            seen, events=observed.events, functions=observed.functions, loops=observed.loops, own=own.functions
        )

    def _move_since(self, path: str, before: str, then: str) -> MovedFile | None:
        """Where the lines of a file, by its resolved path, stand that had another text; None where that is unknown."""
        state, name = self.states(path), str(self.names.get(path, path))
        edit = self.code.edit(path, then, state)
        if edit is not None and edit.code is not None:
            return MovedFile(path, name, edit.code.lines)
        now = self.code.text_now(path, state)
        lines = None if now is None else lines_of_edit(before, now)
        return None if lines is None else MovedFile(path, name, lines.now)

    def _seen_where_others_stood(
        self, key: str, share: ShareRuns, file: CodeFile, texts: Mapping[str, str]
    ) -> SeenAfterEdit | None:
        """The same, with other files on the lines of the ``texts`` that they had when the share was analysed."""
        path = str(file.real_path)
        events = share.events_in(path)
        before = texts.get(path)
        if before is None:  # it has the text that it had
            return SeenAfterEdit(events)
        lines_now = share.lines_now(path, before, file.source)
        if lines_now is not None:
            return SeenAfterEdit(moved(events, MovedFile(path, str(file.path), lines_now)))
        lines = lines_of_edit(before, file.source)
        if lines is None or not is_same_besides_bodies(before, file.source):
            return None
        if str(file.path) in share.short or path not in share.parsed:
            return None
        edited = self._run(key, share, file, lines, texts)
        if (
            edited is None
            or not edited.is_alone
            or not _shows_what_is_kept(edited.before, events, path, lines.spans_then)
        ):
            return None
        if not shows_the_same(edited, MovedFile(path, str(file.path), lines.then)):
            return None
        return _instead(edited, file, events, lines)

    def likely_after(self, file: CodeFile) -> SeenAfterEdit | None:
        """The same as if the edited functions concerned nothing else, by what the share of the file knows.

        None where they cannot be run by themselves.
        """
        path = str(file.real_path)
        for key, share in (self._known() or {}).items():
            if not any(real == path for _, real in share.files):
                continue
            texts = self._texts_then(share)
            before = None if texts is None else texts.get(path)
            lines = None if before is None else lines_of_edit(before, file.source)
            if texts is None or lines is None or str(file.path) in share.short:
                return None
            edited = self._run(key, share, file, lines, texts)
            return None if edited is None else _instead(edited, file, share.events_in(path), lines)
        return None

    def _stored_share(self, key: str) -> ShareRecords | None:
        """What is stored of a share; that of the last one that was asked for stays."""
        if self._stored is None or self._stored[0] != key:
            stored = unpacked(self.entries.read_bytes(_stored_key(key)), ShareRecords)
            if stored is None:
                return None
            self._stored = key, with_hashable_rows(stored)
        return self._stored[1]

    def _run(
        self, key: str, share: ShareRuns, file: CodeFile, lines: EditedLines, texts: Mapping[str, str]
    ) -> EditedFunctions | None:
        """Run the edited functions of a file with what is stored of a share, once for one text.

        What was needed for that stays until another file is edited.
        """
        source, edited = self._edited.get((key, file.path), ("", None))
        if source != file.source:
            for other in [one for one in self._edited if one[1] != file.path]:
                del self._edited[other]
            edited = self._run_edited(key, share, file, lines, texts)
            self._edited[key, file.path] = file.source, edited
        return edited

    def _run_edited(
        self, key: str, share: ShareRuns, file: CodeFile, lines: EditedLines, texts: Mapping[str, str]
    ) -> EditedFunctions | None:
        for other in [one for one in self._restored if one[1] != file.path]:
            del self._restored[other]
        known = self._restored.get((key, file.path))
        with unsaved_texts({Path(path): text for path, text in texts.items()}), without_garbage_collection():
            if known is None or not known.spans.issuperset(lines.spans_then):
                known = self._restored_at(key, share, file, lines.spans_then, texts)
            if known is None:
                return None
            self._restored[key, file.path] = known
            return known.after(self._project(share), file.source, lines)

    def _restored_at(
        self, key: str, share: ShareRuns, file: CodeFile, spans: Collection[Span], texts: Mapping[str, str]
    ) -> RestoredFunctions | None:
        from synclint.analysis.incremental import restored_functions  # brings the analysis with it

        stored = self._stored_share(key)
        if stored is None:
            return None
        before = texts[str(file.real_path)]
        return restored_functions(self._project(share), stored, file.path, before, spans, share.methods)

    def _project(self, share: ShareRuns) -> ProjectAnalysis:
        """The project of a share, in which nothing was analysed yet."""
        from synclint.running.share_analysis import project_of

        project = project_of([Path(path) for path, _ in share.files], self.roots, self.options)
        if self.with_evidence:
            project.record_evidence()
        return project

    def _texts_then(self, share: ShareRuns) -> dict[str, str] | None:
        """The texts that files had when a share was analysed, by their resolved paths; None where one is not known.

        Those of files that have the same text now are left out.
        """
        texts: dict[str, str] = {}
        for path, state in share.states.items():
            if self.states(path) == state:
                continue
            before = self.code.text_of(path, state)
            if before is None or os.path.realpath(path) != path:
                return None
            texts[path] = before
        return texts


def _instead(
    edited: EditedFunctions, file: CodeFile, events: Sequence[Observation], lines: EditedLines
) -> SeenAfterEdit:
    """What is seen in a file where ``events`` were seen, by what the edited functions in it show now."""
    path, now = str(file.real_path), MovedFile(str(file.real_path), str(file.path), lines.now)
    old, new = lines.spans_then, lines.spans_now
    after = edited.after
    kept = (moved(event, now) for event in events if not is_within(event.span.start.line, old))
    made = (event for event in after.events if event.path == path and is_within(event.span.start.line, new))
    facts = {place: fact for place, fact in after.facts.get(path, {}).items() if is_within(place.line, new)}
    return SeenAfterEdit(
        (*kept, *made), facts, new, after.functions, after.loops, edited.functions, edited.taken, edited.left
    )


def _shows_what_is_kept(seen: Observations, events: Iterable[Observation], path: str, spans: Spans) -> bool:
    """Whether functions of a file, run again as they were, show the ``events`` that are kept of them, and no others."""
    kept = {event for event in events if is_within(event.span.start.line, spans)}
    return kept == {event for event in seen.events if event.path == path and is_within(event.span.start.line, spans)}


def shows_the_same(edited: EditedFunctions, then: MovedFile) -> bool:
    """Whether the functions that are known, and all calls, are those that they were."""
    before, after = edited.before, moved(edited.after, then)
    return (
        all(before.functions.get(key, facts) == facts for key, facts in after.functions.items())
        and all(before.loops.get(key, loop) == loop for key, loop in after.loops.items())
        and _calls(before.calls) == _calls(after.calls)
        and _calls(before.unresolved) == _calls(after.unresolved)
        and before.handed == after.handed
    )


def _calls(calls: Mapping[Key, Sequence[Call]]) -> set[tuple[Key, Call]]:
    return {(key, call) for key, sites in calls.items() for call in sites}


def _rest_on_names(shares: Iterable[ShareRuns], seen: SeenAfterEdit) -> bool:
    """Whether it could matter that names are taken for something else than the function of a call, or no longer."""
    shares = tuple(shares)
    known: set[str] = set().union(*(share.taken for share in shares))
    concerned = {*seen.left, *(seen.taken - known)}
    return any(not share.handles.isdisjoint(concerned) for share in shares)
