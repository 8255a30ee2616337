"""Distributions that are made of others, and of what those are made in the end."""

from __future__ import annotations

from collections.abc import Iterator
from operator import or_

from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Instance,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Value,
    is_known,
    options,
)

DISTRIBUTION = "torch.distributions.Distribution"

# These declare no constraints: their constructors have the one of `Distribution` check those that a subclass declares.
# Sources: ``torch/distributions/transformed_distribution.py``, ``independent.py``, ``mixture_same_family.py``.
WITHOUT_CONSTRAINTS = frozenset(
    f"torch.distributions.{name}" for name in ("TransformedDistribution", "Independent", "MixtureSameFamily")
)


def made_of(distribution: Instance, depth: int = DEEPEST_NESTING) -> Iterator[Value]:
    """What a distribution was made of, and what those were that it was made of."""
    for _, given in distribution.fields:
        for option in options(given):
            if isinstance(option, Instance) and depth:
                yield from made_of(option, depth - 1)
            else:
                yield option


def is_of_numbers(distribution: Instance) -> bool:
    """Whether all that a distribution was made of is known, and no tensor: its samples are on the CPU then."""
    found = list(made_of(distribution))
    return bool(found) and all(is_known(value) and not isinstance(value, (Tensor, Sequence)) for value in found)


def may_be_of_numbers(distribution: Instance) -> bool:
    """Whether each thing that a distribution was made of is a number on some path, and none is seen to be a tensor."""
    given = [options(value) for _, value in distribution.fields]
    if any(isinstance(option, (Tensor, Sequence, Instance)) for each in given for option in each):
        return False
    numbers = [any(isinstance(option, Scalar) for option in each) for each in given]
    left_out = [all(isinstance(option, Nothing) for option in each) for each in given]
    return any(numbers) and all(map(or_, numbers, left_out))
