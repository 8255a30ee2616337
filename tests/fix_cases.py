"""Runs the cases of the rules' fixes: what ``--fix`` makes of a program, and what both programs do.

A rule's folder holds, beside its ``fix.py``, a folder ``fix_cases`` with programs like ``hazard.py``:

* ``safe….py`` and ``safe….fixed.py``: before and after ``--fix``, which computes the same to the last bit
* ``unsafe….py`` and ``unsafe….fixed.py``: before and after ``--fix --unsafe-fixes``; ``--fix`` leaves it alone
* ``stays….py``: near misses, which neither changes

A program that changes has a function ``inputs(device)``, which gives the arguments of each function that is to be run,
by its name. ``NEEDS_CUDA = True`` keeps it from being run without a device. ``DIFFERS`` names the functions whose
results an unsafe fix changes, with the reason. ``TORCH = "2.12.0"`` and ``TORCHMETRICS = "1.6.1"`` say for which
release it is, where the one that runs here has mended the wait: its waits are not counted then.
"""

from __future__ import annotations

import copy
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

from synclint.config.options import Options
from synclint.findings import Finding
from synclint.fixes.rounds import Fixed, fixed
from synclint.results.file_reports import FileReport
from synclint.running.runner import check_files
from synclint.verify.recording import record_syncs

RULES = Path(__file__).parent.parent / "rules"
ENDING = ".fixed.py"
_RELEASE = re.compile(r'^(TORCH|TORCHMETRICS) = "([\d.]+)"$', re.MULTILINE)
Arguments = tuple[object, ...]


@dataclass(frozen=True)
class FixCase:
    """A program that is fixed, and what it is to be afterwards: itself where nothing may be changed."""

    rule: str
    before: Path
    after: Path
    safe: bool

    @property
    def name(self) -> str:
        """What the case is called in the results of a test run."""
        return f"{self.rule}-{self.before.stem}"

    @property
    def releases(self) -> dict[str, str]:
        """The releases that the program is written for, of libraries that run here in another one."""
        return {name.lower(): found for name, found in _RELEASE.findall(self.before.read_text(encoding="utf-8"))}

    @property
    def changes(self) -> bool:
        """Whether it is to be fixed."""
        return self.before != self.after


def load_fix_cases() -> tuple[FixCase, ...]:
    """The cases of all rules."""
    return tuple(case for folder in sorted(RULES.glob("SYN*/fix_cases")) for case in _cases(folder))


def _cases(folder: Path) -> Iterator[FixCase]:
    rule = folder.parent.name[: len("SYN000")]
    for path in sorted(folder.glob("*.py")):
        if path.name.endswith(ENDING):
            continue
        is_safe = path.name.startswith("safe")
        after = path if path.name.startswith("stays") else path.with_name(path.stem + ENDING)
        yield FixCase(rule, path, after, is_safe)


def _options(releases: Mapping[str, str]) -> Options:
    libraries = tuple(sorted((name, found) for name, found in releases.items() if name != "torch"))
    return Options(torch_version=releases.get("torch"), library_versions=libraries)


def findings(path: Path, releases: Mapping[str, str]) -> tuple[Finding, ...]:
    """What is found in a file by default."""
    (report,) = check_files([path], [path], _options(releases), jobs=1).reports
    return report.findings


def fix(path: Path, releases: Mapping[str, str], *, unsafe: bool) -> Fixed:
    """What the fixes make of a file or a folder, with nothing written."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    options = _options(releases)

    def check() -> Sequence[FileReport]:
        return tuple(check_files(files, [path], options, jobs=1).reports)

    return fixed(check(), check, unsafe=unsafe)


def fixed_text(case: FixCase, *, unsafe: bool) -> str:
    """The text of a case after its fixes."""
    changes = fix(case.before, case.releases, unsafe=unsafe).changes
    return changes[case.before].after if changes else case.before.read_text(encoding="utf-8")


def load_module(path: Path) -> ModuleType:
    """The program in a file, run anew."""
    name = f"fix_case_{path.parent.parent.name}_{path.name}".replace("-", "_").replace(".", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Behaviour:
    """What a call does: its result, its arguments afterwards, their gradients, what shares memory, and its waits.

    Of the waits those come first that are certain; what a driver may do or leave is counted among all of them only.
    """

    result: object
    arguments: Arguments
    gradients: tuple[torch.Tensor | None, ...]
    shared: frozenset[tuple[int, int]]
    waits: tuple[int, int]


def behaviour(function: Callable[..., Any], arguments: Arguments, seed: int) -> Behaviour:
    """Call a function on a copy of its arguments."""
    arguments = copy.deepcopy(arguments)
    torch.manual_seed(seed)
    with record_syncs() as syncs:
        result = function(*arguments)
    waits = (sum(sync.certain for sync in syncs), len(syncs))
    given, made = list(_tensors(arguments)), list(_tensors(result))
    shared = frozenset(
        (i, k) for i, one in enumerate(made) for k, other in enumerate(given) if one.data_ptr() == other.data_ptr()
    )
    leaves = [tensor for tensor in given if tensor.requires_grad and tensor.is_leaf]
    total = [tensor.sum() for tensor in made if tensor.requires_grad and tensor.is_floating_point()]
    gradients = torch.autograd.grad(total, leaves, allow_unused=True) if total and leaves else ()
    return Behaviour(result, arguments, tuple(gradients), shared, waits)


def _tensors(value: object) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, torch.nn.Module):
        yield from value.parameters()
        yield from value.buffers()


# Types with which torch can compute hardly anything.
_WIDER = {torch.complex32: torch.complex64, torch.float8_e5m2: torch.float32, torch.float8_e4m3fn: torch.float32}


def exact_difference(before: object, after: object, where: str = "result") -> str | None:
    """What differs between two results that are to be the same to the last bit; None where nothing does."""
    if type(before) is not type(after):
        return f"{where}: {type(before).__name__} and {type(after).__name__}"
    if isinstance(before, torch.Tensor) and isinstance(after, torch.Tensor):
        for what in ("dtype", "shape", "device", "layout", "requires_grad"):
            if getattr(before, what) != getattr(after, what):
                return f"{where}: {what} {getattr(before, what)} and {getattr(after, what)}"
        one, other = before.detach().cpu(), after.detach().cpu()
        wider = _WIDER.get(one.dtype)
        if wider is not None:
            one, other = one.to(wider), other.to(wider)
        same = torch.equal(one.isnan(), other.isnan()) and torch.equal(one.nan_to_num(), other.nan_to_num())
        return None if same else f"{where}: {before} and {after}"
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return None if np.array_equal(before, after) else f"{where}: {before} and {after}"
    if isinstance(before, dict) and isinstance(after, dict):
        if before.keys() != after.keys():
            return f"{where}: keys {list(before)} and {list(after)}"
        pairs = [(f"{where}[{key!r}]", before[key], after[key]) for key in before]
    elif isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
        if len(before) != len(after):
            return f"{where}: {len(before)} and {len(after)} elements"
        pairs = [(f"{where}[{k}]", a, b) for k, (a, b) in enumerate(zip(before, after, strict=True))]
    elif hasattr(before, "__dict__") and not isinstance(before, type):
        return exact_difference(vars(before), vars(after), where)
    else:
        is_same = before == after or (before != before and after != after)  # not a number
        return None if is_same else f"{where}: {before!r} and {after!r}"
    return next((d for place, a, b in pairs if (d := exact_difference(a, b, place)) is not None), None)
