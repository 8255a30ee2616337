"""What a test tells about values in the branch behind it, and which tests are certain before the code runs."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from synclint.analysis import expressions
from synclint.analysis.annotations import external
from synclint.analysis.frames import Frame
from synclint.analysis.values import (
    NOTHING,
    UNKNOWN,
    Alternatives,
    Array,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    only,
    options,
    tensors_in,
    without,
)
from synclint.analysis.walk import dotted_name

_FALSE_IN_EAGER_MODE = frozenset(
    {
        "torch.jit.is_scripting", "torch.jit.is_tracing", "torch.compiler.is_compiling", "torch._C._get_tracing_state",
        "torch.compiler.is_dynamo_compiling", "torch.onnx.is_in_onnx_export", "torch._dynamo.is_compiling",
        "torch.compiler.is_exporting", "torch._utils.is_compiling",
    }
)  # fmt: skip
_TRUE_ON_A_GPU = frozenset({"torch.cuda.is_available"})


def constant(test: cst.BaseExpression, frame: Frame) -> bool | None:
    """The outcome of a test that is the same whenever the code runs eagerly on a GPU."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = constant(test.expression, frame)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        left, right = constant(test.left, frame), constant(test.right, frame)
        deciding = isinstance(test.operator, cst.Or)
        if left is deciding or right is deciding:
            return deciding
        return (not deciding) if left is not None and right is not None else None
    if isinstance(test, cst.Call):
        name = _qualified(test.func, frame)
        if name in _FALSE_IN_EAGER_MODE:
            return False
        if name in _TRUE_ON_A_GPU:
            return True
        if name == "builtins.isinstance" and len(test.args) == 2:
            return _isinstance_outcome(test, frame)
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return _none_outcome(test, frame)
    return None


def _qualified(node: cst.BaseExpression, frame: Frame) -> str | None:
    if dotted_name(node) is None:
        return None
    value = expressions.evaluate(node, frame)
    return value.name if isinstance(value, Symbol) else None


def _none_outcome(test: cst.Comparison, frame: Frame) -> bool | None:
    target = test.comparisons[0]
    if not isinstance(target.operator, (cst.Is, cst.IsNot)) or dotted_name(target.comparator) != "None":
        return None
    path = dotted_name(test.left)
    value = current(path, test.left, frame)
    if isinstance(value, (Unknown, Alternatives)):
        return None
    return isinstance(value, Nothing) is isinstance(target.operator, cst.Is)


def _isinstance_outcome(test: cst.Call, frame: Frame) -> bool | None:
    value = current(dotted_name(test.args[0].value), test.args[0].value, frame)
    classes = _classes(test.args[1].value, frame)
    if isinstance(value, (Unknown, Alternatives, Instance)) or not classes:
        return None
    kinds = tuple({type(c) for c in classes})
    if any(isinstance(c, (Instance, Unknown)) for c in classes):
        return None
    if isinstance(value, kinds) and not isinstance(value, Scalar):
        return True
    return None if isinstance(value, (Scalar, Sequence, Mapping)) and isinstance(value, kinds) else False


def current(path: str | None, node: cst.BaseExpression, frame: Frame) -> Value:
    """The value of a name or path, without reporting anything that evaluating it would."""
    if path is None:
        return UNKNOWN
    if path in frame.scope:
        return frame.scope[path]
    frame.muted += 1
    value = expressions.evaluate(node, frame)
    frame.muted -= 1
    return value


def narrowed(test: cst.BaseExpression, frame: Frame, outcome: bool) -> None:
    """Change the frame's scope to what holds where ``test`` came out as ``outcome``.

    A branch that only runs on the CPU (``x.device.type == "cpu"``) is muted: nothing in it can wait for a device.
    """
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        narrowed(test.expression, frame, not outcome)
    elif isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And) is outcome:
            narrowed(test.left, frame, outcome)
            narrowed(test.right, frame, outcome)
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        _by_comparison(test, frame, outcome)
    elif isinstance(test, cst.Call):
        _by_call(test, frame, outcome)
    elif isinstance(test, cst.NamedExpr):
        narrowed(test.target, frame, outcome)
    elif isinstance(test, (cst.Name, cst.Attribute)):
        _by_truth(test, frame, outcome)


def _by_truth(test: cst.Name | cst.Attribute, frame: Frame, outcome: bool) -> None:
    path = dotted_name(test)
    if path is None:
        return
    if isinstance(test, cst.Attribute) and test.attr.value in ("is_cuda", "is_cpu"):
        _place(test.value, frame, Device.DEVICE if outcome is (test.attr.value == "is_cuda") else Device.CPU)
        return
    if isinstance(test, cst.Name) and test.value in frame.tests:
        narrowed(frame.tests[test.value], frame, outcome)
    value = current(path, test, frame)
    if outcome:
        frame.scope[path] = without(value, Nothing)
    elif isinstance(value, Alternatives) and not any(isinstance(o, (Scalar, Unknown)) for o in value.options):
        if any(isinstance(o, Nothing) for o in value.options) and not tensors_in(value):
            frame.scope[path] = NOTHING


