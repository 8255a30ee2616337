"""Following a function line by line."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

import pytest

from synclint.verify.line_hook import ReachedLines, observing_lines
from synclint.verify.source_lines import statement_starts

NAME = "observed_case.py"


class Log:
    def __init__(self) -> None:
        self.entries: list[str] = []

    def enter(self, line: int) -> None:
        self.entries.append(f"+{line}")

    def leave(self, line: int) -> None:
        self.entries.append(f"-{line}")


def follow(source: str, call: str = "case()") -> list[str]:
    names: dict[str, Callable[[], object]] = {}
    exec(compile(source, NAME, "exec"), names)
    log = Log()
    with observing_lines(NAME, statement_starts(ast.parse(source)), log):
        eval(call, names)
    return log.entries


def test_lines_come_one_after_the_other() -> None:
    assert follow("def case():\n    a = 1\n    return a\n") == ["+2", "-2", "+3", "-3"]


def test_a_statement_over_several_lines_is_one() -> None:
    source = "def case():\n    a = max(\n        1,\n        2,\n    )\n    return a\n"
    assert follow(source) == ["+2", "-2", "+6", "-6"]


def test_the_lines_of_a_helper_lie_within_the_line_that_calls_it() -> None:
    source = "def _helper():\n    return 1\ndef case():\n    a = _helper()\n    return a\n"
    assert follow(source) == ["+4", "+2", "-2", "-4", "+5", "-5"]


def test_a_loop_enters_its_body_anew_each_time() -> None:
    entries = follow("def case():\n    for k in range(2):\n        a = k\n")
    assert entries.count("+3") == entries.count("-3") == 2


def test_a_line_left_by_an_exception_is_left() -> None:
    source = (
        "def _helper():\n    raise ValueError\n"
        "def case():\n    try:\n        _helper()\n    except ValueError:\n        pass\n"
    )
    entries = follow(source)
    assert entries.index("-2") < entries.index("-5")
    assert sorted(e[1:] for e in entries if e[0] == "+") == sorted(e[1:] for e in entries if e[0] == "-")


def test_other_files_are_not_followed() -> None:
    assert follow("import json\ndef case():\n    return json.dumps([1])\n") == ["+3", "-3"]


def test_the_trace_function_is_put_back_after_an_exception() -> None:
    before = sys.gettrace()
    with pytest.raises(KeyError), observing_lines(NAME, {}, ReachedLines()):
        raise KeyError
    assert sys.gettrace() is before


def test_reached_lines_are_those_that_ran() -> None:
    source = "def case(a):\n    if a:\n        return 1\n    return 2\n"
    names: dict[str, Callable[[bool], int]] = {}
    exec(compile(source, NAME, "exec"), names)
    reached = ReachedLines()
    with observing_lines(NAME, statement_starts(ast.parse(source)), reached):
        names["case"](False)
    assert reached.lines == {2, 4}
