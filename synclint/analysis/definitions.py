"""Statements that define: functions, classes, imports, and the names of a pattern."""

from __future__ import annotations

import libcst as cst

from synclint.analysis import expressions, statements
from synclint.analysis.frames import Frame
from synclint.analysis.modules import ClassRecord, FunctionRecord
from synclint.analysis.values import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Instance,
    Sequence,
    Symbol,
    Tensor,
    Value,
    is_known,
)
from synclint.analysis.walk import children, dotted_name


def define_function(node: cst.FunctionDef, frame: Frame, owner: ClassRecord | None = None) -> None:
    """Bind a function's name; its body runs when it is called or entered."""
    name = node.name.value
    record = frame.module.by_node.get(id(node))
    if not isinstance(record, FunctionRecord):
        prefix = (
            owner.qualified_name if owner else frame.function.qualified_name if frame.function else frame.module.name
        )
        record = FunctionRecord(name, f"{prefix}.{name}", frame.module, node, owner, frame.function)
        frame.module.by_node[id(node)] = record
        if frame.function is None or owner is not None:
            frame.module.functions.append(record)
    for decorator in node.decorators:
        expressions.evaluate(decorator.decorator, frame)
    for parameter in record.parameters:
        if parameter.default is not None:
            expressions.evaluate(parameter.default, frame)
    if owner is not None:
        if not (record.decorators and record.decorators[-1].endswith((".setter", ".deleter"))):
            owner.methods[name] = record
        else:
            owner.methods.setdefault(f"{name}.setter", record)
        frame.scope[name] = FunctionValue(record)
        return
    scope = frame.scope if frame.function is not None else None
    if frame.function is not None:
        frame.nested.append((record, frame.scope))
    frame.bind(name, FunctionValue(record, None, scope))


def define_class(node: cst.ClassDef, frame: Frame) -> None:
    """Bind a class's name and run its body."""
    name = node.name.value
    known = frame.module.by_node.get(id(node))
    bases = tuple(_base(argument.value, frame) for argument in node.bases if argument.star == "")
    if isinstance(known, ClassRecord):
        frame.bind(name, ClassValue(known))
        return
    prefix = frame.function.qualified_name if frame.function else frame.module.name
    record = ClassRecord(name, f"{prefix}.{name}", frame.module, node, bases)
    record.parent = frame.function
    record.decorators = tuple(_decorator_name(decorator) for decorator in node.decorators)
    frame.module.by_node[id(node)] = record
    frame.module.classes.append(record)
    for base in bases:
        if isinstance(base, ClassValue):
            base.record.subclasses.append(record)
    body = Frame(frame.engine, frame.module, None, record.scope, (frame.scope, *frame.enclosing))
    body.cold.append("runs once, when the class is made")
    for statement in node.body.body:
        if isinstance(statement, cst.FunctionDef):
            define_function(statement, body, record)
        elif isinstance(statement, cst.If):
            for inner in statement.body.body:
                if isinstance(inner, cst.FunctionDef):
                    define_function(inner, body, record)
        elif isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name):
                    record.annotations[small.target.value] = small.annotation.annotation
            statements.run_body([statement], body)
        elif isinstance(statement, cst.ClassDef):
            define_class(statement, body)
    frame.bind(name, ClassValue(record))


def _decorator_name(decorator: cst.Decorator) -> str:
    target = decorator.decorator
    return dotted_name(target.func if isinstance(target, cst.Call) else target) or ""


def _base(node: cst.BaseExpression, frame: Frame) -> Value:
    if isinstance(node, cst.Subscript):
        node = node.value
    return expressions.evaluate(node, frame)


def import_modules(node: cst.Import, frame: Frame) -> None:
    """``import a.b``, ``import a.b as c``."""
    for alias in node.names:
        name = dotted_name(alias.name)
        if name is None:
            continue
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            frame.bind(alias.asname.name.value, Symbol(name))
        else:
            top = name.partition(".")[0]
            frame.bind(top, Symbol(top))


def import_names(node: cst.ImportFrom, frame: Frame) -> None:
    """``from a import b``, relative ones and ``*`` included."""
    base = dotted_name(node.module) or "" if node.module is not None else ""
    if node.relative:
        package = frame.module.package
        for _ in range(len(node.relative) - 1):
            package = package.rpartition(".")[0]
        base = f"{package}.{base}" if base and package else (package or base)
    if isinstance(node.names, cst.ImportStar):
        module = frame.engine.project.module(base)
        if module is not None:
            frame.engine.run_module(module)
            for name, value in module.scope.items():
                if not name.startswith("_") and "." not in name:
                    frame.scope[name] = value
        return
    for alias in node.names:
        imported = dotted_name(alias.name)
        target = alias.asname.name if alias.asname is not None else alias.name
        if imported is not None and isinstance(target, cst.Name):
            frame.bind(target.value, Symbol(f"{base}.{imported}"))


def note_named_tuple(node: cst.Assign, value: Value, frame: Frame) -> None:
    """``Point = namedtuple("Point", "x y")`` makes a class outside the project whose fields are unknown."""
    target = node.targets[0].target
    if isinstance(target, cst.Name) and not is_known(value) and isinstance(node.value, cst.Call):
        if dotted_name(node.value.func) in (
            "namedtuple",
            "collections.namedtuple",
            "NamedTuple",
            "typing.NamedTuple",
        ):
            frame.scope[target.value] = Symbol(f"{frame.module.name}.{target.value}")


def bind_pattern(pattern: cst.MatchPattern, subject: Value, frame: Frame) -> None:
    """Bind the names of a ``case``; a class pattern tells what the subject is."""
    if isinstance(pattern, cst.MatchAs):
        if pattern.name is not None:
            value = subject
            if isinstance(pattern.pattern, cst.MatchClass):
                value = _matched(pattern.pattern, frame)
            frame.bind(pattern.name.value, value)
        if pattern.pattern is not None:
            bind_pattern(pattern.pattern, subject, frame)
        return
    for child in children(pattern):
        for inner in [child, *children(child)]:
            if isinstance(inner, cst.MatchPattern):
                element = subject.any_item if isinstance(subject, (Sequence,)) else UNKNOWN
                if isinstance(subject, Tensor):
                    element = UNKNOWN
                bind_pattern(inner, element, frame)


def _matched(pattern: cst.MatchClass, frame: Frame) -> Value:
    from synclint.analysis.annotations import annotated

    cls = pattern.cls
    return (
        annotated(cls, lambda name: expressions.evaluate(name, frame))
        if isinstance(cls, (cst.Name, cst.Attribute))
        else (Instance("unknown"))
    )
