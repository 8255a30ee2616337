"""Code on other lines is the code that it was: nothing is analysed again, and all is found where it stands now."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from command_line import Synclint

from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Observations
from synclint.analysis.syntax.edited_lines import edited_lines
from synclint.analysis.syntax.moved_code import moved_code
from synclint.analysis.syntax.walk import walk
from synclint.running.same_code import same_code_elsewhere

CODE = '''\
"""A module."""
import torch  # the library


def half(x,
         y):
    """Half of it.

    x (Tensor): what is halved
    """
    # a comment
    if x > 0:
        return (x +
                y) / 2
    text = """one
two"""
    return x + \\
        len(text)
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# a comment", "# another one\n\n    # and one more"),
        ("    # a comment\n", ""),
        ("# the library", ""),
        ("(x +\n", "(x +  # within brackets\n                # and another\n"),
        ("x,\n", "x,\n\n"),
        ('"""A module."""', '"""A module.\n\nWith more to it.\n"""'),
        ("Half of it.\n\n", "Half of it.\n\n    And no more.\n"),
        ("import torch", "\n# where it begins\nimport torch"),
        ("len(text)\n", "len(text)\n\n\n# the end\n"),
    ],
)
def test_comments_blank_lines_and_docstrings_are_no_code(old: str, new: str) -> None:
    after = CODE.replace(old, new)
    found = moved_code(CODE, after)
    assert after != CODE
    assert found is not None
    for one, other in zip(walk(ast.parse(CODE)), walk(ast.parse(after)), strict=True):
        assert type(one) is type(other)
        assert found.lines(getattr(one, "lineno", 0)) == getattr(other, "lineno", 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x > 0", "x >  0"),
        ("x > 0", "x > 1"),
        ("one\ntwo", "one\n\ntwo"),
        ("x + \\\n", "x + \\\n\\\n"),
        ("x,\n         y", "x,\n          y"),
        ("x +\n                y", "x + y"),
        ("    return x", "\treturn x"),
        ("import torch", "import torch, sys"),
        ("    text = ", "    if x:\n        pass\n    text = "),
        ('"""A module."""\n', ""),
        ('"""A module."""', '("A module.")'),
        ("# a comment", "a comment"),
        ("len(text)\n", "len(text)\n\f\n"),
        ("len(text)\n", "len(text\n"),
    ],
)
def test_all_else_is_code(old: str, new: str) -> None:
    after = CODE.replace(old, new)
    assert after != CODE
    assert moved_code(CODE, after) is None


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("a = 1\n", "a = 1  # one\n", True),
        ("a = 1 # one\n", "a = 1\n", True),
        ("# one\na = 1\n", "  # two\na = 1\n", True),
        ("\na = 1\n", "#\na = 1   \n", True),
        ("a = '#'\n", "a = '# b'\n", False),
        ("a = 1\n", "a = 12 # one\n", False),
        ("a = 1 # one\n", "# a = 1\n", False),
        ("a = 1\n", "\na = 1\n", False),
        ('a = """\nb\n"""\n', 'a = """\nb # c\n"""\n', False),
        ("a = 1 + \\\n 2\n", "a = 1 + # b\n 2\n", False),
        ("a = (1 +\n 2)\n", "a = (1 + # b\n 2)\n", True),
        ("if (:\n", "if (: # b\n", False),
        ("a = 1\n", "a = 1\n# one\n", True),
        ("a = 1", "a = 1\n\n  # one\n", True),
        ("a = 1\n# one\n\n", "a = 1\n", True),
        ("", "# one\n", True),
        ("a = 1\n", "a = 1\nb = 2\n", False),
        ("a = 1\nb = 2\n", "a = 1\n", False),
        ("a = 1\n", "", False),
        ("a = 1 + \\\n", "a = 1 + \\\n# one\n", False),
        ('a = """\n', 'a = """\n# one\n', False),
        ('a = """\nb\n"""\n', 'a = """\n', False),
    ],
)
def test_texts_of_the_same_code_differ_in_comments_and_spaces_at_the_ends_of_lines(
    before: str, after: str, same: bool
) -> None:
    found = moved_code(before, after)
    assert (found is not None and found.is_in_place) == same


@pytest.mark.parametrize(
    "new",
    [
        "x (int): what is halved",  # which says what a parameter is
        ">>> half(1, 2)",  # which shows it to others
    ],
)
def test_a_docstring_that_tells_something_else_is_code(new: str) -> None:
    assert same_code_elsewhere(CODE, CODE.replace("Half of it", "The half")) is not None
    assert same_code_elsewhere(CODE, CODE.replace("x (Tensor): what is halved", new)) is None


def test_one_answer_does_not_depend_on_those_before() -> None:
    old = 'def f(x):\n    """Take a number."""\n    return x\n'
    new = old.replace("a number", "a tensor")
    edited = f"# what it takes\n{new.replace('return x', 'return x + 1')}"
    first, lines = moved_code(old, new), edited_lines(old, edited)
    assert first is not None and first.docstrings == (("Take a number.", "Take a tensor."),)
    assert lines is not None
    assert moved_code(old, new) == first
    assert moved_code(edited, edited) is not None
    assert edited_lines(old, edited) == lines


@pytest.mark.parametrize("comment", ["# self.kept = 1", "# scaler.scale(loss).backward()", "# from the DataLoader"])
def test_a_comment_that_a_pattern_takes_for_code_is_code(comment: str) -> None:
    assert same_code_elsewhere(CODE, CODE.replace("# a comment", comment)) is None


NEEDS = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x[mask.bool()]
        helpers = [lambda: x.item(), lambda: x.cpu()]
        for helper in helpers:
            helper()
        return x.sum()


def train(model: Model, loader, optimizer):
    graph = torch.cuda.CUDAGraph()
    for batch in loader:
        loss = model(
            batch.cuda(),  # on the device
        )
        with torch.cuda.graph(graph):
            print(loss.item())
        loss.backward()
        optimizer.step()
"""


def observed(path: Path, source: str) -> Observations:
    path.write_text(source)
    project = ProjectAnalysis([path.parent], fixable=frozenset({"upload", "item"}))
    project.analyse(path, source)
    return project.observations()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import torch\n", "# at the top\n" * 95 + "import torch\n"),
        ("        helpers", "        # what helps\n\n        helpers"),
        ("# on the device", "# there\n            # and nowhere else"),
        ("optimizer):\n", "optimizer):\n    # the loop\n\n"),
        ("        loss.backward()", "\n\n        # backward\n        loss.backward()"),
    ],
)
def test_what_was_seen_is_what_would_be_seen_on_the_new_lines(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "train.py"
    before = observed(path, NEEDS)
    after = NEEDS.replace(old, new)
    code = same_code_elsewhere(NEEDS, after)
    assert code is not None
    assert moved(before, MovedFile(str(path), str(path), code.lines)) == observed(path, after)
    assert before.events


def test_messages_quote_no_comments(run: Synclint, tmp_path: Path) -> None:
    source = "import torch\n\n\ndef f(x: torch.Tensor):\n    return bool(\n        x  # one '\n        + 1\n    )\n"
    (tmp_path / "a.py").write_text(source)
    assert "`x + 1`" in run(".", "--cold").out
