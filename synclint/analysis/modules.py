"""The modules, classes and functions of a project as they stand in the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from synclint.analysis.walk import dotted_name, statements, walk

if TYPE_CHECKING:
    from synclint.analysis.values import Value


@dataclass(eq=False, repr=False)
class ModuleRecord:
    """One parsed file.

    ``name`` is its dotted name, ``scope`` what its top level binds once it has been run, ``aliases`` the names
    it gives to types such as ``tuple[Tensor, Tensor]``, and ``stubbed`` the functions of the stub beside it, by
    their names within the module.
    """

    name: str
    path: Path
    tree: cst.Module
    source: str
    scope: dict[str, Value] = field(default_factory=dict)
    functions: list[FunctionRecord] = field(default_factory=list)
    classes: list[ClassRecord] = field(default_factory=list)
    executed: bool = False
    aliases: dict[str, cst.BaseExpression] = field(default_factory=dict)
    stubbed: dict[str, cst.FunctionDef] = field(default_factory=dict)
    by_node: dict[int, FunctionRecord | ClassRecord] = field(default_factory=dict)

    @property
    def is_package(self) -> bool:
        """Whether the file is a package's ``__init__``."""
        return self.path.stem == "__init__"

    @property
    def package(self) -> str:
        """The dotted name that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    def text_of(self, node: cst.CSTNode) -> str:
        """The source of a node on one line, for messages."""
        text = " ".join(self.tree.code_for_node(node).split())
        return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: ``kind`` is "positional", "keyword", "*" or "**"."""

    name: str
    kind: str
    annotation: cst.BaseExpression | None
    default: cst.BaseExpression | None


