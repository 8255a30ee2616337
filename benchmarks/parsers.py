"""The floors: seconds of CPU that a parser alone takes. A program of its own: ``python -m benchmarks.parsers``.

Each parser runs in a fresh process, so that none pays for what another left in memory.
"""

from __future__ import annotations

import ast
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import libcst as cst

from benchmarks.corpus import sources

PARSERS: Mapping[str, Callable[[str], object]] = {"libcst": cst.parse_module, "ast": ast.parse}


def seconds(parse: Callable[[str], object], texts: Sequence[str]) -> float:
    """The CPU time of parsing all texts; what is no Python counts with the time until that was found."""
    started = time.process_time()
    for text in texts:
        with suppress(cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError):
            parse(text)
    return time.process_time() - started


def main(name: str, folder: str) -> None:
    """Print the seconds of CPU that the parser ``name`` takes over the files below ``folder``."""
    warnings.simplefilter("ignore")
    print(seconds(PARSERS[name], sources(Path(folder))))


if __name__ == "__main__":
    main(*sys.argv[1:])
