"""The findings of files beside those of all others, again and again while files are edited one by one.

What the others have to say of a file is little: which of their findings have a cause in common with one of its folder.
So only these are grouped and given priorities again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from synclint.findings import Finding
from synclint.results.file_reports import FileReport
from synclint.results.groups import grouped_across, keys_across
from synclint.results.ranking import folder, spread
from synclint.rules.own import OWN

# A finding by the path of its file, and its index there among those that are told in some order.
_Name = tuple[Path, int]


@dataclass(frozen=True)
class _Known:
    """A report, its findings that have a priority, and what each of these has in common with others."""

    report: FileReport
    findings: tuple[Finding, ...]
    keys: tuple[frozenset[Hashable], ...]
    folders: frozenset[str]


class RankedFiles:
    """Reports of which some are replaced; each gets the groups and priorities that ``ranked`` gives to it."""

    def __init__(self, reports: Iterable[FileReport]) -> None:
        self._known: dict[Path, _Known] = {}
        self._by_key: defaultdict[Hashable, dict[_Name, None]] = defaultdict(dict)
        self._by_folder: defaultdict[str, dict[Path, None]] = defaultdict(dict)
        for report in reports:
            self.replace(report)

    def replace(self, report: FileReport) -> None:
        """Let the file of a report have no other report than this one."""
        before, known = self._known.get(report.path), _known(report)
        if before is not None:
            self._forget(before)
        self._known[report.path] = known
        for index, keys in enumerate(known.keys):
            for key in keys:
                self._by_key[key][report.path, index] = None
        for name in known.folders:
            self._by_folder[name][report.path] = None

    def _forget(self, known: _Known) -> None:
        path = known.report.path
        for index, keys in enumerate(known.keys):
            for key in keys:
                del self._by_key[key][path, index]
                if not self._by_key[key]:
                    del self._by_key[key]
        for name in known.folders:
            del self._by_folder[name][path]

    def ranked(self, path: Path) -> FileReport:
        """The report of a file, ranked beside all others."""
        known = self._known[path]
        if not known.findings:
            return known.report
        names = sorted(self._connected(known))
        found = grouped_across([self._known[file].findings[index] for file, index in names])
        priorities = spread(found)
        given = iter(
            replace(finding, priority=priority)
            for (file, _), finding, priority in zip(names, found, priorities, strict=True)
            if file == path
        )
        findings = tuple(finding if finding.code in OWN else next(given) for finding in known.report.findings)
        return replace(known.report, findings=findings)

    def _connected(self, known: _Known) -> set[_Name]:
        """The findings of the folders of a file, and all that have a cause in common with one of these."""
        files = {path for name in known.folders for path in self._by_folder[name]}
        found = {(path, index) for path in files for index in range(len(self._known[path].findings))}
        waiting = list(found)
        seen: set[Hashable] = set()
        while waiting:
            path, index = waiting.pop()
            for key in self._known[path].keys[index] - seen:
                seen.add(key)
                more = self._by_key[key].keys() - found
                found |= more
                waiting += more
        return found


def _known(report: FileReport) -> _Known:
    findings = tuple(finding for finding in report.findings if finding.code not in OWN)
    return _Known(
        report,
        findings,
        tuple(frozenset(keys_across(finding)) for finding in findings),
        frozenset(map(folder, findings)),
    )
