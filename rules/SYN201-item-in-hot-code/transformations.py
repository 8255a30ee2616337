"""Numbers that are added up, or shown: added up on the device, or shown as often as others."""

from __future__ import annotations

import ast

import libcst as cst
import libcst.matchers as m

from synclint.codemod import Device, DType, TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, named, statement
from synclint.fixes.uses import bindings, is_captured, loads

KEPT = "the sum becomes a tensor, and code that needs a number from `{}` waits"
LESS_OFTEN = "it is shown less often: in the steps in which the rest is"
RETURNED = "the caller gets a tensor, and waits where it needs a number"
FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
READ = m.Call(m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "tensor"), m.Name("item")), [], metadata=FOUND)
ARITHMETIC = m.BinaryOperation(operator=m.Add() | m.Subtract() | m.Multiply() | m.Divide() | m.Power())
COMPREHENSION = m.SaveMatchedNode(m.ListComp() | m.GeneratorExp(), "parts")
SHOWS = m.Name("print") | m.Attribute(
    attr=named("set_description", "set_postfix", "set_postfix_str", "info", "debug", "log", "write", "print")
)
SHOWN = m.SimpleStatementLine([m.Expr(m.Call(SHOWS))])
REMAINDER = m.Comparison(m.BinaryOperation(operator=m.Modulo()), [m.ComparisonTarget(m.Equal())])


def added(writing: Writing, node: cst.AugAssign, saved: Saved) -> Rewrite | None:
    """``total += loss.item() * n`` as ``total += loss.detach() * n``."""
    kept = kept_within(writing, node.value)
    if kept is None or not m.matches(node.target, m.Name() | m.Attribute(m.Name())):
        return None
    name = writing.code(node.target)
    if isinstance(node.target, cst.Name) and not is_read_later(writing, name):
        return None
    return Rewrite(kept, "Add up on the device", KEPT.format(name))


def summed(writing: Writing, node: cst.Assign, saved: Saved) -> Rewrite | None:
    """``n = sum(t.norm().item() ** 2 for t in tensors)`` as ``n = sum(t.norm().detach() ** 2 for t in tensors)``."""
    kept, name = kept_within(writing, saved["parts"].elt), saved["name"].value
    if kept is None or not is_read_later(writing, name):
        return None
    return Rewrite(kept, "Add up on the device", KEPT.format(name))


def is_read_later(writing: Writing, name: str) -> bool:
    """Whether ``float(…)`` reads a sum, and nothing else needs it, after the loop and before it is another one."""
    place, scope = writing.place, writing.place.function
    if scope is None or is_captured(scope, name):
        return False
    loops = [node for node in place.file.ancestors(place.statement) if isinstance(node, (ast.For, ast.While))]
    whole = loops[0] if loops else place.statement
    end = whole.end_lineno or whole.lineno
    next_one = min((line for one in bindings(scope, name) if (line := getattr(one, "lineno", 0)) > end), default=None)
    uses = [use for use in loads(scope, name) if use.lineno >= whole.lineno and use.lineno <= (next_one or use.lineno)]
    asked = [place.file.parent(use) for use in uses]
    return bool(asked) and all(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "float" for call in asked
    )


def kept_within(writing: Writing, value: cst.BaseExpression) -> dict[cst.CSTNode, cst.CSTNode] | None:
    """A tensor in the place of the number that is read from it, where nothing but arithmetic is around it."""
    read = writing.found
    parts = m.extract(read, READ, metadata_resolver=writing.lookup)
    around = [read, *writing.around(read)]
    if parts is None or value not in around:
        return None
    if not all(m.matches(one, ARITHMETIC) for one in around[1 : around.index(value) + 1]):
        return None
    tensor, fact = parts["tensor"], writing.fact(parts["tensor"])
    # What is reported is a tensor by what is asked of it, where nothing else tells.
    if fact.kinds.isdisjoint({"tensor", "unknown"}) or fact.device is Device.CPU:
        return None
    if fact.dtype in (DType.INT, DType.BOOL) or m.matches(tensor, m.Call(m.Attribute(attr=m.Name("detach")), [])):
        return {read: grouped(tensor)}
    return {read: cst.Call(cst.Attribute(grouped(tensor), cst.Name("detach")))}


def returned_as_tensor(writing: Writing, node: cst.IndentedBlock, saved: Saved) -> Rewrite | None:
    """``n = t.item() ** 0.5``, ``if math.isnan(n) …: n = -1``, ``return n`` with a tensor and ``where``."""
    name, asked, scope = saved["name"].value, saved["asked"], writing.place.function
    if not all(saved[other].value == name for other in ("again", "returned")):
        return None
    kept = kept_within(writing, saved["value"])
    if kept is None or scope is None or is_captured(scope, name) or not is_not_finite(writing, asked.test, name):
        return None
    end = writing.read.region.nodes[-1].lineno
    if any(use.lineno > end for use in loads(scope, name)) or len(asked.body.body) != 1:
        return None
    line = f"{name} = {name}.where({name}.isfinite(), {writing.code(saved['instead'])})"
    return Rewrite({**kept, asked: statement(line, like=asked)}, f"Return `{name}` as a tensor", RETURNED)


