"""One run over the body of a function or a module: what it was given, what it rests on, and what it has shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.summaries import summary_key
from synclint.analysis.domain.values import UNKNOWN, ClassRecord, FunctionRecord, ModuleRecord, Value
from synclint.analysis.results.expression_facts import KeptValues
from synclint.analysis.results.facts import Region
from synclint.analysis.state.call_sites import CallSite, RawEvent
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.recording import SeenExpression
from synclint.findings import CallPlace

Field = tuple[ClassRecord, str]
# A run that is done more often, because it rests on itself, keeps what it has shown: values only grow from then on.
_FREE_RUNS = 4
_NOTHING_RECORDED = KeptValues()
MOST_TIMES = 12


class Mark(NamedTuple):
    """Something that a run has shown of a function, or of what is called so."""

    kind: MarkKind
    name: str = ""
    function: FunctionRecord | None = None


class MarkKind(Enum):
    """What marks tell.

    ``EXCLUDED``: the function is called where nothing ever runs. ``ON_UNKNOWN``: a method of this name is called on
    something that may be of any class. ``UNFOLLOWED``: not every call of the function could be followed. ``LOADED``: a
    loader runs it in its workers. ``HELD``: an object was made with it whose method of this ``name`` may call it.
    ``COLLATING``: a loader without workers calls it for each batch. ``CAPTURED``: it is recorded as a graph, by what
    ``name`` says. ``HOOKED``: steps run it from the place on that hands it to a module, as what ``name`` says.
    ``REGISTERED``: an engine calls it, in the phase that ``name`` says.
    ``SWITCHED``: this function turns waits off everywhere.
    """

    EXCLUDED = "excluded"
    ON_UNKNOWN = "called on something unknown"
    UNFOLLOWED = "unfollowed"
    LOADED = "loaded"
    HELD = "held"
    COLLATING = "collating"
    CAPTURED = "captured"
    HOOKED = "hooked"
    REGISTERED = "registered"
    SWITCHED = "switched"


def name_of_holder(method: FunctionRecord) -> str:
    """What names a method whose object is made with others, whichever text its file has."""
    return f"{method.module.real_path}:{method.qualified_name}"


@dataclass(slots=True)
class Use:
    """What one run made of another one: the value that it took for its result, and the calls by which it asked."""

    seen: Value
    sites: dict[int, CallSite] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Run:
    """One run over the body of a function, or of a module where there is no function.

    ``by_text`` tells that it was given what the function's own text says of its parameters, and nothing that a call
    gave, ``is_root`` that it is made whether anybody calls the function or not. ``demands`` are the arguments that
    callers give, by the runs that call. ``reads`` are the values that attributes of classes had when they were first
    read, ``bases`` how many subclasses were known of classes, ``globals`` the values of names at the top of modules,
    ``uses`` the runs whose results were taken; ``writes``, ``events``, ``calls``, ``unresolved`` and ``marks`` are what
    it has shown, where contracts ask ``opaque`` the calls that cannot be followed and ``regions`` those that accept
    waits, ``seen`` and ``recorded`` what expressions stood for in it where somebody asks; ``depth`` is how many calls
    led there first, ``surroundings`` what the scope around a function within another one held when it was called there,
    ``left`` what the call has left under names of that scope,
    ``memo_calls`` the calls by runs of an analysis whose values are gone. It ``is_followed`` unless only what is
    not known of the arguments of known calls leads there, and ``is_assumed`` if only runs lead there that were given
    what texts let assume. When it is done again, what it has
    shown is found anew. It ``is_due`` to be done again because what it is given has changed, and ``is_waiting`` where
    that will be in this round.
    """

    function: FunctionRecord | None
    module: ModuleRecord
    scope: Scope
    enclosing: tuple[Scope, ...] = ()
    on_trial: bool = False
    by_text: bool = False
    is_root: bool = False
    result: Value = UNKNOWN
    is_due: bool = False
    is_waiting: bool = False
    in_progress: bool = False
    is_dropped: bool = False
    times: int = 0
    depth: int = 0
    surroundings: Scope | None = None
    left: Scope = field(default_factory=dict)
    memo_calls: tuple[CallPlace, ...] = ()
    is_followed: bool = True
    is_assumed: bool = False
    demands: dict[Run, Scope] = field(default_factory=dict)
    reads: dict[Field, Value | None] = field(default_factory=dict)
    bases: dict[ClassRecord, int] = field(default_factory=dict)
    globals: dict[tuple[ModuleRecord, str], Value] = field(default_factory=dict)
    uses: dict[Run, Use] = field(default_factory=dict)
    writes: dict[Field, Value] = field(default_factory=dict)
    events: dict[tuple[int, str, bool], RawEvent] = field(default_factory=dict)
    calls: dict[tuple[FunctionRecord, int], CallSite] = field(default_factory=dict)
    unresolved: dict[tuple[str, int], CallSite] = field(default_factory=dict)
    opaque: dict[tuple[str, int], CallSite] = field(default_factory=dict)
    regions: dict[str, Region] = field(default_factory=dict)
    marks: set[Mark] = field(default_factory=set)
    seen: dict[int, SeenExpression] = field(default_factory=dict)
    recorded: KeptValues = _NOTHING_RECORDED

    @property
    def only_grows(self) -> bool:
        """Whether it has been done so often that what it has shown stays."""
        return self.times > _FREE_RUNS

    def use(self, other: Run, seen: Value, node: int, site: CallSite) -> Value:
        """Remember what was taken for the result of another run, first of all."""
        use = self.uses.get(other)
        if use is None:
            use = self.uses[other] = Use(seen)
        use.sites[node] = site
        return seen

    def is_out_of_date(self) -> bool:
        """Whether another run, or a name at the top of a module, came to something else than it was taken for."""
        return any(other.result != use.seen for other, use in self.uses.items()) or any(
            module.scope.get(name) != seen for (module, name), seen in self.globals.items()
        )

    def demand(self, caller: Run, scope: Scope) -> None:
        """Let a caller ask for these arguments, too."""
        self.is_assumed &= caller.is_assumed
        known = self.demands.get(caller)
        self.demands[caller] = scope if known is None else joined_scopes(known, scope)
        if self.times and not covers(self.scope, scope):
            self.scope = joined_scopes(self.scope, scope)
            self.is_due = True

    def begin(self) -> tuple[dict[Field, Value], dict[Run, Use]]:
        """Forget what it has shown, in order to find it anew; what it wrote and used."""
        before = self.writes, self.uses
        if not self.only_grows:
            self.writes = {}
        self.times += 1
        self.is_due = self.is_waiting = False
        self.reads, self.bases, self.globals, self.uses = {}, {}, {}, {}
        self.events, self.calls, self.unresolved, self.marks = {}, {}, {}, set()
        self.opaque, self.regions = {}, {}
        self.seen, self.recorded = {}, _NOTHING_RECORDED
        return before

    def end(self, result: Value) -> None:
        """Note the result."""
        if not self.only_grows:
            self.result = result
        elif self.result != result:
            # What a function hands to itself could be wrapped once more each time.
            self.result = summary_key(join(self.result, result))


def joined_scopes(first: Scope, second: Scope) -> Scope:
    """What the parameters are in one call or another."""
    return {name: join(first.get(name, value), value) for name, value in second.items()}


def covers(first: Scope, second: Scope) -> bool:
    """Whether one scope allows for all that another one gives."""
    return first is second or all(
        first[name] is value or first[name] == value or join(first[name], value) == first[name]
        for name, value in second.items()
    )
