"""What goes between a program and the world: to a simulated environment, from it, and what a model makes in turn.

A simulation that runs on the host cannot do without the action that comes down and the observation that goes up. What
else waits beside them, such as rewards that are copied one by one, can. Nor can a program that writes word by word do
without the word: it has to be shown, and tells whether there are more to come.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from synclint.analysis.domain.values import DType, FunctionRecord, Tensor, Value, options
from synclint.analysis.frequency.carried import made_in_turn
from synclint.analysis.frequency.loops import RESULTS_OF_A_STEP, acts
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.results.facts import (
    ACTION,
    BOTH,
    CONVERTED,
    MADE,
    OBSERVATION,
    RETURNED,
    SENT_BEFORE,
    WORKED_ON,
)
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.nodes import nodes_in
from synclint.analysis.syntax.walk import dotted_name, walk

# What brings something to the device, or may: by itself, or as the first part of that.
_UPLOADS = frozenset({"to", "cuda", "Tensor", "FloatTensor", "tensor", "as_tensor", "from_numpy", "asarray"})
# What brings something to the host.
_DOWNLOADS = frozenset({"cpu", "numpy", "item", "tolist"})
# What brings a word to the host, by itself or with those of other texts.
_READS = frozenset({"item", "tolist"})
_LEAVING = (ast.Break, ast.Return)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OF_GYM = frozenset({"gym", "gymnasium", "stable_baselines3"})
# What Gym and the programs around it call of an environment: with an action, and for what has come of it.
_GIVEN_ACTIONS = frozenset({"step", "step_async"})
_GIVING_OBSERVATIONS = frozenset({"step", "step_wait"})
_OF_ENVIRONMENTS = _GIVEN_ACTIONS | _GIVING_OBSERVATIONS


def exchanges(frame: Frame) -> Mapping[ast.stmt, str]:
    """The statements that bring an action down or an observation up, or hand back what they bring to the host.

    In a loop that is between the program and an environment in which the loop takes steps. Of one that runs a model in
    turn, those that read what it makes, and the tests by which that ends the loop. Also those that wait for what was
    sent the last time.
    """
    if not frame.loops and frame.function is None:
        return {}
    known = frame.engine.readings.exchanges
    place = frame.loops[-1].node if frame.loops else frame.function.node  # type: ignore[union-attr]
    if place not in known:
        found: Mapping[ast.stmt, str] = {}
        if frame.function is not None:
            found = {**_handed_back(frame.function, frame), **_sent_before(frame.function)}
        if frame.loops and isinstance(place, _LOOPS):
            found = {**found, **_taken_in(place), **_exchanges_in(place)}
        known[place] = found
    return known[place]


def _exchanges_in(loop: ast.For | ast.AsyncFor | ast.While) -> Mapping[ast.stmt, str]:
    nodes = nodes_in(loop)
    assigned = nodes.of(ast.Assign)
    acting = [node for node in assigned if acts(node)]
    if not acting:
        return {}
    given = {name for node in acting for name in _names_given(node)}
    observed = {name for node in acting if (name := _observation(node)) is not None}
    results = {name for node in acting for name in _names_in(node.targets[0])}
    for node in assigned:  # `obs = next_obs`
        pair = {name for one in (*node.targets, node.value) if (name := dotted_name(one)) is not None}
        if dotted_name(node.value) is not None and len(pair) > 1 and not pair.isdisjoint(observed):
            observed |= pair
    for node in assigned:  # `done = np.logical_or(terminated, truncated)`
        if not results.isdisjoint(_names_in(node.value)):
            results.update(target.id for target in node.targets if isinstance(target, ast.Name))
    downwards = {*acting, *_makers(given, assigned, up_to=_DOWNLOADS)}
    calling = {
        node
        for node in _makers(given, assigned, up_to=frozenset())
        if isinstance(node.value, ast.Call) and not observed.isdisjoint(_names_given(node))
    }
    found: dict[ast.stmt, str] = {}
    for statement in nodes:
        if isinstance(statement, (ast.Assign, ast.Expr, ast.AnnAssign)) and statement.value is not None:
            uploaded = [set(_names_in(call)) for call in walk(statement.value) if _calls_one_of(_UPLOADS, call)]
            # Beside the observation nothing goes up but what else the environment has said.
            is_up = any(not observed.isdisjoint(one) for one in uploaded)
            is_up = is_up and all(not results.isdisjoint(one) for one in uploaded)
            is_up = is_up or statement in calling
            is_down = statement in downwards
            if is_up or is_down:
                found[statement] = BOTH if is_up and is_down else ACTION if is_down else OBSERVATION
    return found


def exchanged(statement: ast.stmt, exchanging: Mapping[ast.stmt, str], frame: Frame) -> str:
    """What a statement brings, by what it may bring; of what is made in turn, integers alone are words."""
    exchange = exchanging.get(statement, "")
    if exchange == MADE and not any(_is_a_word(frame.lookup(name)) for name in _read_by(statement)):
        return ""
    return exchange


def _is_a_word(value: Value | None) -> bool:
    return value is not None and any(isinstance(one, Tensor) and one.dtype is DType.INT for one in options(value))


def _taken_in(loop: ast.For | ast.AsyncFor | ast.While) -> Mapping[ast.stmt, str]:
    """The statements that read what a loop makes in turn, and the tests of it by which the loop is left."""
    nodes = nodes_in(loop)
    asking: list[ast.stmt] = [*nodes.of(ast.If)]
    if any(_read(call) is not None for call in nodes.of(ast.Call)):
        asking += (*nodes.of(ast.Assign), *nodes.of(ast.Expr), *nodes.of(ast.AnnAssign), *nodes.of(ast.Return))
    reads = {node: names for node in asking if (names := _read_by(node))}
    made = made_in_turn(loop) if reads else frozenset[str]()
    return {node: MADE for node, names in reads.items() if not names.isdisjoint(made)}


def _read_by(statement: ast.stmt) -> set[str]:
    """The names of what a statement brings to the host itself, or asks for in order to leave a loop."""
    if isinstance(statement, ast.If):
        if any(isinstance(block[-1], _LEAVING) for block in (statement.body, statement.orelse) if block):
            return {name for one in _compared(statement.test) if (name := _named(one)) is not None}
    elif isinstance(statement, (ast.Assign, ast.Expr, ast.AnnAssign, ast.Return)) and statement.value is not None:
        return {name for part in walk(statement.value) if (name := _read(part)) is not None}
    return set()


def _read(node: ast.AST) -> str | None:
    """The name of what a call reads, itself or in part, and not what something computes of it."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _READS:
        return None
    return _named(node.func.value)


