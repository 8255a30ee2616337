"""Branches that only certain calls allow: ``if self.balances:`` runs where the constructor was given ``balances``.

Where all calls of a function are known, and none gives a parameter whose default keeps a branch from running, nothing
runs that branch; the same holds for ``if weight is None`` where all of them give the weight.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from synclint.analysis.calls.written_arguments import positional_names, written_arguments
from synclint.analysis.domain.values import UNKNOWN, ClassRecord, FunctionRecord, Symbol, options
from synclint.analysis.objects import classes
from synclint.analysis.program.heads import Parameter
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.results.facts import HandedOn, Need
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.control_context import Condition
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.arguments import argument_nodes
from synclint.analysis.syntax.walk import dotted_name, walk


def need_of(test: ast.expr, taken: bool, frame: Frame) -> Condition | None:
    """What calls have to do so that a branch of a test runs, None where that is not known."""
    known = frame.engine.readings.needs
    key = (test, taken)
    if key not in known:
        known[key] = _need(test, taken, frame)
    return known[key]


def _need(test: ast.expr, taken: bool, frame: Frame) -> Condition | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _need(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and taken:
        needs = (_need(value, taken, frame) for value in test.values)
        return next((need for need in needs if need is not None), None)
    asked = test.left if isinstance(test, ast.Compare) else test
    if not isinstance(asked, (ast.Name, ast.Attribute)) or frame.function is None:
        return None
    found = parameter_behind(asked, frame.function, frame)
    if found is None:
        return None
    record, parameter = found
    if not isinstance(parameter.default, ast.Constant):
        return None
    default = parameter.default.value
    outcome = _outcome(test, default, frame)
    if outcome is None or (outcome is taken and not (default is None and isinstance(test, ast.Compare))):
        return None
    return Condition(record, parameter.name, given=outcome is not taken)


def _outcome(test: ast.expr, value: object, frame: Frame) -> bool | None:
    """The outcome of a test of a name for a value, None where the text does not show it."""
    if not isinstance(test, ast.Compare):
        return bool(value)
    if len(test.ops) != 1:
        return None
    compared = test.comparators[0]
    if isinstance(compared, ast.Constant):
        is_alike = value == compared.value
    elif _is_infinity(compared, frame):
        is_alike = value == math.inf
    else:
        return None
    if isinstance(test.ops[0], (ast.Is, ast.Eq)):
        return is_alike
    return not is_alike if isinstance(test.ops[0], (ast.IsNot, ast.NotEq)) else None


# How Python, NumPy and PyTorch call it; `torch._six` had it up to PyTorch 1.12.
_INFINITIES = frozenset({"math.inf", "numpy.inf", "torch.inf", "torch._six.inf"})


def _is_infinity(node: ast.expr, frame: Frame) -> bool:
    """Whether an expression is the infinite number that norms are compared with."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
        return [isinstance(one, ast.Constant) and one.value in ("inf", "infinity") for one in node.args] == [True]
    root, _, attributes = (dotted_name(node) or "").partition(".")
    # It may be taken from one module or another, depending on the release.
    meant = options(frame.lookup(root) or UNKNOWN)
    names = [".".join(filter(None, (one.name, attributes))) for one in meant if isinstance(one, Symbol)]
    return len(names) == len(meant) and _INFINITIES.issuperset(names)


def parameter_behind(
    asked: ast.Name | ast.Attribute, function: FunctionRecord, frame: Frame
) -> tuple[FunctionRecord, Parameter] | None:
    """The parameter of the function being run, or of the constructor of its class, that gives the value."""
    if isinstance(asked, ast.Name):
        if (
            _assigns(function, asked.id)
            and not _assigns_only_later(function, asked)
            and not _only_converts(function, asked.id)
        ):
            return None
        return next(((function, p) for p in function.parameters if p.name == asked.id), None)
    if function.owner is None or dotted_name(asked.value) != function.receiver:
        return None
    constructor = classes.find_method(function.owner, "__init__")
    if constructor is None or constructor.owner is not function.owner:
        return None
    kept = kept_parameters(constructor).get(asked.attr)
    return None if kept is None or _is_set_elsewhere(asked.attr, function.owner) else (constructor, kept)


def _is_set_elsewhere(attribute: str, owner: ClassRecord) -> bool:
    """Whether an attribute of an object is set but once by its class: who else sets one is most likely in its file."""
    module = owner.module
    related = (one.name for one in module.classes if one is not owner and owner in one.ancestors)
    assigned = module.assigned_attributes
    return assigned[owner.name, attribute] > 1 or any(assigned[name, attribute] for name in ("", *related))


