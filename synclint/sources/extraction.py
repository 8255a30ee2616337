"""Takes the Python out of a file that holds more than Python."""

from __future__ import annotations

from pathlib import Path

from synclint.sources.embedded import DOCUMENT_SUFFIXES, NOTEBOOK_SUFFIX, Embedded


def extract(path: Path, text: str) -> Embedded | None:
    """The Python within a notebook or a document; None for a file that is Python itself.

    Raises EmbeddedSourceError for a file that is not what its name says, or when the parser that its
    format needs is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == NOTEBOOK_SUFFIX:
        from synclint.sources.notebooks import notebook_module

        return notebook_module(text)
    if suffix in DOCUMENT_SUFFIXES:
        from synclint.sources.documents import document_module

        return document_module(suffix, text)
    return None
