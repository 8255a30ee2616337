"""Whether a file is the code that it was, so that nothing has to be analysed again."""

from __future__ import annotations

from synclint.analysis.program.exports import exports_of
from synclint.analysis.program.reach import text_of
from synclint.analysis.results.unmentioned import makes_by_name


def is_same_besides_code(before: str, after: str) -> bool:
    """Whether two texts of a module that are the same code also say the same where words need not be code.

    Which files have torch in reach, and what a star can give, is told by the text before anything is parsed.
    """
    return (
        text_of(before, "") == text_of(after, "")
        and exports_of(before).names == exports_of(after).names
        and makes_by_name(before) == makes_by_name(after)
    )
