"""Which lines of a case claim to wait, and to which statement a line belongs."""

from __future__ import annotations

import ast

from synclint.verify.source_lines import marked_lines, public_functions, statement_starts


def starts(source: str) -> dict[int, int]:
    return statement_starts(ast.parse(source))


def test_a_marker_names_its_codes() -> None:
    assert marked_lines("a = 1\nb = x.item()  # sync: SYN201\nc = y[m]  # sync: SYN103, SYN201\n") == {
        2: ("SYN201",),
        3: ("SYN103", "SYN201"),
    }


def test_a_marker_within_a_string_marks_nothing() -> None:
    assert marked_lines('text = "x.item()  # sync: SYN201"\n') == {}


def test_a_comment_that_goes_on_is_no_marker() -> None:
    assert marked_lines("x.item()  # sync: SYN201 happens only here\n") == {}


def test_every_line_of_a_call_belongs_to_its_first() -> None:
    found = starts("total = f(\n    a,\n    b,\n)\n")
    assert {found[line] for line in (1, 2, 3, 4)} == {1}


def test_the_body_of_a_loop_is_not_its_header() -> None:
    found = starts("for a in range(\n    3\n):\n    f(a)\n    g(\n        a)\n")
    assert [found[line] for line in (1, 2, 4, 5, 6)] == [1, 1, 4, 5, 5]


def test_statements_after_else_are_their_own() -> None:
    found = starts("if a:\n    f()\nelse:\n    g()\n")
    assert (found[2], found[4]) == (2, 4)


def test_cases_of_a_match_are_their_own_statements() -> None:
    found = starts("match a:\n    case 1:\n        f()\n    case _:\n        g()\n")
    assert (found[1], found[3], found[5]) == (1, 3, 5)


def test_case_functions_are_public_and_not_inputs() -> None:
    tree = ast.parse("def inputs(device): ...\ndef _helper(): ...\ndef loss(x): ...\nclass C:\n    def m(self): ...\n")
    assert public_functions(tree) == ("loss",)
