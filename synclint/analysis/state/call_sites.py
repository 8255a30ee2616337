"""Calls and events as they are noted while functions run, before positions and contexts are known."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from synclint import frozen
from synclint.analysis.domain.values import FunctionRecord, ModuleRecord, Tensor, Value
from synclint.analysis.results.facts import Handed
from synclint.analysis.state.control_context import ControlContext
from synclint.analysis.syntax.asked_together import AskedBeside
from synclint.findings import Confidence


@frozen.dataclass(frozen=True)
class CallSite:
    """A call of a project's function: from where, and where in the caller it stands.

    It is not certain where the function is only handed to another one, and idle where what it is given keeps the
    function from training; ``starts`` tells that a process or thread is made there that runs it. ``hands`` tells what
    it hands to a method of something unknown, ``of_module`` that this is a module, ``beside`` for which other methods
    this is asked.
    """

    caller: FunctionRecord | None
    module: ModuleRecord
    node: ast.AST
    control: ControlContext
    is_certain: bool = True
    is_idle: bool = False
    hands: tuple[Handed, ...] = ()
    of_module: bool = False
    beside: AskedBeside = AskedBeside()
    starts: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class RawEvent:
    """An event as one run has shown it, before positions and context are known.

    ``told`` is what is said of the operand in place of what is ``known`` of it.
    """

    construct: str
    node: ast.AST
    module: ModuleRecord
    function: FunctionRecord | None
    subject: ast.AST
    tensor: Tensor
    known: Value
    confidence: Confidence
    control: ControlContext
    told: str = ""
