"""Writing through an index: what is put where, and what the host waits for by that (the rules: ``indexing``)."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.containers import (
    as_part,
    held_besides,
    mapping,
    with_inserted,
)
from synclint.analysis.domain.module_containers import modules_in, with_module
from synclint.analysis.domain.tensors import as_tensor, device_tensor_of, tensor_of
from synclint.analysis.domain.values import (
    Alternatives,
    Array,
    BoundMethod,
    Device,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.interpreter.index_parts import (
    Part,
    index_elements,
    index_parts,
    is_host_index,
    is_of_positions,
)
from synclint.analysis.interpreter.indexing import (
    indexed,
    is_one_of_positions,
    report_position,
    single_index,
    taking,
    with_reasons_of,
)
from synclint.analysis.interpreter.moved_items import dictionary_gone_through
from synclint.analysis.objects import ancestry, attributes, optimizer_state
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Confidence


def write(node: ast.Subscript, container: Value, value: Value, frame: Frame) -> None:
    """``container[index] = value``: report the waits of it, and keep in containers what they hold."""
    if isinstance(container, BoundMethod) and container.name == "__dict__":
        key = single_index(node, frame)
        if isinstance(key, Text) and key.literal is not None:
            attributes.hold(container.receiver, key.literal, value, frame)
        return
    container = taking(node, indexed(container), frame)
    for option in map(as_tensor, options(container)):
        if isinstance(option, Tensor) and isinstance(container, Alternatives) and _fits_no_tensor(value):
            continue
        if isinstance(option, Tensor):
            _write_tensor(node, option, value, frame)
            return
        if isinstance(option, (Mapping, Sequence)):
            _put(node, option, value, frame)
            return
        if isinstance(option, Instance) and modules_in(option) is not None:
            single_index(node, frame)
            attributes.rebind(node.value, with_module(option, value), frame)
            return
        if isinstance(option, Instance) and option.record is not None:
            method = frame.engine.attribute(option, "__setitem__", frame, node)
            if isinstance(method, FunctionValue):
                frame.engine.call_with(method, [single_index(node, frame), value], frame, node)
                return
            if ancestry.has_items_for_attributes(frame.engine, option.record):
                key = single_index(node, frame)
                if isinstance(key, Text) and key.literal is not None:
                    attributes.hold(option, key.literal, value, frame)
                return
    parts = index_parts(node, frame)
    if isinstance(container, Array) and {part.kind for part in parts} == {"integer"}:
        tensor = device_tensor_of(value)
        if tensor is not None:
            frame.report("number-into-array", node, tensor)
    if isinstance(container, Unknown):
        masks = [
            part
            for part in parts
            if part.kind == "mask" and part.tensor is not None and part.tensor.may_be_on_device and not part.is_guessed
        ]
        if masks and device_tensor_of(value):
            frame.report("mask-write", node, masks[0].tensor or Tensor(), masks[0].node, Confidence.MEDIUM)


def _fits_no_tensor(value: Value) -> bool:
    """Whether a value cannot be put into a tensor: an object of the project, a dictionary, a text."""
    return all(
        isinstance(option, (Mapping, Text)) or (isinstance(option, Instance) and option.record is not None)
        for option in map(as_tensor, options(value))
    )


def _put(node: ast.Subscript, container: Mapping | Sequence, value: Value, frame: Frame) -> None:
    index = single_index(node, frame)
    if isinstance(container, Mapping) and isinstance(index, Text) and index.literal is not None:
        optimizer_state.keep(container, index.literal, value, frame)
    if dotted_name(node.value) is None:
        return
    value = as_part(value)
    if isinstance(container, Mapping):
        if isinstance(index, Text) and index.literal is not None:
            changed: Value = mapping({**container.by_key, index.literal: value}, container.element)
        elif _goes_through(node.value, frame):
            # What it holds is put in its place, which says little of what else there is.
            value = replace(value, trust=Confidence.MEDIUM) if isinstance(value, Tensor) else value
            changed = Mapping(container.entries, held_besides(container.element, value))
        else:
            changed = Mapping(container.entries, held_besides(container.element, value))
    else:
        report_position(node, index, index_elements(node)[0], frame)
        changed = with_inserted(container, iterate(value) if isinstance(node.slice, ast.Slice) else value)
    attributes.rebind(node.value, changed, frame)


def _goes_through(container: ast.expr, frame: Frame) -> bool:
    """Whether the innermost loop goes through a container itself: ``for key, value in batch.items()``."""
    path = dictionary_gone_through(frame.loops[-1].node) if frame.loops else None
    return path is not None and path == dotted_name(container)


def _is_number(value: Value) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Array) and value.ndim == 0)


def _is_single_host_value(value: Value) -> bool:
    """A number of Python's or NumPy's, or a CPU tensor of one element, as far as that is known."""
    return any(_is_number(option) for option in options(value)) or (
        (tensor := tensor_of(value)) is not None and tensor.device is Device.CPU and tensor.ndim == 0
    )


def _write_tensor(node: ast.Subscript, container: Tensor, value: Value, frame: Frame) -> None:
    parts = index_parts(node, frame)
    if container.device is Device.CPU:
        _write_to_cpu(node, parts, container, value, frame)
        return
    limit = None if container.device.in_use is Device.DEVICE else Confidence.MEDIUM
    masks = [part for part in parts if part.kind == "mask" and part.tensor is not None]
    others = [part for part in parts if part.kind in ("indices", "host")]
    scalars = [part for part in parts if part.kind == "scalar" and part.tensor is not None]
    for part in scalars:
        if part.tensor is not None and part.tensor.may_be_on_device:
            frame.report("scalar-index-write", node, part.tensor, part.node)
            return
    for part in parts:
        if part.kind == "scalar-mask" and part.tensor is not None and part.tensor.may_be_on_device:
            frame.report("scalar-mask-write", node, part.tensor, part.node)
            return
    if masks:
        _write_mask(node, container, masks, others, value, frame)
        return
    on_host = next((part for part in others if is_host_index(part, container, frame)), None)
    if on_host is not None:
        frame.report("host-index-write", node, with_reasons_of(container, on_host), node.value, limit)
        return
    one = next((part for part in others if is_one_of_positions(part, frame)), None)
    if one is not None and one.tensor is not None and not _is_single_host_value(value):
        frame.report("scalar-index-write", node, one.tensor, one.node, Confidence.LOW)
        return
    if others:
        if _is_single_host_value(value):
            surely = any(is_of_positions(part) for part in others) and not tensor_is_device(value)
            frame.report("index-write-number", node, container, node.value, limit if surely else Confidence.LOW)
        return
    given = tensor_of(value)
    if given is not None and given.device is Device.CPU and given.ndim != 0:
        frame.report("host-tensor-write", node, given, node.value, limit, known=container)
        return
    whole = [part for part in parts if part.kind in ("integer", "integers")]
    if _is_single_host_value(value) and not tensor_is_device(value) and _takes_one_element(parts, whole, container):
        if any(part.kind == "integers" for part in whole):  # nobody makes a tuple of one position
            frame.report("single-element-write", node, container, node.value, Confidence.MEDIUM)
        elif container.ndim == len(whole):
            frame.report("single-element-write", node, container, node.value, limit)
        elif container.ndim is None and (len(whole) > 1 or _is_computed(value)):
            # What takes two positions is a matrix as a rule, and a number that fills a whole row is a constant.
            frame.report("single-element-write", node, container, node.value, Confidence.MEDIUM)


def _takes_one_element(parts: list[Part], whole: list[Part], container: Tensor) -> bool:
    """Whether nothing but positions is given, or all of them and an ellipsis that stands for nothing."""
    others = [part for part in parts if part not in whole]
    is_ellipsis = len(others) == 1 and isinstance(others[0].node, ast.Constant) and others[0].node.value is ...
    return not others or (is_ellipsis and container.ndim == len(whole))


def _is_computed(value: Value) -> bool:
    """Whether a value is a number that the source does not say."""
    return isinstance(value, Scalar) and value.literal is None and value.kind != "bool"


def tensor_is_device(value: Value) -> bool:
    """Whether the value may be a tensor on the device."""
    return device_tensor_of(value) is not None


def _write_to_cpu(node: ast.Subscript, parts: list[Part], container: Tensor, value: Value, frame: Frame) -> None:
    for part in parts:
        if part.kind == "scalar" and part.tensor is not None and part.tensor.device.in_use is Device.DEVICE:
            frame.report("scalar-index-write", node, part.tensor, part.node)
            return
    given = tensor_of(value)
    if given is not None and given.may_be_on_device:
        # Elements are filled in with what was computed; what is put into a slice is on the host as a rule, like that.
        is_element = bool(parts) and all(part.kind == "integer" for part in parts) and container.ndim == len(parts)
        doubt = Confidence.MEDIUM if is_element else Confidence.LOW
        limit = None if given.device.in_use is Device.DEVICE else doubt
        frame.report("copy-to-host", node, given, node.value, limit, known=container)


def _write_mask(
    node: ast.Subscript, container: Tensor, masks: list[Part], others: list[Part], value: Value, frame: Frame
) -> None:
    mask = masks[0]
    tensor = mask.tensor or Tensor()
    if len(masks) + len(others) > 1:
        frame.report("mixed-mask-write", node, tensor, mask.node)
    elif not tensor.may_be_on_device:
        if _is_single_host_value(value):
            limit = None if container.device.in_use is Device.DEVICE else Confidence.MEDIUM
            frame.report("cpu-mask-write", node, tensor, mask.node, limit)
    elif tensor_is_device(value) or (
        (given := tensor_of(value)) is not None and given.ndim != 0 and given.ndim is not None
    ):
        frame.report("mask-write", node, tensor, mask.node)


def update(node: ast.Subscript, container: Value, value: Value, frame: Frame) -> bool:
    """``container[mask] += value``: reported as one, a masked read and a masked write; false for other indices."""
    tensor = tensor_of(container)
    if tensor is None or not tensor.may_be_on_device:
        return False
    frame.muted += 1
    parts = index_parts(node, frame)
    frame.muted -= 1
    for part in parts:
        if part.kind == "mask" and part.tensor is not None and part.tensor.may_be_on_device:
            frame.report("mask-update", node, part.tensor, part.node)
            return True
    return False
