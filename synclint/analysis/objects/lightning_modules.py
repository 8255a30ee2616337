"""What Lightning does for the methods of its modules before it calls them, and with what they return."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import (
    ClassRecord,
    Device,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Value,
    options,
)
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Confidence

TRAINER = "lightning.pytorch.Trainer"


def is_of_lightning(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether Lightning calls the methods of a class."""
    return any(base.endswith(".LightningModule") for base in ancestry.external_bases(engine, record))


def moved_before(call: ast.Call, record: FunctionRecord, engine: Interpreter) -> bool:
    """Whether ``x.to(self.device)`` says nothing of where ``x`` is: Lightning brings batches there itself."""
    if record.owner is None or record.receiver is None or not isinstance(call.func, ast.Attribute):
        return False
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "device"), argument_node(call))
    is_own = given is not None and dotted_name(given) == f"{record.receiver}.device"
    return is_own and is_of_lightning(engine, record.owner)


def report_copies(loader: Instance, node: ast.Call, frame: Frame) -> None:
    """Report that a loader which is made for Lightning to train with does not pin what Lightning brings to the device.

    Source: lightning/pytorch/core/hooks.py, ``transfer_batch_to_device``, which makes such copies whatever the loader.
    """
    function = frame.function
    if function is None or function.name != "train_dataloader" or function.owner is None:
        return
    bases = ancestry.external_bases(frame.engine, function.owner)
    if loader.given("pin_memory") == Scalar("bool", False) and any(base.endswith(_HOLDING_LOADERS) for base in bases):
        frame.report("lightning-loader-copy", node, Tensor(Device.CPU, trust=Confidence.MEDIUM), node, known=loader)


def configured_optimizer(model: Value, node: ast.Call, frame: Frame) -> Value | None:
    """The first optimizer that ``configure_optimizers`` of a ``model`` gives, alone, in a list or in a dictionary."""
    record = model.record if isinstance(model, Instance) else None
    method = classes.find_method(record, "configure_optimizers") if record is not None else None
    if method is None:
        return None
    given = frame.engine.call(FunctionValue(method, model), Arguments(), frame, node)
    return next((found for option in options(given) for found in _optimizers_in(option)), None)


def _optimizers_in(value: Value) -> Iterator[Value]:
    if isinstance(value, Instance) and value.name.startswith("torch.optim."):
        yield value
    elif isinstance(value, Mapping):
        yield from _optimizers_in(value.get("optimizer"))
    elif isinstance(value, Sequence):
        yield from (found for item in value.items or () for found in _optimizers_in(item))


_HOLDING_LOADERS = (".LightningModule", ".LightningDataModule")
