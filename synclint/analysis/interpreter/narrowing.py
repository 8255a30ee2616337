"""What a test tells about values in the branch behind it, and which tests are certain before the code runs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from synclint.analysis.annotations.host_names import names_another_accelerator
from synclint.analysis.annotations.presumed_loaders import is_presumed
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.selection import may_be_text, without
from synclint.analysis.domain.tensors import tensor_of, tensors_in, with_rank
from synclint.analysis.domain.values import (
    NOTHING,
    NUMBER,
    Alternatives,
    Array,
    BoundMethod,
    ClassValue,
    Device,
    DType,
    DTypeName,
    FunctionValue,
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
    options,
)
from synclint.analysis.interpreter.asked_tensors import as_asked, passed
from synclint.analysis.interpreter.device_tests import (
    EQUALITY,
    arguments_of,
    current,
    holder_of,
    is_of_device,
    runs_on_a_gpu,
    text_of,
)
from synclint.analysis.interpreter.gpu_switches import is_gpu_switch
from synclint.analysis.interpreter.places_asked import is_of_another_place
from synclint.analysis.interpreter.tested_classes import is_small, not_of_classes, of_classes, tested_classes
from synclint.analysis.objects.attributes import has_attribute
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.outcomes import outcome_by_parts
from synclint.analysis.syntax.selectors import whole_number
from synclint.analysis.syntax.walk import dotted_name, keyed_path
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_FALSE_IN_EAGER_MODE = names_in("torch", "false-in-eager-mode")
_TRUE_ON_A_GPU = names_in("torch", "true-on-a-gpu")


def constant(test: ast.expr, frame: Frame) -> bool | None:
    """The outcome of a test that is the same whenever the code runs eagerly on a GPU."""
    return outcome_by_parts(test, lambda part: _constant(part, frame))


def _constant(test: ast.expr, frame: Frame) -> bool | None:
    if is_of_another_place(test, frame):
        return False
    if isinstance(test, ast.Call):
        name = _qualified(test.func, frame)
        if name in _FALSE_IN_EAGER_MODE:
            return False
        if name in _TRUE_ON_A_GPU:
            return True
        if (asked := _asked_classes(name, test, frame)) is not None:
            subject, classes = asked
            return _isinstance_outcome(current(_path(subject), subject, frame), classes)
        if name == "builtins.issubclass" and len(arguments := arguments_of(test)) == 2:
            examples = tested_classes(arguments[0], frame)
            return _isinstance_outcome(examples[0], tested_classes(arguments[1], frame)) if len(examples) == 1 else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        by_literal = _literal_outcome(test, frame)
        return by_literal if by_literal is not None else _none_outcome(test, frame)
    return True if is_gpu_switch(test, frame) else None


def _literal_outcome(test: ast.Compare, frame: Frame) -> bool | None:
    """``reduction == "mean"``, ``version in (2, 3)``, where a caller has given the string or the number."""
    operator, left, right = test.ops[0], test.left, test.comparators[0]
    if frame.function is None or not isinstance(left, ast.Name):
        return None
    if all(parameter.name != left.id for parameter in frame.function.parameters):
        return None  # what is kept in a class or a module may be set anew
    value = frame.scope.get(left.id)
    given: str | int | None = None
    read: Callable[[ast.expr], str | int | None] = partial(_text_meant, frame=frame)
    if isinstance(value, Text):
        given = value.literal
    elif isinstance(value, Scalar) and value.kind == "int" and left.id in frame.function.selected_by:
        given = value.literal if isinstance(value.literal, int) else None
        read = whole_number
    if given is None:
        return None
    if isinstance(operator, (ast.Eq, ast.NotEq)) and (named := read(right)) is not None:
        return (given == named) is isinstance(operator, ast.Eq)
    if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        choices = [read(element) for element in right.elts]
        return None if None in choices else (given in choices) is isinstance(operator, ast.In)
    return None


def _text_meant(node: ast.expr, frame: Frame) -> str | None:
    """What a string literal says, or a name that stands for one: ``TRAIN = "train"``."""
    value = frame.evaluate(node) if isinstance(node, ast.Name) else None
    return value.literal if isinstance(value, Text) else text_of(node)


def _path(node: ast.expr) -> str | None:
    """What the scope calls a name or path; ``None``, ``True`` and ``False`` are names here as well."""
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool)):
        return str(node.value)
    return dotted_name(node)


# What tests call that is Python's own, unless the name is given something else.
_ASKED = {name: f"builtins.{name}" for name in ("isinstance", "issubclass", "hasattr", "callable", "all", "any", "len")}


def _qualified(node: ast.expr, frame: Frame) -> str | None:
    if (path := dotted_name(node)) is None:
        return None
    if path in _ASKED and frame.lookup(path) is None:
        return _ASKED[path]
    value = frame.evaluate(node)
    return value.name if isinstance(value, Symbol) else None


_OPEN = (Unknown, Alternatives, BoundMethod)  # what may be anything, as an attribute of something unknown may


def _none_outcome(test: ast.Compare, frame: Frame) -> bool | None:
    operator = test.ops[0]
    if not isinstance(operator, (ast.Is, ast.IsNot)) or _path(test.comparators[0]) != "None":
        return None
    value = current(_path(test.left), test.left, frame)
    if isinstance(value, _OPEN) or is_presumed(value) or (_is_presumed(value) and not passed(test.left, value, frame)):
        return None
    return isinstance(value, Nothing) is isinstance(operator, ast.Is)


def _is_presumed(value: Value) -> bool:
    """Whether a value is a tensor, or several, as far as can be told: what the code asks of it tells more."""
    if isinstance(value, Sequence):
        return value.kind == "batch"
    return isinstance(value, Tensor) and value.trust is not Confidence.HIGH


def _asked_classes(name: str | None, test: ast.Call, frame: Frame) -> tuple[ast.expr, list[Value]] | None:
    """What a test asks for its class, and for which classes, where what it calls has this ``name``."""
    arguments = arguments_of(test)
    if name == "torch.is_tensor" and len(arguments) == 1:
        return arguments[0], [Tensor()]
    is_of_classes = name == "builtins.isinstance" and len(arguments) == 2
    return (arguments[0], tested_classes(arguments[1], frame)) if is_of_classes else None


def _isinstance_outcome(value: Value, classes: list[Value]) -> bool | None:
    if classes and all(isinstance(c, Tensor) for c in classes) and _is_or_was_an_array(value):
        return False
    if isinstance(value, (*_OPEN, Instance)) or not classes or _is_presumed(value):
        return None
    if isinstance(value, Tensor) and Tensor() not in classes and any(isinstance(c, Tensor) for c in classes):
        return None
    kinds = tuple({type(c) for c in classes})
    if any(isinstance(c, (Instance, Unknown)) for c in classes):
        return None
    if isinstance(value, kinds) and not isinstance(value, Scalar):
        return True
    return None if isinstance(value, (Scalar, Sequence, Mapping)) and isinstance(value, kinds) else False


def _is_or_was_an_array(value: Value) -> bool:
    """Whether a value is a NumPy array, or something of which nothing is known in its place: hardly a tensor."""
    kinds = {type(option) for option in options(value)}
    is_of_frame = isinstance(value, BoundMethod) and value.name == "values"  # a data frame's, unless it is called
    return is_of_frame or (Array in kinds and kinds <= {Array, Unknown, Nothing, BoundMethod})


def narrowed(test: ast.expr, frame: Frame, outcome: bool) -> None:
    """Change the frame's scope to what holds where ``test`` came out as ``outcome``.

    A branch that only runs on the CPU (``x.device.type == "cpu"``) is muted: nothing in it can wait for a device.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrowed(test.operand, frame, not outcome)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is outcome:
            for value in test.values:
                narrowed(value, frame, outcome)
        elif outcome:
            _by_any(test.values, frame)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        _by_comparison(test, frame, outcome)
    elif isinstance(test, ast.Call):
        _by_call(test, frame, outcome)
    elif isinstance(test, ast.NamedExpr):
        narrowed(test.target, frame, outcome)
    elif isinstance(test, (ast.Name, ast.Attribute, ast.Constant)):
        _by_truth(test, frame, outcome)


