"""Tensors that are computed on the CPU from nothing but numbers, and copied to the device: made there instead."""

from __future__ import annotations

import ast

from synclint.analysis.results.expression_facts import Fact
from synclint.findings import Fix
from synclint.fixes.devices import is_device, is_evident_device, is_plain
from synclint.fixes.host_data import number_made_there
from synclint.fixes.numbers import WHOLE_TYPES, is_python_integer
from synclint.fixes.place import NoFixError, Place

# What these write is the same on every device.
_EXACT = frozenset({"zeros", "ones", "full", "eye", "tril_indices", "triu_indices"})
_ROUNDED = frozenset({"linspace", "logspace", "hann_window", "hamming_window"})
_RANDOM = frozenset({"rand", "randn", "randint", "randperm"})
# Methods without arithmetic on fractions; a copy to the device undoes what `expand` shares.
_EXACT_METHODS = frozenset(
    {"triu", "tril", "view", "reshape", "unsqueeze", "squeeze", "flatten", "flip", "t", "repeat", "transpose",
     "permute", "long", "int", "bool", "float", "double", "half", "bfloat16", "contiguous", "roll"}
)  # fmt: skip
# A number that does not fit becomes another one on the device than on the CPU.
_TO_INTEGERS = frozenset({"long", "int", "bool"})
_NO_NUMBERS = frozenset({"tensor", "array", "unknown"})
_ROUNDED_METHODS = frozenset({"exp", "log", "sin", "cos", "sqrt", "pow", "add", "sub", "mul", "div", "reciprocal"})
_ROUNDED_FUNCTIONS = frozenset(f"torch.{name}" for name in _ROUNDED_METHODS)
_LAST_BITS = "the device can round the last bits differently"
_OTHER_NUMBERS = "the device's generator draws different numbers from the same seed"
_ANOTHER_CLASS = "beside a tensor of another class, what is made is no longer of that class"
_NO_DEVICE = "it fails where the device is a tensor or a type"
_DEEPEST = 12


