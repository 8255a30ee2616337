"""Asks for the fix that a rule's ``transformations.py`` makes; libcst is imported when this is called, not before."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.folders import transformations
from synclint.fixes.place import Place


def transformed(place: Place, *statements: ast.stmt, rule: str = "") -> Fix | None:
    """The fix that is made within statements that follow one another, by the rule or by another one, named by its code.

    Ask for it where the statements are such as are changed. Raises NoFixError.
    """
    from synclint.fixes.transformations import fix_within

    return fix_within(place, statements, transformations(rule or place.finding.code))
