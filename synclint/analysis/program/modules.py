"""The modules, classes and functions of a project as they stand in the source."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from synclint import frozen
from synclint.analysis.program.assigned_attributes import assigned_attributes
from synclint.analysis.program.command_lines import adds_arguments
from synclint.analysis.program.content_order import content_key
from synclint.analysis.program.default_devices import DefaultDevices, put_on_an_accelerator
from synclint.analysis.program.heads import Parameter, decorator_name, parameters_of
from synclint.analysis.program.late_bodies import LateAsyncFunction, LateFunction
from synclint.analysis.program.linearization import linearized
from synclint.analysis.program.off_the_gpu import answers_of_places, is_off_the_gpu
from synclint.analysis.program.scaler_names import named_scalers
from synclint.analysis.program.test_modules import checks_results, is_test
from synclint.analysis.program.text_facts import module_fact, text_fact
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.positions import line_of, span_of, text_between, without_comments
from synclint.analysis.syntax.receivers import (
    SelfGiven,
    asked_by_name,
    attributes_assigned_to,
    calls_given_receiver,
    methods_called_on,
)
from synclint.analysis.syntax.selectors import name_looked_up, names_compared_with_numbers
from synclint.analysis.syntax.walk import dotted_name, walk

if TYPE_CHECKING:
    from synclint.findings import Span
    from synclint.sources.kept_texts import KeptText


# What names stand for while the program is analysed; nothing here knows more of it.
V = TypeVar("V")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False, repr=False)
class ModuleRecord(Generic[V]):
    """One parsed file.

    ``real_path`` is without symbolic links, and names the file wherever it was found. ``name`` is its dotted name and
    ``folder`` where that is looked up; ``name_in_project`` has the folders around that are no packages as well.
    ``reaches_torch`` finds out what ``has_torch_in_reach`` tells; ``scope`` is what its top level binds once it has
    been run, ``stars`` the modules of which it imports everything, ``aliases`` the names it gives to types such as
    ``tuple[Tensor, Tensor]``, and ``stubbed`` the functions of the stub beside it, by their names within the module.
    """

    name: str
    path: Path
    real_path: Path
    tree: ast.Module
    kept: KeptText
    folder: Path
    reaches_torch: Callable[[], bool]
    name_in_project: str
    scope: dict[str, V] = field(default_factory=dict)
    functions: list[FunctionRecord[V]] = field(default_factory=list)
    classes: list[ClassRecord[V]] = field(default_factory=list)
    stars: list[str] = field(default_factory=list)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    stubbed: dict[str, FunctionNode] = field(default_factory=dict)
    by_node: dict[int, FunctionRecord[V] | ClassRecord[V]] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The text of the file."""
        return self.kept.text

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the source, as Python counts them."""
        return self.kept.lines

    @property
    def is_package(self) -> bool:
        """Whether the file is a package's ``__init__``."""
        return self.path.stem == "__init__"

    @property
    def package(self) -> str:
        """The dotted name that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @frozen.remembered
    @module_fact
    def imports_by_name(self) -> bool:
        """Whether it may have modules in hand of which nobody knows which they are."""
        return "import_module(" in self.source or "__import__(" in self.source

    @frozen.remembered
    @module_fact
    def reads_command_line(self) -> bool:
        """Whether its text adds arguments to a parser."""
        return adds_arguments(self.source)

    @frozen.remembered
    @module_fact
    def is_test(self) -> bool:
        """Whether it is one of the project's tests."""
        return is_test(self.name_in_project.lower(), lambda: checks_results(self.source))

    @frozen.remembered
    def has_torch_in_reach(self) -> bool:
        """Whether what is unknown in it may be a tensor."""
        return self.reaches_torch()

    @frozen.remembered
    @module_fact
    def is_off_the_gpu(self) -> bool:
        """Whether nothing in it waits for a GPU."""
        return is_off_the_gpu(self.tree)

    @frozen.remembered
    @module_fact
    def answers_of_places(self) -> dict[str, str]:
        """The names at its top that tell where it runs, with what they tell: ``is_cpu``."""
        return answers_of_places(self.tree)

    @frozen.remembered
    @module_fact
    def scalers(self) -> frozenset[str]:
        """What it calls the gradient scalers that it uses."""
        return named_scalers(self.source)

    @frozen.remembered
    @module_fact
    def default_devices(self) -> DefaultDevices:
        """By which functions of PyTorch it makes a GPU the place of what is made without a device, and where."""
        return put_on_an_accelerator(self.source)

    @frozen.remembered
    @module_fact
    def assigned_attributes(self) -> Counter[tuple[str, str]]:
        """How often its text gives a value to an attribute, by the class that does it and the attribute's name."""
        return assigned_attributes(self.source)

    @frozen.remembered
    def order_key(self) -> str:
        """What orders it among modules, by what it defines: another name of the file leaves it as it is."""
        return content_key(self.source)

    def span_of(self, node: ast.AST) -> Span:
        """Where an expression or a statement stands."""
        return span_of(node, self.lines)

    def line_of(self, node: ast.AST) -> int:
        """The line on which a call or a loop begins."""
        return line_of(node)

    def text_of(self, node: ast.AST) -> str:
        """The source of a node on one line, for messages."""
        text = " ".join(without_comments(text_between(self.lines, self.span_of(node))).split())
        return text if len(text) <= 60 else f"{text[:57]}..."


