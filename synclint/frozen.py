"""Frozen records of which very many are made.

``dataclasses.dataclass(frozen=True)`` writes an ``__init__`` that stores each field by ``object.__setattr__``, which
takes five times as long as to assign it, and an analysis makes hundreds of thousands of values. For type checkers the
name here is that decorator, and they keep everybody from changing a record. When the program runs, the records are
compared and hashed by their fields just the same, but made without the guard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool):  # noqa: ANN201 - never seen by a type checker
        """The decorator for a frozen record."""
        return dataclasses.dataclass(unsafe_hash=frozen)
