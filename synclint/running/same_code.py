"""Whether a file is the code that it was, so that nothing has to be analysed again."""

from __future__ import annotations

import re
from functools import lru_cache

from synclint.analysis.frequency.names import purpose_of
from synclint.analysis.frequency.step_words import mentions_steps
from synclint.analysis.program.assigned_attributes import assigned_attributes
from synclint.analysis.program.exports import exports_of
from synclint.analysis.program.made_objects import made_objects
from synclint.analysis.program.reach import text_of
from synclint.analysis.program.scaler_names import named_scalers
from synclint.analysis.syntax.edited_lines import EditedLines, edited_lines
from synclint.analysis.syntax.moved_code import MovedCode, moved_code
from synclint.catalog.names import names_in

_NAME = re.compile(r"\w+")
# What the top of a module and its other functions are searched for if it stands anywhere in the text.
_LOOKED_FOR = ("global", "nonlocal ", ".add_argument(", ".train(", "from .")
_LIBRARIES = names_in("libraries", "of-arrays") | {"torch"}
_IMPORTED = re.compile(r"(?m)^[ \t]*(?:from|import)[ \t]+([^\n#]*)")
# So deep that all relative imports mean something else.
_ANY_PACKAGE = ".".join("abcdefghijkl")


def is_same_besides_code(before: str, after: str) -> bool:
    """Whether two texts of a module that are the same code also say the same where words need not be code."""
    return mentions_steps(before) == mentions_steps(after) and is_same_besides_bodies(before, after)


def is_same_besides_bodies(before: str, after: str) -> bool:
    """Whether that is so but for what the bodies of functions say of how often they and others run.

    Which files have torch in reach, and what a star can give, is told by the text before anything is parsed; and
    some questions are answered by patterns, which take comments for code.
    """
    return _said_besides_bodies(before) == _said_besides_bodies(after)


@lru_cache(maxsize=4)  # in an editor, one text is compared with many
def _said_besides_bodies(text: str) -> tuple[object, ...]:
    return (
        text_of(text, _ANY_PACKAGE),
        exports_of(text).names,
        named_scalers(text),
        assigned_attributes(text),
        made_objects(text),
        purpose_of(text),
        _libraries_imported(text),
        [text.count(word) for word in _LOOKED_FOR],
    )


def _libraries_imported(text: str) -> frozenset[str]:
    """The libraries of tensors and arrays from which a text imports: each of its functions asks whether it does."""
    return frozenset(word for line in _IMPORTED.findall(text) for word in _NAME.findall(line)) & _LIBRARIES


def same_code_elsewhere(before: str, after: str) -> MovedCode | None:
    """Where the lines of a text stand in another one of the same code, of which the analysis concludes the same."""
    if not is_same_besides_code(before, after):
        return None
    found = moved_code(before, after)
    return found if found is not None and all(_document_the_same(*both) for both in found.docstrings) else None


def lines_of_edit(before: str, after: str) -> EditedLines | None:
    """How the lines of two texts of a module belong together; None where they may differ in more than names tell."""
    found = edited_lines(before, after)
    return found if found is not None and all(_document_the_same(*both) for both in found.docstrings) else None


def mentions_the_same(before: str, after: str) -> bool:
    """Whether what may be a name is the same in two texts."""
    return set(_NAME.findall(before)) == set(_NAME.findall(after))


def _document_the_same(before: str, after: str) -> bool:
    """Whether two docstrings say the same of parameters, and both show an example to readers, or neither does."""
    from synclint.analysis.annotations.docstrings import documented  # brings the abstract values with it

    return documented(before) == documented(after) and (">>>" in before) == (">>>" in after)
