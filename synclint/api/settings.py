"""The settings as keyword arguments: they have the names of the configuration, with underscores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypedDict, Union

from synclint.api.errors import SettingsError
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.config.kinds import ValueSource, WrongValueError
from synclint.config.options import settings
from synclint.spelling import nearest

PathLike = Union[str, "os.PathLike[str]"]

# These determine how a report looks and how the command ends; here there is no report.
OF_THE_COMMAND = frozenset({"output_format", "sort", "fail_on", "project"})


class Settings(TypedDict, total=False):
    """The settings that can be passed, each with the values that a configuration file accepts."""

    select: Sequence[str]
    extend_select: Sequence[str]
    ignore: Sequence[str]
    per_file_ignores: Mapping[str, Sequence[str]]
    include: Sequence[str]
    include_docs: bool
    exclude: Sequence[str]
    extend_exclude: Sequence[str]
    force_exclude: bool
    respect_gitignore: bool
    min_confidence: Literal["low", "medium", "high"]
    severity: Mapping[str, Literal["info", "warning", "error"]]
    fixable: Sequence[str]
    unfixable: Sequence[str]
    runs: Sequence[str]
    cold: bool
    torch_version: str
    per_file_torch_version: Mapping[str, str]
    library_versions: Mapping[str, str]
    python: PathLike
    hot_functions: Sequence[str]
    cold_functions: Sequence[str]
    device_functions: Sequence[str]
    sync_free: Sequence[str]
    allowed_regions: Sequence[str]
    accepted: bool
    waits: Sequence[Mapping[str, object]]
    gives: Mapping[str, str]
    require_reason: bool
    ignore_noqa: bool
    baseline: PathLike
    jobs: int
    cache_dir: PathLike


def configurations_with(
    given: Mapping[str, object], config: PathLike | None, isolated: bool, folder: Path
) -> Configurations:
    """The configuration of each directory, in which the given settings take precedence over all others.

    Patterns and paths among them are relative to ``folder``, which is absolute. Raises SettingsError.
    """
    if config is not None and isolated:
        raise SettingsError("`isolated` ignores configuration files, `config` names one: pass only one of them")
    file = Path(folder, config) if config is not None else None
    if file is not None and not file.is_file():
        raise SettingsError(f"config: there is no file {str(file)!r}")
    values = _values(given, ValueSource(folder, confined=False))
    with configuration_errors():
        return Configurations(values, None, file, isolated)


@contextmanager
def configuration_errors() -> Iterator[None]:
    """Turn errors in a configuration into a SettingsError."""
    try:
        yield
    except ConfigurationError as error:
        raise SettingsError(str(error)) from None


def _values(given: Mapping[str, object], place: ValueSource) -> dict[str, Any]:
    known = {setting.field: setting for setting in settings() if setting.field not in OF_THE_COMMAND}
    values: dict[str, Any] = {}
    for name, value in given.items():
        setting = known.get(name)
        if setting is None:
            raise SettingsError(f"unknown setting {name!r}{nearest(name, list(known)) or '; docs/api.md lists them'}")
        plain = os.fspath(value) if isinstance(value, os.PathLike) else value
        try:
            values[name] = setting.kind.read(dict(plain) if isinstance(plain, Mapping) else plain, place)
        except WrongValueError as error:
            raise SettingsError(f"{name}: {error}") from None
    return values
