"""Analyses files, or a text, for the facts about their expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.results.observations import joined
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.results.expression_facts import FileFacts, facts_by_place
from synclint.rules.loading import load_rules
from synclint.rules.matching import findings
from synclint.rules.own import ANALYSIS_LIMIT, NOT_CHECKED, OWN
from synclint.running.contracts import NO_CONTRACTS
from synclint.running.discovery import discover
from synclint.running.file_findings import all_events, report_on
from synclint.running.recorded import Records
from synclint.running.reporting import compiled_by, with_fixes_of_text
from synclint.running.share_analysis import analyse_share
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, SurveyedFiles, survey, survey_text
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.kept_texts import KeptText, kept


class UnknownFactsError(ValueError):
    """A file about which nothing can be concluded; the message explains why in one line."""


def facts_of_files(paths: Iterable[Path], root: Path) -> dict[Path, FileFacts]:
    """The facts about files of the project at ``root``, by the paths that were passed.

    The files are analysed together: what is known about a function depends on the calls in these files. The
    configuration for each file is the one that ``synclint check`` would use. Files that cannot be read or parsed are
    left out. Raises ConfigurationError for an invalid configuration.
    """
    configurations = Configurations()
    alike: dict[Options, list[Path]] = {}
    for path in paths:
        alike.setdefault(configurations.of_file(real_path(path)), []).append(path)
    found: dict[Path, FileFacts] = {}
    for options, files in alike.items():
        facts, _ = _facts(survey(files, [root]), (root,), options)
        found.update(facts)
    return found


def facts_of_text(text: str, path: Path, roots: Sequence[Path]) -> FileFacts:
    """The facts about a text that is, or will be, the content of the file ``path``.

    Raises UnknownFactsError for a text that cannot be parsed, ConfigurationError for an invalid configuration.
    """
    options = Configurations().of_file(real_path(path))
    facts, problems = _facts(survey_text(path, text, roots), tuple(roots), options)
    if path not in facts:
        raise UnknownFactsError(problems[path])
    return facts[path]


def _facts(
    surveyed: SurveyedFiles, roots: tuple[Path, ...], options: Options
) -> tuple[dict[Path, FileFacts], Mapping[Path, str]]:
    """The facts of files, and what kept others from having any."""
    records = Records(with_evidence=True)
    parts = [analyse_share(share, lambda count: None, roots, options, records=records) for share in shares_of(surveyed)]
    shortfalls = {**surveyed.shortfalls}
    for part in parts:
        shortfalls.update(part.shortfalls)
    problems = {**surveyed.problems}
    for path, shortfall in shortfalls.items():
        # What was concluded before an analysis was too much work still holds.
        if shortfall.rule is not ANALYSIS_LIMIT:
            problems[path] = f"{path}:{shortfall.place.line}: {shortfall.message}"
    graph = CallGraph(joined(part.observations for part in parts))
    known = [file for file in surveyed.files if file.path not in problems]
    compiled = cache(partial(_compiled, surveyed, roots, options))
    return {file.path: _of_file(file, graph, roots, options, compiled) for file in known}, problems


def _compiled(surveyed: SurveyedFiles, roots: tuple[Path, ...], options: Options) -> frozenset[str]:
    """The names of what files hand to a compiler: those that were passed, and all others of the project."""
    passed = {file.real_path for file in surveyed.files}
    found = (path for path in discover(roots, lambda folder: options.files).files if real_path(path) not in passed)
    return compiled_by(surveyed.files, _texts(found))


def _texts(paths: Iterable[Path]) -> Iterator[KeptText]:
    """The texts of the files among some that are Python themselves and can be read."""
    for path in paths:
        with suppress(UnreadableSourceError):
            if path.suffix in (".py", ".pyi"):
                yield kept(read_source(path))


def _of_file(
    file: CodeFile, graph: CallGraph, roots: tuple[Path, ...], options: Options, compiled: Callable[[], frozenset[str]]
) -> FileFacts:
    events = all_events(file, graph, options)
    waits = tuple(findings(events, load_rules(), options.catalog)) if events else ()
    report = report_on(file, None, events, options, NO_CONTRACTS)
    seen = graph.facts.get(str(file.real_path), {})
    shown = with_fixes_of_text(report, file, seen, options, compiled).findings if events else ()
    # Of what the program reports itself, an error in the code of a fix stands at the finding that it was for.
    places = {finding.span for finding in shown if finding.code not in OWN}
    reported = tuple(one for one in shown if one.code not in OWN or (one.code in NOT_CHECKED and one.span in places))
    return FileFacts(file.path, file.source, roots, facts_by_place(graph, str(file.real_path)), waits, reported)
