"""The abstract values that expressions stand for; ``lattice`` has their order, and how two of them join.

Every value is frozen and hashable, so that function summaries can be kept per arguments. Values that hold others
remember what is asked of them again and again, each from what their parts remember: a list that a thousand calls hand
on is gone through once.
``Origin`` is the exception: where a value comes from never decides whether two values are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import Enum, IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synclint.analysis.program import modules
from synclint.findings import Confidence
from synclint.frozen import dataclass, remembered

if TYPE_CHECKING:
    import ast


# The records of a program in whose scopes names stand for abstract values.
ModuleRecord = modules.ModuleRecord["Value"]
FunctionRecord = modules.FunctionRecord["Value"]
ClassRecord = modules.ClassRecord["Value"]


class Device(Enum):
    """Where a tensor's data lives.

    ``UNKNOWN`` is treated as the device, since that is the code people run; ``EITHER`` is on the CPU on
    some paths through the code and elsewhere on others. ``MODULE`` is where the module that holds the tensor was moved
    to: the device, unless its author brings the tensor to where something else is.
    """

    CPU = "cpu"
    MODULE = "module"
    DEVICE = "device"
    UNKNOWN = "unknown"
    EITHER = "either"

    __hash__ = object.__hash__  # that of an enumeration is a call, for each tensor that is looked up

    @property
    def in_use(self) -> Device:
        """Where the tensor is when it is computed with: what a module holds is on the device."""
        return Device.DEVICE if self is Device.MODULE else self


class DType(Enum):
    """The family of element types, as far as it decides about waiting."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__


_BEGINNING = "beginning of its chain"


@dataclass(frozen=True)
class Origin:
    """One link in the chain of reasons for a value: what was concluded, from which expression of which module.

    ``parameter`` is the name of the one whose function, the ``node``, alone has told what it is.
    """

    text: str
    module: ModuleRecord | None = None
    node: ast.AST | None = None
    parent: Origin | None = None
    parameter: str = ""

    def of_item(self, at: int) -> Origin:
        """The same of what stands at a place in a container."""
        if not self.parameter:
            return self
        return Origin(self.text, self.module, self.node, self.parent, f"{self.parameter}[{at}]")

    def chain(self) -> Iterator[Origin]:
        """The links from this one back to the first evidence."""
        link: Origin | None = self
        while link is not None:
            yield link
            link = link.parent

    def beginning(self) -> Origin | None:
        """The first evidence that has a place in the source.

        Each link on the way there remembers it: of a long chain of calls, each may be asked.
        """
        passed: list[Origin] = []
        link: Origin | None = self
        while link is not None and _BEGINNING not in vars(link):
            passed.append(link)
            link = link.parent
        found: Origin | None = vars(link)[_BEGINNING] if link is not None else None
        for each in reversed(passed):
            if found is None and each.module is not None and each.node is not None:
                found = each
            vars(each)[_BEGINNING] = found
        return found


@dataclass(frozen=True)
class Never:
    """No value at all: the bottom of the lattice, for what is never reached and what an empty container holds."""


class Breadth(IntEnum):
    """How much an unknown value stands for.

    ``TRUTH`` is what comparing something unknown gives: ``True``, ``False``, or one of these for each element.
    ``ONE`` is some value, beside which others are told apart. ``OBJECTS`` is any object, class, function or module
    that has a name, since there were too many of them. ``EVERYTHING`` is any value: the top of the lattice.
    """

    TRUTH = 0
    ONE = 1
    OBJECTS = 2
    EVERYTHING = 3


@dataclass(frozen=True)
class Unknown:
    """Nothing is known of it."""

    breadth: Breadth = Breadth.ONE


UNKNOWN = Unknown()
UNKNOWN_TRUTH = Unknown(Breadth.TRUTH)


@dataclass(frozen=True)
class Nothing:
    """``None``."""


class Pace(NamedTuple):
    """How a number or boolean changes from one round to the next of the loop that runs the code: see ``paces``.

    ``detail`` is the divisor of a remainder, or says in words when a boolean is true or false.
    """

    kind: str
    detail: str = ""


@dataclass(frozen=True)
class Scalar:
    """A Python number or boolean on the host; ``literal`` is its value where the source says so."""

    kind: str = "number"
    literal: int | float | complex | bool | None = None
    pace: Pace | None = None


@dataclass(frozen=True)
class Text:
    """A string or bytes.

    ``usual`` are the texts that it is one of, in their order, unless somebody says otherwise: a parameter may be given
    another one than its default.
    """

    literal: str | None = None
    usual: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether it may be any text, whichever it is as a rule."""
        return self.literal is None

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts that it is as a rule; none where that is not known."""
        return self.usual if self.literal is None else (self.literal,)


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
    element: Value = UNKNOWN
    first: tuple[Value, ...] = ()

    @property
    def known(self) -> tuple[Value, ...]:
        """The elements whose positions are known."""
        return self.first if self.items is None else self.items

    @remembered
    def extent(self) -> Extent:
        """How large it is."""
        return _around((*self.first, self.element) if self.items is None else self.items, 1)


