"""What PyTorch's public functions, `Tensor` methods, properties and classes take and return.

The table, `torch_api.json`, is written by `scripts/generate_torch_api.py` from the stubs, annotations and
operator schemas of an installed torch; linting reads the table and never imports torch.

Every parameter, result and attribute has a **kind**, a short text:

- `Tensor`, `int`, `float`, `bool`, `str`, `number` (a Python int, float, bool or complex: `Scalar` to
  PyTorch), `None`, `dtype`, `device` (of a parameter: its name or index, too), `layout`, `generator`, `Size`,
  `array` (of NumPy), `any` (nothing is known);
- `self`: of a method's result, whatever the receiver is (`module.to(device)` is a module of the same class);
- `True` and `False`: a parameter that selects its overload by that literal (`return_inverse=True`);
- `size` (of ints), `floats`, `numbers`, `bools`, `strs`, `devices`, `Tensors`: of parameters only, sequences
  of such elements;
- `tuple[Tensor,int]`, `tuple[Tensor,...]`, `list[Tensor]`, `dict[str,Tensor]`, `iterator[Tensor]`;
- the public name of a class of the table, `torch.cuda.Stream`: an instance of it;
- `Tensor|number`: one or the other; `Tensor?` is `Tensor|None`.

A parameter that accepts a `Tensor` takes one without reading it; one that accepts only `number`, `int`,
`float`, `bool` or `size` makes the host read a tensor passed to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("torch_api.json")


@dataclass(frozen=True)
class Parameter:
    """One parameter of an overload.

    `default` is the default's source text, None for a required parameter. A `variadic` parameter takes any
    number of arguments: by position, or where it is also `keyword_only` any further keywords (`**kwargs`).
    """

    name: str
    kind: str
    default: str | None = None
    keyword_only: bool = False
    variadic: bool = False


@dataclass(frozen=True)
class Overload:
    """One way to call a function; of a method, the receiver is left out of `parameters`."""

    parameters: tuple[Parameter, ...]
    returns: str


@dataclass(frozen=True)
class TorchClass:
    """A public class: `bases` are its public ancestors in method resolution order.

    `methods` and `attributes` hold what the class itself (or a private base of it) defines; `TorchApi` also
    finds what it inherits.
    """

    name: str
    bases: tuple[str, ...]
    constructor: tuple[Overload, ...]
    methods: Mapping[str, tuple[Overload, ...]]
    attributes: Mapping[str, str]


@cache
def alternatives(kind: str) -> tuple[str, ...]:
    """What a kind may be: `("Tensor", "None")` for `Tensor?`, `("int", "size")` for `int|size`."""
    found: list[str] = []
    for part in _split(kind, "|"):
        found += [part[:-1], "None"] if part.endswith("?") else [part]
    return tuple(found)


@cache
def items(kind: str) -> tuple[str, ...]:
    """The kinds within the brackets: `("Tensor", "int")` for `tuple[Tensor,int]`, `()` without brackets.

    Of a tuple of any length, `tuple[Tensor,...]`, the last is `...`.
    """
    start = kind.find("[")
    return tuple(_split(kind[start + 1 : -1], ",")) if start >= 0 and kind.endswith("]") else ()


def _split(text: str, separator: str) -> Iterator[str]:
    depth = start = 0
    for position, character in enumerate(text):
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif character == separator and not depth:
            yield text[start:position]
            start = position + 1
    yield text[start:]


class TorchApi:
    """The table, read once; an entry is turned into objects when it is first asked for."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """Take the parsed table as `scripts/generate_torch_api.py` writes it."""
        self._table = table
        self._aliases: dict[str, str] = table["aliases"]
        self._namespaces: dict[str, list[str]] = table["namespaces"]
        self._functions: dict[str, tuple[Overload, ...]] = {}
        self._methods: dict[str, tuple[Overload, ...]] = {}
        self._classes: dict[str, TorchClass] = {}
        self._class_methods: dict[tuple[str, str], tuple[Overload, ...]] = {}
        self.version: str = table["torch"]
        """The version of torch that the table describes."""
        self.numpy_shared: frozenset[str] = frozenset(table["numpy_shared"])
        """Methods and properties of tensors that `numpy.ndarray` has as well."""
        self.tensor_only: frozenset[str] = frozenset(table["tensor_only"])
        """Methods and properties that distinguish a tensor from arrays, data frames and Python's own types."""

    @cached_property
    def class_members(self) -> frozenset[str]:
        """The names of all methods and attributes of classes."""
        return frozenset(
            member for row in self._table["classes"].values() for member in (*row["methods"], *row["attributes"])
        )

    def function(self, name: str) -> tuple[Overload, ...]:
        """The overloads of a public function by any of its names; empty if it is not known."""
        name = self.canonical(name)
        if name not in self._functions:
            self._functions[name] = _overloads(self._table["functions"].get(name, ()))
        return self._functions[name]

    def method(self, name: str) -> tuple[Overload, ...]:
        """The overloads of a method of `Tensor`, special ones included; empty if there is none."""
        if name not in self._methods:
            self._methods[name] = _overloads(self._table["methods"].get(name, ()))
        return self._methods[name]

    def property(self, name: str) -> str | None:
        """The kind of a property of `Tensor`, None if there is none of that name."""
        kind: str | None = self._table["properties"].get(name)
        return kind

    def class_(self, name: str) -> TorchClass | None:
        """A public class by any of its names, None if it is not known."""
        name = self.canonical(name)
        if name not in self._classes:
            row = self._table["classes"].get(name)
            if row is None:
                return None
            self._classes[name] = TorchClass(
                name,
                tuple(row["bases"]),
                _overloads(row["init"]),
                {method: _overloads(overloads) for method, overloads in row["methods"].items()},
                row["attributes"],
            )
        return self._classes[name]

    def class_method(self, name: str, method: str) -> tuple[Overload, ...]:
        """The overloads of a method of a class, inherited ones included; empty if there is none."""
        known = self._class_methods.get((name, method))
        if known is None:
            known = self._class_methods[name, method] = self._overloads_of(name, method)
        return known

    def _overloads_of(self, name: str, method: str) -> tuple[Overload, ...]:
        for owner in self._resolution_order(name):
            if owner.name == "torch.Tensor":
                return self.method(method)
            if method in owner.methods:
                return owner.methods[method]
        return ()

    def class_attribute(self, name: str, attribute: str) -> str | None:
        """The kind of an attribute or property of a class's instances, inherited ones included."""
        for owner in self._resolution_order(name):
            if owner.name == "torch.Tensor":
                return self.property(attribute)
            if attribute in owner.attributes:
                return owner.attributes[attribute]
        return None

    def knows(self, name: str) -> bool:
        """Whether a name is that of a function, class or module of the table, or leads to one."""
        return name in self._modules or any(name in self._table[each] for each in ("functions", "classes", "aliases"))

    @cached_property
    def _modules(self) -> frozenset[str]:
        names = (*self._table["functions"], *self._table["classes"])
        return frozenset({name.rpartition(".")[0] for name in names} - {*self._table["classes"]})

    def canonical(self, name: str) -> str:
        """The public name of what `name` is: `torch.nn.Linear` for `torch.nn.modules.linear.Linear`.

        An operator has that of the function, whether it is called by its name in `torch._C` or in `torch.ops.aten`.
        """
        if name in self._aliases:
            return self._aliases[name]
        return self._public(name) if name.startswith(("torch._", "torch.ops.aten.")) else name

    def _public(self, name: str) -> str:
        """The public name of an operator by where torch keeps it; `name` itself where there is none."""
        functions = self._table["functions"]
        if name in functions:
            return name
        for namespace, places in self._namespaces.items():
            if name.startswith(namespace):
                operator = name.removeprefix(namespace)
                if namespace.startswith("torch.ops."):
                    operator = operator.partition(".")[0]  # behind it stands the name of an overload
                for public in (f"{place}{operator}" for place in places):
                    public = self._aliases.get(public, public)
                    if public in functions:
                        return public
        return name

    def function_names(self) -> Iterator[str]:
        """The names of all functions of the table."""
        return iter(self._table["functions"])

    def method_names(self) -> Iterator[str]:
        """The names of all methods of `Tensor`."""
        return iter(self._table["methods"])

    def property_names(self) -> Iterator[str]:
        """The names of all properties of `Tensor`."""
        return iter(self._table["properties"])

    def class_names(self) -> Iterator[str]:
        """The names of all classes of the table."""
        return iter(self._table["classes"])

    def alias_names(self) -> Iterator[str]:
        """The names that lead to another name of the table."""
        return iter(self._table["aliases"])

    def _resolution_order(self, name: str) -> Iterator[TorchClass]:
        first = self.class_(name)
        if first is not None:
            yield first
            for base in first.bases:
                owner = self.class_(base)
                if owner is not None:
                    yield owner


def _overloads(rows: Sequence[Sequence[Any]]) -> tuple[Overload, ...]:
    return tuple(Overload(tuple(_parameters(parameters)), returns) for parameters, returns in rows)


def _parameters(rows: Sequence[Any]) -> Iterator[Parameter]:
    keyword_only = False
    for row in rows:
        if row == "*":
            keyword_only = True
            continue
        name: str = row[0]
        plain = name.lstrip("*")
        stars = len(name) - len(plain)
        default = row[2] if len(row) > 2 else None
        yield Parameter(plain, row[1], default, keyword_only or stars == 2, stars > 0)
        keyword_only = keyword_only or stars == 1


@cache
def load_torch_api() -> TorchApi:
    """The table that ships with synclint."""
    return TorchApi(json.loads(TABLE.read_bytes()))