@dataclass(eq=False, repr=False)
class FunctionRecord(Generic[V]):
    """A function or method in the source (``node`` may be a lambda)."""

    name: str
    qualified_name: str
    module: ModuleRecord[V]
    node: FunctionNode | ast.Lambda
    owner: ClassRecord[V] | None = None
    parent: FunctionRecord[V] | None = None

    @frozen.remembered
    def order_key(self) -> str:
        """What orders it among functions, by its name within its module: that of the file has no part in it."""
        return _order_key(self)

    @frozen.remembered
    def key(self) -> str:
        """What names it in every process, and in every tree of one source: of functions of one name, the place."""
        return _key(self)

    @frozen.remembered
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in order, the receiver included."""
        return parameters_of(self.node.args, self.stub.args if self.stub is not None else None)

    @frozen.remembered
    def lines(self) -> int:
        """On how many lines of its body anything begins: comments, empty lines and the docstring are none."""
        body = self.node.body
        if not isinstance(body, list):
            return 1
        has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        # The statement that holds the docstring and the docstring itself are the first two nodes.
        counted = self.nodes[2:] if has_docstring and len(body) > 1 else self.nodes
        return len({node.lineno for node in counted if isinstance(node, (ast.stmt, ast.expr))})

    @frozen.remembered
    def nodes(self) -> Nodes:
        """The nodes of its body, each before those below it: many questions go through all of them."""
        body = self.node.body
        return Nodes(walk(body)) if isinstance(body, list) else Nodes()

    @frozen.remembered
    def stored_names(self) -> frozenset[str]:
        """The names that its body gives values."""
        return frozenset(node.id for node in self.nodes.of(ast.Name) if isinstance(node.ctx, ast.Store))

    @frozen.remembered
    def first_bindings(self) -> dict[str, tuple[int, int]]:
        """Where its body first gives a name a value, or takes it away: the line and the column."""
        found: dict[str, tuple[int, int]] = {}
        for node in self.nodes.of(ast.Name):
            if not isinstance(node.ctx, ast.Load):
                place = (node.lineno, node.col_offset)
                found[node.id] = min(place, found.get(node.id, place))
        return found

    @frozen.remembered
    def loop_lines(self) -> tuple[tuple[int, int], ...]:
        """The first and the last line of each loop in its body."""
        loops = (*self.nodes.of(ast.For), *self.nodes.of(ast.AsyncFor), *self.nodes.of(ast.While))
        return tuple((loop.lineno, loop.end_lineno or 0) for loop in loops)

    @frozen.remembered
    def copied_names(self) -> frozenset[str]:
        """The names that its body gives values which are neither called for nor taken from a container."""
        return frozenset(
            target.id
            for node in self.nodes.of(ast.Assign)
            if not isinstance(node.value, (ast.Subscript, ast.Call))
            for target in node.targets
            if isinstance(target, ast.Name)
        )

    @frozen.remembered
    @text_fact
    def parameters_given_anew(self) -> frozenset[str]:
        """The parameters to which its body gives other values than calls do."""
        return self.stored_names.intersection(one.name for one in self.parameters)

    @frozen.remembered
    def place_key(self) -> str:
        """What stands for the function in records: the same in every process and in every run."""
        return f"{self.module.real_path}:{self.node.lineno}:{self.node.col_offset}"

    @property
    def first_line(self) -> int:
        """The line on which it begins."""
        return self.node.lineno

    @property
    def first_column(self) -> int:
        """The column at which it begins there."""
        return self.node.col_offset

    def stands_at(self, line: int) -> bool:
        """Whether a line of the module is one of its own."""
        return self.node.lineno <= line <= (self.node.end_lineno or self.node.lineno)

    @frozen.remembered
    def stub(self) -> FunctionNode | None:
        """What the stub file beside the module says of this function."""
        return self.module.stubbed.get(self.qualified_name.removeprefix(f"{self.module.name}."))

    @property
    def decorator_nodes(self) -> Sequence[ast.expr]:
        """The decorators."""
        return () if isinstance(self.node, ast.Lambda) else self.node.decorator_list

    @frozen.remembered
    def decorators(self) -> tuple[str, ...]:
        """The dotted names of the decorators, calls without their arguments."""
        return tuple(filter(None, map(decorator_name, self.decorator_nodes)))

    @frozen.remembered
    def is_property(self) -> bool:
        """Whether reading the attribute calls it."""
        return any(
            name.rsplit(".", 1)[-1] in ("property", "cached_property", "lazy_property", "abstractproperty")
            for name in self.decorators
        )

    @frozen.remembered
    @text_fact
    def is_abstract(self) -> bool:
        """Whether its body does nothing, or says that a subclass has to."""
        if isinstance(self.node, ast.Lambda):
            return False
        return all(
            isinstance(statement, ast.Pass)
            or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
            or (isinstance(statement, ast.Return) and statement.value is None)
            or (isinstance(statement, ast.Raise) and _is_left_to_others(statement.exc))
            for statement in self.node.body
        )

    @frozen.remembered
    def is_static(self) -> bool:
        """Whether it takes no receiver."""
        return "staticmethod" in self.decorators

    @frozen.remembered
    def is_class_method(self) -> bool:
        """Whether its receiver is the class."""
        return "classmethod" in self.decorators

    @frozen.remembered
    def receiver(self) -> str | None:
        """The name of the first parameter of a method, ``self`` as a rule."""
        if self.owner is None or self.is_static or not self.parameters:
            return None
        return self.parameters[0].name

    @frozen.remembered
    def returns(self) -> ast.expr | None:
        """The annotation of what it returns."""
        if isinstance(self.node, ast.Lambda):
            return None
        return self.node.returns or (self.stub.returns if self.stub is not None else None)

    @frozen.remembered
    @text_fact
    def selected_by(self) -> frozenset[str]:
        """The parameters whose numbers select what it does, and that keep the values that calls give them."""
        names = frozenset(parameter.name for parameter in self.parameters)
        return names.intersection(names_compared_with_numbers(self.nodes.of(ast.Compare))) - self.stored_names

    @frozen.remembered
    @text_fact
    def looked_up_by(self) -> frozenset[str]:
        """The parameters whose texts are the names of attributes that it looks up, and that keep what calls give."""
        names = frozenset(parameter.name for parameter in self.parameters)
        return names.intersection(filter(None, map(name_looked_up, self.nodes.of(ast.Call)))) - self.stored_names

    @frozen.remembered
    def calls_on_receiver(self) -> frozenset[str]:
        """The names of the methods that it calls on its receiver."""
        if self.receiver is None or isinstance(self.node, ast.Lambda):
            return frozenset()
        return methods_called_on(self.receiver, self.nodes.of(ast.Call))

    @frozen.remembered
    @text_fact
    def calls_given_receiver(self) -> tuple[SelfGiven, ...]:
        """The attributes of its receiver that it calls on the receiver."""
        if self.receiver is None or isinstance(self.node, ast.Lambda):
            return ()
        return tuple(calls_given_receiver(self.receiver, self.nodes.of(ast.Call)))

    @frozen.remembered
    @text_fact
    def asks_by_name(self) -> tuple[str, str | None] | None:
        """The parameter that names the attribute of its receiver that it gives, and the one for want of it."""
        if self.receiver is None or isinstance(self.node, ast.Lambda) or self.decorators:
            return None
        return asked_by_name(self.receiver, self.node.body)

    @frozen.remembered
    @text_fact
    def assigns_to_receiver(self) -> frozenset[str]:
        """The names of the attributes that it assigns to its receiver, or registers with it."""
        if self.receiver is None or isinstance(self.node, ast.Lambda):
            return frozenset()
        if isinstance(self.node, (LateFunction, LateAsyncFunction)):
            return self.node.assigned
        return attributes_assigned_to(self.receiver, self.node.body)


def _key(record: FunctionRecord[V] | ClassRecord[V]) -> str:
    node = record.node
    # With as many digits each, so that their order is that of the places wherever these move.
    return f"{_order_key(record)}:{record.module.path}:{node.lineno:07}:{node.col_offset:05}"


def _order_key(record: FunctionRecord[V] | ClassRecord[V]) -> str:
    return f"{record.qualified_name.removeprefix(f'{record.module.name}.')}:{record.module.order_key}"


def _is_left_to_others(raised: ast.expr | None) -> bool:
    """Whether what is raised says that a subclass has to do the work."""
    name = dotted_name(raised.func if isinstance(raised, ast.Call) else raised)
    return name is not None and name.startswith("NotImplemented")


class _Classes(Generic[V]):
    """Classes of the project, which remember their method resolution orders, and the names of others."""

    def bases_of(self, one: ClassRecord[V] | str) -> list[ClassRecord[V] | str]:
        if isinstance(one, str):
            return []
        return list(dict.fromkeys(base for base in one.bases if base is not None))

    def known(self, one: ClassRecord[V] | str) -> tuple[ClassRecord[V] | str, ...] | None:
        return (one,) if isinstance(one, str) else vars(one).get("resolution_order")

    def keep(self, one: ClassRecord[V] | str, order: tuple[ClassRecord[V] | str, ...]) -> None:
        vars(one)["resolution_order"] = order


@dataclass(eq=False, repr=False)
class ClassRecord(Generic[V]):
    """A class in the source; ``scope`` is what its body binds.

    ``bases`` are its bases: classes of the project, the qualified names of others, None for what may be anything.
    ``enclosing`` is the class in whose body it stands, as that of a configuration may.
    ``instance`` is an object of the class of which nothing else is known, once somebody has made it.
    """

    name: str
    qualified_name: str
    module: ModuleRecord[V]
    node: ast.ClassDef
    bases: tuple[ClassRecord[V] | str | None, ...] = ()
    scope: dict[str, V] = field(default_factory=dict)
    methods: dict[str, FunctionRecord[V]] = field(default_factory=dict)
    annotations: dict[str, ast.expr] = field(default_factory=dict)
    subclasses: list[ClassRecord[V]] = field(default_factory=list)
    decorators: tuple[str, ...] = ()
    parent: FunctionRecord[V] | None = None
    enclosing: ClassRecord[V] | None = None
    instance: V | None = None

    @frozen.remembered
    def key(self) -> str:
        """What names it in every process, and in every tree of one source: of classes of one name, the place."""
        return _key(self)

    @frozen.remembered
    def resolution_order(self) -> tuple[ClassRecord[V] | str, ...]:
        """The class and its ancestors in Python's method resolution order, those outside the project by their names."""
        return linearized(self, _Classes())

    @frozen.remembered
    def ancestors(self) -> tuple[ClassRecord[V], ...]:
        """The class and its bases within the project, in Python's method resolution order."""
        return tuple(one for one in self.resolution_order if isinstance(one, ClassRecord))

    @frozen.remembered
    def declared(self) -> frozenset[str]:
        """The names that the body gives a type and no value."""
        return frozenset(
            statement.target.id
            for statement in self.node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
            if statement.value is None
        )

    @frozen.remembered
    def is_enumeration(self) -> bool:
        """Whether its members are objects of their own, like no number and no text."""
        bases = {base for ancestor in self.ancestors for base in ancestor.bases if isinstance(base, str)}
        return bases == {"enum.Enum"}

    @frozen.remembered
    def is_tensor(self) -> bool:
        """Whether its instances are tensors."""
        return any("torch.Tensor" in ancestor.bases for ancestor in self.ancestors)

    @frozen.remembered
    def all_methods(self) -> dict[str, FunctionRecord[V]]:
        """Its methods and those that it inherits within the project, by their names."""
        found: dict[str, FunctionRecord[V]] = {}
        for ancestor in reversed(self.ancestors):
            found.update(ancestor.methods)
        return found

    @frozen.remembered
    def assigned_by_constructors(self) -> frozenset[str]:
        """The attributes that its constructor, or one of a class that it derives from, assigns to its receiver."""
        constructors = (ancestor.methods.get("__init__") for ancestor in self.ancestors)
        return frozenset().union(*(method.assigns_to_receiver for method in constructors if method is not None))

    def forget_conclusions(self) -> None:
        """Conclude anew, when next asked, what the methods of the class and what it says of attributes come to."""
        for name in ("all_methods", "assigned_by_constructors", "assigners"):
            vars(self).pop(name, None)

    @frozen.remembered
    def assigners(self) -> dict[str, tuple[FunctionRecord[V], ...]]:
        """For each attribute, the methods that assign it to their receiver."""
        found: dict[str, dict[FunctionRecord[V], None]] = {}
        for _, method in sorted(self.methods.items()):
            for name in method.assigns_to_receiver:
                found.setdefault(name, {})[method] = None
        return {name: tuple(methods) for name, methods in found.items()}
