"""Syntax newer than the Python that runs: libcst's parser reads it, and its tree is turned into one of ``ast``.

The nodes are those that ``ast.parse`` makes of the same text, at the same positions. What older Pythons have no node
for becomes the nearest that they have: ``type X = Y`` is an assignment, a t-string an f-string, a lazy import an
import, and ``except*`` is ``except`` unless Python has a node for it; the parameters in ``def f[T]()`` are left out.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from synclint.analysis.syntax.nesting import nesting_of

_Node = TypeVar("_Node", bound=ast.AST)
_Place = tuple[int, int]  # a line, counting from 1, and a column in bytes of UTF-8, counting from 0
_Span = tuple[_Place, _Place]
_Series = cst.Tuple | cst.GeneratorExp | cst.MatchTuple | cst.MatchList

_BINARY: dict[str, type[ast.operator]] = {
    "Add": ast.Add, "Subtract": ast.Sub, "Multiply": ast.Mult, "Divide": ast.Div, "FloorDivide": ast.FloorDiv,
    "Modulo": ast.Mod, "Power": ast.Pow, "MatrixMultiply": ast.MatMult, "LeftShift": ast.LShift,
    "RightShift": ast.RShift, "BitAnd": ast.BitAnd, "BitOr": ast.BitOr, "BitXor": ast.BitXor,
}  # fmt: skip
_UNARY: dict[str, type[ast.unaryop]] = {
    "Not": ast.Not, "Minus": ast.USub, "Plus": ast.UAdd, "BitInvert": ast.Invert,
}  # fmt: skip
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "Equal": ast.Eq, "NotEqual": ast.NotEq, "LessThan": ast.Lt, "LessThanEqual": ast.LtE, "GreaterThan": ast.Gt,
    "GreaterThanEqual": ast.GtE, "Is": ast.Is, "IsNot": ast.IsNot, "In": ast.In, "NotIn": ast.NotIn,
}  # fmt: skip
_SINGLETONS = {"None": None, "True": True, "False": False}

# libcst's parser runs out of its stack on operators or ``elif`` by the ten thousand, which ends the process, and takes
# a time that grows with the square of their number; each bracket in a pattern makes it take twice as long.
MOST_CHARACTERS = 3_000_000
MOST_LEVELS = 500
MOST_BRACKETS = 200  # as many as Python allows
MOST_IN_PATTERN = 14


def module_from(source: str) -> ast.Module:
    """The tree of a module that ``ast.parse`` may be too old to read.

    Raises ``libcst.ParserSyntaxError`` for what is no Python at all, RecursionError for what is nested too deeply.
    """
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tree = concrete_tree(text)
    wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
    converter = _Converter(_Positions(wrapper.resolve(PositionProvider), text.split("\n")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes in strings that mean nothing
        return ast.Module(body=converter.statements(wrapper.module.body), type_ignores=[])


def concrete_tree(text: str) -> cst.Module:
    """What libcst reads in a text whose lines end in newlines.

    Raises ``libcst.ParserSyntaxError`` for what is no Python at all, RecursionError for what is nested too deeply.
    """
    if _is_too_much(text):
        raise RecursionError("nested too deeply for libcst")
    try:
        return cst.parse_module(text)
    except cst.CSTValidationError as error:
        raise cst.ParserSyntaxError(str(error), lines=text.split("\n"), raw_line=1, raw_column=0) from None


def _is_too_much(text: str) -> bool:
    if len(text) > MOST_CHARACTERS:
        return True
    nesting = nesting_of(text)
    return nesting.levels > MOST_LEVELS or nesting.brackets > MOST_BRACKETS or nesting.in_pattern > MOST_IN_PATTERN


class _Positions:
    """Where the nodes of libcst's tree stand, counted as ``ast`` counts."""

    def __init__(self, ranges: Mapping[cst.CSTNode, CodeRange], lines: list[str]) -> None:
        self._ranges = ranges
        self.lines = lines

    def start(self, node: cst.CSTNode) -> _Place:
        place = self._ranges[node].start
        return self._in_bytes(place.line, place.column)

    def end(self, node: cst.CSTNode, further: int = 0) -> _Place:
        """The end of a node, or a place so many characters behind it on the same line."""
        place = self._ranges[node].end
        return self._in_bytes(place.line, place.column + further)

    def _in_bytes(self, line: int, column: int) -> _Place:
        return line, len(self.lines[line - 1][:column].encode())

    def outer_start(self, node: cst.CSTNode) -> _Place:
        """The start of a node with the parentheses around it."""
        opening = getattr(node, "lpar", ())
        return self.start(opening[0] if opening else node)

    def outer_end(self, node: cst.CSTNode) -> _Place:
        """The end of a node with the parentheses around it."""
        closing = getattr(node, "rpar", ())
        return self.end(closing[-1] if closing else node)

    def of_series(self, node: _Series, elements: Sequence[Any]) -> _Span:
        """The span of a tuple, or a pattern like it: its own parentheses belong to it, and so does a last comma."""
        if node.lpar:
            return self.start(node.lpar[-1]), self.end(node.rpar[0])
        comma = elements[-1].comma
        return self.start(node), self.after(comma) if isinstance(comma, cst.Comma) else self.end(node)

    def after(self, mark: cst.Comma | cst.Colon | cst.Semicolon) -> _Place:
        """The place behind a comma, colon or semicolon; libcst counts the whitespace around it as part of it."""
        return self.end(mark.whitespace_before, 1)

    def text_between(self, first: cst.CSTNode, second: cst.CSTNode) -> str:
        """The source from behind the first character of one node to the end of another."""
        start, end = self._ranges[first].start, self._ranges[second].end
        lines = self.lines[start.line - 1 : end.line]
        lines[-1] = lines[-1][: end.column]
        lines[0] = lines[0][start.column + 1 :]
        return "\n".join(lines)


