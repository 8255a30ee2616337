"""From which classes outside the project a class derives, and what that makes of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from synclint.analysis.domain.values import ClassRecord, Instance
from synclint.analysis.state.frames import Interpreter
from synclint.catalog.names import names_in

MODULE = "torch.nn.Module"
METRIC = "torchmetrics.Metric"
OPTIMIZER = "torch.optim.Optimizer"
_DICTIONARIES = names_in("python", "dictionaries-with-attributes")


def external_bases(engine: Interpreter, record: ClassRecord) -> tuple[str, ...]:
    """The qualified names of all bases outside the project, those of library classes in the catalogue included."""
    outside = [base for current in record.ancestors for base in current.bases if isinstance(base, str)]
    if len(outside) == 1:
        return library_bases(engine, outside[0])
    return tuple(base for name in outside for base in library_bases(engine, name))


def library_bases(engine: Interpreter, name: str) -> tuple[str, ...]:
    """A class outside the project and what is known of its bases."""
    known = engine.readings.library_bases.get(name)
    if known is None:
        known = engine.readings.library_bases[name] = tuple(_library_bases(engine, name))
    return known


def _library_bases(engine: Interpreter, name: str) -> Iterator[str]:
    name = known_as(engine, engine.api.canonical(name))
    model = engine.catalog.classes.get(name)
    yield model.name if model is not None else name
    known = engine.api.class_(name)
    if known is not None:
        yield from known.bases
    if model is not None:
        for base in model.bases:
            yield from _library_bases(engine, base)


def known_as(engine: Interpreter, name: str) -> str:
    """The name under which the catalogue describes one of the many classes of a library, or a method of one."""
    library = engine.summary_of(name.partition(".")[0])
    return engine.catalog.handed_on(library.known_as(name) if library is not None else name)


def is_a(engine: Interpreter, record: ClassRecord, *names: str) -> bool:
    """Whether a class of the project derives from one of these outside classes."""
    return any(base in names for base in external_bases(engine, record))


def is_optimizer(engine: Interpreter, instance: Instance) -> bool:
    """Whether an object is an optimizer, of torch's, of a library's or of the project's own."""
    if instance.record is not None:
        return is_a(engine, instance.record, OPTIMIZER)
    return OPTIMIZER in library_bases(engine, instance.name)


def has_items_for_attributes(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether what is put into an object under a name is an attribute of it, as in ``addict.Dict``."""
    return is_a(engine, record, *_DICTIONARIES)


def is_module(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether a class is a ``torch.nn.Module`` of some kind.

    What has a ``forward`` and derives from a class of some library, of which nothing is known, is one as well.
    """
    bases = external_bases(engine, record)
    if any(base == MODULE or base.startswith("torch.nn.") or base.endswith("Module") for base in bases):
        return True
    forward = record.all_methods.get("forward")
    return forward is not None and not forward.is_static and any(_is_of_some_library(engine, base) for base in bases)


def _is_of_some_library(engine: Interpreter, base: str) -> bool:
    """Whether a class is one of a library, beside Python's own, of which nothing is known."""
    package, _, name = base.partition(".")
    if not name or package == "torch" or package in sys.stdlib_module_names:
        return False
    return engine.api.class_(base) is None and base not in engine.catalog.classes


def may_inherit_from_outside(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether a class may have methods from a base of which nothing is known."""
    bases = [base for current in record.ancestors for base in current.bases]
    return any(base is None or (isinstance(base, str) and _is_of_some_library(engine, base)) for base in bases)
