"""What a docstring says of a parameter: tensors and numbers, in the styles of NumPy, Google and Sphinx.

It is weaker evidence than an annotation, since nothing checks it.
"""

from __future__ import annotations

import ast
import re

from synclint.analysis.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    STRING,
    UNKNOWN,
    DType,
    Tensor,
    Value,
    join,
)
from synclint.findings import Confidence

_TENSORS = {
    "Tensor": DType.UNKNOWN, "FloatTensor": DType.FLOAT, "DoubleTensor": DType.FLOAT, "HalfTensor": DType.FLOAT,
    "LongTensor": DType.INT, "IntTensor": DType.INT, "ByteTensor": DType.INT, "BoolTensor": DType.BOOL,
}  # fmt: skip
_NUMBERS: dict[str, Value] = {"int": INTEGER, "float": FLOAT, "bool": BOOLEAN, "str": STRING}
# A role of Sphinx, backquotes and the like around the name of a type.
_MARKUP = re.compile(r":\w+:|[`~*]")
_NONE = re.compile(r"\bNone\b|\boptional\b", re.IGNORECASE)
_NAME = re.compile(r"(?:torch\.)?(?:cuda\.)?(\w+)")
# What may follow the name of a type that stands for itself: `Tensor[B, N]`, `Tensor of shape (B, N)`.
_ALONE = re.compile(r"\s*(?:$|,|\(|\[|of (?:shape|size)|with shape|or None|\| None|default)", re.IGNORECASE)


def documented(docstring: str, parameter: str) -> Value:
    """What a docstring says that a parameter is; unknown where it says nothing of the kind."""
    if parameter not in docstring:
        return UNKNOWN
    name = re.escape(parameter)
    for pattern in (
        rf"^[ \t]*{name}[ \t]*\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)[ \t]*:",
        rf"^[ \t]*:param[ \t]+([^:\n]+?)[ \t]+{name}[ \t]*:",
        rf"^[ \t]*:type[ \t]+{name}[ \t]*:[ \t]*([^\n]+)$",
        rf"^[ \t]*{name}[ \t]*:[ \t]*([^\n]+)$",
    ):
        found = re.search(pattern, docstring, re.MULTILINE)
        if found is not None:
            return _type(_MARKUP.sub("", found[1]).strip())
    return UNKNOWN


def _type(text: str) -> Value:
    match = _NAME.match(text)
    if match is None or _ALONE.match(text, match.end()) is None:
        return UNKNOWN
    value: Value
    if match[1] in _TENSORS:
        value = Tensor(dtype=_TENSORS[match[1]], trust=Confidence.MEDIUM)
    elif text.startswith(match[1]) and match[1] in _NUMBERS:
        value = _NUMBERS[match[1]]
    else:
        return UNKNOWN
    return join(value, NOTHING) if _NONE.search(text) else value


def docstring_of(node: ast.AST) -> str:
    """The docstring of a function or class, empty where there is none."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value
    return ""
