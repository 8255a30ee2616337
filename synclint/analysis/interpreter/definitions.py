"""Statements that define: functions, classes, imports, and the names of a pattern."""

from __future__ import annotations

import ast

from synclint.analysis.calls import custom_operators
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    Sequence,
    Symbol,
    Value,
    is_known,
)
from synclint.analysis.interpreter.shared_names import note_shared, take_from_further_out
from synclint.analysis.objects.currying import decorated
from synclint.analysis.objects.moving_methods import note_moved_entries
from synclint.analysis.objects.registries import note_registered
from synclint.analysis.program import modules
from synclint.analysis.program.heads import decorator_name
from synclint.analysis.program.modules import FunctionNode
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import children, dotted_name, suites
from synclint.findings import Phase


def define_function(node: FunctionNode, frame: Frame, owner: ClassRecord | None = None) -> None:
    """Bind a function's name; its body runs when it is called or entered."""
    name = node.name
    record = frame.module.by_node.get(id(node))
    if not isinstance(record, modules.FunctionRecord):
        prefix = (
            owner.qualified_name if owner else frame.function.qualified_name if frame.function else frame.module.name
        )
        record = FunctionRecord(name, f"{prefix}.{name}", frame.module, node, owner, frame.function)
        frame.module.by_node[id(node)] = record
        if frame.function is None or owner is not None:
            frame.module.functions.append(record)
    note_shared(record, frame)
    note_moved_entries(record, frame)
    is_within = frame.function is not None and owner is None
    if is_within:
        take_from_further_out(record, frame)
    value: Value = FunctionValue(record, None, frame.scope if is_within else None)
    for decorator in node.decorator_list:
        made_by = frame.evaluate(decorator)
        if owner is None:
            value = decorated(record, decorator, made_by, frame) or value
            note_registered(FunctionValue(record), decorator, made_by, frame)
        if isinstance(decorator, ast.Call) and owner is None:
            made_by = frame.evaluate(decorator.func)
            custom_operators.register_function(FunctionValue(record), made_by, decorator, frame)
    for parameter in record.parameters:
        if parameter.default is not None:
            frame.evaluate(parameter.default)
    if owner is not None:
        if not (record.decorators and record.decorators[-1].endswith((".setter", ".deleter"))):
            owner.methods[name] = record
        else:
            owner.methods.setdefault(f"{name}.setter", record)
        frame.know(name, FunctionValue(record))
        return
    if frame.function is not None:
        frame.nested.append((record, frame.scope))
    frame.bind(name, value)


def define_class(node: ast.ClassDef, frame: Frame, enclosing: ClassRecord | None = None) -> None:
    """Bind a class's name and run its body; it may stand in that of an ``enclosing`` class."""
    name = node.name
    known = frame.module.by_node.get(id(node))
    bases = tuple(_base(base, frame) for base in node.bases if not isinstance(base, ast.Starred))
    if isinstance(known, modules.ClassRecord):
        _bind_class(known, frame)
        return
    around = enclosing or frame.function
    prefix = around.qualified_name if around is not None else frame.module.name
    record = ClassRecord(name, f"{prefix}.{name}", frame.module, node, bases)
    record.parent = frame.function
    record.enclosing = enclosing
    record.decorators = tuple(decorator_name(decorator) or "" for decorator in node.decorator_list)
    frame.module.by_node[id(node)] = record
    frame.module.classes.append(record)
    for base in bases:
        if isinstance(base, modules.ClassRecord) and (base.module.is_test or not frame.module.is_test):
            base.subclasses.append(record)
    body = Frame(frame.engine, frame.module, None, record.scope, (frame.scope, *frame.enclosing))
    body.guard(Phase.ONCE, "runs once, when the class is made")
    for statement in node.body:
        if isinstance(statement, FunctionNode):
            define_function(statement, body, record)
        elif isinstance(statement, ast.If):
            for inner in statement.body:
                if isinstance(inner, FunctionNode):
                    define_function(inner, body, record)
        elif isinstance(statement, ast.ClassDef):
            define_class(statement, body, record)
        elif not any(suites(statement)):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                record.annotations[statement.target.id] = statement.annotation
            frame.engine.run_body([statement], body)
    record.forget_conclusions()  # that were drawn while the body ran
    _bind_class(record, frame)
    if frame.function is None:
        for decorator in node.decorator_list:
            note_registered(ClassValue(record), decorator, frame.evaluate(decorator), frame)


def _bind_class(record: ClassRecord, frame: Frame) -> None:
    """Give a class its name; the methods of one that a function makes are run as functions within it are."""
    if frame.function is not None:
        frame.nested += [(method, frame.scope) for _, method in sorted(record.methods.items())]
    frame.bind(record.name, ClassValue(record))


