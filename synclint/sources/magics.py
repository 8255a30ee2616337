"""What IPython adds to Python in a cell, replaced so that the rest can be parsed where it stands."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Cell magics whose body is Python that runs in the notebook's own namespace; all others are blanked.
_PYTHON_CELL_MAGICS = frozenset(
    {"capture", "debug", "prun", "python", "python3", "time", "timeit", "memit", "mprun", "lprun"}
)
# No Python statement begins with one of these.
_ESCAPES = ("%", "!", "?", "/", ";", ",")
_HELP = re.compile(r"[\w.*]+(?:\[[^\]]*\])?\?{1,2}")
_TARGET = re.compile(r"[\w.,\s*\[\]]+")
_SIGN = re.compile(r"""["'#()\[\]{}]""")
# What counts in a string: escapes, and its end.
_IN_STRING = {
    "'": re.compile(r"\\.|'"),
    '"': re.compile(r'\\.|"'),
    "'''": re.compile(r"\\.|'''"),
    '"""': re.compile(r'\\.|"""'),
}


def python_of_cell(lines: Sequence[str]) -> list[str]:
    """The lines of a code cell as Python: as many lines, and the code in its old columns.

    A line that only IPython understands becomes ``pass``, or a call of ``get_ipython()`` where its
    result is assigned. The body of a cell magic such as ``%%bash`` is not Python and becomes empty.
    """
    for index, line in enumerate(lines):
        if line.startswith("%%"):
            magic = line[2:].split(maxsplit=1)
            if not magic or magic[0] not in _PYTHON_CELL_MAGICS:
                return [""] * len(lines)
        elif line.strip():
            body = lines[index:]
            return [""] * index + (list(body) if parses(body) else list(_replaced(body)))
    return [""] * len(lines)


def parses(lines: Sequence[str]) -> bool:
    """Whether lines are Python as they stand."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@dataclass
class _Depth:
    """Whether a line begins a statement: outside of brackets, long strings and continued lines."""

    brackets: int = 0
    long_string: str = ""
    continued: bool = False

    @property
    def at_statement(self) -> bool:
        return not (self.brackets or self.long_string or self.continued)

    def read(self, line: str) -> None:
        """Follow a line of Python."""
        position = 0
        while True:
            if self.long_string:
                end = _end_of_string(line, self.long_string, position)
                if end is None:
                    return
                position, self.long_string = end, ""
            sign = _SIGN.search(line, position)
            if sign is None or sign[0] == "#":
                break
            position = sign.end()
            if sign[0] not in _IN_STRING:
                self.brackets = max(0, self.brackets + (1 if sign[0] in "([{" else -1))
            elif line.startswith(sign[0] * 3, sign.start()):
                self.long_string = sign[0] * 3
                position = sign.start() + 3
            else:
                position = _end_of_string(line, sign[0], position) or len(line)
        self.continued = line.endswith("\\")


def _end_of_string(line: str, quote: str, start: int) -> int | None:
    """Behind the quote that ends a string, None where it does not end on this line."""
    return next((part.end() for part in _IN_STRING[quote].finditer(line, start) if part[0] == quote), None)


def _replaced(lines: Sequence[str]) -> Iterator[str]:
    depth = _Depth()
    in_magic = False
    for line in lines:
        if in_magic:
            in_magic = line.endswith("\\")
            yield ""
            continue
        replacement = _replacement(line) if depth.at_statement else None
        if replacement is None:
            depth.read(line)
            yield line
        else:
            in_magic = line.endswith("\\")
            yield replacement


def _replacement(line: str) -> str | None:
    """What stands in for a line that only IPython understands; None for Python."""
    code = line.strip()
    if code.startswith(_ESCAPES) or _HELP.fullmatch(code):
        return line[: len(line) - len(line.lstrip())] + "pass"
    target, assigned, value = line.partition("=")
    bare = value.lstrip()
    if bare.startswith(("%", "!")) and _TARGET.fullmatch(target):
        return target + assigned + value[: len(value) - len(bare)] + "get_ipython()"
    return None
