"""Every kind of fix in the code has a case, and every kind that may be safe is compared before and after."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fix_cases import fix, load_fix_cases
from test_fix_equality import CHANGED, CHANGED_FOR_A_DEVICE, RELEASES, written

from synclint.findings import Edit, Fix
from synclint.fixes.folders import fixable_rules, transformations
from synclint.fixes.place import Place

REPOSITORY = Path(__file__).parent.parent
# A kind of fix: the file and the function that decides on it.
Kind = tuple[str, str]


def kinds_in_code() -> set[Kind]:
    """The functions that make fixes, and those that transformations name."""
    found = set()
    for path in (REPOSITORY / "synclint" / "fixes").glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
                if any(ast.unparse(call.func) == "place.fix" for call in calls):
                    found.add((path.stem, function.name))
    found.discard(("transformations", "fix_within"))
    for code, rule in fixable_rules().items():
        if rule.folder is not None and (rule.folder / "transformations.py").is_file():
            found |= {(code, one.rewrite.__name__) for one in transformations(code)}
    return found


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[Kind, bool]]:
    """The kinds of fixes that are made meanwhile, and whether there was a safe one."""
    found: dict[Kind, bool] = {}
    usual = Place.fix

    def recording(self: Place, message: str, *edits: Edit, caveat: str = "") -> Fix:
        made = usual(self, message, *edits, caveat=caveat)
        caller = sys._getframe(1)
        kind = (Path(caller.f_code.co_filename).stem, caller.f_code.co_name)
        if kind == ("transformations", "fix_within"):
            rewrite = caller.f_locals["transformation"].rewrite
            kind = (rewrite.__module__.rpartition("_")[2].upper(), rewrite.__name__)
        found[kind] = found.get(kind, False) or made.is_safe
        return made

    with monkeypatch.context() as patch:
        patch.setattr(Place, "fix", recording)
        yield found


def test_every_kind_of_fix_has_a_case_and_every_safe_one_is_compared(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with recorded(monkeypatch) as in_cases:
        for case in load_fix_cases():
            fix(case.before, case.releases, unsafe=True)
    assert kinds_in_code() - in_cases.keys() == set()
    with recorded(monkeypatch) as compared:
        for name in (*CHANGED, *CHANGED_FOR_A_DEVICE):
            fix(written(name, tmp_path), RELEASES, unsafe=False)
    assert {kind for kind, is_safe in in_cases.items() if is_safe} - {
        k for k, safe in compared.items() if safe
    } == set()
