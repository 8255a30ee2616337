"""Contracts: functions that are declared sync-free, what breaks them, what leaves them unproved, and regions."""

from __future__ import annotations

import html
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import Synclint

import synclint
from synclint.report.formats import FORMATS

HEAD = "import torch\nimport synclint\n\n\n"


def listed(run: Synclint, *arguments: str) -> list[dict[str, Any]]:
    """What `synclint contracts` says of the current directory."""
    told: list[dict[str, Any]] = json.loads(run("contracts", "--format", "json", *arguments).out)
    return told


def status(run: Synclint, body: str) -> str:
    """What is known of the only contract in a module."""
    Path("a.py").write_text(HEAD + body, encoding="utf-8")
    (contract,) = listed(run)
    return str(contract["status"])


def found(run: Synclint, *arguments: str) -> list[tuple[str, str, int]]:
    """The codes, files and lines of what `synclint check` finds here."""
    told = json.loads(run("check", "--no-cache", "--output-format", "json", *arguments).out)
    return [(one["code"], Path(one["filename"]).name, one["location"]["row"]) for one in told]


def test_a_function_holds_whose_calls_are_followed_or_known(run: Synclint) -> None:
    body = (
        "@synclint.sync_free\n"
        "def step(x: torch.Tensor) -> torch.Tensor:\n"
        "    parts = [scaled(x, number) for number in range(len(x.shape))]\n"
        "    return torch.stack(parts)\n\n\n"
        "def scaled(x: torch.Tensor, number: int) -> torch.Tensor:\n"
        "    return torch.relu(x) * number\n"
    )
    assert status(run, body) == "holds"


@pytest.mark.parametrize(
    "body",
    [
        "from synclint import sync_free as quiet\n@quiet\ndef step(x: torch.Tensor):\n    return x + 1\n",
        "from synclint import sync_free as quiet\n"
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return part(x)\n\n"
        "@quiet\ndef part(x: torch.Tensor):\n    return x + 1\n",
    ],
)
def test_the_decorator_hides_nothing_whatever_it_is_called(run: Synclint, body: str) -> None:
    Path("a.py").write_text(HEAD + body, encoding="utf-8")
    assert {contract["status"] for contract in listed(run)} == {"holds"}


@pytest.mark.parametrize(("comment", "expected"), [("SYN004", "holds"), ("SYN204", "broken")])
def test_a_break_that_a_comment_accepts_is_not_listed(run: Synclint, comment: str, expected: str) -> None:
    body = f"@synclint.sync_free\ndef step(x: torch.Tensor):\n    return x.cpu()  # synclint: ignore[{comment}]\n"
    assert status(run, body) == expected


@pytest.mark.parametrize(
    "body",
    [
        # itself
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return x.sum().item()\n",
        # a function that it calls, which calls itself
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return down(x, 3)\n\n"
        "def down(x, depth):\n    if depth == 0:\n        return x.sum().item()\n    return down(x, depth - 1)\n",
        # a lambda
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n    read = lambda y: y.sum().item()\n    return read(x)\n",
        # a property
        "class Runner:\n    def __init__(self):\n        self.x = torch.ones(8, device='cuda')\n"
        "    @property\n    def total(self):\n        return self.x.sum().item()\n"
        "    @synclint.sync_free\n    def step(self):\n        return self.total\n",
        # a coroutine
        "@synclint.sync_free\nasync def step(x: torch.Tensor):\n    return await total(x)\n\n"
        "async def total(x):\n    return x.sum().item()\n",
        # a subclass that overrides what is called
        "class Base:\n    @synclint.sync_free\n    def step(self, x: torch.Tensor):\n        return self.part(x)\n"
        "    def part(self, x):\n        return x + 1\n\n"
        "class Reading(Base):\n    def part(self, x: torch.Tensor):\n        return x.sum().item()\n",
        # only in a rare phase, and only where something fails
        "class Runner:\n    total = None\n    @synclint.sync_free\n    def step(self, x: torch.Tensor):\n"
        "        if self.total is None:\n            self.total = x.sum().item()\n        return x\n",
        # what is below a decorator that passes calls on
        "@torch.no_grad()\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return x.nonzero()\n",
        # under another name of the decorator
        "from synclint import sync_free as quiet\n@quiet\ndef step(x: torch.Tensor):\n    return x.nonzero()\n",
    ],
)
def test_a_wait_that_is_reached_breaks_a_contract(run: Synclint, body: str) -> None:
    assert status(run, body) == "broken"


