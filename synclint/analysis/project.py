"""The files of a project: finding, reading and parsing modules by path and by dotted name."""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from synclint.analysis.call_graph import CallGraph
from synclint.analysis.engine import Engine
from synclint.analysis.events import SyncEvent
from synclint.analysis.modules import ModuleRecord, stubbed_functions
from synclint.analysis.observations import Observations
from synclint.analysis.outlines import KeptOutlines, Parse, outline_of, outlined
from synclint.analysis.patterns import Patterns, without_marks
from synclint.analysis.reach import Reach, Text, text_of
from synclint.analysis.values import Symbol
from synclint.catalog.entries import load_catalog
from synclint.phases import GATE, PARSE, Phases
from synclint.sources import UnreadableSourceError, read_source

# Stands between the name of a module and the number of its folder where several folders have one of that name.
_MARK = "@"
NEVER_IN_PROJECT = frozenset({"torch", "numpy", "builtins", "typing"})
DEEPEST_MODULE = 50
_LONG_SOURCE = 200_000
# A shorter module is parsed as fast as its outline is found.
_SHORTEST_OUTLINED = 4_000
_MOST_LEVELS = 40_000


class ParseFailure(Exception):  # noqa: N818 - the failure of a file, no error of the program
    """A file that is not Python: what is wrong and where, line and column counting from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def parse(source: str) -> ast.Module:
    """Parse a module; raises ParseFailure."""
    try:
        return _parsed(source)
    except UnicodeEncodeError as error:
        before = source[: error.start]
        raise ParseFailure("half of a surrogate pair is no character", *_end_of(before)) from None
    except (SyntaxError, ValueError) as error:
        before, null, _ = source.partition("\0")
        if null:  # which exception this is depends on the release of Python
            raise ParseFailure("source code cannot contain null bytes", *_end_of(before)) from None
        if not isinstance(error, SyntaxError):
            raise
        newer = None if _is_a_limit(error) else _parsed_as_newer(source)
        if newer is not None:
            return newer
        raise ParseFailure(error.msg, error.lineno or 1, max(error.offset or 1, 1)) from None
    except (RecursionError, MemoryError):
        raise ParseFailure("nested too deeply to be parsed", 1, 1) from None


def _end_of(text: str) -> tuple[int, int]:
    """The line and the column of what comes after a text."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def check_syntax(source: str) -> None:
    """Do what ``parse`` does to a module whose tree nobody needs; raises ParseFailure.

    Python knows its names without making objects of its tree, which takes a quarter less. What it does not like then
    may still be parsed: a name can be used in a way that is against the rules.
    """
    from symtable import symtable

    try:
        with _parser_for(source):
            symtable(source, "", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        parse(source)


def _parsed(source: str) -> ast.Module:
    with _parser_for(source):
        return ast.parse(source)


@contextmanager
def _parser_for(source: str) -> Iterator[None]:
    """Let Python's parser run over a source; raises RecursionError for one that it has no stack for."""
    if sys.version_info < (3, 11) and len(source) > _LONG_SOURCE:
        # Up to this version, Python's parser has no limit but that of its stack, which ends the process.
        from synclint.analysis.nesting import nesting_of

        if nesting_of(source).levels > _MOST_LEVELS:
            raise RecursionError
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of invalid escapes and the like: not what we are asked about
        yield


def _is_a_limit(error: SyntaxError) -> bool:
    """Whether the source asks too much of Python, or is laid out wrongly: newer syntax is neither."""
    return isinstance(error, IndentationError) or error.msg.startswith(("too many", "Exceeds the limit"))


def _parsed_as_newer(source: str) -> ast.Module | None:
    """The same tree for syntax that is newer than the running Python, None for what is no syntax at all."""
    # Imported here because hardly any file needs it, and importing libcst takes longer than reading one.
    from libcst import CSTValidationError, ParserSyntaxError

    from synclint.analysis.newer_syntax import module_from

    try:
        return module_from(source)
    except (ParserSyntaxError, CSTValidationError, SyntaxError, RecursionError):
        return None


def may_name_module(name: str) -> bool:
    """Whether a dotted name can be that of a file: names come from the source, and may say anything at all."""
    return name.count(".") < DEEPEST_MODULE and all(map(str.isidentifier, without_marks(name).split(".")))


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    """What ``kind`` says of a path; false where the system cannot tell, as of a name longer than names may be."""
    try:
        return kind(path)
    except OSError:
        return False


def _names_in(folder: Path) -> frozenset[str]:
    """The names of what lies in a folder; none where it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return frozenset(item.name for item in found)
    except OSError:
        return frozenset()


def with_stub(record: ModuleRecord) -> ModuleRecord:
    """Let a module know the stub that lies beside it: what it says of functions, and the names it imports for that."""
    stub = record.path.with_suffix(".pyi")
    if not _is(Path.is_file, stub):
        return record
    try:
        tree = parse(read_source(stub))
    except (UnreadableSourceError, ParseFailure):
        return record
    record.stubbed = dict(stubbed_functions(tree.body))
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module is not None:
            for alias in statement.names:
                if alias.name != "*":
                    record.scope[alias.asname or alias.name] = Symbol(f"{statement.module}.{alias.name}")
    return record


def _relative(name: str) -> Path:
    """The path of a module below the folder that it is imported from, without a suffix."""
    return Path(*without_marks(name).split("."))


def _stub_text(path: Path) -> str:
    """The text of the stub beside a module, empty where there is none."""
    stub = path.with_suffix(".pyi")
    try:
        return stub.read_text(encoding="utf-8", errors="replace") if _is(Path.is_file, stub) else ""
    except OSError:
        return ""


class Project:
    """The modules that can be reached from the files to be checked; each is parsed at most once.

    ``roots`` are the files and folders that the user named: names are looked up beside them. The function
    patterns are shell-style globs on qualified names (``train.*_step``): functions known to be hot, known to be
    cold, and known to return tensors on the device. ``outlines`` are kept for modules that are only
    imported, which those that will be ``learned`` are not.
    """

    def __init__(
        self,
        roots: Iterable[Path] = (),
        torch_version: str | None = None,
        library_versions: Mapping[str, str] | None = None,
        hot_functions: Iterable[str] = (),
        cold_functions: Iterable[str] = (),
        device_functions: Iterable[str] = (),
        phases: Phases | None = None,
        learned: Iterable[Path] = (),
        outlines: KeptOutlines | None = None,
    ) -> None:
        self._phases = phases or Phases()
        self._learned = {path.resolve() for path in learned} if outlines is not None else set()
        self._outlines = outlines
        self._folders: dict[Path, set[str] | None] = {}
        self._names: dict[Path, frozenset[str]] = {}
        self._packages: dict[Path, tuple[str, Path]] = {}
        self._by_name: dict[str, ModuleRecord | None] = {}
        self._by_path: dict[Path, ModuleRecord] = {}
        for root in roots:
            self._search_from(root.resolve())
        self._found: dict[str, Path | None] = {}
        self._held: dict[tuple[Path, str], bool] = {}
        self._first: dict[str, Path | None] = {}
        self._reach = Reach(self._find, self._read_text)
        patterns = Patterns(tuple(hot_functions), tuple(cold_functions), tuple(device_functions))
        self.engine = Engine(self, load_catalog(), torch_version, dict(library_versions or {}), patterns)

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

    def _allow(self, folder: Path, package: str) -> None:
        """Let names that start with ``package`` be looked up in a folder, which may hold other people's packages."""
        known = self._folders.setdefault(folder, set())
        if known is not None:
            known.add(package)

    def _is_file(self, path: Path) -> bool:
        """Whether there is a file; most of those that are asked for are not even named in their folder."""
        folder = path.parent
        if folder not in self._names:
            self._names[folder] = _names_in(folder)
        return path.name in self._names[folder] and _is(Path.is_file, path)

    def _module_name(self, path: Path) -> tuple[str, Path]:
        """The dotted name of a file, and the folder from which it is imported."""
        package, folder = self._package(path.parent)
        if path.stem == "__init__":
            return package or path.stem, folder
        return f"{package}.{path.stem}" if package else path.stem, folder

    def _package(self, folder: Path) -> tuple[str, Path]:
        """The dotted name of a folder as a package, empty where it is none, and where that is imported from."""
        if folder not in self._packages:
            found = ("", folder)
            if folder.parent != folder and self._is_file(folder / "__init__.py"):
                outer, top = self._package(folder.parent)
                found = (f"{outer}.{folder.name}" if outer else folder.name, top)
            self._packages[folder] = found
        return self._packages[folder]

    def reaches_torch(self, path: Path, source: str) -> bool:
        """Whether a file speaks of torch, or imports a file of the project that does; others need not be learned."""
        with self._phases.phase(GATE):
            resolved = path.resolve()
            name, folder = self._module_name(resolved)
            self._allow(folder, name.partition(".")[0])
            return self._reaches(resolved, name, source)

    def _reaches(self, path: Path, name: str, source: str) -> bool:
        resolved = path.resolve()
        return self._reach.of(resolved, lambda: self._text(resolved, name, source))

    def _read_text(self, path: Path, name: str) -> Text | None:
        """What the module of this name says; None where it cannot be read."""
        try:
            source = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        return self._text(path, name, source)

    def _text(self, path: Path, name: str, source: str) -> Text:
        """What a module and the stub beside it say."""
        text = text_of(source + _stub_text(path), name if path.stem == "__init__" else name.rpartition(".")[0])
        folder = self._module_name(path)[1] if text.imports else path
        return Text(text.signs, frozenset(self._name_from(path, folder, imported) for imported in text.imports))

    def learn(self, path: Path, source: str) -> None:
        """Run one file, so that what it calls is known before any file is reported; raises ParseFailure."""
        self.engine.learn(self.add(path, source))

    def check(self, path: Path, source: str) -> list[SyncEvent]:
        """The events of one file among those learned so far, in source order; raises ParseFailure."""
        self.learn(path, source)
        for error in self.failures.values():
            raise error
        return CallGraph(self.observations()).events(os.path.realpath(path), str(path))

    @property
    def failures(self) -> dict[str, Exception]:
        """Mistakes of ours in files that a learned one uses, by the files' resolved paths."""
        return {record.real_path: error for record, error in self.engine.failures.items()}

    def observations(self) -> Observations:
        """What was seen in the files that have been learned, and in those that they reach."""
        return self.engine.observations()

    def add(self, path: Path, source: str) -> ModuleRecord:
        """Parse a file and make it known under its dotted name."""
        resolved = path.resolve()
        if resolved in self._by_path and self._by_path[resolved].source == source:
            return self._by_path[resolved]
        name, folder = self._module_name(resolved)
        self._allow(folder, name.partition(".")[0])
        name = self._name_within(folder, name)
        record = self._record(name, path, folder, source, parse)
        self._by_path[resolved] = record
        if resolved.suffix == ".py":
            self._by_name[name] = record
        return record

    def module(self, name: str) -> ModuleRecord | None:
        """The module of this dotted name, None where the project has none (or it cannot be read)."""
        if not may_name_module(name):
            return None
        if name not in self._by_name:
            self._by_name[name] = None
            path = self._find(name)
            if path is not None:
                self._by_name[name] = self._load(path, name)
        return self._by_name[name]

    def name_for(self, name: str, importer: ModuleRecord) -> str:
        """The name under which the project knows what a module imports as ``name``.

        Folders of scripts often hold modules of the same names, each of which means the one beside it.
        """
        return self._name_from(Path(importer.real_path), importer.folder, name)

    def _name_from(self, importer: Path, folder: Path, name: str) -> str:
        top = name.partition(".")[0]
        # A script sees what lies beside it. Beside a package may lie anybody's.
        is_script = importer.stem != "__init__" and importer.parent == folder
        if is_script and _MARK not in top and top not in NEVER_IN_PROJECT and self._holds(folder, top):
            self._allow(folder, top)
        return self._name_within(folder, name)

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
            self._held[folder, top] = found
        return self._held[folder, top]

    def _first_with(self, top: str) -> Path | None:
        """The folder that a name is looked up in where nothing nearer is meant."""
        if top not in self._first:
            self._first[top] = next((folder for folder in self._folders_for(top) if self._holds(folder, top)), None)
        return self._first[top]

    @property
    def consulted(self) -> frozenset[str]:
        """The paths on which the events depend: the files read, and the places at which names were looked up.

        They are thousands, and plain text, which travels faster between processes than paths do.
        """
        records = self._by_path.values()
        paths = {str(path) for path in (*self._by_path, *(record.path for record in records))}
        paths.update(str(record.path.with_suffix(".pyi")) for record in records)
        for name in {*self._by_name, *self._found}:
            relative = str(_relative(name))
            for folder in self._folders_for(name):
                place = os.path.join(folder, relative)  # noqa: PTH118 - as text, on purpose
                paths.update((place, f"{place}{os.sep}__init__.py", f"{place}.py"))
        return frozenset(paths)

    def is_package(self, name: str) -> bool:
        """Whether the name is a folder of the project, with or without an ``__init__``."""
        if not may_name_module(name):
            return False
        return any(_is(Path.is_dir, folder / _relative(name)) for folder in self._folders_for(name))

    def _folders_for(self, name: str) -> Iterator[Path]:
        top, marked, number = name.partition(".")[0].partition(_MARK)
        if marked:
            yield list(self._folders)[int(number)]
        elif top not in NEVER_IN_PROJECT:
            yield from (folder for folder in self._folders if self._may_see(folder, top))

    def _find(self, name: str) -> Path | None:
        if not may_name_module(name):
            return None
        if name not in self._found:
            self._found[name] = self._looked_up(name)
        return self._found[name]

    def _looked_up(self, name: str) -> Path | None:
        relative = _relative(name)
        for folder in self._folders_for(name):
            for candidate in (folder / relative / "__init__.py", (folder / relative).with_suffix(".py")):
                if self._is_file(candidate):
                    return candidate
        return None

    def _load(self, path: Path, name: str) -> ModuleRecord | None:
        resolved = path.resolve()
        if resolved in self._by_path:
            return self._by_path[resolved]
        try:
            parser = parse if resolved in self._learned else self._imported_tree
            record = self._record(name, path, self._module_name(resolved)[1], read_source(path), parser)
        except (UnreadableSourceError, ParseFailure):
            return None
        self._by_path[resolved] = record
        return record

    def _record(self, name: str, path: Path, folder: Path, source: str, parser: Parse) -> ModuleRecord:
        with self._phases.phase(PARSE):
            tree = parser(source)
        return with_stub(ModuleRecord(name, path, tree, source, folder, partial(self._reaches, path, name, source)))

    def _imported_tree(self, source: str) -> ast.Module:
        """The tree of a module that is only imported, without what nobody will look at if its outline is known."""
        if self._outlines is None or len(source) < _SHORTEST_OUTLINED:
            return parse(source)
        outline = self._outlines.find(source)
        if outline is not None:
            return outlined(outline, source, self._parsed_part)
        tree = parse(source)
        found = outline_of(source, tree)
        if found is not None:
            self._outlines.keep(source, found)
        return tree

    def _parsed_part(self, source: str) -> ast.Module:
        with self._phases.phase(PARSE):
            return parse(source)
