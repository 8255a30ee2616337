"""Tests of the environment: what has an outcome only where somebody has set a variable."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from synclint.analysis.calls.written_arguments import positional_names, written_arguments
from synclint.analysis.domain.values import (
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    ModuleRecord,
    ProjectModule,
    Symbol,
    Value,
)
from synclint.analysis.interpreter.switches import kept_parameters
from synclint.analysis.objects import classes
from synclint.analysis.objects.device_code import imported_as
from synclint.analysis.program.text_facts import module_fact, text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, own_parts, walk
from synclint.catalog.names import names_in

_READS = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_ENVIRONMENTS = frozenset({"os.environ", "environ"})
# Functions of a project that read a variable, and objects that have those of a project, are called so.
_HELPER = re.compile(r"env", re.IGNORECASE)
# In small letters, and beginning with some: so Python looks for these, instead of trying each way everywhere.
_SIGN = re.compile(r"env(?:iron|(?<=getenv)|\w{0,40}\([ \t\n]*[\"']|(?<=\benv)s?\.[a-z])")
_BY_LAUNCHERS = names_in("guards", "set-by-launchers")
_NUMBERS = {"int": int, "float": float, "bool": bool, "str": str}
_METHODS = frozenset({"lower", "upper", "strip"})
_Constant = str | int | float | bool | None
_DEEPEST = 4


class _UnknownError(Exception):
    """What an expression stands for does not follow from the environment alone."""


class _Made(NamedTuple):
    """An object of a class, the call that has made it, and the name that it was given.

    ``receiver`` is what the method that is run calls it, None outside of its methods.
    """

    record: ClassRecord
    call: ast.Call
    name: str
    receiver: str | None = None


def variable_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """The variable of the environment that somebody has to set for a test to come out so; None without one."""
    if not _may_ask(frame.module):
        return None
    asked: list[str] = []
    try:
        usual = bool(_Unset(frame, _named(frame), asked).value(test))
    except (_UnknownError, ValueError, TypeError):
        return None
    return asked[0] if asked and usual is not taken and _BY_LAUNCHERS.isdisjoint(asked) else None


@module_fact
def _may_ask(module: ModuleRecord) -> bool:
    """Whether the text of a module has a sign of the environment."""
    return _SIGN.search(module.source.lower()) is not None


@text_fact
def _body_near_environment(record: FunctionRecord) -> tuple[ast.stmt, ...] | None:
    """What a function does that may read the environment, or returns what another one reads there."""
    body = record.node.body
    if not isinstance(body, list) or not (_has_sign(record) or _asks_for_a_name(body)):
        return None
    return tuple(body)


@text_fact
def _first_given(constructor: FunctionRecord) -> dict[str, ast.expr]:
    """What a constructor that may read the environment gives the attributes of its object first."""
    given: dict[str, ast.expr] = {}
    if constructor.name == "__init__" and _has_sign(constructor):
        for node in constructor.nodes.of(ast.Assign):
            receiver, _, attribute = (dotted_name(node.targets[0]) or "").rpartition(".")
            if receiver == constructor.receiver:
                given.setdefault(attribute, node.value)
    return given


def _asks_for_a_name(body: list[ast.stmt]) -> bool:
    """Whether all that a function does is to return what another one gives for a text: ``return flag("DUMPS")``."""
    match body[-1]:
        case ast.Return(value=ast.Call(func=ast.Name(), args=[ast.Constant(value=str()), *_])):
            return len(body) == 1 or (len(body) == 2 and isinstance(body[0], ast.Expr))
    return False


def _has_sign(record: FunctionRecord) -> bool:
    """Whether the text of a function, or of the class of a method, has a sign of the environment."""
    if not _may_ask(record.module):
        return False
    around = record.node if record.owner is None else record.owner.node
    text = "\n".join(record.module.lines[around.lineno - 1 : around.end_lineno])
    return _SIGN.search(text.lower()) is not None


def _named(frame: Frame) -> Mapping[str, ast.expr]:
    """What the names of a function, and those at the top of its module, are given from the environment."""
    if frame.function is None:
        return _named_at_top(frame.module)
    known, scope = frame.engine.readings.environment, frame.function.node
    if scope not in known:
        known[scope] = _named_in(scope)
    return {**_named_at_top(frame.module), **known[scope]}


@module_fact
def _named_at_top(module: ModuleRecord) -> dict[str, ast.expr]:
    return _named_in(module.tree)


def _named_in(scope: ast.AST) -> dict[str, ast.expr]:
    """The names that a scope gives something read from the environment, and nothing else."""
    nodes = list(_of_scope(scope))
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    found: dict[str, ast.expr] = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and stored[target.id] == 1 and _reads(node.value):
                found[target.id] = node.value
    return found


def _of_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope, functions and classes within it left out."""
    return own_parts(getattr(scope, "body", ()) if not isinstance(scope, ast.Lambda) else ())


