"""Calls of Python's own functions and types, of NumPy, and of methods on what is not a tensor."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import any_item, mapping, updated
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NEVER,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    ClassValue,
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
    options,
)
from synclint.analysis.objects.attributes import attribute_of, hold
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.catalog.names import facts_of, names_in

Handler = Callable[[Arguments, ast.Call, Frame], Value]


def call(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a function of the standard library or of NumPy by its qualified name."""
    check_entries((name,), _bound(arguments), None, arguments, node, frame)
    root, _, rest = name.partition(".")
    if root == "builtins":
        handler = _BUILTINS.get(rest)
        return handler(arguments, node, frame) if handler is not None else _builtin_result(rest, arguments)
    if root == "math":
        return _math(rest, arguments, node, frame)
    if root == "numpy":
        return _numpy(rest, arguments)
    if root == "scipy":
        return _scipy(rest)
    if root == "random":
        return _random(rest, arguments, node, frame)
    if root == "pprint" and rest in ("pprint", "pformat", "pp"):
        printed = _print(arguments, node, frame)
        return STRING if rest == "pformat" else printed
    if root == "time":
        if rest == "sleep":
            _math(rest, arguments, node, frame)
        return FLOAT if rest not in ("sleep", "strftime") else UNKNOWN
    if root == "logging":
        logged(arguments, node, frame)
        return Instance(f"logging.{rest}") if rest == "getLogger" else NOTHING
    if name in ("copy.copy", "copy.deepcopy") and arguments.positional:
        return arguments.positional[0]
    if root == "itertools":
        return _itertools(rest, arguments)
    if name == "functools.partial" and arguments.positional:
        function, *leading = arguments.positional
        keywords = Mapping(tuple(arguments.keywords.items()))
        fields = (
            ("function", function),
            ("positional", Sequence("tuple", tuple(leading))),
            ("keywords", keywords),
        )
        return Instance("functools.partial", None, fields)
    if name == "functools.reduce" and len(arguments.positional) >= 2:
        return iterate(arguments.positional[1])
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


def first(arguments: Arguments) -> Value:
    """The first positional argument."""
    return arguments.positional[0] if arguments.positional else UNKNOWN