def narrowed_by_pattern(pattern: ast.pattern, subject: ast.expr, frame: Frame, outcome: bool) -> None:
    """Change the frame's scope to what holds of the subject of a ``match`` where a pattern fits, or does not fit.

    One that asks for more than a class may also fail for an object of that class.
    """
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        narrowed_by_pattern(pattern.pattern, subject, frame, outcome)
        return
    alternatives = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    asked = [one for one in alternatives if isinstance(one, ast.MatchClass)]
    if len(asked) == len(alternatives) and (outcome or not any(one.patterns or one.kwd_patterns for one in asked)):
        _by_classes(subject, [kind for one in asked for kind in tested_classes(one.cls, frame)], frame, outcome)


def _by_truth(test: ast.Name | ast.Attribute | ast.Constant, frame: Frame, outcome: bool) -> None:
    path = _path(test)
    if path is None:
        return
    if isinstance(test, ast.Attribute) and test.attr in ("is_cuda", "is_cpu"):
        asked_at = dotted_name(test.value)
        tensor = tensor_of(current(asked_at, test.value, frame)) if asked_at is not None else None
        if test.attr == "is_cpu" and outcome and tensor is not None and tensor.device is Device.CPU:
            return  # that it is there says nothing of where the program runs
        _place(test.value, frame, Device.DEVICE if outcome is (test.attr == "is_cuda") else Device.CPU)
        return
    if isinstance(test, ast.Name) and test.id in frame.tests:
        narrowed(frame.tests[test.id], frame, outcome)
    value = current(path, test, frame)
    if outcome:
        frame.know(path, without(value, Nothing))
    elif isinstance(value, Sequence):
        _emptied(test, frame)
    elif isinstance(value, Alternatives) and not any(isinstance(o, (Scalar, Unknown)) for o in value.options):
        if any(isinstance(o, Nothing) for o in value.options) and tensor_of(value) is None:
            frame.know(path, NOTHING)


