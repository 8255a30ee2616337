"""Who may be concerned by names that an edit changes in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from synclint.analysis.syntax.edited_lines import edited_lines
from synclint.running.mentions_elsewhere import concerns_others
from synclint.running.survey import CodeFile
from synclint.sources.kept_texts import kept

NET = "import torch\n\n\nclass Net:\n    size = 1\n\n    def grow(self, x):\n        return x + self.size\n"


def concerned(folder: Path, after: str, others: dict[str, str], name: str = "net.py") -> bool:
    """Whether other files may be concerned where the text of a file is another one."""
    for other, text in others.items():
        (folder / other).write_text(text)
    path = folder / name
    files = [CodeFile(path, path, kept(text)) for text in (NET, after)]
    lines = edited_lines(NET, after)
    assert lines is not None
    return concerns_others(files[0], files[1], lines, [str(path), *(str(folder / other) for other in others)])


@pytest.mark.parametrize(
    ("other", "is_concerned"),
    [
        ("import math, net\n\nx = math.pi, net.Net\n", False),  # its own
        ("import net\n\nx = net.math\n", True),
        ("from net import Net, math\n", True),
        ("from .net import (\n    Net,\n    math,\n)\n", True),
        ("from other import math\nfrom net import Net\n", False),
        ("from a import n\n\nx = n.math\n", True),  # the module, by what the other file calls it
        ("from a import ops\n\nx = ops.math\n", True),
        ("from a import other\n\nx = other.math\n", False),
        ("import net\n\nx = getattr(net, 'math')\n", True),
        ("x = getattr(n, 'math')\n", True),
        ("x = getattr(other, 'math')\n", False),
        ("x = patch('net.math')\n", True),
        ("x = 'math and more'\n", False),
        ('"""Formulas.\n\n.. math:: x\n"""\n', False),
    ],
)
def test_an_import_concerns_those_who_take_it_from_there(tmp_path: Path, other: str, *, is_concerned: bool) -> None:
    others = {"other.py": other, "a.py": "from . import net as n, other\n\nops = here.net\n"}
    assert concerned(tmp_path, f"import math\n{NET}", others) is is_concerned


def test_what_a_package_imports_concerns_others(tmp_path: Path) -> None:
    assert concerned(tmp_path, f"import math\n{NET}", {}, "__init__.py")


@pytest.mark.parametrize(("other", "is_concerned"), [("x = shrink\n", True), ("x = shrunk\n", False)])
def test_a_function_concerns_whoever_mentions_its_name(tmp_path: Path, other: str, *, is_concerned: bool) -> None:
    assert concerned(tmp_path, f"{NET}\n\ndef shrink(x):\n    return x\n", {"other.py": other}) is is_concerned
    method = f"{NET}\n    def shrink(self, x):\n        return x\n"
    assert concerned(tmp_path, method, {"other.py": other}) is is_concerned


def test_an_attribute_that_anything_in_the_file_is_asked_for_concerns_others(tmp_path: Path) -> None:
    assert not concerned(tmp_path, NET.replace("size = 1", "size = 2"), {})
    assert concerned(tmp_path, NET.replace("size = 1", "size = 2").replace("self.size", "x.size"), {})


@pytest.mark.parametrize(
    ("other", "text", "is_concerned"),
    [
        ("other.py", "class First:\n    def grow(self): ...\n\n    def grown(self): ...\n", False),
        ("other.py", "class Net:\n    def grow(self): ...\n\n    def grown(self): ...\n", True),
        ("other.py", "class Neta: ...\n", False),
        ("aside/other.py", "def grow(): ...\n\ndef grown(): ...\n\nclass Net: ...\n", True),  # of one name
        ("aside/other.py", "def zoom(): ...\n\nclass Net: ...\n", False),  # stays behind
        ("aside/other.py", "class Other: ...\n", False),
    ],
)
def test_what_takes_another_place_among_others_concerns_them(
    tmp_path: Path, other: str, text: str, *, is_concerned: bool
) -> None:
    (tmp_path / "aside").mkdir()
    assert concerned(tmp_path, f"{NET}\n\ndef shrink(x):\n    return x\n", {other: text}) is is_concerned
