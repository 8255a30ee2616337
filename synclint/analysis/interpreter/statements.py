"""Statements on abstract values: each by its own handler, those that branch, loop or catch in modules of their own."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace

from synclint.analysis.calls.context_managers import entered, leave
from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.tensors import device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    NOTHING,
    Alternatives,
    ClassValue,
    Device,
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
    is_known,
    options,
)
from synclint.analysis.frequency import names
from synclint.analysis.interpreter import definitions, indexed_writes, indexing, modes
from synclint.analysis.interpreter.branches import run_if, run_match
from synclint.analysis.interpreter.counters import begun, flagged, increased, under_guard
from synclint.analysis.interpreter.exchanges import exchanged, exchanges
from synclint.analysis.interpreter.expressions import evaluate, taken_apart
from synclint.analysis.interpreter.interruptions import run_try
from synclint.analysis.interpreter.loops import run_break, run_continue, run_for, run_while
from synclint.analysis.interpreter.moved_items import take_for_list
from synclint.analysis.interpreter.narrowing import constant, narrowed
from synclint.analysis.interpreter.operator_methods import by_operator_method
from synclint.analysis.interpreter.truth import test
from synclint.analysis.interpreter.type_names import is_alias, type_named
from synclint.analysis.interpreter.unpacking import bind_target
from synclint.analysis.models.operators import arithmetic
from synclint.analysis.objects import ancestry, annotated_values
from synclint.analysis.objects.answers import answered, is_answer
from synclint.analysis.objects.captures import captured_in_block
from synclint.analysis.objects.declared_in_methods import only_declares
from synclint.analysis.objects.functions_behind import functions_behind
from synclint.analysis.objects.moving_methods import is_moved_for_good, loops_of_move, note_moved_attribute
from synclint.analysis.objects.registries import note_given
from synclint.analysis.objects.uploads_ahead import note_uploaded_result
from synclint.analysis.program.late_bodies import LateAsyncFunction, LateFunction
from synclint.analysis.program.patterns import named
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import branches, dotted_name, subscript_path, walk
from synclint.findings import Phase, place_in_words

_ASSIGNING = frozenset({ast.Assign, ast.AnnAssign})
_EXCHANGING = _ASSIGNING | {ast.Expr, ast.Return}


def run_body(body: Iterable[ast.stmt], frame: Frame) -> None:
    """Run statements one after the other, as far as control reaches."""
    count = frame.engine.count_statement
    exchanging = exchanges(frame)
    for statement in body:
        if not frame.alive:
            return
        count()
        kind = type(statement)
        if kind is ast.Expr:
            modes.follow_mode(statement, frame)
        handler = _HANDLERS.get(kind)
        if handler is None:
            continue
        around = len(frame.guards)
        if frame.loops and isinstance(statement, ast.Assign):
            if (rounds := loops_of_move(statement, frame)) is not None:
                _before_loops(rounds, statement, frame)
                continue
        if exchanging and kind in _EXCHANGING and (exchange := exchanged(statement, exchanging, frame)):
            frame.guard(Phase.STEP, "", exchange=exchange)
        elif kind in _ASSIGNING and is_moved_for_good(statement, frame) and _is_of_module(frame):  # type: ignore[arg-type]
            frame.guard(Phase.ONCE, "runs once: what is brought there stays there")
        else:
            handler(statement, frame)
            continue
        handler(statement, frame)
        del frame.guards[around]


def _before_loops(count: int, statement: ast.Assign, frame: Frame) -> None:
    """Run a statement that does something in the first round only as if it stood before all but ``count`` loops."""
    loops, guards = frame.loops, frame.guards
    frame.loops, frame.guards = loops[:count], [guard for guard in guards if guard.loops <= count]
    _assign(statement, frame)
    frame.loops, frame.guards = loops, guards


def _is_of_module(frame: Frame) -> bool:
    """Whether a module runs its method: of other objects, such as batches, there may be another one in each step."""
    owner = frame.function.owner if frame.function is not None else None
    return owner is not None and ancestry.is_module(frame.engine, owner)


def _expression(node: ast.Expr, frame: Frame) -> None:
    evaluate(node.value, frame)
    if frame.function is None and isinstance(node.value, ast.Call):
        note_given(node.value, frame)


def _assign(node: ast.Assign, frame: Frame) -> None:
    if type(node.targets[0]) is ast.Subscript:
        take_for_list(node, frame)
    elif type(node.targets[0]) is ast.Attribute and type(node.value) is ast.Call:
        note_moved_attribute(node, frame)
    value = _bound(_value_for(node.targets[0], node.value, frame), frame)
    kind_of_value = type(node.value)
    if kind_of_value is ast.BinOp:
        value = increased(node, value, frame)
    elif kind_of_value is ast.Constant:
        value = begun(node, flagged(node, value, frame), frame)
    targets = node.targets
    if frame.answers and is_answer(node.value, value, frame) and _is_operated(targets[0], frame):
        value = answered(node.value, frame)
    for target in targets:
        bind_target(target, value, frame)
    if type(node.value) is ast.Call:
        note_uploaded_result(node, frame)
    kind = type(targets[0])
    if kind is ast.Name:
        if type(node.value) in _TESTS:
            _note_test(node, frame)
    elif kind is ast.Tuple or kind is ast.List:
        _infer_dimensions(node, frame)
    if kind is ast.Attribute:
        _note_replaced(targets[0], value, frame)
    if frame.function is None:
        _note_at_top(node, value, frame)


def _value_for(target: ast.expr, node: ast.expr, frame: Frame) -> Value:
    """What a target is given, as far as how much of it there is tells what stands where."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(node, (ast.Tuple, ast.List)):
        if _has_star(node) and not _has_star(target):
            return taken_apart(node, len(target.elts), frame)
    return evaluate(node, frame)


