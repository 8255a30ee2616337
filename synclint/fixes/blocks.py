"""Statements that stand beside one another: which they are, what they bind, and what in them is always evaluated."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synclint.analysis.syntax.bindings import bound_by
from synclint.fixes.source_files import SourceFile
from synclint.fixes.uses import is_name, path_of

_TRIES = (ast.Try, getattr(ast, "TryStar", ast.Try))
# Context managers that let all errors through, as do those of torch.
_LETTING_THROUGH = frozenset({"tqdm", "tqdm.tqdm", "open", "autocast", "no_grad"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_FIELDS = ("body", "orelse", "finalbody")
_QUIET = (ast.Name, ast.Attribute, ast.Constant, ast.UnaryOp, ast.Starred)
_DECIDING = (ast.While, ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension, *_TRIES)
# Within these an expression may not be evaluated, or more than once.
CONDITIONAL = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def block_of(file: SourceFile, statement: ast.stmt) -> list[ast.stmt]:
    """The statements beside one, itself among them."""
    around = next(iter(file.ancestors(statement)), file.tree)
    for name in _FIELDS:
        block = getattr(around, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def repeating_loop(file: SourceFile, read: ast.expr) -> ast.For | None:
    """The innermost ``for`` around a read, within its function, that binds no name in it but that of a position."""
    loop = next((around for around in file.ancestors(read) if isinstance(around, (ast.For, *_SCOPES))), None)
    if not isinstance(loop, ast.For):
        return None
    names = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
    match read:
        case ast.Call(ast.Attribute(ast.Subscript(slice=ast.Name(position)))) if is_name(loop.target, position):
            names.discard(position)
        case _ if not all(map(_changes_nothing, ast.walk(read))) or not _is_read_in_rounds(file, read, loop):
            return None
    return loop if names.isdisjoint(bound_within(loop)) else None


def _changes_nothing(node: ast.AST) -> bool:
    """Whether a node may be part of a chain of methods, which are given numbers and names at most."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute)
    return not isinstance(node, ast.expr) or isinstance(node, _QUIET)


def _is_read_in_rounds(file: SourceFile, read: ast.expr, loop: ast.For) -> bool:
    """Whether nothing but a name that is asked decides in which rounds of a loop something is read."""
    inner: ast.AST = read
    tests: list[ast.expr] = []
    for around in file.ancestors(read):
        if around is loop or isinstance(around, _DECIDING):
            break
        if isinstance(around, ast.If) and inner is not around.test:
            tests.append(around.test)
        inner = around
    return around is loop and (not tests or (len(tests) == 1 and isinstance(tests[0], ast.Name)))


def loop_after(
    file: SourceFile, node: ast.AST, name: str, begins: Callable[[ast.stmt], bool]
) -> ast.For | ast.While | None:
    """The innermost loop around a node beside which, before it, a statement of the kind asked for binds a name."""
    for around in file.ancestors(node):
        if isinstance(around, _SCOPES):
            return None
        if isinstance(around, (ast.For, ast.While)):
            block = index_of(file, around)
            before = (number for number in block.binding.get(name, ()) if number < block.place[around])
            if any(begins(block.statements[number]) for number in before):
                return around
    return None


def may_be_left(file: SourceFile, loop: ast.stmt) -> bool:
    """Whether a loop may be left so that what follows it does not run, but something else does."""
    leaving = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)
    is_left = file.once(("left", id(loop)), lambda: any(isinstance(node, leaving) for node in ast.walk(loop)))
    return is_left or may_be_caught(file, loop)


def may_be_caught(file: SourceFile, node: ast.AST) -> bool:
    """Whether the function goes on where an error is raised: ``try`` catches it, or a context manager may."""
    for around in file.ancestors(node):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
        if isinstance(around, _TRIES):
            return True
        if isinstance(around, (ast.With, ast.AsyncWith)):
            managers = (item.context_expr for item in around.items)
            named = (path_of(one.func if isinstance(one, ast.Call) else one) or "" for one in managers)
            if not all(name in _LETTING_THROUGH or name.startswith("torch.") for name in named):
                return True
    return False


