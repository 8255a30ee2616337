"""What waits inside the calls of libraries, as ``scripts/summarize_libraries.py`` has found it in their sources.

Each library has a file of its own, which is read when a checked file imports the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SUMMARIES = Path(__file__).parent / "summaries"
# What is said of a call that waits inside a library begins so.
WAITS_INSIDE = "a call that waits inside "


class InnerWait(NamedTuple):
    """A wait inside a call: the ``code`` that waits and its place in the library, and by which mechanism it does.

    It happens if one of the parameters ``of`` is given a tensor on the device, or without any if the object's own state
    is there, and if those in ``defaults`` have the values that are written there. ``verified`` says that it was seen
    when the call was run on the simulated device, and is false for what was not run.
    """

    code: str
    place: str
    mechanism: str
    of: tuple[str, ...]
    defaults: tuple[tuple[str, str], ...]
    verified: bool


class FunctionSummary(NamedTuple):
    """A public function or method of a library: its parameters in order, without a receiver, and what waits in it."""

    parameters: tuple[str, ...]
    waits: tuple[InnerWait, ...]


class LibrarySummary(NamedTuple):
    """A library, as of a ``version``: its public functions that wait, by their qualified names and their aliases.

    ``modules`` are the classes among them whose state is on the CPU until the object is moved.
    """

    library: str
    version: str
    functions: Mapping[str, FunctionSummary]
    modules: frozenset[str]


@cache
def summarized() -> frozenset[str]:
    """The packages of which there are summaries, by the names under which they are imported."""
    return frozenset(path.stem for path in SUMMARIES.glob("*.json"))


@cache
def summary_of(package: str) -> LibrarySummary | None:
    """What is known of a package, None where nothing is."""
    import json

    if package not in summarized():
        return None
    return summary_from(json.loads((SUMMARIES / f"{package}.json").read_bytes()))


def summary_from(document: Mapping[str, Any]) -> LibrarySummary:
    """A summary from its file."""
    functions = {
        name: FunctionSummary(tuple(table["parameters"]), tuple(map(_wait, table["waits"])))
        for name, table in document["functions"].items()
    }
    owners: dict[str, list[tuple[str, FunctionSummary]]] = {}
    for name, function in functions.items():
        owner, _, last = name.rpartition(".")
        owners.setdefault(owner, []).append((last, function))
    for alias, meant in document["aliases"].items():
        if meant in functions:
            functions[alias] = functions[meant]
        for last, function in owners.get(meant, ()):
            functions[f"{alias}.{last}"] = function
    modules = {*document["modules"]}
    modules |= {alias for alias, meant in document["aliases"].items() if meant in modules}
    return LibrarySummary(document["library"], document["version"], functions, frozenset(modules))


def written(document: Mapping[str, Any]) -> str:
    """The text of a summary's file: each function on a line of its own, so that releases can be compared."""
    import json

    lines: list[str] = []
    for key, value in document.items():
        if isinstance(value, dict):
            rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items()]
            lines.append(f" {json.dumps(key)}: {{\n" + ",\n".join(rows) + "\n }")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _wait(table: Mapping[str, Any]) -> InnerWait:
    return InnerWait(
        table["code"],
        table["place"],
        table["mechanism"],
        tuple(table.get("of", ())),
        tuple(table.get("defaults", {}).items()),
        table.get("verified", False),
    )
