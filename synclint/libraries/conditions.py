"""On which arguments it depends whether a place in a function is reached, by the text of the function.

Known are conditions on the parameters themselves, such as ``if size is None`` and ``if not check: return``, that data
is there (``if index.numel() > 0``), also where a function would give back an empty tensor, and that code runs eagerly,
on dense tensors, with what PyTorch does by default. Whatever else stands between the start of a function and a place
makes that unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from synclint.analysis.program.off_the_gpu import OTHER_PLACES
from synclint.analysis.syntax.walk import last_name
from synclint.catalog.summaries import Need

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

# All of them have to be fulfilled.
Needs = frozenset[Need]
_NONE: Needs = frozenset()
_OPPOSITES = {"true": "false", "is None": "is not None", "==": "!=", "a tensor": "no tensor"}
_OPPOSITES |= {opposite: kind for kind, opposite in _OPPOSITES.items()}
# Where code is recorded or compiled, what is asked of tensors that are not dense (PyG has a function for that), or that
# are elsewhere than on a GPU, and what is off by default.
_UNUSUAL = OTHER_PLACES | {
    "is_scripting", "is_tracing", "is_compiling", "is_exporting", "is_sparse", "is_nested", "is_torch_sparse_tensor",
    "are_deterministic_algorithms_enabled",
}  # fmt: skip
_LEAVING = (ast.Return, ast.Break, ast.Continue)


class _Place(NamedTuple):
    """A place in the text: ``line`` counts from 1, ``column`` from 0, in bytes as ``ast`` has it."""

    line: int
    column: int


def needs_of(function: FunctionNode, line: int, column: int) -> Needs | None:
    """What the parameters have to be for a place to be reached; None where that is not all it takes."""
    return _Conditions(function).of(_Place(line, column))


def is_as_given(function: FunctionNode, name: str, place: ast.expr) -> bool:
    """Whether a name is a parameter that nothing before an expression gives another value."""
    return _Conditions(function).is_as_given(name, _Place(place.lineno, place.col_offset))


def handed_on(needs: Needs, given: Mapping[str, ast.expr], function: FunctionNode, call: ast.Call) -> Needs | None:
    """What the parameters of a ``function`` have to be for what it calls with these arguments to fulfil its needs.

    None where that is never so, or where nobody can say.
    """
    found: set[Need] = set()
    known = _Conditions(function)
    for need in needs:
        parameter, _, setting = need.parameter.partition(".")
        value = given.get(parameter)
        if value is None:
            return None
        name = known.named(value)
        if name is not None and known.is_as_given(name, _Place(call.lineno, call.col_offset)):
            if setting and "." in name:
                return None  # that of another object
            found.add(need._replace(parameter=f"{name}.{setting}" if setting else name))
            continue
        if need.kind == "not on the device":
            continue  # what is written out, or computed, and copied to the device was on the host
        try:
            literal = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
        if need.accepts(literal) is not True:
            return None
    return frozenset(found)


def literal_defaults(function: FunctionNode) -> dict[str, str]:
    """The defaults of parameters that are numbers, strings, booleans or None."""
    return {name: ast.unparse(value) for name, value in defaults_of(function).items() if _is_literal(value)}


def defaults_of(function: FunctionNode) -> dict[str, ast.expr]:
    """The defaults of parameters."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return {parameter.arg: default for parameter, default in pairs if default is not None}


def _is_literal(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, (bool, int, float, str, type(None)))


