"""What a module does with names besides calling what they stand for, and what a package offers to others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from synclint.analysis.annotations.docstrings import docstring_of
from synclint.analysis.domain.values import ClassValue, FunctionRecord, FunctionValue, ModuleRecord, Symbol
from synclint.analysis.results.known_callers import Handle, as_method, as_method_without_places
from synclint.analysis.syntax.walk import children, dotted_name, walk

_ASKING = frozenset({"isinstance", "issubclass"})
_BY_NAME = frozenset({"getattr", "operator.methodcaller", "operator.attrgetter", "attrgetter", "methodcaller"})
# Of these only what they hold can take a name: that is known before anything else is asked.
_ELSEWHERE = frozenset(
    {
        ast.Expr, ast.Assign, ast.keyword, ast.If, ast.Return, ast.Subscript,
        ast.Tuple, ast.List, ast.Dict, ast.arguments, ast.BoolOp, ast.IfExp, ast.JoinedStr,
        ast.For, ast.With, ast.withitem, ast.AugAssign, ast.Raise, ast.ListComp, ast.GeneratorExp,
        ast.comprehension, ast.Slice, ast.Starred,
    }
)  # fmt: skip


# What takes the values of its operands, and could do nothing with a method: ``params.dropout > 0``.
_USING = frozenset({ast.BinOp, ast.Compare, ast.UnaryOp, ast.FormattedValue})


def taken(module: ModuleRecord) -> Iterator[str]:
    """The names of functions, classes and attributes that stand elsewhere than in front of the brackets of a call.

    An operand of arithmetic, of a comparison or of a formatted text is a value, and is called by nobody. Annotations,
    the bases of classes and tests for a class take nothing that could be called. An attribute is one of an object, and
    stands for a function or a class only where a module has it.
    """
    return _taken_by(module, module.tree.body)


def taken_in(module: ModuleRecord, body: list[ast.stmt]) -> Iterator[str]:
    """The same for the body of a function."""
    return _taken_by(module, _beside_tables(body))


def _taken_by(module: ModuleRecord, nodes: Iterable[ast.AST]) -> Iterator[str]:
    scope = module.scope
    stack = list(nodes)
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is ast.Name:
            value = scope.get(node.id)  # type: ignore[attr-defined]
            if isinstance(value, (FunctionValue, ClassValue)):
                yield value.record.name
            elif isinstance(value, Symbol):
                yield value.name.rpartition(".")[2]
        elif kind is ast.Constant:
            continue
        elif kind in _ELSEWHERE:
            stack += children(node)
        elif kind in _USING:
            stack += [one.value if type(one) is ast.Attribute else one for one in children(node)]
        elif type(node) is ast.Attribute:
            yield from (as_method(node.attr), as_method_without_places(node.attr))
            if _is_imported(node.value, scope):
                yield node.attr
            stack.append(node.value)
        elif type(node) is ast.Call:
            stack += _beside_function(node)
            if dotted_name(node.func) in _BY_NAME:
                for said in node.args:
                    if isinstance(said, ast.Constant) and isinstance(said.value, str):
                        yield from (said.value, as_method(said.value), as_method_without_places(said.value))
        elif isinstance(node, ast.ClassDef):
            stack += [*node.decorator_list, *node.keywords, *node.body]
        elif isinstance(node, (ast.arg, ast.alias, ast.Import, ast.ImportFrom)):
            continue
        elif isinstance(node, ast.AnnAssign):
            stack += [node.target] if node.value is None else [node.target, node.value]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            stack += [node.args, *node.decorator_list, *_beside_tables(node.body)]
        else:
            stack += children(node)


def _beside_tables(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What a function does besides looking methods up in a table of its own to call them.

    ``losses = {"boxes": self.of_boxes, "masks": self.of_masks}``, and then ``losses[kind](outputs)``.
    """
    for statement in body:
        value = statement.value if isinstance(statement, ast.Assign) else None
        methods = value.values if isinstance(value, ast.Dict) else []
        receivers = [one.value for one in methods if isinstance(one, ast.Attribute)]
        is_table = bool(receivers) and len(receivers) == len(methods)
        if is_table and isinstance(statement, ast.Assign) and _are_only_called(statement.targets, body):
            yield from receivers
        else:
            yield statement


def _are_only_called(tables: list[ast.expr], body: list[ast.stmt]) -> bool:
    """Whether nothing is done with tables but to call what they have under a key, and to ask whether they have one."""
    names = {table.id for table in tables if isinstance(table, ast.Name)}
    within = list(walk(body))
    functions = (node.func for node in within if isinstance(node, ast.Call))
    known = {id(function.value) for function in functions if isinstance(function, ast.Subscript)}
    known |= {id(one) for node in within if isinstance(node, ast.Compare) for one in node.comparators}
    uses = [node for node in within if isinstance(node, ast.Name) and node.id in names and type(node.ctx) is ast.Load]
    return len(names) == len(tables) and known.issuperset(map(id, uses))


