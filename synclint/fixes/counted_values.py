"""How many different values a tensor has, compared with a number: sorted and counted, without a size to wait for."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from synclint.findings import Edit, Fix
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import bindings, is_captured, is_name_free, loads

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_COUNT_THERE = "Sort, count on the device, and choose with `torch.where`"
_BOTH = "both sides are always computed, and the result is always a new tensor"
_OPTIONS = frozenset({"sorted"})


@dataclass(frozen=True)
class _Count:
    """``len(torch.unique(x)) < 2``: the call, what counts its result, the comparison, and the ``if`` that asks.

    ``named`` is the assignment that gives the values a name, ``flag`` the one that gives the comparison one.
    """

    values: ast.Call
    counter: ast.expr
    comparison: ast.Compare
    asked: ast.If
    named: ast.Assign | None
    flag: ast.Assign | None


def counted_on_the_device(place: Place) -> Fix | None:
    """``if len(torch.unique(x)) < 2: y = 0 * y`` as a comparison of sorted neighbours, and ``torch.where``."""
    node = place.node
    tensor = _counted_tensor(place, node)
    if tensor is None or not isinstance(node, ast.Call) or place.finding.context.captured is not None:
        return None
    found = _count_around(place, node)
    if found is None:
        return None
    scope = place.function or place.file.tree
    what = tensor.attr if isinstance(tensor, ast.Attribute) else getattr(tensor, "id", "values")
    name, count = f"sorted_{what}", f"{what}_count"
    if not is_name_free(scope, name) or not is_name_free(scope, count):
        return None
    # NaN differs from NaN, as `unique` has it; without elements there is no first one to count.
    lines = (
        f"{name} = {place.name('torch.sort')}({place.primary(tensor)}.flatten()).values\n"
        f"{count} = ({name}[1:] != {name}[:-1]).sum() + ({name}.numel() > 0)"
    )
    edits: list[Edit] = []
    if found.named is not None:
        edits.append(place.rewritten(found.named, lines))
    else:
        edits.append(place.inserted_before(found.flag or found.asked, lines))
    if found.flag is not None:
        assert isinstance(found.flag.targets[0], ast.Name)
        condition = found.flag.targets[0].id
        edits.append(place.replaced(found.counter, count))
    else:
        whole = place.text(found.comparison)
        counter = place.text(found.counter)
        if whole.count(counter) != 1:
            return None
        condition = whole.replace(counter, count)
    chosen = _chosen(place, found.asked, condition)
    return place.fix(_COUNT_THERE, *edits, place.rewritten(found.asked, chosen), caveat=_BOTH)


def _chosen(place: Place, asked: ast.If, condition: str) -> str:
    """What an ``if`` chooses by a condition, as ``torch.where`` chooses it. Raises NoFixError."""
    import libcst as cst

    from synclint.fixes.choices import choice
    from synclint.fixes.transformations import statement_as_written

    writing, node = statement_as_written(place, asked)
    assert isinstance(node, cst.If)
    made = choice(writing, node, cst.parse_expression(condition))
    if made is None:
        raise NoFixError
    return writing.code(made.with_changes(leading_lines=())).strip()


def _counted_tensor(place: Place, node: ast.expr) -> ast.expr | None:
    """The tensor in ``torch.unique(x)`` or ``x.unique()``, where nothing but the values is asked for."""
    if not isinstance(node, ast.Call) or not {word.arg for word in node.keywords} <= _OPTIONS:
        return None
    tensor: ast.expr | None = None
    if place.qualified(node.func) == "torch.unique" and len(node.args) == 1:
        tensor = node.args[0]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "unique" and not node.args:
        tensor = node.func.value
    if tensor is None or not place.fact(tensor).is_tensor or place.fact(tensor).dtype == "complex":
        return None
    return tensor


def _count_around(place: Place, node: ast.Call) -> _Count | None:
    values: ast.expr = node
    named = _given_name(place, node)
    if named is not None:
        use = _only_use(place, named)
        if use is None:
            return None
        values = use
    counter = _counter(place, values)
    comparison = place.file.parent(counter) if counter is not None else None
    if counter is None or not isinstance(comparison, ast.Compare) or len(comparison.ops) != 1:
        return None
    number = comparison.comparators[0] if comparison.left is counter else comparison.left
    if not isinstance(comparison.ops[0], _ORDERS) or not place.fact(number).is_integer:
        return None
    flag = _given_name(place, comparison)
    test: ast.expr | None = comparison if flag is None else _only_use(place, flag)
    asked = place.file.parent(test) if test is not None else None
    if not isinstance(asked, ast.If) or asked.test is not test:
        return None
    return _Count(node, counter, comparison, asked, named, flag)


def _counter(place: Place, values: ast.expr) -> ast.expr | None:
    """What counts the elements: ``len(u)``, ``torch.numel(u)``, ``u.numel()``, ``u.size(0)`` or ``u.shape[0]``."""
    around = place.file.parent(values)
    if isinstance(around, ast.Call) and around.args == [values] and not around.keywords:
        is_length = isinstance(around.func, ast.Name) and around.func.id == "len" and not place.binds("len")
        return around if is_length or place.qualified(around.func) == "torch.numel" else None
    if not isinstance(around, ast.Attribute) or around.value is not values:
        return None
    outer = place.file.parent(around)
    if isinstance(outer, ast.Subscript) and around.attr == "shape" and outer.value is around:
        return outer if _is_zero(outer.slice) else None
    if isinstance(outer, ast.Call) and outer.func is around and not outer.keywords:
        is_size = around.attr == "size" and len(outer.args) == 1 and _is_zero(outer.args[0])
        return outer if is_size or (around.attr in ("numel", "nelement") and not outer.args) else None
    return None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _given_name(place: Place, node: ast.expr) -> ast.Assign | None:
    """The assignment that gives an expression a name."""
    around = place.file.parent(node)
    if not isinstance(around, ast.Assign) or around.value is not node or len(around.targets) != 1:
        return None
    return around if isinstance(around.targets[0], ast.Name) else None


def _only_use(place: Place, assignment: ast.Assign) -> ast.Name | None:
    """The one place where a name is read that is bound by an assignment and nowhere else."""
    target = assignment.targets[0]
    scope = place.function
    assert isinstance(target, ast.Name)
    if scope is None or len(bindings(scope, target.id)) != 1 or is_captured(scope, target.id):
        return None
    uses = loads(scope, target.id)
    return uses[0] if len(uses) == 1 and uses[0].lineno > assignment.lineno else None
