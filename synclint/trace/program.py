"""The user's program as ``__main__``, with a tracer around it that it need not notice.

The program gets its own ``__main__``, ``sys.argv`` and ``sys.path``; its exceptions, exit status and signals go the
ways they go without a tracer. The report is written when everything else is over, exit handlers included.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import importlib.machinery
import importlib.util
import os
import pkgutil
import runpy
import signal
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import NoReturn

from synclint.trace.complaints import complain
from synclint.trace.records import Device
from synclint.trace.settings import Settings

SCRIPT = "script"
MODULE = "module"
# The tracer, and what notices waits.
_OWN = tuple(str(Path(__file__).parents[1] / name) + os.sep for name in ("trace", "verify"))


class Stopped(SystemExit):
    """Ends the program after its active steps, as ``sys.exit()`` would."""


@dataclass
class _Ending:
    """How the program ends, as far as it is known."""

    status: int | None = 0
    by: str = ""
    signal: signal.Signals | None = None


def run_program(arguments: Sequence[str]) -> None:
    """Run what SETTINGS, KIND, TARGET and the program's ARGUMENTS say."""
    settings, kind, target = Settings.from_json(arguments[0]), arguments[1], arguments[2]
    ending = _Ending()
    run = _prepared(kind, target, list(arguments[3:]))
    if not _start_tracing(settings, kind, target, tuple(arguments[1:]), ending):
        raise SystemExit(2)
    try:
        run()
    except SystemExit as error:
        ending.status = _status(error)
        ending.by = "--stop" if isinstance(error, Stopped) else "SystemExit" if ending.status else ""
        raise
    except BaseException as error:
        ending.status, ending.by = 1, type(error).__name__
        limit = _limit(error, settings, kind, target)
        if limit is not None:
            complain(limit)
            raise SystemExit(1) from None
        _show(error)
        if isinstance(error, KeyboardInterrupt):
            ending.status, ending.signal = 128 + signal.SIGINT, signal.SIGINT
        raise SystemExit(1) from None


def _limit(error: BaseException, settings: Settings, kind: str, target: str) -> str | None:
    """What the simulated device cannot do, if that is why the program failed."""
    if settings.device is not Device.SIMULATED or not isinstance(error, Exception):
        return None
    from synclint.trace.ownership import default_ownership
    from synclint.trace.simulated_limits import explain

    return explain(error, default_ownership(_roots(kind, target)))


def _status(error: SystemExit) -> int:
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def _show(error: BaseException) -> None:
    """Tell of an exception that nobody caught, as Python does: without the frames that are ours."""
    _clean(error, set())
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    sys.excepthook(type(error), error, error.__traceback__)


def _clean(error: BaseException, seen: set[int]) -> None:
    """Take our frames out of the tracebacks of an exception and of those that led to it."""
    if id(error) in seen:
        return
    seen.add(id(error))
    error.__traceback__ = without_own_frames(error.__traceback__)
    for other in (error.__cause__, error.__context__):
        if other is not None:
            _clean(other, seen)


def without_own_frames(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback as it would be if nobody traced."""
    kept = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(_OWN):
            kept.append(traceback)
        traceback = traceback.tb_next
    rest = None
    for one in reversed(kept):
        rest = TracebackType(rest, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rest


def _prepared(kind: str, target: str, arguments: list[str]) -> Callable[[], object]:
    """What runs the program; argv and the search path are the program's from here on."""
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __annotations__={})
    safe = getattr(sys.flags, "safe_path", False) or sys.flags.isolated
    if kind == MODULE:
        sys.argv = ["-m", *arguments]
        if not safe:
            sys.path.insert(0, os.getcwd())  # noqa: PTH109
        sys.modules["__main__"] = main
        return lambda: runpy._run_module_as_main(target)  # type: ignore[attr-defined]
    sys.argv = [target, *arguments]
    if _holds_main(target):
        sys.path.insert(0, target)
        sys.modules["__main__"] = main
        return lambda: runpy._run_module_as_main("__main__", False)  # type: ignore[attr-defined]
    if not safe:
        sys.path.insert(0, os.path.dirname(os.path.realpath(target)))  # noqa: PTH120
    path = os.path.abspath(target)  # noqa: PTH100 -- links stay, as in Python's own
    main.__dict__.update(
        __file__=path,
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
    )
    sys.modules["__main__"] = main

    def run() -> None:
        code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
        exec(code, main.__dict__)

    return run


def _holds_main(target: str) -> bool:
    """Whether it is a folder or an archive, of which Python runs the module ``__main__``."""
    importer = pkgutil.get_importer(target)
    return Path(target).is_dir() or not isinstance(importer, (type(None), importlib.machinery.FileFinder))


def _start_tracing(settings: Settings, kind: str, target: str, command: tuple[str, ...], ending: _Ending) -> bool:
    """Put the tracer in place, which writes its report in the end; False where nothing can be traced."""
    finished: list[bool] = []
    pid = os.getpid()
    finishing: list[Callable[[], None]] = []

    def finish() -> None:
        if finished or os.getpid() != pid or not finishing:
            return
        finished.append(True)
        finishing[0]()
        if ending.signal is not None:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            _end_by(ending.signal)

    # First of all, so that it is called after whatever the program and its libraries register.
    atexit.register(finish)
    from synclint.trace.ownership import default_ownership
    from synclint.trace.publishing import publish
    from synclint.trace.recorders import RecorderUnavailableError
    from synclint.trace.session import Session

    try:
        session = Session(settings, default_ownership(_roots(kind, target)), _shown_command(command), _stop)
        session.start()
    except (RecorderUnavailableError, ImportError) as error:
        complain(str(error))
        return False
    finishing.append(lambda: publish(session, settings, ending.status, ending.by))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=session.leave_in_child)
    _finish_before_sudden_ends(finish, ending)
    return True


def _end_by(number: signal.Signals) -> None:
    """End this process as Python does after an interrupt that nobody caught, and the system after SIGTERM."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _roots(kind: str, target: str) -> tuple[str, ...]:
    """The folders of the program, which is the user's even where it is installed."""
    if kind != MODULE:
        return (os.path.dirname(os.path.realpath(target)) or os.sep,)  # noqa: PTH120
    top = target.partition(".")[0]
    folder = os.getcwd()  # noqa: PTH109
    if top == "pytest":
        return (folder,)
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return (folder,)
    return (folder, os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin)  # noqa: PTH120


def _shown_command(command: Sequence[str]) -> tuple[str, ...]:
    kind, target, *arguments = command
    return ("python", "-m", target, *arguments) if kind == MODULE else ("python", target, *arguments)


def _stop() -> NoReturn:
    raise Stopped(0)


def _finish_before_sudden_ends(finish: Callable[[], None], ending: _Ending) -> None:
    """Write the report also where the program ends without Python's exit: by ``os._exit`` or SIGTERM."""
    leave = os._exit
    pid = os.getpid()

    def leaving(status: int) -> NoReturn:
        if os.getpid() == pid:
            ending.status, ending.by = status, "os._exit"
            finish()
        leave(status)

    os._exit = leaving

    def terminated(number: int, frame: FrameType | None) -> None:
        if os.getpid() == pid:
            ending.status, ending.by = 128 + number, "SIGTERM"
            finish()
        _end_by(signal.Signals(number))

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, terminated)
