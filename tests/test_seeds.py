"""The scripts of two articles about synchronization: each wait they name is found, each cure removes it."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
from marked_sources import MarkedLine, disagreement, findings_in, marked, places_of

from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device

SEEDS = Path(__file__).parent / "fixtures" / "seeds"
MASKED_LOSS = [
    "masked_loss/step_0_original",
    "masked_loss/step_1_where_for_nonzero",
    "masked_loss/step_2_sort_for_unique",
    "masked_loss/step_3_ignore_index_for_mask",
]
SCRIPTS = sorted(path.relative_to(SEEDS).with_suffix("").as_posix() for path in SEEDS.glob("*/*.py"))
RELEASES = [{}, {"torchmetrics": "1.6"}, {"torchmetrics": "1.9"}]


def _reported(script: str, library_versions: dict[str, str], *, cold: bool = False) -> set[MarkedLine]:
    path = SEEDS / f"{script}.py"
    return places_of(findings_in([path], SEEDS, library_versions=library_versions), SEEDS, cold=cold)


def _codes(script: str, library_versions: dict[str, str]) -> Counter[str]:
    return Counter(place.code for place in _reported(script, library_versions))


@pytest.mark.parametrize("cold", [False, True], ids=["default", "cold"])
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: "-".join(release.values()) or "newest")
@pytest.mark.parametrize("script", SCRIPTS)
def test_marked_lines_and_no_others_are_reported(script: str, release: dict[str, str], cold: bool) -> None:
    source = (SEEDS / f"{script}.py").read_text(encoding="utf-8")
    expected = marked(f"{script}.py", source, cold=cold, library_versions=release)
    problem = disagreement(expected, _reported(script, release, cold=cold))
    assert not problem, problem


@pytest.mark.parametrize(
    ("before", "after", "release", "removed"),
    [
        (MASKED_LOSS[0], MASKED_LOSS[1], {}, ["SYN101", "SYN404"]),
        (MASKED_LOSS[1], MASKED_LOSS[2], {}, ["SYN102"]),
        (MASKED_LOSS[2], MASKED_LOSS[3], {}, ["SYN103", "SYN103"]),
        (
            "metric_collection/step_0_baseline",
            "metric_collection/step_1_weight_given",
            {"torchmetrics": "1.6"},
            ["SYN501"],
        ),
        (
            "metric_collection/step_1_weight_given",
            "metric_collection/step_2_nan_check_suppressed",
            {"torchmetrics": "1.6"},
            ["SYN503"],
        ),
        (
            "metric_collection/average_time_on_device",
            "metric_collection/step_3_tensor_update",
            {"torchmetrics": "1.6"},
            ["SYN501", "SYN502"],
        ),
    ],
    ids=["where", "sort", "ignore-index", "weight", "nan-check", "tensor-update"],
)
def test_each_optimisation_removes_exactly_its_finding(
    before: str, after: str, release: dict[str, str], removed: list[str]
) -> None:
    assert _codes(before, release) - _codes(after, release) == Counter(removed)
    assert not _codes(after, release) - _codes(before, release)


@pytest.mark.parametrize(
    "script",
    [
        MASKED_LOSS[3],
        "metric_collection/step_2_nan_check_suppressed",
        "metric_collection/average_time_on_cpu",
        "metric_collection/step_3_tensor_update",
    ],
)
def test_final_versions_are_clean(script: str) -> None:
    assert not _reported(script, {"torchmetrics": "1.6"})
    assert not _reported(script, {})


def test_loss_printed_every_hundred_steps_shows_only_with_cold() -> None:
    script = "metric_collection/step_2_nan_check_suppressed"
    assert [place.code for place in _reported(script, {}, cold=True)] == ["SYN201", "SYN201"]


def _masked_loss(script: str) -> torch.nn.Module:
    """The loss of a script whose training loop is left out."""
    path = SEEDS / f"{script}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    definitions = (ast.Import, ast.ImportFrom, ast.ClassDef)
    kept: list[ast.stmt] = [node for node in tree.body if isinstance(node, definitions)]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(kept, type_ignores=[]), str(path), "exec"), names)
    loss: torch.nn.Module = names["MaskedLoss"]()
    return loss


@pytest.mark.parametrize("labels", ["many", "background only", "one class"])
@pytest.mark.parametrize("script", MASKED_LOSS[1:])
def test_every_version_of_the_loss_computes_the_same(script: str, labels: str) -> None:
    torch.manual_seed(0)
    prediction = torch.randn(2, 10, 8, 8)
    target = {
        "many": torch.randint(-1, 10, (2, 8, 8)),
        "background only": torch.full((2, 8, 8), 9),
        "one class": torch.full((2, 8, 8), 3),
    }[labels]
    expected = _masked_loss(MASKED_LOSS[0])(prediction, target.clone())
    torch.testing.assert_close(_masked_loss(script)(prediction, target.clone()), expected, equal_nan=True)


@pytest.mark.parametrize("script", MASKED_LOSS)
def test_loss_waits_at_its_marked_lines_when_it_runs(script: str) -> None:
    source = (SEEDS / f"{script}.py").read_text(encoding="utf-8")
    marks = marked(script, source, cold=False, library_versions={})
    with simulated_device() as device:
        loss = _masked_loss(script).to(device)
        prediction = torch.randn(2, 10, 8, 8, device=device)
        target = torch.randint(-1, 10, (2, 8, 8), device=device)
        with record_syncs() as syncs:
            loss(prediction, target)
    assert {sync.line for sync in syncs} == {place.line for place in marks}