def _named(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return dotted_name(node)


def _compared(test: ast.expr) -> Iterator[ast.expr]:
    """What a test compares, or asks itself: one word, and not whether all of many texts have ended."""
    if isinstance(test, ast.BoolOp):
        yield from (one for value in test.values for one in _compared(value))
    elif isinstance(test, ast.Compare):
        yield from (test.left, *test.comparators)
    else:
        yield test


def _makers(names: Iterable[str], assigned: Iterable[ast.Assign], up_to: frozenset[str]) -> set[ast.Assign]:
    """The assignments that make what the names hold, through others, ``up_to`` those that call one of these."""
    making: dict[str, list[ast.Assign]] = defaultdict(list)
    for node in assigned:
        for target in node.targets:
            # The position `i` of `rows[i]` is not made there.
            for name in _names_in(_without_positions(target)):
                making[name].append(node)
    found: set[ast.Assign] = set()
    waiting = [*names]
    while waiting:
        for node in making[waiting.pop()]:
            if node not in found:
                found.add(node)
                if not any(_calls_one_of(up_to, part) for part in walk(node.value)):
                    waiting += _names_in(node.value)
    return found


def _without_positions(target: ast.expr) -> ast.expr:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _handed_back(record: FunctionRecord, frame: Frame) -> Mapping[ast.stmt, str]:
    """The statements of a function that bring to the host what it returns, or what an environment is given."""
    if not isinstance(record.node, ast.FunctionDef):
        return {}
    brings_down = any(_calls_one_of(_DOWNLOADS, call) for call in record.nodes.of(ast.Call))
    is_exchange = record.name in _OF_ENVIRONMENTS and _is_of_an_environment(frame)
    if not brings_down and not is_exchange:
        return {}
    assigned = record.nodes.of(ast.Assign)
    returned = {node: node.value for node in record.nodes.of(ast.Return) if node.value is not None}
    found: dict[ast.stmt, str] = {}
    if brings_down:
        found.update({node: RETURNED for node, value in returned.items() if _downloads(value)})
        open_returns = [value for node, value in returned.items() if node not in found]
        handed = {name for value in open_returns for name in _names_in(value)}
        handed |= {name for call in record.nodes.of(ast.Call) for name in _appended(call, handed)}
        made = _makers(handed, assigned, up_to=_DOWNLOADS - {"numpy"})  # which a tensor on the device has not
        found.update({node: RETURNED for node in made if _downloads(node.value)})
        last = max((call.lineno for call in record.nodes.of(ast.Call) if _goes_up(call)), default=0)
        found.update({node: WORKED_ON for node in found if node.lineno <= last})
        given = {one.name for one in record.parameters} - {
            name for node in assigned for target in node.targets for name in _names_in(target)
        }
        found.update({node: CONVERTED for node in found if not given.isdisjoint(_read_by(node))})
    if not is_exchange:
        return found
    results = [value for value in returned.values() if isinstance(value, ast.Tuple)]
    results = [value for value in results if len(value.elts) in RESULTS_OF_A_STEP]
    if record.name in _GIVEN_ACTIONS and (results or record.name != "step"):
        given = {argument.arg for argument in record.node.args.args[1:]}
        found |= {node: ACTION for node in assigned if not given.isdisjoint(_names_in(node.value))}
    if record.name in _GIVING_OBSERVATIONS:
        observed = {name for value in results for name in _names_in(value.elts[0])}
        for node in assigned:
            if any(not observed.isdisjoint(_names_in(target)) for target in node.targets):
                found[node] = BOTH if node in found else OBSERVATION
    return found


def _sent_before(record: FunctionRecord) -> Mapping[ast.stmt, str]:
    """The statements that wait for an event which the function records anew, behind what it sends after them.

    A buffer of the host that is still read may not be filled again: what the function has sent the last time has to be
    through, and nothing that comes after that is waited for.
    """
    called = [(one, call) for one in record.nodes.of(ast.Expr) if isinstance(call := one.value, ast.Call)]
    waiting = [(one, event) for one, call in called if (event := _event_of(call, "synchronize")) is not None]
    if not waiting:
        return {}
    recorded: dict[str, int] = {}
    for call in record.nodes.of(ast.Call):
        if (event := _event_of(call, "record")) is not None:
            recorded[event] = max(call.lineno, recorded.get(event, 0))
    return {one: SENT_BEFORE for one, event in waiting if recorded.get(event, 0) > one.lineno}


def _event_of(call: ast.Call, method: str) -> str | None:
    """The object whose method a call calls, as it is written, if that is called so."""
    return dotted_name(call.func.value) if isinstance(call.func, ast.Attribute) and call.func.attr == method else None


def _is_of_an_environment(frame: Frame) -> bool:
    """Whether what runs is a method of an environment: it is reset or waited for, too, or made from Gym's."""
    owner = frame.function.owner if frame.function is not None else None
    if owner is None:
        return False
    if any(classes.find_method(owner, name) is not None for name in ("reset", "step_wait")):
        return True
    return any(base.partition(".")[0] in _OF_GYM for base in ancestry.external_bases(frame.engine, owner))


def _downloads(value: ast.expr) -> bool:
    return any(_calls_one_of(_DOWNLOADS, part) for part in walk(value))


def _appended(call: ast.Call, lists: Collection[str]) -> Iterator[str]:
    """The names of what a call puts at the end of one of these lists: ``found.append(part)``."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "append" and dotted_name(call.func.value) in lists:
        yield from (name for given in call.args for name in _names_in(given))


def _goes_up(call: ast.Call) -> bool:
    """Whether a call brings something to a device, or makes it there, by what it is given: ``x.to(y.device)``."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "cuda":
        return True
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "device"), None)
    if given is None and isinstance(call.func, ast.Attribute) and call.func.attr == "to":
        given = next(iter(call.args), None)
    return given is not None and (dotted_name(given) or "").rpartition(".")[2] == "device"


def _names_given(node: ast.Assign) -> Iterator[str]:
    """The names of what a call is given, such as that of a step in an environment."""
    if isinstance(node.value, ast.Call):
        for argument in (*node.value.args, *(keyword.value for keyword in node.value.keywords)):
            yield from _names_in(argument)


def _names_in(node: ast.AST) -> Iterator[str]:
    """The names of variables and of attributes of the object itself."""
    for one in walk(node):
        if isinstance(one, ast.Name) and one.id != "self":
            yield one.id
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
            yield f"self.{one.attr}"


def _calls_one_of(functions: frozenset[str], node: ast.AST) -> bool:
    name = dotted_name(node.func) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
    return name is not None and name.rpartition(".")[2] in functions


def _observation(node: ast.Assign) -> str | None:
    """The name of what is observed, which comes first."""
    target = node.targets[0]
    first = target.elts[0] if isinstance(target, (ast.Tuple, ast.List)) and target.elts else target
    return dotted_name(first)
