"""The kinds of values that settings take: what is allowed, its JSON Schema, and how a value is read.

A value arrives as TOML has it, or as text from the command line. Reading it gives the immutable value
that the program works with, or a ``WrongValueError`` that says what is allowed instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from synclint.config.patterns import PathPattern
from synclint.findings import Confidence, Phase, Severity
from synclint.spelling import nearest

_VERSION = r"^[0-9]{1,9}(\.[0-9]{1,9})*([-+.]?[A-Za-z][A-Za-z0-9.+-]*)?$"


# The environment that the user's shell has activated.
ACTIVE = "active"
ALL_PHASES = "all"
_PHASE_WORDS = (*(phase.value for phase in Phase), ALL_PHASES)
_THERE_ARE = f"; choose one of {', '.join(_PHASE_WORDS)}"


class WrongValueError(ValueError):
    """A value that a setting does not take; the message says why, and what is allowed."""


class _UnexpectedError(ValueError):
    """The part of a value that is not of the kind that is allowed."""

    def __init__(self, part: object) -> None:
        super().__init__(_shortened(part))


def _shortened(part: object) -> str:
    try:
        text = repr(part)
    except ValueError:  # Python does not write numbers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else f"{text[:57]}..."


class Shape(Enum):
    """How a kind of value is written on the command line, where lists of tables cannot be given."""

    FLAG = "flag"
    ONE = "one"
    LIST = "list"
    PAIRS = "pairs"
    TABLES = "tables"


@dataclass(frozen=True)
class ValueSource:
    """Where a value was written.

    ``folder`` is the directory that its patterns and paths are relative to. A file that came with a project
    is ``confined``: its paths may not lead out of that directory.
    """

    folder: Path
    confined: bool


@dataclass(frozen=True)
class Kind:
    """One kind of value.

    ``allowed`` completes "expected …" and ``convert`` reads a value. On the command line ``metavar`` stands
    for it in the help, and ``separator`` between the two halves of a pair.
    """

    allowed: str
    schema: Mapping[str, Any]
    convert: Callable[[object, ValueSource], object]
    shape: Shape
    metavar: str = ""
    separator: str = "="

    def read(self, value: object, place: ValueSource) -> object:
        """The value as the program works with it. Raises WrongValueError."""
        try:
            return self.convert(value, place)
        except _UnexpectedError as error:
            raise WrongValueError(f"expected {self.allowed}, but got {error}") from None


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise _UnexpectedError(value)
    for item in value:
        if not isinstance(item, str) or not item.strip():
            raise _UnexpectedError(item)
    return tuple(value)


def _boolean(value: object, place: ValueSource) -> bool:
    if not isinstance(value, bool):
        raise _UnexpectedError(value)
    return value


def _positive(value: object, place: ValueSource) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _UnexpectedError(value)
    return value


def _rules(value: object, place: ValueSource) -> tuple[str, ...]:
    from synclint.rules.loading import all_rules
    from synclint.rules.selectors import UnknownRuleError, select_rules

    selectors = _strings(value)
    try:
        select_rules(selectors, (), all_rules())
    except UnknownRuleError as error:
        raise WrongValueError(str(error)) from None
    return selectors


def _pattern(text: str, place: ValueSource) -> PathPattern:
    pattern = PathPattern(text, place.folder)
    if not pattern.is_valid():
        raise WrongValueError(f"{text!r} is not a pattern")
    return pattern


def _patterns(value: object, place: ValueSource) -> tuple[PathPattern, ...]:
    return tuple(_pattern(text, place) for text in _strings(value))


def _rules_by_pattern(value: object, place: ValueSource) -> tuple[tuple[PathPattern, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise _UnexpectedError(value)
    return tuple((_pattern(text, place), _rules(rules, place)) for text, rules in value.items())


def _names(value: object, place: ValueSource) -> tuple[str, ...]:
    found = _strings(value)
    for text in found:
        if ":" in text:  # as `sync-free` names functions; it would never match
            raise WrongValueError(f"{text!r} is no qualified name: write {text.replace(':', '.')!r}")
    return found


@dataclass(frozen=True)
class ContractName:
    """A function as ``sync-free`` names it: by its ``module`` and its qualified name; ``folder`` is where to look."""

    module: str
    function: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.module}:{self.function}"


def _contracts(value: object, place: ValueSource) -> tuple[ContractName, ...]:
    found: list[ContractName] = []
    for text in _strings(value):
        module, colon, function = text.strip().partition(":")
        if not colon or not all(part.isidentifier() for part in (*module.split("."), *function.split("."))):
            raise WrongValueError(f"{text!r} does not name a function: expected 'package.module:Class.method'")
        found.append(ContractName(module, function, place.folder))
    return tuple(found)


@dataclass(frozen=True)
class RegionName:
    """Context managers as ``allowed-regions`` names them: by a ``pattern`` for qualified names.

    ``folder`` is where the modules of the project are looked up.
    """

    pattern: str
    folder: Path

    def __str__(self) -> str:
        return self.pattern


def _regions(value: object, place: ValueSource) -> tuple[RegionName, ...]:
    return tuple(RegionName(text, place.folder) for text in _names(value, place))


def _version(value: object, place: ValueSource) -> str:
    if not isinstance(value, str) or not re.match(_VERSION, value):
        raise _UnexpectedError(value)
    return value


# Of PyTorch there is 2, and may be 3 before long; what is greater is a slip, such as 26 for 2.6.
_GREATEST_MAJOR = 3


def _torch_version(value: object, place: ValueSource) -> str:
    version = _version(value, place)
    if int(re.split(r"[.+-]|[a-z]", version, maxsplit=1)[0]) > _GREATEST_MAJOR:
        raise WrongValueError(f"there is no release {version!r} of PyTorch; expected one such as '2.6'")
    return version


def _torch_versions_by_pattern(value: object, place: ValueSource) -> tuple[tuple[PathPattern, str], ...]:
    if not isinstance(value, dict):
        raise _UnexpectedError(value)
    return tuple((_pattern(text, place), _torch_version(version, place)) for text, version in value.items())


def _severities(value: object, place: ValueSource) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, dict):
        raise _UnexpectedError(value)
    found: list[tuple[str, Severity]] = []
    for selector, word in value.items():
        _rules([selector], place)
        found.append((selector, SEVERITY.convert(word, place)))  # type: ignore[arg-type]
    return tuple(found)


def _versions(value: object, place: ValueSource) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise _UnexpectedError(value)
    return tuple((name, _version(version, place)) for name, version in value.items())


def _path(value: object, place: ValueSource) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise _UnexpectedError(value)
    path = place.folder / value
    # Path.resolve raises at links in a circle, realpath does not.
    if place.confined and not Path(os.path.realpath(path)).is_relative_to(place.folder.resolve()):
        raise WrongValueError(f"{value!r} leads out of the directory of the configuration file")
    return path


def _environment(value: object, place: ValueSource) -> Path:
    if value != ACTIVE:
        return _path(value, place)
    named = next(filter(None, map(os.environ.get, ("VIRTUAL_ENV", "CONDA_PREFIX"))), None)
    if named is None:
        raise WrongValueError("no environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX names one")
    return Path(named)


def _phases(value: object, place: ValueSource) -> tuple[Phase, ...]:
    words = _strings(value)
    for word in words:
        if word not in _PHASE_WORDS:
            raise WrongValueError(f"there is no phase {word!r}{nearest(word, _PHASE_WORDS) or _THERE_ARE}")
    if not words:
        raise _UnexpectedError(value)
    if ALL_PHASES in words:
        return tuple(Phase)
    return tuple(phase for phase in Phase if phase.value in words)


def _rule_schema() -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", "minLength": 1}}


def choice(words: Sequence[str], make: Callable[[str], object] = str) -> Kind:
    """One of a few words."""

    def read(value: object, place: ValueSource) -> object:
        if not isinstance(value, str):
            raise _UnexpectedError(value)
        if value not in words:
            raise WrongValueError(f"expected {allowed}, but got {value!r}{nearest(value, words)}")
        return make(value)

    allowed = f"one of {', '.join(map(repr, words))}"
    return Kind(allowed, {"type": "string", "enum": list(words)}, read, Shape.ONE, f"[{'|'.join(words)}]")


_STRINGS_SCHEMA = {"type": "array", "items": {"type": "string", "minLength": 1}}

BOOLEAN = Kind("true or false", {"type": "boolean"}, _boolean, Shape.FLAG)
POSITIVE = Kind("an integer of at least 1", {"type": "integer", "minimum": 1}, _positive, Shape.ONE, "N")
RULES = Kind("a list of rules: codes, code prefixes or names", _rule_schema(), _rules, Shape.LIST, "RULES")
PATTERNS = Kind("a list of patterns as in .gitignore", _STRINGS_SCHEMA, _patterns, Shape.LIST, "PATTERNS")
NAMES = Kind(
    "a list of patterns for qualified names, such as 'package.module.*'",
    {"type": "array", "items": {"type": "string", "pattern": "^[^:]+$"}},
    _names,
    Shape.LIST,
    "NAMES",
)
REGIONS = replace(NAMES, convert=_regions)
CONTRACTS = Kind(
    "a list of functions, such as 'package.module:Class.method'",
    {"type": "array", "items": {"type": "string", "pattern": r"^[\w.]+:[\w.]+$"}},
    _contracts,
    Shape.LIST,
    "NAMES",
)
PHASES = Kind(
    f"a list of at least one of {', '.join(map(repr, _PHASE_WORDS))}",
    {"type": "array", "items": {"type": "string", "enum": list(_PHASE_WORDS)}, "minItems": 1},
    _phases,
    Shape.LIST,
    "PHASES",
)
RULES_BY_PATTERN = Kind(
    "a table from patterns for files to lists of rules",
    {"type": "object", "additionalProperties": _rule_schema()},
    _rules_by_pattern,
    Shape.PAIRS,
    "PATTERN:RULE",
    ":",
)
TORCH_VERSION = Kind(
    "a release such as '2.6'", {"type": "string", "pattern": _VERSION}, _torch_version, Shape.ONE, "VERSION"
)
TORCH_VERSIONS_BY_PATTERN = Kind(
    "a table from patterns for files to releases",
    {"type": "object", "additionalProperties": {"type": "string", "pattern": _VERSION}},
    _torch_versions_by_pattern,
    Shape.PAIRS,
    "PATTERN:VERSION",
    ":",
)
VERSIONS = Kind(
    "a table from libraries to releases, such as {torchmetrics = '1.6'}",
    {"type": "object", "additionalProperties": {"type": "string", "pattern": _VERSION}},
    _versions,
    Shape.PAIRS,
    "LIBRARY=VERSION",
)
PATH = Kind(
    "a path below the directory of the configuration file",
    {"type": "string", "minLength": 1},
    _path,
    Shape.ONE,
    "PATH",
)
ENVIRONMENT = Kind(
    "'active', or the path of an interpreter or of an environment below the directory of the configuration file",
    {"type": "string", "minLength": 1},
    _environment,
    Shape.ONE,
    "PATH",
)
CONFIDENCE = choice([level.value for level in Confidence], Confidence)
SEVERITY = choice([level.value for level in Severity], Severity)
SEVERITIES = Kind(
    "a table from rules to 'info', 'warning' or 'error'",
    {"type": "object", "additionalProperties": {"type": "string", "enum": [level.value for level in Severity]}},
    _severities,
    Shape.PAIRS,
    "RULE=SEVERITY",
)
