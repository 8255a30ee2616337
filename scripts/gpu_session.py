"""The first hour on a GPU as one command: what only a real device can say, in files that outlive the machine.

    python scripts/gpu_session.py --out DIR [--limit SECONDS] [--wheels DIR]

The parts run one after the other, each within its share of the limit, and leave their files in DIR before the next one
begins. With the DIR of an earlier session the command goes on: parts that came to their end are skipped, and
verifications that did not measure only what is missing. DIR holds eight files of at most 16 MiB each:

    session.json        the machine, and how each part ended
    rules.json          the evidence on all rules, for evidence/
    rules.tar.gz        the page, the journal and the Chrome traces of that verification
    torchmetrics.json   the evidence on SYN501 with torchmetrics 1.6.1, whose wheel lies in --wheels
    uploads.json        how long uploads hold the host, by size, kind of memory and kind of call
    articles.json       what a step of the articles' programs takes, before and after each optimization
    traces.tar.gz       what `synclint trace` says of the same programs
    catalog.tar.gz      the verification of the whole catalogue

On a runtime that pretends to be a GPU the session is a rehearsal: all of its parts run, but only some of the articles'
programs, and of the catalogue the entries of some rules; session.json says so.

The status is 0 if every part came to its end, and 1 otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).resolve().parent
REPOSITORY = SCRIPTS.parent
SEEDS = REPOSITORY / "tests" / "fixtures" / "seeds"
ARTICLES = ("masked_loss", "metric_collection")
LARGEST = 16 * 2**20
DONE = "done"
# Between SIGTERM and SIGKILL: a verification that is terminated writes down what it has.
_GRACE = 20.0
# No part is begun with less than this.
_SHORTEST = 5.0
# Another program is not begun with less than this: it would import PyTorch and be ended.
_LEAST = 20.0
# Statuses of a verification that came to its end: what it has contradicted is a result, too.
_VERIFIED = (0, 1)
# By what evidence is refused as well: such a device proves nothing about a GPU.
_PRETENDED = "pretended"
# In a rehearsal: every fourth of the articles' programs, and of the catalogue what belongs to rules with these codes.
_REHEARSED_PROGRAMS = 4
_REHEARSED_RULES = "SYN3"
# Of a report: what a verification goes on from, and the first to be left out where it would be too large.
_JOURNAL = "measured.jsonl"
_TRACES = "traces"
_MACHINE = """
import json, platform, torch
from synclint.verify.cuda_survey import cupti_version, driver_version
from synclint.verify.provenance import commit_of_checkout, releases
torch.ones(8, device="cuda").sum().item()
print(json.dumps({
    "device": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
    "driver": driver_version(), "cupti": cupti_version(), "python": platform.python_version(),
    "packages": releases(), "commit": commit_of_checkout(),
}))
"""


class PartFailedError(Exception):
    """A part did not come to its end; the message says why. What it has left in its files counts all the same."""


@dataclass(frozen=True)
class Place:
    """Where a part works: files to stay go to ``out``, everything else to ``work``; ``wheels`` may be missing."""

    out: Path
    work: Path
    wheels: Path | None


@dataclass(frozen=True)
class Part:
    """A part of the session: ``share`` is how much of the time that is left it may take."""

    name: str
    share: float
    run: Callable[[Place, float], None]


def python(
    place: Place, arguments: Sequence[str], seconds: float, path: Sequence[Path] = (), ends_with: Sequence[int] = (0,)
) -> str:
    """What Python prints, with the packages of ``path`` first; ``ends_with`` are the statuses of a good end.

    Raises PartFailedError for any other, and after so many seconds.
    """
    entries = [*map(str, (*path, REPOSITORY)), *filter(None, [os.environ.get("PYTHONPATH")])]
    # Else every process would compile PyTorch anew where its installation has left no bytecode: four seconds each.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=place.work,
        env={**inherited, "PYTHONPATH": os.pathsep.join(entries)},
        start_new_session=True,
    )
    ended = False
    try:
        try:
            printed, _ = process.communicate(timeout=max(seconds, 1.0))
        except subprocess.TimeoutExpired:
            ended = True
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=_GRACE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if ended:
        raise PartFailedError(f"did not finish within {seconds:.0f} s")
    if process.returncode not in ends_with:
        raise PartFailedError(f"ended with status {process.returncode}: {_cause_in(printed)}")
    return printed


def _cause_in(printed: str) -> str:
    """The last line that names an exception, after which libraries may warn of what was left open; else the last."""
    lines = printed.strip().splitlines() or ["it printed nothing"]
    return next(filter(re.compile(r"(\[\w+\]: )?[\w.]+(Error|Exception): ").match, reversed(lines)), lines[-1])


def record_in(printed: str) -> dict[str, Any]:
    """The record that a program has printed on a line, among whatever libraries print. Raises PartFailedError."""
    for line in reversed(printed.splitlines()):
        if line.startswith("{"):
            with suppress(ValueError):
                found: dict[str, Any] = json.loads(line)
                return found
    raise PartFailedError("printed no record")


def see_machine(place: Place, seconds: float) -> None:
    """Find out what this machine is; fails where it has no device that computes."""
    found = record_in(python(place, ["-c", _MACHINE], seconds))
    rehearsal = _PRETENDED in found["device"].lower()
    if is_rehearsal(place) and not rehearsal:
        raise PartFailedError("the folder holds a rehearsal: a session on a GPU needs another one")
    (place.out / "session.json").write_text(
        json.dumps({**session(place.out), "machine": found, "rehearsal": rehearsal}, indent=1) + "\n",
        encoding="utf-8",
    )


def is_rehearsal(place: Place) -> bool:
    """Whether the device only pretends to be one: then it is to be seen that each part runs, and no more."""
    return bool(session(place.out).get("rehearsal"))


def verifying(
    name: str, *arguments: str, after: str = "", rehearsed: Sequence[str] = ()
) -> Callable[[Place, float], None]:
    """A part that verifies; the archive holds its report, from which the next session goes on.

    What the part ``after`` which it comes has measured, it does not measure again. ``rehearsed`` are further arguments
    for a rehearsal.
    """

    def verify(place: Place, seconds: float) -> None:
        archive = place.out / f"{name}.tar.gz"
        report = place.work / name
        for packed in (place.out / f"{after}.tar.gz", archive):
            _unpack(packed, place.work)
        known = place.work / after / _JOURNAL
        if after and known.exists() and not report.exists():
            report.mkdir()
            shutil.copy(known, report)
        options = ["--timeout", "30", "--report", str(report), "--resume", *(rehearsed if is_rehearsal(place) else ())]
        try:
            python(place, ["-m", "synclint", "--verify", *options, *arguments], seconds, ends_with=_VERIFIED)
        finally:
            _pack(report, archive)
            for evidence in report.glob("*torch*.json"):
                if name == "rules":
                    (place.out / "rules.json").write_bytes(evidence.read_bytes())

    return verify


def verify_old_metrics(place: Place, seconds: float) -> None:
    """SYN501 has been mended in torchmetrics since: prove it with the release that had it."""
    found = sorted(place.wheels.glob("torchmetrics-1.6.1-*.whl")) if place.wheels is not None else []
    if not found:
        raise PartFailedError("there is no wheel of torchmetrics 1.6.1 in --wheels")
    library = place.work / "torchmetrics-1.6.1"
    with zipfile.ZipFile(found[0]) as wheel:
        wheel.extractall(library)
    report = place.work / "torchmetrics"
    arguments = ["-m", "synclint", "--verify", "--select", "SYN501", "--report", str(report)]
    try:
        python(place, arguments, seconds, [library], _VERIFIED)
    finally:
        for evidence in report.glob("*torch*.json"):
            (place.out / "torchmetrics.json").write_bytes(evidence.read_bytes())


def measure_uploads(place: Place, seconds: float) -> None:
    """Uploads of many sizes behind a busy device."""
    printed = python(place, [str(SCRIPTS / "gpu_uploads.py")], seconds)
    (place.out / "uploads.json").write_text(json.dumps(record_in(printed)) + "\n", encoding="utf-8")


def programs(place: Place) -> list[Path]:
    """The articles' programs, each before and after one optimization more."""
    found = [path for article in ARTICLES for path in sorted((SEEDS / article).glob("step_*.py"))]
    return found[::_REHEARSED_PROGRAMS] if is_rehearsal(place) else found


