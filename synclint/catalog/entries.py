"""The hand-written catalogue of what makes the host wait: ``sync/*.toml`` and ``libraries/*.toml``.

An entry describes one construct: the calls that reach it (or none, for syntax that the
interpreter recognizes itself), the conditions under which the host waits, and from and until
which release it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from synclint.catalog.tables import entry_tables
from synclint.plugins.discovery import PluginError
from synclint.plugins.loading import catalog_tables as added_tables

MECHANISMS = frozenset(
    {
        "scalar-read",
        "device-to-host-copy",
        "host-to-device-copy",
        "data-dependent-shape",
        "error-check",
        "control-flow",
        "explicit",
        "input-pipeline",
    }
)

PREDICATES = frozenset(
    {
        "device",
        "cpu",
        "tensor",
        "number",
        "host",
        "given",
        "absent",
        "is",
        "not",
        "is-a",
        "not-a",
        "mask",
        "integer",
        "complex",
        "cpu-scalar",
        "not-scalar",
        "matrix",
        "contains",
        "accelerator",
        "held",
        "no-tensor",
        "known",
        "unsettled",
        "untold",
    }
)


@dataclass(frozen=True)
class Condition:
    """One clause of an entry's ``when``; all of them must hold for the host to wait.

    ``predicate argument [value]``, where ``argument`` is a parameter's name (``input`` is also the
    receiver of a method):

    * ``device a``: ``a`` is a tensor that is not known to be on the CPU, or a list holding one
    * ``cpu a``: ``a`` is a tensor known to be on the CPU
    * ``tensor a``: ``a`` is a tensor, wherever it is
    * ``held a``: ``a`` is a tensor that a module holds, which moves along with it
    * ``number a``: ``a`` is a Python number
    * ``host a``: ``a`` is a number, a string, a list without tensors, or a NumPy array, or one of these or a tensor
    * ``contains a``: ``a`` is a list or tuple in which at least one element is a device tensor
    * ``given a`` / ``absent a``: ``a`` is passed and not None / is not passed or is None
    * ``is a v`` / ``not a v``: ``a``, or its default where not passed, equals / differs from the literal ``v``
    * ``is-a a c``: ``a`` is known to be an object of the class that the literal ``c`` names, or of one derived from it
    * ``not-a a c``: ``a`` is not known to be such an object
    * ``mask a`` / ``integer a`` / ``complex a``: ``a`` is a tensor of booleans / of integers / complex
    * ``cpu-scalar a``: ``a`` is a tensor on the CPU that is known to have no dimensions
    * ``not-scalar a``: ``a`` is a tensor that is not known to have no dimensions
    * ``matrix a``: ``a`` is a tensor that is known to have two dimensions, and not known to be on the CPU
    * ``no-tensor a``: ``a`` is not known to be always a tensor, to hold one or to be empty
    * ``accelerator a``: ``a`` is a device (or a string) that is given and not known to be the CPU

    * ``known a``: ``a`` is passed, and something is known about it except that it may be None
    * ``unsettled a``: ``a`` is passed and may be true as well as false: usually a setting
    * ``untold a``: ``a`` is passed and nothing at all is known about it: a setting from elsewhere

    Each of them looks at the contents of a list or tuple (``mask indices`` of ``index_put_``). ``a.b`` is what the
    object ``a`` was constructed with: ``self.momentum`` the receiver's, ``optimizer.fused`` an argument's; ``a.b.c``
    is what that was constructed with. Of a dictionary it is what stands under that key.
    An argument that a function does not have is not passed, and equals only None.
    """

    predicate: str
    argument: str
    value: str | None = None

    @staticmethod
    def parse(text: str) -> Condition:
        """Read a clause. Raises ValueError, which explains what is wrong with it."""
        words = text.split(maxsplit=2)
        if len(words) < 2 or words[0] not in PREDICATES:
            raise ValueError(f"{text!r} is not a condition; it starts with one of {', '.join(sorted(PREDICATES))}")
        if (words[0] in ("is", "not", "is-a", "not-a")) != (len(words) == 3):
            raise ValueError(f"{text!r}: 'is', 'not', 'is-a' and 'not-a' take a value, the other predicates take none")
        return Condition(words[0], words[1], words[2] if len(words) == 3 else None)


@dataclass(frozen=True)
class Entry:
    """One construct that makes the host wait.

    ``when`` lists alternatives, each a conjunction of conditions: the host waits if one of them holds.
    ``case`` is a line of code that waits and ``free`` are lines like it that do not; both run over the
    names that ``synclint.verify.vocabulary`` defines. ``covers`` are the numbers of the reference list's
    entries that this one represents. ``parameters`` are the names of the calls' parameters in order, without the
    receiver, where ``torch_api.json`` does not know them. ``unless_overrides`` is a method of the receiver's
    class in which the host waits: a class of the project that overrides it is judged by its own method.
    ``switched_off_by`` is a function that turns the wait off for the whole program when it is called with False,
    ``switched_on_by`` what some of the project's code has to be seen to do, without which nothing waits.
    ``may_coincide`` are two arguments for which the host does not wait if they are the same object, as they are if both
    are the same name: if both are parameters of the function around the call, the confidence is low. ``instead`` is
    what to write instead,
    ``instead_for_actions`` where the value decides what the host does (leaves a loop, returns, calls something for its
    effect), ``instead_for_raise`` where an exception depends on it, ``instead_for_calls`` where the operand is itself a
    call, whose result no loader pins, and ``instead_for_lists`` where it is written out as a list; "{subject}" in them
    is the operand that decides.
    ``rule`` is the code of the rule that reports it where no rule lists the entry, as in a project's configuration.
    ``waits_in_turn`` says that a library waits in each turn of a loop that makes a result part by part.
    ``waits_in_steps`` says that a library waits in each step of a training, however seldom the call itself runs.
    ``prepares`` says that the call makes what many steps use again: outside of loops it is made once.
    ``later_in`` are the library's functions that wait later, under another line of the user's, for what the call has
    left there ("logger_connector/result.py:metrics"). ``in_batches`` are parameters that a batch has under these names
    as a rule: what is passed as ``**batch``, of which no names are known, gives them.
    """

    id: str
    mechanism: str
    summary: str
    because: str
    instead: str
    calls: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    when: tuple[tuple[Condition, ...], ...] = ()
    subject: str = "input"
    since: str | None = None
    until: str | None = None
    library: str | None = None
    confidence: str = "high"
    case: str | None = None
    free: tuple[str, ...] = ()
    setup: str = ""
    unless_overrides: str | None = None
    switched_off_by: str | None = None
    switched_on_by: str | None = None
    may_coincide: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    instead_for_actions: str = ""
    instead_for_raise: str = ""
    instead_for_calls: str = ""
    instead_for_lists: str = ""
    rule: str = ""
    waits_in_steps: bool = False
    waits_in_turn: bool = False
    prepares: bool = False
    later_in: tuple[str, ...] = ()
    in_batches: tuple[str, ...] = ()


@dataclass(frozen=True)
class LibraryClass:
    """A class of a library that users call: what it is and what its methods return.

    ``methods`` are the kinds of what they give, "self" for another object of the class that they are called on.
    ``parameters`` are those of the constructor that entries ask about, in order; behind "*" they are passed by name.
    """

    name: str
    parameters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    methods: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Catalog:
    """The contents of all hand-written files.

    ``gives`` is what a project's configuration declares about the kinds of attributes (``ours.Batch.size``) and of
    results of calls (``ours.load()``), by their qualified names.
    """

    entries: tuple[Entry, ...]
    classes: dict[str, LibraryClass]
    functions: dict[str, str]
    gives: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """Entries by their id."""
        return {entry.id: entry for entry in self.entries}

    def handed_on(self, name: str) -> str:
        """A class or function as a package hands it on that is named where it is defined: ``torchmetrics.Accuracy``.

        For ``torchmetrics.classification.accuracy.Accuracy``; `name` itself where no package above is known to have it.
        """
        if name not in self._handed_on:
            path, _, last = name.rpartition(".")
            above = (path.rsplit(".", count)[0] for count in range(1, path.count(".") + 1))
            full = (f"{package}.{last}" for package in above)
            known = (one for one in full if one in self.classes or one in self._library_calls)
            is_known = name in self.classes or name in self.functions or name in self.calls
            self._handed_on[name] = name if is_known else next(known, name)
        return self._handed_on[name]

    @cached_property
    def _handed_on(self) -> dict[str, str]:
        return {}

    @cached_property
    def _library_calls(self) -> frozenset[str]:
        return frozenset(name for entry in self.entries if entry.library is not None for name in entry.calls)

    @cached_property
    def waiting_in_steps(self) -> frozenset[str]:
        """The ids of the entries for calls by which a library waits in each step."""
        return frozenset(entry.id for entry in self.entries if entry.waits_in_steps)

    @cached_property
    def waiting_in_turn(self) -> frozenset[str]:
        """The ids of the entries for calls that make a result part by part, and wait for each part."""
        return frozenset(entry.id for entry in self.entries if entry.waits_in_turn)

    @cached_property
    def preparing(self) -> frozenset[str]:
        """The ids of the entries for calls that make what many steps use again."""
        return frozenset(entry.id for entry in self.entries if entry.prepares)

    @cached_property
    def calls(self) -> frozenset[str]:
        """The calls of all entries, of whichever release."""
        return frozenset(name for entry in self.entries for name in entry.calls)


def _entry(table: Mapping[str, Any], library: str | None, where: str) -> Entry:
    try:
        alternatives = table.get("when", [])
        if alternatives and isinstance(alternatives[0], str):
            alternatives = [alternatives]
        when = tuple(tuple(Condition.parse(text) for text in group) for group in alternatives)
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items() if key != "when"
        }
        entry = Entry(when=when, library=library, **fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}, entry {table.get('id', '?')}: {error}") from None
    if entry.mechanism not in MECHANISMS:
        raise ValueError(f"{where}, entry {entry.id}: unknown mechanism {entry.mechanism!r}")
    return entry


@cache
def load_catalog() -> Catalog:
    """The catalogue that ships with synclint, with what installed packages add to it.

    Raises PluginError if one of them adds something that is not well formed.
    """
    added = added_tables()
    for path, document in added.items():
        _check_shape(path, document)
    try:
        return catalog_of({**entry_tables(), **added})
    except ValueError as error:
        if not added:
            raise
        raise PluginError(str(error)) from None


def _check_shape(path: str, document: Mapping[str, Any]) -> None:
    """Make sure of what only files that nobody has tested lack. Raises PluginError."""
    try:
        catalog_of({path: document})
    except ValueError as error:
        raise PluginError(str(error)) from None
    except (TypeError, KeyError, AttributeError) as error:
        raise PluginError(f"{path}: a table is not a valid catalogue entry: {error}") from None


def with_own(catalog: Catalog, waits: Iterable[Entry], gives: Iterable[tuple[str, str]]) -> Catalog:
    """A catalogue with what a project declares about its own functions, which takes precedence."""
    return replace(catalog, entries=(*catalog.entries, *waits), gives=dict(gives))


def catalog_of(tables: Mapping[str, Mapping[str, Any]]) -> Catalog:
    """The catalogue made from parsed files, by their paths.

    Raises ValueError, naming file and entry, for an entry that is not well formed or an id that
    is defined twice.
    """
    entries: dict[str, Entry] = {}
    classes: dict[str, LibraryClass] = {}
    functions: dict[str, str] = {}
    for path, document in tables.items():
        library = document.get("library")
        for entry in (_entry(table, library, path) for table in document.get("entry", [])):
            if entry.id in entries:
                raise ValueError(f"{path}: catalogue id {entry.id!r} is defined twice")
            entries[entry.id] = entry
        for table in document.get("class", []):
            known = LibraryClass(
                table["name"],
                tuple(table.get("parameters", ())),
                tuple(table.get("aliases", ())),
                tuple(table.get("bases", ())),
                table.get("methods", {}),
                table.get("attributes", {}),
            )
            for name in (known.name, *known.aliases):
                classes[name] = known
        functions.update(document.get("functions", {}))
    return Catalog(tuple(entries.values()), classes, functions)
