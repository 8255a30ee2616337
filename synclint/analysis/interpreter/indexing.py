"""Reading through an index: what a subscript gives, and what the host waits for by that.

The rules are those of ``aten/src/ATen/native/IndexingUtils.h`` and of
``torch/csrc/autograd/python_variable_indexing.cpp``: boolean masks are expanded by ``nonzero``, integer tensors
without dimensions are read as Python integers, host sequences are copied to the device, and a single mask with a
host value becomes ``masked_fill_`` (``indexed_writes``).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.annotations.parameter_names import is_of_the_host
from synclint.analysis.calls.opaque_calls import note_what_may_wait
from synclint.analysis.domain.containers import (
    any_item,
    item_at,
    meant_by,
    part_between,
)
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import modules_in
from synclint.analysis.domain.tensors import as_tensor, device_tensor_of, from_origin, tensor_of
from synclint.analysis.domain.values import (
    INTEGER,
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    BoundMethod,
    Device,
    DType,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
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
    is_met_on_the_host,
    slice_bounds,
)
from synclint.analysis.objects import ancestry, batches, optimizer_state, records
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.formatted_datasets import DATASET, item
from synclint.analysis.objects.usages import goes_through_dimensions
from synclint.analysis.state.frames import Frame
from synclint.catalog.names import facts_of
from synclint.findings import Confidence


def read(node: ast.Subscript, container: Value, frame: Frame) -> Value:
    """What ``container[index]`` is; waits on the way are reported."""
    container = as_tensor(taking(node, indexed(container), frame))
    if isinstance(container, Unknown) and goes_through_dimensions(node.slice) and _is_no_array(node, frame):
        container = Tensor(trust=Confidence.MEDIUM, origin=frame.origin("taken apart as only tensors are", node.value))
    if isinstance(container, Alternatives):
        known: list[Value] = [option for option in container.options if not isinstance(option, (Nothing, Unknown))]
        if _is_no_list(node, known, frame):
            known = [option for option in known if not isinstance(option, Sequence)]
        if any(isinstance(option, Tensor) for option in known):
            # An object of a subclass is what the tensor beside it is said to be, of which more is known.
            known = [option for option in known if as_tensor(option) is option]
        doubtful = _is_rather_an_array(node, known, frame)
        frame.doubts += doubtful
        found = join_all([read(node, option, frame) for option in known]) if known else UNKNOWN
        frame.doubts -= doubtful
        return found
    if isinstance(container, Tensor) and container.trust is not Confidence.HIGH and _is_keyed(node):
        if _is_host_item(node):
            return UNKNOWN
        if container.device is Device.EITHER:  # a dictionary, which stays where it is while what is beside it is moved
            return replace(container, device=Device.CPU)
    if isinstance(container, (Tensor, Unknown)):
        parts = index_parts(node, frame)
        _report_read(parts, container, node, frame)
        if any(is_met_on_the_host(part, container) for part in parts):
            container = _on_the_host(container, parts, node, frame)
        return _selected(container, parts) if isinstance(container, Tensor) else UNKNOWN
    if isinstance(container, Array):
        parts = index_parts(node, frame)
        return container.row() if [part.kind for part in parts] == ["integer"] else Array(container.dtype)
    if isinstance(container, Mapping):
        key = single_index(node, frame)
        if isinstance(key, Text) and key.literal is not None:
            is_of_host = key.literal not in container.by_key and is_of_the_host(key.literal)
            if is_of_host and tensor_of(container.element) is not None:
                return UNKNOWN
            return optimizer_state.kept(container, key.literal, frame)
        return meant_by(container, key)
    if isinstance(container, Sequence):
        tensor = batches.as_indexed(container, node, frame)
        return _from_sequence(node, container, frame) if tensor is None else read(node, tensor, frame)
    if isinstance(container, Text):
        index_parts(node, frame)
        return STRING
    if isinstance(container, Instance):
        return _from_instance(node, container, frame)
    if container == _MODULES and isinstance(node.slice, ast.Name) and node.slice.id == "__name__":
        return ProjectModule(frame.module.name)
    return UNKNOWN


def _on_the_host(container: Tensor | Unknown, parts: list[Part], node: ast.Subscript, frame: Frame) -> Tensor | Unknown:
    """What is indexed on the host: a tensor there; if positions are an array, it may be one as well."""
    if isinstance(container, Tensor):
        return replace(container, device=Device.EITHER)
    if any(part.tensor is None and part.kind == "host" for part in parts) or not uses_torch(frame):
        return container
    origin = frame.origin("indexed by what is brought to the host for that", node)
    return Tensor(Device.CPU, trust=Confidence.MEDIUM, origin=origin)


_MODULES = Symbol("sys.modules")


def _is_no_array(node: ast.Subscript, frame: Frame) -> bool:
    """Whether what is subscripted like a tensor or an array is a tensor: the answer to one, or where no arrays are."""
    if node.value in frame.answers:
        return True
    is_frame = isinstance(node.value, ast.Attribute) and node.value.attr in _OF_FRAMES
    return not is_frame and uses_torch(frame) and not uses_arrays(frame)


# Attributes of data frames that take several indices.
_OF_FRAMES = frozenset({"iloc", "loc", "at", "iat", "values"})


def _is_no_list(node: ast.Subscript, known: list[Value], frame: Frame) -> bool:
    """Whether of a tensor and a list, one of which is read, the index tells that it is the tensor."""
    index = node.slice
    if not any(isinstance(option, Tensor) for option in known) or not any(
        isinstance(option, Sequence) for option in known
    ):
        return False
    if not isinstance(index, (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    frame.muted += 1
    positions = tensor_of(frame.evaluate(index))
    frame.muted -= 1
    return positions is not None and positions.ndim != 0


def _is_rather_an_array(node: ast.Subscript, known: list[Value], frame: Frame) -> bool:
    """Whether of a tensor of unknown place and an array, one of which is read, positions in an array suggest the array.

    That is what functions are about that are annotated to take either.
    """
    index = node.slice
    if not any(isinstance(option, Array) for option in known) or not isinstance(index, (ast.Name, ast.Attribute)):
        return False
    if any(isinstance(option, Tensor) and option.device is not Device.UNKNOWN for option in known):
        return False
    return any(isinstance(option, Array) for option in options(frame.evaluate(index)))


def _is_keyed(node: ast.Subscript) -> bool:
    """Whether something is asked for something by a text, as no tensor is."""
    return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)


def _is_host_item(node: ast.Subscript) -> bool:
    """Whether something is taken from a batch that is no tensor, by its key: ``sample["ntokens"]``."""
    return is_of_the_host(node.slice.value)  # type: ignore[attr-defined]


def indexed(container: Value) -> Value:
    """What is indexed: nobody indexes a method, so what may be one is an attribute of which nothing is known."""
    return UNKNOWN if isinstance(container, BoundMethod) else container


def taking(node: ast.Subscript, container: Value, frame: Frame) -> Value:
    """Of several things that a container may be, those that take the index: a text is a key of dictionaries."""
    if not isinstance(container, Alternatives) or not any(isinstance(one, Mapping) for one in container.options):
        return container
    fitting = [one for one in container.options if not isinstance(one, (Tensor, Sequence, Array, Text, Scalar))]
    if len(fitting) == len(container.options):
        return container
    keys = options(single_index(node, frame)) if _is_single(node) else ()
    return join_all(fitting) if keys and all(isinstance(key, Text) for key in keys) else container


def _is_single(node: ast.Subscript) -> bool:
    elements = index_elements(node)
    return len(elements) == 1 and not isinstance(elements[0], ast.Slice)


def single_index(node: ast.Subscript, frame: Frame) -> Value:
    if _is_single(node):
        return frame.evaluate(index_elements(node)[0])
    index_parts(node, frame)
    return UNKNOWN


def _from_sequence(node: ast.Subscript, container: Sequence, frame: Frame) -> Value:
    part = index_elements(node)[0]
    if isinstance(part, ast.Slice) and len(index_elements(node)) == 1:
        lower, upper, _ = slice_bounds(part, frame)
        low, high = _literal(lower, 0), _literal(upper, None)
        if low is not None and (high is not None or upper is None) and part.step is None:
            return part_between(container, low, high)
        return Sequence(container.kind, None, any_item(container))
    index = single_index(node, frame)
    if container.kind != "batch":
        if isinstance(index, Text):
            return UNKNOWN  # no list has keys: whatever it is, it is another thing than what it was taken for
        report_position(node, index, part, frame)
    position = _literal(index, None)
    return item_at(container, position) if position is not None else any_item(container)


def report_position(node: ast.Subscript, index: Value, part: ast.expr, frame: Frame) -> None:
    """A list is read or written at the value of a tensor; one of several elements shows that it is no list."""
    tensor = device_tensor_of(index)
    if tensor is not None and (tensor.ndim == 0 or (tensor.ndim is None and tensor.dtype is not DType.BOOL)):
        frame.report("index-protocol", node, tensor, part)
    elif tensor is not None and tensor.dtype is DType.BOOL and isinstance(node.ctx, ast.Load):
        frame.report("mask-read", node, tensor, part, Confidence.MEDIUM)


def _literal(value: Value | None, default: int | None) -> int | None:
    if value is None:
        return default
    return value.literal if isinstance(value, Scalar) and isinstance(value.literal, int) else None


def _from_instance(node: ast.Subscript, container: Instance, frame: Frame) -> Value:
    modules = modules_in(container)
    if modules is not None:
        return read(node, modules, frame)
    held = records.contents(container, frame, node)
    if held is not None:
        return read(node, held, frame)
    value = single_index(node, frame)
    if container.name == DATASET:
        return item(container, value)
    if container.record is None:
        return INTEGER if container.name == "range" else UNKNOWN
    method = frame.engine.attribute(container, "__getitem__", frame, node)
    if isinstance(method, FunctionValue):
        return frame.engine.call_with(method, [value], frame, node)
    if isinstance(value, Text) and value.literal is not None:
        if ancestry.has_items_for_attributes(frame.engine, container.record):
            return frame.engine.attribute(container, value.literal, frame, node) or UNKNOWN
    return UNKNOWN


def _report_read(parts: list[Part], container: Tensor | Unknown, node: ast.Subscript, frame: Frame) -> None:
    if any(part.kind in ("unknown", "indices") and _may_be_mask(part.tensor) for part in parts):
        note_what_may_wait(node, frame)
    on_cpu = isinstance(container, Tensor) and container.device is Device.CPU
    surely_tensor = isinstance(container, Tensor)
    if not surely_tensor and _is_of_dimensions(parts):
        container = Tensor(trust=Confidence.MEDIUM)  # of arrays, nobody takes rows at the positions of a tensor
    limit = None if surely_tensor else Confidence.MEDIUM
    for part in parts:
        tensor = part.tensor
        if part.kind == "mask" and tensor is not None:
            if tensor.may_be_on_device and not on_cpu:
                is_doubtful = part.is_guessed and not surely_tensor and _may_be_array(frame)
                frame.report("mask-read", node, tensor, part.node, Confidence.LOW if is_doubtful else limit)
            elif not tensor.may_be_on_device and not on_cpu and surely_tensor:
                frame.report("cpu-mask-read", node, tensor, part.node)
        elif part.kind == "scalar-mask" and tensor is not None and tensor.may_be_on_device and not on_cpu:
            frame.report("scalar-mask-index", node, tensor, part.node, limit)
        elif part.kind == "scalar" and tensor is not None and tensor.may_be_on_device:
            if surely_tensor or tensor.dtype is DType.INT:
                frame.report("scalar-index", node, tensor, part.node, limit)
        elif part.kind == "indices" and tensor is not None and surely_tensor and is_one_of_positions(part, frame):
            frame.report("scalar-index", node, tensor, part.node, Confidence.LOW)
        elif isinstance(container, Tensor) and container.may_be_on_device and is_host_index(part, container, frame):
            frame.report(
                "host-index",
                node,
                with_reasons_of(container, part),
                part.node,
                None if container.device.in_use is Device.DEVICE and not _may_be_there(tensor) else Confidence.MEDIUM,
                known=tensor if tensor is not None else part.known,
            )


def is_one_of_positions(part: Part, frame: Frame) -> bool:
    """Whether an index is taken from positions at counted places: one position, unless they are several for each."""
    tensor, index = part.tensor, part.node
    if tensor is None or tensor.dtype is not DType.INT or tensor.ndim is not None or not tensor.may_be_on_device:
        return False
    if isinstance(index, ast.Call) and isinstance(index.func, ast.Attribute) and index.func.attr in _CASTS:
        index = index.func.value
    if not isinstance(index, ast.Subscript):
        return False
    frame.muted += 1
    at = [frame.evaluate(element) for element in index_elements(index) if not isinstance(element, ast.Slice)]
    frame.muted -= 1
    counted = [isinstance(one, Scalar) and one.kind == "int" and one.literal is None for one in at]
    return len(at) == len(index_elements(index)) and all(counted)


_CASTS = frozenset(facts_of("torch", "casts"))


def _may_be_mask(tensor: Tensor | None) -> bool:
    """Whether nothing says of an index, which may be a tensor, that it holds no truth values."""
    return tensor is None or tensor.dtype is DType.UNKNOWN


def _may_be_there(tensor: Tensor | None) -> bool:
    """Whether positions are on the device on some paths."""
    return tensor is not None and tensor.device is Device.EITHER


def with_reasons_of(container: Tensor, part: Part) -> Tensor:
    """A tensor with the reasons why its index is on the host behind its own: the copy is that of the index."""
    origin = part.tensor.origin if part.tensor is not None else None
    if origin is None:
        return container
    for link in reversed(tuple(container.origin.chain()) if container.origin is not None else ()):
        origin = replace(link, parent=origin)
    return from_origin(container, origin)


def _may_be_array(frame: Frame) -> bool:
    """Whether what is unknown may be an array as well as a tensor, by what its file imports."""
    return not uses_torch(frame) or uses_arrays(frame)


def _is_of_dimensions(parts: list[Part]) -> bool:
    """Whether an index goes through several dimensions and has positions of a tensor among them: ``x[..., index]``."""
    if len(parts) < 2 or not any(part.kind in ("slice", "ellipsis") for part in parts):
        return False
    return any(part.kind == "indices" and part.tensor is not None for part in parts)


def _selected(container: Tensor, parts: list[Part]) -> Tensor:
    rank = container.ndim
    if rank is not None:
        for part in parts:
            if part.kind in ("integer", "scalar"):
                rank -= 1
            elif part.kind in ("new", "scalar-mask"):
                rank += 1
            elif (
                part.kind == "indices" and part.tensor is not None and part.tensor.ndim is not None and len(parts) == 1
            ):
                rank += part.tensor.ndim - 1
            elif part.kind == "mask" and part.tensor is not None and part.tensor.ndim is not None and len(parts) == 1:
                rank -= part.tensor.ndim - 1
            elif part.kind in ("mask", "indices", "integers", "unknown"):
                return _part_of(container, None)
        if rank < 0 or (container.ndim == 0 and any(part.kind == "slice" for part in parts)):
            rank = None  # nothing can be taken from what has no dimensions: we have been mistaken
    before, last = parts[:-1], parts[-1:]
    if all(part.kind == "integer" for part in before) and all(part.kind in ("integer", "slice") for part in last):
        return replace(_part_of(container, rank), pinned=container.pinned)  # rows are where all of it is
    return _part_of(container, rank)


def _part_of(whole: Tensor, ndim: int | None) -> Tensor:
    """A tensor that has been taken from another one, in new memory."""
    return Tensor(
        whole.device, whole.dtype, ndim, whole.trust, pinned=False, origin=whole.origin, is_empty=whole.is_empty
    )
