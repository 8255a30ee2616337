"""Constructors of a base that have a derived class do a part of their work: ``self.part = self.make_part()``."""

from __future__ import annotations

from synclint.analysis.program.modules import ClassRecord, FunctionRecord, V


def has_class_make_parts(constructor: FunctionRecord[V], made: ClassRecord[V]) -> bool:
    """Whether a constructor does something else for objects of a class: it calls methods that this one overrides.

    So does one that calls what a class between the two overrides.
    """
    if constructor.name != "__init__" or constructor.owner is made or not constructor.calls_on_receiver:
        return False
    for current in made.ancestors:
        if current is constructor.owner:
            return False
        if not constructor.calls_on_receiver.isdisjoint(current.methods):
            return True
    return False
