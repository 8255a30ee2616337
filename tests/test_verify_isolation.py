"""Cases in their worker process, on the simulated device: good ones, and all that can go wrong."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from verify_cases import FREE, WAITING, rule_case

from synclint.verify.cases import Case
from synclint.verify.isolation import DeviceUnavailableError, Workshop
from synclint.verify.measurement import SIMULATED_WITNESSES, FailureKind, Measurement, Side
from synclint.verify.verdict import Outcome, Verdict, judge
from synclint.verify.worker import CUDA, SIMULATED

LIMIT_SECONDS = 60.0


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Workshop(SIMULATED, LIMIT_SECONDS) as opened:
        opened.start()
        yield opened


def verified(workshop: Workshop, case: Case) -> tuple[Measurement, Verdict]:
    measured = workshop.measure(case, None)
    return measured, judge(case, measured, SIMULATED_WITNESSES)


def test_a_hazard_that_waits_with_a_twin_that_does_not_is_confirmed(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path))
    assert (verdict.outcome, verdict.reasons, verdict.equal_results) == (Outcome.CONFIRMED, (), True)


def test_a_hazard_that_does_not_wait_is_contradicted(workshop: Workshop, tmp_path: Path) -> None:
    hazard = "def total(x):\n    return torch.where(x > 0, x, 0.0).sum()  # sync: SYN901\n"
    _, verdict = verified(workshop, rule_case(tmp_path, hazard=hazard))
    assert verdict.outcome is Outcome.CONTRADICTED
    assert "is marked as waiting, but no witness saw it wait" in verdict.reasons[0]


def test_a_twin_that_waits_is_contradicted(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path, twin="def total(x):\n    return x[x > 0].sum()\n"))
    assert verdict.outcome is Outcome.CONTRADICTED
    assert "sync_free.py:2 must not wait, but does: simulated: aten::nonzero" in verdict.reasons[0]


def test_an_unmarked_line_that_waits_is_contradicted(workshop: Workshop, tmp_path: Path) -> None:
    hazard = WAITING.replace("return x", "print(float(x.sum()))\n    return x")
    _, verdict = verified(workshop, rule_case(tmp_path, hazard=hazard))
    assert verdict.outcome is Outcome.CONTRADICTED
    assert "hazard.py:14 must not wait" in verdict.reasons[0]


def test_different_results_are_contradicted(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path, twin=FREE.replace("0.0", "1.0")))
    assert verdict.outcome is Outcome.CONTRADICTED
    assert verdict.equal_results is False
    assert "total returns different results" in verdict.reasons[0]


def test_both_sides_get_equal_inputs_and_draw_equal_numbers(workshop: Workshop, tmp_path: Path) -> None:
    noise = " + torch.rand(1, device=x.device)"
    case = rule_case(
        tmp_path,
        hazard=f"def total(x):\n    return x[x > 0].sum(){noise}  # sync: SYN901\n",
        twin=f"import torch\n\n\ndef total(x):\n    return torch.where(x > 0, x, 0.0).sum(){noise}\n",
    )
    assert verified(workshop, case)[1].outcome is Outcome.CONFIRMED


def test_a_case_that_raises_is_inconclusive_and_says_where(workshop: Workshop, tmp_path: Path) -> None:
    twin = "def total(x):\n    raise ValueError('no such luck')\n"
    measured, verdict = verified(workshop, rule_case(tmp_path, twin=twin))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.reasons == ("twin total, warm-up: raised: ValueError: no such luck (line 2)",)
    assert any(report.side is Side.HAZARD for report in measured.witness_reports)


def test_a_case_that_leaves_the_program_is_inconclusive(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path, twin="def total(x):\n    raise SystemExit(3)\n"))
    assert verdict.reasons == ("twin total, warm-up: raised: SystemExit: 3 (line 2)",)


def test_a_module_that_cannot_be_imported_is_inconclusive(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path, twin="import nowhere\n\n\n" + FREE))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "loading: raised: ModuleNotFoundError" in verdict.reasons[0]


def test_a_device_out_of_memory_is_told_as_such(workshop: Workshop, tmp_path: Path) -> None:
    twin = "import torch\n\n\ndef total(x):\n    raise torch.cuda.OutOfMemoryError('tried to allocate')\n"
    measured, verdict = verified(workshop, rule_case(tmp_path, twin=twin))
    assert [failure.kind for failure in measured.failures] == [FailureKind.OUT_OF_MEMORY]
    assert "out of memory" in verdict.reasons[0]


def test_a_case_that_hangs_ends_at_its_limit_and_the_next_one_runs(tmp_path: Path) -> None:
    with Workshop(SIMULATED, 5.0) as workshop:
        workshop.start()
        hanging = rule_case(tmp_path, twin="import time\n\n\ndef total(x):\n    time.sleep(1000)\n")
        measured, verdict = verified(workshop, hanging)
        assert verdict.outcome is Outcome.INCONCLUSIVE
        assert verdict.reasons == ("twin total, warm-up: timed out: did not finish within 5 s",)
        assert [reached.side for reached in measured.reached] == [Side.HAZARD]
        assert verified(workshop, rule_case(tmp_path))[1].outcome is Outcome.CONFIRMED


def test_a_case_that_crashes_is_told_and_the_next_one_runs(workshop: Workshop, tmp_path: Path) -> None:
    _, verdict = verified(workshop, rule_case(tmp_path, twin="import os\n\n\ndef total(x):\n    os.abort()\n"))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "twin total, warm-up: crashed: the process was ended by SIGABRT" in verdict.reasons[0]
    assert verified(workshop, rule_case(tmp_path))[1].outcome is Outcome.CONFIRMED


CHILD = """\
def total(x):
    import subprocess
    child = subprocess.Popen(["sleep", "1000"])
    with open({path!r}, "w") as stream:
        stream.write(str(child.pid))
    {end}