def _place(node: cst.BaseExpression, frame: Frame, device: Device) -> None:
    """A tensor's place has been tested: remember it, and mute what runs on the CPU only."""
    path = dotted_name(node)
    if path is not None:
        value = current(path, node, frame)
        tensors = tensors_in(value)
        if tensors:
            frame.scope[path] = replace(tensors[0], device=device)
    if device is Device.CPU:
        frame.muted += 1


_IDENTITY = (cst.Is, cst.IsNot)
_EQUALITY = (cst.Equal, cst.NotEqual, cst.Is, cst.IsNot)


def _by_comparison(test: cst.Comparison, frame: Frame, outcome: bool) -> None:
    target = test.comparisons[0]
    left, right = test.left, target.comparator
    if not isinstance(target.operator, _EQUALITY):
        if isinstance(target.operator, (cst.In, cst.NotIn)):
            _by_membership(test, frame, outcome is isinstance(target.operator, cst.In))
        return
    equal = outcome is isinstance(target.operator, (cst.Equal, cst.Is))
    if dotted_name(right) == "None":
        path = dotted_name(left)
        if path is not None:
            value = current(path, left, frame)
            if equal:
                frame.scope[path] = NOTHING
            else:
                frame.scope[path] = without(value, Nothing)
        return
    if _by_device(left, right, frame, equal) or not equal:
        return
    if isinstance(right, cst.Integer):
        _by_rank(left, right.evaluated_value, frame)
    elif isinstance(left, cst.Attribute) and left.attr.value == "dtype":
        family = expressions.evaluate(right, frame)
        path = dotted_name(left.value)
        if isinstance(family, DTypeName) and path is not None:
            value = current(path, left.value, frame)
            if tensors := tensors_in(value):
                frame.scope[path] = replace(tensors[0], dtype=family.dtype)


def _by_membership(test: cst.Comparison, frame: Frame, inside: bool) -> None:
    """``x.device.type in ("cuda", "xpu")``."""
    right = test.comparisons[0].comparator
    if not isinstance(right, (cst.Tuple, cst.List, cst.Set)) or not inside:
        return
    names = [element.value for element in right.elements]
    texts = [str(name.evaluated_value) for name in names if isinstance(name, cst.SimpleString)]
    if len(texts) == len(names) and _is_device_text(test.left, frame) and not any(t.startswith("cuda") for t in texts):
        frame.muted += 1


def _is_device_text(node: cst.BaseExpression, frame: Frame) -> bool:
    """Whether an expression is the name of a device: ``x.device.type``, ``str(device)``, ``device``."""
    if isinstance(node, cst.Call) and dotted_name(node.func) == "str" and node.args:
        return _is_device_text(node.args[0].value, frame)
    if isinstance(node, cst.Attribute) and node.attr.value == "type":
        return isinstance(current(dotted_name(node.value), node.value, frame), DeviceName) or (
            isinstance(node.value, cst.Attribute) and node.value.attr.value == "device"
        )
    path = dotted_name(node)
    if path is None:
        return False
    last = path.rpartition(".")[2]
    return last in ("device", "device_type") or isinstance(current(path, node, frame), DeviceName)


def _by_device(left: cst.BaseExpression, right: cst.BaseExpression, frame: Frame, equal: bool) -> bool:
    """``x.device.type == "cpu"``, ``device != torch.device("cuda")``: whether it was such a test."""
    literal: str | None = None
    if isinstance(right, cst.SimpleString):
        literal = str(right.evaluated_value)
    elif isinstance(right, cst.Call) and dotted_name(right.func) in ("torch.device", "device") and right.args:
        argument = right.args[0].value
        literal = str(argument.evaluated_value) if isinstance(argument, cst.SimpleString) else None
    if literal is None or not _is_device_text(left, frame):
        return False
    on_cuda = literal.startswith("cuda")
    runs_on_cuda = on_cuda is equal if on_cuda or equal else None
    subject: cst.BaseExpression = left
    while isinstance(subject, (cst.Attribute, cst.Call)):
        if isinstance(subject, cst.Call):
            if not subject.args:
                break
            subject = subject.args[0].value
            continue
        if subject.attr.value in ("type", "device"):
            subject = subject.value
            continue
        break
    if runs_on_cuda is False:
        frame.muted += 1
    elif runs_on_cuda:
        path = dotted_name(subject)
        if path is not None and (tensors := tensors_in(current(path, subject, frame))):
            frame.scope[path] = replace(tensors[0], device=Device.DEVICE)
    return True