def is_not_finite(writing: Writing, test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition asks of a number whether it is infinite, of either sign, or no number."""
    if m.matches(test, m.UnaryOperation(m.Not(), m.Call(args=[m.Arg(m.Name(name))]))):
        return writing.qualified(test.expression.func) in ("math.isfinite", "numpy.isfinite")
    asked = {asked_of(writing, part, name) for part in alternatives(test)}
    return "" not in asked and {"nan", "inf", "-inf"} <= set("|".join(asked).split("|"))


def alternatives(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What is joined by ``or``."""
    if isinstance(test, cst.BooleanOperation) and m.matches(test.operator, m.Or()):
        return [*alternatives(test.left), *alternatives(test.right)]
    return [test]


def asked_of(writing: Writing, test: cst.BaseExpression, name: str) -> str:
    """Which values a condition asks for, ``inf|-inf`` where for both; empty where for others."""
    if m.matches(test, m.Call(args=[m.Arg(m.Name(name))])):
        function = writing.qualified(test.func)
        return {"isnan": "nan", "isinf": "inf|-inf"}.get(function.partition(".")[2], "")
    if m.matches(test, m.Comparison(m.Name(name), [m.ComparisonTarget(m.NotEqual(), m.Name(name))])):
        return "nan"
    if not m.matches(test, m.Comparison(m.Name(name), [m.ComparisonTarget(m.Equal())])):
        return ""
    value = test.comparisons[0].comparator
    sign = "-" if m.matches(value, m.UnaryOperation(m.Minus())) else ""
    inner = value.expression if sign else value
    is_infinite = m.matches(inner, INFINITE) or writing.qualified(inner) in ("math.inf", "torch.inf", "numpy.inf")
    return f"{sign}inf" if is_infinite else ""


def shown_less_often(writing: Writing, node: cst.IndentedBlock, saved: Saved) -> Rewrite | None:
    """``bar.set_description(f"{loss.item()}")`` in the ``if step % n == 0:`` that follows it."""
    shown, interval = saved["shown"], saved["interval"]
    if shown not in writing.around(writing.found) or not m.matches(interval.body, m.IndentedBlock()):
        return None
    first = interval.body.body[0]
    moved = shown.with_changes(leading_lines=[line for line in shown.leading_lines if line.comment is not None])
    body = interval.body.with_changes(body=[moved, first, *interval.body.body[1:]])
    made = interval.with_changes(body=body)
    return Rewrite({shown: cst.RemoveFromParent(), interval: made}, "Show it when the rest is shown", LESS_OFTEN)


def read_when_shown(writing: Writing, node: cst.IndentedBlock, saved: Saved) -> Rewrite | None:
    """``losses.append(loss.item())`` and ``if …: mean(losses)`` with tensors, which are all read in the ``if``."""
    scope, shown = writing.place.function, node.body[-1]
    kept = kept_within(writing, writing.found)
    if scope is None or kept is None or not isinstance(shown, cst.If) or not writing.fact(writing.found).is_number:
        return None
    appended = [m.extract(line, APPENDED) for line in node.body[:2]]
    name = next((one["list"].value for one in appended if one is not None), "")
    values = [line.body[0].targets[0].target.value for line in node.body[:1] if m.matches(line, ASSIGNED)]
    if not name or is_captured(scope, name) or any(len(loads(scope, value)) != 1 for value in values):
        return None
    uses = m.findall(shown.body, m.Name(name))
    appending = 1
    if len(uses) + appending != len(loads(scope, name)) or shown.orelse is not None or not uses:
        return None
    stack = writing.code(writing.name("torch.stack"))
    line = statement(f"{name} = {stack}({name}).tolist()", like=cst.EmptyLine())
    body = shown.body.with_changes(body=[line, *shown.body.body])
    caveat = "the list holds tensors until it is read, all of which have to be 0-dim, of one type and on one device"
    return Rewrite({**kept, shown.body: body}, f"Read all of `{name}` where it is used", caveat)


LIST = m.SaveMatchedNode(m.Name(), "list")
APPENDED = m.SimpleStatementLine([m.Expr(m.Call(m.Attribute(LIST, m.Name("append")), [m.Arg()]))])
ASSIGNED = m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())])])
SUM = m.Assign(
    [m.AssignTarget(m.SaveMatchedNode(m.Name(), "name"))],
    m.Call(m.Name("sum"), [m.Arg(COMPREHENSION, keyword=None, star="")]),
)
INFINITE = m.Call(m.Name("float"), [m.Arg(m.SimpleString(m.MatchRegex(r"""["'][+]?inf["']""")))])
LITERAL = m.Integer() | m.Float() | m.UnaryOperation(m.Minus(), m.Integer() | m.Float())


def given(name: str, value: str, matcher: m.BaseMatcherNode | m.DoNotCareSentinel) -> m.SimpleStatementLine:
    """``name = value``."""
    target = m.AssignTarget(m.SaveMatchedNode(m.Name(), name))
    return m.SimpleStatementLine([m.Assign([target], m.SaveMatchedNode(matcher, value))])


RETURN = [
    given("name", "value", m.DoNotCare()),
    m.SaveMatchedNode(m.If(body=m.IndentedBlock([given("again", "instead", LITERAL)]), orelse=None), "asked"),
    m.SimpleStatementLine([m.Return(m.SaveMatchedNode(m.Name(), "returned"))]),
]
TWO = [m.SaveMatchedNode(SHOWN, "shown"), m.SaveMatchedNode(m.If(REMAINDER), "interval")]
TRANSFORMATIONS = (
    Transformation(m.AugAssign(operator=m.AddAssign()), added),
    Transformation(SUM, summed),
    Transformation(m.IndentedBlock(RETURN), returned_as_tensor),
    Transformation(m.IndentedBlock(TWO), shown_less_often),
    Transformation(m.IndentedBlock(), read_when_shown),
)
