"""Tensors that are on the host by their names, ``seq_lens_cpu_upper_bound``, where nothing else tells where they are.

What is mirrored on both sides has names for both. Asked only where an annotation or a use says no more than that it is
a tensor, or where it may be on the CPU on some paths anyway.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import Alternatives, Device, Origin, Tensor, Value
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_ON_THE_HOST = names_in("judged", "on-the-host")
_NOT_TOLD = frozenset({Device.UNKNOWN, Device.EITHER})
MAY_BE_PLACED: frozenset[type] = frozenset({Tensor, Alternatives})


def placed_by_name(name: str, value: Value) -> Value:
    """A value that is called so: a tensor of which nothing else tells where it is may be on the host by its name."""
    if not _says_host(name):
        return value
    if isinstance(value, Tensor):
        return _on_host(name, value)
    if isinstance(value, Alternatives) and any(isinstance(option, Tensor) for option in value.options):
        return join_all(_on_host(name, option) if isinstance(option, Tensor) else option for option in value.options)
    return value


def _on_host(name: str, tensor: Tensor) -> Tensor:
    if tensor.device not in _NOT_TOLD:
        return tensor
    said = Origin(f"`{name}` is on the CPU, judging by its name", parent=tensor.origin)
    # Whether its memory is pinned the name does not say.
    return replace(tensor, device=Device.CPU, pinned=None, trust=weaker(tensor.trust, Confidence.MEDIUM), origin=said)


@lru_cache(maxsize=4096)
def _says_host(name: str) -> bool:
    return not _ON_THE_HOST.isdisjoint(name.split("_"))
