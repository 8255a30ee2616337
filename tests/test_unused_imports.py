"""Imports that go with the last thing that used them, and those that stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from synclint.fixes.unused_imports import without_unused_imports


def left_of(before: str, path: str = "train.py", others: Sequence[str] = ()) -> str:
    """What is left of a program once what uses ``math`` and ``F`` has become something that names nothing."""
    after = before.replace("math.inf + F.pi", "0")
    return without_unused_imports(Path(path), before, after, lambda: others)


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ("import math\nimport torch.nn.functional as F\n", ""),
        ("import os\nimport math\n\nfrom torch.nn import functional as F\n\nimport re\n", "import os\n\nimport re\n"),
        ("import math, os\nfrom torch.nn import functional as F, Module\n", "import os\nfrom torch.nn import Module\n"),
        ("import os, math\nfrom torch.nn import (\n    Module,\n    functional as F,\n)\n",
         "import os\nfrom torch.nn import (\n    Module,\n)\n"),
    ],
)  # fmt: skip
def test_of_an_import_what_is_still_used_stays(imports: str, left: str) -> None:
    rest = "\nprint(os, re, Module)\n"
    assert left_of(f"{imports}{rest}x = math.inf + F.pi\n") == f"{left}{rest}x = 0\n"


@pytest.mark.parametrize(
    "program",
    [
        "import math\nfrom torch.nn import functional as F\nprint(math.pi, F)\n",
        "import math\nfrom torch.nn import functional as F\n__all__ = ['F', 'math']\n",
        "import math  # noqa: F401\nfrom torch.nn import (  # ours\n    functional as F,\n)\n",
        "import math as math\nfrom torch.nn import F as F\n",
        "import mathematics as math\nfrom ours import F\n",
        "from . import math, F\n",
        "def of(x: 'math.Number') -> 'F':\n    import math\n    return x\nfrom ours import F\n",
        "try:\n    import math\n    import torch.nn.functional as F\nexcept ImportError:\n    pass\n",
        "import os; import math\nimport torch.nn.functional as F; F.sigmoid\n",
    ],
)
def test_what_others_use_or_somebody_has_commented_on_stays(program: str) -> None:
    assert left_of(f"{program}x = math.inf + F.pi\n") == f"{program}x = 0\n"


def test_what_a_package_imports_is_for_others_and_what_was_unused_before_is_not_ours() -> None:
    program = "import math\nimport torch.nn.functional as F\nimport os\nx = math.inf + F.pi\n"
    assert left_of(program, "package/__init__.py") == program.replace("math.inf + F.pi", "0")
    assert left_of(program) == "import os\nx = 0\n"


@pytest.mark.parametrize(
    ("other", "is_left"),
    [
        ("from train import *\n", True),
        ("from .train import step, math\n", True),
        ("from ours.train import (\n    step,\n    math,\n)\n", True),
        ("import train\n\nprint(train.math.pi)\n", True),
        ("from trainers import *\nfrom train import step\n\nprint(math)\n", False),
    ],
)
def test_what_another_file_takes_from_this_one_stays(other: str, is_left: bool) -> None:
    program = "import math\nx = math.inf + F.pi\n"
    left = left_of(program, others=["import os\n", other])
    assert left == ("import math\nx = 0\n" if is_left else "x = 0\n")
