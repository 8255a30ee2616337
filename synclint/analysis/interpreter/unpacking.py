"""Binding the targets of assignments, loops and unpackings to values."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import item_at
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    BoundMethod,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.analysis.interpreter import indexed_writes
from synclint.analysis.objects import attributes, parameters, records
from synclint.analysis.objects.classes import PACKED, PACKED_PARTS
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.uploads_ahead import handed_on
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import keyed_path, subscript_path
from synclint.findings import Confidence


def bind_target(target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind the target of a loop, a ``with`` or an unpacking to a value."""
    if isinstance(target, ast.Name):
        used = parameters.by_use(target, frame) if _is_unknown(value, frame) else UNKNOWN
        value = parameters.as_counters(value if isinstance(used, Unknown) else used, target.id)
        frame.bind(target.id, handed_on(target, value, frame))
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(target.elts, value, frame)
    elif isinstance(target, ast.Attribute):
        attributes.assign(target, value, frame)
    elif isinstance(target, ast.Subscript):
        container = frame.evaluate(target.value)
        indexed_writes.write(target, container, value, frame)
        path = subscript_path(target)
        if path is None:
            path = keyed_path(target)
            if type(container) is not Mapping and path not in frame.scope:
                path = None  # no two keys are the same by another name, as positions in a list may be
        if path is not None:
            frame.bind(path, value)


def _is_unknown(value: Value, frame: Frame) -> bool:
    """Whether nothing is known of a value but the name of what it comes from.

    ``Loss(x)`` is an object of a class as a rule, but ``Loss`` may as well be a function, where it is not at hand.
    """
    if not isinstance(value, Instance) or value.record is not None:
        return isinstance(value, (Unknown, BoundMethod))
    engine = frame.engine
    return engine.api.class_(value.name) is None and value.name not in engine.catalog.classes


def _is_presumed_size(presumed: Tensor, element: ast.expr, frame: Frame) -> bool:
    """Whether what is no more than presumed to be a tensor is a record, of which this part holds sizes.

    ``for edges, _, size in graphs`` takes a record apart if ``x[: size[1]]`` follows, and no rows of a tensor.
    """
    if presumed.trust is Confidence.HIGH or not isinstance(element, ast.Name) or frame.function is None:
        return False
    bounds = (one for node in frame.function.nodes.of(ast.Slice) for one in (node.lower, node.upper))
    return any(
        isinstance(bound, ast.Subscript) and isinstance(bound.value, ast.Name) and bound.value.id == element.id
        for bound in bounds
    )


def _unpack(elements: list[ast.expr], value: Value, frame: Frame) -> None:
    star = next((at for at, element in enumerate(elements) if isinstance(element, ast.Starred)), len(elements))
    starred = star < len(elements)
    for index, element in enumerate(elements):
        if isinstance(element, ast.Starred):
            bind_target(element.value, Sequence("list", None, iterate(value)), frame)
            continue
        parts: list[Value] = []
        for option in options(value):
            items = option.items if isinstance(option, Sequence) else None
            if items is not None and not starred:
                if len(items) == len(elements):
                    parts.append(items[index])
                elif len(options(value)) == 1:
                    parts.append(UNKNOWN)
            elif items is not None and index > star and len(items) >= len(elements) - 1:
                parts.append(items[index - len(elements)])  # `*_, last = outputs`
            elif isinstance(option, Sequence) and index < star:
                parts.append(item_at(option, index) if items is None or index < len(items) else UNKNOWN)
            elif isinstance(option, Instance) and option.name == PACKED and len(elements) == len(PACKED_PARTS):
                parts.append(PACKED_PARTS[index])
            elif isinstance(option, Instance) and isinstance(
                held := records.contents(option, frame, element), Sequence
            ):
                parts.append(item_at(held, index))
            elif isinstance(option, Instance) and option.record is not None and option.record.annotations:
                names = list(option.record.annotations)
                found = frame.engine.attribute(option, names[index], frame, element) if index < len(names) else None
                parts.append(found if found is not None else UNKNOWN)
            elif isinstance(option, Tensor) and option.ndim is None:
                # As in `row, column = edges`, which takes apart more often than it counts.
                parts.append(UNKNOWN if _is_presumed_size(option, element, frame) else option)
            elif isinstance(option, Mapping) and not option.entries and isinstance(option.element, Tensor):
                parts.append(option.element)  # what is loaded may be several tensors: names are not taken apart
            else:
                parts.append(iterate(option))
        bind_target(element, join_all(parts), frame)
