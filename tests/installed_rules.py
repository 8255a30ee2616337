"""A Python of its own into which packages with rules are installed, as users install them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent
ACME = REPOSITORY / "examples" / "acme-training"


_SEVERAL = """\
import contextlib, io, json, sys
from synclint.cli import main
ended = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main(arguments)
    ended.append((status, out.getvalue()))
print(json.dumps(ended))
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment that has synclint from this repository, and all that the tests have."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "lib" / version / "site-packages"

    def install(self, source: Path, scratch: Path) -> None:
        """Install a package from its folder, without the network and without touching the folder."""
        copied = scratch / "source"
        shutil.copytree(source, copied)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
        command += ["--no-build-isolation", "--upgrade", "--target", str(self.packages), str(copied)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run(command, check=True, env=environment)
        shutil.rmtree(copied)

    def synclint(self, *arguments: str | Path, folder: Path, **variables: str) -> Ended:
        """Run the program in a folder, as ``python -m synclint`` does."""
        return self.run("-m", "synclint", *arguments, folder=folder, variables=variables)

    def several(self, calls: Sequence[Sequence[str]], folder: Path) -> list[Ended]:
        """Run the program several times in one process, which takes a tenth of the time."""
        ended = self.run("-c", _SEVERAL, json.dumps(calls), folder=folder, variables={})
        assert ended.err == ""
        return [Ended(status, out, "") for status, out in json.loads(ended.out)]

    def run(self, *arguments: str | Path, folder: Path, variables: Mapping[str, str]) -> Ended:
        """Run this environment's Python in a folder."""
        left_out = ("PYTHONPATH", "FORCE_COLOR")
        inherited = {name: value for name, value in os.environ.items() if name not in left_out}
        done = subprocess.run(
            [self.python, *arguments],
            cwd=folder,
            env={**inherited, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True)
class Ended:
    """How a program ended, and what it printed."""

    status: int
    out: str
    err: str


def make_environment(folder: Path) -> Environment:
    """An environment in a folder, with nothing installed but what this Python has."""
    venv.create(folder, with_pip=False)
    made = Environment(folder)
    (made.packages / "tests.pth").write_text(f"{REPOSITORY}\n{sysconfig.get_path('purelib')}\n")
    return made
