"""What was concluded about each expression of a file, together with the waits that were found there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.domain.values import Device, DType
from synclint.analysis.frequency.call_graph import CallGraph
from synclint.findings import Confidence, Context, Finding, Span


@dataclass(frozen=True)
class TensorFact:
    """What synclint concluded about an expression.

    ``is_tensor`` is True for what is a tensor wherever it was followed (and perhaps missing), False for what is known
    to be something else, None where it may be either, or nothing is known. ``device`` and ``dtype`` (the family of
    element types) are None for what is no tensor, ``rank`` also where the number of dimensions is unknown.
    ``confidence`` is that of the weakest evidence that it is a tensor. ``holds_device_tensor`` says that it is, or as a
    list or dictionary holds, a tensor that is not known to be on the CPU. ``instance_of`` is the qualified name of the
    class of an object, None where it may be of several. ``description`` is what a message says of it, and ``evidence``
    the chain of inferences, one sentence each, the last one first.

    ``context`` says how often the expression runs, ``waits`` what is found there, at any confidence and frequency: each
    finding says how the host waits (``mechanism``), by which rule (``code``), and how often (``context``).
    ``reported`` are those of them that ``synclint check`` tells with the settings and comments that hold there.
    """

    is_tensor: bool | None = None
    device: Device | None = None
    dtype: DType | None = None
    rank: int | None = None
    confidence: Confidence | None = None
    holds_device_tensor: bool = False
    instance_of: str | None = None
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
        instance_of=conclusion.instance_of,
        description=conclusion.description,
        evidence=conclusion.evidence,
        context=context,
    )
