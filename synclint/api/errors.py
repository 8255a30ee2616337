"""What can go wrong when synclint is called from Python: each message is one line, ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synclint.api.records import Finding


class SynclintError(Exception):
    """What every error of synclint is."""


class SettingsError(SynclintError, ValueError):
    """A setting, a configuration file or a baseline that cannot be used."""


class UnknownRuleError(SynclintError, LookupError):
    """There is no rule of this code or name."""


class ExecutorError(SynclintError, RuntimeError):
    """An executor that did not run what it was given: its workers have died, or see other files than the caller."""


class FilesNotCheckedError(SynclintError, OSError):
    """Paths that are not there, or cannot be read.

    ``problems`` has a sentence for each of them, and ``findings`` is what was found in all other files.
    """

    def __init__(self, problems: Sequence[str], findings: Sequence[Finding] = ()) -> None:
        self.problems = tuple(problems)
        self.findings = list(findings)
        super().__init__(_one_line(self.problems))

    def __str__(self) -> str:
        """The first problem, and how many more there are."""
        return _one_line(self.problems)

    def __reduce__(self) -> tuple[type[FilesNotCheckedError], tuple[tuple[str, ...], list[Finding]]]:
        """How it is pickled: workers raise it elsewhere."""
        return type(self), (self.problems, self.findings)


def _one_line(problems: Sequence[str]) -> str:
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0]}{more}"
