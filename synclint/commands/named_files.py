"""Files that are named one by one, as a hook does: they are seen with the project around them where it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.config.configurations import Configurations
from synclint.report.terminal import escape
from synclint.running.discovery import discover
from synclint.running.nearby_projects import project_around

# What was named in the latest run over a project with all of these resolved files, None where there was none.
KnownProject = Callable[[Iterable[Path]], tuple[Path, ...] | None]

NOT_KNOWN = (
    "callers in other files are unknown: run `synclint .` over the whole project once, and runs over single files will "
    "know them; use --no-project, or `project = false` in the configuration, to check files on their own"
)


@dataclass(frozen=True)
class Asked:
    """The files of a run with their resolved paths, what was named to find them, and what of them is to be reported.

    ``wanted`` is None where all of them are.
    """

    roots: Sequence[Path]
    files: Mapping[Path, Path]
    wanted: frozenset[Path] | None = None


def are_single_files(paths: Sequence[Path]) -> bool:
    """Whether files were named, and no directory."""
    return bool(paths) and all(path.is_file() for path in paths)


def in_project(named: Asked, configured: Configurations, known: KnownProject) -> Asked | None:
    """The project around the files of a run: one that is known, or else is small; None where there is none.

    The files are called what they were called when they were named.
    """
    roots = known(named.files.values()) or project_around(named.files.values())
    if roots is None:
        return None
    found = discover(roots, lambda folder: configured.of(folder).options.files)
    names = {real: path for path, real in named.files.items()}
    if found.problems or not names.keys() <= set(found.files.values()):
        return None
    files = {names.get(real, path): real for path, real in found.files.items()}
    return Asked(roots, files, frozenset(named.files) if len(names) < len(files) else None)


def too_much_has_changed(roots: Iterable[Path]) -> str:
    """The message where analysing the callers again would take too long."""
    named = " ".join(escape(str(root)) for root in roots)
    return f"callers in other files are unknown: much has changed since the last run of `synclint {named}`"


def belongs_to_more(files: Iterable[Path]) -> bool:
    """Whether there is a package, or a repository, around one of the files (resolved)."""
    return any(
        (file.parent / "__init__.py").exists() or any((folder / ".git").exists() for folder in file.parents)
        for file in files
    )
