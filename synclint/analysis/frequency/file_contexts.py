"""What is known of a project, divided by its files: all that events in the functions of one of them can ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from synclint.analysis.frequency.contexts import KnownContexts, name_called
from synclint.analysis.frequency.known_code import KnownCode
from synclint.analysis.frequency.known_frequencies import KnownFrequencies, path_of
from synclint.analysis.results.known_callers import KnownCallers

# Under which stands what is known of all other files: in their functions nothing was seen, and nobody calls them.
ELSEWHERE = ""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def contexts_by_file(known: KnownContexts) -> Iterator[tuple[str, KnownContexts]]:
    """What is known of the functions of each file, by its path, and of the files ``ELSEWHERE``."""
    frequencies, code, callers = known.frequencies, known.frequencies.code, known.known_callers
    functions = _by_file(code.functions, path_of)
    loops = _by_file(code.loops, path_of)
    rounds = _by_file(code.rounds, path_of)
    holding_steps = _divided(code.holding_steps, path_of)
    making_results, inferring = _divided(code.making_results, path_of), _divided(code.inferring, path_of)
    making_one = _divided(code.making_one, path_of)
    updating = _by_file(code.updating, path_of)
    found = _by_file(frequencies.frequencies, path_of)
    given = _by_file(frequencies.given, path_of)
    where_set = _by_file(frequencies.where_set, lambda flag: path_of(flag[0]))
    made_in_loops = _by_file(frequencies.made_in_loops, path_of)
    made_for = _by_file(frequencies.made_for, path_of)
    unrun, asked = _by_file(frequencies.unrun, path_of), _by_file(frequencies.unfollowed, path_of)
    calling = _by_file(frequencies.callers, path_of)
    on_host = _divided(known.on_host, path_of)
    handles = _by_file(callers.handles, path_of)
    unfollowed, called = _divided(callers.unfollowed, path_of), _divided(callers.called, path_of)
    done = _divided(callers.done, lambda need: path_of(need.function))
    on_cpu = _divided(callers.on_cpu, lambda slot: path_of(slot.function))
    hardly_elsewhere = _divided(callers.hardly_elsewhere, lambda slot: path_of(slot.function))
    yield ELSEWHERE, _without_functions(known, functions)
    for path, own in functions.items():
        handled = handles.get(path, {})
        yield (
            path,
            KnownContexts(
                KnownFrequencies(
                    KnownCode(
                        own,
                        loops.get(path, {}),
                        rounds.get(path, {}),
                        holding_steps.get(path, frozenset()),
                        making_results.get(path, frozenset()),
                        inferring.get(path, frozenset()),
                        making_one.get(path, frozenset()),
                        code.training & {path},
                        updating.get(path, {}),
                    ),
                    found.get(path, {}),
                    given.get(path, {}),
                    where_set.get(path, {}),
                    made_in_loops.get(path, {}),
                    made_for.get(path, {}),
                    unrun.get(path, {}),
                    asked.get(path, {}),
                    calling.get(path, {}),
                ),
                KnownCallers(
                    handled,
                    unfollowed.get(path, frozenset()),
                    callers.taken & {*(handle.name for handle in handled.values()), *map(name_called, own.values())},
                    callers.exported
                    & {handle.public for handle in handled.values()}.union(
                        *(one.scope.split(".") for one in own.values())
                    ),
                    callers.tests & {path},
                    called.get(path, frozenset()),
                    done.get(path, frozenset()),
                    on_cpu=on_cpu.get(path, frozenset()),
                    hardly_elsewhere=hardly_elsewhere.get(path, frozenset()),
                ),
                on_host.get(path, frozenset()),
                known.switched,
                {path: known.unreached[path]} if path in known.unreached else {},
                known.untrained & {path},
                known.tried & {path},
                known.staying & {path},
            ),
        )


def _without_functions(known: KnownContexts, files: Collection[str]) -> KnownContexts:
    """What is known of the functions in all but these files."""
    nothing: frozenset[str] = frozenset()
    return KnownContexts(
        KnownFrequencies(
            KnownCode({}, {}, {}, nothing, training=known.frequencies.code.training - {*files}),
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
        ),
        KnownCallers(tests=known.known_callers.tests),
        nothing,
        known.switched,
        {path: names for path, names in known.unreached.items() if path not in files},
        known.untrained - {*files},
        known.tried - {*files},
        known.staying - {*files},
    )


def _by_file(known: Mapping[_Key, _Value], path: Callable[[_Key], str]) -> dict[str, dict[_Key, _Value]]:
    divided: dict[str, dict[_Key, _Value]] = defaultdict(dict)
    for key, value in known.items():
        divided[path(key)][key] = value
    return divided


def _divided(keys: Iterable[_Key], path: Callable[[_Key], str]) -> dict[str, frozenset[_Key]]:
    divided: dict[str, set[_Key]] = defaultdict(set)
    for key in keys:
        divided[path(key)].add(key)
    return {name: frozenset(found) for name, found in divided.items()}
