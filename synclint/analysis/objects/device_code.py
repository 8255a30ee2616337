"""Functions whose bodies no interpreter runs: kernel languages compile them for the device."""

from __future__ import annotations

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord, Symbol, options
from synclint.analysis.state.frames import Interpreter
from synclint.catalog.names import names_in

_DECORATORS = names_in("kernels", "decorators")
_NAMES = frozenset(name.rpartition(".")[2] for name in _DECORATORS)


def is_device_code(record: FunctionRecord, engine: Interpreter) -> bool:
    """Whether a decorator has a function compiled, so that what its text says happens on the device."""
    return any(_compiles(imported_as(name, record.module), engine) for name in record.decorators)


def _compiles(name: str, engine: Interpreter) -> bool:
    """Whether a decorator is one of those, also one of a module that the project hands on under a name of its own."""
    owner, _, last = name.rpartition(".")
    if last not in _NAMES or not owner:
        return False
    found = {option.name for option in options(engine.resolve(name)) if isinstance(option, Symbol)}
    of_owner = {f"{option.name}.{last}" for option in options(engine.resolve(owner)) if isinstance(option, Symbol)}
    return not _DECORATORS.isdisjoint(found | of_owner)


def imported_as(name: str, module: ModuleRecord) -> str:
    """The full name of what a module calls by a dotted name that it has imported."""
    first, dot, rest = name.partition(".")
    value = module.scope.get(first)
    return f"{value.name}{dot}{rest}" if isinstance(value, Symbol) else name