@pytest.mark.parametrize(
    "body",
    [
        # the tensor is on the CPU in the only call that there is
        "@synclint.sync_free\ndef step():\n    return total(torch.ones(8))\n\n"
        "def total(x):\n    return x.sum().item()\n",
        # another function waits for what it is given, and not for what is given here
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return kept(3)\n\n"
        "def other(x: torch.Tensor):\n    return kept(x)\n\ndef kept(x):\n    return float(x)\n",
        # it is defined here, and never called
        "@synclint.sync_free\ndef step(x: torch.Tensor):\n"
        "    def later():\n        return x.sum().item()\n    return x\n",
        # the class that overrides is another one's
        "class Base:\n    @synclint.sync_free\n    def step(self, x: torch.Tensor):\n        return self.part(x)\n"
        "    def part(self, x):\n        return x + 1\n\n"
        "class Other:\n    def part(self, x: torch.Tensor):\n        return x.sum().item()\n",
    ],
)
def test_a_wait_that_is_not_reached_breaks_nothing(run: Synclint, body: str) -> None:
    assert status(run, body) == "holds"


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        (
            "import elsewhere\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return elsewhere.run(x)\n",
            ["elsewhere.run"],
        ),
        ("@synclint.sync_free\ndef step(x: torch.Tensor, hook):\n    return hook(x)\n", ["hook"]),
        ("@synclint.sync_free\ndef step(x: torch.Tensor, sink):\n    sink.write(x)\n", ["sink.write"]),
        ("@synclint.sync_free\ndef step(x: torch.Tensor):\n    exec('x.item()')\n    return x\n", ["exec"]),
        (
            "@synclint.sync_free\ndef step(x: torch.Tensor, name):\n    return getattr(x, name)()\n",
            ["getattr(x, name)"],
        ),
        ("@synclint.sync_free\ndef step(thing):\n    return float(thing)\n", ["float"]),
        (
            "import elsewhere\n@elsewhere.wrapped\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return x\n",
            ["@elsewhere.wrapped"],
        ),
        (
            "import elsewhere\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return inner(x)\n\n"
            "@elsewhere.wrapped\ndef inner(x):\n    return x\n",
            ["@elsewhere.wrapped"],
        ),
        (
            "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return torch.ops.ours.kernel(x)\n",
            ["torch.ops.ours.kernel"],
        ),
    ],
)
def test_a_call_that_cannot_be_followed_keeps_a_contract_unknown(run: Synclint, body: str, calls: list[str]) -> None:
    Path("a.py").write_text(HEAD + body, encoding="utf-8")
    (contract,) = listed(run)
    assert contract["status"] == "unknown"
    assert [one["call"] for one in contract["unknown_because_of"]] == calls


def test_a_file_that_is_not_analysed_to_its_end_keeps_a_contract_unknown(run: Synclint) -> None:
    deep = "x = " + "(" * 150 + "1" + ")" * 150
    Path("b.py").write_text(f"import torch\ndef part(x):\n    return x\n{deep}\n" + "if 1:\n" * 1, encoding="utf-8")
    Path("a.py").write_text(
        HEAD + "from b import part\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return part(x)\n",
        encoding="utf-8",
    )
    (contract,) = listed(run)
    assert contract["status"] == "unknown"


NAMED = (
    "import torch\nclass Runner:\n    def step(self, x: torch.Tensor):\n        return read(x)\n\n"
    "def read(x):\n    return x.sum().item()\n"
)


