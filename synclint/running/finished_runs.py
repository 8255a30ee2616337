"""What a run over some files has found, as it is kept: it holds while nothing has changed on which it rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from synclint.memo.path_states import PathStates
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_of, report_values
from synclint.sources.decoding import UnreadableSourceError, read_source

# Where more has changed, it was not one edit after the other.
_FEW_CHANGED = 20


@dataclass(frozen=True)
class FinishedRun:
    """The reports of a run, each also in JSON, and what was at the paths that it ``rests_on``.

    ``premises`` are what the reports rest on besides code, ``bases`` hashes of what they were made of, by the paths of
    their files; ``looked_at`` are the files, by their resolved paths, at which fixes in others have looked.
    ``contexts`` identifies what is kept of its contexts, ``shares`` what is kept of its shares. ``states`` are those of
    paths by now.
    """

    reports: Sequence[tuple[FileReport, msgspec.Raw]]
    rests_on: Mapping[str, str]
    premises: msgspec.Raw
    bases: Mapping[str, str]
    looked_at: frozenset[str]
    contexts: str
    shares: Mapping[str, str]
    states: PathStates

    def changed(self) -> dict[str, tuple[str, str]]:
        """What has changed since then: the hashes before and now, by paths."""
        now = ((path, state, self.states.now(path)) for path, state in self.rests_on.items())
        return {path: (before, after) for path, before, after in now if before != after}

    def state(self, path: str) -> str:
        """What is at a path now, as a word or a hash."""
        return self.states.now(path)


@dataclass(frozen=True)
class _Written:
    """A run as it is kept: the hashes of what it rests on, and the reports of the files at ``paths``."""

    states: dict[str, str]
    premises: msgspec.Raw
    bases: dict[str, str]
    looked_at: frozenset[str]
    contexts: str
    shares: dict[str, str]
    paths: list[str]
    reports: list[msgspec.Raw]


def written_run(
    reports: Sequence[FileReport],
    states: Mapping[str, str],
    premises: object,
    bases: Mapping[str, str],
    looked_at: frozenset[str],
    contexts: str,
    shares: Mapping[str, str],
) -> dict[str, Any]:
    """A run in JSON."""
    return {
        "states": states,
        "premises": msgspec.to_builtins(premises),
        "bases": bases,
        "looked_at": sorted(looked_at),
        "contexts": contexts,
        "shares": dict(shares),
        "paths": [str(report.path) for report in reports],
        "reports": [report_values(report) for report in reports],
    }


def finished_run(body: bytes, wanted: frozenset[Path] | None) -> FinishedRun | None:
    """What a run found, of the files that are wanted; None where it cannot be read, or too much has changed."""
    names = None if wanted is None else frozenset(map(str, wanted))
    try:
        run = msgspec.json.decode(body, type=_Written)
        reports = [
            (report_of(msgspec.json.decode(report), read_source), report)
            for path, report in zip(run.paths, run.reports, strict=True)
            if names is None or path in names
        ]
    except (UnreadableSourceError, msgspec.MsgspecError, ValueError, TypeError, KeyError, AttributeError):
        return None
    finished = FinishedRun(
        reports, run.states, run.premises, run.bases, run.looked_at, run.contexts, run.shares, PathStates()
    )
    return None if len(finished.changed()) > _FEW_CHANGED else finished
