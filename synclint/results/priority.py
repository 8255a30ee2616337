"""In which order people are told of findings: what costs a run the most, and can most surely be saved, first.

A priority is a number from 0 to 2000. What fails within a captured graph comes first, then the phases in their order,
as far as they are known; then, in the same order, what has its phase by assumption, because nothing in the project
calls the function; and at last what nothing there runs. No finding of one of these parts comes before one of an earlier
part. Within a part points are added up:

* what multiplies the wait, up to 26: 20 for each loop over parameters, 3 for one over parts of a batch or the entries
  of a dictionary, 7 for others; of loops over parts of a model, such as stages and their blocks, one counts. In a
  statement that waits at several places 3 for every doubling of their number, and 7 less where the statement just
  before it waits in the same way: the device has nothing left to do then
* how sure it is that a run of the program gets there at all: 22 in a step that is known to be one of training, and 12
  more in the training loop itself; 11 where only names say so, such as those of losses; 8 less in a step of
  inference. Where training is not known, 2 for every doubling of the number of functions that call the one with the
  wait, up to 10: of several models a run takes one, but all of these lead there; and 5 less for each call on the way,
  up to three, that may as well mean a method of another class; 10 less where nothing tells that what is read is on
  the device: what a model is trained with is there, while much of what an engine or a library handles never leaves
  the host. Half of what training and calls count,
  and 4 less, in a folder of examples or experiments, of which a run takes one of many, and in what is kept for old
  times; 10 less where an option has to be set that is off by default, so that one loop more does not make up for that
* confidence: 7 for medium, 10 for high
* 1 where the host could do without the value
* up to 4 for the mechanism: a shape or a number that the host waits for holds up what comes after it, while whole
  tensors that are copied to the host are often what the program is there for; 4 less where the program asks to wait

``synclint.results.ranking`` then spreads what comes first over the project.
"""

from __future__ import annotations

import math
import re
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
_OTHER_LOOP = 7.0
_LOOPS = (
    (re.compile(r"param", re.IGNORECASE), 20.0),
    (re.compile(r"micro|chunk|accum|split|phase|shard|^item$", re.IGNORECASE), 3.0),
)
# The layers of a model are those of its stages: loops over both multiply a wait by the layers alone.
_PARTS_OF_A_MODEL = re.compile(r"layer|block|modul|stage|head|encoder|decoder", re.IGNORECASE)
_CONFIDENCE = {Confidence.LOW: 0.0, Confidence.MEDIUM: 7.0, Confidence.HIGH: 10.0}
_TRAINING = 22.0
_NAMED_TRAINING = 11.0
_DIRECT = 12.0
_INFERENCE = -8.0
_OPTIONAL = -10.0
_ONE_OF_MANY = -4.0
_GUESS = -5.0
_MOST_GUESSES = 3
# What is waited for may just as well be on the CPU, as far as is known.
_ANYWHERE = -10.0
_READS = frozenset({"data-dependent-shape", "scalar-read", "control-flow", "device-to-host-copy"})
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
_BEHIND = -7.0
_OLD = re.compile(r"(legacy|old|deprecated)(_|\b)|.*_(legacy|old|deprecated)\b")
# What stands in such a folder is one of several programs, comes from elsewhere, or is what `torch.hub` hands out.
_FOLDERS = frozenset(
    {
        "experiment", "experiments", "example", "examples", "contrib", "third_party", "tutorials", "legacy",
        "deprecated", "sandbox", "research", "demo", "demos", "hub", "projects", "dev",
    }
)  # fmt: skip


def priority(finding: Finding, *, avoidable: bool) -> float:
    """The priority of a finding by itself; ``avoidable`` says that the host could do without the value."""
    context = finding.context
    points = _BASE + _loops(context) + _CONFIDENCE[finding.confidence]
    points += _certainty(finding, is_one_of_many=is_aside(finding.filename))
    points += _AVOIDABLE if avoidable else 0.0
    points += _MECHANISMS.get(finding.mechanism, _OTHER_MECHANISM)
    points += _HINT if context.hot and finding.severity is Severity.INFO else 0.0
    return phase_base(context) + max(points, 0.0)


def _certainty(finding: Finding, *, is_one_of_many: bool) -> float:
    """How sure it is that runs get there, by what the step is known to do."""
    context = finding.context
    known = (_TRAINING if context.trains else 0.0) + (_DIRECT if context.direct else 0.0)
    known += _NAMED_TRAINING if context.may_train else 0.0
    if not context.trains:
        known += _CALLED * math.log2(max(1, min(context.callers, _MOST_CALLERS)))
        known += _GUESS * min(context.guesses, _MOST_GUESSES)
        known += _ANYWHERE if finding.mechanism in _READS and not context.on_device else 0.0
    if context.optional or is_one_of_many:
        known /= 2
    known += _OPTIONAL if context.optional else 0.0
    known += _ONE_OF_MANY if is_one_of_many else 0.0
    return known + (_INFERENCE if context.infers else 0.0)


def is_aside(filename: str) -> bool:
    """Whether a file stands among examples, experiments, or what comes from elsewhere, or is kept for old times."""
    *folders, name = re.split(r"[/\\]", filename)
    return not _FOLDERS.isdisjoint(folders) or _OLD.match(name) is not None


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
    each = [repetition.each for repetition in context.times]
    of_a_model = [_loop(one) for one in each if _PARTS_OF_A_MODEL.search(one)]
    others = sum(_loop(one) for one in each if not _PARTS_OF_A_MODEL.search(one))
    return min(_MOST_FOR_LOOPS, max(of_a_model, default=0.0) + others)


def _loop(each: str) -> float:
    return next((points for words, points in _LOOPS if words.search(each)), _OTHER_LOOP)
