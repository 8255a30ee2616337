"""Makes the summary of a library from the analysis of its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from synclint.analysis.domain.values import ClassRecord, ClassValue, FunctionRecord, FunctionValue, ModuleRecord, Symbol
from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.program import modules
from synclint.analysis.project import Project
from synclint.analysis.results.facts import Guard
from synclint.analysis.results.observations import Observation
from synclint.catalog.entries import Entry
from synclint.contracts.reached import Calls, ReachedFunction
from synclint.findings import CallPlace, Confidence, Phase
from synclint.libraries.default_paths import FunctionNode, defaults_needed
from synclint.libraries.origins import parameters_behind

# So many waits of one function are told: who calls it needs one.
_MOST_WAITS = 3
_LONGEST_CHAIN = 4
_MODULE = "torch.nn.Module"
_CALLED_BY_PYTHON = frozenset({"__call__", "__init__", "__iter__", "__next__", "__len__", "forward"})
# A wait at the start or at the end of a program is nothing that a call brings into a loop.
_ASIDE = (Phase.TEST, Phase.BENCHMARK, Phase.UNREACHED)


class Summarizing:
    """The public functions of an analysed ``package``, and what waits in them on their default paths.

    Objects that are no modules have their state where nobody can tell; what waits for it is told only of functions that
    are ``run``, by their qualified names.
    """

    def __init__(self, project: Project, package: str, root: str, run: frozenset[str] = frozenset()) -> None:
        self._run = run
        self._project = project
        self._package = package
        self._root = root
        self._graph = CallGraph(project.observations())
        self._calls = Calls(self._graph.observed, self._graph.waits)
        self._modules = {str(one.real_path): one for one in project.modules}
        self._functions = self._functions_by_key()
        self._torch_modules: set[str] = set()
        self._found: dict[tuple[str, ClassRecord | None], list[dict[str, Any]]] = {}
        self._reached: dict[str, Mapping[str, ReachedFunction]] = {}
        self._entries: Mapping[str, Entry] = project.engine.catalog.by_id

    def summary(self, library: str, version: str) -> dict[str, Any]:
        """The summary, as its file holds it."""
        functions: dict[str, Any] = {}
        aliases: dict[str, str] = {}
        for module in self._public_modules():
            for name in sorted(module.scope):
                value = module.scope[name]
                if name.startswith("_") or "." in name:
                    continue
                value = self._project.engine.resolve(value.name) if isinstance(value, Symbol) else value
                if not isinstance(value, (FunctionValue, ClassValue)):
                    continue
                record = value.record
                if record.module.name.partition(".")[0] != self._package:
                    continue
                alias, meant = f"{module.name}.{name}", record.qualified_name
                if alias != meant:
                    aliases[alias] = meant
                functions.update(
                    self._of_class(record) if isinstance(record, modules.ClassRecord) else self._of(meant, record, None)
                )
        owners = {name.rpartition(".")[0] for name in functions}
        needed = owners | functions.keys()
        return {
            "library": library,
            "version": version,
            "functions": dict(sorted(functions.items())),
            "modules": sorted(self._torch_modules & owners),
            "aliases": {alias: meant for alias, meant in sorted(aliases.items()) if meant in needed},
        }

    def _public_modules(self) -> Iterator[ModuleRecord]:
        for module in sorted(self._project.modules, key=lambda one: one.name):
            parts = module.name.split(".")
            is_private = any(part.startswith("_") or "test" in part for part in parts)
            if parts[0] == self._package and not is_private and not module.is_test:
                yield module

    def _of_class(self, record: ClassRecord) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if _MODULE in record.resolution_order:
            self._torch_modules.add(record.qualified_name)
        for name, method in record.all_methods.items():
            if (not name.startswith("_") or name in _CALLED_BY_PYTHON) and not method.is_property:
                found.update(self._of(f"{record.qualified_name}.{name}", method, record))
        return found

    def _of(self, name: str, record: FunctionRecord, owner: ClassRecord | None) -> dict[str, Any]:
        if isinstance(record.node, ast.Lambda) or record.is_abstract:
            return {}
        key = (record.place_key, owner)
        if key not in self._found:
            self._found[key] = list(islice(self._waits(record, owner), _MOST_WAITS))
        is_told = name in self._run or (owner is not None and _MODULE in owner.resolution_order)
        waits = [wait for wait in self._found[key] if "of" in wait or is_told]
        if not waits:
            return {}
        parameters = [one.name for one in record.parameters if one.kind in ("positional", "keyword")]
        given = parameters[1:] if record.owner is not None and not record.is_static else parameters
        return {name: {"parameters": given, "waits": waits}}

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
        reached: Mapping[str, ReachedFunction],
    ) -> dict[str, Any] | None:
        """The wait as the summary has it; None where it is not on the default path of the function."""
        defaults: dict[str, str] = {}
        function = record
        steps = self._steps(record, owner, chain, key, reached)
        if steps is None:
            return None
        for call, callee in steps:
            needed = self._needed(function, call.lineno, call.col_offset) if function is not None else None
            if needed is None:
                return None
            if function is record:
                defaults.update(needed)
            elif needed:
                return None  # what is given there, somebody would have to follow
            function = callee
        node = self._node_at(function, wait)
        if node is None or _is_about_files(node):
            return None
        needed = self._needed(function, node.lineno, node.col_offset)
        if needed is None or (needed and function is not record):
            return None
        defaults.update(needed)
        behind = parameters_behind(_full(function), node)
        for call, callee in reversed(steps):
            caller = self._caller_of(steps, call, record)
            behind = _through(call, callee, behind, caller)
        receiver = record.receiver
        named = {one.name for one in record.parameters if one.kind in ("positional", "keyword")}
        of = sorted((behind & named) - {receiver})
        if not of and receiver not in behind:
            return None  # nobody can say on which device that is
        module = self._modules[wait.path]
        place = f"{wait.path.removeprefix(self._root).lstrip('/')}:{wait.span.start.line}"
        made: dict[str, Any] = {
            "code": module.text_of(node),
            "place": place,
            "mechanism": self._entries[wait.construct].mechanism,
        }
        return made | ({"of": of} if of else {}) | ({"defaults": defaults} if defaults else {})

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
        reached: Mapping[str, ReachedFunction],
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

    def _needed(self, function: FunctionRecord, line: int, column: int) -> Mapping[str, str] | None:
        if isinstance(function.node, ast.Lambda):
            return None
        return defaults_needed(_full(function), line, column)

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


def _keys_along(reached: Mapping[str, ReachedFunction], chain: tuple[CallPlace, ...]) -> list[str]:
    """The functions to which the calls of a chain lead, by their keys, all but the last."""
    return [
        next((key for key, one in reached.items() if one.chain == chain[:length]), "")
        for length in range(1, len(chain))
    ]


def _full(function: FunctionRecord) -> FunctionNode:
    node = function.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return node


def _is_rare(wait: Observation) -> bool:
    """Whether a guard in the function makes the wait rare, or asks for an option."""
    guards = [layer for layer in wait.layers if isinstance(layer, Guard)]
    return any(guard.runs is not Phase.STEP or guard.option or guard.need is not None for guard in guards)


def _is_on_receiver(call: ast.Call, function: FunctionRecord) -> bool:
    """Whether a method is called on the object whose method the function is."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == function.receiver


def _is_about_files(node: ast.expr) -> bool:
    """Whether an expression saves or loads: who calls a function that does so knows that it takes its time."""
    return isinstance(node, ast.Call) and _called_name(node) in ("save", "load")


def _called_name(node: ast.Call) -> str:
    function = node.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _through(call: ast.Call, callee: FunctionRecord, behind: frozenset[str], caller: FunctionRecord) -> frozenset[str]:
    """The parameters of a caller from which those ``behind`` an operand in what it calls come."""
    names = [one.name for one in callee.parameters if one.kind in ("positional", "keyword")]
    given: list[ast.AST] = []
    if callee.owner is not None and not callee.is_static and names:
        if names[0] in behind and isinstance(call.func, ast.Attribute):
            given.append(call.func.value)
        names = names[1:]
    given += [value for name, value in zip(names, call.args, strict=False) if name in behind]
    given += [one.value for one in call.keywords if one.arg in behind or one.arg is None]
    found: frozenset[str] = frozenset()
    for value in given:
        found |= parameters_behind(_full(caller), value)
    return found
