"""Calls of Python's own functions and types, of NumPy, and of methods on what is not a tensor."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from synclint.analysis.calls import leaf_functions
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.library_functions import (
    collection,
    first,
    itertools_result,
    math_result,
    numpy_result,
    random_result,
    scipy_result,
)
from synclint.analysis.calls.special_methods import made_text
from synclint.analysis.domain.callables import PARTIAL, partial_of
from synclint.analysis.domain.containers import any_item, mapping, updated
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import CLOCK, COUNTED, counts, pace_of_number
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    INTEGER,
    NEVER,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    Instance,
    Mapping,
    ProjectModule,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
    options,
)
from synclint.analysis.models.operators import arithmetic
from synclint.analysis.objects.attributes import attribute_of, hold
from synclint.analysis.objects.composed_names import attributes_like
from synclint.analysis.objects.growth import grows
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.offered_names import any_of
from synclint.analysis.objects.own_iterators import element_of, iterator_of, next_of
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name

Handler = Callable[[Arguments, ast.Call, Frame], Value]

_READ_OFF = Scalar("float", pace=CLOCK)
_MOMENTS = frozenset({"datetime.now", "datetime.utcnow", "datetime.today"})


def call(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a function of the standard library or of NumPy by its qualified name."""
    if name in frame.engine.entries:
        check_entries((name,), _bound(arguments), None, arguments, node, frame)
    root, _, rest = name.partition(".")
    if root == "builtins":
        handler = _BUILTINS.get(rest)
        return handler(arguments, node, frame) if handler is not None else _builtin_result(rest, arguments)
    if root == "math":
        return math_result(rest, arguments, node, frame)
    if root == "numpy":
        return numpy_result(rest, arguments)
    if root == "scipy":
        return scipy_result(rest)
    if root == "random":
        return random_result(rest, arguments, node, frame)
    if root == "pprint" and rest in ("pprint", "pformat", "pp"):
        printed = _print(arguments, node, frame)
        return STRING if rest == "pformat" else printed
    if root == "time":
        if rest == "sleep":
            math_result(rest, arguments, node, frame)
        return _READ_OFF if rest not in ("sleep", "strftime") else UNKNOWN
    if root == "datetime":
        return join(UNKNOWN, _READ_OFF) if rest in _MOMENTS else UNKNOWN
    if root == "logging":
        logged(arguments, node, frame)
        return Instance(f"logging.{rest}") if rest == "getLogger" else NOTHING
    # What a proxy is asked for, the object that it stands for is.
    if name in ("copy.copy", "copy.deepcopy", "weakref.proxy") and arguments.positional:
        return arguments.positional[0]
    if root == "itertools":
        return itertools_result(rest, arguments)
    if name == PARTIAL and arguments.positional:
        return partial_of(*arguments.positional, keywords=arguments.keywords.items())
    if name == "functools.reduce" and len(arguments.positional) >= 2:
        items = element_of(arguments.positional[1], node, frame, frame.iterated)
        return leaf_functions.reduced(arguments, node, items, frame)
    if root == "collections":
        return collection(rest, arguments)
    if name == "dataclasses.field":
        return UNKNOWN
    if name == "warnings.warn":
        return NOTHING
    return UNKNOWN


def _bound(arguments: Arguments) -> dict[str, Value]:
    bound = dict(arguments.keywords)
    if arguments.positional:
        bound["input"] = arguments.positional[0]
    return bound


