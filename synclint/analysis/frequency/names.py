"""What names say of how often functions run: those that frameworks call, and, where nothing else is known, words.

Both are data of the catalogue, in ``names.toml``: ``[called]`` and ``[judged]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from synclint.analysis.program.test_modules import checks_results, holds_training, is_test
from synclint.catalog.names import facts_of, names_in
from synclint.findings import Phase


class Named(NamedTuple):
    """The phase that a name speaks of, and why, as the end of a sentence."""

    runs: Phase
    reason: str


_CALLED_ONCE = facts_of("called", "once")
_CALLED_EACH_EPOCH = names_in("called", "each-epoch")
_CALLED_IN_EVALUATION = names_in("called", "in-evaluation")
_ONCE = names_in("judged", "once")
_EVALUATES = names_in("judged", "evaluates")
_EVALUATES_LAST = names_in("judged", "evaluates-at-the-end")
_EVALUATES_ALONE = names_in("judged", "evaluates-alone")
_CLASSES_THAT_EVALUATE = names_in("judged", "classes-that-evaluate")
_MODULES_THAT_EVALUATE = names_in("judged", "modules-that-evaluate")
_MODULES_OF_METRICS = names_in("judged", "modules-of-metrics")
_MEASURES = names_in("judged", "measures")
_INFERS = names_in("judged", "infers")
_SELECTS = names_in("judged", "selects")
_TRAINS = names_in("judged", "trains") | names_in("called", "in-training")
_LOSS = names_in("judged", "loss")
_ASKED_FOR = names_in("judged", "asked-for")
_BENCHMARKS = names_in("judged", "benchmarks")
_BENCHMARK_FOLDERS = names_in("called", "benchmark-folders")
_TESTS = names_in("judged", "tests")
_ENTRY_POINTS = names_in("judged", "entry-points")
_FOR_REQUESTS = names_in("called", "decorators-for-requests")
_CLASSES_FOR_REQUESTS = names_in("called", "class-decorators-for-requests")
_METHODS_FOR_REQUESTS = names_in("called", "methods-for-requests")
_ENTRY_DECORATORS = frozenset({"command", "main", "group", "entrypoint", "local_entrypoint", "callback"})

# Calls of torch and of launchers that run a function that they are handed just where they stand.
RUNS_WHAT_IT_IS_GIVEN = frozenset(
    {"spawn", "start_processes", "launch", "notebook_launcher", "elastic_launch", "run", "main", "apply", "Fire"}
)
# What runs the function that it is given apart from the rest of the program, once for each that is started: `run` in
# `multiprocessing/process.py` and `threading.py`.
STARTS_WHAT_IT_IS_GIVEN = frozenset({"Process", "Thread"})

# What a module that measures has in its text: clocks, and what it imports from a module of such functions.
_HOST_CLOCKS = re.compile(r"perf_counter|\btime\.(time|monotonic|process_time)\(|\btimeit\b")
_DEVICE_CLOCKS = re.compile(r"elapsed_time|utils\.benchmark|\bbenchmark import\b|do_bench|profiler")
# Between the words of a name: what is no letter or digit, and a capital that begins another word.
_BETWEEN = re.compile(r"[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Projects use few names, each of them in many places, and every name is asked for many words.
_of_few = lru_cache(maxsize=4096)


@_of_few
def words(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters: of ``load_state`` and ``LoadState`` alike."""
    return tuple(word.lower() for word in _BETWEEN.split(name) if word)


@_of_few
def of_function(name: str) -> Named | None:
    """What the name of a function or method says, where nobody is known to call it."""
    if name in _CALLED_ONCE:
        return Named(Phase.ONCE, _CALLED_ONCE[name])
    if name in _CALLED_EACH_EPOCH:
        return Named(Phase.EPOCH, f"`{name}` runs once per epoch")
    if name in _CALLED_IN_EVALUATION:
        return Named(Phase.EVAL, f"`{name}` runs in evaluation")
    said = words(name)
    if not said:
        return None
    if said[0] in _MEASURES:
        return Named(Phase.BENCHMARK, f"`{name}` measures, judging by its name")
    if said[0] in _EVALUATES or said[-1] in _EVALUATES_LAST or name.strip("_") in _EVALUATES_ALONE:
        return Named(Phase.EVAL, f"`{name}` evaluates, judging by its name")
    if said[0] in _ONCE or said[-1] in _ONCE:
        return Named(Phase.ONCE, f"`{name}` rarely runs, judging by its name")
    return None


