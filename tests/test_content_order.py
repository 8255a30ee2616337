"""Files are ordered by what they define: neither their names nor the order of their definitions has a part in it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from synclint.analysis.program.content_order import (
    content_key,
    definitions_in,
    length_without_imports,
    own_lines,
)
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, SurveyedFiles
from synclint.sources.kept_texts import kept

IMPORTS = "import torch\nfrom .{other} import helper\n\n"
DEFINITIONS = (
    "def second(x):\n    return helper(x)\n\n",
    "class First:\n    async def step(self):\n        pass\n\n",
    "def third():\n    def within():\n        pass\n\n",
)


@pytest.mark.parametrize("order", list(permutations(DEFINITIONS)))
@pytest.mark.parametrize("other", ["a", "z_longer_name"])
def test_other_orders_and_other_names_of_files_leave_the_order_of_files(order: tuple[str, ...], other: str) -> None:
    source = IMPORTS.format(other=other) + "".join(order)
    before = IMPORTS.format(other="utils") + "".join(DEFINITIONS)
    assert definitions_in(source) == ("First", "second", "step", "third", "within")
    assert own_lines(source) == own_lines(before)
    assert content_key(source) == content_key(before)
    assert length_without_imports(source) == length_without_imports(before)


def test_files_that_define_the_same_are_told_apart_by_their_lines() -> None:
    one, other = "def main():\n    train()\n", "def main():\n    evaluate()\n"
    assert definitions_in(one) == definitions_in(other)
    assert content_key(one) != content_key(other)


def test_a_word_that_begins_no_definition_is_none() -> None:
    assert definitions_in("# def no():\nclassify = 1\nx = 'class C'\nundef y\n") == ()


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def predef (x): pass\n", ("predef",)),
        ("class Undef (Base):\n\tasync def run(self): pass\n", ("Undef", "run")),
        ("async  def two_spaces(): pass\nawait def no\n", ()),
        ("x = 1; def behind(): pass\n  \n\n    def indented(): pass", ("indented",)),
    ],
)
def test_a_definition_is_a_keyword_with_which_a_line_begins(source: str, names: tuple[str, ...]) -> None:
    assert definitions_in(source) == names


def _files(names: list[str], folder: str) -> list[CodeFile]:
    """Files with two definitions each, of about 40 kB, that are called so."""
    paths = [Path(folder, f"{name}.py") for name in names]
    imports = "".join(f"from .{name} import f{number}\n" for number, name in enumerate(names))
    body = "    x = 1  # so much to say\n" * 1500
    return [
        CodeFile(path, path, kept(f"{imports}def f{number}():\n{body}def g{number}():\n{body}"))
        for number, path in enumerate(paths)
    ]


def test_the_names_of_files_move_no_border_between_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.running.shares.SHARE_BYTES", 300_000)
    names = [f"m{number}" for number in range(20)]
    others = [f"{name}_{'longer' * (number % 7)}" for number, name in enumerate(reversed(names))]

    def divided(files: list[CodeFile]) -> list[list[tuple[str, ...]]]:
        return [[file.definitions for file in share] for share in shares_of(SurveyedFiles(tuple(files)))]

    expected = divided(_files(names, "package"))
    assert len(expected) > 2
    assert divided(_files(others, "package")) == expected


def test_files_of_one_folder_stay_together() -> None:
    files = [file for folder in ("b", "a", "c") for file in _files(["one", "two"], folder)]
    (share,) = shares_of(SurveyedFiles(tuple(files)))
    assert [file.path.parent.name for file in share] == ["a", "a", "b", "b", "c", "c"]
