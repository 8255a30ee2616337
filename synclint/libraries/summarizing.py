"""Makes the summary of a library from the analysis of its source."""

from __future__ import annotations

import ast
from collections import abc
from collections.abc import Iterable, Iterator
from typing import Any

from synclint.analysis.domain.tensors import device_tensor_within
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    DeviceName,
    DTypeName,
    FunctionRecord,
    FunctionValue,
    Mapping,
    ModuleRecord,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.program import modules
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.facts import Guard
from synclint.analysis.results.observations import Observation
from synclint.catalog.entries import Entry
from synclint.catalog.summaries import SETTING, Need
from synclint.contracts.reached import Calls, ReachedFunction
from synclint.findings import CallPlace, Confidence, Phase
from synclint.libraries.conditions import FunctionNode, Needs, defaults_of, handed_on, literal_defaults, needs_of
from synclint.libraries.origins import operands, parameters_behind
from synclint.libraries.returned import kind_of
from synclint.libraries.settings import asked_of_constructor, constructor_parameters, default_settings
from synclint.libraries.transfers import needs_of_copy

# So many waits of one function are told: who calls it needs one.
_MOST_WAITS = 4
_LONGEST_CHAIN = 4
_MODULE = "torch.nn.Module"
_EXPLICIT = "explicit"
_WITHOUT_TENSORS = (Scalar, Text, DeviceName, DTypeName)
_ASKING_FOR_NO_TENSOR = ("is None", "no tensor", "on the CPU", "not on the device", "false", "==")
# In annotations of which nothing else is known, these words leave room for a tensor.
_WITH_TENSORS = ("Tensor", "Any")
_CALLED_BY_PYTHON = frozenset({"__call__", "__init__", "__iter__", "__next__", "__len__", "forward"})
# A wait at the start or at the end of a program is nothing that a call brings into a loop.
_ASIDE = (Phase.TEST, Phase.BENCHMARK, Phase.UNREACHED)


