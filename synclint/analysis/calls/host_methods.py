"""Methods of what is not a tensor: strings, containers, arrays, numbers, objects, and what is unknown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

from synclint.analysis.annotations.batch_names import is_called_batch
from synclint.analysis.calls import prepared_loaders, tensor_methods
from synclint.analysis.calls.dictionaries_by_use import setting_meant
from synclint.analysis.calls.host_calls import logged, sort_items
from synclint.analysis.calls.library_functions import first
from synclint.analysis.calls.searches import search
from synclint.analysis.calls.special_methods import made_text
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.domain.containers import any_item, extended, keys_of, meant_by, updated, with_inserted
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.module_containers import modules_in, with_module
from synclint.analysis.domain.paces import LAST, every, seldom
from synclint.analysis.domain.tensors import device_tensor_within, tensor_of, tensors_in
from synclint.analysis.domain.values import (
    BOOLEAN,
    INTEGER,
    LONGEST_SEQUENCE,
    NEVER,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    ClassValue,
    Device,
    DeviceName,
    DType,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    is_known,
    options,
)
from synclint.analysis.models.overloads import could_be_method, implies_tensor
from synclint.analysis.objects import optimizer_state
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.attributes import rebind
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.usages import starts_backward
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name, subscript_path, walk
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_TEXT_RESULTS: dict[str, Value] = {
    "split": Sequence("list", None, STRING), "rsplit": Sequence("list", None, STRING),
    "splitlines": Sequence("list", None, STRING),
    "startswith": BOOLEAN, "endswith": BOOLEAN, "isdigit": BOOLEAN, "isidentifier": BOOLEAN, "isupper": BOOLEAN,
    "islower": BOOLEAN, "find": INTEGER, "index": INTEGER, "count": INTEGER, "rfind": INTEGER,
    "partition": Sequence("tuple", (STRING, STRING, STRING)), "rpartition": Sequence("tuple", (STRING, STRING, STRING)),
}  # fmt: skip


def method(receiver: Value, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a method of a string, container, array or number."""
    if isinstance(receiver, Text):
        if name == "format":
            _format(receiver, arguments, node, frame)
        return _TEXT_RESULTS.get(name, STRING)
    if isinstance(receiver, Mapping):
        return _mapping_method(receiver, name, arguments, node, frame)
    if isinstance(receiver, Sequence):
        return _sequence_method(receiver, name, arguments, node, frame)
    if isinstance(receiver, Array):
        if name in ("item", "tolist"):
            return NUMBER if name == "item" else Sequence("list", None, NUMBER)
        return receiver if name not in ("any", "all") else Array(DType.BOOL)
    if isinstance(receiver, Scalar):
        if name == "total_seconds":
            return receiver
        return BOOLEAN if name == "is_integer" else NUMBER if name in ("item", "conjugate", "bit_length") else UNKNOWN
    return UNKNOWN


