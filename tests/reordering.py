"""Rewrites of a project that change nothing of what it does: other orders of definitions, other names of files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Reordered:
    """A source whose functions stand in another order, and for each of its lines the one where that stood before."""

    source: str
    lines_before: tuple[int, ...]


def reordered(source: str, random: Random) -> Reordered:
    """A source with functions and methods that stand side by side in another order."""
    lines = source.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    order = list(range(len(lines)))
    for block in _blocks(ast.parse(source)):
        start, end = _first_line(block[0]) - 1, block[-1].end_lineno or 0
        starts = [start, *(_first_line(function) - 1 for function in block[1:]), end]
        pieces = [order[one:other] for one, other in pairwise(starts)]
        random.shuffle(pieces)
        order[start:end] = [line for piece in pieces for line in piece]
    return Reordered("".join(lines[line] for line in order), tuple(line + 1 for line in order))


def _blocks(tree: ast.Module) -> Iterator[list[Function]]:
    """The functions that stand one after the other, inner ones before those around them, with nothing between them."""
    holders: list[ast.Module | ast.ClassDef] = [tree]
    holders += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for node in reversed(holders):
        block: list[Function] = []
        for statement in node.body:
            if isinstance(statement, _FUNCTIONS) and not _depends_on_order(statement, block):
                block.append(statement)
                continue
            if len(block) > 1:
                yield block
            block = []
        if len(block) > 1:
            yield block


def _depends_on_order(function: Function, block: list[Function]) -> bool:
    """Whether a function has decorators or defaults that may name another one, or the name of another one."""
    if any(not isinstance(decorator, ast.Name) for decorator in function.decorator_list):
        return True
    return any(other.name == function.name for other in block)


def _first_line(function: Function) -> int:
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def renamed(files: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    """The files of a project with modules of other names, and the imports that go with them."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else re.compile(r"(?!)")

    def other(text: str) -> str:
        return pattern.sub(lambda found: names[found[0]], text)

    found = {}
    for path, source in files.items():
        at = Path(path)
        lines = [other(line) if re.match(r"\s*(?:from|import)\b", line) else line for line in source.split("\n")]
        found[str(at.with_name(f"{names.get(at.stem, at.stem)}{at.suffix}"))] = "\n".join(lines)
    return found
