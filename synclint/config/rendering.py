"""The values of settings as people write them."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path

from synclint.catalog.entries import Entry
from synclint.config.kinds import ContractName, RegionName, Shape
from synclint.config.options import Setting
from synclint.config.own_entries import as_table
from synclint.config.patterns import PathPattern


def written(setting: Setting, value: object) -> object:
    """The value of a setting as a configuration file gives it: strings, numbers, lists and tables."""
    if setting.kind.shape is Shape.PAIRS and isinstance(value, tuple):
        return {_plain(key): _plain(inner) for key, inner in value}
    return _plain(value)


def toml(setting: Setting, value: object) -> str:
    """The value of a setting as TOML has it."""
    return _toml(written(setting, value))


def _plain(value: object) -> object:
    if isinstance(value, Entry):
        return as_table(value)
    if isinstance(value, PathPattern):
        return value.text
    if isinstance(value, (ContractName, RegionName)):
        return str(value)
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_text(key)} = {_toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


def _text(text: str) -> str:
    # Basic strings of TOML take the escapes of JSON.
    return json.dumps(text, ensure_ascii=False)
