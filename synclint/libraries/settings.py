"""Which arguments of a constructor the settings of an object are: attributes that nothing else ever sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import ClassRecord, FunctionRecord
from synclint.catalog.summaries import SETTING, Need
from synclint.libraries.conditions import FunctionNode, Needs, is_as_given, literal_defaults

_CONSTRUCTOR = "__init__"


def asked_of_constructor(needs: Needs, owner: ClassRecord | None) -> Needs | None:
    """The same needs, those of attributes of an object of the class as needs of what its constructor is given.

    None where an attribute is asked for that is no such setting.
    """
    found: set[Need] = set()
    for need in needs:
        _, _, attribute = need.parameter.partition(".")
        parameter = _given_to(owner, attribute) if attribute and owner is not None else None
        if attribute and parameter is None:
            return None
        found.add(need._replace(parameter=SETTING + parameter) if parameter is not None else need)
    return frozenset(found)


def constructor_parameters(owner: ClassRecord) -> list[str]:
    """The parameters of the constructor of a class, in order, without the object."""
    constructor = owner.all_methods.get(_CONSTRUCTOR)
    given = constructor.parameters[1:] if constructor is not None else ()
    return [one.name for one in given if one.kind in ("positional", "keyword")]


def default_settings(owner: ClassRecord | None) -> dict[str, str]:
    """The literals that parameters of the constructor have by default, by the names that needs have for them."""
    constructor = owner.all_methods.get(_CONSTRUCTOR) if owner is not None else None
    node = constructor.node if constructor is not None else None
    defaults = literal_defaults(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else {}
    return {SETTING + name: value for name, value in defaults.items()}


def _given_to(owner: ClassRecord, attribute: str) -> str | None:
    """The parameter of the constructor whose value an attribute has for as long as the object lives."""
    setters = [
        (method, value)
        for ancestor in owner.ancestors
        for method in ancestor.methods.values()
        for value in _values_set(method, attribute)
    ]
    if len(setters) != 1:
        return None
    ((method, value),) = setters
    node = method.node
    if method is not owner.all_methods.get(_CONSTRUCTOR) or not isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef)
    ):
        return None
    return value.id if isinstance(value, ast.Name) and _is_always_set(node, value) else None


def _is_always_set(constructor: FunctionNode, value: ast.Name) -> bool:
    """Whether a constructor stores a parameter as it was given, and not only in some cases."""
    is_at_the_top = any(isinstance(one, ast.Assign) and one.value is value for one in constructor.body)
    return is_at_the_top and is_as_given(constructor, value.id, value)


def _values_set(method: FunctionRecord, attribute: str) -> Iterator[ast.expr | None]:
    """What a method stores in an attribute of its object; None where that is no plain value."""
    for node in ast.walk(method.node):
        if not isinstance(node, ast.Attribute) or node.attr != attribute or isinstance(node.ctx, ast.Load):
            continue
        if not isinstance(node.value, ast.Name) or node.value.id != method.receiver:
            continue
        whole = next(
            (one for one in ast.walk(method.node) if isinstance(one, ast.Assign) and node in one.targets), None
        )
        yield whole.value if whole is not None else None
