"""How a run tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

# Is told how many more files have been analysed.
Progress = Callable[[int], None]
