"""The code that runs where there is no GPU, by a text alone: what stands behind ``if is_npu():``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synclint.analysis.program.off_the_gpu import OTHER_PLACES

_HEAD = re.compile(r"^([ \t]*)(?:el)?if[ \t(]+(?:\n[ \t]*)?([\w.]+)(\(\))?", re.MULTILINE)
_END = re.compile(r":[ \t]*\n")
_ANSWER = re.compile(r"^(\w+)[ \t]*=(?!=)[ \t]*([^\n]*)", re.MULTILINE)
_CALL = re.compile(r"([\w.]+)\(\)[ \t]*")


def without_other_places(code: str) -> str:
    """A text, whose strings and comments have been taken out, without what only runs where there is no GPU."""
    if not any(f"{name}()" in code for name in OTHER_PLACES):
        return code
    answers: dict[str, list[str]] = {}
    for name, value in _ANSWER.findall(code):
        answers.setdefault(name, []).append(value)
    asked = {name for name, values in answers.items() if len(values) == 1 and _asks(values[0])}
    return "".join(_parts_left(code, asked))


def _asks(value: str) -> bool:
    call = _CALL.fullmatch(value)
    return call is not None and call[1].rpartition(".")[2] in OTHER_PLACES


def _parts_left(code: str, asked: set[str]) -> Iterator[str]:
    passed = 0
    for head in _HEAD.finditer(code):
        end = _END.search(code, head.end())
        if head.start() < passed or end is None:
            continue
        test = head[2].rpartition(".")[2] in OTHER_PLACES if head[3] else head[2] in asked
        more = code[head.end() : end.start()].strip(" \t\n)")
        if test and (not more or more.startswith("and ")):
            yield code[passed : end.end()]
            passed = _end_of_suite(code, end.end(), len(head[1]))
    yield code[passed:]


def _end_of_suite(code: str, start: int, indentation: int) -> int:
    """Where a suite ends that begins at a line, by the indentation of what it belongs to."""
    while start < len(code):
        end = code.find("\n", start)
        end = len(code) if end < 0 else end + 1
        line = code[start:end]
        if line.strip() and len(line) - len(line.lstrip(" \t")) <= indentation:
            return start
        start = end
    return start
