"""The parts of the tracer that need no device: steps, owners of lines, counts, and the lines that ran."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
import torch
from torch._dynamo.convert_frame import Tracker
from torch.jit._recursive import ConcreteTypeStore
from traced_runs import place, wait

from synclint.trace.activities import Activities
from synclint.trace.children import ChildProcesses
from synclint.trace.codes import is_of_a_library, mechanism_of, rule_of
from synclint.trace.compiled_code import runs_compiled
from synclint.trace.linting import findings_in
from synclint.trace.ownership import SYNCLINT, Owner, Ownership, blame
from synclint.trace.program import without_own_frames
from synclint.trace.reached import MonitoredLines, TracedLines
from synclint.trace.records import NOWHERE, Action, CodeLine
from synclint.trace.steps import OptimizerHooks, StepLeader
from synclint.trace.tally import Tally

USER, LIBRARY, TORCH, PYTHON = "/home/me/train.py", "/env/site-packages/lib/a.py", "/env/torch/b.py", "/usr/lib/c.py"


def ownership(*roots: str) -> Ownership:
    return Ownership(roots, ("/env/site-packages",), "/env/torch", ("/usr/lib",))


@pytest.mark.parametrize(
    ("calls", "steps"),
    [
        ([1, 1, 1], 3),
        ([1, 2, 1, 2, 1, 2], 3),  # two models with an optimizer each
        ([1, 1, 2, 2, 2], 4),  # another optimizer takes over: it steps twice before that is known
        ([2, 1, 2, 1], 2),  # an optimizer within another, which steps first
        ([1, 2, 2, 1, 2, 2], 4),  # two steps of the one for each of the other
    ],
)
def test_the_optimizer_that_leads_makes_the_steps(calls: list[int], steps: int) -> None:
    leader = StepLeader()
    assert sum(leader.ends_step(optimizer) for optimizer in calls) == steps


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        (USER, Owner.USER),
        (LIBRARY, Owner.LIBRARY),
        (TORCH, Owner.TORCH),
        (PYTHON, Owner.PYTHON),
        ("<frozen runpy>", Owner.PYTHON),
        ("<string>", Owner.PYTHON),
        ("/tmp/ipykernel_12/345.py", Owner.USER),
        (f"{SYNCLINT}/trace/program.py", Owner.SYNCLINT),
        ("/other/env/lib/python3.11/site-packages/x.py", Owner.LIBRARY),
        ("/env/torchmetrics.py", Owner.USER),
    ],
)
def test_a_file_belongs_to_whom_its_innermost_folder_belongs(file: str, owner: Owner) -> None:
    assert ownership().of(file) is owner


def test_a_package_that_is_run_is_the_user_s_where_it_is_installed() -> None:
    own = ownership("/env/site-packages/lib")
    assert own.of(LIBRARY) is Owner.USER
    assert own.of("/env/site-packages/other.py") is Owner.LIBRARY


def test_an_environment_within_the_user_s_folder_is_not_the_user_s() -> None:
    own = Ownership(("/home/me",), ("/home/me/env/site-packages",), "/home/me/env/site-packages/torch", ())
    assert own.of("/home/me/env/site-packages/a.py") is Owner.LIBRARY
    assert own.of("/home/me/a.py") is Owner.USER


def test_a_wait_is_laid_to_the_innermost_line_of_the_user_and_of_the_library_beneath() -> None:
    files = [(PYTHON, 1), (USER, 2), (LIBRARY, 3), (USER, 52), (LIBRARY, 4), (TORCH, 5)]
    stack = [CodeLine(file, line) for file, line in files]
    blamed = blame(stack, ownership())
    assert (blamed.place, blamed.library) == (CodeLine(USER, 52), CodeLine(LIBRARY, 4))


def test_beneath_a_line_that_calls_pytorch_stands_pytorch_s_own() -> None:
    assert blame([CodeLine(USER, 2), CodeLine(TORCH, 3)], ownership()).library == CodeLine(TORCH, 3)
    assert blame([CodeLine(USER, 2)], ownership()).library is None


def test_where_nothing_is_the_user_s_the_outermost_line_of_a_library_stands_in() -> None:
    stack = [CodeLine(PYTHON, 1), CodeLine(LIBRARY, 2), CodeLine(TORCH, 3)]
    assert blame(stack, ownership()).place == CodeLine(LIBRARY, 2)
    assert blame([], ownership()).place == NOWHERE


def test_what_pytorch_waits_for_unasked_is_its_own_and_what_a_handler_does_within_it_is_the_program_s() -> None:
    step = CodeLine("/env/site-packages/torch/profiler/profiler.py", 900, "step")
    below = CodeLine("/env/site-packages/torch/cuda/__init__.py", 1219, "synchronize")
    known = wait(12, op="cudaDeviceSynchronize", mechanism="explicit", library=below, via="torch.profiler.profile.step")
    assert is_of_a_library(replace(known, stack=(place(12), step, below)))
    # Of this call a rule speaks, for another reason.
    model = "torch.nn.parallel.DistributedDataParallel"
    assert is_of_a_library(replace(known, stack=(place(12), step, below), via=model))
    called = replace(known, place=place(20), stack=(place(12), step, place(20), below), via="torch.cuda.synchronize")
    assert not is_of_a_library(called)
    # What the call of the user's was made for waits by another mechanism.
    assert not is_of_a_library(replace(known, mechanism="scalar-read", via="torch.nn.utils.clip_grad_norm_"))


def test_waits_are_counted_by_all_that_they_have_in_common() -> None:
    tally = Tally()
    for step in (0, 1, 1):
        tally.add(wait(), step)
    tally.add(wait(9), 1)
    assert [(site.wait.place.line, site.counts) for site in tally.sites()] == [(12, ((0, 1), (1, 2))), (9, ((1, 1),))]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"via": "torch.nonzero"}, "SYN101"),
        ({"via": "", "operators": ("aten::index", "aten::nonzero")}, "SYN103"),
        ({"via": "", "operators": ("aten::nonzero",), "op": "aten::nonzero"}, "SYN101"),
        ({"via": "", "op": "cudaDeviceSynchronize", "mechanism": "explicit"}, "SYN601"),
        ({"via": "", "op": "aten::copy_", "mechanism": "host-to-device-copy"}, "SYN402"),
        (
            {"via": "torch.Tensor.to", "op": "aten::copy_", "mechanism": "host-to-device-copy", "certain": False},
            "SYN406",
        ),
        ({"via": "", "op": "cudaStreamSynchronize", "mechanism": "unknown"}, ""),
    ],
)
def test_the_rule_of_a_wait_follows_from_call_operators_and_mechanism(more: dict[str, Any], code: str) -> None:
    assert rule_of(wait(**more)) == code


def test_the_mechanism_follows_from_operators_and_copies_where_it_is_not_known() -> None:
    assert mechanism_of(("aten::item", "aten::_local_scalar_dense"), "", "unknown") == "scalar-read"
    assert mechanism_of(("aten::copy_",), "Memcpy HtoD (Pageable -> Device)", "unknown") == "host-to-device-copy"
    assert mechanism_of(("aten::nonzero",), "", "explicit") == "explicit"
    assert mechanism_of((), "", "unknown") == "unknown"


@pytest.mark.parametrize("part", ["trace", "verify"])
def test_tracebacks_are_shown_without_our_frames(part: str) -> None:
    def theirs() -> None:
        raise ValueError

    ours: dict[str, object] = {}
    exec(compile("def ours(call):\n    call()\n", f"{SYNCLINT}/{part}/x.py", "exec"), ours)
    try:
        ours["ours"](theirs)  # type: ignore[operator]
    except ValueError as error:
        traceback = without_own_frames(error.__traceback__)
    names = []
    while traceback is not None:
        names.append(traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    assert names == ["test_tracebacks_are_shown_without_our_frames", "theirs"]


PROGRAM = """\
def taken(number):
    if number > 5:
        return "much"
    return "little"


