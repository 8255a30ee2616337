"""Frozen records of which very many are made.

``dataclasses.dataclass(frozen=True)`` writes an ``__init__`` that stores each field by ``object.__setattr__``, which
takes five times as long as to assign it, and an analysis makes hundreds of thousands of values. For type checkers the
name here is that decorator, and they keep everybody from changing a record. When the program runs, the records are
compared and hashed by their fields just the same, but made without the guard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["dataclass", "remembered"]

if TYPE_CHECKING:
    from dataclasses import dataclass
    from functools import cached_property as remembered
else:
    import dataclasses

    class remembered:  # noqa: N801 - used as a decorator
        """``functools.cached_property`` without the lock that it takes up to Python 3.11."""

        def __init__(self, function):  # noqa: ANN001, ANN204
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):  # noqa: ANN001, ANN204
            self._name = name

        def __get__(self, record, owner=None):  # noqa: ANN001, ANN204
            if record is None:
                return self
            found = self._function(record)
            # Python makes no dictionary for an object as long as nobody asks for it.
            object.__setattr__(record, self._name, found)
            return found

    def dataclass(*, frozen: bool):  # noqa: ANN201 - never seen by a type checker
        """The decorator for a frozen record."""
        return dataclasses.dataclass(unsafe_hash=frozen)
