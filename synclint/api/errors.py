"""The errors of synclint when it is called from Python: each message is one line, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synclint.api.records import Finding


class SynclintError(Exception):
    """The base class of all errors of synclint."""


class SettingsError(SynclintError, ValueError):
    """A setting, a configuration file or a baseline that cannot be used."""


class UnknownRuleError(SynclintError, LookupError):
    """There is no rule of this code or name."""


class ExecutorError(SynclintError, RuntimeError):
    """An executor did not run its tasks: its workers have died, or do not see the same files as the caller."""


class FilesNotCheckedError(SynclintError, OSError):
    """Paths do not exist, or cannot be read.

    ``problems`` has a sentence for each of them, and ``findings`` contains what was found in all other files.
    """

    def __init__(self, problems: Sequence[str], findings: Sequence[Finding] = ()) -> None:
        self.problems = tuple(problems)
        self.findings = list(findings)
        super().__init__(_one_line(self.problems))

    def __str__(self) -> str:
        """The first problem, and the number of others."""
        return _one_line(self.problems)

    def __reduce__(self) -> tuple[type[FilesNotCheckedError], tuple[tuple[str, ...], list[Finding]]]:
        """How it is pickled, since workers may raise it in another process."""
        return type(self), (self.problems, self.findings)


def _one_line(problems: Sequence[str]) -> str:
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0]}{more}"
