"""What was announced in every step, and what the device's clock measured in some."""

from __future__ import annotations

from dataclasses import replace

from traced_runs import header, place, run, steps, wait

from synclint.trace.backward_lines import Refinement
from synclint.trace.joining import joined
from synclint.trace.recorders import Interval, Measured, MeasuredWait, TimedWork, Window
from synclint.trace.records import NOWHERE, Action, CodeLine, Device, Origin, Run, WaitSite

MS = 1_000_000


def every_step(number: int, times: int = 1) -> tuple[tuple[int, int], ...]:
    return tuple((step, times) for step in range(number))


def window(step: int = 3) -> Window:
    return Window(step, 0, 100 * MS)


def measured(announced: object, refined: object, start: int = 10, end: int = 14, step: int = 3) -> MeasuredWait:
    return MeasuredWait(refined, announced, step, start * MS, end * MS, (end - start) / 1e3, 0.001)  # type: ignore[arg-type]


def cuda(*sites: WaitSite) -> Run:
    return run(*sites, header=header(device=Device.CUDA), steps=steps(5, profiled=frozenset({3})))


ANNOUNCED = wait(9, op="cudaStreamSynchronize", mechanism="unknown", origin=Origin.BACKWARD, via="")
FORWARD = replace(ANNOUNCED, op="aten::nonzero", mechanism="data-dependent-shape", forward=place(8))


def test_steps_that_were_not_profiled_have_what_the_profiled_ones_had() -> None:
    made = joined(
        cuda(WaitSite(ANNOUNCED, every_step(5))), Measured((measured(ANNOUNCED, FORWARD),), (), (window(),)), ()
    )
    (site,) = made.waits
    assert (site.wait.forward, site.wait.op, site.count) == (place(8), "aten::nonzero", 5)
    assert (site.measured, site.blocked) == (1, 0.004)


def test_a_step_with_another_number_of_waits_keeps_what_was_announced() -> None:
    counts = ((0, 3), (3, 2), (4, 2))
    both = (measured(ANNOUNCED, FORWARD), measured(ANNOUNCED, replace(FORWARD, forward=place(12))))
    made = joined(cuda(WaitSite(ANNOUNCED, counts)), Measured(both, (), (window(),)), ())
    by_line = {site.wait.forward: dict(site.counts) for site in made.waits}
    assert by_line == {place(8): {3: 1, 4: 1}, place(12): {3: 1, 4: 1}, None: {0: 3}}


def test_another_way_through_pytorch_s_own_python_is_the_same_wait() -> None:
    inside = CodeLine("/env/torch/_tensor.py", 625, "backward")
    watched = replace(ANNOUNCED, stack=(place(9), inside), library=inside)
    made = joined(
        cuda(WaitSite(ANNOUNCED, ((0, 1), (1, 1))), WaitSite(watched, ((3, 1),))),
        Measured((measured(watched, FORWARD),), (), (window(),)),
        (),
    )
    (site,) = made.waits
    assert (site.wait.forward, site.count) == (place(8), 3)


def test_waits_of_two_libraries_stay_apart_in_an_environment_below_a_folder_of_torch_s_name() -> None:
    folder = "/opt/torch/.venv/lib/python3.12/site-packages"
    copy, read = (
        replace(ANNOUNCED, library=CodeLine(f"{folder}/{file}", line, "train"))
        for file, line in (("accelerate/utils/operations.py", 160), ("transformers/trainer.py", 1847))
    )
    made = joined(cuda(WaitSite(copy, every_step(5, 3)), WaitSite(read, every_step(5, 2))), Measured(), ())
    assert {(site.wait.library, site.count) for site in made.waits} == {(copy.library, 15), (read.library, 10)}


def test_a_wait_that_nobody_announced_is_known_of_the_profiled_steps_alone() -> None:
    made = joined(cuda(), Measured((measured(None, wait(8)),), (), (window(),)), ())
    (site,) = made.waits
    assert site.only_profiled and site.counts == ((3, 1),)


