"""Classes of the project: their bases, their attributes, and what their instances hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from synclint.analysis.domain.callables import instance_of, partial_of
from synclint.analysis.domain.containers import tells_nothing
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.optimizers import OF_OPTIMIZERS
from synclint.analysis.domain.values import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    BoundMethod,
    ClassRecord,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionRecord,
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
from synclint.analysis.models.torch_results import load_result_rules
from synclint.analysis.objects import ancestry
from synclint.analysis.objects.annotated_values import as_annotated
from synclint.analysis.objects.attributes import instance_of_kind
from synclint.analysis.objects.declared_in_methods import as_declared
from synclint.analysis.objects.descendants import definitions_below, descendants
from synclint.analysis.objects.record_classes import kind_of
from synclint.analysis.program.patterns import without_marks
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.catalog.entries import LibraryClass


def find_method(record: ClassRecord, name: str) -> FunctionRecord | None:
    """The method of this name, inherited ones of the project included."""
    return record.all_methods.get(name)


def class_attribute(engine: Interpreter, record: ClassRecord, name: str) -> Value:
    """What ``Class.name`` is."""
    method = find_method(record, name)
    if method is not None:
        return FunctionValue(method, ClassValue(record) if method.is_class_method else None)
    if name == "apply" and ancestry.is_a(engine, record, "torch.autograd.Function"):
        return _applied(record)
    for current in record.ancestors:
        if name in current.scope:
            value = current.scope[name]
            if record.is_enumeration:
                return instance_of(record)
            # What is chosen when a program starts: `Settings.device = torch.device("cuda")`.
            written = engine.read_field(current, name) if isinstance(value, (DeviceName, Nothing)) else None
            value = engine.resolve(value.name) if isinstance(value, Symbol) else value
            return value if written is None else join(value, written)
    if any(model.methods.get(name) == OWN for model in library_models(engine, record)):
        return BoundMethod(ClassValue(record), name)
    return _of_metaclass(engine, record, name) or UNKNOWN


# The kind of what a method of a library's class gives that makes an object of whichever class it is called on.
OWN = "self"


def library_models(engine: Interpreter, record: ClassRecord) -> list[LibraryClass]:
    """What the catalogue tells of the classes outside the project from which a class derives."""
    known = engine.catalog.classes
    return [known[base] for base in ancestry.external_bases(engine, record) if base in known]


def _of_metaclass(engine: Interpreter, record: ClassRecord, name: str) -> Value | None:
    """A method that a class has from its metaclass, bound to the class."""
    made_by = _metaclass(engine, record)
    method = find_method(made_by.record, name) if isinstance(made_by, Instance) and made_by.record is not None else None
    return None if method is None else FunctionValue(method, ClassValue(record))


def _metaclass(engine: Interpreter, record: ClassRecord) -> Value | None:
    """An object of the metaclass of a class, None where the code names none."""
    for current in record.ancestors:
        for keyword in current.node.keywords:
            if keyword.arg == "metaclass":
                return engine.annotation(keyword.value, current)
    return None


# Metaclasses outside the project that make objects as ``type`` does.
_PLAIN_METACLASSES = frozenset({"builtins.type", "abc.ABCMeta"})


def call_of_metaclass(engine: Interpreter, record: ClassRecord) -> FunctionValue | Unknown | None:
    """What is called to make an object of a class: a method of its metaclass, unknown, or None for that of ``type``."""
    made_by = _metaclass(engine, record)
    if made_by is None:
        return None
    if not isinstance(made_by, Instance):
        return UNKNOWN
    if made_by.record is None:
        return None if made_by.name in _PLAIN_METACLASSES else UNKNOWN
    method = find_method(made_by.record, "__call__")
    if method is not None:
        return FunctionValue(method, ClassValue(record))
    return None if _PLAIN_METACLASSES.issuperset(ancestry.external_bases(engine, made_by.record)) else UNKNOWN


def _applied(record: ClassRecord) -> Value:
    """``apply`` of an autograd function calls its ``forward``, with a context before the rest unless that is set up.

    Source: ``torch/autograd/function.py``, ``Function.forward``.
    """
    forward = find_method(record, "forward")
    if forward is None:
        return UNKNOWN
    before = () if find_method(record, "setup_context") is not None else (UNKNOWN,)
    return partial_of(FunctionValue(forward, ClassValue(record) if forward.is_class_method else None), *before)


def instance_attribute(engine: Interpreter, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
    """What reading an attribute of an instance gives, None where nothing is known of it."""
    if instance.name == "builtins.super":
        return _super_attribute(engine, instance, name, frame, node)
    record = instance.record
    if (said := _configured(engine, instance, name)) is not None:
        return said
    if record is None:
        return _library_attribute(engine, instance, name)
    if (given := instance.given(name)) is not None:
        return _as_it_is_by_now(engine, record, name, given)
    method = find_method(record, name)
    if method is not None and method.is_abstract and _is_implemented_elsewhere(engine, record, name):
        return BoundMethod(instance, name)
    if method is not None:
        bound = FunctionValue(method, None if method.is_static else instance)
        if method.is_abstract and (others := overrides(engine, record, name)):
            return join_all(others)
        if method.is_property:
            return engine.call(bound, Arguments(), frame, node)
        if method.is_class_method:
            return FunctionValue(method, ClassValue(record))
        return bound
    if _is_made_in(frame, record) and (before := list(_given_by_class(engine, record, name))):
        return join_all(before)  # which the constructor has not given anything else yet
    assigned = assigned_attribute(engine, record, name)
    if assigned is not None:
        return _own_methods(assigned, instance, record, name)
    for current in record.ancestors:
        if name in current.scope or name in current.annotations:
            if (said := _value_in_body(engine, current, name)) is not None:
                said = engine.resolve(said.name) if isinstance(said, Symbol) else said
                if _may_be_given(engine, current, name):
                    return join(said, UNKNOWN)
                return _through_descriptor(engine, said, instance, record, frame, node)
            declared = engine.annotation(current.annotations[name], current) if name in current.annotations else NOTHING
            if name in current.scope and name not in current.declared and is_known(declared):
                declared = join(NOTHING, declared)
            return _of_subclasses(engine, record, name) or _of_library(engine, record, name, declared)
    for base in ancestry.external_bases(engine, record):
        found = library_attribute(engine, base, name)
        if found is not None:
            return found
    if (below := _begun_below(engine, record, name, frame, node)) is not None:
        return below
    fallback = find_method(record, "__getattr__")
    if fallback is not None and not name.startswith("__"):
        found = engine.call(FunctionValue(fallback, instance), Arguments([Text(name)]), frame, node)
        if is_known(found):
            return found
    return _conventional(engine, record, name)


def _as_it_is_by_now(engine: Interpreter, record: ClassRecord, name: str, given: Value) -> Value:
    """The number or the text that the constructor of a record was given, or that has been assigned since.

    Of objects and tensors, those that the constructors of others were given are kept for the class as well.
    """
    if not isinstance(given, (Scalar, Text)) or (kept := engine.read_field(record, name)) is None:
        return given
    return join_all([given, *(option for option in options(kept) if isinstance(option, (Scalar, Text)))])


def _own_methods(held: Value, instance: Instance, record: ClassRecord, name: str) -> Value:
    """Of methods that classes have put into an attribute of their objects, those that an object of this class has.

    ``self.method = self.compute`` of a base class is run for each subclass: each has its own ``compute``, and none has
    that of a sibling.
    """
    if not any(isinstance(option, FunctionValue) and option.receiver is not None for option in options(held)):
        return held
    owner = next((current for current in record.ancestors if name in current.assigners), None)
    found: dict[Value, None] = {}
    for option in options(held):
        receiver = option.receiver if isinstance(option, FunctionValue) else None
        of = receiver.record if isinstance(receiver, Instance) else None
        if not isinstance(option, FunctionValue) or of is None or owner is None or owner not in of.ancestors:
            found[option] = None
        elif of in record.ancestors:
            method = find_method(record, option.record.name)
            found[option if method is None or of is record else FunctionValue(method, instance)] = None
        elif record in of.ancestors:
            found[option] = None
    return join_all(found)


def _of_library(engine: Interpreter, record: ClassRecord, name: str, declared: Value) -> Value:
    """What a class only declares that a library's class gives it: of ``state: dict`` that one knows what it holds."""
    if isinstance(declared, (Mapping, Sequence)):
        for base in ancestry.external_bases(engine, record):
            if (found := library_attribute(engine, base, name)) is not None and type(found) is type(declared):
                return found
    return declared


