"""Which folders a module puts on ``sys.path``: what it imports, and what imports run after that, is looked up there."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

_ADDED = re.compile(r"^[ \t]*sys\.path\.(?:append|insert)\(.*\)", re.MULTILINE)
_BOUND = re.compile(
    r"^(\w+) = (?:(?=.*\b(?:__file__|os|osp|Path|pathlib|dirname|join)\b).*|\w+[ \t]*(?:#.*)?)$", re.MULTILINE
)
_FUNCTION = re.compile(r"^def (\w+)\([ \t]*(\w+)", re.MULTILINE)
_IMPORTED = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)
_PROGRAM = re.compile(r"^if[ \t(]+__name__[ \t]*==", re.MULTILINE)
_TAKEN = re.compile(r"^from[ \t]+([\w.]+)[ \t]+import[ \t(\n]*(\w+)", re.MULTILINE)
_SAME = frozenset({"abspath", "realpath", "normpath", "resolve", "absolute", "as_posix", "str", "fspath", "Path"})
_LONGEST, _DEEPEST = 300, 20


def added_to_path(text: str, file: Path) -> Iterator[PurePath]:
    """The folders that the text of a module in a file adds to ``sys.path``, in its order.

    Those that are not absolute are meant from where the program is started. A function of the module may add what it is
    given: ``def add_path(path): sys.path.insert(0, path)``.
    """
    if "sys.path" not in text:
        return
    bound = {found[1]: found[0].partition("=")[2] for found in _BOUND.finditer(text)}
    for found in _ADDED.finditer(text):
        call = _expression(found[0])
        if not isinstance(call, ast.Call) or not call.args:
            continue
        for added in _given_to(call.args[-1], text, found.start()):
            place = _place(added, file, bound, _DEEPEST)
            if place is not None:
                yield PurePath(os.path.normpath(place))


def imported_names(text: str) -> frozenset[str]:
    """The first parts of the names of the modules that a text imports."""
    return frozenset(found[1] for found in _IMPORTED.finditer(text))


def taken_by_program(text: str) -> tuple[tuple[str, str], ...]:
    """The modules from which a program takes something, each with the first name that it takes; none of other texts.

    Python looks for modules in the folder of the file that it runs before it looks anywhere else.
    """
    return taken(text) if "__name__" in text and _PROGRAM.search(text) is not None else ()


def taken(text: str) -> tuple[tuple[str, str], ...]:
    """The modules, by absolute names, from which a text takes something, each with the first name that it takes."""
    return tuple((module, name) for module, name in _TAKEN.findall(text) if not module.startswith("."))


def _given_to(added: ast.expr, text: str, at: int) -> Iterator[ast.expr]:
    """What is added at a place of a text: what the calls of the function around it give, if that is its parameter."""
    around = [*_FUNCTION.finditer(text, 0, at)]
    if not isinstance(added, ast.Name) or not around or around[-1][2] != added.id:
        yield added
        return
    for found in re.finditer(rf"^{around[-1][1]}\(.*\)", text, re.MULTILINE):
        call = _expression(found[0])
        if isinstance(call, ast.Call) and call.args:
            yield call.args[0]


def _expression(text: str) -> ast.expr | None:
    if len(text) > _LONGEST:
        return None
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _place(node: ast.expr | None, file: Path, bound: Mapping[str, str], depth: int) -> PurePath | None:
    """The path that an expression makes of the module's own and of texts, None where it makes it of anything else."""
    if depth == 0 or node is None:
        return None

    def place(part: ast.expr | None) -> PurePath | None:
        return _place(part, file, bound, depth - 1)

    def joined(*parts: ast.expr) -> PurePath | None:
        places = [found for part in parts if (found := place(part)) is not None]
        return PurePath(*places) if len(places) == len(parts) else None

    def above(part: ast.expr, times: int) -> PurePath | None:
        inner = place(part)
        return inner.joinpath(*[os.pardir] * times) if inner is not None else None

    match node:
        case ast.Constant(value=str(text)):
            return PurePath(text)
        case ast.Name(id="__file__"):
            return file
        case ast.Name(id=name) if name in bound:
            return place(_expression(bound[name]))
        case ast.Attribute(value=inner, attr="parent"):
            return above(inner, 1)
        case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(times))):
            return above(inner, min(times, _DEEPEST) + 1)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return joined(left, right)
        case ast.Call(func=ast.Attribute(attr="getcwd" | "cwd"), args=[]):
            return PurePath()
        case ast.Call(func=ast.Attribute(attr="dirname"), args=[inner]):
            return above(inner, 1)
        case ast.Call(func=ast.Attribute(attr="join"), args=parts):
            return joined(*parts)
        case ast.Call(func=ast.Attribute(value=inner, attr="joinpath"), args=parts):
            return joined(inner, *parts)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner]) if name in _SAME:
            return place(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _SAME:
            return place(inner)
    return None