def configured(name: str) -> None:
    """A package in `src`, and a configuration that declares one of its functions."""
    package = Path("src/package")
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "run.py").write_text(NAMED, encoding="utf-8")
    Path("synclint.toml").write_text(f'sync-free = ["{name}"]\n', encoding="utf-8")


def test_the_configuration_names_a_function(run: Synclint) -> None:
    configured("package.run:Runner.step")
    (contract,) = listed(run)
    assert (contract["function"], contract["row"], contract["declared_by"]) == ("Runner.step", 3, "configuration")
    (wait,) = contract["broken_by"]
    assert (wait["code"], wait["operand"], wait["row"]) == ("SYN201", "x.sum()", 7)
    assert [(call["function"], call["row"]) for call in wait["path"]] == [("step", 4)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("package.run:Runner.stop", "has no function 'Runner.stop'; did you mean 'Runner.step'?"),
        ("package.run:step", "has no function 'step'; did you mean 'Runner.step'?"),
        ("package.ran:Runner.step", "there is no module 'package.ran'; did you mean 'package.run'?"),
        ("package.run", "expected 'package.module:Class.method'"),
    ],
)
def test_a_name_that_means_nothing_is_an_error_that_says_what_is_near(run: Synclint, name: str, said: str) -> None:
    configured(name)
    for command in ("check", "contracts"):
        ended = run(command, "src")
        assert ended.status == 2
        assert said in ended.err and ended.err.count("\n") == 1


def test_a_region_that_is_named_as_functions_are_is_an_error(run: Synclint) -> None:
    Path("synclint.toml").write_text('allowed-regions = ["package.regions:may_wait"]\n', encoding="utf-8")
    ended = run("check", ".")
    assert ended.status == 2
    assert "write 'package.regions.may_wait'" in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("package.regions.may_weit", "'package.regions' does not define 'may_weit'; did you mean 'may_wait'?"),
        ("package.region.may_wait", "'package' does not define 'region.may_wait'; did you mean 'regions'?"),
        ("packages.regions.may_wait", "there is no module 'packages'; did you mean 'package'?"),
        ("package.may_wait", "did you mean 'package.regions.may_wait', which it imports?"),
        ("package.regions", "'package.regions' is a module: name what it defines"),
    ],
)
def test_a_region_that_the_project_does_not_define_is_an_error_that_says_what_is_near(
    run: Synclint, name: str, said: str
) -> None:
    package_with_regions()
    Path("synclint.toml").write_text(f"allowed-regions = [{name!r}]\n", encoding="utf-8")
    for command in ("check", "contracts"):
        ended = run(command, "src")
        assert ended.status == 2
        assert said in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "name",
    ["package.regions.may_wait", "package.regions.Held.open", "package.regions.*", "library.allowed", "other.regions"],
)
def test_a_region_of_the_project_or_of_a_library_is_none(run: Synclint, name: str) -> None:
    package_with_regions()
    Path("synclint.toml").write_text(f"allowed-regions = [{name!r}]\n", encoding="utf-8")
    assert run("check", "src").status == 0


def package_with_regions() -> None:
    package = Path("src", "package")
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .regions import may_wait\n", encoding="utf-8")
    (package / "regions.py").write_text(
        "import contextlib\n\n\n@contextlib.contextmanager\ndef may_wait():\n    yield\n\n\n"
        "class Held:\n    def open(self):\n        return may_wait()\n",
        encoding="utf-8",
    )


def test_such_a_name_is_an_error_from_python_as_well(run: Synclint) -> None:
    configured("package.run:Runner.stop")
    with pytest.raises(synclint.SettingsError, match="did you mean 'Runner\\.step'"):
        synclint.check_paths(["src"])


def test_a_comment_declares_the_function_on_its_line_or_below(run: Synclint) -> None:
    Path("a.py").write_text(
        "import torch\n\n\n# synclint: sync-free\n@torch.no_grad()\ndef first(x: torch.Tensor):\n    return x\n\n\n"
        "def second(x: torch.Tensor):  # synclint: sync-free\n    return x\n\n\ndef third(x):\n    return x\n",
        encoding="utf-8",
    )
    assert [(one["function"], one["declared_by"]) for one in listed(run)] == [
        ("first", "comment"),
        ("second", "comment"),
    ]


