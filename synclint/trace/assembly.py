"""From a run's records to its report: figures per step, and what the linter and the run say of each other.

Pure but for the lines of source, which ``line_of`` reads.
"""

from __future__ import annotations

import linecache
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from synclint.trace.codes import advice_of, is_of_a_library, rule_of
from synclint.trace.records import Action, CodeLine, Device, ObservedWait, Origin, Run, Step, WaitSite
from synclint.trace.report import JudgedFinding, ReportedWait, StaticFinding, Status, TraceReport
from synclint.trace.step_times import busy_share, step_times
from synclint.trace.steptime import action_rows, hints

LineOf = Callable[[CodeLine], str]
ContractOf = Callable[[Sequence[CodeLine]], str]

# The catalogue's mechanism of findings about loaders, whose waits are for the host's own work.
_LOADING = "input-pipeline"
# What is neither a read nor a size, and never looks like one.
_ONE_WAY = frozenset({"host-to-device-copy", "explicit"})


def line_of(place: CodeLine) -> str:
    """The source of a line, stripped; empty where it cannot be read."""
    return linecache.getline(place.file, place.line).strip() if place.line else ""


def assemble(
    run: Run,
    findings: Sequence[StaticFinding] = (),
    *,
    checked: bool = True,
    line_of: LineOf = line_of,
    contract_of: ContractOf = lambda stack: "",
) -> TraceReport:
    """The report of one process's run.

    ``findings`` are those of the linter in the files that ran; ``checked`` is False where it was not asked.
    ``contract_of`` tells within which function that is declared sync-free a stack is.
    """
    steps = counted(run.steps)
    # As with the steps that count: the first one holds what comes before the loop.
    profiled = _profiled(steps) or _profiled(run.steps)
    predictions = _Predictions(findings, run)
    waits = [
        replace(
            _reported(group, steps, profiled, run, predictions, line_of), contract=_broken_contract(group, contract_of)
        )
        for group in _grouped(run.waits).values()
    ]
    waits.sort(key=_costliest_first)
    seconds = sum(step.seconds for step in steps)
    has_clock = run.header.device is Device.CUDA
    rows = action_rows(run, profiled or steps, line_of) if has_clock else ()
    busy = busy_share(profiled)
    return TraceReport(
        header=run.header,
        steps=len(run.steps),
        counted_steps=len(steps),
        step_seconds=seconds / len(steps) if steps else None,
        waits=tuple(waits),
        missed=missed(waits, len(run.steps)) if checked else (),
        findings=tuple(_judged(finding, predictions, waits, run) for finding in findings),
        actions=rows,
        hints=hints(run, rows, waits, busy),
        loaders=run.loaders,
        dataset_parts=run.dataset_parts,
        drawn=run.drawn,
        shared_seconds=_shared_seconds(run),
        checked=checked,
        notes=run.header.notes,
        busy=busy,
        times=step_times(steps) if has_clock else None,
    )


def missed(waits: Iterable[ReportedWait], steps: int) -> tuple[ReportedWait, ...]:
    """The waits that the linter should have predicted: on lines of the user's, which could avoid them, in each step.

    What comes before the loop costs once, and the linter does not show it either. A single step holds that as well.
    """
    return tuple(
        wait
        for wait in waits
        if not wait.predicted
        and wait.place.line
        and not wait.in_library
        and (wait.per_step or not steps)
        and (steps > 1 or not _fills_a_model(wait))
    )


def _fills_a_model(wait: ReportedWait) -> bool:
    """Whether a model is moved, or given its weights: where steps do not tell, that is what comes before the work."""
    library = wait.library
    return library is not None and library.function in _FILLING and library.file.endswith(_MODULES)


# Where `Module.to`, `Module.cuda`, which passes on a lambda, and `Module.load_state_dict` copy.
_MODULES = "torch/nn/modules/module.py"
_FILLING = frozenset({"convert", "<lambda>", "_apply", "_load_from_state_dict"})


def _broken_contract(sites: Sequence[WaitSite], contract_of: ContractOf) -> str:
    """The sync-free function within which any of several waits happened, the one that names come first of."""
    stacks = (site.wait.stack for site in sites if site.wait.certain and not site.wait.allowed)
    return min(filter(None, map(contract_of, stacks)), default="")


def _shared_seconds(run: Run) -> float | None:
    """Seconds of a step in which this process may wait for others; None where there are none, or no steps."""
    # What was profiled took longer: the tracer's own time is no reason for others to wait.
    plain = [step for step in counted(run.steps) if not step.profiled] or list(counted(run.steps))
    if run.header.world_size <= 1 or not plain:
        return None
    numbers = {step.number for step in plain}
    shared = (Action.BACKWARD, Action.COLLECTIVE)
    return sum(time.seconds for time in run.actions if time.action in shared and time.step in numbers) / len(plain)


