"""Run the rules' cases and say whether the hardware agrees: on CUDA, or on a simulated device.

Nothing here imports torch until a name of it is used, so that the linter stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synclint.verify.recording import SyncRecord, record_syncs
    from synclint.verify.simulated import simulated_device

__all__ = ["SyncRecord", "record_syncs", "simulated_device"]

_HOMES = {
    "SyncRecord": "synclint.verify.recording",
    "record_syncs": "synclint.verify.recording",
    "simulated_device": "synclint.verify.simulated",
}


def __getattr__(name: str) -> object:
    """The public names, imported when they are first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
