"""Which loops are run again: those of which a round may read what the one before it has made."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from test_analysis_growth import START, statements_run

from synclint.analysis.syntax.carried_names import captured_names, carried_names
from synclint.analysis.syntax.walk import walk


@pytest.mark.parametrize(
    ("loop", "carried"),
    [
        ("for x in xs:\n    y = x\n    z = y", set()),
        ("for x in xs:\n    z = y\n    y = x", {"y"}),
        ("for x in xs:\n    y += x", {"y"}),
        ("for x in xs:\n    y.append(x)", {"y"}),
        ("for x in xs:\n    y.a = x", {"y"}),
        ("for x in xs:\n    if x:\n        y = x\n    z = y", {"y"}),
        ("for x in xs:\n    if x:\n        y = x\n    else:\n        y = 1\n    z = y", set()),
        ("for x in xs:\n    if x:\n        continue\n    else:\n        y = 1\n    z = y", set()),
        ("for x in xs:\n    for y in x:\n        z = y\n    w = z", {"z"}),
        ("for x in xs:\n    try:\n        y = x\n    except E as e:\n        z = e\n    w = y", {"y", "E"}),
        ("for x in xs:\n    with x as y:\n        z = y\n    w = z", set()),
        ("for x in xs:\n    f = lambda: y\n    y = x\n    f()", {"y"}),
        ("for x in xs:\n    def f():\n        return y\n    y = x\n    f()", {"y"}),
        ("for x in xs:\n    y = [a for a in x if b]", {"b"}),
        ("for x in xs:\n    y = [x for x in x]", set()),
        ("while x:\n    x = y\n    y = z", {"x", "y", "z"}),
        ("while a and (x := f()):\n    y = x", {"a", "f", "x"}),
        ("for x in xs:\n    match x:\n        case [y]:\n            z = y\n    w = z", {"x", "y", "z"}),
        ("for x in xs:\n    del y", {"y"}),
    ],
)
def test_a_round_has_from_the_one_before_what_it_reads_before_it_binds_it(loop: str, carried: set[str]) -> None:
    (node,) = ast.parse(loop).body
    assert isinstance(node, (ast.For, ast.While))
    assert carried_names(node) == carried


def test_functions_within_a_function_may_read_its_names_whenever_they_are_called() -> None:
    tree = ast.parse("x = a\ndef f(b):\n    return lambda: b + c\ng = lambda d: d\n")
    assert captured_names(walk(tree)) == {"b", "c", "d"}


def test_a_loop_is_run_once_where_its_rounds_have_nothing_from_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loop(last: str) -> str:
        return f"{START}def f(xs):\n    for x in xs:\n        y = x\n        z = y\n        {last}\n"

    once = statements_run(loop("w = z"), tmp_path, monkeypatch)
    again = statements_run(loop("w = v; v = z"), tmp_path, monkeypatch)
    assert again > once + 4


def test_calls_that_a_widened_context_takes_in_run_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def calls(count: int) -> str:
        lines = "".join(f"f('{number}')\n" for number in range(count))
        return f"{START}def f(name):\n    x = torch.zeros(3)\n    return x, name\n{lines}"

    few, many = (statements_run(calls(count), tmp_path, monkeypatch) for count in (7, 30))
    assert many - few == 30 - 7  # the calls themselves
