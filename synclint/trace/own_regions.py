"""Blocks in which a project's own context managers accept waits: by the lines of a stack and the texts of files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.walk import branches, dotted_name
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.trace.records import CodeLine


class OwnRegions:
    """The blocks that ``allowed-regions`` names in files that ran; ``folder`` is where the run takes its settings from.

    Each file is read when a wait is first seen in it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_file: dict[str, tuple[range, ...]] = {}

    def accept(self, stack: Sequence[CodeLine]) -> bool:
        """Whether what runs at the end of a stack was called from within such a block."""
        return bool(self._names) and any(place.line in lines for place in stack for lines in self._in_file(place.file))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The full names of the context managers; a wrong configuration is told of by the linter."""
        try:
            regions = Configurations().of(self._folder).options.allowed_regions
        except ConfigurationError:
            return frozenset()
        return frozenset(region.pattern for region in regions)

    def _in_file(self, file: str) -> tuple[range, ...]:
        if file not in self._by_file:
            self._by_file[file] = tuple(self._read(Path(file))) if file.endswith(".py") else ()
        return self._by_file[file]

    def _read(self, path: Path) -> Iterator[range]:
        try:
            source = read_source(path)
            tree = parse(source) if any(name.rpartition(".")[2] in source for name in self._names) else None
        except (UnreadableSourceError, ParseFailure, RecursionError):
            return
        if tree is None:
            return
        full_names = _full_names(tree, _module_of(path))
        for node in ast.walk(tree):
            if isinstance(node, (ast.With, ast.AsyncWith)) and any(
                self._is_region(branch, full_names) for item in node.items for branch in branches(item.context_expr)
            ):
                yield range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)

    def _is_region(self, expression: ast.expr, full_names: dict[str, str]) -> bool:
        path = dotted_name(expression.func if isinstance(expression, ast.Call) else expression)
        first, dot, rest = (path or "").partition(".")
        return f"{full_names.get(first, first)}{dot}{rest}" in self._names


def _full_names(tree: ast.Module, module: Sequence[str]) -> dict[str, str]:
    """What a module calls by names that it has imported, or defines: their full names."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.asname: one.name for one in node.names if one.asname}
        elif isinstance(node, ast.ImportFrom):
            around = list(module[: -node.level]) if node.level else []
            origin = ".".join([*around, *([node.module] if node.module else [])])
            found |= {one.asname or one.name: f"{origin}.{one.name}" for one in node.names}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = ".".join([*module, node.name])
    return found


def _module_of(path: Path) -> list[str]:
    """The parts of a module's name, by the packages around its file; the last one of a package is ``__init__``."""
    parts = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return parts
