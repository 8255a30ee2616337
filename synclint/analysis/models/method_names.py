"""Which methods objects have that are no project's: those of torch, of Python, of what most libraries have."""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, deque
from functools import cache

from synclint.analysis.results.signatures import Asked
from synclint.analysis.syntax.nodes import Nodes
from synclint.catalog.names import names_in
from synclint.catalog.torch_api import load_torch_api

_PYTHON = (list, dict, str, bytes, set, tuple, float, slice, range, BaseException, deque, Counter, OrderedDict)


@cache
def _of_containers() -> frozenset[str]:
    return frozenset().union(*map(dir, _PYTHON))


@cache
def _of_python() -> frozenset[str]:
    return names_in("python", "methods-of-many") | _of_containers()


def is_method_elsewhere(name: str) -> bool:
    """Whether an object of torch's, of Python's or of any library may have a method of this name."""
    api = load_torch_api()
    return bool(api.method(name)) or api.property(name) is not None or name in api.class_members or name in _of_python()


def may_be_meant(name: str) -> bool:
    """Whether a method of the project may be meant by whoever asks something unknown for one of this name."""
    is_special = name.startswith("__") and name.endswith("__")  # many things have what Python itself calls
    return not is_special and ("_" in name.strip("_") or not is_method_elsewhere(name))


def may_be_the_only_one(name: str) -> bool:
    """Whether a method of the project may be meant by whoever asks something unknown for one of this name, if no other
    one in the project is called so: neither tensors nor containers have one.
    """
    api = load_torch_api()
    is_elsewhere = bool(api.method(name)) or api.property(name) is not None or name in _of_containers()
    return may_be_meant(name) or not is_elsewhere


def names_of_objects(nodes: Nodes) -> frozenset[str]:
    """The names in a body of what is asked for methods that neither tensors nor containers have."""
    asked = (call.func for call in nodes.of(ast.Call))
    return frozenset(
        one.value.id
        for one in asked
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and may_be_the_only_one(one.attr)
    )


def tells_of_project(asked: Asked) -> bool:
    """Whether what is asked for so may be something of the project: by that name, or by what it is asked for besides.

    `step_all` is called so for a reason, while `predict` and `run` are many things.
    """
    return bool(asked.telling) or may_be_the_only_one(asked.name)
