"""Runs are done until none rests on anything that has changed, within bounds: what comes first where these are met."""

from __future__ import annotations

from pathlib import Path

from synclint.analysis.interpreter.fixpoint import Fixpoint
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.runs import Run


def test_what_has_never_been_run_comes_before_what_is_run_again(tmp_path: Path) -> None:
    module = ProjectAnalysis().add(tmp_path / "a.py", "")
    run_before, never_run = (Run(None, module, {}, is_root=True) for _ in range(2))
    run_before.times = 1
    fixpoint = Fixpoint(Fields())
    done: list[Run] = []

    def repeat(run: Run) -> None:
        done.append(run)
        run.times += 1
        run.is_due = run.is_waiting = False

    for run in (run_before, never_run):
        run.is_due = True
        fixpoint.add(run)
    fixpoint.reach(repeat, lambda: not done)
    assert done == [never_run]
