"""The user's own run, its waits on the user's own lines.

The package can be called: ``with synclint.trace() as report:`` is ``synclint.trace.blocks.trace``. Nothing here imports
torch until something is traced.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synclint.trace.blocks import BlockReport


class _Callable(ModuleType):
    def __call__(self, device: str | None = None, **options: Any) -> AbstractContextManager[BlockReport]:  # noqa: ANN401
        """Trace a block of code; see ``synclint.trace.blocks.trace``."""
        from synclint.trace.blocks import trace

        return trace(device, **options)


sys.modules[__name__].__class__ = _Callable