@dataclass(frozen=True)
class Mapping:
    """A dictionary: ``entries`` are its literal keys, ``element`` is what stands under any other key.

    ``element`` is ``Never`` where there are no others. The keys are in alphabetical order, and one under which stands
    what stands under any is left out, so that equal dictionaries are equal however they were made.
    """

    entries: tuple[tuple[str, Value], ...] = ()
    element: Value = UNKNOWN

    def __post_init__(self) -> None:
        """Bring the entries into their canonical form."""
        if self.entries:
            distinct = [entry for entry in self.entries if entry[1] != self.element]
            object.__setattr__(self, "entries", tuple(sorted(distinct, key=itemgetter(0))))

    @remembered
    def by_key(self) -> dict[str, Value]:
        """The entries, to look them up."""
        return dict(self.entries)

    def get(self, key: str) -> Value:
        """The value under a literal key, else what any value may be."""
        found = self.by_key.get(key, self.element)
        # Others may have put into it what nobody saw.
        return UNKNOWN if isinstance(found, Never) else found

    @remembered
    def extent(self) -> Extent:
        """How large it is."""
        return _around([self.element, *(value for _, value in self.entries)], 1)


@dataclass(frozen=True)
class DeviceName:
    """A ``torch.device`` or what a call turns into one. What ``is_named`` so, and no more, may as well be its text."""

    device: Device = Device.UNKNOWN
    is_named: bool = False


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

    @remembered
    def extent(self) -> Extent:
        """How large it is; what a method is bound to is no nesting."""
        return _around(() if self.receiver is None else (self.receiver,), 0)


@dataclass(frozen=True)
class ClassValue:
    """A class of the project."""

    record: ClassRecord


@dataclass(frozen=True)
class Instance:
    """An object of a class of the project, or of the outside class ``name``.

    ``fields`` are what its constructor was given, where that is known. An object of one of so many classes that they
    are not told apart has ``shared``: the classes of the project from which all of those derive, of which ``record`` is
    the nearest one. ``made`` is the call that made it, for loaders and optimizers.
    """

    name: str
    record: ClassRecord | None = None
    fields: tuple[tuple[str, Value], ...] = ()
    shared: tuple[ClassRecord, ...] = ()
    made: Origin | None = field(default=None, compare=False)

    def given(self, key: str) -> Value | None:
        """The constructor's argument ``key``, if it was given."""
        for name, value in self.fields:
            if name == key:
                return value
        return None

    def is_of(self, kind: str) -> bool:
        """Whether it is of the outside class ``kind``, or of a class of the project that derives from that."""
        ancestors = self.record.ancestors if self.record is not None else ()
        return self.name == kind or any(base == kind for ancestor in ancestors for base in ancestor.bases)

    @remembered
    def extent(self) -> Extent:
        """How large it is."""
        return _around([value for _, value in self.fields], 1)


@dataclass(frozen=True)
class BoundMethod:
    """A method taken from a value: ``receiver.name`` before the call."""

    receiver: Value
    name: str

    @remembered
    def extent(self) -> Extent:
        """How large it is; what a method is taken from is no nesting."""
        return _around((self.receiver,), 0)


@dataclass(frozen=True)
class Alternatives:
    """One of several values: made by ``lattice.join`` alone, which keeps them few and in one order."""

    options: tuple[Value, ...]

    @remembered
    def extent(self) -> Extent:
        """How large it is; to be one of several values is no nesting."""
        return _around(self.options, 0)


Value: TypeAlias = (
    Never
    | Unknown
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

# The kinds that hold values, and those that hold none: most are, and to ask for them first spares them the others.
HOLDING = (Sequence, Mapping, Instance, FunctionValue, BoundMethod, Alternatives)
PLAIN: frozenset[type] = frozenset(
    {
        Never, Unknown, Nothing, Scalar, Text, Tensor, Array, DeviceName, DTypeName, Symbol, ProjectModule, ClassValue,
    }
)  # fmt: skip

NEVER = Never()
ANY_OBJECT = Unknown(Breadth.OBJECTS)
ANYTHING = Unknown(Breadth.EVERYTHING)
NOTHING = Nothing()
NUMBER = Scalar()
INTEGER = Scalar("int")
FLOAT = Scalar("float")
BOOLEAN = Scalar("bool")
STRING = Text()

DEEPEST_NESTING = 3
LONGEST_SEQUENCE = 32
LONGEST_TEXT = 64
MOST_PARTS = 1000


def options(value: Value) -> tuple[Value, ...]:
    """The kinds of value this one may be."""
    return value.options if type(value) is Alternatives else (value,)


def is_known(value: Value) -> bool:
    """Whether anything is known of the value."""
    return type(value) is not Unknown


def is_of_unknown(value: Value) -> bool:
    """Whether a value is an attribute, or a method, of something of which nothing is known."""
    while isinstance(value, BoundMethod):
        value = value.receiver
        if isinstance(value, Unknown):
            return True
    return False


def _around(held: Iterable[Value], levels: int) -> Extent:
    """The extent of what holds these values, which adds so many levels to theirs."""
    height, parts = 0, 1
    for value in held:
        if type(value) not in PLAIN and isinstance(value, HOLDING):
            height = max(height, value.extent.height)
            parts += value.extent.parts
        else:
            parts += 1
    return Extent(levels + height, parts)
