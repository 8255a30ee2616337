"""Runs the shares of a project through somebody's executor: threads, processes, machines that see the same files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.options import Options
from synclint.plugins.discovery import PluginError
from synclint.running.progress import Progress
from synclint.running.recorded import Records
from synclint.running.share_analysis import analyse_share
from synclint.running.share_results import ShareResult
from synclint.running.survey import CodeFile

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


class LostWorkError(RuntimeError):
    """An executor that did not run what it was given; the message says why in one line."""


class OtherFolderError(ValueError):
    """A worker in another directory was given paths that count from the caller's."""


def analysed_elsewhere(
    divided: Sequence[Sequence[CodeFile]],
    roots: Sequence[Path],
    options: Options,
    executor: Executor,
    records: Records | None,
    progress: Progress,
) -> Iterator[ShareResult]:
    """What came of each share, in their order, which makes the results those of a run here.

    Raises LostWorkError. Shares that have not begun are taken back then.
    """
    here = os.getcwd()  # noqa: PTH109 - a plain string travels
    waiting: list[Future[ShareResult]] = []
    try:
        waiting += [executor.submit(_analyse, tuple(share), tuple(roots), options, records, here) for share in divided]
        for share, future in zip(divided, waiting, strict=True):
            yield future.result()
            progress(len(share))
    except (PluginError, MemoryError, GeneratorExit):
        raise
    except (Exception, CancelledError) as error:  # each executor has its own for workers that have died
        reason = " ".join(str(error).split())
        raise LostWorkError(f"{type(error).__name__}: {reason}" if reason else type(error).__name__) from error
    finally:
        for future in waiting:
            future.cancel()


def _analyse(
    files: Sequence[CodeFile], roots: Sequence[Path], options: Options, records: Records | None, folder: str
) -> ShareResult:
    """Analyse one share, in a process that may be another one, on a machine that may be another one."""
    relative = [str(path) for path in (*roots, *(file.path for file in files)) if not path.is_absolute()]
    if relative and os.path.realpath(folder) != os.path.realpath("."):
        raise OtherFolderError(
            f"a worker runs in a directory other than {folder}, to which {relative[0]!r} is relative; "
            "pass absolute paths"
        )
    return analyse_share(files, _uncounted, roots, options, records=records)


def _uncounted(count: int) -> None:
    """Nobody is told how far a share has come: the way there and back may be long."""
