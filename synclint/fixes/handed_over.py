"""What a file hands to compilers: to what it calls so, through ``map`` and its like, and through its own functions."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from synclint.analysis.syntax.nodes import Nodes
from synclint.fixes.imports import Imports
from synclint.fixes.uses import path_of

COMPILERS = ("torch.jit.", "torch.fx.", "torch.onnx.", "torch.export.")
ANYTHING = "def or class"
CLASS = "class"
_HANDING = frozenset({"script", "trace", "trace_module", "export", "dynamo_export", "symbolic_trace"})
# One of these words, each found by its letters: hardly a file has any.
_HANDING_WORDS = (
    re.compile(r"script(?<!\wscript)\b"),
    re.compile(r"trace(?<!\wtrace)\b"),
    re.compile(r"trace_module(?<!\wtrace_module)\b"),
    re.compile(r"export(?<!\wexport)\b"),
    re.compile(r"dynamo_export(?<!\wdynamo_export)\b"),
    re.compile(r"symbolic_trace(?<!\wsymbolic_trace)\b"),
)
# A name, and whether a class defines it or anything may.
Named = tuple[str, str]


@dataclass(frozen=True)
class Handing:
    """A call, and what it hands to a compiler."""

    call: ast.Call
    values: tuple[ast.expr, ...]


def handings(imports: Imports) -> list[Handing]:
    """The calls of a file that hand something to a compiler, those of its own functions that hand it on among them."""
    if not any(word.search(imports.file.text) is not None for word in _HANDING_WORDS):
        return []
    calls = imports.file.nodes.of(ast.Call)
    assigned = (node for node in imports.file.nodes.of(ast.Assign) if is_compiler(imports, node.value))
    others = _Others(frozenset(last_name(target) for node in assigned for target in node.targets) - {""})
    found: dict[ast.Call, Handing] = {}
    while new := [one for call in calls if call not in found and (one := _handing(imports, call, others)) is not None]:
        for one in new:
            found[one.call] = one
            function = imports.file.function_of(one.call)
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                others.learn(function, one.values)
    return list(found.values())


@dataclass
class _Others:
    """Other names of compilers, and functions that hand on what they are given, with the arguments that they do."""

    names: frozenset[str]
    functions: dict[str, tuple[list[str], set[str]]] = field(default_factory=dict)

    def learn(self, function: ast.FunctionDef | ast.AsyncFunctionDef, values: Iterable[ast.expr]) -> None:
        """Remember a function that hands on values which it is given."""
        named = {node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)}
        taken = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg not in ("self", "cls")]
        handed = named & {*taken, *(one.arg for one in function.args.kwonlyargs)}
        if handed:
            self.functions.setdefault(function.name, (taken, set()))[1].update(handed)

    def handed(self, call: ast.Call) -> tuple[ast.expr, ...]:
        """What a call hands on."""
        if last_name(call.func) in self.names:
            return _first(call)
        taken, handed = self.functions.get(last_name(call.func), ([], set[str]()))
        by_position = [value for name, value in zip(taken, call.args, strict=False) if name in handed]
        return (*by_position, *(word.value for word in call.keywords if word.arg in handed))


def _first(call: ast.Call) -> tuple[ast.expr, ...]:
    return tuple(call.args[:1] or (word.value for word in call.keywords))


def is_compiler(imports: Imports, node: ast.expr) -> bool:
    """Whether an expression is a function of torch that compiles or records what it is given."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
        made = imports.qualified(node.value.func)
        return node.attr == "trace" and made.startswith("torch.fx.") and made.endswith("Tracer")
    compiler, _, function = (imports.qualified(node) or path_of(node) or "").rpartition(".")
    return f"{compiler}." in COMPILERS and function in _HANDING


def _handing(imports: Imports, call: ast.Call, others: _Others) -> Handing | None:
    """What a call hands to a compiler: ``map`` and its like are given one as well."""
    if is_compiler(imports, call.func):
        return Handing(call, _first(call))
    values = others.handed(call)
    given = [*call.args, *(word.value for word in call.keywords)]
    if any(is_compiler(imports, one) or last_name(one) in others.names for one in given):
        values = tuple(one for one in given if not is_compiler(imports, one))
    return Handing(call, values) if values else None


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name: that of a function, whatever module it is in."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def meant(values: Iterable[ast.expr], made: Mapping[str, set[Named]]) -> set[Named]:
    """The names in some values, and in what these were made of: of objects, the classes."""
    found: set[Named] = set()
    waiting = [(name, ANYTHING) for value in values for name in _names(value)]
    while waiting:
        name, kind = waiting.pop()
        if (name, kind) not in found:
            found.add((name, kind))
            waiting += [(other, CLASS if kind == CLASS else theirs) for other, theirs in made.get(name, ())]
    return found


def made_of(nodes: Nodes) -> dict[str, set[Named]]:
    """The names in what each name is given, or goes through: ``model = Model()`` is made of the class ``Model``."""
    found: dict[str, set[Named]] = defaultdict(set)
    given = [(node.targets, node.value) for node in nodes.of(ast.Assign)]
    given += [([node.target], node.iter) for node in nodes.of(ast.For)]
    given += [([node.target], node.iter) for node in nodes.of(ast.comprehension)]
    for targets, value in given:
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        for name in names:
            found[name] |= set(_parts(value, ANYTHING))
    return found


def _names(node: ast.expr) -> set[str]:
    """The names in an expression, and those that ``getattr`` looks up."""
    called = (n for n in ast.walk(node) if isinstance(n, ast.Call) and last_name(n.func) == "getattr")
    asked = (one.value for call in called for one in call.args if isinstance(one, ast.Constant))
    found = {last_name(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))}
    return found | {name for name in asked if isinstance(name, str)}


def _parts(node: ast.AST, kind: str) -> Iterator[Named]:
    """The names in an expression; of calls it is what they give that counts, which is an object of a class."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield last_name(node), kind
    inner = CLASS if isinstance(node, ast.Call) else kind
    for child in ast.iter_child_nodes(node):
        yield from _parts(child, inner)
