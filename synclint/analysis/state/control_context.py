"""Where an expression stands while functions run."""

from __future__ import annotations

import ast
from typing import NamedTuple

from synclint.analysis.domain.values import FunctionRecord
from synclint.findings import Phase
from synclint.frozen import dataclass


class Condition(NamedTuple):
    """That some call of a function gives a parameter, or leaves it out: see ``results.facts.Need``."""

    function: FunctionRecord
    parameter: str
    given: bool


class NotedGuard(NamedTuple):
    """Something around a statement that makes it run in another phase: see ``results.facts.Guard``."""

    runs: Phase
    reason: str
    loops: int
    captured: str | None = None
    need: Condition | None = None
    option: str = ""
    counts: int = 0
    is_mode: bool = False
    region: str = ""
    exchange: str = ""


@dataclass(frozen=True)
class ControlContext:
    """Where an expression stands, as far as it decides how often it runs: guards and loops, from the outside in."""

    guards: tuple[NotedGuard, ...]
    loops: tuple[ast.AST, ...]


# Where nothing stands around an expression that says how often it runs.
UNCONDITIONAL = ControlContext((), ())
