"""What ``from module import *`` can give, as far as the text of the module tells before it is parsed.

The text is enough to pass over most of the modules of a package that imports everything from hundreds of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Compiled when they are first used, which few projects ask for.
_ALL = r"""(?m)^__all__[ ]*(?::[^=\n]+)?=\s*[\[(]((?:\s|,|\#[^\n]*\n|"\w*"|'\w*')*)[\])][ \t]*(?:\#[^\n]*)?$"""
_COMMENT = r"#[^\n]*"
_STAR = r"\bimport[\s\\]*\*"


@dataclass(frozen=True)
class Exports:
    """What a star gives of a module.

    ``names`` are those that its ``__all__`` lists, None where that does not tell. Where it does not, names that stand
    in its ``text`` may be bound there, and any at all where there is no text, because it has stars of its own.
    """

    names: frozenset[str] | None
    text: str | None = None

    def may_give(self, name: str) -> bool:
        """Whether a star may give the module's name; where no ``__all__`` tells, private names are left out.

        Source: the Python language reference, "The import statement".
        """
        if self.names is not None:
            return name in self.names
        return not name.startswith("_") and (self.text is None or name in self.text)


def exports_of(text: str) -> Exports:
    """What the text of a module says that its star gives."""
    listed = re.search(_ALL, text) if text.count("__all__") == 1 else None
    if listed is not None:
        return Exports(frozenset(re.findall(r"\w+", re.sub(_COMMENT, "", listed[1]))))
    return Exports(None, None if re.search(_STAR, text) else text)


def binds_at_top(text: str, name: str) -> bool:
    """Whether the text of a module defines or imports a name at its top level."""
    if name not in text:
        return False
    return (
        re.search(
            rf"^(?:(?:async[ ]+)?def|class)[ \t]+{name}\b|^{name}[ \t]*[:=]|^(?:from|import)[ \t].*\b{name}\b",
            text,
            re.MULTILINE,
        )
        is not None
    )
