"""What tests leave of a value: the kinds of value that it may still be, and what its truth is."""

from __future__ import annotations

from synclint.analysis.domain.values import (
    UNKNOWN,
    Alternatives,
    ClassValue,
    DTypeName,
    FunctionValue,
    Nothing,
    ProjectModule,
    Scalar,
    Symbol,
    Text,
    Unknown,
    Value,
    options,
)


def without(value: Value, kinds: type | tuple[type, ...]) -> Value:
    """The value after a test has ruled out some kinds."""
    left = [option for option in options(value) if not isinstance(option, kinds)]
    if not left:
        return UNKNOWN
    return left[0] if len(left) == 1 else Alternatives(tuple(left))


def only(value: Value, kinds: type | tuple[type, ...]) -> Value | None:
    """The value after a test has left only some kinds, None where none of it is of them."""
    left = [option for option in options(value) if isinstance(option, kinds)]
    if not left:
        return None
    return left[0] if len(left) == 1 else Alternatives(tuple(left))


def truth(value: Value) -> bool | None:
    """Whether the value counts as true, where that is certain without running the code."""
    if isinstance(value, Nothing):
        return False
    if isinstance(value, (Scalar, Text)) and value.literal is not None:
        return bool(value.literal)
    if isinstance(value, (FunctionValue, ClassValue, ProjectModule, DTypeName)):
        return True
    return True if isinstance(value, Symbol) and _names_class(value.name) else None


def _names_class(name: str) -> bool:
    """Whether a qualified name is that of a class, by the way it is written."""
    last = name.rpartition(".")[2]
    return name == "numpy.ndarray" or (last[:1].isupper() and not last.isupper())


def may_be_text(text: str, value: Value) -> bool:
    """Whether a value may be this text. What is known to be another one stays so: nothing comes to the branch."""
    held = options(value)
    if not all(isinstance(option, (Text, Unknown)) for option in held):
        return False
    return any(not isinstance(option, Text) or option.literal in (None, text) for option in held)
