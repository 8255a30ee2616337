"""Which phases are shown, what is said of the others, and how a comment corrects how often code runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import COLD, HAZARD, Run, Synclint

from synclint.adoption.suppressions import review
from synclint.config.options import Options
from synclint.findings import Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span

MARKED = """\
import torch


def measure(x: torch.Tensor) -> float:  # synclint: runs=eval
    return x.sum().item()
"""


def found(run: Synclint, *arguments: str) -> list[tuple[str, str, str]]:
    rows = json.loads(run(".", "--output-format", "json", *arguments).out)
    return [(row["code"], row["context"]["runs"], row["severity"]) for row in rows]


def test_by_default_the_training_step_is_shown_and_the_rest_is_counted(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HAZARD)
    (tmp_path / "b.py").write_text(COLD)
    (tmp_path / "c.py").write_text(MARKED)
    assert found(run) == [("SYN101", "step", "warning")]
    assert found(run, "--runs", "eval") == [("SYN201", "eval", "info")]
    assert found(run, "--runs", "step,eval") == [("SYN101", "step", "warning"), ("SYN201", "eval", "info")]
    everything = found(run, "--runs", "all")
    assert {runs for _, runs, _ in everything} == {"step", "eval", "once"}
    assert found(run, "--cold") == everything
    last = run(".", "--output-format", "concise").out.splitlines()[-1]
    assert last == (
        "1 wait in the training step (1 of 3 files); 1 in evaluation, 1 that runs once not shown (--runs all)."
    )


def test_what_lies_in_a_folder_of_tests_or_benchmarks_is_one_without_packages_as_well(
    run: Synclint, tmp_path: Path
) -> None:
    for folder in ("tests/models/scripts", "benchmarks/layers", "contests"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "compare.py").write_text(HAZARD)
    assert sorted(runs for _, runs, _ in found(run, "--runs", "all")) == ["benchmark", "step", "test"]
    # What is asked for by itself is not put aside.
    named = json.loads(run("tests/models/scripts", "--output-format", "json").out)
    assert [row["context"]["runs"] for row in named] == ["step"]


def test_the_reason_names_files_as_all_of_json_does_however_the_folder_was_given(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("import torch\n\n\ndef f(x: torch.Tensor) -> float:\n    return x.sum().item()\n")
    (tmp_path / "train.py").write_text(
        "from lib import f\n\n\ndef main(model, optimizer, loader):\n    for batch in loader:\n"
        "        f(model(batch))\n        model(batch).sum().backward()\n        optimizer.step()\n"
    )
    for given in (".", str(tmp_path)):
        (row,) = json.loads(run(given, "--output-format", "json").out)
        assert row["context"]["reason"] == f"called from the training loop, {tmp_path / 'train.py'}:6"


def test_the_exit_status_counts_what_is_shown(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text(MARKED)
    hidden = run(".")
    assert (hidden.status, hidden.out) == (
        0,
        "No waits in any step (1 file); 1 in evaluation not shown (--runs all).\n",
    )
    assert run(".", "--runs", "eval").status == 1


def test_what_is_not_shown_is_counted_the_same_from_the_cache_and_from_standard_input(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "c.py").write_text(MARKED)
    fresh = run(".", "--no-cache")
    assert "1 in evaluation not shown" in fresh.out
    assert run(".") == fresh
    assert run(".") == fresh
    assert run("-", "--stdin-filename", "c.py", stdin=MARKED.encode()) == fresh


def test_what_a_comment_suppresses_is_not_counted_as_not_shown(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text(MARKED.replace(".item()", ".item()  # noqa: SYN201"))
    assert run(".").out == "No waits found in 1 file.\n"


def test_what_is_not_sure_enough_is_counted(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import numpy\nimport torch\n\ndef f(x, mask):\n    return x[mask]\n")
    (tmp_path / "b.py").write_text(HAZARD)
    assert run(".").out.endswith("; 1 of low confidence not shown (--min-confidence low).\n")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("evall", "there is no phase 'evall'; did you mean 'eval'?"),
        ("step,xyz", "there is no phase 'xyz'; choose one of step, interval, eval, epoch, data, once, benchmark, "),
        (",", "expected a list of at least one of"),
    ],
)
def test_an_unknown_phase_is_an_error_in_one_line(run: Synclint, tmp_path: Path, given: str, told: str) -> None:
    (tmp_path / "a.py").write_text(HAZARD)
    result = run(".", "--runs", given)
    assert (result.status, result.out) == (2, "")
    assert told in result.err
    assert len(result.err.splitlines()) == 1
    (tmp_path / "synclint.toml").write_text(f"runs = {json.dumps([word for word in given.split(',') if word])}\n")
    configured = run(".")
    assert configured.status == 2
    assert f"synclint.toml: runs: {told}" in configured.err


def test_phases_can_be_set_and_the_command_line_comes_first(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HAZARD)
    (tmp_path / "c.py").write_text(MARKED)
    (tmp_path / "synclint.toml").write_text('runs = ["eval"]\n')
    assert [runs for _, runs, _ in found(run)] == ["eval"]
    assert [runs for _, runs, _ in found(run, "--runs", "step")] == ["step"]
    (tmp_path / "synclint.toml").write_text("cold = true\n")
    assert [runs for _, runs, _ in found(run)] == ["step", "eval"]
    assert [runs for _, runs, _ in found(run, "--runs", "step")] == ["step"]


def test_complaints_and_files_that_were_not_checked_are_told_whatever_phase_is_shown(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1  # synclint: ignore\n")
    (tmp_path / "b.py").write_text("def f(:\n")
    assert [code for code, _, _ in found(run, "--runs", "eval")] == ["SYN001", "SYN000"]


def test_what_fails_within_a_captured_graph_is_shown_in_every_phase() -> None:
    captured = Context(Phase.ONCE, "", captured="the CUDA graph at a.py:3")
    assert Options().is_asked_for(captured)
    assert not Options().is_asked_for(replace(captured, captured=None))


def test_each_phase_can_be_marked_in_a_comment(run: Synclint, tmp_path: Path) -> None:
    for phase in set(Phase) - {Phase.UNREACHED}:
        (tmp_path / "c.py").write_text(MARKED.replace("runs=eval", f"runs={phase.value}  as it is called"))
        assert [runs for _, runs, _ in found(run, "--runs", "all")] == [phase.value]
        assert [runs for _, runs, _ in found(run, "--runs", phase.value)] == [phase.value]


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("runs=evel", "there is no phase 'evel'; did you mean 'eval'?"),
        ("runs=zzz", "there is no phase 'zzz'; choose one of step, "),
        ("runs", "`runs` needs a phase, such as `runs=eval`"),
        ("runs=", "`runs` needs a phase, such as `runs=eval`"),
        ("cold=eval", "`cold` takes no `=eval`"),
        ("ignore=SYN201", "`ignore` takes no `=SYN201`"),
    ],
)
def test_a_mark_that_is_not_understood_is_a_complaint(run: Synclint, tmp_path: Path, comment: str, told: str) -> None:
    (tmp_path / "c.py").write_text(MARKED.replace("runs=eval", comment))
    rows = json.loads(run(".", "--output-format", "json").out)
    (complaint,) = (row for row in rows if row["code"] == "SYN001")
    assert told in complaint["message"]
    assert any(row["code"] == "SYN201" for row in rows)


def test_a_mark_changes_the_phase_and_the_severity_and_not_what_multiplies_or_captures_a_wait() -> None:
    times = (Repetition("layer", "a.py", 3),)
    span = Span(Position(5, 12), Position(5, 28))
    step = Context(Phase.STEP, "in a loop", times=times, captured=None)
    wait = Finding(
        "SYN201", "item-in-hot-code", "", "a.py", span, Severity.WARNING, Confidence.HIGH, "scalar-read", step
    )
    (marked,) = review([wait], MARKED, Path("a.py")).findings
    assert marked.context == Context(Phase.EVAL, "marked runs=eval at a.py:4", times=times)
    assert marked.severity is Severity.INFO
    graph = replace(step, captured="the CUDA graph at a.py:1")
    (captured,) = review([replace(wait, context=graph)], MARKED, Path("a.py")).findings
    assert (captured.context.captured, captured.severity) == (graph.captured, Severity.ERROR)


INFERENCE = """\
import torch


