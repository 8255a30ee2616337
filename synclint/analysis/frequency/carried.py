"""Loops that hand a model what the round before has made of it: words that are decoded, noise that is removed."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from synclint.analysis.frequency.loops import FEW_ROUNDS, Body, Loop
from synclint.analysis.syntax.carried_names import carried_names
from synclint.analysis.syntax.walk import dotted_name, walk

_GRADIENTS_OFF = frozenset({"no_grad", "inference_mode"})
# Of them, and of Python's own functions, a call is no round of a model.
_LIBRARIES = frozenset({"torch", "F", "np", "numpy", "math", "random", "time", "tqdm", "logging", "os"})
_FUNCTIONS = frozenset(dir(builtins))


def runs_a_model_in_turn(node: Loop, few: frozenset[str] = frozenset()) -> bool:
    """Whether each round gives something that is called what the last round has assigned from such a call.

    What is called is one thing in all rounds: the layers of a model, each of which is called once, are no such loop.
    Neither is one whose rounds are counted by one of a ``few`` names, of small numbers: it is a part of something.
    """
    if isinstance(node, ast.comprehension):
        return False
    counted = () if isinstance(node, ast.While) else walk(node.iter)
    if any(isinstance(part, ast.Name) and part.id in few for part in counted):
        return False
    assigned = (statement for statement in walk(node.body) if isinstance(statement, ast.Assign))
    made = {name for statement in assigned for name in _made_by_calls(statement)}
    if not made:
        return False
    in_turn = made & carried_names(node)
    if not in_turn:
        return False
    targets = () if isinstance(node, ast.While) else walk(node.target)
    gone_through = {part.id for part in targets if isinstance(part, ast.Name)}
    for call in walk(node.body):
        if isinstance(call, ast.Call) and isinstance(call.func, (ast.Name, ast.Attribute)):
            path = dotted_name(call.func)
            if path is None:
                continue
            root = path.partition(".")[0]
            if root in _LIBRARIES or path in _FUNCTIONS or root in gone_through or root in in_turn:
                continue
            if not in_turn.isdisjoint(_given(call)):
                return True
    return False


def answers_one_by_one(node: Loop) -> bool:
    """Whether no round of a loop rests on the one before: it goes through what there is, or waits for what is typed."""
    if isinstance(node, ast.While):
        return any(
            isinstance(call, ast.Call) and dotted_name(call.func) in ("input", "self.input") for call in walk(node.body)
        )
    return not runs_a_model_in_turn(node)


def is_quiet(body: Body, decorators: tuple[str, ...]) -> bool:
    """Whether a function has gradients switched off, and so learns nothing from what it runs."""
    if "backward" in body.called:
        return False
    return not body.called.isdisjoint(_GRADIENTS_OFF) or any(
        name.rpartition(".")[2] in _GRADIENTS_OFF for name in decorators
    )


def small_defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The parameters of a function whose defaults are small numbers."""
    given = [*node.args.posonlyargs, *node.args.args]
    paired = [*zip(reversed(given), reversed(node.args.defaults), strict=False)]
    paired += [(one, value) for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value]
    return frozenset(
        one.arg
        for one, value in paired
        if isinstance(value, ast.Constant) and type(value.value) is int and value.value <= FEW_ROUNDS
    )


def _made_by_calls(statement: ast.Assign) -> Iterator[str]:
    if any(isinstance(part, ast.Call) for part in walk(statement.value)) or isinstance(statement.value, ast.Name):
        for target in statement.targets:
            names = (part for part in walk(target) if isinstance(part, ast.Name))
            yield from (name.id for name in names if isinstance(name.ctx, ast.Store))


def _given(call: ast.Call) -> Iterator[str]:
    """The names that a call is given, themselves or parts of them."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        while isinstance(argument, (ast.Subscript, ast.Starred)):
            argument = argument.value
        if isinstance(argument, ast.Name):
            yield argument.id
