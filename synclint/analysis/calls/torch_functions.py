"""Calls of the functions of torch for which there is an overload or an entry of the catalogue."""

from __future__ import annotations

import ast

from synclint.analysis.calls import tensor_methods
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.implicit_scalar_reads import host_parameters, tensor_from_tensors
from synclint.analysis.calls.implied_tensors import as_tensors, unknown_beside
from synclint.analysis.calls.library_results import result_of_kind
from synclint.analysis.calls.tensor_calls import know_mask
from synclint.analysis.domain.values import UNKNOWN, Device, DeviceName, DType, Tensor, Value
from synclint.analysis.models.overloads import choose_overload
from synclint.analysis.models.torch_results import Bound, function_result, makes_on_default_device, operands
from synclint.analysis.program.default_devices import is_put_there
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.names import names_in
from synclint.catalog.torch_api import Overload

_ASKING_MASKS = frozenset({"torch.any", "torch.all"})
_FOLLOWING = names_in("torch", "following")


def torch_function(
    name: str, overloads: tuple[Overload, ...], arguments: Arguments, node: ast.Call, frame: Frame
) -> Value:
    """Call a function of torch."""
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    if chosen is None:
        bound: Bound = {**arguments.keywords}
        if arguments.positional:
            bound.setdefault("input", arguments.positional[0])
        check_entries((name,), bound, overloads[0] if overloads else None, arguments, node, frame)
        if overloads:
            return function_result(name, bound, overloads[0])
        kind = frame.engine.catalog.functions.get(name)
        return result_of_kind(name, kind, arguments, frame) if kind is not None else UNKNOWN
    overload, bound = chosen
    bound = as_tensors(overload, overloads, bound, arguments, frame, unknown_beside(bound.values(), frame))
    devices, within = frame.module.default_devices, frame.function.name if frame.function is not None else None
    if devices and is_put_there(devices, devices, within) and makes_on_default_device(name, overload, bound):
        bound["device"] = DeviceName(Device.DEVICE)
    handed_on = not arguments.complete and arguments.others == UNKNOWN
    if handed_on and any(parameter.name == "device" for parameter in overload.parameters):
        bound.setdefault("device", UNKNOWN)  # it is what options are handed on to a factory for
    seen = bound
    first = overload.parameters[0].name if overload.parameters else None
    if first in bound and not any(p.name == "input" for known in overloads for p in known.parameters):
        seen = {"input": bound[first], **bound}
    if name in _ASKING_MASKS and node.args and isinstance(asked := seen.get("input"), Tensor):
        if asked.dtype is DType.UNKNOWN:
            know_mask(node.args[0], asked, frame)
    if name in ("torch.tensor", "torch.as_tensor"):
        tensor_from_tensors(bound, node, frame)
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        tensor_methods.copied_to_host(bound, node, frame)
    if not check_entries((name,), seen, overload, arguments, node, frame):
        host_parameters(overload, bound, arguments, node, frame)
    special = tensor_methods.function(name, bound, frame)
    result = special if special is not None else function_result(name, bound, overload)
    source = next(iter(operands(bound.values())), None) if name in _FOLLOWING else None
    return tensor_methods.with_origin(result, f"returned by `{name}`", node, frame, source)
