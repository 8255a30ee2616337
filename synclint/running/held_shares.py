"""What is held of a share of the files, and of a file that has another text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synclint.analysis.program.reach import text_of
from synclint.running.share_results import ShareResult
from synclint.running.survey import CodeFile
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract
from synclint.sources.kept_texts import kept


@dataclass(frozen=True)
class HeldShare:
    """What was found in a share, and the paths on which that rests."""

    files: tuple[CodeFile, ...]
    results: tuple[ShareResult, ...]
    consulted: frozenset[str]
    entered: frozenset[str]


def held_share(share: tuple[CodeFile, ...], results: tuple[ShareResult, ...]) -> HeldShare:
    """What came of a share, with what it rests on."""
    consulted = frozenset[str]().union(*(part.consulted for part in results))
    return HeldShare(share, results, consulted, frozenset[str]().union(*(part.entered for part in results)))


def with_new_text(file: CodeFile) -> CodeFile | None:
    """A file with the text that it has now; None where only a survey can tell what that means for other files."""
    try:
        text = read_source(file.path)
        embedded = extract(file.path, text)
    except (UnreadableSourceError, EmbeddedSourceError):
        return None
    source = text if embedded is None else embedded.module
    if text_of(source, "") != text_of(file.source, ""):
        return None
    return replace(file, kept=kept(source), embedded=embedded)
