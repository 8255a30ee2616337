"""What comments tell the linter: which findings to leave out, and how often code runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from itertools import islice

from synclint.findings import Phase, Position, Span
from synclint.rules.loading import all_rules
from synclint.rules.selectors import UnknownRuleError, select_rules
from synclint.sources.comments import Comment, LogicalLine, SourceLines
from synclint.spelling import nearest

# Other tools' pragmas may stand in the same comment, each after a `#` of its own.
_PRAGMA_START = re.compile(r"#(?=\s*(?:noqa\b|[a-z][\w.-]*:))", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"#\s*synclint\s*:\s*(?P<word>[\w-]*)\s*(?:=\s*(?P<value>[\w-]*))?\s*(?:(?P<bracket>\[)(?P<names>[^\]]*)(?P<closed>\])?)?(?P<reason>.*)",
    re.IGNORECASE,
)
_SEPARATORS = " \t,:-–—"
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(.*)|.*)", re.IGNORECASE)
_NOQA_WORD = re.compile(r"[\s,]*([A-Za-z][\w-]*)")
_CODE = re.compile(r"[A-Za-z]+[0-9]+")
# Nobody writes more into one comment, or needs to be told more names that mean nothing in one file.
_MOST_PRAGMAS = 100
_MOST_PROBLEMS = 100
_MARKABLE = re.compile(r"(?:async )?(?:def|for|while)\b")
_FUNCTION = re.compile(r"(?:async )?def\b")

IGNORE, IGNORE_FILE, OFF, ON = "ignore", "ignore-file", "off", "on"
RUNS, COLD, HOT = "runs", "cold", "hot"
SYNC_FREE = "sync-free"
WORDS = (IGNORE, IGNORE_FILE, OFF, ON, RUNS, COLD, HOT, SYNC_FREE)
_MARKS = {HOT: Phase.STEP, COLD: Phase.ONCE}
# Nobody can say of a place that nothing runs it, and let it be run.
_PHASES = tuple(phase.value for phase in Phase if phase is not Phase.UNREACHED)
_THERE_ARE = f"; choose one of {', '.join(_PHASES)}"
END_OF_FILE = 1 << 62


class Syntax(Enum):
    """How a suppression is written."""

    DIRECTIVE = "directive"
    NOQA = "noqa"


@dataclass(frozen=True)
class Pragma:
    """The part of a comment that is for us; ``start`` and ``end`` are offsets in the comment's text."""

    comment: Comment
    start: int
    end: int

    @property
    def text(self) -> str:
        """The pragma as written."""
        return self.comment.text[self.start : self.end]

    @property
    def span(self) -> Span:
        """Where it stands in the file."""
        line, column = self.comment.line, self.comment.column
        return Span(Position(line, column + self.start), Position(line, column + self.start + len(self.text.rstrip())))


@dataclass(frozen=True)
class Named:
    """A rule as a suppression names it, and the codes that the name stands for; none for an unknown one."""

    text: str
    codes: frozenset[str]


@dataclass(frozen=True)
class Suppression:
    """Findings that are not to be reported: of the ``named`` rules, all rules if there are none.

    It covers findings that begin or end on the lines ``first`` to ``last``. ``words`` are the names as
    written, those that are for other tools included, and ``listed`` says where in the pragma they stand.
    ``closing`` is the pragma that ends a region.
    """

    pragma: Pragma
    syntax: Syntax
    named: tuple[Named, ...]
    words: tuple[str, ...]
    listed: tuple[int, int]
    reason: str
    first: int
    last: int
    closing: Pragma | None = None


@dataclass(frozen=True)
class ContextMark:
    """The function or loop of which a comment at ``line`` says how often it runs, ``text`` the words for it."""

    runs: Phase
    text: str
    line: int
    first: int
    last: int


@dataclass(frozen=True)
class ContractMark:
    """A function that a comment declares sync-free: ``first`` is the line of its ``def``."""

    pragma: Pragma
    first: int


@dataclass(frozen=True)
class Problem:
    """A pragma that does not mean anything; ``message`` says why."""

    pragma: Pragma
    message: str


