"""Calls of methods on something unknown that hardly any other class has than one of torch or of a library."""

from __future__ import annotations

import ast

from synclint.analysis.calls.library_classes import call_library_method
from synclint.analysis.domain.values import ClassValue, Instance, Value
from synclint.analysis.models.overloads import choose_overload
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.objects.array_libraries import uses_torch
from synclint.analysis.objects.distributions import DISTRIBUTION
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.names import facts_of
from synclint.catalog.torch_api import load_torch_api

_IMPLIED_CLASSES = facts_of("libraries", "telling-methods")


def of_implied_class(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """Call a method of something unknown whose name implies its class; None where it implies none.

    Nothing but a distribution takes a ``sample_shape``, or is asked by another one for its sample.
    """
    draws = "sample_shape" in arguments.keywords or _hands_on(name, frame)
    owner = DISTRIBUTION if draws else _IMPLIED_CLASSES.get(name)
    if owner is None or not uses_torch(frame) or not _could_be_meant(owner, name, arguments, frame):
        return None
    return call_library_method(owner, name, Instance(owner), arguments, node, frame)


def _hands_on(name: str, frame: Frame) -> bool:
    """Whether a distribution of the project's own draws its sample from what it holds."""
    function = frame.function
    if name != "sample" or function is None or function.name != name or function.owner is None:
        return False
    return ancestry.is_a(frame.engine, function.owner, DISTRIBUTION)


def note_drawn(name: str, node: ast.Call, frame: Frame) -> None:
    """A method of tensors alone is called on what ``sample()`` gave: a distribution has drawn it.

    Whatever else has a ``sample`` gives batches, lists or numbers; what a library has made may have a distribution of
    its own (``vae.encode(x).latent_dist``).
    """
    drawing = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(drawing, ast.Call) or not isinstance(drawing.func, ast.Attribute) or drawing.args:
        return
    if isinstance(drawing.func.value, ast.Attribute) and isinstance(drawing.func.value.value, ast.Call):
        return
    if drawing.func.attr == "sample" and not drawing.keywords and name in load_torch_api().tensor_only:
        nothing = Arguments([])
        if uses_torch(frame) and _could_be_meant(DISTRIBUTION, "sample", nothing, frame):
            call_library_method(DISTRIBUTION, "sample", Instance(DISTRIBUTION), nothing, drawing, frame)


def _could_be_meant(owner: str, name: str, arguments: Arguments, frame: Frame) -> bool:
    """Whether a call fits the method, and no module that the file knows has one of its name, besides the one around."""
    overloads = load_torch_api().class_method(owner, name)
    starred = not arguments.complete
    if overloads and choose_overload(overloads, arguments.positional, arguments.keywords, starred) is None:
        return False
    taken = {parameter.name for overload in overloads for parameter in overload.parameters}
    if overloads and not taken.issuperset(arguments.keywords):
        return False
    around = frame.function.owner if frame.function is not None else None
    known = (value.record for value in frame.module.scope.values() if isinstance(value, ClassValue))
    return not any(
        classes.find_method(record, name) is not None and ancestry.is_module(frame.engine, record)
        for record in known
        if record is not around
    )