def test_a_comment_that_is_on_no_function_is_reported(run: Synclint) -> None:
    Path("a.py").write_text("import torch\nfor x in range(3):  # synclint: sync-free\n    pass\n", encoding="utf-8")
    assert found(run) == [("SYN001", "a.py", 2)]


RARE = (
    HEAD + "def main():\n    x = torch.ones(8, device='cuda')\n    prepare(x)\n\n\n"
    "@synclint.sync_free\ndef prepare(x):\n    return x.sum().item()\n\n\nmain()\n"
)


def test_check_reports_what_breaks_a_contract_whatever_its_phase(run: Synclint) -> None:
    Path("a.py").write_text(RARE, encoding="utf-8")
    assert found(run) == [("SYN004", "a.py", 12)]
    (told,) = json.loads(run("check", "--no-cache", "--output-format", "json").out)
    assert (told["severity"], told["context"]["runs"]) == ("error", "once")
    assert told["message"].startswith("breaks the contract of `prepare` (a.py:11): SYN201 ")
    assert run("contracts").status == 1


@pytest.mark.parametrize("arguments", [(), ("--ignore", "broken-contract")])
def test_a_broken_contract_fails_the_run_unless_it_is_ignored(run: Synclint, arguments: tuple[str, ...]) -> None:
    Path("a.py").write_text(RARE, encoding="utf-8")
    assert run("check", *arguments).status == (0 if arguments else 1)


def test_a_wait_that_breaks_several_contracts_is_reported_once_for_the_nearest(run: Synclint) -> None:
    Path("a.py").write_text(
        HEAD + "@synclint.sync_free\ndef step(x: torch.Tensor):\n    return part(x)\n\n\n"
        "@synclint.sync_free\ndef part(x):\n    return x.sum().item()\n",
        encoding="utf-8",
    )
    told = [one for one in json.loads(run("check", "--output-format", "json").out) if one["code"] == "SYN004"]
    assert [one["message"].partition(":")[0] for one in told] == ["breaks the contract of `part` (a.py"]
    assert "(a.py:11) and of 1 other: SYN201 " in told[0]["message"]
    assert [one["status"] for one in listed(run)] == ["broken", "broken"]


def test_a_comment_accepts_one_break_and_is_not_useless(run: Synclint) -> None:
    Path("a.py").write_text(
        RARE.replace("x.sum().item()", "x.sum().item()  # synclint: ignore[SYN004] read once"), encoding="utf-8"
    )
    assert found(run) == []


