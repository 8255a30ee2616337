"""What Python itself says about source that does not parse."""

from __future__ import annotations

import ast
import warnings

from synclint.findings import Position


def python_syntax_error(source: str) -> tuple[str, Position] | None:
    """The message and the position of the first syntax error, as the running Python reports it.

    None when it finds no error, or none that it can place.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        return error.msg, Position(error.lineno or 1, max(error.offset or 1, 1))
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
