"""Writes what waits inside the calls of libraries: ``synclint/catalog/summaries/*.json``, from the libraries' wheels.

    python scripts/summarize_libraries.py                 all libraries of LIBRARIES, newest releases
    python scripts/summarize_libraries.py einops timm     only these
    python scripts/summarize_libraries.py --wheels FOLDER  wheels that are there already, instead of downloading them

Nothing of the libraries is installed, imported or run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from synclint.analysis.project import Project
from synclint.catalog.summaries import SUMMARIES, written
from synclint.config.options import Options
from synclint.libraries.summarizing import Summarizing
from synclint.running.collection import without_garbage_collection
from synclint.running.share_analysis import project_of
from synclint.running.survey import survey

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).with_name("summary_cases.toml")
# The distributions, and the packages under whose names they are imported.
LIBRARIES = {
    "accelerate": "accelerate",
    "ema-pytorch": "ema_pytorch",
    "kornia": "kornia",
    "peft": "peft",
    "pytorch-ignite": "ignite",
    "torch_geometric": "torch_geometric",
    "torchaudio": "torchaudio",
    "torchmetrics": "torchmetrics",
    "torchvision": "torchvision",
}


def wheel_of(distribution: str, wheels: Path | None, folder: Path) -> Path:
    """The wheel of a distribution, downloaded unless it is there."""
    if wheels is None:
        command = ["pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder), distribution]
        subprocess.run([sys.executable, "-m", *command], check=True)
    start = distribution.replace("-", "_").lower() + "-"
    return next(path for path in sorted((wheels or folder).glob("*.whl")) if path.name.lower().startswith(start))


def analysed(package: Path) -> Project:
    """The package, analysed as a whole."""
    files = sorted(path for path in package.rglob("*.py") if "tests" not in path.parts)
    surveyed = survey(files, [package.parent])
    sys.setrecursionlimit(5000)
    with without_garbage_collection():
        project = project_of([file.path for file in surveyed.files], [package.parent], Options())
        reaching = [file for file in surveyed.files if file.has_torch_in_reach]
        for step in (project.begin, project.analyse):
            for file in reaching:
                with suppress(Exception):  # a file that is too much work is one that the summary does without
                    step(file.path, file.source)
    return project


def summarize(distribution: str, wheels: Path | None) -> int:
    """Write the summary of one library; how many of its functions wait."""
    package = LIBRARIES[distribution]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        wheel = wheel_of(distribution, wheels, folder)
        version = wheel.name.split("-")[1]
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "wheel", [one for one in archive.namelist() if one.startswith(f"{package}/")])
        project = analysed(folder / "wheel" / package)
        run = frozenset(tomllib.loads(CASES.read_text(encoding="utf-8")))
        made = Summarizing(project, package, str(folder / "wheel"), run).summary(distribution, version)
    (SUMMARIES / f"{package}.json").write_text(written(made), encoding="utf-8")
    return len(made["functions"])


def main(arguments: list[str]) -> int:
    """Write the summaries that are asked for."""
    wheels = None
    if "--wheels" in arguments:
        at = arguments.index("--wheels")
        wheels = Path(arguments[at + 1])
        arguments = arguments[:at] + arguments[at + 2 :]
    for distribution in arguments or LIBRARIES:
        print(distribution, summarize(distribution, wheels))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
