"""Modules in which nothing waits for a GPU: programs for the host, and code for accelerators of another kind."""

from __future__ import annotations

import ast

from synclint.analysis.program.host_programs import is_host_program
from synclint.catalog.names import names_in

_OTHER_ACCELERATORS = names_in("modules", "other-accelerators")


def is_off_the_gpu(tree: ast.Module) -> bool:
    """Whether a module is a program for the host, or cannot be imported where there is nothing but a GPU."""
    return any(map(_needs_another_accelerator, tree.body)) or is_host_program(tree)


def _needs_another_accelerator(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return any(one.name.partition(".")[0] in _OTHER_ACCELERATORS for one in statement.names)
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return (statement.module or "").partition(".")[0] in _OTHER_ACCELERATORS
    return False