class Summarizing:
    """The public functions of an analysed ``package``, and what waits in them, under which arguments.

    Objects that are no modules have their state where nobody can tell; what waits for it is told only of functions that
    are ``run``, by their qualified names.
    """

    def __init__(self, project: ProjectAnalysis, package: str, root: str, run: frozenset[str] = frozenset()) -> None:
        self._run = run
        self._project = project
        self._package = package
        self._root = root
        self._graph = CallGraph(project.observations())
        self._calls = Calls(self._graph.observed, self._graph.waits)
        self._modules = {str(one.real_path): one for one in project.modules}
        self._by_name = {one.name: one for one in project.modules}
        self._functions = self._functions_by_key()
        self._torch_modules: set[str] = set()
        self._constructors: dict[str, list[str]] = {}
        self._found: dict[tuple[str, ClassRecord | None], list[dict[str, Any]]] = {}
        self._reached: dict[str, abc.Mapping[str, ReachedFunction]] = {}
        self._entries: abc.Mapping[str, Entry] = project.engine.catalog.by_id

    def summary(self, library: str, version: str) -> dict[str, Any]:
        """The summary, as its file holds it."""
        functions: dict[str, Any] = {}
        returns: dict[str, str] = {}
        aliases: dict[str, str] = {}
        for module in self._public_modules():
            for name, value in sorted(self._names_in(module, {module.name}).items()):
                if name.startswith("_") or "." in name:
                    continue
                value = self._project.engine.resolve(value.name) if isinstance(value, Symbol) else value
                if not isinstance(value, (FunctionValue, ClassValue)):
                    continue
                record = value.record
                if record.module.name.partition(".")[0] != self._package:
                    continue
                alias, meant = f"{module.name}.{name}", record.qualified_name
                if alias != meant and module.path.name == "__init__.py":
                    aliases[alias] = meant
                for full_name, function, owner in self._functions_of(record):
                    functions |= self._of(full_name, function, owner)
                    returns |= self._returned(full_name, function)
        owners = {name.rpartition(".")[0] for name in (*functions, *returns)}
        needed = owners | functions.keys() | returns.keys()
        return {
            "library": library,
            "version": version,
            "functions": dict(sorted(functions.items())),
            "returns": dict(sorted(returns.items())),
            "modules": sorted(self._torch_modules & {name.rpartition(".")[0] for name in functions}),
            "constructors": dict(sorted(self._constructors.items())),
            "aliases": {alias: meant for alias, meant in sorted(aliases.items()) if meant in needed},
        }

    def _public_modules(self) -> Iterator[ModuleRecord]:
        for module in sorted(self._project.modules, key=lambda one: one.name):
            parts = module.name.split(".")
            is_private = any(part.startswith("_") or "test" in part for part in parts)
            if parts[0] == self._package and not is_private and not module.is_test:
                yield module

    def _names_in(self, module: ModuleRecord, asked: set[str]) -> dict[str, Value]:
        """What a module has under each name, what it imports by a star included."""
        found: dict[str, Value] = {}
        for star in module.stars:
            other = self._by_name.get(star)
            if other is not None and star not in asked:
                asked.add(star)
                # A module that imports from a package whose names it gives again says nothing new of them.
                given = self._names_in(other, asked)
                found |= {name: value for name, value in given.items() if not isinstance(value, Symbol)}
                found = given | found
        return found | module.scope

    def _functions_of(
        self, record: FunctionRecord | ClassRecord
    ) -> Iterator[tuple[str, FunctionRecord, ClassRecord | None]]:
        """A function, or the public methods of a class, by their names."""
        if isinstance(record, modules.FunctionRecord):
            yield record.qualified_name, record, None
            return
        if _MODULE in record.resolution_order:
            self._torch_modules.add(record.qualified_name)
        for name, method in record.all_methods.items():
            if (not name.startswith("_") or name in _CALLED_BY_PYTHON) and not method.is_property:
                yield f"{record.qualified_name}.{name}", method, record

    def _returned(self, name: str, record: FunctionRecord) -> dict[str, str]:
        """What a function returns, where there are tensors in it."""
        engine = self._project.engine
        kind = None if record.is_abstract else kind_of(engine.returned(record))
        declared = None if isinstance(record.node, ast.Lambda) else record.node.returns
        if "Tensor" not in (kind or "") and declared is not None:
            kind = kind_of(engine.annotation(declared, record))
        return {name: kind} if kind is not None and "Tensor" in kind else {}

    def _of(self, name: str, record: FunctionRecord, owner: ClassRecord | None) -> dict[str, Any]:
        if isinstance(record.node, ast.Lambda) or record.is_abstract:
            return {}
        key = (record.place_key, owner)
        if key not in self._found:
            defaults = literal_defaults(_full(record)) | default_settings(owner)
            self._found[key] = _least(self._waits(record, owner), defaults)
        is_told = name in self._run or (owner is not None and _MODULE in owner.resolution_order)
        is_told = is_told and record.name != "__init__"  # what is being made has no state on the device yet
        waits = [wait for wait in self._found[key] if "of" in wait or wait["mechanism"] == _EXPLICIT or is_told]
        if not waits:
            return {}
        parameters = [one.name for one in record.parameters if one.kind in ("positional", "keyword")]
        given = parameters[1:] if record.owner is not None and not record.is_static else parameters
        asked = {Need.parse(need).parameter for wait in waits for need in wait.get("needs", ())}
        defaults = literal_defaults(_full(record)) | default_settings(owner)
        defaults = {name: value for name, value in defaults.items() if name in asked}
        if owner is not None and any(name.startswith(SETTING) for name in asked):
            self._constructors[owner.qualified_name] = constructor_parameters(owner)
        return {name: {"parameters": given} | ({"defaults": defaults} if defaults else {}) | {"waits": waits}}

    def _waits(self, record: FunctionRecord, owner: ClassRecord | None) -> Iterator[dict[str, Any]]:
        told: set[str] = set()
        all_reached = self._reached.get(record.place_key)
        if all_reached is None:
            all_reached = self._reached[record.place_key] = self._calls.reached_from(record.place_key)
        for key, reached in all_reached.items():
            if len(reached.chain) > _LONGEST_CHAIN or not reached.is_certain or self._is_overriding(key, reached):
                continue
            for wait in self._calls.waits_in(key):
                if not wait.confidence.at_least(Confidence.MEDIUM) or not reached.is_under(wait.callers):
                    continue
                if wait.path not in self._modules or _is_rare(wait):
                    continue
                found = self._on_default_path(record, owner, key, reached.chain, wait, all_reached)
                if found is not None and found["place"] not in told:
                    told.add(found["place"])
                    yield found

    def _is_overriding(self, key: str, reached: ReachedFunction) -> bool:
        """Whether a method is reached only because it overrides the one that is called."""
        called = self._graph.observed.calls.get(key, ())
        return bool(reached.chain) and not any(call.place in reached.places for call in called)

    def _on_default_path(
        self,
        record: FunctionRecord,
        owner: ClassRecord | None,
        key: str,
        chain: tuple[CallPlace, ...],
        wait: Observation,
        reached: abc.Mapping[str, ReachedFunction],
    ) -> dict[str, Any] | None:
        """The wait as the summary has it; None where it is not on the default path of the function."""
        steps = self._steps(record, owner, chain, key, reached)
        if steps is None:
            return None
        function = steps[-1][1] if steps else record
        node = self._node_at(function, wait)
        if node is None or _is_about_files(node) or _moves_state(node, _full(function)):
            return None
        mechanism = self._entries[wait.construct].mechanism
        needs = self._needs(function, node.lineno, node.col_offset)
        copying = needs_of_copy(_full(function), node, mechanism)
        needs = None if needs is None or copying is None else needs | copying
        for call, callee in reversed(steps):
            if needs is None:
                return None
            caller = self._caller_of(steps, call, record)
            carried = handed_on(needs, _given(call, callee), _full(caller), call)
            around = self._needs(caller, call.lineno, call.col_offset)
            needs = None if carried is None or around is None else carried | around
        needs = None if needs is None else asked_of_constructor(needs, owner)
        if needs is None:
            return None
        behind = parameters_behind(_full(function), operands(node, wait.subject, mechanism), node)
        for call, callee in reversed(steps):
            caller = self._caller_of(steps, call, record)
            behind = _through(call, callee, behind, caller)
        receiver = record.receiver
        named = {one.name for one in record.parameters if one.kind in ("positional", "keyword")}
        others = {need.parameter for need in needs if need.kind in _ASKING_FOR_NO_TENSOR} | {receiver}
        of = sorted(name for name in (behind & named) - others if self._may_be_tensor(record, name))
        if mechanism == _EXPLICIT:
            of = []  # whatever it is called with
        elif not of and receiver not in behind:
            return None  # nobody can say on which device that is
        module = self._modules[wait.path]
        place = f"{wait.path.removeprefix(self._root).lstrip('/')}:{wait.span.start.line}"
        made: dict[str, Any] = {
            "code": module.text_of(node),
            "place": place,
            "mechanism": mechanism,
        }
        return made | ({"of": of} if of else {}) | ({"needs": sorted(map(str, needs))} if needs else {})

    def _may_be_tensor(self, record: FunctionRecord, name: str) -> bool:
        """Whether a parameter may be given a tensor, or a container with one: where it has an annotation, that says."""
        assumed = self._project.engine.assumed(record).get(name, UNKNOWN)
        if device_tensor_within(assumed) is not None:
            return True
        annotation = next((one.annotation for one in _arguments(record) if one.arg == name), None)
        if annotation is None:
            return not all(isinstance(option, (*_WITHOUT_TENSORS, Nothing)) for option in options(assumed)) or (
                assumed == Nothing()
            )
        if all(isinstance(option, Unknown) for option in options(assumed)):
            return any(word in ast.unparse(annotation) for word in _WITH_TENSORS)
        return _leaves_room(assumed)

    @staticmethod
    def _caller_of(
        steps: list[tuple[ast.Call, FunctionRecord]], call: ast.Call, record: FunctionRecord
    ) -> FunctionRecord:
        index = next(at for at, (one, _) in enumerate(steps) if one is call)
        return record if index == 0 else steps[index - 1][1]

    def _steps(
        self,
        record: FunctionRecord,
        owner: ClassRecord | None,
        chain: tuple[CallPlace, ...],
        key: str,
        reached: abc.Mapping[str, ReachedFunction],
    ) -> list[tuple[ast.Call, FunctionRecord]] | None:
        """The calls of a chain as nodes, each with what it calls; None where the text does not tell them."""
        keys = [*_keys_along(reached, chain), key][: len(chain)]
        steps: list[tuple[ast.Call, FunctionRecord]] = []
        function = record
        for place, callee_key in zip(chain, keys, strict=False):
            callee = self._functions.get(callee_key)
            if callee is None:
                return None
            calls = [
                node
                for node in ast.walk(function.node)
                if isinstance(node, ast.Call) and node.lineno <= place.line <= (node.end_lineno or 0)
                if _called_name(node) in (callee.name, callee.owner.name if callee.owner is not None else callee.name)
            ]
            if len(calls) != 1:
                return None
            if owner is not None and _is_on_receiver(calls[0], function):
                if owner.all_methods.get(callee.name) is not callee:
                    return None  # it is what objects of another class run there
            elif self._is_one_of_several(function, callee, place):
                return None
            else:
                owner = callee.owner
            steps.append((calls[0], callee))
            function = callee
        return steps

    def _is_one_of_several(self, caller: FunctionRecord, callee: FunctionRecord, place: CallPlace) -> bool:
        """Whether a call may run this function or another one of its name, by the object that it is called on."""
        meant = {
            key
            for key, call, is_override in self._calls.made_by(caller.place_key)
            if call.place == place and not is_override
            if (function := self._functions.get(key)) is not None and function.name == callee.name
        }
        return len(meant) > 1

    def _needs(self, function: FunctionRecord, line: int, column: int) -> Needs | None:
        return None if isinstance(function.node, ast.Lambda) else needs_of(_full(function), line, column)

    def _node_at(self, function: FunctionRecord, wait: Observation) -> ast.expr | None:
        module = self._modules[wait.path]
        found = [
            node
            for node in ast.walk(_full(function))
            if isinstance(node, ast.expr) and module.span_of(node) == wait.span
        ]
        return found[0] if found else None

    def _functions_by_key(self) -> dict[str, FunctionRecord]:
        found: dict[str, FunctionRecord] = {}
        for module in self._project.modules:
            for record in module.by_node.values():
                if isinstance(record, modules.FunctionRecord):
                    found[record.place_key] = record
        return found