def is_always_evaluated(file: SourceFile, node: ast.AST, statement: ast.stmt) -> bool:
    """Whether a statement that runs evaluates an expression exactly once: under no condition, and in no loop."""
    inner = node
    for around in file.ancestors(node):
        if isinstance(around, CONDITIONAL):
            # Of a comprehension the first iterable is always evaluated.
            first = getattr(around, "generators", None)
            if not first or inner is not first[0]:
                return False
        if isinstance(around, ast.comprehension) and inner is not around.iter:
            return False
        if isinstance(around, (ast.If, ast.While)) and not (isinstance(around, ast.If) and inner is around.test):
            return False
        if isinstance(around, (ast.For, ast.AsyncFor)) and inner is not around.iter:
            return False
        if isinstance(around, (ast.Try, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return False
        if around is statement:
            return True
        inner = around
    return inner is statement or node is statement


def stores(statements: Iterable[ast.AST], name: str) -> bool:
    """Whether anything in some statements binds a name, in a function within them, too."""
    return any(name in bound_within(statement) for statement in statements)


@lru_cache(maxsize=4096)
def bound_within(statement: ast.AST) -> frozenset[str]:
    """The names that anything in a statement binds, in a function within it, too."""
    return frozenset(name for node in ast.walk(statement) for name in bound_by(node))


@dataclass(frozen=True)
class Block:
    """Statements beside one another: the place of each, and for each name those that bind it, and those with it."""

    statements: Sequence[ast.stmt]
    place: Mapping[ast.stmt, int]
    binding: Mapping[str, Sequence[int]]
    naming: Mapping[str, Sequence[int]]

    def last_binding(self, name: str, before: int) -> int | None:
        """The place of the last statement before another one that binds a name."""
        places = self.binding.get(name, ())
        index = bisect_left(places, before)
        return places[index - 1] if index else None


def index_of(file: SourceFile, statement: ast.stmt) -> Block:
    """The block of a statement, gone through once."""
    block = block_of(file, statement)
    return file.once(("block", id(block[0])), lambda: _indexed(block))


def _indexed(block: Sequence[ast.stmt]) -> Block:
    binding: dict[str, list[int]] = {}
    naming: dict[str, list[int]] = {}
    for number, statement in enumerate(block):
        for name in bound_within(statement):
            binding.setdefault(name, []).append(number)
        for name in {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}:
            naming.setdefault(name, []).append(number)
    return Block(block, {statement: number for number, statement in enumerate(block)}, binding, naming)


def _given(statement: ast.stmt, name: str) -> ast.expr | None:
    """What an assignment gives a name: ``a = 1``, or ``a, b = 1, 2``."""
    match statement:
        case ast.Assign([ast.Name(target)], value) if target == name:
            return value
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            found = [value for target, value in zip(targets, values, strict=True) if is_name(target, name)]
            is_spread = any(isinstance(one, ast.Starred) for one in (*targets, *values))
            return found[0] if len(found) == 1 and not is_spread else None
    return None


def reaching_value(file: SourceFile, name: ast.Name) -> ast.expr | None:
    """What the assignment before a statement, in its block or in one around it, gives a name.

    None where anything else may have given it something since, as an earlier round of a loop.
    """
    statement: ast.AST | None = file.statement_of(name)
    while isinstance(statement, ast.stmt) and not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        block = index_of(file, statement)
        found = block.last_binding(name.id, block.place[statement])
        if found is not None:
            other = block.statements[found]
            return _given(other, name.id)
        statement = next((n for n in file.ancestors(statement) if isinstance(n, ast.stmt)), None)
        if isinstance(statement, (ast.For, ast.While)) and stores([statement], name.id):
            return None  # what it was given in the round before
    return None
