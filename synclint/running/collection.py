"""Garbage collection, where there is nothing for it to find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Let nothing be searched for garbage.

    Trees, values and records live until what is made of them is done: to look through them again and again takes a
    third of the time of an analysis, and half of that in which its results are put together.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def only_of_what_is_new() -> Iterator[None]:
    """Let only what is made from now on be searched for garbage: what is there already stays until this is done."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
