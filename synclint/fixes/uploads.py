"""Copies of batches to the device: ``non_blocking=True`` at the copy, ``pin_memory=True`` at the loader.

A copy from pinned memory is queued like a kernel. What is queued after it on the same stream sees the complete copy, so
that results are the same; only the host must not write to the source before the copy has been made.
"""

from __future__ import annotations

import ast

from synclint.analysis.results.expression_facts import AllocationSite, NodePosition
from synclint.findings import Edit, Fix
from synclint.fixes.blocks import reaching_value
from synclint.fixes.devices import is_device, is_named_otherwise
from synclint.fixes.evidence import is_fresh, is_read_only
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.source_files import SourceFile
from synclint.fixes.uses import bindings, is_captured, is_written_to, loads, root_name

_UNKNOWN_SOURCE = (
    "the source must not be written to before it is copied, the host still waits unless it is pinned, and an object "
    "that is not a tensor may not accept the argument"
)
_HAS_TO_BE_PINNABLE = (
    "the source has to be a tensor on the CPU and the device one of CUDA, and what is pinned already must not be "
    "written to before it is copied"
)
_SHARED = "nobody may write to the source before it is copied"
_BATCHES = (
    "the loader has to give tensors on the CPU, to which nobody writes before they are copied, and whoever else has it "
    "gets pinned ones, too"
)
_TRUE = "True"
# The arguments of `DataLoader` in front of `pin_memory`; source: torch/utils/data/dataloader.py.
_BEFORE_PIN_MEMORY = 7


def pinned_copy(place: Place) -> Fix | None:
    """Let ``x.to(device)`` or ``x.cuda()`` not wait, from pinned memory or from a loader that can pin it."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    source = call.func.value
    fact = place.fact(source)
    if "tensor" not in fact.kinds or fact.device == "device":
        return None
    if not _only_moves(place, call):
        return None
    message = "Pass `non_blocking=True`"
    if fact.pinned is True and fact.is_tensor:
        if not _stays_as_it_is(place, source):
            return None
        return place.fix(message, _not_blocking(place, call), caveat="" if _is_left_alone(place, source) else _SHARED)
    made = _loaders(place, source)
    if made and _stays_as_it_is(place, source):
        pins = [edit for one in made if (edit := _pin(place, one)) is not None]
        if len(pins) < len(made):
            return place.fix(message, _not_blocking(place, call), caveat=_UNKNOWN_SOURCE)
        done = f"{message}, and let the loader pin its batches"
        return place.fix(done, *pins, _not_blocking(place, call), caveat=_BATCHES)
    return None if made else _pinned_first(place, call)


def _pinned_first(place: Place, call: ast.Call) -> Fix | None:
    """``x.to(device)`` as ``x.pin_memory().to(device, non_blocking=True)``.

    What is in pinned memory is then a copy that nobody else knows, unless the source was pinned before. A copy from
    memory that is not pinned waits whatever it is told.
    """
    assert isinstance(call.func, ast.Attribute)
    source, method = call.func.value, call.func.attr
    device = call.args[0] if call.args else call.keywords[0].value if call.keywords else None
    is_once = place.finding.context.captured is not None or getattr(place.function, "name", "") == "__init__"
    if is_once or not is_surely_on_the_host(place, source) or not _is_made_here(place, source):
        return None
    if device is not None and (not is_device(place, device) or is_named_otherwise(device)):
        return None
    named = f"{call.keywords[0].arg}=" if call.keywords else ""
    given = "" if device is None else f"{named}{place.text(device)}, "
    copied = f"{place.primary(source)}.pin_memory().{method}({given}non_blocking=True)"
    edit = place.replaced(call, copied)
    return place.fix("Copy from pinned memory without waiting", edit, caveat=_HAS_TO_BE_PINNABLE)


def _is_made_here(place: Place, source: ast.expr) -> bool:
    """Whether a function of torch makes a tensor in this function: what comes from elsewhere may be pinned there."""
    while isinstance(source, (ast.Subscript, ast.Call, ast.Attribute)):
        if isinstance(source, ast.Call):
            if place.qualified(source.func).startswith("torch."):
                return True
            if not isinstance(source.func, ast.Attribute):
                return False
            source = source.func
        source = source.value
    value = reaching_value(place.file, source) if isinstance(source, ast.Name) else None
    return value is not None and not isinstance(value, ast.Name) and _is_made_here(place, value)


def is_surely_on_the_host(place: Place, source: ast.expr) -> bool:
    """Whether a tensor is on the CPU as far as is known: what an object holds may have been moved with it."""
    fact = place.fact(source)
    return fact.is_certain and fact.device == "cpu" and fact.pinned is False and not isinstance(source, ast.Attribute)


def pinned_source(place: Place) -> Fix | None:
    """Let the loader pin its batches where the copy does not wait for them already."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    made = _loaders(place, call.func.value)
    if not made or not _stays_as_it_is(place, call.func.value):
        return None
    pins = [edit for one in made if (edit := _pin(place, one)) is not None]
    if len(pins) < len(made):
        return None
    return place.fix("Let the loader pin its batches", *pins, caveat=_BATCHES)


