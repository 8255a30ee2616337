"""Collections of metrics, which hand what they are given to each metric that they hold."""

from __future__ import annotations

from collections.abc import Iterator

from synclint.analysis.domain.values import Instance, Mapping, Sequence, Value, options

_COLLECTION = "torchmetrics.MetricCollection"


def metrics_in(receiver: Instance) -> Iterator[Instance]:
    """The metrics that a collection holds, which are where it has been moved.

    Source: torchmetrics/collections.py, ``MetricCollection.update`` and ``MetricCollection.forward``.
    """
    if receiver.name == _COLLECTION and receiver.record is None:
        is_moved = receiver.given("device") is None
        for metric in _held(receiver.given("metrics")):
            own = tuple((key, value) for key, value in metric.fields if key != "device" or not is_moved)
            yield Instance(metric.name, metric.record, own)


def _held(value: Value | None) -> Iterator[Instance]:
    for option in options(value) if value is not None else ():
        if isinstance(option, Instance):
            yield option
        elif isinstance(option, Sequence):
            for item in option.known:
                yield from _held(item)
        elif isinstance(option, Mapping):
            for _, item in option.entries:
                yield from _held(item)
