"""Copies to the host of what is returned beside tensors of the device: it stays on the device, as they do."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import Device, TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing
from synclint.fixes.uses import bindings, is_captured, loads

CALLER = "the caller gets a tensor on the device, as the others that are returned"
FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
HOST = m.Arg(m.SimpleString(m.MatchRegex(r"""["']cpu["']""")), keyword=None, star="")
COPY = m.Call(m.Attribute(attr=m.Name("cpu")), [], metadata=FOUND) | m.Call(
    m.Attribute(attr=m.Name("to")), [HOST], metadata=FOUND
)

BACK = m.Call(
    m.Attribute(m.SaveMatchedNode(m.Call(), "computed"), m.Name("to")), [m.Arg(m.Attribute(attr=m.Name("device")))]
)


def returned(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``return loss, counts.cpu()`` as ``return loss, counts``."""
    results = writing.parent(writing.parent(node))
    if not m.matches(writing.parent(results), m.Return()) or not has_others(writing, results, writing.parent(node)):
        return None
    return Rewrite({node: node.func.value}, "Leave it on the device", CALLER)


def named(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """The same for what has a name, by which torch computes, and which is returned."""
    assigned, scope = writing.parent(node), writing.place.function
    if scope is None or not m.matches(assigned, m.Assign([m.AssignTarget(m.Name())])):
        return None
    name = assigned.targets[0].target.value
    if len(bindings(scope, name)) != 1 or is_captured(scope, name):
        return None
    root = list(writing.around(node))[-1]
    uses = [use for use in m.findall(root, m.Name(name)) if writing.parent(use) is not assigned.targets[0]]
    if len(uses) != len(loads(scope, name)) or not all(is_at_home_there(writing, use) for use in uses):
        return None
    if not any(isinstance(writing.parent(use), cst.Element) for use in uses):
        return None
    new = {node: node.func.value}
    for use in uses:
        # ``torch.max(counts).to(device)`` is there already.
        for outer in list(writing.around(use))[:4]:
            copied = m.extract(outer, BACK)
            if copied is not None:
                new[outer] = copied["computed"]
    return Rewrite(new, f"Leave `{name}` on the device", CALLER)


def is_at_home_there(writing: Writing, use: cst.CSTNode) -> bool:
    """Whether a tensor may be on the device where its name is used: returned with others, or computed with by torch."""
    around = writing.parent(use)
    if isinstance(around, cst.Element):
        results = writing.parent(around)
        return m.matches(writing.parent(results), m.Return()) and has_others(writing, results, around)
    if isinstance(around, cst.Arg):
        call = writing.parent(around)
        return isinstance(call, cst.Call) and writing.qualified(call.func).startswith("torch.")
    # `t.detach().cpu()`, which is another finding
    return m.matches(around, m.Attribute(attr=m.Name("detach")))


def has_others(writing: Writing, results: cst.CSTNode, one: cst.CSTNode) -> bool:
    """Whether a tuple has tensors beside one of its elements, none of them on the CPU, and no arrays."""
    others = [part.value for part in results.elements if part is not one] if isinstance(results, cst.Tuple) else []
    facts = [writing.fact(other) for other in others]
    if any(fact.device is Device.CPU or "array" in fact.kinds for fact in facts):
        return False
    return any(fact.kinds == {"tensor"} for fact in facts)


TRANSFORMATIONS = (Transformation(COPY, returned), Transformation(COPY, named))
