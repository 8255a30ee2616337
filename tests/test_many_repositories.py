"""The engines of others: what comes of a run on a Dask cluster is what comes of one here."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import distributed
import pyarrow.parquet as pq
import pytest

import synclint
from synclint.running import shares
from synclint.running.survey import survey

EXAMPLE = Path(__file__).parent.parent / "examples" / "many_repositories.py"


def installed(name: str) -> Path:
    """The folder of a package, which is not imported: importing torch takes longer than these tests."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Small packages as they are installed, and one with findings, apart from the large package that it is part of."""
    demos = tmp_path_factory.mktemp("packages") / "demos"
    shutil.copytree(installed("pytorch_lightning") / "demos", demos)
    return [*(str(installed(name)) for name in ("locket", "packaging", "toolz")), str(demos)]


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    """The example as a module, which workers find on the same path."""
    sys.path.insert(0, str(EXAMPLE.parent))
    yield importlib.import_module(EXAMPLE.stem)
    sys.path.remove(str(EXAMPLE.parent))


@pytest.fixture(scope="module")
def client(example: ModuleType) -> Iterator[distributed.Client]:
    """A cluster of two processes."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def rows_here(example: ModuleType, packages: list[str]) -> list[dict[str, object]]:
    """What the table should hold, by way of runs in this process."""
    return [
        dict.fromkeys(example.SCHEMA.names) | example.row(package, finding)
        for package in packages
        for finding in synclint.check_paths(package, jobs=1, isolated=True)
    ]


def test_the_shares_of_a_project_on_dask_give_the_findings_of_a_run_here(
    client: distributed.Client, packages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 5_000)
    folder = packages[-1]
    assert len(shares.shares_of(survey(sorted(Path(folder).rglob("*.py")), [Path(folder)]))) > 1
    here = synclint.check_paths(folder, jobs=1, runs=["all"], min_confidence="low")
    there = synclint.check_paths(folder, executor=client.get_executor(), runs=["all"], min_confidence="low")
    assert repr(there) == repr(here)
    assert here


def test_packages_give_one_table_and_a_run_that_was_ended_goes_on(
    example: ModuleType, client: distributed.Client, packages: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "findings.parquet"
    example.run(packages[:3], table, client)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "findings.parquet.parts").iterdir()}
    assert len(kept) == 3
    example.run(packages, table, client)
    assert pq.read_table(table).to_pylist() == rows_here(example, packages)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_a_lost_worker_costs_no_finding(
    example: ModuleType, client: distributed.Client, packages: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "findings.parquet"
    victim = next(iter(client.run(os.getpid).values()))
    killed = threading.Timer(0.2, os.kill, (victim, signal.SIGKILL))
    killed.start()
    example.run(packages, table, client)
    killed.join()
    assert pq.read_table(table).to_pylist() == rows_here(example, packages)
    client.wait_for_workers(2)
    assert victim not in client.run(os.getpid).values()


def test_a_package_that_is_not_there_is_a_problem_in_the_table(
    example: ModuleType, client: distributed.Client, packages: list[str], tmp_path: Path
) -> None:
    table = tmp_path / "findings.parquet"
    example.run([str(tmp_path / "nowhere"), packages[1]], table, client)
    (row,) = pq.read_table(table).to_pylist()
    assert row["problem"] == f"{tmp_path / 'nowhere'}: no such file or directory"
