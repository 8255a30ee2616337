"""Loaders that bring what they give to the device: those that Accelerate, Fabric or timm have taken in hand."""

from __future__ import annotations

import ast

from synclint.analysis.annotations.presumed_loaders import is_presumed
from synclint.analysis.domain.values import UNKNOWN, Instance, Scalar, Sequence, Value, options
from synclint.analysis.state.frames import Arguments
from synclint.analysis.syntax.walk import dotted_name

# Its batches are on the device.
PLACED = Instance("torch.utils.data.DataLoader", None, (("places", Scalar("bool", True)),))
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


def prepared(arguments: Arguments) -> Value:
    """What is given back of models, optimizers and loaders: one by itself, several as a tuple."""
    values = arguments.positional
    if not arguments.complete or not values:
        return UNKNOWN
    results = [_prepared(value) if _is_on(arguments) else value for value in values]
    return results[0] if len(results) == 1 else Sequence("tuple", tuple(results))


def _prepared(value: Value) -> Value:
    is_loader = is_presumed(value) or any(
        isinstance(option, Instance) and "DataLoader" in option.name.rpartition(".")[2] for option in options(value)
    )
    return PLACED if is_loader else value


def _is_on(arguments: Arguments) -> bool:
    return all(arguments.keywords.get(name) != Scalar("bool", False) for name in _SWITCHES)
