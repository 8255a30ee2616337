"""What function bodies do with their names: only a tensor has ``masked_fill``, only a number bounds ``range``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.values import STRING, UNKNOWN, FunctionRecord, Symbol, Value
from synclint.analysis.models.overloads import implies_tensor
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.state.usage import NameUses, Usage
from synclint.analysis.syntax.walk import compares_elements, dotted_name, operands, walk, walk_to
from synclint.catalog.names import names_in

_ARITHMETIC = names_in("torch", "shared-with-arrays")
_TENSOR_KINDS = frozenset({"Tensor", "Tensor?"})
_FLAG_KINDS = frozenset({"bool", "bool?"})
# Methods of tensors to which sizes and dimensions are given one by one.
_TAKING_SIZES = names_in("torch", "taking-sizes")
_HOST_KINDS = frozenset({"int", "size", "int?", "size?", "float", "float?", "number", "number?"})


def usage(engine: Interpreter, record: FunctionRecord) -> Usage:
    """What the body of a function does with its parameters and with what it assigns once."""
    body: list[ast.stmt] = record.node.body if isinstance(record.node.body, list) else [ast.Expr(record.node.body)]
    given = {parameter.name for parameter in record.parameters}
    assigned: Counter[str] = Counter()
    tensors: set[str] = set()
    numbers: set[str] = set()
    asked: dict[str, set[str]] = {}
    as_sizes: set[str] = set()
    as_flags: set[str] = set()
    indexed: set[str] = set()
    parts: dict[str, str] = {}
    compared: set[str] = set()
    selecting: set[str] = set()
    certain: set[str] = set()  # to be something else from here on
    for statement in body:
        found = _used(engine, record, statement)
        tensors |= found.tensors - certain
        numbers |= found.numbers - certain
        as_sizes |= found.sizes - certain
        as_flags |= found.flags - certain
        indexed |= found.indexed - certain
        parts.update({part: whole for part, whole in found.parts.items() if whole not in certain})
        assigned.update(found.assigned)
        compared |= found.compared
        selecting |= found.selecting
        for name in found.asked.keys() - certain:
            asked.setdefault(name, set()).update(found.asked[name])
        if isinstance(statement, ast.Assign):
            targets = {node.id for target in statement.targets for node in walk(target) if isinstance(node, ast.Name)}
            certain |= targets & given
    tensors |= {whole for part, whole in parts.items() if part in tensors and assigned[part] == 1}
    # Arrays have no device to speak of, and what else has one does no arithmetic.
    tensors |= {name for name, uses in asked.items() if "device" in uses and not uses.isdisjoint(_ARITHMETIC)}
    names = given | {name for name, count in assigned.items() if count == 1}
    return Usage(
        frozenset(tensors & names),
        frozenset(numbers & names),
        frozenset(as_sizes & given),
        frozenset(as_flags & given),
        frozenset(indexed & given),
        frozenset(name for name in compared & selecting if assigned[name] == 1),
    )


def _used(engine: Interpreter, record: FunctionRecord, statement: ast.stmt) -> NameUses:
    """What a statement tells of names; what a lambda within it tells is remembered, for it is asked for as well."""
    known = engine.readings.name_uses
    parts: list[tuple[ast.AST, list[ast.AST], list[ast.Lambda]]] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        part = waiting.pop()
        nodes = walk_to(ast.Lambda, part)
        within = [node for node in nodes if isinstance(node, ast.Lambda) and node is not part]
        parts.append((part, nodes, within))
        waiting += [node for node in within if node not in known]
    for part, nodes, lambdas in reversed(parts):
        found = _used_in(engine, record, nodes)
        for inner in lambdas:
            _add(found, known[inner])
        if isinstance(part, ast.Lambda):
            known[part] = found
    return found


def _add(uses: NameUses, more: NameUses) -> None:
    for name, attributes in more.asked.items():
        uses.asked.setdefault(name, set()).update(attributes)
    uses.assigned.update(more.assigned)
    uses.parts.update(more.parts)
    for mine, yours in (
        (uses.tensors, more.tensors), (uses.numbers, more.numbers), (uses.sizes, more.sizes),
        (uses.flags, more.flags), (uses.indexed, more.indexed), (uses.compared, more.compared),
        (uses.selecting, more.selecting),
    ):  # fmt: skip
        mine.update(yours)


_TELLING = frozenset({ast.Attribute, ast.Call, ast.Slice, ast.Subscript, ast.Assign, ast.If, ast.IfExp})


def _used_in(engine: Interpreter, record: FunctionRecord, nodes: Iterable[ast.AST]) -> NameUses:
    assigned: Counter[str] = Counter()
    tensors: set[str] = set()
    numbers: set[str] = set()
    tensor_only = engine.api.tensor_only
    asked: dict[str, set[str]] = {}
    sizes: set[str] = set()
    flags: set[str] = set()
    indexed: set[str] = set()
    parts: dict[str, str] = {}
    compared: set[str] = set()
    selecting: set[str] = set()
    functions: set[int] = set()  # of modules, by the arguments they are given
    for node in nodes:
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                assigned[node.id] += 1  # type: ignore[attr-defined]
        elif kind not in _TELLING:
            continue
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.setdefault(node.value.id, set()).add(node.attr)
            if node.attr in tensor_only and id(node) not in functions:
                tensors.add(node.value.id)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                if _tells_a_tensor(node, tensor_only) or starts_backward(node):
                    tensors.add(node.func.value.id)
                else:
                    functions.add(id(node.func))
                if node.func.attr in _OF_MASKS and not node.args:
                    selecting.add(node.func.value.id)
            if (start := given_to_backward(node)) is not None:
                tensors.add(start.id)
            for name, kinds in _torch_arguments(engine, record, node):
                if kinds <= _TENSOR_KINDS and name in _whole_arguments(node):
                    tensors.add(name)
                elif kinds <= _HOST_KINDS:
                    numbers.add(name)
                elif kinds <= _FLAG_KINDS:
                    flags.add(name)
            if isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING_SIZES:
                sizes.update(name for argument in node.args for name in _names_of_operands(argument))
        elif isinstance(node, ast.Slice):
            bounds = (bound for bound in (node.lower, node.upper, node.step) if bound is not None)
            sizes.update(name for bound in bounds for name in _names_of_operands(bound))
        elif isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
                indexed.add(node.value.id)
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            selecting.update(part.id for part in index if isinstance(part, ast.Name))
        elif isinstance(node, ast.Assign):
            parts.update(_parts_named(node))
            if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Compare):
                compared.update({node.targets[0].id} if compares_elements(node.value) else ())
        elif isinstance(node, (ast.If, ast.IfExp)):
            flags.update(_names_tested(node.test))
    return NameUses(tensors, numbers, assigned, asked, sizes, flags, indexed, parts, compared, selecting)


# Methods of a mask that neither `True` nor `False` has.
_OF_MASKS = frozenset({"any", "all", "sum", "nonzero", "float", "long", "int"})


def _parts_named(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """``part = whole[:, 1]``: what gives a tensor is one, since lists and dictionaries take no slice among others."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name) and isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        if isinstance(value.slice, ast.Tuple) and any(isinstance(part, ast.Slice) for part in value.slice.elts):
            if value.value.id != target.id:
                yield target.id, value.value.id