def _is_made_in(frame: Frame, record: ClassRecord) -> bool:
    """Whether what runs is the constructor of a class, or of one that it derives from."""
    function = frame.function
    return function is not None and function.name == "__init__" and function.owner in record.ancestors


def _may_be_given(engine: Interpreter, record: ClassRecord, name: str) -> bool:
    """Whether what a record's body says of a field is a default only: the constructor may be given anything."""
    if name not in record.annotations or kind_of(record) is None:
        return False
    return not is_known(engine.annotation(record.annotations[name], record))


def _through_descriptor(
    engine: Interpreter, said: Value, instance: Instance, record: ClassRecord, frame: Frame, node: ast.AST
) -> Value:
    """What reading a class's value through an instance gives: what ``__get__`` returns, where it has that method."""
    getter = find_method(said.record, "__get__") if isinstance(said, Instance) and said.record is not None else None
    if getter is None:
        return said
    return engine.call(FunctionValue(getter, said), Arguments([instance, ClassValue(record)]), frame, node)


def _configured(engine: Interpreter, instance: Instance, name: str) -> Value | None:
    """What the configuration says that an attribute of a class, or of one that it derives from, gives."""
    gives = engine.catalog.gives
    if not gives:
        return None
    record = instance.record
    owners = (instance.name,) if record is None else tuple(owner.qualified_name for owner in record.ancestors)
    for owner in owners:
        kind = gives.get(f"{without_marks(owner)}.{name}")
        if kind is not None:
            return instance_of_kind(kind)
    return None