class _Conditions:
    """The conditions in a function, and up to where its parameters are what they were given."""

    def __init__(self, function: FunctionNode) -> None:
        self._function = function
        arguments = function.args
        positional = (*arguments.posonlyargs, *arguments.args)
        self._parameters = {one.arg for one in (*positional, *arguments.kwonlyargs)}
        self._first = positional[0].arg if positional else ""
        self._stores: dict[str, _Place] = {}
        for name, place in _stores(function.body):
            self._stores[name] = min(place, self._stores.get(name, place))

    def is_as_given(self, name: str, place: _Place) -> bool:
        """Whether a name is a parameter that nothing before a place gives another value, or an attribute of one."""
        name = name.partition(".")[0]
        return name in self._parameters and (name not in self._stores or place < self._stores[name])

    def of(self, place: _Place) -> Needs | None:
        needs: set[Need] = set()
        body: Sequence[ast.stmt] = self._function.body
        while True:
            index = next((at for at, one in enumerate(body) if _holds(one, place)), None)
            if index is None:
                return None
            for earlier in body[:index]:
                going_on = self._goes_on(earlier)
                if going_on is None:
                    return None
                needs |= going_on
            inner = self._within(body[index], place)
            if inner is None:
                return None
            body, more = inner
            needs |= more
            if not body:
                # What needs a value and its opposite is never reached.
                return None if any(_opposite(need) in needs for need in needs) else frozenset(needs)

    def _goes_on(self, statement: ast.stmt) -> Needs | None:
        """What it takes for what follows a statement to run after it, unless it raises."""
        if not any(isinstance(node, _LEAVING) for node in _own_nodes(statement)):
            return _NONE
        if not isinstance(statement, ast.If):
            return None
        if _gives_back_nothing(statement.body):
            return self._all_go_on(statement.orelse)
        ways = [
            taken | after
            for suite, is_taken in ((statement.body, True), (statement.orelse, False))
            if (taken := self._decided(statement.test, is_taken)) is not None
            and (after := self._all_go_on(suite)) is not None
        ]
        return min(ways, key=len) if ways else None

    def _all_go_on(self, suite: Sequence[ast.stmt]) -> Needs | None:
        needs = _NONE
        for statement in suite:
            more = None if isinstance(statement, ast.Raise) else self._goes_on(statement)
            if more is None:
                return None
            needs |= more
        return needs

    def _within(self, statement: ast.stmt, place: _Place) -> tuple[Sequence[ast.stmt], Needs] | None:
        """The suite of a statement that holds a place, empty where its own expressions do; None where nobody knows."""
        if isinstance(statement, ast.If):
            for suite, is_taken in ((statement.body, True), (statement.orelse, False)):
                if any(_holds(one, place) for one in suite):
                    needs = self._decided(statement.test, is_taken)
                    return None if needs is None else (suite, needs)
            return self._expression(statement, place)
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
            if any(_holds(one, place) for one in statement.body):
                needs = self._has_rounds(statement.iter) if isinstance(statement, (ast.For, ast.AsyncFor)) else _NONE
                return None if needs is None else (statement.body, needs)
            return self._expression(statement, place)
        if isinstance(statement, ast.Try):
            suites = (statement.body, statement.finalbody)
            found = next((suite for suite in suites if any(_holds(one, place) for one in suite)), None)
            return None if found is None else (found, _NONE)
        if isinstance(statement, (ast.While, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_test = isinstance(statement, ast.While) and _holds(statement.test, place)
            return ((), _NONE) if is_test else None
        if isinstance(statement, (ast.Raise, ast.Assert)):
            return ((), _NONE) if isinstance(statement, ast.Assert) and _holds(statement.test, place) else None
        return self._expression(statement, place)

    def _has_rounds(self, iterable: ast.expr) -> Needs | None:
        """What it takes for a loop to have rounds, where a condition decides whether it loops over anything."""
        if not isinstance(iterable, ast.IfExp):
            return _NONE
        for empty, is_true in ((iterable.orelse, True), (iterable.body, False)):
            if isinstance(empty, (ast.Tuple, ast.List)) and not empty.elts:
                return self._decided(iterable.test, is_true)
        return _NONE

    def _expression(self, statement: ast.AST, place: _Place) -> tuple[Sequence[ast.stmt], Needs] | None:
        """What it takes for a place in an expression to be evaluated whenever the statement runs."""
        node: ast.AST = statement
        needs = _NONE
        while True:
            inner = next((one for one in ast.iter_child_nodes(node) if _holds(one, place)), None)
            if inner is None or isinstance(inner, ast.stmt):
                return (), needs
            more: Needs | None = _NONE
            if isinstance(node, ast.BoolOp):
                before = node.values[: [value is inner for value in node.values].index(True)]
                more = self._all_decided(before, isinstance(node.op, ast.And))
            if isinstance(node, ast.IfExp) and inner is not node.test:
                more = self._decided(node.test, inner is node.body)
            if isinstance(inner, ast.Lambda) or (isinstance(node, ast.comprehension) and inner in node.ifs):
                return None
            if more is None or isinstance(inner, ast.GeneratorExp) or _has_condition(inner):
                return None
            needs |= more
            node = inner

    def _all_decided(self, tests: Sequence[ast.expr], is_true: bool) -> Needs | None:
        needs = _NONE
        for test in tests:
            more = self._decided(test, is_true)
            if more is None:
                return None
            needs |= more
        return needs

    def _decided(self, test: ast.expr, is_true: bool) -> Needs | None:
        """What makes a condition true, or false; None where that is not up to the parameters."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._decided(test.operand, not is_true)
        if isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) is is_true:
                return self._all_decided(test.values, is_true)
            ways = [way for value in test.values if (way := self._decided(value, is_true)) is not None]
            return min(ways, key=lambda way: (len(way), sorted(way))) if ways else None
        if (as_usual := _outcome_as_usual(test)) is not None:
            return _NONE if as_usual is is_true else None
        if not is_true and (given := self._of_another_class(test)) is not None:
            return frozenset({given})
        need = self._need(test)
        if need is None or not self.is_as_given(need.parameter, _Place(test.lineno, test.col_offset)):
            return None
        return frozenset({need if is_true else _opposite(need)})

    def _of_another_class(self, test: ast.expr) -> Need | None:
        """What makes ``isinstance(index, Layout)`` false: a tensor, and no more than that, is of no other class."""
        if not isinstance(test, ast.Call) or ast.unparse(test.func) != "isinstance" or len(test.args) != 2:
            return None
        name, kinds = test.args[0], test.args[1]
        known = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        if not isinstance(name, ast.Name) or any(last_name(kind) in ("Tensor", "object") for kind in known):
            return None
        is_as_given = self.is_as_given(name.id, _Place(test.lineno, test.col_offset))
        return Need(name.id, "a tensor") if is_as_given else None

    def named(self, node: ast.expr) -> str | None:
        """The parameter that an expression is, or the attribute of the first one, of which a method is called."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self._first:
            return f"{self._first}.{node.attr}"
        return node.id if isinstance(node, ast.Name) else None

    def _need(self, test: ast.expr) -> Need | None:
        """What a condition on one parameter, or on one setting of the object, asks of it."""
        if (tested := self.named(test)) is not None:
            return Need(tested, "true")
        if isinstance(test, ast.Call) and test.args and isinstance(test.args[0], ast.Name):
            called = ast.unparse(test.func)
            if called == "torch.is_tensor" or (
                called == "isinstance"
                and len(test.args) == 2
                and ast.unparse(test.args[1]) in ("Tensor", "torch.Tensor")
            ):
                return Need(test.args[0].id, "a tensor")
        name = self.named(test.left) if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
        if name is None or not isinstance(test, ast.Compare):
            return None
        operator, against = test.ops[0], test.comparators[0]
        if not _is_literal(against):
            return None
        if ast.unparse(against) == "None":
            if isinstance(operator, (ast.Is, ast.Eq)):
                return Need(name, "is None")
            return Need(name, "is not None") if isinstance(operator, (ast.IsNot, ast.NotEq)) else None
        if isinstance(operator, (ast.Eq, ast.Is)):
            return Need(name, "==", ast.unparse(against))
        return Need(name, "!=", ast.unparse(against)) if isinstance(operator, (ast.NotEq, ast.IsNot)) else None


def _opposite(need: Need) -> Need:
    return need._replace(kind=_OPPOSITES[need.kind])


def _outcome_as_usual(test: ast.expr) -> bool | None:
    """Whether a condition holds in eager code, for dense data that is not empty; None for any other condition."""
    if _is_count(test):
        return True
    if (last_name(test.func) if isinstance(test, ast.Call) else last_name(test)) in _UNUSUAL:
        return False
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not _is_count(test.left):
        return None
    against = test.comparators[0]
    if not isinstance(against, ast.Constant) or against.value != 0:
        return None
    if isinstance(test.ops[0], (ast.Gt, ast.NotEq)):
        return True
    return False if isinstance(test.ops[0], (ast.Eq, ast.LtE)) else None


def _gives_back_nothing(suite: Sequence[ast.stmt]) -> bool:
    """Whether a suite gives back a tensor without elements, ``index.new_empty((2, 0))``: for data that is not there."""
    given = suite[-1].value if suite and isinstance(suite[-1], ast.Return) else None
    if not isinstance(given, ast.Call) or last_name(given.func) not in _MAKING_BY_SIZE:
        return False
    sizes = (size for one in given.args for size in (one.elts if isinstance(one, (ast.Tuple, ast.List)) else [one]))
    return any(isinstance(size, ast.Constant) and size.value == 0 and size.value is not False for size in sizes)


_MAKING_BY_SIZE = frozenset({"empty", "zeros", "ones", "new_empty", "new_zeros", "new_ones"})


def _is_count(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    is_length = isinstance(node.func, ast.Name) and node.func.id == "len"
    return is_length or (isinstance(node.func, ast.Attribute) and node.func.attr in ("numel", "nelement"))


def _has_condition(node: ast.AST) -> bool:
    comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp)
    return isinstance(node, comprehensions) and any(one.ifs for one in node.generators)


def _stores(body: Sequence[ast.stmt], loop: _Place | None = None) -> Iterator[tuple[str, _Place]]:
    """The names that statements give values, with the places from which on they have them.

    What a loop gives, it may have given when the next round begins.
    """
    for statement in body:
        is_loop = isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
        start = _Place(statement.lineno, statement.col_offset)
        around = loop or (start if is_loop else None)
        suites = [suite for name in ("body", "orelse", "finalbody") if (suite := getattr(statement, name, None))]
        suites += [one.body for one in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))]
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            suites = []
        for suite in suites:
            yield from _stores(suite, around)
        # Its values are evaluated first.
        end = start if suites else _Place(statement.end_lineno or 0, statement.end_col_offset or 0)
        for name in _stored_by(statement):
            yield name, around or end


def _stored_by(statement: ast.stmt) -> Iterator[str]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        waiting += [one for one in ast.iter_child_nodes(node) if not isinstance(one, (ast.stmt, ast.ExceptHandler))]


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, those of functions and classes in it aside."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield node
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            # What leaves a loop within a statement does not leave the function.
            waiting += [one for one in ast.walk(node) if isinstance(one, ast.Return)]
        else:
            waiting += ast.iter_child_nodes(node)


def _holds(node: ast.AST, place: _Place) -> bool:
    if not isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler)):  # such as a keyword, or a comprehension
        return any(_holds(inner, place) for inner in ast.iter_child_nodes(node))
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start = min([(node.lineno, node.col_offset), *((one.lineno, 0) for one in decorators)])
    return start <= place < (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset + 1)
