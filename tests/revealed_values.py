"""Values as analysis cases write them: ``reveal(x)  # revealed: Tensor[cuda, bool, 0-d]``.

A tensor is followed by what is known of its place, its element type and its rank; ``cpu?`` is a place that is the CPU
on some way only, and ``likely`` or ``perhaps`` say that there is no certain evidence for a tensor. ``list[int, str]``
has just these elements, ``list[int, *str]`` one integer and then any number of strings. ``{'a': int}`` has no other key
than ``a``; ``{'a': int, *: str}`` may have others. A value that may be one of several is written ``int | None``.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from synclint.analysis.domain.values import (
    Alternatives,
    Array,
    BoundMethod,
    Breadth,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
)
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.state.recording import Recording
from synclint.findings import Confidence

_MARK = re.compile(r"#\s*revealed:\s*(.+?)\s*$")
_PLACES = {Device.CPU: "cpu", Device.MODULE: "cuda", Device.DEVICE: "cuda", Device.UNKNOWN: "", Device.EITHER: "cpu?"}
_TRUST = {Confidence.HIGH: "", Confidence.MEDIUM: "likely", Confidence.LOW: "perhaps"}
_UNKNOWN = {Breadth.ONE: "unknown", Breadth.OBJECTS: "any object", Breadth.EVERYTHING: "anything"}


def expected(source: str) -> dict[int, str]:
    """What the comments of a source say of its ``reveal`` calls, by line; ValueError for a comment without a call."""
    marks = {at: found[1] for at, line in enumerate(source.splitlines(), 1) if (found := _MARK.search(line))}
    lines = [node.lineno for node in _reveals(ast.parse(source))]
    if sorted(lines) != sorted(marks):
        raise ValueError(f"calls of reveal stand on lines {sorted(lines)}, what they reveal on {sorted(marks)}")
    return marks


def revealed(project: ProjectAnalysis, path: Path) -> dict[int, str]:
    """What the analysis says of the arguments of ``reveal`` in a file, by line, over all runs of its functions."""
    source = path.read_text(encoding="utf-8")
    calls = _reveals(project.add(path, source).tree)
    recording = Recording()
    recording.want(call.args[0] for call in calls)
    project.engine.recording = recording
    project.check(path, source)
    seen = {call.lineno: recording.seen.get(id(call.args[0])) for call in calls}
    return {line: notation(found.always) if found is not None else "never reached" for line, found in seen.items()}


def _reveals(tree: ast.Module) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reveal"
    ]


def notation(value: Value) -> str:
    """A value as cases write it."""
    if isinstance(value, Alternatives):
        return " | ".join(map(notation, value.options))
    if isinstance(value, Tensor):
        said = (_PLACES[value.device], _family(value.dtype), _rank(value.ndim), _TRUST[value.trust])
        return _bracketed("Tensor", *said, "empty" if value.is_empty else "", "pinned" if value.pinned else "")
    if isinstance(value, Array):
        return _bracketed("Array", _family(value.dtype), _rank(value.ndim))
    if isinstance(value, Sequence):
        others = () if value.items is not None else (f"*{notation(value.element)}",)
        return f"{value.kind}[{', '.join((*map(notation, value.known), *others))}]"
    if isinstance(value, Mapping):
        entries = [f"{key!r}: {notation(held)}" for key, held in value.entries]
        others = () if notation(value.element) == "never" else (f"*: {notation(value.element)}",)
        return f"{{{', '.join((*entries, *others))}}}"
    if isinstance(value, (Scalar, Text)):
        kind = value.kind if isinstance(value, Scalar) else "str"
        return kind if value.literal is None else f"{kind} {value.literal!r}"
    if isinstance(value, Unknown):
        return _UNKNOWN[value.breadth]
    if isinstance(value, Nothing):
        return "None"
    if isinstance(value, DeviceName):
        return _bracketed("device", _PLACES[value.device])
    if isinstance(value, DTypeName):
        return _bracketed("dtype", _family(value.dtype))
    if isinstance(value, Instance):
        given = ", ".join(f"{key}={notation(held)}" for key, held in value.fields)
        return f"{'some ' if value.shared else ''}{_last(value.name)}({given})"
    return _named(value)


def _named(value: Value) -> str:
    if isinstance(value, ClassValue):
        return f"type[{value.record.name}]"
    if isinstance(value, FunctionValue):
        return f"{f'{notation(value.receiver)}.' if value.receiver is not None else 'def '}{value.record.name}"
    if isinstance(value, BoundMethod):
        return f"{notation(value.receiver)}.{value.name}"
    if isinstance(value, ProjectModule):
        return f"module {value.name}"
    return value.name if isinstance(value, Symbol) else "never"


def _bracketed(kind: str, *said: str) -> str:
    known = ", ".join(filter(None, said))
    return f"{kind}[{known}]" if known else kind


def _family(dtype: DType) -> str:
    return "" if dtype is DType.UNKNOWN else dtype.value


def _rank(ndim: int | None) -> str:
    return "" if ndim is None else f"{ndim}-d"


def _last(name: str) -> str:
    return name.rpartition(".")[2]
