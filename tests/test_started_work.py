"""What processes and threads run begins a program of its own, unless somebody starts it where it is first needed."""

from __future__ import annotations

import pytest

from synclint.analysis.frequency.frequencies import Frequency, Strength
from synclint.analysis.frequency.started_work import started
from synclint.analysis.results.facts import Call, Guard
from synclint.findings import CallPlace, Phase

ONCE = Frequency(Phase.ONCE, Strength.SHOWN, "runs once")
FIRST = Guard(Phase.ONCE, "in the first step only", 0)
LATER = Guard(Phase.STEP, "", 0, option="workers")


def at(*layers: Guard) -> Call:
    return Call("main.py:1:0", CallPlace("main", "main.py", 9), layers)


@pytest.mark.parametrize(("call", "begins"), [(at(), True), (at(LATER), True), (at(FIRST), False)])
def test_a_process_is_a_program_of_its_own_unless_it_is_started_where_it_is_needed(call: Call, begins: bool) -> None:
    assert started(ONCE, ONCE, call, holds_work=False).is_entry == begins


def test_what_trains_itself_begins_nothing_in_what_it_starts() -> None:
    assert not started(ONCE, ONCE, at(), holds_work=True).is_entry
