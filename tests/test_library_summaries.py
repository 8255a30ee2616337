"""Summaries of libraries: what waits inside a call, under which arguments, and where that is reported."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Synclint

from synclint.catalog import summaries
from synclint.catalog.entries import load_catalog
from synclint.catalog.summaries import SETTING, SUMMARIES, FunctionSummary, Need, summarized, summary_of, written
from synclint.config.options import Options
from synclint.libraries.conditions import handed_on, needs_of
from synclint.libraries.origins import operands, parameters_behind
from synclint.libraries.summarizing import Summarizing
from synclint.rules.loading import load_rules
from synclint.running.share_analysis import project_of


def needed(body: str) -> set[str] | None:
    """What has to be so that the line with `wait()` is reached."""
    source = f"def function(self, x, check=True, mode=None, size=0):\n{body}"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    lines = source.splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "wait()" in text)
    found = needs_of(function, line, lines[line - 1].index("wait()"))
    return None if found is None else set(map(str, found))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    wait()\n", set()),
        ("    x = x + 1\n    return wait()\n", set()),
        ("    with x:\n        for y in x:\n            wait()\n", set()),
        ("    if wait():\n        pass\n", set()),
        ("    if x.bad:\n        raise ValueError\n    wait()\n", set()),
        ("    for y in x:\n        if y:\n            break\n    wait()\n", set()),
        ("    def inner():\n        return 1\n    wait()\n", set()),
        ("    if check:\n        wait()\n", {"check true"}),
        ("    if not check:\n        wait()\n", {"check false"}),
        ("    if not check:\n        pass\n    else:\n        wait()\n", {"check true"}),
        ("    if mode is None:\n        wait()\n", {"mode is None"}),
        ("    if mode is None:\n        mode = wait()\n", {"mode is None"}),
        ("    mode = wait() if mode is None else mode\n", {"mode is None"}),
        ("    if mode is None:\n        return x\n    wait()\n", {"mode is not None"}),
        ("    if check:\n        pass\n    elif mode == 'all':\n        wait()\n", {"check false", "mode == 'all'"}),
        ("    if mode == 'all':\n        return x\n    wait()\n", {"mode != 'all'"}),
        ("    if check and mode is None:\n        wait()\n", {"check true", "mode is None"}),
        ("    if isinstance(x, torch.Tensor):\n        wait()\n", {"x a tensor"}),
        ("    if isinstance(x, Layout):\n        return x\n    wait()\n", {"x a tensor"}),
        ("    if not is_scripting() and isinstance(x, Layout):\n        return\n    wait()\n", {"x a tensor"}),
        ("    if is_torch_sparse_tensor(x) or x.is_sparse:\n        return x\n    wait()\n", set()),
        ("    if torch.compiler.is_compiling():\n        return x\n    wait()\n", set()),
        ("    if x.is_mps or torch.are_deterministic_algorithms_enabled():\n        return x\n    wait()\n", set()),
        ("    if x.numel() >= x.some:\n        return x.new_empty((2, 0))\n    wait()\n", set()),
        (
            "    if x.some:\n        return torch.zeros(0, x.some)\n    elif check:\n        return x\n    wait()\n",
            {"check false"},
        ),
        ("    if x.numel() > 0:\n        wait()\n", set()),
        ("    if len(x) == 0:\n        return x\n    wait()\n", set()),
        ("    a = check and wait()\n", {"check true"}),
        ("    if self.check:\n        wait()\n", {"self.check true"}),
        ("    if self.mode == 'all':\n        return x\n    wait()\n", {"self.mode != 'all'"}),
        ("    a = 1 if check else wait()\n", {"check false"}),
        ("    a = [wait() for y in x]\n", set()),
        ("    for y in x if check else ():\n        wait()\n", {"check true"}),
        ("    for y in [] if check else x:\n        wait()\n", {"check false"}),
        ("    a = wait() and x\n", set()),
        ("    if x.some:\n        wait()\n", None),
        ("    if x.is_sparse:\n        wait()\n", None),
        ("    if x.is_cpu:\n        wait()\n", None),
        ("    if x.some:\n        return torch.zeros(2, 1)\n    wait()\n", None),
        ("    if x.some:\n        return x.select(0, 0)\n    wait()\n", None),
        ("    if isinstance(x, Layout):\n        wait()\n", None),
        ("    if isinstance(x, (Layout, torch.Tensor)):\n        return x\n    wait()\n", None),
        ("    if self.inner.some:\n        wait()\n", None),
        ("    self = x\n    if self.some:\n        wait()\n", None),
        ("    check = x.check\n    if check:\n        wait()\n", None),
        ("    for y in x:\n        if check:\n            wait()\n        check = y\n", None),
        ("    if check:\n        return x\n    if check:\n        wait()\n", None),
        ("    if x.numel() == 0:\n        wait()\n", None),
        ("    if x.done:\n        return\n    wait()\n", None),
        ("    for y in x:\n        if y:\n            return\n    wait()\n", None),
        ("    for y in x if x.some else ():\n        wait()\n", None),
        ("    while x.more:\n        wait()\n", None),
        ("    try:\n        x()\n    except ValueError:\n        wait()\n", None),
        ("    a = x.some and wait()\n", None),
        ("    a = 1 if x.some else wait()\n", None),
        ("    a = [wait() for y in x if y]\n", None),
        ("    a = lambda: wait()\n", None),
        ("    raise ValueError(wait())\n", None),
        ("    def inner():\n        wait()\n    return 1\n", None),
    ],
)
def test_what_parameters_have_to_be_for_a_place_to_be_reached(body: str, expected: set[str] | None) -> None:
    assert needed(body) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("inner(x)", {"check true"}),
        ("inner(x, a)", {"a true"}),
        ("inner(x, check=True)", set()),
        ("inner(x, False)", None),
        ("inner(x, x.some)", {"x.some true"}),
        ("inner(x, a.some)", None),
    ],
)
def test_what_a_called_function_needs_is_handed_on(call: str, expected: set[str] | None) -> None:
    (caller,) = ast.parse(f"def outer(x, a, check):\n    {call}\n").body
    assert isinstance(caller, ast.FunctionDef)
    node = next(one for one in ast.walk(caller) if isinstance(one, ast.Call))
    names = dict(zip(("x", "check"), node.args, strict=False)) | {str(one.arg): one.value for one in node.keywords}
    given = {"check": ast.parse("check", mode="eval").body, **names}
    found = handed_on(frozenset({Need("check", "true")}), given, caller, node)
    assert (None if found is None else set(map(str, found))) == expected


@pytest.mark.parametrize(
    ("wait", "subject", "mechanism", "expected"),
    [
        ("x[y]", "y", "data-dependent-shape", {"y"}),
        ("torch.zeros(size)", "size", "scalar-read", {"count"}),
        ("torch.tensor(count, device=x.device)", "count", "host-to-device-copy", {"x"}),
        ("y.to(x.device)", "y", "host-to-device-copy", {"x"}),
        ("local.item()", "local", "scalar-read", {"x", "y"}),
        ("len(x) + y", "len(x) + y", "scalar-read", {"y"}),
        ("x.some_long_name()", "x.some_long...", "scalar-read", {"x"}),
    ],
)
def test_where_an_operand_comes_from(wait: str, subject: str, mechanism: str, expected: set[str]) -> None:
    body = f"    size = (x.size(0), count)\n    local = x + y\n    wait({wait})\n"
    (function,) = ast.parse(f"def function(x, y, count):\n{body}").body
    assert isinstance(function, ast.FunctionDef) and isinstance(function.body[-1], ast.Expr)
    call = function.body[-1].value
    assert isinstance(call, ast.Call)
    (node,) = call.args
    assert parameters_behind(function, operands(node, subject, mechanism), node) == expected


LIBRARY = """\
import torch


