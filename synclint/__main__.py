"""The process: ``python -m synclint``, or ``synclint`` for short."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

# What a stream stands for, its descriptor, and the way in which the null device takes the place of a closed one:
# what is printed must not seem to have arrived, so that neither input nor output work, as with a closed descriptor.
# What is said on standard error is lost with it.
_STREAMS = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))


def program() -> NoReturn:
    """Run the program as a process of its own and exit.

    Trees and values live as long as the process. Looking through them for garbage would take a third of its time, and
    taking them apart at the end as long as printing the report: the process ends as soon as all is written.
    """
    try:
        gc.disable()
        _replace_closed_streams()
        # Imported here so that an interrupt, or a lack of memory, ends the program in one line from its beginning on.
        from synclint.cli import main

        status = _flushed(main())
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # somebody who is impatient presses the keys twice
        status = _failed("interrupted", 130)
    except MemoryError:
        status = _failed("memory ran out", 2)
    except Exception as error:
        status = _failed(f"could not be started: {' '.join(str(error).split()) or type(error).__name__}", 2)
    os._exit(status)


def _replace_closed_streams() -> None:
    """Put streams in the place of those that were closed when the process began, and keep other files from there."""
    for descriptor, (name, mode, flags) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _flushed(status: int) -> int:
    with suppress(OSError):  # which has been told of where there was a way to
        sys.stdout.flush()
        sys.stderr.flush()
    return status


def _failed(reason: str, status: int) -> int:
    with suppress(OSError):
        os.write(2, f"synclint: error: {reason}\n".encode("utf-8", "backslashreplace"))
    return status


if __name__ == "__main__":
    program()
