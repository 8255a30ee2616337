"""The files of a project: which file a dotted name means, and which dotted name a file has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from synclint.analysis.program.contents import answers, names_in, read_text
from synclint.analysis.program.exports import Exports, binds_at_top, exports_of
from synclint.analysis.program.patterns import without_marks
from synclint.analysis.program.reach import Reach, Text, text_of
from synclint.analysis.program.search_paths import added_to_path, imported_names, taken, taken_by_program
from synclint.files.listings import listing_of, path_changes_of
from synclint.files.real_paths import RealPaths, real_path
from synclint.sources.decoding import unsaved_names, unsaved_text
from synclint.sources.kept_texts import KeptText

# Stands between the name of a module and the number of its folder where several folders have one of that name.
_MARK = "@"
# What only a module of a package can do: import relatively.
_IS_IN_PACKAGE = re.compile(r"^[ \t]*from[ \t]+\.", re.MULTILINE)
NEVER_IN_PROJECT = frozenset({"torch", "numpy", "builtins", "typing"})
DEEPEST_MODULE = 50
# What a folder or file may be called that is a part of a dotted name: `python -m pytorch-models.train` runs as well.
_IS_PART = re.compile(r"[\w-]+")
# Of more modules, nobody can say which one is imported by name.
MOST_OFFERED = 200


def may_name_module(name: str) -> bool:
    """Whether a dotted name can be that of a file: names come from the source, and may say anything at all."""
    return name.count(".") < DEEPEST_MODULE and all(map(_IS_PART.fullmatch, without_marks(name).split(".")))


def _last(name: str) -> str:
    """The last part of a dotted name, as the file or folder is called."""
    return without_marks(name.rpartition(".")[2])


def _files_of(folder: Path, module: str) -> tuple[Path, Path]:
    """The files that a module with this dotted name may have below a folder."""
    path = folder.joinpath(*module.split("."))
    return path.with_name(f"{path.name}.py"), path / "__init__.py"


class ModuleFiles:
    """Where the modules are that can be reached from the files to be checked, and which have torch in reach.

    ``roots`` are the files and folders that the user named: names are looked up beside them. Files are named by their
    resolved paths.
    """

    def __init__(self, roots: Iterable[Path] = ()) -> None:
        self.paths = RealPaths()
        self._folders: dict[Path, set[str] | None] = {}
        self._missing: dict[str, set[str]] = {}
        self._packaged: dict[str, dict[str, tuple[Path, ...]]] = {}
        self._names: dict[Path, frozenset[str]] = {}
        self._packages: dict[Path, tuple[str, Path]] = {}
        self._around: dict[Path, tuple[str, ...]] = {}
        self._named = {real_path(root): root for root in roots}
        self._roots = frozenset(self._named)
        for root in self._roots:
            self._search_from(root)
        self._found: dict[str, Path | None] = {}
        self._asked: dict[str, tuple[Path, ...]] = {}
        self._sources: dict[Path, KeptText] = {}
        self._held: dict[tuple[Path, str], bool] = {}
        self._places: set[str] = set()
        self._stubs: set[str] = set()
        self._first: dict[str, Path | None] = {}
        self._exports: dict[Path, Exports | None] = {}
        self._added: dict[Path, tuple[Path, ...]] = {}
        self._run_from: dict[Path, bool] = {}
        self._holding: dict[tuple[Path, str], tuple[Path, ...]] = {}
        self._put_on_path: dict[Path, bool] = {}
        self._begun: dict[Path, bool] = {}
        self._reach = Reach(self.find, self._read_text)

    def _search_from(self, root: Path) -> None:
        folder = root if root.is_dir() else root.parent
        top = folder
        while (top / "__init__.py").is_file() and top.parent != top:
            top = top.parent
        if top == folder:
            for candidate in (folder, folder / "src"):
                if candidate.is_dir():
                    self._folders[candidate] = None
        else:
            self._allow(top, folder.relative_to(top).parts[0])

    def around(self, folder: Path) -> tuple[str, ...]:
        """The folders that lead from what the user named to one below it, that one included."""
        if folder not in self._around:
            is_end = folder in self._roots or folder.parent == folder
            outer = () if is_end else self.around(folder.parent)
            is_below = bool(outer) or folder.parent in self._roots
            self._around[folder] = (*outer, folder.name) if is_below and not is_end else ()
        return self._around[folder]

    def as_named(self, path: Path) -> Path:
        """A resolved path as it is within what the user named, whose other files are called so; else the path."""
        around = next((root for root in (path, *path.parents) if root in self._named), None)
        return path if around is None else self._named[around] / path.relative_to(around)

    def _allow(self, folder: Path, package: str) -> None:
        """Let names that start with ``package`` be looked up in a folder, which may hold other people's packages."""
        known = self._folders.setdefault(folder, set())
        if known is not None and package not in known:
            known.add(package)
            self._packaged.pop(package, None)
            for name in self._missing.pop(package, ()):
                del self._found[name]

    def _is_file(self, path: Path) -> bool:
        """Whether there is a file; most of those that are asked for are not even named in their folder."""
        return self._is_named(path) and (answers(Path.is_file, path) or unsaved_text(path) is not None)

    def _is_directory(self, path: Path) -> bool:
        return self._is_named(path) and answers(Path.is_dir, path)

    def _is_named(self, path: Path) -> bool:
        return path.name in self._listed(path.parent)

    def stub_of(self, path: Path) -> Path | None:
        """The stub beside a module, None where there is none."""
        stub = path.with_suffix(".pyi")
        self._stubs.add(str(stub))
        return stub if self._is_file(stub) else None

    def _stub_text(self, path: Path) -> str:
        stub = self.stub_of(path)
        try:
            return read_text(stub) if stub is not None else ""
        except OSError:
            return ""

    def _module_name(self, path: Path) -> tuple[str, Path]:
        """The dotted name of a file, and the folder from which it is imported."""
        package, folder = self._package(path.parent)
        if not package:
            around, top = self._bare_package(path.parent)
            if around and _IS_IN_PACKAGE.search(self._text_of(path) or "") is not None:
                package, folder = around, top
        if path.stem == "__init__":
            return package or path.stem, folder
        return f"{package}.{path.stem}" if package else path.stem, folder

    def _package(self, folder: Path) -> tuple[str, Path]:
        """The dotted name of a folder as a package, empty where it is none, and where that is imported from."""
        if folder not in self._packages:
            found = ("", folder)
            is_named = folder.parent != folder and _IS_PART.fullmatch(folder.name) is not None
            if is_named and self._is_file(folder / "__init__.py"):
                outer, top = self._package(folder.parent)
                found = (f"{outer}.{folder.name}" if outer else folder.name, top)
            self._packages[folder] = found
        return self._packages[folder]

    def _bare_package(self, folder: Path) -> tuple[str, Path]:
        """The dotted name of a folder without an ``__init__`` as a part of the package around it, empty without one."""
        outer = next((place for place in folder.parents if self._is_file(place / "__init__.py")), None)
        if outer is None:
            return "", folder
        package, top = self._package(outer)
        within = folder.relative_to(outer).parts
        return ".".join((package, *within) if package else within), top

    def add(self, path: Path, source: KeptText) -> tuple[str, Path]:
        """Make a file known that has, or shall have, this text: its dotted name, and where that is imported from."""
        self._sources[path] = source
        name, folder = self._module_name(path)
        self._allow(folder, name.partition(".")[0])
        return self._name_within(folder, name), folder

    def folder_of(self, path: Path) -> Path:
        """The folder from which the module in a file is imported."""
        return self._module_name(path)[1]

    def reaches_torch(self, path: Path) -> bool:
        """Whether a file has torch in reach; others need not be analysed, and nothing unknown there is a tensor."""
        return self._reach.of(path, self._module_name(path)[0])

    def exports_of(self, path: Path) -> Exports | None:
        """What a star gives of the module in a file, None where it cannot be read."""
        if path not in self._exports:
            text = self._text_of(path)
            self._exports[path] = exports_of(text) if text is not None else None
        return self._exports[path]

    @property
    def asked_for_exports(self) -> frozenset[str]:
        """The resolved paths of the files of which somebody asked what a star gives."""
        return frozenset(str(self.paths.of(path)) for path in self._exports)

    def _text_of(self, path: Path) -> str | None:
        source = self._sources.get(self.paths.of(path))
        if source is not None:
            return source.text
        try:
            return read_text(path)
        except OSError:
            return None

    def _read_text(self, path: Path, name: str) -> Text | None:
        """What the module of this name, and the stub beside it, say; None where it cannot be read."""
        resolved = self.paths.of(path)
        source = self._text_of(path)
        if source is None:
            return None
        text = text_of(source + self._stub_text(path), name if path.stem == "__init__" else name.rpartition(".")[0])
        if not text.imports:
            return text
        folder = self._module_name(resolved)[1]
        modules = {each.module for each in text.imports}
        meant = {module: self.name_from(resolved, folder, module) for module in modules}
        return replace(text, imports=frozenset(each._replace(module=meant[each.module]) for each in text.imports))

    def name_from(self, importer: Path, folder: Path, name: str) -> str:
        """The name under which the project knows what the module in the file ``importer`` imports as ``name``.

        Folders of scripts often hold modules of the same names, each of which means the one beside it. ``folder`` is
        where the importer itself is imported from.
        """
        top = name.partition(".")[0]
        if _MARK in top or top in NEVER_IN_PROJECT:
            return self._name_within(folder, name)
        is_script = importer.stem != "__init__" and importer.parent == folder
        if is_script and importer.stem == top and (other := self._other_with(top, folder)) is not None:
            return self._name_within(other, name)
        if not is_script and (package := self._package_around(importer, top)) is not None:
            return self._name_within(folder, f"{package}.{name}")
        # A script sees what lies beside it, and so does a package of the project. Beside others may lie anybody's.
        beside = (folder,) if is_script or self._is_own(folder) else ()
        added = self._added_by(importer)
        for place in (*beside, *added, *(self._around_script(importer, top) if is_script else ())):
            if self._holds(place, top):
                self._allow(place, top)
                return self._name_within(place, name)
        # A folder without an `__init__` is a package where there is no other one of its name.
        within = (place.parent for place in (importer.parents if is_script else ()) if place.name == top)
        for place in (*added, *within, *self._on_path_around(importer, top)):
            is_own = place / top in importer.parents or self._is_own(place / top)
            if is_own and self._first_with(top) is None and self._holds_folder(place, top):
                self._allow(place, top)
                break
        return self._name_within(folder, name)

    def modules_offering(self, names: frozenset[str], package: str, importer: Path, folder: Path) -> tuple[str, ...]:
        """The modules in a package that define or import most of the ``names``; without one, in folders on the path."""
        if package:
            places = self._directories(self.name_from(importer, folder, package))
        else:
            places = (folder, *self._added_by(importer))
        offered: dict[str, int] = {}
        for place in filter(self._is_own, places):
            self._places.add(listing_of(place))
            for file in sorted(names_in(place) | unsaved_names(place)):
                stem = file.removesuffix(".py")
                if stem != file and stem.isidentifier() and place / file != importer and len(offered) < MOST_OFFERED:
                    text = self._text_of(place / file) or ""
                    self._places.add(str(place / file))
                    name = self.name_from(importer, folder, f"{package}.{stem}" if package else stem)
                    offered[name] = max(offered.get(name, 0), sum(binds_at_top(text, each) for each in names))
        most = max(offered.values(), default=0)
        return tuple(name for name, count in offered.items() if count == most > 0)

    def _around_script(self, importer: Path, top: str) -> Iterator[Path]:
        """The folders around a script's own, below what the user named, in which a module is that it can only mean.

        Who runs it there puts them on the path: ``PYTHONPATH=lib python lib/core/train.py``.
        """
        if any(self._holds(root, top) for root in self._roots):
            return
        for place in importer.parent.parents:
            if place in self._roots or not self._is_own(place):
                return
            yield place

    def _on_path_around(self, importer: Path, top: str) -> Iterator[Path]:
        """The folders around a module that hold one of a name, and that the project puts on the path.

        What a program imports from there sees them as well, and need not say so.
        """
        for place in importer.parent.parents:
            if place in self._roots or not self._is_own(place):
                return
            if self._first_with(top) is None and self._holds_folder(place, top) and self._is_put_on_path(place):
                yield place

    def _is_put_on_path(self, place: Path) -> bool:
        """Whether a module beside a folder, or in a folder beside it, puts it on ``sys.path``."""
        if place not in self._put_on_path:
            around = (place.parent, *(place.parent / name for name in sorted(self._listed(place.parent))))
            folders = [folder for folder in around if folder == place.parent or self._is_directory(folder)]
            self._places.update(map(path_changes_of, folders))
            files = [folder / name for folder in folders for name in self._listed(folder) if name.endswith(".py")]
            self._put_on_path[place] = any(place in self._added_by(file) for file in files)
        return self._put_on_path[place]

    def _listed(self, folder: Path) -> frozenset[str]:
        """The names of what lies in a folder."""
        if folder not in self._names:
            self._names[folder] = names_in(folder) | unsaved_names(folder)
        return self._names[folder]

    def _package_around(self, importer: Path, top: str) -> str | None:
        """The package around a module that holds what it means by a name, as Python is started in that folder."""
        for place in self._packages_with(importer.parent, top):
            if self._is_run_from(place) or self._takes_from(place, top, importer):
                return self._package(place)[0]
        return None

    def _packages_with(self, folder: Path, top: str) -> tuple[Path, ...]:
        """The packages around a folder in which a module of this name lies, the innermost first."""
        if (folder, top) not in self._holding:
            around = takewhile(lambda place: self._package(place)[0], (folder, *folder.parents))
            self._holding[folder, top] = tuple(place for place in around if self._holds(place, top))
        return self._holding[folder, top]

    def _takes_from(self, place: Path, top: str, importer: Path) -> bool:
        """Whether a module takes something by a name that only a module in a folder can have."""
        return any(
            module.partition(".")[0] == top and self._only_lies_in(place, module, name)
            for module, name in taken(self._text_of(importer) or "")
        )

    def _is_run_from(self, place: Path) -> bool:
        """Whether a program in a package takes something by a name that only a module beside it can have."""
        if place not in self._run_from:
            self._run_from[place] = self._is_own(place) and any(
                self._only_lies_in(place, module, name)
                for file in sorted(names_in(place) | unsaved_names(place))
                if file.endswith(".py")
                for module, name in taken_by_program(self._text_of(place / file) or "")
            )
        return self._run_from[place]

    def _only_lies_in(self, place: Path, module: str, name: str) -> bool:
        """Whether a module that has such a thing lies in a folder, and none of its name where the project begins."""
        top = module.partition(".")[0]
        begins = {*self._roots, self._package(place)[1]} - {place}
        if top in NEVER_IN_PROJECT or any(self._is_file(file) for one in begins for file in _files_of(one, module)):
            return False
        return self._holds(place, top) and any(
            self._is_file(file) and binds_at_top(self._text_of(file) or "", name) for file in _files_of(place, module)
        )

    def _holds_folder(self, folder: Path, top: str) -> bool:
        """Whether a folder of this name lies in a folder."""
        self._places.add(str(folder / top))
        return self._is_directory(folder / top)

    def _other_with(self, top: str, folder: Path) -> Path | None:
        """The folder around a module's own with another one of its name: that one is meant by it, not itself."""
        return next((one for one in self._folders_for(top) if one in folder.parents and self._holds(one, top)), None)

    def _is_own(self, folder: Path) -> bool:
        """Whether a folder lies in what the user named."""
        return folder in self._roots or bool(self.around(folder))

    def _added_by(self, importer: Path) -> tuple[Path, ...]:
        """The folders of the project that a module puts on ``sys.path``, seen from its own folder or from the roots.

        What a script imports from beside it may do so for it (``import _init_paths``).
        """
        if importer not in self._added:
            starts = (*self._roots, importer.parent)
            text = self._text_of(importer) or ""
            places = [*added_to_path(text, importer)]
            if self._package(importer.parent)[0] == "":
                for name in sorted(imported_names(text)):
                    beside = importer.parent / f"{name}.py"
                    if beside != importer and self._is_file(beside):
                        places += added_to_path(self._text_of(beside) or "", beside)
            found = (real_path(start / place) for place in places for start in sorted(starts))
            self._added[importer] = tuple(dict.fromkeys(place for place in found if self._is_own(place)))
        return self._added[importer]

    def _name_within(self, folder: Path, name: str) -> str:
        """A name as the modules that are imported from ``folder`` mean it, told apart from other folders'."""
        top, dot, rest = name.partition(".")
        if _MARK in top or not self._may_see(folder, top) or not self._holds(folder, top):
            return name
        if self._first_with(top) == folder:
            return name
        mark = list(self._folders).index(folder)
        return f"{top}{_MARK}{mark}{dot}{rest}"

    def _may_see(self, folder: Path, top: str) -> bool:
        """Whether modules of this name are looked up in a folder."""
        tops = self._folders.get(folder, set())
        return top not in NEVER_IN_PROJECT and (tops is None or top in tops)

    def _holds(self, folder: Path, top: str) -> bool:
        """Whether a module or package of this name lies in a folder."""
        if (folder, top) not in self._held:
            found = self._is_file(folder / f"{top}.py") or self._is_file(folder / top / "__init__.py")
            self._held[folder, top] = found or (self._is_directory(folder / top) and self._is_begun_in(folder))
        return self._held[folder, top]

    def _is_begun_in(self, folder: Path) -> bool:
        """Whether a program lies in a folder that takes something from a folder without an ``__init__`` beside it.

        Python looks there for all that the program imports, and for what that imports.
        """
        if folder not in self._begun:
            self._begun[folder] = False
            if self._is_own(folder) and folder not in self._roots and not self._package(folder)[0]:
                self._places.add(listing_of(folder))
                programs = [folder / name for name in sorted(self._listed(folder)) if name.endswith(".py")]
                self._places.update(map(str, programs))
                self._begun[folder] = any(
                    self._lies_bare_in(folder, module, name)
                    for program in programs
                    for module, name in taken_by_program(self._text_of(program) or "")
                )
        return self._begun[folder]

    def _lies_bare_in(self, folder: Path, module: str, name: str) -> bool:
        """Whether a module that has such a thing lies in a folder without an ``__init__`` within another one."""
        file = folder.joinpath(*module.split(".")).with_suffix(".py")
        if file.parent == folder or self._is_file(folder / module.partition(".")[0] / "__init__.py"):
            return False
        return self._is_file(file) and binds_at_top(self._text_of(file) or "", name)

    def _first_with(self, top: str) -> Path | None:
        """The folder that a name is looked up in where nothing nearer is meant."""
        if top not in self._first:
            self._first[top] = next((folder for folder in self._folders_for(top) if self._holds(folder, top)), None)
        return self._first[top]

    def is_package(self, name: str) -> bool:
        """Whether the name is a folder of the project, with or without an ``__init__``."""
        return may_name_module(name) and bool(self._directories(name))

    def _folders_for(self, name: str) -> Iterator[Path]:
        top, marked, number = name.partition(".")[0].partition(_MARK)
        if marked:
            yield list(self._folders)[int(number)]
        elif top not in NEVER_IN_PROJECT:
            yield from (folder for folder in self._folders if self._may_see(folder, top))

    def find(self, name: str) -> Path | None:
        """The file of the module with this dotted name, None where the project has none."""
        if not may_name_module(name):
            return None
        if name not in self._found:
            self._found[name] = self._looked_up(name)
            if self._found[name] is None:
                self._missing.setdefault(name.partition(".")[0], set()).add(name)
        return self._found[name]

    def _looked_up(self, name: str) -> Path | None:
        last = _last(name)
        for folder in self._directories_around(name):
            for candidate in (folder / last / "__init__.py", folder / f"{last}.py"):
                if self._is_file(candidate):
                    return candidate
        return None

    def _directories(self, name: str) -> tuple[Path, ...]:
        """The folders that a package has, with or without an ``__init__``."""
        known = self._packaged.setdefault(name.partition(".")[0], {})
        if name not in known:
            last = _last(name)
            around = self._directories_around(name)
            known[name] = tuple(folder / last for folder in around if self._is_directory(folder / last))
        return known[name]

    def _directories_around(self, name: str) -> tuple[Path, ...]:
        """The folders in which a module or package of this name is looked up."""
        package = name.rpartition(".")[0]
        around = self._directories(package) if package else tuple(self._folders_for(name))
        self._asked[name] = around
        return around

    @property
    def consulted(self) -> frozenset[str]:
        """The places at which names were looked up, those of stubs included.

        They are thousands, and plain text, which travels faster between processes than paths do.
        """
        places: set[str] = set()
        for name, around in self._asked.items():
            last = _last(name)
            for folder in around:
                place = os.path.join(folder, last)  # noqa: PTH118 - as text, on purpose
                places.update((place, f"{place}{os.sep}__init__.py", f"{place}.py"))
        for folder, top in self._held:
            place = os.path.join(folder, top)  # noqa: PTH118 - as text, on purpose
            places.update((f"{place}{os.sep}__init__.py", f"{place}.py"))
        places.update(self._stubs, self._places)
        return frozenset(places)
