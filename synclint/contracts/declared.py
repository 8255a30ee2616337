"""The contracts of a project: functions that the configuration, a comment or a decorator declares sync-free."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from synclint.adoption.directives import read_directives
from synclint.analysis.program.heads import decorator_name
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.config.kinds import ContractName
from synclint.contracts.marks import COMMENT, DECORATOR
from synclint.sources.comments import source_lines
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.spelling import nearest

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Declaration(str, Enum):
    """What declares a contract."""

    CONFIGURATION = "configuration"
    COMMENT = "comment"
    DECORATOR = "decorator"


@dataclass(frozen=True)
class Contract:
    """A function from which nothing may be reached that waits.

    ``key`` names the function in records of the analysis, ``function`` is its qualified name in its file, which the run
    calls ``path``; it stands on the lines ``line`` to ``last_line``, below its ``decorators``, those that declare it
    aside.
    """

    key: str
    function: str
    path: Path
    line: int
    last_line: int
    declared_by: Declaration
    decorators: tuple[str, ...] = ()


class ContractNameError(ValueError):
    """A name in the configuration that means no function; the message says what is near, in one line."""


def contracts_in(path: Path, real_path: Path, source: str, names: Iterable[str]) -> Iterator[Contract]:
    """The contracts of one file; ``names`` are the functions in it that the configuration names, by qualified names.

    What is no function of the file is left out: ``check_names`` tells of it.
    """
    functions = _functions(source)
    declared: dict[str, Declaration] = dict.fromkeys(names, Declaration.CONFIGURATION)
    if DECORATOR in source:
        for name, node in functions.items():
            if any(_is_declaration(decorator, source) for decorator in node.decorator_list):
                declared.setdefault(name, Declaration.DECORATOR)
    if COMMENT in source:
        marked = {mark.first for mark in read_directives(source_lines(source)).contracts}
        for name, node in functions.items():
            if node.lineno in marked:
                declared.setdefault(name, Declaration.COMMENT)
    for name, declared_by in declared.items():
        function = functions.get(name)
        if function is not None:
            others = (one for one in function.decorator_list if not _is_declaration(one, source))
            decorators = tuple(filter(None, map(decorator_name, others)))
            key = f"{real_path}:{function.lineno}:{function.col_offset}"
            last = function.end_lineno or function.lineno
            yield Contract(key, name, path, function.lineno, last, declared_by, decorators)


def file_of(name: ContractName) -> Path | None:
    """The file of the module that a name means: beside the configuration, or in a folder there that holds packages."""
    parts = name.module.split(".")
    for folder in folders_of_packages(name.folder):
        below = folder.joinpath(*parts)
        for candidate in (below.with_suffix(".py"), below / "__init__.py"):
            if candidate.is_file():
                return candidate
    return None


def check_names(names: Iterable[ContractName]) -> None:
    """Raise ContractNameError for a name that means no function that exists."""
    for name in names:
        path = file_of(name)
        if path is None:
            raise ContractNameError(f"sync-free: there is no module {name.module!r}{_near_module(name)} (in '{name}')")
        try:
            functions = _functions(read_source(path))
        except UnreadableSourceError as error:
            raise ContractNameError(f"sync-free: {path}: {error}") from None
        if name.function not in functions:
            hint = nearest(name.function, tuple(functions)) or _of_that_name(name.function, functions)
            raise ContractNameError(f"sync-free: {path.name} has no function {name.function!r}{hint} (in '{name}')")


def _of_that_name(function: str, functions: Iterable[str]) -> str:
    """Functions whose last name is the one that was written."""
    last = function.rpartition(".")[2]
    found = [name for name in functions if name.rpartition(".")[2] == last]
    return f"; did you mean {found[0]!r}?" if found else ""


def _near_module(name: ContractName) -> str:
    parts = name.module.split(".")
    for folder in folders_of_packages(name.folder):
        around = folder.joinpath(*parts[:-1])
        if around.is_dir():
            beside = sorted(
                one.stem for one in around.iterdir() if one.suffix == ".py" or (one / "__init__.py").is_file()
            )
            if hint := nearest(name.module, tuple(".".join([*parts[:-1], one]) for one in beside)):
                return hint
    return ""


@lru_cache(maxsize=8)
def folders_of_packages(folder: Path) -> tuple[Path, ...]:
    """A folder, and those directly in it that may hold packages, such as ``src``."""
    try:
        inner = sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))
    except OSError:
        inner = []
    return (folder, *(one for one in inner if not (one / "__init__.py").is_file()))


@lru_cache(maxsize=64)
def _tree(source: str) -> ast.Module | None:
    try:
        return parse(source)
    except (ParseFailure, RecursionError):
        return None


def _functions(source: str) -> Mapping[str, _Definition]:
    """The functions of a text by their qualified names; of several of one name the last."""
    tree = _tree(source)
    found: dict[str, _Definition] = {}
    waiting: list[tuple[str, ast.AST]] = [("", tree)] if tree is not None else []
    while waiting:
        around, node = waiting.pop(0)
        for inner in ast.iter_child_nodes(node):
            name = around
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{around}.{inner.name}" if around else inner.name
                if not isinstance(inner, ast.ClassDef):
                    found[name] = inner
            if not isinstance(inner, ast.expr):
                waiting.append((name, inner))
    return found


def _is_declaration(decorator: ast.expr, source: str) -> bool:
    """Whether a decorator is ``synclint.sync_free``, under whatever name the module has imported it."""
    name = decorator_name(decorator)
    return name is not None and name in _names_of_decorator(source)


@lru_cache(maxsize=64)
def _names_of_decorator(source: str) -> frozenset[str]:
    tree = _tree(source)
    found: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            found.update(f"{one.asname or one.name}.{DECORATOR}" for one in node.names if one.name == "synclint")
        elif isinstance(node, ast.ImportFrom) and node.module == "synclint" and not node.level:
            found.update(one.asname or one.name for one in node.names if one.name == DECORATOR)
    return frozenset(found)
