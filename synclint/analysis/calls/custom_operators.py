"""Operators that a program registers with torch: what they return, by the function or the schema that was registered.

Source: ``torch/library.py`` (``custom_op``, ``define``, ``register_fake``, ``Library.define``).
"""

from __future__ import annotations

import ast
import re

from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.values import UNKNOWN, FunctionValue, Instance, Sequence, Symbol, Tensor, Text, Value
from synclint.analysis.models.torch_results import operands, value_of_kind
from synclint.analysis.state.frames import Arguments, Frame
from synclint.findings import Confidence

LIBRARY = "torch.library.Library"
_REGISTERING = frozenset({"custom_op", "register_fake", "impl_abstract", "triton_op"})
_SCHEMA = re.compile(r"\s*([\w:.]*)\s*\([^()]*\)\s*->\s*(.+?)\s*")
_KINDS = {"SymInt": "int", "Scalar": "number"}


def register_function(function: FunctionValue, decorator: Value, node: ast.expr, frame: Frame) -> None:
    """Note what ``@torch.library.custom_op("mine::pick")`` and its like decorate; ``decorator`` is what is called."""
    if not isinstance(node, ast.Call) or not isinstance(decorator, Symbol) or not node.args:
        return
    module, _, name = decorator.name.rpartition(".")
    said = node.args[0]
    if module == "torch.library" and name in _REGISTERING and isinstance(said, ast.Constant):
        if isinstance(said.value, str):
            frame.engine.operators.setdefault(_bare(said.value), function)


def define(namespace: str, arguments: Arguments, frame: Frame) -> None:
    """Note a schema: ``define("mine::split", "(Tensor x) -> int")``, or one of a library with its ``namespace``."""
    texts = [value.literal for value in arguments.positional[:2] if isinstance(value, Text) and value.literal]
    found = _SCHEMA.fullmatch(" ".join(texts if not namespace else texts[:1]))
    if found is not None:
        frame.engine.operators[_bare(f"{namespace}::{found[1]}" if namespace else found[1])] = Text(found[2])


def namespace_of(library: Instance) -> str:
    """The namespace of a library of operators, empty where it is not known."""
    said = library.given("ns")
    return said.literal or "" if isinstance(said, Text) else ""


def _bare(name: str) -> str:
    """``mine::pick`` without the name of an overload."""
    return name.partition(".")[0]


def registered(name: str, frame: Frame) -> Value | None:
    """What is registered as ``torch.ops.mine.pick``: a function, or the text of what it returns; None for nothing."""
    parts = name.split(".")
    return frame.engine.operators.get(f"{parts[2]}::{parts[3]}") if len(parts) > 3 else None


def result_by_schema(returns: str, arguments: Arguments) -> Value:
    """What an operator returns by its schema, tensors being where those are that it is given."""
    like = Tensor(place_of(operands(arguments.all_values())), trust=Confidence.MEDIUM)
    if returns.startswith("("):
        return Sequence("tuple", tuple(_of_kind(part, like) for part in returns.strip("()").split(",") if part.strip()))
    return _of_kind(returns, like)


def _of_kind(text: str, like: Tensor) -> Value:
    words = re.sub(r"\([^()]*\)", "", text).split()
    if not words:
        return UNKNOWN
    kind = words[0]
    if kind.endswith("[]"):
        return Sequence("list", None, _of_kind(kind[:-2], like))
    return value_of_kind(_KINDS.get(kind, kind), like)
