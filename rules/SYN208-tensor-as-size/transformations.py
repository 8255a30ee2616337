"""Bounds that are the sum of some lengths, where something was repeated by these lengths: its size is the sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Assigned:
    """What a function gives the names that always stand for the same, and in which line.

    ``repeated`` are those of what is repeated by some lengths, by the tensor of the lengths.
    """

    values: Mapping[str, tuple[int, cst.CSTNode]]
    repeated: Mapping[str, tuple[int, str]]


def counted(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``torch.arange(n.sum())`` as ``torch.arange(y.shape[0])``, where ``y`` is ``x.repeat_interleave(n)``."""
    if writing.qualified(node.func) != "torch.arange":
        return None
    root, here = list(writing.around(node))[-1], writing.read.positions[node].start.line
    assigned = writing.place.file.once(("assigned", id(root)), lambda: assigned_in(writing, root))
    bound = saved["bound"].value
    line, value = assigned.values.get(bound, (here, saved["bound"]))
    total = m.extract(value, SUM)
    if total is None or line >= here:
        return None
    line, name = assigned.repeated.get(source(writing, assigned.values, total["summed"]), (here, ""))
    if line >= here:
        return None
    first = node.args[0].with_changes(value=cst.parse_expression(f"{name}.shape[0]"))
    made = node.with_changes(args=[first, *node.args[1:]])
    return Rewrite({node: made}, f"Use the size of `{name}`", SAME_SUM.format(bound))


def assigned_in(writing: Writing, root: cst.CSTNode) -> Assigned:
    """What is assigned in a function, gone through once for all findings in it."""
    values: dict[str, tuple[int, cst.CSTNode]] = {}
    for line in m.findall(root, m.SimpleStatementLine([ASSIGNED])):
        found = m.extract(line.body[0], ASSIGNED)
        if is_fixed(writing, found["name"].value):
            values[found["name"].value] = (writing.read.positions[line].start.line, found["value"])
    repeated: dict[str, tuple[int, str]] = {}
    for name, (number, value) in values.items():
        lengths = m.extract(value, REPEATED)
        if lengths is not None:
            repeated.setdefault(source(writing, values, lengths["lengths"]), (number, name))
    return Assigned(values, repeated)


def source(writing: Writing, values: Mapping[str, tuple[int, cst.CSTNode]], node: cst.CSTNode) -> str:
    """The name of the tensor of which another one has the elements, by assignments that are the only ones of a name."""
    for _ in range(10):
        arranged = m.extract(node, ARRANGING)
        if arranged is not None:
            node = arranged["inner"]
        elif isinstance(node, cst.Name) and node.value in values:
            if m.extract(values[node.value][1], ARRANGING) is None:
                break
            node = values[node.value][1]
        else:
            break
    return writing.code(node)


def is_fixed(writing: Writing, name: str) -> bool:
    """Whether a name always stands for the same in a function, to which nothing is written."""
    scope = writing.place.function
    return scope is not None and len(bindings(scope, name)) == 1 and not is_written_to(scope, name)


TRANSFORMATIONS = (Transformation(COUNTED, counted),)
