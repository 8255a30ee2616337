"""Where in a file the analysis was when it had to stop."""

from __future__ import annotations

import traceback

from synclint.analysis.interpreter.statements import run_body
from synclint.findings import Position


def stopped_at(error: BaseException, path: str) -> Position | None:
    """Where the statement begins that was being run in the file at a resolved path when ``error`` was raised.

    Of statements that stand around one another, or call one another, it is the innermost one of this file; None where
    none was being run. It is read from the traceback, so that runs which come to their end keep no account of it.
    """
    place = None
    for running, _ in traceback.walk_tb(error.__traceback__):
        if running.f_code is run_body.__code__:
            module, statement = running.f_locals["frame"].module, running.f_locals.get("statement")
            if statement is not None and str(module.real_path) == path:
                place = module.span_of(statement).start
    return place
