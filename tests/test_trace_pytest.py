"""The pytest plugin: a marked test fails when its body makes the host wait for the device."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import pytest

# In this process already, because a test session within a test drops the modules that it imports.
import torch

import synclint.trace.linting
import synclint.trace.sync_free
import synclint.verify.simulated  # noqa: F401

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytest_plugins = ["pytester"]

PLUGIN = "synclint.trace.pytest_plugin"
INSTALLED = bool(entry_points(group="pytest11", name="synclint"))
# Where the session's own cache is: the simulated device is compiled once, and not for every test.
CACHE = os.environ.get("XDG_CACHE_HOME")

Session = Callable[..., pytest.RunResult]


class _ModulesKept:
    """Keeps modules of torch and synclint that a session within a test imports, and that pytester drops after it.

    Some of torch, as ``torch._inductor.test_operators``, register operators and cannot be imported twice in a process.
    What other tests put in the place of something of ours has to be in the modules that are used.
    """

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}

    def pytest_unconfigure(self) -> None:
        kept = ("torch", "synclint")
        self.modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in kept}

    def put_back(self) -> None:
        sys.modules.update(self.modules)


@pytest.fixture
def modules_kept() -> Iterator[_ModulesKept]:
    kept = _ModulesKept()
    yield kept
    kept.put_back()


@pytest.fixture
def session(modules_kept: _ModulesKept, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Run tests from their source, as a user would who has the plugin installed."""
    if CACHE is None:
        monkeypatch.delenv("XDG_CACHE_HOME")
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", CACHE)

    def run(source: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(source)
        plugin = [] if INSTALLED else ["-p", PLUGIN]
        result = pytester.runpytest_inprocess(*plugin, "-p", "no:cacheprovider", *arguments, plugins=[modules_kept])
        modules_kept.put_back()
        return result

    return run


def test_a_wait_fails_the_test_and_is_shown_with_its_line_and_rule(session: Session) -> None:
    result = session(
        """
        import pytest, torch

        @pytest.mark.sync_free
        def test_step():
            x = torch.ones(3, device="cuda")
            assert x.sum().item() == 3
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "the host waited once for the simulated device:",
            "  test_a_wait_fails*.py:6  `assert x.sum().item() == 3`  SYN201 item-in-hot-code",
            "What to write instead: synclint explain SYN201",
        ]
    )


def test_work_that_the_host_does_not_wait_for_passes(session: Session) -> None:
    session(
        """
        import pytest, torch

        @pytest.mark.sync_free
        def test_step():
            weight = torch.ones(3, device="cuda", requires_grad=True)
            (weight * 2).sum().backward()
            torch.optim.SGD([weight], lr=0.1).step()
        """
    ).assert_outcomes(passed=1)


def test_what_fixtures_do_is_not_counted_and_finds_the_device(session: Session) -> None:
    session(
        """
        import pytest, torch

        @pytest.fixture
        def batch():
            assert torch.cuda.is_available()
            return torch.arange(3.0).to("cuda")

        @pytest.mark.sync_free
        def test_step(batch):
            batch + 1
        """
    ).assert_outcomes(passed=1)


def test_as_many_waits_as_allowed_may_stay_and_no_more(session: Session) -> None:
    result = session(
        """
        import pytest, torch

        def read(times):
            x = torch.ones((), device="cuda")
            for _ in range(times):
                x.item()

        @pytest.mark.sync_free(max_waits=2)
        @pytest.mark.parametrize("times", [2, 3])
        def test_step(times):
            read(times)
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["the host waited 3 times for the simulated device (max_waits=2):", "*, 3 times"])


def test_the_fixture_watches_its_block_alone(session: Session) -> None:
    result = session(
        """
        import torch

        def test_step(assert_sync_free):
            x = torch.arange(3).to("cuda")
            with assert_sync_free() as watched:
                x = x + 1
            assert watched.waits == []
            with assert_sync_free(max_waits=1) as watched:
                bool(x.any())
            assert [wait.place.line for wait in watched.waits] == [9]
            assert x.tolist() == [1, 2, 3]

        def test_failing(assert_sync_free):
            x = torch.arange(3).to("cuda")
            with assert_sync_free():
                torch.nonzero(x)
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*:16  `torch.nonzero(x)`  SYN101 nonzero"])


def test_a_wait_in_a_library_shows_the_users_line_and_the_librarys(session: Session) -> None:
    result = session(
        """
        import pytest, torch
        from torchmetrics import MeanMetric

        @pytest.fixture
        def metric():
            return MeanMetric().to("cuda")

        @pytest.mark.sync_free
        def test_update(metric):
            metric.update(torch.ones((), device="cuda"))
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*:10  `metric.update(*` → torchmetrics/aggregation.py:* `*`  SYN50*"])


def test_a_test_that_never_used_the_device_fails_because_it_shows_nothing(session: Session) -> None:
    source = """
        import pytest, torch

        device = "cuda" if torch.cuda.is_available() else "cpu"

        @pytest.mark.sync_free
        def test_step():
            torch.ones(3, device=device) + 1
        """
    result = session(source)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["nothing here ran on the device*--sync-device=sim"])
    session(source, "--sync-device=sim").assert_outcomes(passed=1)


def test_an_error_of_the_test_comes_before_its_waits(session: Session) -> None:
    result = session(
        """
        import pytest, torch

        @pytest.mark.sync_free
        def test_step():
            assert torch.ones((), device="cuda").item() == 2
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*the host waited*")
    result.stdout.fnmatch_lines(["E*assert 1.0 == 2*"])


def test_methods_of_unittest_may_be_marked(session: Session) -> None:
    session(
        """
        import pytest, torch, unittest

        class TestStep(unittest.TestCase):
            @pytest.mark.sync_free
            def test_step(self):
                torch.ones((), device="cuda").item()
        """
    ).assert_outcomes(failed=1)


def test_there_is_no_device_for_other_tests(session: Session) -> None:
    session(
        """
        import pytest, torch

        @pytest.mark.sync_free
        def test_marked():
            torch.ones(1, device="cuda")

        def test_other():
            assert not torch.cuda.is_available()
        """
    ).assert_outcomes(passed=2)


@pytest.mark.parametrize("arguments", ["3", "max_waits=-1", "max_waits='2'", "waits=2"])
def test_a_marker_that_says_something_else_is_refused_in_one_line(session: Session, arguments: str) -> None:
    result = session(
        f"""
        import pytest

        @pytest.mark.sync_free({arguments})
        def test_step():
            pass
        """
    )
    assert result.ret != 0
    assert "max_waits" in result.stdout.str() + result.stderr.str()


@pytest.mark.skipif(torch.version.cuda is not None, reason="this PyTorch is built for CUDA")
def test_cuda_where_there_is_none_is_refused_in_one_line(session: Session) -> None:
    result = session(
        """
        import pytest

        @pytest.mark.sync_free
        def test_step():
            pass
        """,
        "--sync-device=cuda",
    )
    assert "there is no CUDA device here: choose --sync-device=sim" in result.stdout.str() + result.stderr.str()


def test_the_plugin_does_not_import_torch_before_a_test_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text(
        "import sys\n\ndef test_plain():\n"
        f"    assert {PLUGIN!r} in sys.modules\n"
        "    assert not {'torch', 'libcst', 'synclint.analysis'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", *([] if INSTALLED else ["-p", PLUGIN]), str(tmp_path)]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout


def test_the_package_offers_the_plugin_to_pytest() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"synclint": PLUGIN}
    assert {"torch>=2.4"} <= set(project["optional-dependencies"]["pytest"])


def test_traced_tests_are_not_warned_that_the_plugin_was_imported_before_them(tmp_path: Path) -> None:
    # As installed from a wheel: pytest rewrites assertions in every package that offers it a plugin.
    installed = tmp_path / "site" / "offering-0.1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\nVersion: 0.1\n")
    (installed / "entry_points.txt").write_text(f"[pytest11]\nsynclint = {PLUGIN}\n")
    (installed / "RECORD").write_text("synclint/__init__.py,,\nsynclint/trace/pytest_plugin.py,,\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error::pytest.PytestAssertRewriteWarning\n")
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    path = os.pathsep.join(filter(None, (str(installed.parent), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "synclint", "trace", "--device=sim", "--pytest", "test_one.py"]
    finished = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert finished.returncode == 0, finished.stderr
    assert "1 passed" in finished.stdout


def test_what_a_region_accepts_does_not_fail_a_test(session: Session) -> None:
    source = """
        import pytest, torch, synclint

        @pytest.mark.sync_free
        def test_step():
            x = torch.ones(3, device="cuda")
            with synclint.sync_allowed("the answer"):
                assert x.sum().item() == 3
            %s
        """
    session(source % "x + 1").assert_outcomes(passed=1)
    result = session(source % "x.tolist()")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the host waited once for the simulated device:", "*x.tolist()*SYN202*"])


def test_with_contracts_only_waits_in_sync_free_functions_count(session: Session) -> None:
    source = """
        import pytest, torch, synclint

        @synclint.sync_free
        def step(x):
            return part(x)

        def part(x):
            %s
            return x * 2

        @pytest.mark.sync_free(contracts=True)
        def test_the_program():
            x = torch.ones(3, device="cuda")
            assert step(x).sum().item() == 6
        """
    session(source % "x + 1").assert_outcomes(passed=1)
    result = session(source % "x.tolist()")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the host waited once for the simulated device:", "*x.tolist()*"])
