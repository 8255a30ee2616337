"""Reads the files of a run, and tells those that have to do with torch from those that need no analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from synclint.analysis.program.content_order import definitions_in, length_without_imports
from synclint.analysis.program.mentioned import Mentioned, mentioned
from synclint.analysis.program.module_files import ModuleFiles
from synclint.frozen import remembered
from synclint.running.configured_project import ConfiguredProject, configured_project
from synclint.running.shortfalls import Shortfall, internal_error
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.embedded import Embedded, EmbeddedSourceError
from synclint.sources.extraction import extract
from synclint.sources.kept_texts import KeptText, kept


@dataclass(frozen=True)
class CodeFile:
    """A file that was read: its code, for a notebook or a document the module made of it.

    ``real_path`` is without symbolic links. Of a file that has no torch in reach nobody needs to know more than that
    its syntax is right.
    """

    path: Path
    real_path: Path
    kept: KeptText
    embedded: Embedded | None = None
    has_torch_in_reach: bool = True

    @property
    def source(self) -> str:
        """Its code."""
        return self.kept.text

    @remembered
    def definitions(self) -> tuple[str, ...]:
        """The names of all that it defines."""
        return definitions_in(self.source)

    @remembered
    def length(self) -> int:
        """How long its code is, without the lines that name other files."""
        return length_without_imports(self.source)


@dataclass(frozen=True)
class SurveyedFiles:
    """The files of a run.

    ``problems`` are the files that could not be read, one sentence each; ``shortfalls`` those at which we failed;
    ``consulted`` are the paths on which it depends what has torch in reach, and what is known of the project besides
    its files. ``roots`` are what the user named, ``project`` what configuration files there say, ``said`` tells what a
    text says by itself.
    """

    files: tuple[CodeFile, ...]
    problems: Mapping[Path, str] = field(default_factory=dict)
    shortfalls: Mapping[Path, Shortfall] = field(default_factory=dict)
    consulted: frozenset[str] = frozenset()
    roots: tuple[Path, ...] = ()
    project: ConfiguredProject = field(default_factory=ConfiguredProject)
    said: Callable[[str], Mentioned] = mentioned


def survey(files: Sequence[Path], roots: Sequence[Path]) -> SurveyedFiles:
    """Read files; ``roots`` are the files and directories beside which modules are looked up."""
    modules = ModuleFiles(roots)
    found = _surveyed({path: _read(path, partial(read_source, path), modules) for path in files}, modules)
    project, looked_at = configured_project(roots)
    return replace(found, roots=tuple(roots), project=project, consulted=found.consulted | looked_at)


def survey_text(path: Path, text: str, roots: Sequence[Path]) -> SurveyedFiles:
    """The same for one file whose text stands, or shall stand, at ``path``."""
    modules = ModuleFiles(roots)
    return _surveyed({path: _read(path, lambda: text, modules)}, modules)


def _read(path: Path, read: Callable[[], str], modules: ModuleFiles) -> CodeFile | str | Shortfall:
    """A file, or why there is none: a sentence about what is wrong with it, or our own failure."""
    try:
        return _code_file(path, read(), modules)
    except (UnreadableSourceError, EmbeddedSourceError) as error:
        return f"{path}: {error}"
    except Exception as error:
        return internal_error(path, error)


def _code_file(path: Path, text: str, modules: ModuleFiles) -> CodeFile:
    embedded = extract(path, text)
    source = text if embedded is None else embedded.module
    file = CodeFile(path, modules.paths.of(path), kept(source), embedded)
    modules.add(file.real_path, file.kept)
    return file


def _surveyed(came_of: Mapping[Path, CodeFile | str | Shortfall], modules: ModuleFiles) -> SurveyedFiles:
    files = [came for came in came_of.values() if isinstance(came, CodeFile)]
    return SurveyedFiles(
        tuple(file if _reaches_torch(file, modules) else replace(file, has_torch_in_reach=False) for file in files),
        {path: came for path, came in came_of.items() if isinstance(came, str)},
        {path: came for path, came in came_of.items() if isinstance(came, Shortfall)},
        modules.consulted,
    )


def _reaches_torch(file: CodeFile, modules: ModuleFiles) -> bool:
    try:
        return modules.reaches_torch(file.real_path)
    except Exception:  # which its analysis will meet again, and blame on it
        return True


def folders_of(roots: Sequence[Path]) -> list[Path]:
    """The roots that modules are looked up in.

    Two of them may hold modules of one name: which is meant must not hang on the order of arguments.
    """
    return sorted({root for root in roots if root.exists() or not root.is_symlink()})
