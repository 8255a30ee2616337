"""In which order people are told of findings: what costs a run the most, and can most surely be saved, first.

A priority is a number from 0 to 1000. What fails within a captured graph comes first, then the phases in their order;
no finding of one phase comes before one of an earlier phase. Within a phase points are added up:

* what multiplies the wait, up to 40: 20 for each loop over parameters, 10 for one over layers or images, 3 for one over
  parts of a batch, 7 for others
* confidence: 8 for medium, 16 for high
* 8 where the way to the line is known; a function that nothing in the project calls has it only by assumption
* 12 in a step that is known to be one of training: what a program samples or predicts waits by nature for its results
* 1 where the host could do without the value
* up to 4 for the mechanism: a shape or a number that the host waits for holds up what comes after it, while whole
  tensors that are copied to the host are often what the program is there for

One cause is enough at first: a place that repeats another of its group loses 20 points, and the second and third cause
within one function 10 and 20, so that what comes first is spread over the project.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
)
_BETWEEN_PHASES = 110.0
_CAPTURED = _BETWEEN_PHASES * len(PHASE_ORDER)
_BASE = 40.0
_MOST_FOR_LOOPS = 40.0
_OTHER_LOOP = 7.0
_LOOPS = (
    (re.compile(r"param|grad|weight|element|pixel|entr|tok|value", re.IGNORECASE), 20.0),
    (re.compile(r"layer|block|modul|stage|head|image|sample|box|object|instance|target|row", re.IGNORECASE), 10.0),
    (re.compile(r"micro|chunk|accum|split|phase|shard", re.IGNORECASE), 3.0),
)
_CONFIDENCE = {Confidence.LOW: 0.0, Confidence.MEDIUM: 8.0, Confidence.HIGH: 16.0}
_KNOWN_WAY = 8.0
_TRAINING = 12.0
_AVOIDABLE = 1.0
_MECHANISMS = {
    "data-dependent-shape": 4.0,
    "scalar-read": 4.0,
    "control-flow": 3.0,
    "host-to-device-copy": 2.0,
    "explicit": 2.0,
}
_OTHER_MECHANISM = 1.0
_HINT = -6.0
_REPEATED = -20.0
_MORE_OF_THE_FUNCTION = (0.0, -10.0, -20.0)


def priority(finding: Finding, *, avoidable: bool) -> float:
    """The priority of a finding by itself; ``avoidable`` says that the host could do without the value."""
    context = finding.context
    points = _BASE + _loops(context) + _CONFIDENCE[finding.confidence]
    points += 0.0 if context.assumed else _KNOWN_WAY
    points += _TRAINING if context.trains else 0.0
    points += _AVOIDABLE if avoidable else 0.0
    points += _MECHANISMS.get(finding.mechanism, _OTHER_MECHANISM)
    points += _HINT if context.hot and finding.severity is Severity.INFO else 0.0
    return _phase_base(context) + points


def spread(priorities: Sequence[float], repeats: Sequence[bool], functions: Sequence[str]) -> list[float]:
    """The priorities of a file's findings, less what they lose to others of their group and their function.

    ``repeats`` says of each whether it repeats another of its group, ``functions`` in which function it stands.
    """
    told: Counter[str] = Counter()
    result = [0.0] * len(priorities)
    for index in sorted(range(len(priorities)), key=lambda index: (repeats[index], -priorities[index], index)):
        base = priorities[index] - priorities[index] % _BETWEEN_PHASES
        less = _REPEATED if repeats[index] else 0.0
        if not repeats[index]:
            less = _MORE_OF_THE_FUNCTION[min(told[functions[index]], len(_MORE_OF_THE_FUNCTION) - 1)]
            told[functions[index]] += 1
        result[index] = max(base, priorities[index] + less)
    return result


def _phase_base(context: Context) -> float:
    if context.captured is not None:
        return _CAPTURED
    return _BETWEEN_PHASES * (len(PHASE_ORDER) - 1 - PHASE_ORDER.index(context.runs))


def _loops(context: Context) -> float:
    return min(_MOST_FOR_LOOPS, sum(_loop(repetition.each) for repetition in context.times))


def _loop(each: str) -> float:
    return next((points for words, points in _LOOPS if words.search(each)), _OTHER_LOOP)
