"""What Lightning does for the methods of its modules before it calls them."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import ClassRecord, FunctionRecord
from synclint.analysis.objects import ancestry
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name


def is_of_lightning(engine: Interpreter, record: ClassRecord) -> bool:
    """Whether Lightning calls the methods of a class."""
    return any(base.endswith(".LightningModule") for base in ancestry.external_bases(engine, record))


def moved_before(call: ast.Call, record: FunctionRecord, engine: Interpreter) -> bool:
    """Whether ``x.to(self.device)`` says nothing of where ``x`` is: Lightning brings batches there itself."""
    if record.owner is None or record.receiver is None or not isinstance(call.func, ast.Attribute):
        return False
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "device"), argument_node(call))
    is_own = given is not None and dotted_name(given) == f"{record.receiver}.device"
    return is_own and is_of_lightning(engine, record.owner)
