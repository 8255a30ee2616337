"""The arguments of ``synclint trace``, and what becomes of reports that are read again."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import HAZARD, Synclint
from traced_runs import rank, report, wait
from traced_runs import run as made_run

from synclint.commands import trace as command
from synclint.trace.records import CodeLine, Device, Schedule, WaitSite
from synclint.trace.report_json import to_json
from synclint.trace.settings import Settings, last_step


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would take the place of this process."""
    seen: list[list[str]] = []

    def replace_process(path: str, arguments: list[str]) -> None:
        seen.append(arguments)
        raise SystemExit(77)

    monkeypatch.setattr(os, "execv", replace_process)
    return seen


def launch(run: Synclint, launched: list[list[str]], *arguments: str) -> tuple[Settings, list[str]]:
    with pytest.raises(SystemExit):
        run("trace", "--device", "sim", *arguments)
    (found,) = launched
    index = next(number for number, argument in enumerate(found) if argument.endswith("launch.py"))
    return Settings.from_json(found[index + 1]), found[index + 2 :]


def test_what_follows_the_script_is_the_script_s(run: Synclint, launched: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "train.py").touch()
    settings, rest = launch(run, launched, "--active", "5", "train.py", "--active", "7", "--stop", "-m")
    assert rest == ["script", "train.py", "--active", "7", "--stop", "-m"]
    assert (settings.device, settings.schedule, settings.stop) == (Device.SIMULATED, Schedule(active=5), False)


def test_what_follows_a_module_is_the_module_s(run: Synclint, launched: list[list[str]]) -> None:
    settings, rest = launch(run, launched, "--wait", "2", "-m", "package.train", "--config", "x", "--wait", "9")
    assert rest == ["module", "package.train", "--config", "x", "--wait", "9"]
    assert settings.schedule.wait == 2


def test_what_follows_pytest_is_pytest_s(run: Synclint, launched: list[list[str]]) -> None:
    assert launch(run, launched, "--pytest", "tests/test_step.py", "-k", "step")[1] == [
        "module", "pytest", "tests/test_step.py", "-k", "step",
    ]  # fmt: skip