def _names_tested(test: ast.expr) -> Iterator[str]:
    """The names of which a test asks nothing but whether they are true."""
    for operand in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not):
            yield from _names_tested(operand.operand)
        elif isinstance(operand, ast.Name):
            yield operand.id
        elif isinstance(operand, ast.BoolOp):
            yield from _names_tested(operand)


_OF_BACKWARD = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})


def starts_backward(call: ast.Call) -> bool:
    """Whether a call is ``loss.backward()``: engines and the like are given what to start from."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward" or call.args:
        return False
    return all(keyword.arg in _OF_BACKWARD for keyword in call.keywords)


_STARTING_BACKWARD = frozenset({"backward", "manual_backward"})


def given_to_backward(call: ast.Call) -> ast.Name | None:
    """``loss`` of ``engine.backward(loss)``: what frameworks are given to start from."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _STARTING_BACKWARD or len(call.args) != 1:
        return None
    given = call.args[0]
    # A function of autograd is given its context.
    return given if isinstance(given, ast.Name) and given.id != "ctx" else None


def _tells_a_tensor(call: ast.Call, tensor_only: frozenset[str]) -> bool:
    """Whether a call of a method, by its name, the number of its arguments and its keywords, is of a tensor's."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr in _TAKING_POSITIONS and call.args and _is_integer(call.args[0]):
        return True
    keywords: dict[str, Value] = {}
    for keyword in call.keywords:
        keywords[keyword.arg or "**"] = STRING if _is_text(keyword.value) else UNKNOWN
    if "**" in keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return call.func.attr in tensor_only
    return implies_tensor(call.func.attr, [UNKNOWN] * len(call.args), keywords)


# An array's `size` is no method, and its `view` takes no numbers.
_TAKING_POSITIONS = frozenset({"size", "view"})


def _is_integer(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) is int


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _torch_arguments(engine: Interpreter, record: FunctionRecord, call: ast.Call) -> Iterator[tuple[str, set[str]]]:
    """The names among the arguments of a call of torch, with the kinds that can stand in their places."""
    path = dotted_name(call.func)
    if path is None:
        return
    top = path.partition(".")[0]
    root = engine.member(record.module, top)
    if path == "range":
        for name in _whole_arguments(call):
            yield name, {"int"}
        return
    if not isinstance(root, Symbol) or not root.name.startswith("torch"):
        return
    overloads = engine.api.function(root.name + path[len(top) :])
    for index, argument in enumerate(call.args):
        kinds = {
            overload.parameters[index].kind
            for overload in overloads
            if index < len(overload.parameters) and not overload.parameters[index].keyword_only
        }
        for name in _names_of_operands(argument) if kinds else ():
            yield name, kinds
    for keyword in call.keywords:
        kinds = {p.kind for overload in overloads for p in overload.parameters if p.name == keyword.arg}
        for name in _names_of_operands(keyword.value) if kinds else ():
            yield name, kinds


def _names_of_operands(node: ast.expr) -> Iterator[str]:
    """The names in an arithmetic expression: ``j`` and ``i`` of ``j - i``."""
    for operand in operands(node):
        while isinstance(operand, ast.UnaryOp):
            operand = operand.operand
        if isinstance(operand, ast.Name):
            yield operand.id
        elif isinstance(operand, ast.BinOp):
            yield from _names_of_operands(operand)


def _whole_arguments(call: ast.Call) -> set[str]:
    """The names that stand as arguments by themselves, after a star or not, or with nothing but literal numbers."""
    given = [argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args]
    given += [keyword.value for keyword in call.keywords]
    single = (
        [operand for operand in operands(argument) if not isinstance(operand, ast.Constant)] for argument in given
    )
    return {found[0].id for found in single if len(found) == 1 and isinstance(found[0], ast.Name)}
