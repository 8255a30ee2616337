"""Classes that only a registry could make objects of, where nothing in a project makes any from that registry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(?:\([^()]*\)|[^\n(]*)", re.MULTILINE)
_QUOTED_NAME = re.compile(r"""(["'])\w+\1""")
_FUNCTION = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


class Unbuilt(NamedTuple):
    """The classes of which nothing makes objects, and the words in sources that this hangs on."""

    classes: frozenset[str]
    words: frozenset[str]


def unbuilt(registered: Mapping[str, str], sources: Sequence[str]) -> Unbuilt:
    """Of classes, with the names of the registries that they are in, those of which no object is made.

    The registry is one of the project's own, and its name stands only where classes are put into it, and in functions
    whose own names stand nowhere else; that of the class stands nowhere but where it is defined and imported.
    """
    words = {*registered, *registered.values()}
    code = [_without_imports(source) for source in sources if any(word in source for word in words)]
    closed: set[str] = set()
    for registry in sorted(set(registered.values())):
        users = _users(registry, code)
        if users is not None:
            words |= users
            if not any(_uses(user, source) for user in users for source in map(_without_imports, sources)):
                closed.add(registry)
    found = frozenset(
        name
        for name, registry in registered.items()
        if registry in closed and not any(_uses(name, source) for source in code)
    )
    return Unbuilt(found, frozenset(words))


def _without_imports(source: str) -> str:
    return _QUOTED_NAME.sub("", _IMPORT.sub("", source))


def _users(registry: str, code: Iterable[str]) -> set[str] | None:
    """The functions in which a registry is used; None if it is used elsewhere, or comes from outside."""
    definition = re.compile(
        rf"^{re.escape(registry)}[ \t]*=[ \t]*(?:\w+\.)*\w*[Rr]egistry\((?![^)\n]*\bparent\b)", re.MULTILINE
    )
    use = re.compile(rf"(?<!\w){re.escape(registry)}\b(?!\.register)")
    users: set[str] = set()
    is_defined = False
    for source in code:
        if registry not in source:
            continue
        is_defined = is_defined or definition.search(source) is not None
        for found in use.finditer(definition.sub("", source)):
            user = _function_around(definition.sub("", source), found.start())
            if user is None:
                return None
            users.add(user)
    return users if is_defined else None


def _function_around(source: str, position: int) -> str | None:
    """The name of the outermost function or class that a position stands in, None at the top of the module."""
    start = source.rfind("\n", 0, position) + 1
    if source[start : start + 1] not in (" ", "\t"):
        return None
    names = [found.group(1) for found in _FUNCTION.finditer(source, 0, position)]
    return names[-1] if names else None


def _uses(name: str, source: str) -> bool:
    """Whether a source, without its imports, says a name elsewhere than where it defines it."""
    if name not in source:
        return False
    said = re.finditer(rf"(?<!def )(?<!class )(?<!\w){re.escape(name)}\b", source)
    return any(_function_around(source, found.start()) != name for found in said)
