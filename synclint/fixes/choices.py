"""One name that an ``if`` gives one of two tensors: given what ``torch.where`` chooses instead."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.analysis.domain.values import Device
from synclint.fixes.transformations import Saved, Writing, named, statement

_ASSIGNED = m.IndentedBlock(
    [
        m.SimpleStatementLine(
            [
                m.Assign(
                    [m.AssignTarget(m.SaveMatchedNode(m.Name(), "target"))],
                    m.SaveMatchedNode(m.DoNotCare(), "value"),
                )
            ]
        )
    ]
)
# What may change something, or be of no use for a tensor that is not chosen.
_CHANGING = named("append", "extend", "pop", "update", "backward", "step", "write", "print", "copy_")
_ACTS = m.OneOf(
    m.Await(),
    m.Yield(),
    m.NamedExpr(),
    m.Call(m.DoesNotMatch(m.Attribute())),
    m.Call(m.Attribute(attr=_CHANGING | m.Name(m.MatchRegex(r".*_$")))),
)


def _is_choosable(writing: Writing, node: cst.BaseExpression) -> bool:
    """Whether the device can take an expression or leave it: one on the CPU would be copied there each time."""
    fact = writing.fact(node)
    return fact.kinds == {"tensor"} and fact.device is not Device.CPU


def choice(
    writing: Writing, node: cst.If, condition: cst.BaseExpression, *, is_negated: bool = False
) -> cst.SimpleStatementLine | None:
    """The assignment that an ``if`` amounts to whose condition is a boolean tensor of one element.

    ``is_negated`` says that the tensors change places. None where the ``if`` does anything but give one name one of
    two tensors.
    """
    one: Saved | None = m.extract(node.body, _ASSIGNED)
    other: Saved | None = m.extract(node.orelse.body, _ASSIGNED) if isinstance(node.orelse, cst.Else) else None
    if one is None or (node.orelse is not None and (other is None or not other["target"].deep_equals(one["target"]))):
        return None
    target, value = one["target"], one["value"]
    values = [value] if other is None else [value, other["value"]]
    if not all(_is_choosable(writing, part) and not m.findall(part, _ACTS) for part in values):
        return None
    if other is None and not m.findall(value, m.Name(target.value)):
        return None  # what it was before need not be a tensor
    chosen = [writing.code(part) for part in (value, other["value"] if other is not None else target)]
    arguments = ", ".join([writing.code(condition), *(reversed(chosen) if is_negated else chosen)])
    if "\n" in arguments:
        return None
    where = writing.code(writing.name("torch.where"))
    lines = getattr(node.body.body[0], "leading_lines", ())
    comments = [line for line in lines if line.comment is not None]
    made = statement(f"{target.value} = {where}({arguments})", like=node)
    return made.with_changes(leading_lines=[*made.leading_lines, *comments])
