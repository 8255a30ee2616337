"""What to write instead, where what stands around a wait says more than the operation that waits.

The catalogue has one piece of advice for each operation. What becomes of the value decides which can be followed: what
is added up stays on the device, what a loop is left for has to be known, a size needs a bound that the host knows. Each
rule here looks at the code around the expression alone, and gives nothing where it does not apply.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from itertools import chain, zip_longest

from synclint.analysis.syntax.walk import walk
from synclint.catalog.names import facts_of, names_in
from synclint.catalog.summaries import INNER, is_anyhow, other_argument
from synclint.catalog.torch_api import load_torch_api
from synclint.findings import Finding, Repetition
from synclint.results.scopes import CREATIONS, FILLINGS, SHAPES, Scope, called, filling
from synclint.results.statements import Statement

Rule = Callable[[Finding, Statement], str]

_READS = frozenset({"scalar-read", "device-to-host-copy"})
_TESTED = _READS | {"control-flow"}
_CLASSIFIES = frozenset({"cross_entropy", "nll_loss"})
_LEARNING_RATES = frozenset({"lr", "learning_rate"})
_SMALLER, _GREATER = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)


def advice_at(finding: Finding, statement: Statement) -> str:
    """The advice for the place where a finding stands; empty where that of the operation is as good as any."""
    if statement.node is None:
        return ""
    return next(filter(None, (rule(finding, statement) for rule in _RULES)), "")


def _best_so_far(finding: Finding, statement: Statement) -> str:
    """``if loss < best: best = loss`` keeps the smaller one."""
    node = statement.node
    if finding.mechanism not in _TESTED:
        return ""
    if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], ast.Assign):
        test, targets, value, other = node.test, node.body[0].targets, node.body[0].value, None
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
        test, targets, value, other = node.value.test, node.targets, node.value.body, node.value.orelse
    else:
        return ""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or len(targets) != 1:
        return ""
    name, kept = ast.unparse(targets[0]), _without_copy(value)
    left, right = _without_copy(test.left), _without_copy(test.comparators[0])
    if {left, right} != {name, kept} or left == right or (other and _without_copy(other) != name):
        return ""
    if not isinstance(test.ops[0], (*_SMALLER, *_GREATER)):
        return ""
    keeps_less = isinstance(test.ops[0], _SMALLER) == (right == name)
    return f"Choose on the device: `{name} = torch.{'minimum' if keeps_less else 'maximum'}({name}, {kept})`."


def _without_copy(node: ast.expr) -> str:
    """An expression as written, without the `detach`, `clone` or `item` behind it."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        if node.func.attr not in ("detach", "clone", "item"):
            break
        node = node.func.value
    return ast.unparse(node)


def _smaller_or_greater(finding: Finding, statement: Statement) -> str:
    """``min(loss, 1.0)`` is a clamp, and ``max(a, b)`` of tensors is ``torch.maximum``."""
    call = statement.expression
    if finding.construct != "builtin-comparison" or not isinstance(call, ast.Call) or len(call.args) != 2:
        return ""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in ("min", "max"):
        return ""
    numbers = [argument for argument in call.args if _is_number(argument)]
    tensors = [argument for argument in call.args if argument not in numbers]
    if len(numbers) == 1 and len(tensors) == 1:
        said = f"{_primary(tensors[0])}.clamp({'max' if name == 'min' else 'min'}={ast.unparse(numbers[0])})"
        return f"Clamp on the device: `{said}`."
    one, other = map(ast.unparse, call.args)
    return f"Choose on the device: `torch.{name}imum({one}, {other})`." if not numbers else ""


def _clamped_twice(finding: Finding, statement: Statement) -> str:
    """``x.clamp(0, t)`` is ``x.clamp(min=0).clamp(max=t)``."""
    call = statement.expression
    if finding.construct != "clamp-mixed-bounds" or not isinstance(call, ast.Call):
        return ""
    owner, name = (call.func.value, call.func.attr) if isinstance(call.func, ast.Attribute) else (None, "")
    given = {word.arg: word.value for word in call.keywords}
    by_position = call.args[1:] if isinstance(owner, ast.Name) and owner.id == "torch" else call.args
    bounds = [given.get(word, argument) for word, argument in zip_longest(("min", "max"), by_position)]
    if not name or len(bounds) > 2 or any(bound is None for bound in bounds):
        return ""
    low, high = (ast.unparse(bound) for bound in bounds if bound is not None)
    return f"Clamp twice, by one kind of bound each: `.{name}(min={low}).{name}(max={high})`."


