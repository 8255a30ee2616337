"""The arguments of a call as values."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item, as_part
from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import NEVER, UNKNOWN, Mapping, Never, Sequence, Value
from synclint.analysis.objects.classes import dictionary_of
from synclint.analysis.state.frames import Arguments, Frame


def evaluate_arguments(node: ast.Call, frame: Frame) -> Arguments:
    """The arguments of a call, unpacked as far as their contents are known."""
    evaluate = frame.engine.evaluate
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    nodes: dict[str | int, ast.AST] = {}
    complete = True
    others: Value = NEVER
    more: Value = NEVER
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(argument.value, frame)
            if isinstance(value, Sequence) and value.items is not None:
                positional += value.items
            else:
                complete = False
                item = any_item(value) if isinstance(value, Sequence) else UNKNOWN
                more = join(more, item)
                if isinstance(value, Sequence):
                    positional.append(item)
        else:
            value = as_part(evaluate(argument, frame))
            nodes[len(positional)] = argument
            positional.append(value)
    for keyword in node.keywords:
        value = as_part(evaluate(keyword.value, frame))
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            nodes[keyword.arg] = keyword.value
        else:
            value = dictionary_of(frame.engine, value)
            element = _under_other_keys(value)
            if isinstance(value, Mapping):
                keywords.update(value.entries)
            others = join(others, element)
            complete = complete and isinstance(element, Never)
    return Arguments(positional, keywords, complete, nodes, others, more)


def _under_other_keys(value: Value) -> Value:
    """What stands in a dictionary under keys that are not known by their names, such as those of a batch."""
    if isinstance(value, Mapping):
        return value.element
    return any_item(value) if isinstance(value, Sequence) and value.kind == "batch" else UNKNOWN
