"""What a rule's ``fix.py`` receives: one finding, the source around it, and the means to write something else there."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from synclint.analysis.results.expression_facts import Fact
from synclint.findings import Applicability, Edit, Finding, Fix, Position, Span
from synclint.fixes.imports import Imports
from synclint.fixes.layout import broken, laid_out
from synclint.fixes.source_files import SourceFile
from synclint.fixes.trimming import trimmed

if TYPE_CHECKING:
    import libcst as cst

    from synclint.fixes.concrete import ConcreteStatement


_ANOTHER_FILE = "another file is changed with it"


class NoFixError(Exception):
    """Raised by the methods of a place if the requested code cannot be written; then there is no fix."""


@dataclass
class Place:
    """One finding and its place in the source.

    ``node`` is the expression of the finding, ``imports`` are those of its file. ``files`` returns another file of the
    run by its resolved path, None if it is not among those that are checked; ``torch`` is the release that the project
    uses and ``libraries`` are those of other libraries, as far as they are known.
    """

    finding: Finding
    file: SourceFile
    node: ast.expr
    imports: Imports
    files: Callable[[str], SourceFile | None] = lambda path: None
    torch: str | None = None
    libraries: Mapping[str, str] = field(default_factory=dict)
    _needs: list[Edit] = field(default_factory=list)
    _concrete: dict[ast.stmt, ConcreteStatement] = field(default_factory=dict)

    # --- what is there ---------------------------------------------------------------------------------------------

    @cached_property
    def statement(self) -> ast.stmt:
        """The innermost statement around the finding."""
        statement = self.file.statement_of(self.node)
        if statement is None:
            raise NoFixError
        return statement

    @cached_property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function around the finding."""
        return self.file.function_of(self.node)

    def fact(self, node: ast.expr) -> Fact:
        """What the analysis concluded about an expression of this file."""
        return self.file.fact(node)

    def text(self, node: ast.AST) -> str:
        """The source of a node, as written."""
        return self.file.source_of(node)

    def primary(self, node: ast.expr) -> str:
        """The source of an expression on which a method can be called: in parentheses where it needs them."""
        is_primary = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        return self.text(node) if is_primary else f"({self.text(node)})"

    def qualified(self, node: ast.expr) -> str:
        """The qualified name of what an expression such as ``th.tensor`` refers to; empty if that is not certain."""
        return self.imports.qualified(node)

    def binds(self, name: str) -> bool:
        """Whether anything in the file redefines a name, such as one of the builtins."""
        return self.imports.binds(name)

    # --- what to write ---------------------------------------------------------------------------------------------

    def name(self, qualified: str) -> str:
        """How the file refers to a qualified name; an import that it needs becomes part of the fix.

        Raises NoFixError if the name of the package means something else in the file.
        """
        found = self.imports.name(qualified)
        if found is None:
            raise NoFixError
        if found.needs is not None and found.needs not in self._needs:
            self._needs.append(found.needs)
        return found.text

    def forget_needs(self) -> None:
        """Leave out what a fix would have needed that was not made."""
        self._needs.clear()

    def concrete(self, node: ast.expr, file: SourceFile | None = None) -> cst.BaseExpression:
        """The concrete syntax of an expression within its statement, of this file or another one. Raises NoFixError."""
        from synclint.fixes.concrete import NotFoundError

        try:
            return self._statement_of(node, file or self.file).node(node)
        except NotFoundError:
            raise NoFixError from None

    def concrete_alone(self, node: ast.expr, file: SourceFile | None = None) -> cst.BaseExpression:
        """The concrete syntax of an expression of which only what is in it will be looked at. Raises NoFixError."""
        from synclint.fixes.concrete import NotFoundError

        try:
            return self._statement_of(node, file or self.file).alone(node)
        except NotFoundError:
            raise NoFixError from None

    def _statement_of(self, node: ast.expr, file: SourceFile) -> ConcreteStatement:
        from synclint.fixes.concrete import ConcreteStatement

        statement = file.statement_of(node)
        if statement is None:
            raise NoFixError
        if statement not in self._concrete:
            self._concrete[statement] = ConcreteStatement(file, statement)
        return self._concrete[statement]

    def code(self, node: ast.expr, new: cst.CSTNode) -> str:
        """The source of a concrete node that is to replace an expression."""
        return self._statement_of(node, self.file).code(new)

    def replaced(self, node: ast.expr, new: cst.CSTNode | str, file: SourceFile | None = None) -> Edit:
        """The edit that replaces an expression, keeping the parentheses around it.

        A text is source in which line ends may be ``\\n``; it has to bind as tightly as what it replaces.
        """
        file = file or self.file
        if is_shown_with_its_text(file, node):
            raise NoFixError
        code = new if isinstance(new, str) else self._statement_of(node, file).code(new)
        code = code.replace("\r\n", "\n").replace("\n", file.newline)
        if comments_in(file.source_of(node)) - comments_in(code):
            raise NoFixError  # what somebody has written there would be lost
        path = "" if file is self.file else file.path
        return trimmed(Edit(file.span(node), code, path), file.source_of(node))

    def with_argument(self, call: ast.Call, name: str, value: str, file: SourceFile | None = None) -> Edit:
        """The edit that gives a call one more argument by name, laid out as the others are. Raises NoFixError."""
        import libcst as cst

        from synclint.fixes.concrete import NotFoundError, with_argument

        node = self.concrete_alone(call, file)
        assert isinstance(node, cst.Call)
        try:
            return self.replaced(call, with_argument(node, name, value), file)
        except NotFoundError:
            raise NoFixError from None

    def rewritten(self, statement: ast.stmt, source: str) -> Edit:
        """The edit that replaces a simple statement; further lines are indented like it."""
        span = self.file.span(statement)
        indent = self.file.lines[span.start.line - 1][: span.start.column - 1]
        if ("\n" in source and indent.strip()) or comments_in(self.text(statement)) - comments_in(source):
            raise NoFixError
        lines = (self.line(line, indent) for line in source.split("\n"))
        return Edit(span, f"{self.file.newline}{indent}".join(lines))

    def line(self, line: str, indent: str) -> str:
        """A line that is to stand by itself, broken where it is too long. Raises NoFixError."""
        made = laid_out(f"{indent}{line}", self.file.width)
        if made is None:
            raise NoFixError
        return made.removeprefix(indent).replace("\n", self.file.newline)

    def inserted_before(self, statement: ast.stmt, source: str) -> Edit:
        """The edit that inserts lines before a statement, indented like it; ``source`` is not indented."""
        span = self.file.span(statement)
        line = self.file.lines[span.start.line - 1]
        indent = line[: span.start.column - 1]
        if indent.strip() or (line[span.start.column - 1 :].startswith("elif")):
            raise NoFixError  # something stands before it on its line
        text = "".join(f"{self.line(made, indent)}{self.file.newline}{indent}" for made in source.split("\n"))
        return Edit(Span(span.start, span.start), text)

    def inserted_after(self, statement: ast.stmt, source: str) -> Edit:
        """The edit that inserts lines after a statement, indented like it; ``source`` is not indented."""
        span = self.file.span(statement)
        indent = self.file.lines[span.start.line - 1][: span.start.column - 1]
        rest = self.file.lines[span.end.line - 1][span.end.column - 1 :].strip()
        if indent.strip() or (rest and not rest.startswith("#")):
            raise NoFixError
        end = span.end._replace(column=len(self.file.lines[span.end.line - 1].rstrip("\r\n")) + 1)
        text = "".join(f"{self.file.newline}{indent}{self.line(made, indent)}" for made in source.split("\n"))
        return Edit(Span(end, end), text)

    def fix(self, message: str, *edits: Edit, caveat: str = "") -> Fix:
        """A fix with these edits and the imports that they need: unsafe if a ``caveat`` describes what can differ.

        One that changes another file is not safe: who is shown one file, as in an editor, does not see what it does.
        """
        if any(edit.path for edit in edits):
            caveat = caveat or _ANOTHER_FILE
        applicability = Applicability.UNSAFE if caveat else Applicability.SAFE
        laid = (one for together in _one_by_line((*self._needs, *edits)) for one in self._within_width(together))
        return Fix(message, tuple(laid), applicability, caveat)

    def shared(self, key: tuple[object, ...], make: Callable[[Place], Fix | None]) -> Fix | None:
        """The fix that several findings have in common, decided once; None where it cannot be written."""
        return self.file.once(key, lambda: first_fix(self, make))

    def _within_width(self, edits: list[Edit]) -> list[Edit]:
        """Edits of the same lines, or one that replaces these where any would be longer than lines of the file are.

        Lines that are too long already stay as they are: no formatter keeps them, and each fix would read them anew.
        Raises NoFixError where it cannot be broken.
        """
        first = edits[0]
        file = self.file if not first.path else self.files(first.path)
        if file is None:
            return edits
        number, last = first.span.start.line, first.span.end.line
        old = [line.rstrip("\r\n") for line in file.lines[number - 1 : last]]
        if any(len(line) > file.width for line in old):
            return edits
        made = _applied(edits, old)
        around = [file.lines[number - 2] if number > 1 else "", *made, *file.lines[last : last + 1], ""]
        lines = [
            line if line in old or len(line) <= file.width else broken(before, line, after, file.width)
            for before, line, after in zip(around, made, around[2:], strict=False)
        ]
        if None in lines:
            raise NoFixError
        if lines == made:
            return edits
        text = "\n".join(line for line in lines if line is not None)
        span = Span(Position(number, 1), Position(last, len(old[-1]) + 1))
        return [Edit(span, text.replace("\n", file.newline), first.path)]


