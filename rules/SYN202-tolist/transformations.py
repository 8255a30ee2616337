"""Reads that a loop repeats although it changes nothing of what is read, and output that somebody has forgotten."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import libcst as cst
import libcst.matchers as m

from synclint.codemod import TensorFactProvider
from synclint.fixes.blocks import bound_within
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing
from synclint.fixes.uses import is_name_free, is_written_to

UNPRINTED = "it is no longer printed"
EARLY = "it is read even if the loop has no round, and what the loop writes into `{}` is not seen"
IS_A_ROW = "the tensor has to have one dimension, and what the loop writes into `{}` is not seen"

FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
READ = m.Call(m.Attribute(attr=m.Name("item") | m.Name("tolist")), [], metadata=FOUND)
# ``t[i].item()``
ELEMENT = m.Call(
    m.Attribute(
        m.Subscript(
            m.SaveMatchedNode(m.Name(), "tensor"),
            [m.SubscriptElement(m.Index(m.SaveMatchedNode(m.Name(), "index")))],
        ),
        m.Name("item"),
    ),
    [],
    metadata=FOUND,
)
RANGE = m.For(m.Name(), m.Call(m.Name("range")))
# What a chain of methods that change nothing consists of.
QUIET = m.OneOf(
    m.Name(), m.Attribute(), m.Call(m.Attribute()), m.Arg(), m.Integer(), m.Float(), m.Comma(), m.UnaryOperation(),
    m.Minus(), m.Dot(), m.AssignEqual(), m.SimpleWhitespace(),
)  # fmt: skip
IN_PLACE = m.Call(m.Attribute(attr=m.Name(m.MatchRegex(r".*[^_]_$"))))
DEBUG = m.FormattedString(parts=[m.ZeroOrMore(), m.FormattedStringExpression(equal=m.AssignEqual()), m.ZeroOrMore()])


def hoisted_element(writing: Writing, node: cst.For, saved: Saved) -> Rewrite | None:
    """``for i in range(n): t[i].item()`` as ``t_list = t.tolist()`` before the loop, and ``t_list[i]`` in it."""
    read = writing.found
    parts = m.extract(read, ELEMENT, metadata_resolver=writing.lookup)
    if parts is None or not m.matches(node, RANGE) or not parts["index"].deep_equals(node.target):
        return None
    tensor = parts["tensor"].value
    fact = writing.fact(parts["tensor"])
    if "tensor" not in fact.kinds or (fact.rank or 1) != 1 or is_written(writing, [tensor]):
        return None
    name = free_name(writing, f"{tensor}_list", tensor)
    value = cst.Subscript(cst.Name(name), read.func.value.slice)
    message, caveat = f"Read all of `{tensor}` before the loop", IS_A_ROW.format(tensor)
    return Rewrite({read: value}, message, caveat, before=f"{name} = {tensor}.tolist()")


def hoisted(writing: Writing, node: cst.For, saved: Saved) -> Rewrite | None:
    """``for …: f(mask.sum().tolist())`` with the list made before the loop, if that changes nothing of the mask."""
    read = writing.found
    if not m.matches(read, READ, metadata_resolver=writing.lookup) or m.findall(read, IN_PLACE):
        return None
    if not all(m.matches(part, QUIET) for part in parts_of(read)):
        return None
    names = {name.value for name in m.findall(read, m.Name()) if is_read(writing, name)}
    root = writing.code(read).partition(".")[0]
    if "tensor" not in writing.fact(read.func.value).kinds or is_written(writing, names):
        return None
    conditions: list[cst.CSTNode] = []
    inner: cst.CSTNode = read
    for outer in writing.around(read):
        if outer is node:
            break
        if isinstance(outer, cst.If) and inner is not outer.test:
            if inner is not outer.body:
                return None
            conditions.append(outer.test)
        elif isinstance(outer, (cst.Try, cst.While, cst.For, cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.CompFor)):
            return None
        inner = outer
    if inner is not node.body:
        return None  # what a loop goes through is evaluated once
    argument = writing.parent(read)
    named = argument.keyword.value if isinstance(argument, cst.Arg) and argument.keyword is not None else f"{root}_read"
    value = writing.code(read)
    if conditions:
        asked = conditions[0].value if len(conditions) == 1 and isinstance(conditions[0], cst.Name) else ""
        if not asked or asked in names_bound_by(writing):
            return None
        value = f"{value} if {asked} else None"
    name = free_name(writing, named, value)
    caveat = EARLY.format(root)
    return Rewrite({read: cst.Name(name)}, "Read it before the loop", caveat, before=f"{name} = {value}")


def unprinted(writing: Writing, node: cst.SimpleStatementLine, saved: Saved) -> Rewrite | None:
    """``print(f"{x.tolist()=}")``, which shows what is computed as it is written, is left out."""
    return Rewrite({node: cst.RemoveFromParent()}, "Leave out the output for debugging", UNPRINTED)


def parts_of(node: cst.CSTNode) -> list[cst.CSTNode]:
    """All nodes within one, and itself."""
    return [node, *(inner for child in node.children for inner in parts_of(child))]


def is_read(writing: Writing, name: cst.Name) -> bool:
    """Whether a name is that of a variable, and not of an attribute or a parameter."""
    around = writing.parent(name)
    is_attribute = isinstance(around, cst.Attribute) and around.attr is name
    return not is_attribute and not (isinstance(around, cst.Arg) and around.keyword is name)


def is_written(writing: Writing, names: Iterable[str]) -> bool:
    """Whether anything in the function writes into what one of some names stands for."""
    scope = writing.place.function
    return scope is None or any(is_written_to(scope, name) for name in names)


def names_bound_by(writing: Writing) -> frozenset[str]:
    """The names that the loop around the finding binds."""
    (loop,) = writing.read.region.nodes
    return bound_within(loop)


def free_name(writing: Writing, name: str, value: str) -> str:
    """A name that means nothing in the function yet, nor is offered for another value: perhaps with a number."""
    place = writing.place
    scope, loop = place.function, writing.read.region.nodes[0]
    given: dict[tuple[int, str], str] = place.file.once(("names before loops", id(scope)), dict)
    if (id(loop), value) not in given:
        choices = itertools.chain([name], (f"{name}_{k}" for k in itertools.count(2)))
        taken = set(given.values())
        free = (one for one in choices if one not in taken and (scope is None or is_name_free(scope, one)))
        given[id(loop), value] = next(free)
    return given[id(loop), value]


TRANSFORMATIONS = (
    Transformation(m.SimpleStatementLine([m.Expr(m.Call(m.Name("print"), [m.Arg(DEBUG)]))]), unprinted),
    Transformation(m.For(), hoisted_element),
    Transformation(m.For(), hoisted),
)
