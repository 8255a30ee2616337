"""What function bodies do with their names: only a tensor has ``masked_fill``, only a number bounds ``range``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from synclint.analysis.domain.values import INTEGER, STRING, UNKNOWN, FunctionRecord, Symbol, Value
from synclint.analysis.models.overloads import implies_tensor
from synclint.analysis.objects.lightning_modules import is_of_lightning
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.state.usage import LocalCall, NameUses, Source, Usage
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
    parts: dict[str, Source] = {}
    compared: set[str] = set()
    selecting: set[str] = set()
    holders: set[Source] = set()
    counters: set[str] = set()
    sliced: set[str] = set()
    operated: set[str] = set()
    boolean: set[str] = set()
    calls: list[LocalCall] = []
    functions: dict[str, tuple[str, ...]] = {}
    certain: set[str] = set()  # to be something else from here on
    has_lambdas = not record.nodes or bool(record.nodes.of(ast.Lambda))
    for together in _until_given_anew(body, given):
        if has_lambdas:
            found = _used(engine, record, together)
        else:
            found = _used_in(engine, record, record.nodes if len(together) == len(body) else walk(together))
        tensors |= found.tensors - certain
        numbers |= found.numbers - certain
        as_sizes |= found.sizes - certain
        as_flags |= found.flags - certain
        indexed |= found.indexed - certain
        parts.update({part: whole for part, whole in found.parts.items() if whole.name not in certain})
        assigned.update(found.assigned)
        compared |= found.compared
        selecting |= found.selecting
        holders |= {source for source in found.holders if source.name not in certain}
        counters |= found.counters
        sliced |= found.sliced - certain
        operated |= found.operated
        boolean |= found.boolean - certain
        calls += found.calls
        functions.update(found.functions)
        for name in found.asked.keys() - certain:
            asked.setdefault(name, set()).update(found.asked[name])
        certain |= _bound(together[-1]) & given
    sources = _given_as_tensors(calls, functions, tensors)
    tensors |= {source.name for source in sources if source.at is None}
    holders |= {source for source in sources if source.at is not None}
    for part, whole in reversed(parts.items()):  # what is taken from another part stands behind that
        if part in tensors and assigned[part] == 1:
            if whole.at is None:
                tensors.add(whole.name)
            else:
                holders.add(whole)
    operated |= {name for name, uses in asked.items() if not uses.isdisjoint(_ARITHMETIC)}
    held = {source.name for source in holders if not source.at or source.at in counters}
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
        {name: frozenset(asked.get(name, ())) for name in (held - tensors) & given},
        frozenset(sliced & names),
        frozenset(name for name in operated if assigned[name] == 1),
        frozenset(boolean & selecting & names),
        frozenset(name for name in selecting & given if not _COUNTED.isdisjoint(asked.get(name, ()))),
    )


def _until_given_anew(body: Iterable[ast.stmt], given: Collection[str]) -> Iterator[list[ast.stmt]]:
    """The statements of a body, up to each that assigns something else to a parameter."""
    together: list[ast.stmt] = []
    for statement in body:
        together.append(statement)
        if not _bound(statement).isdisjoint(given):
            yield together
            together = []
    if together:
        yield together


def _bound(statement: ast.stmt) -> set[str]:
    """The names in what a statement assigns to."""
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return {node.id for target in targets for node in walk(target) if isinstance(node, ast.Name)}


def _given_as_tensors(
    calls: Iterable[LocalCall], functions: Mapping[str, tuple[str, ...]], tensors: Collection[str]
) -> list[Source]:
    """What is given to functions within the function for what these use as only a tensor can be used."""
    return [
        source
        for name, sources in calls
        for parameter, source in zip(functions.get(name, ()), sources, strict=False)
        if source is not None and parameter in tensors
    ]


def _used(engine: Interpreter, record: FunctionRecord, body: Iterable[ast.stmt]) -> NameUses:
    """What statements tell of names; what a lambda within them tells is remembered, for it is asked for as well."""
    known = engine.readings.name_uses
    parts: list[tuple[ast.Lambda | None, list[ast.AST], list[ast.Lambda]]] = []
    waiting: list[ast.Lambda | None] = [None]
    while waiting:
        part = waiting.pop()
        whole: Iterable[ast.AST] = body if part is None else (part,)
        nodes = [node for one in whole for node in walk_to(ast.Lambda, one)]
        within = [node for node in nodes if isinstance(node, ast.Lambda) and node is not part]
        parts.append((part, nodes, within))
        waiting += [node for node in within if node not in known]
    for part, nodes, lambdas in reversed(parts):
        found = _used_in(engine, record, nodes)
        for inner in lambdas:
            _add(found, known[inner])
        if part is not None:
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
        (uses.selecting, more.selecting), (uses.counters, more.counters), (uses.sliced, more.sliced),
        (uses.operated, more.operated), (uses.boolean, more.boolean),
    ):  # fmt: skip
        mine.update(yours)
    uses.holders.update(more.holders)
    uses.calls.extend(more.calls)
    uses.functions.update(more.functions)


_TELLING = frozenset(
    {
        ast.Attribute, ast.Call, ast.Slice, ast.Subscript, ast.Assign, ast.If, ast.IfExp, ast.FunctionDef,
        ast.For, ast.comprehension, ast.BinOp, ast.Compare, ast.UnaryOp, ast.Return,
    }
)  # fmt: skip


def _used_in(engine: Interpreter, record: FunctionRecord, nodes: Iterable[ast.AST]) -> NameUses:
    assigned: Counter[str] = Counter()
    tensors: set[str] = set()
    numbers: set[str] = set()
    tensor_only = engine.api.tensor_only
    asked: dict[str, set[str]] = {}
    sizes: set[str] = set()
    flags: set[str] = set()
    indexed: set[str] = set()
    parts: dict[str, Source] = {}
    compared: set[str] = set()
    selecting: set[str] = set()
    holders: set[Source] = set()
    counters: set[str] = set()
    sliced: set[str] = set()
    operated: set[str] = set()
    boolean: set[str] = set()
    calls: list[LocalCall] = []
    inner: dict[str, tuple[str, ...]] = {}
    counted: set[str] = set()
    measured: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                assigned[node.id] += 1  # type: ignore[attr-defined]
        elif kind not in _TELLING:
            continue
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.setdefault(node.value.id, set()).add(node.attr)
            # Of what is not called a method says nothing: options are called `chunk`, too.
            if node.attr in tensor_only and engine.api.property(node.attr) is not None:
                tensors.add(node.value.id)
        elif isinstance(node, ast.Attribute):
            if node.attr in tensor_only and engine.api.property(node.attr) is not None:
                _note_source(node.value, tensors, holders)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.args:
                calls.append((node.func.id, [_source(argument) for argument in node.args]))
            if isinstance(node.func, ast.Attribute):
                if _tells_a_tensor(node, tensor_only) or starts_backward(node):
                    _note_source(node.func.value, tensors, holders)
                if isinstance(node.func.value, ast.Name) and node.func.attr in MASK_METHODS and not node.args:
                    selecting.add(node.func.value.id)
                if node.func.attr in _MASKING and node.args and isinstance(node.args[0], ast.Name):
                    boolean.add(node.args[0].id)
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
        elif isinstance(node, (ast.For, ast.comprehension)):
            if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name):
                if node.iter.func.id in _COUNTING:
                    counters.update(name.id for name in walk(node.target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.BinOp):
            operands_named = [part.id for part in (node.left, node.right) if isinstance(part, ast.Name)]
            (boolean if isinstance(node.op, _LOGICAL) else operated).update(operands_named)
            measured.update(operands_named)
            for part in (node.left, node.right):
                _note_logarithm(part, tensors, holders)
        elif isinstance(node, ast.UnaryOp):
            _note_logarithm(node.operand, tensors, holders)
            if isinstance(node.op, ast.Invert) and isinstance(node.operand, ast.Name):
                boolean.add(node.operand.id)
        elif isinstance(node, ast.Compare):
            if compares_elements(node):
                operated.update(part.id for part in (node.left, *node.comparators) if isinstance(part, ast.Name))
        elif isinstance(node, ast.Return):
            if (
                record.name == "training_step"
                and isinstance(node.value, ast.Name)
                and _is_trained_by_others(engine, record)
            ):
                tensors.add(node.value.id)
        elif isinstance(node, ast.FunctionDef):
            inner[node.name] = tuple(parameter.arg for parameter in node.args.args)
        elif isinstance(node, ast.Slice):
            bounds = (bound for bound in (node.lower, node.upper, node.step) if bound is not None)
            sizes.update(name for bound in bounds for name in _names_of_operands(bound))
        elif isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
                indexed.add(node.value.id)
                if goes_through_dimensions(node.slice):
                    sliced.add(node.value.id)
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            selecting.update(part.id for part in index if isinstance(part, ast.Name))
        elif isinstance(node, ast.Assign):
            parts.update(_parts_named(node))
            if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Compare):
                compared.update({node.targets[0].id} if compares_elements(node.value) else ())
            if isinstance(node.targets[0], ast.Name) and _gives_a_device(node.value):
                asked.setdefault(node.targets[0].id, set()).add("device")
            if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Lambda):
                inner[node.targets[0].id] = tuple(parameter.arg for parameter in node.value.args.args)
        elif isinstance(node, (ast.If, ast.IfExp)):
            flags.update(_names_tested(node.test))
            counted.update(_names_counted(node.test))
    sizes |= counted - measured - asked.keys()
    return NameUses(
        tensors, numbers, assigned, asked, sizes, flags, indexed, parts, compared, selecting, holders, counters, sliced,
        operated, boolean, calls, inner,
    )  # fmt: skip


def _gives_a_device(node: ast.expr) -> bool:
    """Whether an expression is what it is made of on another device: it has one, whoever asks for it."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MOVING


