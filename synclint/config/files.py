"""Finds and reads what configures: ``synclint.toml``, or ``[tool.synclint]`` in ``pyproject.toml``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synclint.config.kinds import Place, WrongValueError, nearest
from synclint.config.options import settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN_FILE = "synclint.toml"
PROJECT_FILE = "pyproject.toml"


class ConfigurationError(ValueError):
    """A configuration that cannot be used; ``problems`` are sentences that name the file and the key."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


@dataclass(frozen=True)
class ConfigurationFile:
    """A file and the settings that it gives a value, by the names of their fields."""

    path: Path
    values: Mapping[str, Any]


def file_in(folder: Path) -> ConfigurationFile | None:
    """The file in ``folder`` that configures, ``synclint.toml`` first; None where there is none.

    Raises ConfigurationError for one that is wrong.
    """
    own = folder / OWN_FILE
    if own.is_file():
        return read_file(own)
    project = folder / PROJECT_FILE
    if project.is_file() and "synclint" in _text(project) and "synclint" in _tools(_document(project)):
        return read_file(project)
    return None


def read_file(path: Path) -> ConfigurationFile:
    """Read a file that configures, wherever it is. Raises ConfigurationError."""
    document = _document(path)
    if path.name == PROJECT_FILE:
        title, table = "[tool.synclint]", _tools(document).get("synclint", {})
    else:
        title, table = "", document
    if not isinstance(table, dict):
        raise ConfigurationError((f"{_shown(path)}: tool.synclint: expected a table, got {table!r}",))
    values: dict[str, Any] = {}
    problems = list(_read(path, title, table, values))
    if problems:
        raise ConfigurationError(tuple(problems))
    return ConfigurationFile(path, values)


def _read(path: Path, title: str, table: Mapping[str, object], values: dict[str, Any]) -> Iterator[str]:
    known = {setting.name: setting for setting in settings()}
    place = Place(path.parent, confined=True)
    where = f"{_shown(path)}: {title} " if title else f"{_shown(path)}: "
    for key, value in table.items():
        setting = known.get(key)
        if setting is None:
            hint = nearest(key, list(known)) or f"; the keys are {', '.join(known)}"
            yield f"{where}unknown key {key!r}{hint}"
            continue
        try:
            values[setting.field] = setting.kind.read(value, place)
        except WrongValueError as error:
            yield f"{where}{key}: {error}"


def _tools(document: Mapping[str, Any]) -> dict[str, Any]:
    tools = document.get("tool")
    return tools if isinstance(tools, dict) else {}


def _shown(path: Path) -> Path:
    """The path told from here, where it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError((f"{_shown(path)}: {(error.strerror or str(error)).lower()}",)) from None
    except UnicodeDecodeError as error:
        raise ConfigurationError((f"{_shown(path)}: not valid UTF-8 (byte {error.start})",)) from None


def _document(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = tomllib.loads(_text(path))
    except RecursionError:
        raise ConfigurationError((f"{_shown(path)}: nested too deeply",)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError((f"{_shown(path)}: not valid TOML: {error}",)) from None
    return document
