"""What every optimizer keeps, and what the annotations in ``torch/optim/optimizer.py`` leave open.

A learning rate is a tensor only where somebody passes one, for CUDA graphs; so are the other numbers.
"""

from __future__ import annotations

from synclint.analysis.domain.values import FLOAT, Mapping, Sequence, Tensor, Value
from synclint.findings import Confidence

_NUMBERS = ("lr", "initial_lr", "weight_decay", "momentum", "dampening", "eps", "alpha")


def _groups(parameter: Tensor) -> Sequence:
    numbers = tuple((name, FLOAT) for name in _NUMBERS)
    return Sequence("list", None, Mapping((*numbers, ("params", Sequence("list", None, parameter)))))


PARAMETER_GROUPS = "param_groups"
OF_OPTIMIZERS: dict[str, Value] = {PARAMETER_GROUPS: _groups(Tensor()), "state": Mapping((), Mapping())}
# What something unknown has that is asked for them: nothing else has such.
PRESUMED_GROUPS = _groups(Tensor(trust=Confidence.MEDIUM))
