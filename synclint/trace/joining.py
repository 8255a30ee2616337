"""Brings together what the recorder announced in every step and what the device's clock measured in some."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from synclint.trace.backward_lines import Refinement
from synclint.trace.codes import is_torch
from synclint.trace.recorders import Interval, Measured, MeasuredWait, TimedWork, Window
from synclint.trace.records import (
    NOWHERE,
    Action,
    ActionTime,
    CodeLine,
    Copies,
    Device,
    DrawnStep,
    ObservedWait,
    Run,
    Step,
    Stretch,
    WaitSite,
)

_UPLOAD = "host-to-device-copy"
# A page with more bars than this shows no more, and opens slowly.
_MOST_BARS = 4000
# How long an invented wait is drawn, in a step of which nobody measured anything.
_SCHEMATIC = 1.0


def joined(
    run: Run,
    measured: Measured,
    intervals: Sequence[Interval],
    order: Sequence[ObservedWait] = (),
    refinements: Sequence[Refinement] = (),
) -> Run:
    """The run with what was measured: its waits told better, its actions apart from each other, its steps drawn.

    ``order`` are the waits of one step as they came, for a picture where nothing was measured, ``refinements`` what is
    known better of waits than when they were announced.
    """
    if not measured.windows:
        waits = tuple(_sites(run.waits, (), refinements, {found.step for found in refinements}))
        drawn = (_schematic(order, len(run.steps) - 1),) if order and run.header.device is Device.SIMULATED else ()
        return replace(run, waits=waits, drawn=drawn)
    profiled = {window.step for window in measured.windows}
    sites = _sites(run.waits, measured.waits, (), profiled)
    return replace(
        run,
        steps=tuple(_with_busy(run.steps, measured)),
        waits=tuple(site if measured.tells_idle else replace(site, idle=None) for site in sites),
        # Of steps that nobody measured stays what the host's clock says.
        actions=(*(time for time in run.actions if time.step not in profiled), *_actions(measured, intervals)),
        copies=tuple(_copies(measured.work)),
        drawn=tuple(_drawn(window, measured, intervals) for window in measured.windows[-1:]),
    )


def _with_busy(steps: Sequence[Step], measured: Measured) -> Iterable[Step]:
    """The steps, those that were profiled with how long the device worked, if its records are complete enough."""
    busy = dict(measured.busy) if measured.tells_idle else {}
    for step in steps:
        yield replace(step, busy=busy[step.number]) if step.number in busy else step


@dataclass
class _Sum:
    counts: Counter[int] = field(default_factory=Counter)
    measured: int = 0
    blocked: float = 0.0
    idle: float = 0.0
    announced: bool = False


def _sites(
    sites: Iterable[WaitSite],
    waits: Sequence[MeasuredWait],
    refinements: Sequence[Refinement],
    profiled: set[int],
) -> Iterable[WaitSite]:
    """The waits of all steps under the names that the profiled or watched ones gave them."""
    sums: dict[ObservedWait, _Sum] = defaultdict(_Sum)
    named: dict[object, dict[int, Counter[ObservedWait]]] = defaultdict(lambda: defaultdict(Counter))
    known: dict[object, ObservedWait] = {}
    for measured in waits:
        # One stack stands for all that lead from the user's line to the same wait.
        refined = known.setdefault(_identity(measured.wait), measured.wait)
        own = sums[refined]
        own.measured += 1
        own.blocked += measured.blocked
        own.idle += measured.idle
        if measured.announced is None:
            own.counts[measured.step] += 1
        else:
            named[_identity(measured.announced)][measured.step][refined] += 1
    for found in refinements:
        refined = known.setdefault(_identity(found.refined), found.refined)
        named[_identity(found.announced)][found.step][refined] += 1
    for site in _alike(sites):
        for wait, counts in _renamed(site, named.get(_identity(site.wait), {}), profiled):
            sums[wait].counts.update(counts)
            sums[wait].announced = True
    for wait, own in sums.items():
        if own.counts:
            yield WaitSite(
                wait,
                tuple(sorted(own.counts.items())),
                own.measured,
                own.blocked,
                own.idle,
                only_profiled=not own.announced,
            )


def _identity(wait: ObservedWait) -> object:
    """What waits have in common that are one to the user, whatever PyTorch's own Python does between the two.

    A call that is watched goes another way through it than one that is not.
    """
    library = wait.library
    if library is not None and is_torch(library.file):
        library = None
    return wait.place, wait.forward, library, wait.op, wait.mechanism, wait.origin, wait.certain


def _alike(sites: Iterable[WaitSite]) -> Iterable[WaitSite]:
    """The sites with those that are one to the user as one."""
    groups: dict[object, list[WaitSite]] = defaultdict(list)
    for site in sites:
        groups[_identity(site.wait)].append(site)
    for group in groups.values():
        counts: Counter[int] = Counter()
        for site in group:
            counts.update(dict(site.counts))
        yield replace(max(group, key=lambda site: site.count), counts=tuple(sorted(counts.items())))


def _renamed(
    site: WaitSite, by_step: Mapping[int, Counter[ObservedWait]], profiled: set[int]
) -> Iterable[tuple[ObservedWait, dict[int, int]]]:
    """The counts of one announced wait, by what it turned out to be.

    A step that was not profiled had what the profiled ones had, if these all had the same, and as many of them.
    """
    found: dict[ObservedWait, dict[int, int]] = defaultdict(dict)
    shares = [by_step[step] for step in sorted(by_step)]
    usual = shares[0] if shares and all(share == shares[0] for share in shares) else None
    for step, count in site.counts:
        share = by_step.get(step) if step in profiled else None
        if share is None and usual is not None:
            times, left = divmod(count, sum(usual.values()))
            share = Counter({wait: number * times for wait, number in usual.items()}) if not left else None
        assigned = 0
        for wait, number in (share or {}).items():
            taken = min(number, count - assigned)
            if taken:
                found[wait][step] = taken
                assigned += taken
        if assigned < count:
            found[site.wait][step] = count - assigned
    return found.items()


def _actions(measured: Measured, intervals: Sequence[Interval]) -> Iterable[ActionTime]:
    """What each profiled step's time went into; the actions do not overlap.

    Waits and copies to the device are taken out of what they happen in. Between the loader's answer and the backward
    pass lies the forward pass, with the loss.
    """
    for window in measured.windows:
        waits = [wait for wait in measured.waits if wait.step == window.step]
        spans = [(wait.start, wait.end, wait.blocked) for wait in waits]
        uploads = [
            (work.asked, work.asked_until)
            for work in measured.work
            if work.step == window.step
            and work.kind == "copy"
            and "HtoD" in work.name
            and not any(start <= work.asked <= end for start, end, _ in spans)
        ]
        for wait in waits:
            action = Action.UPLOAD if wait.wait.mechanism == _UPLOAD else Action.WAIT
            yield ActionTime(action, window.step, wait.blocked, 1, wait.wait.forward or wait.wait.place)
        if uploads:
            seconds = sum(end - start for start, end in uploads) / 1e9
            yield ActionTime(Action.UPLOAD, window.step, seconds, len(uploads))
        taken = [*spans, *((start, end, (end - start) / 1e9) for start, end in uploads)]
        own = [interval for interval in intervals if interval.step == window.step]
        for interval in own:
            seconds = (interval.end - interval.start) / 1e9 - _within(taken, interval.start, interval.end)
            yield ActionTime(interval.action, window.step, max(seconds, 0.0), interval.calls, interval.place)
        for start, end in _forwards(own, window):
            yield ActionTime(Action.FORWARD, window.step, max((end - start) / 1e9 - _within(taken, start, end), 0.0))


def _within(spans: Iterable[tuple[int, int, float]], start: int, end: int) -> float:
    return sum(seconds for begun, over, seconds in spans if start <= (begun + over) / 2 <= end)


def _forwards(intervals: Sequence[Interval], window: Window) -> Iterable[tuple[int, int]]:
    """From the loader's answer, or what else comes before, to each backward pass."""
    begun = window.start
    for interval in sorted(intervals, key=lambda interval: interval.start):
        if interval.action is Action.BACKWARD:
            yield begun, interval.start
        begun = interval.end


