"""Functions of the standard library, of NumPy and of SciPy, by their qualified names."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.paces import COUNTED, DRAW
from synclint.analysis.domain.tensors import device_tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    UNKNOWN,
    Array,
    ClassValue,
    Device,
    DType,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Value,
)
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.catalog.names import facts_of, names_in


def first(arguments: Arguments) -> Value:
    """The first positional argument."""
    return arguments.positional[0] if arguments.positional else UNKNOWN


_INTEGER_MATH = names_in("python", "math-integers")


_BOOLEAN_MATH = names_in("python", "math-booleans")


def math_result(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    for index, value in enumerate(arguments.positional):
        if tensor := device_tensor_of(value):
            frame.report("math-function", node, tensor, argument_node(node, index))
            break
    if name in _INTEGER_MATH:
        return INTEGER
    return BOOLEAN if name in _BOOLEAN_MATH else FLOAT


# Those of Python's random numbers that need integers; `uniform` computes with whatever it is given.
_RANDOM_COUNTS = frozenset({"randint", "randrange", "sample", "choices", "getrandbits"})
# A generator of its own has the same methods (``Lib/random.py``).
GENERATOR = "random.Random"


def random_result(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Python's ``random``: bounds and counts are taken as integers; ``Lib/random.py``, ``Random.randrange``."""
    if name in ("Random", "SystemRandom"):
        return Instance(GENERATOR)
    counts = arguments.positional if name not in ("sample", "choices") else arguments.positional[1:]
    for value in (*counts, *arguments.keywords.values()) if name in _RANDOM_COUNTS else ():
        if tensor := device_tensor_of(value):
            at = next((i for i, given in enumerate(arguments.positional) if given is value), 0)
            frame.report("index-protocol", node, tensor, argument_node(node, at))
            break
    if name in ("randint", "randrange", "getrandbits"):
        return Scalar("int", pace=DRAW)
    if name in ("choice",):
        return iterate(first(arguments))
    if name in ("sample", "choices"):
        return Sequence("list", None, iterate(first(arguments)))
    if name in ("shuffle", "seed", "setstate"):
        return NOTHING
    if name in ("random", "uniform"):
        return Scalar("float", pace=DRAW) if not arguments.positional or name == "random" else UNKNOWN
    return FLOAT if name in ("gauss", "normalvariate", "betavariate", "triangular") else UNKNOWN


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
    if name == "choice" and size == NOTHING and arguments.complete and len(arguments.positional) == 1:
        chosen = first(arguments)
        return iterate(chosen) if isinstance(chosen, Sequence) else Array(ndim=0)
    if position is not None and size == NOTHING and arguments.complete and len(arguments.positional) <= position:
        return Scalar("int" if name in _RANDOM_INTEGERS else "float", pace=DRAW)
    return Array(DType.INT if name in _RANDOM_INTEGERS or name == "permutation" else DType.UNKNOWN)


# Arrays of these hold any objects, and ask none for its value (``numpy/_core``, "Data type objects").
_OF_OBJECTS = (Symbol("builtins.object"), Symbol("numpy.object_"))


def numpy_result(name: str, arguments: Arguments) -> Value:
    if arguments.keywords.get("dtype") in _OF_OBJECTS:
        return Sequence("list", None, UNKNOWN)
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
    if name in _OF_ELEMENTS and (tensor := next((v for v in arguments.positional if isinstance(v, Tensor)), None)):
        dtype = tensor.dtype if tensor.dtype is DType.FLOAT else DType.UNKNOWN
        rank = tensor.ndim if len(arguments.positional) == 1 else None
        # One on the device would be an error.
        return replace(tensor, device=Device.CPU, dtype=dtype, ndim=rank)
    if (rank := _array_rank(name, arguments)) is not None:
        whole = name == "arange" and all(isinstance(v, Scalar) and v.kind == "int" for v in arguments.positional)
        return Array(DType.INT if whole else DType.UNKNOWN, rank)
    family = DType.BOOL if name.startswith(("is", "logical_")) else DType.UNKNOWN
    return Array(family)


_SEVERAL_RESULTS = names_in("numpy", "several-results")


_OF_ELEMENTS = names_in("numpy", "of-elements")


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


def scipy_result(name: str) -> Value:
    if name == "optimize.linear_sum_assignment":
        return Sequence("tuple", (Array(DType.INT, 1), Array(DType.INT, 1)))
    return Array() if name.partition(".")[0] in ("ndimage", "signal", "special") else UNKNOWN


def itertools_result(name: str, arguments: Arguments) -> Value:
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
        return Sequence("iterator", None, COUNTED)
    return UNKNOWN


def collection(name: str, arguments: Arguments) -> Value:
    if name in ("OrderedDict", "defaultdict", "Counter", "ChainMap"):
        base = first(arguments)
        if name == "defaultdict":
            made = instance_of(base.record) if isinstance(base, ClassValue) else UNKNOWN
            return Mapping((), Sequence("list", ()) if base == Symbol("builtins.list") else made)
        return base if isinstance(base, Mapping) else Mapping((), INTEGER if name == "Counter" else UNKNOWN)
    if name == "deque":
        return Sequence("list", None, iterate(first(arguments)) if arguments.positional else UNKNOWN)
    return UNKNOWN