def _least(waits: Iterable[dict[str, Any]], defaults: abc.Mapping[str, str]) -> list[dict[str, Any]]:
    """The waits that ask for least, those of calls with defaults first, without those that another one implies."""

    def asked(wait: dict[str, Any]) -> list[Need]:
        return [Need.parse(need) for need in wait.get("needs", ())]

    def rank(wait: dict[str, Any]) -> tuple[int, int]:
        opening = [need for need in asked(wait) if not need.is_about_place]
        beyond = (need for need in opening if need.parameter not in defaults)
        return sum(
            not need.accepts(ast.literal_eval(defaults[need.parameter]))
            for need in opening
            if need.parameter in defaults
        ) + sum(1 for _ in beyond), len(asked(wait))

    found: list[dict[str, Any]] = []
    for wait in sorted(waits, key=rank):
        implied = (
            ("of" in wait) is ("of" in one)
            and {*one.get("of", ())} >= {*wait.get("of", ())}
            and {*asked(one)} <= {*asked(wait)}
            for one in found
        )
        if not any(implied):
            found.append(wait)
    return found[:_MOST_WAITS]


def _keys_along(reached: abc.Mapping[str, ReachedFunction], chain: tuple[CallPlace, ...]) -> list[str]:
    """The functions to which the calls of a chain lead, by their keys, all but the last."""
    return [
        next((key for key, one in reached.items() if one.chain == chain[:length]), "")
        for length in range(1, len(chain))
    ]


