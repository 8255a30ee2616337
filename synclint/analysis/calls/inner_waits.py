"""Waits inside the calls of libraries that the catalogue does not describe by hand, by summaries of their sources."""

from __future__ import annotations

import ast

from synclint.analysis.domain.tensors import device_tensor_within
from synclint.analysis.domain.values import Nothing, Tensor, Value, options
from synclint.analysis.models.conditions import literal_value
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.entries import Catalog
from synclint.catalog.summaries import WAITS_INSIDE, FunctionSummary, InnerWait, summary_of
from synclint.findings import Confidence


def is_summarized_module(name: str) -> bool:
    """Whether a class is a module of a library with methods that wait for its state, which is on the CPU at first."""
    library = summary_of(name.partition(".")[0])
    return library is not None and name in library.modules


def report_inner_waits(
    names: tuple[str, ...], arguments: Arguments, node: ast.Call, frame: Frame, *, has_state: bool = False
) -> None:
    """Report what waits inside a call of a library, known by the first of its ``names`` that has a summary.

    One wait stands for all of a call: who reads about it can do something about the call alone. ``has_state`` says that
    there is an object whose state may be on the device.
    """
    if any(_is_described(name, frame.engine.catalog) for name in names):
        return  # what people have written down is surer, and says more
    for name in names:
        package = name.partition(".")[0]
        library = summary_of(package)
        function = library.functions.get(name) if library is not None else None
        if function is not None:
            _report(package, function, arguments, node, frame, has_state=has_state)
            return


def _is_described(name: str, catalog: Catalog) -> bool:
    """Whether the catalogue describes a function or method by hand, of whichever release."""
    owner, _, method = name.rpartition(".")
    model = catalog.classes.get(owner)
    return name in catalog.calls or name in catalog.functions or (model is not None and method in model.methods)


def _report(
    package: str, function: FunctionSummary, arguments: Arguments, node: ast.Call, frame: Frame, *, has_state: bool
) -> None:
    given = {**dict(zip(function.parameters, arguments.positional, strict=False)), **arguments.keywords}
    for wait in function.waits:
        tensor = _waited_for(wait, given, arguments, has_state=has_state)
        if tensor is not None:
            asked = "".join(f", which `{name}={default}` asks for" for name, default in wait.defaults)
            told = f"{WAITS_INSIDE}{package}: `{wait.code}` ({wait.place}){asked}"
            frame.report(f"inner-{wait.mechanism}", node, tensor, node, Confidence.MEDIUM, told=told)
            return


def _waited_for(wait: InnerWait, given: dict[str, Value], arguments: Arguments, *, has_state: bool) -> Tensor | None:
    """What the host waits for inside a call with these arguments, None where it does not."""
    if not arguments.complete or not all(_is_default(given.get(name), default) for name, default in wait.defaults):
        return None
    if not wait.of:
        return Tensor(trust=Confidence.MEDIUM) if has_state else None
    return next((found for name in wait.of if (found := device_tensor_within(given.get(name, _NOTHING)))), None)


_NOTHING = Nothing()


def _is_default(value: Value | None, default: str) -> bool:
    """Whether an argument is left out, or is given what it would have been."""
    return value is None or literal_value(default) in options(value)