def test_files_are_written_where_they_were_asked_for_wherever_the_program_goes(
    run: Synclint, launched: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "train.py").touch()
    settings, _ = launch(run, launched, "--output-file", "html=page.html", "--output-file", "trace.txt", "train.py")
    assert [(output.format, output.path) for output in settings.outputs] == [
        ("html", str(tmp_path / "page.html")),
        ("text", str(tmp_path / "trace.txt")),
    ]
    assert settings.printed is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing to run"),
        (("nothing.py",), "nothing.py: no such file"),
        (("--output-file", "jsn=x", "nothing.py"), "did you mean 'json'"),
        (("--output-file", "json=none/x", "nothing.py"), "none is not a directory"),
        (("--merge",), "--merge takes the JSON reports"),
        (("--compare", "a.json"), "--compare takes two"),
        (("--merge", "--compare", "a.json"), "use one of them"),
        (("--merge", "a.json"), "a.json: no such file"),
        (("--device", "sim", "--tensorboard", "x", "-m", "json"), "--tensorboard belongs to the profiler"),
        (("--device", "sim", "--stop", "--repeat", "0", "-m", "json"), "--repeat 0 has no end"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(run: Synclint, arguments: tuple[str, ...], said: str) -> None:
    ended = run("trace", *arguments)
    assert ended.status == 2 and said in ended.err
    assert len(ended.err.splitlines()) == 1


def test_without_a_gpu_cuda_is_refused_and_the_simulated_device_offered(
    run: Synclint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_cuda_release", lambda path: None)
    ended = run("trace", "--device", "cuda", "-m", "json")
    assert ended.status == 2 and "`--device sim`" in ended.err


def test_without_a_gpu_the_simulated_device_is_the_default_and_told(
    run: Synclint, launched: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_cuda_release", lambda path: None)
    with pytest.raises(SystemExit):
        run("trace", "-m", "json")
    assert '"device": "sim"' in " ".join(launched[0])
    assert "tracing on a simulated one" in capsys.readouterr().err


def test_a_build_of_pytorch_for_the_cpu_is_known_without_importing_it(tmp_path: Path) -> None:
    package = tmp_path / "__init__.py"
    (tmp_path / "version.py").write_text("debug = False\ncuda: Optional[str] = None\nhip = None\n")
    assert command._cuda_release(package) is None
    (tmp_path / "version.py").write_text("cuda: Optional[str] = '13.0'\n")
    assert command._cuda_release(package) == "13.0"
    (tmp_path / "version.py").write_text("")
    assert command._cuda_release(package) == ""


def test_a_build_for_cuda_without_a_gpu_is_told_what_it_needs_instead_of_being_promised_a_device(
    run: Synclint, launched: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_cuda_release", lambda path: "13.0")
    monkeypatch.setattr(command, "_has_device", lambda: False)
    ended = run("trace", "-m", "json")
    (line,) = ended.err.splitlines()
    assert ended.status == 2 and not launched
    assert "this one for CUDA 13.0" in line and "pytorch.org" in line


@pytest.mark.parametrize(
    ("schedule", "last"),
    [(Schedule(), 5), (Schedule(2, 0, 0, 1, 1), 3), (Schedule(1, 1, 1, 2, 3), 13), (Schedule(repeat=0), None)],
)
def test_the_last_active_step_follows_from_the_schedule(schedule: Schedule, last: int | None) -> None:
    assert last_step(schedule) == last


def test_importing_synclint_imports_nothing_heavy_and_trace_can_be_called() -> None:
    import subprocess

    code = (
        "import sys, synclint; heavy = {'torch', 'click', 'libcst', 'synclint.trace'} & set(sys.modules); "
        "assert not heavy, heavy; assert callable(synclint.trace); assert 'torch' not in sys.modules; "
        "import synclint.trace.records; assert callable(synclint.trace)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reports_of_ranks_are_merged(run: Synclint, tmp_path: Path) -> None:
    for number, backward in ((0, 0.3), (1, 0.1)):
        (tmp_path / f"{number}.json").write_text(to_json(rank(number, backward)))
    ended = run("trace", "--merge", "0.json", "1.json")
    assert ended.status == 0 and "in each step rank 0 waits 200.0 ms for rank 1" in ended.out


def test_two_reports_are_compared(run: Synclint, tmp_path: Path) -> None:
    before = report(made_run(WaitSite(wait(), tuple((step, 1) for step in range(5)))))
    (tmp_path / "a.json").write_text(to_json(before))
    (tmp_path / "b.json").write_text(to_json(replace(before, waits=())))
    ended = run("trace", "--compare", "a.json", "b.json")
    assert ended.status == 0
    assert ended.out.splitlines()[0] == "waits per step: 1 before, 0 after"
    assert ended.out.splitlines()[-1].startswith("gone")
    document: dict[str, Any] = json.loads(run("trace", "--compare", "--output-format", "json", "a.json", "b.json").out)
    assert [change["change"] for change in document["waits"]] == ["gone"]


# The linter and what was measured

TWO_WAITS = """\
import torch


def train(model, loader: torch.utils.data.DataLoader, optimizer):
    for batch in loader:
        loss = model(batch.cuda()).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept = torch.nonzero(loss)
        print(loss.item())
"""


def evidence(folder: Path, line: int, text: str, **more: Any) -> None:  # noqa: ANN401
    given = {"code": "SYN101", **more}
    seen = wait(line, place=CodeLine(str(folder / "train.py"), line, "train"), **given)
    made = report(made_run(WaitSite(seen, tuple((step, 2) for step in range(5)), measured=4, blocked=0.02)))
    waits = tuple(replace(one, text=text) for one in made.waits)
    (folder / "trace.json").write_text(to_json(replace(made, waits=waits)))


def codes(ended: Any) -> list[str]:  # noqa: ANN401
    return [finding["code"] for finding in sorted(json.loads(ended.out), key=lambda one: -one["priority"])]


def test_what_cost_most_comes_first_and_says_what_it_cost(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TWO_WAITS)
    assert codes(run("train.py", "--output-format", "json"))[0] == "SYN101"
    evidence(tmp_path, 11, "print(loss.item())", code="SYN201")
    ended = run("train.py", "--output-format", "json", "--evidence", "trace.json")
    assert codes(ended)[0] == "SYN201"
    (measured,) = [one["message"] for one in json.loads(ended.out) if one["code"] == "SYN201"]
    assert measured.endswith("(measured: 2 per step, 10.000 ms)")
    assert run("train.py", "--evidence", "trace.json").out.index("SYN201") < run("train.py").out.index("SYN201")


def test_only_what_was_measured_is_shown_on_request(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TWO_WAITS)
    evidence(tmp_path, 10, "kept = torch.nonzero(loss)")
    ended = run("train.py", "--output-format", "json", "--evidence", "trace.json", "--only-measured")
    assert codes(ended) == ["SYN101"] and ended.status == 1


def test_a_line_that_moved_since_is_found_by_its_text(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("# a comment\n\n" + TWO_WAITS)
    evidence(tmp_path, 10, "kept = torch.nonzero(loss)")
    ended = run("train.py", "--output-format", "json", "--evidence", "trace.json", "--only-measured")
    assert [one["location"]["row"] for one in json.loads(ended.out)] == [12]


def test_evidence_of_lines_that_are_gone_is_told(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TWO_WAITS)
    evidence(tmp_path, 10, "kept = torch.unique(loss)")
    ended = run("train.py", "--evidence", "trace.json", "--only-measured")
    assert ended.status == 0 and "1 line that waits has changed since the evidence was recorded" in ended.err


def test_a_finding_that_is_not_shown_otherwise_is_shown_when_it_was_measured(run: Synclint, tmp_path: Path) -> None:
    once = "import torch\n\nSTART = torch.ones(3, device='cuda').nonzero()\n"
    (tmp_path / "train.py").write_text(once)
    assert codes(run("train.py", "--output-format", "json")) == []
    evidence(tmp_path, 3, "START = torch.ones(3, device='cuda').nonzero()")
    assert codes(run("train.py", "--output-format", "json", "--evidence", "trace.json")) == ["SYN101"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only-measured",), "--only-measured needs --evidence FILE"),
        (("--evidence", "none.json"), "none.json: no such file"),
    ],
)
def test_evidence_that_cannot_be_used_is_told_in_one_line(
    run: Synclint, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "train.py").write_text(HAZARD)
    ended = run("train.py", *arguments)
    assert ended.status == 2 and said in ended.err and len(ended.err.splitlines()) == 1
