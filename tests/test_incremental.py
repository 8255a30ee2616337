"""An edited function, run with what is stored of all others, shows what a new analysis of everything shows."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from edited_project import FILES, after_typing

from synclint.analysis.incremental import EditedFunctions, RestoredFunctions, restored_functions
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Observation, Observations
from synclint.analysis.run_records.records import ShareRecords, with_hashable_rows
from synclint.analysis.run_records.writer import stored_share
from synclint.analysis.syntax.edited_lines import EditedLines, Span, edited_lines
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.fixes.folders import fixable_constructs
from synclint.running.run_memo import shows_the_same


@dataclass(frozen=True)
class Analysed:
    observed: Observations
    stored: ShareRecords


def _project(folder: Path) -> ProjectAnalysis:
    return ProjectAnalysis([folder], analysed=[folder / name for name in FILES], fixable=fixable_constructs())


def _analysed(folder: Path, texts: Mapping[str, str]) -> Analysed:
    project = _project(folder)
    for name, text in texts.items():
        project.begin(folder / name, text)
    for name, text in texts.items():
        project.analyse(folder / name, text)
    observed = project.observations()
    written = msgspec.msgpack.encode(stored_share(project.engine, project.modules))
    return Analysed(observed, with_hashable_rows(msgspec.msgpack.decode(written, type=ShareRecords)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@dataclass(frozen=True)
class _Found:
    """What was found in edited functions, and how lines belong together."""

    edited: EditedFunctions
    lines: EditedLines


def _run(folder: Path, before: Analysed, name: str, text: str) -> _Found | None:
    """What is found where functions have other bodies; None where others may be concerned."""
    lines = edited_lines(FILES[name], text)
    if lines is None or not lines.spans:
        return None
    restored = _restored(folder, before, name, lines.spans_then)
    return None if restored is None else _after(restored, before, text, lines, folder)


def _restored(folder: Path, before: Analysed, name: str, spans: Collection[Span]) -> RestoredFunctions | None:
    methods = {facts.name for facts in before.observed.functions.values()}
    return restored_functions(_project(folder), before.stored, folder / name, FILES[name], spans, methods)


def _after(restored: RestoredFunctions, before: Analysed, text: str, lines: EditedLines, folder: Path) -> _Found | None:
    edited = restored.after(_project(folder), text, lines)
    if edited is None or not edited.is_alone:
        return None
    then = MovedFile(str(restored.path), str(restored.path), lines.then)
    if not shows_the_same(edited, then):
        return None
    # Of functions in which nothing was seen before, those ask who know the project.
    functions = moved(edited.after, then).functions
    return _Found(edited, lines) if functions.keys() <= before.observed.functions.keys() else None


def _told(event: Observation) -> tuple[object, ...]:
    """What an observation tells, its callers in any order."""
    return (*(getattr(event, name) for name in event.__dataclass_fields__ if name != "callers"), set(event.callers))


def _expected(folder: Path, before: Analysed, name: str, found: _Found) -> list[Observation]:
    """What was seen before, on the lines of today, with what was found in the edited functions."""
    path = str(folder / name)
    now = MovedFile(path, path, found.lines.now)
    old, new = found.lines.spans_then, found.lines.spans_now

    def within(event: Observation, spans: Collection[tuple[int, int]]) -> bool:
        return event.path == path and any(first <= event.span.start.line <= last for first, last in spans)

    kept = [moved(event, now) for event in before.observed.events if not within(event, old)]
    return [*kept, *(event for event in found.edited.after.events if within(event, new))]


def _in_order(events: list[Observation] | tuple[Observation, ...]) -> list[tuple[object, ...]]:
    return sorted(map(_told, events), key=lambda told: repr(told[:8]))


@pytest.mark.parametrize("seed", range(3))
def test_what_edited_functions_show_is_what_a_new_analysis_shows(folder: Path, seed: int) -> None:
    chosen = random.Random(seed)
    before = _analysed(folder, FILES)
    answered = 0
    for _ in range(40):
        name = chosen.choice(sorted(FILES))
        text = after_typing(FILES[name], chosen)
        try:
            parse(text)
        except ParseFailure:
            continue
        found = _run(folder, before, name, text)
        if found is None:
            continue
        answered += 1
        after = _analysed(folder, {**FILES, name: text}).observed
        path = str(folder / name)
        now = moved(before.observed, MovedFile(path, path, found.lines.now))
        assert _in_order(_expected(folder, before, name, found)) == _in_order(after.events), text
        assert {key: set(sites) for key, sites in now.calls.items()} == {
            key: set(sites) for key, sites in after.calls.items()
        }, text
        assert now.functions == after.functions, text
    assert answered >= 8


@pytest.mark.parametrize("name", sorted(FILES))
def test_functions_may_be_edited_one_after_the_other(folder: Path, name: str) -> None:
    chosen = random.Random(name)
    before = _analysed(folder, FILES)
    restored: RestoredFunctions | None = None
    text, again = FILES[name], 0
    for _ in range(40):
        typed = after_typing(text, chosen)
        lines = edited_lines(FILES[name], typed)
        if lines is None or not lines.spans:
            continue
        spans = {*lines.spans_then}
        expected = _run(folder, before, name, typed)
        if expected is None:
            continue
        text = typed
        is_known = restored is not None and spans <= restored.spans
        restored = restored if is_known else _restored(folder, before, name, spans)
        found = None if restored is None else _after(restored, before, text, lines, folder)
        if found is None:
            assert is_known  # where edited functions rest on one another, it may take another start
            restored = None
            continue
        again += is_known
        assert _in_order(_expected(folder, before, name, found)) == _in_order(
            _expected(folder, before, name, expected)
        ), text
        assert found.edited.functions.items() >= expected.edited.functions.items()
        assert (found.edited.taken, found.edited.left) == (expected.edited.taken, expected.edited.left)
    assert again >= 4


def test_functions_that_are_run_again_with_the_bodies_they_had_show_what_they_had_shown(folder: Path) -> None:
    before = _analysed(folder, FILES)
    for name, function in (("train.py", "report"), ("model.py", "clip"), ("losses.py", "masked")):
        text = FILES[name]
        start = text.index("\n", text.index(f"def {function}(")) + 1
        found = _run(folder, before, name, f"{text[:start]}    _a = 1\n{text[start:]}")
        assert found is not None
        (span, _), *_ = found.lines.spans
        path = str(folder / name)
        shown = [event for event in found.edited.before.events if event.path == path]
        known = [
            event
            for event in before.observed.events
            if event.path == path and span[0] <= event.span.start.line <= span[1]
        ]
        assert _in_order(known)
        assert [told for told in _in_order(shown) if told in _in_order(known)] == _in_order(known)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("train.py", "    return total.item()\n", "    return total\n"),  # its caller is told otherwise
        ("model.py", "        self.count = self.count + 1\n", "        self.count = y\n"),  # as is who reads it
        ("model.py", "        norms.append(parameter.grad.norm())\n", "        norms.append(Block(3))\n"),
        ("train.py", "        clip(net.parameters(), 1.0)\n", "        pass\n"),  # which was its only call
        ("losses.py", "    first = x[0]\n", "    first = masked(x, x > 0)\n"),  # one call more of another function
        (
            "train.py",
            "        clip(net.parameters(), 1.0)\n",
            "        1 or clip(net.parameters(), 1.0)\n",
        ),  # never made
        ("train.py", "def report(", "def report(more, "),  # its calls give something else
        ("losses.py", "def unused(x):\n", "def added(x):\n    return masked(x, x > 0)\n\n\ndef unused(x):\n"),
        ("model.py", "        self.steps += 1\n", "        self.steps += 1\n        self.last = x\n"),
        ("losses.py", "    first = x[0]\n", "    class Inner: pass\n    first = x[0]\n"),
    ],
)
def test_an_edit_that_tells_others_something_new_is_not_answered(folder: Path, name: str, old: str, new: str) -> None:
    before = _analysed(folder, FILES)
    assert FILES[name].count(old) == 1
    assert _run(folder, before, name, FILES[name].replace(old, new)) is None


def test_what_is_not_stored_is_not_made_up(folder: Path) -> None:
    before = _analysed(folder, FILES)
    text = FILES["train.py"].replace(
        "        optimizer.step()\n", "        optimizer.step()\n        print(loss.item())\n"
    )
    assert _run(folder, before, "train.py", text) is not None
    for part in ("contexts", "modules"):
        less = ShareRecords(**{**vars(before.stored), part: {}})
        assert _run(folder, Analysed(before.observed, less), "train.py", text) is None