def test_the_calls_that_lead_to_a_break_are_named(run: Synclint) -> None:
    Path("b.py").write_text("import torch\ndef read(x):\n    return x.sum().item()\n", encoding="utf-8")
    Path("a.py").write_text(
        HEAD + "from b import read\n@synclint.sync_free\ndef step(x: torch.Tensor):\n    return part(x)\n\n\n"
        "def part(x):\n    return read(x)\n",
        encoding="utf-8",
    )
    told = [one for one in json.loads(run("check", "--output-format", "json").out) if one["code"] == "SYN004"]
    assert [(call["function"], call["row"]) for call in told[0]["context"]["path"]] == [("step", 8), ("part", 12)]
    assert "by way of `step`, a.py:8 → `part`, a.py:12: SYN201" in told[0]["message"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_the_calls_that_lead_to_a_break(run: Synclint, name: str) -> None:
    names = ["step", "first", "second", "third", "fourth"]
    calls = [f"def {name}(x):\n    return {callee}(x)\n\n\n" for name, callee in pairwise(names)]
    Path("a.py").write_text(
        f"{HEAD}@synclint.sync_free\n{''.join(calls)}def fourth(x: torch.Tensor):\n    return x.sum().item()\n",
        encoding="utf-8",
    )
    told = run("check", "--no-cache", "--output-format", name, "--select", "SYN004").out
    told = html.unescape(told).replace("\\u2192", "→").replace("<code>", "`").replace("</code>", "`")
    assert "by way of `step`, a.py:7 → `first`, a.py:11 → `second`, a.py:15 → `third`, a.py:19: SYN201" in told
    assert "reached from `step`" not in told


REGION = HEAD + (
    "def step(x: torch.Tensor):\n"
    "    with synclint.sync_allowed('the answer goes out'):\n        return read(x).tolist()\n"
    "\n\ndef read(x):\n    print(x.sum().item())\n    return x\n"
)


def test_what_waits_in_a_region_and_below_is_accepted(run: Synclint) -> None:
    Path("a.py").write_text(REGION, encoding="utf-8")
    assert found(run) == []
    assert "2 accepted in regions not shown (--accepted)" in run("check").out
    assert found(run, "--accepted") == [("SYN202", "a.py", 7), ("SYN201", "a.py", 11)]
    told = json.loads(run("check", "--accepted", "--output-format", "json").out)
    assert all(one["message"].startswith('accepted at a.py:6 ("the answer goes out"): ') for one in told)


def test_what_is_also_called_from_outside_of_a_region_is_not_accepted(run: Synclint) -> None:
    Path("a.py").write_text(REGION + "\n\ndef other(x: torch.Tensor):\n    return read(x)\n", encoding="utf-8")
    assert found(run) == [("SYN201", "a.py", 11)]


def test_a_region_keeps_a_contract(run: Synclint) -> None:
    Path("a.py").write_text(REGION.replace("def step", "@synclint.sync_free\ndef step"), encoding="utf-8")
    assert [one["status"] for one in listed(run)] == ["holds"]


def test_a_region_has_the_projects_own_name(run: Synclint) -> None:
    Path("debug.py").write_text(
        "from contextlib import contextmanager\n@contextmanager\ndef gpu_sync_allowed():\n    yield\n", encoding="utf-8"
    )
    text = REGION.replace("synclint.sync_allowed('the answer goes out')", "gpu_sync_allowed()")
    Path("a.py").write_text(f"from debug import gpu_sync_allowed\n{text}", encoding="utf-8")
    assert len(found(run)) == 2
    assert found(run, "--allowed-regions", "debug.gpu_sync_allowed") == []
    either = text.replace("gpu_sync_allowed()", "(open('log') if x.is_cpu else gpu_sync_allowed())")
    Path("a.py").write_text(f"from debug import gpu_sync_allowed\n{either}", encoding="utf-8")
    assert found(run, "--allowed-regions", "debug.gpu_sync_allowed") == []
    assert len(found(run, "--allowed-regions", "library.others")) == 2


def test_a_region_without_any_wait_is_useless(run: Synclint) -> None:
    Path("a.py").write_text(
        HEAD + "def step(x: torch.Tensor):\n    with synclint.sync_allowed('why'):\n        return torch.relu(x)\n",
        encoding="utf-8",
    )
    assert found(run) == [("SYN005", "a.py", 6)]


@pytest.mark.parametrize("inside", ["hook(x)", "x.nonzero()", "part(x)", "x[hook]", "x.to(hook)"])
def test_a_region_in_which_something_may_wait_is_not_useless(run: Synclint, inside: str) -> None:
    Path("a.py").write_text(
        f"{HEAD}def step(x: torch.Tensor, hook):\n    with synclint.sync_allowed('why'):\n        return {inside}\n\n\n"
        "def part(x):\n    return x.sum().item()\n",
        encoding="utf-8",
    )
    assert "SYN005" not in run("check").out


def test_a_comment_that_comes_later_is_seen_in_spite_of_what_is_remembered(run: Synclint) -> None:
    source = RARE.replace("@synclint.sync_free\n", "")
    Path("a.py").write_text(source, encoding="utf-8")
    assert json.loads(run("check", "--output-format", "json", ".").out) == []
    Path("a.py").write_text(
        source.replace("def prepare(x):", "def prepare(x):  # synclint: sync-free"), encoding="utf-8"
    )
    again = json.loads(run("check", "--output-format", "json", ".").out)
    assert [one["code"] for one in again] == ["SYN004"]
    Path("a.py").write_text(source, encoding="utf-8")
    assert json.loads(run("check", "--output-format", "json", ".").out) == []


def test_what_is_checked_is_the_same_with_and_without_contracts(run: Synclint) -> None:
    """That somebody asks what can be followed changes nothing that is found."""
    source = (
        "import torch\n\n\ndef step(x: torch.Tensor, hook):\n    hook(x)\n"
        "    if x.sum() > 0:\n        return x.nonzero()\n"
        "    return x.tolist()\n"
    )
    Path("a.py").write_text(source, encoding="utf-8")
    before = found(run)
    Path("b.py").write_text(HEAD + "@synclint.sync_free\ndef f():\n    return 1\n", encoding="utf-8")
    assert found(run) == before != []


def test_to_declare_costs_nothing_and_needs_no_torch() -> None:
    program = (
        "import sys, synclint\n"
        "def f(): return 1\n"
        "assert synclint.sync_free(f) is f\n"
        "with synclint.sync_allowed('why'): pass\n"
        "assert 'torch' not in sys.modules and 'synclint.analysis' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_strict_fails_for_what_is_not_proved(run: Synclint) -> None:
    Path("a.py").write_text(
        HEAD + "@synclint.sync_free\ndef step(x: torch.Tensor, hook):\n    return hook(x)\n", encoding="utf-8"
    )
    assert (run("contracts").status, run("contracts", "--strict").status) == (0, 1)
    assert "unknown because of 1 place" in run("contracts").out


def test_there_may_be_no_contracts(run: Synclint) -> None:
    Path("a.py").write_text("import torch\n", encoding="utf-8")
    ended = run("contracts")
    assert (ended.status, ended.out) == (0, "No function is declared sync-free here.\n")


_BACKENDS = """
from abc import ABC, abstractmethod


class Backend(ABC):
    @abstractmethod
    def build(self, x: torch.Tensor) -> torch.Tensor: ...


class Quick(Backend):
    def build(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


class Slow(Backend):
    def build(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            ask(x)
        return x.nonzero()


class Runner:
    def __init__(self, backend: Backend):
        self.backend = backend

    @synclint.sync_free
    def step(self, x: torch.Tensor):
        y = self.backend.build(x)
        ask(y)
        return self.finish(ask(y))

    def finish(self, y: torch.Tensor):
        return self.last(y)

    def last(self, y: torch.Tensor):
        return y.sum().tolist()
"""


def test_breaks_behind_a_call_that_may_mean_several_functions_stand_together(run: Synclint) -> None:
    Path("a.py").write_text(HEAD + "from ours import ask\n" + _BACKENDS, encoding="utf-8")
    (contract,) = listed(run)
    choices = [one["only_if"] and (one["only_if"]["means"], one["only_if"]["row"]) for one in contract["broken_by"]]
    assert [one["row"] for one in contract["broken_by"]] == [41, 22, 24]
    assert choices == [None, ("build", 33), ("build", 33)]
    _, *lines, _ = run("contracts").out.splitlines()
    assert [line.split()[0] for line in lines] == ["a.py:41:16", "a.py:33", "a.py:34"]
    assert "`build` may be one of several functions: 2 waits in 1 file, the first a.py:22:12" in lines[1]


def test_what_cannot_be_followed_for_one_reason_is_listed_once_in_text(run: Synclint) -> None:
    Path("a.py").write_text(HEAD + "from ours import ask\n" + _BACKENDS, encoding="utf-8")
    (contract,) = listed(run)
    assert [one["row"] for one in contract["unknown_because_of"]] == [34, 35, 23]
    assert "the call of `ours.ask` cannot be followed, and at 2 other places" in run("contracts").out
