"""Other processes that the traced program starts: nothing that happens in them is recorded, and the report says so."""

from __future__ import annotations

import functools
from multiprocessing.process import BaseProcess
from typing import Any

# Whose workers prepare batches on the host: that is theirs to do, and they use no device.
_LOADERS = "torch.utils.data."


class ChildProcesses:
    """Counts processes started with ``multiprocessing``, by whatever method, between ``start`` and ``stop``."""

    def __init__(self) -> None:
        self.count = 0
        self._original: Any = None

    def start(self) -> None:
        """Begin to count."""
        self._original = original = BaseProcess.start

        @functools.wraps(original)
        def counting(process: BaseProcess) -> None:
            target = getattr(process, "_target", None)
            if not str(getattr(target, "__module__", "")).startswith(_LOADERS):
                self.count += 1
            original(process)

        BaseProcess.start = counting  # type: ignore[method-assign, assignment]

    def notes(self) -> tuple[str, ...]:
        """What the report says of them."""
        if not self.count:
            return ()
        were = "1 process that it started was" if self.count == 1 else f"{self.count} processes that it started were"
        return (f"{were} not recorded: what waits there is missing here (under `torchrun` each rank writes a report)",)

    def stop(self) -> None:
        """Leave everything as it was."""
        BaseProcess.start = self._original  # type: ignore[method-assign]
