"""Loops over a tensor that read each of its elements: all are copied with one copy, before the loop."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from synclint.analysis.results.expression_facts import place_of
from synclint.findings import Edit, Fix
from synclint.fixes.blocks import Block, index_of, stores
from synclint.fixes.numbers import only_value
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import bindings, is_captured, is_name_free, is_written_to, loads, root_name

_LOOPS = (ast.For, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NUMBERS = frozenset({"int", "float", "bool"})
_SIZES = frozenset({"SYN207", "SYN208"})
_READ_ALL = "Read all elements with one copy"
_ONE_DIMENSION = "it has to be a tensor of one dimension, which the loop does not write to"


@dataclass(frozen=True)
class _Loop:
    """A loop, or a part of a comprehension, that binds names to elements of a tensor.

    ``scope`` is where the names are used, ``names`` are those that elements, or parts of them, are bound to.
    """

    scope: ast.AST
    tensor: ast.expr
    target: ast.expr
    names: tuple[str, ...]
    is_unpacked: bool


def read_at_once(place: Place) -> Fix | None:
    """Read a tensor before a loop over it, in which its elements are read one by one."""
    return _shared_of_loops(place, "read at once", _as_numbers) or _unpacked_as_numbers(place)


def copied_at_once(place: Place) -> Fix | None:
    """Copy a tensor to the host before a loop over it, in which its elements are read and computed with."""
    return None if place.finding.code in _SIZES else _shared_of_loops(place, "copied at once", _on_the_host)


def _shared_of_loops(place: Place, name: str, way: Callable[[Place, _Loop], Fix | None]) -> Fix | None:
    for loop in _loops(place):
        key = (name, id(loop.tensor), id(loop.target), place.finding.code in _SIZES)
        found = place.shared(key, partial(_for_loop, loop=loop, way=way))
        if found is not None:
            return found
    return None


def _for_loop(place: Place, loop: _Loop, way: Callable[[Place, _Loop], Fix | None]) -> Fix | None:
    return way(place, loop)


def _loops(place: Place) -> Iterator[_Loop]:
    """The loops around the finding that bind a name in it to elements of a tensor, from the inside out."""
    names = {node.id for node in ast.walk(place.node) if isinstance(node, ast.Name)}
    for around in (*_comprehensions(place), *place.file.ancestors(place.node)):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return
        parts: Sequence[ast.For | ast.AsyncFor | ast.comprehension] = ()
        if isinstance(around, _LOOPS):
            parts = (around,)
        elif isinstance(around, _COMPREHENSIONS):
            parts = tuple(reversed(around.generators))
        for part in parts:
            for target, tensor in _pairs(place, part.target, part.iter):
                parts_of = [n for n in ast.walk(target) if isinstance(n, ast.Name)]
                bound = tuple(n.id for n in sorted(parts_of, key=place_of))
                is_used = bool(names & set(bound)) or isinstance(around, ast.ListComp)
                if is_used and _may_be_read(place, tensor):
                    yield _Loop(around, tensor, target, bound, not isinstance(target, ast.Name))


def _comprehensions(place: Place) -> Iterator[ast.expr]:
    """The lists of sizes that are made within the finding, or that a name in it stands for."""
    if place.finding.code in _SIZES:
        for node in ast.walk(place.node):
            made = only_value(place, node) if isinstance(node, ast.Name) else node
            if isinstance(made, ast.ListComp):
                yield made


def _pairs(place: Place, target: ast.expr, iterable: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop binds, and what it goes through for it: ``zip``, ``enumerate`` and ``reversed`` taken apart."""
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
        name, given = iterable.func.id, iterable.args
        is_plain = all(word.arg == "strict" for word in iterable.keywords)
        if name in ("zip", "enumerate", "reversed") and not place.binds(name) and is_plain:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
            if name == "reversed" and len(given) == 1:
                yield from _pairs(place, target, given[0])
            elif name == "enumerate" and given and len(parts) == 2:
                yield from _pairs(place, parts[1], given[0])
            elif name == "zip" and len(parts) == len(given):
                for part, one in zip(parts, given, strict=True):
                    yield from _pairs(place, part, one)
            return
    yield target, iterable


def _may_be_read(place: Place, tensor: ast.expr) -> bool:
    fact = place.fact(tensor)
    if "tensor" not in fact.kinds or fact.device == "cpu" or fact.ndim == 0:
        return False
    return isinstance(tensor, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))


