"""The abstract values that expressions stand for, and how two of them join.

Every value is frozen and hashable, so that function summaries can be kept per arguments. Values that hold others
remember what is asked of them again and again, each from what their parts remember: a list that a thousand calls hand
on is gone through once.
``Origin`` is the exception: where a value comes from never decides whether two values are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from operator import is_not
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from synclint.findings import Confidence

if TYPE_CHECKING:
    import ast

    from synclint.analysis.program.modules import ClassRecord, FunctionRecord, ModuleRecord


class Device(Enum):
    """Where a tensor's data lives.

    ``UNKNOWN`` is treated as the device, since that is the code people run; ``EITHER`` is on the CPU on
    some paths through the code and elsewhere on others.
    """

    CPU = "cpu"
    DEVICE = "device"
    UNKNOWN = "unknown"
    EITHER = "either"


class DType(Enum):
    """The family of element types, as far as it decides about waiting."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Origin:
    """One link in the chain of reasons for a value: what was concluded, from which expression of which module."""

    text: str
    module: ModuleRecord | None = None
    node: ast.AST | None = None
    parent: Origin | None = None

    def chain(self) -> Iterator[Origin]:
        """The links from this one back to the first evidence."""
        link: Origin | None = self
        while link is not None:
            yield link
            link = link.parent


@dataclass(frozen=True)
class Unknown:
    """Nothing is known."""


@dataclass(frozen=True)
class Nothing:
    """``None``."""


@dataclass(frozen=True)
class Scalar:
    """A Python number or boolean on the host; ``literal`` is its value where the source says so."""

    kind: str = "number"
    literal: int | float | complex | bool | None = None


@dataclass(frozen=True)
class Text:
    """A string or bytes."""

    literal: str | None = None


@dataclass(frozen=True)
class Tensor:
    """A tensor.

    ``ndim`` counts its dimensions, None where unknown; ``trust`` is the weakest evidence that it is a tensor;
    ``pinned`` is None where its memory may be pinned or not; ``is_empty`` tells that it has no elements to be copied.
    """

    device: Device = Device.UNKNOWN
    dtype: DType = DType.UNKNOWN
    ndim: int | None = None
    trust: Confidence = Confidence.HIGH
    pinned: bool | None = False
    origin: Origin | None = field(default=None, compare=False)
    is_empty: bool = False

    @property
    def may_be_on_device(self) -> bool:
        """Whether reading it can make the host wait."""
        return self.device is not Device.CPU


@dataclass(frozen=True)
class Array:
    """A NumPy array, or a scalar of NumPy's where it has no dimensions."""

    dtype: DType = DType.UNKNOWN
    ndim: int | None = None

    def row(self) -> Array:
        """What one index leaves of it; of an array of unknown rank a scalar, as a rule."""
        return Array(self.dtype, max(self.ndim - 1, 0) if self.ndim is not None else 0)


class Extent(NamedTuple):
    """How deeply containers are nested in a value, and of how many parts it is made, itself included in both."""

    height: int = 0
    parts: int = 1


@dataclass(frozen=True)
class Sequence:
    """A list, tuple, set, ``torch.Size`` or other iterable; ``items`` where each element is known.

    Where it is not known how many there are, ``first`` are those at its beginning, as far as there are that many, and
    ``element`` is what each of the others may be.
    """

    kind: str
    items: tuple[Value, ...] | None = None
    element: Value = field(default_factory=Unknown)
    first: tuple[Value, ...] = ()

    @property
    def known(self) -> tuple[Value, ...]:
        """The elements whose positions are known."""
        return self.first if self.items is None else self.items

    @cached_property
    def any_item(self) -> Value:
        """What one element may be."""
        if self.items is None:
            return join_all([*self.first, self.element]) if self.first else self.element
        return join_all(self.items)

    @cached_property
    def extent(self) -> Extent:
        """How large it is."""
        return _around((*self.first, self.element) if self.items is None else self.items, 1)


