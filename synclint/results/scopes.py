"""What the names of a function, a module or a loop are given, and what they are used for, by its text alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from synclint.analysis.syntax.walk import last_name, walk

# What makes a tensor of a size, and what gives a tensor another one.
CREATIONS = frozenset({"zeros", "ones", "empty", "full", "arange", "range", "new_zeros", "new_ones", "new_empty"})
SHAPES = frozenset({"view", "reshape", "expand", "repeat", "narrow", "unfold", "resize_"})
# What the host knows of a tensor or an array whatever its values are.
_DESCRIBING = frozenset({"shape", "size", "ndim", "dim", "numel", "dtype", "device"})
# What fills a tensor with its second argument, which is no size.
FILLINGS = frozenset({"full", "new_full", "full_like"})


@dataclass(frozen=True)
class Scope:
    """A part of a program, looked through when it is first asked, once for everybody who asks."""

    node: ast.AST

    @property
    def line(self) -> int:
        """The line on which it begins."""
        line: int = getattr(self.node, "lineno", 1)
        return line

    @cached_property
    def assignments(self) -> Mapping[str, tuple[ast.Assign, ...]]:
        """The assignments to each name, in the order of their lines."""
        found: dict[str, list[ast.Assign]] = {}
        for part in walk(self.node):
            if isinstance(part, ast.Assign):
                for target in part.targets:
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(part)
        return {name: tuple(sorted(each, key=lambda node: node.lineno)) for name, each in found.items()}

    @cached_property
    def last_sizes(self) -> Mapping[str, int]:
        """The last line on which each name is used as the size of something that is created or shaped."""
        found: dict[str, int] = {}
        for part in walk(self.node):
            if isinstance(part, ast.Call) and called(part) in CREATIONS | SHAPES:
                filled = filling(part) if called(part) in FILLINGS else None
                sizes = (argument for argument in part.args if argument is not filled)
                for name in (name for size in sizes for name in _read_in(size)):
                    found[name] = max(part.lineno, found.get(name, 0))
        return found

    @cached_property
    def unchanged(self) -> frozenset[str]:
        """The names that are read in it, and not given anything."""
        names = [part for part in walk(self.node) if isinstance(part, ast.Name)]
        given = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
        return frozenset(name.id for name in names) - given


def _read_in(size: ast.expr) -> Iterator[str]:
    """The names whose values decide a size: of ``scores.shape`` no value of ``scores`` does."""
    parts = list(walk(size))
    described = {
        id(name)
        for part in parts
        if isinstance(part, ast.Attribute) and part.attr in _DESCRIBING
        for name in walk(part)
    }
    return (part.id for part in parts if isinstance(part, ast.Name) and id(part) not in described)


def filling(call: ast.Call) -> ast.expr | None:
    """What one of ``FILLINGS`` is given to fill in."""
    if len(call.args) > 1:
        return call.args[1]
    return next((keyword.value for keyword in call.keywords if keyword.arg == "fill_value"), None)


def called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return last_name(call.func)