def _reads(node: ast.expr) -> bool:
    """Whether an expression may read the environment; whether it does is found out where that is asked."""
    named = (dotted_name(one) for one in walk(node) if isinstance(one, (ast.Attribute, ast.Name)))
    return any(name is not None and _HELPER.search(name) is not None for name in named)


class _Unset:
    """What expressions stand for where nothing is set in the environment; ``asked`` receives what they ask for.

    Everything raises ``_UnknownError`` where something else is asked for. ``made`` is the call that has made the object
    whose method is run, and its class.
    """

    def __init__(
        self,
        frame: Frame,
        named: Mapping[str, _Constant | ast.expr],
        asked: list[str],
        module: ModuleRecord | None = None,
        made: _Made | None = None,
        depth: int = _DEEPEST,
    ) -> None:
        self._frame = frame
        self._module = module or frame.module
        self._named = dict(named)
        self._asked = asked
        self._made = made
        self._depth = depth

    def value(self, node: ast.expr) -> _Constant:
        """What an expression stands for."""
        match node:
            case ast.Constant(value=str() | int() | float() | None as constant):
                return constant
            case ast.Name(id=name) if name in self._named:
                given = self._named[name]
                return self._with({}).value(given) if isinstance(given, ast.expr) else given
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.value(operand)
            case ast.BoolOp(op=operator, values=values):
                found = self.value(values[0])
                for one in values[1:]:
                    if bool(found) is not isinstance(operator, ast.And):
                        break
                    found = self.value(one)
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.value(test) else orelse)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return self._compared(left, operator, right)
            case ast.Call():
                return self._called(node)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                return self._of_object(attribute) if self._is_object(name) else self._of_module(name, attribute)
        raise _UnknownError

    def _with(self, named: Mapping[str, _Constant | ast.expr]) -> _Unset:
        return _Unset(self._frame, named, self._asked, self._module, self._made, self._depth)

    def _called(self, node: ast.Call) -> _Constant:
        path = dotted_name(node.func)
        if path in _READS and node.args:
            self._asked.append(self._variable(node.args[0]))
            return self.value(node.args[1]) if len(node.args) > 1 else None
        if path in _NUMBERS and len(node.args) == 1 and not node.keywords:
            made: _Constant = _NUMBERS[path](self.value(node.args[0]))
            return made
        if path == "callable" and len(node.args) == 1:
            self.value(node.args[0])
            return False
        if isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and self._is_object(owner.id):
                assert self._made is not None
                return self._run(classes.find_method(self._made.record, node.func.attr), node, self._made)
            if (object_made := self._object_of(owner)) is not None:
                return self._run(classes.find_method(object_made.record, node.func.attr), node, object_made)
            if node.func.attr in _METHODS and not node.args:
                text = self.value(owner)
                if isinstance(text, str):
                    changed: str = getattr(text, node.func.attr)()
                    return changed
        return self._run(self._function(path), node, None)

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
        if isinstance(operator, (ast.In, ast.NotIn)):
            if dotted_name(right) in _ENVIRONMENTS:
                self._asked.append(self._variable(left))
                return isinstance(operator, ast.NotIn)
            right = self._listed(right)
            if isinstance(right, (ast.Tuple, ast.List, ast.Set)):
                mine = self.value(left)
                return (mine in [self.value(one) for one in right.elts]) is isinstance(operator, ast.In)
            raise _UnknownError
        mine, yours = self.value(left), self.value(right)
        if isinstance(operator, (ast.Eq, ast.Is)):
            return mine == yours
        if isinstance(operator, (ast.NotEq, ast.IsNot)):
            return mine != yours
        if isinstance(mine, (int, float)) and isinstance(yours, (int, float)):
            orders = {ast.Gt: mine > yours, ast.GtE: mine >= yours, ast.Lt: mine < yours, ast.LtE: mine <= yours}
            return orders[type(operator)]
        raise _UnknownError

    def _variable(self, node: ast.expr) -> str:
        """The name of a variable that is asked for; that of an object, where the object is asked under which it is."""
        if self._made is not None and isinstance(node, ast.Attribute):
            return self._made.name
        name = self.value(node)
        if not isinstance(name, str):
            raise _UnknownError
        return name

    def _listed(self, node: ast.expr) -> ast.expr:
        """The list that a name of the function stands for."""
        given = self._named.get(node.id) if isinstance(node, ast.Name) else None
        return given if isinstance(given, ast.expr) else node

    def _run(self, function: FunctionRecord | None, node: ast.Call, made: _Made | None) -> _Constant:
        """What a function of the project returns, by its text; who reads the environment does little else."""
        body = _body_near_environment(function) if function is not None and self._depth else None
        if function is None or body is None:
            raise _UnknownError
        given = written_arguments(node, positional_names(function))
        if given is None or any(parameter.kind in ("*", "**") for parameter in function.parameters):
            raise _UnknownError
        named: dict[str, _Constant | ast.expr] = {}
        for parameter in function.parameters:
            argument = given.get(parameter.name, parameter.default)
            if argument is not None:
                with suppress(_UnknownError):
                    named[parameter.name] = self.value(argument)
        receiver = made._replace(receiver=function.receiver) if made is not None else None
        within = _Unset(self._frame, named, self._asked, function.module, receiver, self._depth - 1)
        returned = within._result(body)
        if returned is None:
            raise _UnknownError
        return returned[0]

    def _result(self, body: Iterable[ast.stmt]) -> tuple[_Constant] | None:
        """What statements return, None where they go on."""
        for statement in body:
            match statement:
                case ast.Return(value=value):
                    return (self.value(value) if value is not None else None,)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._named[name] = (
                        value if isinstance(value, (ast.Tuple, ast.List, ast.Set)) else self.value(value)
                    )
                case ast.If(test=test, body=suite, orelse=orelse):
                    if (found := self._result(suite if self.value(test) else orelse)) is not None:
                        return found
                case ast.Try(body=suite):
                    if (found := self._result(suite)) is not None:
                        return found
                case ast.Expr() | ast.Import() | ast.ImportFrom() | ast.Assert():
                    continue
                case _:
                    raise _UnknownError
        return None

    def _function(self, path: str | None) -> FunctionRecord | None:
        found = self._resolved(path) if path is not None and path.partition(".")[0] not in self._named else None
        return found.record if isinstance(found, FunctionValue) else None

    def _resolved(self, path: str) -> Value:
        known = self._module.scope.get(path)
        if known is not None and not isinstance(known, Symbol):
            return known
        return self._frame.engine.resolve(imported_as(path, self._module))

    def _is_object(self, name: str) -> bool:
        return self._made is not None and name == self._made.receiver

    def _of_object(self, attribute: str) -> _Constant:
        """What an object keeps of what it was made with, or is given by its constructor."""
        assert self._made is not None
        constructor = classes.find_method(self._made.record, "__init__")
        if constructor is None:
            raise _UnknownError
        kept = kept_parameters(constructor).get(attribute)
        if kept is not None:
            given = written_arguments(self._made.call, positional_names(constructor)) or {}
            if (argument := given.get(kept.name, kept.default)) is not None:
                return self._with({}).value(argument)
        if (made := _first_given(constructor).get(attribute)) is not None:
            return self._with({}).value(made)
        raise _UnknownError

    def _object_of(self, node: ast.expr) -> _Made | None:
        """How an object was made that a class of variables has under a name: ``DUMPS = Flag(False)``."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return None
        holder = self._resolved(node.value.id)
        if not isinstance(holder, Instance) or holder.record is None:
            return None
        for statement in holder.record.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=node.attr)], value=ast.Call(func=ast.Name(id=name)) as call):
                    of_class = holder.record.module.scope.get(name)
                    return _Made(of_class.record, call, node.attr) if isinstance(of_class, ClassValue) else None
        return None

    def _of_module(self, name: str, attribute: str) -> _Constant:
        """What a module that looks its names up (``__getattr__``) declares a variable to be by default.

        It does so for those who check types: ``if TYPE_CHECKING: DUMPS: bool = False``.
        """
        if name in self._named:
            raise _UnknownError
        found = self._resolved(name)
        module = self._frame.engine.project.module(found.name) if isinstance(found, ProjectModule) else None
        if module is None or not isinstance(module.scope.get("__getattr__"), FunctionValue):
            raise _UnknownError
        for statement in module.tree.body:
            if isinstance(statement, ast.If) and (dotted_name(statement.test) or "").endswith("TYPE_CHECKING"):
                for one in statement.body:
                    if (
                        isinstance(one, ast.AnnAssign)
                        and dotted_name(one.target) == attribute
                        and one.value is not None
                    ):
                        self._asked.append(attribute)
                        return self._with({}).value(one.value)
        raise _UnknownError
