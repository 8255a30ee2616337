"""How often what a process or a thread runs does, which goes on while its maker does something else."""

from __future__ import annotations

from synclint.analysis.frequency.frequencies import WORK, Frequency, Strength
from synclint.analysis.results.facts import Call, Guard
from synclint.findings import Phase


def started(found: Frequency, around: Frequency, call: Call, *, holds_work: bool) -> Frequency:
    """How often it does, by the place where it is started, and by what is ``around`` that place.

    It goes on there as where it is started, in each of however many are before the work begins. ``holds_work`` tells
    that the place is in a function that trains, or calls one that does. What is started where it is first needed is
    there for whoever needs it.
    """
    is_before = around.runs is Phase.ONCE or around.strength is Strength.ASSUMED
    if not is_before or found.runs not in (Phase.ONCE, Phase.STEP) or found.loop not in ("", WORK):
        return found
    is_needed = any(isinstance(layer, Guard) and layer.runs is Phase.ONCE for layer in call.layers)
    is_entry = around.strength is Strength.SHOWN and not holds_work and not is_needed
    strength = max(found.strength, Strength.NAMED)
    return found._replace(runs=Phase.ONCE, strength=strength, is_entry=is_entry, times=(), loop="", infers=False)
