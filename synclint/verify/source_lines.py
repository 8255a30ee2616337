"""What the lines of a case are: where its statements begin and which of them claim to wait."""

from __future__ import annotations

import ast
import io
import re
import tokenize

_MARKER = re.compile(r"#\s*sync:\s*(?P<codes>[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)\s*$")


def marked_lines(source: str) -> dict[int, tuple[str, ...]]:
    """The lines that end in ``# sync: SYN101`` and the codes that they name.

    Comments are read as tokens: the same words within a string mark nothing.
    """
    marked: dict[int, tuple[str, ...]] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and (match := _MARKER.search(token.string)):
            codes = tuple(code.strip() for code in match["codes"].split(","))
            marked[token.start[0]] = codes
    return marked


def statement_starts(tree: ast.Module) -> dict[int, int]:
    """For each line that belongs to a statement, the line on which that statement begins.

    A call written over four lines runs on all four; what it does counts for its first line, which
    carries the marker. Of a compound statement only the header is its own, the body is not.
    """
    starts: dict[int, int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        last = node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if body:
            last = max(node.lineno, body[0].lineno - 1)
        # Statements within a lambda or a one-line body begin later than what holds them.
        for line in range(node.lineno, last + 1):
            starts[line] = max(starts.get(line, 0), node.lineno)
    return starts


def public_functions(tree: ast.Module) -> tuple[str, ...]:
    """The case functions of a module, in their order: public, at the top level, and not ``inputs``."""
    return tuple(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name != "inputs"
    )


_ALWAYS_THERE = frozenset({"torch", "__future__"})
_NUMPY_METHODS = frozenset({"numpy", "from_numpy"})


def packages_needed(tree: ast.Module) -> set[str]:
    """The packages without which the code cannot run: what it imports, NumPy where it makes arrays."""
    needed: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            needed |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            needed.add(node.module.partition(".")[0])
        elif (isinstance(node, ast.Name) and node.id == "np") or (
            isinstance(node, ast.Attribute) and node.attr in _NUMPY_METHODS
        ):
            needed.add("numpy")
    return needed - _ALWAYS_THERE
