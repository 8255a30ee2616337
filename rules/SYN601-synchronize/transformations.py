"""Waits for the whole device before work on another stream: that stream waits, and the host does not."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, statement

NO_WAIT = "the host no longer waits: what it reads afterwards has to be waited for"
WAIT = m.SimpleStatementLine([m.Expr(m.SaveMatchedNode(m.Call(args=[]), "wait"))])
CALL = m.Call(m.SaveMatchedNode(m.DoNotCare(), "function"), [m.Arg(m.SaveMatchedNode(m.Name(), "stream"))])
WITH = m.With([m.WithItem(CALL)])
NAMED = m.SimpleStatementLine([m.Assign([m.AssignTarget(m.SaveMatchedNode(m.Name(), "stream"))])])


def ordered(writing: Writing, node: cst.IndentedBlock, saved: Saved) -> Rewrite | None:
    """``torch.cuda.synchronize()`` before ``with torch.cuda.stream(s)`` as ``s.wait_stream(…)``."""
    if saved["wait"] is not writing.found or writing.qualified(saved["wait"].func) != "torch.cuda.synchronize":
        return None
    if "function" in saved and writing.qualified(saved["function"]) != "torch.cuda.stream":
        return None
    wait, after = node.body
    current = writing.code(writing.name("torch.cuda.current_stream"))
    line = statement(f"{saved['stream'].value}.wait_stream({current}())", like=cst.EmptyLine())
    if isinstance(after, cst.With):
        new = {wait: line.with_changes(leading_lines=wait.leading_lines)}
    else:
        new = {wait: after.with_changes(leading_lines=wait.leading_lines), after: line}
    return Rewrite(new, "Let the stream wait, not the host", NO_WAIT)


TRANSFORMATIONS = (Transformation(m.IndentedBlock([WAIT, WITH | NAMED]), ordered),)
