"""The constants of a module: names that its top level makes true, false or a number once, and nothing changes."""

from __future__ import annotations

import ast
import re
from collections import Counter

from synclint.analysis.domain.values import ModuleRecord
from synclint.analysis.program.text_facts import module_fact
from synclint.analysis.syntax.walk import own_parts

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_EXECUTES = re.compile(r"^[ \t]*exec\(|\bglobals\(\)(?:\[|\.update\()", re.MULTILINE)
_GLOBAL = re.compile(r"^[ \t]*global[ \t]+(\S.*)$", re.MULTILINE)


@module_fact
def constants_of(module: ModuleRecord) -> dict[str, bool]:
    """The constants of a module that are true or false, with what they are."""
    return {name: value for name, value in _constants_of(module).items() if isinstance(value, bool)}


@module_fact
def numbers_of(module: ModuleRecord) -> dict[str, int]:
    """The constants of a module that are whole numbers, with what they are.

    What is executed there may set others: ``exec(open("settings.py").read())``.
    """
    if _EXECUTES.search(module.source) is not None:
        return {}
    return {name: value for name, value in _constants_of(module).items() if not isinstance(value, bool)}


def _constants_of(module: ModuleRecord) -> dict[str, int]:
    found: dict[str, int] = {}
    for statement in module.tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        else:
            continue
        if isinstance(target, ast.Name) and isinstance(statement.value, ast.Constant):
            if isinstance(statement.value.value, int):
                found[target.id] = statement.value.value
    if not found:
        return found
    given = _stored(module.tree)
    changed = {name.strip() for names in _GLOBAL.findall(module.source) for name in names.split(",")}
    return {name: value for name, value in found.items() if given[name] == 1 and name not in changed}


def _stored(tree: ast.Module) -> Counter[str]:
    """How often the top level of a module gives each of its names a value."""
    names = (part for part in own_parts(tree.body) if isinstance(part, ast.Name))
    return Counter(name.id for name in names if not isinstance(name.ctx, ast.Load))
