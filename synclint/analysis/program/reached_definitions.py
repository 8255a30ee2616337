"""What is reached from somewhere in a project: from definition to definition, by the names that their texts mention.

Every name that is mentioned may be called, whatever it stands for; one that a file has from a module that defines it
stands for what is defined there. What Python and frameworks call of a class without writing its name is reached with
the class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from synclint.analysis.program.literals import ANY
from synclint.analysis.program.mentioned import HANDED_ON, OF_LIBRARY, OF_MODULE, Definition, plain
from synclint.analysis.program.project_files import ProjectFile

# A class of these alone has no methods that its bases call, but for those below.
_QUIET_BASES = frozenset(
    {"object", "Module", "ABC", "Protocol", "Enum", "IntEnum", "Generic", "NamedTuple", "TypedDict"}
)
# Bases from elsewhere that call no private methods of those who derive from them, but for their own. Source:
# lightning/pytorch/core/module.py and datamodule.py, torch/utils/data/dataset.py and sampler.py.
_CALLING_PUBLIC = frozenset(
    {"LightningModule", "LightningDataModule", "Dataset", "IterableDataset", "Sampler", "BatchSampler"}
)
# What torch calls of a module. Source: torch/nn/modules/module.py.
_CALLED = frozenset(
    {
        "forward", "extra_repr", "get_extra_state", "set_extra_state", "_apply", "_load_from_state_dict",
        "_save_to_state_dict", "_get_name", "_replicate_for_data_parallel", "_register_load_state_dict_pre_hook",
    }
)  # fmt: skip
# Decorators that call what they decorate, if anybody does; all others may put it somewhere.
_TRANSPARENT = frozenset(
    {
        "staticmethod", "classmethod", "no_grad", "inference_mode", "enable_grad", "set_grad_enabled", "contextmanager",
        "cache", "lru_cache", "compile", "ignore", "unused", "autocast", "beartype", "jaxtyped", "override",
        "property", "setter", "getter", "deleter", "cached_property", "abstractmethod", "dataclass", "wraps",
        "overload", "script", "export", "total_ordering", "final", "custom_fwd", "custom_bwd", "njit", "vmap",
        "script_if_tracing", "script_method", "disable", "deprecated", "singledispatch", "once_differentiable",
    }
)  # fmt: skip
# What gives all parts of a module, for somebody to call each.
_GIVING_PARTS = frozenset({"children", "named_children", "_modules"})
# With more parts of names than these nothing is concluded.
_MOST_PARTS = 200
_SHORTEST_PART = 3


@dataclass(frozen=True, eq=False)
class Node:
    """A definition in one file, by the last name of that ``module``: another one of the same text is another one.

    ``is_open`` tells of a method that others may call, ``is_registered`` of one in a class that is put somewhere.
    """

    one: Definition
    module: str
    is_open: bool
    is_collected: bool
    is_registered: bool


class Definitions:
    """The definitions of a project, and what is known of its classes."""

    def __init__(self, files: Iterable[ProjectFile]) -> None:
        files = tuple(files)
        self.registries = {name for file in files for name in file.says.assigned - file.says.open_registries}
        self._stems = {file.stem for file in files}
        self._folders = {part for file in files for part in PurePath(file.path).parts}
        self._classes: defaultdict[str, list[Definition]] = defaultdict(list)
        self._hooked: set[str] = set()
        self._open: dict[tuple[str, bool], bool] = {}
        self._collected: dict[str, bool] = {}
        every = [one for file in files for one in file.says.definitions.values()]
        for one in every:
            if one.is_class:
                self._classes[one.last].append(one)
            if one.is_hooked:
                self._hooked.add(one.last)
            elif one.last == "__init_subclass__":
                self._hooked.add(one.owner.rpartition(".")[2])
        words = (*(file.says.top for file in files), *(one.words for one in every))
        self._asks_for_subclasses = any("__subclasses__" in said for said in words)
        self.registries |= self._classes.keys()
        self.kept: defaultdict[str, set[str]] = defaultdict(set)
        taking = self._related({one.owner.rpartition(".")[2] for one in every if one.owner and one.uses.takes_any})
        self.taken = {kept for one in every if one.owner.rpartition(".")[2] in taking for _, kept in one.uses.kept}
        uses = (*(file.says.top_uses for file in files), *(one.uses for one in every))
        for name, of_class in frozenset[tuple[str, str]]().union(*(one.kept for one in uses)):
            self.kept[of_class].add(name)
        self.of_file = {
            file.path: tuple(
                self._node(one, file.stem, file.says.definitions) for one in file.says.definitions.values()
            )
            for file in files
        }
        every_node = (node for nodes in self.of_file.values() for node in nodes)
        self._defined = {_from_its_module(node) for node in every_node if not node.one.owner}

    def known_word(self, word: str) -> str | None:
        """A word as the project knows it; None for what is from a library elsewhere, and leads to nothing here."""
        known, _, library = word.partition(OF_LIBRARY)
        if library and library not in self._stems and library not in self._folders:
            return None
        return known if OF_MODULE not in known or self._is_told(known) else plain(known)

    def _is_told(self, word: str) -> bool:
        """Whether a word tells which definitions it means: a module that it names has some of that name.

        What is taken of something that a module and a class are called by may be taken of the class.
        """
        return word in self._defined and word.partition(OF_MODULE)[2] not in self._classes

    def _related(self, classes: set[str]) -> set[str]:
        """Classes, and those that they derive from or that derive from them: all that one object may be of."""
        bases = {(name, base) for name, found in self._classes.items() for one in found for base in one.bases}
        lasts = ((name, base.rpartition(".")[2]) for name, base in bases)
        pairs = [pair for pair in lasts if pair[1] in self._classes]
        related = set(classes)
        while new := {one for pair in pairs if not related.isdisjoint(pair) for one in pair} - related:
            related |= new
        return related

    def offered_methods(self, classes: Iterable[str]) -> Iterator[Node]:
        """What classes of these names, by themselves or by their bases, offer to those who have them."""
        waiting, seen = list(classes), set(classes)
        while waiting:
            for one in self._classes.get(waiting.pop(), ()):
                new = {base.rpartition(".")[2] for base in one.bases} - seen
                seen |= new
                waiting += new
        for nodes in self.of_file.values():
            for node in nodes:
                if node.one.owner.rpartition(".")[2] in seen and not node.one.last.startswith("_"):
                    yield node

    def _node(self, one: Definition, module: str, others: Mapping[str, Definition]) -> Node:
        owner = others.get(one.owner)
        is_private = one.last.startswith("_") and not one.last.startswith("__")
        is_open = owner is not None and (
            owner.last in owner.bases
            or any(self._is_open(base, is_private) for base in owner.bases)
            or any(_is_foreign(one, self.registries) for one in owner.decorators)
        )
        is_collected = one.is_class and (one.is_hooked or any(map(self._is_collected, one.bases)))
        return Node(one, module, is_open, is_collected, owner is not None and bool(owner.decorators))

    def _is_open(self, base: str, to_private: bool) -> bool:
        """Whether a base may call methods that nobody else mentions: it comes from elsewhere, or its own base does.

        ``to_private`` tells that the methods are private, which some bases never call.
        """
        root, _, rest = base.partition(".")
        name = rest.rpartition(".")[2] or root
        if name in _QUIET_BASES or (to_private and name in _CALLING_PUBLIC):
            return False
        if rest and root not in self._stems:
            return True
        key = name, to_private
        if key not in self._open:
            self._open[key] = name not in self._classes  # for classes that are bases of one another
            bases = [other for one in self._classes.get(name, ()) for other in one.bases]
            self._open[key] = self._open[key] or any(self._is_open(other, to_private) for other in bases)
        return self._open[key]

    def _is_collected(self, base: str) -> bool:
        """Whether a class is known to those who have its base."""
        name = base.rpartition(".")[2]
        if name not in self._collected:
            self._collected[name] = name in self._classes and (self._asks_for_subclasses or name in self._hooked)
            self._collected[name] = self._collected[name] or any(
                self._is_collected(other) for one in self._classes.get(name, ()) for other in one.bases
            )
        return self._collected[name]


class Way:
    """What is reached from somewhere: the definitions that were found, and the words that are mentioned in them."""

    def __init__(self, project: Definitions, *, takes_decorated: bool, sees_makers: bool = True) -> None:
        self.found: set[Node] = set()
        self.words: set[str] = set()
        self._plain: set[str] = set()
        self.is_unknown = False
        self._project = project
        self._takes_decorated = takes_decorated
        self._sees_makers = sees_makers
        self._parts: set[str] = set()
        self._begins: tuple[str, ...] = ()
        self._ends: tuple[str, ...] = ()
        self._waiting: defaultdict[str, list[Node]] = defaultdict(list)
        self._classes: set[str] = set()
        self._of_class: defaultdict[str, list[Node]] = defaultdict(list)
        self._used: set[str] = set()
        self._unused: defaultdict[str, list[Node]] = defaultdict(list)
        self._newly_used: list[str] = []
        self._new: list[str] = []
        for nodes in project.of_file.values():
            for node in nodes:
                self._consider(node)
        self._go()

    @property
    def mentioned(self) -> frozenset[str]:
        """The words that are mentioned, and the names in them."""
        return frozenset(self.words | self._plain)

    def mention(self, words: Iterable[str], asked: frozenset[str] = frozenset()) -> None:
        """Let something that is reached mention words, some of which are only ``asked`` for something."""
        self._take(words, asked)
        self._go()

    def reach(self, node: Node) -> None:
        """Let a definition be reached, whoever mentions it."""
        self._reach(node)
        self._go()

    def _take(self, words: Iterable[str], asked: frozenset[str]) -> None:
        known = {word for said in words if (word := self._project.known_word(said)) is not None}
        self._note(known)
        self._use({*map(plain, known)} - asked)

    def _note(self, words: Iterable[str]) -> None:
        new = [word for word in words if word not in self.words]
        self.words.update(new)
        self._new += new

    def _use(self, words: Iterable[str]) -> None:
        """Take what stands under names for called, or handed to somebody who may call it."""
        new = [word for word in words if word not in self._used]
        self._used.update(new)
        self._newly_used += [word for word in new if word in self._unused]

    def _go(self) -> None:
        while self._new or self._newly_used:
            if self._newly_used:
                for node in self._unused.pop(self._newly_used.pop(), ()):
                    self._reach(node)
                continue
            word = self._new.pop()
            if ANY in word:
                self._note_part(word)
            name = plain(word)
            self._plain.add(name)
            for node in (*self._waiting.pop(word, ()), *self._waiting.pop(_as_registry(name), ())):
                self._reach(node)

    def _note_part(self, word: str) -> None:
        """Take all names with a part for mentioned."""
        part = word.strip(ANY)
        if word in self._parts or not part.strip("_"):
            return
        self._parts.add(word)
        is_begin = word.endswith(ANY)
        self._use([name for name in self._unused if (name.startswith(part) if is_begin else name.endswith(part))])
        if len(part.strip("_")) < _SHORTEST_PART:
            return
        if len(self._begins) + len(self._ends) >= _MOST_PARTS:
            self.is_unknown = True
        elif is_begin:
            self._begins = (*self._begins, part)
            self._note([name for name in self._names_waited_for if name.startswith(part)])
        else:
            self._ends = (*self._ends, part)
            self._note([name for name in self._names_waited_for if name.endswith(part)])

    @property
    def _names_waited_for(self) -> frozenset[str]:
        return frozenset(plain(word.removeprefix(OF_MODULE)) for word in self._waiting)

    def _consider(self, node: Node) -> None:
        """Take a definition for reached if it is, else let it wait for a word that does."""
        one = node.one
        if one.owner and one.owner not in self._classes:
            self._of_class[one.owner].append(node)
        elif names := self._names_unused(node):
            self._waiting[one.last].append(node)
            for name in names:
                self._unused[name].append(node)
        elif self._is_called_anyway(node) or self._is_mentioned(node) or self._is_handed_on(node):
            self._reach(node)
        else:
            self._waiting[one.last].append(node)
            if not one.owner:
                self._waiting[_from_its_module(node)].append(node)
            for decorator in one.decorators:
                if (registry := _registry(decorator, self._project.registries)) is not None:
                    self._waiting[_as_registry(registry)].append(node)
            if one.owner and not one.last.startswith("_"):
                # Whoever is given the class, or an object of it as one, may call what it offers.
                self._waiting[_handed_on(one)].append(node)

    def _names_unused(self, node: Node) -> frozenset[str]:
        """The names that would let objects be called that nobody is seen to call, of those with a ``forward``."""
        of_class = node.one.owner.rpartition(".")[2]
        kept = self._project.kept.get(of_class)
        is_taken = of_class in self._project.taken or not self._sees_makers
        if node.one.last != "forward" or kept is None or node.is_open or node.is_registered or is_taken:
            return frozenset()
        names = frozenset({of_class, *kept, *_GIVING_PARTS})
        begins = tuple(part.strip(ANY) for part in self._parts if part.endswith(ANY))
        ends = tuple(part.strip(ANY) for part in self._parts if part.startswith(ANY))
        is_used = any(name in self._used or name.startswith(begins) or name.endswith(ends) for name in names)
        return frozenset() if is_used or self._is_said("forward") else names

    def _is_mentioned(self, node: Node) -> bool:
        return self._is_said(node.one.last) or (not node.one.owner and _from_its_module(node) in self.words)

    def _is_said(self, name: str) -> bool:
        return name in self.words or name.startswith(self._begins) or name.endswith(self._ends)

    def _is_handed_on(self, node: Node) -> bool:
        one = node.one
        return bool(one.owner) and not one.last.startswith("_") and _handed_on(one) in self.words

    def _is_called_anyway(self, node: Node) -> bool:
        one = node.one
        is_special = one.last.startswith("__") and one.last.endswith("__")
        if one.owner and (is_special or one.last in _CALLED or node.is_open):
            return True
        if not self._takes_decorated:
            return False
        registries = self._project.registries
        return node.is_collected or any(
            _is_foreign(decorator, registries) or (_registry(decorator, registries) or ANY) in self._plain
            for decorator in one.decorators
        )

    def _reach(self, node: Node) -> None:
        if node in self.found:
            return
        self.found.add(node)
        self._take(node.one.words, node.one.uses.asked)
        if node.one.is_class:
            self._classes.add(node.one.name)
            for method in self._of_class.pop(node.one.name, ()):
                self._consider(method)


def _registry(decorator: str, registries: Collection[str]) -> str | None:
    """The registry of the project's own into which a decorator puts something: ``@MODELS.register_module()``."""
    root, _, rest = decorator.partition(".")
    return root if rest and root in registries and rest.rpartition(".")[2] not in _TRANSPARENT else None


def _is_foreign(decorator: str, registries: Collection[str]) -> bool:
    """Whether a decorator may put what it decorates somewhere that is not known."""
    return decorator.rpartition(".")[2] not in _TRANSPARENT and _registry(decorator, registries) is None


def _handed_on(method: Definition) -> str:
    """What says that the class of a method is handed to somebody."""
    return f"{method.owner.rpartition('.')[2]}{HANDED_ON}"


def _from_its_module(node: Node) -> str:
    """The word for a definition that a file has from the module with that."""
    return f"{node.one.last}{OF_MODULE}{node.module}"


def _as_registry(name: str) -> str:
    """What waits for a registry does so for any mention of its name."""
    return f"{OF_MODULE}{name}"
