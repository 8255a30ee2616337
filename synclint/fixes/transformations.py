"""Fixes written with libcst: a matcher that says what is changed, and a function that makes the nodes to write instead.

A rule's ``transformations.py`` lists them. Both ask `TensorFactProvider` what the analysis concluded, as codemods do.
libcst is imported with this module, and this module only where a rule's ``fix.py`` has found the statement to look at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
from libcst.helpers import get_full_name_for_node
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from synclint.analysis.domain.values import Device, DType
from synclint.analysis.results.expression_facts import Fact
from synclint.analysis.syntax.positions import text_between
from synclint.findings import Edit, Finding, Fix, Position, Span
from synclint.fixes.place import NoFixError, Place, comments_in
from synclint.fixes.source_files import SourceFile
from synclint.fixes.trimming import trimmed
from synclint.results.expression_facts import FileFacts, Key, TensorFact
from synclint.results.fact_nodes import GivenFacts, facts_of_nodes, span_of

# What indented statements are parsed in, so that columns stay what they are.
_AROUND = "if 1:\n"
New = cst.CSTNode | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel
# What a matcher has saved: nodes, of whichever class it asked for.
Saved = Mapping[str, Any]


@dataclass(frozen=True)
class Rewrite:
    """What is to be written: new nodes by those whose place they take, what that does, and what can differ by it.

    Without a ``caveat`` the fix is safe, which has to be proved.
    """

    new: Mapping[cst.CSTNode, New]
    message: str
    caveat: str = ""


@dataclass(frozen=True)
class Transformation:
    """A kind of fix: which nodes around a finding it changes, and what it makes of one and of what the matcher saved.

    ``rewrite`` returns None, or raises NoFixError, where nothing can be written after all.
    """

    matcher: m.BaseMatcherNode
    rewrite: Callable[[Writing, Any, Saved], Rewrite | None]


@dataclass(frozen=True)
class Writing:
    """Statements of a file as libcst reads them, with what is known of their expressions, around one finding."""

    place: Place
    wrapper: MetadataWrapper
    facts: Mapping[cst.CSTNode, TensorFact]
    positions: Mapping[cst.CSTNode, CodeRange]

    def fact(self, node: cst.CSTNode) -> TensorFact:
        """What was concluded about an expression; nothing where the analysis never came."""
        return self.facts.get(node, _NOTHING)

    def qualified(self, node: cst.CSTNode) -> str:
        """The qualified name of what an expression such as ``th.where`` refers to; empty if that is not certain."""
        name = get_full_name_for_node(node) if isinstance(node, (cst.Name, cst.Attribute)) else None
        return self.place.imports.meant_by(name) if name is not None else ""

    def name(self, qualified: str) -> cst.BaseExpression:
        """How the file writes ``torch.where``; an import that it needs becomes part of the fix. Raises NoFixError."""
        return cst.parse_expression(self.place.name(qualified))

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        return self.wrapper.module.code_for_node(node)

    def is_found(self, node: cst.CSTNode) -> bool:
        """Whether a node is the expression of the finding."""
        return bool(self.fact(node).reported)

    @cached_property
    def parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        """The node around each node."""
        found: dict[cst.CSTNode, cst.CSTNode] = {}
        waiting: list[cst.CSTNode] = [self.wrapper.module]
        while waiting:
            node = waiting.pop()
            found.update(dict.fromkeys(node.children, node))
            waiting += node.children
        return found

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around one, from the inside out."""
        while (outer := self.parents.get(node)) is not None:
            yield outer
            node = outer


_NOTHING = TensorFact()