@torch.inference_mode()
def main(model: torch.nn.Module, images: list) -> None:
    for image in images:
        print(model(torch.rand(8, device="cuda")).cpu().shape)
"""


def test_what_inference_needs_by_nature_is_counted_apart_and_shown_with_all(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "infer.py").write_text(INFERENCE)
    hidden = run(".")
    left_out = "1 inherent in what the program does not shown (--runs all)"
    assert hidden.out == f"No waits in any step (1 file); {left_out}.\n"
    assert hidden.status == 0
    assert run(".") == hidden  # from the cache
    assert found(run, "--runs", "all") == [("SYN204", "step", "warning")]
    (row,) = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    assert (row["context"]["work"], row["context"]["by_nature"]) == ("inference", True)


def test_a_run_that_does_not_show_it_does_not_call_its_entry_in_the_baseline_gone(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "infer.py").write_text(INFERENCE)
    baseline = ("--baseline", "base.json")
    run(".", "--runs", "all", *baseline, "--write-baseline")
    (tmp_path / "infer.py").write_text(INFERENCE.replace(".cpu()", ""))
    assert "can no longer be found" not in run(".", *baseline).err
    assert "can no longer be found" in run(".", "--runs", "all", *baseline).err


LIBRARY = """\
import torch


def used(x: torch.Tensor) -> torch.Tensor:
    return x.nonzero()


