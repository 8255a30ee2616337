"""A long sequence of random edits in a package: in files, of files, and back again.

Most of them are within functions or move lines, many in the file that was edited just before or in one from which
others import, as people work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks import code_edits
from benchmarks.body_edits import with_edited_body
from benchmarks.corpus import python_files

_InFile = Callable[[str, Random], str]
_IN_FILES: dict[str, tuple[_InFile, int]] = {
    "another body": (with_edited_body, 45),
    "more lines without code": (code_edits.with_lines_of_comment, 12),
    "fewer lines without code": (code_edits.without_lines_of_comment, 5),
    "a longer docstring": (code_edits.with_longer_docstring, 5),
    "a comment behind code": (code_edits.with_comment_behind_code, 7),
    "a comment at the end": (lambda text, chosen: code_edits.with_comment(text), 2),
    "another signature": (code_edits.with_other_signature, 6),
    "a new function": (code_edits.with_new_function, 5),
    "other imports": (code_edits.with_other_imports, 4),
    "a new import": (code_edits.with_new_import, 5),
    "a new method": (code_edits.with_new_method, 4),
    "another constant": (code_edits.with_new_constant, 6),
    "another value": (code_edits.with_other_value, 10),
    "another name for a parameter": (code_edits.with_renamed_parameter, 4),
    "a function less": (code_edits.without_definition, 2),
    "the beginning only": (code_edits.cut_off, 1),
}
_OF_FILES = {"undone": 5, "as at first": 4, "a copy": 2, "renamed": 2, "deleted": 1}
# Names are evidence: of tests, and of modules that evaluate.
_NEW_NAMES = ("{stem}_{number}.py", "test_{stem}_{number}.py", "eval_{stem}_{number}.py")
_OFTEN_IMPORTED = 6
_MOST_TRIES = 8


@dataclass
class RandomEdits:
    """Edits in a ``folder``, one after the other; the same for the same seed."""

    folder: Path
    chosen: Random
    _originals: dict[Path, str] = field(init=False)
    _often_imported: list[Path] = field(init=False)
    _before: dict[Path, list[str]] = field(init=False, default_factory=dict)
    _latest: Path | None = None
    _count: int = 0

    def __post_init__(self) -> None:
        files = python_files(self.folder)
        self._originals = {path: path.read_text(encoding="utf-8") for path in files}
        self._often_imported = code_edits.by_imports(self.folder, files)[:_OFTEN_IMPORTED]

    def edit(self) -> tuple[str, Path]:
        """Make one edit: what it was, and the file, which may be gone."""
        self._count += 1
        weights = {**{kind: weight for kind, (_, weight) in _IN_FILES.items()}, **_OF_FILES}
        kind = self.chosen.choices([*weights], [*weights.values()])[0]
        path = self._path(kind)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if kind in _IN_FILES:
            kind, path = self._edited(kind, path)
        elif kind == "undone":
            texts = self._before.get(path)
            path.write_text(texts.pop() if texts else self._originals.get(path, before), encoding="utf-8")
        elif kind == "as at first":
            path.write_text(self._originals.get(path, before), encoding="utf-8")
        elif kind == "deleted":
            path.unlink()
        else:
            new = path.with_name(self.chosen.choice(_NEW_NAMES).format(stem=path.stem, number=self._count))
            if kind == "renamed":
                path.rename(new)
            else:
                new.write_text(before, encoding="utf-8")
            kind, path = f"{kind}, as {new.name}", new
        self._latest = path
        return kind, path

    def any_file(self) -> Path:
        """One of the files that are there."""
        return self.chosen.choice(python_files(self.folder))

    def _path(self, kind: str) -> Path:
        changed = [path for path, text in sorted(self._originals.items()) if not _says(path, text)]
        if kind == "as at first" and changed:
            return self.chosen.choice(changed)
        likely = self.chosen.random()
        if self._latest is not None and self._latest.exists() and likely < 0.4 and kind != "deleted":
            return self._latest
        present = [path for path in self._often_imported if path.exists()]
        return self.chosen.choice(present) if present and likely < 0.6 and kind in _IN_FILES else self.any_file()

    def _edited(self, kind: str, path: Path) -> tuple[str, Path]:
        edit, _ = _IN_FILES[kind]
        for _ in range(_MOST_TRIES):
            before = path.read_text(encoding="utf-8")
            try:
                after = edit(before, self.chosen)
            except LookupError:  # nothing in it can be edited so
                path = self.any_file()
                continue
            except SyntaxError:  # cut off before
                kind, after = "as at first", self._originals.get(path, before)
            if after != before:
                break
            path = self.any_file()
        else:
            before = path.read_text(encoding="utf-8")
            kind, after = "a comment at the end", code_edits.with_comment(before)
        self._before.setdefault(path, []).append(before)
        path.write_text(after, encoding="utf-8")
        return kind, path


def _says(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text