def made_there(place: Place) -> Fix | None:
    """Give ``torch.zeros(n).to(device)`` the device, and leave out the copy."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    words = _target(place, call)
    if words is None:
        return None
    target = call.args[0] if call.args else next((word.value for word in call.keywords), None)
    found = _creation(place, call.func.value, _DEEPEST)
    if found is None:
        is_known = target is None or is_evident_device(place, target)
        caveats = [] if is_known else [_NO_DEVICE]
        return number_made_there(place, call, words["device"], caveats) if words.keys() == {"device"} else None
    creation, caveats = found
    if target is not None and place.fact(target).is_tensor:
        caveats = [*caveats, _ANOTHER_CLASS]
    elif target is not None and not is_evident_device(place, target):
        caveats = [*caveats, _NO_DEVICE]
    if creation is not call.func.value:
        # What is done to it between would be done with another type, and after the device is asked for.
        if "dtype" in words or (target is not None and not is_plain(target)):
            return None
    given = {word.arg for word in creation.keywords}
    if given & {"device", "out", "requires_grad", "pin_memory", "generator", "layout", None}:
        return None
    if "dtype" in words and ("dtype" in given or not _is_exact(place, creation)):
        return None
    inner = place.concrete(creation)
    whole = place.concrete(call.func.value)
    return place.fix(
        "Make it on the device",
        place.replaced(call, _with_words(place, call.func.value, creation, inner, whole, words)),
        caveat="; ".join(dict.fromkeys(caveats)),
    )


def _with_words(
    place: Place, source: ast.expr, creation: ast.Call, inner: object, whole: object, words: dict[str, str]
) -> str:
    import libcst as cst

    from synclint.fixes.concrete import NotFoundError, with_argument

    assert isinstance(inner, cst.Call)
    assert isinstance(whole, cst.BaseExpression)
    made = inner
    try:
        for name, value in words.items():
            made = with_argument(made, name, value)
    except NotFoundError:
        raise NoFixError from None
    changed = made if whole is inner else whole.deep_replace(inner, made)
    assert isinstance(changed, cst.CSTNode)
    return place.code(source, changed)


def _target(place: Place, call: ast.Call) -> dict[str, str] | None:
    """The arguments that a creation needs to do what this call does: a device, and perhaps a type."""
    assert isinstance(call.func, ast.Attribute)
    method = call.func.attr
    words = {word.arg: word.value for word in call.keywords if word.arg is not None}
    if len(words) != len(call.keywords) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    if method == "cuda":
        if len(call.args) + len(words) > 1 or words.keys() - {"device", "non_blocking"}:
            return None
        return {"device": place.text(call.args[0]) if call.args else '"cuda"'}
    if method not in ("to", "type_as") or words.keys() - {"device", "dtype", "non_blocking", "other"}:
        return None
    first = call.args[0] if call.args else words.get("device", words.get("other"))
    if first is None or not _may_move(first) or len(call.args) > 2:
        return None
    if place.fact(first).is_tensor:
        if len(call.args) + len(words.keys() - {"non_blocking"}) != 1 or not is_plain(first):
            return None
        text = place.text(first)
        return {"dtype": f"{text}.dtype", "device": f"{text}.device"}
    if method == "type_as" or not is_device(place, first):
        return None
    dtype = call.args[1] if len(call.args) > 1 else words.get("dtype")
    found = {"dtype": place.text(dtype)} if dtype is not None else {}
    return {**found, "device": place.text(first)}


def _may_move(node: ast.expr) -> bool:
    """Whether an expression can be evaluated a little earlier: plain ones, and calls without arguments."""
    if isinstance(node, ast.Call):
        return not node.args and not node.keywords and is_plain(node.func)
    return is_plain(node)


def _creation(place: Place, node: ast.expr, depth: int) -> tuple[ast.Call, list[str]] | None:
    """The only tensor that is made in an expression, and what can differ if it is made on the device."""
    if not depth:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert)):
        return _creation(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp):
        return _rounded(place, [node.left, node.right], depth)
    if not isinstance(node, ast.Call):
        return None
    name = place.qualified(node.func)
    if name.startswith("torch."):
        kind = name.removeprefix("torch.")
        if kind in _EXACT or (kind == "arange" and _has_integers(place, node)):
            return node, [] if all(place.fact(one).kinds.isdisjoint(_NO_NUMBERS) for one in node.args) else [_LAST_BITS]
        if kind == "arange" or kind in _ROUNDED:
            return node, [_LAST_BITS]
        if kind in _RANDOM:
            return node, [_OTHER_NUMBERS]
        return _rounded(place, [*node.args], depth) if name in _ROUNDED_FUNCTIONS and not node.keywords else None
    if not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr in _EXACT_METHODS and all(map(_is_host, (place.fact(a) for a in node.args))):
        found = _creation(place, node.func.value, depth - 1)
        if found is not None and node.func.attr in _TO_INTEGERS and not _is_small(place, found[0]):
            found[1].append(_LAST_BITS)
        return found
    if node.func.attr in _ROUNDED_METHODS and not node.keywords:
        return _rounded(place, [node.func.value, *node.args], depth)
    return None


def _rounded(place: Place, parts: list[ast.expr], depth: int) -> tuple[ast.Call, list[str]] | None:
    """The same for arithmetic, in which everything else has to be a number of the host."""
    found: list[tuple[ast.Call, list[str]]] = []
    for part in parts:
        made = _creation(place, part, depth - 1)
        if made is not None:
            found.append(made)
        elif place.fact(part).kinds & {"tensor", "array", "sequence"}:
            return None
    if len(found) != 1:
        return None
    creation, caveats = found[0]
    return creation, [*caveats, _LAST_BITS]


def _is_host(fact: Fact) -> bool:
    return not fact.kinds & {"tensor", "array"}


def _has_integers(place: Place, call: ast.Call) -> bool:
    words = {word.arg: word.value for word in call.keywords}
    dtype = words.pop("dtype", None)
    numbers = [*call.args, *(words[name] for name in ("start", "end", "step") if name in words)]
    is_whole = dtype is None or place.qualified(dtype) in WHOLE_TYPES
    if len(numbers) == 1 and dtype is None:
        return place.fact(numbers[0]).is_integer  # 0, 1, 2, … also where the end is a fraction
    return is_whole and bool(numbers) and all(is_python_integer(place, number) for number in numbers)


def _is_small(place: Place, call: ast.Call) -> bool:
    """Whether what a call makes fits into each type of integers."""
    return place.qualified(call.func) in ("torch.zeros", "torch.ones", "torch.eye", "torch.arange")


def _is_exact(place: Place, call: ast.Call) -> bool:
    """Whether what a function writes is exact in every type, and every type is one that it knows.

    ``torch.eye`` knows neither unsigned integers of more than 8 bits nor complex32.
    """
    return place.qualified(call.func) in ("torch.zeros", "torch.ones")
