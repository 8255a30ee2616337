"""How often a line runs does not depend on the names of files, nor on the order in which they are looked at."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from synclint.analysis.project import ProjectAnalysis

# In each, `{other}` and `{third}` are the names of the modules that hold the others.
_ROLES = {
    "helpers": """\
import torch


def save_norm(x: torch.Tensor) -> float:
    return x.norm().item()


def even(x: torch.Tensor, n: int) -> float:
    return x.sum().item() if n == 0 else odd(x, n - 1)


def odd(x: torch.Tensor, n: int) -> float:
    return x.mean().item() if n == 0 else even(x, n - 1)
""",
    "middle": """\
import torch

from {helpers} import even, save_norm


def each(x: torch.Tensor, n: int) -> float:
    return save_norm(x) + even(x, n)


def unused(x: torch.Tensor) -> float:
    return save_norm(x)
""",
    "train": """\
import torch

from {helpers} import save_norm
from {middle} import each


def main(model, optimizer, batch: torch.Tensor) -> None:
    for step in range(1000):
        model(batch).sum().backward()
        optimizer.step()
        if step % 10 == 0:
            save_norm(batch)
        each(batch, step)


if __name__ == "__main__":
    main(None, None, torch.rand(3, device="cuda"))
""",
}
_NAMES = ("a_first", "m_middle", "z_last")


def _phases(folder: Path, names: tuple[str, ...], order: tuple[int, ...]) -> list[tuple[str, int, str, int]]:
    named = dict(zip(_ROLES, names, strict=True))
    files = [(role, folder / f"{named[role]}.py") for role in _ROLES]
    folder.mkdir()
    for role, path in files:
        path.write_text(_ROLES[role].format(**named), encoding="utf-8")
    project = ProjectAnalysis([folder])
    for index in order:
        project.analyse(files[index][1], files[index][1].read_text(encoding="utf-8"))
    return sorted(
        (role, event.span.start.line, event.context.runs.value, len(event.context.times))
        for role, path in files
        for event in project.check(path, path.read_text(encoding="utf-8"))
    )


@pytest.mark.parametrize("names", list(permutations(_NAMES)))
def test_names_of_files_and_their_order_make_no_difference(tmp_path: Path, names: tuple[str, ...]) -> None:
    told = {
        tuple(_phases(tmp_path / f"order{number}", names, order)) for number, order in enumerate(permutations(range(3)))
    }
    assert len(told) == 1
    (phases,) = told
    assert phases == (
        ("helpers", 5, "step", 0),
        ("helpers", 9, "step", 0),
        ("helpers", 13, "step", 0),
    )
