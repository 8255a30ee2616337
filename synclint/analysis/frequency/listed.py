"""Names that hold a list by what the text of their function says, so that what they are called decides nothing.

What a function has put together as a list itself, such as the chunks of a batch, is no loader, even where it is called
``batches``; nor is what is declared as a list of something else than tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from synclint.analysis.syntax.walk import dotted_name, last_name, operands, own_parts, walk

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
_COLLECTING = frozenset({"list", "tuple", "set", "frozenset", "dict", "sorted", "deque"})
_COLLECTIONS = _COLLECTING | {
    "List", "Tuple", "Set", "FrozenSet", "Dict", "Deque", "Sequence", "MutableSequence", "Collection", "Mapping",
}  # fmt: skip
# A list of these may be a data set.
_OF_DATA = frozenset({"Tensor", "Any"})
_NO_NAMES: frozenset[str] = frozenset()


def lists_in(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module, loads: Callable[[ast.expr], bool]
) -> frozenset[str]:
    """The names that are only ever given lists in a function; ``loads`` tells loaders, of which a list may be made."""
    if isinstance(node, ast.Lambda):
        return _NO_NAMES
    declared: set[str] = set()
    made: set[str] = set()
    others: set[str] = set()
    for argument in _arguments(node):
        (declared if _is_list_by_annotation(argument.annotation) else others).add(argument.arg)
    for part in own_parts(node.body):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            is_made = part.value is not None and _is_list(part.value, loads)
            (declared if is_made or _is_list_by_annotation(part.annotation) else others).add(part.target.id)
        elif isinstance(part, ast.Assign):
            found = made if _is_list(part.value, loads) else others
            if not (isinstance(part.value, ast.Constant) and part.value.value is None):
                found.update(target.id for target in part.targets if isinstance(target, ast.Name))
        elif isinstance(part, (ast.Tuple, ast.List, ast.For, ast.AsyncFor, ast.NamedExpr, ast.withitem)):
            others.update(_bound_elsewhere(part))
    return frozenset(declared | (made - others))


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module) -> list[ast.arg]:
    if isinstance(node, ast.Module):
        return []
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _bound_elsewhere(part: ast.AST) -> Iterator[str]:
    """The names that something other than a plain assignment gives a value: a loop, a block, a part of a tuple."""
    targets: list[ast.expr] = []
    if isinstance(part, (ast.For, ast.AsyncFor, ast.NamedExpr)):
        targets = [part.target]
    elif isinstance(part, ast.withitem):
        targets = [part.optional_vars] if part.optional_vars is not None else []
    elif isinstance(part, (ast.Tuple, ast.List)):
        targets = part.elts
    for target in targets:
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
            yield target.id


def _is_list(value: ast.expr, loads: Callable[[ast.expr], bool]) -> bool:
    """Whether an expression puts a list together, and not from what a loader gives."""
    if isinstance(value, _DISPLAYS):
        return True
    if isinstance(value, _COMPREHENSIONS):
        return not any(loads(generator.iter) for generator in value.generators)
    if isinstance(value, ast.Call):
        name = (dotted_name(value.func) or "").rpartition(".")[2]
        return name in _COLLECTING and not any(map(loads, value.args))
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Mult)):
        return any(_is_list(part, loads) for part in operands(value))
    return False


def _is_list_by_annotation(annotation: ast.expr | None) -> bool:
    """Whether an annotation says that something is a list of no tensors, or None."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.BinOp):
        return any(_is_list_by_annotation(part) for part in operands(annotation))
    if not isinstance(annotation, ast.Subscript):
        return False
    kind = last_name(annotation.value)
    if kind == "Optional":
        return _is_list_by_annotation(annotation.slice)
    return kind in _COLLECTIONS and _OF_DATA.isdisjoint(map(last_name, walk(annotation.slice)))
