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

_NUMBERS = frozenset({"bool", "int", "float", "number"})


@dataclass(frozen=True)
class TensorFact:
    """What synclint concluded about an expression.

    ``is_tensor`` is True for what is always a tensor (or None, if it may be missing), False for what is known to be
    something else, and None if it may be either, or nothing is known. ``device`` and ``dtype`` (the family of element
    types) are None for anything but tensors, ``rank`` also if the number of dimensions is unknown. ``confidence`` is
    that of the weakest evidence that it is a tensor. ``holds_device_tensor`` means that it is a tensor that is not
    known to be on the CPU, or a list or dictionary that contains one. ``instance_of`` is the qualified name of the
    class of an object, None if it may be any of several. ``description`` is how a message describes it, and
    ``evidence`` the chain of inferences, one sentence each, the last one first.

    ``context`` describes how often the expression runs, ``waits`` what is found there, at any confidence and frequency:
    each finding states how the host waits (``mechanism``), by which rule (``code``), and how often (``context``).
    ``reported`` are those of them that ``synclint check`` reports with the settings and comments that apply there.
    ``kinds`` are all that it may be: "tensor", "bool", "int", "float", "number" (one of these), "none", "text",
    "array", "sequence", "mapping", "device", "dtype", "function", "instance", "unknown" and others.
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
    kinds: frozenset[str] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is always a Python number."""
        return bool(self.kinds) and self.kinds <= _NUMBERS

    @property
    def may_be_on_device(self) -> bool:
        """Whether it is, or may be, a tensor that is not known to be on the CPU.

        See `synclint.codemod.Device`.
        """
        return self.device is not None and self.device is not Device.CPU

    @property
    def waits_each_step(self) -> bool:
        """Whether the host waits there in each step of the program's main work."""
        return any(finding.context.hot for finding in self.waits)


class Key(NamedTuple):
    """An expression of a file: its position, and its class in ``ast``."""

    span: Span
    kind: str


@dataclass(frozen=True)
class FileFacts:
    """The facts about one file, with the text and the ``roots`` of the project to which they apply.

    ``waits`` are all findings in the file, whether or not there is an expression at exactly their position, and
    ``reported`` those that ``synclint check`` reports.
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
        kinds=conclusion.kinds,
    )
