"""What the attributes of a project's classes hold: the join of what all runs have written there."""

from __future__ import annotations

from collections.abc import Iterable

from synclint.analysis.domain.values import Value, join, join_all
from synclint.analysis.program.modules import ClassRecord
from synclint.analysis.state.runs import Field, Run


class Fields:
    """Attributes of classes, who wrote what there, and who read it."""

    def __init__(self) -> None:
        self._written: dict[Field, dict[Run, Value]] = {}
        self._values: dict[Field, Value] = {}
        self._readers: dict[Field, list[Run]] = {}
        self._subclasses: dict[ClassRecord, list[ClassRecord]] = {}
        self._changed: set[Field] = set()

    def write(self, owner: ClassRecord, name: str, value: Value, run: Run) -> None:
        """Let an attribute of a class hold a value, too."""
        field = (owner, name)
        known = run.writes.get(field)
        if known is not None:
            if known is value or known == value:
                return
            value = join(known, value)
        run.writes[field] = value
        self._written.setdefault(field, {})[run] = value
        before = self._values.get(field)
        if before is not value:
            self._values[field] = value if before is None else join(before, value)
            self._changed.add(field)

    def read(self, owner: ClassRecord, name: str, run: Run) -> Value | None:
        """What an attribute of a class holds by now, None where nobody has written it; the run rests on it."""
        field = (owner, name)
        value = self._values.get(field)
        if field not in run.reads:
            run.reads[field] = value
            readers = self._readers.get(field)
            if readers is None:
                self._readers[field] = [run]
            else:
                readers.append(run)
        return value

    def read_subclasses(self, owner: ClassRecord, run: Run) -> list[ClassRecord]:
        """The classes that derive from one directly, in an order that does not depend on which was found first."""
        run.bases.setdefault(owner, len(owner.subclasses))
        known = self._subclasses.get(owner)
        if known is None or len(known) != len(owner.subclasses):
            known = sorted(owner.subclasses, key=lambda record: (record.name, record.qualified_name))
            self._subclasses[owner] = known
        return known

    def retract(self, run: Run) -> None:
        """Take back what a run has written."""
        writes, run.writes = run.writes, {}
        for field in writes:
            written = self._written[field]
            del written[run]
            if written:
                self._values[field] = join_all(written.values())
            else:
                del self._written[field], self._values[field]
            self._changed.add(field)

    def readers_of_changes(self) -> Iterable[Run]:
        """The runs that have read something that has changed since this was last asked."""
        changed, self._changed = self._changed, set()
        found: dict[Run, None] = {}
        for field in changed:
            readers = self._readers.get(field)
            if readers is not None:
                self._readers[field] = readers = [run for run in dict.fromkeys(readers) if field in run.reads]
                found.update(dict.fromkeys(readers))
        return found

    def is_out_of_date(self, run: Run) -> bool:
        """Whether a run has read something that holds something else by now."""
        values = self._values
        return any(values.get(field) != seen for field, seen in run.reads.items()) or any(
            len(owner.subclasses) != count for owner, count in run.bases.items()
        )

    def differs_by_itself(self, run: Run) -> bool:
        """Whether nothing but what a run itself has written differs from what it has read."""
        return all(
            seen == self._values.get(field) or (field in run.writes and seen == self._without(run, field))
            for field, seen in run.reads.items()
        )

    def _without(self, run: Run, field: Field) -> Value | None:
        others = [value for other, value in self._written[field].items() if other is not run]
        return join_all(others) if others else None
