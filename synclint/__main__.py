"""The process: ``python -m synclint``, or ``synclint`` for short."""

from __future__ import annotations

import gc
import sys

from synclint.cli import main


def program() -> None:
    """Run the program as a process of its own and exit.

    Trees and values live as long as the process, and looking through them for garbage would take a third of its
    time. Where there are many of them, the runner looks itself.
    """
    gc.disable()
    status = main()
    gc.freeze()  # else Python would look for garbage once more before it ends
    sys.exit(status)


if __name__ == "__main__":
    program()
