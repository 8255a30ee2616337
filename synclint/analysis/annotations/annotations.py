"""What an annotation says of a value: tensors, optionals, containers, numbers, devices, known classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Value,
)
from synclint.analysis.syntax.walk import last_name, operands
from synclint.catalog.names import facts_of
from synclint.findings import Confidence

Resolver = Callable[[ast.expr], Value]

_BUILTINS: dict[str, Value] = {
    "int": INTEGER,
    "float": FLOAT,
    "bool": BOOLEAN,
    "complex": NUMBER,
    "str": STRING,
    "bytes": STRING,
    "list": Sequence("list"),
    "tuple": Sequence("tuple"),
    "set": Sequence("set"),
    "frozenset": Sequence("set"),
    "dict": Mapping(),
}
_SEQUENCES = {
    "list": "list", "List": "list", "Sequence": "sequence", "Iterable": "sequence", "Iterator": "iterator",
    "Collection": "sequence", "set": "set", "Set": "set", "FrozenSet": "set", "frozenset": "set",
    "Generator": "generator",
    "AsyncIterator": "iterator", "MutableSequence": "list", "deque": "list", "Deque": "list",
}  # fmt: skip
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"})
_TRANSPARENT = frozenset(
    {"Annotated", "Final", "ClassVar", "Required", "NotRequired", "InitVar", "Awaitable", "Coroutine"}
)
# Protocols of what can be turned into a number, for the sake of which a number alone would not be called so.
_SUPPORTING = frozenset({"SupportsFloat", "SupportsInt", "SupportsIndex", "SupportsComplex"})
_NUMBER_OR_TENSOR = join_all([NUMBER, Tensor(trust=Confidence.MEDIUM)])
_TYPED_TENSORS = {name: DType(family) for name, family in facts_of("torch", "typed-tensors").items()}
_JAXTYPING = {name: DType(family) for name, family in facts_of("jaxtyping", "dtypes").items()}


def annotated(node: ast.expr, resolve: Resolver) -> Value:
    """The value that an annotation stands for; ``resolve`` evaluates names and attributes.

    String annotations are parsed; what is not understood is unknown.
    """
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return _quoted(node.value, resolve)
        return NOTHING if node.value is None else UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _any_of([annotated(option, resolve) for option in operands(node, ast.BitOr)])
    if isinstance(node, ast.Subscript):
        return _subscript(node, resolve)
    if isinstance(node, ast.Name) and node.id in _BUILTINS:
        return _BUILTINS[node.id]
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _with_elements(_named(resolve(node)), last_name(node))
    return UNKNOWN


def _any_of(values: list[Value]) -> Value:
    """What a union stands for; beside text, what can be turned into a number is no tensor.

    What is a number or a tensor is shown to be none.
    """
    if any(isinstance(value, Text) for value in values):
        values = [NUMBER if value == _NUMBER_OR_TENSOR else value for value in values]
    if any(isinstance(value, Scalar) for value in values):
        values = [replace(value, trust=Confidence.MEDIUM) if isinstance(value, Tensor) else value for value in values]
    return join_all(values)


def _with_elements(value: Value, name: str) -> Value:
    """A tensor whose type has the name of one of torch's: ``BoolTensor = Tensor`` says what it is meant to hold."""
    if isinstance(value, Tensor) and value.dtype is DType.UNKNOWN and name in _TYPED_TENSORS:
        return Tensor(value.device, _TYPED_TENSORS[name])
    return value


def _quoted(text: str, resolve: Resolver) -> Value:
    try:
        expression = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN
    return annotated(expression, resolve)


def _named(target: Value) -> Value:
    if isinstance(target, ClassValue):
        return instance_of(target.record)
    if isinstance(target, Symbol):
        return external(target.name)
    return target if isinstance(target, (Tensor, Sequence, Mapping, Scalar, Alternatives, Instance)) else UNKNOWN


