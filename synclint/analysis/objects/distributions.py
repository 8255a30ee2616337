"""Distributions that are made of others, and of what those are made in the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from operator import or_

from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    FunctionRecord,
    Instance,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Value,
    is_known,
    options,
)
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.walk import last_name

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


_VALIDATION = "validate_args"
_OFF = (_VALIDATION, Scalar("bool", False))


def as_constructed(distribution: Instance) -> Instance:
    """A distribution of the project's own, with what its constructor has said to that of torch's: to check nothing."""
    constructor = distribution.record.all_methods.get("__init__") if distribution.record is not None else None
    if constructor is None or distribution.given(_VALIDATION) is not None:
        return distribution
    return replace(distribution, fields=(*distribution.fields, _OFF)) if _checks_nothing(constructor) else distribution


@text_fact
def _checks_nothing(constructor: FunctionRecord) -> bool:
    """Whether a constructor says to that of its base that nothing shall be checked."""
    passed = (call for call in constructor.nodes.of(ast.Call) if last_name(call.func) == "__init__")
    given = [keyword.value for call in passed for keyword in call.keywords if keyword.arg == _VALIDATION]
    return bool(given) and all(isinstance(one, ast.Constant) and one.value is False for one in given)


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