def _copies(work: Iterable[TimedWork]) -> Iterable[Copies]:
    sums: dict[tuple[CodeLine, str, bool], list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for copy in work:
        kind = next((kind for kind in ("HtoD", "DtoH") if kind in copy.name), None)
        if copy.kind == "copy" and kind is not None:
            own = sums[copy.place, kind, "Pinned" in copy.name]
            own[0] += 1
            own[1] += copy.bytes
            own[2] += (copy.end - copy.start) / 1e9
    for (place, kind, pinned), (count, size, seconds) in sums.items():
        yield Copies(place, kind, pinned, int(count), int(size), seconds)


def _drawn(window: Window, measured: Measured, intervals: Sequence[Interval]) -> DrawnStep:
    def seconds(moment: int) -> float:
        return (moment - window.start) / 1e9

    bars = [
        Stretch(
            "host",
            interval.action.name.lower(),
            seconds(interval.start),
            seconds(interval.end),
            interval.action.value,
            interval.place,
        )
        for interval in intervals
        if interval.step == window.step
    ]
    bars += [
        Stretch("host", "forward", seconds(start), seconds(end), Action.FORWARD.value)
        for start, end in _forwards([one for one in intervals if one.step == window.step], window)
    ]
    bars += [
        Stretch(
            "host",
            "wait",
            seconds(wait.start),
            seconds(wait.end),
            f"waits: {wait.wait.op}",
            wait.wait.forward or wait.wait.place,
            wait.wait.stack,
        )
        for wait in measured.waits
        if wait.step == window.step
    ]
    work = [work for work in measured.work if work.step == window.step]
    work.sort(key=lambda work: work.end - work.start, reverse=True)
    bars += [
        Stretch("device", one.kind, seconds(one.start), seconds(one.end), one.name[:200], one.place)
        for one in sorted(work[:_MOST_BARS], key=lambda work: work.start)
    ]
    return DrawnStep(window.step, seconds(window.end), tuple(bars))


def _schematic(order: Sequence[ObservedWait], number: int) -> DrawnStep:
    """A step whose order is true and whose lengths are invented: the host queues work, and waits for all of it."""
    bars: list[Stretch] = []
    now = 0.0
    for wait in order:
        place = wait.forward or wait.place
        if place == NOWHERE:
            continue
        queued = now + _SCHEMATIC / 2
        over = queued + _SCHEMATIC
        bars.append(Stretch("device", "kernel", now + _SCHEMATIC / 4, over, "work queued before", NOWHERE))
        bars.append(Stretch("host", "wait", queued, over, f"waits: {wait.op}", place, wait.stack))
        now = over
    return DrawnStep(number, now + _SCHEMATIC / 2, tuple(bars), schematic=True)