@dataclass(frozen=True)
class Mapping:
    """A dictionary; ``entries`` where the keys are literal strings."""

    entries: tuple[tuple[str, Value], ...] = ()
    element: Value = field(default_factory=Unknown)

    def get(self, key: str) -> Value:
        """The value under a literal key, else what any value may be."""
        return dict(self.entries).get(key, self.element)

    @cached_property
    def any_item(self) -> Value:
        """What one of its values may be."""
        return join_all([value for _, value in self.entries] or [self.element])

    @cached_property
    def extent(self) -> Extent:
        """How large it is."""
        return _around([self.element, *(value for _, value in self.entries)], 1)


@dataclass(frozen=True)
class DeviceName:
    """A ``torch.device`` or what a call turns into one."""

    device: Device = Device.UNKNOWN


@dataclass(frozen=True)
class DTypeName:
    """A ``torch.dtype``."""

    dtype: DType = DType.UNKNOWN


@dataclass(frozen=True)
class Symbol:
    """A module, class, function or constant outside the project, by its qualified name."""

    name: str


@dataclass(frozen=True)
class ProjectModule:
    """A module of the project, or a package of which only submodules are of interest."""

    name: str


@dataclass(frozen=True)
class FunctionValue:
    """A function of the project, bound to ``receiver`` where it is a method."""

    record: FunctionRecord
    receiver: Value | None = None
    scope: dict[str, Value] | None = field(default=None, compare=False, hash=False)


@dataclass(frozen=True)
class ClassValue:
    """A class of the project."""

    record: ClassRecord


@dataclass(frozen=True)
class Instance:
    """An object of a class of the project, or of the outside class ``name``.

    ``fields`` are what its constructor was given, where that is known; ``made`` is the call of it, for loaders and
    optimizers.
    """

    name: str
    record: ClassRecord | None = None
    fields: tuple[tuple[str, Value], ...] = ()
    made: Origin | None = field(default=None, compare=False)

    def given(self, key: str) -> Value | None:
        """The constructor's argument ``key``, if it was given."""
        return dict(self.fields).get(key)

    @cached_property
    def extent(self) -> Extent:
        """How large it is."""
        return _around([value for _, value in self.fields], 1)


@dataclass(frozen=True)
class BoundMethod:
    """A method taken from a value: ``receiver.name`` before the call."""

    receiver: Value
    name: str


@dataclass(frozen=True)
class Alternatives:
    """One of several values of different kinds."""

    options: tuple[Value, ...]

    @cached_property
    def extent(self) -> Extent:
        """How large it is; to be one of several values is no nesting."""
        return _around(self.options, 0)


Value: TypeAlias = (
    Unknown
    | Nothing
    | Scalar
    | Text
    | Tensor
    | Array
    | Sequence
    | Mapping
    | DeviceName
    | DTypeName
    | Symbol
    | ProjectModule
    | FunctionValue
    | ClassValue
    | Instance
    | BoundMethod
    | Alternatives
)

UNKNOWN = Unknown()
NOTHING = Nothing()
NUMBER = Scalar()
INTEGER = Scalar("int")
FLOAT = Scalar("float")
BOOLEAN = Scalar("bool")
STRING = Text()

MOST_OPTIONS = 6
# A table of classes or functions to choose from may be longer.
MOST_CALLABLES = 16
_TO_CALL = frozenset({ClassValue, FunctionValue})
# The kinds that some questions are about at all: asking for them first spares the others every further test.
_COARSENED = frozenset({Scalar, Tensor, Sequence, Mapping, Alternatives})
_SETTLED = frozenset({Tensor, Alternatives, Sequence})
DEEPEST_NESTING = 3
LONGEST_SEQUENCE = 32
LONGEST_TEXT = 64
MOST_PARTS = 1000


def weaker(first: Confidence, second: Confidence) -> Confidence:
    """The weaker of two confidences."""
    return first if first.rank <= second.rank else second


def options(value: Value) -> tuple[Value, ...]:
    """The kinds of value this one may be."""
    return value.options if isinstance(value, Alternatives) else (value,)


