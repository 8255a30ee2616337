"""Rewrites of a project that change nothing of what it does: other orders of definitions, other names of files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Reordered:
    """A source whose definitions stand in another order, and for each of its lines the one where that stood before."""

    source: str
    lines_before: tuple[int, ...]


def reordered(source: str, random: Random) -> Reordered:
    """A source with functions, classes and methods that stand side by side in another order."""
    lines = source.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    order = list(range(len(lines)))
    for block in _blocks(ast.parse(source)):
        start, end = _first_line(block[0]) - 1, block[-1].end_lineno or 0
        starts = [start, *(_first_line(definition) - 1 for definition in block[1:]), end]
        pieces = [order[one:other] for one, other in pairwise(starts)]
        random.shuffle(pieces)
        order[start:end] = [line for piece in pieces for line in piece]
    return Reordered("".join(lines[line] for line in order), tuple(line + 1 for line in order))


def _blocks(tree: ast.Module) -> Iterator[list[Definition]]:
    """The definitions that stand one after the other, inner ones before those around them, with nothing between them.

    None of them needs another one of its block when it is defined.
    """
    holders: list[ast.Module | ast.ClassDef] = [tree]
    holders += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for node in reversed(holders):
        block: list[Definition] = []
        for statement in node.body:
            if isinstance(statement, _DEFINITIONS) and not _depends_on_order(statement, block):
                block.append(statement)
                continue
            if len(block) > 1:
                yield block
            block = [statement] if isinstance(statement, _DEFINITIONS) else []
        if len(block) > 1:
            yield block


def _depends_on_order(definition: Definition, block: list[Definition]) -> bool:
    """Whether a definition reads one of those before it, such as a base or a decorator, or has the name of one."""
    names = {other.name for other in block}
    return definition.name in names or not names.isdisjoint(_read_by(definition))


def _read_by(definition: Definition) -> Iterator[str]:
    """The names that are read when a function or a class is defined."""
    if isinstance(definition, ast.ClassDef):
        parts: list[ast.AST] = [*definition.decorator_list, *definition.bases, *definition.keywords]
        for statement in definition.body:
            if isinstance(statement, _DEFINITIONS):
                yield from _read_by(statement)
            else:
                parts.append(statement)
    else:
        parts = [*definition.decorator_list, definition.args, *([definition.returns] if definition.returns else [])]
    yield from (node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name))


def _first_line(definition: Definition) -> int:
    return min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])


def renamed(files: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    """The files of a project with modules of other names, and the imports that go with them.

    Modules that are imported as a whole under their dotted names keep theirs: they may stand anywhere in the code.
    """
    kept = {
        alias.name.rpartition(".")[2]
        for source in files.values()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    names = {stem: name for stem, name in names.items() if stem not in kept}
    return {_path_with(path, names): _with_other_imports(path, source, files, names) for path, source in files.items()}


def _path_with(path: str, names: dict[str, str]) -> str:
    at = Path(path)
    return str(at.with_name(f"{names.get(at.stem, at.stem)}{at.suffix}"))


def _with_other_imports(path: str, source: str, files: dict[str, str], names: dict[str, str]) -> str:
    lines = [line.encode() for line in source.split("\n")]
    edits: list[tuple[int, int, int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ImportFrom):
            continue
        home = Path(path).parents[node.level - 1] if node.level else Path()
        parts = (node.module or "").split(".") if node.module else []
        around = home.joinpath(*parts)
        if parts and parts[-1] in names and f"{around}.py" in files:
            start = lines[node.lineno - 1].index((node.module or "").encode(), node.col_offset)
            whole = ".".join([*parts[:-1], names[parts[-1]]])
            edits.append((node.lineno, start, start + len((node.module or "").encode()), whole))
        for alias in node.names:
            if alias.name in names and str(around / f"{alias.name}.py") in files:
                end = alias.col_offset + len(alias.name.encode())
                known_as = "" if alias.asname else f" as {alias.name}"
                edits.append((alias.lineno, alias.col_offset, end, f"{names[alias.name]}{known_as}"))
    for line, start, end, text in sorted(edits, reverse=True):
        lines[line - 1] = lines[line - 1][:start] + text.encode() + lines[line - 1][end:]
    return b"\n".join(lines).decode()