def _by_rank(left: cst.BaseExpression, rank: int, frame: Frame) -> None:
    """``x.ndim == 1``, ``x.dim() == 1``, ``len(x.shape) == 1``."""
    subject: cst.BaseExpression | None = None
    if isinstance(left, cst.Attribute) and left.attr.value == "ndim":
        subject = left.value
    elif isinstance(left, cst.Call) and isinstance(left.func, cst.Attribute):
        if left.func.attr.value in ("dim", "ndimension") and not left.args:
            subject = left.func.value
    elif isinstance(left, cst.Call) and dotted_name(left.func) == "len" and left.args:
        argument = left.args[0].value
        if isinstance(argument, cst.Attribute) and argument.attr.value == "shape":
            subject = argument.value
    path = dotted_name(subject) if subject is not None else None
    if subject is None or path is None:
        return
    if tensors := tensors_in(current(path, subject, frame)):
        frame.scope[path] = replace(tensors[0], ndim=rank)


def _by_call(test: cst.Call, frame: Frame, outcome: bool) -> None:
    if isinstance(test.func, cst.Attribute) and test.func.attr.value in ("is_floating_point", "is_complex"):
        path = dotted_name(test.func.value)
        if outcome and path is not None and (tensors := tensors_in(current(path, test.func.value, frame))):
            family = DType.FLOAT if test.func.attr.value == "is_floating_point" else DType.COMPLEX
            frame.scope[path] = replace(tensors[0], dtype=family)
        return
    name = _qualified(test.func, frame)
    if not test.args:
        if name in _TRUE_ON_A_GPU and not outcome:
            frame.muted += 1
        return
    subject = test.args[0].value
    if name == "builtins.all" and outcome:
        _by_every(subject, frame)
        return
    path = dotted_name(subject)
    if path is None:
        return
    if name == "torch.is_tensor":
        classes: list[Value] = [Tensor()]
    elif name == "builtins.isinstance" and len(test.args) == 2:
        classes = _classes(test.args[1].value, frame)
    elif name == "builtins.callable" and outcome:
        return
    else:
        return
    value = current(path, subject, frame)
    frame.scope[path] = _of_classes(value, classes) if outcome else _not_of_classes(value, classes)


def _by_every(node: cst.BaseExpression, frame: Frame) -> None:
    """``all(isinstance(t, Tensor) for t in values)`` tells what ``values`` holds."""
    if not isinstance(node, (cst.GeneratorExp, cst.ListComp)) or node.for_in.ifs or node.for_in.inner_for_in:
        return
    path, target, check = dotted_name(node.for_in.iter), node.for_in.target, node.elt
    if path is None or not isinstance(target, cst.Name) or not isinstance(check, cst.Call) or not check.args:
        return
    if dotted_name(check.args[0].value) != target.value:
        return
    held = current(path, node.for_in.iter, frame)
    inner = Frame(frame.engine, frame.module, frame.function, dict(frame.scope), frame.enclosing)
    inner.scope[target.value] = expressions.iterate(held)
    narrowed(check, inner, True)
    kind = held.kind if isinstance(held, Sequence) else "sequence"
    frame.scope[path] = Sequence(kind, None, inner.scope[target.value])


_PLAIN_CLASSES: dict[str, Value] = {
    "builtins.int": Scalar("int"), "builtins.float": Scalar("float"), "builtins.bool": Scalar("bool"),
    "builtins.complex": Scalar("number"), "builtins.str": Text(), "builtins.bytes": Text(),
    "builtins.list": Sequence("list"), "builtins.tuple": Sequence("tuple"), "builtins.set": Sequence("set"),
    "builtins.dict": Mapping(), "builtins.slice": Instance("slice"),
}  # fmt: skip


def _classes(node: cst.BaseExpression, frame: Frame) -> list[Value]:
    """Example values of the classes in ``isinstance``'s second argument."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return [value for element in node.elements for value in _classes(element.value, frame)]
    if isinstance(node, cst.BinaryOperation):
        return [*_classes(node.left, frame), *_classes(node.right, frame)]
    target = expressions.evaluate(node, frame)
    if isinstance(target, ClassValue):
        return [Instance(target.record.qualified_name, target.record)]
    if isinstance(target, Symbol):
        plain = _PLAIN_CLASSES.get(target.name)
        return [plain if plain is not None else external(target.name)]
    if isinstance(target, Sequence) and target.items is not None:
        return [v for item in target.items if isinstance(item, Symbol) for v in [external(item.name)]]
    return [UNKNOWN]


def _of_classes(value: Value, classes: list[Value]) -> Value:
    kinds = tuple({type(c) for c in classes})
    kept = only(value, kinds)
    if kept is not None and not isinstance(value, Unknown):
        if all(isinstance(option, Instance) for option in options(kept)):
            return kept if len(classes) > 1 else classes[0]
        return kept
    if any(isinstance(c, Unknown) for c in classes):
        return value
    return classes[0] if len(classes) == 1 else Alternatives(tuple(dict.fromkeys(classes)))


def _not_of_classes(value: Value, classes: list[Value]) -> Value:
    kinds = tuple({type(c) for c in classes if isinstance(c, (Tensor, Text, Mapping, Array))})
    return without(value, kinds) if kinds else value