def time_articles(place: Place, seconds: float) -> None:
    """What a step of each program takes, without any tracing; those of programs that do not run here say why."""
    kept = place.out / "articles.json"
    times = _read_table(kept)

    def measure(path: Path, share: float) -> None:
        name = _name(path)
        try:
            times[name] = record_in(python(place, [str(SCRIPTS / "gpu_article.py"), str(path)], share))
        except PartFailedError as error:
            times[name] = {"failed": str(error)}
            raise
        finally:
            kept.write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8")

    # Those that failed before come last: one that never ends must not keep the others from their turn.
    wanted = [path for path in programs(place) if "failed" in times.get(_name(path), {"failed": ""})]
    _each(sorted(wanted, key=lambda path: _name(path) in times), seconds, measure)


def trace_articles(place: Place, seconds: float) -> None:
    """The same programs under ``synclint trace``."""
    archive = place.out / "traces.tar.gz"
    folder = place.work / "articles"
    folder.mkdir(exist_ok=True)
    _unpack(archive, place.work)

    def trace(path: Path, share: float) -> None:
        name = _name(path)
        outputs = [f"--output-file={kind}={folder / name}.{kind}" for kind in ("json", "text", "html")]
        arguments = ["-m", "synclint", "trace", *outputs, str(SCRIPTS / "gpu_article.py"), str(path)]
        failed = folder / f"{name}.failed"
        failed.unlink(missing_ok=True)
        try:
            # Beside the wheel that another part unpacks, the linter would take that for part of the program.
            python(replace(place, work=folder), arguments, share)
        except PartFailedError as error:
            failed.write_text(f"{error}\n", encoding="utf-8")
            raise
        finally:
            _pack(folder, archive)

    def is_wanted(path: Path) -> bool:
        return _failed(folder, path) or not (folder / f"{_name(path)}.json").exists()

    # In a rehearsal one will do: a traced run takes the longest of all.
    traced = programs(place)[-1:] if is_rehearsal(place) else programs(place)
    wanted = filter(is_wanted, traced)
    _each(sorted(wanted, key=lambda path: _failed(folder, path)), seconds, trace)


