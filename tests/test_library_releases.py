"""Summaries of several releases, joined: since when a call waits, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from synclint.analysis.models.versions import is_within
from synclint.libraries.releases import joined


def summary(version: str, **functions: tuple[str, ...]) -> dict[str, Any]:
    """The summary of a release: the code that waits in each of its functions."""
    rows = {
        f"lib.{name}": {"parameters": ["x"], "waits": [{"code": code, "place": f"lib.py:{version}", "of": ["x"]}]}
        for name, codes in functions.items()
        for code in codes
    }
    document: dict[str, Any] = {"library": "lib", "version": version, "functions": rows, "returns": {}, "modules": []}
    return {**document, "constructors": {}, "aliases": {}}


def ranges(*summaries: dict[str, Any]) -> dict[str, list[tuple[str, Any, Any]]]:
    """For each function the code that waits, since when, and until when."""
    return {
        name.removeprefix("lib."): [(wait["code"], wait.get("since"), wait.get("until")) for wait in row["waits"]]
        for name, row in joined(summaries)["functions"].items()
    }


def test_a_wait_has_the_range_of_the_releases_in_which_it_is() -> None:
    old = summary("1.0", always=("x.item()",), gone=("x.cpu()",), back=("x.max()",))
    between = summary("1.5", always=("x.item()",), new=("x.tolist()",), passing=("x.min()",))
    newest = summary("2.0", always=("x.item()",), new=("x.tolist()",), back=("x.max()",))
    assert ranges(old, between, newest) == {
        "always": [("x.item()", None, None)],
        "new": [("x.tolist()", "1.5", None)],
        "gone": [("x.cpu()", None, "1.0")],
        "passing": [("x.min()", "1.5", "1.5")],
        "back": [("x.max()", "2.0", None)],
    }


def test_a_single_release_is_told_as_it_is() -> None:
    one = summary("1.0", only=("x.item()",))
    assert joined([one]) == one


def test_the_releases_that_were_compared_are_told() -> None:
    assert joined([summary("1.0"), summary("2.0")])["compared"] == ["1.0"]


@pytest.mark.parametrize(
    ("since", "until", "used", "expected"),
    [
        (None, None, None, True),
        ("1.5", None, None, True),
        (None, "1.0", None, False),
        ("1.5", None, "1.4", False),
        ("1.5", None, "1.5", True),
        (None, "1.0", "1.0", True),
        (None, "1.0", "1.0.3", True),
        (None, "1.0", "1.2", False),
    ],
)
def test_a_range_holds_for_the_release_in_use(
    since: str | None, until: str | None, used: str | None, expected: bool
) -> None:
    assert is_within(since, until, used) is expected
