"""Attributes of classes in the course of an analysis: before one is read, the methods that assign it are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, Value
from synclint.analysis.interpreter.fixpoint import Fixpoint
from synclint.analysis.objects import classes, records
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.runs import Field, Run


class Attributes:
    """Reads attributes in the name of the run that is done last; ``enter`` runs a function unless it has been run.

    ``repeat`` does a run again, unless calls are nested too deeply.
    """

    def __init__(
        self,
        fields: Fields,
        fixpoint: Fixpoint,
        enter: Callable[[FunctionRecord], None],
        repeat: Callable[[Run], None],
    ) -> None:
        self._fields = fields
        self._fixpoint = fixpoint
        self._enter = enter
        self._repeat = repeat
        # Attributes of classes by way of which they are read or written, once the methods that assign them have run:
        # those of the class itself, and those of all that it derives from.
        self._entered: set[Field] = set()
        self._all_entered: set[Field] = set()

    def read(self, owner: ClassRecord, name: str, reader: Run) -> Value | None:
        """What an attribute of a class's instances holds, None where nothing is known to write it."""
        field = (owner, name)
        if field not in self._all_entered or self._fixpoint.is_in_a_round:
            for current in owner.ancestors:
                self._write(current, name)
            self._all_entered.add(field)
        return self._fields.read(owner, name, reader)

    def _write(self, owner: ClassRecord, name: str) -> None:
        """Run what gives an attribute of a class its value, and those of its writers that have to run again."""
        if (owner, name) not in self._entered:
            self._entered.add((owner, name))
            known: Iterable[FunctionRecord] = (
                owner.assigners.get(name) or classes.constructor(owner) or records.makers(owner)
            )
            for function in known:
                self._enter(function)
        for run in self._fixpoint.writers_waiting((owner, name)):
            self._repeat(run)


def inherited_by(owner: ClassRecord) -> Iterator[FunctionRecord]:
    """The methods that a class inherits and that call what it defines: they do something else in it.

    So does a constructor that has subclasses make a part: of a class that leaves this to its own subclasses, objects
    hold what these make, and not what others do.
    """
    own = owner.methods.keys()
    nearer = set(own)
    for ancestor in owner.ancestors[1:]:
        inherited = ancestor.methods.keys() - nearer
        nearer |= inherited
        for name in sorted(inherited) if own else sorted(inherited & _CONSTRUCTORS):
            method = ancestor.methods[name]
            if method.receiver is not None and not method.is_class_method:
                if not method.calls_on_receiver.isdisjoint(own) or _leaves_to_others(method, owner):
                    yield method


_CONSTRUCTORS = frozenset({"__init__"})


def _leaves_to_others(method: FunctionRecord, owner: ClassRecord) -> bool:
    """Whether a method is a constructor that calls what a class leaves to its subclasses."""
    if method.name not in _CONSTRUCTORS:
        return False
    called = (classes.find_method(owner, name) for name in method.calls_on_receiver)
    return any(one is not None and one.is_abstract for one in called)