@lru_cache(maxsize=1024)
def external(name: str) -> Value:
    """An instance of a class outside the project, by its qualified name."""
    last = name.rpartition(".")[2]
    root = name.partition(".")[0]
    if root == "torch":
        if last in ("Tensor", "tensor", "Parameter", "Buffer", "UninitializedParameter"):
            return Tensor(Device.MODULE if last == "Parameter" else Device.UNKNOWN)
        if last in _TYPED_TENSORS:
            return Tensor(Device.UNKNOWN, _TYPED_TENSORS[last])
        if last == "device":
            return DeviceName()
        if last == "dtype":
            return DTypeName()
        if last == "Size":
            return Sequence("Size", None, INTEGER)
    if root == "numpy" and last in ("ndarray", "NDArray", "ArrayLike"):
        return Array()
    if root in ("typing", "typing_extensions", "collections", "builtins") and last in (
        "Any", "Callable", "Self", "Hashable", "Sized", "Literal", "TypeVar", "NoReturn", "object",
    ):  # fmt: skip
        return UNKNOWN
    if last in _SEQUENCES:
        return Sequence(_SEQUENCES[last])
    if last in _MAPPINGS:
        return Mapping()
    if last == "Tuple":
        return Sequence("tuple")
    if last in ("Number", "Integral", "Real"):
        return NUMBER
    if root in ("typing", "typing_extensions") and last in _SUPPORTING:
        return _NUMBER_OR_TENSOR
    if last in ("PathLike", "Path", "AnyStr", "Text"):
        return Instance(name)
    return Instance(name)


def _subscript(node: ast.Subscript, resolve: Resolver) -> Value:
    name = last_name(node.value)
    arguments = _arguments(node.slice)
    if name == "Optional":
        return join_all([*(annotated(a, resolve) for a in arguments), NOTHING])
    if name == "Union":
        return _any_of([annotated(a, resolve) for a in arguments])
    if name == "Callable" and len(arguments) == 2:
        return Instance("typing.Callable", None, (("returns", annotated(arguments[1], resolve)),))
    if name == "Literal":
        return _literal(arguments)
    if name in _JAXTYPING and arguments:
        inner = annotated(arguments[0], resolve)
        return Tensor(inner.device, _JAXTYPING[name]) if isinstance(inner, Tensor) else inner
    if name in ("type", "Type") and arguments:
        return _class_named(arguments[0], resolve)
    if name in _TRANSPARENT and arguments:
        return annotated(arguments[0], resolve)
    if name in _SEQUENCES and arguments:
        return Sequence(_SEQUENCES[name], None, annotated(arguments[0], resolve))
    if name in _MAPPINGS and len(arguments) == 2:
        return Mapping((), annotated(arguments[1], resolve))
    if name in ("tuple", "Tuple") and arguments:
        if len(arguments) == 2 and _is_ellipsis(arguments[1]):
            return Sequence("tuple", None, annotated(arguments[0], resolve))
        return Sequence("tuple", tuple(annotated(a, resolve) for a in arguments))
    if name in ("NDArray", "ndarray"):
        return Array()
    return annotated(node.value, resolve)


def _class_named(node: ast.expr, resolve: Resolver) -> Value:
    """What ``type[Model]``, ``Type["Model"]`` and ``type[A | B]`` stand for: the classes themselves."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return join_all([_class_named(option, resolve) for option in operands(node, ast.BitOr)])
    if isinstance(node, ast.Subscript) and last_name(node.value) == "Union":
        return join_all([_class_named(option, resolve) for option in _arguments(node.slice)])
    target = resolve(node) if isinstance(node, (ast.Name, ast.Attribute)) else UNKNOWN
    return target if isinstance(target, (ClassValue, Symbol)) else UNKNOWN


def _arguments(index: ast.expr) -> list[ast.expr]:
    """What stands between the brackets of a generic type."""
    elements = index.elts if isinstance(index, ast.Tuple) else [index]
    return [
        element.value if isinstance(element, ast.Starred) else element
        for element in elements
        if not isinstance(element, ast.Slice)
    ]


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _literal(arguments: list[ast.expr]) -> Value:
    kinds = {type(a.value) if isinstance(a, ast.Constant) else None for a in arguments}
    if kinds <= {str, bytes}:
        return STRING
    return INTEGER if kinds == {int} else UNKNOWN