def first_fix(place: Place, *ways: Callable[[Place], Fix | None]) -> Fix | None:
    """The fix that the first of several functions returns; one that cannot be written leaves it to the next."""
    for way in ways:
        place.forget_needs()
        try:
            found = way(place)
        except NoFixError:
            continue
        if found is not None:
            return found
    return None


def is_shown_with_its_text(file: SourceFile, node: ast.expr) -> bool:
    """Whether the text of an expression, or of one around it, is part of what an f-string gives: ``f"{x=}"``."""
    inner: ast.AST = node
    for around in file.ancestors(node):
        if isinstance(around, ast.JoinedStr) and isinstance(inner, ast.FormattedValue):
            before = around.values[: around.values.index(inner)][-1:]
            told = before[0].value if before and isinstance(before[0], ast.Constant) else ""
            return isinstance(told, str) and told.rstrip().endswith("=") and file.source_of(inner.value) in told
        inner = around
    return False


def _applied(edits: Iterable[Edit], lines: Sequence[str]) -> list[str]:
    """The lines that edits make of some, of which each of them begins in the first and ends in the last."""
    made, first = "\n".join(lines), sum(len(line) + 1 for line in lines[:-1])
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        made = f"{made[: edit.span.start.column - 1]}{edit.replacement}{made[first + edit.span.end.column - 1 :]}"
    return made.replace("\r\n", "\n").split("\n")


def _one_by_line(edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Edits that change the same line of a file, together."""
    found: dict[tuple[str, int, int], list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        found.setdefault((edit.path, edit.span.start.line, edit.span.end.line), []).append(edit)
    yield from found.values()


def comments_in(source: str) -> Counter[str]:
    """The comments in a piece of source."""
    if "#" not in source:
        return Counter()
    tokens = tokenize.generate_tokens(io.StringIO(f"({source}\n)").readline)
    try:
        return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError):
        return Counter({source: 1})
