"""The functions of the project that calling a value runs."""

from __future__ import annotations

from synclint.analysis.domain.callables import PARTIAL
from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Instance, Value, options
from synclint.analysis.objects import classes


def functions_behind(value: Value | None) -> list[FunctionRecord]:
    """The functions that calling a value runs first, more arguments given or not."""
    found: list[FunctionRecord] = []
    for option in options(value) if value is not None else ():
        if isinstance(option, FunctionValue):
            found.append(option.record)
        elif isinstance(option, Instance) and option.name == PARTIAL:
            found += functions_behind(option.given("function"))
        elif isinstance(option, Instance) and option.record is not None:
            method = classes.find_method(option.record, "__call__")
            found += [method] if method is not None else []
    return found
