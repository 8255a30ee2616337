"""Each kind of safe fix, before and after, on generated arguments: what is returned, raised and written is the same.

The arguments are of all kinds that Python lets a caller pass, whatever the annotations say: tensors of many types and
shapes, empty ones and scalars among them, arrays, numbers, fractions, lists, None, and values that do not fit.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from fix_cases import exact_difference, fix
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synclint.verify.simulated import simulated_device

HEAD = """\
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import MeanMetric

"""
# Functions for each kind of safe fix (`test_kinds_of_fixes.py`): all of them have to be changed by `--fix`.
CHANGED = {
    "number": "def number(x: Tensor):\n    return torch.tensor(0.5, device=x.device) + x",
    "count": "def count(x: Tensor):\n    return torch.tensor(len(x), device=x.device)",
    "one_number": "def one_number(x: Tensor):\n    return torch.tensor([3], dtype=x.dtype, device=x.device)",
    "perhaps_typed": (
        "def perhaps_typed(x: Tensor):\n    dtype = getattr(x, 'kind', None)\n"
        "    return torch.tensor(0, dtype=dtype, device=x.device), torch.tensor([1] * 3, dtype=dtype, device=x.device)"
    ),
    "large_float": (
        "def large_float(x: Tensor):\n    return torch.tensor(70000.0, dtype=torch.float32, device=x.device)"
    ),
    "repeated": "def repeated(x: Tensor):\n    return torch.tensor([1.5] * len(x), device=x.device)",
    "zeros": "def zeros(x: Tensor):\n    y = x.exp()\n    return torch.zeros(len(x)).to(y.device)",
    "number_there": (
        "def number_there(x: Tensor):\n    y = x.exp()\n"
        "    made = torch.as_tensor(3, dtype=y.dtype).to(device=y.device)\n"
        "    return made, torch.tensor(0.5).to(y.device), torch.tensor([len(x)]).to(y.device)"
    ),
    "mask": (
        "def mask(x: Tensor):\n    y = x.exp()\n    return torch.ones(3, 3, dtype=torch.bool).triu(1).to(y.device)"
    ),
    "steps": "def steps(x: Tensor):\n    y = x.exp()\n    return torch.arange(len(x)).unsqueeze(-1).to(y.device)",
    "picked": "def picked(x: Tensor, where: Tensor):\n    y = x.softmax(-1)\n    return y[range(len(where)), where]",
    "counted_from_the_end": (
        "def counted_from_the_end(x: Tensor):\n    y = torch.ones(4, 2, device=x.device)\n    y[-1] = 3\n"
        "    y[-2, -1] = -0.0\n    y[len(x) - 1, 0] = 5\n    return y"
    ),
    "differentiated": (
        "def differentiated(x: Tensor):\n    w = x.float().detach().requires_grad_()\n"
        "    y = torch.zeros(3, device=x.device)\n"
        "    y[0] = 3\n    (y.sum() * w).sum().backward()\n    return w.grad, y"
    ),
    "nested": (
        "def nested(x: Tensor):\n    y = x.float()\n    def scaled(k):\n"
        "        return torch.tensor(0.5, device=y.device) * k, torch.zeros(3).to(y.device)\n"
        "    return [scaled(k) for k in range(2)]"
    ),
    "of_its_device": (
        "def of_its_device(x: Tensor):\n    device = x.device\n    y = x.exp()\n"
        "    return torch.eye(3).to(device) * y.sum(), torch.full((2,), 0.5).to('cpu')"
    ),
    "weighted": (
        "def weighted(x: Tensor):\n    average = MeanMetric(nan_strategy='ignore').to(x.device)\n"
        "    loss = x.sqrt().mean()\n    average.update(loss)\n    return average.compute()"
    ),
}
# The same where nothing of it runs without a device.
CHANGED_FOR_A_DEVICE = {
    "pinned": (
        "def pinned(x: Tensor):\n    ramp = torch.arange(8.0).pin_memory()\n"
        "    return x.sum() + ramp.cuda(), ramp.to(x.device)"
    ),
}
# The one in which the default weight was still a number of the host.
RELEASES = {"torchmetrics": "1.6.1"}
# The same with what is only declared, or could be something else: `--fix` leaves them alone.
LEFT = {
    "given_device": "def given_device(device: torch.device):\n    return torch.tensor([1.0, 2.0], device=device)",
    "no_device": "def no_device(x, device=None):\n    return torch.as_tensor([[8, 4], [2, 1]], device=device)",
    "given_number": "def given_number(x: Tensor, value: float):\n    return torch.tensor(value, device=x.device)",
    "large": "def large(x: Tensor):\n    return torch.tensor(-1e300, device=x.device)",
    "large_for_its_type": (
        "def large_for_its_type(x: Tensor):\n    return torch.tensor(70000, dtype=x.dtype, device=x.device)"
    ),
    "no_uint64": (
        "def no_uint64(x: Tensor):\n    return x.new_tensor(0.5), torch.tensor([-3], dtype=x.dtype, device=x.device)"
    ),
    "large_in_place": "def large_in_place(x: Tensor):\n    y = x.float().flatten()\n    y[0] = 1e300\n    return y",
    "large_there": "def large_there(x: Tensor):\n    return torch.tensor(-1e300).to(x.device)",
    "leaf_there": (
        "def leaf_there(x: Tensor):\n    made = torch.tensor(0.5, requires_grad=True).to(x.device)\n"
        "    return made, made.is_leaf"
    ),
    "converted_there": "def converted_there(x: Tensor):\n    return torch.tensor(0.1).to(x.device, torch.float16)",
    "exponential": "def exponential(x: Tensor):\n    return torch.tensor(math.exp(len(x) * 300), device=x.device)",
    "some_positions": "def some_positions(x: Tensor):\n    return x[[0, 1]]",
    "last": "def last(x: Tensor):\n    return x[:, [-1]]",
    "written_positions": "def written_positions(x: Tensor):\n    x[[0, 1]] = 2\n    return x",
    "rebound": (
        "def rebound(x: Tensor, value=1e300):\n    n = 2\n    def change():\n        nonlocal n\n        n = value\n"
        "    change()\n    return torch.tensor(n, device=x.device)"
    ),
    "matched": (
        "def matched(x: Tensor, value=None):\n    n = 1\n    match value:\n        case [n]:\n            pass\n"
        "    return torch.tensor(n, device=x.device)"
    ),
    "computed_first": (
        "class Held:\n    def __init__(self, x):\n        self.x = torch.zeros_like(x)\n    def step(self):\n"
        "        self.x = self.x + 1\n        return 5\n    def put(self):\n        self.x[0] = float(self.step())\n"
        "        return self.x\ndef computed_first(x: Tensor):\n    return Held(x).put()"
    ),
    "scripted": (
        "@torch.jit.script\ndef scripted(x: Tensor):\n    k = torch.tensor([1.0, 2.0], device=x.device)\n"
        "    return x.float() * k.sum()"
    ),
    "expanded": "def expanded(x: Tensor):\n    return torch.zeros(3, 1).expand(3, 4).to(x.device)",
    "declared_like": "def declared_like(x: Tensor):\n    return torch.ones(2, 3).to(x)",
    "like": "def like(x: Tensor):\n    return x.new_tensor(2), x.new_tensor([7])",
    "listed_like": "def listed_like(x: Tensor):\n    return x.new_tensor((1, 2, 3))",
    "ones_like": "def ones_like(x: Tensor):\n    y = x.exp()\n    return torch.ones(2, 3).to(y)",
    # What may be somewhere else, on another device, or of a type that is no device.
    "to_what_is_given": "def to_what_is_given(x: Tensor, device=None):\n    return torch.zeros(3).to(device)",
    "called_like_a_device": "def called_like_a_device(x: Tensor, dev=None):\n    return torch.zeros(3).to(dev)",
    "to_a_number": "def to_a_number(x: Tensor, device_id: int = 0):\n    return torch.ones(3).to(device_id)",
    "to_what_was_given": (
        "class Holder:\n    def __init__(self, device):\n        self.device = device\n"
        "    def made(self):\n        return torch.ones(3).to(self.device)\n"
        "def to_what_was_given(x: Tensor, device='cpu'):\n    return Holder(device).made()"
    ),
    "to_another_one": (
        "def to_another_one(x: Tensor, device=None):\n    there = x.device\n    if device is not None:\n"
        "        there = device\n    return torch.zeros(3).to(there)"
    ),
    # What is written to meanwhile, by another name or elsewhere.
    "pinned_in_a_view": (
        "def pinned_in_a_view(x: Tensor):\n    ramp = torch.arange(8.0).pin_memory()\n    view = ramp[2:]\n"
        "    y = ramp.cuda()\n    view.zero_()\n    return y + x.sum()"
    ),
    "pinned_in_an_array": (
        "def pinned_in_an_array(x: Tensor):\n    ramp = torch.arange(8.0).pin_memory()\n    array = ramp.numpy()\n"
        "    y = ramp.cuda()\n    array[:] = 0\n    return y + x.sum()"
    ),
    "pinned_in_a_list": (
        "def pinned_in_a_list(x: Tensor):\n    ramps = [torch.arange(8.0).pin_memory()]\n    found = []\n"
        "    for ramp in ramps:\n        found.append(ramp.cuda())\n        ramps[0].zero_()\n    return found"
    ),
    # Masks of another shape, tensors of other kinds.
}


def _module(text: str, name: str) -> ModuleType:
    module = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def written(name: str, folder: Path) -> Path:
    """A file of its own with one of the functions, and a call of it in a training loop."""
    source = {**CHANGED, **CHANGED_FOR_A_DEVICE, **LEFT}[name]
    path = folder / f"{name}.py"
    call = f"def train(loader):\n    for x in loader:\n        {name}(x.cuda(), x.cuda())\n"
    path.write_text(f"{HEAD}\n{source}\n\n\n{call}")
    return path


@cache
def _fixed_texts(folder: Path) -> dict[str, tuple[str, str]]:
    """Each function as a file of its own, before and after ``--fix``."""
    found = {}
    for name in {**CHANGED, **CHANGED_FOR_A_DEVICE, **LEFT}:
        path = written(name, folder)
        text = path.read_text()
        changes = fix(path, RELEASES, unsafe=False).changes
        found[name] = (text, changes[path].after if changes else text)
    return found


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    return _fixed_texts(tmp_path_factory.mktemp("equality"))


SHAPES = [(), (0,), (1,), (3,), (2, 3), (2, 0), (1, 1), (4, 2, 1)]
DTYPES = [
    *(torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex32, torch.complex64),
    *(torch.int64, torch.int32, torch.uint8, torch.int8, torch.uint64, torch.bool),
]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, 255.0, 3e38, 1e-40, float("inf"), float("-inf"), float("nan")]


class Named(torch.Tensor):  # type: ignore[misc]
    """A tensor of a class of its own, which what is computed from it belongs to as well."""

    def __deepcopy__(self, memo: dict[int, object]) -> Named:
        made: Named = copy.deepcopy(self.as_subclass(torch.Tensor), memo).as_subclass(Named)
        return made


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    """Tensors of all types and ranks, empty ones among them, some of which need gradients or are not contiguous."""
    shape, dtype = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(DTYPES))
    count = int(np.prod(shape))
    values = draw(st.lists(st.sampled_from(SPECIAL), min_size=count, max_size=count))
    is_narrow = not (dtype.is_floating_point or dtype.is_complex)
    numbers = [int(value) % 128 if abs(value) < 300 else 7 for value in values] if is_narrow else values
    made = torch.tensor(numbers, dtype=torch.float64).reshape(shape).to(dtype)
    if draw(st.booleans()) and made.ndim == 2:
        made = made.t()
    if draw(st.integers(0, 5)) == 0:
        return made.as_subclass(Named)
    return made.requires_grad_() if dtype.is_floating_point and draw(st.integers(0, 3)) == 0 else made


anything = st.one_of(
    tensors(),
    tensors(),
    tensors(),
    st.sampled_from(
        [None, 0, 1, 3, -1, 2**40, 1e300, 0.5, True, [1, 2], [], (0, 1), "cpu", Fraction(1, 2), 2j, range(3)]
    ),
    st.sampled_from([np.array([1.0, 2.0]), np.zeros((2, 0)), np.float64(2.5), np.int8(3), np.array(4)]),
    st.lists(tensors(), max_size=3),
)


def _outcome(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[object, object, type | None]:
    arguments = copy.deepcopy(arguments)
    try:
        return function(*arguments), arguments, None
    except Exception as error:
        return None, arguments, type(error)


def _is_the_same(name: str, texts: dict[str, tuple[str, str]], arguments: tuple[object, ...]) -> None:
    before, after = (getattr(_loaded(text), name) for text in texts[name])
    old, new = _outcome(before, arguments), _outcome(after, arguments)
    assert old[2] is new[2], f"{name}{arguments}: {old[2]} before, {new[2]} after"
    assert exact_difference(old[0], new[0], name) is None
    assert exact_difference(old[1], new[1], "arguments") is None


@cache
def _loaded(text: str) -> ModuleType:
    return _module(text, "generated")


BOUNDED = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def _arity(name: str) -> int:
    return {**CHANGED, **CHANGED_FOR_A_DEVICE, **LEFT}[name].partition("(")[2].partition(")")[0].count(",") + 1


@pytest.mark.parametrize("name", [*CHANGED, *CHANGED_FOR_A_DEVICE])
def test_each_kind_of_safe_fix_is_made(name: str, texts: dict[str, tuple[str, str]]) -> None:
    before, after = texts[name]
    assert before != after


@pytest.mark.parametrize("name", LEFT)
def test_what_could_be_something_else_is_left_alone(name: str, texts: dict[str, tuple[str, str]]) -> None:
    before, after = texts[name]
    assert before == after


@pytest.mark.parametrize("name", CHANGED)
def test_a_safe_fix_changes_nothing_on_the_cpu(name: str, texts: dict[str, tuple[str, str]]) -> None:
    @BOUNDED
    @given(st.tuples(*[anything] * _arity(name)))
    def run(arguments: tuple[object, ...]) -> None:
        _is_the_same(name, texts, arguments)

    run()


@pytest.mark.parametrize("name", [*CHANGED, *CHANGED_FOR_A_DEVICE])
def test_a_safe_fix_changes_nothing_on_the_device(name: str, texts: dict[str, tuple[str, str]]) -> None:
    with simulated_device() as device:

        @BOUNDED
        @given(st.tuples(*[tensors()] * _arity(name)), st.booleans())
        def run(arguments: tuple[torch.Tensor, ...], is_default: bool) -> None:
            there = tuple(argument.detach().to(device) for argument in arguments)
            with _default_device(device if is_default else torch.device("cpu")):
                _is_the_same(name, texts, there)

        run()


@contextmanager
def _default_device(device: torch.device) -> Iterator[None]:
    with torch.device(device):
        yield


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_safe_fixes_follow_the_default_type(dtype: torch.dtype, texts: dict[str, tuple[str, str]]) -> None:
    usual = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        for name in ("number", "repeated", "zeros", "of_its_device"):
            for x in (torch.ones(3), torch.ones(0), torch.ones(2, 2, dtype=torch.int8)):
                _is_the_same(name, texts, (x,))
    finally:
        torch.set_default_dtype(usual)
