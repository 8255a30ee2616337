"""Python's ``max``, ``min``, ``any`` and ``all`` over tensors, as methods of tensors."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m
from libcst.helpers import parse_template_expression

from synclint.codemod import TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, named

NUMBER = "the result is always a tensor, of its own type, and NaN stays NaN"
ONE_DIMENSION = "it has to be a tensor of one dimension"
ALIKE = "all of them have to be 0-dim tensors of the same type on the same device, and NaN stays NaN"
HOLDING = frozenset({"tensor", "sequence", "array", "mapping"})

FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
FIRST, SECOND = (m.Arg(m.SaveMatchedNode(m.DoNotCare(), name), keyword=None, star="") for name in ("first", "second"))
CONDITION = m.If() | m.While() | m.Assert()


def clamped(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``max(t, 1)`` as ``t.clamp(min=1)``."""
    both = [saved["first"], saved["second"]]
    tensors = [part for part in both if "tensor" in writing.fact(part).kinds]
    numbers = [part for part in both if not writing.fact(part).kinds & HOLDING]
    if len(tensors) != 1 or len(numbers) != 1 or writing.fact(tensors[0]).rank:
        return None
    bound = "min" if node.func.value == "max" else "max"
    made = parse_template_expression(f"{{t}}.clamp({bound}={{number}})", t=grouped(tensors[0]), number=numbers[0])
    return Rewrite({node: made}, f"Use `clamp({bound}=…)`", NUMBER)


def asked_at_once(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``any(t)`` as ``t.any()``: the builtin reads the elements one by one."""
    tensor = saved["first"]
    if writing.fact(tensor).kinds != {"tensor"}:
        return None
    asked = cst.Call(cst.Attribute(grouped(tensor), node.func))
    is_condition = m.matches(writing.parent(node), CONDITION | m.UnaryOperation(m.Not()))
    made = asked if is_condition else cst.Call(cst.Name("bool"), [cst.Arg(asked)])
    return Rewrite({node: made.with_changes(lpar=node.lpar, rpar=node.rpar)}, "Ask all elements at once", ONE_DIMENSION)


def joined_extreme(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``max(t.max() for t in tensors)`` as ``torch.stack([t.max() for t in tensors]).max()``."""
    parts = saved["first"]
    fact = writing.fact(parts.elt)
    if fact.kinds != {"tensor"} or fact.rank:
        return None
    values = cst.ListComp(parts.elt, parts.for_in)
    made = cst.Call(cst.Attribute(cst.Call(writing.name("torch.stack"), [cst.Arg(values)]), node.func))
    return Rewrite({node: made}, "Compare on the device", ALIKE)


COMPREHENSION = m.Arg(m.SaveMatchedNode(m.GeneratorExp() | m.ListComp(), "first"), keyword=None, star="")
TRANSFORMATIONS = (
    Transformation(m.Call(named("max", "min"), [FIRST, SECOND], metadata=FOUND), clamped),
    Transformation(m.Call(named("any", "all"), [FIRST], metadata=FOUND), asked_at_once),
    Transformation(m.Call(named("max", "min"), [COMPREHENSION], metadata=FOUND), joined_extreme),
)