_MOVING = frozenset({"to", "cuda"})


def goes_through_dimensions(index: ast.expr) -> bool:
    """Whether an index has several parts, and slices or new dimensions among them: that of a tensor or an array."""
    return isinstance(index, ast.Tuple) and any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, Ellipsis))
        for part in index.elts
    )


def _source(node: ast.expr) -> Source | None:
    """The name of what an expression is, or of what it is taken from by one index, before methods of tensors."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ELEMENTWISE:
        node = node.func.value
    if isinstance(node, ast.Name):
        return Source(node.id)
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    if isinstance(node.slice, (ast.Slice, ast.Tuple)):
        return Source(node.value.id)
    counted = [part for part in operands(node.slice) if not _is_integer(part)]
    if not counted:
        return Source(node.value.id, "")
    # What stands under a key is of its own kind each.
    return Source(node.value.id, counted[0].id) if len(counted) == 1 and isinstance(counted[0], ast.Name) else None


# What gives numbers that count.
_COUNTING = frozenset({"range", "enumerate", "reversed", "trange"})


def _note_source(node: ast.expr, tensors: set[str], holders: set[Source]) -> None:
    """Note what an expression that is used as only a tensor can be comes from."""
    source = _source(node)
    if source is not None and source.at is None:
        tensors.add(source.name)
    elif source is not None:
        holders.add(source)


def _note_logarithm(node: ast.expr, tensors: set[str], holders: set[Source]) -> None:
    """Note of what a logarithm is taken that is computed with: arrays have no such method, and loggers give nothing."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "log":
        if not node.args and not node.keywords:
            _note_source(node.func.value, tensors, holders)