def grouped(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression of which an attribute can be taken, or that can be an operand: in parentheses where needed."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def named(*names: str) -> m.OneOf[m.NameMatchType]:
    """A matcher of any of some names."""
    return m.OneOf(*map(m.Name, names))


def statement(source: str, *, like: cst.CSTNode) -> cst.SimpleStatementLine:
    """A statement of one line with the empty lines and comments that stand before another one."""
    made = cst.parse_statement(source)
    assert isinstance(made, cst.SimpleStatementLine)
    return made.with_changes(leading_lines=getattr(like, "leading_lines", ()))


def fix_within(place: Place, statements: Sequence[ast.stmt], transformations: Sequence[Transformation]) -> Fix | None:
    """The fix that the first of some transformations makes within statements that follow one another.

    Raises NoFixError where libcst cannot read them by themselves.
    """
    region = _region(place.file, statements)
    writing = _writing(place, region)
    at = place.file.span(place.node)
    for transformation in transformations:
        for node in _around_finding(writing, region, at, transformation.matcher):
            place.forget_needs()
            saved = m.extract(node, transformation.matcher, metadata_resolver=writing.wrapper)
            try:
                rewrite = transformation.rewrite(writing, node, saved or {})
            except NoFixError:
                continue
            if rewrite is not None:
                edit = _edit(place, region, writing, rewrite)
                return place.fix(rewrite.message, edit, caveat=rewrite.caveat)
    return None


def written(place: Place, statement: ast.stmt) -> tuple[Writing, cst.CSTNode]:
    """A statement that stands on lines of its own, as libcst reads it. Raises NoFixError."""
    region = _region(place.file, [statement])
    writing = _writing(place, region)
    start = region.shifted(place.file.span(statement)).start
    for node, place_of_node in writing.positions.items():
        if isinstance(node, cst.BaseStatement) and span_of(place_of_node).start == start:
            return writing, node
    raise NoFixError


@dataclass(frozen=True)
class _Region:
    """Whole lines of a file: ``text`` is what libcst parses of them, its first line being ``offset`` lines above."""

    span: Span
    before: str
    text: str
    offset: int
    nodes: tuple[ast.stmt, ...]

    def shifted(self, span: Span) -> Span:
        """A place in the file as one in the text."""
        up = self.span.start.line - 1 - self.offset
        return Span(*(Position(line - up, column) for line, column in span))


def _region(file: SourceFile, statements: Sequence[ast.stmt]) -> _Region:
    """The lines of statements, or of those around them, which stand on lines of their own. Raises NoFixError."""
    nodes = tuple(statements)
    while True:
        start, end = file.span(nodes[0]).start, file.span(nodes[-1]).end
        indent = file.lines[start.line - 1][: start.column - 1]
        rest = file.lines[end.line - 1][end.column - 1 :].strip()
        begins = text_between(file.lines, file.span(nodes[0]))
        if not indent.strip() and (not rest or rest.startswith("#")) and not begins.startswith("elif"):
            break
        around = file.parent(nodes[0])
        if not isinstance(around, ast.stmt):
            raise NoFixError
        nodes = (around,)
    span = Span(Position(start.line, 1), end)
    before = text_between(file.lines, span)
    shift = _AROUND if indent else ""
    return _Region(span, before, f"{shift}{before}\n", len(shift.splitlines()), nodes)


def _writing(place: Place, region: _Region) -> Writing:
    try:
        module = cst.parse_module(region.text)
    except (cst.ParserSyntaxError, RecursionError):
        raise NoFixError from None
    finding = Finding(**{**vars(place.finding), "span": region.shifted(place.finding.span)})
    known = FileFacts(Path(place.file.path), region.text, (), _facts(place.file, region), reported=(finding,))
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True, cache=GivenFacts(known))
    positions = wrapper.resolve(PositionProvider)
    return Writing(place, wrapper, facts_of_nodes(positions, known), positions)


def _facts(file: SourceFile, region: _Region) -> dict[Key, TensorFact]:
    """What is known of the expressions in some statements, by their places in the text that libcst parses."""
    found: dict[Key, TensorFact] = {}
    for statement in region.nodes:
        for node in ast.walk(statement):
            if isinstance(node, ast.expr):
                span = region.shifted(file.span(node))
                found[Key(span, type(node).__name__)] = _told(file.fact(node))
    return found


def _told(fact: Fact) -> TensorFact:
    """A fact as those who use libcst know it."""
    has_tensor = "tensor" in fact.kinds
    is_tensor = has_tensor and fact.kinds <= {"tensor", "none"}
    return TensorFact(
        is_tensor=True if is_tensor else None if has_tensor or "unknown" in fact.kinds else False,
        device=Device(fact.device) if has_tensor else None,
        dtype=DType(fact.dtype) if has_tensor else None,
        rank=fact.ndim,
        confidence=fact.trust if has_tensor else None,
        instance_of=fact.name or None if "instance" in fact.kinds else None,
        kinds=fact.kinds,
    )


def _around_finding(writing: Writing, region: _Region, at: Span, matcher: m.BaseMatcherNode) -> list[cst.CSTNode]:
    """The nodes with the finding in them that a matcher matches, the innermost first; those of ``elif`` left out."""
    start, end = region.shifted(at)
    found: list[tuple[Position, cst.CSTNode]] = []
    for node, place in writing.positions.items():  # each after those that are within it
        span = span_of(place)
        if span.start <= start and end <= span.end and m.matches(node, matcher, metadata_resolver=writing.wrapper):
            around = writing.parents.get(node)
            if not (isinstance(around, cst.If) and around.orelse is node):
                found.append((span.start, node))
    return [node for _, node in sorted(found, key=lambda one: one[0], reverse=True)]


class _Replacing(cst.CSTTransformer):
    """Puts other nodes in the place of some."""

    def __init__(self, new: Mapping[cst.CSTNode, New]) -> None:
        super().__init__()
        self._new = new

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> New:  # type: ignore[override]
        return self._new.get(original_node, updated_node)


def _edit(place: Place, region: _Region, writing: Writing, rewrite: Rewrite) -> Edit:
    """The smallest edit that a rewrite amounts to. Raises NoFixError where a comment would be lost."""
    changed = writing.wrapper.module.visit(_Replacing(rewrite.new))
    after = changed.code.split("\n", region.offset)[-1].rstrip("\n")
    kept = set(region.before.splitlines())
    lines = []
    for line in after.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        is_new = line.rstrip("\r") not in kept and len(line) > place.file.width
        lines.append(f"{indent}{place.line(line.strip(), indent)}" if is_new else line.rstrip("\r"))
    after = place.file.newline.join("\n".join(lines).splitlines())
    if comments_in(region.before) - comments_in(after):
        raise NoFixError
    return trimmed(Edit(region.span, after), region.before)
