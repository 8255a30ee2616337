"""Whether the catalogue says of a call that the host waits in it, and of which argument a message speaks."""

from __future__ import annotations

import ast

from synclint.analysis.calls.implicit_scalar_reads import (
    SIZES,
    is_rather_a_number,
    may_be_number,
    takes_a_number,
)
from synclint.analysis.domain.tensors import device_tensor_of
from synclint.analysis.domain.values import UNKNOWN, DType, Instance, Scalar, Tensor, Unknown, Value
from synclint.analysis.models.conditions import deciding_tensor
from synclint.analysis.models.torch_results import Bound
from synclint.analysis.objects import classes
from synclint.analysis.objects.parameters import questioned
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.entries import Entry
from synclint.catalog.torch_api import Overload
from synclint.findings import Confidence

# What models of transformers take that holds integers.
_OF_TOKENS = frozenset({"input_ids", "attention_mask"})


def check_entries(
    names: tuple[str, ...],
    bound: Bound,
    overload: Overload | None,
    arguments: Arguments,
    node: ast.Call,
    frame: Frame,
) -> bool:
    """Report every catalogue entry for these names whose conditions hold; whether there was one.

    What may be among the contents of ``**options`` of which nothing is known is not said to have its default.
    """
    known = frame.engine.entries
    spoken_of = [name for name in names if name in known]
    if not spoken_of:
        return False
    parameters = overload.parameters if overload is not None and arguments.complete else ()
    defaults = {p.name: p.default for p in parameters if p.default is not None}
    reported: set[str] = set()
    for name in spoken_of:
        for entry in known[name]:
            receiver = _receiver_node(names[0], bound, node)
            if entry.id in reported or _is_overridden(entry, bound) or _coincide(entry, receiver, arguments):
                continue
            # The entry knows the parameters where the tables do not, and ``bound`` has guessed what the first one is.
            unnamed = dict.fromkeys(_held_by(arguments, entry), arguments.others)
            named = {**unnamed, **bound, **dict(zip(entry.parameters, arguments.positional, strict=False))}
            tensor = deciding_tensor(entry, named, defaults)
            if tensor is not None:
                reported.add(entry.id)
                is_doubtful = _may_coincide(entry, overload, arguments, frame) or (
                    entry.id in SIZES and may_be_number(tensor, named.values(), frame)
                )
                name_of_subject = _subject_of(entry, named)
                subject = _subject_node(name_of_subject, entry, overload, arguments, node, receiver)
                known_of_subject = named.get(name_of_subject, UNKNOWN)
                is_doubtful = is_doubtful or _is_tensor_by_use(subject, named.get(name_of_subject), frame)
                of_subject = next((p for p in parameters if p.name == name_of_subject), None)
                if of_subject is not None and takes_a_number(of_subject):
                    is_doubtful = is_doubtful or is_rather_a_number(known_of_subject, tensor, frame)
                doubt = Confidence.LOW if is_doubtful else None
                frame.report(entry.id, node, tensor, subject, doubt, known_of_subject)
    return bool(reported)


def _held_by(arguments: Arguments, entry: Entry) -> tuple[str, ...]:
    """The parameters that a batch may hold which a call hands on: none of integers where it holds none."""
    if arguments.complete:
        return ()
    others = arguments.others
    are_floats = isinstance(others, Tensor) and others.dtype is DType.FLOAT
    return tuple(name for name in entry.in_batches if not are_floats or name not in _OF_TOKENS)


def _is_tensor_by_use(subject: ast.AST, value: Value | None, frame: Frame) -> bool:
    """Whether a parameter of which nothing is left behind a test is a tensor by what else the function does with it."""
    if not isinstance(subject, ast.Name) or not isinstance(value, Unknown) or frame.function is None:
        return False
    if subject.id in questioned(frame.function):
        return True  # what is no tensor is the exception, which it is asked for
    return subject.id in frame.engine.usage(frame.function).tensors


def _receiver_node(name: str, bound: Bound, node: ast.Call) -> ast.AST | None:
    """The object whose method is called: ``x`` of ``x.sum()``, all of ``self.norm`` where that is called itself."""
    if name.startswith("Tensor."):
        return node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(bound.get("self"), Instance):
        return None
    method = name.rpartition(".")[2]
    return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == method else node.func


def _is_overridden(entry: Entry, bound: Bound) -> bool:
    """Whether the receiver's class replaces the method in which the host would wait."""
    receiver = bound.get("self")
    return (
        entry.unless_overrides is not None
        and isinstance(receiver, Instance)
        and receiver.record is not None
        and classes.find_method(receiver.record, entry.unless_overrides) is not None
    )


def _coincide(entry: Entry, receiver: ast.AST | None, arguments: Arguments) -> bool:
    """Whether what is compared are one and the same name."""
    names = [dotted_name(node) for node in (receiver, *arguments.nodes.values()) if node is not None]
    return len(names) >= len(entry.may_coincide) > 0 and None not in names and len(set(names)) == 1


def _may_coincide(entry: Entry, overload: Overload | None, arguments: Arguments, frame: Frame) -> bool:
    """Whether callers may have given one object for the arguments that are compared."""
    if not entry.may_coincide or frame.function is None:
        return False
    parameters = {parameter.name for parameter in frame.function.parameters}
    nodes = [node for node in arguments.nodes.values() if isinstance(node, ast.Name)]
    if any(_is_switch(node) for node in arguments.nodes.values()):
        return False
    return len(nodes) >= len(entry.may_coincide) and all(node.id in parameters for node in nodes)


def _is_switch(node: ast.AST) -> bool:
    """Whether an argument is ``True``, ``False`` or ``None``."""
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))


def _subject_of(entry: Entry, named: Bound) -> str:
    """The argument that is named: where the usual one is a number, another is the tensor (``linspace(0, end, 8)``)."""
    if not isinstance(named.get(entry.subject), Scalar):
        return entry.subject
    others = (condition.argument for group in entry.when for condition in group if condition.predicate == "device")
    return next((name for name in others if device_tensor_of(named.get(name, UNKNOWN)) is not None), entry.subject)


def _subject_node(
    name: str, entry: Entry, overload: Overload | None, arguments: Arguments, node: ast.Call, receiver: ast.AST | None
) -> ast.AST:
    """The argument that decides, as it stands in the call, or the ``receiver`` of a method."""
    if name in arguments.nodes:
        return arguments.nodes[name]
    positions = [p.name for p in overload.parameters] if overload is not None else list(entry.parameters)
    # An object may be called on an `input`; of a tensor's method it is the tensor.
    is_receiver = name == "self" or (name == "input" and "input" not in positions)
    if receiver is not None and is_receiver:
        return receiver
    if name in positions and positions.index(name) in arguments.nodes:
        return arguments.nodes[positions.index(name)]
    batch = next((keyword.value for keyword in node.keywords if keyword.arg is None), None)
    if batch is not None and entry.in_batches:
        return batch
    return arguments.nodes.get(0, node)
