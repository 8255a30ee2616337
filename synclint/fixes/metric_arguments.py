"""Metrics that check or make something in every update: told not to, where they are made, or given a device tensor."""

from __future__ import annotations

import ast

from synclint.analysis.models.versions import NEWEST, release
from synclint.analysis.syntax.bindings import bound_by
from synclint.findings import Fix
from synclint.fixes.blocks import reaching_value
from synclint.fixes.devices import is_plain
from synclint.fixes.evidence import is_proved_tensor
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place

_LIBRARY = "torchmetrics"
# The first release that knows `nan_strategy="disable"`, and the last in which `MeanMetric` then ignores weights.
_DISABLES_SINCE, _IGNORES_WEIGHTS_UNTIL = (1, 7), (1, 9)
_MOVES = frozenset({"to", "cuda", "cpu"})
_WEIGHTED = frozenset({"MeanMetric", "RunningMean"})
_NAN_STAYS = "the metric no longer checks for NaN, which then stays in the result"
_UNCHECKED = "invalid inputs are no longer reported, and lead to a wrong result or a device error"
_HAS_TO_BE_A_TENSOR = "what the metric is updated with has to be a tensor"


def weighted_on_the_device(place: Place) -> Fix | None:
    """``mean.update(loss)`` as ``mean.update(loss, weight=torch.ones_like(loss))``, which needs no copy."""
    call = place.node
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or not is_plain(call.args[0]):
        return None
    value = call.args[0]
    if not place.fact(value).is_tensor:
        return None
    ones = f"{place.name('torch.ones_like')}({place.text(value)})"
    caveat = "" if is_proved_tensor(place, value) else _HAS_TO_BE_A_TENSOR
    return place.fix("Pass a weight on the device", place.with_argument(call, "weight", ones), caveat=caveat)


def without_nan_check(place: Place) -> Fix | None:
    """Make an aggregator with ``nan_strategy="disable"``, in a release that has it and keeps the result then."""
    making, receiver = _made(place)
    if making is None or receiver is None or _release(place) < _DISABLES_SINCE or making.args:
        return None
    if {word.arg for word in making.keywords} & {"nan_strategy", None}:
        return None  # somebody has decided what becomes of NaN
    kind = place.qualified(making.func).rpartition(".")[2]
    ignores_weights = kind in _WEIGHTED and _release(place)[:2] <= _IGNORES_WEIGHTS_UNTIL
    if ignores_weights and _is_weighted(place, receiver):
        return None
    edit = place.with_argument(making, "nan_strategy", '"disable"')
    return place.fix('Make the metric with `nan_strategy="disable"`', edit, caveat=_NAN_STAYS)


def without_validation(place: Place) -> Fix | None:
    """Make a metric with ``validate_args=False``."""
    making, _ = _made(place)
    if making is None or {word.arg for word in making.keywords} & {"validate_args", None}:
        return None
    edit = place.with_argument(making, "validate_args", "False")
    return place.fix("Make the metric with `validate_args=False`", edit, caveat=_UNCHECKED)


def _release(place: Place) -> tuple[int, ...]:
    """The release of the library that the project uses: the newest where none is named."""
    return release(place.libraries.get(_LIBRARY, NEWEST[_LIBRARY]))


def _made(place: Place) -> tuple[ast.Call | None, ast.expr | None]:
    """The call in this file that made the metric that is updated, and the metric as it is written there."""
    call = place.node
    if not isinstance(call, ast.Call):
        return None, None
    receiver = call.func
    if isinstance(receiver, ast.Attribute) and receiver.attr in ("update", "forward"):
        receiver = receiver.value
    made = _value_of(place, receiver)
    for _ in range(4):  # `.to(device)` and the like
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _MOVES:
            made = made.func.value
            if isinstance(made, ast.Name):
                made = _value_of(place, made)
    is_metric = isinstance(made, ast.Call) and place.qualified(made.func).startswith(f"{_LIBRARY}.")
    return (made if isinstance(made, ast.Call) and is_metric else None), receiver


def _value_of(place: Place, node: ast.expr) -> ast.expr | None:
    """What a name, an attribute of ``self``, or an element of a dictionary was given, where that is told once."""
    if isinstance(node, ast.Name):
        found = only_value(place, node) or reaching_value(place.file, node)
        return found if found is not None else _at_the_top(place, node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        held = _value_of(place, node.value)
        pairs = zip(held.keys, held.values, strict=True) if isinstance(held, ast.Dict) else ()
        values = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == node.slice.value]
        return values[0] if len(values) == 1 else None
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != "self":
        return None
    owner = next((around for around in place.file.ancestors(node) if isinstance(around, ast.ClassDef)), None)
    given = place.file.once(("given to self", id(owner)), lambda: _given(owner)) if owner is not None else {}
    values = given.get(node.attr, [])
    return values[0] if len(values) == 1 else None


def _given(owner: ast.ClassDef) -> dict[str, list[ast.expr]]:
    """What is assigned to the attributes of ``self`` in a class."""
    found: dict[str, list[ast.expr]] = {}
    for statement in ast.walk(owner):
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            match target:
                case ast.Attribute(ast.Name("self"), name):
                    found.setdefault(name, []).append(statement.value)  # type: ignore[attr-defined]
    return found


def _at_the_top(place: Place, name: str) -> ast.expr | None:
    """What the module gives a name that nothing else in the file binds."""
    bound = place.file.once(("bound anywhere",), lambda: _bound_anywhere(place.file.tree)).get(name, [])
    statement = place.file.parent(bound[0]) if bound else None
    is_at_the_top = statement is not None and place.file.parent(statement) is place.file.tree
    is_only = isinstance(statement, ast.Assign) and statement.targets == bound
    return statement.value if is_at_the_top and is_only else None  # type: ignore[union-attr]


def _bound_anywhere(tree: ast.Module) -> dict[str, list[ast.AST]]:
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        for name in bound_by(node) if isinstance(node, (ast.Name, ast.arg)) else ():
            found.setdefault(name, []).append(node)
    return found


def _is_weighted(place: Place, receiver: ast.expr) -> bool:
    """Whether a metric is given weights anywhere in the file."""
    return place.text(receiver) in place.file.once(("weighted",), lambda: _weighted(place))


def _weighted(place: Place) -> frozenset[str]:
    """What is given weights in the file, as it is written."""
    found = set()
    for node in ast.walk(place.file.tree):
        if isinstance(node, ast.Call):
            if len(node.args) > 1 or any(word.arg in ("weight", None) for word in node.keywords):
                is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("update", "forward")
                found.add(place.text(node.func.value if is_method else node.func))  # type: ignore[attr-defined]
    return frozenset(found)
