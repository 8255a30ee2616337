"""Calls of Python's own functions and types, of NumPy, and of methods on what is not a tensor."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst

from synclint.analysis import calls, expressions, tensor_methods
from synclint.analysis.attributes import assign, attribute_of, hold
from synclint.analysis.frames import Arguments, Frame
from synclint.analysis.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    LONGEST_SEQUENCE,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    ClassValue,
    Device,
    DType,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Value,
    device_tensor_of,
    device_tensor_within,
    join,
    join_all,
    options,
    tensor_of,
)
from synclint.analysis.walk import dotted_name, walk
from synclint.findings import Confidence

Handler = Callable[[Arguments, cst.Call, Frame], Value]


def call(name: str, arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    """Call a function of the standard library or of NumPy by its qualified name."""
    calls.check_entries((name,), _bound(arguments), None, arguments, node, frame)
    root, _, rest = name.partition(".")
    if root == "builtins":
        handler = _BUILTINS.get(rest)
        return handler(arguments, node, frame) if handler is not None else _builtin_result(rest, arguments)
    if root == "math":
        return _math(rest, arguments, node, frame)
    if root == "numpy":
        return _numpy(rest, arguments)
    if root == "time":
        return FLOAT if rest not in ("sleep", "strftime") else UNKNOWN
    if root == "logging":
        _logged(arguments, node, frame)
        return Instance(f"logging.{rest}") if rest == "getLogger" else NOTHING
    if name in ("copy.copy", "copy.deepcopy") and arguments.positional:
        return arguments.positional[0]
    if root == "itertools":
        return _itertools(rest, arguments)
    if name == "functools.partial" and arguments.positional:
        function, *first = arguments.positional
        keywords = Mapping(tuple(arguments.keywords.items()))
        fields = (
            ("function", function),
            ("positional", Sequence("tuple", tuple(first))),
            ("keywords", keywords),
        )
        return Instance("functools.partial", None, fields)
    if name == "functools.reduce" and len(arguments.positional) >= 2:
        return expressions.iterate(arguments.positional[1])
    if root == "collections":
        return _collection(rest, arguments)
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


def _first(arguments: Arguments) -> Value:
    return arguments.positional[0] if arguments.positional else UNKNOWN


def _argument_node(node: cst.Call, index: int = 0) -> cst.CSTNode:
    return node.args[index].value if len(node.args) > index else node


def _number(kind: str) -> Handler:
    def convert(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
        value = _first(arguments)
        if tensor := device_tensor_of(value):
            frame.report("number-conversion", node, tensor, _argument_node(node))
        if isinstance(value, Scalar) and kind == value.kind:
            return value
        return Scalar(kind)

    return convert


def _print(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_within(value):
            frame.report("print-tensor", node, tensor, _argument_node(node, index))
    return NOTHING


def _text(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if tensor := device_tensor_within(_first(arguments)):
        frame.report("format-tensor", node, tensor, _argument_node(node))
    return STRING


def _compare_items(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    """``min``, ``max``: each comparison with a tensor asks for its truth."""
    values = arguments.positional
    if len(values) == 1:
        item = expressions.iterate(values[0])
        if "key" not in arguments.keywords and (tensor := device_tensor_of(item)):
            frame.report("builtin-comparison", node, tensor, _argument_node(node))
        return join(item, arguments.keywords["default"]) if "default" in arguments.keywords else item
    if "key" not in arguments.keywords:
        for index, value in enumerate(values):
            if tensor := device_tensor_of(value):
                frame.report("builtin-comparison", node, tensor, _argument_node(node, index))
                break
    return join_all(values)


def _sorted(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    item = expressions.iterate(_first(arguments))
    key = arguments.keywords.get("key")
    compared = item
    if isinstance(key, FunctionValue):
        compared = frame.engine.call_with(key, [item], frame, node)
    elif key is not None and not isinstance(key, type(NOTHING)):
        compared = UNKNOWN
    if tensor := device_tensor_of(compared):
        frame.report("builtin-comparison", node, tensor, _argument_node(node))
    return Sequence("list", None, item)


def _any_all(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if tensor := device_tensor_of(expressions.iterate(_first(arguments))):
        frame.report("builtin-any-all", node, tensor, _argument_node(node))
    return BOOLEAN


def _sum(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    item = expressions.iterate(_first(arguments))
    return item if tensor_of(item) is not None or isinstance(item, Scalar) else UNKNOWN


def _range(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_of(value):
            frame.report("index-protocol", node, tensor, _argument_node(node, index))
            break
    return Instance("range")


def _enumerate(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    inner = _first(arguments)
    if isinstance(inner, Sequence) and inner.items is not None:
        return Sequence("list", tuple(Sequence("tuple", (INTEGER, item)) for item in inner.items))
    return Sequence("iterator", None, Sequence("tuple", (INTEGER, expressions.iterate(inner))))


def _zip(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    items = tuple(expressions.iterate(value) for value in arguments.positional)
    known = [v.items for v in arguments.positional if isinstance(v, Sequence) and v.items is not None]
    if known and len(known) == len(arguments.positional) and len({len(items) for items in known}) == 1:
        return Sequence("list", tuple(Sequence("tuple", row) for row in zip(*known, strict=True)))
    return Sequence("iterator", None, Sequence("tuple", items if arguments.complete else None))


def _map(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, *iterables = arguments.positional
    items = [expressions.iterate(value) for value in iterables]
    return Sequence("iterator", None, calls.apply(function, Arguments(items), node, frame))


def _filter(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, iterable = arguments.positional[:2]
    item = expressions.iterate(iterable)
    outcome = item if function == NOTHING else calls.apply(function, Arguments([item]), node, frame)
    if tensor := device_tensor_of(outcome):
        frame.report("builtin-any-all", node, tensor)
    return Sequence("iterator", None, item)


def _container(kind: str) -> Handler:
    def make(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
        if not arguments.positional:
            return Sequence(kind, ())
        value = arguments.positional[0]
        if isinstance(value, Sequence) and value.items is not None:
            return Sequence(kind, value.items)
        return Sequence(kind, None, expressions.iterate(value))

    return make


def _reversed(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    value = _first(arguments)
    if isinstance(value, Sequence) and value.items is not None:
        return Sequence("list", tuple(reversed(value.items)))
    return Sequence("iterator", None, expressions.iterate(value))


def _dict(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    base = _first(arguments)
    if isinstance(base, Mapping):
        return Mapping(tuple({**dict(base.entries), **arguments.keywords}.items()), base.element)
    if isinstance(base, Sequence) and isinstance(base.any_item, Sequence):
        pair = base.any_item.items
        return Mapping((), pair[1] if pair is not None and len(pair) == 2 else UNKNOWN)
    return Mapping(tuple(arguments.keywords.items()))


def _next(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    return expressions.iterate(_first(arguments))


def _passed_through(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    value = _first(arguments)
    return Sequence("iterator", value.items, value.element) if isinstance(value, Sequence) else value


def _absolute(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    value = _first(arguments)
    return value if tensor_of(value) or isinstance(value, (Array, Scalar)) else UNKNOWN


def _getattr(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if len(arguments.positional) >= 2:
        name = arguments.positional[1]
        if isinstance(name, Text) and name.literal is not None and name.literal.isidentifier():
            found = attribute_of(arguments.positional[0], name.literal, node, frame)
            return join(found, arguments.positional[2]) if len(arguments.positional) > 2 else found
    return UNKNOWN


def _setattr(arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if len(arguments.positional) == 3:
        container, name, value = arguments.positional
        if isinstance(name, Text) and name.literal is not None:
            hold(container, name.literal, value)
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
    "iter": _passed_through,
    "abs": _absolute,
    "getattr": _getattr,
    "setattr": _setattr,
}
_BOOLEAN_BUILTINS = frozenset({"isinstance", "issubclass", "hasattr", "callable"})
_INTEGER_BUILTINS = frozenset({"len", "id", "hash", "ord"})


def _builtin_result(name: str, arguments: Arguments) -> Value:
    if name in _BOOLEAN_BUILTINS:
        return BOOLEAN
    if name in _INTEGER_BUILTINS:
        return INTEGER
    if name in ("chr", "input", "hex", "bin", "oct"):
        return STRING
    if name == "round":
        value = _first(arguments)
        return value if isinstance(value, (Array,)) else NUMBER
    if name == "pow" and arguments.positional:
        return arguments.positional[0]
    if name == "slice":
        return Instance("slice")
    if name == "object":
        return Instance("builtins.object")
    return UNKNOWN


_INTEGER_MATH = frozenset({"floor", "ceil", "trunc", "gcd", "lcm", "comb", "perm", "factorial", "isqrt"})
_BOOLEAN_MATH = frozenset({"isnan", "isinf", "isfinite", "isclose"})


def _math(name: str, arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_of(value):
            frame.report("math-function", node, tensor, _argument_node(node, index))
            break
    if name in _INTEGER_MATH:
        return INTEGER
    return BOOLEAN if name in _BOOLEAN_MATH else FLOAT


_NUMPY_SCALARS = frozenset(
    {
        "float32",
        "float64",
        "float16",
        "int32",
        "int64",
        "int8",
        "uint8",
        "bool_",
        "prod",
        "isscalar",
        "ndim",
        "size",
    }
)


def _numpy(name: str, arguments: Arguments) -> Value:
    if name in ("random.seed", "save", "savez", "set_printoptions", "testing.assert_allclose"):
        return NOTHING
    if name in ("isscalar", "allclose", "array_equal", "issubdtype"):
        return BOOLEAN
    if name in ("shape",):
        return Sequence("tuple", None, INTEGER)
    if name in ("ndim", "size"):
        return INTEGER
    if name in ("where", "nonzero", "unravel_index", "meshgrid") and len(arguments.positional) == 1:
        return Sequence("tuple", None, Array(DType.INT))
    if name == "random.default_rng":
        return Instance("numpy.random.Generator")
    family = DType.BOOL if name.startswith(("is", "logical_")) else DType.UNKNOWN
    return Array(family)


def _itertools(name: str, arguments: Arguments) -> Value:
    items = [expressions.iterate(value) for value in arguments.positional]
    if name == "chain":
        return Sequence("iterator", None, join_all(items))
    if name == "chain.from_iterable" and items:
        return Sequence("iterator", None, expressions.iterate(items[0]))
    if name in ("product", "zip_longest"):
        return Sequence("iterator", None, Sequence("tuple", tuple(items)))
    if name in ("combinations", "permutations", "combinations_with_replacement", "pairwise") and items:
        return Sequence("iterator", None, Sequence("tuple", None, items[0]))
    if name in ("islice", "cycle", "repeat", "takewhile", "dropwhile", "accumulate") and items:
        return Sequence("iterator", None, items[0] if name != "repeat" else arguments.positional[0])
    if name == "count":
        return Sequence("iterator", None, INTEGER)
    return UNKNOWN


def _collection(name: str, arguments: Arguments) -> Value:
    if name in ("OrderedDict", "defaultdict", "Counter", "ChainMap"):
        base = _first(arguments)
        if name == "defaultdict":
            return Mapping((), Sequence("list", ()) if base == Symbol("builtins.list") else UNKNOWN)
        return base if isinstance(base, Mapping) else Mapping((), INTEGER if name == "Counter" else UNKNOWN)
    if name == "deque":
        return Sequence("list", None, expressions.iterate(_first(arguments)) if arguments.positional else UNKNOWN)
    return UNKNOWN


def _logged(arguments: Arguments, node: cst.Call, frame: Frame) -> None:
    for index, value in enumerate(arguments.positional[1:], start=1):
        if tensor := device_tensor_within(value):
            frame.report("log-tensor", node, tensor, _argument_node(node, index))


# --- methods of what is not a tensor ---------------------------------------------------------------------

_TEXT_RESULTS: dict[str, Value] = {
    "split": Sequence("list", None, STRING), "rsplit": Sequence("list", None, STRING),
    "splitlines": Sequence("list", None, STRING),
    "startswith": BOOLEAN, "endswith": BOOLEAN, "isdigit": BOOLEAN, "isidentifier": BOOLEAN, "isupper": BOOLEAN,
    "islower": BOOLEAN, "find": INTEGER, "index": INTEGER, "count": INTEGER, "rfind": INTEGER,
    "partition": Sequence("tuple", (STRING, STRING, STRING)), "rpartition": Sequence("tuple", (STRING, STRING, STRING)),
}  # fmt: skip


def method(receiver: Value, name: str, arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    """Call a method of a string, container, array or number."""
    if isinstance(receiver, Text):
        if name == "format":
            for index, value in enumerate(arguments.all_values()):
                if tensor := device_tensor_within(value):
                    frame.report("format-tensor", node, tensor, _argument_node(node, index))
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
        return BOOLEAN if name == "is_integer" else NUMBER if name in ("item", "conjugate", "bit_length") else UNKNOWN
    return UNKNOWN


def _rebind(node: cst.Call, value: Value, frame: Frame) -> None:
    """A method changed its receiver: what is known of the name or attribute follows."""
    if isinstance(node.func, cst.Attribute):
        target = node.func.value
        path = dotted_name(target)
        if path is not None and "." not in path:
            frame.bind(path, value)
        elif isinstance(target, cst.Attribute):
            assign(target, value, frame)


def _mapping_method(receiver: Mapping, name: str, arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if name == "keys":
        return Sequence("iterator", None, STRING)
    if name == "values":
        if receiver.entries and receiver.element == UNKNOWN and len(receiver.entries) <= 8:
            return Sequence("list", tuple(value for _, value in receiver.entries))
        return Sequence("iterator", None, receiver.any_item)
    if name == "items":
        if receiver.entries and receiver.element == UNKNOWN and len(receiver.entries) <= LONGEST_SEQUENCE:
            pairs = tuple(Sequence("tuple", (Text(key), value)) for key, value in receiver.entries)
            return Sequence("list", pairs)
        return Sequence("iterator", None, Sequence("tuple", (STRING, receiver.any_item)))
    if name in ("get", "pop", "setdefault"):
        key = _first(arguments)
        found = receiver.get(key.literal) if isinstance(key, Text) and key.literal is not None else receiver.any_item
        known = isinstance(key, Text) and key.literal in dict(receiver.entries)
        default = arguments.positional[1] if len(arguments.positional) > 1 else NOTHING
        return found if known or (name == "pop" and len(arguments.positional) < 2) else join(found, default)
    if name == "copy":
        return receiver
    if name == "update":
        other = _first(arguments)
        if isinstance(other, Mapping):
            merged = {**dict(receiver.entries), **dict(other.entries), **arguments.keywords}
            _rebind(node, Mapping(tuple(merged.items())[:32], join(receiver.element, other.element)), frame)
        return NOTHING
    if name == "to" and receiver.any_item is not None:
        return receiver
    return UNKNOWN


def _sequence_method(receiver: Sequence, name: str, arguments: Arguments, node: cst.Call, frame: Frame) -> Value:
    if name in ("append", "add", "insert", "appendleft"):
        value = arguments.positional[-1] if arguments.positional else UNKNOWN
        grown = value if receiver.items == () or receiver.any_item == UNKNOWN else join(receiver.any_item, value)
        _rebind(node, Sequence(receiver.kind, None, grown), frame)
        return NOTHING
    if name in ("extend", "update"):
        value = expressions.iterate(_first(arguments))
        grown = value if receiver.items == () or receiver.any_item == UNKNOWN else join(receiver.any_item, value)
        _rebind(node, Sequence(receiver.kind, None, grown), frame)
        return NOTHING
    if name in ("pop", "popleft"):
        return receiver.any_item
    if name in ("copy", "union", "intersection", "difference"):
        return receiver
    if name == "numel":
        return INTEGER
    if name in ("index", "count", "remove"):
        value = _first(arguments)
        if (tensor := device_tensor_of(value)) and tensor_of(receiver.any_item) is not None:
            frame.report("containment", node, tensor, _argument_node(node))
        return INTEGER
    if name == "sort":
        if "key" not in arguments.keywords and (tensor := device_tensor_of(receiver.any_item)):
            frame.report("builtin-comparison", node, tensor)
        return NOTHING
    if receiver.kind == "batch":
        if name in ("items",):
            return Sequence("iterator", None, Sequence("tuple", (STRING, receiver.element)))
        if name in ("values", "keys"):
            return Sequence("iterator", None, receiver.element if name == "values" else STRING)
        if name in ("get", "pop"):
            return receiver.element
        if name in ("to", "cuda"):
            moved = tensor_methods.method(name, tensor_of(receiver.element) or Tensor(), arguments, node, frame)
            return Sequence("batch", None, moved or receiver.element)
    return UNKNOWN


_LOG_METHODS = frozenset({"debug", "info", "warning", "error", "critical", "exception", "log"})


def unknown_method(name: str, arguments: Arguments, node: cst.Call, frame: Frame, of_instance: bool = False) -> Value:
    """Call a method of something unknown: by its name alone."""
    if name in _LOG_METHODS and _looks_like_a_logger(node):
        _logged(arguments, node, frame)
        return NOTHING
    if name == "format":
        return STRING
    if of_instance:
        return UNKNOWN
    if name in ("item", "tolist"):
        guess = Tensor(trust=_likely_tensor(node, frame))
        return calls.tensor_call(name, guess, arguments, node, frame)
    if name == "cpu" and isinstance(node.func, cst.Attribute) and not _looks_like_a_module(node.func.value):
        return calls.tensor_call(name, Tensor(trust=Confidence.MEDIUM), arguments, node, frame)
    if name in ("parameters", "buffers"):
        return Sequence("iterator", None, Tensor(Device.DEVICE))
    if name in ("named_parameters", "named_buffers"):
        return Sequence("iterator", None, Sequence("tuple", (STRING, Tensor(Device.DEVICE))))
    if name == "state_dict":
        return Mapping((), Tensor(Device.DEVICE, trust=Confidence.MEDIUM))
    if name == "size":
        return UNKNOWN
    return UNKNOWN


def _looks_like_a_logger(node: cst.Call) -> bool:
    path = dotted_name(node.func)
    return path is not None and "log" in path.rpartition(".")[0].lower()


_ARRAY_LIBRARIES = frozenset({"numpy", "pandas", "polars", "pyarrow", "jax"})
_TENSOR_WORDS = re.compile(r"(^|_)(loss|losses|norm|grad|grads|logits|tensor|param)(_|$)")


def _likely_tensor(node: cst.Call, frame: Frame) -> Confidence:
    """How likely the unknown receiver of ``.item()`` is a tensor.

    Where a module works with torch and with no library of arrays, and nothing in it has an ``item`` of its own,
    little else is left; elsewhere only a telling name makes it likely.
    """
    scope = frame.module.scope
    roots = {value.name.partition(".")[0] for value in scope.values() if isinstance(value, Symbol)}
    own = any(isinstance(value, ClassValue) and "item" in value.record.methods for value in scope.values())
    if "torch" not in roots or own or not isinstance(node.func, cst.Attribute):
        return Confidence.LOW
    names = {inner.value for inner in walk(node.func.value) if isinstance(inner, cst.Name)}
    if roots.isdisjoint(_ARRAY_LIBRARIES) or any(_TENSOR_WORDS.search(name.lower()) for name in names):
        return Confidence.MEDIUM
    return Confidence.LOW


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


def _looks_like_a_module(node: cst.BaseExpression) -> bool:
    path = dotted_name(node)
    return path is not None and any(word in path.rpartition(".")[2].lower() for word in _MODULE_WORDS)


def registration(receiver: Instance, name: str, arguments: Arguments, frame: Frame) -> Value | None:
    """``register_buffer``, ``add_state`` and their like give an attribute to the object that is being made."""
    if name not in ("register_buffer", "register_parameter", "add_state") or receiver.record is None:
        return None
    key = arguments.keywords.get("name", _first(arguments))
    given = arguments.keywords.get("tensor", arguments.keywords.get("default", arguments.keywords.get("param")))
    value = given if given is not None else (arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN)
    if isinstance(key, Text) and key.literal is not None:
        held = _held(value)
        known = receiver.record.attributes.get(key.literal)
        receiver.record.attributes[key.literal] = held if known is None else join(known, held)
        path = f"{frame.function.receiver}.{key.literal}" if frame.function and frame.function.receiver else None
        if path is not None:
            frame.scope[path] = held
    return NOTHING


def _held(value: Value) -> Value:
    """What a buffer or a metric's state is later, when the module has been moved to the device."""
    results: list[Value] = []
    for option in options(value):
        if isinstance(option, Tensor):
            results.append(Tensor(Device.DEVICE, option.dtype, option.ndim))
        elif isinstance(option, Sequence):
            results.append(Sequence("list", None, Tensor(Device.DEVICE)))
        elif option == UNKNOWN:
            results.append(Tensor(Device.DEVICE))
        else:
            results.append(option)
    return join_all(results)
