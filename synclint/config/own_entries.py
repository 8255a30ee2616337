"""What a project says of its own functions: entries of the catalogue that stand in its configuration.

They are data and nothing else: which calls wait, and what calls and attributes give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from synclint.catalog.entries import Catalog, Condition, Entry, load_catalog, with_own
from synclint.config.kinds import Kind, Shape, ValueSource, WrongValueError
from synclint.findings import Confidence
from synclint.spelling import nearest

_NAME = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+"
_CALLABLE = re.compile(_NAME)
_GIVES = re.compile(rf"{_NAME}(\(\))?")
_KEYS = ("calls", "rule", "parameters", "when", "subject", "summary", "instead", "confidence")
_CONFIDENCES = tuple(level.value for level in Confidence)

# The kinds that the help names; the grammar of catalog/torch_api.py allows more.
_KINDS = (
    "Tensor", "device-tensor", "cpu-tensor", "int", "float", "bool", "number", "str", "None", "dtype", "device",
    "Size", "array", "any",
)  # fmt: skip
_KIND = re.compile(r"[A-Za-z_][\w.-]{0,80}(\[.{1,200}\])?\??(\|.{1,200})?")

_EXPECTED_WAITS = "a list of tables, such as {calls = ['ours.fetch_scalar'], rule = 'SYN201', when = ['device value']}"
_EXPECTED_GIVES = "a table from names to kinds, such as {'ours.Batch.size' = 'device-tensor', 'ours.load()' = 'int'}"


def _waits(value: object, place: ValueSource) -> tuple[Entry, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(table, dict) for table in value):
        raise WrongValueError(f"expected {_EXPECTED_WAITS}")
    entries = tuple(map(_entry, value))
    ids = [entry.id for entry in entries]
    for entry in entries:
        if ids.count(entry.id) > 1:
            raise WrongValueError(f"{entry.calls[0]} is named by two tables; give its conditions as alternatives")
    return entries


def _entry(table: Mapping[str, Any]) -> Entry:
    for key in table:
        if key not in _KEYS:
            hint = nearest(key, _KEYS) or f"; the keys are {', '.join(_KEYS)}"
            raise WrongValueError(f"unknown key {key!r}{hint}")
    calls = _texts(table, "calls")
    for name in calls:
        if not _CALLABLE.fullmatch(name):
            raise WrongValueError(f"calls: expected qualified names such as 'ours.fetch_scalar', but got {name!r}")
    if not calls:
        raise WrongValueError("a table needs `calls`: the qualified names of the functions that wait")
    code, mechanism = _rule(table)
    parameters = _texts(table, "parameters")
    when = _conditions(table)
    deciding = when[0][0].argument if when and when[0] else parameters[0] if parameters else "input"
    last = calls[0].rpartition(".")[2]
    confidence = _text(table, "confidence", "high")
    if confidence not in _CONFIDENCES:
        raise WrongValueError(f"confidence: expected one of {', '.join(_CONFIDENCES)}, but got {confidence!r}")
    return Entry(
        id=f"own:{calls[0]}",
        mechanism=mechanism,
        summary=_text(table, "summary", f"`{last}` makes the host wait"),
        because="The configuration of the project says so.",
        instead=_text(table, "instead", ""),
        calls=calls,
        parameters=parameters,
        when=when,
        subject=_text(table, "subject", deciding),
        confidence=confidence,
        rule=code,
    )


def _rule(table: Mapping[str, Any]) -> tuple[str, str]:
    """The code and the mechanism of the rule that reports an entry."""
    from synclint.rules.own import OWN
    from synclint.rules.selectors import UnknownRuleError, find_rule

    named = _text(table, "rule", "")
    if not named:
        raise WrongValueError("a table needs `rule`: the rule that reports it, such as 'SYN201'")
    try:
        found = find_rule(named)
    except UnknownRuleError as error:
        raise WrongValueError(str(error)) from None
    if found.code in OWN:
        raise WrongValueError(f"rule: {found.code} is not a rule about waits")
    return found.code, found.mechanism


def _conditions(table: Mapping[str, Any]) -> tuple[tuple[Condition, ...], ...]:
    given = table.get("when", [])
    if isinstance(given, list) and given and isinstance(given[0], str):
        given = [given]
    is_nested = isinstance(given, list) and all(isinstance(group, list) for group in given)
    if not is_nested or not all(isinstance(text, str) for group in given for text in group):
        raise WrongValueError("when: expected a list of conditions, or a list of alternatives that are such lists")
    try:
        return tuple(tuple(map(Condition.parse, group)) for group in given)
    except ValueError as error:
        raise WrongValueError(f"when: {error}") from None


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = table.get(key, [])
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise WrongValueError(f"{key}: expected a list of strings")
    return tuple(given)


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    given = table.get(key, default)
    if not isinstance(given, str):
        raise WrongValueError(f"{key}: expected a string")
    return given


def _gives(value: object, place: ValueSource) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise WrongValueError(f"expected {_EXPECTED_GIVES}")
    for name, kind in value.items():
        if not _GIVES.fullmatch(name):
            wanted = "'ours.Batch.size' for an attribute or 'ours.load()' for a call"
            raise WrongValueError(f"expected a qualified name such as {wanted}, but got {name!r}")
        if not isinstance(kind, str) or not _KIND.fullmatch(kind):
            raise WrongValueError(f"{name}: expected a kind such as {', '.join(_KINDS[:4])}, but got {kind!r}")
        if kind.isidentifier() and kind not in _KINDS:
            raise WrongValueError(f"{name}: there is no kind {kind!r}{nearest(kind, _KINDS)}")
    return tuple(value.items())


_STRING = {"type": "string", "minLength": 1}
_STRINGS = {"type": "array", "items": _STRING}

WAITS = Kind(
    _EXPECTED_WAITS,
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "calls": {**_STRINGS, "minItems": 1},
                "rule": _STRING,
                "parameters": _STRINGS,
                "when": {"type": "array", "items": {"anyOf": [_STRING, _STRINGS]}},
                "subject": _STRING,
                "summary": _STRING,
                "instead": {"type": "string"},
                "confidence": {"type": "string", "enum": list(_CONFIDENCES)},
            },
            "required": ["calls", "rule"],
            "additionalProperties": False,
        },
    },
    _waits,
    Shape.TABLES,
)
GIVES = Kind(
    _EXPECTED_GIVES,
    {"type": "object", "additionalProperties": _STRING},
    _gives,
    Shape.PAIRS,
    "NAME=KIND",
)


def as_table(entry: Entry) -> dict[str, object]:
    """An entry as a configuration file has it."""
    when = [[_condition(condition) for condition in group] for group in entry.when]
    table: dict[str, object] = {
        "calls": list(entry.calls),
        "rule": entry.rule,
        "parameters": list(entry.parameters),
        "when": when[0] if len(when) == 1 else when,
        "subject": entry.subject,
        "summary": entry.summary,
        "instead": entry.instead,
        "confidence": entry.confidence,
    }
    return {key: value for key, value in table.items() if value}


def _condition(condition: Condition) -> str:
    words = (condition.predicate, condition.argument, condition.value)
    return " ".join(word for word in words if word is not None)


@cache
def catalog_with(waits: tuple[Entry, ...], gives: tuple[tuple[str, str], ...]) -> Catalog:
    """The catalogue, with what a project says of its own functions."""
    return with_own(load_catalog(), waits, gives) if waits or gives else load_catalog()
