"""The concrete syntax of one statement: as it was written, with its comments, parentheses and line breaks."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from synclint.analysis.syntax.positions import text_between
from synclint.findings import Position, Span
from synclint.fixes.source_files import SourceFile

# What libcst calls the expressions of `ast`.
_CLASSES: dict[type[ast.AST], tuple[type[cst.BaseExpression], ...]] = {
    ast.Call: (cst.Call,),
    ast.Subscript: (cst.Subscript,),
    ast.Attribute: (cst.Attribute,),
    ast.Name: (cst.Name,),
    ast.Compare: (cst.Comparison,),
    ast.BoolOp: (cst.BooleanOperation,),
    ast.BinOp: (cst.BinaryOperation,),
    ast.UnaryOp: (cst.UnaryOperation,),
    ast.IfExp: (cst.IfExp,),
    ast.List: (cst.List,),
    ast.Tuple: (cst.Tuple,),
    ast.Dict: (cst.Dict,),
    ast.Set: (cst.Set,),
    ast.ListComp: (cst.ListComp,),
    ast.SetComp: (cst.SetComp,),
    ast.DictComp: (cst.DictComp,),
    ast.GeneratorExp: (cst.GeneratorExp,),
    ast.Constant: (
        cst.Integer,
        cst.Float,
        cst.Imaginary,
        cst.SimpleString,
        cst.ConcatenatedString,
        cst.Name,
        cst.Ellipsis,
    ),
    ast.JoinedStr: (cst.FormattedString, cst.ConcatenatedString),
    ast.Lambda: (cst.Lambda,),
    ast.Await: (cst.Await,),
    ast.Starred: (cst.StarredElement,),
}
_Node = TypeVar("_Node", bound=cst.CSTNode)
# What is written of an expression needs nothing of the module that it comes from but its line ends.
_ANY_MODULE = cst.Module([])


class NotFoundError(ValueError):
    """An expression that has no counterpart in the concrete syntax: its statement is left as it is."""


@dataclass(frozen=True)
class ConcreteStatement:
    """One statement, of a compound one the header, parsed with libcst."""

    file: SourceFile
    statement: ast.stmt

    @cached_property
    def _start(self) -> Position:
        return self.file.span(self.statement).start

    @cached_property
    def _text(self) -> str:
        span = self.file.span(self.statement)
        body = getattr(self.statement, "body", None)
        if not isinstance(body, list) or not body:
            return text_between(self.file.lines, span)
        first = self.file.span(body[0]).start
        header = text_between(self.file.lines, Span(span.start, first))
        if isinstance(self.statement, ast.If) and header.startswith("elif"):
            header = f"if  {header[4:]}"  # as long as before
        return f"{header}pass" if "\n" not in header[len(header.rstrip()) :] else f"{header.rstrip()}\n    pass"

    @cached_property
    def module(self) -> cst.Module:
        """The statement as a module of its own. Raises NotFoundError where libcst does not understand it."""
        try:
            return cst.parse_module(self._text)
        except (cst.ParserSyntaxError, RecursionError):
            raise NotFoundError from None

    @cached_property
    def _nodes(self) -> dict[tuple[int, int, int, int], list[cst.CSTNode]]:
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        found: dict[tuple[int, int, int, int], list[cst.CSTNode]] = {}
        for node, place in wrapper.resolve(PositionProvider).items():
            assert isinstance(place, CodeRange)
            key = (place.start.line, place.start.column, place.end.line, place.end.column)
            found.setdefault(key, []).append(node)
        return found

    def node(self, expression: ast.expr) -> cst.BaseExpression:
        """The concrete node of an expression, found by its span and class. Raises NotFoundError."""
        span = self.file.span(expression)
        key = (*self._place(span.start), *self._place(span.end))
        classes = _CLASSES.get(type(expression), ())
        for node in self._nodes.get(key, ()):
            if isinstance(node, classes):
                return node
        raise NotFoundError

    def alone(self, expression: ast.expr) -> cst.BaseExpression:
        """The concrete node of an expression outside of its statement, which may be long. Raises NotFoundError."""
        with suppress(cst.ParserSyntaxError, RecursionError):
            node = cst.parse_expression(self.file.source_of(expression))
            if isinstance(node, _CLASSES.get(type(expression), ())):
                return node
        return self.node(expression)  # of several lines, it may stand only between the parentheses around it

    def _place(self, position: Position) -> tuple[int, int]:
        line = position.line - self._start.line + 1
        return line, position.column - (self._start.column if line == 1 else 1)

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node, with the line ends of the file."""
        code = _ANY_MODULE.code_for_node(node)
        return code.replace("\r\n", "\n").replace("\n", self.file.newline)


def with_argument(call: cst.Call, name: str, value: str) -> cst.Call:
    """The call with one more argument by name, laid out as the others are.

    Raises NotFoundError where it cannot have one.
    """
    args = list(call.args)
    new = cst.Arg(
        cst.parse_expression(value),
        cst.Name(name),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    if not args:
        return call.with_changes(args=[new])
    last = args[-1]
    if any(arg.star == "**" for arg in args) or (isinstance(last.value, cst.GeneratorExp) and not last.value.lpar):
        raise NotFoundError
    # What ends the list ends it after the new argument; a comment on the old one stays with that.
    after_comma = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else None
    ending = after_comma if after_comma is not None else last.whitespace_after_arg
    separator = _separator(call)
    if isinstance(ending, cst.ParenthesizedWhitespace) and ending.first_line.comment is not None:
        if isinstance(separator, cst.ParenthesizedWhitespace):
            separator = separator.with_changes(first_line=ending.first_line)
        else:
            separator = ending.with_changes(empty_lines=[])
        ending = _without_comment(ending)
    if after_comma is not None:
        assert isinstance(last.comma, cst.Comma)
        new = new.with_changes(comma=last.comma.with_changes(whitespace_after=ending))
    else:
        new = new.with_changes(whitespace_after_arg=ending)
    comma = cst.Comma(whitespace_after=separator)
    args[-1] = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*args, new])


def _without_comment(space: cst.ParenthesizedWhitespace) -> cst.ParenthesizedWhitespace:
    newline = cst.TrailingWhitespace(cst.SimpleWhitespace(""), None, space.first_line.newline)
    return space.with_changes(first_line=newline)


def _separator(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """What stands between two arguments, its comments left out."""
    if len(call.args) > 1 and isinstance(call.args[-2].comma, cst.Comma):
        space = call.args[-2].comma.whitespace_after
    else:
        space = call.whitespace_before_args
    if isinstance(space, cst.ParenthesizedWhitespace):
        return _without_comment(space).with_changes(empty_lines=[])
    return cst.SimpleWhitespace(" ")


def without_argument(call: cst.Call, name: str) -> cst.Call:
    """The call without the argument of this name."""
    kept = [arg for arg in call.args if arg.keyword is None or arg.keyword.value != name]
    if kept and len(kept) < len(call.args):
        last = call.args[-1]
        kept[-1] = kept[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    return call.with_changes(args=kept)
