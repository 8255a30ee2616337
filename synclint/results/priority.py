"""In which order people are told of findings: what costs a run the most, and can most surely be saved, first.

A priority is a number from 0 to 2000. What fails within a captured graph comes first, then the phases in their order,
as far as they are known; then, in the same order, what has its phase by assumption, because nothing in the project
calls the function; and at last what nothing there runs. No finding of one of these parts comes before one of an earlier
part. Within a part points are added up:

* what multiplies the wait, up to 26: 20 for each loop over parameters, 7 for others. In a statement that waits at
  several places 3 for every doubling of their number, and 7 less where the statement just before it waits in the same
  way: the device has nothing left to do then
* how sure it is that a run of the program gets there at all: 22 in a step that is known to be one of training, and 12
  more in the training loop itself; 11 where only names say so, such as those of losses; 8 less in a step of inference
  in a project that trains, and in one of neither in any other. Where training is not known, 2 for every doubling of
  the number of functions that call the one with the wait, up to 10: of several models a run takes one, but all of
  these lead there; 2 less for every doubling of the methods that a call on the way means one of, down to 10; and 5
  less for each call on the way, up to three, that may as well mean a method of another class;
  10 less where nothing tells that what is read is on the device, or something that what goes up may be there already:
  what a model is trained with begins on the host and is then there, while much of what an engine or a library handles
  never leaves the one or the other. Half of all that, and 10 less, where an option has to be set that is off by
  default, so that one loop more does not make up for it
* confidence: 7 for medium, 10 for high
* 1 where the host could do without the value
* up to 4 for the mechanism: a shape or a number that the host waits for holds up what comes after it, while whole
  tensors that are copied to the host are often what the program is there for; 4 less where the program asks to wait

``synclint.results.ranking`` then spreads what comes first over the project.
"""

from __future__ import annotations

import math
from dataclasses import replace

from synclint.findings import Confidence, Context, Finding, Phase, Severity

# Steps come first, and the rest by how many of them a long run does.
PHASE_ORDER = (
    Phase.STEP,
    Phase.EVAL,
    Phase.INTERVAL,
    Phase.EPOCH,
    Phase.ONCE,
    Phase.DATA,
    Phase.BENCHMARK,
    Phase.TEST,
    Phase.UNREACHED,
)
_BETWEEN_PHASES = 110.0
# The phases that are known, those that are assumed, and what nothing runs, of which neither can be said.
_PARTS = (
    *((phase, False) for phase in PHASE_ORDER if phase is not Phase.UNREACHED),
    *((phase, True) for phase in PHASE_ORDER if phase is not Phase.UNREACHED),
    (Phase.UNREACHED, False),
)
_BASES = {part: _BETWEEN_PHASES * rank for rank, part in enumerate(reversed(_PARTS))}
_CAPTURED = _BETWEEN_PHASES * len(_PARTS)
_BASE = 26.0
_MOST_FOR_LOOPS = 26.0
_LOOPS = {"parameter": 20.0}
_OTHER_LOOP = 7.0
_CONFIDENCE = {Confidence.LOW: 0.0, Confidence.MEDIUM: 7.0, Confidence.HIGH: 10.0}
_TRAINING = 22.0
_NAMED_TRAINING = 11.0
_DIRECT = 12.0
_ASIDE = -8.0
_OPTIONAL = -10.0
_GUESS = -5.0
_MOST_GUESSES = 3
# What is waited for may just as well be where nobody waits for it, as far as is known.
_ANYWHERE = -10.0
_AVOIDABLE = 1.0
_MECHANISMS = {
    "data-dependent-shape": 4.0,
    "scalar-read": 4.0,
    "control-flow": 3.0,
    "host-to-device-copy": 2.0,
    "explicit": -4.0,
}
_OTHER_MECHANISM = 1.0
_HINT = -6.0
_DOUBLED = 3.0
_CALLED = 2.0
_MOST_CALLERS = 32
_ALTERNATIVE = -2.0
_MOST_ALTERNATIVES = 32
_BEHIND = -7.0


def priority(finding: Finding, *, avoidable: bool) -> float:
    """The priority of a finding by itself; ``avoidable`` says that the host could do without the value."""
    context = finding.context
    points = _BASE + _loops(context) + _CONFIDENCE[finding.confidence]
    points += _certainty(finding)
    points += _AVOIDABLE if avoidable else 0.0
    points += _MECHANISMS.get(finding.mechanism, _OTHER_MECHANISM)
    points += _HINT if context.hot and finding.severity is Severity.INFO else 0.0
    return phase_base(context) + max(points, 0.0)


def _certainty(finding: Finding) -> float:
    """How sure it is that runs get there, by what the step is known to do."""
    context = finding.context
    if context.trains:
        known = _TRAINING + (_DIRECT if context.direct else 0.0)
    else:
        known = _NAMED_TRAINING if context.may_train else 0.0
        known += _CALLED * math.log2(max(1, min(context.callers, _MOST_CALLERS)))
        known += _GUESS * min(context.guesses, _MOST_GUESSES)
        known += _ALTERNATIVE * math.log2(max(1, min(context.alternatives, _MOST_ALTERNATIVES)))
        known += 0.0 if context.placed else _ANYWHERE
    if context.optional:
        known = known / 2 + _OPTIONAL
    return known + (_ASIDE if context.aside else 0.0)


def counting(finding: Finding, places: int, *, is_behind: bool) -> Finding:
    """A finding that counts for waits at so many places; ``is_behind`` says that they stand right behind others."""
    base = phase_base(finding.context)
    points = finding.priority + _DOUBLED * math.log2(places) + (_BEHIND if is_behind else 0.0)
    return replace(finding, priority=max(base, min(base + _BETWEEN_PHASES - 1, points)))


def phase_base(context: Context) -> float:
    """The least priority of what runs so."""
    if context.captured is not None:
        return _CAPTURED
    return _BASES[context.runs, context.assumed and context.runs is not Phase.UNREACHED]


def _loops(context: Context) -> float:
    return min(_MOST_FOR_LOOPS, sum(_LOOPS.get(repetition.each, _OTHER_LOOP) for repetition in context.times))
