"""Which rules know how to mend what they find: those with a ``fix.py`` in their folder, which is read when needed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from synclint.rules.loading import RuleFileError, load_rules
from synclint.rules.records import Rule

if TYPE_CHECKING:
    from synclint.findings import Fix
    from synclint.fixes.place import Place
    from synclint.fixes.transformations import Transformation

    FixFunction = Callable[[Place], Fix | None]

FIX_FILE = "fix.py"


@cache
def fixable_rules() -> dict[str, Rule]:
    """The rules with a ``fix.py``, by their codes."""
    return {rule.code: rule for rule in load_rules() if rule.folder and (rule.folder / FIX_FILE).is_file()}


@cache
def fixable_constructs() -> frozenset[str]:
    """The entries of the catalogue whose findings a rule may be able to mend."""
    return frozenset(construct for rule in fixable_rules().values() for construct in rule.matches)


@cache
def fix_function(code: str) -> FixFunction:
    """The function ``fix`` of a rule's ``fix.py``. Raises RuleFileError where there is none."""
    return cast("FixFunction", _defined(code, FIX_FILE, "fix"))


@cache
def transformations(code: str) -> Sequence[Transformation]:
    """What a rule's ``transformations.py`` lists. Raises RuleFileError where it lists nothing."""
    return cast("Sequence[Transformation]", _defined(code, "transformations.py", "TRANSFORMATIONS"))


def _defined(code: str, file: str, name: str) -> object:
    """What a name stands for in a file of a rule's folder, which is run by this."""
    folder = fixable_rules()[code].folder
    assert folder is not None
    path = folder / file
    spec = importlib.util.spec_from_file_location(f"synclint_{path.stem}_{code.lower()}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    try:
        spec.loader.exec_module(module)
    except SystemExit as error:  # which would end the run, and say nothing
        raise RuleFileError(f"rules/{folder.name}/{file} ends the program") from error
    found = getattr(module, name, None)
    if found is None:
        raise RuleFileError(f"rules/{folder.name}/{file} defines no `{name}`")
    return found
