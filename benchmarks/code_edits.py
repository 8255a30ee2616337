"""Edits as people make them, to be made in copies of real packages."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

_FEWEST_LINES = 80


def with_comment(text: str) -> str:
    """Another comment at the end."""
    return f"{text.rstrip()}\n# a comment\n"


def with_comment_behind_code(text: str, chosen: Random) -> str:
    """A comment behind the header of a function."""
    headers = [found.end() for found in re.finditer(r"(?m)^ *def .*\):$", text)]
    at = chosen.choice(headers) if headers else len(text)
    return f"{text[:at]}  # a comment{text[at:]}" if headers else with_comment(text)


def with_lines_of_comment(text: str, chosen: Random) -> str:
    """Comments on lines of their own above a function, or above a statement in one."""
    starts = [found.start() for found in re.finditer(r"(?m)^ *(?:def|if|for|return)\b", text)]
    at = chosen.choice(starts) if starts else 0
    return f"{text[:at]}# {'a comment' * chosen.randrange(3)}\n\n{text[at:]}"


def with_longer_docstring(text: str, chosen: Random) -> str:
    """A sentence more in a docstring."""
    ends = [found.end() for found in re.finditer(r'(?m)^ *"""\w[^"\n]*\.', text)]
    at = chosen.choice(ends) if ends else 0
    return f"{text[:at]}\n\n    There is more to it.\n{text[at:]}" if ends else with_comment(text)


def with_changed_body(text: str, chosen: Random) -> str:
    """One statement more in a function."""
    bodies = [
        node.body[-1] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and len(node.body) > 1
    ]
    whole = [statement for statement in bodies if statement.col_offset and statement.lineno > 1]
    if not whole:
        return f"{text}\n_changed = True\n"
    statement = chosen.choice(whole)
    lines = text.splitlines(keepends=True)
    lines.insert(statement.lineno - 1, f"{' ' * statement.col_offset}_changed = 1\n")
    return "".join(lines)


def with_changed_signature(text: str, chosen: Random) -> str:
    """One parameter more for a function at the top of the module."""
    headers = [found.end(1) for found in re.finditer(r"(?m)^(def \w+\([^*/()\n]*)\)", text)]
    if not headers:
        return f"{text}\n\ndef _added(x=None):\n    return x\n"
    at = chosen.choice(headers)
    return f"{text[:at]}{'' if text[at - 1] == '(' else ', '}_added=None{text[at:]}"


def most_imported(folder: Path, files: Iterable[Path]) -> Path:
    """The file of a package whose name most of the others import from."""
    files = list(files)
    counted = Counter(
        name
        for path in files
        for name in set(re.findall(r"(?m)^\s*from\s+([\w.]+)\s+import", path.read_text(encoding="utf-8")))
    )
    return max(files, key=lambda path: (sum(counted[name] for name in _names(folder, path)), str(path)))


def leaf(folder: Path, files: Iterable[Path]) -> Path:
    """A file of some size that no other file of a package names, but its package itself."""
    files = [path for path in files if path.name != "__init__.py"]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    lonely = [
        path
        for path in files
        if texts[path].count("\n") >= _FEWEST_LINES
        and not any(path.stem in text for other, text in texts.items() if other != path)
    ]
    by_size = sorted(lonely or files, key=lambda path: (len(texts[path]), str(path)))
    return by_size[len(by_size) // 2]


def _names(folder: Path, path: Path) -> tuple[str, ...]:
    whole = path.relative_to(folder.parent).with_suffix("").parts
    parts = whole[:-1] if whole[-1] == "__init__" else whole
    return ".".join(parts), f".{parts[-1]}", f"..{'.'.join(parts[1:])}"


RandomEdit = Callable[[str, Random], str]
RANDOM_EDITS: tuple[RandomEdit, ...] = (
    lambda text, chosen: with_comment(text),
    with_comment_behind_code,
    with_lines_of_comment,
    with_longer_docstring,
    with_changed_body,
    with_changed_signature,
    lambda text, chosen: text.replace(".item()", "").replace("device=", "dtype="),
    lambda text, chosen: text[: chosen.randrange(len(text) + 1)],
)
