"""Reads ``analysis_cases``: files of snippets, each of which pins one fact about the analysis.

A snippet starts at ``# case: NAME``. ``# file: pkg/helpers.py`` starts a further file of its project,
``# torch: 2.7`` and ``# torchmetrics: 1.6`` name the release whose behaviour counts. The lines that must
be reported are marked as ``marked_sources`` describes, and values revealed as ``revealed_values`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).parent / "analysis_cases"
MAIN = "case.py"

_HEADER = re.compile(r"# (case|file|torch|torchmetrics): (\S+)$")


@dataclass(frozen=True)
class AnalysisCase:
    """One snippet: its files by name, with every line at the number it has where it was read."""

    topic: str
    name: str
    files: dict[str, str]
    torch_version: str | None = None
    library_versions: dict[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """The name of the case with the file that it stands in."""
        return f"{self.topic}/{self.name}"


@dataclass
class _Draft:
    name: str
    torch_version: str | None = None
    library_versions: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: {MAIN: []})


def _drafts(text: str) -> Iterator[_Draft]:
    draft, file = None, MAIN
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        key, value = header.groups() if header else ("", "")
        if key == "case":
            if draft is not None:
                yield draft
            draft, file = _Draft(value), MAIN
            continue
        if draft is None:
            raise ValueError(f"line {number} stands before the first case: {line!r}")
        if key == "file":
            file = value
            draft.files[file] = []
        elif key == "torch":
            draft.torch_version = value
        elif key == "torchmetrics":
            draft.library_versions[key] = value
        else:
            draft.files[file].append((number, line))
    if draft is not None:
        yield draft


def _numbered_as_read(lines: list[tuple[int, str]]) -> str:
    last = max((number for number, line in lines if line.strip()), default=0)
    kept = dict(lines)
    return "".join(f"{kept.get(number, '')}\n" for number in range(1, last + 1))


def load_cases(folder: Path = CASES) -> list[AnalysisCase]:
    """Every case of every file, in order; ValueError for a line that belongs to none."""
    cases = []
    for path in sorted(folder.glob("*.py")):
        for draft in _drafts(path.read_text(encoding="utf-8")):
            files = {name: _numbered_as_read(lines) for name, lines in draft.files.items()}
            if not files[MAIN].strip():
                del files[MAIN]
            cases.append(AnalysisCase(path.stem, draft.name, files, draft.torch_version, draft.library_versions))
    return cases
