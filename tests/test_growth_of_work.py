"""How the work of an analysis grows with its input: counted in calls of functions, which no machine makes faster."""

from __future__ import annotations

import ast
import cProfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from synclint.config import Options
from synclint.running.runner import check_files, check_text

_START = "import torch\nx = torch.zeros(3, device='cuda')\n"


def _functions(count: int) -> str:
    return "".join(f"def f{number}(a):\n    return a.item()\n" for number in range(count))


def _names(count: int) -> str:
    return ", ".join(f"a{number}" for number in range(count))


def _chain_in_a_loop(count: int) -> str:
    names = " = ".join(f"a{number}" for number in range(count + 1))
    head = f"def f(m):\n    {names} = 0\n    for _ in range(m):\n"
    return head + "".join(f"        a{n} = a{n + 1}\n" for n in range(count)) + f"        a{count} = x\n    return a0\n"


def _returns_and_calls(count: int) -> str:
    returns = "".join(f"    if k == {number}:\n        return a + {number}\n" for number in range(count))
    return f"def f(a, k):\n{returns}    return a\n" + "".join(f"y = f(x, {number})\n" for number in range(count))


def _function_with(lines: Iterable[str]) -> str:
    return "def f(x: torch.Tensor):\n" + "".join(f"    {line}\n" for line in lines)


CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "parts of an f-string": lambda n: f"y = f'{'{x.sum()} and ' * n}'\n",
    "literal parts of an f-string": lambda n: "y = f'" + "{'ab'}" * n + "'\n",
    "names that a tensor is unpacked to": lambda n: f"{_names(n)} = x\n",
    "names that a tuple is unpacked to": lambda n: f"{_names(n)} = {', '.join(['x'] * n)}\n",
    "names before a star": lambda n: f"{_names(n)}, *rest = [x, x]\n",
    "lambdas in lambdas": lambda n: f"y = {'lambda: ' * (n // 4)}x\n",
    "lambdas with parameters in lambdas": lambda n: f"y = {''.join(f'lambda a{k}: ' for k in range(n // 4))}x\n",
    "returns, and as many calls": _returns_and_calls,
    "functions in a dictionary": lambda n: (
        _functions(n) + "R = {" + ", ".join(f"'k{k}': f{k}" for k in range(n)) + "}\ndef g(k):\n    return R[k](x)\n"
    ),
    "functions appended to a list": lambda n: (
        "R = []\n" + "".join(f"def f{k}(a):\n    return a.item()\nR.append(f{k})\n" for k in range(n)) + "R[0](x)\n"
    ),
    "functions registered by a decorator": lambda n: (
        "R = {}\ndef register(name):\n    def note(f):\n        R[name] = f\n        return f\n    return note\n"
        + "".join(f"@register('k{k}')\ndef f{k}(a):\n    return a.item()\n" for k in range(n))
        + "def g(k):\n    return R[k](x)\n"
    ),
    "callbacks": lambda n: (
        "def run(f, a):\n    return f(a)\n" + "".join(f"run(lambda v: v.item() + {k}, x)\n" for k in range(n))
    ),
    "callbacks in a list": lambda n: (
        f"def run(fs, a):\n    for f in fs:\n        f(a)\n{_functions(n)}"
        f"run([{', '.join(f'f{k}' for k in range(n))}], x)\n"
    ),
    "assignments of a chain in a loop": _chain_in_a_loop,
    "numbers read one after the other": lambda n: _function_with(f"a{k} = x[{k}].item()" for k in range(n)),
    "numbers read apart": lambda n: _function_with(f"a{k} = x[{k}].item(); print(a{k})" for k in range(n)),
    "numbers read on one line": lambda n: f"y = [{'x.item(), ' * n}]\n",
    "sums read on one line": lambda n: f"y = [{'x.sum().item(), ' * n}]\n",
    "numbers printed": lambda n: _function_with(f"print(x[{k}].item())" for k in range(n)),
    "unknown numbers": lambda n: "".join(f"def f{k}(a):\n    return a.item()\n" for k in range(n)),
    "subclasses that a caller may mean": lambda n: (
        "class B:\n    def m(self, a): raise NotImplementedError\n"
        + "".join(f"class C{k}(B):\n    def m(self, a): return a.item()\n" for k in range(n))
        + "def f(b: B): return b.m(x)\n"
    ),
    "classes made by a metaclass": lambda n: (
        "class M(type):\n    def __call__(cls, *a): return super().__call__(*a)\n"
        "class B(metaclass=M):\n    def __init__(self, a): self.a = a\n"
        + "".join(f"class C{k}(B): pass\nC{k}(x).a.item()\n" for k in range(n))
    ),
}