def unused(x: torch.Tensor) -> torch.Tensor:
    return x.nonzero()
"""
TRAINING = """\
from library import used


def main(model, optimizer, loader):
    for x in loader:
        used(model(x)).sum().backward()
        optimizer.step()
"""


def test_what_a_project_that_trains_nowhere_mentions_is_of_low_confidence(run: Synclint, tmp_path: Path) -> None:
    def shown(*paths: str) -> list[int]:
        return [row["location"]["row"] for row in json.loads(run(*paths, "--output-format", "json").out)]

    (tmp_path / "library.py").write_text(LIBRARY)
    assert shown(".") == [5, 9]
    (tmp_path / "train.py").write_text(TRAINING)
    assert shown(".") == [5]
    assert shown("library.py", "--no-project") == [5, 9]  # of a part nobody knows what the rest mentions
    (tmp_path / "other.py").write_text("import library\n\nprint(library.unused)\n")
    assert shown(".") == [5, 9]


def test_a_generator_that_a_training_loop_asks_for_batches_is_a_part_of_training(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(GENERATOR)
    (row,) = json.loads(run("train.py", "--output-format", "json").out)
    assert (row["location"]["row"], row["context"]["runs"], row["context"]["work"]) == (6, "step", "training")


GENERATOR = """\
import torch


def batches(lists):
    for each in lists:
        yield torch.tensor(each, device="cuda")


def train(model, lists):
    optimizer = torch.optim.SGD(model.parameters(), 0.1, fused=True)
    data = batches(lists)
    while True:
        model(next(data)).sum().backward()
        optimizer.step()
"""


REGISTRIES = """\
import torch
from mmcv.utils import Registry

HEADS = Registry("heads")
NECKS = Registry("necks")


def build_head(config):
    return HEADS.build(config)


def build_neck(config):
    return NECKS.build(config)


@HEADS.register_module()
class Head(torch.nn.Module):
    def __init__(self):
        super(Head, self).__init__()

    def forward(self, x: torch.Tensor) -> int:
        return x.sum().item()


