"""Overloads read from stubs, from Python sources, from operator schemas, from docstrings.

An overload is what the table holds of one: `[parameters, result]`, see `synclint.catalog.torch_api`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, GenericAlias
from typing import Any, TypeAlias, get_args

import torch
from torch_api_kinds import Resolve, dotted_name, parameter_kind, render, result_kind

Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
Overload: TypeAlias = "list[Any]"
Row: TypeAlias = "list[str] | str"
Schema: TypeAlias = Any
SchemaArgument: TypeAlias = Any

ANYTHING: Overload = [[["*args", "any"], ["**kwargs", "any"]], "any"]
"""The overload of a function of which nothing is known."""

DOCUMENTED_RESULTS = {
    "Tensor": "Tensor",
    "LongTensor": "Tensor",
    "IntTensor": "Tensor",
    "BoolTensor": "Tensor",
    "(Tensor, Tensor)": "tuple[Tensor,Tensor]",
    "(Tensor, LongTensor)": "tuple[Tensor,Tensor]",
    "(Tensor, Tensor, Tensor)": "tuple[Tensor,Tensor,Tensor]",
    "List of Tensors": "list[Tensor]",
    "List[Tensor]": "list[Tensor]",
    "Tensor[]": "list[Tensor]",
    "bool": "bool",
    "int": "int",
    "float": "float",
    "None": "None",
}

SCHEMA_KINDS = {
    "Tensor": "Tensor",
    "Scalar": "number",
    "ScalarType": "dtype",
    "SymInt": "int",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "complex": "number",
    "number": "number",
    "Device": "device",
    "Layout": "layout",
    "Generator": "generator",
}
SCHEMA_SEQUENCES = {
    "Tensor": "Tensors",
    "Optional[Tensor]": "Tensors",
    "int": "size",
    "SymInt": "size",
    "float": "floats",
    "Scalar": "numbers",
    "number": "numbers",
    "bool": "bools",
}


@cache
def syntax(path: Path) -> ast.Module:
    """The syntax tree of a source or stub."""
    return ast.parse(path.read_text(encoding="utf-8"))


def definitions(body: Sequence[ast.stmt]) -> dict[str, list[Definition]]:
    """The functions a module or class defines, overloads together, without the implementation after them."""
    found: dict[str, list[Definition]] = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            known = found.setdefault(node.name, [])
            if not known or _is_decorated(node, "overload"):
                known.append(node)
            elif not _is_decorated(known[-1], "overload"):
                known[:] = [node]
    return found


def classes(body: Sequence[ast.stmt]) -> dict[str, ast.ClassDef]:
    """The classes a module defines at its top level."""
    return {node.name: node for node in body if isinstance(node, ast.ClassDef)}


def annotated_names(body: Sequence[ast.stmt], resolve: Resolve) -> dict[str, str]:
    """Name to kind of what a class annotates and of its properties."""
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if _names_no_attribute(node.annotation):
                continue
            found[node.target.id] = result_kind(node.annotation, resolve)
        elif isinstance(node, ast.FunctionDef) and is_property(node):
            found[node.name] = result_kind(node.returns, resolve)
    return found


def _names_no_attribute(annotation: ast.expr) -> bool:
    """Whether it is of a method under another name (`forward: Callable[..., Any]`) or of a type."""
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return (dotted_name(base) or "").rpartition(".")[2] in {"Callable", "TypeAlias"}


def is_property(node: Definition) -> bool:
    """Whether a function in a class is read without being called."""
    return any((dotted_name(item) or "").endswith("property") for item in _decorators(node))


def _decorators(node: Definition) -> list[ast.expr]:
    return [item.func if isinstance(item, ast.Call) else item for item in node.decorator_list]


def _is_decorated(node: Definition, name: str) -> bool:
    return any((dotted_name(item) or "").rpartition(".")[2] == name for item in _decorators(node))


def overload_of(node: Definition, resolve: Resolve, *, bound: bool = False) -> Overload:
    """The overload that a definition declares, without its receiver for a `bound` method."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*defaults, *arguments.defaults], strict=True))
    if bound and pairs and not _is_decorated(node, "staticmethod"):
        pairs = pairs[1:]
    parameters: list[Any] = [_parameter(argument, default, resolve) for argument, default in pairs]
    if arguments.vararg:
        parameters.append([f"*{arguments.vararg.arg}", parameter_kind(arguments.vararg.annotation, resolve)])
    elif arguments.kwonlyargs:
        parameters.append("*")
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parameters += [_parameter(argument, default, resolve) for argument, default in keywords]
    if arguments.kwarg:
        parameters.append([f"**{arguments.kwarg.arg}", parameter_kind(arguments.kwarg.annotation, resolve)])
    return [parameters, result_kind(node.returns, resolve)]


