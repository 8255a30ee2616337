"""The calls that runs have shown: where functions are called, what is asked of unknown objects, what is handed on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping

from synclint.analysis.calls.asked_methods import asked_by
from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.asked_tensors import parameters_asked
from synclint.analysis.interpreter.handed import handed_to, told_by_text
from synclint.analysis.models.method_names import may_be_meant
from synclint.analysis.results.facts import Handed, either_handed
from synclint.analysis.results.signatures import Asked
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.runs import Run
from synclint.findings import CallPlace, Phase

_Certainty = tuple[bool, bool, bool, bool, int, int, int]


def called_in(runs: Iterable[Run]) -> frozenset[Run]:
    """The runs that know what calls give, such as the number of a step: those to which programs and functions lead.

    One over the text of a function that is followed stands for calls that are not seen; a method is run so in any case.
    """
    waiting = [run for run in runs if run.is_followed and (run.memo_calls or _is_by_text_of_no_method(run))]
    found = {*waiting}
    while waiting:
        new = [other for other in waiting.pop().uses if other not in found]
        found.update(new)
        waiting += new
    return frozenset(found)


def callers_in(runs: Iterable[Run], called: Container[Run]) -> dict[FunctionRecord, dict[int, CallSite]]:
    """The calls of each function, as the run shows them that tells most of what may happen; of some runs calls ask."""
    callers: dict[FunctionRecord, dict[int, tuple[_Certainty, CallSite]]] = {}
    for run in runs:
        is_called = run in called
        for (record, node), site in run.calls.items():
            views = callers.setdefault(record, {})
            known = views.get(node)
            if known is None or known[1] is not site:
                certainty = _certainty(run, site, is_called)
                if known is None or certainty > known[0]:
                    views[node] = certainty, site
    return {record: {node: site for node, (_, site) in views.items()} for record, views in callers.items()}


def runs_by_call(
    runs: Iterable[Run], calls: Collection[tuple[FunctionRecord, int]]
) -> dict[tuple[FunctionRecord, int], list[Run]]:
    """The runs that show each of these calls, which are known by the function and their nodes."""
    found: dict[tuple[FunctionRecord, int], list[Run]] = defaultdict(list)
    for run in runs if calls else ():
        for key in run.calls:
            if key in calls:
                found[key].append(run)
    return found


def asked_in(runs: Iterable[Run], names: Collection[str]) -> dict[Asked, list[CallSite]]:
    """The calls of methods of these names on something unknown."""
    sites: dict[tuple[str, int], CallSite] = {}
    for run in runs:
        for key, site in run.unresolved.items():
            if key[0] in names and not site.of_module:
                sites.setdefault(key, site)
    found: dict[Asked, list[CallSite]] = defaultdict(list)
    for (name, _), site in sites.items():
        found[asked_by(name, site)].append(site)
    return dict(found)


def handed_by_name(
    runs: Iterable[Run], module: ModuleRecord | None = None
) -> dict[str, dict[Asked, tuple[Handed, ...]]]:
    """What the calls in each file hand to methods of something unknown, of one ``module`` if it is given."""
    found: dict[str, dict[Asked, tuple[Handed, ...]]] = defaultdict(dict)
    for run in runs:
        for (name, _), site in run.unresolved.items():
            if site.module.is_test or (module is not None and site.module is not module):
                continue
            if may_be_meant(name):
                asked, in_file = asked_by(name, site), found[str(site.module.real_path)]
                in_file[asked] = either_handed(in_file.get(asked, site.hands), site.hands)
    return dict(found)


def handed_in_calls(
    runs: Iterable[Run], called: Container[Run], assumed: Mapping[FunctionRecord, Scope]
) -> dict[tuple[FunctionRecord, int], tuple[Handed, ...]]:
    """What calls of the project's functions hand to parameters of which only the text tells that they may be tensors.

    Calls are known by the function and their nodes; ``assumed`` is what the texts of functions tell of parameters.
    What a method hands on that is ``called`` tells more than its text.
    """
    told: dict[FunctionRecord, frozenset[str]] = {}
    found: dict[tuple[FunctionRecord, int], tuple[bool, tuple[Handed, ...]]] = {}
    for run in runs:
        for other, use in run.uses.items():
            record, scope = other.function, other.demands.get(run)
            if record is None or scope is None:
                continue
            if record not in told:
                told[record] = told_by_text(assumed.get(record, {})) | parameters_asked(record)
            if names := told[record]:
                hands = handed_to((name, value) for name, value in scope.items() if name in names)
                is_called = run in called
                for node in use.sites:
                    known = found.get((record, node))
                    if known is None or is_called > known[0]:
                        found[record, node] = is_called, hands
                    elif is_called is known[0]:
                        found[record, node] = is_called, either_handed(known[1], hands)
    return {call: hands for call, (_, hands) in found.items()}


def order_of(site: CallSite) -> tuple[str, int, CallPlace]:
    """What orders calls, whatever the files are called in which they stand."""
    place = place_of(site)
    return (site.caller or site.module).order_key, place.line, place


def place_of(site: CallSite) -> CallPlace:
    """The place of a call, for people."""
    name = site.caller.name if site.caller is not None else ""
    return CallPlace(name, str(site.module.path), site.module.line_of(site.node))


def _is_by_text_of_no_method(run: Run) -> bool:
    return run.by_text and (run.function is None or run.function.owner is None)


def _certainty(run: Run, site: CallSite, is_called: bool) -> _Certainty:
    """What decides which of two views of one call counts, each shown by a run."""
    guards = site.control.guards
    seldom = sum(guard.runs is not Phase.STEP for guard in guards)
    is_busy = not site.is_idle
    return site.is_certain, run.is_followed, is_busy, is_called, len(site.control.loops), -seldom, -len(guards)
