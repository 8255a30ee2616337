"""The facts that the analysis finds: this expression makes the host wait, by this mechanism."""

from __future__ import annotations

from synclint.findings import Confidence, Context, Span
from synclint.frozen import dataclass


@dataclass(frozen=True)
class SyncEvent:
    """An expression that makes the host wait for the device.

    ``construct`` is the id of the catalogue entry that says so; ``subject`` is the operand that
    decides, as written in the source, and ``facts`` what was inferred about it ("a boolean tensor on
    the device"); ``evidence`` is the chain of inferences behind it, one sentence each, and ``cause`` the place where
    that chain begins, empty where it is not known.
    """

    construct: str
    filename: str
    span: Span
    subject: str
    facts: str
    confidence: Confidence
    context: Context
    evidence: tuple[str, ...] = ()
    cause: str = ""
