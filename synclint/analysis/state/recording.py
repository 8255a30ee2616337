"""What expressions stood for while the analysis ran, kept for those that somebody asked for and for no others.

``explain --why`` asks for those of a line, a metadata provider or a matcher for all of a file. Nothing is kept, and
nothing but a look whether there is a recording is paid, where nobody asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import FunctionRecord, ModuleRecord, Value
from synclint.analysis.state.control_context import ControlContext


@dataclass(slots=True)
class SeenExpression:
    """What an expression stood for: ``always`` in all runs over it, ``under_calls`` in those that calls have caused."""

    node: ast.expr
    module: ModuleRecord
    function: FunctionRecord | None
    control: ControlContext
    always: Value
    under_calls: Value | None


@dataclass
class Recording:
    """The expressions that are ``wanted``, by the identity of their nodes, and what was ``seen`` of them.

    ``with_evidence`` lets the chain of inferences be before of them, and of all events.
    """

    with_evidence: bool = False
    wanted: set[int] = field(default_factory=set)
    seen: dict[int, SeenExpression] = field(default_factory=dict)

    def want(self, nodes: Iterable[ast.AST]) -> None:
        """Record these expressions from now on; their trees have to be kept as long as the recording."""
        self.wanted.update(id(node) for node in nodes if isinstance(node, ast.expr))

    def wants(self, node: ast.expr) -> bool:
        """Whether an expression is one of those that are recorded."""
        return id(node) in self.wanted

    def note(self, seen: SeenExpression) -> None:
        """Keep what an expression stands for in one run over it."""
        known = self.seen.setdefault(id(seen.node), seen)
        if known is seen:
            return
        known.always = join(known.always, seen.always)
        if seen.under_calls is not None:
            before = known.under_calls
            known.under_calls = seen.under_calls if before is None else join(before, seen.under_calls)
