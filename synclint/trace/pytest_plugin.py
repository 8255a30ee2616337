"""pytest plugin: tests that fail when the code under them makes the host wait for the device.

    @pytest.mark.sync_free
    def test_step(model, batch):
        train_step(model, batch)

    def test_step(assert_sync_free, model, batch):
        with assert_sync_free(max_waits=1):
            train_step(model, batch)

Imports neither torch nor the rest of synclint before a test needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from synclint.trace.sync_free import Watched

MARKER = "sync_free"
FIXTURE = "assert_sync_free"
DEVICES = ("auto", "cuda", "sim")

AssertSyncFree = Callable[..., AbstractContextManager["Watched"]]
_simulated = pytest.StashKey[bool]()
_devices = pytest.StashKey[ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--sync-device``."""
    parser.getgroup("synclint").addoption(
        "--sync-device",
        choices=DEVICES,
        default="auto",
        help="Where tests marked sync_free run: on CUDA, or on synclint's simulated device, which with `sim` exists "
        "before tests are collected. Default: CUDA if there is a GPU, otherwise the simulated device while they run.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Announce the marker, and put the simulated device in place if it was asked for."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(max_waits=0, contracts=False): the test fails when its body makes the host wait for the device more "
        "often; with contracts=True only waits in functions that are declared sync-free count",
    )
    if config.getoption("--sync-device") == "sim":
        devices = config.stash[_devices] = ExitStack()
        _enter_device(config, devices)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take it away."""
    devices = config.stash.get(_devices, None)
    if devices is not None:
        devices.close()


def _enter_device(config: pytest.Config, stack: ExitStack) -> bool:
    """Make "cuda" work until ``stack`` is closed; returns whether it is simulated."""
    chosen = str(config.getoption("--sync-device"))
    try:
        from synclint.trace.sync_free import Choice, NoDeviceError, device_for_tests
        from synclint.verify.simulated import SimulatedDeviceUnavailable
    except ModuleNotFoundError as error:
        raise pytest.UsageError(f"tests marked {MARKER} need {error.name}: install synclint[verify]") from None
    # What is said of a device that is compiled first is to be seen while it is.
    capture = config.pluginmanager.getplugin("capturemanager")
    seen = capture.global_and_fixture_disabled() if capture is not None else nullcontext()
    try:
        with seen:
            return stack.enter_context(device_for_tests(Choice(chosen)))
    except (NoDeviceError, SimulatedDeviceUnavailable) as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Have the device there for the whole of a test that asks for it, fixtures included."""
    if not _asks(item):
        return (yield)
    with ExitStack() as stack:
        item.stash[_simulated] = _enter_device(item.config, stack)
        return (yield)


def _asks(item: pytest.Item) -> bool:
    return item.get_closest_marker(MARKER) is not None or FIXTURE in getattr(item, "fixturenames", ())


def _max_waits(item: pytest.Item) -> int | None:
    """What the marker allows, None without one. Raises pytest.UsageError for anything else in it."""
    marker = item.get_closest_marker(MARKER)
    if marker is None:
        return None
    if marker.args or set(marker.kwargs) - {"max_waits", "contracts"}:
        raise pytest.UsageError(f"{item.nodeid}: {MARKER} takes max_waits=N, contracts=True and nothing else")
    return _checked(marker.kwargs.get("max_waits", 0))


def _counts_contracts_only(item: pytest.Item) -> bool:
    marker = item.get_closest_marker(MARKER)
    return marker is not None and bool(marker.kwargs.get("contracts", False))


def _checked(max_waits: object) -> int:
    if not isinstance(max_waits, int) or isinstance(max_waits, bool) or max_waits < 0:
        raise pytest.UsageError(f"max_waits must be a number of waits, at least 0, not {max_waits!r}")
    return max_waits


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Watch the body of a marked test: what its fixtures do is not counted."""
    max_waits = _max_waits(item)
    if max_waits is None:
        return (yield)
    contracts = _counts_contracts_only(item)
    with _no_more_than(max_waits, item.stash[_simulated], item.config.rootpath, contracts=contracts):
        return (yield)


@pytest.fixture
def assert_sync_free(request: pytest.FixtureRequest) -> AssertSyncFree:
    """A context manager that fails the test when its block makes the host wait more than ``max_waits`` times.

    It yields an object whose ``waits`` lists the waits once the block is over.
    """

    def sync_free(*, max_waits: int = 0) -> AbstractContextManager[Watched]:
        return _no_more_than(_checked(max_waits), request.node.stash[_simulated], request.config.rootpath)

    return sync_free


@contextmanager
def _no_more_than(max_waits: int, simulated: bool, folder: Path, *, contracts: bool = False) -> Iterator[Watched]:
    from synclint.trace.declared import DeclaredFunctions
    from synclint.trace.own_regions import OwnRegions
    from synclint.trace.sync_free import complaint, watching

    __tracebackhide__ = True
    declared, regions = DeclaredFunctions(folder), OwnRegions(folder)
    counts = (lambda stack: bool(declared.around(stack))) if contracts else (lambda stack: not regions.accept(stack))
    with watching(simulated, counts=counts) as watched:
        yield watched
    problem = complaint(watched, max_waits, folder)
    if problem is not None:
        pytest.fail(problem, pytrace=False)
