"""What counts the rounds of a loop, as statements show it: names that are increased, and flags that are set seldom."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.paces import (
    COUNT,
    COUNTED,
    LAST,
    LAST_FEW,
    LISTED,
    QUOTIENT,
    counts,
    every,
    pace_of,
    seldom,
)
from synclint.analysis.domain.values import (
    Array,
    BoundMethod,
    FunctionRecord,
    Nothing,
    Pace,
    Scalar,
    Unknown,
    Value,
    options,
)
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.nodes import nodes_in
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import Phase

_Loop = ast.For | ast.AsyncFor | ast.While


def begin_counting(loop: _Loop, frame: Frame) -> None:
    """Let the names that a loop increases count its rounds from the first one on."""
    by_what = increased_in(loop, frame)
    for name in sorted(name for name in by_what if "." not in name):
        value = frame.scope.get(name)
        if value is None:
            value = frame.lookup(name)
        if value is not None and (counted := counting(value, by_what[name])) is not value:
            frame.know(name, counted)


def begun(node: ast.Assign, value: Value, frame: Frame) -> Value:
    """What an assignment gives a name: a number from which the rounds of a loop further on are counted.

    Who is given that before the loop is given the count, as in the rounds.
    """
    target, function = node.targets[0], frame.function
    if function is None or not isinstance(target, ast.Name):
        return value
    if not isinstance(value, Scalar) or type(value.literal) is not int:
        return value
    loops: tuple[_Loop, ...] = (*function.nodes.of(ast.For), *function.nodes.of(ast.While))
    is_counted = any(increased_in(loop, frame).get(target.id, False) for loop in loops)
    return Scalar(value.kind, value.literal, COUNT) if is_counted else value


def increased_in(loop: _Loop, frame: Frame) -> Mapping[str, bool]:
    """The names and attributes that a loop's rounds increase, and whether it is by numbers that are written there."""
    known = frame.engine.readings.increased
    if loop not in known:
        found: dict[str, bool] = {}
        for name, is_by_number in _increased(loop):
            found[name] = found.get(name, True) and is_by_number
        known[loop] = found
    return known[loop]


def _increased(loop: _Loop) -> Iterator[tuple[str, bool]]:
    nodes = nodes_in(loop)
    adding: list[ast.AugAssign | ast.Assign] = [*nodes.of(ast.AugAssign), *nodes.of(ast.Assign)]
    for node in adding:
        target = increased_by(node)
        if target is not None and (path := dotted_name(target)) is not None:
            yield path, _adds_a_number(node)


def increased_by(node: ast.stmt) -> ast.expr | None:
    """What ``step += 1``, ``step = step + 1`` increase; None for other statements."""
    if isinstance(node, ast.AugAssign):
        return node.target if isinstance(node.op, ast.Add) else None
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp) or len(node.targets) != 1:
        return None
    target, added = node.targets[0], node.value
    if not isinstance(added.op, ast.Add) or (path := dotted_name(target)) is None:
        return None
    return target if path in (dotted_name(added.left), dotted_name(added.right)) else None


def _adds_a_number(statement: ast.AugAssign | ast.Assign) -> bool:
    """Whether what a statement increases is increased by a number that is written there."""
    if isinstance(statement.value, ast.BinOp):
        return _is_number(statement.value.left) or _is_number(statement.value.right)
    return _is_number(statement.value)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def increased(statement: ast.AugAssign | ast.Assign, value: Value, frame: Frame) -> Value:
    """What a statement gives its target, which counts rounds where that is increased in each of some.

    An attribute outlives the call, so that the calls are its rounds; a constructor has none.
    """
    target = increased_by(statement)
    if target is None:
        return value
    if isinstance(target, ast.Name):
        is_counted = bool(frame.loops) or target.id not in frame.scope
    else:
        is_counted = isinstance(target, (ast.Attribute, ast.Subscript)) and not _is_constructor(frame)
    return counting(value, _adds_a_number(statement)) if is_counted else value


def _is_constructor(frame: Frame) -> bool:
    return frame.function is not None and frame.function.name == "__init__"


def counting(value: Value, is_by_number: bool = False) -> Value:
    """A number that counts: what is one, whatever it may be besides of which nothing is known.

    What is unknown is one where numbers are added to it.
    """
    if isinstance(value, Scalar):
        is_count = value.pace is not None and (value.pace != COUNT or value.literal is None)
        return value if value.kind == "bool" or is_count else Scalar(value.kind, pace=COUNT)
    if any(isinstance(one, Scalar) for one in options(value)) and all(map(_may_count, options(value))):
        return value if counts(value) else join(value, COUNTED)
    return join(value, COUNTED) if is_by_number and isinstance(value, Unknown) else value


