"""Hot or cold: what the text around a line, a function or a call says of how often it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synclint.analysis import classes
from synclint.analysis.modules import ClassRecord, FunctionRecord, ModuleRecord
from synclint.analysis.patterns import named
from synclint.analysis.walk import children, dotted_name, statements, walk
from synclint.findings import Context, Phase

if TYPE_CHECKING:
    from synclint.analysis.engine import CallSite, Engine, RawEvent

_COLD_METHODS = {
    "__init__": "runs once, when the object is made",
    "__new__": "runs once, when the object is made",
    "__post_init__": "runs once, when the object is made",
    "setup": "runs once, before training",
    "__repr__": "only shows the object",
    "__str__": "only shows the object",
    "__format__": "only shows the object",
    "extra_repr": "only shows the object",
    "__getstate__": "runs when the object is saved",
    "__setstate__": "runs when the object is loaded",
    "__reduce__": "runs when the object is saved",
    "__deepcopy__": "runs when the object is copied",
    "reset_parameters": "runs once, when the module is made",
    "init_weights": "runs once, when the module is made",
    "_init_weights": "runs once, when the module is made",
    "state_dict": "runs when a checkpoint is written",
    "load_state_dict": "runs when a checkpoint is read",
    "configure_optimizers": "runs once, before training",
    "prepare_data": "runs once, before training",
    "on_save_checkpoint": "runs when a checkpoint is written",
    "on_load_checkpoint": "runs when a checkpoint is read",
    "__del__": "runs when the object goes away",
    "plot": "draws a figure",
}
_COLD_NAMES = re.compile(
    r"^(_*on_(train|training|validation|test|predict|fit)?_?(epoch_)?(start|end|begin)|_*(save|load|export|convert|plot|visuali[sz]e|"
    r"write|dump|print|show|summari[sz]e)(_.*)?|.*_epoch_end|epoch_end|.*_(checkpoint|visuali[sz]ation)|test_.*|_*init_.*|"
    r"from_pretrained|from_checkpoint|parse_args|main_worker_setup)$"
)
_DATA_BASES = frozenset(
    {
        "Dataset",
        "IterableDataset",
        "Sampler",
        "BatchSampler",
        "TensorDataset",
        "Subset",
        "ConcatDataset",
        "MapDataPipe",
        "IterDataPipe",
    }
)
_COLLATES = re.compile(r"^(collate|collater|worker_init_fn|.*collate_fn)$")
_HOT_METHODS = {
    "forward": "in `forward` of {}",
    "training_step": "in `training_step` of {}",
    "validation_step": "in `validation_step` of {}",
    "test_step": "in `test_step` of {}",
    "predict_step": "in `predict_step` of {}",
    "update": "in `update` of {}",
    "backward": "in `backward` of {}",
    "step": "in `step` of {}",
    "__call__": "in calls of {}",
}
_STEP_CALLS = frozenset({"backward", "zero_grad", "training_step"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OF_ITS_OWN = (*_LOOPS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def of_place(engine: Engine, module: ModuleRecord, event: RawEvent) -> Context | None:
    """The context of an event as far as its place decides it; None where its function does."""
    if event.place.cold is not None:
        return Context(Phase.ONCE, event.place.cold)
    for loop in reversed(event.place.loops):
        reason = hot_loop(engine, loop)
        if reason is not None:
            return Context(Phase.STEP, f"{reason} at {module.path.name}:{module.line_of(loop)}")
        if holds_hot_loop(engine, loop):
            return Context(Phase.ONCE, "runs once an epoch, around the loop over batches")
    if event.function is None:
        return Context(Phase.ONCE, "runs once, when the module is imported")
    if not event.place.loops and holds_hot_loop(engine, event.function.node):
        return Context(Phase.ONCE, "runs once, before or after the loop that the function is there for")
    return None


def prepares_data(engine: Engine, function: FunctionRecord) -> bool:
    """Whether a function prepares data, in a loader's workers as a rule, where tensors are on the CPU."""
    return (
        function in engine.loader_functions
        or _COLLATES.match(function.name) is not None
        or (function.owner is not None and _is_data(engine, function.owner))
    )


