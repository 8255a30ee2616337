"""What a wait costs: the time until a call returns, with a step's worth of work queued on the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synclint.verify.measurement import Cost, Side

MOST_CALLS = 10

# What the calls of one function may take together, half of them on an idle device.
_SECONDS = 1.0

# A small training step: long beside the launch of a few kernels, short beside the patience of users.
STEP_SECONDS = 0.001


def calls_to_measure(seconds: float) -> int:
    """How many calls of ``seconds`` each to make behind queued work: fewer where they are slow."""
    return max(1, min(MOST_CALLS, int(_SECONDS / 2 / max(seconds, 1e-9))))


def measure_cost(
    side: Side,
    function: str,
    runs: Sequence[Callable[[], object]],
    queue_step: Callable[[], None],
    drain: Callable[[], None],
    clock: Callable[[], float],
) -> Cost:
    """Seconds per call over ``runs``, the first half on an idle device, the second behind queued work.

    Each run is a call with inputs of its own. ``queue_step`` queues STEP_SECONDS of work and returns
    at once; ``drain`` waits for the device.
    """
    half = len(runs) // 2
    idle = 0.0
    for run in runs[:half]:
        drain()
        began = clock()
        run()
        idle += clock() - began
    drain()
    host = 0.0
    first = clock()
    for run in runs[half:]:
        queue_step()
        began = clock()
        run()
        host += clock() - began
    drain()
    wall = clock() - first
    calls = len(runs) - half
    return Cost(
        side=side,
        function=function,
        host=host / calls,
        blocked=max(0.0, host / calls - idle / max(half, 1)),
        wall=wall / calls,
        calls=calls,
    )


def host_ratio(costs: Sequence[Cost]) -> float | None:
    """How many times longer the hazard holds the host than its twin, over all functions of a case."""
    hazard = sum(cost.host for cost in costs if cost.side is Side.HAZARD)
    twin = sum(cost.host for cost in costs if cost.side is Side.TWIN)
    return hazard / twin if hazard > 0 and twin > 0 else None
