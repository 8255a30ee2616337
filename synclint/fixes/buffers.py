"""Constants that a module sends to the device in every call: kept as buffers, which move with the module once.

Buffers of this kind are not part of the state dict (``persistent=False``), so that checkpoints stay as they are.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from synclint.findings import Edit, Fix
from synclint.fixes.place import NoFixError, Place

_REGISTERS = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
_MAKERS = frozenset({"torch.tensor", "torch.as_tensor", "torch.asarray"})


@dataclass(frozen=True)
class _Held:
    """What a module keeps: where it is used, the class, and the one assignment in ``__init__`` that gives it."""

    node: ast.Attribute
    owner: ast.ClassDef
    assignment: ast.Assign

    @property
    def attribute(self) -> str:
        """Its name."""
        return self.node.attr


def kept_as_buffer(place: Place) -> Fix | None:
    """``torch.tensor(self.mean, device=x.device)``, ``x[:, self.order]`` and ``self.anchors.to(x.device)``."""
    if place.finding.context.captured is not None:
        return None
    return _registered_tensor(place) or _made_of_data(place) or _positions(place)


def _registered_tensor(place: Place) -> Fix | None:
    """``self.anchors = torch.tensor(…)``, copied in every call, as a buffer of that name: then it is there already."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr not in ("to", "cuda"):
        return None
    held = _held(place, call.func.value)
    if held is None or not place.fact(held.node).is_tensor:
        return None
    made = held.assignment.value
    if isinstance(made, ast.Call) and place.qualified(made.func) == "torch.nn.Parameter":
        return None
    value = place.text(made)
    registered = f'self.register_buffer("{held.attribute}", {value}, persistent=False)'
    return place.fix(
        f"Register `{held.attribute}` as a buffer",
        place.rewritten(held.assignment, registered),
        caveat=f"the buffer `{held.attribute}` moves with the module, and changes its type with calls such as `half()`",
    )


def _made_of_data(place: Place) -> Fix | None:
    """``torch.tensor(self.mean, device=…)`` and ``x.new_tensor(self.mean)``."""
    call = place.node
    if not isinstance(call, ast.Call) or not call.args or isinstance(call.args[0], ast.Starred):
        return None
    words = {word.arg: word.value for word in call.keywords}
    held = _held(place, call.args[0])
    if held is None or words.keys() - {"device", "dtype"} or len(call.args) > 1:
        return None
    dtype = words.get("dtype")
    if isinstance(call.func, ast.Attribute) and call.func.attr == "new_tensor" and not words:
        typed, kind = "", f"{place.text(call.func.value)}.dtype"
    elif place.qualified(call.func) in _MAKERS and "device" in words:
        # A type that is not a constant is that of this call.
        is_fixed = dtype is None or place.qualified(dtype).startswith("torch.")
        typed = f", dtype={place.text(dtype)}" if dtype is not None and is_fixed else ""
        kind = "" if dtype is None or is_fixed else place.text(dtype)
    else:
        return None
    if "\n" in kind:
        raise NoFixError
    converted = f".to({kind})" if kind else ""
    return _with_buffer(place, held, typed, lambda name: place.replaced(call, f"self.{name}{converted}"))


def _positions(place: Place) -> Fix | None:
    """``x[:, self.order]`` with a list, an array, or a tensor on the CPU."""
    node = place.node
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found = next((part for part in parts if not place.fact(part).is_number and _held(place, part)), None)
    held = _held(place, found) if found is not None else None
    if found is None or held is None:
        return None
    return _with_buffer(place, held, "", lambda name: place.replaced(found, f"self.{name}"))


def _with_buffer(place: Place, held: _Held, typed: str, use: Callable[[str], Edit]) -> Fix | None:
    """The fix that registers a buffer beside what it is made of, and uses it."""
    name = f"{held.attribute}_tensor"
    edits: list[Edit] = []
    if name not in _registered(held.owner):
        if name in _mentioned(held.owner):
            return None
        data = f"self.{held.attribute}"
        made = f"{place.name('torch.as_tensor')}({data}{typed})"
        if _may_be_none(place, held):
            made = f"None if {data} is None else {made}"
        line = f'self.register_buffer("{name}", {made}, persistent=False)'
        edits.append(place.inserted_after(held.assignment, line))
    edits.append(use(name))
    caveat = f"the buffer `{name}` is where the module is, and ignores later assignments to `{held.attribute}`"
    return place.fix(f"Keep `{held.attribute}` on the device as a buffer", *edits, caveat=caveat)


def _held(place: Place, node: ast.expr) -> _Held | None:
    """What ``self.name`` stands for, where a module gives it once, in ``__init__``, and this is another method."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != "self":
        return None
    owner = next((around for around in place.file.ancestors(node) if isinstance(around, ast.ClassDef)), None)
    if owner is None or getattr(place.function, "name", "__init__") == "__init__":
        return None
    assignment = place.file.once(("kept", id(owner)), lambda: _kept(place, owner)).get(node.attr)
    return _Held(node, owner, assignment) if assignment is not None else None


def _kept(place: Place, owner: ast.ClassDef) -> dict[str, ast.Assign]:
    """What a module gives attributes of ``self`` once, in ``__init__``, after that of its base."""
    init = next((f for f in owner.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
    if init is None or not _is_module(place, owner, init):
        return {}
    given = Counter(one.attr for one in _attributes(owner) if not isinstance(one.ctx, ast.Load))
    found: dict[str, ast.Assign] = {}
    is_ready = False
    for statement in init.body:
        is_ready = is_ready or _calls_super(statement)
        match statement:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)]) if is_ready and given[name] == 1:
                found[name] = statement
    return found


@lru_cache(maxsize=64)
def _attributes(owner: ast.ClassDef) -> tuple[ast.Attribute, ...]:
    """The attributes of ``self`` that a class mentions."""
    found = (node for node in ast.walk(owner) if isinstance(node, ast.Attribute))
    return tuple(node for node in found if isinstance(node.value, ast.Name) and node.value.id == "self")


def _calls_super(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"


def _is_module(place: Place, owner: ast.ClassDef, init: ast.FunctionDef) -> bool:
    """Whether a class is a module: by its base, by what it registers, or by the layers that it holds."""
    if any(place.qualified(base).startswith("torch.nn.") for base in owner.bases):
        return True
    if any(node.attr in _REGISTERS for node in _attributes(owner)):
        return True
    return any(
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Call)
        and place.qualified(statement.value.func).startswith("torch.nn.")
        for statement in init.body
    )


@lru_cache(maxsize=64)
def _mentioned(owner: ast.ClassDef) -> frozenset[str]:
    return frozenset(node.attr for node in _attributes(owner))


@lru_cache(maxsize=64)
def _registered(owner: ast.ClassDef) -> frozenset[object]:
    """The names of the buffers that a class registers."""
    names: set[object] = set()
    for node in ast.walk(owner):
        match node:
            case ast.Call(ast.Attribute(attr="register_buffer"), [ast.Constant(name), *_]):
                names.add(name)
    return frozenset(names)


@lru_cache(maxsize=64)
def _compared_with_none(owner: ast.ClassDef) -> frozenset[str]:
    """The attributes of which a class asks whether they are None."""
    names: set[str] = set()
    for node in ast.walk(owner):
        match node:
            case ast.Compare(ast.Attribute(attr=name), comparators=[ast.Constant(None), *_]):
                names.add(name)
    return frozenset(names)


def _may_be_none(place: Place, held: _Held) -> bool:
    """Whether an attribute may be None, or is asked whether it is."""
    return "none" in place.fact(held.node).kinds or held.attribute in _compared_with_none(held.owner)
