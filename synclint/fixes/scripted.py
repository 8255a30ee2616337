"""Which functions are compiled from their text, or recorded: they may be written in a part of Python only.

TorchScript compiles a function together with all that it calls, and knows neither ``pin_memory=`` nor the type of what
``tolist()`` returns; what is traced must not ask for values. Source: https://docs.pytorch.org/docs/stable/jit.html.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from synclint.analysis.syntax.walk import walk
from synclint.fixes.imports import Imports
from synclint.fixes.place import Place

_COMPILERS = ("torch.jit.", "torch.fx.", "torch.onnx.", "torch.export.")
_NAMED = re.compile(rf"\b(?:{'|'.join(name.split('.')[1] for name in _COMPILERS)})\b")
# A function with one of these is left to Python.
_LEFT_OUT = frozenset({"torch.jit.ignore", "torch.jit.unused"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_scripted(place: Place, compiled: frozenset[Definition]) -> bool:
    """Whether the function of the finding is one of those that are compiled or recorded, as far as its file shows."""
    around = [node for node in place.file.ancestors(place.node) if isinstance(node, _DEFINITIONS)]
    if any(place.qualified(one) in _LEFT_OUT for node in around[:1] for one in node.decorator_list):
        return False
    return not compiled.isdisjoint(around)


def compiled_in(imports: Imports) -> frozenset[Definition]:
    """The functions and classes of a file that are handed to a compiler, or ask for one, and all that they call."""
    tree = imports.file.tree
    if "torch" not in imports.file.text or _NAMED.search(imports.file.text) is None:
        return frozenset()
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for node in walk(tree):
        if isinstance(node, _DEFINITIONS):
            by_name[node.name].append(node)
    waiting: list[Definition] = []
    made = _made_of(tree)
    for node in walk(tree):
        if isinstance(node, ast.Call) and imports.qualified(node.func).startswith(_COMPILERS):
            named = {n.id for argument in node.args for n in ast.walk(argument) if isinstance(n, ast.Name)}
            waiting += (one for name in named.union(*(made.get(n, ()) for n in named)) for one in by_name[name])
    for one in (definition for several in by_name.values() for definition in several):
        asked = (n for n in ast.walk(one) if isinstance(n, ast.Attribute))
        if any(name.startswith(_COMPILERS) and name not in _LEFT_OUT for name in map(imports.qualified, asked)):
            waiting.append(one)
    found: set[Definition] = set()
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for node in ast.walk(one):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                waiting += by_name.get(name, ())
    return frozenset(found)


def _made_of(tree: ast.Module) -> dict[str, set[str]]:
    """The names in what each name is given: `model = Model()` is made of `Model`."""
    found: dict[str, set[str]] = defaultdict(set)
    for statement in walk(tree):
        if isinstance(statement, ast.Assign):
            names = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found[target.id] |= names
    return found
