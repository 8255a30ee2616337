"""Whether a method may be meant of something that is asked for others as well: by what its class and its kin have.

An object of a class may be one of a subclass, and has what any class above that one has. A class from elsewhere, or one
that answers whatever it is asked for, may have anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from synclint.analysis.program.mentioned import Definition, plain
from synclint.analysis.program.project_files import ProjectFile
from synclint.catalog.torch_api import load_torch_api

# What answers to any name. Source: the Python language reference, "Customizing attribute access".
_ANSWERING_ALL = frozenset({"__getattr__", "__getattribute__"})
# Classes from elsewhere that have no methods but special ones.
_WITHOUT_METHODS = frozenset({"object", "ABC", "Protocol", "Generic"})
_MODULE = "Module"


@dataclass(frozen=True)
class Answers:
    """The classes of a project, by what the texts of ``files`` say."""

    files: tuple[ProjectFile, ...] = ()

    def may_have(self, path: str, method: str, names: Collection[str]) -> bool:
        """Whether an object with a method, by the file in which that stands and its name there, may have others."""
        if not names:
            return True
        owner = self._by_path[path].get(method.rpartition(".")[0]) if path in self._by_path else None
        if owner is None or not owner.is_class:
            return True  # of a class within a function nothing is known
        held = self._held_by(owner)
        return held is None or held.issuperset(names)

    def may_mean_several(self, method: str, names: Collection[str]) -> bool:
        """Whether several classes have a method of a name, and may have others, of which none derives from another."""
        begun = 0
        defining = self._defining.get(method, ())
        classes = {one.last for one in defining}
        for one in defining:
            above = _reached({base.rpartition(".")[2] for base in one.bases}, self._above)
            if above.isdisjoint(classes):
                held = self._held_by(one)
                begun += held is None or held.issuperset(names)
                if begun > 1:
                    return True
        return False

    @cached_property
    def _defining(self) -> Mapping[str, list[Definition]]:
        """The classes that have a method of a name of their own."""
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        for definitions in self._by_path.values():
            for one in definitions.values():
                if not one.is_class and one.owner in definitions:
                    found[one.last].append(definitions[one.owner])
        return found

    @cached_property
    def _by_path(self) -> Mapping[str, Mapping[str, Definition]]:
        return {file.path: file.says.definitions for file in self.files}

    @cached_property
    def _classes(self) -> Mapping[str, list[Definition]]:
        """The classes of each name."""
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        for definitions in self._by_path.values():
            for one in definitions.values():
                if one.is_class:
                    found[one.last].append(one)
        return found

    @cached_property
    def _below(self) -> Mapping[str, set[str]]:
        """The names of the classes that derive from one of a name."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for name, classes in self._classes.items():
            for one in classes:
                for base in one.bases:
                    found[base.rpartition(".")[2]].add(name)
        return found

    @cached_property
    def _known(self) -> dict[str, frozenset[str] | None]:
        return {}

    def _held_by(self, owner: Definition) -> frozenset[str] | None:
        """The names that objects of a class may have, by it and its kin; None for any."""
        if owner.last not in self._known:
            kin = _reached(_reached({owner.last}, self._below), self._above)
            self._known[owner.last] = self._held_in(kin)
        return self._known[owner.last]

    @cached_property
    def _above(self) -> Mapping[str, set[str]]:
        return {
            name: {base.rpartition(".")[2] for one in classes for base in one.bases}
            for name, classes in self._classes.items()
        }

    def _held_in(self, names: Iterable[str]) -> frozenset[str] | None:
        held: set[str] = set()
        for name in names:
            if name == _MODULE:
                held |= _names_of_modules()
            elif name not in self._classes and name not in _WITHOUT_METHODS:
                return None
            for one in self._classes.get(name, ()):
                held |= self._names_of(one)
        return None if held & _ANSWERING_ALL else frozenset(held)

    @cached_property
    def _methods(self) -> Mapping[int, list[Definition]]:
        """The methods of each class."""
        found: defaultdict[int, list[Definition]] = defaultdict(list)
        for definitions in self._by_path.values():
            for one in definitions.values():
                if one.owner in definitions:
                    found[id(definitions[one.owner])].append(one)
        return found

    def _names_of(self, one: Definition) -> set[str]:
        """What a class defines, what its body mentions, and the attributes to which its methods give values."""
        methods = self._methods.get(id(one), ())
        return {method.last for method in methods}.union(map(plain, one.words), *(method.gives for method in methods))


def _names_of_modules() -> frozenset[str]:
    module = load_torch_api().class_("torch.nn.Module")
    return frozenset(module.methods).union(module.attributes) if module is not None else frozenset()


def _reached(names: set[str], following: Mapping[str, Collection[str]]) -> set[str]:
    found, waiting = set(names), [*names]
    while waiting:
        new = set(following.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found
