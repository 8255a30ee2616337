"""Numbers that are read from the device and put into a tensor there again: the tensor need not leave it."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import Device, DType
from synclint.fixes.evidence import is_fresh
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, named
from synclint.fixes.uses import tensor_read

STAYS = "it stays on the device that it is on, and what is a number because nothing was added up raises an error"
# The methods that make of a tensor what the old constructors make, by their names.
METHODS = {
    "FloatTensor": "float",
    "DoubleTensor": "double",
    "HalfTensor": "half",
    "LongTensor": "long",
    "IntTensor": "int",
    "ByteTensor": "byte",
    "BoolTensor": "bool",
}
TENSOR = m.SaveMatchedNode(m.DoNotCare(), "tensor")
READ = m.Call(named("float", "int", "bool"), [m.Arg(TENSOR, keyword=None, star="")]) | m.Call(
    m.Attribute(TENSOR, m.Name("item")), []
)
MADE = m.Call(
    m.Attribute(attr=m.SaveMatchedNode(named(*METHODS), "type")),
    [m.Arg(m.List([m.Element(m.SaveMatchedNode(READ, "read"))]), keyword=None, star="")],
)


def kept_there(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``torch.cuda.FloatTensor([float(t)])`` as ``t.detach().clone().float().reshape(1)``."""
    tensor, fact = saved["tensor"], writing.fact(saved["tensor"])
    is_on_the_cpu = writing.qualified(node.func).removeprefix("torch.") in METHODS
    if saved["read"] is not writing.found or is_on_the_cpu:
        return None
    if fact.kinds != {"tensor"} or fact.device is Device.CPU:
        return None
    detached = "" if fact.dtype in (DType.INT, DType.BOOL) else ".detach()"
    # What is written to the new one must not be seen in the tensor.
    read = tensor_read(writing.place.node, "float", "int", "bool")
    copied = "" if read is not None and is_fresh(writing.place, read) else ".clone()"
    method = METHODS[saved["type"].value]
    made = cst.parse_expression(f"{writing.code(grouped(tensor))}{detached}{copied}.{method}().reshape(1)")
    return Rewrite({node: made}, "Keep it on the device", STAYS)


TRANSFORMATIONS = (Transformation(MADE, kept_there),)
