"""Under which names a file knows what it imports, and how it can name something more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from synclint.analysis.syntax.bindings import BINDING, bound_by
from synclint.findings import Edit, Position, Span
from synclint.fixes.source_files import SourceFile
from synclint.fixes.uses import path_of


@dataclass(frozen=True)
class Name:
    """How a file can write a qualified name, and the edit that makes it able to; None where it is already."""

    text: str
    needs: Edit | None = None


@dataclass(frozen=True)
class Imports:
    """The names that the top level of a file imports."""

    file: SourceFile

    @cached_property
    def _imported(self) -> dict[str, str]:
        """The qualified name behind each name that is imported, at the top of the module, and bound nowhere else."""
        found: dict[str, str] = {}
        for statement in _at_top(self.file.tree.body):
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if alias.asname:
                        found[alias.asname] = alias.name
                    else:
                        root = alias.name.partition(".")[0]
                        found[root] = root
            elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
                for alias in statement.names:
                    found[alias.asname or alias.name] = f"{statement.module}.{alias.name}"
        return {name: meant for name, meant in found.items() if name not in self._rebound}

    @cached_property
    def _rebound(self) -> frozenset[str]:
        """The names that something but an import binds anywhere in the file."""
        nodes = (node for kind in BINDING - {ast.alias} for node in self.file.nodes.of(kind))
        return frozenset(chain.from_iterable(map(bound_by, nodes)))

    def binds(self, name: str) -> bool:
        """Whether anything in the file may bind a name: ``from torch import *`` brings another ``max``."""
        return name in self._rebound or name in self._imported or "*" in self._imported

    @cached_property
    def _used(self) -> frozenset[str]:
        return frozenset(node.id for node in self.file.nodes.of(ast.Name))

    def qualified(self, node: ast.expr) -> str:
        """The qualified name of what an expression such as ``th.tensor`` names; empty where that is not sure."""
        path = path_of(node)
        return self.meant_by(path) if path is not None else ""

    def meant_by(self, path: str) -> str:
        """The same for a dotted name."""
        root, _, rest = path.partition(".")
        if root not in self._imported:
            return ""
        meant = _canonical(self._imported[root])
        return f"{meant}.{rest}" if rest else meant

    def name(self, qualified: str) -> Name | None:
        """How the file can write ``torch.full``; None where the name of the package means something else in it."""
        root = qualified.partition(".")[0]
        rest = qualified.removeprefix(root)
        for name, meant in self._imported.items():
            if meant == qualified:
                return Name(name)
        for name, meant in self._imported.items():
            if meant == root:
                return Name(f"{name}{rest}")
        if root in self._rebound or root in self._used:
            return None
        return Name(qualified, self._new_import(root))

    def _new_import(self, module: str) -> Edit:
        """The edit that adds ``import module``: before what is imported from it, else before all other imports."""
        body = self.file.tree.body
        futures = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
        has_docstring = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        others = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in futures]
        newline = self.file.newline
        if others:
            own = (node for node in others if any(name.partition(".")[0] == module for name in _modules_of(node)))
            start = self.file.span(next(own, others[0])).start
            return Edit(Span(start, start), f"import {module}{newline}")
        before = futures[-1] if futures else body[0] if has_docstring else None
        if before is not None:
            end = self.file.span(before).end
            empty = "" if futures else newline
            return Edit(Span(end, end), f"{newline}{empty}import {module}")
        start = self.file.span(body[0]).start
        start = Position(start.line, 1)
        return Edit(Span(start, start), f"import {module}{newline}")


def _modules_of(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that a statement imports, or imports something from."""
    return [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else [statement.module or ""]


def _at_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.Try):
            yield from _at_top(statement.body)


def _canonical(name: str) -> str:
    """The name under which torch documents what can be imported from several places."""
    return "torch.Tensor" if name in ("torch.tensor.Tensor", "torch._tensor.Tensor") else name
