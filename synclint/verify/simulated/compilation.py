"""Compiling the simulated device against the installed PyTorch, once for each of its builds."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import torch
import torch.distributed

# Of compiling it: CI may keep the folder from one job to the next.
SECONDS = "20 to 40"
FOLDER_VARIABLE = "SYNCLINT_DEVICE_FOLDER"
SOURCES = Path(__file__).parent / "native"
MODULE = "_synclint_simulated_device"

OLDEST_TORCH = (2, 4)
# The first release whose headers are written in C++20.
FIRST_TORCH_IN_CXX20 = (2, 13)

COMPILERS = ("g++", "c++", "clang++")


class SimulatedDeviceUnavailable(RuntimeError):  # noqa: N818 -- says a state, not a mistake
    """The simulated device cannot be had here; the message says why and what to do."""


def torch_release() -> tuple[int, int]:
    """Major and minor number of the installed PyTorch."""
    major, minor = torch.__version__.split(".")[:2]
    return int(major), int(minor)


def check_torch() -> None:
    """Raise SimulatedDeviceUnavailable if this PyTorch cannot take a simulated device."""
    for platform in ("cuda", "hip", "xpu"):
        version = getattr(torch.version, platform, None)
        if version is not None:
            raise SimulatedDeviceUnavailable(
                f"torch {torch.__version__} is built for {platform.upper()} {version}, and its real kernels "
                "conflict with simulated ones: install a build of PyTorch for the CPU in an environment of its own "
                "(pytorch.org, compute platform CPU), or use the device itself"
            )
    if torch_release() < OLDEST_TORCH:
        oldest = ".".join(map(str, OLDEST_TORCH))
        raise SimulatedDeviceUnavailable(
            f"torch {torch.__version__} is too old for the simulated device: it needs {oldest} or newer"
        )
    if sys.platform not in ("linux", "darwin"):
        raise SimulatedDeviceUnavailable(
            f"the simulated device is built on Linux and macOS only, not on {sys.platform}"
        )


def find_compiler() -> list[str]:
    """The C++ compiler as the start of a command: ``$CXX``, or the first of the usual names on the path."""
    chosen = os.environ.get("CXX")
    for name in [chosen] if chosen else COMPILERS:
        command = shlex.split(name)
        if shutil.which(command[0]):
            return command
    looked_for = f"$CXX names {chosen!r}" if chosen else f"looked for {', '.join(COMPILERS)}"
    raise SimulatedDeviceUnavailable(
        f"the simulated device is compiled on first use, and there is no C++ compiler ({looked_for}): "
        "install one (Debian and Ubuntu: apt install g++) or name one in CXX"
    )


def cache_folder() -> Path:
    """Where compiled devices are kept: ``$SYNCLINT_DEVICE_FOLDER``, else ``synclint`` in the user's cache."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "synclint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synclint"


def _source_files() -> list[Path]:
    return sorted(SOURCES.glob("*.cpp"))


def _command(compiler: list[str]) -> list[str]:
    """The compiler's command line but for the file to read and the file to write."""
    package = Path(torch.__file__).parent
    standard = "c++20" if torch_release() >= FIRST_TORCH_IN_CXX20 else "c++17"
    command = [
        *compiler,
        f"-std={standard}",
        "-O1",
        "-fPIC",
        "-shared",
        "-w",
        f"-DSYNCLINT_MODULE_NAME={MODULE}",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        f"-I{SOURCES}",
        f"-isystem{package / 'include'}",
        f"-isystem{package / 'include' / 'torch' / 'csrc' / 'api' / 'include'}",
        f"-isystem{sysconfig.get_paths()['include']}",
        f"-L{package / 'lib'}",
    ]
    if torch.distributed.is_available():
        command.append("-DSYNCLINT_DISTRIBUTED")
    if sys.platform == "darwin":
        command += ["-undefined", "dynamic_lookup"]
    return command


LIBRARIES = ("-lc10", "-ltorch_cpu", "-ltorch_python")


def _cache_key(command: list[str]) -> str:
    compiler = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=False).stdout
    digest = hashlib.sha256()
    for part in (torch.__version__, str(torch.version.git_version), sys.version, compiler, *command):
        digest.update(part.encode() + b"\0")
    for path in sorted(SOURCES.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def build() -> Path:
    """Return the compiled device; where it is not there yet, say on standard error that it is compiled, and do so.

    Raises SimulatedDeviceUnavailable, with where to find the compiler's messages, if that fails.
    """
    check_torch()
    command = _command(find_compiler())
    folder = cache_folder() / f"simulated-device-torch{torch.__version__}-{_cache_key(command)}"
    library = folder / f"{MODULE}.so"
    if library.exists():
        return library
    told = f"synclint: compiling the simulated device for torch {torch.__version__}, once: some {SECONDS} seconds"
    print(told, file=sys.stderr, flush=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            finished = _compile(command, Path(scratch), folder / "build.log")
            # In one step, so that processes that compile at the same time cannot meet half a file.
            finished.replace(library)
    except OSError as error:
        raise SimulatedDeviceUnavailable(
            f"cannot keep the compiled device in {folder}: {error}; set XDG_CACHE_HOME to another folder"
        ) from error
    return library


def _compile(command: list[str], scratch: Path, log: Path) -> Path:
    # As one translation unit: most of the time goes into PyTorch's headers, which each would read again.
    unit = scratch / "all_sources.cpp"
    unit.write_text("".join(f'#include "{path.name}"\n' for path in _source_files()), encoding="utf-8")
    output = scratch / unit.with_suffix(".so").name
    whole = [*command, str(unit), "-o", str(output), *LIBRARIES]
    result = subprocess.run(whole, capture_output=True, text=True, check=False)
    log.write_text(f"{shlex.join(whole)}\n\n{result.stdout}{result.stderr}", encoding="utf-8")
    if result.returncode != 0:
        first_error = next((line for line in result.stderr.splitlines() if "error" in line), "no message")
        raise SimulatedDeviceUnavailable(
            f"compiling the simulated device for torch {torch.__version__} failed: {first_error.strip()}\n"
            f"The compiler's messages are in {log}"
        )
    return output