def _has_star(node: ast.Tuple | ast.List) -> bool:
    return any(isinstance(part, ast.Starred) for part in node.elts)


def _note_replaced(target: ast.expr, value: Value, frame: Frame) -> None:
    """``Attention.forward = forward``: methods of a library's class run in each step, unless their names say otherwise.

    So does what stands in for the ``forward`` of one module, which every call of that runs
    (``torch/nn/modules/module.py``, ``Module._call_impl``). Calls that are seen say nothing of that: who puts a
    function there tries it out, if anything, and the library calls it.
    """
    assert isinstance(target, ast.Attribute)
    functions = functions_behind(value)
    if not functions or names.of_function(target.attr) is not None or names.infers(target.attr):
        return
    owner = evaluate(target.value, frame)
    if isinstance(owner, Symbol) and owner.name.rpartition(".")[2][:1].isupper():
        place = f"{owner.name.rpartition('.')[2]}.{target.attr}"
    elif target.attr == "forward" and any(_may_be_module(option, frame) for option in options(owner)):
        place = dotted_name(target) or target.attr
    else:
        return
    for function in functions:
        frame.engine.note_hooked(function, frame.module, f"takes the place of `{place}`, and is taken to run")


def _may_be_module(owner: Value, frame: Frame) -> bool:
    """Whether what has a ``forward`` is a module, as far as its class tells."""
    if isinstance(owner, Instance):
        return owner.record is None or ancestry.is_module(frame.engine, owner.record)
    return isinstance(owner, Unknown)


def _is_operated(target: ast.expr, frame: Frame) -> bool:
    """Whether a name is given to a value that is an operand, or has methods that tensors share with arrays."""
    if not isinstance(target, ast.Name) or frame.function is None:
        return False
    return target.id in frame.engine.usage(frame.function).operated


def _note_at_top(node: ast.Assign, value: Value, frame: Frame) -> None:
    """Remember what an assignment at the top of a module tells of it."""
    target = node.targets[0]
    named_type = type_named(node.value, frame) if isinstance(target, ast.Name) else None
    if named_type is not None and isinstance(target, ast.Name):
        frame.module.aliases[target.id] = named_type
    if len(node.targets) == 1:
        definitions.note_named_tuple(node, value, frame)
        _note_switch(target, node.value, frame)


# Attributes of classes of torch's, with the function that is meant to set them.
_SWITCHED_BY = {"_validate_args": "set_default_validate_args"}


def _note_switch(target: ast.expr, value: ast.expr, frame: Frame) -> None:
    """``Distribution._validate_args = False`` does what ``Distribution.set_default_validate_args(False)`` does."""
    if not isinstance(target, ast.Attribute) or target.attr not in _SWITCHED_BY or frame.module.is_test:
        return
    owner = evaluate(target.value, frame)
    if isinstance(owner, Symbol) and isinstance(value, ast.Constant) and value.value is False:
        frame.engine.note_switch(f"{owner.name}.{_SWITCHED_BY[target.attr]}")


