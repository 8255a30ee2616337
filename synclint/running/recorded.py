"""Of which files what their expressions stand for is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.rules.loading import rules_with_matchers

if TYPE_CHECKING:
    from synclint.running.survey import CodeFile


@dataclass(frozen=True)
class Records:
    """What is recorded of which files: of those with one of the ``words`` in their text, of all where that is None.

    ``paths`` are the resolved paths of files that are recorded whatever is in them. With ``with_evidence`` the chain of
    inferences is told of what is recorded, and of each event of any file. ``contracts`` asks for the calls that cannot
    be followed, and for the regions in which waits are accepted.
    """

    words: tuple[str, ...] | None = None
    with_evidence: bool = False
    paths: frozenset[Path] = frozenset()
    contracts: bool = False

    def told_of(self, share: Sequence[CodeFile]) -> str:
        """What is recorded of a share of the files, as a text."""
        return repr((self.words, self.with_evidence, [self.wants(file) for file in share], self.contracts))

    def wants(self, file: CodeFile) -> bool:
        """Whether what the expressions of a file stand for is recorded."""
        return self.words is None or file.real_path in self.paths or any(word in file.source for word in self.words)


def records_for(
    *, with_evidence: bool = False, paths: frozenset[Path] = frozenset(), contracts: bool = False
) -> Records | None:
    """What the matchers of other packages need to know, nothing without any unless evidence is asked for.

    The files at ``paths``, which are resolved, are recorded in any case; ``contracts`` says that there are some.
    """
    words = tuple(word for rule in rules_with_matchers() for word in rule.match_words)
    is_asked = bool(words) or with_evidence or bool(paths) or contracts
    return Records(words, with_evidence, paths, contracts) if is_asked else None