@NECKS.register_module()
class Neck(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> int:
        return x.sum().item()


def doubled(x):
    return 2 * x


def train(config, optimizer, loader):
    neck = build_neck(config)
    for batch in loader:
        neck(doubled(batch))
        optimizer.step()
"""


def rows_of(told: Run) -> dict[int, str]:
    """The phases of what a run tells in JSON, by the lines."""
    return {row["location"]["row"]: row["context"]["runs"] for row in json.loads(told.out)}


def test_what_only_a_registry_could_make_that_nothing_builds_from_is_not_reached(run: Synclint, tmp_path: Path) -> None:
    def rows(*options: str) -> dict[int, str]:
        return rows_of(run(".", "--output-format", "json", *options))

    (tmp_path / "models.py").write_text(REGISTRIES)
    program = "import models\n\nmodels.train(dict(type='Neck'), None, None).cuda()\n"
    (tmp_path / "main.py").write_text(program)
    assert rows() == {28: "step"}
    assert rows("--runs", "all") == {22: "unreached", 28: "step"}
    assert rows("--runs", "unreached") == {22: "unreached"}
    for used in ("models.build_head(dict(type='Head'))", "models.HEADS.build({})", "models.Head()"):
        (tmp_path / "main.py").write_text(f"{program}{used}\n")
        assert rows() == {22: "step", 28: "step"}, used


ALONE = """\
import torch


def helper(x: torch.Tensor) -> float:
    return x.sum().item()


def train(model, loader, optimizer):
    for batch in loader:
        loss = model(batch.cuda(non_blocking=True)).mean()
        optimizer.step()
        print(loss.item())
"""


def test_what_a_folder_offers_is_shown_as_its_file_is(run: Synclint, tmp_path: Path) -> None:
    """Nothing calls ``train`` and ``helper`` there: who does is elsewhere."""
    (tmp_path / "train.py").write_text(ALONE)
    options = ("--output-format", "json", "--runs", "all", "--min-confidence", "low")
    assert json.loads(run("train.py", *options).out) == json.loads(run(".", *options).out)
    assert rows_of(run(".", "--output-format", "json")) == {5: "step", 12: "step"}


def test_what_a_program_never_runs_is_counted_apart_and_as_sure_as_it_is(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f"{ALONE}\n\nif __name__ == '__main__':\n    train(None, None, None)\n")
    assert rows_of(run(".", "--output-format", "json")) == {12: "step"}
    told = run(".")
    assert "1 in code that nothing here runs not shown (--runs all)" in told.out + told.err
    (helper,) = json.loads(run(".", "--runs", "unreached", "--output-format", "json").out)
    assert (helper["location"]["row"], helper["confidence"]) == (5, "high")
    assert helper["context"]["reason"] == "nothing that runs here leads to `helper`"


OPTIONS = """\
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--no-prefetch", action="store_true", help="")
parser.add_argument("--resume", default="")
parser.add_argument("--narrow", default=False, type=as_truth)
parser.add_argument("--gpu", default=True, type=as_truth)
args = parser.parse_args()
args.prefetch = not args.no_prefetch


def train(model, optimizer, loader, scale=False):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if not args.prefetch:
            print("a", loss.item())
        if scale:
            print("b", loss.item())
        if args.prefetch:
            print("c", loss.item())
        if args.resume:
            print("d", loss.item())
        if args.narrow:
            print("e", loss.item())
        if args.gpu:
            print("f", loss.item())


train(torch.nn.Linear(2, 2), torch.optim.SGD([], 0.1), [], scale=bool(args.resume))
"""


def test_what_only_an_option_opens_says_which_and_comes_after_what_runs_by_default(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(OPTIONS)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options == {
        20: "`no_prefetch` is set", 22: "`scale` is set", 24: "", 26: "", 28: "`narrow` is set", 30: ""
    }  # fmt: skip


def test_what_a_parser_is_told_later_decides_what_an_option_is_by_default(run: Synclint, tmp_path: Path) -> None:
    told = OPTIONS.replace("args = parser.parse_args()", "parser.set_defaults(narrow=True); args = parser.parse_args()")
    assert told != OPTIONS
    (tmp_path / "train.py").write_text(told)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options[28] == "" and options[20] == "`no_prefetch` is set"


KEPT_OPTIONS = """\
import torch


def sigmoid_loss(x):
    return x.sum().item()


def plain_loss(x):
    return x.max().item()


class Loss(torch.nn.Module):
    def __init__(self, use_sigmoid=False, checks=False, weighted=True):
        super().__init__()
        self.checks = checks
        self.weighted = weighted
        if use_sigmoid:
            self.criterion = sigmoid_loss
        else:
            self.criterion = plain_loss

    def forward(self, x: torch.Tensor):
        if self.checks:
            print(x.mean().item())
        if self.weighted:
            print(x.min().item())
        return self.criterion(x)
"""


def test_what_only_an_option_of_a_constructor_opens_or_chooses_says_which(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(KEPT_OPTIONS)
    rows = json.loads(run("loss.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options == {5: "`use_sigmoid` is set", 9: "", 24: "`checks` is set", 26: ""}


CONFIGURED = """\
from dataclasses import dataclass, field
from typing import Optional

import torch


@dataclass
class Checks:
    skipped: bool = True
    strict: bool = field(default=False)
    found: bool = False


@dataclass
class Config:
    checks: Optional[Checks] = None
    strict: bool = False


class Trainer:
    def __init__(self, config: Config):
        self.config = config

    def step(self, loss: torch.Tensor):
        if self.config.checks.strict:
            print(loss.item())
        if self.config.strict:
            print(loss.item())
        self.config.checks.found = True


def check(loss: torch.Tensor, config: "Config"):
    if not config.checks.skipped:
        print(loss.item())
    if config.checks.skipped:
        print(loss.item())
    if config.checks.found:
        print(loss.item())
"""


def test_what_a_field_of_a_configuration_opens_says_which(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CONFIGURED)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options == {26: "`strict` is set", 28: "`strict` is set", 34: "`skipped=False` is set", 36: "", 38: ""}


MADE_FOR_AN_OPTION = """\
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--average", action="store_true")
args = parser.parse_args()


class Average:
    def __init__(self, model):
        self.model = model

    def update(self, loss):
        print(loss.item())


class Meter:
    def __init__(self, name):
        self.name = name

    def update(self, loss):
        print(loss.item())


def train(model, optimizer, loader):
    average = None
    if args.average:
        average = Average(model)
        meter = Meter("averaged")
    else:
        meter = Meter("plain")
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        meter.update(loss)
        if average is not None:
            average.update(loss)
"""


def test_what_objects_do_that_only_an_option_makes_says_which(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(MADE_FOR_AN_OPTION)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options == {15: "`average` is set", 23: ""}


CALLED_BY_WHAT_AN_OPTION_MAKES = """\
import torch

_is_hip = torch.version.hip is not None


class Pool:
    def find(self, x: torch.Tensor):
        return x.max().item()

    def ask(self, x: torch.Tensor):
        return x.min().item()

    def both(self, x: torch.Tensor):
        return x.sum().item()


class Backend:
    def __init__(self, pool: Pool):
        self.pool = pool

    def prepare(self, x):
        raise NotImplementedError


class Amd(Backend):
    def __init__(self, pool: Pool):
        super().__init__(pool)

    def prepare(self, x):
        return self.pool.find(x) + self.pool.both(x)


class Nvidia(Backend):
    def __init__(self, pool: Pool):
        super().__init__(pool)

    def prepare(self, x):
        return self.pool.ask(x) + self.pool.both(x)


def made(pool):
    if _is_hip:
        return Amd(pool)
    return Nvidia(pool)


def main(model):
    backend = made(Pool())
    while True:
        with torch.inference_mode():
            backend.prepare(model(torch.zeros(3, device="cuda")))


if __name__ == "__main__":
    main(torch.nn.Linear(3, 3).cuda())
"""


def test_what_objects_call_that_only_an_option_makes_says_which(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(CALLED_BY_WHAT_AN_OPTION_MAKES)
    rows = json.loads(run("serve.py", "--output-format", "json").out)
    options = {row["location"]["row"]: row["context"]["reason"].partition(", only where ")[2] for row in rows}
    assert options == {8: "`is_hip` is set", 11: "", 14: ""}


LAYERS = """\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.nonzero()


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = Attention(width)


class Encoder(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(width) for _ in range(depth)])
        self.head = Head(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(x))


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.nonzero()
"""


def test_a_forward_is_called_for_each_of_the_layers_that_a_model_makes_in_a_loop(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(LAYERS)
    rows = json.loads(run("model.py", "--output-format", "json").out)
    times = {row["location"]["row"]: [(loop["each"], loop["row"]) for loop in row["context"]["times"]] for row in rows}
    assert times == {11: [("layer", 23)], 36: []}


STEPS = """\
import torch


