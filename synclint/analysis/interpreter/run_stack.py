"""The runs that are being done, each for the one before it."""

from __future__ import annotations

from dataclasses import dataclass, field

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.state.runs import Run

# Calls are followed so deeply at once; what lies further down is run by itself later.
DEEPEST_CALL = 14


@dataclass(slots=True)
class RunStack:
    """The runs in progress, from the outermost one to the one that is done now; ``modules`` are those among them."""

    runs: list[Run] = field(default_factory=list)
    modules: set[ModuleRecord] = field(default_factory=set)

    @property
    def current(self) -> Run:
        """The run that is done now."""
        return self.runs[-1]

    @property
    def is_on_text(self) -> bool:
        """Whether what runs now is run on what its own text says of its parameters, and not for a call."""
        return not self.runs or self.runs[-1].is_root

    @property
    def is_deep(self) -> bool:
        """Whether calls are nested so deeply that further ones have to wait."""
        return len(self.runs) - len(self.modules) > DEEPEST_CALL

    def is_running_twice(self, record: FunctionRecord) -> bool:
        """Whether a function has called itself."""
        return sum(run.function is record for run in self.runs) > 1
