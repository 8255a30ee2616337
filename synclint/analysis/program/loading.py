"""What a text loads in other ways than by ``import``: names of modules in strings, or put together, and files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from synclint.analysis.program.search_paths import added_to_path

# A string that the name of a module may begin with: ``"models." + name``, ``"models.%s" % name``.
_BEGINNING = re.compile(r"[\"']([A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}){0,8})\.[\"'%{]")
# A call that imports a module: the string that its name is or begins with, what ends it, and what is asked of it.
_IMPORTING = re.compile(
    r"(?:import_module|__import__)\((?:[ \t\n]*[fF]?[\"']([\w.]{0,200})([\"'][,)])?|[^()\n]{0,200}\)\.(\w{1,60}))?"
)
_SIGNS_OF_IMPORTING = ("import_module(", "__import__(")
# What runs the file at a path, or code that is written as a text.
_OF_FILES = re.compile(
    r"\b(?:spec_from_file_location|SourceFileLoader|load_source|run_path|run_module|walk_packages|iter_modules)\b"
    r"|(?<![.\w])exec\("
)
_SIGNS_OF_FILES = ("spec_from_file", "SourceFile", "load_source", "run_path", "run_mod", "walk_p", "iter_mod", "exec(")
# So far back somebody looks for the name that is given what a call imports.
_LONGEST_TARGET = 120


class Loading(NamedTuple):
    """What a text loads.

    ``names`` are dotted ones in its strings; ``packages`` those of which it imports a module whose name is put
    together. ``by_name`` says that it imports one whose name may be any, from where modules are looked up, and
    ``asked`` what it asks of that; ``folders`` are those that it adds to where modules are looked up, seen from its
    own. ``any_file`` says that it may load whatever file there is.
    """

    names: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    by_name: bool = False
    asked: frozenset[str] = frozenset()
    any_file: bool = False


NOTHING = Loading()


def loading_in(source: str, named: Iterable[str]) -> Loading:
    """What a text loads, of which the strings that could be dotted names are ``named``."""
    names = set(named)
    packages: set[str] = set()
    asked: set[str] = set()
    by_name = False
    if any(sign in source for sign in _SIGNS_OF_IMPORTING):
        for found in _IMPORTING.finditer(source):
            begun = found[1] or ""
            if found[2]:
                names.add(begun)
            elif package := begun.rpartition(".")[0]:
                packages.add(package)
            else:
                by_name = True
                packages.update(_BEGINNING.findall(source))
                asked.update(_asked(source, found.start(), found[3]))
    any_file = any(sign in source for sign in _SIGNS_OF_FILES) and _OF_FILES.search(source) is not None
    added = [*added_to_path(source, Path("here.py"))]
    return Loading(
        frozenset(names),
        frozenset(packages),
        tuple(PurePath(os.path.normpath(place)).as_posix() for place in added if not place.is_absolute()),
        by_name,
        frozenset(asked),
        any_file or (by_name and len(added) < source.count("sys.path.")),
    )


def _asked(source: str, start: int, attribute: str | None) -> Iterator[str]:
    """What a text asks of the module that a call gives, itself or by the name that holds it."""
    if attribute is not None:
        yield attribute
    before = source[max(0, start - _LONGEST_TARGET) : start].rpartition("\n")[2].removesuffix("importlib.").rstrip()
    holder = before.removesuffix("=").rstrip()
    if holder != before and holder.split():
        yield from re.findall(rf"\b{re.escape(holder.split()[-1])}\.(\w{{1,60}})", source)