def _place(node: ast.expr, frame: Frame, device: Device) -> None:
    """A tensor's place has been tested: remember it, and mute what runs on the CPU only.

    That one of which nothing tells where it is would be on the device is no evidence that it ever is: who asks may ask
    in vain.
    """
    path = dotted_name(node)
    if path is not None:
        tensor = tensor_of(current(path, node, frame))
        if tensor is not None and (device is Device.CPU or tensor.device is not Device.UNKNOWN):
            frame.know(path, replace(tensor, device=device))
    if device is Device.CPU:
        frame.leave_the_gpu()


def _by_comparison(test: ast.Compare, frame: Frame, outcome: bool) -> None:
    operator = test.ops[0]
    left, right = test.left, test.comparators[0]
    if isinstance(left, ast.Call) and dotted_name(left.func) == "len" and len(left.args) == 1 and _is_zero(right):
        if isinstance(operator, (ast.Eq, ast.LtE) if outcome else (ast.Gt, ast.NotEq)):
            _emptied(left.args[0], frame)
    if not isinstance(operator, EQUALITY):
        if runs_on_a_gpu(test, outcome, frame) is False:
            frame.leave_the_gpu()
        return
    equal = outcome is isinstance(operator, (ast.Eq, ast.Is))
    if _path(right) == "None":
        path = _path(left)
        if path is not None:
            value = current(path, left, frame)
            if equal:
                frame.know(path, NOTHING)
            else:
                frame.know(path, without(value, Nothing))
        return
    if isinstance(left, ast.Call) and dotted_name(left.func) == "type" and len(arguments := arguments_of(left)) == 1:
        _by_classes(arguments[0], tested_classes(right, frame), frame, equal)
        return
    if is_of_device(left, right, frame):
        _by_device(test, frame, outcome)
        return
    if not equal:
        return
    if (text := text_of(right)) is not None:
        if names_another_accelerator(text):
            frame.leave_the_gpu()
        path = dotted_name(left)
        if path is not None and may_be_text(text, current(path, left, frame)):
            frame.know(path, Text(text))
    elif isinstance(right, ast.Constant) and type(right.value) is int:
        _by_rank(left, right.value, frame)
    elif isinstance(left, ast.Attribute) and left.attr == "dtype" and is_small(right):
        family = frame.evaluate(right)
        path = dotted_name(left.value)
        if isinstance(family, DTypeName) and path is not None:
            value = current(path, left.value, frame)
            if tensor := tensor_of(value):
                frame.know(path, replace(tensor, dtype=family.dtype))


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _emptied(node: ast.expr, frame: Frame) -> None:
    """A list has been found empty."""
    path = dotted_name(node)
    value = current(path, node, frame)
    if path is not None and isinstance(value, Sequence) and value.kind == "list":
        frame.know(path, Sequence(value.kind, ()))