def as_dividend(node: ast.expr, value: Value, frame: Frame) -> Value:
    """What is divided: what the loops around increase, or an attribute that methods increase, counts rounds.

    It may be increased by anything. Elsewhere something unknown may be a list or a tensor that grows; remainders are
    those of numbers.
    """
    path = dotted_name(node)
    loops = (loop.node for loop in frame.loops)
    is_increased = any(isinstance(loop, _Loop) and path in increased_in(loop, frame) for loop in loops)
    if isinstance(node, ast.Attribute):
        is_counted = all(map(_may_count, options(value))) and (is_increased or _is_increased_in_calls(node, frame))
        return join(value, COUNTED) if is_counted and not counts(value) else value
    return COUNTED if is_increased and isinstance(value, Unknown) else value


def _is_increased_in_calls(node: ast.Attribute, frame: Frame) -> bool:
    """Whether methods of the object whose method runs increase one of its attributes, other than its constructor."""
    function, path = frame.function, dotted_name(node)
    if function is None or function.owner is None or path != f"{function.receiver}.{node.attr}":
        return False
    assigning = (method for owner in function.owner.ancestors for method in owner.assigners.get(node.attr, ()))
    methods = dict.fromkeys((*assigning, *function.owner.all_methods.values()))
    return any(node.attr in _increased_attributes(method) for method in methods if method.name != "__init__")


@text_fact
def _increased_attributes(method: FunctionRecord) -> frozenset[str]:
    """The attributes of its object that a method increases: ``self.step += 1``, ``self.step.add_(1)``."""
    targets = [increased_by(statement) for statement in method.nodes.of(ast.AugAssign)]
    targets += [increased_by(statement) for statement in method.nodes.of(ast.Assign)]
    functions = (call.func for call in method.nodes.of(ast.Call))
    targets += [one.value for one in functions if isinstance(one, ast.Attribute) and one.attr == "add_"]
    return frozenset(
        target.attr
        for target in targets
        if isinstance(target, ast.Attribute) and dotted_name(target) == f"{method.receiver}.{target.attr}"
    )


def read_off(call: ast.Call, value: Value, frame: Frame) -> Value:
    """What ``self.step.item()`` and ``int(self.step.data)`` give: the count in a tensor, if methods increase that."""
    if not isinstance(value, Scalar) or value.pace is not None:
        return value
    function, read = call.func, None
    if isinstance(function, ast.Attribute) and function.attr == "item":
        read = function.value
    elif isinstance(function, ast.Name) and function.id == "int" and len(call.args) == 1:
        read = call.args[0]
    while isinstance(read, ast.Attribute) and read.attr == "data":
        read = read.value
    return COUNTED if isinstance(read, ast.Attribute) and _is_increased_in_calls(read, frame) else value


def as_divisor(node: ast.expr, value: Value, frame: Frame) -> Value:
    """What rounds are divided by: an attribute or a parameter that is one by default is an option that may be set."""
    if not isinstance(value, Scalar) or value.literal != 1:
        return value
    names = () if frame.function is None else {one.name for one in frame.function.parameters}
    is_option = isinstance(node, (ast.Attribute, ast.Subscript)) or (isinstance(node, ast.Name) and node.id in names)
    return Scalar(value.kind) if is_option else value


def _may_count(option: Value) -> bool:
    """Whether something may be a number: arrays of which the truth is asked for have one element."""
    return isinstance(option, (Unknown, BoundMethod, Scalar, Nothing, Array))


