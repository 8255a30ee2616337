"""Loaders that bring what they give to the device: those that Accelerate, Fabric or timm have taken in hand."""

from __future__ import annotations

import ast

from synclint.analysis.annotations.presumed_loaders import is_presumed
from synclint.analysis.domain.values import UNKNOWN, Device, Instance, Scalar, Sequence, Tensor, Value, options
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Confidence

_YES = Scalar("bool", True)
# Its batches are on the device.
PLACED = Instance("torch.utils.data.DataLoader", None, (("places", _YES),))
# It waits for the copy of each batch. A name that has held the loader itself may be either.
_COPYING = Instance("accelerate.data_loader.DataLoaderShard", None, (("places", _YES), ("copies", _YES)))
_LOADER = Instance("torch.utils.data.DataLoader")
METHODS = frozenset({"prepare", "prepare_data_loader", "setup_dataloaders", "_setup_dataloader"})
# Arguments by which a loader is told to leave batches where they are.
_SWITCHES = ("use_prefetcher", "move_to_device", "device_placement")


def is_prepared_by(node: ast.Call) -> bool:
    """Whether a method of something unknown prepares loaders, by what it and its owner are called."""
    path = dotted_name(node.func)
    if path is None:
        return False
    owner, _, method = path.rpartition(".")
    return method in METHODS and owner.rpartition(".")[2].endswith(("accelerator", "fabric"))


def made(arguments: Arguments) -> Value:
    """What a function gives that makes such a loader."""
    return PLACED if _is_on(arguments) else _LOADER


def prepared(arguments: Arguments, owner: Instance | None = None) -> Value:
    """What is given back of models, optimizers and loaders: one by itself, several as a tuple.

    ``owner`` is the object that prepares them, if anything is known of it.
    """
    placed = _COPYING if owner is not None and _waits_for_copies(owner) else PLACED
    values = arguments.positional
    if not arguments.complete or not values:
        return UNKNOWN
    results = [_prepared(value, placed) if _is_on(arguments) else value for value in values]
    return results[0] if len(results) == 1 else Sequence("tuple", tuple(results))


def report_copies(node: ast.expr, frame: Frame) -> None:
    """Report that a loop over ``node`` waits for the copy of each batch, where its loader is known to."""
    while isinstance(node, ast.Call) and node.args:  # such as `enumerate`
        node = node.args[0]
    value = frame.evaluate(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else UNKNOWN
    if any(isinstance(option, Instance) and option.given("copies") == _YES for option in options(value)):
        batch = Tensor(Device.CPU, trust=Confidence.MEDIUM)
        frame.report("accelerate-loader-copy", node, batch, node, Confidence.MEDIUM, known=value)


def _waits_for_copies(owner: Instance) -> bool:
    """Whether Accelerate is left at its default. Source: accelerate/data_loader.py, ``DataLoaderShard.__iter__``."""
    if owner.name.partition(".")[0] != "accelerate":
        return False
    configured = owner.given("dataloader_config")
    if not isinstance(configured, Instance):
        return configured is None
    return configured.given("non_blocking") in (None, Scalar("bool", False))


def _prepared(value: Value, placed: Instance) -> Value:
    is_loader = is_presumed(value) or any(
        isinstance(option, Instance) and "DataLoader" in option.name.rpartition(".")[2] for option in options(value)
    )
    return placed if is_loader else value


def _is_on(arguments: Arguments) -> bool:
    return all(arguments.keywords.get(name) != Scalar("bool", False) for name in _SWITCHES)
