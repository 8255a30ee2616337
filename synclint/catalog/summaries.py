"""What waits inside the calls of libraries, as ``scripts/summarize_libraries.py`` has found it in their sources.

Each library has a file of its own, which is read when a checked file imports the library.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SUMMARIES = Path(__file__).parent / "summaries"
# What is said of a call that waits inside a library begins so.
WAITS_INSIDE = "a call that waits inside "
# The constructs of what waits there begin so, and go on with the mechanism.
INNER = "inner-"


# An argument that is true while a model trains.
OF_MODE = "self.training"
# Said of an argument that is copied to the device in the call, where it may be already.
ON_HOST = " on the host"
_ANYHOW = ", whatever {}it is given"
_ASKS = re.compile(r", which ((?:`[^`]+`(?: on the host)?(?: and )?)+)(?: of the object)? asks? for$")
_ARGUMENT = re.compile(rf"`(\w+)(?:=([^`]*))?`({ON_HOST})?")


def anyhow(*, is_given: bool) -> str:
    """What is said of a wait that no argument avoids, unless it is one for a tensor that ``is_given``."""
    return _ANYHOW.format("else " if is_given else "")


def is_anyhow(told: str) -> bool:
    """Whether no argument avoids a wait, by what is said of it."""
    return told.endswith((anyhow(is_given=True), anyhow(is_given=False)))


def clause_of_arguments(arguments: Sequence[str], *, of_object: bool) -> str:
    """What is said of a wait that these arguments ask for, as ``size=None``; the object was made with them, or not."""
    unique = list(dict.fromkeys(arguments))
    if not unique:
        return ""
    whose = " of the object" if of_object else ""
    return f", which {' and '.join(map(_quoted, unique))}{whose} {'asks' if len(unique) == 1 else 'ask'} for"


def _quoted(argument: str) -> str:
    name = argument.removesuffix(ON_HOST)
    return f"`{name}`{argument[len(name) :]}"


def other_argument(told: str) -> str:
    """What to pass instead of the first argument that asks for a wait, by what is said of it; empty where none does."""
    clause = _ASKS.search(told)
    argument = _ARGUMENT.search(clause[1]) if clause is not None else None
    if clause is None or argument is None or argument[2] == OF_MODE:
        return ""
    name, value = argument[1], argument[2]
    if argument[3]:
        return f"pass `{name}` as a tensor that is on the device already"
    if value is None:
        return f"leave out `{name}`"
    opposite = {"None": f"`{name}`", "True": f"`{name}=False`", "False": f"`{name}=True`"}.get(value)
    made = "make the object with" if " of the object " in clause[0] else "pass"
    return f"{made} {opposite or f'another `{name}`'}"


# What may be asked of a parameter, as summaries write it behind the parameter's name.
# Before the name of a parameter of the constructor of the object whose method is called.
SETTING = "self."
_PLACES = ("on the CPU", "not on the device")
_KINDS = ("is not None", "is None", "true", "false", "a tensor", "no tensor", *_PLACES, "==", "!=")


class Need(NamedTuple):
    """What a parameter has to be for a place in a function to be reached: ``==`` and ``!=`` are about a ``literal``.

    A parameter with ``SETTING`` before it is one of the constructor of the object whose method is called. Of a tensor
    it may be asked where it has to be for the place to wait: "on the CPU" asks for a tensor there, "not on the device"
    for anything else than one elsewhere.
    """

    parameter: str
    kind: str
    literal: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, self))

    @staticmethod
    def parse(text: str) -> Need:
        """Read what ``str`` has written."""
        parameter, _, rest = text.partition(" ")
        kind = next(kind for kind in _KINDS if rest == kind or rest.startswith(f"{kind} "))
        return Need(parameter, kind, rest[len(kind) + 1 :])

    @property
    def is_about_place(self) -> bool:
        """Whether it is asked where a tensor is."""
        return self.kind in _PLACES

    def accepts(self, value: object) -> bool:
        """Whether a value that is no tensor is what is asked for."""
        if self.is_about_place:
            return self.kind == "not on the device"
        if self.kind in ("is None", "is not None"):
            return (value is None) is (self.kind == "is None")
        if self.kind in ("a tensor", "no tensor"):
            return self.kind == "no tensor"
        if self.kind in ("true", "false"):
            return bool(value) is (self.kind == "true")
        return (value == literal_eval(self.literal)) is (self.kind == "==")


class InnerWait(NamedTuple):
    """A wait inside a call: the ``code`` that waits and its place in the library, and by which mechanism it does.

    It happens if one of the parameters ``of`` is given a tensor on the device, or without any if the object's own state
    is there, or whatever it is given if it is explicit, and if all ``needs`` are fulfilled. ``verified`` says that it
    was seen when the call was run on the simulated device, and is false for what was not run. ``since`` is the first of
    the releases that were compared in which it happens, None for the oldest, ``until`` the last of them, None for the
    newest.
    """

    code: str
    place: str
    mechanism: str
    of: tuple[str, ...]
    needs: tuple[Need, ...]
    verified: bool
    since: str | None
    until: str | None


class FunctionSummary(NamedTuple):
    """A public function or method of a library: its parameters in order, without a receiver, and what waits in it.

    ``defaults`` are the literals that those parameters have by default on which it depends.
    """

    parameters: tuple[str, ...]
    defaults: Mapping[str, str]
    waits: tuple[InnerWait, ...]


class LibrarySummary:
    """What the public functions of a library return, and which of them wait, in one ``version`` of a ``distribution``.

    Functions are known by their qualified names and their aliases, and read when they are asked for.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.distribution: str = document["library"].lower().replace("_", "-")
        self.version: str = document["version"]
        self.functions: Mapping[str, Mapping[str, Any]] = document["functions"]
        self.returns: Mapping[str, str] = document["returns"]
        self._aliases: Mapping[str, str] = document["aliases"]
        self._modules = frozenset(document["modules"])
        self._constructors: Mapping[str, list[str]] = document.get("constructors", {})
        self._bases: dict[str, str] = {
            name: base for base, names in document.get("classes", {}).items() for name in names.split()
        }
        self._read: dict[str, FunctionSummary] = {}

    def known_as(self, name: str) -> str:
        """The name under which the catalogue describes a class, or a method of a class, whose last name says which.

        The names of a library's models are its own, wherever it exports them.
        """
        owner, _, last = name.rpartition(".")
        if last in self._bases:
            return self._bases[last]
        base = self._bases.get(owner.rpartition(".")[2])
        return f"{base}.{last}" if base is not None else name

    def is_module(self, name: str) -> bool:
        """Whether a class has state that is on the CPU until its object is moved, and something waits for it."""
        return self._meant(name) in self._modules

    def constructor(self, name: str) -> Sequence[str]:
        """The parameters of the constructor of a class, in order, if what waits in its methods depends on them."""
        return self._constructors.get(self._meant(name), ())

    def returned(self, name: str) -> str | None:
        """The kind of what a function or method returns; None where nothing is known of it."""
        return self.returns.get(self._meant(name))

    def waiting(self, name: str) -> FunctionSummary | None:
        """What waits in a function or method; None where nothing does."""
        meant = self._meant(name)
        table = self.functions.get(meant)
        if table is None:
            return None
        known = self._read.get(meant)
        if known is None:
            waits = tuple(map(_wait, table["waits"]))
            known = FunctionSummary(tuple(table["parameters"]), table.get("defaults", {}), waits)
            self._read[meant] = known
        return known

    def _meant(self, name: str) -> str:
        """The qualified name of a function, of a class, or of a method of a class that is named by an alias."""
        if name in self.functions or name in self.returns:
            return name
        if name in self._aliases:
            return self._aliases[name]
        owner, _, last = name.rpartition(".")
        return f"{self._aliases[owner]}.{last}" if owner in self._aliases else name


# What is known of a package, None where nothing is.
SummaryOf = Callable[[str], LibrarySummary | None]


@cache
def summarized() -> frozenset[str]:
    """The packages of which there are summaries, by the names under which they are imported."""
    return frozenset(path.stem for path in SUMMARIES.glob("*.json"))


@cache
def summary_of(package: str) -> LibrarySummary | None:
    """What the shipped summary of a package tells, None where there is none."""
    import json

    if package not in summarized():
        return None
    return LibrarySummary(json.loads((SUMMARIES / f"{package}.json").read_bytes()))


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
        tuple(map(Need.parse, table.get("needs", ()))),
        table.get("verified", False),
        table.get("since"),
        table.get("until"),
    )
