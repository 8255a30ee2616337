"""Which rules know how to mend what they find: those with a ``fix.py`` in their folder, which is read when needed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from synclint.rules.loading import RuleFileError, load_rules
from synclint.rules.records import Rule

if TYPE_CHECKING:
    from synclint.findings import Fix
    from synclint.fixes.place import Place

    FixFunction = Callable[[Place], Fix | None]

_FILE, _FUNCTION = "fix.py", "fix"


@cache
def fixable_rules() -> dict[str, Rule]:
    """The rules with a ``fix.py``, by their codes."""
    return {rule.code: rule for rule in load_rules() if rule.folder and (rule.folder / _FILE).is_file()}


@cache
def fixable_constructs() -> frozenset[str]:
    """The entries of the catalogue whose findings a rule may be able to mend."""
    return frozenset(construct for rule in fixable_rules().values() for construct in rule.matches)


@cache
def fix_function(code: str) -> FixFunction:
    """The function ``fix`` of a rule's ``fix.py``. Raises RuleFileError where there is none."""
    folder = fixable_rules()[code].folder
    assert folder is not None
    path = folder / _FILE
    spec = importlib.util.spec_from_file_location(f"synclint_fix_{code.lower()}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: FixFunction | None = getattr(module, _FUNCTION, None)
    if function is None:
        raise RuleFileError(f"rules/{folder.name}/{_FILE} has no function `{_FUNCTION}`")
    return function
