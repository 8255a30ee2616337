"""Copies between the host and the device: by where a tensor is and where it goes, whoever asks for the copy.

One rule for both ends. ``UNKNOWN`` is the device, since that is what people run; ``EITHER`` is the CPU on some paths.
Where both ends may be either, they are so together as a rule: an object, its tensors and what it is given have one
device, whichever that is. Who brings what a module holds to where something else is says that it may be elsewhere.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from synclint.analysis.domain.values import Device
from synclint.findings import Confidence


class Way(Enum):
    """Which way data is copied."""

    TO_DEVICE = "to the device"
    TO_HOST = "to the host"


class Transfer(NamedTuple):
    """A copy between the host and the device, and how sure it can be at most, None where nothing limits that."""

    way: Way
    limit: Confidence | None = None


def transfer(source: Device, target: Device) -> Transfer | None:
    """The copy that brings data from one place to another, None where there is none, as far as is known."""
    if source is Device.EITHER and target is Device.EITHER:
        return Transfer(Way.TO_DEVICE, Confidence.LOW)
    if source is Device.MODULE and target in (Device.MODULE, Device.UNKNOWN):
        return Transfer(Way.TO_DEVICE, Confidence.MEDIUM)
    if source in _MAYBE_HOST and target is not Device.CPU:
        certain = source is Device.CPU and target.in_use is Device.DEVICE
        return Transfer(Way.TO_DEVICE, None if certain else Confidence.MEDIUM)
    if source is not Device.CPU and target in _MAYBE_HOST:
        return Transfer(Way.TO_HOST, None if target is Device.CPU else Confidence.MEDIUM)
    return None


_MAYBE_HOST = (Device.CPU, Device.EITHER)
