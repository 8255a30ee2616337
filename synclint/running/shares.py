"""Divides the files of a project into shares: what one engine analyses together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from operator import itemgetter
from pathlib import Path

from synclint.analysis.program.content_order import own_lines
from synclint.analysis.program.separate_projects import separate_projects
from synclint.running.project_files import paths_in_project, project_files
from synclint.running.survey import CodeFile, SurveyedFiles

# What files of a share have in common is analysed once; what two shares have in common, twice. A project is divided
# for as many processes as people have cores, unless it is small, and beyond that only for want of memory: then for a
# multiple, so that no core is left with nothing to do while the last share is analysed.
SHARE_BYTES = 2_000_000
_USUAL_CORES = 4
_LARGEST_SHARE_BYTES = 8_000_000
# Edits that leave a file about as large as it was shall leave it in its share; an empty one is work, too.
_COUNTED_BYTES = 4096
_SMALLEST_BYTES = 1536
# A file is analysed in the time in which so many of its size are parsed.
_ANALYSIS_IN_PARSES = 8


def shares_of(surveyed: SurveyedFiles) -> list[tuple[CodeFile, ...]]:
    """The files of a run divided into shares: those of each project by themselves, whatever stands beside it."""
    return [share for files in _projects(surveyed) for share in _divided(files)]


def _projects(surveyed: SurveyedFiles) -> Iterator[Sequence[CodeFile]]:
    """The files in groups that have nothing to do with one another."""
    if len({parts[:-1][:1] for parts in paths_in_project(surveyed).values()}) < 2:
        yield surveyed.files
        return
    by_path: defaultdict[str, list[CodeFile]] = defaultdict(list)
    for file in surveyed.files:
        by_path[str(file.real_path)].append(file)
    groups = [sorted({file.path for file in group}) for group in separate_projects(project_files(surveyed))]
    for group in sorted(groups):
        yield [file for path in group for file in by_path[path]]


def _divided(files: Sequence[CodeFile]) -> list[tuple[CodeFile, ...]]:
    """The files, folder by folder, divided into shares of about the same work.

    Those that need no more than to be parsed come last: the others have more in common with one another. What files
    are called neither moves the borders of shares nor decides what is analysed first.
    """
    ordered = list(_ordered(files))
    sizes = [size_of(file) for file in ordered]
    total = sum(sizes)
    rounds = ceil(total / (_USUAL_CORES * _LARGEST_SHARE_BYTES))
    count = max(1, min(round(total / SHARE_BYTES), _USUAL_CORES * max(1, rounds)))
    divided: list[list[CodeFile]] = [[] for _ in range(count)]
    before = 0
    for file, size in zip(ordered, sizes, strict=True):
        divided[min(before * count // total, count - 1)].append(file)
        before += size
    return [tuple(share) for share in divided if share]


def _ordered(files: Iterable[CodeFile]) -> Iterator[CodeFile]:
    """The files by their folders, and within these by what they define, not by what they are called."""
    analysed: dict[tuple[Path, tuple[str, ...]], list[CodeFile]] = defaultdict(list)
    others: list[CodeFile] = []
    for file in files:
        if file.has_torch_in_reach:
            analysed[file.path.parent, file.definitions].append(file)
        else:
            others.append(file)
    for _, alike in sorted(analysed.items(), key=itemgetter(0)):
        yield from alike if len(alike) == 1 else sorted(alike, key=lambda file: (own_lines(file.source), file.path))
    yield from sorted(others, key=lambda file: file.path)


def size_of(file: CodeFile) -> int:
    """How much there is to be done, in characters to be analysed."""
    size = _SMALLEST_BYTES + _COUNTED_BYTES * round(file.length / _COUNTED_BYTES)
    return size if file.has_torch_in_reach else size // _ANALYSIS_IN_PARSES
