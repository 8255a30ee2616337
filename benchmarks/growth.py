"""How the time of a check grows with a file that has much of one construct: ``python -m benchmarks.growth [NAME]...``.

Each construct is made twice, the second time twice as large. What counts is how often the time of
``libcst.parse_module`` the check takes, and the exponent of its growth: 1 where it is proportional to the size. Every
measurement is CPU time in this process, the shortest of a few.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
import libcst as cst

from synclint.config import Options
from synclint.running.runner import check_text

# Within which the analysis of every construct shall stay.
MOST_TIMES_LIBCST = 10.0
_START = "import torch\nx = torch.zeros(3, device='cuda')\n"
_ROUNDS = 3


def _lines(count: int, line: Callable[[int], str], indentation: int = 0) -> str:
    return "".join(f"{' ' * indentation}{line(number)}\n" for number in range(count))


def _function(body: str, parameters: str = "a, b") -> str:
    return f"def f({parameters}):\n{body}    return a\n"


def _blocks(count: int, head: Callable[[int], str], inner: str) -> str:
    lines = [*(head(number) for number in range(count)), inner]
    return "".join(f"{' ' * level}{line}\n" for level, line in enumerate(lines))


def _nested(count: int, opening: str, closing: str) -> str:
    return f"y = {opening * count}x{closing * count}\n"


@dataclass(frozen=True)
class Construct:
    """The source with ``count`` of something, and the count at which it is measured first."""

    source: Callable[[int], str]
    count: int


CONSTRUCTS: Mapping[str, Construct] = {
    "elements of a list": Construct(lambda n: f"y = [{', '.join(map(str, range(n)))}]\n", 5000),
    "tensors in a list": Construct(lambda n: f"y = [{'x, ' * n}]\n", 5000),
    "keys of a dictionary": Construct(
        lambda n: f"y = {{{', '.join(f'{k!r}: [{k}]' for k in map(str, range(n)))}}}\n", 5000
    ),
    "rows of a table": Construct(lambda n: f"y = [\n{_lines(n, lambda i: f'    [{i}, -1, x],')}]\n", 2500),
    "lines of a function": Construct(lambda n: _function(_lines(n, lambda i: f"v{i} = a + b.sum()", 4)), 2500),
    "lines of a module": Construct(lambda n: _lines(n, lambda i: f"v{i} = x + {i}"), 2500),
    "rebindings of a name": Construct(lambda n: _function(_lines(n, lambda i: "a = a.exp() + b", 4)), 2500),
    "calls around a name": Construct(lambda n: "def f(a): return a\n" + "x = f(x)\n" * n, 1000),
    "calls around an object": Construct(lambda n: "x = torch.nn.Sequential(x, x)\n" * n, 1000),
    "branches": Construct(lambda n: _function(_lines(n, lambda i: f"if a > {i}: b = a.sum()", 4)), 500),
    "branches that bind": Construct(lambda n: _function(_lines(n, lambda i: f"if a: v{i} = b.sum()", 4)), 500),
    "branches that leave": Construct(lambda n: _function(_lines(n, lambda i: f"if a == {i}: return b", 4)), 500),
    "branches of either kind": Construct(
        lambda n: _function(_lines(n, lambda i: f"if a: v{i} = b\n    else: w{i} = a", 4)), 500
    ),
    "elif": Construct(
        lambda n: _function("    if a: b = a\n" + _lines(n, lambda i: f"elif a == {i}: b = {i}", 4)), 2000
    ),
    "elif that bind": Construct(
        lambda n: _function("    if a: b = a\n" + _lines(n, lambda i: f"elif a == {i}: v{i} = b", 4)), 1000
    ),
    "cases": Construct(
        lambda n: _function("    match a:\n" + _lines(n, lambda i: f"case [{i}, c]: b = c.sum()", 8)), 2500
    ),
    "cases that bind": Construct(
        lambda n: _function("    match a:\n" + _lines(n, lambda i: f"case [v{i}]: b = a", 8)), 1000
    ),
    "handlers": Construct(
        lambda n: _function("    try: b = a\n" + _lines(n, lambda i: f"except E{i}: v{i} = a", 4)), 1000
    ),
    "tries": Construct(lambda n: _function(_lines(n, lambda i: f"try: v{i} = a\n    except E: v{i} = b", 4)), 500),
    "withs": Construct(lambda n: _function(_lines(n, lambda i: f"with a as v{i}: v{i} = b", 4)), 1000),
    "loops": Construct(lambda n: _function(_lines(n, lambda i: f"for v{i} in a: b = v{i}.sum()", 4)), 500),
    "lines of a loop": Construct(
        lambda n: _function("    for batch in loader:\n" + _lines(n, lambda i: f"v{i} = batch.sum().item()", 8)), 1000
    ),
    "values handed on in a loop": Construct(
        lambda n: _function("    for c in a:\n" + _lines(n, lambda i: f"v{i} = v{i + 1}", 8) + f"        v{n} = c\n"),
        1000,
    ),
    "breaks": Construct(
        lambda n: _function("    for c in a:\n" + _lines(n, lambda i: f"v{i} = c\n        if c: break", 8)), 500
    ),
    "continues": Construct(
        lambda n: _function("    for c in a:\n" + _lines(n, lambda i: f"v{i} = c\n        if c: continue", 8)), 500
    ),
    "functions that call one another": Construct(
        lambda n: _lines(n, lambda i: f"def f{i}(a): return f{(i + 1) % n}(a) + f{(i + 7) % n}(a)"), 100
    ),
    "functions that hand one another ever more": Construct(
        lambda n: _lines(
            n,
            lambda i: (
                f"def f{i}(a, b):\n    if a: return f{(7 * i + 1) % n}(b, [a])\n"
                f"    return f{(i + 3) % n}(a, (b, a)) or f{3 * i % n}({{'a': a}}, b)"
            ),
        ),
        100,
    ),
    "functions that call the next thrice": Construct(
        lambda n: _lines(n, lambda i: f"def f{i}(a): return f{i + 1}(a) + f{i + 1}(1) + f{i + 1}([a])"), 250
    ),
    "functions": Construct(lambda n: _lines(n, lambda i: f"def f{i}(a, b): return a.sum() + b"), 1000),
    "callers of one function": Construct(
        lambda n: "def f(a): return a.item()\n" + _lines(n, lambda i: f"def g{i}(a): return f(a)"), 1000
    ),
    "closures": Construct(lambda n: _blocks(n, lambda i: f"def f{i}(a{i}):", "return a0"), 45),
    "closures side by side": Construct(lambda n: _function(_lines(n, lambda i: f"def g{i}(c): return a + c", 4)), 500),
    "closures within lambdas": Construct(lambda n: _nested(n, "lambda: ", ""), 200),
    "closures with parameters within lambdas": Construct(lambda n: _nested(n, "lambda a: ", ""), 100),
    "parameters": Construct(lambda n: _function("    return p0\n", ", ".join(f"p{i}=None" for i in range(n))), 250),
    "arguments": Construct(lambda n: f"y = f({', '.join(f'p{i}=x' for i in range(n))})\n", 1000),
    "parameters and calls with arguments": Construct(
        lambda n: f"def f({', '.join(f'p{i}' for i in range(n))}): return p0\n" + f"f({'x, ' * n})\n" * 10, 250
    ),
    "methods": Construct(lambda n: "class C:\n" + _lines(n, lambda i: f"def m{i}(self, a): return a.sum()", 4), 1000),
    "methods that call the next": Construct(
        lambda n: "class C:\n" + _lines(n, lambda i: f"def m{i}(self, a): return self.m{i + 1}(a)", 4), 1000
    ),
    "attributes of an object": Construct(
        lambda n: (
            "class C:\n    def __init__(self, a):\n"
            + _lines(n, lambda i: f"self.v{i} = a.sum()", 8)
            + "    def forward(self):\n"
            + _lines(n, lambda i: f"self.v{i}.item()", 8)
        ),
        1000,
    ),
    "classes": Construct(
        lambda n: _lines(n, lambda i: f"class C{i}(torch.nn.Module):\n    def forward(self, a): return a"), 500
    ),
    "classes from the one before": Construct(
        lambda n: "class C0: pass\n" + _lines(n, lambda i: f"class C{i + 1}(C{i}):\n    def m(self, a): return a"), 250
    ),
    "classes of one base": Construct(
        lambda n: (
            "class C:\n    def f(self, a): return self.m(a)\n"
            + _lines(n, lambda i: f"class C{i}(C):\n    def m(self, a): return a")
        ),
        250,
    ),
    "classes that hand a tensor to what they inherit": Construct(
        lambda n: (
            "class C:\n"
            + _lines(20, lambda i: f"def m{i}(self, a): return self.m{i + 1}(a.sum())", 4)
            + _lines(n, lambda i: f"class C{i}(C):\n    def f(self, a: torch.Tensor): return self.m{i % 20}(a)")
        ),
        250,
    ),
    "modules of a container": Construct(
        lambda n: (
            "class L(torch.nn.Module):\n    def forward(self, a): return a > 0\n"
            "class C(torch.nn.Module):\n    def __init__(self):\n        self.all = torch.nn.ModuleList()\n"
            + _lines(n, lambda i: "self.all.append(L())", 8)
            + "    def forward(self, a: torch.Tensor):\n"
            + _lines(n, lambda i: f"a = self.all[{i}](a)", 8)
        ),
        250,
    ),
    # The time of libcst itself grows with more than the square of these.
    "calls in a chain": Construct(lambda n: f"y = x{'.abs()' * n}\n", 250),
    "attributes in a chain": Construct(lambda n: f"y = x{'.a' * n}\n", 500),
    "subscripts in a chain": Construct(lambda n: f"y = x{'[0]' * n}\n", 250),
    "terms of a sum": Construct(lambda n: f"y = x{' + x' * n}\n", 500),
    "operands of and": Construct(lambda n: f"y = a{' and b.c(x)' * n}\n", 2500),
    "operands of and that bind": Construct(
        lambda n: _function(f"    if {' and '.join(f'(v{i} := a)' for i in range(n))}: return v0\n"), 500
    ),
    "comparisons": Construct(lambda n: f"y = x{' < x' * n}\n", 2500),
    "conditions within one another": Construct(lambda n: f"y = {'1 if x else ' * n}2\n", 750),
    "negations": Construct(lambda n: f"y = {'not ' * n}x\n", 500),
    "texts and values in an f-string": Construct(lambda n: f"y = f'{'a {x}' * n}'\n", 500),
    "f-strings": Construct(lambda n: _lines(n, lambda i: "y = f'{x} {y:>{x}}'"), 1000),
    "lines of a text": Construct(lambda n: f"y = '''\n{'a word, and another one' * n}'''\n", 10_000),
    "comments": Construct(lambda n: _lines(n, lambda i: "# a comment about nothing"), 5000),
    "suppressions": Construct(lambda n: _lines(n, lambda i: "x.item()  # synclint: ignore[SYN201]"), 1000),
    "findings": Construct(lambda n: "for batch in loader:\n" + _lines(n, lambda i: "x.item()", 4), 1000),
    "findings on a line": Construct(lambda n: f"for batch in loader: y = [{'x.item(), ' * n}]\n", 500),
    "statements on a line": Construct(lambda n: "y = x; " * n + "\n", 2500),
    "imports": Construct(lambda n: _lines(n, lambda i: f"import a{i}.b\nfrom c{i} import d{i}"), 500),
    "names of an import": Construct(lambda n: f"from a import {', '.join(f'b{i}' for i in range(n))}\n", 2500),
    "annotations": Construct(lambda n: _lines(n, lambda i: f"v{i}: dict[str, list[int]] | None = None"), 1000),
    "options of a type": Construct(lambda n: f"def f(a: int{' | A' * n}): return a\n", 1000),
    "aliases of types": Construct(
        lambda n: "T0 = list[int]\n" + _lines(n, lambda i: f"T{i + 1} = tuple[T{i}, T{i}]"), 500
    ),
    "keys that are set": Construct(lambda n: "y = {}\n" + _lines(n, lambda i: f"y['k{i}'] = x"), 1000),
    "elements that are appended": Construct(lambda n: "y = []\n" + _lines(n, lambda i: "y.append(x)"), 1000),
    "targets of an unpacking": Construct(lambda n: f"{', '.join(f'v{i}' for i in range(n))} = x\n", 1000),
    "ifs within one another": Construct(lambda n: _blocks(n, lambda i: f"if a{i}:", "b = x"), 45),
    "loops within one another": Construct(lambda n: _blocks(n, lambda i: f"for a{i + 1} in a{i}:", "a0 = x"), 45),
    "withs within one another": Construct(lambda n: _blocks(n, lambda i: f"with a{i}:", "b = x"), 45),
    "classes within one another": Construct(lambda n: _blocks(n, lambda i: f"class C{i}:", "b = x"), 45),
    "comprehensions within one another": Construct(lambda n: _nested(n, "[a for a in ", "]"), 45),
    "elements of comprehensions within one another": Construct(lambda n: _nested(n, "[", " for a in x]"), 45),
    "dictionaries within one another": Construct(lambda n: _nested(n, "{a: a for a in ", "}"), 45),
    "calls within one another": Construct(lambda n: _nested(n, "torch.abs(", ")"), 45),
    "tests within one another": Construct(lambda n: _nested(n, "(not ", " and a or b)"), 45),
    "subscripts within one another": Construct(lambda n: _nested(n, "x[", "]"), 45),
}


@dataclass(frozen=True)
class Growth:
    """Seconds of CPU of the check and of the parser, at a count and at twice that."""

    checks: tuple[float, float]
    parsers: tuple[float, float]

    @property
    def times_libcst(self) -> float:
        """How many times as long as the parser the larger check takes."""
        return self.checks[1] / self.parsers[1]

    @property
    def exponent(self) -> float:
        """1 where the check takes twice as long for twice as much, 2 where four times."""
        return math.log2(self.checks[1] / self.checks[0])


def measure(construct: Construct, rounds: int = _ROUNDS) -> Growth:
    """Measure one construct."""
    sources = [_START + construct.source(count) for count in (construct.count, 2 * construct.count)]
    checks = [_seconds(_check, source, rounds) for source in sources]
    parsers = [_seconds(_parse, source, rounds) for source in sources]
    return Growth((checks[0], checks[1]), (parsers[0], parsers[1]))


def _check(source: str) -> None:
    check_text(source, Path("generated.py"), (), Options())


def _parse(source: str) -> None:
    with suppress(cst.ParserSyntaxError):
        cst.parse_module(source)


def _seconds(work: Callable[[str], None], source: str, rounds: int) -> float:
    def once() -> float:
        gc.collect()
        started = time.process_time()
        work(source)
        return time.process_time() - started

    gc.disable()
    try:
        return max(min(once() for _ in range(rounds)), 1e-6)
    finally:
        gc.enable()


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--rounds", type=click.IntRange(min=1), default=_ROUNDS, show_default=True, help="How often all is run.")
def main(names: tuple[str, ...], rounds: int) -> None:
    """Measure how the time of a check grows with each construct whose name contains a NAME; by default with all."""
    measured = (name for name in CONSTRUCTS if not names or any(part in name for part in names))
    report(measured, rounds)


def report(names: Iterable[str], rounds: int) -> None:
    """Print one line for each construct as soon as it is measured."""
    click.echo(f"{'construct':<46} {'count':>6} {'check':>8} {'libcst':>8} {'ratio':>6} {'exponent':>9}")
    _check(_START)  # the catalogue and the tables are read once
    for name in names:
        construct = CONSTRUCTS[name]
        growth = measure(construct, rounds)
        sign = "  !" if growth.times_libcst > MOST_TIMES_LIBCST else ""
        click.echo(
            f"{name:<46} {2 * construct.count:>6} {growth.checks[1]:>7.3f}s {growth.parsers[1]:>7.3f}s"
            f" {growth.times_libcst:>6.1f} {growth.exponent:>9.2f}{sign}"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.growth")
