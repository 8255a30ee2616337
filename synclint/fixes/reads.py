"""Several numbers read from the device in one step: stacked there, and read with one copy."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from synclint.analysis.syntax.bindings import bound_by
from synclint.findings import Edit, Fix, Span
from synclint.fixes.blocks import CONDITIONAL, SIMPLE, block_of
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import is_name_free, nodes_of, tensor_read

_FAMILIES = ("float", "int", "bool")
# What these return depends on nothing but what they are called on, and they change nothing.
_PURE_METHODS = frozenset(
    {
        "detach", "mean", "sum", "max", "min", "amax", "amin", "abs", "norm", "float", "double", "long", "int", "sqrt",
        "square", "exp", "log", "any", "all", "std", "var", "median", "prod", "squeeze", "count_nonzero", "data",
    }
)  # fmt: skip
_PURE_BUILTINS = frozenset({"len", "str", "round", "abs", "float", "int", "bool", "repr", "max", "min", "format"})
# More numbers than these in one statement, or in statements one after the other, are left to be read one by one.
_MOST_IN_A_ROW = 64
_RAISED_BEFORE = "where one of them cannot be computed, nothing of what stands in front of it has been done"
_CAVEAT = "all of them have to be 0-dim tensors of the same type on the same device"


Found = TypeVar("Found")


@dataclass(frozen=True)
class _Read:
    """A number that is read: the call that reads it, and the tensor that it is read from."""

    call: ast.Call
    tensor: ast.expr


def stacked_reads(place: Place) -> Fix | None:
    """Read all numbers of a statement, or of assignments that follow one another, with one copy."""
    statement = place.statement
    if not isinstance(statement, SIMPLE):
        return None
    run = _assignments_around(place, statement)
    if len(run) > 1:
        return _one_assignment(place, run)
    neighbours = _reading_neighbours(place, statement)
    reads = [read for _, several in neighbours for read in several]
    if len(reads) > 1 and any(read.call is place.node for read in reads):
        return _values_before(place, neighbours, reads)
    return None


def _reading_neighbours(place: Place, statement: ast.stmt) -> list[tuple[ast.stmt, list[_Read]]]:
    """The statements around one that read numbers of its type, where all can be read before the first of them."""
    own = _read(place, place.node)
    if own is None or all(read.call is not place.node for read in _reads_within(place, statement)):
        return []
    family = place.fact(own.tensor).dtype

    def reads_of(other: ast.stmt) -> list[_Read]:
        reads = _reads_within(place, other) if isinstance(other, SIMPLE) else []
        return [read for read in reads if place.fact(read.tensor).dtype in (family, "unknown")]

    run: list[tuple[ast.stmt, list[_Read]]] = []
    is_found = False
    touched: set[str] = set()
    for other, reads in _row(place, statement, reads_of):
        used = {n.id for read in reads for n in ast.walk(read.tensor) if isinstance(n, ast.Name)}
        if not touched.isdisjoint(used):
            if is_found:
                break
            run, touched = [], set()
        run.append((other, reads))
        touched |= _touched_by(other, reads)
        is_found = is_found or other is statement
    return run if is_found else []


def _row(
    place: Place, statement: ast.stmt, found_in: Callable[[ast.stmt], Found | None]
) -> list[tuple[ast.stmt, Found]]:
    """The statements around one, itself among them, in which something is found, with that; none if they are many."""
    block = block_of(place.file, statement)
    at = block.index(statement)
    row: deque[tuple[ast.stmt, Found]] = deque()
    for side, add in ((reversed(block[:at]), row.appendleft), (block[at:], row.append)):
        for other in side:
            found = found_in(other)
            if not found:
                break
            add((other, found))
            if len(row) > _MOST_IN_A_ROW:
                return []
    return list(row)


def _touched_by(statement: ast.stmt, reads: Sequence[_Read]) -> set[str]:
    """The names with which a statement does anything but to read these numbers from what they stand for."""
    read = {id(node) for one in reads for node in ast.walk(one.call)}
    touched: set[str] = set()
    for node in ast.walk(statement):
        touched.update(bound_by(node))
        if isinstance(node, ast.Name) and id(node) not in read:
            touched.add(node.id)
    return touched


def _read(place: Place, node: ast.AST) -> _Read | None:
    """The read that an expression is, of a tensor that can be evaluated where another statement stands."""
    tensor = tensor_read(node, *_FAMILIES)
    if tensor is None or not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name) and place.fact(tensor).dtype != node.func.id:
        return None
    fact = place.fact(tensor)
    if not fact.is_tensor or fact.device == "cpu" or fact.ndim or fact.dtype == "complex":
        return None
    return _Read(node, tensor) if _is_pure(tensor) else None


def _is_pure(node: ast.expr) -> bool:
    """Whether an expression names something, or computes it by methods that change nothing."""
    while True:
        if isinstance(node, ast.Name):
            return True
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Attribute) or node.func.attr not in _PURE_METHODS:
                return False
            if not all(isinstance(word.value, ast.Constant) for word in node.keywords):
                return False
            if not all(isinstance(argument, ast.Constant) for argument in node.args):
                return False
            node = node.func.value
        elif isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and _is_fixed_index(node.slice)):
            node = node.value
        else:
            return False


def _is_fixed_index(node: ast.expr) -> bool:
    """Whether an index is made of constants only."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_fixed_index, node.elts))
    if isinstance(node, ast.Slice):
        return all(part is None or _is_fixed_index(part) for part in (node.lower, node.upper, node.step))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_fixed_index(node.operand)
    return isinstance(node, ast.Constant)