@_of_few
def of_class(name: str) -> Named | None:
    """What the name of a class says of its methods."""
    if any(name.endswith(word) for word in _CLASSES_THAT_EVALUATE):
        return Named(Phase.EVAL, f"`{name}` evaluates, judging by its name")
    return None


class Purpose(NamedTuple):
    """What a module is there for, as far as its text shows: it reads clocks, checks results, or trains.

    One that trains tells how long that took, and measures only if it waits for the device to do so.
    """

    measures: bool
    checks: bool
    trains: bool


def purpose_of(source: str) -> Purpose:
    """What the text of a module shows of what it is there for."""
    trains = holds_training(source)
    is_exact = not trains or "synchronize(" in source
    measures = _DEVICE_CLOCKS.search(source) is not None or (is_exact and _HOST_CLOCKS.search(source) is not None)
    return Purpose(measures, checks_results(source), trains)


def of_module(name: str, source: str) -> Named | None:
    """What a module is there for by its dotted name, which says so only of one with a text that agrees.

    What pytest and asv collect needs no more than its place.
    """
    lower = name.lower()
    *folders, last = lower.split(".")
    is_named_test = not _TESTS.isdisjoint(last.split("_"))
    if is_test(lower, lambda: checks_results(source)) or (is_named_test and checks_results(source)):
        return Named(Phase.TEST, f"`{name}` is a test")
    is_named = not _BENCHMARKS.isdisjoint(lower.replace(".", "_").split("_"))
    if (is_named and purpose_of(source).measures) or not _BENCHMARK_FOLDERS.isdisjoint(folders):
        return Named(Phase.BENCHMARK, f"`{name}` is a benchmark")
    return None


def of_functions_in(module: str, source: str, is_method: bool) -> Named | None:
    """What the dotted name of a module says of functions that nobody is known to call; nothing of one that trains.

    The functions of a module of metrics are called by an evaluation as a rule, the ``update`` of its classes is not.
    """
    *folders, last = module.lower().split(".")
    around = {*last.split("_")[:1], *last.split("_")[-1:], *folders[-1:]}
    known = _MODULES_THAT_EVALUATE if is_method else _MODULES_THAT_EVALUATE | _MODULES_OF_METRICS
    if known.isdisjoint(around) or holds_training(source):
        return None
    return Named(Phase.EVAL, f"`{module}` evaluates, judging by its name")


@_of_few
def infers(function: str) -> bool:
    """Whether the name of a function says that results are what it is there for: samples, predictions, answers."""
    return not _INFERS.isdisjoint(words(function))


@_of_few
def trains(function: str) -> bool:
    """Whether the name of a function says that it is a training step, and can be nothing else."""
    return function in _TRAINS


def is_loss(function: str, owner: str) -> bool:
    """Whether names say that a function computes a loss."""
    said = words(owner) if function in ("forward", "__call__") else words(function)
    return bool(said) and said[-1] in _LOSS


def saves(function: str, parameters: Iterable[str]) -> Named | None:
    """Whether parameters say that a function saves or shows something, which somebody has to ask for."""
    for parameter in parameters:
        said = words(parameter)
        if said and said[0] in _ASKED_FOR:
            return Named(Phase.ONCE, f"`{function}` runs on request, judging by its parameter `{parameter}`")
    return None


def selects(function: str) -> bool:
    """Whether the name of a function says that it selects detections: as many results as there are to be found."""
    return not _SELECTS.isdisjoint(words(function)) or {"non", "suppression"} <= {*words(function)}


def answers_requests(name: str, decorators: tuple[str, ...], of_class: tuple[str, ...]) -> bool:
    """Whether a server runs a function for each request: by its decorator, by that of its class, or as a method."""
    if any("." in one and one.rpartition(".")[2] in _FOR_REQUESTS for one in decorators):
        return True
    if name in _METHODS_FOR_REQUESTS:
        return True
    is_of_server = any(one.rpartition(".")[2] in _CLASSES_FOR_REQUESTS for one in of_class)
    return is_of_server and (name == "__call__" or not name.startswith("_"))


def is_entry_point(name: str, decorators: tuple[str, ...]) -> bool:
    """Whether a function is where a program begins: ``main``, or a command of a command line."""
    return name in _ENTRY_POINTS or any(decorator.rpartition(".")[2] in _ENTRY_DECORATORS for decorator in decorators)