def _number(kind: str) -> Handler:
    def convert(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
        value = first(arguments)
        if tensor := device_tensor_of(value):
            frame.report("number-conversion", node, tensor, argument_node(node))
        if isinstance(value, Scalar) and kind == value.kind:
            return value
        is_counted = kind == "int" and counts(value)
        return COUNTED if is_counted else Scalar(kind, pace=pace_of_number(value) if kind == "float" else None)

    return convert


def _print(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        made_text(value, frame, node)
        if tensor := device_tensor_within(value):
            frame.report("print-tensor", node, tensor, argument_node(node, index))
    return NOTHING


def _text(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    made_text(first(arguments), frame, node)
    if tensor := device_tensor_within(first(arguments)):
        frame.report("format-tensor", node, tensor, argument_node(node))
    return STRING


def compared_tensor(value: Value) -> Tensor | None:
    """The tensor whose truth is asked for when values like this one are compared: tuples by what stands first."""
    for option in options(value):
        while isinstance(option, Sequence) and option.kind in ("tuple", "list") and option.known:
            option = option.known[0]
        if (tensor := device_tensor_of(option)) is not None:
            return tensor
    return None


def _compare_items(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """``min``, ``max``: each comparison with a tensor asks for its truth."""
    values = arguments.positional
    if len(values) == 1:
        item = iterate(values[0])
        sort_items(item, arguments, node, argument_node(node), frame)
        return join(item, arguments.keywords["default"]) if "default" in arguments.keywords else item
    if "key" in arguments.keywords:
        sort_items(join_all(values), arguments, node, argument_node(node), frame)
        return join_all(values)
    for index, value in enumerate(values):
        if tensor := device_tensor_of(value):
            frame.report("builtin-comparison", node, tensor, argument_node(node, index))
            break
    return join_all(values)


def _sorted(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    item = iterate(first(arguments))
    sort_items(item, arguments, node, argument_node(node), frame)
    return Sequence("list", None, item)


def sort_items(item: Value, arguments: Arguments, node: ast.Call, subject: ast.AST, frame: Frame) -> None:
    """Items are sorted, by a key or by themselves: each comparison with a tensor asks for its truth."""
    key = arguments.keywords.get("key", NOTHING)
    compared = item if key == NOTHING else frame.engine.apply(key, Arguments([item]), node, frame)
    if tensor := compared_tensor(compared):
        frame.report("builtin-comparison", node, tensor, subject)


def _any_all(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if tensor := device_tensor_of(iterate(first(arguments))):
        frame.report("builtin-any-all", node, tensor, argument_node(node))
    return BOOLEAN


def _sum(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    item = iterate(first(arguments))
    return item if tensor_of(item) is not None or isinstance(item, Scalar) else UNKNOWN


def _range(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_of(value):
            frame.report("index-protocol", node, tensor, argument_node(node, index))
            break
    return Instance("range")


def _enumerate(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    inner = first(arguments)
    if isinstance(inner, Sequence) and inner.items is not None:
        return Sequence("list", tuple(Sequence("tuple", (COUNTED, item)) for item in inner.items))
    return Sequence("iterator", None, Sequence("tuple", (COUNTED, element_of(inner, node, frame, frame.iterated))))


def _zip(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    items = tuple(element_of(value, node, frame, frame.iterated) for value in arguments.positional)
    known = [v.items for v in arguments.positional if isinstance(v, Sequence) and v.items is not None]
    if known and len(known) == len(arguments.positional) and len({len(items) for items in known}) == 1:
        return Sequence("list", tuple(Sequence("tuple", row) for row in zip(*known, strict=True)))
    return Sequence("iterator", None, Sequence("tuple", items if arguments.complete else None))


def _map(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, *iterables = arguments.positional
    items = [element_of(value, node, frame, frame.iterated) for value in iterables]
    return Sequence("iterator", None, frame.engine.apply(function, Arguments(items), node, frame))


def _filter(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, iterable = arguments.positional[:2]
    item = element_of(iterable, node, frame, frame.iterated)
    outcome = item if function == NOTHING else frame.engine.apply(function, Arguments([item]), node, frame)
    if tensor := device_tensor_of(outcome):
        frame.report("builtin-any-all", node, tensor)
    return Sequence("iterator", None, item)


def _container(kind: str) -> Handler:
    def make(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
        if not arguments.positional:
            return Sequence(kind, ())
        value = arguments.positional[0]
        if isinstance(value, Sequence):
            return replace(value, kind=kind)
        return Sequence(kind, None, element_of(value, node, frame, frame.iterated))

    return make


def _reversed(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    value = first(arguments)
    if isinstance(value, Sequence) and value.items is not None:
        return Sequence("list", tuple(reversed(value.items)))
    return Sequence("iterator", None, iterate(value))


def _dict(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    base = first(arguments)
    keywords = mapping(arguments.keywords, NEVER if arguments.complete else UNKNOWN)
    if isinstance(base, Mapping):
        return updated(base, keywords)
    if isinstance(base, Sequence) and isinstance(item := any_item(base), Sequence):
        pair = item.items
        return Mapping((), pair[1] if pair is not None and len(pair) == 2 else UNKNOWN)
    return updated(Mapping(), keywords) if arguments.positional else keywords


def _next(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    return next_of(first(arguments), node, frame)


def _iterator(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    value = iterator_of(first(arguments), node, frame, frame.iterated)
    return replace(value, kind="iterator") if isinstance(value, Sequence) else value


def _of_one_integer(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if tensor := device_tensor_of(first(arguments)):
        frame.report("index-protocol", node, tensor, argument_node(node))
    return STRING


def _length(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    path = dotted_name(node.args[0]) if node.args else None
    return COUNTED if path is not None and grows(path, frame) else INTEGER


def _divmod(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) != 2:
        return UNKNOWN
    return Sequence("tuple", tuple(arithmetic(one, *arguments.positional) for one in (ast.FloorDiv, ast.Mod)))


def _absolute(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    value = first(arguments)
    return value if tensor_of(value) or isinstance(value, (Array, Scalar)) else UNKNOWN


def _getattr(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) >= 2:
        name = arguments.positional[1]
        if isinstance(name, Text) and name.literal is not None and name.literal.isidentifier():
            found = attribute_of(arguments.positional[0], name.literal, node, frame)
            return join(found, arguments.positional[2]) if len(arguments.positional) > 2 else found
        if isinstance(arguments.positional[0], ProjectModule):
            return any_of(arguments.positional[0].name, frame)
        if len(node.args) > 1:
            alike = [*attributes_like(arguments.positional[0], node.args[1], node, frame)]
            return join_all([*alike, *arguments.positional[2:]] if alike else ())
    return UNKNOWN


def _globals(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    return Mapping((), any_of(frame.module.name, frame))


def _setattr(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) == 3:
        container, name, value = arguments.positional
        if isinstance(name, Text) and name.literal is not None:
            hold(container, name.literal, value, frame)
    return NOTHING


_BUILTINS: dict[str, Handler] = {
    "float": _number("float"),
    "int": _number("int"),
    "bool": _number("bool"),
    "complex": _number("number"),
    "print": _print,
    "str": _text,
    "repr": _text,
    "format": _text,
    "ascii": _text,
    "min": _compare_items,
    "max": _compare_items,
    "sorted": _sorted,
    "any": _any_all,
    "all": _any_all,
    "sum": _sum,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "list": _container("list"),
    "tuple": _container("tuple"),
    "set": _container("set"),
    "frozenset": _container("set"),
    "reversed": _reversed,
    "dict": _dict,
    "next": _next,
    "iter": _iterator,
    "abs": _absolute,
    "divmod": _divmod,
    "len": _length,
    "chr": _of_one_integer,
    "hex": _of_one_integer,
    "oct": _of_one_integer,
    "bin": _of_one_integer,
    "getattr": _getattr,
    "globals": _globals,
    "setattr": _setattr,
    "vars": lambda arguments, node, frame: attribute_of(first(arguments), "__dict__", node, frame),
}
_BOOLEAN_BUILTINS = frozenset({"isinstance", "issubclass", "hasattr", "callable"})
_INTEGER_BUILTINS = frozenset({"id", "hash", "ord"})


def _builtin_result(name: str, arguments: Arguments) -> Value:
    if name in _BOOLEAN_BUILTINS:
        return BOOLEAN
    if name in _INTEGER_BUILTINS:
        return INTEGER
    if name == "input":
        return STRING
    if name == "dir":
        return Sequence("list", None, STRING)
    if name == "round":
        value = first(arguments)
        return value if isinstance(value, (Array,)) else NUMBER
    if name == "pow" and arguments.positional:
        return arguments.positional[0]
    if name == "slice":
        return Instance("slice", None, (("bounds", Sequence("tuple", tuple(arguments.positional))),))
    if name == "object":
        return Instance("builtins.object")
    return UNKNOWN


def logged(arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Report tensors among the values that a logging call formats."""
    for index, value in enumerate(arguments.positional[1:], start=1):
        made_text(value, frame, node)
        if tensor := device_tensor_within(value):
            frame.report("log-tensor", node, tensor, argument_node(node, index))
