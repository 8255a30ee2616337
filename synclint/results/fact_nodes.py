"""Which node of libcst's tree a fact is about: both sides know the places, and the tree is never walked for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import libcst as cst
from libcst.metadata import CodePosition, CodeRange

from synclint.findings import Finding, Position, Span
from synclint.results.expression_facts import FileFacts, Key, TensorFact

Positions = Mapping[cst.CSTNode, CodeRange]
"""What ``PositionProvider`` of libcst says; nodes within others come before them."""

# The classes of ``ast`` that an expression of libcst may have there.
_KINDS: dict[type[cst.BaseExpression], tuple[str, ...]] = {
    cst.Name: ("Name", "Constant"),
    cst.Attribute: ("Attribute",),
    cst.Call: ("Call",),
    cst.Subscript: ("Subscript",),
    cst.BinaryOperation: ("BinOp",),
    cst.BooleanOperation: ("BoolOp",),
    cst.Comparison: ("Compare",),
    cst.UnaryOperation: ("UnaryOp",),
    cst.IfExp: ("IfExp",),
    cst.Lambda: ("Lambda",),
    cst.Tuple: ("Tuple",),
    cst.List: ("List",),
    cst.Set: ("Set",),
    cst.Dict: ("Dict",),
    cst.ListComp: ("ListComp",),
    cst.SetComp: ("SetComp",),
    cst.DictComp: ("DictComp",),
    cst.GeneratorExp: ("GeneratorExp",),
    cst.NamedExpr: ("NamedExpr",),
    cst.Await: ("Await",),
    cst.Yield: ("Yield", "YieldFrom"),
    cst.Integer: ("Constant",),
    cst.Float: ("Constant",),
    cst.Imaginary: ("Constant",),
    cst.Ellipsis: ("Constant",),
    cst.SimpleString: ("Constant",),
    cst.ConcatenatedString: ("Constant", "JoinedStr"),
    cst.FormattedString: ("JoinedStr",),
}
EXPRESSIONS: tuple[type[cst.BaseExpression], ...] = (*_KINDS, cst.StarredElement)
"""The classes of nodes that can have a fact."""

# ``ast`` counts the brackets around these among the expression, libcst does not.
_WITH_BRACKETS = (cst.Tuple, cst.GeneratorExp)


def facts_of_nodes(positions: Positions, known: FileFacts) -> dict[cst.CSTNode, TensorFact]:
    """The facts of a file by the nodes that they are about, each with the waits at its place."""
    if not known.facts and not known.waits:
        return {}
    found: dict[cst.CSTNode, TensorFact] = {}
    by_span = nodes_by_span(positions)
    for span, nodes in by_span.items():
        for node in nodes:
            for key in _keys(node, span):
                fact = known.facts.get(key)
                if fact is not None:
                    found[node] = fact
    for at, finding in _placed(known.waits, by_span):
        fact = found.get(at) or TensorFact(context=finding.context)
        found[at] = replace(fact, waits=(*fact.waits, finding))
    for at, finding in _placed(known.reported, by_span):
        fact = found.get(at) or TensorFact(context=finding.context)
        found[at] = replace(fact, reported=(*fact.reported, finding))
    return found


def nodes_by_span(positions: Positions) -> dict[Span, list[cst.BaseExpression]]:
    """The expressions at each place, those around others after them."""
    by_span: dict[Span, list[cst.BaseExpression]] = {}
    for node, span in _spans(positions):
        by_span.setdefault(span, []).append(node)
    return by_span


def joined_keys(positions: Positions) -> dict[cst.CSTNode, tuple[Key, ...]]:
    """The keys under which facts about each expression are looked up."""
    return {node: _keys(node, span) for node, span in _spans(positions)}


def _keys(node: cst.BaseExpression, span: Span) -> tuple[Key, ...]:
    return tuple(Key(span, kind) for kind in _KINDS.get(type(node), ()))


def _spans(positions: Positions) -> Iterator[tuple[cst.BaseExpression, Span]]:
    # Where the brackets of a call are those of a generator, `ast` counts them among it: nodes within others come first.
    calls: dict[cst.BaseExpression, cst.Call] = {
        node.args[0].value: node
        for node in positions
        if isinstance(node, cst.Call) and len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp)
    }
    for node in positions:
        if isinstance(node, cst.BaseExpression):
            call = calls.get(node) if not node.lpar else None
            space = call.whitespace_after_func if call is not None else None
            if call is not None and not call.func.lpar and isinstance(space, cst.SimpleWhitespace):
                end = positions[call.func].end
                start = CodePosition(end.line, end.column + len(space.value))
                yield node, span_of(CodeRange(start, positions[call].end))
            else:
                yield node, _expression_span(node, positions)


def span_of(place: CodeRange) -> Span:
    """A place of libcst as we count it: columns, too, from 1."""
    return Span(Position(place.start.line, place.start.column + 1), Position(place.end.line, place.end.column + 1))


def _expression_span(node: cst.BaseExpression, positions: Positions) -> Span:
    place = positions[node]
    if isinstance(node, _WITH_BRACKETS) and node.lpar:
        place = CodeRange(positions[node.lpar[-1]].start, positions[node.rpar[0]].end)
    elif isinstance(node, cst.GeneratorExp):  # the only argument of a call, which has the brackets
        start, end = place.start, place.end
        place = CodeRange(CodePosition(start.line, start.column - 1), CodePosition(end.line, end.column + 1))
    return span_of(place)


def _placed(
    findings: Iterable[Finding], by_span: Mapping[Span, list[cst.BaseExpression]]
) -> Iterable[tuple[cst.BaseExpression, Finding]]:
    for finding in findings:
        node = node_at(finding.span, by_span)
        if node is not None:
            yield node, finding


def node_at(place: Span, by_span: Mapping[Span, list[cst.BaseExpression]]) -> cst.BaseExpression | None:
    """The outermost expression at a place, else the smallest around it.

    What has no expression of its own in libcst is the several indices of a subscript.
    """
    if place in by_span:
        return by_span[place][-1]
    around = [span for span in by_span if span.start <= place.start and place.end <= span.end]
    # Expressions are nested: of those around one place that which begins last, or ends first, is the smallest.
    smallest = max(around, key=lambda span: (span.start, -span.end.line, -span.end.column), default=None)
    return by_span[smallest][-1] if smallest is not None else None
