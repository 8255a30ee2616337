"""Subscripts: what reading and writing through an index does, by what the index is made of.

The rules are those of ``aten/src/ATen/native/IndexingUtils.h`` and of
``torch/csrc/autograd/python_variable_indexing.cpp``: boolean masks are expanded by ``nonzero``, integer tensors
without dimensions are read as Python integers, host sequences are copied to the device, and a single mask with a
host value becomes ``masked_fill_``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synclint.analysis.annotations.parameter_names import is_of_the_host
from synclint.analysis.domain.containers import (
    any_item,
    as_part,
    held_besides,
    item_at,
    mapping,
    part_between,
    with_inserted,
)
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import modules_in, with_module
from synclint.analysis.domain.tensors import as_tensor, device_tensor_of, from_origin, tensor_of, tensors_in, weaker
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
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    is_of_unknown,
    options,
)
from synclint.analysis.objects import attributes, optimizer_state, records
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.formatted_datasets import DATASET, item
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import compares_elements, dotted_name
from synclint.catalog.names import names_in
from synclint.findings import Confidence


@dataclass(frozen=True)
class Part:
    """One element of an index: ``kind`` says how it selects, ``tensor`` is the index tensor or the deciding bound.

    ``known`` is what is known of positions that are on the host; ``is_guessed`` says that nothing but the way it is
    written tells of a tensor.
    """

    kind: str
    node: ast.AST
    tensor: Tensor | None = None
    known: Value = UNKNOWN
    is_guessed: bool = False


_CONDITIONS = frozenset({"has", "is", "valid", "keep"})


def _parts(node: ast.Subscript, frame: Frame) -> list[Part]:
    found: list[Part] = []
    elements = _elements(node)
    for element in elements:
        if isinstance(element, ast.Starred):
            return list(_index_parts(frame.evaluate(node.slice), node.slice, alone=True))
        if isinstance(element, ast.Slice):
            _bounds(element, frame)
            found.append(Part("slice", element))
        else:
            found += _index_parts(frame.evaluate(element), element, alone=len(elements) == 1)
    return found


def _bounds(node: ast.Slice, frame: Frame) -> list[Value | None]:
    """The bounds of a slice and its step, None for one that is not given."""
    values: list[Value | None] = []
    for bound in (node.lower, node.upper, node.step):
        value = frame.evaluate(bound) if bound is not None else None
        if bound is not None and value is not None and (tensor := device_tensor_of(value)):
            frame.report("slice-bound", bound, tensor)
        values.append(value)
    return values


def _elements(node: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets of a subscript, one by one."""
    index = node.slice
    return index.elts if isinstance(index, ast.Tuple) and index.elts else [index]


def _index_parts(value: Value, node: ast.expr, alone: bool) -> Iterator[Part]:
    if isinstance(value, Sequence) and value.kind == "tuple" and alone:
        if value.items is None:
            inner = tensor_of(any_item(value))
            yield Part(_tensor_kind(inner, node), node, inner) if inner is not None else Part("unknown", node)
            return
        for item in value.items:
            yield from _index_parts(item, node, False)
        return
    tensor = next((tensor for tensor in tensors_in(value) if tensor.dtype is DType.BOOL), tensor_of(value))
    if tensor is not None:
        yield Part(_tensor_kind(tensor, node), node, _as_mask(tensor, node))
        return
    if all(map(_is_unknown, options(value))) and _is_meant_as_mask(node):
        if not isinstance(value, Nothing):
            yield Part("mask", node, Tensor(dtype=DType.BOOL, trust=Confidence.MEDIUM), is_guessed=True)
            return
    # What may as well be a number is one as a rule.
    for option in sorted(options(value), key=lambda option: not isinstance(option, Scalar)):
        if isinstance(option, Nothing):
            yield Part("new", node)
        elif isinstance(option, Scalar):
            yield Part("slice" if option.kind == "bool" else "integer", node)
        elif isinstance(option, Sequence) and option.kind != "slice":
            kind = "slice" if option.items == () else "host" if _holds_positions(option) else "unknown"
            yield Part(kind, node, known=option)
        elif isinstance(option, Array):
            yield Part("integer" if option.ndim == 0 else "host", node, known=option)
        elif isinstance(option, Instance) and option.name == "range":
            yield Part("host", node, known=option)
        elif isinstance(option, Instance) and option.name == "slice":
            yield Part("slice", node)
        elif isinstance(option, Symbol) and option.name == "builtins.Ellipsis":
            yield Part("ellipsis", node)
        else:
            yield Part("ellipsis" if _is_ellipsis(node) else "unknown", node)
        return


