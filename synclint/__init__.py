"""Finds the lines of PyTorch code that make the CPU wait for the GPU, before the code runs.

``synclint.check_paths("src")`` and ``synclint.check_source(text)`` return findings, ``synclint.Project`` keeps a
project open, and ``synclint.explain("SYN101")`` returns the page of a rule: see ``synclint.api``. ``with
synclint.trace() as report:`` reports which lines of a block wait when it runs; see ``synclint.trace.blocks``.
``@synclint.sync_free`` declares that a function reaches no wait, and ``with synclint.sync_allowed("why"):`` accepts the
waits of a block; see ``synclint.regions``.

pytest rewrites no assertions here, PYTEST_DONT_REWRITE, nor warns where this was imported first, as by a tracer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synclint.version import __version__ as __version__

if TYPE_CHECKING:
    from synclint.api import Call as Call
    from synclint.api import Edit as Edit
    from synclint.api import ExecutorError as ExecutorError
    from synclint.api import FilesNotCheckedError as FilesNotCheckedError
    from synclint.api import Finding as Finding
    from synclint.api import Fix as Fix
    from synclint.api import Loop as Loop
    from synclint.api import Position as Position
    from synclint.api import Project as Project
    from synclint.api import RulePage as RulePage
    from synclint.api import SettingsError as SettingsError
    from synclint.api import SynclintError as SynclintError
    from synclint.api import UnknownRuleError as UnknownRuleError
    from synclint.api import check_paths as check_paths
    from synclint.api import check_source as check_source
    from synclint.api import explain as explain
    from synclint.regions import sync_allowed as sync_allowed
    from synclint.regions import sync_free as sync_free
    from synclint.trace.blocks import trace as trace

__all__ = [
    "Call",
    "Edit",
    "ExecutorError",
    "FilesNotCheckedError",
    "Finding",
    "Fix",
    "Loop",
    "Position",
    "Project",
    "RulePage",
    "SettingsError",
    "SynclintError",
    "UnknownRuleError",
    "__version__",
    "check_paths",
    "check_source",
    "explain",
    "sync_allowed",
    "sync_free",
    "trace",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used; ``trace`` is a package that can be called."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name == "trace":
        return import_module("synclint.trace")
    where = "synclint.regions" if name in ("sync_allowed", "sync_free") else "synclint.api"
    offered: object = getattr(import_module(where), name)
    globals()[name] = offered
    return offered


def __dir__() -> list[str]:
    """The public names, whether or not they have been imported."""
    return sorted({*globals(), *__all__})