def _full(function: FunctionRecord) -> FunctionNode:
    node = function.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return node


def _leaves_room(value: Value) -> bool:
    """Whether a container may hold something of which nothing is known."""
    parts: list[Value] = []
    for option in options(value):
        if isinstance(option, Sequence):
            parts += [*option.known, *([option.element] if option.items is None else [])]
        elif isinstance(option, Mapping):
            parts += [option.element, *(held for _, held in option.entries)]
    return any(isinstance(part, Unknown) or _leaves_room(part) for part in parts)


def _arguments(record: FunctionRecord) -> Iterable[ast.arg]:
    given = record.node.args
    return (*given.posonlyargs, *given.args, *given.kwonlyargs)


def _is_rare(wait: Observation) -> bool:
    """Whether a guard in the function makes the wait rare."""
    return any(isinstance(layer, Guard) and layer.runs is not Phase.STEP for layer in wait.layers)


def _is_on_receiver(call: ast.Call, function: FunctionRecord) -> bool:
    """Whether a method is called on the object whose method the function is."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == function.receiver


def _is_about_files(node: ast.expr) -> bool:
    """Whether an expression saves or loads: who calls a function that does so knows that it takes its time."""
    return isinstance(node, ast.Call) and _called_name(node) in ("save", "load")


def _moves_state(node: ast.expr, function: FunctionNode) -> bool:
    """Whether an attribute is given what it was, elsewhere: ``self.x = self.x.to(device)`` copies in the first call."""
    moved = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return isinstance(moved, ast.Attribute) and any(
        isinstance(one, ast.Assign)
        and one.value is node
        and [ast.unparse(moved)] == list(map(ast.unparse, one.targets))
        for one in ast.walk(function)
    )


def _called_name(node: ast.Call) -> str:
    function = node.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _given(call: ast.Call, callee: FunctionRecord) -> dict[str, ast.expr]:
    """What a call gives to the parameters of what it calls, and the defaults of the others."""
    names = [one.name for one in callee.parameters if one.kind in ("positional", "keyword")]
    given = defaults_of(_full(callee))
    if callee.owner is not None and not callee.is_static and names:
        if isinstance(call.func, ast.Attribute):
            given[names[0]] = call.func.value
        names = names[1:]
    is_star = False
    for name, value in zip(names, call.args, strict=False):
        is_star = is_star or isinstance(value, ast.Starred)
        if is_star:
            given.pop(name, None)
        else:
            given[name] = value
    if any(one.arg is None for one in call.keywords):
        given = {name: value for name, value in given.items() if name in names[: len(call.args)]}
    return given | {one.arg: one.value for one in call.keywords if one.arg is not None}


def _through(call: ast.Call, callee: FunctionRecord, behind: frozenset[str], caller: FunctionRecord) -> frozenset[str]:
    """The parameters of a caller from which those ``behind`` an operand in what it calls come."""
    given: list[ast.expr] = [value for name, value in _given(call, callee).items() if name in behind]
    given += [one.value for one in call.keywords if one.arg is None]
    given += [one for one in call.args if isinstance(one, ast.Starred)]
    return parameters_behind(_full(caller), given, call)
