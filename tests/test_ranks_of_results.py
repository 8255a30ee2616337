"""Operations of which the catalogue says that they keep the rank of their operand do so when they are run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
import torch

from synclint.analysis.models.torch_results import load_result_rules

KEEPS = sorted(name for name, rule in load_result_rules().rank.items() if rule == "keeps")
SHAPES = ((3, 3), (1, 3, 3), (1, 3, 3, 3), (1, 3, 3, 3, 3))
# What is given besides the operand, until an operation accepts it.
FURTHER: tuple[tuple[object, ...], ...] = (
    (),
    (0,),
    (0, 1),
    (2.0,),
    (0.5, 2.0),
    ((1, 1),),
    (torch.rand(3, 3, 3),),
    (torch.rand(3, 3, 3, 3),),
    (torch.rand(3, 3, 3, 3, 3),),
    (torch.zeros(1, 5, 5, 2),),
    (torch.ones(3, 3, 3, 3, dtype=torch.long),),
    (3,),
    (2,),
    ((3,),),
    (0, 0, 1),
    (torch.rand(3, 3),),
    (torch.rand(1, 3, 3),),
    (torch.tensor(True), 1.0),
    (0, torch.zeros(1, dtype=torch.long), 1.0),
    (0, torch.zeros(3, dtype=torch.long)),
    (0, torch.zeros(3, 3, 3, 3, dtype=torch.long)),
    (0, torch.zeros(3, 3, 3, 3, dtype=torch.long), 1.0),
)


def results(name: str, operand: torch.Tensor) -> Iterator[torch.Tensor]:
    """What operations of a name give for an operand, and what else they need."""
    owners = (torch, torch.nn.functional, torch.fft, torch.Tensor)
    for function in [found for owner in owners if callable(found := getattr(owner, name, None))]:
        for further in FURTHER:
            with suppress(Exception):  # which says that the operation takes something else
                given = function(operand, *further)
                tensor = given if isinstance(given, torch.Tensor) else given[0]
                if isinstance(tensor, torch.Tensor):
                    yield tensor
                    break


@pytest.mark.parametrize("name", KEEPS)
def test_the_rank_stays_that_of_the_operand(name: str) -> None:
    found = [(shape, result.ndim) for shape in SHAPES for result in results(name, torch.rand(shape))]
    assert all(rank == len(shape) for shape, rank in found)


def test_most_of_these_operations_were_run() -> None:
    run = [name for name in KEEPS if any(True for shape in SHAPES for _ in results(name, torch.rand(shape)))]
    assert len(run) > 0.9 * len(KEEPS)
