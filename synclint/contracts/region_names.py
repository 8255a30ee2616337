"""Whether ``allowed-regions`` names anything: what is written wrongly would accept nothing, without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.config.kinds import RegionName
from synclint.contracts.declared import folders_of_packages
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.spelling import nearest

_OF_PATTERNS = frozenset("*?[")
# How like a package of the project a name has to be that is none: others are those of libraries.
_LIKE_A_PACKAGE = 0.8


class RegionNameError(ValueError):
    """A name in the configuration that the project does not define; the message says what is near, in one line."""


def check_regions(names: Iterable[RegionName]) -> None:
    """Raise RegionNameError for a name in a module of the project that does not define it.

    Patterns may mean anything, and what is in no package of the project is that of a library.
    """
    for name in names:
        if _OF_PATTERNS.isdisjoint(name.pattern) and (problem := _problem(name)):
            raise RegionNameError(f"allowed-regions: {problem} (in {name.pattern!r})")


def _problem(name: RegionName) -> str:
    parts = name.pattern.split(".")
    folders = folders_of_packages(name.folder)
    found = [said for folder in folders if (said := _problem_in(folder, parts)) is not None]
    if found:
        return "" if "" in found else found[0]
    hint = nearest(parts[0], tuple(one for folder in folders for one in _modules_in(folder)), _LIKE_A_PACKAGE)
    return f"there is no module {parts[0]!r}{hint}" if hint and len(parts) > 1 else ""


def _problem_in(folder: Path, parts: list[str]) -> str | None:
    """What is wrong with a name if it is one of a folder, None where its first part means nothing there."""
    depth = 0
    while depth < len(parts) and (folder / parts[depth]).is_dir():
        folder, depth = folder / parts[depth], depth + 1
    path, beside = folder / "__init__.py", _modules_in(folder)
    if depth < len(parts) and (folder / f"{parts[depth]}.py").is_file():
        path, depth, beside = folder / f"{parts[depth]}.py", depth + 1, []
    if not depth or not path.is_file():
        return None
    try:
        tree = parse(read_source(path))
    except (UnreadableSourceError, ParseFailure, RecursionError):
        return None  # a run says what is wrong with it
    module, rest = ".".join(parts[:depth]), ".".join(parts[depth:])
    if not rest:
        return f"{module!r} is a module: name what it defines"
    defined = tuple(_defined(tree.body))
    if rest in defined:
        return ""
    package = parts[: depth - (path.stem != "__init__")]
    hint = _imported(tree, rest, package) or nearest(rest, defined) or nearest(parts[depth], beside)
    return f"{module!r} does not define {rest!r}{hint}"


def _defined(statements: Iterable[ast.AST], around: str = "") -> Iterator[str]:
    """What a module defines, by qualified names: functions, classes, and what it gives names to."""
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield f"{around}{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from _defined(node.body, f"{around}{node.name}.")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (f"{around}{target.id}" for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            yield from _defined(ast.iter_child_nodes(node), around)


def _imported(tree: ast.Module, name: str, package: list[str]) -> str:
    """Where a module of a package takes a name from that it does not define itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            around = package[: len(package) + 1 - node.level] if node.level else []
            for one in node.names:
                if (one.asname or one.name) == name:
                    origin = ".".join(filter(None, [*around, node.module, one.name]))
                    return f"; did you mean {origin!r}, which it imports?"
    return ""


def _modules_in(folder: Path) -> list[str]:
    """The modules and packages in a folder; none in one that cannot be read."""
    try:
        inside = [one for one in folder.iterdir() if one.suffix == ".py" or (one / "__init__.py").is_file()]
    except OSError:
        return []
    return sorted(one.stem for one in inside if one.stem != "__init__")
