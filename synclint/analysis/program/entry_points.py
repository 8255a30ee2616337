"""Which definitions of a project nothing leads to that it runs, by the names that its texts mention.

Programs begin where the top of a module does something, at guards for ``__main__``, in ``main``, in commands, in what
decorators hand to a framework, and in tests. From there every name that is mentioned may be called, whatever it stands
for: what is said to be unreached is mentioned nowhere on the way, neither as a name, nor in a string, nor as a part of
one. What Python and frameworks call of a class without writing its name is reached with the class, and what packages
export is reached by others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from synclint.analysis.program.mentioned import (
    ANY,
    CONFIGURED,
    EVERYWHERE,
    HANDED_ON,
    Definition,
    Mentioned,
    mentioned,
    shows_example,
)
from synclint.analysis.program.names_looked_up import known_by_name, open_to_names
from synclint.analysis.program.packages import library_folders, packages_for_others, shown_to_others, starred_modules
from synclint.analysis.program.project_files import ProjectFile
from synclint.analysis.program.separate_projects import separate_projects
from synclint.analysis.program.untrained import BesideTraining, beside_training, imports_of, led_to

_MAIN = frozenset({"main", "_main", "run_main", "cli", "main_worker"})
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
# With more parts of names than these nothing is concluded.
_MOST_PARTS = 200
_SHORTEST_PART = 3


@dataclass(frozen=True)
class ReachPremises:
    """What is to be asked of an edit: whether it could change what is unreached.

    ``is_asked`` says that anything could be: it is a whole project. ``names`` are those of all definitions and of what
    decorators put them into, ``reached`` those of them that are mentioned on the way.
    """

    is_asked: bool = False
    names: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()

    def could_change(self, before: str, after: str) -> bool:
        """Whether to write one text in the place of another one could change what is unreached."""
        if not self.is_asked or before == after:
            return False
        old, new = mentioned(before), mentioned(after)
        if old == new:
            return False
        if _outline(old) != _outline(new):
            return True
        within = ((one.words, new.definitions[name].words) for name, one in old.definitions.items())
        return any(self._matters(*pair) for pair in ((old.top, new.top), *within))

    def _matters(self, before: frozenset[str], after: frozenset[str]) -> bool:
        added, removed = after - before, before - after
        handed_on = {word.rstrip(HANDED_ON) for word in added | removed if word.endswith(HANDED_ON)}
        if any(ANY in word for word in (*added, *removed)) or "__subclasses__" in added | removed:
            return True
        return not (self.names.isdisjoint(handed_on | removed) and (self.names & added) <= self.reached)


def _outline(says: Mentioned) -> object:
    """All that a text says beside the words in it."""
    definitions = {
        name: (one.is_class, one.decorators, one.bases, one.is_hooked, one.works, shows_example(one.words))
        for name, one in says.definitions.items()
    }
    flags = says.is_guarded, says.runs, says.works, says.by_name, says.trains
    names = says.assigned, says.open_registries, says.imports, says.given, says.stars, says.listed, says.modules
    return definitions, flags, names


@dataclass(frozen=True)
class Reach:
    """The names of definitions that nothing leads to, by the resolved paths of their files, and what that rests on.

    ``untrained`` are the files that only programs run that train nothing, while others of the project train; ``tried``
    those that programs which train import, and that do something by themselves only to be tried out.
    """

    unreached: Mapping[str, frozenset[str]] = field(default_factory=dict)
    untrained: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    premises: ReachPremises = field(default_factory=ReachPremises)

    def leaves_out(self, path: str, scope: str) -> str:
        """The definition around a place to which nothing leads, by the path of its file; empty where something does."""
        return left_out(self.unreached.get(path, frozenset()), scope)


def left_out(names: frozenset[str], scope: str) -> str:
    """Which of the ``names`` is that of a definition or of one around it; empty where none is."""
    while scope and scope not in names:
        scope = scope.rpartition(".")[0]
    return scope


def reach_in(
    files: Iterable[ProjectFile],
    entries: frozenset[str] = frozenset(),
    shown: frozenset[str] = frozenset(),
    *,
    is_installed: bool = False,
) -> Reach:
    """What is reached in a project; ``entries`` are names that its configuration speaks of.

    What its introduction has ``shown`` is for others, and one that ``is_installed`` has packages for them.

    Nothing is unreached in a project without a program that does work on a device: what it defines it offers to others.
    What has nothing to do with the rest is a project of its own, if it is a program or a package for others.
    """
    files = tuple(files)
    groups = separate_projects(files)
    separate = [group for group in groups if len(groups) == 1 or _stands_alone(group)]
    beside = _beside_training(files, entries)  # wherever that is
    judged = [_reach_of(one, beside.untrained, entries, shown, is_installed=is_installed) for one in separate]
    rest = {file.path for file in files} - {file.path for one in separate for file in one}
    if rest:
        judged.append(_of_files(_reach_of(files, beside.untrained, entries, shown, is_installed=is_installed), rest))
    names = frozenset[str]().union(*(one.premises.names for one in judged))
    missed = frozenset[str]().union(*(one.premises.names - one.premises.reached for one in judged))
    return Reach(
        {path: names for one in judged for path, names in one.unreached.items()},
        frozenset[str]().union(*(one.untrained for one in judged)),
        beside.tried,
        ReachPremises(True, names, names - missed),
    )


def _stands_alone(files: tuple[ProjectFile, ...]) -> bool:
    """Whether files that have nothing to do with others are a program or a package that others may use."""
    defined = frozenset(one.last for file in files for one in file.says.definitions.values())
    return bool(library_folders(files, defined)) or _is_program(files, _Project(files))


def _of_files(reach: Reach, paths: Collection[str]) -> Reach:
    """What is known of some of the files."""
    unreached = {path: names for path, names in reach.unreached.items() if path in paths}
    return Reach(unreached, reach.untrained.intersection(paths), premises=reach.premises)


def _reach_of(
    files: tuple[ProjectFile, ...],
    untrained: frozenset[str],
    entries: frozenset[str],
    shown: frozenset[str],
    *,
    is_installed: bool,
) -> Reach:
    every = [one for file in files for one in file.says.definitions.values()]
    defined = frozenset(one.last for one in every)
    names = defined | {path.partition(".")[0] for one in every for path in one.decorators}
    offered = Reach(premises=ReachPremises(is_asked=True, names=names))
    project = _Project(files)
    if not _is_program(files, project):
        return offered
    way = _Way(project, takes_decorated=True)
    way.mention(entries)
    known = known_by_name(files)
    paths_open = open_to_names(files)
    starred = starred_modules(files)
    introduced = shown_to_others(files, shown, defined)
    handing_on = packages_for_others(files, defined, _scripts(files))
    handed_on: set[str] = set()
    for_others: set[str] = set()
    libraries = library_folders(files, defined) if is_installed else frozenset[tuple[str, ...]]()
    for file in files:
        if (file.is_package and (is_installed or file.module in handing_on)) or file.is_hub:
            given = file.says.given & defined  # and no registry: to hand one on puts nothing to use
            way.mention(given)
            handed_on |= given
        for_readers = introduced.get(file.path, frozenset())
        way.mention(file.says.given & for_readers)
        handed_on |= for_readers
        is_starred = file.module in starred
        is_given = file.is_hub or (is_installed and (file.is_package or is_starred))
        is_offered = is_given or file.stem in known or file.path in paths_open
        is_in_library = file.is_public and any(file.parts[: len(folder)] == folder for folder in libraries)
        for node in project.of_file[file.path]:
            one = node.one
            is_public = not any(name.startswith("_") for name in one.name.split("."))
            is_listed = not is_starred or file.says.listed is None or one.name in file.says.listed
            is_for_others = shows_example(one.words) or one.name in for_readers or (is_public and is_in_library)
            if is_for_others:
                for_others.add(file.path)
            is_open = is_offered or (one.is_class and EVERYWHERE in known)
            if is_for_others or (is_public and not one.owner and is_open and is_listed):
                way.reach(node)
                if one.is_class and is_given:
                    handed_on.add(one.last)
    for node in project.offered_methods(handed_on):
        way.reach(node)
    for file in files:
        way.mention(file.says.top)
        for node in project.of_file[file.path]:
            if node.one.name in _MAIN or file.is_test:
                way.reach(node)
    if way.is_unknown:
        return offered
    untrained = untrained & project.of_file.keys() - for_others if CONFIGURED not in known else frozenset[str]()
    unreached = {
        path: found
        for path, nodes in project.of_file.items()
        if (found := frozenset(node.one.name for node in nodes if node not in way.found))
    }
    return Reach(unreached, untrained, premises=ReachPremises(True, names, names & way.words))


def _beside_training(files: Iterable[ProjectFile], entries: frozenset[str]) -> BesideTraining:
    """The files beside those that train; programs of examples and benchmarks are programs, too."""
    files = tuple(files)
    imported = frozenset(name for file in files if not file.is_test for name in file.says.imports)
    scripts = {
        file.path
        for file in files
        if not file.is_test and (_runs(file, imported) or not entries.isdisjoint(file.says.definitions))
    }
    return beside_training(files, scripts)


def _is_program(files: Iterable[ProjectFile], project: _Project) -> bool:
    """Whether there is a program that does work on a device, itself or by what it calls.

    The top of a module that it imports is a part of it, with the registries that stand there.
    """
    files = tuple(files)
    scripts = _scripts(files)
    if any(file.says.works for file in scripts):
        return True
    way = _Way(project, takes_decorated=False)
    for file in scripts:
        way.mention(file.says.top)
        for node in project.of_file[file.path]:
            if node.one.name in _MAIN:
                way.reach(node)
    if any(node.one.works for node in way.found):
        return True
    run = led_to((file.path for file in scripts), imports_of(files)) if scripts else set()
    for file in files:
        if file.path in run:
            way.mention(file.says.top)
    return any(node.one.works for node in way.found)


def _scripts(files: Iterable[ProjectFile]) -> list[ProjectFile]:
    """The files that are run as programs: they say so, or do something, and nobody imports them."""
    files = tuple(files)
    imported = frozenset(name for file in files if not file.is_test for name in file.says.imports)
    return [file for file in files if not file.is_aside and _runs(file, imported)]


def _runs(file: ProjectFile, imported: frozenset[str]) -> bool:
    says = file.says
    is_run = says.runs and not file.is_package and file.stem not in imported
    return says.is_guarded or is_run or any(name in _MAIN for name in says.definitions)


@dataclass(frozen=True, eq=False)
class _Node:
    """A definition in one file: another one of the same text is another one."""

    one: Definition
    is_open: bool
    is_collected: bool


class _Project:
    """The definitions of a project, and what is known of its classes."""

    def __init__(self, files: Iterable[ProjectFile]) -> None:
        files = tuple(files)
        self.registries = {name for file in files for name in file.says.assigned - file.says.open_registries}
        self._stems = {file.stem for file in files}
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
        self.of_file = {
            file.path: tuple(self._node(one, file.says.definitions) for one in file.says.definitions.values())
            for file in files
        }

    def offered_methods(self, classes: Iterable[str]) -> Iterator[_Node]:
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

    def _node(self, one: Definition, others: Mapping[str, Definition]) -> _Node:
        owner = others.get(one.owner)
        is_private = one.last.startswith("_") and not one.last.startswith("__")
        is_open = owner is not None and (
            owner.last in owner.bases
            or any(self._is_open(base, is_private) for base in owner.bases)
            or any(_is_foreign(one, self.registries) for one in owner.decorators)
        )
        is_collected = one.is_class and (one.is_hooked or any(map(self._is_collected, one.bases)))
        return _Node(one, is_open, is_collected)

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


class _Way:
    """What is reached from somewhere: the definitions that were found, and the words that are mentioned in them."""

    def __init__(self, project: _Project, *, takes_decorated: bool) -> None:
        self.found: set[_Node] = set()
        self.words: set[str] = set()
        self.is_unknown = False
        self._project = project
        self._takes_decorated = takes_decorated
        self._parts: set[str] = set()
        self._begins: tuple[str, ...] = ()
        self._ends: tuple[str, ...] = ()
        self._waiting: defaultdict[str, list[_Node]] = defaultdict(list)
        self._classes: set[str] = set()
        self._of_class: defaultdict[str, list[_Node]] = defaultdict(list)
        self._new: list[str] = []
        for nodes in project.of_file.values():
            for node in nodes:
                self._consider(node)
        self._go()

    def mention(self, words: Iterable[str]) -> None:
        """Let something that is reached mention words."""
        self._note(words)
        self._go()

    def reach(self, node: _Node) -> None:
        """Let a definition be reached, whoever mentions it."""
        self._reach(node)
        self._go()

    def _note(self, words: Iterable[str]) -> None:
        new = [word for word in words if word not in self.words]
        self.words.update(new)
        self._new += new

    def _go(self) -> None:
        while self._new:
            word = self._new.pop()
            if ANY in word:
                self._note_part(word)
            for node in self._waiting.pop(word, ()):
                self._reach(node)

    def _note_part(self, word: str) -> None:
        """Take all names with a part for mentioned."""
        part = word.strip(ANY)
        if len(part.strip("_")) < _SHORTEST_PART or word in self._parts:
            return
        self._parts.add(word)
        if len(self._parts) > _MOST_PARTS:
            self.is_unknown = True
            return
        if word.endswith(ANY):
            self._begins = (*self._begins, part)
            self._note([name for name in self._waiting if name.startswith(part)])
        else:
            self._ends = (*self._ends, part)
            self._note([name for name in self._waiting if name.endswith(part)])

    def _consider(self, node: _Node) -> None:
        """Take a definition for reached if it is, else let it wait for a word that does."""
        one = node.one
        if one.owner and one.owner not in self._classes:
            self._of_class[one.owner].append(node)
        elif self._is_called_anyway(node) or self._is_mentioned(one.last) or self._is_handed_on(node):
            self._reach(node)
        else:
            self._waiting[one.last].append(node)
            for decorator in one.decorators:
                if (registry := _registry(decorator, self._project.registries)) is not None:
                    self._waiting[registry].append(node)
            if one.owner and not one.last.startswith("_"):
                # Whoever is given the class, or an object of it as one, may call what it offers.
                self._waiting[_handed_on(one)].append(node)

    def _is_mentioned(self, name: str) -> bool:
        return name in self.words or name.startswith(self._begins) or name.endswith(self._ends)

    def _is_handed_on(self, node: _Node) -> bool:
        one = node.one
        return bool(one.owner) and not one.last.startswith("_") and _handed_on(one) in self.words

    def _is_called_anyway(self, node: _Node) -> bool:
        one = node.one
        is_special = one.last.startswith("__") and one.last.endswith("__")
        if one.owner and (is_special or one.last in _CALLED or node.is_open):
            return True
        if not self._takes_decorated:
            return False
        registries = self._project.registries
        return node.is_collected or any(
            _is_foreign(decorator, registries) or (_registry(decorator, registries) or ANY) in self.words
            for decorator in one.decorators
        )

    def _reach(self, node: _Node) -> None:
        if node in self.found:
            return
        self.found.add(node)
        self._note(node.one.words)
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
