"""Programs that were made up to show where a safe fix changes something: what they give and raise stays the same.

``fixtures/fix_programs`` holds them by subject. A program begins at ``# ---`` with its name; ``# > `` are the calls
that are compared, and ``# name.py: `` the lines of another module that it imports. Many have no safe fix any more.
Those about ``names`` say themselves what they import from torch.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from fix_cases import FixCase, exact_difference, findings, fix, load_fix_cases

FOLDER = Path(__file__).parent / "fixtures" / "fix_programs"
SUBJECTS = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
HEAD = "import math\n\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n"
TRAIN = "\n\n\ndef train(loader, *rest):\n    for x in loader:\n        f(x.cuda(), *rest).backward()\n"
_LINE_OF_A_MODULE = re.compile(r"^# (\w+)\.py: (.*)$")


@dataclass(frozen=True)
class Program:
    """A program, the calls that are compared, and the texts of the modules that it imports."""

    name: str
    text: str
    calls: tuple[str, ...]
    modules: dict[str, str]


def programs(subject: str) -> Iterator[Program]:
    """The programs in a file."""
    for part in (FOLDER / f"{subject}.txt").read_text(encoding="utf-8").split("# --- ")[1:]:
        name, *lines = part.splitlines()
        modules: dict[str, str] = {}
        for found in filter(None, map(_LINE_OF_A_MODULE.match, lines)):
            modules[found[1]] = f"{modules.get(found[1], '')}{found[2]}\n"
        calls = tuple(line.removeprefix("# > ") for line in lines if line.startswith("# > "))
        text = "\n".join(line for line in lines if not line.startswith("# > ") and not _LINE_OF_A_MODULE.match(line))
        yield Program(name, text, calls, modules)


def _whole(program: Program, subject: str) -> str:
    """The file of a program: with what it imports, and a training loop that calls it."""
    train = TRAIN.replace(" f(", " fast(") if "fast = " in program.text else TRAIN
    return f"{'' if subject == 'names' else HEAD}{program.text}{train}"


def within(manager: AbstractContextManager[object], function: Callable[..., object], *arguments: object) -> object:
    """What a function gives within a context."""
    with manager:
        return function(*arguments)


def _loaded(path: Path) -> ModuleType:
    for name in [name for name in sys.modules if name.startswith("helper_")]:
        del sys.modules[name]
    spec = importlib.util.spec_from_file_location(f"program_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _outcomes(path: Path, calls: tuple[str, ...]) -> list[object]:
    """What the calls of a program give, or the names of the classes of what they raise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(path.parent)
        module = _loaded(path)
    names = {
        "X": torch.randn(3, 4, generator=torch.Generator().manual_seed(0)),
        "np": np,
        "torch": torch,
        "within": within,
        **{name: value for name, value in vars(module).items() if value is not None},
    }
    return [_outcome(call, names) for call in calls]


def _outcome(call: str, names: dict[str, object]) -> object:
    try:
        return eval(call, dict(names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.filterwarnings("ignore")
def test_what_a_program_gives_and_raises_stays_the_same(subject: str, tmp_path: Path) -> None:
    changed = []
    for program in programs(subject):
        before, after = (tmp_path / program.name / side / "program.py" for side in ("before", "after"))
        for path in (before, after):
            path.parent.mkdir(parents=True)
            for name, text in program.modules.items():
                path.with_name(f"{name}.py").write_text(text)
        before.write_text(_whole(program, subject))
        found = fix(before.parent, {}, unsafe=False).changes.get(before)
        if found is None:
            continue
        changed.append(program.name)
        after.write_text(found.after)
        difference = exact_difference(_outcomes(before, program.calls), _outcomes(after, program.calls))
        assert difference is None, f"{program.name}: {difference}"
    assert changed  # it is compared as well


SAFE = [case for case in load_fix_cases() if case.safe and case.changes]


def _is_as_marked(path: Path, releases: dict[str, str]) -> bool:
    """Whether ``--fix`` mends what was marked and nothing else; on what it writes nothing is found."""
    before = findings(path, releases)
    marked = [found for found in before if found.fix is not None and found.fix.is_safe]
    made = fix(path, releases, unsafe=False)
    (after,) = made.reports
    assert sum(sum(counts.values()) for counts in made.counts.values()) == len(marked)
    assert made.left == ()
    left = Counter(found.code for found in before) - Counter(found.code for found in marked)
    assert Counter(found.code for found in after.findings) == left
    return bool(marked)


@pytest.mark.parametrize("case", SAFE, ids=lambda case: case.name)
def test_what_is_marked_in_a_case_is_what_is_fixed(case: FixCase) -> None:
    assert _is_as_marked(case.before, case.releases)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_marked_in_a_program_is_what_is_fixed(subject: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    marked = []
    for program in programs(subject):
        path.write_text(_whole(program, subject))
        marked.append(_is_as_marked(path, {}))
    assert any(marked)


MADE = (
    "torch.tensor(3, device=x.device)",
    "torch.tensor([1], device=x.device)",
    "torch.tensor(3).to(y.device)",
    "torch.zeros(3).to(y.device)",
    "torch.arange(len(x)).to(y.device)",
    "y[range(len(x)), i]",
)
# What a value may be used for, each of which may wait as well.
USES = (
    "x[{}]", "float({})", "[x if {} else y]", "torch.where(x > 0, {}, x)", "print({})", "torch.cat([{}, x])",
    "np.asarray({})", "range({})", "{}.item()", "{}.to('cuda')", "{}.cpu()", "max({}, x)", "torch.arange({})",
    "x.repeat_interleave({})", "torch.full((2,), {})", "x.view({})", "(lambda: {})()", "[v.item() for v in {}]",
    "x and {}", "x[: {}]", "torch.split(x, {})", "torch.stack([{}, {}])", "{}.tolist() + [1]", "torch.nonzero({})",
    "x[{} > 0]", "torch.tensor({})", "x * {} + x.sum().item()", "{}.pin_memory()", "torch.masked_select(x, {})",
)  # fmt: skip


@pytest.mark.parametrize("made", MADE)
def test_what_is_marked_is_what_is_fixed_whatever_it_is_used_for(made: str, tmp_path: Path) -> None:
    functions = (
        f"def f{number}(x: Tensor, i: Tensor):\n    y = x.exp()\n    return {use.replace('{}', made)}\n"
        for number, use in enumerate(USES)
    )
    path = tmp_path / "uses.py"
    path.write_text(HEAD + "\n\n".join(functions))
    assert _is_as_marked(path, {})
