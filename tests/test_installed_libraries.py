"""Libraries in the user's environment: where they are, and what waits in the calls of what is installed there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Synclint

from synclint.catalog import summaries
from synclint.libraries import installed
from synclint.libraries.environments import InstalledPackage, environment_of
from synclint.libraries.installed import environment_at, imported, libraries_in

LIBRARY = """\
import torch
import other


def total(values: torch.Tensor):
    return values.sum().item()


def doubled(values: torch.Tensor):
    return other.plain(values) * 2
"""
PROGRAM = """\
import torch
from averages import doubled, total

model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    loss = model(torch.ones(8, device="cuda")).sum()
    loss.backward()
    optimizer.step()
    total(loss)
"""


def install(site: Path, package: str, version: str, text: str, distribution: str = "") -> None:
    """Put a package of one module where an environment keeps its packages."""
    (site / package).mkdir(parents=True, exist_ok=True)
    (site / package / "__init__.py").write_text(text, encoding="utf-8")
    told = site / f"{distribution or package}-{version}.dist-info"
    told.mkdir()
    (told / "RECORD").write_text(f"{package}/__init__.py,sha256=x,1\n{told.name}/METADATA,,\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder for packages of a virtual environment with one library."""
    home = tmp_path / ".venv"
    found = home / "lib" / "python3.11" / "site-packages"
    install(found, "averages", "2.0", LIBRARY)
    (home / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n", encoding="utf-8")
    (home / "bin").mkdir()
    (home / "bin" / "python").write_text("this is never run\n", encoding="utf-8")
    return found


@pytest.fixture(autouse=True)
def nothing_is_known_of_environments() -> Iterator[None]:
    """What a test has found out is forgotten: in the next one, another environment may be at the same place."""
    yield
    environment_at.cache_clear()
    libraries_in.cache_clear()


@pytest.mark.parametrize("python", [".venv", ".venv/bin/python"])
def test_the_packages_of_an_environment_are_found(site: Path, tmp_path: Path, python: str) -> None:
    install(site, "pictures", "1.1.post1", "", "Some_Pictures")
    (site / "loose").mkdir()
    (site / "loose" / "__init__.py").touch()
    environment = environment_of(tmp_path / python)
    assert environment.package("averages") == InstalledPackage(site / "averages", "averages", "2.0")
    assert environment.package("pictures") == InstalledPackage(site / "pictures", "Some_Pictures", "1.1.post1")
    assert environment.package("loose") is environment.package("absent") is None
    assert environment_of(tmp_path / "nowhere").folders == ()


def test_the_release_in_the_configuration_decides_among_folders(site: Path, tmp_path: Path) -> None:
    install(tmp_path / ".venv" / "lib" / "python3.9" / "site-packages", "averages", "1.0", LIBRARY)
    found = environment_of(tmp_path / ".venv").package("averages")
    assert found is not None and found.version == "2.0"


def test_the_packages_of_the_system_come_last(site: Path, tmp_path: Path) -> None:
    system = tmp_path / "system" / "lib" / "python3.11" / "site-packages"
    install(system, "averages", "1.0", LIBRARY)
    install(system, "more", "3.0", "")
    text = f"home = {tmp_path / 'system' / 'bin'}\ninclude-system-site-packages = true\nversion = 3.11.7\n"
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(text, encoding="utf-8")
    environment = environment_of(tmp_path / ".venv")
    assert [one.version for name in ("averages", "more") if (one := environment.package(name))] == ["2.0", "3.0"]


def test_the_imports_of_a_text_are_told() -> None:
    text = "import torch, averages.core as a\nfrom pictures.draw import line\n    import inner\nfrom . import mine\n"
    assert imported(text) == {"torch", "averages", "pictures", "inner"}


def found(run: Synclint, *options: str) -> list[str]:
    """The messages about a program that calls the library in each step."""
    Path("train.py").write_text(PROGRAM, encoding="utf-8")
    told = json.loads(run("check", "--output-format", "json", *options, "train.py").out)
    return [one["message"] for one in told]


@pytest.mark.usefixtures("site")
def test_what_waits_in_an_installed_library_is_reported(run: Synclint) -> None:
    place = "averages/__init__.py:6, by its source alone"
    expected = [f"`total(loss)` waits inside averages: `values.sum().item()` ({place}), whatever else it is given"]
    assert found(run, "--no-cache") == []
    assert found(run, "--python", ".venv") == expected
    assert found(run, "--python", ".venv/bin/python", "--no-cache") == expected


@pytest.mark.usefixtures("site")
def test_the_active_environment_is_meant_where_it_is_asked_for(run: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    assert "no environment is active" in run("check", "--python", "active", ".").err
    monkeypatch.setenv("VIRTUAL_ENV", str(Path(".venv").absolute()))
    assert found(run) == []
    assert len(found(run, "--python", "active")) == 1


def test_a_library_is_analysed_once_for_each_release(
    run: Synclint, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    whole = installed._made

    def counted(package: InstalledPackage) -> dict[str, object] | None:
        made.append(f"{package.distribution} {package.version}")
        return whole(package)

    monkeypatch.setattr(installed, "_made", counted)
    install(site, "unused", "1.0", LIBRARY)
    for _ in range(2):
        assert len(found(run, "--python", ".venv", "--no-cache")) == 1
        libraries_in.cache_clear()
    assert made == ["averages 2.0"]
    (site / "averages-2.0.dist-info").rename(site / "averages-2.1.dist-info")
    (site / "averages" / "__init__.py").write_text(LIBRARY.replace(".item()", ""), encoding="utf-8")
    environment_at.cache_clear()
    assert found(run, "--python", ".venv") == []
    assert made == ["averages 2.0", "averages 2.1"]


def test_a_shipped_summary_of_the_same_release_stands(monkeypatch: pytest.MonkeyPatch, site: Path) -> None:
    shipped = summaries.summary_of("ema_pytorch")
    assert shipped is not None
    install(site, "ema_pytorch", shipped.version, LIBRARY)
    install(site, "torchaudio", "0.1", LIBRARY)
    monkeypatch.setattr(installed, "MOST_BYTES", 10)
    libraries = libraries_in(environment_of(site.parents[2]), None)
    assert libraries.summary_of("ema_pytorch") is shipped
    assert libraries.summary_of("torchaudio") is summaries.summary_of("torchaudio")  # too large to be analysed
    assert libraries.summary_of("averages") is None


def test_a_fault_in_a_library_costs_no_run(run: Synclint, site: Path) -> None:
    (site / "averages" / "__init__.py").write_text("def total(\n", encoding="utf-8")
    assert found(run, "--python", ".venv") == []