class Average(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.register_buffer("step", torch.zeros(1))
        self.weights = torch.ones(1)

    def update(self):
        return self.step.item()

    def sometimes(self):
        if self.enabled:
            return self.step.item()

    def moved(self, values: torch.Tensor):
        self.weights = self.weights.to(values.device)
        return values * self.weights

    def copied(self, values: torch.Tensor):
        weights = self.weights.to(values.device)
        return values * weights

    def gathered(self):
        return self.weights.to(self.step.device)

    def _private(self):
        return self.step.item()


class Faster(Average):
    pass


def checked(values: torch.Tensor, weights: torch.Tensor, validate: bool = True):
    if validate:
        _check(values)
    return values * weights


def _check(values):
    if values.min() < 0:
        raise ValueError


def reduced(values: torch.Tensor, reduction: str = "sum", size: int | None = None):
    if size is None:
        return values
    if reduction == "all":
        return values.tolist()
    return values.sum()


def quiet(values: torch.Tensor):
    return values * 2


def split(values: torch.Tensor, count: int):
    return values > 0, torch.zeros(count), count + 1


class Checking(torch.nn.Module):
    def __init__(self, size, check=True, mode="all"):
        super().__init__()
        self.check = check
        self.mode = mode
        self.changing = check

    def forward(self, values: torch.Tensor):
        if self.check:
            return values.tolist()
        return values

    def handed_on(self, values: torch.Tensor):
        return checked(values, values, self.check)

    def changed(self, values: torch.Tensor):
        self.changing = False
        if self.changing:
            return values.tolist()


def beside(values: torch.Tensor, other: torch.Tensor):
    return values.to(other.device)


def scaled(values: torch.Tensor, factor: float = 2.0):
    return values * torch.as_tensor(factor, device=values.device)


def fetched(values: torch.Tensor, device="cpu"):
    return values.to(device)


def synchronized(anything=None):
    torch.cuda.synchronize()


def described(values: torch.Tensor, validate=True, listed=True):
    if validate and values.min() < 0:
        raise ValueError
    return values.tolist() if listed else values


def unclear(values, anything):
    return anything(values)
"""


def summary(folder: Path) -> dict[str, Any]:
    """The summary of a library."""
    package = folder / "averages"
    package.mkdir()
    (package / "__init__.py").write_text("from .core import Average as Average\nfrom .inner import *\n")
    (package / "inner.py").write_text("from .core import Faster, checked, quiet, reduced, split\n")
    (package / "core.py").write_text(LIBRARY, encoding="utf-8")
    files = sorted(package.glob("*.py"))
    project = project_of(files, [folder], Options())
    for path in files:
        project.analyse(path, path.read_text(encoding="utf-8"))
    return Summarizing(project, "averages", str(folder)).summary("averages", "1.0")


def test_a_summary_tells_what_waits_and_under_which_arguments(tmp_path: Path) -> None:
    made = summary(tmp_path.resolve())
    waits = {name: [wait["code"] for wait in function["waits"]] for name, function in made["functions"].items()}
    assert waits == {
        "averages.core.Average.copied": ["self.weights.to(values.device)"],
        "averages.core.Average.update": ["self.step.item()"],
        "averages.core.Checking.forward": ["values.tolist()"],
        "averages.core.Checking.handed_on": ["values.min() < 0"],
        "averages.core.Faster.copied": ["self.weights.to(values.device)"],
        "averages.core.Faster.update": ["self.step.item()"],
        "averages.core.checked": ["values.min() < 0"],
        "averages.core.described": ["values.min() < 0", "values.tolist()"],
        "averages.core.fetched": ["values.to(device)"],
        "averages.core.reduced": ["values.tolist()"],
        "averages.core.scaled": ["torch.as_tensor(factor, device=values.device)"],
        "averages.core.synchronized": ["torch.cuda.synchronize()"],
    }
    (wait,) = made["functions"]["averages.core.checked"]["waits"]
    assert (wait["of"], wait["needs"]) == (["values"], ["validate true"])
    assert made["functions"]["averages.core.checked"]["defaults"] == {"validate": "True"}
    assert wait["place"] == f"averages/core.py:{LIBRARY.splitlines().index('    if values.min() < 0:') + 1}"
    (wait,) = made["functions"]["averages.core.reduced"]["waits"]
    assert (wait["of"], wait["needs"]) == (["values"], ["reduction == 'all'", "size is not None"])
    assert made["aliases"]["averages.Average"] == "averages.core.Average"
    assert made["aliases"]["averages.checked"] == "averages.core.checked"


def test_a_summary_tells_what_functions_return(tmp_path: Path) -> None:
    returns = summary(tmp_path.resolve())["returns"]
    assert returns["averages.core.quiet"] == "Tensor"
    assert returns["averages.core.split"] == "tuple[Tensor bool,Tensor cpu float 1,int]"
    assert "averages.core.unclear" not in returns


@pytest.fixture
def known_library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary of that library, as if it were shipped."""
    folder = tmp_path_factory.mktemp("summaries").resolve()
    (folder / "averages.json").write_text(json.dumps(summary(folder)), encoding="utf-8")
    monkeypatch.setattr(summaries, "SUMMARIES", folder)
    summarized.cache_clear()
    summary_of.cache_clear()
    monkeypatch.setattr(summaries, "summarized", lambda: frozenset({"averages"}))


@pytest.fixture(autouse=True)
def no_summary_is_kept() -> Iterator[None]:
    """What a test has put in the place of the shipped summaries is forgotten."""
    yield
    summarized.cache_clear()
    summary_of.cache_clear()


def found(run: Synclint, body: str) -> list[tuple[str, int, str]]:
    """What is found in a training loop that does this in each step."""
    head = (
        "import torch\nimport averages\nfrom averages import Average, Faster, checked\n\n"
        "model = torch.nn.Linear(8, 8).cuda()\nema = Average(model).cuda()\nfaster = Faster(model)\nfaster.to('cuda')\n"
        "here = Average(model)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for step in range(1000):\n    x = torch.ones(8, device='cuda')\n    host = torch.ones(8)\n"
        "    model(x).sum().backward()\n    optimizer.step()\n"
    )
    Path("train.py").write_text(f"{head}    {body}\n", encoding="utf-8")
    told = json.loads(run("check", "--no-cache", "--output-format", "json", "train.py").out)
    assert all(one["location"]["row"] == head.count("\n") + 1 for one in told)
    return [(one["code"], one["location"]["column"], one["message"]) for one in told]


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize("body", ["ema.update()", "faster.update()"])
def test_a_wait_inside_a_call_is_reported_at_the_line_that_calls(run: Synclint, body: str) -> None:
    ((code, column, message),) = found(run, body)
    assert (code, column) == ("SYN512", 5)
    place = "averages/core.py:11, by its source alone"
    assert message == f"`{body}` waits inside averages: `self.step.item()` ({place}), whatever it is given"


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    ("body", "told"),
    [("averages.core.described(x)", "values.min() < 0"), ("averages.core.described(x, False)", "values.tolist()")],
)
def test_all_waits_inside_a_call_are_one_finding(run: Synclint, body: str, told: str) -> None:
    ((code, _, message),) = found(run, body)
    assert code == "SYN512"
    assert f"waits inside averages: `{told}` (" in message
    assert found(run, "averages.core.described(x, False, False)") == []