def _assigns(function: FunctionRecord, name: str) -> bool:
    """Whether a function gives one of its parameters another value."""
    return not isinstance(function.node.body, list) or name in function.stored_names


def _assigns_only_later(function: FunctionRecord, asked: ast.Name) -> bool:
    """Whether a parameter still has what a call gave it where it is asked for: `if weight is None: weight = ...`."""
    if any(first <= asked.lineno <= last for first, last in function.loop_lines):
        return False  # what is given later in one round is asked for in the next
    first_given = function.first_bindings.get(asked.id)
    return first_given is None or first_given > (asked.lineno, asked.col_offset)


def _only_converts(function: FunctionRecord, name: str) -> bool:
    """Whether all that a parameter is given is itself as another type of number: ``p = float(p)``."""
    given = [
        node.value
        for node in function.nodes.of(ast.Assign)
        if any(isinstance(to, ast.Name) and to.id == name for to in node.targets)
    ]
    stored = sum(node.id == name and not isinstance(node.ctx, ast.Load) for node in function.nodes.of(ast.Name))
    return len(given) == stored and all(_converts(value, name) for value in given)


def _converts(value: ast.expr, name: str) -> bool:
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in ("float", "int"):
        return False
    return [isinstance(one, ast.Name) and one.id == name for one in value.args] == [True] and not value.keywords


@text_fact
def kept_parameters(constructor: FunctionRecord) -> dict[str, Parameter]:
    """The attributes of its object to which a constructor gives what calls give it, with the parameters for these."""
    parameters = {one.name: one for one in constructor.parameters}
    kept = kept_names(constructor) if constructor.name == "__init__" else {}
    return {attribute: parameters[name] for attribute, name in kept.items() if name in parameters}


def kept_names(constructor: FunctionRecord) -> dict[str, str]:
    """The attributes to which a constructor first gives the value of a name that has no other value, with that name."""
    kept: dict[str, str] = {}
    for attribute, given in _kept(constructor):
        kept.setdefault(attribute, given)
    return {attribute: name for attribute, name in kept.items() if not _assigns(constructor, name)}


def _kept(constructor: FunctionRecord) -> Iterator[tuple[str, str]]:
    """The attributes that a constructor gives the values of its parameters, with these: ``self.scale = scale``."""
    for node in constructor.nodes.of(ast.Assign):
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, given in pairs:
            if isinstance(one, ast.Attribute) and isinstance(given, ast.Name) and dotted_name(one.value) == "self":
                yield one.attr, given.id


class GivenParameters(NamedTuple):
    """What the calls of a function do to its parameters with defaults, and what they do as others do to the callers."""

    needs: frozenset[Need]
    handed_on: frozenset[HandedOn]


def given_parameters(record: FunctionRecord, sites: Iterable[CallSite]) -> GivenParameters:
    """Which of the parameters with defaults some calls of a function give, and which some leave out.

    What a call gives that is the default is left out; what the caller itself has got with the same default, and hands
    on, it gives if somebody gives it to the caller.
    """
    optional = {p.name: p.default for p in record.parameters if p.default is not None}
    positional = positional_names(record)
    needs: set[Need] = set()
    handed_on: set[HandedOn] = set()
    everything = {Need(record.place_key, name, given) for name in optional for given in (True, False)}
    for site in sites:
        if needs == everything:
            break
        given = written_arguments(site.node, positional)
        if given is None:
            needs = everything
            continue
        for name, default in optional.items():
            value = given.get(name)
            gives, leaves_out = (Need(record.place_key, name, is_given) for is_given in (True, False))
            if value is None or _is_same_constant(value, default):
                needs.add(leaves_out)
            elif (caller := site.caller) is not None and _has_same_default(value, default, caller):
                assert isinstance(value, ast.Name)
                handed_on.add(HandedOn(gives, Need(caller.place_key, value.id, given=True)))
                handed_on.add(HandedOn(leaves_out, Need(caller.place_key, value.id, given=False)))
            else:
                needs.add(gives)
                if _may_be_none(value, site.caller):
                    needs.add(leaves_out)
    return GivenParameters(frozenset(needs), frozenset(one for one in handed_on if one.need not in needs))


def _is_same_constant(given: ast.expr, default: ast.expr) -> bool:
    if not isinstance(given, ast.Constant) or not isinstance(default, ast.Constant):
        return False
    return type(given.value) is type(default.value) and given.value == default.value


def _has_same_default(given: ast.expr, default: ast.expr, caller: FunctionRecord) -> bool:
    """Whether an argument is what the caller itself was given, or the same default as that of the parameter."""
    if not isinstance(given, ast.Name) or _assigns(caller, given.id):
        return False
    own = next((p.default for p in caller.parameters if p.name == given.id), None)
    return own is not None and _is_same_constant(own, default)


