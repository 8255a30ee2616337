"""``synclint explain --why FILE:LINE``: the chain of inferences behind a finding, or behind silence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from synclint.analysis.interpreter.engine import TooMuchWorkError
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.syntax.parsing import ParseFailure
from synclint.analysis.why import Explanation, Told, explain_line
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.report.phrases import note
from synclint.report.terminal import Palette, escape
from synclint.rules.loading import load_rules
from synclint.rules.matching import rules_by_construct
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.running.learning import project_for
from synclint.running.runner import all_events, is_matched
from synclint.running.survey import CodeFile
from synclint.sources.decoding import UnreadableSourceError, read_source

# No file has so many lines, and Python refuses to read a number of thousands of digits.
_MOST_DIGITS = 9


def parse_place(text: str) -> tuple[Path, int]:
    """Read ``FILE:LINE``; raises click.UsageError."""
    name, colon, number = text.rpartition(":")
    if not colon or not number.isdecimal() or len(number) > _MOST_DIGITS or int(number) < 1:
        raise click.UsageError(f"--why takes FILE:LINE, such as train.py:41, not {text!r}")
    return Path(name), int(number)


def explain_place(text: str, colors: Palette) -> Iterator[str]:
    """The lines to print for one place; raises ClickException for a place that is not there or not reached."""
    path, line = parse_place(text)
    try:
        source = read_source(path)
    except UnreadableSourceError as error:
        raise click.UsageError(f"{path}: {error}") from None
    rows = source.splitlines()
    if line > len(rows):
        raise click.UsageError(f"{path} has {len(rows)} lines, there is no line {line}")
    try:
        options = Configurations().of_file(real_path(path))
        found = _explanation(CodeFile(path, real_path(path), source), line, options)
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from None
    except ParseFailure as error:
        raise click.UsageError(f"{path}:{error.line}:{error.column}: {error.message}") from None
    except (TooMuchWorkError, RecursionError):
        more = f"`synclint explain {ANALYSIS_LIMIT.code}` says why"
        raise click.ClickException(f"{path}: takes too much work, or is nested too deeply; {more}") from None
    yield f"{colors.strong(escape(f'{path}:{line}'))}: {escape(rows[line - 1].strip())}"
    yield ""
    yield from _events(found, options, colors)
    for conclusion in found.conclusions:
        yield from _conclusion(conclusion, colors)


def _explanation(file: CodeFile, line: int, options: Options) -> Explanation:
    """What is known of a line with the settings that hold there; raises ParseFailure."""
    project = project_for([file], [file.path], options)
    events_of = partial(all_events, file, options=options) if is_matched(file) else None
    return explain_line(project, file.path, file.source, line, events_of)


def _events(found: Explanation, options: Options, colors: Palette) -> Iterator[str]:
    if not found.events:
        yield "Nothing on this line was found to make the host wait. What was concluded:"
        yield ""
    rules = rules_by_construct(load_rules(), options.catalog)
    for event in found.events:
        rule = rules.get(event.construct)
        code = colors.code(rule.code if rule is not None else "")
        facts = f" is {event.facts}" if event.facts else ""
        yield f"{code} {event.construct}: `{escape(event.subject)}`{facts}"
        yield from (f"    {escape(sentence)}" for sentence in event.evidence)
        yield f"    {_reporting(event, options)}"
        yield ""


def _reporting(event: SyncEvent, options: Options) -> str:
    where = escape(note(event.context))
    said = f"confidence {event.confidence.value}, the weakest evidence on the chain; {where}"
    needed = [] if options.is_asked_for(event.context) else [f"--runs {event.context.runs.value}"]
    if not event.confidence.at_least(options.min_confidence):
        needed.append(f"--min-confidence {event.confidence.value}")
    return f"{said}: reported with {' and '.join(needed)} only" if needed else said


_NEVER_REACHED = "is never reached: the code before it leaves, or its branch cannot run on a GPU"


def _conclusion(conclusion: Told, colors: Palette) -> Iterator[str]:
    text = colors.quoted(escape(f"`{conclusion.text}`"))
    yield f"{text} {_NEVER_REACHED if conclusion.description is None else f'is {conclusion.description}'}"
    yield from (f"    {escape(sentence)}" for sentence in conclusion.evidence)