def _loaders(place: Place, source: ast.expr) -> tuple[AllocationSite, ...]:
    """The calls that made the loader that a batch comes from."""
    loop = _loop_over_batches(place, source)
    parts = [node for node in ast.walk(loop.iter) if isinstance(node, ast.expr)] if loop is not None else []
    return tuple(dict.fromkeys(one for node in parts for one in place.fact(node).made))


def _only_moves(place: Place, call: ast.Call) -> bool:
    """Whether a call moves a tensor and does nothing else: what it converts as well is not copied as it is."""
    assert isinstance(call.func, ast.Attribute)
    words = {word.arg for word in call.keywords}
    if call.func.attr == "cuda":
        return words <= {"device"} and len(call.args) + len(words) <= 1
    if call.func.attr != "to" or len(call.args) + len(call.keywords) != 1 or not words <= {"device"}:
        return False
    target = call.args[0] if call.args else call.keywords[0].value
    return not isinstance(target, ast.Starred) and not place.fact(target).kinds & {"tensor", "dtype"}


def _stays_as_it_is(place: Place, source: ast.expr) -> bool:
    """Whether nobody writes to the source of a copy, as far as the function that copies it tells."""
    if isinstance(source, ast.Call):
        # Of a tensor that is pinned already `.pin_memory()` gives the tensor itself.
        is_fresh = isinstance(source.func, ast.Attribute) and source.func.attr == "pin_memory"
        return is_fresh and place.fact(source.func.value).pinned is False  # type: ignore[attr-defined]
    name = root_name(source)
    scope = place.function
    return name is not None and name != "self" and scope is not None and not is_written_to(scope, name)


def _is_left_alone(place: Place, source: ast.expr) -> bool:
    """Whether nobody at all can write to the source of a copy before it is made.

    It is a batch that a loader has just made, or pinned by this function, and the function hands it to nobody: or the
    result of the copy takes its name over.
    """
    if isinstance(source, ast.Call):
        return _stays_as_it_is(place, source)
    name, scope = root_name(source), place.function
    if name is None or scope is None or isinstance(scope, ast.Lambda) or is_captured(scope, name):
        return False
    loop = _loop_over_batches(place, source)
    is_batch = loop is not None and bool(_loaders(place, source))
    bound = bindings(scope, name)
    within = {id(node) for node in ast.walk(place.statement)}
    is_taken_over = any(id(one) in within for one in bound)
    own = [one for one in bound if id(one) not in within and not (is_batch and _is_target(loop, one))]
    if not bound or not all(_is_pinned_copy(place, one) for one in own) or (len(own) == len(bound) and is_batch):
        return False
    uses = (use for use in loads(scope, name) if not is_taken_over or use.lineno <= place.statement.lineno)
    return all(is_read_only(place, use) or _is_copied_too(place, use) for use in uses)


def _is_target(loop: ast.For | None, node: ast.AST) -> bool:
    return loop is not None and any(node is inner for inner in ast.walk(loop.target))


def _is_pinned_copy(place: Place, bound: ast.AST) -> bool:
    """Whether a name is given a tensor that was pinned for it: nobody else has it."""
    statement = place.file.parent(bound)
    if not isinstance(statement, ast.Assign) or statement.targets != [bound]:
        return False
    value = statement.value
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr == "pin_memory":
        return _stays_as_it_is(place, value)
    return is_fresh(place, value)


def _is_copied_too(place: Place, use: ast.Name) -> bool:
    """Whether a name is used as a part of what is copied: ``batch["image"].to(device)``."""
    around = place.file.parent(use)
    while isinstance(around, (ast.Subscript, ast.Attribute)) and isinstance(around.ctx, ast.Load):
        around = place.file.parent(around)
    if not isinstance(around, ast.Call) or not isinstance(around.func, ast.Attribute):
        return False
    given = [argument.value for argument in around.args if isinstance(argument, ast.Constant)]
    return around.func.attr in ("to", "cuda") and "cpu" not in given


def _not_blocking(place: Place, call: ast.Call) -> Edit:
    return place.with_argument(call, "non_blocking", _TRUE)


def _loop_over_batches(place: Place, source: ast.expr) -> ast.For | None:
    """The loop whose target holds the source of a copy."""
    name = root_name(source)
    for node in place.file.ancestors(place.node):
        if isinstance(node, ast.For) and name in {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}:
            return node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return None
    return None


def _pin(place: Place, made: AllocationSite) -> Edit | None:
    """The edit that lets a loader pin its batches, None where that depends on something when the program runs.

    Raises NoFixError where something else was decided for it.
    """
    file = place.file if made.path == place.file.path else place.files(made.path)
    call = call_at(file, made.place) if file is not None else None
    if file is None or call is None:
        raise NoFixError
    given = {word.arg: word.value for word in call.keywords}
    if "pin_memory" in given and not isinstance(given["pin_memory"], ast.Constant):
        return None
    if given.keys() & {"pin_memory", None} or len(call.args) > _BEFORE_PIN_MEMORY:
        raise NoFixError
    return place.with_argument(call, "pin_memory", _TRUE, file)


def call_at(file: SourceFile, where: NodePosition) -> ast.Call | None:
    """The call at a place that the analysis told of."""
    found = file.expression_with(where)
    return found if isinstance(found, ast.Call) else None
