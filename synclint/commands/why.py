"""``synclint explain --why FILE:LINE``: the chain of inferences behind a finding, or behind silence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from synclint.analysis.results.events import SyncEvent
from synclint.analysis.syntax.parsing import ParseFailure
from synclint.analysis.why import Conclusions, Explanation, explain_line
from synclint.commands.named_files import NOT_KNOWN, Asked, belongs_to_more, in_project, too_much_has_changed
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.findings import Finding, Phase
from synclint.memo.folders import default_folder
from synclint.report.phrases import note
from synclint.report.terminal import Palette, escape
from synclint.results.file_reports import FileReport
from synclint.rules.loading import load_rules
from synclint.rules.matching import rules_by_construct
from synclint.rules.own import ANALYSIS_LIMIT, OWN
from synclint.running import around
from synclint.running.around import Around
from synclint.running.cache import known_project, memo_of
from synclint.running.file_findings import all_events
from synclint.running.limits import TooMuchHasChangedError
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
        configured = Configurations()
        options = configured.of_file(real_path(path))
        seen, unknown = _seen(path, source, configured, options)
        conclusions = tuple(explain_line(seen.file.source, line, _concluded(seen)))
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from None
    except ParseFailure as error:
        raise click.UsageError(f"{path}:{error.line}:{error.column}: {error.message}") from None
    shortfall = seen.reporting.shortfalls.get(seen.file.path)
    if shortfall is not None and shortfall.rule is ANALYSIS_LIMIT:
        more = f"`synclint explain {ANALYSIS_LIMIT.code}` says why"
        raise click.ClickException(f"{path}: takes too much work, or is nested too deeply; {more}")
    yield f"{colors.strong(escape(f'{path}:{line}'))}: {escape(rows[line - 1].strip())}"
    yield ""
    yield from _events(seen, line, options, colors)
    for conclusion in conclusions:
        yield from _conclusion(conclusion, colors)
    if unknown:
        yield ""
        yield unknown


def _seen(path: Path, source: str, configured: Configurations, options: Options) -> tuple[Around, str]:
    """The file with the project around it where that is known, and what is said where it is not."""
    run = configured.of(Path.cwd()).options
    folder = run.cache_dir or default_folder()
    if not run.project or folder is None:
        return around.by_itself(path, source, options), ""
    named = Asked([path], {path: real_path(path)})
    project = in_project(named, configured, partial(known_project, folder))
    memo = None if project is None else memo_of(folder, project.roots, options)
    if project is None or memo is None:
        unknown = f"Note: {NOT_KNOWN}." if belongs_to_more([real_path(path)]) else ""
        return around.by_itself(path, source, options), unknown
    alike = [each for each, real in project.files.items() if configured.of_file(real) == options]
    try:
        return around.in_project(path, alike, project.roots, options, memo.shares), ""
    except TooMuchHasChangedError:
        return around.by_itself(path, source, options), f"Note: {too_much_has_changed(project.roots)}."


def _concluded(seen: Around) -> Conclusions:
    return {
        (expression.span, expression.kind): conclusion
        for expression, conclusion, _ in seen.reporting.graph.expressions(str(seen.file.real_path))
    }


def _events(seen: Around, line: int, options: Options, colors: Palette) -> Iterator[str]:
    found = [
        event
        for event in all_events(seen.file, seen.reporting.graph, options)
        if event.span.start.line <= line <= event.span.end.line
    ]
    report = seen.reporting.report(seen.file.path)
    own = [finding for finding in report.findings if finding.code in OWN and finding.span.start.line == line]
    for finding in own:
        yield f"{colors.code(finding.code)} {finding.name}: {escape(finding.message)}"
        yield "    reported"
        yield ""
    if not found and not own:
        yield "Nothing on this line was found to make the host wait. What was concluded:"
        yield ""
    rules = rules_by_construct(load_rules(), options.catalog)
    for event in found:
        rule = rules.get(event.construct)
        code = rule.code if rule is not None else ""
        facts = f" is {event.facts}" if event.facts else ""
        yield f"{colors.code(code)} {event.construct}: `{escape(event.subject)}`{facts}"
        yield from (f"    {_told(sentence)}" for sentence in event.evidence)
        where = _told(note(event.context))
        yield f"    confidence {event.confidence.value}, the weakest evidence on the chain; {where}"
        yield f"    {_verdict(event, code, report, options)}"
        yield ""


def _verdict(event: SyncEvent, code: str, report: FileReport, options: Options) -> str:
    """What ``synclint check`` says of a wait."""

    def is_it(finding: Finding) -> bool:
        return finding.span == event.span and finding.construct == event.construct

    if any(map(is_it, report.findings)):
        return "reported"
    if any(map(is_it, report.suppressed)):
        return "found, not shown: a comment suppresses it"
    needed = [] if options.is_asked_for(event.context) else [f"--runs {_phases_with(event)}"]
    if not event.confidence.at_least(options.min_confidence):
        needed.append(f"--min-confidence {event.confidence.value}")
    if any(map(is_it, (*report.unshown, *report.unsure))):
        return f"found, not shown: reported with {' and '.join(needed)} only"
    return f"found, not shown: {code or event.construct} is not selected for this file"


def _phases_with(event: SyncEvent) -> str:
    """The phases to ask for so that a wait is shown; for what inference cannot do without, all of them."""
    return "all" if event.context.by_nature and event.context.runs is Phase.STEP else event.context.runs.value


_NEVER_REACHED = "is never reached: the code before it leaves, or its branch cannot run on a GPU"


def _conclusion(conclusion: Explanation, colors: Palette) -> Iterator[str]:
    text = colors.quoted(escape(f"`{conclusion.text}`"))
    yield f"{text} {_NEVER_REACHED if conclusion.description is None else f'is {conclusion.description}'}"
    yield from (f"    {_told(sentence)}" for sentence in conclusion.evidence)


def _told(sentence: str) -> str:
    """A sentence with paths from here: a file that is analysed apart from those that import it is absolute to them."""
    return escape(sentence.replace(f"{Path.cwd()}{os.sep}", ""))
