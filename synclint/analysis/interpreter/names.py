"""What names stand for: qualified names, those at the top of modules, and those in annotations."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from synclint.analysis.annotations.annotations import annotated
from synclint.analysis.domain.containers import as_part
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    FunctionRecord,
    Mapping,
    ModuleRecord,
    ProjectModule,
    Sequence,
    Symbol,
    Value,
)
from synclint.analysis.program import modules
from synclint.analysis.state.frames import Modules
from synclint.analysis.state.join_points import Scope
from synclint.analysis.syntax.walk import last_name
from synclint.catalog.torch_api import load_torch_api

DEEPEST_NAME = 60
# What is read of these may be put into them later.
_FILLED_LATER = (Mapping, Sequence)


_SELF = (Symbol("typing.Self"), Symbol("typing_extensions.Self"))


def _name_of_own_class(record: FunctionRecord | ClassRecord | ModuleRecord) -> str | None:
    """The name that a method's first parameter gives to the class of its receiver: ``self: T``, ``cls: type[T]``."""
    if not isinstance(record, modules.FunctionRecord) or record.owner is None or record.is_static:
        return None
    said = next((one.annotation for one in record.parameters if one.kind == "positional"), None)
    if isinstance(said, ast.Subscript) and last_name(said.value) in ("type", "Type"):
        said = said.slice
    return said.id if isinstance(said, ast.Name) else None