def _bound(value: Value, frame: Frame) -> Value:
    """What a name stands for: a switch at the top of a script, or among the defaults of a class, is to be turned."""
    is_switch = frame.function is None and isinstance(value, Scalar) and value.kind == "bool" and value.pace is None
    return BOOLEAN if is_switch else value


def _infer_dimensions(node: ast.Assign, frame: Frame) -> None:
    """``batch, length = x.shape`` works when there are two dimensions only."""
    target, shape = node.targets[0], node.value
    if not isinstance(target, (ast.Tuple, ast.List)) or _has_star(target):
        return
    if isinstance(shape, ast.Call) and not shape.args and not shape.keywords:
        shape = shape.func
    if not isinstance(shape, ast.Attribute) or shape.attr not in ("shape", "size"):
        return
    path = dotted_name(shape.value)
    known = frame.lookup(path) if path is not None else None
    if path is not None and isinstance(known, Tensor) and known.ndim is None:
        frame.know(path, replace(known, ndim=len(target.elts)))


_KIND_TESTS = frozenset({"isinstance", "torch.is_tensor"})
_TESTS = frozenset({ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call})


def _note_test(node: ast.Assign, frame: Frame) -> None:
    """``log_now = step % 100 == 0``: a later ``if log_now`` is that test, as long as its names mean the same."""
    target = node.targets[0]
    if isinstance(target, ast.Name) and (
        isinstance(node.value, (ast.Compare, ast.BoolOp, ast.UnaryOp))
        or (isinstance(node.value, ast.Call) and dotted_name(node.value.func) in _KIND_TESTS)
    ):
        names = {inner.id for inner in walk(node.value) if isinstance(inner, ast.Name)}
        if names.isdisjoint({target.id, *frame.tests}):
            frame.tests[target.id] = node.value


def _annotated(node: ast.AnnAssign, frame: Frame) -> None:
    value = evaluate(node.value, frame) if node.value is not None else None
    owner = frame.function or frame.module
    declared = frame.engine.annotation(node.annotation, owner)
    if is_alias(declared) and value is not None and node.value is not None and isinstance(node.target, ast.Name):
        if frame.function is None:
            frame.module.aliases[node.target.id] = node.value
        frame.bind(node.target.id, value)
        return
    if value is None and frame.function is not None and isinstance(node.target, ast.Name):
        if is_known(declared):
            frame.bind(node.target.id, declared)
        return
    if value is None:
        if isinstance(node.target, ast.Name):
            if node.target.id not in frame.scope:
                frame.know(node.target.id, declared)
        return
    if _is_empty(node.value) and is_known(declared) and device_tensor_within(declared) is None:
        value = declared  # `sizes: dict[int, list[int]] = {}` is filled as it says
    elif not is_known(value):
        value = declared
    elif isinstance(value, Nothing):
        # In the body of a class, what the name stands for may be defined further down.
        if is_known(declared) and not (_is_in_class(frame) or only_declares(node, declared, frame.function)):
            value = join(NOTHING, declared)
    elif _is_no_object(value, declared) or (
        # `ratio: float = 1.0 if norm == 0 else norm / other` is a tensor all the same.
        isinstance(value, Alternatives) and not isinstance(node.value, ast.IfExp)
    ):
        value = _as_declared(value, declared)
    bind_target(node.target, _bound(value, frame), frame)


def _is_in_class(frame: Frame) -> bool:
    """Whether the body of a class is run."""
    return frame.function is None and frame.scope is not frame.module.scope


def _is_no_object(value: Value, declared: Value) -> bool:
    """Whether what is declared to be an object or a class of the project is neither, as far as is known."""
    is_of_project = (isinstance(declared, Instance) and declared.record is not None) or isinstance(declared, ClassValue)
    return is_of_project and isinstance(value, (Text, Scalar, Sequence, Mapping))


def _as_declared(value: Value, declared: Value) -> Value:
    """Of the kinds that a value may be, those that its annotation names; what that says, where there are none."""
    if all(_is_no_object(option, declared) or isinstance(option, Unknown) for option in options(value)):
        return declared
    return annotated_values.as_annotated(value, declared)


