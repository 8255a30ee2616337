"""What Accelerate, Fabric or timm have taken in hand: loaders that bring what they give to the device, optimizers."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.annotations.presumed_loaders import is_presumed
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    Device,
    Instance,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
    options,
)
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Confidence

_YES, _NO = Scalar("bool", True), Scalar("bool", False)
# Its batches are on the device.
PLACED = Instance("torch.utils.data.DataLoader", None, (("places", _YES),))
# The copies of its batches wait, by one of these constructs. A name that has held the loader itself may be either.
_BLOCKING, _UNPINNED = Text("accelerate-loader-copy"), Text("unpinned-loader-copy")
# Whether an optimizer steps by way of a gradient scaler, and what it becomes.
_ACCELERATED, _OF_FABRIC = "accelerate.optimizer.AcceleratedOptimizer", "lightning.fabric.wrappers._FabricOptimizer"
_SETTING_UP = frozenset({"setup", "setup_optimizers"})
_SCALED = frozenset({Text("16-mixed"), Text("16"), Scalar("int", 16)})
_PLAIN_STRATEGIES = (None, Text("auto"), Text("ddp"))
_HALF, _ALWAYS, _BY_SETTING = Text("fp16"), Text("always"), Text("by setting")
_LOADER = Instance("torch.utils.data.DataLoader")
METHODS = frozenset({"prepare", "prepare_data_loader", "setup_dataloaders", "_setup_dataloader"})
# Arguments by which a loader is told to leave batches where they are.
_SWITCHES = ("use_prefetcher", "move_to_device", "device_placement")


def prepares(owner: Instance, method: str) -> bool:
    """Whether a method of an object of a library prepares what it is given."""
    return method in METHODS or (_is_fabric(owner) and method in _SETTING_UP)


def _is_fabric(owner: Instance) -> bool:
    package, _, name = owner.name.partition(".")
    return package in ("lightning", "lightning_fabric") and name.rpartition(".")[2] == "Fabric"


def is_prepared_by(node: ast.Call) -> bool:
    """Whether a method of something unknown prepares loaders, by what it and its owner are called."""
    path = dotted_name(node.func)
    if path is None:
        return False
    owner, _, method = path.rpartition(".")
    return method in METHODS and owner.rpartition(".")[2].endswith(("accelerator", "fabric"))


def made(arguments: Arguments) -> Value:
    """What a function gives that makes such a loader, by default one that pins nothing.

    Source: timm/data/loader.py, ``create_loader`` and ``PrefetchLoader``.
    """
    if not _is_on(arguments):
        return _LOADER
    is_pinned = not arguments.complete or arguments.keywords.get("pin_memory", _NO) != _NO
    return PLACED if is_pinned else _copying(_UNPINNED)


def prepared(arguments: Arguments, owner: Instance | None = None) -> Value:
    """What is given back of models, optimizers and loaders: one by itself, several as a tuple.

    ``owner`` is the object that prepares them, if anything is known of it.
    """
    copies = _copies_of(owner) if owner is not None else None
    scaling = _scaling_of(owner) if owner is not None else None
    values = arguments.positional
    if not arguments.complete or not values or "scheduler" in arguments.keywords:
        return UNKNOWN
    results = [_prepared(value, copies) if _is_on(arguments) else value for value in values]
    if scaling is not None:
        kind = _OF_FABRIC if owner is not None and _is_fabric(owner) else _ACCELERATED
        results = [join_all(_scaled(option, scaling, kind) for option in options(value)) for value in results]
    return results[0] if len(results) == 1 else Sequence("tuple", tuple(results))


def report_copies(node: ast.expr, frame: Frame) -> None:
    """Report that a loop over ``node`` waits for the copy of each batch, where its loader is known to."""
    while isinstance(node, ast.Call) and node.args:  # such as `enumerate`
        node = node.args[0]
    value = frame.evaluate(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else UNKNOWN
    for option in options(value):
        construct = option.given("copies") if isinstance(option, Instance) else None
        if isinstance(construct, Text) and construct.literal is not None:
            batch = Tensor(Device.CPU, trust=Confidence.MEDIUM)
            frame.report(construct.literal, node, batch, node, Confidence.MEDIUM, known=value)


def _copying(construct: Text) -> Instance:
    return Instance("accelerate.data_loader.DataLoaderShard", None, (("places", _YES), ("copies", construct)))


def _copies_of(owner: Instance) -> bool | None:
    """Whether copies of what Accelerate prepares are non-blocking; None if they may be either.

    Source: accelerate/data_loader.py, ``DataLoaderShard.__iter__``.
    """
    if owner.name.partition(".")[0] != "accelerate":
        return None
    configured = owner.given("dataloader_config")
    given = configured.given("non_blocking") if isinstance(configured, Instance) else configured
    if given is None or given == _NO:
        return False
    return True if given == _YES else None


def _prepared(value: Value, is_non_blocking: bool | None) -> Value:
    loaders = [option for option in options(value) if isinstance(option, Instance) and _is_loader(option)]
    if not loaders and not is_presumed(value):
        return value
    if is_non_blocking is False:
        return _copying(_BLOCKING)
    are_unpinned = bool(loaders) and all(loader.given("pin_memory") == _NO for loader in loaders)
    return _copying(_UNPINNED) if is_non_blocking and are_unpinned else PLACED


def _scaling_of(owner: Instance) -> Text | None:
    """Whether optimizers step by way of a gradient scaler: always, or if a setting says so; None if they do not.

    Source: accelerate/accelerator.py, ``Accelerator.__init__``. Where it is not given, the environment decides. Of
    Fabric: lightning/fabric/connector.py, ``_check_and_init_precision``; some strategies step in other ways.
    """
    if _is_fabric(owner):
        is_plain = owner.given("strategy") in _PLAIN_STRATEGIES
        is_elsewhere = owner.given("accelerator") in (Text("cpu"), Text("mps"))
        return _ALWAYS if is_plain and not is_elsewhere and owner.given("precision") in _SCALED else None
    given = owner.given("mixed_precision")
    if given is None or given == _HALF:
        return None if given is None else _ALWAYS
    may_be = any(option == _HALF or not _is_literal(option) for option in options(given))
    return _BY_SETTING if may_be else None


def _is_literal(option: Value) -> bool:
    return isinstance(option, Nothing) or (isinstance(option, Text) and option.literal is not None)


def _scaled(value: Value, scaling: Text, kind: str) -> Value:
    """An optimizer that steps by way of a gradient scaler.

    Source: accelerate/optimizer.py; lightning/fabric/plugins/precision/amp.py, ``MixedPrecision.optimizer_step``.
    """
    if isinstance(value, Instance) and value.name.startswith("torch.optim."):
        fields = (*value.fields, ("scales", scaling))
        return replace(value, name=kind, fields=fields)
    return value


def _is_loader(option: Instance) -> bool:
    return "DataLoader" in option.name.rpartition(".")[2]


def _is_on(arguments: Arguments) -> bool:
    return all(arguments.keywords.get(name) != _NO for name in _SWITCHES)