def tensors_in(value: Value) -> tuple[Tensor, ...]:
    """The tensors this value may itself be, not those it contains."""
    if isinstance(value, Tensor):
        return (value,)
    if isinstance(value, Alternatives):
        found = (option if type(option) is Tensor else taken_for_tensor(option) for option in value.options)
        return tuple(option for option in found if isinstance(option, Tensor))
    return (_OF_A_SUBCLASS,) if taken_for_tensor(value) is _OF_A_SUBCLASS else ()


_OF_A_SUBCLASS = Tensor()


def taken_for_tensor(value: Value) -> Value:
    """The value itself; of an instance of a class that derives from ``torch.Tensor``, a tensor."""
    if type(value) is not Instance or value.record is None:
        return value
    return _OF_A_SUBCLASS if value.record.is_tensor else value


def tensor_of(value: Value) -> Tensor | None:
    """The tensor this value is or may be."""
    found = tensors_in(value)
    return found[0] if found else None


def device_tensor_of(value: Value) -> Tensor | None:
    """The tensor this value is or may be, if it may be on the device."""
    tensor = tensor_of(value)
    return tensor if tensor is not None and tensor.may_be_on_device else None


def device_tensor_within(value: Value, depth: int = DEEPEST_NESTING) -> Tensor | None:
    """A tensor that may be on the device: this value or, for containers, something in it."""
    if found := device_tensor_of(value):
        return found
    if depth:
        for option in options(value):
            for item in _held(option):
                if found := device_tensor_within(item, depth - 1):
                    return found
    return None


def _held(value: Value) -> Iterable[Value]:
    """What a container holds, one by one as far as its parts are told apart."""
    if isinstance(value, Sequence):
        return (*value.first, value.element) if value.items is None else value.items
    return (*(held for _, held in value.entries), value.element) if isinstance(value, Mapping) else ()


def join_device(first: Device, second: Device) -> Device:
    """Where data may be if it is in one place or the other."""
    if first is second:
        return first
    return Device.EITHER if Device.CPU in (first, second) or Device.EITHER in (first, second) else Device.UNKNOWN


def join_tensors(first: Tensor, second: Tensor) -> Tensor:
    """A tensor that is one of two."""
    if first == second:
        return first
    return Tensor(
        join_device(first.device, second.device),
        first.dtype if first.dtype is second.dtype else DType.UNKNOWN,
        first.ndim if first.ndim == second.ndim else None,
        weaker(first.trust, second.trust),
        first.pinned if first.pinned == second.pinned else None,
        first.origin if first.may_be_on_device or not second.may_be_on_device else second.origin,
        first.is_empty and second.is_empty,
    )


def _join_sequences(first: Sequence, second: Sequence) -> Sequence:
    kind = first.kind if first.kind == second.kind else "sequence"
    if first.items is not None and second.items is not None and len(first.items) == len(second.items):
        return Sequence(kind, tuple(map(join, first.items, second.items)))
    common = tuple(map(join, first.known, second.known))
    others = [item for one in (first, second) for item in one.known[len(common) :]]
    others += [one.element for one in (first, second) if one.items is None]
    return Sequence(kind, None, join_all(others), common)


def _join_mappings(first: Mapping, second: Mapping) -> Mapping:
    mine, yours = dict(first.entries), dict(second.entries)
    merged = {
        key: join(mine[key], yours[key]) if key in mine and key in yours else mine.get(key, yours.get(key, UNKNOWN))
        for key in [*mine, *(key for key in yours if key not in mine)]
    }
    return Mapping(tuple(merged.items()), join(first.element, second.element))


def _join_instances(first: Instance, second: Instance) -> Instance | None:
    if first.name != second.name or first.record is not second.record:
        return None
    mine, yours = dict(first.fields), dict(second.fields)
    return replace(first, fields=tuple((key, join(mine[key], yours[key])) for key in mine if key in yours))


def _join_scalars(first: Scalar, second: Scalar) -> Scalar:
    return Scalar(first.kind if first.kind == second.kind else "number")


def _join_texts(first: Text, second: Text) -> Text:
    return STRING


