"""Joins the summaries of several releases of a library: since which of them, and until which, a call waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MOST_WAITS = 4


def joined(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of the newest release, with what others tell; ``summaries`` are in the order of the releases.

    A wait is the same one where the same code of the same function waits for the same arguments. What waits in the
    oldest release has no ``since``, what waits in the newest no ``until``: others were not looked at. A wait that some
    release between two others does not have is told only from there on.
    """
    *older, newest = summaries
    functions = {name: {**row, "waits": [*row["waits"]]} for name, row in newest["functions"].items()}
    for name, row in functions.items():
        for at, wait in enumerate(row["waits"]):
            since = _since(wait, name, older, newest["version"])
            if since is not None:
                row["waits"][at] = {**wait, "since": since}
    gone: dict[tuple[str, Any], Mapping[str, Any]] = {}
    for before, after in zip(reversed(older), reversed(summaries[1:]), strict=True):
        for name, row in before["functions"].items():
            for wait in row["waits"]:
                key = (name, _identity(wait))
                if key in gone or _has(newest, name, wait) or _has(after, name, wait):
                    continue
                gone[key] = wait
                since = _since(wait, name, older[: older.index(before)], before["version"])
                own = functions.setdefault(name, {**row, "waits": []})
                told = {**wait, "until": before["version"]} | ({} if since is None else {"since": since})
                if own["parameters"] == row["parameters"] and len(own["waits"]) < 2 * _MOST_WAITS:
                    own["defaults"] = {**row.get("defaults", {}), **own.get("defaults", {})}
                    own["waits"].append(told)
    functions = {
        name: {key: value for key, value in row.items() if value or key in ("parameters", "waits")}
        for name, row in functions.items()
        if row["waits"]
    }
    aliases = {alias: meant for each in summaries for alias, meant in each["aliases"].items()}
    modules = sorted({name for each in summaries for name in each["modules"]})
    joint = {"functions": dict(sorted(functions.items())), "modules": modules, "aliases": dict(sorted(aliases.items()))}
    joint["constructors"] = {name: given for each in summaries for name, given in each["constructors"].items()}
    compared = {"compared": [each["version"] for each in older]} if older else {}
    return {**newest, **joint, **compared}


def _since(wait: Mapping[str, Any], name: str, older: Sequence[Mapping[str, Any]], version: str) -> str | None:
    """The first release from which on a wait is in all of them; None where that is the oldest."""
    first = version
    for summary in reversed(older):
        if not _has(summary, name, wait):
            return first
        first = summary["version"]
    return None


def _has(summary: Mapping[str, Any], name: str, wait: Mapping[str, Any]) -> bool:
    row = summary["functions"].get(name)
    return row is not None and any(_identity(one) == _identity(wait) for one in row["waits"])


def _identity(wait: Mapping[str, Any]) -> tuple[object, ...]:
    return wait["code"], tuple(wait.get("of", ())), tuple(wait.get("needs", ()))
