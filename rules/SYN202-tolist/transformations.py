"""Reads that a loop repeats although it changes nothing of what is read, and output that somebody has forgotten."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, statement
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
    read = found_in(writing, node, ELEMENT)
    parts = m.extract(read, ELEMENT, metadata_resolver=writing.lookup) if read is not None else None
    if parts is None or not m.matches(node, RANGE) or not parts["index"].deep_equals(node.target):
        return None
    tensor = parts["tensor"].value
    fact = writing.fact(parts["tensor"])
    if "tensor" not in fact.kinds or (fact.rank or 1) != 1 or not stays(writing, node, tensor):
        return None
    name = free_name(writing, f"{tensor}_list")
    value = cst.Subscript(cst.Name(name), read.func.value.slice)
    around = writing.parent(writing.parent(read))
    if m.matches(around, m.Call(m.Name("int") | m.Name("float"), [m.Arg(m.MatchIfTrue(lambda arg: arg is read))])):
        read = around if writing.fact(parts["tensor"]).dtype is not None else read
        value = around.with_changes(args=[around.args[0].with_changes(value=value)])
    line = statement(f"{name} = {tensor}.tolist()", like=node)
    return Rewrite(
        {node: before(line, node, {read: value})}, f"Read all of `{tensor}` before the loop", IS_A_ROW.format(tensor)
    )


def hoisted(writing: Writing, node: cst.For, saved: Saved) -> Rewrite | None:
    """``for …: f(mask.sum().tolist())`` with the list made before the loop, if that changes nothing of the mask."""
    read = found_in(writing, node, READ)
    if read is None or m.findall(read, IN_PLACE) or not all(m.matches(part, QUIET) for part in parts_of(read)):
        return None
    names = {name.value for name in m.findall(read, m.Name()) if is_read(writing, name)}
    root = writing.code(read).partition(".")[0]
    if "tensor" not in writing.fact(read.func.value).kinds or not all(stays(writing, node, name) for name in names):
        return None
    conditions: list[cst.CSTNode] = []
    inner: cst.CSTNode = read
    for outer in writing.around(read):
        if outer is node:
            break
        if isinstance(outer, cst.If) and inner is not outer.test:
            conditions.append(outer.test if inner is outer.body else cst.Name(""))
        elif isinstance(outer, (cst.Try, cst.While, cst.For, cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.CompFor)):
            return None
        inner = outer
    if inner is not node.body:
        return None  # what a loop goes through is evaluated once
    argument = writing.parent(read)
    named = argument.keyword.value if isinstance(argument, cst.Arg) and argument.keyword is not None else f"{root}_read"
    name = free_name(writing, named)
    value = writing.code(read)
    if conditions:
        if len(conditions) > 1 or not m.matches(conditions[0], m.Name()):
            return None
        asked = writing.code(conditions[0])
        if not stays(writing, node, asked):
            return None
        value = f"{value} if {asked} else None"
    made = before(statement(f"{name} = {value}", like=node), node, {read: cst.Name(name)})
    return Rewrite({node: made}, "Read it before the loop", EARLY.format(root))


def unprinted(writing: Writing, node: cst.SimpleStatementLine, saved: Saved) -> Rewrite | None:
    """``print(f"{x.tolist()=}")``, which shows what is computed as it is written, is left out."""
    return Rewrite({node: cst.RemoveFromParent()}, "Leave out the output for debugging", UNPRINTED)


def found_in(writing: Writing, node: cst.CSTNode, matcher: m.BaseMatcherNode) -> cst.Call | None:
    """The expression of the finding, if it is such a one."""
    found = m.findall(node, matcher, metadata_resolver=writing.lookup)
    return found[0] if found else None


def parts_of(node: cst.CSTNode) -> list[cst.CSTNode]:
    """All nodes within one, and itself."""
    return [node, *(inner for child in node.children for inner in parts_of(child))]


def is_read(writing: Writing, name: cst.Name) -> bool:
    """Whether a name is that of a variable, and not of an attribute or a parameter."""
    around = writing.parent(name)
    is_attribute = isinstance(around, cst.Attribute) and around.attr is name
    return not is_attribute and not (isinstance(around, cst.Arg) and around.keyword is name)


def stays(writing: Writing, loop: cst.For, name: str) -> bool:
    """Whether a loop leaves a name, and what it stands for, as they are, as far as the function shows."""
    bound = m.findall(loop, m.AssignTarget() | m.AugAssign() | m.AnnAssign() | m.For() | m.AsName() | m.NamedExpr())
    targets = (getattr(one, "target", getattr(one, "name", None)) for one in bound)
    if any(part.value == name for target in targets for part in m.findall(target, m.Name())):
        return False
    scope = writing.place.function
    return scope is not None and not is_written_to(scope, name)


def free_name(writing: Writing, name: str) -> str:
    """A name that means nothing in the function yet: this one, or this one with a number."""
    scope = writing.place.function
    choices = [name, *(f"{name}_{k}" for k in range(2, 10))]
    return next(one for one in choices if scope is None or is_name_free(scope, one))


def before(line: cst.SimpleStatementLine, loop: cst.For, new: dict[cst.CSTNode, cst.CSTNode]) -> cst.FlattenSentinel:
    """A line, and after it the loop with other nodes in it."""
    for old, made in new.items():
        loop = loop.deep_replace(old, made)
    return cst.FlattenSentinel([line, loop.with_changes(leading_lines=())])


TRANSFORMATIONS = (
    Transformation(m.SimpleStatementLine([m.Expr(m.Call(m.Name("print"), [m.Arg(DEBUG)]))]), unprinted),
    Transformation(m.For(), hoisted_element),
    Transformation(m.For(), hoisted),
)
