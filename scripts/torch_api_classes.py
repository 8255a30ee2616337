"""The rows of public classes: what they inherit from, how they are made, their methods and attributes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch_api_kinds import Resolve, dotted_name, render, result_kind
from torch_api_public import SUPPLEMENT, TORCH, PublicInterface
from torch_api_sources import (
    ANYTHING,
    Overload,
    Row,
    annotated_names,
    classes,
    definitions,
    of_nodes,
    of_signatures,
    syntax,
)

SPECIAL_METHODS = frozenset(
    {
        "__init__",
        "__new__",
        "__call__",
        "__iter__",
        "__next__",
        "__getitem__",
        "__enter__",
        "__len__",
        "__contains__",
    }
)


def class_row(interface: PublicInterface, name: str, cls: type) -> dict[str, Any]:
    """One class; what its private bases define counts as its own."""
    if type(cls).__name__ == "tensortype":
        return {"bases": ["torch.Tensor"], "init": [ANYTHING], "methods": {}, "attributes": {}}
    bases = [base for ancestor in _ancestors(cls) if (base := interface.class_name(ancestor))]
    if cls is torch.Tensor:
        init = _own_methods(interface, classes(_stub().body)["TensorBase"].body, interface.resolve_in_stubs())[
            "__init__"
        ]
        return {"bases": bases, "init": init, "methods": {}, "attributes": {}}
    methods: dict[str, list[Overload]] = {}
    attributes: dict[str, str] = {}
    for owner in [cls, *_private_bases(interface, cls)]:
        found_methods, found_attributes = _members(interface, owner)
        methods = {**found_methods, **methods}
        attributes = {**found_attributes, **attributes}
    init = methods.get("__init__") or methods.get("__new__") or _inherited_init(interface, cls)
    return {
        "bases": bases,
        "init": init,
        "methods": {
            method: _completed(interface, cls, method, methods[method])
            for method in sorted(methods)
            if method not in attributes and method not in {"__init__", "__new__"}
        },
        "attributes": dict(sorted(attributes.items())),
    }


def _ancestors(cls: type) -> Iterator[type]:
    """The bases of a class, in a build of torch without CUDA as in one with it.

    Without it, an empty class stands for each base that is built in; the stub says what it would inherit.
    """
    for base in cls.__mro__[1:]:
        yield base
        stub = classes(_stub().body).get(base.__name__)
        if base.__module__ == "torch._utils" and stub is not None:
            for inherited in stub.bases:
                yield getattr(torch, (dotted_name(inherited) or "").rpartition(".")[2])


def _private_bases(interface: PublicInterface, cls: type) -> list[Any]:
    """The bases a class answers for: those that are neither public nor inherited through a public one."""
    public = [base for base in cls.__mro__[1:] if interface.class_name(base)]
    inherited = {id(base) for owner in public for base in owner.__mro__}
    return [base for base in cls.__mro__[1:] if id(base) not in inherited and base.__module__.startswith("torch")]


@cache
def _members(interface: PublicInterface, cls: type) -> tuple[dict[str, list[Overload]], dict[str, str]]:
    """Methods and attributes that a class itself defines."""
    body, resolve = _body(interface, cls)
    methods = _own_methods(interface, body, resolve)
    attributes = {**dict(_assigned_attributes(body, resolve)), **annotated_names(body, resolve)}
    constraints = vars(cls).get("arg_constraints")
    if isinstance(constraints, dict):
        # The parameters of a distribution become attributes, broadcast to tensors.
        attributes |= dict.fromkeys(constraints, "Tensor")
    known = interface.resolve_in_stubs("self")
    for owner in reversed(cls.__mro__):  # what is supplied for a method holds for those that override it
        supplied = SUPPLEMENT["classes"].get(interface.class_name(owner) or "", {})
        own = {name: said for name, said in supplied.get("methods", {}).items() if owner is cls or name in methods}
        methods |= {name: of_signatures(signatures, known) for name, signatures in own.items()}
    attributes |= supplied.get("attributes", {})
    return methods, {name: kind for name, kind in attributes.items() if not name.startswith("_")}


def _own_methods(interface: PublicInterface, body: list[ast.stmt], resolve: Resolve) -> dict[str, list[Overload]]:
    return {
        name: of_nodes(nodes, resolve, bound=True)
        for name, nodes in definitions(body).items()
        if name in SPECIAL_METHODS or not name.startswith("_")
    }


def _body(interface: PublicInterface, cls: type) -> tuple[list[ast.stmt], Resolve]:
    """The statements of a class, from source or stub, and how to read the names in them."""
    module = sys.modules.get(cls.__module__)
    path = Path(getattr(module, "__file__", None) or "")
    if module is not None and path.suffix == ".py":
        node = _class_nodes(path).get(cls.__qualname__)
        if node is not None:
            return node.body, interface.resolve_in(vars(module), "self")
    stubs = classes(_stub().body)
    node = stubs.get(cls.__name__) or stubs.get(f"_{cls.__name__}")
    return node.body if node else [], interface.resolve_in_stubs("self")


def _stub() -> ast.Module:
    return syntax(TORCH / "_C" / "__init__.pyi")


@cache
def _class_nodes(path: Path) -> Mapping[str, ast.ClassDef]:
    return {node.name: node for node in ast.walk(syntax(path)) if isinstance(node, ast.ClassDef)}


def _assigned_attributes(body: list[ast.stmt], resolve: Resolve) -> Iterator[tuple[str, str]]:
    """What `__init__` tells of attributes: parameters, buffers, annotations, instances of known classes."""
    for init in definitions(body).get("__init__", ()):
        for node in ast.walk(init):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                name = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                if node.func.attr in {"register_parameter", "register_buffer"} and isinstance(name, str):
                    yield name, "Tensor?"
            elif isinstance(node, ast.AnnAssign) and (attribute := _self_attribute(node.target)):
                yield attribute, result_kind(node.annotation, resolve)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                made = resolve(dotted_name(node.value.func) or "")
                attribute = _self_attribute(node.targets[0])
                if attribute and isinstance(made, str):
                    yield attribute, made


def _self_attribute(node: ast.expr) -> str | None:
    name = dotted_name(node) or ""
    return name.removeprefix("self.") if name.count(".") == 1 and name.startswith("self.") else None


def _inherited_init(interface: PublicInterface, cls: type) -> list[Overload]:
    for base in cls.__mro__[1:]:
        if base.__module__.startswith("torch") and (found := _members(interface, base)[0].get("__init__")):
            return found
    return [ANYTHING]


def _completed(interface: PublicInterface, cls: type, method: str, overloads: list[Overload]) -> list[Overload]:
    """An override without annotations takes and returns what the method it overrides is annotated to."""
    results: set[str] = set()
    kinds: dict[str, str] = {}
    for base in reversed(cls.__mro__[1:]):
        if base.__module__.startswith("torch"):
            overridden = _members(interface, base)[0].get(method, [])
            results = {returns for _, returns in overridden} - {"any"} or results
            rows = (row for parameters, _ in overridden for row in parameters if row != "*")
            kinds |= {row[0]: row[1] for row in rows if row[1] != "any"}
    return [
        [
            [_known(row, kinds) for row in parameters],
            render(results) if returns == "any" and results else returns,
        ]
        for parameters, returns in overloads
    ]


def _known(row: Row, kinds: Mapping[str, str]) -> Row:
    return [row[0], kinds.get(row[0], "any"), *row[2:]] if row != "*" and row[1] == "any" else row
