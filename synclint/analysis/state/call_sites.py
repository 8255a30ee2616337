"""Calls and events as they are noted while functions run, before positions and contexts are known."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from synclint.analysis.domain.values import Tensor, Value
from synclint.analysis.program.modules import FunctionRecord, ModuleRecord
from synclint.analysis.state.places import Place
from synclint.findings import Confidence


@dataclass(frozen=True)
class CallSite:
    """A call of a project's function: from where, and where in the caller it stands.

    It is not certain where the function is only handed to another one.
    """

    caller: FunctionRecord | None
    module: ModuleRecord
    node: ast.AST
    place: Place
    is_certain: bool = True


@dataclass(eq=False)
class Way:
    """One run over the body of a function, and the ``sites`` of the calls for which it stands.

    There are none where it was run on what its own text says of its parameters.
    """

    sites: dict[int, CallSite] = field(default_factory=dict)


@dataclass
class RawEvent:
    """An event before positions and context are known, and the ``ways`` on which it was seen.

    There are none where it was seen on what the text of its function says of the parameters.
    """

    construct: str
    node: ast.AST
    function: FunctionRecord | None
    subject: ast.AST
    tensor: Tensor
    known: Value
    confidence: Confidence
    place: Place
    ways: list[Way] = field(default_factory=list)

    @property
    def callers(self) -> dict[int, CallSite]:
        """The calls of its function under which it was seen."""
        return {at: site for way in self.ways for at, site in way.sites.items()}