def _is_imported(node: ast.expr, scope: Mapping[str, object]) -> bool:
    """Whether a dotted name begins with something that a module imports."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(scope.get(node.id), Symbol)


def _beside_function(call: ast.Call) -> list[ast.AST]:
    """What is evaluated for a call besides the function itself."""
    function = call.func
    beside: list[ast.AST] = [*call.args, *map(_given, call.keywords)]
    if isinstance(function, ast.Name) and function.id in _ASKING:
        beside = [*call.args[:1], *call.keywords]
    if isinstance(function, ast.Name) and function.id == "super":
        beside = []  # which class it is says only whose base is meant
    if (dotted_name(function) or "").rpartition(".")[2] == "register_autograd":
        beside = []  # which has them called beside the operator
    if isinstance(function, ast.Attribute):
        # `Function.apply(x)` is a call of what the class defines.
        beside += [] if function.attr == "apply" and isinstance(function.value, ast.Name) else [function.value]
    elif not isinstance(function, ast.Name):
        beside.append(function)
    return beside


def _given(keyword: ast.keyword) -> ast.AST:
    """What a call takes by a keyword; of what a loader calls with its rows, only what holds it."""
    if keyword.arg != "collate_fn" or not isinstance(keyword.value, (ast.Name, ast.Attribute)):
        return keyword
    return keyword.value.value if isinstance(keyword.value, ast.Attribute) else ast.Pass()


def exported(module: ModuleRecord) -> Iterator[str]:
    """The names that a module says are for others: what its ``__all__`` lists; of a package, all that it binds.

    What has an example in its docstring is shown to others as well.
    """
    for statement in module.tree.body:
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                yield from _texts(statement.value)
        elif isinstance(statement, ast.ImportFrom) and module.is_package:
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            if module.is_package or shows_examples(statement):
                yield statement.name


def shows_examples(definition: ast.AST) -> bool:
    """Whether the docstring of a function or class has examples, as it has for others than those who wrote it."""
    return ">>>" in docstring_of(definition)


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from (e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str))


# What calls the function that it decorates, if anybody does.
_TRANSPARENT = frozenset(
    {
        "staticmethod", "classmethod", "no_grad", "inference_mode", "enable_grad", "contextmanager", "cache",
        "lru_cache", "compile", "impl", "ignore", "unused", "autocast", "record", "beartype", "jaxtyped", "override",
    }
)  # fmt: skip


# What is written to call a function that only the one around it can name.
_WITHIN = Handle("", "")


def handle(record: FunctionRecord) -> Handle | None:
    """What is written to call a function, and under what name others would know it.

    None where it may be called without its name being written: a method that Python, torch or a framework calls,
    a function that a decorator has put somewhere.
    """
    if record.name == "<lambda>":
        return None
    if record.parent is not None:
        is_within = record.owner is None and not record.decorators and _is_only_called(record, record.parent)
        return _WITHIN if is_within else None
    if any(name.rpartition(".")[2] not in _TRANSPARENT for name in record.decorators):
        return None
    owner = record.owner
    if owner is None:
        return Handle(record.name, record.name)
    if record.name == "__init__":
        return Handle(owner.name, owner.name) if not owner.decorators else None
    if record.name.startswith("__") or record.name == "forward" or _may_be_called_outside(record):
        return None
    taken = record.parameters if record.receiver is None else record.parameters[1:]
    takes_places = any(one.kind in ("positional", "*") for one in taken)
    written = as_method(record.name) if takes_places else as_method_without_places(record.name)
    return Handle(written, record.name if record.name.startswith("_") else owner.name)


def _is_only_called(record: FunctionRecord, around: FunctionRecord) -> bool:
    """Whether the function around another one does nothing with it but call it."""
    called = {id(call.func) for call in around.nodes.of(ast.Call)}
    return all(id(node) in called for node in around.nodes.of(ast.Name) if node.id == record.name)


def _may_be_called_outside(record: FunctionRecord) -> bool:
    """Whether the class has a base that may call a method of this name."""
    assert record.owner is not None
    return any(
        base is None or (isinstance(base, str) and base not in _QUIET_BASES)
        for ancestor in record.owner.ancestors
        for base in ancestor.bases
    )


# Of what is called on instances of these, there is ``forward`` and what begins with two underscores.
_QUIET_BASES = frozenset({"builtins.object", "torch.nn.Module", "abc.ABC", "enum.Enum", "typing.Protocol"})
