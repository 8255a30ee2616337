"""What is safe and legible on a terminal: escaping, colour, and the width of characters."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TextIO

import click

TAB = "    "
_COMMAND_START = re.compile(r"^(\s*):(?=:)")
# `##[…]` of GitHub and Azure, `##vso[…]` of Azure, `##teamcity[…]`.
_MARKED_COMMAND = re.compile(r"##(?=\w*\[)")


def escape(text: str) -> str:
    r"""Show what a terminal would obey or hide, such as ``\x1b`` and overrides of the text direction.

    File names and source lines come from whoever wrote them; they are shown, never executed.
    """
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    if character == "\t":
        return TAB
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def inert(line: str) -> str:
    """A line in which no runner, which reads the output of a step, finds a command.

    It obeys ``::command::`` at the beginning of a line and ``##[command]``, or the like, anywhere in it.
    """
    return _COMMAND_START.sub(r"\1\\x3a", _MARKED_COMMAND.sub(r"\\x23#", line))


def inert_document(text: str) -> str:
    r"""A document for a program in which no runner finds a command anywhere in a line, and which says the same.

    The first number sign of ``##[command]`` is written as the program reads it for what it is. JSON and markup, which
    includes Markdown, each begin with a character of their own; what begins otherwise has Python's escapes.
    """
    sign = {"[": r"\u0023", "{": r"\u0023", "<": "&#35;", "#": "&#35;"}.get(text[:1], r"\x23")
    return _MARKED_COMMAND.sub(lambda found: f"{sign}#", text)


def width(text: str) -> int:
    """How many columns an escaped text takes on a terminal."""
    if text.isascii():
        return len(text)
    return len(text) + sum(_columns(character) - 1 for character in text if character > "\x7f")


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


@lru_cache(maxsize=1024)  # each finding names several files, all of them the same few
def shown_path(path: Path, folder: Path) -> str:
    """A path as people like to read it: relative to ``folder`` where it lies below it, and escaped."""
    absolute = path if path.is_absolute() else folder / path
    return escape(str(absolute.relative_to(folder) if absolute.is_relative_to(folder) else path))


def wants_color(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour ``stream``: NO_COLOR forbids it, FORCE_COLOR demands it, a terminal gets it."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


@dataclass(frozen=True)
class Palette:
    """The colours of a report; every method gives its text back unchanged when colour is off.

    ``marks_unsafe`` says that findings with fixes that are not safe are marked as well, since the user has asked for
    them.
    """

    enabled: bool
    marks_unsafe: bool = False

    def strong(self, text: str) -> str:
        """For file names and headings."""
        return self._paint(text, bold=True)

    def code(self, text: str) -> str:
        """For rule codes and what is wrong."""
        return self._paint(text, fg="red", bold=True)

    def quoted(self, text: str) -> str:
        """For code within prose."""
        return self._paint(text, fg="cyan")

    def frame(self, text: str) -> str:
        """For line numbers and the rules beside them."""
        return self._paint(text, fg="blue", bold=True)

    def help(self, text: str) -> str:
        """For advice."""
        return self._paint(text, fg="green", bold=True)

    def faint(self, text: str) -> str:
        """For what may be skipped."""
        return self._paint(text, dim=True)

    def _paint(self, text: str, fg: str | None = None, bold: bool | None = None, dim: bool | None = None) -> str:
        return click.style(text, fg=fg, bold=bold, dim=dim) if self.enabled else text