@pytest.mark.usefixtures("known_library")
def test_what_a_library_reads_is_not_to_be_read_before_its_upload(run: Synclint) -> None:
    Path("train.py").write_text(
        "import torch\nimport averages\n\n\ndef step(batch: list[float]) -> float:\n"
        "    x = torch.tensor(batch)\n    there = x.to('cuda')\n    averages.reduced(there, 'all', size=8)\n"
        "    return there.sum().item()\n",
        encoding="utf-8",
    )
    told = json.loads(run("check", "--no-cache", "--output-format", "json", "train.py").out)
    advised = {one["code"] for one in told if one["help"].startswith("Read it before")}
    assert {one["code"] for one in told} == {"SYN201", "SYN402", "SYN512"}
    assert advised == {"SYN201"}


def test_the_advice_names_an_argument_that_is_left_out(run: Synclint) -> None:
    Path("train.py").write_text(
        "import torch\nfrom torch_geometric.nn import global_mean_pool\n\n\n"
        "def step(x: torch.Tensor) -> torch.Tensor:\n    return global_mean_pool(x, x.cuda().long())\n",
        encoding="utf-8",
    )
    told = json.loads(run("check", "--no-cache", "--output-format", "json", "train.py").out)
    assert [one["help"] for one in told if one["code"] == "SYN512"] == ["Pass `size`, or call it less often."]


