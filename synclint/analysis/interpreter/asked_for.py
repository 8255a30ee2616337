"""Branches that open only where somebody asks for it: by a flag, another default, a configuration, a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.interpreter.command_line_flags import flags_of, given_on_command_line
from synclint.analysis.interpreter.declared_options import declared_option
from synclint.analysis.interpreter.environment import variable_behind
from synclint.analysis.interpreter.gpu_switches import is_gpu_switch
from synclint.analysis.interpreter.places_asked import other_gpu_behind
from synclint.analysis.interpreter.switches import flag_of, parameter_behind
from synclint.analysis.program.heads import Parameter
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk


def option_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """The option that somebody has to set for a test to come out so; None where it may without."""
    known = frame.engine.readings.options
    key = (test, taken)
    if key not in known:
        known[key] = _option_behind(test, taken, frame)
    # What holds an attribute may become known later, or in other calls.
    return known[key] or _declared_behind(test, taken, frame)


def _declared_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    if isinstance(test, (ast.Name, ast.Compare, ast.Call)):
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _declared_behind(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is taken:
        found = (_declared_behind(value, taken, frame) for value in test.values)
        return next((one for one in found if one is not None), None)
    if not isinstance(test, ast.Attribute):
        return None
    return declared_option(test, taken, frame) or given_on_command_line(test, taken, frame)


def _option_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _option_behind(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp):
        found = [_option_behind(value, taken, frame) for value in test.values]
        if isinstance(test.op, ast.And) is taken:  # all of the values have this outcome
            return next((one for one in found if one is not None), None)
        return found[0] if all(found) else None
    if is_gpu_switch(test, frame):
        return None  # whoever runs this on a GPU has asked for it
    if (asked := variable_behind(test, taken, frame) or other_gpu_behind(test, taken, frame)) is not None:
        return asked
    if (name := _name_asked_for(test, taken)) is not None and (asked := _given_behind(name, frame)) is not None:
        return asked
    if (compared := _compared_with(test)) is not None:
        return _option_behind(test.left, taken is compared, frame)  # type: ignore[attr-defined]
    if isinstance(test, ast.Attribute) and test.attr == "is_sparse":
        # Tensors are dense, and so are gradients, but for those of `Embedding(sparse=True)` and the like.
        return ast.unparse(test) if taken else None
    if isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name):
        flag = flags_of(frame.module).get(test.attr)
        if flag is None:
            kept = parameter_behind(test, frame.function, frame) if frame.function is not None else None
            return _asked_of(kept[1], taken) if kept is not None else None
        return flag.option if flag.usual is not taken else None
    if not isinstance(test, ast.Name) or frame.function is None:
        return None
    return next((_asked_of(one, taken) for one in frame.function.parameters if one.name == test.id), None)


def _name_asked_for(test: ast.expr, taken: bool) -> str | None:
    """The name of which an outcome tells that it has been given something: ``if writer``, ``if writer is not None``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        other = test.comparators[0]
        if not isinstance(other, ast.Constant) or other.value is not None or isinstance(test.ops[0], ast.Is) is taken:
            return None
        test = test.left
    elif not taken:
        return None
    return test.id if isinstance(test, ast.Name) else None


def _given_behind(name: str, frame: Frame) -> str | None:
    """The option without which a function leaves a name at nothing: ``log = None``, ``if logs: log = open(...)``.

    So does ``log = open(...) if logs else None``.
    """
    function = frame.function
    if function is None or name not in function.stored_names or any(one.name == name for one in function.parameters):
        return None
    given = [node for node in function.nodes.of(ast.Name) if node.id == name and not isinstance(node.ctx, ast.Load)]
    assigned = [(one.targets, one.value) for one in function.nodes.of(ast.Assign)]
    assigned += [([one.target], one.value) for one in function.nodes.of(ast.AnnAssign) if one.value is not None]
    nothing = [to[0] for to, value in assigned if len(to) == 1 and isinstance(value, ast.Constant) and not value.value]
    left = {node for node in given if node not in nothing}
    is_chosen = any(True for _ in _choices(assigned, name))
    if not left or (len(left) == len(given) and not is_chosen):
        return None
    options: list[str] = []
    for test, outcome, behind in (*_branches(function), *_choices(assigned, name)):
        if any(isinstance(one, ast.Name) and one.id == name for one in walk(test)):
            continue
        stored = {one for part in behind for one in walk(part) if one in left}
        if stored and (option := option_behind(test, outcome, frame)) is not None:
            left -= stored
            options.append(option)
    return options[0] if not left else None


_Behind = tuple[ast.expr, bool, list[ast.AST]]


def _branches(function: FunctionRecord) -> Iterator[_Behind]:
    """What stands behind the outcomes of each test of a function."""
    for branching in function.nodes.of(ast.If):
        for suite, outcome in ((branching.body, True), (branching.orelse, False)):
            yield branching.test, outcome, list(suite)


def _choices(assigned: Iterable[tuple[list[ast.expr], ast.expr]], name: str) -> Iterator[_Behind]:
    """The tests by which a name is given something or nothing: ``log = open(...) if logs else None``."""
    for targets, value in assigned:
        if isinstance(value, ast.IfExp) and len(targets) == 1 and dotted_name(targets[0]) == name:
            for one, outcome in ((value.orelse, True), (value.body, False)):
                if isinstance(one, ast.Constant) and not one.value:
                    yield value.test, outcome, list(targets)


def _compared_with(test: ast.expr) -> bool | None:
    """The value for which a test is true: ``if init is True``, ``if init == False``, ``if init is not False``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.comparators[0], ast.Constant):
        return None
    value = test.comparators[0].value
    if not isinstance(value, bool) or not isinstance(test.ops[0], (ast.Is, ast.Eq, ast.IsNot, ast.NotEq)):
        return None
    return value is isinstance(test.ops[0], (ast.Is, ast.Eq))


def _asked_of(parameter: Parameter, value: bool) -> str | None:
    """What somebody has to ask for so that a parameter has a value; None where it has that by default."""
    flag = flag_of(parameter)
    return flag if flag is not None and (flag == parameter.name) is value else None