def never():
    return None
"""


@pytest.fixture
def program(tmp_path: Path) -> dict[str, object]:
    file = tmp_path / "program.py"
    namespace: dict[str, object] = {"file": str(file)}
    exec(compile(PROGRAM, str(file), "exec"), namespace)
    return namespace


@pytest.mark.skipif(sys.gettrace() is not None, reason="somebody else traces")
def test_traced_lines_are_those_that_ran_also_on_other_threads(program: dict[str, object]) -> None:
    watch = TracedLines(ownership())
    watch.start()
    try:
        program["taken"](1)  # type: ignore[operator]
        thread = threading.Thread(target=program["taken"], args=(9,))  # type: ignore[arg-type]
        thread.start()
        thread.join()
    finally:
        watch.stop()
    assert sys.gettrace() is None
    assert dict(watch.lines())[str(program["file"])] == (2, 3, 4)
    assert str(program["file"]) in watch.files()


@pytest.mark.skipif(sys.gettrace() is not None, reason="somebody else traces")
def test_tracing_ends_when_steps_show_nothing_new_and_begins_again_when_the_model_changes_its_mode(
    program: dict[str, object],
) -> None:
    watch = TracedLines(ownership())
    watch.start()
    try:
        for _ in range(6):
            program["taken"](1)  # type: ignore[operator]
            watch.step()
        assert sys.gettrace() is None
        torch.nn.Linear(1, 1).eval()
        assert sys.gettrace() is not None
        program["taken"](9)  # type: ignore[operator]
    finally:
        watch.stop()
    assert dict(watch.lines())[str(program["file"])] == (2, 3, 4)


def test_a_debugger_that_is_there_before_is_left_alone() -> None:

    def debugger(*arguments: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        watch = TracedLines(ownership())
        watch.start()
        kept = sys.gettrace()
        watch.stop()
        assert kept is debugger and sys.gettrace() is debugger
    finally:
        sys.settrace(before)
    assert watch.lines() == ()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is of Python 3.12")
def test_monitored_lines_are_those_that_ran(program: dict[str, object]) -> None:
    watch = MonitoredLines(ownership())
    watch.start()
    try:
        program["taken"](1)  # type: ignore[operator]
    finally:
        watch.stop()
    assert dict(watch.lines())[str(program["file"])] == (2, 4)


def test_a_closure_that_an_optimizer_is_given_runs_apart_from_it() -> None:
    told: list[str] = []
    hooks = OptimizerHooks(lambda: told.append("begun"), lambda: told.append("paused"), lambda _: told.append("over"))
    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def closure() -> float:
        told.append("closure")
        weight.grad = torch.ones(1)
        return 1.5

    hooks.start()
    try:
        assert optimizer.step(closure) == 1.5
        assert optimizer.step(closure=closure) == 1.5
        optimizer.step()
    finally:
        hooks.stop()
    whole = ["begun", "paused", "closure", "begun", "over"]
    assert told == [*whole, *whole, "begun", "over"]


def test_an_optimizer_with_a_closure_is_one_call_in_two_stretches() -> None:
    activities = Activities(ownership(), lambda: True)
    hooks = OptimizerHooks(
        lambda: activities.begin(Action.OPTIMIZER), activities.pause, lambda optimizer: activities.end()
    )
    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def closure() -> float:
        weight.grad = torch.ones(1)
        return 1.5

    hooks.start()
    try:
        optimizer.step(closure)
        optimizer.step()
    finally:
        hooks.stop()
    assert sum(told.calls for told in activities.times()) == 2
    assert [interval.calls for interval in activities.intervals] == [0, 1, 1]


def test_processes_that_the_program_starts_are_counted_and_those_of_loaders_are_not() -> None:
    before = BaseProcess.start
    children = ChildProcesses()
    children.start()
    try:
        for method, without_device in (("fork", False), ("spawn", True)):
            process = multiprocessing.get_context(method).Process(target=str)  # type: ignore[attr-defined]
            process.start()
            process.join()
            assert any("no simulated device" in note for note in children.notes(simulated=True)) is without_device
        assert len(list(torch.utils.data.DataLoader([1, 2], num_workers=1))) == 2
    finally:
        children.stop()
    assert children.count == 2
    (note,) = children.notes(simulated=False)
    assert "2 processes that it started were not recorded" in note
    assert BaseProcess.start is before


def test_processes_are_counted_that_are_forked_off_or_run_python_and_no_others() -> None:
    before = vars(subprocess.Popen)["__init__"]
    children = ChildProcesses()
    children.start()
    try:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        counts = [children.count]
        # With a function to be called in the child, Python forks as well.
        for command in (["true"], [sys.executable, "-c", ""], ["true", sys.executable]):
            subprocess.run(command, check=True, preexec_fn=os.getpid)
            counts.append(children.count)
        subprocess.run(f"{sys.executable} -c 0", shell=True, check=True)
        counts.append(children.count)
    finally:
        children.stop()
    assert counts == [1, 1, 2, 2, 3]
    assert len(children.notes(simulated=False)) == 2
    assert vars(subprocess.Popen)["__init__"] is before


def _doubled(numbers: torch.Tensor) -> torch.Tensor:
    return numbers * 2


class _Doubling(torch.nn.Module):  # type: ignore[misc]
    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        return numbers * 2


@pytest.mark.parametrize(
    "compile_it",
    [
        lambda: torch.jit.script(_doubled),
        lambda: torch.jit.script(_Doubling()),
        lambda: torch.compile(_doubled, backend="eager")(torch.ones(2)),
    ],
    ids=["function", "module", "dynamo"],
)
def test_a_function_of_the_users_that_is_compiled_is_known(
    compile_it: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is compiled first turns the checks of distributions off, which other tests hear of.
    distribution = torch.distributions.Distribution
    monkeypatch.setattr(distribution, "_validate_args", distribution._validate_args)
    # What other tests have compiled is theirs.
    monkeypatch.setattr("torch.jit._state._jit_caching_layer", WeakKeyDictionary())
    monkeypatch.setattr("torch.jit._recursive.concrete_type_store", ConcreteTypeStore())
    monkeypatch.setattr("torch._dynamo.convert_frame.input_codes", Tracker())
    torch.compiler.reset()
    assert not runs_compiled(ownership(str(Path(__file__).parent)))
    compile_it()
    assert runs_compiled(ownership(str(Path(__file__).parent)))
    assert not runs_compiled(Ownership((), (str(Path(__file__).parent),), str(Path(torch.__file__).parent), ()))


def test_a_file_that_the_linter_did_not_check_to_its_end_is_a_problem_and_what_it_found_counts(tmp_path: Path) -> None:
    depth = "(" * 3000 + "1" + ")" * 3000
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("import torch\nprint(torch.ones(3, device='cuda').sum().item())\n", encoding="utf-8")
    second.write_text(f"x = {depth}\n", encoding="utf-8")
    found, problem = findings_in([str(first)], str(tmp_path))
    assert ({finding.line for finding in found}, problem) == ({2}, None)
    found, problem = findings_in([str(first), str(second)], str(tmp_path))
    assert {finding.line for finding in found} == {2}
    assert problem is not None and problem.startswith(f"{second}:1: ")


def test_nothing_is_said_of_what_to_write_instead_of_waits_that_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\nimport synclint\n\n\n"
        "def log(loss: torch.Tensor) -> None:\n"
        "    print(loss.item())\n"
        "    print(loss.item())  # synclint: ignore[SYN201]\n"
        "    with synclint.sync_allowed('logged'):\n"
        "        print(loss.item())\n",
        encoding="utf-8",
    )
    found, _ = findings_in([str(path)], str(tmp_path))
    assert {finding.line: (finding.suppressed, bool(finding.instead)) for finding in found} == {
        6: (False, True),
        7: (True, False),
        9: (True, False),
    }
