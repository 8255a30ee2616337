"""Modules that a call imports: by a name that stands there, or by one that is put together when the program runs.

``importlib.import_module(args.model)`` gives one of the modules beside the script, or on its path, and what is then
asked of it (``MODEL.get_loss``) tells which: those that have most of it. ``import_module("models." + name)`` gives one
of a package's.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from synclint.analysis.domain.callables import MOST_CALLABLES
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import UNKNOWN, ModuleRecord, ProjectModule, Text, Value
from synclint.analysis.program.text_facts import module_fact
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import last_name, walk

IMPORTING = frozenset({"importlib.import_module", "pytest.importorskip", "builtins.__import__"})
_SHORT = frozenset(name.rpartition(".")[2] for name in IMPORTING)


def imported(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """The module that a call of one of the ``IMPORTING`` functions imports; ``__import__("a.b")`` gives ``a``."""
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("name")
    gives_the_top = name == "builtins.__import__"
    if isinstance(given, Text) and given.literal:
        if given.literal.startswith("."):
            return UNKNOWN
        meant = frame.engine.project.name_for(given.literal, frame.module)
        top = meant.partition(".")[0]
        return frame.engine.resolve(top if gives_the_top and len(arguments.all_values()) == 1 else meant)
    if not node.args or gives_the_top:
        return UNKNOWN
    package = _beginning(node.args[0]).rpartition(".")[0]
    asked = _asked_of_calls(frame.module).get(node)
    found = frame.engine.project.modules_offering(asked, package, frame.module) if asked else ()
    return join_all(map(ProjectModule, found)) if 0 < len(found) <= MOST_CALLABLES else UNKNOWN


def _beginning(node: ast.expr) -> str:
    """The text that a name begins with, as far as it stands there: ``"models." + name``, ``f"models.{name}"``."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
        case ast.BinOp(left=left, op=ast.Add()):
            return _beginning(left)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return text.partition("%")[0]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text.partition("{")[0]
    return ""


@module_fact
def _asked_of_calls(module: ModuleRecord) -> dict[ast.Call, frozenset[str]]:
    """The attributes that a module's text asks of what a call may import, itself or by the names that hold it."""
    parts = [*walk(module.tree)] if any(name in module.source for name in _SHORT) else []
    held: defaultdict[ast.Call, set[str]] = defaultdict(set)
    for part in parts:
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call):
            held[part.value].update(target.id for target in part.targets if isinstance(target, ast.Name))
    asked: defaultdict[str | ast.Call, set[str]] = defaultdict(set)
    for part in parts:
        if isinstance(part, ast.Attribute) and isinstance(part.value, (ast.Name, ast.Call)):
            asked[part.value.id if isinstance(part.value, ast.Name) else part.value].add(part.attr)
    calls = (part for part in parts if isinstance(part, ast.Call) and last_name(part.func) in _SHORT)
    return {call: frozenset(asked[call].union(*(asked[name] for name in held[call]))) for call in calls}
