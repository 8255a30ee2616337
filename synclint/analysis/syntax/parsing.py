"""From source code to trees, and what is wrong where that fails."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice

_LONG_SOURCE = 200_000
_MOST_LEVELS = 40_000
# What one file may have of words and signs: some seconds of parsing, and three times what the longest file of PyTorch
# has. Of what has to be read as newer syntax, which takes much longer, it may have less.
MOST_TOKENS = 1_000_000
MOST_NEWER_TOKENS = 200_000
_TOKEN = re.compile(r"\w+|[^\w\s]|\n")
# Python puts the parts of a dotted name together one by one, which takes the square of their number in time.
_DOTTED_IMPORT = re.compile(r"\b(?:import|from)\b[\w\s.\\]*")
_RUNNING = ".".join(map(str, sys.version_info[:2]))
_MOST_DOTS = 10_000
# Python goes through an f-string up to each of its replacement fields. So many characters take a few seconds.
_MOST_PASSED = 10_000_000_000
_FORMATTED = re.compile(r"""\b(?:[fF][rR]?|[rR][fF])(\"{3}|'{3}|["'])""")
_REST_OF_STRING = {
    "'": re.compile(r"[^'\\\n]*(?:\\.[^'\\\n]*)*", re.DOTALL),
    '"': re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*', re.DOTALL),
    "'''": re.compile(r"[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*", re.DOTALL),
    '"""': re.compile(r'[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*', re.DOTALL),
}


class ParseFailure(Exception):  # noqa: N818 - the failure of a file, no error of the program
    """A file that is not Python: what is wrong and where, line and column counting from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class TooLongToParse(ParseFailure):
    """A file that nobody waits for to be parsed: by how many words and signs it has, not by the time it took."""

    def __init__(self) -> None:
        super().__init__("it is not analysed: it has more code than is allowed for one file", 1, 1)


@lru_cache(maxsize=3)
def compared(source: str) -> ast.Module:
    """The tree of a module that is compared with others, which change none: one text is, with many, in an editor.

    Raises ParseFailure.
    """
    return parse(source)


def parse(source: str) -> ast.Module:
    """Parse a module; raises ParseFailure."""
    if has_more_tokens(source, MOST_TOKENS):
        raise TooLongToParse
    try:
        return _parsed(source)
    except UnicodeEncodeError as error:
        before = source[: error.start]
        raise ParseFailure("half of a surrogate pair is not a character", *_end_of(before)) from None
    except (SyntaxError, ValueError) as error:
        before, null, _ = source.partition("\0")
        if null:  # which exception this is depends on the release of Python
            raise ParseFailure("source code cannot contain null bytes", *_end_of(before)) from None
        if not isinstance(error, SyntaxError):
            raise
        newer, message = None, error.msg
        if not _is_a_limit(error):
            if has_more_tokens(source, MOST_NEWER_TOKENS):
                message += f"; it is too long to be read as newer syntax than that of Python {_RUNNING}"
            else:
                newer = _parsed_as_newer(source)
        if newer is not None:
            return newer
        if _is_read_by_libcst(source):
            message += f" (so says Python {_RUNNING}; libcst reads the file, but the analysis needs Python's tree)"
        raise ParseFailure(message, error.lineno or 1, max(error.offset or 1, 1)) from None
    except (RecursionError, MemoryError):
        raise ParseFailure("nested too deeply to be parsed", 1, 1) from None


def has_more_tokens(source: str, most: int) -> bool:
    """Whether a source has more words, signs and lines than so many; those in strings and comments count as well."""
    return len(source) > most and next(islice(_TOKEN.finditer(source), most, None), None) is not None


def _has_too_many_fields(source: str) -> bool:
    """Whether Python would take too long for the replacement fields of f-strings."""
    if source.count("{") * len(source) <= _MOST_PASSED:
        return False
    passed = 0
    opening = _FORMATTED.search(source)
    while opening is not None:
        start = opening.end()
        rest = _REST_OF_STRING[opening[1]].match(source, start)
        end = rest.end() if rest is not None else start
        passed += source.count("{", start, end) * (end - start)
        opening = _FORMATTED.search(source, end)
    return passed > _MOST_PASSED


def _end_of(text: str) -> tuple[int, int]:
    """The line and the column of what comes after a text."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def check_syntax(source: str) -> None:
    """Do what ``parse`` does to a module whose tree nobody needs; raises ParseFailure.

    Python knows its names without making objects of its tree, which takes a quarter less. What it does not like then
    may still be parsed: a name can be used in a way that is against the rules.
    """
    from symtable import symtable

    if has_more_tokens(source, MOST_TOKENS):
        raise TooLongToParse
    try:
        with _parser_for(source):
            symtable(source, "", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        parse(source)


@lru_cache(maxsize=1)
def readable_tree(source: str) -> ast.Module | None:
    """The tree of a source that is looked at after its analysis; None where this Python has none for it.

    A file is reported in several steps, each of which asks for it; nobody may change it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the checked code; not ours to pass on
        try:
            return ast.parse(source.removeprefix("\ufeff"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _parsed(source: str) -> ast.Module:
    with _parser_for(source):
        return ast.parse(source)


@contextmanager
def _parser_for(source: str) -> Iterator[None]:
    """Let Python's parser run over a source.

    Raises RecursionError for one that it has no stack for, TooLongToParse for one that it would take too long for.
    """
    if _has_too_many_fields(source):
        raise TooLongToParse
    if sys.version_info < (3, 11) and len(source) > _LONG_SOURCE:
        # Up to this version, Python's parser has no limit but that of its stack, which ends the process.
        from synclint.analysis.syntax.nesting import nesting_of

        if nesting_of(source).levels > _MOST_LEVELS:
            raise RecursionError
    if source.count(".") > _MOST_DOTS:
        dots = (found[0].count(".") for found in _DOTTED_IMPORT.finditer(source))
        if sum(number * number for number in dots) > _MOST_DOTS * _MOST_DOTS:
            raise RecursionError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of invalid escapes and the like: not what we are asked about
        yield


def _is_a_limit(error: SyntaxError) -> bool:
    """Whether the source asks too much of Python, or is laid out wrongly: newer syntax is neither."""
    return isinstance(error, IndentationError) or error.msg.startswith(("too many", "Exceeds the limit"))


def _is_read_by_libcst(source: str) -> bool:
    """Whether libcst, whose parser is not that of the running Python, reads what Python refuses."""
    if has_more_tokens(source, MOST_NEWER_TOKENS):
        return False
    from libcst import ParserSyntaxError

    from synclint.analysis.syntax.newer_syntax import concrete_tree

    try:
        concrete_tree(source)
    except (ParserSyntaxError, RecursionError, ValueError):
        return False
    return True


def _parsed_as_newer(source: str) -> ast.Module | None:
    """The same tree for syntax that is newer than the running Python, None for what is no syntax at all."""
    # Imported here because hardly any file needs it, and importing libcst takes longer than reading one.
    from libcst import CSTValidationError, ParserSyntaxError

    from synclint.analysis.syntax.newer_syntax import module_from

    try:
        return module_from(source)
    except (ParserSyntaxError, CSTValidationError, SyntaxError, RecursionError):
        return None
