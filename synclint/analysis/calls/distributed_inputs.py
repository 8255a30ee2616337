"""What ``DistributedDataParallel`` copies to its device when it is called."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.transfers import Way, transfer
from synclint.analysis.domain.values import Device, Instance, Mapping, Nothing, Sequence, Tensor, Value
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_nodes
from synclint.findings import Confidence

_DISTRIBUTED = "torch.nn.parallel.DistributedDataParallel"


def report_copied_inputs(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Report the first argument with a tensor from the host, if the wrapper was told its device.

    Source: ``DistributedDataParallel._pre_forward`` in torch/nn/parallel/distributed.py, and ``_to_kwargs`` in
    torch/distributed/utils.py, which copies with ``.to(device)``.
    """
    devices = callee.given("device_ids") if callee.name == _DISTRIBUTED else None
    if devices is None or isinstance(devices, Nothing):
        return
    values = [*arguments.positional, *arguments.keywords.values()]
    for argument, value in zip(argument_nodes(node), values, strict=False):
        source = _tensor_in(value)
        copied = transfer(source.device, Device.DEVICE) if source is not None and not source.is_empty else None
        if source is not None and copied is not None and copied.way is Way.TO_DEVICE:
            # Where it is told its device on some paths only, it is called with what has been moved on those.
            limit = copied.limit if source.device is Device.CPU else Confidence.LOW
            frame.report("distributed-inputs", node, source, argument, limit)
            return


def _tensor_in(value: Value) -> Tensor | None:
    """The tensor that a value is or contains."""
    return _tensor_in(any_item(value)) if isinstance(value, (Sequence, Mapping)) else tensor_of(value)