class Names:
    """Looks up names in the modules of a project, whose top levels ``run_module`` runs.

    While some modules are being run (``unfinished``), a name that is not bound may be bound yet. ``note_global`` is
    told of containers that other modules may fill.
    """

    def __init__(
        self,
        project: Modules,
        run_module: Callable[[ModuleRecord], None],
        class_attribute: Callable[[ClassRecord, str], Value],
        note_global: Callable[[ModuleRecord, str, Value], None],
        unfinished: set[ModuleRecord],
    ) -> None:
        self._project = project
        self._run_module = run_module
        self._class_attribute = class_attribute
        self._note_global = note_global
        self._unfinished = unfinished
        self._symbols: dict[str, Value] = {}
        self._from_stars: dict[tuple[ModuleRecord, str], Value | None] = {}
        self._aliases: dict[ast.expr, Value] = {}
        self._resolving: set[tuple[ModuleRecord, str]] = set()
        self._declared: dict[FunctionRecord, Value] = {}
        self._annotations: dict[ast.expr, Value] = {}

    def forget(self) -> None:
        """Look names up anew from here on: what a module binds has changed."""
        self._symbols.clear()
        self._from_stars.clear()
        self._annotations.clear()

    def resolve(self, name: str) -> Value:
        """What a qualified name stands for: a value of the project, else a symbol outside of it."""
        known = self._symbols.get(name)
        if known is None:
            self._symbols[name] = known = Symbol(name)
            found = self._in_project(name)
            if found is not None:
                self._symbols[name] = known = found
                if (self._unfinished and found == UNKNOWN) or isinstance(found, _FILLED_LATER):
                    del self._symbols[name]
        return known

    def _in_project(self, name: str) -> Value | None:
        if name.startswith("torch.") and load_torch_api().knows(name):
            return None  # even where the project is torch itself: the tables say more of it than its text does
        if self._project.module(name) is not None or self._project.is_package(name):
            return ProjectModule(name)
        parent, _, last = name.rpartition(".")
        if not parent or name.count(".") > DEEPEST_NAME:
            return None
        module = self._project.module(parent)
        if module is not None:
            value = self.member(module, last)
            if isinstance(value, Symbol) and value.name != name:
                return self.resolve(value.name)
            if isinstance(value, _FILLED_LATER):
                self._note_global(module, last, value)
            return value if value is not None else UNKNOWN
        if self._project.is_package(parent):
            return UNKNOWN
        container = self.resolve(parent)
        if isinstance(container, ClassValue):
            return self._class_attribute(container.record, last)
        return None

    def member(self, module: ModuleRecord, name: str) -> Value | None:
        """What a name stands for at the top level of a module, None where it is not bound there."""
        self._run_module(module)
        value = module.scope.get(name)
        return value if value is not None else self.from_star(module, name)

    def from_star(self, module: ModuleRecord, name: str) -> Value | None:
        """What a module has under a name from its ``import *``, None where they do not give it.

        They are looked through only for names that nothing else binds: a package may import everything from hundreds
        of modules of which nobody uses more than a few.
        """
        if not module.stars or (module, name) in self._from_stars:
            return self._from_stars.get((module, name))
        # Each module is asked once, since modules may import everything from one another. What is missing is missing in
        # all that were asked; where they do so, what another one finds first may be found elsewhere first by this one.
        asked, is_cyclic = {module.name}, False
        searched = [module]
        path = [(module, reversed(module.stars))]
        importers = {module.name}
        while path:
            star = next((star for star in path[-1][1] if star not in asked), None)
            if star is None:
                importers.discard(path.pop()[0].name)
                continue
            asked.add(star)
            other = self._project.module_giving(star, name)
            if other is None:
                continue
            self._run_module(other)
            value = other.scope.get(name, self._from_stars.get((other, name)))
            if isinstance(value, Symbol) and any(value.name == f"{one.name}.{name}" for one, _ in path):
                value = None  # it has the name from the module that asks for it
            if value is not None:
                self._from_stars.update(((importer, name), value) for importer, _ in path[: 1 if is_cyclic else None])
                return value
            if other.stars and (other, name) not in self._from_stars:
                searched.append(other)
                path.append((other, reversed(other.stars)))
                importers.add(other.name)
                is_cyclic = is_cyclic or not importers.isdisjoint(other.stars)
        if not self._unfinished:
            self._from_stars.update(((one, name), None) for one in searched)
        return None

    def declared(self, record: FunctionRecord) -> Value:
        """What a function returns by its annotation."""
        if record.returns is None:
            return UNKNOWN
        if record not in self._declared:
            value = self.annotation(record.returns, record)
            if self._unfinished:
                return value
            self._declared[record] = value
        return self._declared[record]

    def annotation(self, node: ast.expr, record: FunctionRecord | ClassRecord | ModuleRecord) -> Value:
        """The value that an annotation in a function, class or module stands for."""
        known = self._annotations.get(node)
        if known is None:
            module = record if isinstance(record, modules.ModuleRecord) else record.module
            owner = record.owner if isinstance(record, modules.FunctionRecord) else record
            body = owner.scope if isinstance(owner, modules.ClassRecord) else {}
            own = _name_of_own_class(record)

            def resolve(name: ast.expr) -> Value:
                found = self._annotated_name(module, body, name)
                if isinstance(found, ClassValue) or not isinstance(owner, modules.ClassRecord):
                    return found
                is_own = found in _SELF or (isinstance(name, ast.Name) and name.id == own)
                return ClassValue(owner) if is_own else found

            known = annotated(node, resolve)
            if not self._unfinished and not self._resolving:
                self._annotations[node] = known
        return known

    def _annotated_name(self, module: ModuleRecord, body: Scope, node: ast.expr) -> Value:
        """What a name in an annotation stands for, which may stand in the body of a class."""
        if isinstance(node, ast.Attribute):
            container = self._annotated_name(module, body, node.value)
            if isinstance(container, (Symbol, ProjectModule)):
                return self.resolve(f"{container.name}.{node.attr}")
            if isinstance(container, ClassValue):
                nested = self._class_attribute(container.record, node.attr)
                return nested if isinstance(nested, ClassValue) else UNKNOWN
            return UNKNOWN
        if not isinstance(node, ast.Name):
            return UNKNOWN
        nested = body.get(node.id, UNKNOWN)
        if isinstance(nested, ClassValue):
            return nested
        if node.id in module.aliases:
            return self._alias(module, node.id)
        value = self.member(module, node.id)
        if isinstance(value, Symbol):
            return self._imported(value.name)
        if value is None and module in self._unfinished and not hasattr(builtins, node.id):
            return UNKNOWN  # it may be defined further down
        return value if value is not None else Symbol(f"builtins.{node.id}")

    def _imported(self, name: str) -> Value:
        """What an imported name stands for in an annotation: a class, or an alias of a type in its own module."""
        seen = {name}
        while True:
            parent, _, last = name.rpartition(".")
            module = self._project.module(parent) if parent else None
            if module is None:
                return self.resolve(name)
            self._run_module(module)
            if last in module.aliases:
                return self._alias(module, last)
            value = self.member(module, last)
            if not isinstance(value, Symbol) or value.name in seen:  # modules may import a name from one another
                return self.resolve(name)
            name = value.name
            seen.add(name)

    def _alias(self, module: ModuleRecord, name: str) -> Value:
        """What an alias of a type stands for; one that stands for itself in part is unknown there."""
        node = module.aliases[name]
        if node in self._aliases:
            return self._aliases[node]
        if (module, name) in self._resolving:
            return UNKNOWN
        self._resolving.add((module, name))
        value = as_part(self.annotation(node, module))
        self._resolving.discard((module, name))
        self._aliases[node] = value
        if self._unfinished and not self._resolving:
            self._aliases.clear()
        return value
