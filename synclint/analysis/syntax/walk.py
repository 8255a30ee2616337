"""Walking a syntax tree without recursion, so that deep nesting cannot overflow the stack."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_Nodes = ast.AST | list[ast.stmt]

# Fields with the use of a name, an operator, or plain text: never something to look into.
_PLAIN = frozenset(
    {
        "ctx", "op", "ops", "id", "attr", "arg", "asname", "module", "level", "conversion", "simple", "kind",
        "type_comment", "is_async", "kwd_attrs",
    }
)  # fmt: skip
# Kinds that hold no nodes, and fields that hold lists in which something else stands between nodes.
_LEAVES = (ast.Constant, ast.Global, ast.Nonlocal)
_WITH_GAPS = frozenset({"keys", "kw_defaults"})
_DECORATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OF_THEIR_OWN = (*_DECORATED, ast.Lambda)
LARGEST_INTEGER = 10**18  # Python refuses to write out one of thousands of digits
_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes; remembered, since this is asked of every node."""
    found = _fields.get(kind)
    if found is None:
        is_leaf = issubclass(kind, _LEAVES)
        found = _fields[kind] = () if is_leaf else tuple(name for name in kind._fields if name not in _PLAIN)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The direct children of a node that hold meaning."""
    fields = _fields.get(type(node))
    if fields is None:
        fields = _fields_of(type(node))
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if item is not None] if name in _WITH_GAPS else value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: _Nodes) -> Iterator[ast.AST]:
    """The node, if it is one, and everything below it."""
    stack: list[ast.AST] = list(reversed(node)) if isinstance(node, list) else [node]
    while stack:
        current = stack.pop()
        yield current
        # What `children` gives, without a call for every node: whole projects are walked several times.
        fields = _fields.get(type(current))
        if fields is None:
            fields = _fields_of(type(current))
        if not fields:
            continue
        below: list[ast.AST] = []
        for name in fields:
            value = getattr(current, name, None)
            if type(value) is list:
                below += [item for item in value if item is not None] if name in _WITH_GAPS else value
            elif isinstance(value, ast.AST):
                below.append(value)
        below.reverse()
        stack += below


def walk_to(kind: type[ast.AST], node: ast.AST) -> list[ast.AST]:
    """The node and everything below it, but nothing below those of a kind that are within it."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [node]
    while stack:
        current = stack.pop()
        found.append(current)
        if current is node or type(current) is not kind:
            below = children(current)
            below.reverse()
            stack += below
    return found


def own_parts(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """What stands in a body, the functions and classes that it defines left out; in no order."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, _OF_THEIR_OWN):
            yield part
            waiting += children(part)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement below a body, compound ones before what they hold; nested functions and classes included."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        stack.extend(reversed([inner for suite in suites(statement) for inner in suite]))


def suites(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The suites of a compound statement in source order."""
    body = getattr(statement, "body", None)
    if isinstance(body, list):
        yield body
    for case in getattr(statement, "cases", ()):
        yield case.body
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
    for name in ("orelse", "finalbody"):
        suite = getattr(statement, name, None)
        if isinstance(suite, list):
            yield suite


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators = node.decorator_list if isinstance(node, _DECORATED) else ()
    return min((node.lineno, *(decorator.lineno for decorator in decorators))) if decorators else node.lineno


def operands(node: ast.expr, operator: type[ast.operator] = ast.operator) -> Iterator[ast.expr]:
    """What binary operators, or those of one kind, combine: ``a``, ``b`` and ``c`` of ``a + b - c``."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.BinOp) and isinstance(current.op, operator):
            stack += (current.right, current.left)
        else:
            yield current


def compares_elements(node: ast.Compare) -> bool:
    """Whether a comparison could be one of element by element: ``labels == label``, not ``x in y`` or ``x is y``."""
    return all(isinstance(operator, (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for operator in node.ops)


def branches(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression may be, by its own conditions: of ``a if b else c`` both."""
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    else:
        yield node


def dotted_name(node: ast.AST | None) -> str | None:
    """``a.b.c`` as text, None for any other expression."""
    if type(node) is ast.Name:
        return node.id
    if type(node) is ast.Attribute and type(node.value) is ast.Name:
        return f"{node.value.id}.{node.attr}"
    parts: list[str] = []
    while type(node) is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if parts and type(node) is ast.Name:
        return ".".join([node.id, *reversed(parts)])
    return None


def first_name(node: ast.AST) -> str | None:
    """The name at which attributes and subscripts begin, ``a`` of ``a.b[0].c``; None where they begin otherwise."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def last_name(node: ast.AST) -> str:
    """The name of what is asked for last, ``c`` of ``a.b.c`` and of ``a()[0].c``; empty for any other expression."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_none(node: ast.AST) -> bool:
    """Whether an expression is ``None``, as it is written."""
    return isinstance(node, ast.Constant) and node.value is None


def subscript_path(node: ast.Subscript) -> str | None:
    """``name["key"]`` as a path that the scope can hold, None for other subscripts."""
    base = dotted_name(node.value)
    if base is None or not isinstance(node.slice, ast.Constant):
        return None
    key = node.slice.value
    if isinstance(key, int) and (isinstance(key, bool) or key >= LARGEST_INTEGER):
        return None
    return f"{base}[{key!r}]" if isinstance(key, (str, bytes, int)) else None


def keyed_path(node: ast.Subscript) -> str | None:
    """``name[key]`` and ``name[field.name]`` as a path that the scope can hold, None for other subscripts."""
    if type(node.slice) is not ast.Name and type(node.slice) is not ast.Attribute:
        return None
    base, key = dotted_name(node.value), dotted_name(node.slice)
    return None if base is None or key is None else f"{base}[{key}]"
