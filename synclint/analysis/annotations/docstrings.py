"""What a docstring says of a parameter: tensors and numbers, in the styles of NumPy, Google and Sphinx.

It is weaker evidence than an annotation, since nothing checks it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    STRING,
    UNKNOWN,
    DType,
    Sequence,
    Tensor,
    Value,
    is_known,
)
from synclint.findings import Confidence

_TENSORS = {
    "Tensor": DType.UNKNOWN, "FloatTensor": DType.FLOAT, "DoubleTensor": DType.FLOAT, "HalfTensor": DType.FLOAT,
    "LongTensor": DType.INT, "IntTensor": DType.INT, "ByteTensor": DType.INT, "BoolTensor": DType.BOOL,
}  # fmt: skip
_NUMBERS: dict[str, Value] = {"int": INTEGER, "float": FLOAT, "bool": BOOLEAN, "str": STRING}
# A role of Sphinx, backquotes and the like around the name of a type.
_MARKUP = re.compile(r":\w+:|[`~*]")
# `x: (Tensor): what it is`, and `x: (Tensor, optional) what it is`.
_BRACKETS = re.compile(r"^\(([^()]*)\):? ?")
_NONE = re.compile(r"\bNone\b|\boptional\b", re.IGNORECASE)
_NAME = re.compile(r"(?:torch\.)?(?:cuda\.)?(\w+)")
# What may follow the name of a type that stands for itself: `Tensor[B, N]`, `Tensor of shape (B, N)`.
_ALONE = re.compile(r"\s*(?:$|,|\(|\[|of (?:shape|size)|with (?:shape|size)|or None|\| None|default)", re.IGNORECASE)
# `A float tensor with shape (N, C)`: words about a tensor whose shape is given.
_IN_WORDS = re.compile(
    r"(?:an?|the|input|optional)?\s*(?P<family>float|floating[- ]point|integer|int|long|bool(?:ean)?)?[- ]?"
    r"(?:tensors?)\s+(?:of|with) (?:shape|size|dimensions?)\b",
    re.IGNORECASE,
)
# `list of int`, `Iterable, indices of ...`, `Sequence[float]`: what holds several things, perhaps with what they are.
_LIST = re.compile(
    r"(?:an? )?(?:list|tuple|sequence|iterable)s?(?: of |\[)?(?P<element>[A-Za-z.]*)\b\]?", re.IGNORECASE
)
_OF_POSITIONS = re.compile(r"\b(?:indices|indexes|positions|numbers|integers|ints)\b", re.IGNORECASE)
_ELEMENTS: dict[str, Value] = {"int": INTEGER, "integer": INTEGER, "float": FLOAT, "str": STRING, "string": STRING}
# `torch.Tensor, bool`, `Tensor (bool)`, `Tensor, dtype=torch.float32`: what the elements of a tensor are.
_HOLDING = re.compile(r"[\s,(]+(?:of )?(?:d?type[\s:=]*)?(?:torch\.)?(?P<family>bool|int|long|float)(?:ean|eger)?\d*\b")
_FAMILIES = {"f": DType.FLOAT, "i": DType.INT, "l": DType.INT, "b": DType.BOOL}


_STYLES = tuple(
    re.compile(style, re.MULTILINE)
    for style in (
        r"^[ \t]*(?P<name>\w+)[ \t]*:[ \t]*(?P<type>[^\n]+)",
        r"^[ \t]*:type[ \t]+(?P<name>\w+)[ \t]*:[ \t]*(?P<type>[^\n]+)",
        r"^[ \t]*:param[ \t](?P<type>[^:\s][^:\n]{0,80}?)[ \t](?P<name>\w+)[ \t]*:",
        r"^[ \t]*:param[ \t]+(?P<name>\w+)[ \t]*:[ \t]*(?:[Aa]n?[ \t]|[Tt]he[ \t])?:\w+:`(?P<type>[^`\n]+)`",
        r"^[ \t]*(?P<name>\w+)[ \t]*\((?P<type>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)[ \t]*:",
    )
)
# Without its sign a text says nothing in a style.
_SIGNS = (":", ":type", ":param", ":param", ")")


@lru_cache(maxsize=256)
def documented(docstring: str) -> Mapping[str, Value]:
    """What a docstring says that parameters are, as far as it says so."""
    found = {
        match["name"]: match["type"]
        for sign, style in zip(_SIGNS, _STYLES, strict=True)
        if sign in docstring
        for match in style.finditer(docstring)
    }
    types = {name: _type(_BRACKETS.sub(r"\1, ", _MARKUP.sub("", text).strip())) for name, text in found.items()}
    return {name: value for name, value in types.items() if is_known(value)}


def _type(text: str) -> Value:
    if (found := _IN_WORDS.match(text)) is not None:
        family = _FAMILIES.get((found["family"] or " ")[0].lower(), DType.UNKNOWN)
        value: Value = Tensor(dtype=family, trust=Confidence.MEDIUM)
        return join(value, NOTHING) if _NONE.search(text) else value
    if (listed := _LIST.match(text)) is not None and _ALONE.match(text, listed.end()):
        element = _ELEMENTS.get(listed["element"].removesuffix("s"))
        if element is None and (listed["element"] or _OF_POSITIONS.search(text) is None):
            return UNKNOWN  # what is said to be a list is often enough one tensor
        value = Sequence("list", None, element or INTEGER)
        return join(value, NOTHING) if _NONE.search(text) else value
    match = _NAME.match(text)
    if match is None or _ALONE.match(text, match.end()) is None:
        return UNKNOWN
    if match[1] in _TENSORS:
        family = _TENSORS[match[1]]
        if family is DType.UNKNOWN and (held := _HOLDING.match(text, match.end())) is not None:
            family = _FAMILIES[held["family"][0]]
        value = Tensor(dtype=family, trust=Confidence.MEDIUM)
    elif text.startswith(match[1]) and match[1] in _NUMBERS and not _is_tensor_as_well(text):
        value = _NUMBERS[match[1]]
    else:
        return UNKNOWN
    return join(value, NOTHING) if _NONE.search(text) else value


def _is_tensor_as_well(text: str) -> bool:
    """Whether a tensor stands among further types, behind commas: ``str, list, torch.Tensor``."""
    others = (_NAME.match(part.removeprefix(" or").lstrip()) for part in text.split(",")[1:])
    return any(other is not None and other[1] in _TENSORS for other in others)


def docstring_of(node: ast.AST) -> str:
    """The docstring of a function or class, empty where there is none."""
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value
    return ""
