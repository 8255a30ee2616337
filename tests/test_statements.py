"""In which statement a line stands, and what hangs on its test."""

from __future__ import annotations

import pytest

from synclint.findings import Position
from synclint.results.statements import Decides, Statement, Statements

SOURCE = """\
import torch


class Loss:
    @torch.no_grad()
    def forward(self, x):
        total = (
            x.sum()
            + x.mean()
        )
        for row in x:
            total += row
        try:
            pass
        except ValueError:
            total = 0
        return total
"""


@pytest.mark.parametrize(
    ("line", "first", "last", "function"),
    [(1, 1, 1, ""), (9, 7, 10, "Loss.forward"), (11, 11, 11, "Loss.forward"), (12, 12, 12, "Loss.forward"),
     (5, 5, 6, "Loss"), (16, 16, 16, "Loss.forward"), (15, 15, 15, "Loss.forward"), (2, 2, 2, "")],
)  # fmt: skip
def test_a_line_belongs_to_its_innermost_statement(line: int, first: int, last: int, function: str) -> None:
    found = Statements(SOURCE).at(Position(line, 1))
    assert (found.first, found.last, found.function) == (first, last, function)


def test_where_a_source_cannot_be_parsed_each_line_is_a_statement() -> None:
    assert Statements("def f(:\n  x\n").at(Position(2, 1)) == Statement(2, 2)


@pytest.mark.parametrize(
    ("code", "decides"),
    [
        ("y = 1", None),
        ("if c:\n  y = a", Decides.VALUES),
        ("if c:\n  y = a\nelse:\n  y += b", Decides.VALUES),
        ("if c:\n  return a\nreturn b", Decides.VALUES),
        ("if c:\n  return a\nelse:\n  return b", Decides.VALUES),
        ("if c:\n  return\nreturn b", Decides.ACTIONS),
        ("if c:\n  return None\nreturn b", Decides.ACTIONS),
        ("if c:\n  return a\nf()", Decides.ACTIONS),
        ("if c:\n  continue", Decides.ACTIONS),
        ("if c:\n  y = a\n  break", Decides.ACTIONS),
        ("if c:\n  f()", Decides.ACTIONS),
        ("if c:\n  mode = 'best'", Decides.ACTIONS),
        ("if c:\n  y = a\nelse:\n  f()", Decides.ACTIONS),
        ("if c:\n  raise ValueError", Decides.RAISE),
        ("if c:\n  y = a\nelse:\n  raise ValueError", Decides.RAISE),
        ("while c:\n  y = a", Decides.ACTIONS),
    ],
)  # fmt: skip
def test_what_hangs_on_a_test(code: str, decides: Decides | None) -> None:
    indented = "".join(f"  {line}\n" for line in code.splitlines())
    assert Statements(f"def f():\n for z in x:\n{indented}").at(Position(3, 3)).decides is decides


def test_the_filter_of_a_comprehension_decides_actions_and_its_other_parts_do_not() -> None:
    code = "kept = {'ä': [x.y for x in z if x.c]}"
    statements = Statements(code + "\n")
    assert statements.at(Position(1, code.index("x.c") + 1)).decides is Decides.ACTIONS
    assert statements.at(Position(1, code.index("x.y") + 1)).decides is None