def own_context(engine: Engine, function: FunctionRecord) -> Context | None:
    """What the settings, and the names of a function and of what is around it, say of how often it runs."""
    if named(function.qualified_name, engine.patterns.hot):
        return Context(Phase.STEP, f"`{function.name}` is hot by configuration")
    if named(function.qualified_name, engine.patterns.cold):
        return Context(Phase.ONCE, f"`{function.name}` is cold by configuration")
    outer: FunctionRecord | None = function
    while outer is not None:
        cold = _COLD_METHODS.get(outer.name)
        if cold is not None:
            return Context(Phase.ONCE, cold)
        if _COLD_NAMES.match(outer.name):
            return Context(Phase.ONCE, f"`{outer.name}` runs seldom, by its name")
        owner = outer.owner
        if owner is not None and outer.name == "compute" and classes.is_a(engine, owner, classes.METRIC):
            return Context(Phase.ONCE, "computes a metric, once an epoch as a rule")
        outer = outer.parent
    owner = function.owner
    if owner is not None and function.name in _HOT_METHODS:
        return Context(Phase.STEP, _HOT_METHODS[function.name].format(owner.name))
    return None


_GIVES_SAMPLES = ("__getitem__", "__iter__", "__call__")


def _is_data(engine: Engine, record: ClassRecord) -> bool:
    """Whether a class prepares data: by what it is derived from, or by its name if it can give samples."""
    bases = tuple(classes.external_bases(engine, record))
    if any(base.rpartition(".")[2] in _DATA_BASES for base in bases):
        return True
    return record.name.endswith(("Dataset", "Collator", "Collater")) and (
        bool(bases) or any(classes.find_method(record, name) is not None for name in _GIVES_SAMPLES)
    )


def heat(engine: Engine, site: CallSite) -> bool | None:
    """Whether a call is certainly hot or cold where it stands; None where its function decides."""
    if site.place.cold is not None:
        return False
    for loop in reversed(site.place.loops):
        if hot_loop(engine, loop):
            return True
        if holds_hot_loop(engine, loop):
            return False
    if site.caller is None:
        return bool(site.place.loops)
    return False if not site.place.loops and holds_hot_loop(engine, site.caller.node) else None


def told(engine: Engine, site: CallSite) -> str:
    """The place of a call in words."""
    in_loop = any(hot_loop(engine, loop) for loop in site.place.loops)
    where = "the training loop" if in_loop else f"`{site.caller.name}`" if site.caller is not None else "the script"
    return f"{where}, {site.module.path.name}:{site.module.line_of(site.node)}"


def hot_loop(engine: Engine, node: ast.AST) -> str | None:
    """What kind of hot loop this is, None for other loops: one that trains, or that goes through a loader."""
    if isinstance(node, ast.comprehension):
        return None
    if node not in engine.loop_kinds:
        engine.loop_kinds[node] = _classify(node)
    return engine.loop_kinds[node]


def holds_hot_loop(engine: Engine, node: ast.AST) -> bool:
    """Whether a loop or function holds a hot loop: what stands around that one runs once for all its rounds."""
    if node not in engine.holds_hot_loop:
        body = getattr(node, "body", None)
        engine.holds_hot_loop[node] = isinstance(body, list) and any(
            hot_loop(engine, inner) is not None for inner in statements(body) if isinstance(inner, _LOOPS)
        )
    return engine.holds_hot_loop[node]


def _own_calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """The calls in the body of a loop that are not within a loop inside it."""
    stack: list[ast.AST] = [statement for statement in body if not isinstance(statement, _OF_ITS_OWN)]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Call):
            yield current
        stack.extend(child for child in children(current) if not isinstance(child, _OF_ITS_OWN))


_MODELS = frozenset({"model", "net", "network", "self.model", "self.net", "generator", "discriminator"})


def _classify(node: ast.AST) -> str | None:
    if isinstance(node, (ast.For, ast.AsyncFor)):
        source = {n.id for n in walk(node.iter) if isinstance(n, ast.Name)} | {
            n.attr for n in walk(node.iter) if isinstance(n, ast.Attribute)
        }
        if any(name.lower().endswith(("loader", "dataloader")) or name == "DataLoader" for name in source):
            return "in the loop over batches"
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return None
    for call in _own_calls(body):
        name = dotted_name(call.func)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _STEP_CALLS:
            return "in the training loop"
        if name in _MODELS:
            return "in the loop that runs the model"
    return None
