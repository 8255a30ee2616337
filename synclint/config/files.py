"""Finds and reads what configures: a ``synclint.toml``, hidden or not, or a table in ``pyproject.toml``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synclint.config.kinds import ValueSource, WrongValueError
from synclint.config.options import settings
from synclint.config.release import RequiredReleaseError, check_required_release
from synclint.files.bounded_files import read_at_most
from synclint.spelling import nearest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MOST_BYTES = 2**20
# So many dots may be in one key; the time that a parser of TOML takes grows with the square of them.
_MOST_DOTS = 100
_MOST_PROBLEMS = 20
OWN_FILES = (".synclint.toml", "synclint.toml")
PROJECT_FILE = "pyproject.toml"
# Keys of files that are no settings: they say how the others are to be understood.
EXTEND, REQUIRED_RELEASE = "extend", "required-version"


class ConfigurationError(ValueError):
    """A configuration that cannot be used; ``problems`` are sentences that name the file and the key."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


@dataclass(frozen=True)
class ConfigurationFile:
    """A file and the settings that it gives a value, by the names of their fields.

    ``origins`` are the files in which the values stand: this one, or one that it extends.
    """

    path: Path
    values: Mapping[str, Any]
    origins: Mapping[str, Path]


def file_in(folder: Path) -> ConfigurationFile | None:
    """The file in ``folder`` that configures, ``.synclint.toml`` first; None where there is none.

    Raises ConfigurationError for one that is wrong.
    """
    for name in OWN_FILES:
        own = folder / name
        if own.is_file():
            return read_file(own)
    project = folder / PROJECT_FILE
    if project.is_file() and "synclint" in _text(project) and "synclint" in _tools(_document(project)):
        return read_file(project)
    return None


def read_file(path: Path) -> ConfigurationFile:
    """Read a file that configures, wherever it is, and those that it extends. Raises ConfigurationError."""
    return _read_extended(path, ())


def _read_extended(path: Path, extending: tuple[Path, ...]) -> ConfigurationFile:
    """Read a file that the files ``extending`` it have led to."""
    table, title = _table(path)
    where = f"{_shown(path)}: {title} " if title else f"{_shown(path)}: "
    required = table.get(REQUIRED_RELEASE)
    if required is not None:
        try:
            check_required_release(required)
        except RequiredReleaseError as error:
            # What another release knows is not looked at: it could only be misunderstood.
            raise ConfigurationError((f"{where}{REQUIRED_RELEASE}: {error}",)) from None
    values: dict[str, Any] = {}
    problems = list(_read(path, where, table, values))
    if problems:
        left_out = len(problems) - _MOST_PROBLEMS
        more = (f"{_shown(path)}: and {left_out} more problems",) if left_out > 0 else ()
        raise ConfigurationError((*problems[:_MOST_PROBLEMS], *more))
    origins = dict.fromkeys(values, path)
    extended = table.get(EXTEND)
    if extended is None:
        return ConfigurationFile(path, values, origins)
    base = _extended_path(path, where, extended, (*extending, path))
    known = _read_extended(base, (*extending, path))
    return ConfigurationFile(path, {**known.values, **values}, {**known.origins, **origins})


def _extended_path(path: Path, where: str, extended: object, extending: tuple[Path, ...]) -> Path:
    """The file that another one extends. Raises ConfigurationError."""
    if not isinstance(extended, str) or not extended or "\0" in extended:
        raise ConfigurationError((f"{where}{EXTEND}: expected the path of a configuration file, got {extended!r}",))
    base = Path(os.path.normpath(path.parent / Path(extended).expanduser()))
    if base in extending:
        circle = " -> ".join(str(_shown(file)) for file in (*extending[extending.index(base) :], base))
        raise ConfigurationError((f"{where}{EXTEND}: files extend each other in a circle: {circle}",))
    if not base.is_file():
        raise ConfigurationError((f"{where}{EXTEND}: there is no file {extended!r}",))
    return base


def inline_values(text: str) -> dict[str, Any]:
    """The settings that a line of TOML such as ``runs = ["eval"]`` gives. Raises ConfigurationError."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise ConfigurationError((f"--config: neither a file nor a setting in TOML: {text!r} ({error})",)) from None
    values: dict[str, Any] = {}
    problems = tuple(_read(Path.cwd() / "--config", "--config: ", table, values))
    if problems:
        raise ConfigurationError(problems[:_MOST_PROBLEMS])
    return values


def _table(path: Path) -> tuple[Mapping[str, object], str]:
    """The settings in a file as TOML has them, and the title of their table where they are one among others."""
    document = _document(path)
    if path.name == PROJECT_FILE:
        title, table = "[tool.synclint]", _tools(document).get("synclint", {})
    else:
        title, table = "", document
    if not isinstance(table, dict):
        raise ConfigurationError((f"{_shown(path)}: tool.synclint: expected a table, got {table!r}",))
    return table, title


def _read(path: Path, where: str, table: Mapping[str, object], values: dict[str, Any]) -> Iterator[str]:
    known = {setting.name: setting for setting in settings()}
    place = ValueSource(path.parent, confined=True)
    found = 0
    for key, value in table.items():
        if key in (EXTEND, REQUIRED_RELEASE):
            continue
        setting = known.get(key)
        if setting is None:
            found += 1
            # To look for the nearest of them takes time, and nobody reads hundreds of hints.
            hint = nearest(key, [*known, EXTEND, REQUIRED_RELEASE]) if found <= _MOST_PROBLEMS else ""
            hint = hint or "; `synclint config` lists the keys"
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
        return read_at_most(path, _MOST_BYTES, "a configuration").decode("utf-8")
    except OSError as error:
        raise ConfigurationError((f"{_shown(path)}: {(error.strerror or str(error)).lower()}",)) from None
    except UnicodeDecodeError as error:
        raise ConfigurationError((f"{_shown(path)}: not valid UTF-8 (byte {error.start})",)) from None


def _document(path: Path) -> dict[str, Any]:
    text = _text(path)
    line = overlong_key(text)
    if line is not None:
        raise ConfigurationError((f"{_shown(path)}: not valid TOML: line {line} has a key of too many parts",))
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        raise ConfigurationError((f"{_shown(path)}: nested too deeply",)) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError((f"{_shown(path)}: not valid TOML: {error}",)) from None
    except ValueError:  # Python refuses to read a number of thousands of digits
        raise ConfigurationError((f"{_shown(path)}: not valid TOML: a number has too many digits",)) from None
    return document


def overlong_key(text: str) -> int | None:
    """The line of a TOML document with a key of more parts than a parser reads in a sensible time; None for most."""
    if text.count(".") > _MOST_DOTS:
        for number, line in enumerate(text.split("\n"), start=1):
            if line.count(".") > _MOST_DOTS and any(_may_be_overlong(piece) for piece in line.split(",")):
                return number
    return None


def _may_be_overlong(text: str) -> bool:
    """Whether the key of an item, or of a table, may have too many parts."""
    key, _, _ = text.partition("=")
    return key.count(".") > _MOST_DOTS and key.lstrip()[:1] not in ("#", "")
