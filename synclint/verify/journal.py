"""What a verification has measured so far, on disk as it goes: an interruption costs one case, and a later run goes on.

One line of JSON for each case, appended when it has been measured. A line that was cut off is passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path

import msgspec

from synclint.verify.cases import Case
from synclint.verify.measurement import Environment, Measurement


class Entry(msgspec.Struct, frozen=True):
    """A case that was measured: ``programs`` is the hash of its two programs, ``machine`` that of where they ran."""

    case: str
    programs: str
    machine: str
    measured: Measurement


def digest_of_programs(case: Case) -> str:
    """The hash of all that a case runs."""
    return _digest(case.hazard.text, case.twin.text, case.setup or "")


def digest_of_machine(environment: Environment) -> str:
    """The hash of what a measurement depends on besides its programs: all but when it was made, and calibration."""
    facts = asdict(environment)
    for name in ("date", "settings"):
        del facts[name]
    return _digest(json.dumps(facts, sort_keys=True))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


class Journal:
    """The file; ``resume`` takes what it holds for known, otherwise it begins anew.

    Raises OSError where it cannot be read or written.
    """

    def __init__(self, path: Path, *, resume: bool) -> None:
        self._path = path
        self._known: dict[tuple[str, str, str], Measurement] = {}
        if not resume:
            path.write_bytes(b"")
        elif path.exists():
            self._read(path.read_bytes())

    def _read(self, content: bytes) -> None:
        decoder = msgspec.json.Decoder(Entry)
        for line in content.splitlines():
            try:
                entry = decoder.decode(line)
            except (msgspec.DecodeError, ValueError):
                continue  # cut off, or of another version of the program
            self._known[entry.case, entry.programs, entry.machine] = entry.measured

    def known(self, case: Case, environment: Environment) -> Measurement | None:
        """What was measured of these very programs on this very machine; None where that failed, or never was."""
        measured = self._known.get((case.id, digest_of_programs(case), digest_of_machine(environment)))
        return measured if measured is not None and not measured.failures else None

    def keep(self, case: Case, environment: Environment, measured: Measurement) -> None:
        """Write it down, for good: the machine may be gone the next moment."""
        entry = Entry(case.id, digest_of_programs(case), digest_of_machine(environment), measured)
        with self._path.open("ab") as stream:
            # What was cut off before must not take this line with it.
            stream.write(b"\n" + msgspec.json.encode(entry) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
