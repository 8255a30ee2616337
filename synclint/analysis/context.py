"""Hot or cold: how often a line runs, from where it stands and from who calls its function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from synclint.analysis import classes
from synclint.analysis.modules import FunctionRecord, ModuleRecord
from synclint.analysis.walk import dotted_name, walk
from synclint.findings import Context

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
    r"^(_*on_(train|training|validation|test|predict|fit)?_?(epoch_)?(start|end|begin)|_*(save|load|export|convert|plot|draw|visuali[sz]e|"
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


def of(engine: Engine, module: ModuleRecord, event: RawEvent) -> Context:
    """The context of an event."""
    if event.place.cold is not None:
        return Context(False, event.place.cold)
    for loop in reversed(event.place.loops):
        reason = _training_loop(loop)
        if reason is not None:
            return Context(True, f"{reason} at {module.path.name}:{engine.line_of(module, loop)}")
    if event.function is None:
        return Context(False, "runs once, when the module is imported")
    return function_context(engine, event.function, bool(event.place.loops))


def function_context(engine: Engine, function: FunctionRecord, in_loop: bool = False) -> Context:
    """The context of a function's body."""
    own = _own_reason(engine, function)
    if own is not None and not own.hot:
        return own
    path = _hot_path(engine, function)
    if path is None:
        cold = _cold_callers(engine, function)
        return Context(False, cold)
    if own is not None:
        return Context(True, own.reason, path)
    if path:
        return Context(True, f"called from {path[-1]}", path)
    return Context(True, f"in `{function.name}`, which nothing in the project calls: its callers may be hot")


def _own_reason(engine: Engine, function: FunctionRecord) -> Context | None:
    outer: FunctionRecord | None = function
    while outer is not None:
        cold = _COLD_METHODS.get(outer.name)
        if cold is not None:
            return Context(False, cold)
        if _COLD_NAMES.match(outer.name):
            return Context(False, f"`{outer.name}` runs seldom, by its name")
        if outer.name in ("collate", "collate_fn", "collater", "worker_init_fn") or outer.name.endswith(
            "_collate_fn"
        ):
            return Context(False, "runs in a loader, before the data is on the device")
        owner = outer.owner
        if owner is not None:
            if _is_data(engine, owner):
                return Context(False, "part of a dataset, which works on the CPU")
            if outer.name == "compute" and classes.is_a(engine, owner, classes.METRIC):
                return Context(False, "computes a metric, once an epoch as a rule")
        outer = outer.parent
    owner = function.owner
    if owner is not None and function.name in _HOT_METHODS:
        return Context(True, _HOT_METHODS[function.name].format(owner.name))
    return None


def _is_data(engine: Engine, record: classes.ClassRecord) -> bool:
    return any(base.rpartition(".")[2] in _DATA_BASES for base in classes.external_bases(engine, record)) or (
        record.name.endswith(("Dataset", "Sampler", "Collator", "Collater", "DataModule"))
    )


def _hot_path(
    engine: Engine, function: FunctionRecord, seen: frozenset[FunctionRecord] = frozenset()
) -> tuple[str, ...] | None:
    """The calls that lead to a function from hot code, outermost first; empty if nobody calls it, None if it is cold."""
    own = _own_reason(engine, function)
    if own is not None:
        return () if own.hot else None
    sites = list(engine.callers[function].values())
    if not sites and function.parent is not None:
        return _hot_path(engine, function.parent, seen | {function}) if function.parent not in seen else None
    if not sites:
        return ()
    best: tuple[str, ...] | None = None
    for site in sites:
        found = _site_path(engine, site, seen | {function})
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _site_path(engine: Engine, site: CallSite, seen: frozenset[FunctionRecord]) -> tuple[str, ...] | None:
    if site.place.cold is not None and not any(_training_loop(loop) for loop in site.place.loops):
        return None
    if site.place.cold is not None:
        return None
    here = f"{site.module.path.name}:{engine.line_of(site.module, site.node)}"
    if any(_training_loop(loop) for loop in site.place.loops):
        return (f"the training loop, {here}",)
    if site.caller is None:
        return None if not site.place.loops else (here,)
    if site.caller in seen:
        return None
    outer = _hot_path(engine, site.caller, seen)
    return None if outer is None else (*outer[-3:], f"`{site.caller.name}`, {here}")


def _cold_callers(engine: Engine, function: FunctionRecord) -> str:
    for site in engine.callers[function].values():
        if site.place.cold is not None:
            return f"called only where it {site.place.cold}"
        if site.caller is not None:
            return f"called only from `{site.caller.name}`, which is cold"
    return "called only from cold code"


def _training_loop(node: cst.CSTNode) -> str | None:
    """What kind of hot loop this is: one that trains, or one that goes through a loader."""
    if isinstance(node, cst.CompFor):
        return None
    kind = _LOOPS.get(id(node))
    if kind is None or kind[0] is not node:
        kind = (node, _classify(node))
        _LOOPS[id(node)] = kind
    return kind[1]


_LOOPS: dict[int, tuple[cst.CSTNode, str | None]] = {}


def _classify(node: cst.CSTNode) -> str | None:
    if isinstance(node, cst.For):
        source = {n.value for n in walk(node.iter) if isinstance(n, cst.Name)} | {
            n.attr.value for n in walk(node.iter) if isinstance(n, cst.Attribute)
        }
        if any(name.lower().endswith(("loader", "dataloader")) or name == "DataLoader" for name in source):
            return "in the loop over batches"
    body = getattr(node, "body", None)
    if body is None:
        return None
    calls = {
        inner.func.attr.value
        for inner in walk(body)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute)
    }
    if calls & _STEP_CALLS:
        return "in the training loop"
    names = {dotted_name(inner.func) for inner in walk(body) if isinstance(inner, cst.Call)}
    if {"model", "net", "self.model", "generator"} & {name for name in names if name}:
        return "in the loop that runs the model"
    return None