class Model:
    def train_step(self, batch: torch.Tensor) -> None:
        batch.nonzero()
        helper(batch)

    def step(self, batch: torch.Tensor) -> None:
        batch.nonzero()


def helper(batch: torch.Tensor) -> None:
    batch.nonzero()
"""


def test_a_step_is_known_to_train_by_its_name(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(STEPS)
    rows = json.loads(run("model.py", "--output-format", "json").out)
    assert {row["location"]["row"]: row["context"]["work"] for row in rows} == {6: "training", 10: None, 14: "training"}


HANDED_ON = """\
import torch


class Mixing(torch.nn.Module):
    def __init__(self, is_near: bool = False) -> None:
        super().__init__()
        self.is_near = is_near

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.is_near:
            x = x + torch.ones(x.shape[0]).to(x.device)
        return x * 2


class Reading(torch.nn.Module):
    def __init__(self, is_near: bool = False) -> None:
        super().__init__()
        self.is_near = is_near
        self.mixing = Mixing(is_near=is_near)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mixing(x)


def main(optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    mixing, reading = MADE
    for step in range(1000):
        (mixing(x) + reading(x)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    weights = torch.ones(3, device="cuda", requires_grad=True)
    main(torch.optim.SGD([weights]), weights)
"""


@pytest.mark.parametrize(
    ("made", "phase"),
    [
        ("Mixing(), torch.nn.ReLU()", "unreached"),
        ("Mixing(), Reading()", "unreached"),
        ("Mixing(), Reading(False)", "unreached"),
        ("Mixing(), Reading(is_near=True)", "step"),
        ("Mixing(), Reading(x.ndim > 1)", "step"),
        ("Mixing(is_near=x.ndim > 1), Reading()", "step"),
    ],
)
def test_an_option_is_followed_through_the_calls_that_hand_it_on(
    run: Synclint, tmp_path: Path, made: str, phase: str
) -> None:
    (tmp_path / "train.py").write_text(HANDED_ON.replace("MADE", made))
    assert rows_of(run(".", "--output-format", "json", "--runs", "all")) == {11: phase}


GATHERING = """import torch


def size_of(x: torch.Tensor) -> int:
    return x.max().item()


def gather(x: torch.Tensor) -> int:
    return size_of(x)


def gather_all(x: torch.Tensor) -> int:
    return size_of(x)
"""
EVALUATING = """import torch

from tools.gathering import gather


def train(model, loader, val_loader, optimizer) -> None:
    for epoch in range(10):
        for batch in loader:
            model(batch.cuda(non_blocking=True)).sum().backward()
            optimizer.step()
        for batch in val_loader:
            CALL


train(torch.nn.ReLU(), [], [], None)
"""


@pytest.mark.parametrize(("call", "phase"), [("gather(model(batch))", "eval"), ("pass", "step")])
def test_where_a_program_runs_something_says_more_than_that_others_may_call_it(
    run: Synclint, tmp_path: Path, call: str, phase: str
) -> None:
    package = tmp_path / "tools"
    package.mkdir()
    (package / "__init__.py").write_text("from tools.gathering import gather, gather_all\n")
    (package / "gathering.py").write_text(GATHERING)
    (tmp_path / "setup.py").write_text("from setuptools import setup\n\nsetup(name='tools')\n")
    (tmp_path / "train.py").write_text(EVALUATING.replace("CALL", call))
    told = rows_of(run(".", "--output-format", "json", "--runs", "all"))
    assert told[5] == phase


SAMPLER = """\
import torch


class Sampler:
    @torch.no_grad()
    def sample(self, shape: tuple, count: int) -> torch.Tensor:
        image = torch.randn(shape, device="cuda")
        scales = torch.rand(50, device="cuda")
        for t in reversed(range(count)):
            image = self.clean(image, scales, t)
            image = self.clean(image, scales.tolist(), t)
        return image

    def clean(self, image, scales, t: int):
        return image - torch.full((4, 4), scales[t], device="cuda")
"""
PREVIEWS = """\
import torch
from sampler import Sampler


def learn(net, batches, solver) -> None:
    for n, batch in enumerate(batches):
        loss = net(batch).mean()
        loss.backward()
        solver.step()
        if n % 1000 == 0:
            Sampler().sample((4, 4), 50)


def feed():
    return [torch.rand(4, 4, device="cuda")] * 100


learn(torch.nn.Linear(4, 2).cuda(), feed(), torch.optim.SGD([], lr=0.1))
"""
SAMPLES = """\
from sampler import Sampler

for text in open("texts"):
    for _ in range(1000):
        Sampler().sample((4, 4), 50)
"""


def test_samples_that_one_program_makes_count_more_than_previews_of_another(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "sampler.py").write_text(SAMPLER)
    (tmp_path / "learn.py").write_text(PREVIEWS)
    assert found(run) == []
    (tmp_path / "draw.py").write_text(SAMPLES)
    assert found(run) == [("SYN209", "step", "warning")]


UNRUN = """\
import torch


def distance(mean: torch.Tensor, other: torch.Tensor | float) -> torch.Tensor:
    if not isinstance(other, torch.Tensor):
        other = torch.tensor(other).to(mean)
    return ((mean - other) ** 2).sum()


def start(mean: torch.Tensor, known: torch.Tensor | float = 1.0) -> torch.Tensor:
    if not isinstance(known, torch.Tensor):
        known = torch.tensor(known).to(mean)
    return mean * known


class Sampler:
    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model

    def loss(self, x: torch.Tensor) -> torch.Tensor:
        return distance(self.model(x), x) + start(x).sum()

    def measured(self, x: torch.Tensor) -> torch.Tensor:
        return distance(x, 0.5) + start(x, x).sum()


def main() -> None:
    model = torch.nn.Linear(3, 3).cuda()
    optimizer = torch.optim.SGD(model.parameters())
    sampler = Sampler(model)
    for x in torch.rand(100, 3, device="cuda"):
        sampler.loss(x).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""


def test_what_waits_under_calls_alone_that_nothing_runs_is_as_good_as_unreached(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(UNRUN)
    rows = json.loads(run(".", "--output-format", "json", "--runs", "all").out)
    assert [(row["location"]["row"], row["context"]["runs"]) for row in rows] == [(6, "unreached"), (12, "step")]
    (tmp_path / "train.py").write_text(UNRUN.replace("sampler.loss(x).backward()", "sampler.measured(x).backward()"))
    rows = json.loads(run(".", "--output-format", "json", "--runs", "all").out)
    assert [(row["location"]["row"], row["context"]["runs"]) for row in rows] == [(6, "step"), (12, "unreached")]


SEARCHED = """\
import argparse


def train(rate, model, optimizer, loader):
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--search", action="store_true")
    args = parser.parse_args()
    if not args.search:
        train(0.1, *given())
    else:
        for rate in range(300):
            train(rate, *given())
"""


def test_what_an_option_repeats_is_a_step_without_it(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SEARCHED)
    [row] = json.loads(run(".", "--output-format", "json").out)
    assert (row["context"]["runs"], row["context"]["reason"].partition(", only where ")[2]) == ("step", "")
    assert row["context"]["path"][0]["row"] == 17
