"""Every fix of every rule does what its cases say: before and after, on the CPU and on the simulated device."""

from __future__ import annotations

import difflib
from collections import Counter
from types import ModuleType

import pytest
import torch
from fix_cases import FixCase, behaviour, exact_difference, findings, fix, fixed_text, load_fix_cases, load_module

from synclint.findings import Applicability
from synclint.fixes.folders import fixable_rules
from synclint.rules.own import INTERNAL_ERROR
from synclint.verify.equality import difference
from synclint.verify.simulated import simulated_device

CASES = load_fix_cases()
CHANGING = [case for case in CASES if case.changes]
ON_THE_CPU = [case for case in CHANGING if "NEEDS_CUDA = True" not in case.before.read_text(encoding="utf-8")]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
every_change = pytest.mark.parametrize("case", CHANGING, ids=lambda case: case.name)


def test_every_rule_with_a_fix_has_cases_before_and_after_and_near_misses() -> None:
    changing = {case.rule for case in CHANGING}
    staying = {case.rule for case in CASES if not case.changes}
    assert set(fixable_rules()) == changing == staying


@every_case
def test_the_linter_makes_of_the_program_what_stands_beside_it(case: FixCase) -> None:
    before, wanted = case.before.read_text(encoding="utf-8"), case.after.read_text(encoding="utf-8")
    with_unsafe = fixed_text(case, unsafe=True)
    assert with_unsafe == wanted, "".join(difflib.unified_diff(wanted.splitlines(True), with_unsafe.splitlines(True)))
    assert fixed_text(case, unsafe=False) == (wanted if case.safe else before)


@pytest.mark.parametrize("case", [case for case in CASES if not case.changes], ids=lambda case: case.name)
def test_near_misses_are_not_marked(case: FixCase) -> None:
    found = findings(case.before, case.releases)
    assert not [one for one in found if one.fix is not None]
    assert INTERNAL_ERROR.code not in {one.code for one in found}


@every_change
def test_a_second_run_changes_nothing(case: FixCase) -> None:
    assert not fix(case.after, case.releases, unsafe=not case.safe).changes


@every_change
def test_an_unsafe_fix_says_what_can_differ_and_a_safe_one_has_nothing_to_say(case: FixCase) -> None:
    fixes = [finding.fix for finding in findings(case.before, case.releases) if finding.fix]
    assert fixes
    for one in fixes:
        assert (one.applicability is Applicability.SAFE) is case.safe
        assert bool(one.caveat) is not case.safe
        assert not one.caveat or (one.caveat[0].islower() and not one.caveat.endswith("."))


@pytest.mark.parametrize("case", ON_THE_CPU, ids=lambda case: case.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_program_does_the_same_on_the_cpu(case: FixCase, seed: int) -> None:
    before, after = load_module(case.before), load_module(case.after)
    for function in before.inputs(torch.device("cpu")):
        _compare(case, before, after, function, torch.device("cpu"), seed)


# The one lookup, the one read and the one question that are left of many.
LEFT_OF_MANY = {"SYN101", "SYN201", "SYN202", "SYN203", "SYN204", "SYN301"}


@every_change
def test_on_what_a_fix_writes_nothing_is_new_but_what_is_left_of_many(case: FixCase) -> None:
    before, (after,) = (
        findings(case.before, case.releases),
        fix(case.before, case.releases, unsafe=not case.safe).reports,
    )
    own = set(after.source.splitlines()) - set(case.before.read_text(encoding="utf-8").splitlines())
    lines = after.source.splitlines()
    written = Counter(found.code for found in after.findings if lines[found.span.start.line - 1] in own)
    new = {code for code, count in written.items() if count > Counter(found.code for found in before)[code]}
    assert new <= LEFT_OF_MANY
    assert len(after.findings) <= len(before)


@every_change
def test_the_program_does_the_same_on_the_device_with_fewer_waits(case: FixCase) -> None:
    with simulated_device() as device:
        before, after = load_module(case.before), load_module(case.after)
        for function in before.inputs(device):
            old, new = _compare(case, before, after, function, device, seed=0)
            assert new < old or case.releases, f"{function}: {new} waits, {old} before"


def _compare(
    case: FixCase, before: ModuleType, after: ModuleType, function: str, device: torch.device, seed: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    torch.manual_seed(seed)
    arguments = before.inputs(device)[function]
    old = behaviour(getattr(before, function), arguments, seed)
    new = behaviour(getattr(after, function), arguments, seed)
    differing = getattr(before, "DIFFERS", {})
    if case.safe:
        assert exact_difference(old.result, new.result, function) is None
        assert exact_difference(old.arguments, new.arguments, "arguments") is None
        assert exact_difference(old.gradients, new.gradients, "gradients") is None
        assert old.shared == new.shared, "other results share memory with the arguments"
    elif function not in differing:
        assert difference(old.result, new.result, function) is None
        assert difference(old.gradients, new.gradients, "gradients") is None
    return old.waits, new.waits
