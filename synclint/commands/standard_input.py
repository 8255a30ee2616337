"""What is read from standard input: checked like a file, and written to standard output once it has been fixed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from synclint.adoption.edits import EditError, encoded
from synclint.commands.fixing import Fixing, Outcome, fix_files
from synclint.config.configurations import Configurations
from synclint.files.real_paths import real_path
from synclint.results.file_reports import FileReport
from synclint.sources.decoding import (
    UnreadableSourceError,
    decode_source,
    most_bytes,
    read_source,
    unsaved_texts,
)

STDIN = Path("-")


@dataclass(frozen=True)
class StandardInput:
    """The bytes, and the ``path`` that they are said to be of; ``problem`` says why they are no source."""

    path: Path
    data: bytes
    problem: str | None = None

    def report(self, configured: Configurations) -> FileReport:
        """What is found in it, with the text that ``unsaved_texts`` gives its path instead, if any."""
        if self.problem is not None:
            return FileReport(self.path, problem=f"{self.path}: {self.problem}")
        from synclint.running.runner import check_text

        with self._as_a_file():
            text = read_source(real_path(self.path))
            roots = (Path() if self.path == STDIN else self.path,)
            return check_text(text, self.path, roots, configured.of_file(self.path.absolute()))

    def fixed(
        self, reports: Sequence[FileReport], check: Callable[[], Sequence[FileReport]], fixing: Fixing
    ) -> tuple[Outcome, bytes]:
        """What comes of the fixes, and the bytes with them: as they were where nothing can be fixed."""
        with self._as_a_file():
            outcome = fix_files(reports, check, fixing, Path.cwd(), written=False)
        text = outcome.texts.get(real_path(self.path))
        try:
            return outcome, self.data if text is None else encoded(text, self.data)
        except EditError:
            return outcome, self.data

    def _as_a_file(self) -> AbstractContextManager[None]:
        """Let the path have this text, unless it has been given another one already."""
        return unsaved_texts({real_path(self.path): decode_source(self.data)}, beneath=True)


def read_standard_input(path: Path) -> StandardInput:
    """Read what is said to be the file at ``path``; what cannot be read has a problem."""
    try:
        most = most_bytes(path)
        data = sys.stdin.buffer.read(most + 1)
        if len(data) > most:
            return StandardInput(path, b"", f"standard input is larger than a source file may be ({most} bytes)")
        decode_source(data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return StandardInput(path, b"", f"standard input could not be read: {reason}")
    except UnreadableSourceError as error:
        return StandardInput(path, data, str(error))
    return StandardInput(path, data)
