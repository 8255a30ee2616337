"""Fixes written with libcst: a matcher that says what is changed, and a function that makes the nodes to write instead.

A rule's ``transformations.py`` lists them. Both ask `TensorFactProvider` what the analysis concluded, as codemods do.
libcst is imported with this module, and this module only where a rule's ``fix.py`` has found the statement to look at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
from libcst.helpers import get_full_name_for_node
from libcst.metadata import MetadataWrapper, PositionProvider

from synclint.analysis.domain.values import Device, DType
from synclint.analysis.results.expression_facts import Fact
from synclint.analysis.syntax.positions import text_between
from synclint.findings import Edit, Fix, Position, Span
from synclint.fixes.place import NoFixError, Place, comments_in
from synclint.fixes.source_files import SourceFile
from synclint.fixes.trimming import trimmed
from synclint.results.expression_facts import FileFacts, Key, TensorFact
from synclint.results.fact_nodes import Positions, facts_of_nodes, node_at, nodes_by_span, span_of

# What indented statements are parsed in, so that columns stay what they are.
_AROUND = "if 1:\n"
New = cst.CSTNode | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel
# What a matcher has saved: nodes, of whichever class it asked for.
Saved = Mapping[str, Any]


@dataclass(frozen=True)
class Rewrite:
    """What is to be written: new nodes by those whose place they take, what that does, and what can differ by it.

    Without a ``caveat`` the fix is safe, which has to be proved. ``before`` is a line that is inserted before the
    statements; then only expressions may be replaced, each of which is an edit of its own.
    """

    new: Mapping[cst.CSTNode, New]
    message: str
    caveat: str = ""
    before: str = ""


@dataclass(frozen=True)
class Transformation:
    """A kind of fix: which nodes around a finding it changes, and what it makes of one and of what the matcher saved.

    ``rewrite`` returns None, or raises NoFixError, where nothing can be written after all.
    """

    matcher: m.BaseMatcherNode
    rewrite: Callable[[Writing, Any, Saved], Rewrite | None]


@dataclass(frozen=True)
class Writing:
    """Statements of a file as libcst reads them, with what is known of their expressions, around one finding.

    ``lookup`` is what matchers take as ``metadata_resolver``.
    """

    place: Place
    read: _Read
    found: cst.CSTNode

    def fact(self, node: cst.CSTNode) -> TensorFact:
        """What was concluded about an expression; nothing where the analysis never came."""
        fact = self.read.facts.get(node, _NOTHING)
        return replace(fact, reported=(self.place.finding,)) if node is self.found else fact

    def qualified(self, node: cst.CSTNode) -> str:
        """The qualified name of what an expression such as ``th.where`` refers to; empty if that is not certain."""
        name = get_full_name_for_node(node) if isinstance(node, (cst.Name, cst.Attribute)) else None
        return self.place.imports.meant_by(name) if name is not None else ""

    def name(self, qualified: str) -> cst.BaseExpression:
        """How the file writes ``torch.where``; an import that it needs becomes part of the fix. Raises NoFixError."""
        return cst.parse_expression(self.place.name(qualified))

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        return self.read.module.code_for_node(node)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node around one."""
        return self.read.parents[node]

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around one, from the inside out."""
        while (outer := self.read.parents.get(node)) is not None:
            yield outer
            node = outer

    @property
    def lookup(self) -> cst.MetadataDependent:
        """Answers what matchers ask about a node."""
        return _Lookup(self)


class _Lookup(cst.MetadataDependent):
    """What libcst's matchers ask for metadata."""

    def __init__(self, writing: Writing) -> None:
        super().__init__()
        self._writing = writing

    def get_metadata(self, key: object, node: cst.CSTNode, default: object = None) -> Any:  # noqa: ANN401
        """The fact about a node, for the provider that tells facts."""
        return self._writing.fact(node) if getattr(key, "takes_file_facts", False) else default


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
    read = _read_by_libcst(place.file, statements)
    found = node_at(read.region.shifted(place.finding.span), read.by_span)
    if found is None:
        raise NoFixError
    writing = Writing(place, read, found)
    for transformation in transformations:
        for node in (writing.found, *writing.around(writing.found)):
            if _is_elif(writing, node):
                continue
            saved = m.extract(node, transformation.matcher, metadata_resolver=writing.lookup)
            if saved is None:
                continue
            place.forget_needs()
            try:
                rewrite = transformation.rewrite(writing, node, saved)
                if rewrite is not None:
                    return place.fix(rewrite.message, *_edits(writing, rewrite), caveat=rewrite.caveat)
            except NoFixError:
                continue
    return None


def _is_elif(writing: Writing, node: cst.CSTNode) -> bool:
    around = writing.read.parents.get(node)
    return isinstance(around, cst.If) and around.orelse is node


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

    def unshifted(self, span: Span) -> Span:
        """A place in the text as one in the file."""
        up = self.span.start.line - 1 - self.offset
        return Span(*(Position(line + up, column) for line, column in span))


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


@dataclass(frozen=True)
class _Read:
    """A region as libcst reads it, for all findings in it: its nodes by place, and what is known of them."""

    region: _Region
    module: cst.Module
    positions: Positions
    by_span: Mapping[Span, list[cst.BaseExpression]]
    facts: Mapping[cst.CSTNode, TensorFact]
    parents: Mapping[cst.CSTNode, cst.CSTNode]


def _read_by_libcst(file: SourceFile, statements: Sequence[ast.stmt]) -> _Read:
    region = _region(file, statements)
    read = file.once(("libcst", id(region.nodes[0]), id(region.nodes[-1])), lambda: _read(file, region))
    if read is None:
        raise NoFixError
    return read


def _read(file: SourceFile, region: _Region) -> _Read | None:
    try:
        module = cst.parse_module(region.text)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    known = FileFacts(Path(file.path), region.text, (), _facts(file, region))
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    waiting: list[cst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        within = node.children  # found anew whenever it is asked for
        parents.update(dict.fromkeys(within, node))
        waiting += within
    return _Read(region, module, positions, nodes_by_span(positions), facts_of_nodes(positions, known), parents)


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


class _Replacing(cst.CSTTransformer):
    """Puts other nodes in the place of some."""

    def __init__(self, new: Mapping[cst.CSTNode, New]) -> None:
        super().__init__()
        self._new = new

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> New:  # type: ignore[override]
        return self._new.get(original_node, updated_node)


def _edits(writing: Writing, rewrite: Rewrite) -> Iterator[Edit]:
    """The edits that a rewrite amounts to. Raises NoFixError where it cannot be written."""
    place, region = writing.place, writing.read.region
    if not rewrite.before:
        yield _edit(writing, rewrite)
        return
    yield place.inserted_before(region.nodes[0], rewrite.before)
    for old, new in rewrite.new.items():
        if not isinstance(old, cst.BaseExpression) or not isinstance(new, cst.CSTNode) or old.lpar:
            raise NoFixError
        yield Edit(region.unshifted(span_of(writing.read.positions[old])), writing.code(new))


def _edit(writing: Writing, rewrite: Rewrite) -> Edit:
    """The smallest edit that a rewrite amounts to. Raises NoFixError where a comment would be lost."""
    place, region = writing.place, writing.read.region
    changed = writing.read.module.visit(_Replacing(rewrite.new))
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
    if not after and region.span.end.line < len(place.file.lines):  # the line goes with what stood on it
        return Edit(Span(region.span.start, Position(region.span.end.line + 1, 1)), "")
    return trimmed(Edit(region.span, after), region.before)