def draws(node: ast.expr) -> bool:
    """Whether an expression is one number that PyTorch draws: ``torch.rand(1)``, ``torch.rand(()).item()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        node = node.func.value
    return isinstance(node, ast.Call) and dotted_name(node.func) == "torch.rand" and len(node.args) == 1


def counts_down(call: ast.AST) -> bool:
    """Whether a call is given ``depth - 1``: functions that call each other so count how often they still will."""
    return isinstance(call, ast.Call) and any(
        isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub) and _is_number(one.right) for one in call.args
    )


def of_bound(operator: ast.cmpop, left: Value, right: ast.expr) -> Pace | None:
    """The outcome of ``i == len(loader) - 1``, ``i in range(0, total, 100)``, ``i // 100 != last`` and their like."""
    pace = pace_of(left)
    if isinstance(operator, (ast.Eq, ast.NotEq)) and pace is not None and pace.kind == QUOTIENT:
        return (
            seldom(isinstance(operator, ast.NotEq), every(pace.detail)).pace if _is_of_before(operator, right) else None
        )
    if not counts(left):
        return None
    if isinstance(operator, (ast.In, ast.NotIn)):
        is_regular = isinstance(right, ast.Call) and dotted_name(right.func) == "range" and len(right.args) > 2
        return seldom(isinstance(operator, ast.In), LISTED).pace if is_regular else None
    if not isinstance(right, ast.BinOp) or not isinstance(right.op, ast.Sub):
        return None
    if not _is_number(right.right):
        return None
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return seldom(isinstance(operator, ast.Eq), LAST).pace
    if isinstance(operator, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
        return seldom(isinstance(operator, (ast.Gt, ast.GtE)), LAST_FEW).pace
    return None


def _is_of_before(operator: ast.cmpop, other: ast.expr) -> bool:
    """Whether a quotient is compared with that of an earlier round, from which it differs now and then."""
    if isinstance(other, ast.BinOp):
        return isinstance(other.op, ast.FloorDiv)
    return isinstance(operator, ast.NotEq) and isinstance(other, (ast.Name, ast.Attribute))


def under_guard(value: Value, frame: Frame) -> Value:
    """What a branch gives: where it is a seldom one, ``True`` is a flag that is seldom true."""
    if not isinstance(value, Scalar) or type(value.literal) is not bool or value.pace is not None:
        return value
    guard = next((one for one in reversed(frame.guards) if one.runs in (Phase.INTERVAL, Phase.ONCE)), None)
    return value if guard is None else seldom(value.literal, guard.reason.removeprefix("runs "))


def flagged(node: ast.Assign, value: Value, frame: Frame) -> Value:
    """What an assignment gives a flag: one that is set in a seldom branch, and cleared in each round, is seldom set."""
    target = node.targets[0]
    if (
        not isinstance(node.value, ast.Constant)
        or not isinstance(target, (ast.Name, ast.Attribute))
        or not frame.guards
    ):
        return value
    paced = under_guard(value, frame)
    if paced is value or (path := dotted_name(target)) is None:
        return value
    body = frame.loops[-1].node.body if frame.loops and isinstance(frame.loops[-1].node, _Loop) else None
    nodes = walk(body) if body is not None else frame.function.nodes if frame.function is not None else ()
    return paced if any(_clears(other, path, not node.value.value) for other in nodes) else value


def _clears(node: ast.AST, path: str, value: bool) -> bool:
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and node.value.value is value
        and any(dotted_name(target) == path for target in node.targets)
    )


def counted_loop(test: ast.expr, frame: Frame) -> int:
    """The loop of the function whose rounds a test counts, from the outside in and beginning with one; none for zero.

    It is the innermost one that gives what the test reads its values, or one around it in which the count goes on.
    """
    read = {node.id for node in walk(test) if isinstance(node, ast.Name) and _is_paced(node.id, frame)}
    return max((_counted_by(name, frame) for name in read), default=0) if frame.loops else 0


def _counted_by(name: str, frame: Frame, is_copied: bool = False) -> int:
    """The loop whose rounds a name counts; none for one that stands for an attribute, which outlives them all."""
    given = [_given_by(loop.node, frame) for loop in frame.loops]
    index = next((index for index in range(len(given), 0, -1) if name in given[index - 1]), 0)
    if not index:
        return 0
    copied = _copied(given[index - 1][name], frame.loops[index - 1].node)
    if copied is not None and not is_copied:
        return 0 if "." in copied else _counted_by(copied, frame, is_copied=True)
    while index > 1 and not given[index - 1][name] | given[index - 2].get(name, frozenset()):
        index -= 1
    return index


def _copied(given: frozenset[ast.AST], loop: ast.AST) -> str | None:
    """The name or attribute of which one that is given a value in a loop is another one: ``before = self.step``."""
    if len(given) != 1 or not isinstance(loop, _Loop):
        return None
    copies = [node for node in nodes_in(loop).of(ast.Assign) if given == {*node.targets}]
    return dotted_name(copies[0].value) if copies else None


def _is_paced(name: str, frame: Frame) -> bool:
    value = frame.scope.get(name)
    return value is not None and pace_of(value) is not None


def _given_by(loop: ast.AST, frame: Frame) -> Mapping[str, frozenset[ast.AST]]:
    """The names that the rounds of a loop give values, by its target or in its body, and where these add nothing."""
    known = frame.engine.readings.given
    if loop not in known:
        targets = walk(loop.target) if isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)) else ()
        nodes = [*targets, *(walk(loop.body) if isinstance(loop, _Loop) else ())]
        added = {increased_by(node) for node in nodes if isinstance(node, (ast.AugAssign, ast.Assign))}
        stored = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        known[loop] = {
            name: frozenset(node for node in stored if node.id == name and node not in added)
            for name in {node.id for node in stored}
        }
    return known[loop]
