"""On what the reports of a run rest besides code: on words in its files, and on their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.program.content_order import definitions_in, own_lines
from synclint.analysis.program.entry_points import ReachPremises
from synclint.fixes.scripted import said_of_compilers
from synclint.running.shares import size_of
from synclint.running.survey import CodeFile


@dataclass(frozen=True)
class Premises:
    """On what reports rest besides code.

    ``starred`` are the files, by their resolved paths, of which it was asked what a star gives; ``alike`` are files
    that define the same as others, so that their lines decide about their order. ``compiled`` are the names of what
    files hand to a compiler.
    """

    reach: ReachPremises
    starred: frozenset[str]
    alike: frozenset[str]
    compiled: frozenset[str]

    def stand_after(
        self,
        before: CodeFile,
        after: CodeFile,
        names: frozenset[str] = frozenset(),
        *,
        mentions_the_same: bool,
    ) -> bool:
        """Whether they are the same when a file has another text.

        It may define other ``names``, which no other file mentions. What may be a name in it may be the same as before
        (``mentions_the_same``).
        """
        if self.reach.defines_otherwise(before.source, after.source, names):
            return False
        if str(after.real_path) in self.starred and not mentions_the_same:
            return False
        if not self._are_ordered_alike(before, after, names):
            return False
        return said_of_compilers(before.source, self.compiled) == said_of_compilers(after.source, self.compiled)

    def _are_ordered_alike(self, before: CodeFile, after: CodeFile, names: frozenset[str]) -> bool:
        """Whether a file stays where it was in the order of all files, and in its share."""
        defined = Counter(definitions_in(after.source))
        defined.subtract(definitions_in(before.source))
        if size_of(before) != size_of(after) or not names.issuperset(name for name, count in defined.items() if count):
            return False
        return str(after.real_path) not in self.alike or own_lines(before.source) == own_lines(after.source)


def files_alike(files: Iterable[CodeFile]) -> frozenset[str]:
    """The resolved paths of files that define the same as others."""
    defining: dict[tuple[str, ...], list[str]] = {}
    for file in files:
        defining.setdefault(file.definitions, []).append(str(file.real_path))
    return frozenset(path for paths in defining.values() if len(paths) > 1 for path in paths)
