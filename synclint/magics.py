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
_ESCAPE = re.compile(r"\s*[%!?/;,]")
_HELP = re.compile(r"\s*%{0,2}[\w.*]+(\[[^\]]*\])?\?{1,2}\s*$")
_ASSIGNMENT = re.compile(r"(?P<target>\s*[\w.,\s*\[\]]+=\s*)[%!]")
_TOKEN = re.compile(
    r"""#.*|(?P<long>\"{3}|'{3})|"(?:\\.|[^"\\])*(?:"|$)|'(?:\\.|[^'\\])*(?:'|$)|(?P<bracket>[()\[\]{}])"""
)


def python_of_cell(lines: Sequence[str]) -> list[str]:
    """The lines of a code cell as Python: as many lines, and the code in its old columns.

    A line that only IPython understands becomes ``pass``, or a call of ``get_ipython()`` where its
    result is assigned. The body of a cell magic such as ``%%bash`` is not Python and becomes empty.
    """
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        magic = lines[first][2:].split(maxsplit=1)
        if not magic or magic[0] not in _PYTHON_CELL_MAGICS:
            return [""] * len(lines)
        body = lines[first + 1 :]
        return [""] * (first + 1) + (python_of_cell(body) if body else [])
    return list(lines) if _parses(lines) else list(_replaced(lines))


def _parses(lines: Sequence[str]) -> bool:
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
        while position < len(line):
            if self.long_string:
                end = re.compile(rf"(?:\\.|[^\\])*?{self.long_string}").match(line, position)
                if end is None:
                    return
                position, self.long_string = end.end(), ""
                continue
            token = _TOKEN.search(line, position)
            if token is None:
                break
            position = token.end()
            if token["long"]:
                self.long_string = token["long"]
            elif token["bracket"]:
                self.brackets = max(0, self.brackets + (1 if token["bracket"] in "([{" else -1))
        self.continued = line.endswith("\\")


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
    if _ESCAPE.match(line) or _HELP.match(line):
        return line[: len(line) - len(line.lstrip())] + "pass"
    assigned = _ASSIGNMENT.match(line)
    return assigned["target"] + "get_ipython()" if assigned else None