def _primary(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def _ignored_targets(finding: Finding, statement: Statement) -> str:
    """``F.cross_entropy(logits[valid], target[valid])`` leaves out what ``ignore_index`` leaves out as well."""
    if finding.mechanism != "data-dependent-shape" or not isinstance(statement.expression, ast.Subscript):
        return ""
    if not any(isinstance(node, ast.Call) and called(node) in _CLASSIFIES for node in statement.around):
        return ""
    subject = " ".join(finding.subject.split())
    mask = f"~{subject}" if subject.replace(".", "").isidentifier() else f"~({subject})"
    return f"Leave them out by their target: `target.masked_fill({mask}, -100)`, which `ignore_index` skips."


def _other_argument(finding: Finding, _statement: Statement) -> str:
    """A call that waits inside a library because of an argument, which it may be given otherwise."""
    said = other_argument(finding.message) if finding.construct.startswith(INNER) else ""
    return f"{said[:1].upper()}{said[1:]}, or call it less often." if said else ""


def _no_argument(finding: Finding, statement: Statement) -> str:
    """A call that waits inside a library whatever its arguments are."""
    if not finding.construct.startswith(INNER) or not is_anyhow(finding.message):
        return ""
    if isinstance(statement.node, ast.Expr) and statement.node.value is statement.expression:
        return "No argument avoids it: call it less often, such as every N steps."
    return "No argument avoids it: keep the result where it stays the same, else nothing can be done at this call."


def _learning_rate(finding: Finding, statement: Statement) -> str:
    """A learning rate is a number of the host: what sets it has to read the value, but not more than once."""
    node = statement.node
    if finding.mechanism not in _TESTED or not isinstance(node, ast.If):
        return ""
    targets = (target for part in chain(*(walk(child) for child in node.body)) for target in _assigned(part))
    if not any(_is_learning_rate(target) for target in targets):
        return ""
    return "Read it once, every N steps, and set the learning rate from that number: the host needs it there."


def _is_learning_rate(target: ast.expr) -> bool:
    if isinstance(target, ast.Subscript):
        return isinstance(target.slice, ast.Constant) and target.slice.value in _LEARNING_RATES
    name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
    return name in _LEARNING_RATES


def _assigned(node: ast.AST) -> Iterable[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return (node.target,) if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)) else ()


def _one_element(finding: Finding, statement: Statement) -> str:
    """``x[0, 0] = 1.0`` writes one element, which ``fill_`` does without a copy."""
    node = statement.node
    if finding.construct != "single-element-write" or not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return ""
    return f"Fill it on the device: `{ast.unparse(node.targets[0])}.fill_({ast.unparse(node.value)})`."


def _hoisted(finding: Finding, statement: Statement) -> str:
    """What a loop hands on unchanged is asked for again in each of its rounds."""
    expression, name = statement.expression, _root(statement.expression)
    if expression is None or not name or not finding.context.times:
        return ""
    repeated = finding.context.times[-1]
    loop = _loop(repeated, finding, statement)
    if loop is None or (finding.mechanism not in _READS and statement.decides is None):
        return ""
    if not {part.id for part in walk(expression) if isinstance(part, ast.Name)} <= loop.unchanged:
        return ""
    asked = " ".join(finding.subject.split()) or name
    over = "loop" if repeated.each == "round" else f"loop over the {repeated.each}s"
    return f"Hoist it: ask for `{asked}` once before the {over}, and pass the answer in."


def _loop(repeated: Repetition, finding: Finding, statement: Statement) -> Scope | None:
    """The loop that repeats a finding, where it stands in the same file."""
    if repeated.cell is not None or not repeated.path.endswith(finding.filename.removeprefix("./")):
        return None
    return statement.loop(repeated.line)