def test_of_a_wait_that_was_seen_in_a_run_no_doubt_is_told(run: Synclint) -> None:
    Path("train.py").write_text(
        "import torch\nfrom ema_pytorch import EMA\n\n\ndef step(model: torch.nn.Module) -> None:\n"
        "    ema = EMA(model).cuda()\n    ema.update()\n",
        encoding="utf-8",
    )
    told = json.loads(run("check", "--no-cache", "--output-format", "json", "train.py").out)
    assert all("source alone" not in one["message"] for one in told if one["code"] == "SYN512")
    assert "SYN512" in {one["code"] for one in told}


@pytest.mark.usefixtures("known_library")
def test_the_argument_that_asks_for_a_wait_is_named(run: Synclint) -> None:
    ((_, _, message),) = found(run, "checked(x, host)")
    line = LIBRARY.splitlines().index("    if values.min() < 0:") + 1
    told = "by its source alone), which `validate=True` asks for"
    assert message.endswith(f"`values.min() < 0` (averages/core.py:{line}, {told}")


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    ("body", "advice"),
    [
        ("checked(x, host)", "Pass `validate=False`, or call it less often."),
        ("averages.reduced(x, 'all', size=8)", "Pass another `reduction`, or call it less often."),
        ("averages.core.Checking(8, True)(x)", "Make the object with `check=False`, or call it less often."),
        (
            "averages.core.scaled(x, host[0])",
            "Pass `factor` as a tensor that is on the device already, or call it less often.",
        ),
        ("averages.Average(None).cuda().update()", "No argument avoids it: call it less often, such as every N steps."),
        (
            "y = averages.Average(None).cuda().update()",
            "No argument avoids it: keep the result where it stays the same, else nothing can be done at this call.",
        ),
    ],
)
def test_the_advice_names_what_to_pass_instead(run: Synclint, body: str, advice: str) -> None:
    Path("train.py").write_text(
        "import averages\nimport torch\nfrom averages import checked\n\n\n"
        f"def step(x: torch.Tensor, host: list[float]) -> None:\n    {body}\n",
        encoding="utf-8",
    )
    told = json.loads(run("check", "--no-cache", "--output-format", "json", "train.py").out)
    assert [one["help"] for one in told if one["code"] == "SYN512"] == [advice]


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("float(averages.quiet(x))", "SYN203"),
        ("if averages.quiet(x)[0]: pass", "SYN301"),
        ("x[averages.split(x, 3)[0]]", "SYN103"),
    ],
)
def test_what_functions_return_is_known(run: Synclint, body: str, code: str) -> None:
    assert [one for one, _, _ in found(run, body)] == [code]


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    "body", ["float(averages.quiet(host))", "averages.split(x, 3)[1].tolist()", "float(averages.split(x, 3)[2])"]
)
def test_what_is_returned_on_the_host_is_silent(run: Synclint, body: str) -> None:
    assert found(run, body) == []


