"""Loops that show a window: each round is a frame, whose pose comes from the host and whose picture goes there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.values import ModuleRecord
from synclint.analysis.program.text_facts import module_fact
from synclint.analysis.syntax.walk import dotted_name, suites, walk
from synclint.catalog.names import facts_of

# By the library that shows windows, the functions by which it does; none where all of them do.
_WINDOWS = facts_of("libraries", "windows")


def shows_frames(node: ast.While, module: ModuleRecord) -> bool:
    """Whether a loop asks a window whether it is still open, or shows something there in each round."""
    imported = _windows_known(module)
    if not imported:
        return False
    return any(
        _is_of_window(dotted_name(call.func) or "", imported)
        for part in (node.test, *node.body)
        for call in walk(part)
        if isinstance(call, ast.Call)
    )


def _is_of_window(path: str, imported: dict[str, str]) -> bool:
    root, _, rest = path.partition(".")
    if root not in imported:
        return False
    library, _, name = f"{imported[root]}.{rest}".strip(".").partition(".")
    functions = _WINDOWS[library]
    return not functions or name.rpartition(".")[2] in functions


@module_fact
def _windows_known(module: ModuleRecord) -> dict[str, str]:
    """The names under which a module knows libraries that show windows, with what these are."""
    is_mentioned = any(library in module.source for library in _WINDOWS)
    return dict(_imported(module.tree)) if is_mentioned else {}


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in _top(tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                library = alias.name.partition(".")[0]
                if library in _WINDOWS:
                    yield alias.asname or library, alias.name if alias.asname else library
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in _WINDOWS and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _top(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try)):
            for suite in suites(statement):
                yield from _top(suite)
