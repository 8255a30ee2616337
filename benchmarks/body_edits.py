"""Edits within functions: statements that come, go and change, of which some make the host wait."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

_Function = ast.FunctionDef | ast.AsyncFunctionDef

# What is written with one of a function's names, and with a function of its module.
_WITHOUT_WAIT = (
    "_kept = 1",
    "_kept = {name}",
    "_kept = {name} + 1",
    "{name} = {name}",
    "if {name} is None: pass",
    "assert {name} is not None",
    "_kept = {function}({name})",
    "_kept = lambda each: each.item()",
    "for _kept in range(3): {name}",
    "with torch.no_grad(): {name}",
)
_WITH_WAIT = (
    "{name}.item()",
    "_kept = {name}.cpu()",
    "print({name})",
    "if {name}.sum() > 0: print({name})",
    "float({name}.sum())",
    "torch.cuda.synchronize()",
    "_kept = [each.item() for each in {name}]",
    "{function}({name}).item()",
)
# What others may rest on: what is returned, raised, or kept in an object.
_WITH_CONSEQUENCES = (
    "return {name}",
    "return {name}.item()",
    "if {name} is None: return None",
    "raise ValueError({name})",
    "self._kept = {name}",
    "yield {name}",
)
_BEHIND_NAMES = (".detach()", ".item()", ".cpu()", ".sum()", ".shape", ".data")
_OPERATORS: tuple[tuple[str, str], ...] = (
    (" + ", " * "),
    (" > ", " >= "),
    (" == ", " != "),
    (" and ", " or "),
    (".sum(", ".mean("),
    (".mean(", ".sum("),
    (".item()", ""),
    (".detach()", ""),
    ("True", "False"),
    ("None", "0"),
    ("return ", "return 1 or "),
)


@dataclass(frozen=True)
class _Body:
    """A function, and the statements in it that have lines of their own."""

    function: _Function
    statements: Sequence[ast.stmt]

    @property
    def names(self) -> list[str]:
        """The names that it is given or gives itself, in order."""
        parameters = self.function.args
        given = [each.arg for each in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)]
        stored = [
            node.id
            for node in ast.walk(self.function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        return [*dict.fromkeys((*given, *stored))] or ["None"]


def with_added_statement(text: str, chosen: Random) -> str:
    """One statement more in a function, which waits or does not."""
    return _with_statement(text, chosen, chosen.choice((_WITHOUT_WAIT, _WITHOUT_WAIT, _WITH_WAIT, _WITH_CONSEQUENCES)))


def with_removed_statement(text: str, chosen: Random) -> str:
    """A function without one of its statements."""
    lines, body = text.splitlines(keepends=True), _chosen_body(text, chosen)
    statement = chosen.choice(body.statements)
    lines[statement.lineno - 1 : statement.end_lineno] = [f"{' ' * statement.col_offset}pass\n"]
    return "".join(lines)


def with_changed_expression(text: str, chosen: Random) -> str:
    """Something else in the place of an operator, a method or a constant in a function."""
    lines, body = text.splitlines(keepends=True), _chosen_body(text, chosen)
    places = [
        (number, before, after)
        for statement in body.statements
        for number in range(statement.lineno - 1, statement.end_lineno or statement.lineno)
        for before, after in _OPERATORS
        if before in lines[number]
    ]
    if not places:
        return with_longer_name(text, chosen)
    number, before, after = chosen.choice(places)
    lines[number] = lines[number].replace(before, after, 1)
    return "".join(lines)


def with_longer_name(text: str, chosen: Random) -> str:
    """A method or an attribute behind a name that a function reads."""
    lines, body = text.splitlines(keepends=True), _chosen_body(text, chosen)
    read = [
        node
        for statement in body.statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    if not read:
        return _with_statement(text, chosen, _WITHOUT_WAIT)
    node = chosen.choice(read)
    line, end = lines[node.lineno - 1].encode(), node.end_col_offset or 0
    lines[node.lineno - 1] = (line[:end] + chosen.choice(_BEHIND_NAMES).encode() + line[end:]).decode()
    return "".join(lines)


def with_renamed_variable(text: str, chosen: Random) -> str:
    """Another name for a variable of a function."""
    lines, body = text.splitlines(keepends=True), _chosen_body(text, chosen)
    nodes = [node for node in ast.walk(body.function) if isinstance(node, ast.Name)]
    stored = sorted({node.id for node in nodes if isinstance(node.ctx, ast.Store)})
    if not stored:
        return _with_statement(text, chosen, _WITHOUT_WAIT)
    name = chosen.choice(stored)
    places = sorted(((node.lineno, node.col_offset) for node in nodes if node.id == name), reverse=True)
    for number, column in places:
        line = lines[number - 1].encode()
        lines[number - 1] = (line[:column] + b"renamed_" + line[column:]).decode()
    return "".join(lines)


_EDITS: tuple[tuple[Callable[[str, Random], str], int], ...] = (
    (with_added_statement, 5),
    (with_removed_statement, 2),
    (with_changed_expression, 3),
    (with_longer_name, 2),
    (with_renamed_variable, 1),
)


def with_edited_body(text: str, chosen: Random) -> str:
    """A text with an edit within one of its functions. Raises SyntaxError or LookupError for one that has no such."""
    edits, weights = zip(*_EDITS, strict=True)
    for _ in range(10):
        edited: str = chosen.choices(edits, weights)[0](text, chosen)
        if edited != text and _is_python(edited):
            return edited
    raise LookupError("nothing fits")


def _with_statement(text: str, chosen: Random, said: Sequence[str]) -> str:
    lines, body = text.splitlines(keepends=True), _chosen_body(text, chosen)
    statement = chosen.choice(body.statements)
    functions = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    written = chosen.choice(said).format(name=chosen.choice(body.names), function=chosen.choice(functions or ["abs"]))
    lines.insert(statement.lineno - 1, f"{' ' * statement.col_offset}{written}\n")
    return "".join(lines)


def _chosen_body(text: str, chosen: Random) -> _Body:
    lines = text.splitlines(keepends=True)
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [_Body(function, [*_statements(function, lines)]) for function in functions]
    return chosen.choice([body for body in bodies if body.statements])


def _statements(function: _Function, lines: Sequence[str]) -> Iterator[ast.stmt]:
    for outer in ast.walk(function):
        for node in ast.iter_child_nodes(outer):
            if not isinstance(node, ast.stmt) or getattr(node, "decorator_list", None):
                continue
            before = lines[node.lineno - 1].encode()[: node.col_offset]
            after = lines[(node.end_lineno or node.lineno) - 1].encode()[node.end_col_offset :].strip()
            if not before.strip(b" ") and (not after or after.startswith(b"#")) and not _is_docstring(node):
                yield node


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
