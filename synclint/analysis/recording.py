"""What expressions stood for while the analysis ran, kept for those that somebody asked for and for no others.

``explain --why`` asks for those of a line, a metadata provider or a matcher for all of a file. Nothing is kept, and
nothing but a look whether there is a recording is paid, where nobody asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synclint.analysis.descriptions import describe
from synclint.analysis.values import (
    BoundMethod,
    Device,
    DType,
    Nothing,
    Symbol,
    Tensor,
    Unknown,
    Value,
    device_tensor_within,
    join,
    options,
    taken_for_tensor,
    tensor_of,
)
from synclint.findings import Confidence, Span

if TYPE_CHECKING:
    from synclint.analysis.frames import Frame, Place
    from synclint.analysis.frequency.facts import Layer
    from synclint.analysis.modules import FunctionRecord, ModuleRecord


@dataclass(frozen=True)
class Conclusion:
    """What an expression was found to be.

    ``is_tensor`` is True for what is a tensor wherever it was followed (and perhaps missing), False for what is
    known to be something else, None where it may be either, or nothing is known. What is said of a tensor is None where
    it is none: ``device`` and ``dtype`` (the family of element types), ``confidence`` (the weakest evidence that it is
    one). ``rank`` counts its dimensions, None where they are unknown. ``holds_device_tensor`` says that it is, or as a
    container holds, a tensor that is not known to be on the CPU. ``description`` is what a message says of it, and
    ``evidence`` the chain of inferences, one sentence each.
    """

    is_tensor: bool | None = None
    device: Device | None = None
    dtype: DType | None = None
    rank: int | None = None
    confidence: Confidence | None = None
    holds_device_tensor: bool = False
    description: str = ""
    evidence: tuple[str, ...] = ()


def conclusion(value: Value, evidence: Iterable[str] = ()) -> Conclusion:
    """The conclusion about a value as a plain record."""
    tensor = tensor_of(value)
    return Conclusion(
        is_tensor=_is_tensor(value),
        device=tensor.device if tensor is not None else None,
        dtype=tensor.dtype if tensor is not None else None,
        rank=tensor.ndim if tensor is not None else None,
        confidence=tensor.trust if tensor is not None else None,
        holds_device_tensor=device_tensor_within(value) is not None,
        description=describe(value),
        evidence=tuple(evidence),
    )


# Of these only what they return can be a tensor; another library's name may stand for a constant.
_NO_TENSORS = ("builtins.", "torch.", "numpy.", "math.")


def _is_tensor(value: Value) -> bool | None:
    choices = [taken_for_tensor(option) for option in options(value)]
    if all(isinstance(option, (Tensor, Nothing)) for option in choices):
        return any(isinstance(option, Tensor) for option in choices)
    return None if any(map(_may_be_tensor, choices)) else False


def _may_be_tensor(option: Value) -> bool:
    """Whether a value is a tensor, or of unknown origin and may be one."""
    if isinstance(option, BoundMethod):
        return isinstance(option.receiver, (Unknown, BoundMethod))
    return isinstance(option, (Tensor, Unknown)) or (
        isinstance(option, Symbol) and not option.name.startswith(_NO_TENSORS)
    )


@dataclass(frozen=True)
class Expression:
    """An expression that was recorded, as a plain record: ``span`` and ``kind``, its class in ``ast``, say which.

    ``concluded`` is what it was in all runs over it together, ``under_calls`` what it was in those on the arguments of
    calls, None without any. ``function`` is the key of the function, or of the top of the module, that it stands in,
    ``layers`` what stands around it there.
    """

    path: str
    span: Span
    kind: str
    concluded: Conclusion
    under_calls: Conclusion | None
    function: str
    layers: tuple[Layer, ...]


@dataclass(slots=True)
class Seen:
    """What an expression stood for: ``always`` in all runs over it, ``under_calls`` in those that calls have caused."""

    node: ast.expr
    module: ModuleRecord
    function: FunctionRecord | None
    place: Place
    always: Value
    under_calls: Value | None


@dataclass
class Recording:
    """The expressions that are ``wanted``, by the identity of their nodes, and what was ``seen`` of them.

    ``with_evidence`` lets the chain of inferences be told of them, and of all events.
    """

    with_evidence: bool = False
    wanted: set[int] = field(default_factory=set)
    seen: dict[int, Seen] = field(default_factory=dict)

    def want(self, nodes: Iterable[ast.AST]) -> None:
        """Record these expressions from now on; their trees have to be kept as long as the recording."""
        self.wanted.update(id(node) for node in nodes if isinstance(node, ast.expr))

    def note(self, node: ast.expr, value: Value, frame: Frame, *, is_called: bool) -> None:
        """Keep what an expression stands for in one run over it."""
        known = self.seen.get(id(node))
        if known is None:
            under_calls = value if is_called else None
            self.seen[id(node)] = Seen(node, frame.module, frame.function, frame.place, value, under_calls)
            return
        known.always = join(known.always, value)
        if is_called:
            known.under_calls = value if known.under_calls is None else join(known.under_calls, value)
