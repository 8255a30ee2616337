"""Whether a hazard and its twin return the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

import torch


def difference(hazard: object, twin: object, where: str = "result") -> str | None:
    """What differs between two results, in one line, or None when they are equal.

    Tensors are compared by ``torch.testing.assert_close`` wherever they live, and a number may stand
    for a tensor without dimensions: reading a value or leaving it on the device is what twins
    differ in.
    """
    if isinstance(hazard, torch.Tensor) or isinstance(twin, torch.Tensor):
        return _tensor_difference(hazard, twin, where)
    if isinstance(hazard, Mapping) and isinstance(twin, Mapping):
        if hazard.keys() != twin.keys():
            return f"{where}: keys {sorted(map(str, hazard))} and {sorted(map(str, twin))}"
        return _first(difference(hazard[key], twin[key], f"{where}[{key!r}]") for key in hazard)
    if _is_sequence(hazard) and _is_sequence(twin):
        if len(hazard) != len(twin):
            return f"{where}: {len(hazard)} and {len(twin)} elements"
        return _first(difference(a, b, f"{where}[{k}]") for k, (a, b) in enumerate(zip(hazard, twin, strict=True)))
    if isinstance(hazard, (int, float, complex)) and isinstance(twin, (int, float, complex)):
        return _tensor_difference(hazard, twin, where)
    return None if hazard == twin else f"{where}: {hazard!r} and {twin!r}"


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _first(differences: Iterable[str | None]) -> str | None:
    return next((text for text in differences if text is not None), None)


def _tensor_difference(hazard: object, twin: object, where: str) -> str | None:
    try:
        a, b = _on_host(hazard), _on_host(twin)
    except (TypeError, ValueError, RuntimeError):
        return f"{where}: {type(hazard).__name__} and {type(twin).__name__}"
    both_tensors = isinstance(hazard, torch.Tensor) and isinstance(twin, torch.Tensor)
    try:
        torch.testing.assert_close(a, b, equal_nan=True, check_dtype=both_tensors)
    except AssertionError as error:
        return f"{where}: {' '.join(str(error).split())}"
    return None


def _on_host(value: object) -> torch.Tensor:
    tensor = value if isinstance(value, torch.Tensor) else torch.as_tensor(value)
    return tensor.detach().cpu()
