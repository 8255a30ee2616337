"""Under which calls of its function a wait was seen, and what tests say of code outside of tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from marked_sources import findings_in

from synclint.analysis.program.test_modules import checks_results, is_test
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.observations import Observation, joined
from synclint.findings import Phase


def _observed(folder: Path, *sources: tuple[str, str]) -> list[Observation]:
    for name, source in sources:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    project = ProjectAnalysis([folder])
    for name, source in sources:
        project.analyse(folder / name, source)
    return list(project.observations().events)


_HELPER = "def taken(x, index):\n    return x[index]\n"
_CALLER = (
    "import torch\n"
    "from helpers import taken\n\n\n"
    "def by_slice(x: torch.Tensor) -> torch.Tensor:\n"
    "    return taken(x, slice(0, 2))\n\n\n"
    "def by_mask(x: torch.Tensor) -> torch.Tensor:\n"
    "    return taken(x, x > 0)\n\n\n"
    "def by_mask_again(x: torch.Tensor) -> torch.Tensor:\n"
    "    return taken(x, x < 0)\n"
)


def test_an_event_names_the_calls_under_which_it_was_seen(tmp_path: Path) -> None:
    events = _observed(tmp_path, ("helpers.py", _HELPER), ("main.py", _CALLER))
    (event,) = [event for event in events if event.callers]
    assert event.construct == "mask-read"
    assert {(caller.function, caller.line) for caller in event.callers} == {("by_mask", 10), ("by_mask_again", 14)}


def test_calls_of_several_analyses_are_brought_together(tmp_path: Path) -> None:
    first = ProjectAnalysis([tmp_path])
    second = ProjectAnalysis([tmp_path])
    (tmp_path / "helpers.py").write_text(_HELPER, encoding="utf-8")
    for name, project in (("one", first), ("two", second)):
        source = _CALLER.replace("by_", f"{name}_by_")
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        project.analyse(tmp_path / f"{name}.py", source)
    together = joined((first.observations(), second.observations()))
    (event,) = [event for event in together.events if event.callers]
    assert {caller.function for caller in event.callers} == {
        "one_by_mask", "one_by_mask_again", "two_by_mask", "two_by_mask_again",
    }  # fmt: skip


_NUMBERS = (
    "import torch\n\n\n"
    "class Meter:\n"
    "    def __init__(self, limit):\n"
    "        self.limit = limit\n\n"
    "    def exceeds(self, value):\n"
    "        return bool(value > self.limit)\n\n\n"
    "def train(x: torch.Tensor):\n"
    "    return Meter(1.0).exceeds(2.0)\n"
)
_TEST = (
    "import torch\n"
    "from meters import Meter\n\n\n"
    "def test_meter():\n"
    "    meter = Meter(torch.ones((), device='cuda'))\n"
    "    meter.limit = torch.ones((), device='cuda')\n"
    "    assert meter.exceeds(torch.ones((), device='cuda'))\n"
)


@pytest.mark.parametrize("names", [("meters.py", "tests/test_meters.py"), ("tests/test_meters.py", "meters.py")])
def test_what_tests_give_is_no_evidence_in_any_order_of_files(tmp_path: Path, names: tuple[str, str]) -> None:
    texts = {"meters.py": _NUMBERS, "tests/test_meters.py": _TEST}
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(texts[name], encoding="utf-8")
    events = _observed(tmp_path, *((name, texts[name]) for name in names))
    assert [event for event in events if event.path.endswith("/meters.py")] == []


@pytest.mark.parametrize(
    "module", ["tests", "tests.helpers", "package.test.cases", "test_model", "package.model_test", "a.conftest"]
)
def test_modules_that_are_tests(module: str) -> None:
    assert is_test(module, lambda: True)


@pytest.mark.parametrize("module", ["test", "package.test", "testing", "package.attest", "latest", "contest"])
def test_modules_that_are_no_tests(module: str) -> None:
    assert not is_test(module, lambda: True)


@pytest.mark.parametrize("module", ["test_model", "package.model_test"])
def test_modules_named_so_that_check_nothing_are_no_tests(module: str) -> None:
    assert not is_test(module, lambda: False)


@pytest.mark.parametrize("module", ["tests", "tests.helpers", "a.conftest"])
def test_what_lies_among_tests_need_not_check_anything(module: str) -> None:
    assert is_test(module, lambda: False)


_STEP = "loss.backward()\noptimizer.step()\n"


@pytest.mark.parametrize(
    "source",
    [
        "def test_sum():\n    run()\n",
        "class TestSum:\n    pass\n",
        "import pytest\n",
        "from unittest import TestCase\n",
        "assert run() == 3\n",
        "torch.testing.assert_close(a, b)\n",
        f"{_STEP}assert torch.allclose(a, b)\n",
    ],
)
def test_texts_that_check_results(source: str) -> None:
    assert checks_results(source)


@pytest.mark.parametrize(
    "source",
    [f"{_STEP}assert n > 0\n", "def test(model):\n    pass\n", "assert_masked(x)\n", "def pretest_x(): pass\n"],
)
def test_texts_that_check_no_results(source: str) -> None:
    assert not checks_results(source)


_MODEL = (
    "import torch\n"
    "from torch import Tensor, nn\n\n\n"
    "class Model(nn.Module):\n"
    "    def __init__(self) -> None:\n"
    "        super().__init__()\n"
    "        self.head = nn.Linear(8, 8)\n\n"
    "    def forward(self, x: Tensor, target: Tensor | None = None) -> Tensor:\n"
    "        if target is not None:\n"
    "            return nn.functional.cross_entropy(self.head(x), target)\n"
    "        else:\n"
    "            return self.head(x[:, [-1], :])\n\n"
    "    @torch.no_grad()\n"
    "    def generate(self, x: Tensor, count: int) -> Tensor:\n"
    "        for _ in range(count):\n"
    "            x = torch.cat((x, self{call}), dim=1)\n"
    "        return x\n\n\n"
    "model = Model().cuda()\n"
    "for target in (None, torch.zeros(2, dtype=torch.long).cuda()):\n"
    "    model.generate(torch.zeros(2, 1, 8).cuda(), 3)\n"
)


@pytest.mark.parametrize(("call", "assumed"), [("(x)", False), ("(x, torch.zeros(2).cuda())", True)])
def test_a_call_that_does_not_name_a_method_leads_into_its_branches(tmp_path: Path, call: str, assumed: bool) -> None:
    path = tmp_path / "model.py"
    path.write_text(_MODEL.replace("{call}", call), encoding="utf-8")
    (finding,) = [one for one in findings_in([path], tmp_path) if one.code == "SYN403"]
    assert finding.context.assumed is assumed


_ALGORITHM = (
    "import torch\n\n\n"
    "class Batch:\n"
    "    pass\n\n\n"
    "class Algorithm:\n"
    "    def learn(self, batch):\n"
    "        raise NotImplementedError\n\n"
    "    def apply(self, function):\n"
    "        return function(Batch())\n\n"
    "    def update(self):\n"
    "        return self.apply(lambda batch: self.learn(batch))\n"
)
_KIND_OF_ALGORITHM = (
    "\n\nclass Algorithm{number}(Algorithm):\n"
    "    def learn(self, batch):\n"
    "        loss = torch.nn.functional.smooth_l1_loss(batch.values, batch.targets)\n"
    "        loss.backward()\n"
    "        return loss.item()\n"
)


def test_what_an_inherited_method_calls_is_called_on_objects_of_each_of_many_subclasses(tmp_path: Path) -> None:
    path = tmp_path / "algorithms.py"
    kinds = (_KIND_OF_ALGORITHM.format(number=number) for number in range(20))
    path.write_text(_ALGORITHM + "".join(kinds), encoding="utf-8")
    reads = [one for one in findings_in([path], tmp_path) if one.code == "SYN201"]
    assert [one.context.assumed for one in reads] == [False] * 20


_CLOSURE = (
    "import torch\n\n\n"
    "def main() -> None:\n"
    "    model = torch.nn.Linear(3, 3).cuda()\n"
    "    optimizer = torch.optim.LBFGS(model.parameters())\n"
    "    for x in torch.ones(9, 3, device='cuda').split(3):\n"
    "        def closure() -> torch.Tensor:\n"
    "            loss = model(x).sum()\n"
    "            print(loss.item())\n"
    "            loss.backward()\n"
    "            return loss\n\n"
    "        optimizer.step(closure)\n\n\n"
    "main()\n"
)


def test_an_optimizer_calls_the_closure_that_its_step_is_given(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(_CLOSURE, encoding="utf-8")
    (read,) = [one for one in findings_in([path], tmp_path) if one.code == "SYN201"]
    assert read.context.runs is Phase.STEP
    assert not read.context.assumed, read.context.reason
