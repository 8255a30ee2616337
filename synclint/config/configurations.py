"""Puts the value of each setting together: default, the project's locks, a file, the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synclint.catalog.tables import libraries
from synclint.config.dependencies import KnownRelease, known_releases
from synclint.config.files import ConfigurationFile, file_in, read_file
from synclint.config.options import Options, settings

DEFAULT = "default"
COMMAND_LINE = "command line"
ENVIRONMENT = "environment"


@dataclass(frozen=True)
class Configuration:
    """The value of every setting, and where each came from, by the names of the fields."""

    options: Options
    origins: Mapping[str, tuple[str, ...]]


class Configurations:
    """The configuration for each directory: as in ruff, the nearest file above it holds, and it alone.

    ``given`` are the values from the command line, which come before all others, ``environment`` those from variables,
    which come before those of files. With ``file`` that file holds for every directory; ``isolated`` leaves out files
    and locks. ``warnings`` grow with what was passed over.
    """

    def __init__(
        self,
        given: Mapping[str, Any] | None = None,
        environment: Mapping[str, Any] | None = None,
        file: Path | None = None,
        isolated: bool = False,
    ) -> None:
        self.warnings: list[str] = []
        self._given = dict(given or {})
        self._environment = {name: value for name, value in (environment or {}).items() if name not in self._given}
        self._isolated = isolated
        self._file = read_file(file) if file else None
        self._files: dict[Path, ConfigurationFile | None] = {}
        self._releases: dict[Path, Mapping[str, KnownRelease]] = {}
        self._configurations: dict[Path, Configuration] = {}

    def of(self, folder: Path) -> Configuration:
        """The configuration for what lies in ``folder`` (absolute). Raises ConfigurationError."""
        if folder not in self._configurations:
            self._configurations[folder] = self._assemble(folder)
        return self._configurations[folder]

    def of_file(self, path: Path) -> Options:
        """The settings for the file at ``path`` (absolute). Raises ConfigurationError."""
        options = self.of(path.parent).options
        version = options.torch_version_in(path)
        return options if version == options.torch_version else replace(options, torch_version=version)

    def _assemble(self, folder: Path) -> Configuration:
        file = self._nearest_file(folder)
        written = dict(file.values) if file else {}
        releases = {} if self._isolated else self._releases_at(folder)
        locked = {name: releases[name] for name in libraries() if name in releases}
        if "runs" in self._given or "runs" in self._environment:
            written.pop("cold", None)  # which would take back what the command line asks for
        values: dict[str, Any] = {**written, **self._environment, **self._given}
        origins = dict.fromkeys((setting.field for setting in settings()), (DEFAULT,))
        origins |= {name: (str(file.origins[name]),) for name in written if file}
        origins |= dict.fromkeys(self._environment, (ENVIRONMENT,))
        origins |= dict.fromkeys(self._given, (COMMAND_LINE,))
        torch = releases.get("torch")
        if torch and "torch_version" not in values:
            values["torch_version"] = torch.version
            origins["torch_version"] = (str(torch.file),)
        if locked:
            said = values.get("library_versions", ())
            read = {name: release.version for name, release in locked.items()}
            values["library_versions"] = tuple(sorted({**read, **dict(said)}.items()))
            sources = sorted({str(locked[name].file) for name in locked.keys() - dict(said).keys()})
            known = origins["library_versions"] if said else ()
            origins["library_versions"] = tuple(dict.fromkeys((*known, *sources)))
        return Configuration(replace(Options(), **values), origins)

    def _nearest_file(self, folder: Path) -> ConfigurationFile | None:
        if self._isolated or self._file:
            return self._file
        if folder not in self._files:
            found = file_in(folder)
            above = folder.parent
            self._files[folder] = found or (self._nearest_file(above) if above != folder else None)
        return self._files[folder]

    def _releases_at(self, folder: Path) -> Mapping[str, KnownRelease]:
        """What the files in ``folder`` and above it say, up to the top of its repository."""
        if folder not in self._releases:
            above = folder.parent
            stop = above == folder or (folder / ".git").exists()
            inherited = {} if stop else self._releases_at(above)
            self._releases[folder] = {**inherited, **known_releases(folder, self.warnings.append)}
        return self._releases[folder]