# Calls one after the other in code that hardly ever runs, where nobody expects much work.
CHAINS: dict[str, Callable[[int], str]] = {
    "tensors that stay on the device": lambda n: f"y = x{'.abs()' * n}\n",
    "each of which waits": lambda n: f"class C:\n    def __init__(self):\n        self.y = x{'.nonzero()' * n}\n",
    "with one read at the end": lambda n: f"def save(x: torch.Tensor):\n    return x{'.abs()' * n}.item()\n",
    "something unknown": lambda n: f"def load(a):\n    return a{'.add(1)' * n}\n",
    "an object that returns itself": lambda n: (
        f"class B:\n    def add(self, a):\n        self.a = a\n        return self\ny = B(){'.add(x)' * n}\n"
    ),
}


def _calls_made(source: str) -> int:
    profile = cProfile.Profile()
    profile.enable()
    check_text(_START + source, Path("generated.py"), (), Options())
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def _function_of(number: int) -> str:
    return f"def f{number}(x: torch.Tensor):\n    return x.item()\n"


def _stars_of_each_other(count: int) -> dict[str, str]:
    """Modules that import everything from all others; each uses what one of them has."""
    stars = [f"from .m{number} import *\n" for number in range(count)]
    return {
        f"m{number}.py": "".join(["import torch\n", *stars[:number], *stars[number + 1 :], _function_of(number)])
        + f"def g{number}(x: torch.Tensor):\n    return f{(number + 1) % count}(x)\n"
        for number in range(count)
    }


def _stars_down_a_package(count: int) -> dict[str, str]:
    """Modules each of which imports everything from the next, and uses what the last one has."""
    return {
        f"m{number}.py": f"import torch\nfrom .m{number + 1} import *\n{_function_of(number)}"
        + f"def g{number}(x: torch.Tensor):\n    return f{count}(x)\n"
        for number in range(count)
    } | {f"m{count}.py": f"import torch\n{_function_of(count)}"}


@pytest.mark.parametrize("package", [_stars_of_each_other, _stars_down_a_package], ids=lambda made: made.__name__)
def test_stars_take_no_more_than_the_modules_that_have_them(
    package: Callable[[int], dict[str, str]], tmp_path: Path
) -> None:
    sizes, calls = [], []
    for count in (8, 24, 48):  # the first one pays for what is loaded once
        folder = tmp_path / str(count) / "package"
        folder.mkdir(parents=True)
        files = {"__init__.py": "", **package(count)}
        for name, source in files.items():
            (folder / name).write_text(source, encoding="utf-8")
        with cProfile.Profile() as profile:
            found = [*check_files(sorted(folder.iterdir()), [folder.parent], Options(), 1).reports]
        assert sum(len(report.unshown) + len(report.findings) for report in found) >= count
        sizes.append(sum(map(len, files.values())))
        calls.append(sum(entry.callcount for entry in profile.getstats()))
    (_, small, large), (_, once, more) = sizes, calls
    assert more / once < large / small


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_as_much_takes_about_twice_the_work(name: str) -> None:
    _calls_made("y = 1\n")
    nothing = _calls_made("y = 1\n")
    once, twice = (_calls_made(CONSTRUCTS[name](count)) - nothing for count in (80, 160))
    assert once > 0
    assert twice < 2.7 * once


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_of_thousands_of_calls_takes_work_in_proportion_to_its_length(name: str) -> None:
    _calls_made("y = 1\n")  # which also raises the limit on recursion, as far as the parser is held to that
    try:
        ast.parse(CHAINS[name](6400))
    except RecursionError:
        pytest.skip("Python 3.12 and later parse no chain of this length")
    nothing = _calls_made("y = 1\n")
    short, long = (_calls_made(CHAINS[name](count)) - nothing for count in (1600, 6400))
    assert short > 1600
    assert long < 4 * 1.2 * short


def test_numbers_that_can_be_read_together_are_looked_at_no_more_than_once_for_each_of_them() -> None:
    nothing = _calls_made("y = 1\n")
    made = (_function_with(f"print(x[{k}].item())" for k in range(count)) for count in (30, 60))
    once, twice = (_calls_made(source) - nothing for source in made)
    assert twice < 4.5 * once


def test_loops_within_loops_do_not_multiply_their_rounds() -> None:
    def nested(depth: int) -> str:
        heads = "".join(f"{'    ' * level}for i{level} in range(m):\n" for level in range(1, depth + 1))
        inner = "    " * (depth + 1)
        return f"def f(m):\n    a = b = c = 0\n{heads}{inner}a = b\n{inner}b = c\n{inner}c = x\n"

    nothing = _calls_made("y = 1\n")
    once, twice = (_calls_made(nested(depth)) - nothing for depth in (8, 16))
    # Each loop is begun anew in the rounds of those around it: that is the square of the depth, and no power of it.
    assert twice < 4.5 * once