def _format(text: Text, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    asked = _keywords_in(text)
    given = {name: value for name, value in arguments.keywords.items() if asked is None or name in asked}
    for index, value in enumerate([*arguments.positional, *given.values()]):
        made_text(value, frame, node)
        if tensor := device_tensor_within(value):
            frame.report("format-tensor", node, tensor, argument_node(node, index))


def _keywords_in(text: Text) -> frozenset[str] | None:
    """The keywords that a text asks for when it is formatted; None where that is not known."""
    if text.literal is None:
        return None
    try:
        fields = [name for _, name, _, _ in Formatter().parse(text.literal) if name is not None]
    except ValueError:
        return None
    return frozenset(re.split(r"[.\[]", name, maxsplit=1)[0] for name in fields)


def _rebind(node: ast.Call, value: Value, frame: Frame) -> None:
    """A method changed its receiver: what is known of the name or attribute follows."""
    if isinstance(node.func, ast.Attribute):
        rebind(node.func.value, value, frame)


# Of the methods of lists, sets and deques those that put something in.
_PUTTING_IN = frozenset({"append", "extend", "add", "insert", "appendleft", "update"})
_ADDING = {"append": 0, "insert": 1, "add_module": 1, "register_module": 1}


def module_container_method(
    receiver: Instance, name: str, arguments: Arguments, node: ast.Call, frame: Frame
) -> Value | None:
    """Call a method by which modules are put into a container of modules, or taken from it; None for other ones."""
    held = modules_in(receiver)
    if isinstance(held, Mapping) and name in ("items", "values", "keys", "pop"):
        return _mapping_method(held, name, arguments, node, frame)
    if held is None or (name not in _ADDING and name not in ("extend", "update")):
        return None
    given = first(arguments)
    if name in _ADDING:
        added = arguments.positional[-1] if len(arguments.positional) > _ADDING[name] else UNKNOWN
    else:
        added = any_item(given) if isinstance(given, Mapping) else iterate(given)
    grown = with_module(receiver, added)
    _rebind(node, grown, frame)
    return grown


def _mapping_method(receiver: Mapping, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if name == "keys":
        return keys_of(receiver)
    if name == "values":
        return Sequence("iterator", None, any_item(receiver))
    if name == "items":
        if receiver.entries and receiver.element == NEVER and len(receiver.entries) <= LONGEST_SEQUENCE:
            pairs = tuple(Sequence("tuple", (Text(key), value)) for key, value in receiver.entries)
            return Sequence("list", pairs)
        return Sequence("iterator", None, Sequence("tuple", (STRING, any_item(receiver))))
    if name in ("get", "pop", "setdefault"):
        key = first(arguments)
        text = key.literal if isinstance(key, Text) else None
        found = optimizer_state.kept(receiver, text, frame) if text is not None else meant_by(receiver, key)
        known = text in receiver.by_key
        default = arguments.positional[1] if len(arguments.positional) > 1 else NOTHING
        if name == "setdefault" and text is not None:
            optimizer_state.keep(receiver, text, default, frame)
        if not known and isinstance(default, Mapping) and not isinstance(found, Mapping):
            return default  # which tells what is meant: `state.get("model", state)`
        if not known and isinstance(found, Unknown) and isinstance(default, Sequence) and default.items == ():
            return Sequence(default.kind)  # `groups.get(key, [])`
        if not known and (setting := setting_meant(found, default)) is not None:
            return setting
        return found if known or (name == "pop" and len(arguments.positional) < 2) else join(found, default)
    if name == "copy":
        return receiver
    if name == "update":
        given = Mapping(tuple(arguments.keywords.items()), NEVER)
        other = first(arguments) if arguments.positional else given
        if isinstance(other, Mapping):
            _rebind(node, updated(updated(receiver, other), given), frame)
        return NOTHING
    if name == "to" and (tensor := tensor_of(any_item(receiver))) is not None:
        moved = tensor_call("to", tensor, arguments, node, frame)
        entries = tuple((key, moved if tensor_of(held) is not None else held) for key, held in receiver.entries)
        return Mapping(entries, moved)
    if name == "to":
        return receiver
    return UNKNOWN


def keep_entries(node: ast.Call, arguments: Arguments, frame: Frame) -> None:
    """``batch.update({"size": x.shape})``: what is put under its keys is known, whatever else is in there."""
    assert isinstance(node.func, ast.Attribute)
    name, given = dotted_name(node.func.value), first(arguments)
    if name is not None and isinstance(given, Mapping):
        for key, value in given.entries:
            frame.bind(f"{name}[{key!r}]", value)


def _sequence_method(receiver: Sequence, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if name in _PUTTING_IN:
        given = arguments.positional[-1] if arguments.positional else UNKNOWN
        value = iterate(given) if name in ("extend", "update") else given
        put = extended if name in ("append", "extend") else with_inserted
        _rebind(node, put(receiver, value), frame)
        if name == "update":
            keep_entries(node, arguments, frame)
        return NOTHING
    if name in ("pop", "popleft"):
        return any_item(receiver)
    if name in ("copy", "union", "intersection", "difference", "symmetric_difference"):
        return receiver
    if name == "numel":
        return INTEGER
    if name in ("index", "count", "remove"):
        held_node = node.func.value if isinstance(node.func, ast.Attribute) else None
        search(receiver, held_node, first(arguments), argument_node(node), node, frame)
        return INTEGER
    if name == "sort":
        sort_items(any_item(receiver), arguments, node, node, frame)
        return NOTHING
    if receiver.kind == "batch":
        if name in ("items",):
            return Sequence("iterator", None, Sequence("tuple", (STRING, receiver.element)))
        if name in ("values", "keys"):
            return Sequence("iterator", None, receiver.element if name == "values" else STRING)
        if name in ("get", "pop"):
            default = arguments.positional[1] if len(arguments.positional) > 1 else NOTHING
            return setting_meant(receiver.element, default) or receiver.element
        if name in ("to", "cuda"):
            moved = tensor_methods.method(name, tensor_of(receiver.element) or Tensor(), arguments, node, frame)
            # No list or dictionary has the second: the batch is a tensor, or a record of which nothing else is known.
            return Sequence("batch", None, moved or receiver.element) if name == "to" else UNKNOWN
    return UNKNOWN


# ``Logger.log`` is given a level first, which is a number (``Lib/logging/__init__.py``), and no name.
_LOG_METHODS = frozenset({"debug", "info", "warning", "error", "critical", "exception", "log"})


# What frameworks tell of a round.
_TRUE_NOW_AND_THEN = {
    **dict.fromkeys(names_in("guards", "methods-true-at-intervals"), seldom(True, every(""))),
    **dict.fromkeys(names_in("guards", "methods-true-at-the-end"), seldom(True, LAST)),
}


def unknown_method(name: str, arguments: Arguments, node: ast.Call, frame: Frame, of_instance: bool = False) -> Value:
    """Call a method of something unknown: by its name alone."""
    if (told := _TRUE_NOW_AND_THEN.get(name)) is not None:
        return told
    is_named = name == "log" and isinstance(first(arguments), Text)
    if name in _LOG_METHODS and not is_named and _looks_like_a_logger(node):
        logged(arguments, node, frame)
        return NOTHING
    if name == "format":
        return STRING
    if is_known(made := of_unknown(node, arguments)):
        return any_item(made) if name == "encode" and isinstance(made, Sequence) else made
    if name == "check" and _is_called_a_constraint(node):
        return tensor_methods.checked(arguments)
    if name == "state_dict" and not of_instance and frame.module.has_torch_in_reach:
        return STATE_DICT
    if of_instance or not frame.module.has_torch_in_reach:
        return UNKNOWN
    if name == "backward" and starts_backward(node):
        _know_tensor(node, frame)
        return NOTHING
    if name in _OF_TWO_TENSORS and arguments.positional and tensor_of(arguments.positional[0]) is not None:
        return tensor_call(name, Tensor(trust=Confidence.MEDIUM), arguments, node, frame)
    if prepared_loaders.is_prepared_by(node):
        return prepared_loaders.prepared(arguments)
    if implies_tensor(name, arguments.positional, arguments.keywords) or _is_of_no_array(name, arguments, frame):
        implied = Tensor(trust=Confidence.MEDIUM)
        if not _is_of_receiver(node.func, frame):  # of which methods that run later may tell more
            implied = _know_tensor(node, frame)
        return tensor_call(name, implied, arguments, node, frame)
    if name in ("item", "tolist"):
        guess = Tensor(trust=_likely_tensor(node, frame))
        return tensor_call(name, guess, arguments, node, frame)
    if isinstance(node.func, ast.Attribute) and _goes_to_cpu(node.func, arguments, frame):
        return tensor_call(name, Tensor(trust=Confidence.MEDIUM), arguments, node, frame)
    if name in ("parameters", "buffers"):
        return Sequence("iterator", None, Tensor(Device.MODULE))
    if name in ("named_parameters", "named_buffers"):
        return Sequence("iterator", None, Sequence("tuple", (STRING, Tensor(Device.MODULE))))
    return UNKNOWN


def _is_of_no_array(name: str, arguments: Arguments, frame: Frame) -> bool:
    """Whether a method that only tensors and arrays have is called where there are tensors and no arrays."""
    if name not in _OF_ARRAYS or not could_be_method(name, arguments.positional, arguments.keywords):
        return False
    return uses_torch(frame) and not uses_arrays(frame)


_OF_ARRAYS = names_in("torch", "methods-of-arrays")


def _goes_to_cpu(function: ast.Attribute, arguments: Arguments, frame: Frame) -> bool:
    """Whether a method copies a tensor to the CPU, by its name, what it is given, and what it is called on."""
    if function.attr not in ("cpu", "to") or _looks_like_a_module(function.value):
        return False
    if function.attr == "cpu":
        return True
    target = arguments.positional[0] if arguments.positional else arguments.keywords.get("device", UNKNOWN)
    # A batch has come from there, and may have stayed.
    is_batch = is_called_batch(function.value, [loop.node for loop in frame.loops])
    return target in (Text("cpu"), DeviceName(Device.CPU)) and not is_batch


# Methods of tensors, and of data frames, but with a tensor as their argument of nothing else.
_OF_TWO_TENSORS = frozenset(
    {"mul", "div", "sub", "matmul", "pow", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge", "true_divide"}
)


def _is_of_receiver(method: ast.expr, frame: Frame) -> bool:
    """Whether a method is called on an attribute of the object whose method runs."""
    path = dotted_name(method)
    receiver = frame.function.receiver if frame.function is not None else None
    return receiver is not None and path is not None and path.partition(".")[0] == receiver


def _know_tensor(node: ast.Call, frame: Frame) -> Tensor:
    """What a method was called on that only tensors have is one from here on.

    If it is a tensor on another way, of which more is known, then its elements are of the same kind.
    """
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None  # a method that has been given a name
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, ast.Sub):
        for operand in (owner.left, owner.right):  # what is compared with one another is of one kind
            if (path := _path(operand)) is not None and not is_known(frame.evaluate(operand)):
                frame.know(path, Tensor(trust=Confidence.MEDIUM))
    path = _path(owner)
    if path is None:
        return Tensor(trust=Confidence.MEDIUM)
    known = tensor_of(frame.scope.get(path, UNKNOWN))
    implied = Tensor(dtype=known.dtype if known is not None else DType.UNKNOWN, trust=Confidence.MEDIUM)
    frame.know(path, implied)
    return implied


def _path(node: ast.expr | None) -> str | None:
    """The path of an expression that the scope can hold, None for any other."""
    return subscript_path(node) if isinstance(node, ast.Subscript) else dotted_name(node)


# What `state_dict` of a module or an optimizer gives.
STATE_DICT = Mapping((), Tensor(Device.DEVICE, trust=Confidence.MEDIUM))


_LOSS = re.compile(r"(.*_)?(loss(es)?|criterion|criteria|crit)(_(fn|func|function))?", re.IGNORECASE)


def of_unknown(node: ast.Call, arguments: Arguments) -> Value:
    """What a call of something unknown gives: tokens, or a loss on the CPU, where all that it is given is there."""
    if is_known(made := tokens(arguments)):
        return made
    path = dotted_name(node.func)
    if path is None or _LOSS.fullmatch(path.rpartition(".")[2]) is None:
        return UNKNOWN
    tensors = [tensor for value in arguments.positional for tensor in tensors_in(value)]
    on_cpu = len(tensors) == len(arguments.positional) > 1 and all(one.device is Device.CPU for one in tensors)
    return Tensor(Device.CPU, trust=Confidence.MEDIUM) if on_cpu else UNKNOWN


def tokens(arguments: Arguments) -> Value:
    """What something unknown gives that was asked for tensors by ``return_tensors="pt"``: a tokenizer, on the CPU.

    Source: ``PreTrainedTokenizerBase.__call__`` and ``ProcessorMixin.__call__`` of transformers.
    """
    asked = arguments.keywords.get("return_tensors")
    if isinstance(asked, Text) and asked.literal == "pt":
        # Of images alone it makes their pixels, and no tokens: ``BaseImageProcessor``.
        are_pixels = "images" in arguments.keywords and "text" not in arguments.keywords and not arguments.positional
        family = DType.FLOAT if are_pixels else DType.UNKNOWN
        return Sequence("batch", None, Tensor(Device.CPU, family, trust=Confidence.MEDIUM))
    return UNKNOWN


def _looks_like_a_logger(node: ast.Call) -> bool:
    path = dotted_name(node.func)
    return path is not None and "log" in path.rpartition(".")[0].lower()


def _is_called_a_constraint(node: ast.Call) -> bool:
    """Whether a method is called on what a distribution supports, or on another constraint, by what that is called."""
    path = dotted_name(node.func)
    owner = path.rpartition(".")[0].rpartition(".")[2] if path is not None else ""
    return owner.endswith(("support", "constraint"))


_TENSOR_WORDS = re.compile(r"(^|_)(loss|losses|norm|grad|grads|logits|tensor|param)(_|$)")


def _likely_tensor(node: ast.Call, frame: Frame) -> Confidence:
    """How likely the unknown receiver of ``.item()`` is a tensor.

    Where a file works with torch and with no library of arrays, and nothing in it has an ``item`` of its own, little
    else is left; elsewhere only a telling name makes it likely.
    """
    if _has_item_of_its_own(frame) or not isinstance(node.func, ast.Attribute):
        return Confidence.LOW
    is_named_tensor = any(_TENSOR_WORDS.search(name.lower()) for name in _names_in(node.func.value))
    return Confidence.MEDIUM if is_named_tensor or (uses_torch(frame) and not uses_arrays(frame)) else Confidence.LOW


def _has_item_of_its_own(frame: Frame) -> bool:
    """Whether a class that a file defines or imports has a method ``item``."""
    scope, known = frame.module.scope, frame.engine.readings.with_item
    count, has_item = known.get(frame.module, (0, False))
    if count != len(scope):
        has_item = any(isinstance(value, ClassValue) and "item" in value.record.methods for value in scope.values())
        known[frame.module] = len(scope), has_item
    return has_item


def _names_in(node: ast.expr) -> Iterator[str]:
    """Every name in an expression: of variables, attributes and arguments."""
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, (ast.keyword, ast.arg)) and inner.arg is not None:
            yield inner.arg


_MODULE_WORDS = (
    "model",
    "net",
    "module",
    "coder",
    "pipe",
    "unet",
    "vae",
    "head",
    "backbone",
    "layer",
    "metric",
)


def _looks_like_a_module(node: ast.expr) -> bool:
    path = dotted_name(node)
    return path is not None and any(word in path.rpartition(".")[2].lower() for word in _MODULE_WORDS)


def registration(receiver: Instance, name: str, arguments: Arguments, frame: Frame) -> Value | None:
    """``register_buffer``, ``add_state`` and their like give an attribute to the object that is being made."""
    if name not in ("register_buffer", "register_parameter", "add_state") or receiver.record is None:
        return None
    key = arguments.keywords.get("name", first(arguments))
    given = arguments.keywords.get("tensor", arguments.keywords.get("default", arguments.keywords.get("param")))
    value = given if given is not None else (arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN)
    if isinstance(key, Text) and key.literal is not None:
        held = _held(value)
        frame.engine.write_field(receiver.record, key.literal, held)
        path = f"{frame.function.receiver}.{key.literal}" if frame.function and frame.function.receiver else None
        if path is not None:
            # Where the object is made, it has not been moved yet.
            frame.know(path, value if is_known(value) else held)
    return NOTHING


def _held(value: Value) -> Value:
    """What a buffer or a metric's state is later, when the module has been moved to the device."""
    results: list[Value] = []
    for option in options(value):
        if isinstance(option, Tensor):
            results.append(Tensor(Device.MODULE, option.dtype, option.ndim))
        elif isinstance(option, Sequence):
            results.append(Sequence("list", None, Tensor(Device.MODULE)))
        elif isinstance(option, Unknown):
            results.append(Tensor(Device.MODULE))
        else:
            results.append(option)
    return join_all(results)