def _caveat(place: Place, reads: Sequence[_Read], statements: int) -> str:
    """What has to hold for reads to be joined. Raises NoFixError where an integer would become a float."""
    if len({place.fact(read.tensor).dtype for read in reads} - {"unknown"}) > 1:
        raise NoFixError
    return f"{_CAVEAT}; {_RAISED_BEFORE}" if statements > 1 else _CAVEAT


def _stack(place: Place, targets: Sequence[str], reads: Sequence[_Read]) -> str:
    """The statement that reads all of them."""
    tensors = ", ".join(place.text(read.tensor) for read in reads)
    if "\n" in tensors:
        raise NoFixError
    stack, names = place.name("torch.stack"), ", ".join(targets)
    return f"{names} = {stack}([{tensors}]).tolist()"


# --- assignments that follow one another -----------------------------------------------------------------------------


def _assignments_around(place: Place, statement: ast.stmt) -> list[tuple[ast.Assign, _Read]]:
    """The assignments of reads to names, one after the other, of which ``statement`` is one."""
    if _assigned_read(place, statement) is None:
        return []
    run: list[tuple[ast.Assign, _Read]] = []
    bound: set[str] = set()
    for other, found in _row(place, statement, partial(_assigned_read, place)):
        assert isinstance(other, ast.Assign) and isinstance(other.targets[0], ast.Name)
        name = other.targets[0].id
        if name in bound or any(isinstance(node, ast.Name) and node.id in bound for node in ast.walk(found.tensor)):
            if any(assignment is statement for assignment, _ in run):
                break
            run, bound = [], set()
        run.append((other, found))
        bound.add(name)
    return run if any(assignment is statement for assignment, _ in run) else []


def _assigned_read(place: Place, statement: ast.stmt) -> _Read | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    return _read(place, statement.value) if isinstance(statement.targets[0], ast.Name) else None


def _one_assignment(place: Place, run: Sequence[tuple[ast.Assign, _Read]]) -> Fix:
    reads = [read for _, read in run]
    caveat = _caveat(place, reads, len(run))
    first, last = place.file.span(run[0][0]), place.file.span(run[-1][0])
    lines = place.file.lines[first.start.line - 1 : last.end.line]
    if any("#" in line or not line.strip() for line in lines[:-1]) or ";" in "".join(lines):
        raise NoFixError  # comments would be lost
    indent = lines[0][: first.start.column - 1]
    names = [assignment.targets[0].id for assignment, _ in run]  # type: ignore[attr-defined]
    made = place.line(_stack(place, names, reads), indent)
    edit = Edit(Span(first.start, last.end), made)
    return place.fix(f"Read all {len(run)} numbers with one copy", edit, caveat=caveat)


# --- reads within one statement --------------------------------------------------------------------------------------


def _reads_within(place: Place, statement: ast.stmt) -> list[_Read]:
    """The reads of a statement that are always made, none where what is called before them could change a tensor."""
    reads: list[_Read] = []
    waiting: list[ast.AST] = list(reversed(list(ast.iter_child_nodes(statement))))
    others: list[ast.Call] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, CONDITIONAL):
            if any(_read(place, inner) for inner in ast.walk(node)):
                return []
            others += [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
            continue
        read = _read(place, node)
        if read is not None:
            reads.append(read)
            if len(reads) > _MOST_IN_A_ROW:
                return []
            continue
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return []
        if isinstance(node, ast.Call):
            others.append(node)
        waiting += reversed(list(ast.iter_child_nodes(node)))
    if reads and all(_comes_after(call, reads) for call in others):
        return reads
    return []


def _comes_after(call: ast.Call, reads: Sequence[_Read]) -> bool:
    """Whether a call is made after the reads, which are among its arguments, or changes nothing."""
    if isinstance(call.func, ast.Name) and call.func.id in _PURE_BUILTINS:
        return True
    if any(isinstance(inner, ast.Call) for inner in ast.walk(call.func)):
        return False
    within = {id(inner) for inner in ast.walk(call)}
    return all(id(read.call) in within for read in reads)


def _values_before(place: Place, row: Sequence[tuple[ast.stmt, list[_Read]]], reads: Sequence[_Read]) -> Fix:
    statement = row[0][0]
    caveat = _caveat(place, reads, len(row))
    names: list[str] = []
    distinct: dict[str, tuple[str, _Read]] = {}
    scope = place.function or place.file.tree
    taken = {node.id for node in nodes_of(scope) if isinstance(node, ast.Name)}
    for read in reads:
        text = place.text(read.tensor)
        if text not in distinct:
            name = _value_name(read.tensor, {*taken, *names})
            if not is_name_free(scope, name):
                raise NoFixError
            names.append(name)
            distinct[text] = (name, read)
    if len(distinct) < 2:
        raise NoFixError
    if not all(place.file.is_position_reliable(read.call) for read in reads):
        raise NoFixError
    line = _stack(place, names, [read for _, read in distinct.values()])
    replacements = [place.replaced(read.call, distinct[place.text(read.tensor)][0]) for read in reads]
    return place.fix(
        f"Read all {len(distinct)} numbers with one copy",
        place.inserted_before(statement, line),
        *replacements,
        caveat=caveat,
    )


def _value_name(tensor: ast.expr, taken: set[str]) -> str:
    """A name for the number that a tensor holds."""
    node = tensor
    while not isinstance(node, (ast.Name, ast.Attribute)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        elif isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                if node.slice.value.isidentifier():
                    return _free(f"{node.slice.value}_value", taken)
            node = node.value
        else:
            raise NoFixError
    return _free(f"{node.attr if isinstance(node, ast.Attribute) else node.id}_value", taken)


def _free(name: str, taken: set[str]) -> str:
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found