def _parameter(argument: ast.arg, default: ast.expr | None, resolve: Resolve) -> list[str]:
    kind = parameter_kind(argument.annotation, resolve, or_none=default is not None and _is_none(default))
    if default is None:
        return [argument.arg, kind]
    if argument.annotation is None:
        kind = _kind_of_unannotated(argument.arg, default)
    return [argument.arg, kind, ast.unparse(default)]


def _kind_of_unannotated(name: str, default: ast.expr) -> str:
    """What a default alone tells: True or False a flag, None for a `device` or `dtype` what the name says."""
    if isinstance(default, ast.Constant) and isinstance(default.value, bool):
        return "bool"
    return f"{name}?" if name in {"device", "dtype"} and _is_none(default) else "any"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def with_defaults(overloads: list[Overload], defaults: Mapping[str, str]) -> list[Overload]:
    """The overloads with the defaults that a stub writes as `...`."""
    return [
        [
            [[*row[:2], defaults.get(row[0], row[2])] if row[2:] == ["..."] else row for row in parameters],
            returns,
        ]
        for parameters, returns in overloads
    ]


def of_nodes(nodes: Iterable[Definition], resolve: Resolve, *, bound: bool = False) -> list[Overload]:
    """The distinct overloads that definitions declare; docstrings tell results that are not annotated."""
    overloads: list[Overload] = []
    for node in nodes:
        overload = overload_of(node, resolve, bound=bound)
        if node.returns is None:
            overload[1] = documented_result(ast.get_docstring(node))
        overloads.append(overload)
    return _distinct(overloads)


def of_signatures(signatures: Iterable[str], resolve: Resolve) -> list[Overload]:
    """The overloads that signatures such as `(input: Tensor) -> Tensor` declare."""
    nodes = [ast.parse(f"def f{signature}: ...").body[0] for signature in signatures]
    return [overload_of(node, resolve) for node in nodes if isinstance(node, ast.FunctionDef)]


def _distinct(overloads: Iterable[Overload]) -> list[Overload]:
    kept: list[Overload] = []
    for overload in overloads:
        if overload not in kept and not _mentions_dimension_names(overload):
            kept.append(overload)
    return kept


def _mentions_dimension_names(overload: Overload) -> bool:
    """Whether an overload is for named tensors, a feature that is being withdrawn."""
    return any(
        row != "*" and (row[0] == "names" or (row[0] in {"dim", "start_dim"} and row[1].startswith("str")))
        for row in overload[0]
    )


def of_python_function(function: FunctionType, resolve: Resolve) -> list[Overload]:
    """The overloads of a function from its source."""
    if branches := _dispatch_branches(function):
        return _dispatched(branches, resolve)
    target = inspect.unwrap(function)
    return of_nodes(_definitions_at(target), resolve) if isinstance(target, FunctionType) else []


def documented_result(docstring: str | None) -> str:
    """The result that a docstring's first lines promise: `einsum(equation, *operands) -> Tensor`."""
    opening = "\n".join((docstring or "").strip().splitlines()[:6])
    match = re.search(r"\)\s*->\s*([^\n]+)", opening)
    return DOCUMENTED_RESULTS.get(match.group(1).strip(), "any") if match else "any"


def _dispatch_branches(function: FunctionType) -> Mapping[str, Any] | None:
    """What `torch._jit_internal.boolean_dispatch` chooses between, for a function made by it."""
    if not isinstance(function, FunctionType) or "if_true" not in function.__code__.co_freevars:
        return None
    cells = function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}