_MOST_SUBCLASSES = 8


def _value_in_body(engine: Interpreter, record: ClassRecord, name: str) -> Value | None:
    """What the body of a class gives an attribute, None where it only declares it or says None."""
    said = record.scope.get(name, NOTHING)
    is_said = name not in record.declared and not isinstance(said, Nothing)
    return _with_later_classes(engine, record, name, said) if is_said else None


def _with_later_classes(engine: Interpreter, record: ClassRecord, name: str, said: Value) -> Value:
    """What a value in the body of a class is by its annotation now: it may name a class that is defined further down.

    ``items: list[Item] = []`` was a list of anything while the body ran, and ``item: Item = field(...)`` anything.
    """
    if name not in record.annotations or not tells_nothing(said):
        return said
    declared = engine.annotation(record.annotations[name], record)
    return declared if is_known(declared) else said


def _of_subclasses(engine: Interpreter, record: ClassRecord, name: str) -> Value | None:
    """What subclasses say in their bodies of an attribute that a class only declares."""
    given = (_value_in_body(engine, current, name) for current in descendants(engine, record))
    found = [*islice((value for value in given if value is not None), _MOST_SUBCLASSES)]
    return join_all(found) if found else None


def overrides(engine: Interpreter, record: ClassRecord, name: str) -> list[Value]:
    """The methods of subclasses that do what a method of this class leaves to them."""
    found = ((current.methods[name], current) for current in descendants(engine, record) if name in current.methods)
    own = (FunctionValue(method, instance_of(owner)) for method, owner in found if not method.is_property)
    inherited = (BoundMethod(instance_of(owner), name) for owner in implemented_elsewhere_below(engine, record, name))
    return [*islice(own, _MOST_SUBCLASSES), *inherited]


def _is_implemented_elsewhere(engine: Interpreter, record: ClassRecord, name: str) -> bool:
    """Whether a class has a method from one of a library: ``class Normal(torch.distributions.Normal, Interface)``.

    What libraries have others derive from, such as ``Distribution`` and ``Module``, leaves it to them.
    """
    bases = ancestry.external_bases(engine, record)
    return any(len(ancestry.library_bases(engine, base)) > 1 and engine.api.class_method(base, name) for base in bases)