@dataclass
class Directives:
    """Everything that the comments of one file tell us."""

    suppressions: list[Suppression] = field(default_factory=list)
    marks: list[ContextMark] = field(default_factory=list)
    contracts: list[ContractMark] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # Of the logical lines that marks led to: the headers behind decorators, and where the blocks end.
    _headers: dict[int, int] = field(default_factory=dict)
    _ends: dict[int, int] = field(default_factory=dict)

    def header_from(self, index: int, lines: SourceLines) -> int:
        """The index of the logical line that is decorated by those from ``index`` on; each is asked once."""
        passed: list[int] = []
        while index < len(lines.logical) and lines.logical[index].text.startswith("@"):
            passed.append(index)
            index = self._headers.get(index, index + 1)
        self._headers.update(dict.fromkeys(passed, index))
        return index

    def end_of_block(self, index: int, lines: SourceLines) -> int:
        """The last physical line of the block with the header at ``index``; each block is gone through once."""
        if index not in self._ends:
            header = lines.logical[index]
            last = header.last
            for logical in islice(lines.logical, index + 1, None):
                if logical.indent <= header.indent:
                    break
                last = logical.last
            self._ends[index] = last
        return self._ends[index]


def read_directives(lines: SourceLines) -> Directives:
    """Read the comments of a file."""
    found = Directives()
    opened: list[Suppression] = []
    for comment in lines.comments:
        for pragma in _pragmas(comment):
            if (noqa := _NOQA.match(pragma.text)) and noqa[1] is not None:
                _read_noqa(pragma, noqa, lines, found)
            elif directive := _DIRECTIVE.match(pragma.text):
                _read_directive(pragma, directive, lines, found, opened)
    found.suppressions += opened
    return found


def _pragmas(comment: Comment) -> Iterator[Pragma]:
    starts = [match.start() for match in islice(_PRAGMA_START.finditer(comment.text), _MOST_PRAGMAS)]
    for start, end in zip(starts, [*starts[1:], len(comment.text)], strict=False):
        yield Pragma(comment, start, end)


def _read_noqa(pragma: Pragma, match: re.Match[str], lines: SourceLines, found: Directives) -> None:
    words: list[str] = []
    named: list[Named] = []
    start = end = match.start(1)
    text = match.string
    while word := _NOQA_WORD.match(text, end):
        ours = word[1].upper().startswith(_prefixes()) or _codes(word[1])
        if not (ours or _CODE.fullmatch(word[1])):
            break
        words.append(word[1])
        named += [_named(word[1], pragma, found)] if ours else []
        end = word.end()
    if not named:  # it speaks to other tools only
        return
    reason = text[end:].strip(_SEPARATORS)
    first, last = _own_lines(pragma.comment, lines)
    found.suppressions.append(
        Suppression(pragma, Syntax.NOQA, tuple(named), tuple(words), (start, end), reason, first, last)
    )


def _read_directive(
    pragma: Pragma, match: re.Match[str], lines: SourceLines, found: Directives, opened: list[Suppression]
) -> None:
    word = match["word"].lower()
    if word not in WORDS:
        known = nearest(word, WORDS) or f"; choose one of {', '.join(WORDS)}"
        found.problems.append(Problem(pragma, f"there is no directive {word!r}{known}"))
    elif match["bracket"] and (not match["closed"] or not match["names"].strip()):
        found.problems.append(Problem(pragma, f"`{word}[` needs the names of rules and a closing `]`"))
    elif (value := match["value"]) is not None and word != RUNS:
        found.problems.append(Problem(pragma, f"`{word}` takes no `={value}`"))
    elif word == RUNS and (value or "").lower() not in _PHASES:
        hint = nearest(value, _PHASES) if value else ""
        said = f"there is no phase {value!r}" if value else f"`{RUNS}` needs a phase, such as `{RUNS}=eval`"
        found.problems.append(Problem(pragma, f"{said}{hint or _THERE_ARE}"))
    elif word == RUNS:
        _read_mark(pragma, Phase(value.lower()), f"{RUNS}={value.lower()}", lines, found)
    elif word in _MARKS:
        _read_mark(pragma, _MARKS[word], word, lines, found)
    elif word == SYNC_FREE:
        _read_contract(pragma, lines, found)
    elif word == ON:
        _close(pragma, found, opened)
    else:
        words = tuple(text for text in re.split(r"[\s,]+", match["names"] or "") if text)
        named = tuple(_named(text, pragma, found) for text in words)
        listed = match.span("names") if words else (match.end("word"), match.end("word"))
        first, last = _lines_of(word, pragma.comment, lines)
        reason = match["reason"].strip(_SEPARATORS)
        suppression = Suppression(pragma, Syntax.DIRECTIVE, named, words, listed, reason, first, last)
        (opened if word == OFF else found.suppressions).append(suppression)


