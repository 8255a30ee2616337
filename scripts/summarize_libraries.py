"""Writes what waits inside the calls of libraries: ``synclint/catalog/summaries/*.json``, from the libraries' wheels.

    python scripts/summarize_libraries.py                 all libraries of LIBRARIES, newest releases
    python scripts/summarize_libraries.py einops timm     only these
    python scripts/summarize_libraries.py --archives FOLDER  what is there already, instead of downloading it

Where COMPARED names older releases, these are analysed as well, and the summary tells since when a call waits.

Nothing of the libraries is installed, imported or run.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model_classes import model_classes

from synclint.analysis.models.versions import release as numbers
from synclint.catalog.summaries import SUMMARIES, written
from synclint.libraries.analysed import analysed, modules_in
from synclint.libraries.releases import joined
from synclint.libraries.summarizing import Summarizing
from synclint.running.collection import without_garbage_collection

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).with_name("summary_cases.toml")
DOUBTS = Path(__file__).with_name("summary_doubts.toml")
# The distributions, and the packages under whose names they are imported.
LIBRARIES = {
    "accelerate": "accelerate",
    "deepspeed": "deepspeed",
    "diffusers": "diffusers",
    "einops": "einops",
    "ema-pytorch": "ema_pytorch",
    "kornia": "kornia",
    "lightning": "lightning",
    "peft": "peft",
    "pytorch-ignite": "ignite",
    "pytorch-lightning": "pytorch_lightning",
    "tensordict": "tensordict",
    "timm": "timm",
    "torch_geometric": "torch_geometric",
    "torchaudio": "torchaudio",
    "torchmetrics": "torchmetrics",
    "torchvision": "torchvision",
    "transformers": "transformers",
    "trl": "trl",
    "xformers": "xformers",
}
# The older releases with which the newest is compared, oldest first.
COMPARED = {
    "accelerate": ("0.34.2",),
    "ema-pytorch": ("0.5.3", "0.7.9"),
    "lightning": ("2.4.0",),
    "pytorch-ignite": ("0.4.13",),
    "pytorch-lightning": ("2.4.0",),
    "timm": ("1.0.11",),
    "torchaudio": ("2.5.1",),
    "torchmetrics": ("1.6.1",),
    "torchvision": ("0.20.1",),
    "trl": ("0.12.0",),
}
# Of these only the parts are analysed that programs call in their steps; what they import is followed as always.
PARTS = {
    "deepspeed": ("runtime/*.py", "runtime/zero/*.py", "moe/**/*.py", "sequence/*.py", "ops/adam/*.py", "utils/*.py"),
    "diffusers": ("schedulers/*.py", "models/*.py", "utils/*.py", "*.py"),
    "timm": ("data/*.py", "layers/*.py", "loss/*.py", "optim/*.py", "scheduler/*.py", "utils/*.py"),
    "transformers": ("*.py", "data/*.py", "generation/*.py", "loss/*.py", "utils/*.py"),
    "xformers": ("*.py", "components/**/*.py", "ops/**/*.py"),
}


def archive_of(distribution: str, release: str, archives: Path | None, folder: Path) -> Path:
    """The wheel of a distribution, or its source where there is no wheel, downloaded unless it is there."""
    if archives is None:
        wanted = f"{distribution}=={release}" if release else distribution
        command = ["pip", "download", "-q", "--no-deps", "-d", str(folder), wanted]
        subprocess.run([sys.executable, "-m", *command], check=True)
    start = f"{distribution.replace('-', '_').lower()}-{release}"
    found = [path for path in (archives or folder).iterdir() if path.name.endswith((".whl", ".tar.gz"))]
    return max(
        (path for path in found if path.name.lower().startswith(start)), key=lambda path: numbers(version_of(path))
    )


def version_of(archive: Path) -> str:
    """The release that an archive holds, by its name."""
    return archive.name.removesuffix(".tar.gz").split("-")[1]


def unpacked(archive: Path, package: str, folder: Path) -> Path:
    """The folder that holds the package of a library, without anything else of what is distributed."""
    if archive.name.endswith(".whl"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder, [one for one in wheel.namelist() if one.startswith(f"{package}/")])
        return folder
    top = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as source:
        members = [one for one in source if one.isfile() and one.name.startswith(f"{top}/{package}/")]
        source.extractall(folder, members, filter="data")
    return folder / top


def summary_of_release(distribution: str, release: str, archives: Path | None) -> dict[str, Any]:
    """The summary of a library, of the newest release where none is named."""
    package = LIBRARIES[distribution]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        archive = archive_of(distribution, release, archives, folder)
        root = unpacked(archive, package, folder / "unpacked")
        modules = modules_in(root / package, PARTS.get(package, ("**/*.py",)))
        with without_garbage_collection():
            project = analysed(root / package, modules)
        run = frozenset(tomllib.loads(CASES.read_text(encoding="utf-8")))
        made = Summarizing(project, package, str(root), run).summary(distribution, version_of(archive))
        return made | ({"classes": model_classes(root / package)} if package == "transformers" else {})


def summarize(distribution: str, older: Sequence[str], archives: Path | None) -> int:
    """Write the summary of a library, compared with those of ``older`` releases; how many of its functions wait."""
    made = joined([summary_of_release(distribution, release, archives) for release in (*older, "")])
    for pattern in tomllib.loads(DOUBTS.read_text(encoding="utf-8")):
        for name in fnmatch.filter(made["functions"], pattern):
            del made["functions"][name]
    path = SUMMARIES / f"{LIBRARIES[distribution]}.json"
    keep_verdicts(made, path)
    if made["functions"] or made["returns"]:
        path.write_text(written(made), encoding="utf-8")
    return len(made["functions"])


def keep_verdicts(made: Mapping[str, Any], path: Path) -> None:
    """Mark what was seen waiting in the same release, by the summary that stands at a path."""
    known = json.loads(path.read_bytes()) if path.exists() else {"functions": {}, "version": None}
    if known["version"] != made["version"]:
        return
    for name, row in known["functions"].items():
        seen = {(wait["place"], wait["code"]): wait["verified"] for wait in row["waits"] if "verified" in wait}
        for wait in made["functions"].get(name, {}).get("waits", ()):
            if (verdict := seen.get((wait["place"], wait["code"]))) is not None:
                wait["verified"] = verdict


def main() -> int:
    """Write the summaries that are asked for."""
    parser = argparse.ArgumentParser(description="Write what waits inside the calls of libraries.")
    parser.add_argument("libraries", nargs="*", metavar="DISTRIBUTION", help="all by default")
    parser.add_argument("--archives", type=Path, metavar="FOLDER", help="wheels that are there, instead of downloads")
    given = parser.parse_args()
    for distribution in given.libraries or LIBRARIES:
        count = summarize(distribution, COMPARED.get(distribution, ()), given.archives)
        print(f"{distribution}: {count} functions that wait", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
