"""Classes that prepare data, usually in a loader's workers, where tensors are on the CPU; what they call for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    ClassRecord,
    FunctionRecord,
    FunctionValue,
    Instance,
    Sequence,
    Value,
    options,
)
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.catalog.names import names_in

_DATA_BASES = names_in("modules", "data-bases")
_DATA_MODULES = tuple(names_in("modules", "data-modules"))
_PREPARE = re.compile(r"(Dataset(Mapper)?|Collat(or|er)|Augment(or|er)?|Augmentations?)$")
_COLLATES = re.compile(r"^(collate|collater|worker_init_fn|.*collate_fn)$")
_GIVES_SAMPLES = ("__getitem__", "__iter__", "__call__")
# One that is asked for the next sample may make it by the model that is trained.
_STREAMS = frozenset({"IterableDataset", "IterDataPipe"})


def prepares_data(engine: Interpreter, function: FunctionRecord) -> bool:
    """Whether a function prepares data, by its name or as a method of a class that does."""
    return _COLLATES.match(function.name) is not None or (
        function.owner is not None and _is_data(engine, function.owner)
    )


def _is_data(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether a class prepares data: by what it is derived from, or by its name if it can give samples."""
    bases = ancestry.external_bases(engine, record)
    if ancestry.MODULE in bases:
        return False
    if any(base.rpartition(".")[2] in _DATA_BASES or base.startswith(_DATA_MODULES) for base in bases):
        return True
    return _PREPARE.search(record.name) is not None and (
        bool(bases) or any(classes.find_method(record, name) is not None for name in _GIVES_SAMPLES)
    )


def note_given(made: ClassRecord | str, arguments: Arguments, frame: Frame) -> None:
    """Remember the objects that a data set is made with, if they can be called: it calls them for its samples.

    Others may call them where they are called themselves, such as a composition of transforms, or asked for samples.

    ``made`` is its class, in the project or by its name elsewhere. Source: ``torch_geometric/data/dataset.py``,
    ``Dataset.__getitem__``, and ``torchvision/datasets/vision.py``, ``VisionDataset``, with their ``transform``.
    """
    given = [*arguments.positional, *arguments.keywords.values()]
    called = [*_called(given, DEEPEST_NESTING)]
    if called and _is_set_of_samples(made, frame.engine):
        for record in called:
            frame.engine.note_loaded(record, frame.module)
    elif called and not isinstance(made, str):
        holders = [method for name in _CALLING if (method := classes.find_method(made, name)) is not None]
        for record, holder in product(called, holders):
            frame.engine.note_held(record, holder, frame.module)


# What calls the objects that one was made with: a composition where it is called, a set of samples for each of these.
_CALLING = ("__call__", "__getitem__", "__iter__")


def _is_set_of_samples(made: ClassRecord | str, engine: Interpreter) -> bool:
    if isinstance(made, str):
        return made.startswith(_DATA_MODULES)
    bases = ancestry.external_bases(engine, made)
    return _is_data(engine, made) and not any(base.rpartition(".")[2] in _STREAMS for base in bases)


def _called(given: Iterable[Value], depth: int) -> Iterator[FunctionRecord]:
    """What runs where one of some values is called, those that a list or a composition holds included."""
    for option in (option for value in given for option in options(value)):
        if isinstance(option, FunctionValue) and option.receiver is None:
            yield option.record
        elif isinstance(option, Sequence) and depth:
            rest = (option.element,) if option.items is None else ()
            yield from _called((*option.known, *rest), depth - 1)
        elif isinstance(option, Instance):
            if option.record is not None:
                method = classes.find_method(option.record, "__call__")
                yield from [method] if method is not None else []
            elif depth and (steps := option.given("transforms")) is not None:
                yield from _called((steps,), depth - 1)
