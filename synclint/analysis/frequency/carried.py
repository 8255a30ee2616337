"""Loops that hand a model what the round before has made of it: words that are decoded, noise that is removed."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from synclint.analysis.frequency.loop_sources import FEW_ROUNDS
from synclint.analysis.frequency.loops import Body, Loop, read_loop
from synclint.analysis.syntax.carried_names import carried_names
from synclint.analysis.syntax.nodes import nodes_in
from synclint.analysis.syntax.walk import dotted_name, walk

_GRADIENTS_OFF = frozenset({"no_grad", "inference_mode"})
# Of them, and of Python's own functions, a call is no round of a model.
_LIBRARIES: frozenset[str] = frozenset({"torch", "F", "np", "numpy", "math", "random", "time", "tqdm", "logging", "os"})
_FUNCTIONS = frozenset(dir(builtins))
# The object whose method has the loop holds the model, and much else.
_NOT_TOLD = _LIBRARIES | {"self"}
_PUTTING = frozenset({"append", "extend", "add", "put", "insert", "update"})


def runs_a_model_in_turn(node: Loop, few: frozenset[str] = frozenset()) -> bool:
    """Whether each round gives something that is called what the last round has made of what that call returned.

    What is called is one thing in all rounds: the layers of a model, each of which is called once, are no such loop.
    Neither is one whose rounds are counted by one of a ``few`` names, of small numbers: it is a part of something.
    """
    if isinstance(node, ast.comprehension):
        return False
    counted = () if isinstance(node, ast.While) else walk(node.iter)
    if any(isinstance(part, ast.Name) and part.id in few for part in counted):
        return False
    return next(_turns(node), None) is not None


def made_in_turn(node: ast.For | ast.AsyncFor | ast.While) -> frozenset[str]:
    """The names that hold what a round makes of what a model returned, up to what the next round gives to it."""
    return frozenset(name for made in _turns(node) for name in made)


def _turns(node: ast.For | ast.AsyncFor | ast.While) -> Iterator[frozenset[str]]:
    """For each call that is given what the last round has made of what it returned, the names on the way."""
    carried = carried_names(node) | _kept_in(node)
    if not carried:
        return
    targets = () if isinstance(node, ast.While) else walk(node.target)
    skipped = _LIBRARIES.union(part.id for part in targets if isinstance(part, ast.Name))
    flow = _flow(node)
    handed = {name: flow.made_of({name}) | {name} for name in carried}
    for call in _calls_of_models(node, skipped):
        given = frozenset(_given(call))
        turned = {name for name in carried if not given.isdisjoint(handed[name])}
        if not turned:
            continue
        made = flow.made_of(flow.given.get(call, ()))
        if not made.isdisjoint(turned):
            yield frozenset(name for name in made if not flow.made_of({name}).isdisjoint(turned))


def holds_turns(node: Loop) -> bool:
    """Whether a loop stands within a loop that runs a model in turn."""
    return not isinstance(node, ast.comprehension) and any(map(runs_a_model_in_turn, read_loop(node).loops))


class _Flow(NamedTuple):
    """What a round makes of what: ``names`` are given what others hold, ``given`` what calls return."""

    names: Mapping[str, set[str]]
    given: Mapping[ast.Call, set[str]]

    def made_of(self, sources: Iterable[str]) -> set[str]:
        """The names that hold something made of what the sources hold, or are sources of that themselves."""
        found: set[str] = set()
        waiting = [*sources]
        while waiting:
            source = waiting.pop()
            if source not in found:
                found.add(source)
                waiting += self.names.get(source, ())
        return found


_HANDING_ON = frozenset(
    {ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.For, ast.AsyncFor, ast.Expr, ast.Call}
)


def _flow(node: ast.For | ast.AsyncFor | ast.While) -> _Flow:
    names: dict[str, set[str]] = defaultdict(set)
    given: dict[ast.Call, set[str]] = defaultdict(set)
    for part in nodes_in(node):
        if type(part) not in _HANDING_ON:
            continue
        value, target = _value_and_target(part)
        if value is not None and target is not None:
            targets = set(_receiving(target))
            for one in walk(value):
                if isinstance(one, ast.Name):
                    names[one.id] |= targets
                elif isinstance(one, ast.Call):
                    given[one] |= targets
    return _Flow(names, given)


def _receiving(target: ast.expr) -> Iterator[str]:
    """The names that hold what a target is given: in ``made[key] = x``, that is ``made`` and not the key."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from _receiving(one)
        return
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id


def _calls_of_models(node: ast.For | ast.AsyncFor | ast.While, skipped: frozenset[str]) -> Iterator[ast.Call]:
    """The calls in a loop of something that is neither a library's nor Python's, nor what the loop goes through."""
    for call in nodes_in(node).of(ast.Call):
        if isinstance(call.func, (ast.Name, ast.Attribute)):
            path = dotted_name(call.func)
            if path is None or path in _FUNCTIONS or path.rpartition(".")[2] in _PUTTING:
                continue
            if path.partition(".")[0] not in skipped:
                yield call


def _kept_in(node: ast.For | ast.AsyncFor | ast.While) -> frozenset[str]:
    """The objects that stay the same in all rounds, and are given something to keep in each: ``xs.append(x)``."""
    parts = list(walk(node))
    bound = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return frozenset(name for part in parts if (name := _told(part) or _put_into(part)) is not None) - bound


def _put_into(node: ast.AST) -> str | None:
    """The name of the list or the like to which a call adds something."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None
    is_kept = node.func.attr in _PUTTING and isinstance(node.func.value, ast.Name)
    return dotted_name(node.func.value) if is_kept else None


def _told(node: ast.AST) -> str | None:
    """The object that a statement gives something to keep: ``search.advance(scores)``."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or not node.value.args:
        return None
    function = node.value.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return None
    is_kept = function.attr not in _PUTTING and function.value.id not in _NOT_TOLD
    return function.value.id if is_kept else None


def _value_and_target(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """What a statement, a call of ``append``, or a method that an object is told something by, gives to which names."""
    if isinstance(node, ast.Assign):
        return node.value, ast.Tuple(node.targets)
    if isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)):
        return node.value, node.target
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return node.iter, node.target
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and (name := _told(node)) is not None:
        return ast.Tuple(node.value.args), ast.Name(name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTTING and node.args:
        return node.args[-1], node.func.value
    return None, None


def waits_for_what_is_typed(node: ast.While) -> bool:
    """Whether each round answers what somebody types, whatever it keeps of what has been said."""
    return any(isinstance(call, ast.Call) and dotted_name(call.func) == "input" for call in walk(node.body))


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


def _given(call: ast.Call) -> Iterator[str]:
    """The names that a call is given, themselves, parts of them, or what their methods make of them."""
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        while isinstance(argument, (ast.Subscript, ast.Starred, ast.Attribute, ast.Call)):
            if isinstance(argument, ast.Call) and not isinstance(argument.func, ast.Attribute):
                break
            argument = argument.func if isinstance(argument, ast.Call) else argument.value
        if isinstance(argument, ast.Name):
            yield argument.id