"""


def is_running(path: Path) -> bool:
    """Whether the process whose number ``path`` holds is there, other than as one that has ended."""
    try:
        status = Path("/proc", path.read_text(encoding="utf-8"), "stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def soon(holds: Callable[[], bool]) -> bool:
    """Whether it holds before long: a process that was killed takes a moment to be gone."""
    for _ in range(1200):
        if holds():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
@pytest.mark.parametrize("end", ["child.wait()", "os._exit(0)"])
def test_no_process_that_a_case_started_is_left_behind(tmp_path: Path, end: str) -> None:
    path = tmp_path / "child"
    twin = "import os\n\n\n" + CHILD.format(path=str(path), end=end)
    with Workshop(SIMULATED, LIMIT_SECONDS) as workshop:
        workshop.start()
        verified(workshop, rule_case(tmp_path, twin=twin))
    assert path.exists()
    assert soon(lambda: not is_running(path))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
def test_the_worker_and_its_children_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    path = tmp_path / "child"
    twin = "import os\n\n\n" + CHILD.format(path=str(path), end="child.wait()")
    case = rule_case(tmp_path, twin=twin)
    program = (
        "from pathlib import Path\n"
        "from synclint.verify.cases import load_rule_case\n"
        "from synclint.verify.isolation import Workshop\n"
        "if __name__ == '__main__':\n"
        "    with Workshop('sim', 1000) as workshop:\n"
        f"        workshop.measure(load_rule_case(Path({str(Path(case.hazard.filename).parent)!r})), None)\n"
    )
    script = tmp_path / "program.py"
    script.write_text(program, encoding="utf-8")
    with subprocess.Popen([sys.executable, str(script)]) as asked:
        started = soon(lambda: path.exists() and path.read_text(encoding="utf-8") != "")
        asked.kill()
    assert started
    assert soon(lambda: not is_running(path))


def test_cases_start_processes_as_a_program_of_its_own_does(workshop: Workshop, tmp_path: Path) -> None:
    # A spawned process spawns in its turn, and each worker of a loader would import torch anew.
    chosen = multiprocessing.get_context().get_start_method()
    check = f"    import multiprocessing\n    assert multiprocessing.get_start_method() == {chosen!r}\n"
    case = rule_case(tmp_path, twin=FREE.replace("    return", f"{check}    return"))
    assert verified(workshop, case)[1].reasons == ()


def test_cases_do_not_share_what_they_change(workshop: Workshop, tmp_path: Path) -> None:
    # As torch.cond does, through torch/_dynamo/eval_frame.py.
    change = (
        "    torch.distributions.Distribution.set_default_validate_args(False)\n"
        "    torch.set_default_dtype(torch.float64)\n"
        "    import os\n"
        "    os.environ['LEFT_BY_A_CASE'] = 'yes'\n"
    )
    verified(workshop, rule_case(tmp_path, twin=FREE.replace("    return", f"{change}    return")))
    check = (
        "    assert torch.distributions.Distribution._validate_args\n"
        "    assert torch.get_default_dtype() is torch.float32\n"
        "    import os\n"
        "    assert 'LEFT_BY_A_CASE' not in os.environ\n"
    )
    case = rule_case(tmp_path, twin=FREE.replace("    return", f"{check}    return"))
    assert verified(workshop, case)[1].reasons == ()


def test_what_a_case_prints_does_not_reach_the_terminal(
    workshop: Workshop, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chatty = WAITING.replace("    positive", "    print('chatter')\n    os.system('echo more chatter')\n    positive")
    assert verified(workshop, rule_case(tmp_path, hazard=chatty))[1].outcome is Outcome.CONFIRMED
    assert capfd.readouterr().out == ""


def test_without_cuda_there_is_no_device() -> None:
    with Workshop(CUDA, LIMIT_SECONDS) as workshop, pytest.raises(DeviceUnavailableError, match="CUDA"):
        workshop.start()
