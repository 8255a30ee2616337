"""Operators that a program registers with torch: what they return, by the function or the schema that was registered.

Source: ``torch/library.py`` (``custom_op``, ``define``, ``impl``, ``register_autograd``, ``register_fake``,
``Library.define``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.values import UNKNOWN, FunctionValue, Instance, Sequence, Symbol, Tensor, Text, Value
from synclint.analysis.models.torch_results import operands, value_of_kind
from synclint.analysis.state.frames import Arguments, Frame
from synclint.findings import Confidence

LIBRARY = "torch.library.Library"
_REGISTERING = frozenset({"custom_op", "register_fake", "impl_abstract", "triton_op"})
_SCHEMA = re.compile(r"\s{0,9}([\w:.]{0,200})\s{0,9}\([^()]{0,2000}\)\s{0,9}->\s{0,9}(\S(?:.{0,200}\S)?)\s{0,9}")
# What runs there is not what runs on the device, or comes before that.
_ELSEWHERE = re.compile(r"cpu|meta|fake|autograd|autocast", re.IGNORECASE)
# Behind the name of an operator: under these stand what runs for it, and what sets up the context of its backward pass.
_IMPLEMENTATION = " implementation"
_CONTEXT = " setup_context"
_KINDS = {"SymInt": "int", "Scalar": "number"}


def register_function(function: FunctionValue, decorator: Value, node: ast.expr, frame: Frame) -> None:
    """Note what ``@torch.library.custom_op("mine::pick")`` and its like decorate; ``decorator`` is what is called."""
    if not isinstance(node, ast.Call) or not isinstance(decorator, Symbol) or not node.args:
        return
    module, _, name = decorator.name.rpartition(".")
    if decorator.name == "torch.library.impl":
        _implement([frame.evaluate(argument) for argument in node.args], function, frame)
        return
    said = node.args[0]
    if module == "torch.library" and name in _REGISTERING and isinstance(said, ast.Constant):
        if isinstance(said.value, str):
            frame.engine.operators.setdefault(_bare(said.value), function)


def _implement(given: list[Value], function: FunctionValue, frame: Frame) -> None:
    """Note what ``@torch.library.impl(library, "pick", "CUDA")`` decorates: it says more than a schema."""
    texts = [value.literal or "" for value in given if isinstance(value, Text)]
    owner = given[0]
    name = f"{namespace_of(owner)}::{texts[0]}" if isinstance(owner, Instance) and texts else texts[0] if texts else ""
    keys = texts[1:]
    if "::" in name and not any(_ELSEWHERE.search(key) for key in keys):
        frame.engine.operators[f"{_bare(name)}{_IMPLEMENTATION}"] = function


def note_context(arguments: Arguments, frame: Frame) -> None:
    """Note which function ``register_autograd("mine::pick", backward, setup_context=...)`` has called with a call."""
    name, function = next(iter(arguments.positional), UNKNOWN), arguments.keywords.get("setup_context")
    if isinstance(name, Text) and name.literal and isinstance(function, FunctionValue):
        frame.engine.operators[f"{_bare(name.literal)}{_CONTEXT}"] = function


def called(name: str, operator: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call what is registered as an operator, and what sets up its context for the backward pass."""
    if isinstance(operator, Text):
        return result_by_schema(operator.literal or "", arguments)
    result = frame.engine.apply(operator, arguments, node, frame)
    set_up = frame.engine.operators.get(f"{_key(name)}{_CONTEXT}")
    if isinstance(operator, FunctionValue) and isinstance(set_up, FunctionValue):
        inputs = Sequence("tuple", tuple(_in_order(operator, arguments)))
        by_name: dict[str, Value] = {"ctx": UNKNOWN, "inputs": inputs, "output": result, "keyword_only_inputs": UNKNOWN}
        given = {p.name: by_name[p.name] for p in set_up.record.parameters if p.name in by_name}
        frame.engine.apply(set_up, Arguments([], given), node, frame)
    return result


def _in_order(operator: FunctionValue, arguments: Arguments) -> Iterator[Value]:
    """What an operator is given, in the order of its parameters."""
    for index, parameter in enumerate(operator.record.parameters):
        if index < len(arguments.positional):
            yield arguments.positional[index]
        elif parameter.kind in ("positional", "keyword"):
            yield arguments.keywords.get(parameter.name, UNKNOWN)


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
    operators, key = frame.engine.operators, _key(name)
    return operators.get(f"{key}{_IMPLEMENTATION}") or operators.get(key)


def _key(name: str) -> str:
    """``mine::pick`` for ``torch.ops.mine.pick``."""
    parts = name.split(".")
    return f"{parts[2]}::{parts[3]}" if len(parts) > 3 else ""


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