def _as_numbers(place: Place, loop: _Loop) -> Fix | None:
    """``for x in t: … x.item()`` as ``for x in t.tolist(): … x``, where elements are read and used for nothing else."""
    fact = place.fact(loop.tensor)
    uses = _uses(place, loop)
    if uses is None:
        return None
    is_of_rows = loop.is_unpacked or all(_is_picked_from(place, use) for use in uses)
    if (fact.ndim or 1) > (2 if is_of_rows else 1):
        return None
    edits: list[Edit] = []
    becomes: set[str] = set()
    for use in uses:
        reads = read_around(place, use)
        if reads is None and place.finding.code in _SIZES and fact.dtype in ("int", "unknown"):
            becomes.add(use.id)
        elif reads is None:
            return None
        elif reads is not use:
            edits.append(place.replaced(reads, use.id))
    if not uses or not all(map(place.file.is_position_reliable, uses)):
        return None
    text, caveat = place.text(loop.tensor), _ONE_DIMENSION
    if becomes or loop.is_unpacked:
        caveat = f"the values of {_listed(sorted(becomes or set(loop.names)))} become Python numbers"
    if is_list_of(loop.scope, [read_around(place, use) for use in uses]):
        assert isinstance(loop.scope, ast.ListComp)
        return place.fix(_READ_ALL, place.replaced(loop.scope, f"{text}.tolist()"), caveat=caveat)
    return place.fix(_READ_ALL, place.replaced(loop.tensor, f"{text}.tolist()"), *edits, caveat=caveat)


def is_list_of(scope: ast.AST, reads: Sequence[ast.expr | None]) -> bool:
    """Whether a comprehension lists what is read and nothing else: ``[x.item() for x in t]``."""
    return (
        isinstance(scope, ast.ListComp)
        and len(scope.generators) == 1
        and not scope.generators[0].ifs
        and isinstance(scope.generators[0].target, ast.Name)
        and len(reads) == 1
        and reads[0] is scope.elt
        and isinstance(reads[0], ast.Call)
    )


def _is_picked_from(place: Place, use: ast.Name) -> bool:
    around = place.file.parent(use)
    return isinstance(around, ast.Subscript) and around.value is use and isinstance(around.slice, ast.Constant)


def _on_the_host(place: Place, loop: _Loop) -> Fix | None:
    """``for x in t: …`` as ``for x in t.cpu(): …``: what is computed from the elements is computed on the CPU."""
    if _is_compared(place, loop):
        return None
    if _uses(place, loop) is None:
        return None
    caveat = f"the elements, {_listed(loop.names)}, and what is computed from them are on the CPU"
    edit = place.replaced(loop.tensor, f"{place.text(loop.tensor)}.cpu()")
    return place.fix("Copy the tensor to the host before the loop", edit, caveat=caveat)


def _is_compared(place: Place, loop: _Loop) -> bool:
    """Whether rows of a tensor are computed with: the other operand would have to be on the CPU as well."""
    fact = place.fact(loop.tensor)
    if loop.is_unpacked or fact.ndim == 1:
        return False
    uses = _uses(place, loop) or []
    return any(isinstance(place.file.parent(use), (ast.BinOp, ast.Compare, ast.AugAssign)) for use in uses)


def _uses(place: Place, loop: _Loop) -> list[ast.Name] | None:
    """The places where the elements are used; None where they are used after the loop, bound anew or written to."""
    scope = place.function or place.file.tree
    targets = {id(node) for node in ast.walk(loop.target)}
    root = root_name(loop.tensor)
    if root is None or is_written_to(loop.scope, root):
        return None
    named: dict[str, list[ast.Name]] = {}
    for node in sorted((n for n in ast.walk(loop.scope) if isinstance(n, ast.Name)), key=place_of):
        named.setdefault(node.id, []).append(node)
    found: list[ast.Name] = []
    for name in loop.names:
        if is_written_to(loop.scope, name) or is_captured(scope, name):
            return None
        for node in named.get(name, ()):
            if id(node) not in targets:
                if not isinstance(node.ctx, ast.Load):
                    return None
                found.append(node)
        if isinstance(loop.scope, _LOOPS) and _may_be_read_after(place, scope, name, loop.scope):
            return None
    return found


