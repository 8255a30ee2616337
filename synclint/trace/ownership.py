"""Whose a line is: the user's, a library's, PyTorch's or our own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from synclint.trace.records import NOWHERE, CodeLine

SYNCLINT = str(Path(__file__).parents[1])

# The folders that hold what is installed, in any environment.
INSTALLED = ("site-packages", "dist-packages")
# Below the folder of PyTorch: what leads each call through a mode for its functions, such as our own.
_DISPATCH = ("overrides.py", "utils/_device.py")


class Owner(Enum):
    """Who wrote a file."""

    USER = "user"
    LIBRARY = "library"
    TORCH = "torch"
    SYNCLINT = "synclint"
    PYTHON = "python"


@dataclass
class Ownership:
    """Tells whose a file is, and remembers it.

    ``roots`` are folders or files of the user's, wherever they lie: what ``python -m`` was given may be an installed
    package. ``libraries``, ``torch`` and ``python`` are folders of others.
    """

    roots: tuple[str, ...]
    libraries: tuple[str, ...]
    torch: str
    python: tuple[str, ...]
    _known: dict[str, Owner] = field(default_factory=dict)

    def of(self, file: str) -> Owner:
        """The owner of ``file``; code that is in no file, as of ``exec``, is a library's."""
        owner = self._known.get(file)
        if owner is None:
            owner = self._known[file] = self._judge(file)
        return owner

    def _judge(self, file: str) -> Owner:
        if file.startswith("<ipython-input") or "/ipykernel_" in file:
            return Owner.USER
        if file.startswith("<"):
            return Owner.PYTHON
        path = os.path.abspath(file)  # noqa: PTH100 -- pathlib has none that leaves links alone
        if _is_below(path, (SYNCLINT,)):
            return Owner.SYNCLINT
        if _is_below(path, (self.torch,)):
            dispatches = path[len(self.torch.rstrip(os.sep)) + 1 :] in _DISPATCH
            return Owner.PYTHON if dispatches else Owner.TORCH
        # The innermost folder decides: a package that is installed may be the user's, and an environment may lie
        # within the user's folder.
        best, owner = 0, Owner.USER
        for folders, whose in (
            (self.roots, Owner.USER),
            (self.libraries, Owner.LIBRARY),
            (self.python, Owner.PYTHON),
        ):
            for folder in folders:
                if len(folder) > best and _is_below(path, (folder,)):
                    best, owner = len(folder), whose
        # Packages of another environment, which PYTHONPATH or a .pth file adds.
        installed = max((path.rfind(f"{os.sep}{name}{os.sep}") for name in INSTALLED), default=-1)
        return Owner.LIBRARY if owner is Owner.USER and installed >= best else owner


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def default_ownership(roots: Sequence[str] = ()) -> Ownership:
    """How it is in this process: imports torch."""
    import site
    import sysconfig

    import torch

    paths = sysconfig.get_paths()
    return Ownership(
        roots=tuple(os.path.abspath(root) for root in roots),  # noqa: PTH100
        libraries=(paths["purelib"], paths["platlib"], *site.getsitepackages(), site.getusersitepackages()),
        torch=str(Path(torch.__file__).parent),
        python=(paths["stdlib"], paths["platstdlib"]),
    )


@dataclass(frozen=True)
class Blame:
    """The line of the user's and the library's line beneath it."""

    place: CodeLine
    library: CodeLine | None


def blame(stack: Sequence[CodeLine], ownership: Ownership) -> Blame:
    """Whom to tell of a wait with this ``stack``, which goes from the outside in.

    The innermost line of the user's; beneath it the innermost line of a library, or, where there is none but PyTorch,
    of PyTorch's own Python. Where nothing is the user's, the outermost line of a library stands in.
    """
    owners = [ownership.of(place.file) for place in stack]
    index = _last(owners, Owner.USER)
    if index is None:
        index = next((i for i, owner in enumerate(owners) if owner in (Owner.LIBRARY, Owner.TORCH)), None)
    if index is None:
        return Blame(stack[-1] if stack else NOWHERE, None)
    beneath = owners[index + 1 :]
    for owner in (Owner.LIBRARY, Owner.TORCH):
        below = _last(beneath, owner)
        if below is not None:
            return Blame(stack[index], stack[index + 1 + below])
    return Blame(stack[index], None)


def _last(owners: Sequence[Owner], wanted: Owner) -> int | None:
    return next((i for i in range(len(owners) - 1, -1, -1) if owners[i] is wanted), None)
