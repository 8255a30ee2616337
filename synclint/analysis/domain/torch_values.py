"""Whether a value has to do with torch: what is handed on without any such value comes back without one."""

from __future__ import annotations

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Alternatives,
    Array,
    BoundMethod,
    ClassValue,
    DeviceName,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
)

# A function that is given such a name may give the module: `np = optional_import("numpy")`.
_MODULES = frozenset({"torch", "numpy"})
# Most values are of these kinds: asking for them first spares them every further test.
_NEVER = frozenset({Unknown, Nothing, Scalar, Array, ProjectModule})


def is_of_torch(value: Value, depth: int = DEEPEST_NESTING) -> bool:
    """Whether a value is, holds, names or leads to anything of torch: a tensor, a device, code with torch in reach."""
    if type(value) in _NEVER:
        return False
    if isinstance(value, Instance):
        if value.record is not None and value.record.module.has_torch_in_reach:
            return True
        return bool(depth) and any(is_of_torch(held, depth - 1) for _, held in value.fields)
    if isinstance(value, (Tensor, DeviceName, DTypeName)):
        return True
    if isinstance(value, (FunctionValue, ClassValue)):
        return value.record.module.has_torch_in_reach
    if isinstance(value, Symbol):
        return value.name.startswith("torch")
    if isinstance(value, Text):
        return value.literal in _MODULES
    if isinstance(value, BoundMethod):
        return is_of_torch(value.receiver, depth)
    if isinstance(value, Alternatives):
        return any(is_of_torch(option, depth) for option in value.options)
    if not isinstance(value, (Sequence, Mapping)) or not depth:
        return False
    return is_of_torch(any_item(value), depth - 1)