@dataclass(eq=False, repr=False)
class FunctionRecord:
    """A function or method in the source (``node`` may be a lambda)."""

    name: str
    qualified_name: str
    module: ModuleRecord
    node: cst.FunctionDef | cst.Lambda
    owner: ClassRecord | None = None
    parent: FunctionRecord | None = None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in order, the receiver included."""
        given = self.node.params
        stub = self.stub
        said = _annotations(stub.params) if stub is not None else {}
        found = [_parameter(p, "positional", said) for p in (*given.posonly_params, *given.params)]
        if isinstance(given.star_arg, cst.Param):
            found.append(_parameter(given.star_arg, "*", said))
        found += [_parameter(p, "keyword", said) for p in given.kwonly_params]
        if given.star_kwarg is not None:
            found.append(_parameter(given.star_kwarg, "**", said))
        return tuple(found)

    @property
    def stub(self) -> cst.FunctionDef | None:
        """What the stub file beside the module says of this function."""
        return self.module.stubbed.get(self.qualified_name.removeprefix(f"{self.module.name}."))

    @cached_property
    def decorators(self) -> tuple[str, ...]:
        """The dotted names of the decorators, calls without their arguments."""
        if isinstance(self.node, cst.Lambda):
            return ()
        nodes = [d.decorator.func if isinstance(d.decorator, cst.Call) else d.decorator for d in self.node.decorators]
        return tuple(name for name in map(dotted_name, nodes) if name)

    @property
    def is_property(self) -> bool:
        """Whether reading the attribute calls it."""
        return any(
            name.rsplit(".", 1)[-1] in ("property", "cached_property", "lazy_property", "abstractproperty")
            for name in self.decorators
        )

    @property
    def is_static(self) -> bool:
        """Whether it takes no receiver."""
        return "staticmethod" in self.decorators

    @property
    def is_class_method(self) -> bool:
        """Whether its receiver is the class."""
        return "classmethod" in self.decorators

    @property
    def receiver(self) -> str | None:
        """The name of the first parameter of a method, ``self`` as a rule."""
        if self.owner is None or self.is_static or not self.parameters:
            return None
        return self.parameters[0].name

    @property
    def returns(self) -> cst.BaseExpression | None:
        """The annotation of what it returns."""
        if isinstance(self.node, cst.Lambda):
            return None
        said = self.node.returns or (self.stub.returns if self.stub is not None else None)
        return said.annotation if said is not None else None

    @cached_property
    def calls_on_receiver(self) -> frozenset[str]:
        """The names of the methods that it calls on its receiver."""
        receiver = self.receiver
        return frozenset(
            node.func.attr.value
            for node in walk(self.node.body)
            if isinstance(node, cst.Call)
            and isinstance(node.func, cst.Attribute)
            and isinstance(node.func.value, cst.Name)
            and node.func.value.value == receiver
        )


Annotations = dict[str, cst.BaseExpression]


def _annotations(parameters: cst.Parameters) -> Annotations:
    """The annotations of parameters by name."""
    return {
        parameter.name.value: parameter.annotation.annotation
        for parameter in (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
        if parameter.annotation is not None
    }


def _parameter(node: cst.Param, kind: str, said: Annotations) -> Parameter:
    name = node.name.value
    annotation = node.annotation.annotation if node.annotation is not None else said.get(name)
    return Parameter(name, kind, annotation, node.default)


def stubbed_functions(body: Iterable[cst.BaseStatement], prefix: str = "") -> Iterator[tuple[str, cst.FunctionDef]]:
    """The functions of a stub by their names within the module, methods as ``Class.method``."""
    for statement in body:
        if isinstance(statement, cst.FunctionDef):
            yield f"{prefix}{statement.name.value}", statement
        elif isinstance(statement, cst.ClassDef) and isinstance(statement.body, cst.IndentedBlock):
            yield from stubbed_functions(
                (inner for inner in statement.body.body if isinstance(inner, cst.BaseStatement)),
                f"{prefix}{statement.name.value}.",
            )


@dataclass(eq=False, repr=False)
class ClassRecord:
    """A class in the source; ``scope`` is what its body binds, ``attributes`` what its methods assign to instances."""

    name: str
    qualified_name: str
    module: ModuleRecord
    node: cst.ClassDef
    bases: tuple[Value, ...] = ()
    scope: dict[str, Value] = field(default_factory=dict)
    methods: dict[str, FunctionRecord] = field(default_factory=dict)
    annotations: dict[str, cst.BaseExpression] = field(default_factory=dict)
    attributes: dict[str, Value] = field(default_factory=dict)
    subclasses: list[ClassRecord] = field(default_factory=list)
    decorators: tuple[str, ...] = ()
    parent: FunctionRecord | None = None
    resolved: set[str] = field(default_factory=set)

    @cached_property
    def assigners(self) -> dict[str, tuple[FunctionRecord, ...]]:
        """For each attribute, the methods that assign it to their receiver."""
        found: dict[str, dict[FunctionRecord, None]] = {}
        for method in self.methods.values():
            for name in _assigned_attributes(method):
                found.setdefault(name, {})[method] = None
        return {name: tuple(methods) for name, methods in found.items()}


_REGISTERS = frozenset({"register_buffer", "register_parameter", "add_state", "add_module", "register_module"})


def _assigned_attributes(method: FunctionRecord) -> set[str]:
    receiver = method.receiver
    if receiver is None or isinstance(method.node, cst.Lambda):
        return set()
    found: set[str] = set()

    def note(target: cst.CSTNode) -> None:
        if isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name) and target.value.value == receiver:
            found.add(target.attr.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                note(element.value)

    for statement in statements(method.node.body):
        if isinstance(statement, cst.Assign):
            for target in statement.targets:
                note(target.target)
        elif isinstance(statement, (cst.AnnAssign, cst.AugAssign, cst.For)):
            note(statement.target)
        elif isinstance(statement, cst.With):
            for item in statement.items:
                if item.asname is not None:
                    note(item.asname.name)
        elif isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
            call = statement.value
            name = dotted_name(call.func)
            if name and name.rpartition(".")[2] in _REGISTERS and call.args:
                for argument in call.args[:1]:
                    if isinstance(argument.value, cst.SimpleString):
                        found.add(str(argument.value.evaluated_value))
                for argument in call.args:
                    if argument.keyword is not None and argument.keyword.value == "name":
                        if isinstance(argument.value, cst.SimpleString):
                            found.add(str(argument.value.evaluated_value))
    return found
