"""Divides the files of a project into shares: what one engine analyses together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, takewhile
from math import ceil
from operator import itemgetter
from pathlib import Path

from synclint.analysis.program.content_order import digest_of, own_lines
from synclint.analysis.program.separate_projects import separate_projects
from synclint.running.project_files import paths_in_project, project_files
from synclint.running.survey import CodeFile, SurveyedFiles

# What files of a share have in common is analysed once; what two shares have in common, twice. A project is divided
# for as many processes as people have cores, unless it is small, and beyond that only for want of memory: then for a
# multiple, so that no core is left with nothing to do while the last share is analysed.
SHARE_BYTES = 2_000_000
_USUAL_CORES = 4
_LARGEST_SHARE_BYTES = 8_000_000
# By so much of a share may its borders move to stand where folders end.
_BORDERS_MOVE = 1 / 8
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
    before = list(accumulate(map(size_of, ordered), initial=0))
    total = before[-1]
    rounds = ceil(total / (_USUAL_CORES * _LARGEST_SHARE_BYTES))
    count = max(1, min(round(total / SHARE_BYTES), _USUAL_CORES * max(1, rounds)))
    borders = [_border(ordered, before, total * number // count, total // count) for number in range(1, count)]
    return [share for first, end in pairwise((0, *borders, len(ordered))) if (share := tuple(ordered[first:end]))]


def _border(ordered: Sequence[CodeFile], before: Sequence[int], wanted: int, size: int) -> int:
    """The number of files before a border between shares of about this size, where about ``wanted`` is done by then.

    Of the places near that it is the one where the fewest folders go on, and of several of these one that follows from
    the file there: a file that is new elsewhere, or gone, moves no border as a rule.
    """
    near = int(size * _BORDERS_MOVE)
    first, end = bisect_left(before, wanted - near, 1), bisect_right(before, wanted + near, 1, len(ordered))
    closest = bisect_left(before, wanted, 1, len(ordered) - 1)
    return min(range(first, end), default=closest, key=lambda at: (*_joined_at(ordered, at), abs(before[at] - wanted)))


def _joined_at(ordered: Sequence[CodeFile], at: int) -> tuple[int, str]:
    """What is the less, the better files are divided before the one at a place: how many folders go on there."""
    last, following = ordered[at - 1], ordered[at]
    folders = zip(last.path.parent.parts, following.path.parent.parts, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], folders)), digest_of(following.definitions)


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
