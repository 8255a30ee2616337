"""Where a step goes: the table that profilers show, and what helps against its first rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from synclint.trace.records import Action, CodeLine, LoaderFacts, Run, Step
from synclint.trace.report import ActionRow, Hint, ReportedWait

REST = "the rest"
_LONGEST = 60
# A row below this share of a step is not worth advice.
_WORTH_A_HINT = 5.0


def action_rows(run: Run, steps: Sequence[Step], line_of: Callable[[CodeLine], str]) -> tuple[ActionRow, ...]:
    """The rows, in the order of ``Action``; each line that waits has one of its own, those that take longest first.

    ``steps`` are those whose time is told: the profiled ones, or, where none was, all that count. In the latter case
    nobody knows of waits, which are part of what they happen in.
    """
    numbers = {step.number for step in steps}
    total = sum(step.seconds for step in steps)
    sums: dict[tuple[Action, CodeLine | None], list[float]] = defaultdict(lambda: [0.0, 0])
    for time in run.actions:
        if time.step in numbers:
            own = sums[time.action, time.place if time.action is Action.WAIT else None]
            own[0] += time.seconds
            own[1] += time.calls
    rows = []
    for action in Action:
        own_rows = [
            _row(_name(action, place, line_of), int(calls), seconds, total, is_wait=action is Action.WAIT)
            for (kind, place), (seconds, calls) in sums.items()
            if kind is action
        ]
        rows += sorted(own_rows, key=lambda row: -row.total)
    if not rows or not total:
        return ()
    rest = max(total - sum(row.total for row in rows), 0.0)
    return (*rows, _row(REST, len(numbers), rest, total))


def _row(name: str, calls: int, seconds: float, total: float, *, is_wait: bool = False) -> ActionRow:
    return ActionRow(name, calls, seconds, 100 * seconds / total if total else 0.0, is_wait)


def _name(action: Action, place: CodeLine | None, line_of: Callable[[CodeLine], str]) -> str:
    if action is not Action.WAIT or place is None or not place.line:
        return action.value
    text = line_of(place)
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"wait at {Path(place.file).name}:{place.line} {shown}".rstrip()


def hints(run: Run, rows: Sequence[ActionRow], waits: Sequence[ReportedWait], busy: float | None) -> tuple[Hint, ...]:
    """What helps against waiting for the loader, copies to the device, and waits, where they take time.

    A device that works for the share ``busy`` of a step, from 0 to 1, lets a step become shorter by the rest only.
    """
    found = []
    share = {action: sum(row.percent for row in rows if row.action == action.value) for action in Action}
    if share[Action.LOADER] >= _WORTH_A_HINT:
        advice = "; ".join(dict.fromkeys(_loader_advice(loader) for loader in run.loaders)) or _TRY_CACHING
        found.append(Hint(f"{share[Action.LOADER]:.0f} % of a step is spent waiting for the loader", advice))
    if share[Action.UPLOAD] >= _WORTH_A_HINT:
        found.append(Hint(f"{share[Action.UPLOAD]:.0f} % of a step is spent copying to the device", _copy_advice(run)))
    waiting = sum(row.percent for row in rows if row.is_wait)
    if waiting >= _WORTH_A_HINT:
        codes = list(dict.fromkeys(wait.code for wait in waits if wait.code and wait.per_step))
        pages = ", ".join(f"`synclint explain {code}`" for code in codes[:3]) or "`synclint rules`"
        about = f"for {waiting:.0f} % of a step the host waits for the device"
        if busy is not None and 100 * (1 - busy) < waiting:
            about += f", which is idle for {100 * (1 - busy):.1f} %: without waits, a step is shorter by that at most"
        found.append(Hint(about, f"{pages} explain why"))
    return tuple(found)


_TRY_CACHING = "`--cache-batches 10` shows what a step takes without its input"


def _loader_advice(loader: LoaderFacts) -> str:
    name = f"{Path(loader.place.file).name}:{loader.place.line}" if loader.place.line else "the loader"
    if loader.num_workers == 0:
        return f"{name}: set num_workers in its DataLoader (SYN702); {_TRY_CACHING}"
    advice = []
    if not loader.persistent_workers:
        advice.append("persistent_workers=True keeps its workers from epoch to epoch")
    advice.append(f"more than num_workers={loader.num_workers}")
    if (loader.prefetch_factor or 2) <= 2:
        advice.append("a larger prefetch_factor evens out batches that take longer")
    return f"{name}: {', '.join(advice)}; {_TRY_CACHING}"


def _copy_advice(run: Run) -> str:
    pageable = any(copy.kind == "HtoD" and not copy.pinned for copy in run.copies)
    if pageable:
        return (
            "they come from pageable memory: pin_memory=True in the DataLoader, and non_blocking=True in `.to` (SYN402)"
        )
    return "they come from pinned memory: non_blocking=True in `.to` lets the host continue meanwhile (SYN402)"
