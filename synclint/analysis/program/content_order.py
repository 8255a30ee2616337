"""What orders the files of a project by what they define, so that what they are called decides nothing."""

from __future__ import annotations

import re
from hashlib import blake2b

_DEFINED = re.compile(r"\n[ \t]*(?:async )?(?:def|class) (\w+)")
_IMPORTS = re.compile(r"\n[ \t]*(?:from|import) [^\n]*")


def definitions_in(source: str) -> tuple[str, ...]:
    """The names of the functions, methods and classes that a text defines, in alphabetical order."""
    return tuple(sorted(_DEFINED.findall(f"\n{source}")))


def content_key(source: str) -> tuple[tuple[str, ...], int]:
    """What orders files of one folder: no name of a file has a part in it, nor has the order of what they define.

    Files that define the same are ordered by their length.
    """
    return definitions_in(source), source.count("\n")


def definitions_digest(source: str) -> str:
    """What a text defines, as a short text: an edit within a function leaves it as it is."""
    return blake2b(" ".join(definitions_in(source)).encode(), digest_size=8).hexdigest()


def length_without_imports(source: str) -> int:
    """How long a text is, without the lines that name other files."""
    return len(source) - sum(map(len, _IMPORTS.findall(f"\n{source}")))
