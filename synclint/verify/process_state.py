"""What cases may change for the whole process, and how to put it back: no case is to see another's changes.

``torch.cond``, for one, switches the validation of distributions off for good, through
``torch/_dynamo/eval_frame.py``, and every later case about that validation would not wait.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.distributions import Distribution


@dataclass(frozen=True)
class _Setting:
    read: Callable[[], Any]
    write: Callable[[Any], object]


def _restore_environment(environment: dict[str, str]) -> None:
    if dict(os.environ) != environment:
        os.environ.clear()
        os.environ.update(environment)


_SETTINGS = (
    _Setting(lambda: Distribution._validate_args, Distribution.set_default_validate_args),
    _Setting(torch.get_default_dtype, torch.set_default_dtype),
    _Setting(torch.is_grad_enabled, torch.set_grad_enabled),
    _Setting(torch.is_anomaly_enabled, torch.set_anomaly_enabled),
    _Setting(torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
    _Setting(torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
    _Setting(torch.get_num_threads, torch.set_num_threads),
    _Setting(torch.random.get_rng_state, torch.random.set_rng_state),
    _Setting(random.getstate, random.setstate),
    _Setting(lambda: list(warnings.filters), lambda filters: setattr(warnings, "filters", filters)),
    _Setting(lambda: dict(os.environ), _restore_environment),
)


@contextmanager
def unchanged_process() -> Iterator[None]:
    """Put back what the block changes, however it ends."""
    before = [(setting, setting.read()) for setting in _SETTINGS]
    try:
        yield
    finally:
        for setting, value in before:
            setting.write(value)