def _base(node: ast.expr, frame: Frame) -> ClassRecord | str | None:
    value = frame.evaluate(node.value if isinstance(node, ast.Subscript) else node)
    if isinstance(value, ClassValue):
        return value.record
    return value.name if isinstance(value, Symbol) else None


def import_modules(node: ast.Import, frame: Frame) -> None:
    """``import a.b``, ``import a.b as c``."""
    for alias in node.names:
        name = frame.engine.project.name_for(alias.name, frame.module)
        if alias.asname is not None:
            frame.bind(alias.asname, Symbol(name))
        else:
            frame.bind(alias.name.partition(".")[0], Symbol(name.partition(".")[0]))


def import_names(node: ast.ImportFrom, frame: Frame) -> None:
    """``from a import b``, relative ones and ``*`` included."""
    base = node.module or ""
    if node.level:
        package = frame.module.package
        for _ in range(node.level - 1):
            package = package.rpartition(".")[0]
        base = f"{package}.{base}" if base and package else (package or base)
    base = frame.engine.project.name_for(base, frame.module) if base else base
    if node.names[0].name == "*":
        if base not in frame.module.stars:
            frame.module.stars.append(base)
        return
    for alias in node.names:
        name = f"{base}.{alias.name}" if base else frame.engine.project.name_for(alias.name, frame.module)
        frame.bind(alias.asname or alias.name, Symbol(name))


def note_named_tuple(node: ast.Assign, value: Value, frame: Frame) -> None:
    """``Point = namedtuple("Point", "x y")`` makes a class, as a ``class`` statement that says the same does.

    One whose fields are not told by literals is a class outside of the project.
    """
    target = node.targets[0]
    if not isinstance(target, ast.Name) or is_known(value) or not isinstance(node.value, ast.Call):
        return
    if dotted_name(node.value.func) not in _NAMED_TUPLES:
        return
    fields = _fields(node.value)
    if fields is None:
        frame.know(target.id, Symbol(f"{frame.module.name}.{target.id}"))
        return
    body: list[ast.stmt] = [ast.AnnAssign(ast.Name(name, ast.Store()), said, None, 1) for name, said in fields]
    made = ast.ClassDef(target.id, [node.value.func], [], body or [ast.Pass()], [])
    define_class(ast.fix_missing_locations(ast.copy_location(made, node)), frame)


_NAMED_TUPLES = frozenset({"namedtuple", "collections.namedtuple", "NamedTuple", "typing.NamedTuple"})


def _fields(call: ast.Call) -> list[tuple[str, ast.expr]] | None:
    """The fields of a named tuple and what they are annotated with, None where they are not written down."""
    if len(call.args) < 2 or any(keyword.arg == "rename" for keyword in call.keywords):
        return None
    said = call.args[1]
    missing: ast.expr = ast.Constant(...)
    names: list[tuple[str, ast.expr]] = []
    if isinstance(said, ast.Constant) and isinstance(said.value, str):
        names = [(name, missing) for name in said.value.replace(",", " ").split()]
    elif isinstance(said, (ast.List, ast.Tuple)):
        for element in said.elts:
            name, kind = element, missing
            if isinstance(element, (ast.List, ast.Tuple)) and len(element.elts) == 2:
                name, kind = element.elts
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                return None
            names.append((name.value, kind))
    else:
        return None
    return names if all(name.isidentifier() for name, _ in names) else None


def bind_pattern(pattern: ast.pattern, subject: Value, frame: Frame) -> None:
    """Bind the names of a ``case``; a class pattern tells what the subject is."""
    if isinstance(pattern, ast.MatchAs):
        if pattern.name is not None:
            value = subject
            if isinstance(pattern.pattern, ast.MatchClass):
                value = _matched(pattern.pattern, frame)
            frame.bind(pattern.name, value)
        if pattern.pattern is not None:
            bind_pattern(pattern.pattern, subject, frame)
        return
    if isinstance(pattern, ast.MatchOr):
        element = subject
    else:
        element = any_item(subject) if isinstance(subject, Sequence) else UNKNOWN
    for inner in children(pattern):
        if isinstance(inner, ast.pattern):
            bind_pattern(inner, element, frame)


def _matched(pattern: ast.MatchClass, frame: Frame) -> Value:
    from synclint.analysis.annotations.annotations import annotated

    cls = pattern.cls
    return (
        annotated(cls, lambda name: frame.evaluate(name))
        if isinstance(cls, (ast.Name, ast.Attribute))
        else (Instance("unknown"))
    )
