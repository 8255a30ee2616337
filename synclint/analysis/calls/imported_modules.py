"""Modules that a call imports: by a name that stands there, or by one that is put together when the program runs.

``importlib.import_module(args.model)`` gives one of the modules beside the script, or on its path, and what is then
asked of it (``MODEL.get_loss``) tells which: those that have most of it. ``import_module("models." + name)`` gives one
of a package's.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.callables import MOST_CALLABLES
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import UNKNOWN, ProjectModule, Text, Value
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import walk

IMPORTING = frozenset({"importlib.import_module", "pytest.importorskip", "builtins.__import__"})


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
    known = frame.engine.readings.offered
    if node not in known:
        known[node] = _asked_of(node, frame.module.tree)
    asked = known[node]
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


def _asked_of(node: ast.Call, tree: ast.Module) -> frozenset[str]:
    """The attributes that a module's text asks of what a call gives, itself or by the names that hold it."""
    parts = [*walk(tree)]
    held = {
        target.id
        for part in parts
        if isinstance(part, ast.Assign) and part.value is node
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    return frozenset(
        part.attr
        for part in parts
        if isinstance(part, ast.Attribute)
        if part.value is node or (isinstance(part.value, ast.Name) and part.value.id in held)
    )
