"""What was concluded about each expression of a file, together with the waits that were found there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.observations import joined
from synclint.analysis.recording import Conclusion
from synclint.analysis.values import Device, DType
from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.config.configurations import Configurations
from synclint.findings import Confidence, Context, Finding, Span
from synclint.learning import Records, learn_files
from synclint.real_paths import real_path
from synclint.rules import ANALYSIS_LIMIT, OWN, findings, load_rules
from synclint.runner import report_on, shares
from synclint.survey import CodeFile, Survey, survey, survey_text


@dataclass(frozen=True)
class TensorFact:
    """What synclint concluded about an expression.

    ``is_tensor`` is True for what is a tensor wherever it was followed (and perhaps missing), False for what is known
    to be something else, None where it may be either, or nothing is known. ``device`` and ``dtype`` (the family of
    element types) are None for what is no tensor, ``rank`` also where the number of dimensions is unknown.
    ``confidence`` is that of the weakest evidence that it is a tensor. ``holds_device_tensor`` says that it is, or as a
    list or dictionary holds, a tensor that is not known to be on the CPU. ``description`` is what a message says of it,
    and ``evidence`` the chain of inferences, one sentence each, the last one first.

    ``context`` says how often the expression runs, and ``waits`` what is found there, however sure and seldom: each
    finding says how the host waits (``mechanism``), by which rule (``code``), and how often (``context``).
    ``reported`` are those of them that ``synclint check`` tells with the settings and comments that hold there.
    """

    is_tensor: bool | None = None
    device: Device | None = None
    dtype: DType | None = None
    rank: int | None = None
    confidence: Confidence | None = None
    holds_device_tensor: bool = False
    description: str = ""
    evidence: tuple[str, ...] = ()
    context: Context | None = None
    waits: tuple[Finding, ...] = ()
    reported: tuple[Finding, ...] = ()

    @property
    def may_be_on_device(self) -> bool:
        """Whether it is, or may be, a tensor that is not known to be on the CPU: where that is unsaid, people use one.

        See `synclint.codemod.Device`.
        """
        return self.device is not None and self.device is not Device.CPU

    @property
    def waits_each_step(self) -> bool:
        """Whether the host waits there with each step of the program's main work."""
        return any(finding.context.hot for finding in self.waits)


class Key(NamedTuple):
    """An expression of a file: where it stands, and its class in ``ast``."""

    span: Span
    kind: str


@dataclass(frozen=True)
class FileFacts:
    """The facts of one file, and the text and the ``roots`` of the project that they are true of.

    ``waits`` are all findings in the file, whether or not there is an expression that has exactly their place, and
    ``reported`` those that ``synclint check`` tells.
    """

    path: Path
    source: str
    roots: tuple[Path, ...]
    facts: Mapping[Key, TensorFact] = field(default_factory=dict)
    waits: tuple[Finding, ...] = ()
    reported: tuple[Finding, ...] = ()


class UnknownFactsError(ValueError):
    """A file of which nothing can be said; the message says why in one line."""


def facts_of_files(paths: Iterable[Path], root: Path) -> dict[Path, FileFacts]:
    """The facts of files of the project at ``root``, by the paths that were given.

    The files are analysed together: what is known of a function depends on those of its calls that are among them. The
    configuration that holds for each file is the one that ``synclint check`` would take. Files that cannot be read or
    parsed are left out. Raises ConfigurationError for a configuration that is wrong.
    """
    configurations = Configurations()
    alike: dict[Options, list[Path]] = {}
    for path in paths:
        alike.setdefault(configurations.of(real_path(path).parent).options, []).append(path)
    found: dict[Path, FileFacts] = {}
    for options, files in alike.items():
        facts, _ = _facts(survey(files, [root]), (root,), options)
        found.update(facts)
    return found


def facts_of_text(text: str, path: Path, roots: Sequence[Path]) -> FileFacts:
    """The facts of a file whose text stands, or shall stand, at ``path``.

    Raises UnknownFactsError for a text that cannot be parsed, ConfigurationError for a configuration that is wrong.
    """
    options = Configurations().of(real_path(path).parent).options
    facts, problems = _facts(survey_text(path, text, roots), tuple(roots), options)
    if path not in facts:
        raise UnknownFactsError(problems[path])
    return facts[path]


def _facts(
    surveyed: Survey, roots: tuple[Path, ...], options: Options
) -> tuple[dict[Path, FileFacts], Mapping[Path, str]]:
    """The facts of files, and what kept others from having any."""
    records = Records(with_evidence=True)
    parts = [
        learn_files(share, lambda count: None, roots, options, records=records) for share in shares(surveyed.files)
    ]
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
    return {file.path: _of_file(file, graph, roots, options) for file in known}, problems


def _of_file(file: CodeFile, graph: CallGraph, roots: tuple[Path, ...], options: Options) -> FileFacts:
    events = graph.events(str(file.real_path), str(file.path))
    waits = tuple(findings(events, load_rules(), load_catalog())) if events else ()
    told = report_on(file, None, graph, options).findings if events else ()
    reported = tuple(finding for finding in told if finding.code not in OWN)
    return FileFacts(file.path, file.source, roots, facts_by_place(graph, str(file.real_path)), waits, reported)


def facts_by_place(graph: CallGraph, path: str) -> dict[Key, TensorFact]:
    """What was recorded in the file at a resolved path, without the waits."""
    return {
        Key(expression.span, expression.kind): _fact(conclusion, context)
        for expression, conclusion, context in graph.expressions(path)
    }


def _fact(conclusion: Conclusion, context: Context) -> TensorFact:
    return TensorFact(
        is_tensor=conclusion.is_tensor,
        device=conclusion.device,
        dtype=conclusion.dtype,
        rank=conclusion.rank,
        confidence=conclusion.confidence,
        holds_device_tensor=conclusion.holds_device_tensor,
        description=conclusion.description,
        evidence=conclusion.evidence,
        context=context,
    )