@pytest.mark.usefixtures("known_library")
def test_arguments_that_open_the_way_to_a_wait_are_named(run: Synclint) -> None:
    ((_, _, message),) = found(run, "averages.reduced(x, 'all', size=8)")
    line = LIBRARY.splitlines().index("        return values.tolist()") + 1
    told = "which `reduction='all'` and `size=8` ask for"
    assert message.endswith(f"`values.tolist()` (averages/core.py:{line}, by its source alone), {told}")


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    "body",
    [
        "averages.core.Checking(8)(x)",
        "averages.core.Checking(8, True)(x)",
        "averages.core.Checking(8, check=True).handed_on(x)",
    ],
)
def test_a_setting_of_an_object_that_opens_the_way_to_a_wait_is_named(run: Synclint, body: str) -> None:
    ((_, _, message),) = found(run, body)
    assert message.endswith(", which `check=True` of the object asks for")


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    "body",
    [
        "averages.core.scaled(x)",
        "averages.core.scaled(x, 3.0)",
        "averages.core.scaled(x, host[0])",
        "averages.core.fetched(x)",
        "averages.core.fetched(x, torch.device('cpu'))",
        "averages.core.synchronized()",
    ],
)
def test_a_copy_inside_a_call_that_its_arguments_ask_for_is_reported(run: Synclint, body: str) -> None:
    ((code, _, _),) = found(run, body)
    assert code == "SYN512"