def _join_arrays(first: Array, second: Array) -> Array:
    return Array(first.dtype if first.dtype is second.dtype else DType.UNKNOWN)


def _join_device_names(first: DeviceName, second: DeviceName) -> DeviceName:
    return DeviceName(join_device(first.device, second.device))


def _join_dtype_names(first: DTypeName, second: DTypeName) -> DTypeName:
    return DTypeName()


# How two different values of one kind join; values of other kinds stay apart.
_JOINS: dict[type, Callable[[Any, Any], Value | None]] = {
    Tensor: join_tensors,
    Scalar: _join_scalars,
    Text: _join_texts,
    Sequence: _join_sequences,
    Mapping: _join_mappings,
    Array: _join_arrays,
    DeviceName: _join_device_names,
    DTypeName: _join_dtype_names,
    Instance: _join_instances,
}


def _join_single(first: Value, second: Value) -> Value | None:
    """The join of two values, none of them alternatives; None where they stay apart."""
    kind = type(first)
    if kind is not type(second):
        return None
    if first == second:
        return first
    joined = _JOINS.get(kind)
    return joined(first, second) if joined is not None else None


def join(first: Value, second: Value) -> Value:
    """A value that is one or the other; what is unknown on one side stays out, the known side is kept."""
    if first is second:
        return first
    if type(first) is not Alternatives and type(second) is not Alternatives:
        single = _join_single(first, second)
        return single if single is not None else Alternatives((first, second))
    if first == second:
        return first
    merged = list(options(first))
    for value in options(second):
        for index, known in enumerate(merged):
            combined = _join_single(known, value)
            if combined is not None:
                merged[index] = combined
                break
        else:
            merged.append(value)
    if len(merged) == 1:
        return merged[0]
    if len(merged) > (MOST_CALLABLES if all(type(value) in _TO_CALL for value in merged) else MOST_OPTIONS):
        return _common(merged)
    return Alternatives(tuple(merged))


def _common(values: list[Value]) -> Value:
    """What is known of one of very many values: objects are at least of the class from which all of theirs derive."""
    records = [value.record for value in values if isinstance(value, Instance) and value.record is not None]
    if len(records) < len(values):
        return UNKNOWN
    shared = set.intersection(*(set(record.ancestors) for record in records))
    nearest = next((ancestor for ancestor in records[0].ancestors if ancestor in shared), None)
    return Instance(nearest.qualified_name, nearest) if nearest is not None else UNKNOWN


