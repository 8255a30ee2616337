"""What the analysis does grows in proportion to the code; counted in statements run and ancestors looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.project import ProjectAnalysis

START = "import torch\n\n"


def diamonds(count: int) -> str:
    """Diamonds on top of one another, whose methods call ``super()``."""
    method = "    def f(self, x: torch.Tensor):\n        return super().f(x)\n"
    classes = ["class A0:\n    def f(self, x):\n        return x.sum()\n"]
    for i in range(count):
        classes += [f"class {name}:\n{method}" for name in (f"B{i}(A{i})", f"C{i}(A{i})", f"A{i + 1}(B{i}, C{i})")]
    return START + "".join(classes)


def ring(count: int) -> str:
    """Methods that call each other in a ring."""
    methods = [f"    def m{i}(self, x):\n        return self.m{(i + 1) % count}(x)\n" for i in range(count)]
    first = "    def forward(self, x: torch.Tensor):\n        return self.m0(x)\n"
    return START + "class C:\n" + "".join(methods) + first


def wide(count: int) -> str:
    """Classes of one base."""
    base = "class C:\n    def f(self, a):\n        return self.m(a)\n"
    return START + base + "".join(f"class C{i}(C):\n    def m(self, a):\n        return a\n" for i in range(count))


def statements_run(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    counted = 0
    count_statement = Engine.count_statement

    def count(engine: Engine) -> None:
        nonlocal counted
        counted += 1
        count_statement(engine)

    path = folder / "m.py"
    path.write_text(source)
    with monkeypatch.context() as patch:
        patch.setattr(Engine, "count_statement", count)
        ProjectAnalysis([folder]).check(path, source)
    return counted


@pytest.mark.parametrize("code", [diamonds, ring, wide], ids=lambda code: code.__name__)
def test_twice_as_much_code_is_about_twice_as_much_work(
    code: Callable[[int], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = statements_run(code(40), tmp_path, monkeypatch)
    large = statements_run(code(160), tmp_path, monkeypatch)
    assert large <= 4 * 1.5 * small