def test_a_wait_that_no_trace_knows_stays_as_it_was_announced() -> None:
    made = joined(cuda(WaitSite(wait(), every_step(5))), Measured((), (), (window(),)), ())
    (site,) = made.waits
    assert (site.wait, site.count, site.measured, site.only_profiled) == (wait(), 5, 0, False)


def test_what_one_watched_step_of_the_simulated_device_tells_holds_for_all() -> None:
    found = Refinement(ANNOUNCED, replace(ANNOUNCED, forward=place(8)), 0)
    made = joined(run(WaitSite(ANNOUNCED, every_step(5))), Measured(), (), (ANNOUNCED,), (found,))
    (site,) = made.waits
    assert (site.wait.forward, site.count, site.measured) == (place(8), 5, 0)
    (drawn,) = made.drawn
    assert drawn.schematic and [bar.kind for bar in drawn.stretches] == ["kernel", "wait"]


def interval(action: Action, start: int, end: int) -> Interval:
    return Interval(action, 3, 1, start * MS, end * MS, place(8))


def test_actions_do_not_overlap_and_hold_neither_waits_nor_copies() -> None:
    upload = TimedWork("copy", "Memcpy HtoD (Pinned -> Device)", 3, 21 * MS, 22 * MS, place(8), 64, 20 * MS, 23 * MS)
    kernel = TimedWork("kernel", "gemm", 3, 30 * MS, 33 * MS, NOWHERE, 0, 29 * MS, 29 * MS)
    intervals = (
        interval(Action.LOADER, 0, 20),
        interval(Action.BACKWARD, 50, 80),
        interval(Action.OPTIMIZER, 85, 95),
    )
    waits = (measured(wait(12), wait(12), 40, 45), measured(ANNOUNCED, FORWARD, 60, 68))
    made = joined(
        cuda(WaitSite(wait(12), ((3, 1),)), WaitSite(ANNOUNCED, ((3, 1),))),
        Measured(waits, (upload, kernel), (window(),)),
        intervals,
    )
    spent: dict[Action, float] = {}
    for time in made.actions:
        spent[time.action] = round(spent.get(time.action, 0.0) + 1000 * time.seconds, 6)
    assert spent == {
        Action.UPLOAD: 3.0,
        Action.WAIT: 13.0,
        Action.LOADER: 20.0,
        Action.BACKWARD: 22.0,
        Action.OPTIMIZER: 10.0,
        # From 20 to 50 without the copy's 3 and the wait's 5.
        Action.FORWARD: 22.0,
    }
    (copies,) = made.copies
    assert (copies.kind, copies.pinned, copies.count, copies.bytes) == ("HtoD", True, 1, 64)


def test_a_wait_for_a_copy_to_the_device_counts_as_the_copy() -> None:
    blocking = wait(8, op="aten::copy_", mechanism="host-to-device-copy")
    made = joined(cuda(WaitSite(blocking, ((3, 1),))), Measured((measured(blocking, blocking),), (), (window(),)), ())
    assert [time.action for time in made.actions] == [Action.UPLOAD]


def test_the_last_profiled_step_is_drawn_with_its_waits_and_their_stacks() -> None:
    kernel = TimedWork("kernel", "gemm", 3, 30 * MS, 33 * MS, place(8), 0, 29 * MS, 29 * MS)
    made = joined(
        cuda(WaitSite(wait(12), ((3, 1),))),
        Measured((measured(wait(12), wait(12)),), (kernel,), (window(),)),
        (interval(Action.LOADER, 0, 5),),
    )
    (drawn,) = made.drawn
    assert (drawn.number, drawn.seconds, drawn.schematic) == (3, 0.1, False)
    bars = {(bar.row, bar.kind): bar for bar in drawn.stretches}
    assert set(bars) == {("host", "loader"), ("host", "wait"), ("device", "kernel")}
    waiting = bars["host", "wait"]
    assert (waiting.start, waiting.end, waiting.place, waiting.stack) == (0.01, 0.014, place(12), wait().stack)