def _costliest_first(wait: ReportedWait) -> tuple[object, ...]:
    return (-(wait.blocked_ms or 0.0), -wait.per_step, -wait.count, wait.place.file, wait.place.line)


def counted(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that figures per step are of: without the first, which holds what comes before the loop."""
    return tuple(steps[1:]) if len(steps) > 1 else tuple(steps)


def _profiled(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(step for step in steps if step.profiled)


def _grouped(sites: Iterable[WaitSite]) -> dict[object, list[WaitSite]]:
    """Sites that are told as one: alike but for the stack above the user's line, the thread and the operators."""
    groups: dict[object, list[WaitSite]] = defaultdict(list)
    for site in sites:
        wait = site.wait
        shown = wait.forward or wait.place
        key = (shown.file, shown.line, wait.library, wait.mechanism, wait.op, wait.origin, wait.certain)
        groups[key].append(site)
    return groups


def _reported(
    sites: Sequence[WaitSite],
    counted_steps: Sequence[Step],
    profiled: Sequence[Step],
    run: Run,
    predictions: _Predictions,
    line_of: LineOf,
) -> ReportedWait:
    wait = max(sites, key=lambda site: site.count).wait
    shown = wait.forward or wait.place
    count = sum(site.count for site in sites)
    per_step = sum(_per_step(site, profiled if site.only_profiled else counted_steps) for site in sites)
    measured = sum(site.measured for site in sites)
    blocked = sum(site.blocked for site in sites)
    idle = None if any(site.idle is None for site in sites) else sum(site.idle or 0.0 for site in sites)
    code = wait.code or rule_of(wait)
    finding = next(iter(predictions.of(code, wait.mechanism, (shown.file, shown.line), wait.stack)), None)
    in_library = finding is None and is_of_a_library(wait)
    return ReportedWait(
        place=shown,
        text=line_of(shown),
        count=count,
        per_step=per_step,
        mechanism=wait.mechanism,
        op=wait.op,
        code=finding.code if finding else wait.code or rule_of(wait),
        runs=finding.runs if finding else None,
        library=wait.library,
        library_text=line_of(wait.library) if wait.library else "",
        # What one of them takes, times how many there are in a step: the profiler sees some steps only.
        blocked_ms=1000 * blocked / measured * per_step if measured else None,
        idle_ms=1000 * idle / measured * per_step if measured and idle is not None else None,
        backward=wait.origin is Origin.BACKWARD,
        certain=wait.certain,
        stack=wait.stack,
        via=wait.via,
        ranks=(run.header.rank,),
        in_library=in_library,
        instead=finding.instead if finding else "" if in_library else advice_of(wait),
    )


def _per_step(site: WaitSite, steps: Sequence[Step]) -> float:
    numbers = {step.number for step in steps}
    return sum(count for step, count in site.counts if step in numbers) / len(numbers) if numbers else 0.0


class _Predictions:
    """The findings that may speak of a wait: those of its statement, else of compiled code called there.

    Python knows no lines of compiled code: what waits in it waits on the line that calls it. What a library waits for
    later waits wherever the library is called from then.
    """

    def __init__(self, findings: Iterable[StaticFinding], run: Run) -> None:
        self._by_line: dict[tuple[str, int], list[StaticFinding]] = defaultdict(list)
        self._by_call: dict[tuple[str, int], list[StaticFinding]] = defaultdict(list)
        self._later: dict[str, list[StaticFinding]] = defaultdict(list)
        for finding in findings:
            # A loader's waits are for the host's own work.
            if finding.mechanism == _LOADING:
                continue
            for line in range(finding.first, finding.last + 1):
                self._by_line[finding.file, line].append(finding)
            if run.compiled and _unobserved(finding, run) is Status.NOT_SEEN:
                for call in finding.calls:
                    self._by_call[call].append(finding)
            if finding.later_in and _unobserved(finding, run) is Status.NOT_OBSERVED:
                for function in finding.later_in:
                    self._later[function].append(finding)

    def of(
        self, code: str, mechanism: str, place: tuple[str, int], stack: Sequence[CodeLine]
    ) -> Sequence[StaticFinding]:
        """The findings of a statement that may speak of a wait; of a call only those that surely do."""
        if self._later and (later := self._speaking_later(mechanism, stack)):
            return later
        here = _predicting(code, mechanism, self._by_line.get(place, ()))
        return here or _speaking_of(code, mechanism, self._by_call.get(place, ()))

    def _speaking_later(self, mechanism: str, stack: Sequence[CodeLine]) -> Sequence[StaticFinding]:
        """The findings of lines that ran, about what a library's function on the stack waits for."""
        names = (f"{'/'.join(Path(place.file).parts[-2:])}:{place.function}" for place in stack)
        found = (finding for name in names for finding in self._later.get(name, ()))
        return [finding for finding in found if mechanism in (finding.mechanism, "unknown")]


def finding_for(wait: ObservedWait, candidates: Sequence[StaticFinding]) -> StaticFinding | None:
    """The finding that predicts the wait, in its statement: of its rule, else of its mechanism, else any."""
    return next(iter(_predicting(wait.code or rule_of(wait), wait.mechanism, candidates)), None)


def _predicting(code: str, mechanism: str, candidates: Sequence[StaticFinding]) -> Sequence[StaticFinding]:
    """The findings of a statement that may speak of a wait: those of its rule, else of its mechanism, else all.

    Never do findings of what goes to the device speak of what comes from there, nor of waits that a program asks for.
    """
    sure = _speaking_of(code, mechanism, candidates)
    return sure or [one for one in candidates if _may_be(mechanism, one.mechanism)]


def _speaking_of(code: str, mechanism: str, candidates: Sequence[StaticFinding]) -> Sequence[StaticFinding]:
    """The findings of the rule of a wait, else of its mechanism."""
    of_its_rule = [finding for finding in candidates if code and finding.code == code]
    return of_its_rule or [finding for finding in candidates if finding.mechanism == mechanism]


def _may_be(seen: str, predicted: str) -> bool:
    """Whether what was seen may be what was predicted: the catalogue tells more ways to read than CUDA does."""
    return "unknown" in (seen, predicted) or _ONE_WAY.isdisjoint({seen, predicted})


def _judged(
    finding: StaticFinding, predictions: _Predictions, waits: Sequence[ReportedWait], run: Run
) -> JudgedFinding:
    """What became of a finding.

    A finding is confirmed by the very operation of which it speaks: another one on its line proves nothing. The debug
    mode alone does not say what waited, so that several findings on a line stay undecided where it is all there is, as
    does one about a copy that only the driver knows to have waited.
    """
    if finding.mechanism == _LOADING:
        return _judged_loader(finding, run)
    own: list[ReportedWait] = []
    perhaps: list[ReportedWait] = []
    undecided: list[ReportedWait] = []
    for wait in waits:
        is_known = wait.mechanism != "unknown"
        place = wait.place.file, wait.place.line
        meant = predictions.of(wait.code if is_known else "", wait.mechanism, place, wait.stack)
        if finding in meant:
            is_meant = is_known or len(meant) == 1
            (undecided if not is_meant else own if wait.certain else perhaps).append(wait)
    if own or perhaps or undecided:
        seen = own + perhaps or undecided
        measured = [wait.blocked_ms for wait in seen if wait.blocked_ms is not None]
        return JudgedFinding(
            finding,
            Status.CONFIRMED if own else Status.UNDECIDED,
            sum(wait.count for wait in seen),
            sum(wait.per_step for wait in seen),
            sum(measured) if measured else None,
        )
    return JudgedFinding(finding, _unobserved(finding, run))


def _unobserved(finding: StaticFinding, run: Run) -> Status:
    reached = dict(run.reached).get(finding.file)
    if reached is None or any(finding.first <= line <= finding.last for line in reached):
        return Status.NOT_OBSERVED
    return Status.NOT_REACHED if run.reached_to_the_end else Status.NOT_SEEN


def _judged_loader(finding: StaticFinding, run: Run) -> JudgedFinding:
    """A finding about a loader is confirmed by the time for which the host waits for that loader's batches."""
    steps = counted(run.steps)
    own = [
        time
        for time in run.actions
        if time.action is Action.LOADER
        and time.place.file == finding.file
        and finding.first <= time.place.line <= finding.last
    ]
    if not own:
        return JudgedFinding(finding, _unobserved(finding, run))
    numbers = {step.number for step in steps}
    within = [time for time in own if time.step in numbers]
    return JudgedFinding(
        finding,
        Status.CONFIRMED,
        sum(time.calls for time in own),
        sum(time.calls for time in within) / len(numbers) if numbers else 0.0,
        1000 * sum(time.seconds for time in within) / len(numbers) if numbers else None,
    )
