"""Which files make something of the command line."""

from __future__ import annotations


def adds_arguments(text: str) -> bool:
    """Whether a text adds arguments to a parser, as files of options do that know nothing of torch."""
    return ".add_argument(" in text
