"""Which modules are tests: what they pass to a function says nothing of what it is given when the program runs."""

from __future__ import annotations

import re
from collections.abc import Callable

_FOLDERS = frozenset({"test", "tests"})
# What pytest and unittest collect, and what compares results: `train_test.py` may also train and test a model.
_COLLECTED = re.compile(
    r"^(?:async[ \t]+)?def[ \t]+test_\w|^class[ \t]+Test\w|\b(?:unittest|pytest|absltest|TestCase)\b"
    r"|assert_close|allclose|assert_array",
    re.MULTILINE,
)
_ASSERTS = re.compile(r"^[ \t]*assert\b", re.MULTILINE)


def is_test(module: str, checks: Callable[[], bool]) -> bool:
    """Whether a module is one of tests, or helps them, by its dotted name, and by whether its text ``checks`` anything.

    Of the files that pytest and unittest look at, those are none that do not. Nor is one that is just called ``test``:
    in many projects that script runs a trained model.
    """
    *folders, last = module.split(".")
    if not _FOLDERS.isdisjoint(folders) or last in ("tests", "conftest"):
        return True
    return (last.startswith("test_") or last.endswith("_test")) and checks()


def checks_results(source: str) -> bool:
    """Whether a text has what is collected as a test, or checks results; what trains may assert what it needs."""
    if _COLLECTED.search(source) is not None:
        return True
    return not holds_training(source) and _ASSERTS.search(source) is not None


def holds_training(source: str) -> bool:
    """Whether a text goes back through a model, or steps something."""
    return "backward(" in source or ".step(" in source
