"""Checks a list of packages on a Dask cluster, and writes one Parquet table of findings.

    pip install 'synclint[cluster]'
    python many_repositories.py packages.txt findings.parquet                              # a cluster on this machine
    python many_repositories.py packages.txt findings.parquet --scheduler tcp://host:8786  # an existing one

``packages.txt`` names a folder on each line. The workers read the folders at the same paths, and write nothing.
The result for a package is kept in ``findings.parquet.parts`` as soon as it is known: an interrupted run resumes from
there. When a worker dies, the packages that it was working on are tried again on another worker.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

import synclint

SCHEMA = pa.schema(
    [
        ("package", pa.string()),
        ("problem", pa.string()),  # why a file, or a whole package, was not checked; the other columns are empty then
        ("file", pa.string()),
        ("line", pa.int64()),
        ("column", pa.int64()),
        ("code", pa.string()),
        ("message", pa.string()),
        ("help", pa.string()),
        ("confidence", pa.string()),
        ("severity", pa.string()),
        ("runs", pa.string()),
        ("priority", pa.float64()),
        ("path", pa.list_(pa.string())),
    ]
)
TRIES = 3
WAITING_FOR_EACH_WORKER = 4


@dataclass(frozen=True)
class Outcome:
    """The result for a package, and the seconds of CPU time that it took."""

    rows: list[dict[str, object]]
    seconds: float


def check(package: str) -> Outcome:
    """Check one package, on a worker. Its configuration is not read: it was written for others."""
    started = time.process_time()
    problems: Sequence[str] = ()
    try:
        findings = synclint.check_paths(package, jobs=1, isolated=True)
    except synclint.FilesNotCheckedError as error:
        findings, problems = error.findings, error.problems
    rows = [row(package, finding) for finding in findings]
    rows += [{"package": package, "problem": problem} for problem in problems]
    return Outcome(rows, time.process_time() - started)


def row(package: str, finding: synclint.Finding) -> dict[str, object]:
    """A finding as a row of the table."""
    return {
        "package": package,
        "file": finding.file,
        "line": finding.start.line,
        "column": finding.start.column,
        "code": finding.code,
        "message": finding.message,
        "help": finding.help,
        "confidence": finding.confidence,
        "severity": finding.severity,
        "runs": finding.runs,
        "priority": finding.priority,
        "path": [f"{call.file}:{call.line} {call.function or ''}".rstrip() for call in finding.path],
    }


def part_of(package: str, parts: Path) -> Path:
    """The file for the result of a package."""
    return parts / f"{hashlib.sha256(package.encode()).hexdigest()[:32]}.parquet"


def write(rows: list[dict[str, object]], path: Path) -> None:
    """Write a table completely or not at all."""
    unfinished = path.with_suffix(".unfinished")
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), unfinished)
    unfinished.replace(path)


def outcomes(packages: Sequence[str], executor: Executor, at_once: int) -> Iterator[tuple[str, Outcome]]:
    """The results for packages as they arrive; only as many are submitted to the cluster as keep it busy."""
    coming = iter(packages)
    waiting: dict[Future[Outcome], str] = {}
    while True:
        waiting |= {executor.submit(check, name): name for name in islice(coming, at_once - len(waiting))}
        if not waiting:
            return
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            package, error = waiting.pop(future), future.exception()
            if error is None:
                yield package, future.result()
            else:
                problem = f"not checked: {type(error).__name__}: {' '.join(str(error).split())}"
                yield package, Outcome([{"package": package, "problem": problem}], 0.0)


def run(packages: Sequence[str], table: Path, client: Client) -> float:
    """Check what has not been checked yet and write the table; returns the seconds of CPU time that it took."""
    parts = Path(f"{table}.parts")
    parts.mkdir(exist_ok=True)
    left = [package for package in packages if not part_of(package, parts).exists()]
    print(f"{len(packages) - len(left)} of {len(packages)} packages are there already", file=sys.stderr)
    workers = sum(client.nthreads().values())
    seconds = 0.0
    with client.get_executor(pure=False, retries=TRIES - 1) as executor:
        for package, outcome in outcomes(left, executor, max(1, workers) * WAITING_FOR_EACH_WORKER):
            write(outcome.rows, part_of(package, parts))
            seconds += outcome.seconds
    unfinished = table.with_suffix(".unfinished")
    with pq.ParquetWriter(unfinished, SCHEMA) as writer:
        for package in packages:
            writer.write_table(pq.read_table(part_of(package, parts)))
    unfinished.replace(table)
    return seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the list, find or start the cluster, check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path, help="a file with the path of a folder on each line")
    parser.add_argument("table", type=Path, help="the Parquet file to write")
    parser.add_argument("--scheduler", help="the address of a running cluster")
    parser.add_argument("--workers", type=int, help="how many processes a cluster on this machine has")
    given = parser.parse_args(arguments)
    lines = given.packages.read_text().splitlines()
    packages = list(dict.fromkeys(str(Path(line.strip()).absolute()) for line in lines if line.strip()))
    if given.scheduler:
        with Client(given.scheduler) as client:
            seconds = run(packages, given.table, client)
    else:
        with (
            LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            seconds = run(packages, given.table, client)
    print(f"{len(packages)} packages in {given.table}; {seconds:.1f} s of CPU in this run", file=sys.stderr)


if __name__ == "__main__":
    main()
