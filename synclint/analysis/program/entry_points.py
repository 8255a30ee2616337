"""Which definitions of a project nothing leads to that it runs, by the names that its texts mention.

Programs begin where the top of a module does something, at guards for ``__main__``, in ``main``, in commands, in what
decorators hand to a framework, and in tests; what packages export is reached by others. What is said to be unreached is
mentioned nowhere on the way from there (``reached_definitions``), neither as a name, nor in a string, nor as a part of
one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from synclint.analysis.program.answering import Answers
from synclint.analysis.program.host_projects import is_on_host, says_of_devices
from synclint.analysis.program.kept_objects import Uses
from synclint.analysis.program.literals import ANY
from synclint.analysis.program.mentioned import (
    CONFIGURED,
    EVERYWHERE,
    HANDED_ON,
    Definition,
    Mentioned,
    mentioned,
    plain,
    shows_example,
)
from synclint.analysis.program.names_looked_up import known_by_name, names_open_in, open_to_names
from synclint.analysis.program.packages import (
    for_nobody_here,
    library_folders,
    packages_for_others,
    shown_to_others,
    starred_modules,
)
from synclint.analysis.program.project_files import ProjectFile
from synclint.analysis.program.reached_definitions import Definitions, Way
from synclint.analysis.program.separate_projects import separate_projects
from synclint.analysis.program.untrained import BesideTraining, beside_training, imports_of, led_to

_MAIN = frozenset({"main", "_main", "run_main", "cli", "main_worker"})


@dataclass(frozen=True)
class ReachPremises:
    """What is to be asked of an edit: whether it could change what is unreached.

    ``is_asked`` says that anything could be: it is a whole project. ``names`` are those of all definitions and of what
    decorators put them into, ``reached`` the words for them that are mentioned on the way, and that lead nowhere else,
    ``kept`` the names of classes and of what keeps their objects. Where ``runs_nothing``, no file could be a program,
    whoever imports it, and all files are one project: then it does not matter what leads where. Else imports of
    ``modules`` do, by parts of the names of these.
    """

    is_asked: bool = False
    names: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    runs_nothing: bool = False
    modules: frozenset[str] = frozenset()

    def defines_otherwise(self, before: str, after: str, unmentioned: frozenset[str] = frozenset()) -> bool:
        """Whether one text in the place of another one defines names, or lets objects be asked for, that others mean.

        ``unmentioned`` are names that no other file mentions.
        """
        said = self._said(before, after)
        if said is None:
            return False
        old, new = said
        changed = old.definitions.keys() ^ new.definitions.keys()
        if any(name.rpartition(".")[2] not in unmentioned for name in changed):
            return True
        if any((old.definitions.get(name) or new.definitions[name]).trains for name in changed):
            return True  # whether anything trains is asked of all files
        if any(_stood_for_another(name, old) for name in changed):
            return True
        return _classes(old, changed, unmentioned) != _classes(new, changed, unmentioned)

    def could_change(self, before: str, after: str, unmentioned: frozenset[str] = frozenset()) -> bool:
        """Whether to write one text in the place of another one could change what is unreached."""
        said = self._said(before, after)
        if said is None:
            return False
        old, new = said
        changed = old.definitions.keys() ^ new.definitions.keys()
        if not _MAIN.isdisjoint(changed) or _flags(old) != _flags(new):
            return True
        return not self.runs_nothing and self._leads_elsewhere(old, new, unmentioned)

    def _said(self, before: str, after: str) -> tuple[Mentioned, Mentioned] | None:
        """What two texts say; None where that is the same, or nobody asks."""
        if not self.is_asked or before == after:
            return None
        old, new = mentioned(before), mentioned(after)
        return None if old == new else (old, new)

    def _leads_elsewhere(self, before: Mentioned, after: Mentioned, unmentioned: frozenset[str]) -> bool:
        """Whether another definition could be reached, where any are, or the same from another file."""
        added = after.definitions.keys() - before.definitions.keys()
        if _outline(before, (), unmentioned) != _outline(after, added, unmentioned) or not self._import_alike(
            before, after
        ):
            return True
        if any(after.definitions[name].works for name in added) or not _offer_alike(before, added):
            return True
        pairs = [((before.top, before.top_uses), (after.top, after.top_uses))]
        for name, other in after.definitions.items():
            one = before.definitions.get(name, _NOTHING)
            pairs.append(((one.words, one.uses), (other.words, other.uses)))
        return any(self._matters(one[0], other[0]) or self._is_used_otherwise(one, other) for one, other in pairs)

    def _import_alike(self, before: Mentioned, after: Mentioned) -> bool:
        """Whether two texts import the same of the project, as far as that could matter."""
        imported = (before.imports ^ after.imports) | (before.given ^ after.given)
        modules = (before.modules ^ after.modules) | (before.whole ^ after.whole)
        imported |= {part for name in modules for part in name.split(".")}
        imported |= before.loaded ^ after.loaded
        return before.stars == after.stars and imported.isdisjoint(self.modules | self.names)

    def _matters(self, before: frozenset[str], after: frozenset[str]) -> bool:
        added, removed = after - before, {*map(plain, before - after)}
        handed_on = {word.rstrip(HANDED_ON) for word in added | removed if word.endswith(HANDED_ON)}
        new = {word for word in added if plain(word) in self.names and not {word, plain(word)} & self.reached}
        if any(ANY in word for word in (*added, *removed)) or "__subclasses__" in {*map(plain, added), *removed}:
            return True
        return bool(new) or not self.names.isdisjoint(handed_on | removed)

    def _is_used_otherwise(self, before: tuple[frozenset[str], Uses], after: tuple[frozenset[str], Uses]) -> bool:
        """Whether objects are kept, called or handed on in one of two texts alone."""
        (words, uses), (others, other_uses) = before, after
        used = ({*map(plain, words)} - uses.asked) ^ ({*map(plain, others)} - other_uses.asked)
        is_same = (uses.kept, uses.takes_any) == (other_uses.kept, other_uses.takes_any)
        return not is_same or not self.kept.isdisjoint(used)


_NOTHING = Definition("", is_class=False)


def _offer_alike(before: Mentioned, added: Collection[str]) -> bool:
    """Whether a file with definitions more than ``before`` is still for others, or for nobody else, as it was."""
    return all(map(_is_private, added)) or not all(map(_is_private, before.definitions))


def _is_private(name: str) -> bool:
    return any(part.startswith("_") for part in name.split("."))


def _outline(says: Mentioned, added: Collection[str], unmentioned: frozenset[str]) -> object:
    """All that a text says beside the words in it and what it imports, but for what it has ``added``.

    What stands at its top under ``unmentioned`` names is no registry for anybody.
    """
    definitions = {
        name: (
            one.is_class,
            one.decorators,
            one.bases,
            one.is_hooked,
            one.works,
            shows_example(one.words),
            one.gives,
            _names_in_body(one),
        )
        for name, one in says.definitions.items()
        if name not in added
    }
    return definitions, says.assigned - unmentioned, says.open_registries, says.listed


def _stood_for_another(name: str, says: Mentioned) -> bool:
    """Whether what a text no longer defines was a method that bases call, or that stood in the place of theirs."""
    one = says.definitions.get(name)
    owner = None if one is None else says.definitions.get(one.owner)
    return one is not None and owner is not None and (bool(owner.bases) or one.last.startswith("__"))


def _flags(says: Mentioned) -> object:
    return says.is_guarded, says.runs, says.works, says.by_name, says.trains, says.checks, says_of_devices(says)


def _classes(says: Mentioned, changed: Collection[str], unmentioned: frozenset[str]) -> object:
    """What objects of the classes may be asked for, but for what only one of two texts defines, and nobody asks for."""
    return {
        name: (one.is_class, one.bases, one.gives, _names_in_body(one) - unmentioned)
        for name, one in says.definitions.items()
        if (one.is_class or one.owner) and name not in changed
    }


def _names_in_body(one: Definition) -> frozenset[str]:
    """What the body of a class mentions, and so may have, outside of its methods."""
    return frozenset(word for word in map(plain, one.words) if not word.isdigit()) if one.is_class else frozenset()


@dataclass(frozen=True)
class Reach:
    """The names of definitions that nothing leads to, by the resolved paths of their files, and what that rests on.

    ``untrained`` are the files that only programs run that train nothing, while others of the project train; ``tried``
    those that programs which train import, and that do something by themselves only to be tried out; ``on_host`` those
    of projects in which nothing waits, as all of it stays on the host. ``projects`` tells in which of several projects
    that have nothing to do with one another each file is, ``answers`` what objects of the classes of each project may
    be asked for; what is there under None holds for all if there is only one.
    """

    unreached: Mapping[str, frozenset[str]] = field(default_factory=dict)
    untrained: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    premises: ReachPremises = field(default_factory=ReachPremises)
    answers: Mapping[int | None, Answers] = field(default_factory=dict)
    projects: Mapping[str, int] = field(default_factory=dict)
    on_host: frozenset[str] = frozenset()

    def answers_at(self, path: str) -> Answers:
        """What objects of classes may be asked for in the project of the file at a resolved path."""
        return self.answers.get(self.projects.get(path), Answers())

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
    numbered = dict(enumerate(groups)) if len(groups) > 1 else {None: files}
    premises = [one.premises for one in judged]
    names = frozenset[str]().union(*(one.names for one in premises))
    reached = frozenset(
        word
        for word in frozenset[str]().union(*(one.reached for one in premises))
        if all(word in one.reached for one in premises if plain(word) in one.names)
    )
    return Reach(
        {path: names for one in judged for path, names in one.unreached.items()},
        frozenset[str]().union(*(one.untrained for one in judged)),
        beside.tried,
        ReachPremises(
            True,
            names,
            reached,
            frozenset[str]().union(*(one.kept for one in premises)),
            len(groups) == 1 and not any(_could_run(file) for file in files),
            frozenset(part for file in files for part in file.parts[:-1]) | {file.stem for file in files},
        ),
        {project: Answers(group) for project, group in numbered.items()},
        {file.path: project for project, group in numbered.items() for file in group if project is not None},
        frozenset(file.path for group in groups if is_on_host(group, _program_paths(group, entries)) for file in group),
    )


def _stands_alone(files: tuple[ProjectFile, ...]) -> bool:
    """Whether files that have nothing to do with others are a program or a package that others may use."""
    defined = frozenset(one.last for file in files for one in file.says.definitions.values())
    return bool(library_folders(files, defined)) or _is_program(files, Definitions(files))


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
    project = Definitions(files)
    kept = frozenset(project.kept).union(*project.kept.values())
    offered = Reach(premises=ReachPremises(is_asked=True, names=names, kept=kept))
    if not _is_program(files, project):
        return offered
    known = known_by_name(files)
    way = Way(project, takes_decorated=True, sees_makers=EVERYWHERE not in known)
    way.mention(entries)
    paths_open = open_to_names(files)
    starred = starred_modules(files)
    introduced = shown_to_others(files, shown, defined)
    handing_on = packages_for_others(files, defined, _scripts(files))
    handed_on: set[str] = set()
    for_others: set[str] = set()
    libraries = library_folders(files, defined) if is_installed else frozenset[tuple[str, ...]]()
    beginnings = for_nobody_here(files, _scripts(files)) if is_installed else frozenset[str]()
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
        is_in_library = is_in_library or file.path in beginnings
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
        way.mention(file.says.top, file.says.top_uses.asked)
        way.mention(names_open_in(file) & defined)
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
    left = {node.one.last for nodes in project.of_file.values() for node in nodes if node not in way.found}
    reached = frozenset(word for word in way.mentioned if plain(word) in names and word not in left)
    return Reach(unreached, untrained, premises=ReachPremises(True, names, reached, kept))


def _beside_training(files: Iterable[ProjectFile], entries: frozenset[str]) -> BesideTraining:
    """The files beside those that train; programs of examples and benchmarks are programs, too."""
    files = tuple(files)
    return beside_training(files, _program_paths(files, entries))


def _program_paths(files: Iterable[ProjectFile], entries: frozenset[str]) -> frozenset[str]:
    """The paths of the files that are run as programs, or have a command in them."""
    files = tuple(files)
    imported = _imported(files)
    return frozenset(
        file.path
        for file in files
        if not file.is_test and (_runs(file, imported) or not entries.isdisjoint(file.says.definitions))
    )


def _is_program(files: Iterable[ProjectFile], project: Definitions) -> bool:
    """Whether there is a program that does work on a device, itself or by what it calls.

    The top of a module that it imports is a part of it, with the registries that stand there.
    """
    files = tuple(files)
    scripts = _scripts(files)
    if any(file.says.works for file in scripts):
        return True
    way = Way(project, takes_decorated=False)
    for file in scripts:
        way.mention(file.says.top, file.says.top_uses.asked)
        for node in project.of_file[file.path]:
            if node.one.name in _MAIN:
                way.reach(node)
    if any(node.one.works for node in way.found):
        return True
    run = led_to((file.path for file in scripts), imports_of(files)) if scripts else set()
    for file in files:
        if file.path in run:
            way.mention(file.says.top, file.says.top_uses.asked)
    return any(node.one.works for node in way.found)


def _scripts(files: Iterable[ProjectFile]) -> list[ProjectFile]:
    """The files that are run as programs: they say so, or do something, and nobody imports them."""
    files = tuple(files)
    imported = _imported(files)
    return [file for file in files if not file.is_aside and _runs(file, imported)]


def _imported(files: Iterable[ProjectFile]) -> frozenset[str]:
    return frozenset(name for file in files if not file.is_test for name in file.says.imports)


def _runs(file: ProjectFile, imported: frozenset[str]) -> bool:
    return _could_run(file) and (file.stem not in imported or _is_begun(file.says))


def _could_run(file: ProjectFile) -> bool:
    """Whether a file is run as a program if nobody imports it."""
    return (file.says.runs and not file.is_package) or _is_begun(file.says)


def _is_begun(says: Mentioned) -> bool:
    return says.is_guarded or any(name in _MAIN for name in says.definitions)
