"""Whether two texts are the same code at the same places: they differ in comments and in spaces at the ends of lines.

Lines without code may follow the last line with any.

Only the lines that differ are looked at. Where the code of a line ends is known of the older text; what comes after
that point, up to the end of the line, can be a comment and nothing else.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Mapping

from synclint.sources.comments import LINE_END

_ENDS = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE})
_SPACE = " \t"


def code_ends(text: str) -> Mapping[int, int]:
    """The column after the code of each line, both counted from 0.

    Lines that end within a string, or with a backslash, have none, and neither has any line of a text that Python does
    not parse: what is wrong with it, and where, may hang on what follows.
    """
    ends: dict[int, int] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the checked code; not ours to pass on
            ast.parse(text)
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type in _ENDS:
                    ends.setdefault(token.start[0] - 1, token.start[1])
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return ends


def changed_comments(before: str, after: str, ends: Mapping[int, int]) -> tuple[str, str] | None:
    """What stands behind the code in the lines that differ, in either text; None where their code may differ.

    ``ends`` are those of the text before, and of the text after where it is the same code.
    """
    if "\f" in after or "\0" in after:  # which tokenizers and parsers take in ways of their own
        return None
    if not ends and before:
        return None
    old, new = LINE_END.split(before), LINE_END.split(after)
    common = min(len(old), len(new))
    if LINE_END.findall(before)[: common - 1] != LINE_END.findall(after)[: common - 1]:
        return None
    if len(old) != len(new):
        # The last line of a text that ends with a line end is empty, and no token tells of it.
        ends = {**dict.fromkeys(range(common - 1, len(old)), 0), **ends}
        old, new = [*old, *[""] * (len(new) - common)], [*new, *[""] * (len(old) - common)]
    removed: list[str] = []
    added: list[str] = []
    for number, (first, second) in enumerate(zip(old, new, strict=True)):
        if first == second:
            continue
        end = ends.get(number, 0 if number >= common else None)
        if end is None:
            return None
        # The end of a line of comments alone is where its first comment begins: its indentation says nothing.
        code = first[:end].rstrip(_SPACE)
        rest = second[len(code) :].lstrip(_SPACE)
        if not second.startswith(code) or (rest and not rest.startswith("#")):
            return None
        removed.append(first[len(code) :])
        added.append(rest)
    return "\n".join(removed), "\n".join(added)
