"""Code that is very long or deeply nested is analysed to its end, or told in one line; nothing in it multiplies."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

# Where the last statement of a file comes to be reported, everything before it was gone through.
FOUND = "SYN101 nonzero"
TENSOR = "import torch\nx = torch.zeros(3, device='cuda')\n"


def nested(opening: str, levels: int, closing: str = "", inner: str = "x") -> str:
    return f"y = {opening * levels}{inner}{closing * levels}\n"


def blocks(heads: list[str], inner: str) -> str:
    lines = [*heads, *inner.splitlines()]
    return "".join(f"{' ' * min(level, len(heads))}{line}\n" for level, line in enumerate(lines))


def doubled(start: str, step: str) -> str:
    """A value that holds itself twice, sixty times over, and what compares and joins it."""
    return f"def f(a): return a\nx = {start}\n" + f"{step}\n" * 60 + f"f(x)\nz = x\nif a:\n    {step}\n    z = x\n"


LONG = {
    "method-calls": f"y = x{'.abs().sum()' * 1250}\n",
    "calls-of-results": f"y = f{'()' * 2500}\n",
    "attributes": f"y = x{'.a' * 5000}\n",
    "attributes-of-a-module": f"import a\ny = a{'.a' * 3000}.f()\n",
    "subscripts": f"y = x{'[0]' * 5000}\n",
    "sum": f"y = x{' + x' * 10_000}\n",
    "texts-added": f"y = 'a'{' + f(x)' * 5000}\n",
    "conjunction": f"y = a{' and a.b' * 5000}\n",
    "comparison": f"y = a{' < a' * 5000}\n",
    "union": f"def f(y: int{' | A' * 5000}):\n    if isinstance(y, int{' | A' * 5000}): torch.sum(y{' + y' * 5000})\n",
    "elif": "def f(a):\n    if a: y = x\n" + "    elif a == 1: y = x\n" * 4500 + "    return y\n",
    "targets": f"{' = '.join(f'a{number}' for number in range(3000))} = 1\n",
    "names-of-an-import": f"import {', '.join(f'a{number}.b' for number in range(3000))}\n",
    "dots-of-an-import": f"from {'.' * 3000}a import *\nfrom {'a.' * 3000}a import b\nb()\n",
}

RECORD = "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int\n    b: int\n"
MULTIPLYING = {
    "dictionaries-gone-through": nested("{a: a for a in ", 60, "}"),
    "dictionaries-of-dictionaries": nested("{a: ", 60, " for a in ('a', 'b', 'c')}"),
    "tests-of-element-types": nested("(x.dtype == ", 60, " and x)"),
    "tests-of-classes": nested("not (a and isinstance(x, ", 60, "))"),
    "tests-of-every-element": nested("all(isinstance(t, ", 30, ") for t in x) and x"),
    "bounds-of-slices": f"s = [1, 2, 3]\n{nested('s[len(', 60, '):]')}",
    "calls-of-lambdas": nested("(lambda: ", 60, ")()"),
    "loops-that-set-attributes": blocks([f"for a{n} in (1, 2, 3, 4, 5):" for n in range(20)], "setattr(x, 'a', a0)"),
    "loops-that-hand-on": blocks(
        [f"for i{number} in x:" for number in range(30)],
        "".join(f"a{number} = a{number + 1}\n" for number in range(60)) + "a60 = [i0]",
    ),
    "lists": doubled("1", "x = [x, x]"),
    "dictionaries": doubled("1", "x = {'a': x, 'b': x}"),
    "comprehensions": doubled("1", "x = [x for a in ('a', 'b')]"),
    "keys-that-are-set": doubled("{}", "x['a'] = x; x['b'] = x"),
    "elements-that-are-appended": doubled("[]", "x.append((x, x))"),
    "pairs": doubled("[1]", "x = list(zip(x, x))"),
    "objects-of-libraries": doubled("1", "x = torch.nn.Sequential(x, x)"),
    "attributes-of-objects-of-libraries": "import other\n" + doubled("1", "x = other.Output(a=x.b, b=x.c)"),
    "methods-of-objects": "import other\nclass A(other.Base):\n    def g(self): pass\n"
    + doubled("1", "x = A(x.g, x.h)"),
    "partial-functions": "import functools\n" + doubled("f", "x = functools.partial(f, x, x)"),
    "attributes-of-methods": doubled("f", "x = x.a"),
    "records": RECORD + doubled("1", "x = C(x, x)"),
    "aliases-of-types": "T0 = list[int]\n"
    + "".join(f"T{number + 1} = tuple[T{number}, T{number}]\n" for number in range(60))
    + "y: T60 = f(x)\ndef f(a: T60) -> T60: return a\n",
    "generators": "def g(x):\n    yield x\n    yield (x, x)\n" + doubled("1", "x = g(x)"),
}


@pytest.mark.parametrize("name", [*LONG, *MULTIPLYING])
def test_what_comes_after_is_found(run: Synclint, tmp_path: Path, name: str) -> None:
    code = {**LONG, **MULTIPLYING}[name]
    (tmp_path / "odd.py").write_text(f"{TENSOR}{code}{HAZARD}")
    (tmp_path / "user.py").write_text(f"import odd\nodd.f(odd.x)\n{HAZARD}")
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert [line.partition(":")[0] for line in result.out.splitlines() if FOUND in line] == ["odd.py", "user.py"]


def test_a_tensor_is_followed_through_a_long_chain(run: Synclint, tmp_path: Path) -> None:
    for chain in ("x" + ".abs()" * 2500, "x" + "[0:1]" * 2500, "x" + " + 1" * 5000, "-x" + ".T.abs()[0:1]" * 800):
        (tmp_path / "odd.py").write_text(f"{TENSOR}y = {chain}\nfor batch in loader: y.item()\n")
        assert "odd.py:4:22: SYN201 item-in-hot-code" in run("odd.py", "--output-format", "concise").out


def test_a_branch_of_a_long_elif_is_a_branch_like_any_other(run: Synclint, tmp_path: Path) -> None:
    elifs = "".join(f"    elif a == {number}: y = x\n" for number in range(2000))
    code = f"def f(a):\n    if a: y = x\n{elifs}    else: y = x[x > 0]\n    return int(y)\n"
    (tmp_path / "odd.py").write_text(TENSOR + code)
    out = run("odd.py", "--output-format", "concise").out
    assert "odd.py:2005:15: SYN103" in out
    assert "odd.py:2006:12: SYN203" in out


DEEP = {
    "negations": nested("not ", 20_000),
    "signs": nested("-", 20_000),
    "fewer-signs": nested("-", 4000),
    "lambdas": nested("lambda: ", 20_000),
    "fewer-lambdas": nested("lambda: ", 2000),
    "conditions": nested("1 if x else ", 20_000),
    "powers": nested("x ** ", 20_000),
    "elif": "if x: pass\n" + "elif x: pass\n" * 20_000,
    "parentheses": nested("(", 1000, ")"),
    "patterns": f"match x:\n    case {'[' * 1000}a{']' * 1000}: pass\n",
    "strings": nested("f'{", 1000, "}'"),
    "formats": nested("f'{x:", 1000, "}'"),
    "ifs": blocks(["if x:"] * 1000, "pass"),
    "loops": blocks(["for x in x:"] * 1000, "pass"),
    "functions": blocks(["def f():"] * 1000, "pass"),
    "comprehensions": nested("[x for x in ", 1000, "]"),
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_too_deep_is_told_in_one_line_of_its_own_file(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "odd.py").write_text(f"{TENSOR}{DEEP[name]}")
    users = ("before.py", "user.py")
    for user in users:
        (tmp_path / user).write_text(f"import odd\nodd.f(odd.x)\n{HAZARD}")
    result = run(".", "--output-format", "concise")
    for user in users:
        assert f"{user}:7:12: SYN101" in result.out
        assert user not in result.err
    assert result.err == ""
    told = [line for line in result.out.splitlines() if "odd.py" in line]
    assert len(told) <= 1
    assert all("SYN000" in line or "SYN002" in line for line in told)


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("y = {deep}", "3:1"),
        ("def f(a): return {deep}", "3:11"),
        ("def f(a): return g(a)\ndef g(a): return {deep}", "4:11"),
    ],
)
def test_a_file_that_uses_deep_code_is_not_blamed_for_it(run: Synclint, tmp_path: Path, code: str, place: str) -> None:
    (tmp_path / "odd.py").write_text(TENSOR + code.format(deep="not " * 3000 + "x") + "\n")
    for user in ("before.py", "user.py"):
        (tmp_path / user).write_text(f"import odd\ny = odd.y\nodd.f(1)\n{HAZARD}")
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert f"odd.py:{place}: SYN002 analysis-limit: the rest of the file was not analysed: it is nested" in result.out
    assert (result.out.count("SYN101"), result.out.count("SYN002")) == (2, 1)


def test_a_long_way_of_imports_is_no_fault_of_the_files_on_it(run: Synclint, tmp_path: Path) -> None:
    count = 600
    for number in range(count):
        (tmp_path / f"m{number:04}.py").write_text(
            f"import torch\nimport m{number + 1:04}\ny = m{number + 1:04}.f()\ndef f(): return y\n"
        )
    (tmp_path / f"m{count}.py").write_text("import torch\ndef f(): return torch.zeros(3, device='cuda')\n" + HAZARD)
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert f"m{count}.py:7:12: SYN101" in result.out


def test_names_that_modules_import_from_one_another_end(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import X\n")
    (tmp_path / "b.py").write_text("from a import X\n")
    (tmp_path / "user.py").write_text(f"from a import X\ndef f(x: X, y: 'X') -> X: return X(x)\nf(X, X())\n{HAZARD}")
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
