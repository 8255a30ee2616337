"""What a project's configuration says of its own functions: which wait, and what they give."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from command_line import Synclint, plant_two_shares

from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.config.schema import schema

TRAINING = """\
import ours
import torch


class Meter:
    def __init__(self, config):
        self.level = config.level


def read(value):
    return value._impl()


def train(model: torch.nn.Module, batches: ours.Batches, optimizer: torch.optim.Optimizer, meter: Meter) -> None:
    limit = torch.ones(()).cpu()
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        ours.fetch_scalar(loss)
        ours.fetch_scalar(limit)
        read(loss)
        made = ours.load()
        if made.size > 2:
            int(meter.level)
            bool(made.mask())
"""
WAITS = """\
[[tool.synclint.waits]]
calls = ["ours.fetch_scalar", "train.read"]
rule = "item-in-hot-code"
parameters = ["value"]
when = ["device value"]
summary = "`fetch_scalar` copies a value"
instead = "Keep `{subject}`."
"""
GIVES = """\
[tool.synclint.gives]
"ours.load()" = "ours.Batch"
"ours.Batch.size" = "device-tensor"
"ours.Batch.mask()" = "device-tensor"
"train.Meter.level" = "device-tensor"
"""


def places(out: str) -> list[str]:
    return [" ".join(line.split(": ")[:2]).removeprefix("train.py:") for line in out.splitlines() if ": SYN" in line]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(TRAINING)
    return tmp_path


def configure(project: Path, *parts: str) -> None:
    (project / "pyproject.toml").write_text("\n".join(parts))


def check(run: Synclint, *arguments: str) -> list[str]:
    ended = run("check", "--output-format", "concise", *arguments, "train.py")
    assert ended.err == ""
    return places(ended.out)


CALLS = ["20:9 SYN201 item-in-hot-code", "22:9 SYN201 item-in-hot-code"]
VALUES = ["24:12 SYN301 tensor-in-condition", "25:13 SYN203 number-from-tensor", "26:13 SYN203 number-from-tensor"]


def test_nothing_is_known_of_a_project_that_says_nothing(run: Synclint, project: Path) -> None:
    assert check(run) == []


def test_calls_outside_and_inside_of_the_project_wait_where_it_says_so(run: Synclint, project: Path) -> None:
    configure(project, WAITS)
    assert check(run) == CALLS
    assert "help: Keep `loss`." in run("train.py").out


def test_calls_and_attributes_give_what_the_project_says(run: Synclint, project: Path) -> None:
    configure(project, GIVES)
    assert check(run) == VALUES


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("cpu-tensor", VALUES[:1] + VALUES[2:]),
        ("int", VALUES[:1] + VALUES[2:]),
        ("Tensor", VALUES),
        ("Tensor?", VALUES),
        ("tuple[device-tensor, int]", VALUES[:1] + VALUES[2:]),
    ],
)
def test_what_is_given_may_be_of_any_kind(run: Synclint, project: Path, kind: str, found: list[str]) -> None:
    configure(project, GIVES.replace('level" = "device-tensor"', f'level" = "{kind}"'))
    assert check(run) == found


METHODS = """\
import ours
import torch


class Meter:
    def read(self, value, digits=3):
        return value._impl(digits)


def train(model: torch.nn.Module, batches: ours.Batches, optimizer: torch.optim.Optimizer, log: ours.Log) -> None:
    meter = Meter()
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        meter.read(loss, digits=2)
        meter.read(2.0)
        log.write("loss", loss)
        log.write("loss", 2.0)
        log.flush()
