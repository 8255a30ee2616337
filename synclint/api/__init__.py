"""What ``import synclint`` offers: checking from Python, and a project that stays open.

These names are also those of the package ``synclint`` itself, which imports them when they are first used.
"""

from synclint.api.checking import check_paths, check_source
from synclint.api.errors import ExecutorError, FilesNotCheckedError, SettingsError, SynclintError, UnknownRuleError
from synclint.api.pages import RulePage, explain
from synclint.api.projects import Project
from synclint.api.records import Call, Edit, Finding, Fix, Loop, Position

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
    "check_paths",
    "check_source",
    "explain",
]
