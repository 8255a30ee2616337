"""Reads source files as Python itself does: coding lines, byte order marks, UTF-8 otherwise."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from synclint.files.bounded_files import read_at_most
from synclint.files.real_paths import real_path

# More than anybody writes, or generates to be run. A notebook holds the pictures that it shows, too; the parsers of
# documents take many times as long as Python's.
MOST_BYTES = 16 * 2**20
LARGEST_BYTES = 128 * 2**20
_MOST_BYTES_OF = {".ipynb": LARGEST_BYTES, ".md": 2**20, ".markdown": 2**20, ".rst": 2**20}


class UnreadableSourceError(ValueError):
    """A file that cannot be read or decoded; the message says why, without the file's name."""


# Each thread has its own: two projects may be held open by one process.
_unsaved: ContextVar[Mapping[Path, str]] = ContextVar("_unsaved", default=MappingProxyType({}))


@contextmanager
def unsaved_texts(texts: Mapping[Path, str], *, beneath: bool = False) -> Iterator[None]:
    """Let files, by their resolved paths, have other texts than those on disk for as long as this lasts.

    Texts that they were given before stay where there are no new ones, and everywhere if these come ``beneath`` them.
    It holds in this thread, and in processes that are forked meanwhile.
    """
    known = _unsaved.get()
    token = _unsaved.set({**texts, **known} if beneath else {**known, **texts})
    try:
        yield
    finally:
        _unsaved.reset(token)


def unsaved_text(path: Path) -> str | None:
    """The text that a file has instead of the one on disk; None for all but those of ``unsaved_texts``."""
    unsaved = _unsaved.get()
    return unsaved.get(real_path(path)) if unsaved else None


def unsaved_names(folder: Path) -> frozenset[str]:
    """The names of the files in a folder that have other texts than those on disk, where they need not be."""
    unsaved = _unsaved.get()
    return frozenset(path.name for path in unsaved if path.parent == real_path(folder)) if unsaved else frozenset()


def read_source(path: Path) -> str:
    """The text of a file, its line ends as they are. Raises UnreadableSourceError."""
    if (text := unsaved_text(path)) is not None:
        return text
    try:
        data = read_at_most(path, most_bytes(path), "a source file")
    except IsADirectoryError:
        raise UnreadableSourceError("is a directory now") from None
    except FileNotFoundError:
        raise UnreadableSourceError("no such file or directory") from None
    except OSError as error:
        raise UnreadableSourceError((error.strerror or str(error)).lower()) from None
    return decode_source(data)


def most_bytes(path: Path) -> int:
    """How many bytes a file may have to be checked, by its suffix."""
    return _MOST_BYTES_OF.get(path.suffix.lower(), MOST_BYTES)


def decode_source(data: bytes) -> str:
    """Decode a file's bytes by its PEP 263 coding line or byte order mark. Raises UnreadableSourceError."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        _decode(data, "utf-8")  # says so where the bytes are at fault, not the coding line
        raise UnreadableSourceError(f"its coding line cannot be used: {error}") from None
    return _decode(data, encoding)


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableSourceError(
            f"line {line} is not valid {error.encoding} (byte 0x{data[error.start]:02x}); "
            "name the file's encoding in a coding line at its top, or save it as UTF-8"
        ) from None
    except (UnicodeError, LookupError) as error:
        raise UnreadableSourceError(f"its coding line cannot be used: {error}") from None