"""


def test_methods_wait_where_the_project_says_so(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(METHODS)
    entry = '[[tool.synclint.waits]]\ncalls = ["{}"]\nrule = "SYN201"\n{}\n'
    configure(
        tmp_path,
        entry.format("train.Meter.read", 'when = ["device value"]'),
        entry.format("ours.Log.write", 'parameters = ["key", "value"]\nwhen = ["device value"]'),
        entry.format("ours.Log.flush", ""),
    )
    assert [place.partition(":")[0] for place in check(run)] == ["16", "18", "20"]


def test_kept_results_do_not_outlive_a_change_of_the_entries(run: Synclint, project: Path) -> None:
    configure(project, WAITS)
    assert check(run) == check(run) == CALLS
    configure(project, WAITS.replace('"train.read"', '"train.other"'))
    assert check(run) == CALLS[:1]
    configure(project)
    assert check(run) == []


def test_several_processes_know_the_entries(run: Synclint, project: Path) -> None:
    configure(project, WAITS, GIVES)
    plant_two_shares(project)
    arguments = ("--no-cache", "--min-confidence", "low", "--output-format", "concise")
    one, two = (run("check", *arguments, "-j", jobs, ".") for jobs in ("1", "2"))
    assert places(one.out) == sorted(CALLS + VALUES)
    assert one == two


def test_why_a_line_is_reported_knows_the_entries(run: Synclint, project: Path) -> None:
    configure(project, WAITS)
    assert "SYN201 own:ours.fetch_scalar: `loss` is a 0-dim tensor" in run("explain", "--why", "train.py:20").out


def test_what_is_given_can_stand_on_the_command_line(run: Synclint, project: Path) -> None:
    assert check(run, "--gives", "ours.load()=ours.Batch", "--gives", "ours.Batch.size=Tensor") == VALUES[:1]


def test_the_settings_in_effect_are_shown_as_a_file_has_them(run: Synclint, project: Path) -> None:
    configure(project, WAITS, GIVES)
    shown = run("config").out
    lines = [line.partition("  #")[0] for line in shown.splitlines() if line.startswith(("waits", "gives"))]
    (project / "shown").mkdir()
    (project / "shown" / "synclint.toml").write_text("\n".join(lines))
    again, first = (Configurations().of(folder).options for folder in (project / "shown", project))
    assert (again.waits, again.gives) == (first.waits, first.gives)
    assert first.waits != Options().waits


def test_the_schema_allows_what_is_read(project: Path) -> None:
    entry = {"calls": ["a.b"], "rule": "SYN201", "when": [["device x"], ["mask x"]]}
    jsonschema.validate({"waits": [entry], "gives": {"a.b": "int"}}, schema())
    for wrong in ({"calls": ["a.b"]}, {**entry, "color": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"waits": [wrong]}, schema())


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("waits = 3", "expected a list of tables"),
        ('waits = [{calls = ["a.b"]}]', "a table needs `rule`"),
        ('waits = [{calls = [], rule = "SYN201"}]', "a table needs `calls`"),
        ('waits = [{calls = ["fetch"], rule = "SYN201"}]', "expected qualified names such as"),
        ('waits = [{calls = ["a.b"], rule = "SYN999"}]', "unknown rule 'SYN999'"),
        ('waits = [{calls = ["a.b"], rule = "SYN001"}]', "SYN001 is not a rule about waits"),
        ('waits = [{calls = ["a.b"], rule = "SYN201", whem = []}]', "unknown key 'whem'; did you mean 'when'?"),
        ('waits = [{calls = ["a.b"], rule = "SYN201", when = ["on x"]}]', "is not a condition"),
        ('waits = [{calls = ["a.b"], rule = "SYN201", confidence = "sure"}]', "confidence: expected one of"),
        ('waits = [{calls = ["a.b"], rule = "SYN201"}, {calls = ["a.b"], rule = "SYN201"}]', "named by two tables"),
        ('gives = {"size" = "int"}', "expected a qualified name such as"),
        ('gives = {"a.b" = "tensr"}', "there is no kind 'tensr'; did you mean"),
        ('gives = {"a.b" = 3}', "expected a kind such as"),
    ],
)
def test_a_mistake_ends_in_one_line_that_names_the_key(run: Synclint, project: Path, written: str, said: str) -> None:
    (project / "synclint.toml").write_text(f"{written}\n")
    ended = run("train.py")
    assert ended.status == 2
    (line,) = ended.err.splitlines()
    assert line.startswith(f"synclint: error: synclint.toml: {written.partition(' ')[0]}: ")
    assert said in line


def test_reports_for_other_programs_name_the_rule(run: Synclint, project: Path) -> None:
    configure(project, WAITS)
    findings = json.loads(run("--output-format", "json", "train.py").out)
    assert {finding["code"] for finding in findings} == {"SYN201"}
