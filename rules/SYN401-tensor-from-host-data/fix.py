"""Tensors made on the device from data of the host."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.buffers import kept_as_buffer
from synclint.fixes.host_data import made_on_the_device
from synclint.fixes.place import Place, first_fix

CONSTRUCTS = ("tensor-from-host-data", "as-tensor-from-host-data", "asarray-from-host-data", "new-tensor")


def fix(place: Place) -> Fix | None:
    """Let a kernel write what is one number; copy the rest without waiting, or once for all calls."""
    return first_fix(place, made_on_the_device, kept_as_buffer) if place.finding.construct in CONSTRUCTS else None
