"""Bounds that are the sum of some lengths, where something was repeated by these lengths: its size is the sum."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing
from synclint.fixes.uses import bindings, is_written_to

SAME_SUM = "what was repeated has to have as many elements as `{}` says"
FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
BOUND = m.Arg(m.SaveMatchedNode(m.Name(), "bound"), keyword=None, star="")
COUNTED = m.Call(args=[BOUND, m.ZeroOrMore(m.Arg(keyword=m.Name()))], metadata=FOUND)
ASSIGNED = m.Assign([m.AssignTarget(m.SaveMatchedNode(m.Name(), "name"))], m.SaveMatchedNode(m.DoNotCare(), "value"))
SUM = m.Call(m.Attribute(m.SaveMatchedNode(m.Name(), "summed"), m.Name("sum")), [])
REPEATED = m.Call(m.Attribute(attr=m.Name("repeat_interleave")), [m.Arg(m.SaveMatchedNode(m.Name(), "lengths"))])
# Methods that leave the elements as they are, in whatever order.
ARRANGED = m.OneOf(*map(m.Name, ("view", "reshape", "flatten", "t", "transpose", "permute", "contiguous")))
ARRANGING = m.Call(m.Attribute(m.SaveMatchedNode(m.Name() | m.Call(), "inner"), ARRANGED))


def counted(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``torch.arange(n.sum())`` as ``torch.arange(y.shape[0])``, where ``y`` is ``x.repeat_interleave(n)``."""
    if writing.qualified(node.func) != "torch.arange":
        return None
    root = list(writing.around(node))[-1]
    values = {}
    for line in m.findall(root, m.SimpleStatementLine([ASSIGNED])):
        if writing.read.positions[line].start.line < writing.read.positions[node].start.line:
            assigned = m.extract(line.body[0], ASSIGNED)
            values[assigned["name"].value] = assigned["value"]
    bound = saved["bound"].value
    total = m.extract(values.get(bound, saved["bound"]), SUM)
    if total is None or not is_fixed(writing, bound):
        return None
    origin = source(writing, values, total["summed"])
    for name, value in values.items():
        repeated = m.extract(value, REPEATED)
        if repeated is not None and is_fixed(writing, name) and source(writing, values, repeated["lengths"]) == origin:
            size = cst.parse_expression(f"{name}.shape[0]")
            first = node.args[0].with_changes(value=size)
            made = node.with_changes(args=[first, *node.args[1:]])
            return Rewrite({node: made}, f"Use the size of `{name}`", SAME_SUM.format(bound))
    return None


def source(writing: Writing, values: dict[str, cst.CSTNode], node: cst.CSTNode) -> str:
    """The name of the tensor of which another one has the elements, by assignments that are the only ones of a name."""
    for _ in range(10):
        arranged = m.extract(node, ARRANGING)
        if arranged is not None:
            node = arranged["inner"]
        elif isinstance(node, cst.Name) and node.value in values and is_fixed(writing, node.value):
            if m.extract(values[node.value], ARRANGING) is None:
                break
            node = values[node.value]
        else:
            break
    return writing.code(node)


def is_fixed(writing: Writing, name: str) -> bool:
    """Whether a name always stands for the same in a function, to which nothing is written."""
    scope = writing.place.function
    return scope is not None and len(bindings(scope, name)) == 1 and not is_written_to(scope, name)


TRANSFORMATIONS = (Transformation(COUNTED, counted),)