class FlagsGiven(NamedTuple):
    """The flags that a call ``sets`` or ``may_set``, and those to which it ``passes`` a flag of the caller."""

    sets: tuple[str, ...] = ()
    passes: tuple[tuple[str, str], ...] = ()
    may_set: tuple[str, ...] = ()


def flags_given(record: FunctionRecord, site: CallSite, asked: Iterable[str] = ()) -> FlagsGiven:
    """What a call does to parameters that are true or false by default, or nothing, and are ``asked`` for then."""
    flags = {p.name: flag for p in record.parameters if (flag := flag_of(p)) is not None}
    left_out = {name: left_out_flag(name) for name in asked}
    if not flags and not left_out:
        return FlagsGiven()
    if not site.is_certain or not isinstance(site.node, ast.Call):
        return FlagsGiven(may_set=(*flags.values(), *left_out.values()))
    given = written_arguments(site.node, positional_names(record))
    named = {keyword.arg: keyword.value for keyword in site.node.keywords}  # whatever else `**` may hold
    sets, passes, may_set = [], [], []
    for name, flag in flags.items():
        value = named.get(name) if given is None else given.get(name)
        if value is None:
            may_set += [flag] if given is None else []
        elif isinstance(value, ast.Constant):
            sets += [flag] if bool(value.value) is (flag == name) else []
        elif (handed_on := _flag_handed_on(value, site.caller)) is not None:
            is_turned = isinstance(value, ast.UnaryOp)
            if ("=" in handed_on) is ((flag == name) is is_turned):
                passes.append((flag, handed_on))  # with another default, the caller gives another value as a rule
            else:
                may_set.append(flag)
        else:
            may_set.append(flag)
    for name, flag in left_out.items():
        value = None if given is None else given.get(name)
        if given is None:
            may_set.append(flag)
        elif value is None or (isinstance(value, ast.Constant) and value.value is None):
            sets.append(flag)
        elif isinstance(value, ast.Name) and site.caller is not None and value.id in _left_out_by(site.caller):
            passes.append((flag, left_out_flag(value.id)))
        elif _may_be_none(value, site.caller):
            may_set.append(flag)
    return FlagsGiven(tuple(sets), tuple(passes), tuple(may_set))


def left_out_flag(parameter: str) -> str:
    """What stands for a call that leaves a parameter out which is nothing by default, among the flags of calls."""
    return sys.intern(f"{parameter}=None")


def _nothing_by_default(record: FunctionRecord) -> set[str]:
    return {p.name for p in record.parameters if isinstance(p.default, ast.Constant) and p.default.value is None}


def _left_out_by(record: FunctionRecord) -> set[str]:
    """The parameters that are nothing by default, and to which a function gives no other value."""
    return {name for name in _nothing_by_default(record) if not _assigns(record, name)}


@text_fact
def asked_whether_given(record: FunctionRecord) -> list[str]:
    """The parameters that are nothing by default, and of which a function asks whether they are given, or hands on."""
    nothing = _nothing_by_default(record)
    if not nothing:
        return []
    asked = [part for node in record.nodes.of(ast.If) for part in walk(node.test)]
    asked += [one for node in record.nodes.of(ast.Call) for one in argument_nodes(node)]
    return sorted(nothing & {part.id for part in asked if isinstance(part, ast.Name)})


def flag_of(parameter: Parameter) -> str | None:
    """What has to be asked for of a parameter that is true or false by default: ``shuffle``, or ``drop_last=False``."""
    if not isinstance(parameter.default, ast.Constant) or not isinstance(parameter.default.value, bool):
        return None
    return f"{parameter.name}=False" if parameter.default.value else parameter.name


def _flag_handed_on(value: ast.expr, caller: FunctionRecord | None) -> str | None:
    """The flag of the caller that ``flag`` or ``not flag`` hands on, if it still is what a call gave it."""
    name = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not) else value
    if caller is None or not isinstance(name, ast.Name) or _assigns(caller, name.id):
        return None
    return next((flag_of(p) for p in caller.parameters if p.name == name.id), None)


def _may_be_none(given: ast.expr, caller: FunctionRecord | None) -> bool:
    """Whether an argument may be what stands for nothing: itself left out by a caller, or an attribute of that kind."""
    if isinstance(given, (ast.Subscript, ast.Call)):
        return isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "get"
    if not isinstance(given, ast.Name):
        return True
    if caller is None or any(p.name == given.id for p in caller.parameters):
        return True
    return not isinstance(caller.node.body, list) or given.id in caller.copied_names
