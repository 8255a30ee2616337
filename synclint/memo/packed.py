"""Records as entries of the cache: in MessagePack, compressed, and read back only as what they are said to be."""

from __future__ import annotations

import zlib
from typing import TypeVar

import msgspec

Packed = TypeVar("Packed")
# Most of what is remembered is text that repeats itself: the fastest level makes it a tenth as large.
_FAST = 1


def packed(values: object) -> bytes:
    """Records as bytes. Raises UnicodeEncodeError for text that cannot be written, such as the names of some files."""
    return compressed(msgspec.msgpack.encode(values))


def compressed(body: bytes) -> bytes:
    """Bytes as they are kept."""
    return zlib.compress(body, _FAST)


def unwritten(body: bytes | None, kind: type[Packed]) -> Packed | None:
    """What bytes in MessagePack hold, None for those that hold nothing of this kind."""
    try:
        return None if body is None else msgspec.msgpack.decode(body, type=kind)
    except msgspec.MsgspecError:
        return None


def unpacked(body: bytes | None, kind: type[Packed]) -> Packed | None:
    """What bytes hold, None for those that hold nothing of this kind."""
    try:
        return None if body is None else msgspec.msgpack.decode(zlib.decompress(body), type=kind)
    except (zlib.error, msgspec.MsgspecError):
        return None
