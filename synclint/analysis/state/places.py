"""Where an expression stands while functions run."""

from __future__ import annotations

import ast

from synclint.analysis.results.facts import Guard
from synclint.frozen import dataclass


@dataclass(frozen=True)
class Place:
    """Where an expression stands, as far as it decides how often it runs: guards and loops, from the outside in."""

    guards: tuple[Guard, ...]
    loops: tuple[ast.AST, ...]


# Where nothing stands around an expression that says how often it runs.
ANYWHERE = Place((), ())
