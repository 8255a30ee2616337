"""From records to a report: figures per step, and what the linter and the run say of each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from traced_runs import FILE, finding, header, line_of, place, report, run, steps, wait

from synclint.findings import Phase
from synclint.trace.assembly import finding_for
from synclint.trace.records import Action, ActionTime, CodeLine, Copies, Device, LoaderFacts, Origin, Step, WaitSite
from synclint.trace.report import Status, TraceReport
from synclint.trace.steptime import REST


def each_step(number: int, times: int = 1) -> tuple[tuple[int, int], ...]:
    return tuple((step, times) for step in range(number))


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(("function", "is_missed"), [("convert", False), ("<lambda>", False), ("forward", True)])
def test_a_model_that_is_moved_is_not_missed_where_steps_do_not_tell(
    function: str, is_missed: bool, number: int
) -> None:
    # `Module.to` passes on the function `convert`, `Module.cuda` a lambda.
    library = CodeLine("/site-packages/torch/nn/modules/module.py", 1369, function)
    made = report(run(WaitSite(wait(library=library), ((0, 3),)), number=number))
    assert bool(made.missed) is is_missed


def test_a_model_that_is_moved_in_each_step_is_missed() -> None:
    library = CodeLine("/site-packages/torch/nn/modules/module.py", 1369, "convert")
    assert report(run(WaitSite(wait(library=library), each_step(5)))).missed


def test_the_first_step_counts_in_all_but_not_per_step() -> None:
    made = report(run(WaitSite(wait(), ((0, 100), *((step, 2) for step in range(1, 5))))))
    (told,) = made.waits
    assert (told.count, told.per_step) == (108, 2.0)
    assert (made.steps, made.counted_steps) == (5, 4)


@pytest.mark.parametrize(("number", "told"), [(3, 2), (1, 1)])
def test_a_first_step_that_was_profiled_is_told_of_only_where_there_is_no_other(number: int, told: int) -> None:
    seconds, busy = (60.0, 0.5, 0.5), (0.1, 0.2, 0.2)
    profiled = tuple(Step(index, seconds[index], True, busy[index]) for index in range(number))
    forward = tuple(ActionTime(Action.FORWARD, step.number, 0.3) for step in profiled)
    made = report(run(header=header(device=Device.CUDA), steps=profiled, actions=forward))
    assert [(row.action, row.calls) for row in made.actions] == [("forward", told), (REST, told)]
    assert made.busy == pytest.approx(0.4 if number > 1 else 0.1 / 60)


def test_a_single_step_counts_because_there_is_no_other() -> None:
    (told,) = report(run(WaitSite(wait(), ((0, 3),)), number=1)).waits
    assert told.per_step == 3.0


def test_what_comes_after_the_last_step_is_in_no_step() -> None:
    (told,) = report(run(WaitSite(wait(20), ((5, 7),)))).waits
    assert (told.count, told.per_step) == (7, 0.0)


def test_a_wait_that_only_the_profiler_sees_is_counted_over_the_steps_that_it_recorded() -> None:
    site = WaitSite(wait(), ((2, 3), (3, 3)), measured=6, blocked=0.6, only_profiled=True)
    (told,) = report(run(site, steps=steps(10, profiled=frozenset({2, 3})))).waits
    assert told.per_step == 3.0
    assert told.blocked_ms is not None and abs(told.blocked_ms - 300.0) < 1e-9


def test_the_time_of_a_wait_is_that_of_one_times_how_many_there_are_in_a_step() -> None:
    site = WaitSite(wait(), each_step(5, 2), measured=4, blocked=0.008, idle=0.004)
    (told,) = report(run(site)).waits
    assert told.blocked_ms is not None and abs(told.blocked_ms - 4.0) < 1e-9
    assert told.idle_ms is not None and abs(told.idle_ms - 2.0) < 1e-9


def test_what_nobody_measured_has_no_time() -> None:
    (told,) = report(run(WaitSite(wait(), each_step(5)))).waits
    assert told.blocked_ms is None and told.idle_ms is None


def test_a_finding_whose_line_waited_is_confirmed_and_its_phase_stands_beside_the_count() -> None:
    made = report(run(WaitSite(wait(), each_step(5))), finding(runs=Phase.EVAL))
    (judged,) = made.findings
    assert (judged.status, judged.count, judged.per_step) == (Status.CONFIRMED, 5, 1.0)
    assert made.waits[0].runs is Phase.EVAL
    assert made.missed == ()


def test_a_finding_whose_line_ran_without_waiting_is_not_observed() -> None:
    made = report(run(reached=((FILE, (8, 12)),)), finding(12), finding(20))
    assert [judged.status for judged in made.findings] == [Status.NOT_OBSERVED, Status.NOT_REACHED]


def test_a_line_that_nobody_watched_to_the_end_may_have_run() -> None:
    made = report(run(reached=((FILE, (8, 12)),), reached_to_the_end=False), finding(12), finding(20))
    assert [judged.status for judged in made.findings] == [Status.NOT_OBSERVED, Status.NOT_SEEN]


def test_another_operation_on_its_line_confirms_no_finding() -> None:
    upload = wait(op="aten::copy_", mechanism="host-to-device-copy", via="torch.Tensor.cuda")
    both = (finding(), finding(code="SYN402", mechanism="host-to-device-copy"))
    made = report(run(WaitSite(upload, each_step(5)), reached=((FILE, (12,)),)), *both)
    assert [judged.status for judged in made.findings] == [Status.NOT_OBSERVED, Status.CONFIRMED]
    alone = report(run(WaitSite(upload, each_step(5)), reached=((FILE, (12,)),)), finding())
    assert [judged.status for judged in alone.findings] == [Status.NOT_OBSERVED]
    assert len(alone.missed) == 1


def test_findings_stay_undecided_where_nothing_tells_which_of_them_waited() -> None:
    unknown = wait(op="cudaStreamSynchronize", mechanism="unknown", via="")
    both = (finding(), finding(code="SYN402", mechanism="host-to-device-copy"))
    made = report(run(WaitSite(unknown, each_step(5))), *both)
    assert [(judged.status, judged.count) for judged in made.findings] == [(Status.UNDECIDED, 5)] * 2
    (judged,) = report(run(WaitSite(unknown, each_step(5))), finding()).findings
    assert judged.status is Status.CONFIRMED


def test_a_finding_stays_undecided_where_the_driver_decides_whether_it_waited() -> None:
    upload = wait(op="cudaMemcpyAsync", mechanism="host-to-device-copy", via="torch.Tensor.to", certain=False)
    (judged,) = report(
        run(WaitSite(upload, each_step(5))), finding(code="SYN406", mechanism="host-to-device-copy")
    ).findings
    assert (judged.status, judged.count, judged.per_step) == (Status.UNDECIDED, 5, 1.0)


def test_a_wait_in_compiled_code_confirms_the_finding_in_it_on_the_line_that_calls_it() -> None:
    compiled = finding(3, code="SYN101", mechanism="data-dependent-shape", calls=((FILE, 12),))
    inside = wait(op="aten::nonzero", mechanism="data-dependent-shape", via="aten::nonzero")
    seen: Any = {"reached": ((FILE, (12,)),), "reached_to_the_end": False, "compiled": True}
    made = report(run(WaitSite(inside, each_step(5)), **seen), compiled)
    assert [(judged.status, judged.count) for judged in made.findings] == [(Status.CONFIRMED, 5)]
    assert made.missed == () and made.waits[0].runs is Phase.STEP
    # Of another operation, of another call, and of a line that Python saw run, it says nothing.
    for other in (
        report(run(WaitSite(wait(), each_step(5)), **seen), compiled),
        report(run(WaitSite(replace(inside, place=place(20)), each_step(5)), **seen), compiled),
        report(run(WaitSite(inside, each_step(5)), **{**seen, "reached": ((FILE, (3, 12)),)}), compiled),
        report(run(WaitSite(inside, each_step(5)), **{**seen, "compiled": False}), compiled),
    ):
        assert other.findings[0].status is not Status.CONFIRMED and len(other.missed) == 1


def test_a_finding_about_a_loader_is_confirmed_by_the_time_spent_waiting_for_it() -> None:
    loading = tuple(ActionTime(Action.LOADER, step, 0.2, 1, place(8)) for step in range(5))
    (judged,) = report(run(actions=loading), finding(8, code="SYN702", mechanism="input-pipeline")).findings
    assert (judged.status, judged.count, judged.per_step) == (Status.CONFIRMED, 5, 1.0)
    assert judged.blocked_ms is not None and abs(judged.blocked_ms - 200.0) < 1e-9


def test_a_wait_before_the_first_step_is_over_is_not_missed() -> None:
    assert report(run(WaitSite(wait(), ((0, 3),)))).missed == ()
    assert len(report(run(WaitSite(wait(), ((0, 3),)), number=0)).missed) == 1


def test_nothing_is_called_not_reached_in_a_file_that_nobody_followed() -> None:
    (judged,) = report(run(), finding()).findings
    assert judged.status is Status.NOT_OBSERVED


def test_a_wait_on_the_second_line_of_a_statement_confirms_the_finding_on_its_first() -> None:
    made = report(run(WaitSite(wait(9), each_step(5))), finding(8, first=8, last=10))
    assert made.findings[0].status is Status.CONFIRMED and made.missed == ()


def test_a_wait_that_no_finding_predicts_is_missed_with_the_code_of_its_rule() -> None:
    made = report(run(WaitSite(wait(), each_step(5))), finding(8))
    (missed,) = made.missed
    assert (missed.place.line, missed.code, missed.predicted) == (12, "SYN201", False)


def test_nothing_is_called_missed_if_the_linter_was_not_asked() -> None:
    assert report(run(WaitSite(wait(), each_step(5))), checked=False).missed == ()


def test_of_several_findings_in_a_statement_the_one_of_the_same_rule_is_meant() -> None:
    both = (finding(code="SYN301", mechanism="control-flow"), finding(code="SYN201"))
    chosen = finding_for(wait(), both)
    assert chosen is not None and chosen.code == "SYN201"


def test_a_wait_in_backward_is_told_at_the_line_of_its_operator() -> None:
    seen = wait(9, origin=Origin.BACKWARD, forward=place(8), op="aten::nonzero", via="torch.Tensor.backward")
    made = report(run(WaitSite(seen, each_step(5))), finding(8, code="SYN103"))
    (told,) = made.waits
    assert (told.place.line, told.backward, told.text) == (8, True, "loss = criterion(model(images)[mask], target)")
    assert made.findings[0].status is Status.CONFIRMED


def test_waits_beneath_one_line_are_told_apart_by_the_line_of_the_library() -> None:
    library = CodeLine("/env/site-packages/torchmetrics/aggregation.py", 87, "update")
    sites = (WaitSite(wait(), each_step(5)), WaitSite(wait(library=library), each_step(5)))
    told = report(run(*sites)).waits
    assert {one.library_text for one in told} == {"", "if nans.any():"}


def profiled_run(**more: Any) -> TraceReport:  # noqa: ANN401
    times = (
        ActionTime(Action.LOADER, 2, 0.3, 1),
        ActionTime(Action.UPLOAD, 2, 0.1, 2),
        ActionTime(Action.WAIT, 2, 0.05, 1, place(12)),
        ActionTime(Action.FORWARD, 2, 0.02, 1),
        ActionTime(Action.LOADER, 0, 99.0, 1),
    )
    return report(
        run(
            WaitSite(wait(), each_step(5), measured=1, blocked=0.05),
            header=header(device=Device.CUDA),
            steps=steps(5, profiled=frozenset({2})),
            actions=times,
            **more,
        )
    )


def test_the_rows_of_a_step_add_up_to_its_time() -> None:
    made = profiled_run()
    rows = made.actions
    assert [row.action for row in rows] == [
        "waiting for the loader",
        "copies to the device",
        f"wait at train.py:12 {line_of(place(12))}",
        "forward",
        REST,
    ]
    assert abs(sum(row.total for row in rows) - 0.5) < 1e-9
    assert abs(sum(row.percent for row in rows) - 100.0) < 1e-9


def test_each_of_the_first_three_rows_has_advice_that_fits() -> None:
    loader = LoaderFacts(place(5), 0, False, False, None, 8)
    copies = (Copies(place(6), "HtoD", False, 2, 1024, 0.1),)
    hints = profiled_run(loaders=(loader,), copies=copies).hints
    texts = [hint.text for hint in hints]
    assert len(texts) == 3
    assert "num_workers in its DataLoader (SYN702)" in texts[0] and "--cache-batches" in texts[0]
    assert "pin_memory=True" in texts[1] and "non_blocking=True" in texts[1]
    assert "synclint explain SYN201" in texts[2] and "explain why" in texts[2]


@pytest.mark.parametrize(("busy", "bound"), [(None, False), (0.1, False), (0.49, True)])
def test_what_fewer_waits_can_save_is_bounded_by_how_long_the_device_is_idle(busy: float | None, bound: bool) -> None:
    made = report(
        run(
            WaitSite(wait(), each_step(3), measured=1, blocked=0.4),
            header=header(device=Device.CUDA),
            steps=tuple(Step(number, 0.5, number == 2, busy if number == 2 else None) for number in range(3)),
            actions=(ActionTime(Action.WAIT, 2, 0.4, 1, place(12)),),
        )
    )
    (hint,) = made.hints
    assert hint.about.startswith("for 80 % of a step the host waits for the device")
    assert ("which is idle for 2.0 %" in hint.about) == bound


def test_a_loader_with_workers_is_advised_to_keep_them() -> None:
    loader = LoaderFacts(place(5), 4, True, False, 2, 8)
    (hint, *_) = profiled_run(loaders=(loader,)).hints
    assert "persistent_workers=True" in hint.text and "num_workers=4" in hint.text


def test_a_simulated_run_has_no_table_of_times() -> None:
    times = (ActionTime(Action.LOADER, 2, 0.3, 1),)
    made = report(run(actions=times))
    assert made.actions == () and made.hints == ()