# Methods that give an object of the kind that they are called on.
_ELEMENTWISE = _ARITHMETIC | {"log", "sqrt", "float", "double", "half", "long", "int", "detach", "neg", "clone", "to"}


# What is asked of positions, and of no mask.
_COUNTED = frozenset({"max", "amax", "unique", "bincount", "argsort"})
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
# What is given a mask first.
_MASKING = frozenset({"masked_fill", "masked_fill_", "masked_select", "masked_scatter", "masked_scatter_"})
# Methods of a mask that neither `True` nor `False` has.
MASK_METHODS = frozenset({"any", "all", "sum", "nonzero", "float", "long", "int"})


def _parts_named(node: ast.Assign) -> Iterator[tuple[str, Source]]:
    """``part = whole[:, 1]``, ``whole.log()``, ``whole[0]``: what a tensor is taken from is one, or holds some."""
    target, source = node.targets[0], _source(node.value)
    if isinstance(target, ast.Name) and source is not None and source.name != target.id:
        yield target.id, source


def _names_tested(test: ast.expr) -> Iterator[str]:
    """The names of which a test asks nothing but whether they are true."""
    for operand in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not):
            yield from _names_tested(operand.operand)
        elif isinstance(operand, ast.Name):
            yield operand.id
        elif isinstance(operand, ast.BoolOp):
            yield from _names_tested(operand)


def _names_counted(test: ast.expr) -> Iterator[str]:
    """The names of which a test asks which integer they are: ``index == 0``."""
    for operand in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(operand, ast.Compare) and isinstance(operand.left, ast.Name):
            if isinstance(operand.ops[0], (ast.Eq, ast.NotEq)) and all(map(_is_integer, operand.comparators)):
                yield operand.left.id


_OF_BACKWARD = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})


def _is_trained_by_others(engine: Interpreter, record: FunctionRecord) -> bool:
    """Whether Lightning calls a method of the class, and starts from the loss that it is given: a tensor."""
    return record.owner is not None and is_of_lightning(engine, record.owner)


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
    given: list[Value] = [INTEGER if _is_integer(argument) else UNKNOWN for argument in call.args]
    return implies_tensor(call.func.attr, given, keywords)


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