def join_all(values: Iterable[Value]) -> Value:
    """A value that is one of several; unknown for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result


def without(value: Value, kinds: type | tuple[type, ...]) -> Value:
    """The value after a test has ruled out some kinds."""
    left = [option for option in options(value) if not isinstance(option, kinds)]
    if not left:
        return UNKNOWN
    return left[0] if len(left) == 1 else Alternatives(tuple(left))


def only(value: Value, kinds: type | tuple[type, ...]) -> Value | None:
    """The value after a test has left only some kinds, None where none of it is of them."""
    left = [option for option in options(value) if isinstance(option, kinds)]
    if not left:
        return None
    return left[0] if len(left) == 1 else Alternatives(tuple(left))


def as_part(value: Value) -> Value:
    """The value as it is kept in a container or in the fields of an object.

    Values are compared, joined and looked through part by part. So what nests deeply, or has very many parts, is
    left out in there, and only the kind of value stays: ``x = [x, x]``, written sixty times, would have as many parts
    as a memory has bytes.
    """
    if _is_shallow(value):
        return value
    if isinstance(value, Instance):
        return replace(value, fields=())
    if isinstance(value, Sequence):
        return Sequence(value.kind)
    return Mapping() if isinstance(value, Mapping) else UNKNOWN


def _is_shallow(value: Value) -> bool:
    if not isinstance(value, (Sequence, Mapping, Instance, Alternatives)):
        return True
    return value.extent.height <= DEEPEST_NESTING + 1 and value.extent.parts <= MOST_PARTS


def _around(held: Iterable[Value], levels: int) -> Extent:
    """The extent of what holds these values, which adds so many levels to theirs."""
    height, parts = 0, 1
    for value in held:
        if isinstance(value, (Sequence, Mapping, Instance, Alternatives)):
            height = max(height, value.extent.height)
            parts += value.extent.parts
        else:
            parts += 1
    return Extent(levels + height, parts)


def with_origin(value: Value, origin: Origin) -> Value:
    """The value with a link of evidence on each tensor that it may be or hold."""
    if isinstance(value, Tensor):
        return Tensor(value.device, value.dtype, value.ndim, value.trust, value.pinned, origin, value.is_empty)
    if isinstance(value, Alternatives):
        return Alternatives(tuple(with_origin(option, origin) for option in value.options))
    if isinstance(value, Sequence):
        if value.items is not None:
            return replace(value, items=tuple(with_origin(item, origin) for item in value.items))
        first = tuple(with_origin(item, origin) for item in value.first)
        return replace(value, element=with_origin(value.element, origin), first=first)
    return value


def is_known(value: Value) -> bool:
    """Whether anything is known of the value."""
    return not isinstance(value, Unknown)


def truth(value: Value) -> bool | None:
    """Whether the value counts as true, where that is certain without running the code."""
    if isinstance(value, Nothing):
        return False
    if isinstance(value, (Scalar, Text)) and value.literal is not None:
        return bool(value.literal)
    if isinstance(value, (FunctionValue, ClassValue, ProjectModule, DTypeName)):
        return True
    return True if isinstance(value, Symbol) and _names_class(value.name) else None


def _names_class(name: str) -> bool:
    """Whether a qualified name is that of a class, by the way it is written."""
    last = name.rpartition(".")[2]
    return name == "numpy.ndarray" or (last[:1].isupper() and not last.isupper())


def coarse(value: Value, depth: int = 2) -> Value:
    """The value as a key for function summaries: literals of numbers and deep structure are left out."""
    if type(value) not in _COARSENED:
        return value
    if isinstance(value, Scalar):
        return value if value.kind == "bool" else Scalar(value.kind)
    if isinstance(value, Tensor):
        return replace(value, ndim=value.ndim if value.ndim == 0 else None) if value.ndim else value
    if isinstance(value, Sequence):
        if depth == 0:
            return Sequence(value.kind)
        if value.items is not None and len(value.items) <= 4:
            return Sequence(value.kind, tuple(coarse(item, depth - 1) for item in value.items))
        if value.items is None and len(value.first) <= 4:
            first = tuple(coarse(item, depth - 1) for item in value.first)
            return Sequence(value.kind, None, coarse(value.element, depth - 1), first)
        return Sequence(value.kind, None, coarse(value.any_item, depth - 1))
    if isinstance(value, Mapping):
        return Mapping((), coarse(value.any_item, depth - 1)) if depth else Mapping()
    if isinstance(value, Alternatives):
        return join_all([coarse(option, depth) for option in value.options])
    return value


def settled(value: Value, depth: int = DEEPEST_NESTING) -> Value:
    """The value as another function sees it: that it may be on the CPU on some path of the caller is left behind."""
    if type(value) not in _SETTLED:
        return value
    if isinstance(value, Tensor):
        return replace(value, device=Device.UNKNOWN) if value.device is Device.EITHER else value
    if isinstance(value, Alternatives):
        choices = tuple(settled(option, depth) for option in value.options)
        return Alternatives(choices) if _differ(choices, value.options) else value
    if isinstance(value, Sequence) and depth:
        if value.items is not None:
            items = tuple(settled(item, depth - 1) for item in value.items)
            return replace(value, items=items) if _differ(items, value.items) else value
        element, *first = (settled(item, depth - 1) for item in (value.element, *value.first))
        changed = _differ((element, *first), (value.element, *value.first))
        return replace(value, element=element, first=tuple(first)) if changed else value
    return value


def _differ(first: tuple[Value, ...], second: tuple[Value, ...]) -> bool:
    """Whether tuples of one length hold other objects: what is the same object stays so, and is known at once."""
    return any(map(is_not, first, second))