def _close(pragma: Pragma, found: Directives, opened: list[Suppression]) -> None:
    if opened:
        begun = opened.pop()
        found.suppressions.append(replace(begun, last=pragma.comment.line, closing=pragma))
    else:
        found.problems.append(Problem(pragma, "there is no `synclint: off` before it"))


def _read_mark(pragma: Pragma, runs: Phase, text: str, lines: SourceLines, found: Directives) -> None:
    index = found.header_from(lines.index_at(pragma.comment.line), lines)
    header = lines.logical[index] if index < len(lines.logical) else None
    if header is None or not _MARKABLE.match(header.text):
        found.problems.append(Problem(pragma, "it is not on a function or a loop"))
        return
    last = found.end_of_block(index, lines)
    found.marks.append(ContextMark(runs, text, pragma.comment.line, header.first, last))


def _read_contract(pragma: Pragma, lines: SourceLines, found: Directives) -> None:
    header = _header_at(pragma, lines, found)
    if header is None or not _FUNCTION.match(header.text):
        found.problems.append(Problem(pragma, "it is not on a function"))
    else:
        found.contracts.append(ContractMark(pragma, header.first))


def _header_at(pragma: Pragma, lines: SourceLines, found: Directives) -> LogicalLine | None:
    """The statement that a comment is about: on its line, or on the next one, behind decorators."""
    index = found.header_from(lines.index_at(pragma.comment.line), lines)
    return lines.logical[index] if index < len(lines.logical) else None


def _lines_of(word: str, comment: Comment, lines: SourceLines) -> tuple[int, int]:
    if word == IGNORE_FILE:
        return 1, END_OF_FILE
    if word == OFF:
        return comment.line, END_OF_FILE
    if not comment.alone:
        return _own_lines(comment, lines)
    # On a line of its own it speaks of the code after it: a statement, or a line within one.
    index = lines.index_at(comment.line)
    if index == len(lines.logical):
        return comment.line, comment.line
    logical = lines.logical[index]
    if logical.first > comment.line:
        return logical.first, logical.last
    following = lines.after_comments(comment.line)
    return following, following


def _own_lines(comment: Comment, lines: SourceLines) -> tuple[int, int]:
    """The whole statement for a comment on its first or last line, else the comment's line."""
    logical: LogicalLine | None = lines.holding(comment.line)
    if logical and comment.line in (logical.first, logical.last):
        return logical.first, logical.last
    return comment.line, comment.line


def _named(text: str, pragma: Pragma, found: Directives) -> Named:
    if len(found.problems) >= _MOST_PROBLEMS and text.lower() not in _selectors():
        return Named(text, frozenset())
    if message := _objection(text):
        found.problems.append(Problem(pragma, message))
    return Named(text, _codes(text))


@cache
def _selectors() -> frozenset[str]:
    """All that stands for rules, in small letters."""
    beginnings = {
        rule.code[:length].lower() for rule in all_rules() for length in range(len(rule.prefix), len(rule.code) + 1)
    }
    return frozenset({"all", *beginnings, *(rule.name for rule in all_rules())})


@cache
def _prefixes() -> tuple[str, ...]:
    """The letters that codes of rules begin with, ours and those of other packages."""
    return tuple({rule.prefix for rule in all_rules()})


def _codes(text: str) -> frozenset[str]:
    """The codes of the rules that a code, a beginning of codes or a name stands for."""
    selected = _selected(text)
    return selected if isinstance(selected, frozenset) else frozenset()


def _objection(text: str) -> str | None:
    """Why something is the name of no rule."""
    selected = _selected(text)
    return selected if isinstance(selected, str) else None


@cache
def _selected(text: str) -> frozenset[str] | str:
    try:
        return frozenset(rule.code for rule in select_rules((text,), (), all_rules()))
    except UnknownRuleError as error:
        return str(error)
