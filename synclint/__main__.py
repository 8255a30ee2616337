"""The process: ``python -m synclint``, or ``synclint`` for short."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

from synclint.cli import main


def program() -> NoReturn:
    """Run the program as a process of its own and exit.

    Trees and values live as long as the process. Looking through them for garbage would take a third of its time, and
    taking them apart at the end as long as printing the report: the process ends as soon as all is written.
    """
    gc.disable()
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(status)
    os._exit(status)


if __name__ == "__main__":
    program()