def _number(kind: str) -> Handler:
    def convert(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
        value = first(arguments)
        if tensor := device_tensor_of(value):
            frame.report("number-conversion", node, tensor, argument_node(node))
        if isinstance(value, Scalar) and kind == value.kind:
            return value
        return Scalar(kind)

    return convert


def _print(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_within(value):
            frame.report("print-tensor", node, tensor, argument_node(node, index))
    return NOTHING


def _text(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
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
    if "key" not in arguments.keywords:
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
    key = arguments.keywords.get("key")
    compared = item
    if isinstance(key, FunctionValue):
        compared = frame.engine.call_with(key, [item], frame, node)
    elif key is not None and not isinstance(key, type(NOTHING)):
        compared = UNKNOWN
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
        return Sequence("list", tuple(Sequence("tuple", (INTEGER, item)) for item in inner.items))
    return Sequence("iterator", None, Sequence("tuple", (INTEGER, iterate(inner))))


def _zip(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    items = tuple(iterate(value) for value in arguments.positional)
    known = [v.items for v in arguments.positional if isinstance(v, Sequence) and v.items is not None]
    if known and len(known) == len(arguments.positional) and len({len(items) for items in known}) == 1:
        return Sequence("list", tuple(Sequence("tuple", row) for row in zip(*known, strict=True)))
    return Sequence("iterator", None, Sequence("tuple", items if arguments.complete else None))


def _map(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, *iterables = arguments.positional
    items = [iterate(value) for value in iterables]
    return Sequence("iterator", None, frame.engine.apply(function, Arguments(items), node, frame))


def _filter(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, iterable = arguments.positional[:2]
    item = iterate(iterable)
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
        return Sequence(kind, None, iterate(value))

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
    return iterate(first(arguments))


def _passed_through(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    value = first(arguments)
    return replace(value, kind="iterator") if isinstance(value, Sequence) else value


def _of_one_integer(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if tensor := device_tensor_of(first(arguments)):
        frame.report("index-protocol", node, tensor, argument_node(node))
    return STRING


def _absolute(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    value = first(arguments)
    return value if tensor_of(value) or isinstance(value, (Array, Scalar)) else UNKNOWN


def _getattr(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if len(arguments.positional) >= 2:
        name = arguments.positional[1]
        if isinstance(name, Text) and name.literal is not None and name.literal.isidentifier():
            found = attribute_of(arguments.positional[0], name.literal, node, frame)
            return join(found, arguments.positional[2]) if len(arguments.positional) > 2 else found
    return UNKNOWN


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
    "iter": _passed_through,
    "abs": _absolute,
    "chr": _of_one_integer,
    "hex": _of_one_integer,
    "oct": _of_one_integer,
    "bin": _of_one_integer,
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
    if name == "input":
        return STRING
    if name == "round":
        value = first(arguments)
        return value if isinstance(value, (Array,)) else NUMBER
    if name == "pow" and arguments.positional:
        return arguments.positional[0]
    if name == "slice":
        return Instance("slice")
    if name == "object":
        return Instance("builtins.object")
    return UNKNOWN


_INTEGER_MATH = names_in("python", "math-integers")
_BOOLEAN_MATH = names_in("python", "math-booleans")


def _math(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_of(value):
            frame.report("math-function", node, tensor, argument_node(node, index))
            break
    if name in _INTEGER_MATH:
        return INTEGER
    return BOOLEAN if name in _BOOLEAN_MATH else FLOAT


# Those of Python's random numbers that need integers; `uniform` computes with whatever it is given.
_RANDOM_COUNTS = frozenset({"randint", "randrange", "sample", "choices", "getrandbits"})


def _random(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Python's ``random``: bounds and counts are taken as integers; ``Lib/random.py``, ``Random.randrange``."""
    counts = arguments.positional if name not in ("sample", "choices") else arguments.positional[1:]
    for value in (*counts, *arguments.keywords.values()) if name in _RANDOM_COUNTS else ():
        if tensor := device_tensor_of(value):
            at = next((i for i, given in enumerate(arguments.positional) if given is value), 0)
            frame.report("index-protocol", node, tensor, argument_node(node, at))
            break
    if name in ("randint", "randrange", "getrandbits"):
        return INTEGER
    if name in ("choice",):
        return iterate(first(arguments))
    if name in ("sample", "choices"):
        return Sequence("list", None, iterate(first(arguments)))
    if name in ("shuffle", "seed", "setstate"):
        return NOTHING
    return FLOAT if name in ("random", "gauss", "normalvariate", "betavariate", "triangular") else UNKNOWN


NUMPY_GENERATOR = "numpy.random.Generator"
_RANDOM_INTEGERS = names_in("numpy", "random-integers")
# Functions that draw numbers, with the position at which they take the size of an array; without one they give one
# number. Those that take the lengths of the dimensions one by one give one without any.
_POSITIONS_OF_SIZES = facts_of("numpy", "positions-of-sizes")


def drawn(name: str, arguments: Arguments) -> Value:
    """What a method of one of NumPy's generators gives, or the function of ``numpy.random`` of the same name."""
    if name in ("default_rng", "RandomState", "Generator", "get_state"):
        return Instance(NUMPY_GENERATOR) if name != "get_state" else UNKNOWN
    if name in ("shuffle", "seed", "set_state"):
        return NOTHING
    position = _POSITIONS_OF_SIZES.get(name)
    size = arguments.keywords.get("size", NOTHING)
    if position is not None and size == NOTHING and arguments.complete and len(arguments.positional) <= position:
        return INTEGER if name in _RANDOM_INTEGERS else FLOAT
    return Array(DType.INT if name in _RANDOM_INTEGERS or name == "permutation" else DType.UNKNOWN)


def _numpy(name: str, arguments: Arguments) -> Value:
    if name in ("save", "savez", "set_printoptions", "testing.assert_allclose"):
        return NOTHING
    if name in ("isscalar", "allclose", "array_equal", "issubdtype"):
        return BOOLEAN
    if name in ("shape",):
        return Sequence("tuple", None, INTEGER)
    if name in ("ndim", "size"):
        return INTEGER
    if name in ("where", "nonzero", "unravel_index", "meshgrid") and len(arguments.positional) == 1:
        return Sequence("tuple", None, Array(DType.INT))
    if name == "ndindex":
        return Sequence("iterator", None, Sequence("tuple", None, INTEGER))
    if name.startswith("random."):
        return drawn(name.removeprefix("random."), arguments)
    if name in _SEVERAL_RESULTS or (name == "unique" and not _RETURNING.isdisjoint(arguments.keywords)):
        return Sequence("tuple", None, Array(ndim=1) if name == "unique" else Array())
    if (rank := _array_rank(name, arguments)) is not None:
        whole = name == "arange" and all(isinstance(v, Scalar) and v.kind == "int" for v in arguments.positional)
        return Array(DType.INT if whole else DType.UNKNOWN, rank)
    family = DType.BOOL if name.startswith(("is", "logical_")) else DType.UNKNOWN
    return Array(family)


_SEVERAL_RESULTS = names_in("numpy", "several-results")
_RETURNING = frozenset({"return_index", "return_inverse", "return_counts"})
_VECTORS = frozenset({"arange", "linspace", "logspace", "geomspace", "flatnonzero", "bincount", "unique", "digitize"})
_OF_A_SHAPE = frozenset({"zeros", "ones", "empty", "full"})
_LIKE_THE_FIRST = frozenset({"concatenate", "interp", "sort", "flip", "asarray", "array", "clip", "exp", "log"})


def _array_rank(name: str, arguments: Arguments) -> int | None:
    """How many dimensions an array has that a function of NumPy makes, None where that is not known."""
    if name in _VECTORS:
        return 1
    given = first(arguments)
    if name in _OF_A_SHAPE:
        if isinstance(given, Scalar):
            return 1
        return len(given.items) if isinstance(given, Sequence) and given.items is not None else None
    if name not in _LIKE_THE_FIRST:
        return None
    if name == "concatenate" and isinstance(given, Sequence):
        ranks = [_rank_of(item) for item in given.items or (any_item(given),)]
        return next((rank for rank in ranks if rank is not None), None)
    return _rank_of(given)


def _rank_of(value: Value) -> int | None:
    """The dimensions of what NumPy makes an array of: lists of lists of numbers."""
    if isinstance(value, Array):
        return value.ndim
    if isinstance(value, Sequence):
        inner = 0 if isinstance(any_item(value), Scalar) else _rank_of(any_item(value))
        return inner + 1 if inner is not None else None
    return 1 if isinstance(value, Instance) and value.name == "range" else None


def _scipy(name: str) -> Value:
    if name == "optimize.linear_sum_assignment":
        return Sequence("tuple", (Array(DType.INT, 1), Array(DType.INT, 1)))
    return Array() if name.partition(".")[0] in ("ndimage", "signal", "special") else UNKNOWN


def _itertools(name: str, arguments: Arguments) -> Value:
    items = [iterate(value) for value in arguments.positional]
    if name == "chain":
        return Sequence("iterator", None, join_all(items))
    if name == "chain.from_iterable" and items:
        return Sequence("iterator", None, iterate(items[0]))
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
        base = first(arguments)
        if name == "defaultdict":
            made = instance_of(base.record) if isinstance(base, ClassValue) else UNKNOWN
            return Mapping((), Sequence("list", ()) if base == Symbol("builtins.list") else made)
        return base if isinstance(base, Mapping) else Mapping((), INTEGER if name == "Counter" else UNKNOWN)
    if name == "deque":
        return Sequence("list", None, iterate(first(arguments)) if arguments.positional else UNKNOWN)
    return UNKNOWN


def logged(arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Report tensors among the values that a logging call formats."""
    for index, value in enumerate(arguments.positional[1:], start=1):
        if tensor := device_tensor_within(value):
            frame.report("log-tensor", node, tensor, argument_node(node, index))
