"""What a call tells of how often the function runs that it calls."""

from __future__ import annotations

from synclint.analysis.frequency.frequencies import TURNS, WORK, Frequency, Strength
from synclint.analysis.results.facts import Call, Evidence, Guard
from synclint.findings import Phase
from synclint.frozen import dataclass, remembered

_LOOPS = {
    Evidence.OPTIMIZER.value: "the training loop",
    Evidence.BACKWARD.value: "the training loop",
    Evidence.BATCHES.value: "the loop over batches",
    Evidence.ENVIRONMENT.value: "the loop over the steps of an environment",
    Evidence.FRAMES.value: "the loop over the frames of a window",
    WORK: "the program's loop",
    TURNS: "the program's loop",
}


@dataclass(frozen=True)
class AtCall:
    """How often the place of a call runs, by how often the caller did (``around``) when that was last asked."""

    call: Call
    around: Frequency
    found: Frequency

    @remembered
    def weight(self) -> tuple[tuple[int, ...], int]:
        """What decides first which of several calls tells how often the function runs, greatest first."""
        return self.found.weight, -len(self.found.path) - (self.call.place not in self.found.path)

    @remembered
    def told(self) -> Frequency:
        """What the call tells of the function."""
        return through_call(self.found, self.call)


def is_captured(call: Call) -> bool:
    """Whether a call stands where a graph is captured."""
    return any(isinstance(layer, Guard) and layer.captured is not None for layer in call.layers)


def through_call(found: Frequency, call: Call) -> Frequency:
    """The frequency that a call gives to what it calls, from that of the place where it stands."""
    where = f"`{call.place.function}`" if call.place.function else "the script"
    if found.loop:
        where = _LOOPS[found.loop]
    if found.runs is Phase.STEP:
        reason = f"called from {where}, {str(call.place).rpartition(', ')[2]}"
    else:
        reason = _why_not(found, call)
    path = found.path if call.place in found.path else (*found.path, call.place)
    if call.is_guess and not found.trains:  # a name leads there, and the loops around it multiply the one that is meant
        strength = min(found.strength, Strength.NAMED)
        found = found._replace(strength=strength, times=(), guesses=found.guesses + 1)
    return found._replace(reason=reason, path=path, loop="")


def _why_not(found: Frequency, call: Call) -> str:
    if call.layers and isinstance(call.layers[-1], Guard) and call.layers[-1].reason == found.reason:
        return f"called only where it {found.reason}"
    if call.place.function:
        return f"called only from `{call.place.function}`, {_PHASE_OF_CALLER[found.runs]}"
    return f"called only from the script, {_PHASE_OF_CALLER[found.runs]}"


_PHASE_OF_CALLER = {
    Phase.STEP: "which runs in each step",
    Phase.INTERVAL: "where it runs every N steps",
    Phase.EVAL: "where it runs in evaluation",
    Phase.EPOCH: "where it runs once per epoch",
    Phase.DATA: "where it prepares data",
    Phase.ONCE: "where it runs once",
    Phase.BENCHMARK: "where it is measured",
    Phase.TEST: "which is a test",
    Phase.UNREACHED: "where nothing waits for a GPU",
}