def _failed(folder: Path, path: Path) -> bool:
    return (folder / f"{_name(path)}.failed").exists()


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def _each(paths: Sequence[Path], seconds: float, run: Callable[[Path, float], None]) -> None:
    """Run something for each program, each with its share of the time but no less than it takes to begin.

    What did not come to its turn is left to the next session. Raises PartFailedError, once all have been tried.
    """
    deadline = time.monotonic() + seconds
    failed: list[str] = []
    for position, path in enumerate(paths):
        left = deadline - time.monotonic()
        if position and left < _LEAST:
            failed.append(f"no time was left for {', '.join(map(_name, paths[position:]))}")
            break
        try:
            run(path, max(left / (len(paths) - position), min(_LEAST, left)))
        except PartFailedError as error:
            failed.append(f"{_name(path)} {error}")
    if failed:
        raise PartFailedError("; ".join(failed))


def _unpack(archive: Path, folder: Path) -> None:
    """What an earlier session has packed, if there was one."""
    if archive.exists():
        with tarfile.open(archive) as packed:
            # Python 3.10 and 3.11 have it from some bugfix release on.
            packed.extraction_filter = getattr(tarfile, "data_filter", None)
            packed.extractall(folder)


def _pack(folder: Path, archive: Path) -> None:
    """Put a folder into an archive that is small enough, if need be without its traces; replace the archive at once."""
    if not folder.is_dir():
        return
    partial = archive.with_suffix(".partial")
    for without in ((), (_TRACES,)):
        with tarfile.open(partial, "w:gz") as packed:
            for path in sorted(folder.rglob("*")):
                name = path.relative_to(folder.parent)
                if path.is_file() and not set(name.parts).intersection(without):
                    packed.add(path, str(name))
        if partial.stat().st_size <= LARGEST:
            break
    partial.replace(archive)


PARTS = (
    Part("machine", 0.2, see_machine),
    Part("rules", 0.5, verifying("rules")),
    Part("torchmetrics", 0.2, verify_old_metrics),
    Part("uploads", 0.2, measure_uploads),
    Part("articles", 0.55, time_articles),
    Part("traces", 0.6, trace_articles),
    Part("catalog", 1.0, verifying("catalog", "--catalog", after="rules", rehearsed=("--select", _REHEARSED_RULES))),
)


def session(out: Path) -> dict[str, Any]:
    """What earlier sessions in this folder have written down; empty where there are none, or nothing is left of it."""
    return _read_table(out / "session.json")


def _read_table(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def run_session(place: Place, parts: Sequence[Part], limit: float, tell: Callable[[str], None] = print) -> bool:
    """Run the parts that have not come to their end yet; whether all have."""
    deadline = time.monotonic() + limit
    for part in parts:
        ended: Mapping[str, Any] = session(place.out).get("parts", {})
        if ended.get(part.name, {}).get("ended") == DONE and part.name != "machine":
            tell(f"{part.name}: done in an earlier session")
            continue
        left = deadline - time.monotonic()
        if left <= _GRACE + _SHORTEST:
            tell(f"{part.name}: no time is left")
            continue
        began = time.monotonic()
        try:
            part.run(place, min(left - _GRACE, max(left * part.share, 1.0)))
            how = DONE
        except PartFailedError as error:
            how = str(error)
        except Exception as error:
            # The machine may be there for this hour only: the other parts go on.
            how = f"{type(error).__name__}: {error}"
        seconds = round(time.monotonic() - began, 1)
        known = session(place.out)
        known["parts"] = {**known.get("parts", {}), part.name: {"ended": how, "seconds": seconds}}
        (place.out / "session.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        tell(f"{part.name}: {how} ({seconds:g} s)")
        if part.name == "machine" and how != DONE:
            return False
    ended = session(place.out).get("parts", {})
    return all(ended.get(part.name, {}).get("ended") == DONE for part in parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and run the session; its status."""
    parser = argparse.ArgumentParser(description="Everything that only a GPU can say, in one command.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files go, and are taken up")
    parser.add_argument("--limit", type=float, default=560.0, metavar="SECONDS", help="for all parts (default: 560)")
    parser.add_argument("--wheels", type=Path, metavar="DIR", help="a folder with the wheel of torchmetrics 1.6.1")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    # What a part has started is ended with it, and what it has left is packed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="synclint-session-") as work:
        place = Place(given.out.resolve(), Path(work), given.wheels.resolve() if given.wheels else None)
        return 0 if run_session(place, PARTS, given.limit) else 1


if __name__ == "__main__":
    sys.exit(main())
