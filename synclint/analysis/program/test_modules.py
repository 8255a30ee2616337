"""Which modules are tests: what they pass to a function says nothing of what it is given when the program runs."""

from __future__ import annotations

_FOLDERS = frozenset({"test", "tests"})


def is_test(module: str) -> bool:
    """Whether the module of this dotted name is one of tests, or helps them, as pytest and unittest name such files.

    A module that is just called ``test`` is none: in many projects that script runs a trained model.
    """
    *folders, last = module.split(".")
    if not _FOLDERS.isdisjoint(folders) or last in ("tests", "conftest"):
        return True
    return last.startswith("test_") or last.endswith("_test")