def _dispatched(branches: Mapping[str, Any], resolve: Resolve) -> list[Overload]:
    found: list[Overload] = []
    for literal, branch in (("False", branches["if_false"]), ("True", branches["if_true"])):
        for parameters, returns in of_python_function(branch, resolve):
            chosen = [_chosen(row, branches, literal) for row in parameters]
            found.append([chosen, returns])
    return found


def _chosen(row: Row, branches: Mapping[str, Any], literal: str) -> Row:
    if row == "*" or row[0] != branches["arg_name"]:
        return row
    return [row[0], literal, literal] if str(branches["default"]) == literal else [row[0], literal]


@cache
def _index(path: Path) -> dict[int, tuple[Definition, ...]]:
    """By the line a definition starts on, decorators included: it, or the overloads it implements."""
    found: dict[int, tuple[Definition, ...]] = {}
    for owner in ast.walk(syntax(path)):
        body = getattr(owner, "body", None)
        if not isinstance(body, list):
            continue
        groups = definitions(body)
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                group = groups[node.name]
                found[line] = tuple(group) if _is_decorated(group[0], "overload") else (node,)
    return found


def _definitions_at(function: FunctionType) -> tuple[Definition, ...]:
    path = Path(function.__code__.co_filename)
    if not path.is_file():
        return ()
    return _index(path).get(function.__code__.co_firstlineno, ())


def resolver(namespace: Mapping[str, Any], public_class: Callable[[Any], str | None]) -> Resolve:
    """Resolve names as code with this namespace would: to public classes, or what type aliases stand for."""

    def resolve(name: str) -> str | ast.expr | None:
        first, *rest = name.split(".")
        target = namespace.get(first, torch if first == "torch" else None)
        for attribute in rest:
            target = getattr(target, attribute, None)
        if inspect.isclass(target) and not isinstance(target, GenericAlias):
            return public_class(target)
        if not get_args(target):
            return None
        try:
            return ast.parse(repr(target), mode="eval").body
        except SyntaxError:
            return None

    return resolve


@cache
def _schemas() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith("aten::"):
            found.setdefault(schema.name.removeprefix("aten::"), []).append(schema)
    return found


def of_schemas(operator: str) -> list[Overload]:
    """The overloads of a built-in function from the operators of its name, `out=` a parameter of each."""
    schemas = sorted(_schemas().get(operator, ()), key=str)
    writes_out = any(argument.is_out for schema in schemas for argument in schema.arguments)
    return _distinct(
        _of_schema(schema, writes_out=writes_out)
        for schema in schemas
        if not any(argument.is_out for argument in schema.arguments) and "Dimname" not in str(schema)
    )


def _of_schema(schema: Schema, *, writes_out: bool) -> Overload:
    parameters: list[Any] = []
    for argument in schema.arguments:
        if argument.kwarg_only and "*" not in parameters:
            parameters.append("*")
        name = "input" if argument.name == "self" else argument.name
        row = [name, render(_schema_kinds(argument))]
        if argument.has_default_value():
            row.append(str(argument.default_value))
        parameters.append(row)
    if writes_out:
        out = "Tensor?" if len(schema.returns) == 1 else "Tensors?"
        parameters += [*([] if "*" in parameters else ["*"]), ["out", out, "None"]]
    results = [render(_schema_result(item.type)) for item in schema.returns]
    if not results:
        return [parameters, "None"]
    return [parameters, results[0] if len(results) == 1 else f"tuple[{','.join(results)}]"]


def _schema_kinds(argument: SchemaArgument) -> list[str]:
    text = str(argument.real_type)
    if optional := text.startswith("Optional["):
        text = text[len("Optional[") : -1]
    none = ["None"] if optional else []
    if text.startswith("List["):
        kind = SCHEMA_SEQUENCES.get(text[len("List[") : -1], "any")
        # `int[1]`: a single int stands for a sequence of them.
        return [kind, *(["int"] if argument.N is not None and kind == "size" else []), *none]
    return [SCHEMA_KINDS.get(text, "any"), *none]


def _schema_result(kind: object) -> list[str]:
    text = str(kind)
    if text.startswith("List["):
        return [f"list[{SCHEMA_KINDS.get(text[len('List[') : -1], 'any')}]"]
    return [SCHEMA_KINDS.get(text, "any")]
