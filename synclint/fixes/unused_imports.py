"""Imports that nothing in a file uses any more once fixes have been made."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Set
from pathlib import Path

from synclint.adoption.edits import apply_edits
from synclint.analysis.syntax.bindings import bound_by
from synclint.analysis.syntax.parsing import readable_tree
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import Edit, Position, Span
from synclint.fixes.source_files import SourceFile, UnreadableTreeError

_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.) (.*)$", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
# What else a module does when it is imported is not known; of these it is known to be nothing.
_WITHOUT_EFFECTS = sys.stdlib_module_names | {"numpy", "torch"}


def without_unused_imports(path: Path, before: str, after: str, others: Callable[[], Iterable[str]]) -> str:
    """The text ``after`` fixes without the imports that were used ``before``, and are not any more.

    What a package's ``__init__`` imports is for others, as is what keeps its name (``import a as a``), and what the
    texts of ``others`` take from this file. A statement with a comment stays: somebody has said something about it.
    """
    if path.stem == "__init__":
        return after
    old, new = SourceFile(str(path), before), SourceFile(str(path), after)
    try:
        imports = [one for one in new.tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
        gone = {name for one in imports for alias in one.names for name in bound_by(alias)} & set(_used(old.tree))
        unused = gone.difference(_used(new.tree)) if gone else gone
    except UnreadableTreeError:
        return after
    if unused:
        taken = frozenset(name for text in others() for name in _taken_from(path.stem, text))
        unused = set() if "*" in taken else unused - taken
    return apply_edits(after, [edit for one in imports for edit in _without(new, one, unused)])


def _taken_from(module: str, text: str) -> Iterator[str]:
    """The names that a text takes from a module that is called so, "*" for all of them, or where nobody can tell."""
    if module not in text:
        return
    tree = readable_tree(text)
    if tree is None:
        yield "*"
        return
    for node in walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == module:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and (dotted_name(node.value) or "").rpartition(".")[2] == module:
            yield node.attr


def _used(tree: ast.Module) -> Iterator[str]:
    """The names that a file mentions: in what it does, in texts such as those of ``__all__``, and in doctests."""
    for node in walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _named_in(node.value)


def _named_in(text: str) -> Iterator[str]:
    """The names in a text that is an expression, or in the examples of one that has some, but for what they import."""
    if ">>>" in text:
        lines = _EXAMPLE.findall(text)
        imports = {line for line in lines if line.startswith(("from ", "import "))}
        imported = {name for line in imports for name in _NAME.findall(line)}
        yield from {name for line in lines if line not in imports for name in _NAME.findall(line)} - imported
        return
    try:
        read = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from (node.id for node in ast.walk(read) if isinstance(node, ast.Name))


def _without(file: SourceFile, statement: ast.Import | ast.ImportFrom, unused: Set[str]) -> Iterator[Edit]:
    """The edits that take names out of an import; one that imports nothing else goes."""
    going = [alias for alias in statement.names if _may_go(statement, alias) and unused & {*bound_by(alias)}]
    first, last = file.span(statement)
    lines = file.lines[first.line - 1 : last.line]
    stands_alone = not lines[0][: first.column - 1].strip() and not lines[-1][last.column - 1 :].strip()
    if not going or not stands_alone or any("#" in line for line in lines):
        return
    if len(going) == len(statement.names):
        # Of the empty lines around one that stood by itself, those behind it go, too.
        stood_alone = first.line == 1 or not file.lines[first.line - 2].strip()
        is_empty_behind = last.line < len(file.lines) and not file.lines[last.line].strip()
        yield Edit(Span(first, Position(last.line + 1, 1) if stood_alone and is_empty_behind else last), "")
        return
    spans = [file.span(alias) for alias in statement.names]
    for index, alias in enumerate(statement.names):
        if alias in going:
            # The first ones go with the comma behind them, and those behind one that stays with the comma before.
            is_behind = any(one not in going for one in statement.names[:index])
            start = spans[index - 1].end if is_behind else spans[index].start
            yield Edit(Span(start, spans[index].end if is_behind else spans[index + 1].start), "")


def _may_go(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    module = alias.name if isinstance(statement, ast.Import) else statement.module or ""
    is_own = isinstance(statement, ast.ImportFrom) and statement.level > 0
    return not is_own and module.partition(".")[0] in _WITHOUT_EFFECTS and alias.asname != alias.name
