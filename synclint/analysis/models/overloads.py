"""The overloads of torch's functions and methods: which one a call means, and how its arguments are bound."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from functools import cache
from typing import NamedTuple

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import (
    Nothing,
    Scalar,
    Sequence,
    Text,
    Unknown,
    Value,
)
from synclint.analysis.models.torch_results import Bound
from synclint.catalog.names import names_in
from synclint.catalog.torch_api import Overload, alternatives, load_torch_api


class _Taken(NamedTuple):
    """What a parameter of some kind takes, each by how badly it fits."""

    tensor: int
    nothing: int
    text: int
    scalar: int
    tensors: int
    others: int


@cache
def _taken(kind: str) -> _Taken:
    takes_any = kind == "any"
    takes_tensor = "Tensor" in kind and "Tensor" in alternatives(kind)
    takes_several = "Tensors" in kind or "[" in kind or takes_any
    takes_numbers = any(word in kind for word in ("size", "Size", "ints", "floats"))
    is_of_host = any(word in kind for word in ("int", "size", "number", "float", "bool"))
    return _Taken(
        tensor=0 if takes_tensor or takes_any else 1 if is_of_host else 3,
        nothing=0 if "?" in kind or takes_any or "None" in kind else 2,
        text=0 if "str" in kind or takes_any or kind == "device" else 3,
        scalar=0 if is_of_host or "any" in kind else 2 if takes_tensor else 3,
        tensors=0 if takes_several else 1 if takes_numbers else 3,
        others=0 if takes_numbers or takes_several else 3,
    )


def _accepts(kind: str, value: Value) -> int:
    """How badly a value fits a parameter's kind: 0 fits, 1 a tensor where only a host value goes, 3 impossible."""
    if kind in ("True", "False"):
        return 0 if isinstance(value, Scalar) and value.literal is (kind == "True") else 4
    if isinstance(value, Unknown):
        return 0
    taken = _taken(kind)
    if tensor_of(value) is not None:
        return taken.tensor
    if isinstance(value, Nothing):
        return taken.nothing
    if isinstance(value, Text):
        return taken.text
    if isinstance(value, Scalar):
        return taken.scalar
    if isinstance(value, Sequence):
        return taken.tensors if tensor_of(any_item(value)) is not None else taken.others
    return 0


def bind_overload(
    overload: Overload, positional: list[Value], keywords: dict[str, Value], starred: bool = False
) -> tuple[Bound, int] | None:
    """Bind arguments to an overload's parameters; None if they do not fit, else the binding and its badness.

    Where the call is ``starred`` any of the parameters may have been given, and one argument stands for any number.
    """
    bound: Bound = {}
    kinds: dict[str, str] = {}
    badness, index = 0, 0
    for parameter in overload.parameters:
        name = parameter.name
        if parameter.variadic:
            rest = positional[index:]
            if rest:
                # `zeros(2, 3)` may be written `zeros((2, 3))`, and `meshgrid(x, y)` as `meshgrid([x, y])`.
                is_one = len(rest) == 1 and isinstance(rest[0], Sequence)
                bound[name.lstrip("*")] = rest[0] if is_one else Sequence("tuple", tuple(rest))
            index = len(positional)
            continue
        if not parameter.keyword_only and index < len(positional):
            value = positional[index]
            if (
                parameter.kind in ("size", "ints", "Size")
                and not isinstance(value, Sequence)
                and len(positional) - index > 1
                and not any(p.name != name and not p.keyword_only for p in overload.parameters[index + 1 :])
            ):
                value = Sequence("tuple", tuple(positional[index:]))
                index = len(positional)
            else:
                index += 1
            bound[name], kinds[name] = value, parameter.kind
        elif name in keywords:
            bound[name], kinds[name] = keywords[name], parameter.kind
        elif parameter.default is None and not parameter.keyword_only and "?" not in parameter.kind and not starred:
            if name != "out":
                return None
    if (left := len(positional) - index) > (1 if starred else 0):
        return None
    badness += left  # what `*` has given, which may be nothing
    if len(keywords) and (extra := keywords.keys() - bound.keys()):
        badness += 4 * len(extra - {parameter.name for parameter in overload.parameters})
    for name, value in bound.items():
        if name in kinds:
            badness += _accepts(kinds[name], value)
    return bound, badness


def choose_overload(
    overloads: Iterable[Overload], positional: list[Value], keywords: dict[str, Value], starred: bool = False
) -> tuple[Overload, Bound] | None:
    """The overload that fits the arguments best, the first of equals."""
    best: tuple[int, Overload, Bound] | None = None
    for overload in overloads:
        fit = bind_overload(overload, positional, keywords, starred)
        if fit is not None and (best is None or fit[1] < best[0]):
            best = (fit[1], overload, fit[0])
            if fit[1] == 0:
                break
    return None if best is None else (best[1], best[2])


_ALIASES = {"axis": "dim", "keepdims": "keepdim"}


def could_be_method(name: str, positional: list[Value], keywords: MappingOf[str, Value]) -> bool:
    """Whether a call with these arguments could be one of a tensor's method.

    ``xp.isnan(x)`` is a function of a module, since a tensor's ``isnan`` takes nothing. Methods that work in place have
    older forms that the table does not hold, and no module has functions of such names.
    """
    overloads = load_torch_api().method(name)
    if not overloads or name.endswith("_"):
        return True
    named = {_ALIASES.get(key, key): value for key, value in keywords.items()}
    for overload in overloads:
        taken = {parameter.name for parameter in overload.parameters[: len(positional)]}
        fit = bind_overload(overload, positional, named) if taken.isdisjoint(named) else None
        if fit is not None and fit[1] == 0:
            return True
    return False


_TORCH_KEYWORDS = frozenset({"dim", "keepdim", "as_tuple"})


def implies_tensor(name: str, positional: list[Value], keywords: MappingOf[str, Value]) -> bool:
    """Whether nothing but a tensor has a method of this name that could be called so.

    Arrays have many of a tensor's methods but call their dimensions ``axis``; where they have names, they are texts.
    """
    api = load_torch_api()
    if name not in api.tensor_only and not _is_told_by_arguments(name, positional, keywords):
        options = [value for key, value in keywords.items() if key in _TORCH_KEYWORDS]
        if not options or not api.method(name) or any(_is_text(value) for value in options):
            return False
    return could_be_method(name, positional, keywords)


def _is_told_by_arguments(name: str, positional: list[Value], keywords: MappingOf[str, Value]) -> bool:
    """Whether a function of this name would be given a tensor: ``x.sigmoid()`` and ``x.softmax(-1)`` are methods."""
    if name in _GIVEN_NOTHING:
        return not positional and not keywords
    first = positional[0] if positional else keywords.get("dim")
    return name in _GIVEN_A_DIMENSION and isinstance(first, Scalar) and first.kind == "int"


_GIVEN_NOTHING = names_in("torch", "given-nothing")
_GIVEN_A_DIMENSION = names_in("torch", "given-a-dimension")


def _is_text(value: Value) -> bool:
    inner = any_item(value) if isinstance(value, Sequence) else value
    return isinstance(inner, Text)
