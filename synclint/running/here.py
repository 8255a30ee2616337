"""Analyses the shares of a project in this process, or in several on this machine."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.options import Options
from synclint.rules.loading import load_rules
from synclint.running.progress import Progress
from synclint.running.recorded import Records
from synclint.running.shares import size_of

if TYPE_CHECKING:
    from synclint.running.share_results import ShareResult
    from synclint.running.survey import CodeFile

_BYTES_BETWEEN_COLLECTIONS = 5_000_000


def analysed_here(
    divided: Sequence[Sequence[CodeFile]],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None,
    progress: Progress,
    records: Records | None,
    *,
    store: bool = False,
) -> Iterator[tuple[ShareResult, ...]]:
    """What came of each share, worked on in this process or in up to ``jobs`` others.

    ``store`` asks for what the runs came to.
    """
    from synclint.running.share_analysis import analyse_share
    from synclint.running.share_results import ShareResult

    work = partial(analyse_share, roots=roots, options=options, records=records, store=store)
    processes = min(len(divided), jobs or usable_cores())
    if processes <= 1:
        collected = 0
        for share in divided:
            size = sum(map(size_of, share))
            if collected + size > _BYTES_BETWEEN_COLLECTIONS:
                gc.collect()  # the trees of earlier shares refer to one another
                collected = 0
            collected += size
            yield (work(share, progress),)
        return
    from synclint.catalog.torch_api import load_torch_api
    from synclint.running.processes import work_in_processes

    # Made once, before there are processes that would each do so.
    _ = options.catalog
    load_torch_api()
    for done in work_in_processes(divided, work, processes, progress, meanwhile=_prepare_reports):
        left_out = (ShareResult(killed=tuple(file.path for file in done.left_out)),) if done.left_out else ()
        yield (*done.results, *left_out)


def _prepare_reports() -> None:
    """Load what reports will need, while there is nothing to report."""
    load_rules()


def usable_cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
