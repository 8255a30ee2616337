"""What orders the files of a project by what they define, so that what they are called decides nothing.

Some of what the analysis does depends on what comes first: limits on contexts and on repeated work are used up in the
order in which things are run. That order therefore follows from the code alone. An edit leaves it as it is unless it
adds, removes or renames a definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

_DEFINED = re.compile(r"\n[ \t]*(?:async )?(?:def|class) (\w+)")
_COMMENT = re.compile(r"#[^\n]*")
_IMPORTS = re.compile(r"\n[ \t]*(?:from|import) [^\n]*")


def definitions_in(source: str) -> tuple[str, ...]:
    """The names of all that a text defines, in alphabetical order."""
    return tuple(sorted(_DEFINED.findall(f"\n{source}")))


def own_lines(source: str) -> list[str]:
    """The lines of code that name no other files, in alphabetical order: they tell apart what defines the same.

    Comments and docstrings are left out: where only these are new, nothing is analysed again.
    """
    code = _COMMENT.sub("", source)
    for quotes in ('"""', "'''"):
        code = "".join(code.split(quotes)[::2])
    lines = (line.strip() for line in code.split("\n"))
    return sorted(line for line in lines if line and not line.startswith(("import ", "from ", "'", '"')))


def content_digest(source: str) -> str:
    """What orders a text among others, in short: what it defines decides before its lines do."""
    return _digest(definitions_in(source)) + _digest(own_lines(source))


def _digest(texts: Iterable[str]) -> str:
    return blake2b("\n".join(texts).encode(errors="surrogatepass"), digest_size=8).hexdigest()


def length_without_imports(source: str) -> int:
    """How long a text is, without the lines that name other files."""
    return len(source) - sum(map(len, _IMPORTS.findall(f"\n{source}")))