def _is_empty(node: ast.expr | None) -> bool:
    """Whether an expression makes a container without anything in it."""
    if isinstance(node, ast.Call):
        called = (dotted_name(node.func) or "").rpartition(".")[2]
        return not node.keywords and (called == "defaultdict" or (called in ("dict", "list") and not node.args))
    return (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _augmented(node: ast.AugAssign, frame: Frame) -> None:
    operator = type(node.op)
    right = evaluate(node.value, frame)
    target = node.target
    if isinstance(target, ast.Subscript):
        container = evaluate(target.value, frame)
        if indexed_writes.update(target, container, right, frame):
            return
        left = indexing.read(target, container, frame)
        result = increased(node, arithmetic(operator, left, right), frame)
        kept = tensor_of(left)
        if kept is None or tensor_of(container) is None:
            if path := subscript_path(target):
                frame.bind(path, result)
            indexed_writes.write(target, container, result, frame)
        return
    left = evaluate(target, frame)
    result = by_operator_method(operator, left, right, node.value, frame) or arithmetic(operator, left, right)
    mine = tensor_of(left)
    if mine is not None and mine == left and tensor_of(result) is not None:
        result = mine if mine.device is not Device.UNKNOWN else result
    bind_target(target, increased(node, result, frame), frame)


def _return(node: ast.Return, frame: Frame) -> None:
    frame.returned.append(under_guard(evaluate(node.value, frame), frame) if node.value is not None else NOTHING)
    frame.alive = False


def _raise(node: ast.Raise, frame: Frame) -> None:
    frame.guard(Phase.ONCE, "runs only when an error is raised")
    if node.exc is not None:
        evaluate(node.exc, frame)
    frame.guards.pop()
    frame.alive = False


def _assert(node: ast.Assert, frame: Frame) -> None:
    test(node.test, frame, "assert-condition")
    if isinstance(node.test, ast.Constant) and not node.test.value:
        frame.alive = False
    elif constant(node.test, frame) is not False:
        narrowed(node.test, frame, True)


def _with(node: ast.With | ast.AsyncWith, frame: Frame) -> None:
    outside = len(frame.guards)
    managers: list[tuple[Value, ast.expr]] = []
    for item in node.items:
        value = evaluate(item.context_expr, frame)
        managers.append((value, item.context_expr))
        _note_capture(item.context_expr, frame)
        if frame.engine.patterns.regions:
            _note_region(item.context_expr, frame)
        result = entered(value, frame, item.context_expr)
        if item.optional_vars is not None:
            bind_target(item.optional_vars, result, frame)
    frame.run_suite(node.body)
    for value, expression in reversed(managers):
        leave(value, frame, expression)
    del frame.guards[outside:]


def _note_capture(expression: ast.expr, frame: Frame) -> None:
    """Note that what follows is captured as a graph, if this begins one."""
    if isinstance(expression, ast.Call) and (dotted_name(expression.func) or "").endswith("graph"):
        captured = captured_in_block(expression, evaluate(expression.func, frame))
        if captured is not None:
            where = place_in_words(str(frame.module.path), frame.module.line_of(expression))
            frame.guard(Phase.STEP, "", captured=f"{captured} at {where}")


def _note_region(expression: ast.expr, frame: Frame) -> None:
    """Note that waits are accepted in what follows, if this begins a region that accepts them, or does so sometimes.

    Who writes ``nullcontext() if pinned else allowed()`` knows that nothing waits there in the other case.
    """
    for branch in branches(expression):
        call = branch if isinstance(branch, ast.Call) else None
        manager = evaluate(call.func if call is not None else branch, frame)
        names = [name for option in options(manager) if (name := _qualified_name(option))]
        if any(named(name, frame.engine.patterns.regions) for name in names):
            given = call.args[0] if call is not None and call.args else None
            reason = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""
            frame.guard(Phase.STEP, "", region=frame.engine.note_region(expression, reason, frame))
            return


def _qualified_name(value: Value) -> str:
    if isinstance(value, (FunctionValue, ClassValue)):
        return value.record.qualified_name
    if isinstance(value, Instance) and value.record is not None:
        return value.record.qualified_name
    return value.name if isinstance(value, (Symbol, Instance)) else ""


def _delete(node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        path = dotted_name(target)
        if path is not None:
            frame.drop(path)


_HANDLERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.If: run_if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.Break: run_break,
    ast.Continue: run_continue,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: run_try,
    ast.Match: run_match,
    ast.Delete: _delete,
    ast.FunctionDef: definitions.define_function,
    ast.AsyncFunctionDef: definitions.define_function,
    LateFunction: definitions.define_function,
    LateAsyncFunction: definitions.define_function,
    ast.ClassDef: definitions.define_class,
    ast.Import: definitions.import_modules,
    ast.ImportFrom: definitions.import_names,
}
if sys.version_info >= (3, 11):
    _HANDLERS[ast.TryStar] = run_try