def _by_device(test: ast.Compare, frame: Frame, outcome: bool) -> None:
    """``x.device.type == "cpu"``, ``device != torch.device("cuda")``."""
    is_there = runs_on_a_gpu(test, outcome, frame)
    if is_there is False:
        frame.leave_the_gpu()
    elif is_there:
        _place(holder_of(test.left), frame, Device.DEVICE)


def _by_rank(left: ast.expr, rank: int, frame: Frame) -> None:
    """``x.ndim == 1``, ``x.dim() == 1``, ``len(x.shape) == 1``, ``len(x.size()) == 1``."""
    names = ("ndim", "dim", "ndimension")
    if isinstance(left, ast.Call) and dotted_name(left.func) == "len" and (arguments := arguments_of(left)):
        left, names = arguments[0], ("shape", "size", "")
    if isinstance(left, ast.Call) and not arguments_of(left):
        left = left.func
    subject = left.value if isinstance(left, ast.Attribute) and left.attr in names else None
    if subject is not None and (path := dotted_name(subject)) is not None:
        if tensor := tensor_of(current(path, subject, frame)):
            frame.know(path, with_rank(tensor, rank))


def _by_call(test: ast.Call, frame: Frame, outcome: bool) -> None:
    if runs_on_a_gpu(test, outcome, frame) is False:
        frame.leave_the_gpu()
        return
    if isinstance(test.func, ast.Attribute) and test.func.attr in ("is_floating_point", "is_complex"):
        path = dotted_name(test.func.value)
        if outcome and path is not None and (tensor := tensor_of(current(path, test.func.value, frame))):
            family = DType.FLOAT if test.func.attr == "is_floating_point" else DType.COMPLEX
            frame.know(path, replace(tensor, dtype=family))
        return
    if isinstance(test.func, ast.Attribute) and test.func.attr == "is_pinned":
        _asked_if_pinned(test.func.value, frame, outcome)
        return
    name = _qualified(test.func, frame)
    arguments = arguments_of(test)
    if not arguments:
        if name in _TRUE_ON_A_GPU and not outcome:
            frame.leave_the_gpu()
        return
    subject = arguments[0]
    if name == "builtins.all" and outcome:
        _by_every(subject, frame)
        return
    if (asked := _asked_classes(name, test, frame)) is not None:
        _by_classes(*asked, frame, outcome)
    elif name in _KEEPING:
        _by_kinds(subject, _KEEPING[name], frame, outcome)
    elif name == "builtins.hasattr" and len(arguments) == 2:
        _by_attribute(subject, text_of(arguments[1]), frame, outcome)


def _by_any(tests: list[ast.expr], frame: Frame) -> None:
    """``isinstance(x, A) or isinstance(x, B)`` asks whether ``x`` is of one of several classes."""
    asked = [_classes_asked_for(test, frame) for test in tests]
    known = [(subject, classes) for subject, classes in filter(None, asked) if classes and _path(subject) is not None]
    if len(known) == len(tests) and len({_path(subject) for subject, _ in known}) == 1:
        _by_classes(known[0][0], [one for _, classes in known for one in classes], frame, True)