@pytest.mark.usefixtures("known_library")
@pytest.mark.parametrize(
    "body",
    [
        "averages.core.Checking(8, False)(x)",
        "averages.core.Checking(8, check=False).handed_on(x)",
        "averages.core.Checking(*options)(x)",
        "averages.core.Checking(8).changed(x)",
        "averages.core.beside(x, x)",
        "averages.core.scaled(x, x)",
        "averages.core.fetched(x, 'cuda')",
        "averages.core.fetched(x, x.device)",
        "checked(host, x)",
        "averages.reduced(x)",
        "averages.reduced(x, 'all')",
        "averages.reduced(x, 'all', None)",
        "averages.reduced(x, size=8)",
        "averages.reduced(x, words[step], 8)",
        "checked(x, host, False)",
        "checked(x, host, validate=False)",
        "checked(x, host, validate=step > 3)",
        "checked(*[x, host], **options)",
        "averages.quiet(x)",
        "ema.sometimes()",
        "here.update()",
    ],
)
def test_a_call_that_does_not_wait_by_default_is_silent(run: Synclint, body: str) -> None:
    assert found(run, body) == []


def shipped() -> Iterator[tuple[str, FunctionSummary]]:
    """All functions in the shipped summaries, by their names."""
    for package in summarized():
        library = summary_of(package)
        assert library is not None and library.version and (library.functions or library.returns)
        for name in library.functions:
            assert name.startswith(f"{package}.")
            function = library.waiting(name)
            assert function is not None
            yield name, function


def test_shipped_summaries_are_well_formed() -> None:
    assert summarized()
    for name, function in shipped():
        assert function.waits
        assert {name for name in function.defaults if not name.startswith(SETTING)} <= {*function.parameters}
        for wait in function.waits:
            assert wait.place.startswith(f"{name.partition('.')[0]}/") and wait.code
            asked = {need.parameter for need in wait.needs if not need.parameter.startswith(SETTING)}
            assert {*wait.of} | asked <= {*function.parameters}


def test_each_mechanism_of_a_summary_has_an_entry_and_a_rule() -> None:
    ids = {entry.id for entry in load_catalog().entries}
    (rule,) = (one for one in load_rules() if one.code == "SYN512")
    told = {f"inner-{wait.mechanism}" for _, function in shipped() for wait in function.waits}
    assert told <= ids & set(rule.matches)


def test_only_the_summaries_of_libraries_that_are_imported_are_read(
    run: Synclint, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    whole = summaries.LibrarySummary

    def reading(document: dict[str, Any]) -> summaries.LibrarySummary:
        read.append(document["library"])
        return whole(document)

    monkeypatch.setattr(summaries, "LibrarySummary", reading)
    Path("a.py").write_text("import torch\nimport ema_pytorch\nema_pytorch.EMA(torch.nn.Linear(2, 2)).update()\n")
    run("check", "--no-cache", "a.py")
    assert read == ["ema-pytorch"]
    assert len(list(SUMMARIES.glob("*.json"))) > 1


@pytest.mark.parametrize("release", ["1.6", "1.9"])
def test_what_is_described_by_hand_is_told_by_no_summary(run: Synclint, release: str) -> None:
    """Also where the entry is about other releases than the one that is assumed."""
    Path("a.py").write_text(
        "import torch\nfrom torchmetrics import MeanMetric\nfrom torchmetrics.classification import BinaryAccuracy\n"
        "mean, accuracy = MeanMetric().cuda(), BinaryAccuracy().cuda()\nx = torch.ones(8, device='cuda')\n"
        "mean.update(x)\naccuracy.update(x, x.long())\n"
    )
    told = run("check", "--no-cache", "--runs", "all", "--library-versions", f"torchmetrics={release}", "a.py").out
    assert "SYN512" not in told and "SYN511" in told


def test_a_summary_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    made = summary(tmp_path.resolve())
    assert json.loads(written(made)) == made
