"""Code of the user's that runs compiled: Python knows nothing of its lines, whether they run or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from synclint.trace.ownership import Owner, Ownership


def runs_compiled(ownership: Ownership) -> bool:
    """Whether TorchScript or dynamo has compiled a function of the user's in this process."""
    return any(ownership.of(file) is Owner.USER for file in _files())


def _files() -> Iterator[str]:
    """Where the functions and classes stand that have been compiled, as far as PyTorch remembers them."""
    modules: dict[str, Any] = sys.modules
    # Names of PyTorch's own, which another release may have under others.
    with suppress(AttributeError, KeyError):
        yield from (function.__code__.co_filename for function in modules["torch.jit._state"]._jit_caching_layer)
    with suppress(AttributeError, KeyError):
        for compiled in modules["torch.jit._recursive"].concrete_type_store.type_store:
            yield modules[compiled.__module__].__file__ or ""
    with suppress(AttributeError, KeyError):
        for reference in modules["torch._dynamo.convert_frame"].input_codes.seen:
            code = reference()
            if code is not None:
                yield code.co_filename