def _may_be_read_after(place: Place, scope: ast.AST, name: str, loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a name that is read after a loop may still mean what the loop bound it to."""
    reads = place.file.once(("read since", id(scope), name), lambda: _reads_since(place, scope, name))
    count = bisect_right(reads, loop.lineno, key=lambda one: one[0])
    return count > 0 and reads[count - 1][1] > (loop.end_lineno or loop.lineno)


def _reads_since(place: Place, scope: ast.AST, name: str) -> list[tuple[int, int]]:
    """The last lines in which a name is read that may mean what was bound to it since a line, by these lines."""
    since = sorted((line, load.lineno) for load in loads(scope, name) if (line := _since(place, load)) is not None)
    last = accumulate((line for _, line in since), max)
    return [(begin, line) for (begin, _), line in zip(since, last, strict=True)]


def _since(place: Place, node: ast.Name) -> int | None:
    """The line of the last assignment that is always made before a name is read; None where a loop around binds it."""
    found, statement = 0, place.file.statement_of(node)
    while statement is not None:
        if isinstance(statement, _LOOPS) and _targets(statement.target, node.id):
            return None
        block = index_of(place.file, statement)
        key = ("assigned in a block", id(block), node.id)
        lines = place.file.once(key, partial(_assigned_lines, block, node.id))
        before = bisect_left(lines, statement.lineno)
        found = max(found, lines[before - 1] if before else 0)
        statement = next((n for n in place.file.ancestors(statement) if isinstance(n, ast.stmt)), None)
    return found


def _assigned_lines(block: Block, name: str) -> list[int]:
    others = (block.statements[number] for number in block.binding.get(name, ()))
    return [other.lineno for other in others if isinstance(other, ast.Assign) and _targets(other.targets[0], name)]


def _targets(target: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(target))


def read_around(place: Place, use: ast.Name) -> ast.expr | None:
    """The call that reads an element: ``x.item()`` itself, or the name in ``int(x)``; None where nothing reads it."""
    around = place.file.parent(use)
    if isinstance(around, ast.Attribute) and around.attr == "item":
        call = place.file.parent(around)
        return call if isinstance(call, ast.Call) and not call.args and not call.keywords else None
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.args == [use]:
        if around.func.id in _NUMBERS and not place.binds(around.func.id) and not around.keywords:
            return use
    return None


def _unpacked_as_numbers(place: Place) -> Fix | None:
    """``a, b = t`` as ``a, b = t.tolist()``, where the parts are used as sizes, each of which would be read."""
    if place.finding.code not in _SIZES:
        return None
    scope = place.function or place.file.tree
    names = {node.id for node in ast.walk(place.node) if isinstance(node, ast.Name)}
    bindings_of_names = (one for name in sorted(names) for one in bindings(scope, name) if isinstance(one, ast.Name))
    for statement in map(place.file.statement_of, bindings_of_names):
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Tuple) or not all(isinstance(part, ast.Name) for part in target.elts):
            continue
        bound = [part.id for part in target.elts if isinstance(part, ast.Name)]
        fact = place.fact(statement.value)
        if not names & set(bound) or not fact.is_tensor or fact.device == "cpu" or (fact.ndim or 1) != 1:
            continue
        if fact.dtype not in ("int", "unknown") or statement.lineno > place.node.lineno:
            continue
        if any(len(bindings(scope, name)) != 1 or is_captured(scope, name) for name in bound):
            continue
        if any(_is_called_as_tensor(place, use) for name in bound for use in loads(scope, name)):
            continue
        text = place.primary(statement.value)
        caveat = f"the values of {_listed(bound)} become Python numbers"
        return place.fix(_READ_ALL, place.replaced(statement.value, f"{text}.tolist()"), caveat=caveat)
    return None


def indexed_sizes(place: Place) -> Fix | None:
    """``x.view(t[0], t[1])`` as ``x.view(t_list[0], t_list[1])``, with ``t_list = t.tolist()`` before."""
    uses: dict[str, list[ast.Name]] = {}
    for node in ast.walk(place.node):
        is_element = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        if is_element and isinstance(place.file.parent(node), (ast.Call, ast.Tuple, ast.List, ast.Subscript)):
            assert isinstance(node, ast.Subscript)
            assert isinstance(node.value, ast.Name)
            fact = place.fact(node.value)
            if fact.is_tensor and fact.device != "cpu" and fact.dtype in ("int", "unknown") and fact.ndim:
                if _depth(place, node) == fact.ndim:
                    uses.setdefault(node.value.id, []).append(node.value)
    scope = place.function or place.file.tree
    for name, found in uses.items():
        made = f"{name}_list"
        if len(found) < 2 or not is_name_free(scope, made) or stores([place.statement], name):
            continue
        edits = [place.replaced(use, made) for use in found]
        before = place.inserted_before(place.statement, f"{made} = {name}.tolist()")
        return place.fix(f"Read `{name}` once", before, *edits, caveat="the sizes become Python numbers")
    return None


def _depth(place: Place, node: ast.Subscript) -> int:
    """How many dimensions are picked from by ``t[i][j]``, where each index is an integer of the host."""
    depth, inner = 0, node
    while isinstance(inner, ast.Subscript) and place.fact(inner.slice).kinds <= {"int"}:
        depth += 1
        around = place.file.parent(inner)
        if not isinstance(around, ast.Subscript) or around.value is not inner:
            break
        inner = around
    return depth


def _is_called_as_tensor(place: Place, use: ast.Name) -> bool:
    """Whether something is used that only a tensor has: a method, an attribute, an element."""
    around = place.file.parent(use)
    return isinstance(around, (ast.Attribute, ast.Subscript)) and around.value is use


def _listed(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    if not quoted:
        raise NoFixError
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