def _located(node: _Node, span: _Span) -> _Node:
    """Give a node its place."""
    located: Any = node
    (located.lineno, located.col_offset), (located.end_lineno, located.end_col_offset) = span
    return node


def _end_of(node: ast.expr | ast.stmt | ast.ExceptHandler) -> _Place:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _marked(node: ast.expr, context: ast.expr_context) -> ast.expr:
    """Say that an expression is assigned to, or deleted."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Starred, ast.Tuple, ast.List)):
        node.ctx = context
    if isinstance(node, ast.Starred):
        _marked(node.value, context)
    for element in node.elts if isinstance(node, (ast.Tuple, ast.List)) else ():
        _marked(element, context)
    return node


def _no_type_parameters() -> dict[str, Any]:
    """The field that newer Pythons expect in every definition."""
    return {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def _identifier(node: cst.CSTNode) -> str:
    """A name as Python reads it: letters of other shapes are the plain ones."""
    name = cst.ensure_type(node, cst.Name).value
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _dotted(node: cst.CSTNode) -> str:
    """The name of a module."""
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{_identifier(node.attr)}"
    return _identifier(node)


class _Converter:
    """Makes nodes of ``ast`` from those of libcst."""

    def __init__(self, places: _Positions) -> None:
        self.places = places
        # By the names of classes: older versions of libcst lack some of the classes.
        self._expressions: dict[str, Callable[[Any], ast.expr]] = {
            "Attribute": self._attribute,
            "Await": lambda node: ast.Await(self.expression(node.expression)),
            "BinaryOperation": self._binary,
            "BooleanOperation": self._boolean,
            "Call": self._call,
            "Comparison": self._comparison,
            "ConcatenatedString": self._string,
            "Dict": self._dict,
            "DictComp": lambda node: ast.DictComp(
                self.expression(node.key), self.expression(node.value), self._clauses(node.for_in)
            ),
            "Ellipsis": lambda node: ast.Constant(...),
            "Float": self._number,
            "FormattedString": self._string,
            "GeneratorExp": lambda node: ast.GeneratorExp(self.expression(node.elt), self._clauses(node.for_in)),
            "IfExp": lambda node: ast.IfExp(
                self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
            ),
            "Imaginary": self._number,
            "Integer": self._number,
            "Lambda": lambda node: ast.Lambda(self._parameters(node.params), self.expression(node.body)),
            "List": lambda node: ast.List(self._elements(node), ast.Load()),
            "ListComp": lambda node: ast.ListComp(self.expression(node.elt), self._clauses(node.for_in)),
            "Name": self._name,
            "NamedExpr": lambda node: ast.NamedExpr(self._target(node.target), self.expression(node.value)),
            "Set": lambda node: ast.Set(self._elements(node)),
            "SetComp": lambda node: ast.SetComp(self.expression(node.elt), self._clauses(node.for_in)),
            "SimpleString": self._string,
            "StarredDictComp": self._merged_mappings,
            "StarredElement": lambda node: ast.Starred(self.expression(node.value), ast.Load()),
            "Subscript": lambda node: ast.Subscript(self.expression(node.value), self._index(node), ast.Load()),
            "TemplatedString": self._string,
            "Tuple": lambda node: ast.Tuple(self._elements(node), ast.Load()),
            "UnaryOperation": self._unary,
            "Yield": self._yield,
        }
        self._statements: dict[str, Callable[[Any], ast.stmt]] = {
            "AnnAssign": self._annotated,
            "Assert": lambda node: ast.Assert(self.expression(node.test), self._optional(node.msg)),
            "Assign": self._assign,
            "AugAssign": self._augmented,
            "Break": lambda node: ast.Break(),
            "ClassDef": self._class,
            "Continue": lambda node: ast.Continue(),
            "Del": self._delete,
            "Expr": lambda node: ast.Expr(self.expression(node.value)),
            "For": self._for,
            "FunctionDef": self._function,
            "Global": lambda node: ast.Global([_identifier(item.name) for item in node.names]),
            "If": self._if,
            "Import": lambda node: ast.Import([self._alias(alias) for alias in node.names]),
            "ImportFrom": self._import_from,
            "LazyImport": lambda node: ast.Import([self._alias(alias) for alias in node.names]),
            "LazyImportFrom": self._import_from,
            "Match": self._match,
            "Nonlocal": lambda node: ast.Nonlocal([_identifier(item.name) for item in node.names]),
            "Pass": lambda node: ast.Pass(),
            "Raise": lambda node: ast.Raise(
                self._optional(node.exc), self._optional(node.cause.item if node.cause is not None else None)
            ),
            "Return": lambda node: ast.Return(self._optional(node.value)),
            "Try": self._try,
            "TryStar": self._try,
            "TypeAlias": lambda node: ast.Assign([self._target(node.name)], self.expression(node.value)),
            "While": self._while,
            "With": self._with,
        }
        self._patterns: dict[str, Callable[[Any], ast.pattern]] = {
            "MatchAs": lambda node: ast.MatchAs(
                self.pattern(node.pattern) if node.pattern is not None else None,
                _identifier(node.name) if node.name is not None else None,
            ),
            "MatchClass": self._class_pattern,
            "MatchList": lambda node: ast.MatchSequence([self._pattern_element(e) for e in node.patterns]),
            "MatchMapping": self._mapping_pattern,
            "MatchOr": lambda node: ast.MatchOr([self.pattern(element.pattern) for element in node.patterns]),
            "MatchSingleton": lambda node: ast.MatchSingleton(_SINGLETONS[node.value.value]),
            "MatchTuple": lambda node: ast.MatchSequence([self._pattern_element(e) for e in node.patterns]),
            "MatchValue": lambda node: ast.MatchValue(self.expression(node.value)),
        }

    # --- expressions -----------------------------------------------------------------------------------

    def expression(self, node: cst.CSTNode) -> ast.expr:
        """The expression at its place; parentheses around it are no part of it."""
        span = self.places.start(node), self.places.end(node)
        if isinstance(node, cst.Tuple):
            span = self.places.of_series(node, node.elements)
        elif isinstance(node, cst.GeneratorExp) and node.lpar:
            span = self.places.of_series(node, ())
        return _located(self._expressions[type(node).__name__](node), span)

    def _optional(self, node: cst.CSTNode | None) -> ast.expr | None:
        return self.expression(node) if node is not None else None

    def _target(self, node: cst.CSTNode) -> Any:  # noqa: ANN401 - each statement has targets of its own
        return _marked(self.expression(node), ast.Store())

    def _failure(self, node: cst.CSTNode, message: str) -> cst.ParserSyntaxError:
        line, column = self.places.start(node)
        return cst.ParserSyntaxError(message, lines=self.places.lines, raw_line=line, raw_column=column)

    def _literal(self, node: cst.CSTNode, text: str) -> str | bytes | complex:
        try:
            value: str | bytes | complex = ast.literal_eval(text)
        except (SyntaxError, ValueError) as error:
            raise self._failure(node, str(error)) from None
        return value

    def _name(self, node: cst.Name) -> ast.expr:
        if node.value in _SINGLETONS:
            return ast.Constant(_SINGLETONS[node.value])
        return ast.Name(_identifier(node), ast.Load())

    def _attribute(self, node: cst.Attribute) -> ast.expr:
        return ast.Attribute(self.expression(node.value), _identifier(node.attr), ast.Load())

    def _number(self, node: cst.Integer | cst.Float | cst.Imaginary) -> ast.expr:
        return ast.Constant(self._literal(node, node.value))

    def _binary(self, node: cst.BinaryOperation) -> ast.expr:
        operator = _BINARY[type(node.operator).__name__]()
        return ast.BinOp(self.expression(node.left), operator, self.expression(node.right))

    def _unary(self, node: cst.UnaryOperation) -> ast.expr:
        return ast.UnaryOp(_UNARY[type(node.operator).__name__](), self.expression(node.expression))

    def _boolean(self, node: cst.BooleanOperation) -> ast.expr:
        values = [node.right]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and not left.lpar and type(left.operator) is type(node.operator):
            values.append(left.right)
            left = left.left
        operator = ast.And() if isinstance(node.operator, cst.And) else ast.Or()
        return ast.BoolOp(operator, [self.expression(value) for value in (left, *reversed(values))])

    def _comparison(self, node: cst.Comparison) -> ast.expr:
        return ast.Compare(
            self.expression(node.left),
            [_COMPARISONS[type(target.operator).__name__]() for target in node.comparisons],
            [self.expression(target.comparator) for target in node.comparisons],
        )

    def _call(self, node: cst.Call) -> ast.expr:
        positional, keywords = self._given(node.args)
        if len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp) and not node.args[0].value.lpar:
            # The parentheses of the call are those of the generator.
            _located(positional[0], (self.places.end(node.whitespace_after_func), self.places.end(node)))
        return ast.Call(self.expression(node.func), positional, keywords)

    def _given(self, arguments: Iterable[cst.Arg]) -> tuple[list[ast.expr], list[ast.keyword]]:
        """Positional arguments, or the bases of a class, and keywords."""
        positional: list[ast.expr] = []
        keywords: list[ast.keyword] = []
        for argument in arguments:
            value = self.expression(argument.value)
            span = self.places.start(argument), self.places.end(argument)
            if argument.keyword is not None or argument.star == "**":
                name = _identifier(argument.keyword) if argument.keyword is not None else None
                keywords.append(_located(ast.keyword(name, value), span))
            elif argument.star:
                positional.append(_located(ast.Starred(value, ast.Load()), span))
            else:
                positional.append(value)
        return positional, keywords

    def _elements(self, node: cst.Tuple | cst.List | cst.Set) -> list[ast.expr]:
        return [
            self.expression(element if isinstance(element, cst.StarredElement) else element.value)
            for element in node.elements
        ]

    def _dict(self, node: cst.Dict) -> ast.expr:
        keys = [self.expression(e.key) if isinstance(e, cst.DictElement) else None for e in node.elements]
        return ast.Dict(keys, [self.expression(element.value) for element in node.elements])

    def _merged_mappings(self, node: cst.StarredDictComp) -> ast.expr:
        """``{**d for d in many}``, as ``{**(d for d in many)}``."""
        span = self.places.start(node.value), self.places.end(node.for_in)
        mappings = ast.GeneratorExp(self.expression(node.value), self._clauses(node.for_in))
        return ast.Dict([None], [_located(mappings, span)])

    def _clauses(self, clause: cst.CompFor | None) -> list[ast.comprehension]:
        found: list[ast.comprehension] = []
        while clause is not None:
            conditions = [self.expression(condition.test) for condition in clause.ifs]
            is_async = int(clause.asynchronous is not None)
            target = self._target(clause.target)
            found.append(ast.comprehension(target, self.expression(clause.iter), conditions, is_async))
            clause = clause.inner_for_in
        return found

    def _yield(self, node: cst.Yield) -> ast.expr:
        if isinstance(node.value, cst.From):
            return ast.YieldFrom(self.expression(node.value.item))
        return ast.Yield(self._optional(node.value))

    def _index(self, node: cst.Subscript) -> ast.expr:
        parts = [self._subscripted(element.slice) for element in node.slice]
        comma = node.slice[-1].comma
        if len(parts) == 1 and not isinstance(comma, cst.Comma) and not isinstance(parts[0], ast.Starred):
            return parts[0]
        end = self.places.after(comma) if isinstance(comma, cst.Comma) else self._end_of_index(node.slice[-1].slice)
        return _located(ast.Tuple(parts, ast.Load()), (self._start_of_index(node.slice[0].slice), end))

    def _subscripted(self, node: cst.BaseSlice) -> ast.expr:
        span = self._start_of_index(node), self._end_of_index(node)
        if isinstance(node, cst.Slice):
            bounds = (self._optional(bound) for bound in (node.lower, node.upper, node.step))
            return _located(ast.Slice(*bounds), span)
        index = cst.ensure_type(node, cst.Index)
        value = self.expression(index.value)
        return _located(ast.Starred(value, ast.Load()), span) if index.star is not None else value

    def _start_of_index(self, node: cst.BaseSlice) -> _Place:
        if not isinstance(node, cst.Slice):
            return self.places.start(node)
        if node.lower is not None:
            return self.places.outer_start(node.lower)
        return self.places.end(node.first_colon.whitespace_before)

    def _end_of_index(self, node: cst.BaseSlice) -> _Place:
        if not isinstance(node, cst.Slice):
            return self.places.end(node)
        if node.step is not None:
            return self.places.outer_end(node.step)
        if isinstance(node.second_colon, cst.Colon):
            return self.places.after(node.second_colon)
        return self.places.after(node.first_colon) if node.upper is None else self.places.outer_end(node.upper)

    # --- strings ---------------------------------------------------------------------------------------

    def _string(self, node: cst.BaseString) -> ast.expr:
        """One string literal, or several side by side, which are one to Python."""
        pieces = list(_pieces(node))
        if all(isinstance(piece, cst.SimpleString) for piece in pieces):
            values = [self._literal(piece, piece.value) for piece in pieces]
            if isinstance(values[0], bytes):
                return ast.Constant(b"".join(value for value in values if isinstance(value, bytes)))
            kind = "u" if pieces[0].prefix.lower() == "u" else None
            return ast.Constant("".join(value for value in values if isinstance(value, str)), kind)
        parts: list[ast.expr] = []
        for piece in pieces:
            if isinstance(piece, cst.SimpleString):
                span = self.places.start(piece), self.places.end(piece)
                parts.append(_located(ast.Constant(self._literal(piece, piece.value)), span))
            else:
                parts += self._formatted(piece.parts, "r" in piece.prefix.lower())
        return ast.JoinedStr(_joined(parts))

    def _formatted(self, parts: Iterable[Any], raw: bool) -> Iterator[ast.expr]:
        """What stands in an f-string, a t-string or a format: texts and replacement fields."""
        for part in parts:
            span = self.places.start(part), self.places.end(part)
            if not hasattr(part, "expression"):
                yield _located(ast.Constant(self._text(part, part.value, raw)), span)
                continue
            conversion = ord(part.conversion) if part.conversion is not None else -1
            if part.equal is not None:
                shown = part.whitespace_after_expression
                text = self.places.text_between(part, shown)
                line, column = span[0]
                yield _located(ast.Constant(text), ((line, column + 1), self.places.end(shown)))
                if conversion == -1 and part.format_spec is None:
                    conversion = ord("r")
            form = self._format(part, raw) if part.format_spec is not None else None
            yield _located(ast.FormattedValue(self.expression(part.expression), conversion, form), span)

    def _text(self, node: cst.CSTNode, written: str, raw: bool) -> str:
        """What a text in an f-string says."""
        text = written.replace("{{", "{").replace("}}", "}")
        if raw or "\\" not in text:
            return text
        quoted = _ESCAPE_OR_QUOTE.sub(lambda found: '\\"' if found.group() == '"' else found.group(), text)
        return str(self._literal(node, f'"""{quoted}"""'))

    def _format(self, part: cst.FormattedStringExpression, raw: bool) -> ast.expr:
        line, column = self.places.end(part)
        colon = 0 if part.conversion is None else 1 + len(part.conversion)
        span = self.places.end(part.whitespace_after_expression, colon), (line, column - 1)
        return _located(ast.JoinedStr(_joined(self._formatted(part.format_spec or (), raw))), span)

    # --- functions and classes -------------------------------------------------------------------------

    def _parameters(self, node: cst.Parameters) -> ast.arguments:
        positional = (*node.posonly_params, *node.params)
        return ast.arguments(
            [self._parameter(parameter) for parameter in node.posonly_params],
            [self._parameter(parameter) for parameter in node.params],
            self._parameter(node.star_arg) if isinstance(node.star_arg, cst.Param) else None,
            [self._parameter(parameter) for parameter in node.kwonly_params],
            [self._optional(parameter.default) for parameter in node.kwonly_params],
            self._parameter(node.star_kwarg) if node.star_kwarg is not None else None,
            [self.expression(parameter.default) for parameter in positional if parameter.default is not None],
        )

    def _parameter(self, node: cst.Param) -> ast.arg:
        end = self.places.end(node.name if node.annotation is None else node.annotation)
        annotation = self.expression(node.annotation.annotation) if node.annotation is not None else None
        return _located(ast.arg(_identifier(node.name), annotation), (self.places.start(node.name), end))

    def _function(self, node: cst.FunctionDef) -> ast.stmt:
        body, end = self._suite(node.body)
        kind = ast.FunctionDef if node.asynchronous is None else ast.AsyncFunctionDef
        function = kind(
            _identifier(node.name),
            self._parameters(node.params),
            body,
            [self.expression(decorator.decorator) for decorator in node.decorators],
            self.expression(node.returns.annotation) if node.returns is not None else None,
            **_no_type_parameters(),
        )
        return self._until(end, function)

    def _class(self, node: cst.ClassDef) -> ast.stmt:
        body, end = self._suite(node.body)
        bases, keywords = self._given((*node.bases, *node.keywords))
        decorators = [self.expression(decorator.decorator) for decorator in node.decorators]
        name = _identifier(node.name)
        return self._until(end, ast.ClassDef(name, bases, keywords, body, decorators, **_no_type_parameters()))

    # --- statements ------------------------------------------------------------------------------------

    def statements(self, nodes: Iterable[cst.CSTNode]) -> list[ast.stmt]:
        """The statements of a body."""
        found: list[ast.stmt] = []
        for node in nodes:
            found += [self._statement(n) for n in (node.body if isinstance(node, cst.SimpleStatementLine) else [node])]
        return found

    def _statement(self, node: cst.CSTNode) -> ast.stmt:
        statement = self._statements[type(node).__name__](node)
        span = self.places.start(node), self.places.end(node)
        if getattr(statement, "end_lineno", None) is not None:
            span = span[0], _end_of(statement)  # a compound one, which ends with its last suite
        return _located(statement, span)

    def _until(self, end: _Place, statement: _Node) -> _Node:
        """Note where a compound statement ends."""
        return _located(statement, (end, end))

    def _suite(self, node: cst.BaseSuite) -> tuple[list[ast.stmt], _Place]:
        """The statements of a suite, and where it ends: a last semicolon belongs to it."""
        body = self.statements(node.body)
        last: Any = node.body[-1]
        while isinstance(last, cst.SimpleStatementLine):
            last = last.body[-1]
        semicolon = getattr(last, "semicolon", None)
        return body, self.places.after(semicolon) if isinstance(semicolon, cst.Semicolon) else _end_of(body[-1])

    def _annotated(self, node: cst.AnnAssign) -> ast.stmt:
        simple = int(isinstance(node.target, cst.Name) and not node.target.lpar)
        annotation = self.expression(node.annotation.annotation)
        return ast.AnnAssign(self._target(node.target), annotation, self._optional(node.value), simple)

    def _assign(self, node: cst.Assign) -> ast.stmt:
        return ast.Assign([self._target(target.target) for target in node.targets], self.expression(node.value))

    def _augmented(self, node: cst.AugAssign) -> ast.stmt:
        operator = _BINARY[type(node.operator).__name__.removesuffix("Assign")]()
        return ast.AugAssign(self._target(node.target), operator, self.expression(node.value))

    def _delete(self, node: cst.Del) -> ast.stmt:
        deleted = _marked(self.expression(node.target), ast.Del())
        if isinstance(deleted, ast.Tuple) and not node.target.lpar:
            return ast.Delete(deleted.elts)
        return ast.Delete([deleted])

    def _alias(self, node: cst.ImportAlias) -> ast.alias:
        alias = ast.alias(_dotted(node.name), _identifier(node.asname.name) if node.asname is not None else None)
        return _located(alias, (self.places.start(node), self.places.end(node)))

    def _import_from(self, node: cst.ImportFrom) -> ast.stmt:
        module = _dotted(node.module) if node.module is not None else None
        if isinstance(node.names, cst.ImportStar):
            names = [_located(ast.alias("*"), (self.places.start(node.names), self.places.end(node.names)))]
        else:
            names = [self._alias(alias) for alias in node.names]
        return ast.ImportFrom(module, names, len(node.relative))

    def _if(self, node: cst.If) -> ast.stmt:
        body, end = self._suite(node.body)
        orelse: list[ast.stmt] = []
        if isinstance(node.orelse, cst.If):
            orelse = [self._statement(node.orelse)]
            end = _end_of(orelse[0])
        elif node.orelse is not None:
            orelse, end = self._suite(node.orelse.body)
        return self._until(end, ast.If(self.expression(node.test), body, orelse))

    def _for(self, node: cst.For) -> ast.stmt:
        kind = ast.For if node.asynchronous is None else ast.AsyncFor
        body, orelse, end = self._looped(node)
        return self._until(end, kind(self._target(node.target), self.expression(node.iter), body, orelse))

    def _while(self, node: cst.While) -> ast.stmt:
        body, orelse, end = self._looped(node)
        return self._until(end, ast.While(self.expression(node.test), body, orelse))

    def _looped(self, node: cst.For | cst.While) -> tuple[list[ast.stmt], list[ast.stmt], _Place]:
        """The suites of a loop, and where it ends."""
        body, end = self._suite(node.body)
        if node.orelse is None:
            return body, [], end
        return body, *self._suite(node.orelse.body)

    def _with(self, node: cst.With) -> ast.stmt:
        kind = ast.With if node.asynchronous is None else ast.AsyncWith
        items = [
            ast.withitem(
                self.expression(item.item), self._target(item.asname.name) if item.asname is not None else None
            )
            for item in node.items
        ]
        body, end = self._suite(node.body)
        return self._until(end, kind(items, body))

    def _try(self, node: cst.Try | cst.TryStar) -> ast.stmt:
        kind = getattr(ast, "TryStar", ast.Try) if isinstance(node, cst.TryStar) else ast.Try
        body, end = self._suite(node.body)
        handlers = [self._handler(handler) for handler in node.handlers]
        if handlers:
            end = _end_of(handlers[-1])
        orelse: list[ast.stmt] = []
        final: list[ast.stmt] = []
        if node.orelse is not None:
            orelse, end = self._suite(node.orelse.body)
        if node.finalbody is not None:
            final, end = self._suite(node.finalbody.body)
        statement: ast.stmt = kind(body, handlers, orelse, final)
        return self._until(end, statement)

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ast.ExceptHandler:
        body, end = self._suite(node.body)
        name = _identifier(node.name.name) if node.name is not None else None
        return _located(ast.ExceptHandler(self._optional(node.type), name, body), (self.places.start(node), end))

    # --- patterns --------------------------------------------------------------------------------------

    def _match(self, node: cst.Match) -> ast.stmt:
        cases: list[ast.match_case] = []
        end: _Place = 0, 0
        for case in node.cases:
            body, end = self._suite(case.body)
            cases.append(ast.match_case(self.pattern(case.pattern), self._optional(case.guard), body))
        return self._until(end, ast.Match(self.expression(node.subject), cases))

    def pattern(self, node: cst.MatchPattern) -> ast.pattern:
        """The pattern of a ``case`` at its place."""
        found = self._patterns[type(node).__name__](node)
        span = self.places.start(node), self.places.end(node)
        if isinstance(node, cst.MatchTuple) or (isinstance(node, cst.MatchList) and node.lbracket is None):
            span = self.places.of_series(node, node.patterns)
        elif isinstance(node, (cst.MatchValue, cst.MatchSingleton)):
            span = self.places.start(node.value), self.places.end(node.value)
        return _located(found, span)

    def _pattern_element(self, node: cst.MatchSequenceElement | cst.MatchStar) -> ast.pattern:
        if isinstance(node, cst.MatchSequenceElement):
            return self.pattern(node.value)
        if node.name is None:
            span = self.places.start(node), self.places.end(node.whitespace_before_name, len("_"))
            return _located(ast.MatchStar(), span)
        return _located(ast.MatchStar(_identifier(node.name)), (self.places.start(node), self.places.end(node.name)))

    def _mapping_pattern(self, node: cst.MatchMapping) -> ast.pattern:
        return ast.MatchMapping(
            [self.expression(element.key) for element in node.elements],
            [self.pattern(element.pattern) for element in node.elements],
            _identifier(node.rest) if node.rest is not None else None,
        )

    def _class_pattern(self, node: cst.MatchClass) -> ast.pattern:
        return ast.MatchClass(
            self.expression(node.cls),
            [self._pattern_element(element) for element in node.patterns],
            [_identifier(element.key) for element in node.kwds],
            [self.pattern(element.pattern) for element in node.kwds],
        )


_ESCAPE_OR_QUOTE = re.compile(r'\\.|"', re.DOTALL)


def _pieces(node: cst.CSTNode) -> Iterator[Any]:
    """The string literals that stand side by side."""
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _joined(parts: Iterable[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, texts side by side as one."""
    found: list[ast.expr] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, ast.Constant) and isinstance(last, ast.Constant):
            text = f"{last.value!s}{part.value!s}"
            found[-1] = _located(ast.Constant(text), ((last.lineno, last.col_offset), _end_of(part)))
        elif not isinstance(part, ast.Constant) or part.value:
            found.append(part)
    return found
