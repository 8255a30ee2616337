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
    """Report the first argument with a tensor that is surest to be on the host, if the wrapper was told its device.

    Source: ``DistributedDataParallel._pre_forward`` in torch/nn/parallel/distributed.py, and ``_to_kwargs`` in
    torch/distributed/utils.py, which copies with ``.to(device)``.
    """
    devices = callee.given("device_ids") if callee.name == _DISTRIBUTED else None
    if devices is None or isinstance(devices, Nothing):
        return
    values = [*arguments.positional, *arguments.keywords.values()]
    given = [(argument, _tensor_in(value)) for argument, value in zip(argument_nodes(node), values, strict=False)]
    # Where it is told its device on some paths only, it is called with what has been moved on those.
    for device, limit in ((Device.CPU, None), (Device.EITHER, Confidence.LOW)):
        for argument, source in given:
            if source is None or source.is_empty or source.device is not device:
                continue
            copied = transfer(source.device, Device.DEVICE)
            if copied is not None and copied.way is Way.TO_DEVICE:
                frame.report("distributed-inputs", node, source, argument, limit or copied.limit)
                return


def _tensor_in(value: Value) -> Tensor | None:
    """The tensor that a value is or contains."""
    return _tensor_in(any_item(value)) if isinstance(value, (Sequence, Mapping)) else tensor_of(value)
