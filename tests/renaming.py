"""Gives everything that a project has named itself another name: functions, classes, variables, attributes, parameters.

What frameworks and imported libraries call by name keeps its name, and so does what texts name: options of a command
line, attributes that `getattr` asks for. Lines stay where they are.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import collections
import io
import json
import keyword
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import libcst as cst

from synclint.catalog.tables import CATALOG, entry_tables

_TYPES = (
    str, bytes, int, float, complex, list, tuple, dict, set, frozenset, range, slice, io.TextIOWrapper, io.BytesIO,
    pathlib.Path, argparse.ArgumentParser, argparse.Namespace, collections.deque, collections.Counter, re.Pattern,
    re.Match, BaseException, type, property,
)  # fmt: skip
# What Lightning, Keras-like trainers, Ignite, gym and data sets call of the objects that they are given.
_HOOK = re.compile(
    r"^(on|optimizer|lr_scheduler|configure|log|manual|train|val|test|predict)_.*"
    r"|^(training|validation|test|predict)_(step|epoch_end|step_end)$|^(setup|teardown|prepare_data|compute_loss|toggle_optimizer)$"
)
_TEXTS_OF_NAMES = frozenset({"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"})
_WORD = re.compile(r"[A-Za-z_]\w*")


def renamed(files: Mapping[str, str], *, kept: Iterable[str] = ()) -> dict[str, str]:
    """The files of a project, by their paths, with other names for all that it has named itself, but for what is kept.

    New names stand in the order of the old ones, and tell nothing but whether a name is private, or that of a class.
    """
    trees = {path: ast.parse(text) for path, text in files.items()}
    own = {name for tree in trees.values() for name in _bound(tree)}
    modules = {part for path in files for part in pathlib.PurePath(path).with_suffix("").parts}
    external = {name for tree in trees.values() for name in _of_others(tree, modules, own)}
    names = sorted(own - external - modules - _known_names() - frozenset(kept))
    names = [name for name in names if not _is_fixed(name)]
    return {path: _with_names(text, _new_names(names)) for path, text in files.items()}


def _is_fixed(name: str) -> bool:
    return (name.startswith("__") and name.endswith("__")) or not name.strip("_") or _HOOK.match(name) is not None


def _new_names(names: list[str]) -> dict[str, str]:
    found = {}
    for number, name in enumerate(names):
        word = name.lstrip("_")
        letter = "Q" if word[0].isupper() else "q"
        found[name] = f"{'_' * (len(name) - len(word))}{letter}{number:05}"
    return found


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to something."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _of_others(tree: ast.Module, modules: set[str], own: set[str]) -> Iterator[str]:
    """The names by which a module asks for something of others, or others ask for something of it."""
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            source = (node.module or "").split(".") if isinstance(node, ast.ImportFrom) else []
            is_own = isinstance(node, ast.ImportFrom) and (node.level > 0 or not modules.isdisjoint(source))
            for alias in node.names:
                parts = alias.name.split(".")
                if not is_own and modules.isdisjoint(parts):
                    imported.add(alias.asname or parts[0])
                    yield from parts
                if alias.asname and not is_own:
                    yield alias.asname
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _root(node) in imported:
            yield node.attr
        elif isinstance(node, ast.Call):
            if _last(node.func) not in own or _root(node.func) in imported:
                yield from (argument.arg for argument in node.keywords if argument.arg)
                for argument in node.args:
                    if _last(node.func) in _TEXTS_OF_NAMES or _last(node.func) == "add_argument":
                        yield from _words(argument)
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    if argument.value.startswith("--"):
                        yield argument.value.strip("-").replace("-", "_")
        elif isinstance(node, ast.ClassDef):
            if any(_root(base) in imported and _last(base) not in ("Module", "object") for base in node.bases):
                yield from (one.name for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _words(node.returns)
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            yield from _words(node.annotation)


def _words(node: ast.expr | None) -> Iterator[str]:
    """The words in texts below a node."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from _WORD.findall(part.value.replace("-", "_"))


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


@cache
def _known_names() -> frozenset[str]:
    """The names of Python, PyTorch, and the libraries in the catalogue."""
    found = {*dir(builtins), *keyword.kwlist, "self", "cls"}
    for one in _TYPES:
        found.update(dir(one))
    api = json.loads((CATALOG / "torch_api.json").read_bytes())
    for kind in ("functions", "methods", "properties", "classes", "aliases"):
        found.update(part for name in api[kind] for part in name.split("."))
    for known in api["classes"].values():
        found.update((*known["methods"], *known["attributes"]))
    for text in _texts(list(entry_tables().values())):
        found.update(_WORD.findall(text) if " " not in text else ())
    return frozenset(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _with_names(source: str, names: Mapping[str, str]) -> str:
    return cst.parse_module(source).visit(_Renaming(names)).code


class _Renaming(cst.CSTTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._parameters: list[set[str]] = []

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self._names.get(original_node.value, original_node.value))

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        found = node.params
        given = (*found.params, *found.posonly_params, *found.kwonly_params)
        self._parameters.append({one.name.value for one in given})

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        self._parameters.pop()
        return updated_node

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        """Docstrings describe parameters: ``mask: where``, ``mask (Tensor): where``."""
        if not self._parameters or "\n" not in original_node.value:
            return updated_node
        told = {name: self._names[name] for name in self._parameters[-1] if name in self._names}
        if not told:
            return updated_node
        named = "|".join(map(re.escape, told))
        text = re.sub(
            rf"(?m)^(\s*(?::param [^:\n]*?)?)\b({named})\b(?=\s*[:(])",
            lambda match: f"{match[1]}{told[match[2]]}",
            original_node.value,
        )
        return updated_node.with_changes(value=text)
