"""Which findings have one cause, in one file and across files, so that people are told of them once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from synclint.catalog.entries import load_catalog
from synclint.catalog.names import names_in
from synclint.findings import Confidence, Finding, Position
from synclint.results.priority import counting

if TYPE_CHECKING:
    from synclint.results.statements import Statement

_READS = frozenset({"scalar-read", "device-to-host-copy", "control-flow"})
# The entries of the catalogue for reads of one number.
_NUMBERS = frozenset({"item", "number-conversion"})
_LONGEST_LIST = 45
_UPLOADS = frozenset({"host-to-device-copy"})
# The entries for positions that are copied to the device, of which the cause is that of what is indexed.
_POSITIONS = frozenset({"host-index", "host-index-write"})
# The mechanism by which what a mask selects is counted; the same mask may be in other shapes.
_COUNTS = frozenset({"data-dependent-shape"})
_RESHAPING = names_in("torch", "reshaping")
_PARTS = re.compile(r"[/\\]")
_NAMED = re.compile(r"[~-]?[A-Za-z_][\w.]*(?:\[[^\[\]]*\])?")
_BOUND = re.compile(r"\s*([A-Za-z_]\w*)\s*=[^=]")
_OLD = re.compile(r"(legacy|old|deprecated)(_|\b)|.*_(legacy|old|deprecated)\b")
# What stands in such a folder is one of several programs, comes from elsewhere, or is what `torch.hub` hands out.
_FOLDERS = frozenset(
    {
        "experiment", "experiments", "example", "examples", "contrib", "third_party", "tutorials", "legacy",
        "deprecated", "sandbox", "research", "demo", "demos", "hub", "projects", "dev",
    }
)  # fmt: skip


def grouped(findings: Sequence[Finding], statements: Sequence[Statement]) -> list[Finding]:
    """The findings of one file with their groups; ``statements`` says in which statement each of them stands.

    One cause have, within a phase: all that waits in one statement; reads of numbers, or copies to the device, in
    statements that follow one another; reads in one function of values that come from the same place, which one copy
    to the host would serve; copies to the device of values that do; a copy to the device, and the read that brings the
    very tensor back; and what one rule says of one operand in one function. Of each group the finding of the greatest
    priority stands for the others, which repeat it; in a statement that waits at several places it counts for all of
    them.
    """
    pairs = tuple(zip(findings, statements, strict=True))
    in_rows = {_in_a_row(pair[0], pair[1].first) for pair in pairs if _may_be_in_a_row(*pair)}
    leaders = _joined([set(_keys(*pair, in_rows)) for pair in pairs])
    counted = _counted(findings, statements)
    members: dict[int, list[int]] = {}
    for index, leader in enumerate(leaders):
        members.setdefault(leader, []).append(index)
    result = list(findings)
    for indices in members.values():
        first = min(indices, key=lambda index: (-counted[index].priority, findings[index].span))
        group = _identifier(findings[first], statements[first])
        said = _one_copy([(findings[index], statements[index]) for index in indices])
        for index in indices:
            copy = _copy(findings[index], statements[index])
            found = counted[index]
            instead = said if said and _is_number(found, statements[index]) else found.instead
            result[index] = replace(found, group=group, repeats=index != first, copy=copy, instead=instead)
    return result


def _is_number(finding: Finding, statement: Statement) -> bool:
    """Whether it reads a number, which a copy of several could bring as well."""
    return finding.construct in _NUMBERS and statement.decides is None


def _may_be_in_a_row(finding: Finding, statement: Statement) -> bool:
    """Whether it is one of those that people write, and mend, several at a time: a read of a number, an upload."""
    return _is_number(finding, statement) or finding.mechanism in _UPLOADS


def _in_a_row(finding: Finding, line: int) -> Hashable:
    """What waits of one kind in the statement on a line, and in those beside it, have in common."""
    context = finding.context
    return "in a row", (context.runs, context.captured, context.times), finding.construct, line


def _one_copy(members: Sequence[tuple[Finding, Statement]]) -> str:
    """What to write instead of reads of several numbers in neighbouring statements, empty where it is not one copy."""
    numbers = [(finding.subject, statement.first) for finding, statement in members if _is_number(finding, statement)]
    subjects = list(dict.fromkeys(subject for subject, _ in numbers))
    listed = ", ".join(subjects)
    if len({line for _, line in numbers}) < 2 or len(subjects) < 2 or len(listed) > _LONGEST_LIST:
        return ""
    if not all(map(_NAMED.fullmatch, subjects)):
        return ""
    return f"Read them with one copy, `torch.stack([{listed}]).tolist()`, or keep them and read them every N steps."


def _counted(findings: Sequence[Finding], statements: Sequence[Statement]) -> list[Finding]:
    """The findings, each counting for all places at which its statement waits in the same phase.

    Where the statement just before has waited, there is little left to wait for.
    """
    places: dict[Hashable, set[Position]] = {}
    codes = set()
    for finding, statement in zip(findings, statements, strict=True):
        if finding.confidence is not Confidence.LOW:
            places.setdefault((finding.context.runs, statement.first), set()).add(finding.span.start)
            codes.add((finding.context.runs, finding.code, statement.first))
    return [
        counting(
            finding,
            len(places.get((finding.context.runs, statement.first), (0,))),
            is_behind=(finding.context.runs, finding.code, statement.before) in codes
            and not _repeats_within(finding, statement),
        )
        for finding, statement in zip(findings, statements, strict=True)
    ]


def _repeats_within(finding: Finding, statement: Statement) -> bool:
    """Whether a loop of the statement itself, as a comprehension has one, multiplies the wait."""
    own = (loop.line for loop in finding.context.times if loop.path.endswith(finding.filename.removeprefix("./")))
    return any(statement.first <= line <= statement.last for line in own)


def grouped_across(findings: Sequence[Finding]) -> list[Finding]:
    """The findings of all files, of which those of each are grouped, with groups that have one cause joined.

    One cause have copies of one statement, what one rule says of one operand in functions of the same name in files of
    the same name, copies to the device of values that come from the same place, what one rule says of methods that
    implement the same abstract one: of such alternatives a run takes one; and what one call turns off in the whole
    program. The one in the program's main part stands for the others, and not those in examples or in what is kept for
    old times, judging by the names of files and folders.
    """
    joined = _joined([set(keys_across(finding)) for finding in findings])
    members: dict[int, list[int]] = {}
    for index, leader in enumerate(joined):
        members.setdefault(leader, []).append(index)
    result = list(findings)
    for indices in members.values():
        groups = {findings[index].group for index in indices}
        if len(groups) < 2:
            continue
        first = min((index for index in indices if not findings[index].repeats), key=lambda at: _main(findings[at]))
        for index in indices:
            result[index] = replace(findings[index], group=findings[first].group, repeats=index != first)
    return result


def keys_across(finding: Finding) -> Iterator[Hashable]:
    """What findings of one group have in common across files, any of it."""
    alike = (finding.context.runs, finding.context.captured)
    yield "group", finding.filename, finding.group or (finding.span, finding.code)
    if finding.copy and not finding.repeats:
        yield "copy", alike, finding.copy
        if finding.subject and "." not in finding.function:
            # `train` of train.py and `train` of segment/train.py: one script was made from the other
            yield "program", alike, finding.code, _name(finding), finding.function, finding.subject
    if finding.cause and finding.mechanism in _UPLOADS:
        yield "upload", alike, finding.code, finding.cause
    if finding.context.interface:
        yield "alternative", alike, finding.context.assumed, finding.code, finding.context.interface
    if (switch := _switch(finding)) is not None:
        yield "switch", alike, finding.context.assumed, switch


def _switch(finding: Finding) -> str | None:
    """What turns a wait off for the whole program, wherever it stands."""
    entry = load_catalog().by_id.get(finding.construct)
    return None if entry is None else entry.switched_off_by


def _main(finding: Finding) -> tuple[object, ...]:
    """The least for what stands in the main part of a program, of what is the same otherwise."""
    depth = len(_PARTS.split(finding.filename))
    return _is_aside(finding.filename), depth, -finding.priority, finding.filename, finding.span


def _is_aside(filename: str) -> bool:
    """Whether a file stands among examples, experiments, or what comes from elsewhere, or is kept for old times."""
    *folders, name = re.split(r"[/\\]", filename)
    return not _FOLDERS.isdisjoint(folders) or _OLD.match(name) is not None


def _name(finding: Finding) -> str:
    return _PARTS.split(finding.filename)[-1]


def _keys(finding: Finding, statement: Statement, in_rows: Collection[Hashable]) -> Iterator[Hashable]:
    """What findings of one group have in common, any of it."""
    alike = (finding.context.runs, finding.context.captured)
    yield "statement", alike, statement.first
    if _may_be_in_a_row(finding, statement):
        yield _in_a_row(finding, statement.first)
        if (before := _in_a_row(finding, statement.before)) in in_rows:
            yield before
    if finding.cause and finding.mechanism in _READS:
        yield "read", alike, statement.function, finding.cause
    if finding.cause and finding.mechanism in _UPLOADS:
        yield "upload", alike, finding.code, finding.cause
    # `n = torch.tensor(count, device=device)`, then `all_reduce(n)`, then `n.item()`.
    if finding.mechanism in _UPLOADS and (bound := _BOUND.match(statement.text)) is not None:
        yield "there and back", alike, statement.function, bound.group(1), finding.span.start.line
    if finding.mechanism in _READS and (line := _made_in(finding)) is not None:
        yield "there and back", alike, statement.function, finding.subject, line
    is_of_mask = finding.mechanism in _COUNTS
    operand = _without_reshaping(finding.subject) if is_of_mask else finding.subject
    if _NAMED.fullmatch(operand) or (is_of_mask and operand and "(" not in operand):
        cause = "" if finding.construct in _POSITIONS else finding.cause
        yield "subject", alike, statement.function, finding.code, operand, cause


def _without_reshaping(subject: str) -> str:
    """What is given another shape by the calls at the end: ``mask`` of ``mask.view(-1).unsqueeze(1)``."""
    while subject.endswith(")"):
        call, _, arguments = subject.removesuffix(")").rpartition("(")
        reshaped, _, name = call.rpartition(".")
        if not reshaped or ")" in arguments or name not in _RESHAPING:
            break
        subject = reshaped
    return subject


def _made_in(finding: Finding) -> int | None:
    """The line of the file in which what is waited for was made; None where that is not known."""
    path, _, line = finding.cause.rpartition(":")
    # A file is known by its path from the working folder, or by the whole of it.
    is_here = path.replace("\\", "/").endswith(finding.filename.replace("\\", "/").removeprefix("./"))
    return int(line) if is_here and line.isdigit() else None


def _joined(keys: Sequence[set[Hashable]]) -> list[int]:
    """For each set of keys the index of the first with which it is connected, directly or through others."""
    parents = list(range(len(keys)))

    def top(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    first_with: dict[Hashable, int] = {}
    for index, own in enumerate(keys):
        for key in own:
            one, other = sorted((top(first_with.setdefault(key, index)), top(index)))
            parents[other] = one
    return [top(index) for index in range(len(keys))]


def _copy(finding: Finding, statement: Statement) -> str:
    function = statement.function.rpartition(".")[2]
    said = " ".join(statement.text.split())
    return hashlib.sha256("\0".join((finding.code, function, said)).encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _identifier(finding: Finding, statement: Statement) -> str:
    place = (finding.filename, finding.code, statement.function, *map(str, finding.span.start))
    return hashlib.sha256("\0".join(place).encode("utf-8", "surrogateescape")).hexdigest()[:12]