def implemented_elsewhere_below(engine: Interpreter, record: ClassRecord, name: str) -> list[ClassRecord]:
    """The classes that derive from one and have a method from a library's, unless the project has it as well."""
    others = (current for current in descendants(engine, record) if _is_implemented_elsewhere(engine, current, name))
    own = ((current, find_method(current, name)) for current in others)
    return [*islice((current for current, method in own if method is None or method.is_abstract), _MOST_SUBCLASSES)]


def _begun_below(engine: Interpreter, record: ClassRecord, name: str, frame: Frame, node: ast.AST) -> Value | None:
    """What objects of the subclasses have that begin to have a method, where the class itself says nothing of it.

    Whoever takes that from an object of a declared class means one of theirs; where there are many, nobody knows whose.
    A call of it right there is known by its name.
    """
    calls = frame.function.nodes.of(ast.Call) if frame.function is not None else ()
    if any(call.func is node for call in calls):
        return None
    owners = [method.receiver for method in islice(definitions_below(engine, record, name), _MOST_SUBCLASSES + 1)]
    if not owners or len(owners) > _MOST_SUBCLASSES:
        return None
    found = (instance_attribute(engine, one, name, frame, node) for one in owners if isinstance(one, Instance))
    return join_all(one if one is not None else UNKNOWN for one in found)


def _conventional(engine: Interpreter, record: ClassRecord, name: str) -> Value | None:
    """What an attribute is by its name, where the class says nothing of it."""
    if name in ("device", "_device"):
        return DeviceName(is_named=True)
    if name == "dtype":
        return DTypeName()
    if name == "training" and ancestry.is_module(engine, record):
        return BOOLEAN
    for subclass in engine.subclasses(record)[:4]:
        found = assigned_attribute(engine, subclass, name)
        if found is not None:
            return found
    return None


def constructor(record: ClassRecord) -> tuple[FunctionRecord, ...]:
    """The constructor that a class has of its own: it may set attributes by ways that do not show."""
    method = record.methods.get("__init__")
    return () if method is None else (method,)


def assigned_attribute(engine: Interpreter, record: ClassRecord, name: str) -> Value | None:
    """The join of everything that methods assign to an attribute; the methods run first if they have not."""
    held = engine.read_field(record, name)
    if held is None:
        return None
    values = [held]
    if name not in record.assigned_by_constructors:
        values += _given_by_class(engine, record, name)
    value = as_declared(join_all(values), engine, record, name)
    owner = next((current for current in record.ancestors if name in current.annotations), None)
    if owner is not None:
        said = engine.annotation(owner.annotations[name], owner)
        if is_known(said) and all(isinstance(option, (Unknown, Nothing)) for option in options(value)):
            return said
        value = _as_tensor(value, said) if isinstance(said, Tensor) else as_annotated(value, said)
    return join(NOTHING, UNKNOWN) if isinstance(value, Nothing) else value


def _as_tensor(value: Value, said: Tensor) -> Value:
    """Of what is assigned to an attribute that is declared as a tensor, what is one or may be: it tells more of it."""
    meant = [option for option in options(value) if isinstance(option, (Tensor, Unknown, Nothing))]
    return join_all(meant) if any(isinstance(option, Tensor) for option in meant) else said


_MOST_ATTRIBUTES = 64


def dictionary_of(engine: Interpreter, value: Value) -> Value:
    """What ``__dict__`` of something holds, where a value is that: of an object the attributes that methods assign."""
    if not (isinstance(value, BoundMethod) and value.name == "__dict__"):
        return value
    record = value.receiver.record if isinstance(value.receiver, Instance) else None
    if record is None:
        return Mapping()
    names = sorted({name for current in record.ancestors for name in current.assigners})[:_MOST_ATTRIBUTES]
    return Mapping(tuple((name, assigned_attribute(engine, record, name) or UNKNOWN) for name in names))


def _given_by_class(engine: Interpreter, record: ClassRecord, name: str) -> Iterator[Value]:
    """What an attribute is before anything is assigned to it: what the class's body says."""
    for current in record.ancestors:
        if name in current.scope and name not in current.declared:
            yield _with_later_classes(engine, current, name, current.scope[name])
        if name in current.annotations:
            said = engine.annotation(current.annotations[name], current)
            if is_known(said) and not isinstance(said, Tensor):  # of which what is assigned tells more
                yield said
        if name in current.scope or name in current.annotations:
            return


