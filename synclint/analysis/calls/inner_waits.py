"""What calls of libraries wait for and return that the catalogue does not describe by hand, by their summaries."""

from __future__ import annotations

import ast
from ast import literal_eval
from collections.abc import Mapping

from synclint.analysis.domain.paces import TRAINING
from synclint.analysis.domain.tensors import device_tensor_within
from synclint.analysis.domain.values import (
    UNKNOWN,
    Device,
    DeviceName,
    Instance,
    Nothing,
    Scalar,
    Tensor,
    Text,
    Value,
    is_known,
    options,
)
from synclint.analysis.models.torch_results import value_of_kind
from synclint.analysis.models.versions import is_within
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.entries import Catalog
from synclint.catalog.summaries import (
    INNER,
    OF_MODE,
    ON_HOST,
    SETTING,
    WAITS_INSIDE,
    FunctionSummary,
    InnerWait,
    Need,
    anyhow,
    clause_of_arguments,
)
from synclint.findings import Confidence


def is_summarized_module(name: str, frame: Frame) -> bool:
    """Whether a class is a module of a library with methods that wait for its state, which is on the CPU at first."""
    library = frame.engine.summary_of(name.partition(".")[0])
    return library is not None and library.is_module(name)


def summarized_result(names: tuple[str, ...], place: Device, frame: Frame) -> Value | None:
    """What a function of a library returns, known by the first of its ``names`` of which that is told.

    ``place`` is where its tensors are unless they are always elsewhere.
    """
    for name in names:
        library = frame.engine.summary_of(name.partition(".")[0])
        kind = library.returned(name) if library is not None else None
        if kind is not None:
            return value_of_kind(kind, Tensor(place, trust=Confidence.MEDIUM))
    return None


def constructor_arguments(name: str, arguments: Arguments, frame: Frame) -> dict[str, Value]:
    """What the constructor of a class of a library is given by position, where what waits in methods depends on it."""
    library = frame.engine.summary_of(name.partition(".")[0])
    parameters = library.constructor(name) if library is not None else ()
    unknown = {} if arguments.complete else dict.fromkeys(parameters, UNKNOWN)
    return {**unknown, **dict(zip(parameters, arguments.positional, strict=False))}


def report_inner_waits(
    names: tuple[str, ...],
    arguments: Arguments,
    node: ast.Call,
    frame: Frame,
    *,
    receiver: Instance | None = None,
    has_state: bool = False,
) -> None:
    """Report what waits inside a call of a library, known by the first of its ``names`` that has a summary.

    One wait stands for all of a call: who reads about it can do something about the call alone. ``has_state`` says that
    the ``receiver`` of a method is an object whose state may be on the device.
    """
    if any(_is_described(name, frame.engine.catalog) for name in names):
        return  # what people have written down is surer, and says more
    for name in names:
        package = name.partition(".")[0]
        library = frame.engine.summary_of(package)
        function = library.waiting(name) if library is not None else None
        if library is not None and function is not None:
            used = frame.engine.versions.get(library.distribution)
            waits = [wait for wait in function.waits if is_within(wait.since, wait.until, used)]
            settings = None if receiver is None or receiver.record is not None else dict(receiver.fields)
            _report(package, function._replace(waits=tuple(waits)), arguments, settings, node, frame, has_state)
            return


def _is_described(name: str, catalog: Catalog) -> bool:
    """Whether the catalogue describes by hand what waits in a function or method, of whichever release.

    What a function returns may be told alone; a class whose methods are told was read as a whole.
    """
    owner, _, method = name.rpartition(".")
    model = catalog.classes.get(owner)
    return name in catalog.calls or (model is not None and method in model.methods)


def _report(
    package: str,
    function: FunctionSummary,
    arguments: Arguments,
    settings: Mapping[str, Value] | None,
    node: ast.Call,
    frame: Frame,
    has_state: bool,
) -> None:
    """Report the first wait that a call opens; ``settings`` are what the object's constructor was given, if known."""
    given = {**dict(zip(function.parameters, arguments.positional, strict=False)), **arguments.keywords}
    given |= {f"{SETTING}{name}": value for name, value in (settings or {}).items()}
    for wait in function.waits:
        if settings is None and any(need.parameter.startswith(SETTING) for need in wait.needs):
            continue
        asked = [_fulfilled(need, given.get(need.parameter), function.defaults) for need in wait.needs]
        tensor = _waited_for(wait, given, arguments, has_state=has_state) if None not in asked else None
        if tensor is not None:
            place = wait.place if wait.verified else f"{wait.place}, by its source alone"
            of_object = any(need.parameter.startswith(SETTING) for need in wait.needs)
            clause = clause_of_arguments([*filter(None, asked)], of_object=of_object)
            clause = clause if wait.needs else anyhow(is_given=bool(wait.of))
            told = f"{WAITS_INSIDE}{package}: `{wait.code}` ({place}){clause}"
            frame.report(f"{INNER}{wait.mechanism}", node, tensor, node, Confidence.MEDIUM, told=told)
            return


def _waited_for(wait: InnerWait, given: dict[str, Value], arguments: Arguments, *, has_state: bool) -> Tensor | None:
    """What the host waits for inside a call with these arguments, None where it does not."""
    if not arguments.complete:
        return None
    if wait.mechanism == _EXPLICIT:
        return Tensor(trust=Confidence.MEDIUM)
    if not wait.of:
        return Tensor(trust=Confidence.MEDIUM) if has_state else None
    return next((found for name in wait.of if (found := device_tensor_within(given.get(name, _NOTHING)))), None)


_NOTHING = Nothing()
_EXPLICIT = "explicit"


def _fulfilled(need: Need, value: Value | None, defaults: Mapping[str, str]) -> str | None:
    """The argument that is what is asked for, empty where there is nothing to say of it; None where it may be another.

    What is left out has its default.
    """
    if need.is_about_place:
        if value is not None and not any(_is_placed(need, option) for option in options(value)):
            return None
        return f"{need.parameter}{ON_HOST}"
    name = need.parameter.removeprefix(SETTING)
    if value is None:
        default = defaults.get(need.parameter)
        if default is None or not need.accepts(literal_eval(default)):
            return None
        return "" if need.kind == "!=" else f"{name}={default}"
    for option in options(value):
        if option == TRAINING and need.kind == "true":
            return f"{name}={OF_MODE}"  # steps run in this mode
        literal = _literal(option)
        if literal is not None and need.accepts(*literal):
            return "" if need.kind == "!=" else f"{name}={literal[0]!r}"
        if literal is None and _is_other(need, option):
            return name if need.kind == "is not None" and not isinstance(option, Tensor) else ""
    return None


def _is_placed(need: Need, option: Value) -> bool:
    """Whether a value is where it is asked for."""
    if isinstance(option, Tensor):
        return option.device in (Device.CPU, Device.EITHER)
    return need.accepts(option)


def _literal(option: Value) -> tuple[object] | None:
    """The literal that a value is."""
    if isinstance(option, Nothing):
        return (None,)
    if isinstance(option, DeviceName):
        return ("cpu",) if option.device is Device.CPU else None
    return (option.literal,) if isinstance(option, (Scalar, Text)) and option.literal is not None else None


def _is_other(need: Need, option: Value) -> bool:
    """Whether something that is no literal is what is asked for."""
    if isinstance(option, Tensor):
        return need.kind in ("is not None", "a tensor", "!=")
    return is_known(option) and need.kind in ("is not None", "no tensor")
