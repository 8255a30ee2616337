"""What a call gives, and what a method takes: which of the methods of a name a call on something unknown may mean."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """A method that is asked of something unknown, by its ``name``.

    It is given so many arguments by their ``positional`` places, and others by ``keywords``. There may be more where it
    ``is_open``: ``*rest`` and ``**options`` are in the call, or nothing but the name is known. ``beside`` tells for
    which other methods the function asks the same thing wherever it asks it for this one. Of a name that many things
    have, ``telling`` are those of other names for which it asks the same thing anywhere.
    """

    name: str
    positional: int = 0
    keywords: tuple[str, ...] = ()
    is_open: bool = True
    beside: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()


class Signature(NamedTuple):
    """What a method takes besides its object.

    ``positional`` are the parameters that have a place, ``keyword_only`` those that have none, ``required`` those of
    either without a default. ``takes_rest`` tells of ``*args``, ``takes_options`` of ``**kwargs``.
    """

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    required: tuple[str, ...]
    takes_rest: bool
    takes_options: bool

    def fits(self, asked: Asked) -> bool:
        """Whether a call may be one of this method: Python would raise an error for any other."""
        if asked.positional > len(self.positional) and not self.takes_rest:
            return False
        by_name = {*self.positional[asked.positional :], *self.keyword_only}
        if not self.takes_options and not by_name.issuperset(asked.keywords):
            return False
        given = {*self.positional[: asked.positional], *asked.keywords}
        return asked.is_open or given.issuperset(self.required)