def _before_upload(finding: Finding, statement: Statement) -> str:
    """What is counted right after it was uploaded could have been counted on the host."""
    name, node, scope = _root(statement.expression), statement.node, statement.scope
    if finding.mechanism not in _READS or not name or scope is None or node is None:
        return ""
    if finding.construct.startswith(INNER):
        return ""  # the library reads it
    last = next((each for each in reversed(scope.assignments.get(name, ())) if each.lineno < node.lineno), None)
    if last is None or (call := _upload(last.value)) is None:
        return ""
    return f"Read it before `{call}`: `{name}` is still on the host there."


def _is_size_later(statement: Statement) -> bool:
    """Whether the number is given a name with which something is created or shaped afterwards."""
    node = statement.node
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or statement.scope is None:
        return False
    target = node.targets[0]
    return isinstance(target, ast.Name) and statement.scope.last_sizes.get(target.id, 0) > node.lineno


def _upload(node: ast.expr) -> str | None:
    """The call that copies a name to the device, as advice tells it; None where it is none."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if not isinstance(node.func.value, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    if node.func.attr == "cuda":
        return ".cuda()"
    given = [ast.unparse(argument) for argument in (*node.args[:1], *(k.value for k in node.keywords))]
    return ".to(device)" if node.func.attr == "to" and any(_is_device(text) for text in given) else None


def _is_device(text: str) -> bool:
    return "device" in text or "cuda" in text


def _filled_in(finding: Finding, statement: Statement) -> str:
    """``torch.full(size, loss.item())`` reads a number that could be copied on the device."""
    for node in statement.around:
        if isinstance(node, ast.Call) and called(node) in FILLINGS and finding.mechanism in _READS:
            value = filling(node)
            if value is not None and any(part is statement.expression for part in walk(value)):
                subject = " ".join(finding.subject.split())
                return f"Fill it in on the device: `torch.empty(size, device=device).fill_({subject})`."
    return ""


def _size(finding: Finding, statement: Statement) -> str:
    """A size that is read from the device has a bound that the host knows."""
    sized = any(
        (isinstance(node, ast.Call) and called(node) in CREATIONS | SHAPES) or isinstance(node, ast.Slice)
        for node in statement.around
    )
    if finding.mechanism not in _READS or not (sized or _is_size_later(statement)):
        return ""
    subject = " ".join(finding.subject.split())
    return f"Use a bound that the host knows instead of `{subject}`, and mask what lies beyond it."


def _sum(finding: Finding, statement: Statement) -> str:
    """``total += float(loss)`` adds up what can be added up on the device."""
    node = statement.node
    if finding.mechanism not in _READS or finding.construct == "tolist":  # which makes a list longer
        return ""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target: ast.expr = node.target
        value = node.value
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.BinOp):
        target, added = node.targets[0], _added_to(node.targets[0], node.value)
        if added is None:
            return ""
        value = added
    else:
        return ""
    if isinstance(target, ast.Subscript) and any(isinstance(part, ast.Call) for part in walk(target)):
        return ""
    kept, total = _kept_on_device(value, finding, statement), ast.unparse(target)
    if not kept:
        return ""
    return f"Add up on the device: `{total} += {kept}`, and read `{total}` once, after the loop."


def _kept_on_device(value: ast.expr, finding: Finding, statement: Statement) -> str:
    """How a value is written without the read in it; empty where more than arithmetic is done with what is read."""
    around = [part for part in (statement.expression, *statement.around) if part is not None]
    tensor = _parsed(finding.subject)
    if value not in around or tensor is None:
        return ""
    read, *outside = around[: around.index(value) + 1]
    while outside and _is_float(outside[0]):
        read = outside.pop(0)
    if not all(isinstance(part, (ast.BinOp, ast.UnaryOp)) for part in outside):
        return ""
    return ast.unparse(value).replace(ast.unparse(read), _detached(_primary(tensor)), 1)


def _is_float(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"


def _parsed(subject: str) -> ast.expr | None:
    """An operand as it is written, as an expression; None where it cannot be read by itself."""
    try:
        return ast.parse(f"({subject})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _detached(tensor: str) -> str:
    return tensor if tensor.endswith((".detach()", ".data")) else f"{tensor}.detach()"


def _added_to(target: ast.expr, value: ast.BinOp) -> ast.expr | None:
    """What a sum adds to what it is assigned to, None where it does not."""
    if not isinstance(value.op, ast.Add):
        return None
    if ast.unparse(target) == ast.unparse(value.left):
        return value.right
    return value.left if ast.unparse(target) == ast.unparse(value.right) else None


def _collected(finding: Finding, statement: Statement) -> str:
    """``history.append(loss.item())`` can keep tensors, and read all of them with one copy."""
    if finding.mechanism not in _READS:
        return ""
    call = next((node for node in statement.around if isinstance(node, ast.Call) and called(node) == "append"), None)
    if call is None or not isinstance(call.func, ast.Attribute) or not isinstance(statement.node, ast.Expr):
        return ""
    kept = _kept_on_device(call.args[0], finding, statement) if len(call.args) == 1 else ""
    if not kept:
        return ""
    whole = ast.unparse(call.func.value)
    return f"Append `{kept}`, and read all with one copy after the loop: `torch.stack({whole}).tolist()`."


def _several_numbers(finding: Finding, statement: Statement) -> str:
    """A number is filled in, and what is known to be none is not."""
    is_uploaded = finding.construct.endswith("from-host-data") or finding.construct == "new-tensor"
    subject = " ".join(finding.subject.split())
    told = finding.message.rpartition(f": `{subject}` is ")[2]
    if finding.construct.endswith("from-host-data") and _ONLY_NUMBERS.fullmatch(told):
        return f"Fill it in on the device, which copies nothing: `torch.full((), {subject}, device=device)`."
    if not is_uploaded or not any(f"`{subject}` is {kind}" in finding.message for kind in _CONTAINERS):
        return ""
    return f"Make `{subject}` a tensor once, outside the loop, or pin it and use `.to(device, non_blocking=True)`."


def _made_by_numpy(finding: Finding, _statement: Statement) -> str:
    """What NumPy makes on the spot can be made by torch, where it is wanted."""
    node = _parsed(finding.subject) if finding.construct.endswith("from-host-data") else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    root, _, name = ast.unparse(node.func).partition(".")
    made = facts_of("numpy", "made-by-torch").get(name) if root in ("np", "numpy") else None
    return f"Make it on the device, which copies nothing: `torch.{made}(…, device=device)`." if made else ""


def _upload_of_result(finding: Finding, _statement: Statement) -> str:
    """What is computed of a batch goes up after the batch, and what is made of host data by way of pinned memory."""
    node = _parsed(finding.subject) if finding.construct == "upload" else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    owner, name = node.func.value, node.func.attr
    if not _root_of_module(node.func):
        if not load_torch_api().method(name) or not isinstance(owner, (ast.Name, ast.Attribute, ast.Subscript)):
            return ""
        return f"Copy `{ast.unparse(owner)}` up first, pinned, with `non_blocking=True`, and call `{name}` there."
    if name not in names_in("torch", "from-data"):
        return ""
    subject = " ".join(finding.subject.split())
    return f"Copy it by way of pinned memory: `{subject}.pin_memory().to(device, non_blocking=True)`."


# As messages describe what a tensor is made from (`analysis.domain`).
_ONLY_NUMBERS = re.compile(r"a Python \w+( or a Python \w+)*")
_CONTAINERS = ("a list", "a tuple", "an array", "a NumPy array", "a range", "a dict")


def _root(node: ast.AST | None) -> str:
    """The name at the beginning of the expression that waits; ``mask`` of ``int(mask.sum())``."""
    while node is not None:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.UnaryOp):
            node = node.operand
        elif isinstance(node, ast.Compare):
            node = node.left
        elif isinstance(node, ast.Call):
            names = not isinstance(node.func, ast.Attribute) or _root_of_module(node.func)
            node = (node.args[0] if node.args else None) if names else node.func
        else:
            return ""
    return ""


def _root_of_module(func: ast.Attribute) -> bool:
    return isinstance(func.value, ast.Name) and func.value.id in ("torch", "np", "numpy", "math", "F")


_RULES: tuple[Rule, ...] = (
    _other_argument,
    _no_argument,
    _made_by_numpy,
    _upload_of_result,
    _several_numbers,
    _one_element,
    _ignored_targets,
    _best_so_far,
    _smaller_or_greater,
    _clamped_twice,
    _learning_rate,
    _hoisted,
    _before_upload,
    _filled_in,
    _size,
    _sum,
    _collected,
)
