"""What was concluded about each expression of a file, together with the waits that were found there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from synclint.rules import ANALYSIS_LIMIT, findings, load_rules
from synclint.runner import shares
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

    ``context`` says how often the expression runs, and ``waits`` what is found there: each finding says how the host
    waits (``mechanism``), by which rule (``code``), and how often (``context``).
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

    ``waits`` are all findings in the file, whether or not there is an expression that has exactly their place.
    """

    path: Path
    source: str
    roots: tuple[Path, ...]
    facts: Mapping[Key, TensorFact]
    waits: tuple[Finding, ...]


class UnknownFactsError(ValueError):
    """A file of which nothing can be said; the message says why in one line."""


def facts_of_files(paths: Iterable[Path], root: Path) -> dict[Path, FileFacts]:
    """The facts of files of the project at ``root``, by the paths that were given.

    The files are analysed together: what is known of a function depends on those of its calls that are among them. The
    configuration that holds for each file is the one that ``synclint check`` would take. Raises UnknownFactsError for a
    file that cannot be read or parsed, ConfigurationError for a configuration that is wrong.
    """
    configurations = Configurations()
    alike: dict[Options, list[Path]] = {}
    for path in paths:
        alike.setdefault(configurations.of(real_path(path).parent).options, []).append(path)
    found: dict[Path, FileFacts] = {}
    for options, files in alike.items():
        found.update(_facts(survey(files, [root]), (root,), options))
    return found


def facts_of_text(text: str, path: Path, roots: Sequence[Path]) -> FileFacts:
    """The facts of a file whose text stands, or shall stand, at ``path``; raises what ``facts_of_files`` does."""
    options = Configurations().of(real_path(path).parent).options
    return _facts(survey_text(path, text, roots), tuple(roots), options)[path]


def _facts(surveyed: Survey, roots: tuple[Path, ...], options: Options) -> dict[Path, FileFacts]:
    for problem in surveyed.problems.values():
        raise UnknownFactsError(problem)
    records = Records(with_evidence=True)
    parts = [
        learn_files(share, lambda count: None, roots, options, records=records) for share in shares(surveyed.files)
    ]
    for part in parts:
        for path, shortfall in part.shortfalls.items():
            # What was concluded before an analysis was too much work still holds.
            if shortfall.rule is not ANALYSIS_LIMIT:
                raise UnknownFactsError(f"{path}:{shortfall.place.line}: {shortfall.message}")
    graph = CallGraph(joined(part.observations for part in parts))
    return {file.path: _of_file(file, graph, roots) for file in surveyed.files}


def _of_file(file: CodeFile, graph: CallGraph, roots: tuple[Path, ...]) -> FileFacts:
    events = graph.events(str(file.real_path), str(file.path))
    waits = tuple(findings(events, load_rules(), load_catalog())) if events else ()
    return FileFacts(file.path, file.source, roots, facts_by_place(graph, str(file.real_path), waits), waits)


def facts_by_place(graph: CallGraph, path: str, waits: Iterable[Finding]) -> dict[Key, TensorFact]:
    """What was recorded in the file at a resolved path; ``waits`` are told of the expressions that have their place."""
    at: dict[Span, list[Finding]] = {}
    for finding in waits:
        at.setdefault(finding.span, []).append(finding)
    return {
        Key(expression.span, expression.kind): _fact(conclusion, context, tuple(at.get(expression.span, ())))
        for expression, conclusion, context in graph.expressions(path)
    }


def _fact(conclusion: Conclusion, context: Context, waits: tuple[Finding, ...]) -> TensorFact:
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
        waits=waits,
    )