def _classes_asked_for(test: ast.expr, frame: Frame) -> tuple[ast.expr, list[Value]] | None:
    """What is of which classes where a test holds, by what it asks itself or beside something else."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return next((found for one in test.values if (found := _classes_asked_for(one, frame)) is not None), None)
    return _asked_classes(_qualified(test.func, frame), test, frame) if isinstance(test, ast.Call) else None


def _asked_if_pinned(node: ast.expr, frame: Frame, outcome: bool) -> None:
    """Who asks whether a tensor is pinned, of which nobody knows where it is, means one on the host."""
    path = dotted_name(node)
    tensor = tensor_of(current(path, node, frame)) if path is not None else None
    if path is not None and tensor is not None and tensor.device in (Device.UNKNOWN, Device.EITHER, Device.CPU):
        frame.know(path, replace(tensor, device=Device.CPU, pinned=outcome))


def _by_classes(subject: ast.expr, classes: list[Value], frame: Frame, outcome: bool) -> None:
    """Whether a value is of one of some classes has been asked."""
    path = _path(subject)
    if path is None and isinstance(subject, ast.Subscript):
        _by_classes_of_elements(subject, classes, frame, outcome)
        path = keyed_path(subject)
    if path is not None:
        value = current(path, subject, frame)
        if outcome:
            frame.know(path, as_asked(of_classes(value, classes), value, subject, frame))
            return
        left = not_of_classes(value, classes)
        is_tensor = bool(tensors_in(value)) and not frame.engine.runs_on_text
        if Tensor() in classes and isinstance(left, Unknown) and not is_tensor and not _is_of_a_helper(path, frame):
            # What may be a tensor or something else is a number or an array where it is no tensor: it is asked for the
            # sake of these.
            left = join(NUMBER, left)
        frame.know(path, left)


# Predicates, with the kinds of values of which they are true, and are false of all others that are known.
_CALLED = (FunctionValue, ClassValue, BoundMethod, Symbol, Instance)
_KEEPING: dict[str | None, tuple[type, ...]] = {
    "builtins.callable": _CALLED,
    "inspect.isclass": (ClassValue, Symbol),
    "inspect.isfunction": (FunctionValue, Symbol),
    "inspect.ismethod": (FunctionValue, BoundMethod),
    "numpy.isscalar": (Scalar, Text),
    "numpy.iterable": (Sequence, Mapping, Text, Array, Tensor, Instance),
}
# Objects and what has a name outside of the project may be of these kinds, or not.
_UNDECIDED = (Instance, Symbol, Unknown)


def _by_kinds(subject: ast.expr, kinds: tuple[type, ...], frame: Frame, outcome: bool) -> None:
    """Whether a value is of some kinds has been asked."""
    path = _path(subject)
    if path is not None:
        value = current(path, subject, frame)
        certain = tuple(kind for kind in kinds if kind not in _UNDECIDED)
        left = [
            option
            for option in options(value)
            if (isinstance(option, (*kinds, Unknown)) if outcome else not isinstance(option, certain))
        ]
        frame.know(path, join_all(left))


def _by_attribute(subject: ast.expr, name: str | None, frame: Frame, outcome: bool) -> None:
    """Whether a value has an attribute has been asked."""
    path = _path(subject)
    if path is not None and name is not None:
        value = current(path, subject, frame)
        left = [option for option in options(value) if has_attribute(option, name) is not (not outcome)]
        frame.know(path, join_all(left))


def _by_classes_of_elements(node: ast.Subscript, classes: list[Value], frame: Frame, outcome: bool) -> None:
    """``isinstance(values[0], Tensor)`` tells what ``values`` holds, if that is a list of things of one kind."""
    path = dotted_name(node.value)
    if path is None or not isinstance(node.slice, ast.Constant) or type(node.slice.value) is not int:
        return
    held = current(path, node.value, frame)
    narrow = of_classes if outcome else not_of_classes
    found = [
        replace(option, element=narrow(option.element, classes))
        if isinstance(option, Sequence) and option.items is None and not option.first and option.kind != "batch"
        else option
        for option in options(held)
    ]
    frame.know(path, join_all(found))


def _is_of_a_helper(path: str, frame: Frame) -> bool:
    """Whether a name is a parameter of a private function: what that is given, its calls have made a tensor of before.

    So do the callers in libraries, of whose methods it may replace one.
    """
    record = frame.function
    if record is None or not record.name.startswith("_") or record.name.startswith("__"):
        return False
    return any(parameter.name == path for parameter in record.parameters)


def _by_every(node: ast.expr, frame: Frame) -> None:
    """``all(isinstance(t, Tensor) for t in values)`` tells what ``values`` holds."""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)) or len(node.generators) > 1 or node.generators[0].ifs:
        return
    iterable, target, check = node.generators[0].iter, node.generators[0].target, node.elt
    path = dotted_name(iterable)
    if path is None or not isinstance(target, ast.Name) or not isinstance(check, ast.Call):
        return
    arguments = arguments_of(check)
    if not arguments or dotted_name(arguments[0]) != target.id:
        return
    held = current(path, iterable, frame)
    inner = Frame(frame.engine, frame.module, frame.function, dict(frame.scope), frame.enclosing)
    inner.scope[target.id] = iterate(held)
    narrowed(check, inner, True)
    kind = held.kind if isinstance(held, Sequence) else "sequence"
    frame.know(path, Sequence(kind, None, inner.scope[target.id]))