def _super_attribute(engine: Interpreter, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
    """What an attribute of ``super()`` is: that of the next class in the order of the receiver's class that has one."""
    after, receiver = instance.given("class"), instance.given("self")
    if not isinstance(after, ClassValue) or receiver is None:
        return None
    for current in _behind(after.record, receiver):
        if isinstance(current, str):
            if _has_method(engine, current, name):
                break
        elif name in current.methods:
            return _bound_by_super(engine, current.methods[name], receiver, frame, node)
        elif name in current.scope:
            return class_attribute(engine, current, name)
    return BoundMethod(receiver, name)


def _behind(after: ClassRecord, receiver: Value) -> tuple[ClassRecord | str, ...]:
    """What comes after a class in the method resolution order of the receiver's class."""
    owner = receiver.record if isinstance(receiver, (Instance, ClassValue)) else None
    for order in (owner.resolution_order if owner is not None else (), after.resolution_order):
        if after in order:
            return order[order.index(after) + 1 :]
    return ()


# Classes of the language with no methods that a subclass would call through ``super()``.
_EMPTY = frozenset({"builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC"})


def _has_method(engine: Interpreter, owner: str, name: str) -> bool:
    """Whether a class outside the project is known to have a method, or a constructor that calls no other one."""
    if owner in _EMPTY:
        return False
    bases = ancestry.library_bases(engine, owner)
    return name == "__init__" or any(engine.api.class_method(base, name) for base in bases)


def _bound_by_super(engine: Interpreter, method: FunctionRecord, receiver: Value, frame: Frame, node: ast.AST) -> Value:
    if method.is_property:
        return engine.call(FunctionValue(method, receiver), Arguments(), frame, node)
    if method.is_static or method.name == "__new__":
        return FunctionValue(method)
    if method.is_class_method and isinstance(receiver, Instance) and receiver.record is not None:
        return FunctionValue(method, ClassValue(receiver.record))
    return FunctionValue(method, receiver)


def _library_attribute(engine: Interpreter, instance: Instance, name: str) -> Value | None:
    for base in ancestry.library_bases(engine, instance.name):
        found = library_attribute(engine, base, name)
        if found is not None:
            return found
    if name in ("device", "_device"):
        return DeviceName(is_named=True)
    return None


# The host counts with the lengths; ``torch/nn/utils/rnn.py``, ``PackedSequence``.
_OF_PACKED: dict[str, Value] = {
    "data": Tensor(),
    "batch_sizes": Tensor(Device.CPU, DType.INT, 1),
    "sorted_indices": join(Tensor(Device.UNKNOWN, DType.INT, 1), NOTHING),
    "unsorted_indices": join(Tensor(Device.UNKNOWN, DType.INT, 1), NOTHING),
}
PACKED = "torch.nn.utils.rnn.PackedSequence"
PACKED_PARTS = tuple(_OF_PACKED.values())


def library_attribute(engine: Interpreter, base: str, name: str) -> Value | None:
    """What an attribute of an instance of an outside class is."""
    model = engine.catalog.classes.get(base)
    if model is not None and name in model.attributes:
        return instance_of_kind(model.attributes[name])
    if base == PACKED and name in _OF_PACKED:
        return _OF_PACKED[name]
    if name in OF_OPTIMIZERS and ancestry.OPTIMIZER in ancestry.library_bases(engine, base):
        return OF_OPTIMIZERS[name]
    kind = engine.api.class_attribute(base, name)
    if kind is not None:
        value = instance_of_kind(kind)
        if isinstance(value, Tensor) and f"{base.rpartition('.')[2]}.{name}" in load_result_rules().cpu:
            return replace(value, device=Device.CPU)
        return _on_device(value)
    if base == ancestry.METRIC and name == "device":
        return DeviceName(Device.DEVICE)
    return None


def _on_device(value: Value) -> Value:
    return Tensor(Device.UNKNOWN) if isinstance(value, Tensor) else value