def _is_unknown(value: Value) -> bool:
    """Whether nothing is known of an index: an attribute of something unknown is hardly ever a method."""
    return isinstance(value, (Unknown, Nothing)) or is_of_unknown(value)


def _holds_positions(value: Sequence) -> bool:
    """Whether a list selects by its elements; one that has slices among them stands for a tuple."""
    return not any(
        isinstance(option, (Tensor, Nothing, Symbol)) or (isinstance(option, Instance) and option.name == "slice")
        for option in options(any_item(value))
    )


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _tensor_kind(tensor: Tensor | None, node: ast.AST) -> str:
    if tensor is None:
        return "unknown"
    if tensor.dtype is DType.BOOL:
        return "scalar-mask" if tensor.ndim == 0 else "mask"
    if tensor.dtype is DType.UNKNOWN and tensor.ndim != 0 and _is_meant_as_mask(node):
        return "mask"
    return "scalar" if tensor.ndim == 0 else "indices"


# What gives a mask of another shape.
_RESHAPED = names_in("torch", "reshaping")


def _is_meant_as_mask(node: ast.AST) -> bool:
    """Whether an index is called a mask, or inverted, which makes no sense of positions."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return True
    if isinstance(node, ast.Compare):
        return compares_elements(node)
    while not isinstance(node, (ast.Name, ast.Attribute)):
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RESHAPED:
            node = node.func.value
        else:
            return False
    path = dotted_name(node)
    name = path.rpartition(".")[2] if path is not None else ""
    last = name.lower() if not name.isupper() else ""  # constants are keys
    return "mask" in last and "indi" not in last and _OF_IDS.isdisjoint(last.split("_"))


_OF_IDS = frozenset({"idx", "idxs", "id", "ids", "index", "indexes", "inds", "pos", "positions", "token", "tokens"})


def _is_called_a_condition(node: ast.AST) -> bool:
    """Whether an index is called like what is true of some rows: ``x[has_state]``, ``x[seq_is_new]``."""
    path = dotted_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    words = path.rpartition(".")[2].lower().split("_") if path is not None else []
    return len(words) > 1 and not _CONDITIONS.isdisjoint(words)


def _as_mask(tensor: Tensor, node: ast.AST) -> Tensor:
    """A tensor that is a mask by the way it is written only is weaker evidence."""
    if tensor.dtype is DType.UNKNOWN and tensor.ndim != 0 and _is_meant_as_mask(node):
        return replace(tensor, dtype=DType.BOOL, trust=weaker(tensor.trust, Confidence.MEDIUM))
    return tensor


def read(node: ast.Subscript, container: Value, frame: Frame) -> Value:
    """What ``container[index]`` is; waits on the way are reported."""
    container = as_tensor(_indexed(container))
    if isinstance(container, Alternatives):
        known: list[Value] = [option for option in container.options if not isinstance(option, (Nothing, Unknown))]
        if _is_no_list(node, known, frame):
            known = [option for option in known if not isinstance(option, Sequence)]
        return join_all([read(node, option, frame) for option in known]) if known else UNKNOWN
    if isinstance(container, Tensor) and container.trust is not Confidence.HIGH and _is_host_item(node):
        return UNKNOWN
    if isinstance(container, (Tensor, Unknown)):
        parts = _parts(node, frame)
        _report_read(parts, container, node, frame)
        return _selected(container, parts) if isinstance(container, Tensor) else UNKNOWN
    if isinstance(container, Array):
        parts = _parts(node, frame)
        return container.row() if [part.kind for part in parts] == ["integer"] else Array(container.dtype)
    if isinstance(container, Mapping):
        key = _single(node, frame)
        if isinstance(key, Text) and key.literal is not None:
            is_of_host = key.literal not in container.by_key and is_of_the_host(key.literal)
            if is_of_host and tensor_of(container.element) is not None:
                return UNKNOWN
            return optimizer_state.kept(container, key.literal, frame)
        return any_item(container)
    if isinstance(container, Sequence):
        return _from_sequence(node, container, frame)
    if isinstance(container, Text):
        _parts(node, frame)
        return STRING
    if isinstance(container, Instance):
        return _from_instance(node, container, frame)
    return UNKNOWN


def _is_no_list(node: ast.Subscript, known: list[Value], frame: Frame) -> bool:
    """Whether of a tensor and a list, one of which is read, the index tells that it is the tensor."""
    index = node.slice
    if not any(isinstance(option, Tensor) for option in known) or not isinstance(index, (ast.Name, ast.Attribute)):
        return False
    positions = tensor_of(frame.evaluate(index))
    return positions is not None and positions.ndim != 0


def _is_host_item(node: ast.Subscript) -> bool:
    """Whether something is taken from a batch that is no tensor, by its key: ``sample["ntokens"]``."""
    key = node.slice
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and is_of_the_host(key.value)


def _indexed(container: Value) -> Value:
    """What is indexed: nobody indexes a method, so what may be one is an attribute of which nothing is known."""
    return UNKNOWN if isinstance(container, BoundMethod) else container


def _single(node: ast.Subscript, frame: Frame) -> Value:
    elements = _elements(node)
    if len(elements) == 1 and not isinstance(elements[0], ast.Slice):
        return frame.evaluate(elements[0])
    _parts(node, frame)
    return UNKNOWN


def _from_sequence(node: ast.Subscript, container: Sequence, frame: Frame) -> Value:
    part = _elements(node)[0]
    if isinstance(part, ast.Slice) and len(_elements(node)) == 1:
        lower, upper, _ = _bounds(part, frame)
        low, high = _literal(lower, 0), _literal(upper, None)
        if low is not None and (high is not None or upper is None) and part.step is None:
            return part_between(container, low, high)
        return Sequence(container.kind, None, any_item(container))
    index = _single(node, frame)
    if container.kind != "batch":
        _report_position(node, index, part, frame)
    position = _literal(index, None)
    return item_at(container, position) if position is not None else any_item(container)


def _report_position(node: ast.Subscript, index: Value, part: ast.expr, frame: Frame) -> None:
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
    value = _single(node, frame)
    if container.name == DATASET:
        return item(container, value)
    if container.record is None:
        return INTEGER if container.name == "range" else UNKNOWN
    method = frame.engine.attribute(container, "__getitem__", frame, node)
    if isinstance(method, FunctionValue):
        return frame.engine.call_with(method, [value], frame, node)
    return UNKNOWN


def _report_read(parts: list[Part], container: Tensor | Unknown, node: ast.Subscript, frame: Frame) -> None:
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
        elif isinstance(container, Tensor) and container.may_be_on_device and _is_host_index(part):
            frame.report(
                "host-index",
                node,
                _with_reasons_of(container, part),
                part.node,
                None if container.device is Device.DEVICE else Confidence.MEDIUM,
                known=tensor if tensor is not None else part.known,
            )


def _with_reasons_of(container: Tensor, part: Part) -> Tensor:
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


def _is_host_index(part: Part) -> bool:
    return part.kind == "host" or (
        part.kind == "indices"
        and part.tensor is not None
        and part.tensor.device is Device.CPU
        and part.tensor.dtype is not DType.UNKNOWN
    )


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
            elif part.kind in ("mask", "indices", "unknown"):
                return _part_of(container, None)
        if rank < 0 or (container.ndim == 0 and any(part.kind == "slice" for part in parts)):
            rank = None  # nothing can be taken from what has no dimensions: we have been mistaken
    return _part_of(container, rank)


def _part_of(whole: Tensor, ndim: int | None) -> Tensor:
    """A tensor that has been taken from another one, in new memory."""
    return Tensor(
        whole.device, whole.dtype, ndim, whole.trust, pinned=False, origin=whole.origin, is_empty=whole.is_empty
    )


def write(node: ast.Subscript, container: Value, value: Value, frame: Frame) -> None:
    """``container[index] = value``: report the waits of it, and keep in containers what they hold."""
    if isinstance(container, BoundMethod) and container.name == "__dict__":
        key = _single(node, frame)
        if isinstance(key, Text) and key.literal is not None:
            attributes.hold(container.receiver, key.literal, value, frame)
        return
    container = _indexed(container)
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
            _single(node, frame)
            attributes.rebind(node.value, with_module(option, value), frame)
            return
        if isinstance(option, Instance) and option.record is not None:
            method = frame.engine.attribute(option, "__setitem__", frame, node)
            if isinstance(method, FunctionValue):
                frame.engine.call_with(method, [_single(node, frame), value], frame, node)
                return
    parts = _parts(node, frame)
    if isinstance(container, Array) and [part.kind for part in parts] == ["integer"]:
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
    index = _single(node, frame)
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
        _report_position(node, index, _elements(node)[0], frame)
        changed = with_inserted(container, value)
    attributes.rebind(node.value, changed, frame)


def _goes_through(container: ast.expr, frame: Frame) -> bool:
    """Whether the innermost loop goes through a container itself: ``for key, value in batch.items()``."""
    loop = frame.loops[-1].node if frame.loops else None
    if not isinstance(loop, ast.For):
        return False
    iterable: ast.expr = loop.iter
    while isinstance(iterable, ast.Call):
        method = iterable.func
        if isinstance(method, ast.Attribute) and method.attr in ("items", "keys"):
            iterable = method.value
        elif dotted_name(method) in ("list", "tuple", "sorted") and iterable.args:
            iterable = iterable.args[0]
        else:
            return False
    path = dotted_name(iterable)
    return path is not None and path == dotted_name(container)


def _is_number(value: Value) -> bool:
    return isinstance(value, Scalar) or (isinstance(value, Array) and value.ndim == 0)


def _is_single_host_value(value: Value) -> bool:
    """A number of Python's or NumPy's, or a CPU tensor of one element, as far as that is known."""
    return any(_is_number(option) for option in options(value)) or (
        (tensor := tensor_of(value)) is not None and tensor.device is Device.CPU and tensor.ndim == 0
    )


def _write_tensor(node: ast.Subscript, container: Tensor, value: Value, frame: Frame) -> None:
    parts = _parts(node, frame)
    if container.device is Device.CPU:
        _write_to_cpu(node, parts, container, value, frame)
        return
    limit = None if container.device is Device.DEVICE else Confidence.MEDIUM
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
    on_host = next((part for part in others if part.kind == "host" or _is_host_index(part)), None)
    if on_host is not None:
        frame.report("host-index-write", node, _with_reasons_of(container, on_host), node.value, limit)
        return
    if others:
        if _is_single_host_value(value) and not tensor_is_device(value):
            surely = any(_is_of_positions(part) for part in others)
            frame.report("index-write-number", node, container, node.value, limit if surely else Confidence.LOW)
        return
    given = tensor_of(value)
    condition = next((part for part in parts if part.kind == "unknown" and _is_called_a_condition(part.node)), None)
    if given is not None and given.ndim != 0 and condition is not None:
        mask = Tensor(dtype=DType.BOOL, trust=Confidence.MEDIUM)
        frame.report("mask-write", node, mask, condition.node)
        return
    if given is not None and given.device is Device.CPU and given.ndim != 0:
        frame.report("host-tensor-write", node, given, node.value, limit, known=container)
        return
    whole = [part for part in parts if part.kind == "integer"]
    if _is_single_host_value(value) and not tensor_is_device(value) and len(whole) == len(parts):
        if container.ndim == len(whole):
            frame.report("single-element-write", node, container, node.value, limit)
        elif container.ndim is None and len(whole) > 1:  # what takes two positions is a matrix as a rule
            frame.report("single-element-write", node, container, node.value, Confidence.MEDIUM)


_POSITIONS = frozenset(
    {
        "id", "idx", "idxs", "ind", "inds", "index", "indexes", "indices", "ids", "perm", "order", "pos", "positions",
        "rows", "cols", "columns", "subset", "nodes", "source", "sources", "src", "dst", "targets", "neighbors", "topk",
    }
)  # fmt: skip


def _is_of_positions(part: Part) -> bool:
    """Whether an index holds positions, by its elements or by what it is called: a mask is called otherwise."""
    if part.tensor is None or part.tensor.dtype is DType.INT:
        return part.tensor is not None
    node: ast.AST = part.node
    while isinstance(node, ast.Subscript):
        node = node.value
    path = dotted_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    words = path.rpartition(".")[2].lower().split("_") if path is not None else []
    is_of_unknown_elements = part.tensor.dtype is DType.UNKNOWN
    is_mask = any(word.startswith("mask") for word in words) or not _CONDITIONS.isdisjoint(words)
    return is_of_unknown_elements and not _POSITIONS.isdisjoint(words) and not is_mask


def tensor_is_device(value: Value) -> bool:
    """Whether the value may be a tensor on the device."""
    return device_tensor_of(value) is not None


def _write_to_cpu(node: ast.Subscript, parts: list[Part], container: Tensor, value: Value, frame: Frame) -> None:
    for part in parts:
        if part.kind == "scalar" and part.tensor is not None and part.tensor.device is Device.DEVICE:
            frame.report("scalar-index-write", node, part.tensor, part.node)
            return
    given = tensor_of(value)
    if given is not None and given.may_be_on_device:
        # Elements are filled in with what was computed; what is put into a slice is on the host as a rule, like that.
        is_element = bool(parts) and all(part.kind == "integer" for part in parts) and container.ndim == len(parts)
        doubt = Confidence.MEDIUM if is_element else Confidence.LOW
        limit = None if given.device is Device.DEVICE else doubt
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
            limit = None if container.device is Device.DEVICE else Confidence.MEDIUM
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
    parts = _parts(node, frame)
    frame.muted -= 1
    for part in parts:
        if part.kind == "mask" and part.tensor is not None and part.tensor.may_be_on_device:
            frame.report("mask-update", node, part.tensor, part.node)
            return True
    return False
