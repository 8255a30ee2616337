"""Generators that hand on what they go through: ``for one in items: yield one``, with a log or a bar beside it.

What such a generator gives a call is told by what the call gives it, whatever others give it.
"""

from __future__ import annotations

import ast

from synclint.analysis.calls.written_arguments import positional_names
from synclint.analysis.domain.values import FunctionRecord, Sequence, Value, is_known
from synclint.analysis.objects.own_iterators import element_of
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name


def given_through(record: FunctionRecord, made: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """What a call of a generator gives, where ``made`` is what all of its calls give that were taken together."""
    if not isinstance(made, Sequence) or made.kind != "generator" or (name := gone_through(record)) is None:
        return made
    given = {**dict(zip(positional_names(record), arguments.positional, strict=False)), **arguments.keywords}
    if name not in given or not is_known(given[name]):
        return made
    element = element_of(given[name], node, frame, frame.iterated)
    return Sequence("generator", None, element) if is_known(element) else made


@text_fact
def gone_through(record: FunctionRecord) -> str | None:
    """The parameter whose elements a generator hands on one by one, as they are; None of others."""
    loops = [loop for loop in record.nodes.of(ast.For) if isinstance(_source(loop), ast.Name)]
    yielded = record.nodes.of(ast.Yield)
    if len(loops) != 1 or not yielded or record.nodes.of(ast.YieldFrom):
        return None
    source, target = _source(loops[0]), _target(loops[0])
    if not isinstance(source, ast.Name) or not isinstance(target, ast.Name) or source.id in record.stored_names:
        return None
    stored = [one for one in record.nodes.of(ast.Name) if one.id == target.id and isinstance(one.ctx, ast.Store)]
    is_handed_on = all(isinstance(one.value, ast.Name) and one.value.id == target.id for one in yielded)
    is_given = any(source.id == parameter.name for parameter in record.parameters)
    return source.id if is_given and is_handed_on and len(stored) == 1 else None


def _source(loop: ast.For) -> ast.expr:
    """What a loop goes through, with or without the numbers of its rounds."""
    return loop.iter.args[0] if _is_numbered(loop.iter) else loop.iter  # type: ignore[attr-defined]


def _target(loop: ast.For) -> ast.expr:
    """What a round is given of that."""
    if not _is_numbered(loop.iter):
        return loop.target
    is_pair = isinstance(loop.target, ast.Tuple) and len(loop.target.elts) == 2
    return loop.target.elts[1] if is_pair else loop.target  # type: ignore[attr-defined]


def _is_numbered(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "enumerate" and len(node.args) > 0
