"""What the attributes of a project's classes hold: the join of what all runs have written there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from synclint.analysis.domain.interfaces import implemented
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    Device,
    DeviceName,
    FunctionRecord,
    Nothing,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.analysis.state.memo import AnalysisMemo
from synclint.analysis.state.runs import Field, Run

_CPU = DeviceName(Device.CPU)
_EITHER = (DeviceName(Device.EITHER), DeviceName(Device.EITHER, is_named=True))
_UNTOLD = (UNKNOWN, DeviceName(), DeviceName(is_named=True))
_NONE: frozenset[FunctionRecord] = frozenset()


def _is_complete(value: Value) -> bool:
    kinds = {type(option) for option in options(value)}
    return Unknown not in kinds and kinds != {Nothing}


def leaves_to_subclasses(function: FunctionRecord) -> bool:
    """Whether a constructor calls what its class leaves to others: for their objects it makes what these make."""
    if function.name != "__init__" or function.owner is None:
        return False
    own = function.owner.methods
    return any(name in own and own[name].is_abstract for name in function.calls_on_receiver)


def _is_constructor(run: Run) -> bool:
    return run.function is not None and run.function.name == "__init__"


class _Written(NamedTuple):
    """What an attribute is given: by what texts say of themselves, and under calls, None where neither does."""

    from_text: Value | None
    from_calls: Value | None

    def held(self, written: Mapping[Run, Value]) -> Value:
        """What it holds: what texts say of it, where that tells all but where a tensor is, or which device it is.

        Of what is declared by what can be done with it, calls tell which it is. ``written`` is what was joined.
        """
        if self.from_text is None:
            return UNKNOWN if self.from_calls is None else self.from_calls
        if self.from_calls is None:
            return self.from_text
        if self.from_calls == _CPU and self.from_text in _UNTOLD:
            return _CPU
        if _is_complete(self.from_text):
            return _placed(implemented(self.from_text, self.from_calls), self.from_calls, written)
        return join(self.from_text, self.from_calls)


def _placed(value: Value, given: Value, written: Mapping[Run, Value]) -> Value:
    """A tensor of which a text does not tell where it is, where calls ``given`` it agree that it is on the CPU.

    Calls of one method, such as the constructor of a base, tell nothing of what another one is given.
    """
    if not isinstance(value, Tensor) or not _is_left_open(value):
        return value
    tensors = [option for option in options(given) if isinstance(option, Tensor)]
    if {tensor.device for tensor in tensors} != {Device.CPU}:
        return value
    texts = [(run, said) for run, said in written.items() if run.is_root]
    left_open = {run.function for run, said in texts if any(map(_is_left_open, options(said)))}
    if not left_open.issubset(run.function for run in written if not run.is_root):
        return value
    is_pageable = all(tensor.pinned is False for tensor in tensors)
    return replace(value, device=Device.CPU, pinned=False if is_pageable else None)


def _is_left_open(value: Value) -> bool:
    return isinstance(value, Tensor) and value.device is Device.UNKNOWN


def _joined(values: list[Value]) -> Value | None:
    return join_all(values) if values else None


def _written_by(written: Mapping[Run, Value]) -> _Written:
    from_text = [value for run, value in written.items() if run.is_root]
    from_calls = [value for run, value in written.items() if not run.is_root]
    return _Written(_joined(from_text), _joined(from_calls))


class Fields:
    """Attributes of classes, who wrote what there, and who read it."""

    def __init__(self) -> None:
        self._written: dict[Field, dict[Run, Value]] = {}
        self._joined: dict[Field, _Written] = {}
        # What attributes hold, by their names and then by the classes by way of which it was written.
        self._values: dict[str, dict[ClassRecord, Value]] = {}
        # The same with what classes derive from them, for as long as nobody writes an attribute of the name.
        self._held: dict[str, dict[ClassRecord, Value | None]] = {}
        # The methods of a base whose text has been read anew for a class, and that write an attribute there.
        self._read_anew: dict[Field, frozenset[FunctionRecord]] = {}
        self._readers: dict[str, list[tuple[Run, ClassRecord]]] = {}
        self._subclasses: dict[ClassRecord, list[ClassRecord]] = {}
        self._changed: set[str] = set()
        self.memo: AnalysisMemo | None = None

    def write(self, owner: ClassRecord, name: str, value: Value, run: Run) -> None:
        """Let an attribute of a class hold a value, too."""
        field = (owner, name)
        if self.memo is not None:
            self.memo.load_field(owner, name)
        known = run.writes.get(field)
        if known is not None:
            if known is value or known == value:
                return
            value = join(known, value)
        run.writes[field] = value
        written = self._written.setdefault(field, {})
        known_of_all = self._joined.get(field) if run not in written else None
        written[run] = value
        if known_of_all is None:
            self._refresh(field, written)
        else:  # one more writer: what the others have written need not be joined again
            from_text, from_calls = known_of_all
            if run.is_root:
                from_text = value if from_text is None else join(from_text, value)
            else:
                from_calls = value if from_calls is None else join(from_calls, value)
            self._keep(field, _Written(from_text, from_calls))
            self._note_read_anew(field, (run,))
        self._changed.add(name)

    def take_from_memo(self, owner: ClassRecord, name: str, written: Mapping[Run, Value]) -> None:
        """Let it be known what runs have written to an attribute that are not done again."""
        if written:
            known = self._written.setdefault((owner, name), {})
            known.update(written)
            self._refresh((owner, name), known)

    def _refresh(self, field: Field, written: dict[Run, Value]) -> None:
        self._keep(field, _written_by(written))
        self._read_anew.pop(field, None)
        self._note_read_anew(field, written)

    def _keep(self, field: Field, joined: _Written) -> None:
        owner, name = field
        self._joined[field] = joined
        held = joined.held(self._written[field])
        if held in _EITHER and self._is_placeholder(field):
            held = DeviceName()
        self._values.setdefault(name, {})[owner] = held
        self._held.pop(name, None)

    def _note_read_anew(self, field: Field, runs: Iterable[Run]) -> None:
        for run in runs:
            function = run.function
            if function is None or function.owner is field[0] or not (run.is_root or leaves_to_subclasses(function)):
                continue
            self._read_anew[field] = self._read_anew.get(field, _NONE) | {function}

    def _is_placeholder(self, field: Field) -> bool:
        """Whether the CPU is what a constructor begins with, until it is told which device is meant."""
        others = [value for run, value in self._written[field].items() if not _is_constructor(run)]
        return bool(others) and all(value in _UNTOLD for value in others)

    def read(self, owner: ClassRecord, name: str, run: Run) -> Value | None:
        """What an attribute of a class's instances holds by now, None where nobody has written it.

        The run rests on it.
        """
        if self.memo is not None:
            for current in owner.ancestors:
                self.memo.load_field(current, name)
        value = self.held(owner, name)
        if (owner, name) not in run.reads:
            run.reads[owner, name] = value
            self._readers.setdefault(name, []).append((run, owner))
        return value

    def held(self, owner: ClassRecord, name: str) -> Value | None:
        """What has been written there by way of a class, or of one that it derives from.

        What a method of a base writes that calls something which a class defines is told by its run for that class.
        """
        values = self._values.get(name)
        if not values:
            return None
        known = self._held.get(name)
        if known is None:
            known = self._held[name] = {}
        if owner not in known:
            known[owner] = self._joined_above(owner, name, values)
        return known[owner]

    def _joined_above(self, owner: ClassRecord, name: str, values: Mapping[ClassRecord, Value]) -> Value | None:
        found = None
        told = _NONE
        for current in owner.ancestors:
            value = values.get(current)
            if value is None:
                continue
            if told:
                value = self._beside((current, name), told)
            told |= self._read_anew.get((current, name), _NONE)
            if value is not None:
                found = value if found is None else join(found, value)
        return found

    def _beside(self, field: Field, told: frozenset[FunctionRecord]) -> Value | None:
        """What others than these methods have written; None where nobody has."""
        written = self._written[field]
        others = {run: value for run, value in written.items() if run.function not in told}
        if len(others) == len(written):
            return self._values[field[1]][field[0]]
        return _written_by(others).held(others) if others else None

    def read_subclasses(self, owner: ClassRecord, run: Run) -> list[ClassRecord]:
        """The classes that derive from one directly, in an order that does not depend on which was found first."""
        if self.memo is not None:
            self.memo.load_subclasses(owner)
        run.bases.setdefault(owner, len(owner.subclasses))
        known = self._subclasses.get(owner)
        if known is None or len(known) != len(owner.subclasses):
            known = sorted(owner.subclasses, key=lambda record: (record.name, record.key))
            self._subclasses[owner] = known
        return known

    def end(self, run: Run, before: Mapping[Field, Value]) -> None:
        """Take back what a run that has been done again wrote ``before``, and did not write now."""
        for field in before.keys() - run.writes.keys():
            self._remove(run, field)

    def retract(self, run: Run) -> None:
        """Take back all that a run has written."""
        writes, run.writes = run.writes, {}
        for field in writes:
            self._remove(run, field)

    def _remove(self, run: Run, field: Field) -> None:
        written = self._written[field]
        del written[run]
        if written:
            self._refresh(field, written)
        else:
            del self._written[field], self._joined[field], self._values[field[1]][field[0]]
            self._read_anew.pop(field, None)
            self._held.pop(field[1], None)
        self._changed.add(field[1])

    def readers_of_changes(self) -> Iterable[Run]:
        """The runs that may have read something that has changed since this was last asked."""
        names, self._changed = self._changed, set()
        found: dict[Run, None] = {}
        for name in sorted(names):
            readers = dict.fromkeys(self._readers.get(name, ()))
            self._readers[name] = [(run, owner) for run, owner in readers if (owner, name) in run.reads]
            found.update((run, None) for run, _ in self._readers[name])
        return found

    def all(self) -> Iterable[tuple[Field, Mapping[Run, Value]]]:
        """What each run has written to each attribute."""
        return self._written.items()

    def is_out_of_date(self, run: Run) -> bool:
        """Whether a run has read something that holds something else by now."""
        return any(self.held(owner, name) != seen for (owner, name), seen in run.reads.items()) or any(
            len(owner.subclasses) != count for owner, count in run.bases.items()
        )
