"""Asserting that a piece of code does not make the host wait: on CUDA where there is one, else on the simulated device.

Imports torch; the pytest plugin imports it when a test asks for it.
"""

from __future__ import annotations

import linecache
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import torch

from synclint.trace.assembly import finding_for
from synclint.trace.codes import rule_of
from synclint.trace.observation import observed
from synclint.trace.ownership import Ownership, default_ownership
from synclint.trace.records import CodeLine, ObservedWait
from synclint.trace.report import StaticFinding
from synclint.verify.recording import SyncRecord, hearing_syncs
from synclint.verify.simulated import operators_run, simulated_device


class Choice(str, Enum):
    """Which device tests run on."""

    AUTO = "auto"
    CUDA = "cuda"
    SIMULATED = "sim"


class NoDeviceError(Exception):
    """There is no such device here; the message is one line."""


@dataclass
class Watched:
    """What a piece of code does, filled in while it runs: its waits, in their order, and whether it used the device.

    ``used_device`` is None until the code is over, and where nobody can tell.
    """

    simulated: bool
    waits: list[ObservedWait] = field(default_factory=list)
    used_device: bool | None = None


@contextmanager
def device_for_tests(choice: Choice) -> Iterator[bool]:
    """Make sure that "cuda" works while the block runs; yields whether it is simulated.

    Raises NoDeviceError where CUDA was asked for and is missing, SimulatedDeviceUnavailable where it cannot be had.
    """
    real = torch.version.cuda is not None and torch.cuda.is_available()
    if choice is Choice.CUDA and not real:
        raise NoDeviceError("there is no CUDA device here: choose --sync-device=sim for the simulated one")
    if real and choice is not Choice.SIMULATED:
        yield False
        return
    with simulated_device():
        yield True


@contextmanager
def watching(
    simulated: bool,
    ownership: Ownership | None = None,
    counts: Callable[[Sequence[CodeLine]], bool] = lambda stack: True,
) -> Iterator[Watched]:
    """Record the waits of the block, those in regions that accept them aside; complete when it is over.

    Only waits count of whose stacks ``counts`` says so.
    """
    whose = ownership or default_ownership((os.getcwd(),))  # noqa: PTH109
    watched = Watched(simulated)
    before = operators_run() if simulated else 0

    def take(sync: SyncRecord) -> None:
        wait = observed(sync, whose)
        if not wait.allowed and counts(wait.stack):
            watched.waits.append(wait)

    with hearing_syncs(take):
        try:
            yield watched
        finally:
            if simulated:
                watched.used_device = operators_run() > before


def complaint(watched: Watched, max_waits: int, folder: Path) -> str | None:
    """What a failing test says, None if it passes. Waits that the driver may not need are not counted."""
    certain = [wait for wait in watched.waits if wait.certain]
    if watched.used_device is False:
        return (
            "nothing here ran on the device, so nothing could wait for it: were the tensors created on the CPU? "
            "A device chosen when a module is imported is found with --sync-device=sim"
        )
    if len(certain) <= max_waits:
        return None
    times = "once" if len(certain) == 1 else f"{len(certain)} times"
    allowed = f" (max_waits={max_waits})" if max_waits else ""
    where = "the simulated device" if watched.simulated else "CUDA"
    lines = [f"the host waited {times} for {where}{allowed}:"]
    findings = _findings(certain)
    codes: list[str] = []
    # Of waits that are told as one, one is asked for its rule.
    alike = {(wait.place, wait.library, wait.op): wait for wait in certain}
    counts = Counter((wait.place, wait.library, wait.op) for wait in certain)
    for key, count in counts.items():
        wait = alike[key]
        code = _code(wait, findings)
        shown = f"{_shown(wait.place, folder)}{_beneath(wait.library)}  {code}".rstrip()
        lines.append(f"  {shown}{f', {count} times' if count > 1 else ''}")
        if code and code not in codes:
            codes.append(code)
    if codes:
        lines.append("What to write instead: " + ", ".join(f"synclint explain {code.split()[0]}" for code in codes))
    return "\n".join(lines)


def _code(wait: ObservedWait, findings: Sequence[StaticFinding]) -> str:
    """The rule's code and name, as the linter prints them."""
    here = [f for f in findings if f.file == wait.place.file and f.first <= wait.place.line <= f.last]
    finding = finding_for(wait, here)
    if finding is not None:
        return f"{finding.code} {finding.name}"
    code = rule_of(wait)
    return f"{code} {_names().get(code, '')}".strip()


def _names() -> dict[str, str]:
    from synclint.rules.loading import load_rules

    return {rule.code: rule.name for rule in load_rules()}


def _findings(waits: Sequence[ObservedWait]) -> tuple[StaticFinding, ...]:
    """What the linter says of the files in which something waited."""
    from synclint.trace.linting import findings_in

    return findings_in(sorted({wait.place.file for wait in waits}))[0]


def _shown(place: CodeLine, folder: Path) -> str:
    file = Path(place.file)
    name = file.relative_to(folder) if file.is_relative_to(folder) else file
    return f"{name}:{place.line}  `{linecache.getline(place.file, place.line).strip()}`"


def _beneath(library: CodeLine | None) -> str:
    if library is None:
        return ""
    parts = Path(library.file).parts
    return f" → {'/'.join(parts[-2:])}:{library.line} `{linecache.getline(library.file, library.line).strip()}`"
