"""Tests that ask where a program runs: on the CPU, on a GPU of NVIDIA or AMD, or on an accelerator of another kind."""

from __future__ import annotations

import ast

from synclint.analysis.program.off_the_gpu import OF_GPUS, OTHER_PLACES, place_asked_for
from synclint.analysis.state.frames import Frame


def is_of_another_place(test: ast.expr, frame: Frame) -> bool:
    """Whether a test is true only where there is no GPU."""
    return _place_behind(test, frame) in OTHER_PLACES


def other_gpu_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """What a test says of the GPUs on which it comes out so; None where it does on those that most programs run on."""
    place = _place_behind(test, frame)
    if place not in OF_GPUS or OF_GPUS[place] is taken:
        return None
    return place if taken else f"{place}=False"


def _place_behind(test: ast.expr, frame: Frame) -> str:
    if isinstance(test, ast.Name):
        place = frame.module.answers_of_places.get(test.id, "")
        return place if place and not _is_local(test.id, frame) else ""
    return place_asked_for(test)


def _is_local(name: str, frame: Frame) -> bool:
    """Whether a function gives a name a value of its own."""
    function = frame.function
    return function is not None and (
        name in function.stored_names or any(parameter.name == name for parameter in function.parameters)
    )
