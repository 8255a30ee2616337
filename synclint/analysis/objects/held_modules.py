"""Which attributes of a class are modules, by what its methods ask them for: their parameters, their state."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import ClassRecord, FunctionRecord
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.walk import dotted_name

_OF_MODULES = frozenset({"parameters", "named_parameters", "named_modules", "load_state_dict", "state_dict"})


def is_held_as_module(name: str, owner: ClassRecord) -> bool:
    """Whether a method of a class asks one of its attributes for what modules have."""
    return any(name in asked_as_modules(method) for method in owner.all_methods.values())


@text_fact
def asked_as_modules(method: FunctionRecord) -> frozenset[str]:
    """The attributes of its object that a method asks for what modules have."""
    asked = (dotted_name(node.value) for node in method.nodes.of(ast.Attribute) if node.attr in _OF_MODULES)
    paths = (path.split(".") for path in asked if path is not None)
    return frozenset(path[1] for path in paths if len(path) == 2 and path[0] == method.receiver)
