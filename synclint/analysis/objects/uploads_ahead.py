"""Which values a function hands to the device later: before that they are on the CPU, whoever made them.

What is brought to the device is not there yet. The bodies of functions are gone through backwards: a name holds such a
value at a place if on some way from there it, a part of it, or what is selected or copied from it, is the receiver of
``.cuda()`` or ``.to(device)``, or given to a function that does that with it, before the name gets another value.
Nothing is concluded of what may be a model: those are brought to the device with all that they hold. Nor is anything
concluded of a branch that brings back what another one brought to the host under the same test: otherwise that was on
the device all the time; nor of what a result is brought back to, by ``y.to(x.device)``: that is taken wherever it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from synclint.analysis.annotations.batch_names import names_a_device
from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Symbol, Value
from synclint.analysis.models.method_names import names_of_objects
from synclint.analysis.objects import ancestry
from synclint.analysis.objects.before_uploads import ON_HOST, before_upload, may_be_anywhere
from synclint.analysis.objects.classes import find_method
from synclint.analysis.objects.devices_left_open import LeftOpen
from synclint.analysis.objects.held_modules import is_held_as_module
from synclint.analysis.objects.lightning_modules import moved_before
from synclint.analysis.objects.upload_goals import (
    UPLOADING,
    brought_back_to,
    computes_there,
    goal_of,
    is_given_what_is_brought,
    without_goals,
)
from synclint.analysis.program.text_facts import text_fact, text_fact_by_names
from synclint.analysis.state.frames import Frame, Interpreter
from synclint.analysis.state.usage import Uploads
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.bindings import bound_pairs
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.walk import dotted_name, walk, walk_to

# What gives a tensor that is where the one is that it is called on, or a view of it.
_LEAVING = frozenset({"cpu", "numpy", "tolist", "item", "size", "dim", "numel", "stride", "to", "cuda", "get_device"})
_PARTS = frozenset({"items", "values", "keys"})
_OF_MODELS = frozenset(
    {
        "parameters", "named_parameters", "buffers", "modules", "named_modules", "children", "state_dict", "train",
        "eval", "load_state_dict", "requires_grad_", "zero_grad", "apply", "forward", "module", "register_buffer",
    }
)  # fmt: skip
# A gradient is where the backward pass was, whatever is done with it.
_TELLING = frozenset({"shape", "device", "dtype", "ndim", "grad"})
_JOINING = frozenset({"cat", "stack", "concat", "pad", "where"})

_NOTHING = Uploads()
_Names = frozenset[str]
_NO_NAMES: _Names = frozenset()


def uploads_ahead(engine: Interpreter, record: FunctionRecord) -> Uploads:
    """What a function hands to the device later."""
    known = engine.readings.uploads.get(record.node)
    if known is None:
        found = _Backwards(engine, record)
        known = _NOTHING
        if any(found.uploaded_by(call) for call in record.nodes.of(ast.Call)):
            known = found.uploads()
        engine.readings.uploads[record.node] = known
    return known


@text_fact_by_names
def uploads_of_parameters(engine: Interpreter, record: FunctionRecord) -> Uploads:
    """What a function hands to the device later, as far as it concerns those who call it."""
    _, given, tensors, batches = uploads_ahead(engine, record)
    return Uploads(parameters=given, tensors=tensors & given, batches=batches & given) if given else _NOTHING


def handed_on(target: ast.Name, value: Value, frame: Frame) -> Value:
    """What a name is bound to: on the CPU, if the function, or who is given it by the function, uploads it later."""
    engine, record = frame.engine, frame.function
    if record is None or not record.module.has_torch_in_reach or not may_be_anywhere(value):
        return value
    uploads = uploads_ahead(engine, record)
    if target in uploads.targets:
        return before_upload(value, target.id, uploads)
    if record.owner is None or target not in _returned(engine, record):
        return value
    if engine.read_field(record.owner, _result_of(record)) is None:
        return value
    return before_upload(value, target.id, Uploads(frozenset(), frozenset(), *_evidence(engine, record.nodes)))


def note_uploaded_result(node: ast.Assign, frame: Frame) -> None:
    """Let a method know that what it returns is handed to the device where it is called."""
    call, record = node.value, frame.function
    if record is None or record.owner is None or not isinstance(call, ast.Call):
        return
    function = call.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return
    callee = find_method(record.owner, function.attr) if function.value.id == record.receiver else None
    if callee is None or callee.owner is None or frame.engine.is_trial(frame.module, callee.module):
        return
    targets = uploads_ahead(frame.engine, record).targets
    if targets and any(part in targets for target in node.targets for part in walk(target)):
        frame.engine.write_field(callee.owner, _result_of(callee), ON_HOST)


def _result_of(record: FunctionRecord) -> str:
    """What the result of a method is called among the attributes of its class, as no attribute can be."""
    return f"{record.name}()"


def _returned(engine: Interpreter, record: FunctionRecord) -> frozenset[ast.AST]:
    """The targets that a function binds to what it returns, or to what that is made of."""
    known = engine.readings.returned.get(record.node)
    if known is None:
        has_result = any(one.value is not None for one in record.nodes.of(ast.Return))
        known = _Backwards(engine, record, returned=True).targets() if has_result else frozenset()
        engine.readings.returned[record.node] = known
    return known


@text_fact
def moved_parameters(record: FunctionRecord) -> frozenset[str]:
    """The parameters of a function that it brings to the device, by its own text."""
    left_open = LeftOpen(record)
    moved: set[str] = set()
    for call in record.nodes.of(ast.Call):
        if _is_upload(call, left_open):
            assert isinstance(call.func, ast.Attribute)
            moved |= names_behind(call.func.value, record.receiver)
    if not moved:
        return _NO_NAMES
    taken = record.node.args
    given = {one.arg for one in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)}
    given |= {one.arg for one in (taken.vararg,) if one is not None}
    for part in record.nodes:
        if isinstance(part, (ast.For, ast.AsyncFor, ast.comprehension)) and _bound(part.target) & moved:
            moved |= names_behind(part.iter, record.receiver)
    return frozenset(moved & given)


def _is_upload(call: ast.Call, left_open: Callable[[], _Names]) -> bool:
    """Whether a call is ``x.cuda()``, or ``x.to(device)`` with a device that is named, and not ``left_open``.

    Hardly a function brings anything to a device: only of one that does it is asked what it leaves open.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in UPLOADING or not names_a_device(call):
        return False
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "device"), argument_node(call))
    return call.func.attr == "cuda" or not (isinstance(given, ast.Name) and given.id in left_open())


def names_behind(node: ast.expr, receiver: str | None = None) -> _Names:
    """The names whose values are where an expression is: ``x`` of ``x[0].float()``, ``a`` and ``b`` of ``a / b``.

    What the ``receiver`` of a method holds has names of its own: where ``self.model`` is says nothing of ``self.data``.
    """
    found: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, (ast.Subscript, ast.Starred, ast.Await)):
            waiting.append(part.value)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == receiver:
            found.add(f"{receiver}.{part.attr}")
        elif isinstance(part, ast.Attribute):
            waiting += [part.value] if part.attr not in _TELLING else []
        elif isinstance(part, ast.UnaryOp):
            waiting.append(part.operand)
        elif isinstance(part, ast.BinOp):
            waiting += [part.left, part.right]
        elif isinstance(part, ast.IfExp):
            waiting += [part.body, part.orelse]
        elif isinstance(part, (ast.Tuple, ast.List)):
            waiting += part.elts
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if part.func.attr in _JOINING:
                waiting += part.args[:1]
            elif part.func.attr not in _LEAVING:
                waiting.append(part.func.value)
    return frozenset(found)


def _bound(target: ast.AST) -> _Names:
    return frozenset(part.id for part in walk(target) if isinstance(part, ast.Name))


class _Backwards:
    """Goes through the body of a function from its end to its beginning.

    ``returned`` tells that what is looked for are not the values handed to the device, but those that it returns.
    """

    def __init__(self, engine: Interpreter, record: FunctionRecord, *, returned: bool = False) -> None:
        self._returned = returned
        # Nothing in an expression tells of what is returned but what goes through something.
        self._is_plain = returned and not record.nodes.of(ast.comprehension)
        self._engine = engine
        self._record = record
        self._left_open = LeftOpen(record)
        self._targets: set[ast.AST] = set()
        self._surely: frozenset[str] = _NO_NAMES  # what is brought there whatever a variable says
        self._together: frozenset[str] = _NO_NAMES  # what is brought there with others: models are not, as a rule

    @cached_property
    def _models(self) -> _Names:
        return frozenset(_used_as_models(self._record.nodes))

    def _brings_back(self, branch: ast.If) -> bool:
        """Whether an earlier branch under the same test brings to the host what this one may bring back."""
        before = [left for left, at in self._left_for_the_host if at < branch.lineno]
        return bool(before) and ast.dump(branch.test) in before

    @cached_property
    def _left_for_the_host(self) -> list[tuple[str, int]]:
        """The branches of the function in which something is brought to the host, by their tests and lines."""
        found = self._record.nodes.of(ast.If) if any(map(_is_download, self._record.nodes.of(ast.Call))) else ()
        return [(ast.dump(one.test), one.lineno) for one in found if any(map(_is_download, walk(one.body)))]

    def targets(self) -> frozenset[ast.AST]:
        """The targets that are bound to such values."""
        body = self._record.node.body
        if isinstance(body, list):
            self._before(body, _NO_NAMES)
        return frozenset(self._targets)

    def uploads(self) -> Uploads:
        """What is handed to the device later."""
        body = self._record.node.body
        first = self._before(body, _NO_NAMES) if isinstance(body, list) else _NO_NAMES
        tensors, batches = _evidence(self._engine, self._record.nodes)
        tensors |= self._together - self._models - batches - names_of_objects(self._record.nodes)
        # What nothing else is done with need not be anywhere.
        given = without_goals(first) & self._parameters() & (tensors | batches)
        return Uploads(frozenset(self._targets), given - self._models, tensors, batches)

    def _names_behind(self, node: ast.expr) -> _Names:
        return names_behind(node, self._record.receiver)

    def _parameters(self) -> set[str]:
        """The parameters that may be on the CPU: a function may be given a tensor and make sure where it is."""
        if self._record.name == "forward" and self._record.owner is not None:
            return set()
        surely = self._surely
        return {one.name for one in self._record.parameters if one.annotation is None or one.name in surely}

    def uploaded_by(self, call: ast.Call) -> _Names:
        """The names whose values, or parts of them, a call brings to the device."""
        if _is_upload(call, self._left_open) and not moved_before(call, self._record, self._engine):
            assert isinstance(call.func, ast.Attribute)
            names = self._names_behind(call.func.value)
            if call.func.attr == "cuda" or isinstance(argument_node(call), ast.Constant):
                self._surely |= names
            return names
        callee = self._callee(call.func)
        if callee is None or not (call.args or call.keywords):
            return _NO_NAMES
        moved = moved_parameters(callee)
        if not moved:
            return _NO_NAMES
        found: set[str] = set()
        if len(call.args) > 1:
            self._together |= _NO_NAMES.union(*(self._names_behind(given) for given in call.args))
        own = [
            one
            for one in callee.parameters
            if not (one.name == callee.receiver and isinstance(call.func, ast.Attribute))
        ]
        star = next((at for at, one in enumerate(own) if one.kind == "*"), None)
        for at, given in enumerate(call.args):
            parameter = own[star] if star is not None and at >= star else own[at] if at < len(own) else None
            if parameter is not None and parameter.name in moved:
                found |= self._names_behind(given)
        for keyword in call.keywords:
            if keyword.arg in moved:
                found |= self._names_behind(keyword.value)
        self._surely |= found
        return frozenset(found)

    def _callee(self, function: ast.expr) -> FunctionRecord | None:
        """The function of the project that a call names, None where that is not plain from the text."""
        record = self._record
        if isinstance(function, ast.Name):
            value = record.module.scope.get(function.id)
            value = self._engine.resolve(value.name) if isinstance(value, Symbol) else value
            found = value.record if isinstance(value, FunctionValue) else None
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            is_own = record.owner is not None and function.value.id == record.receiver
            found = find_method(record.owner, function.attr) if is_own and record.owner is not None else None
        else:
            found = None
        return found if found is not None and found.module.has_torch_in_reach else None

    def _before(self, body: Iterable[ast.stmt], after: _Names) -> _Names:
        for statement in reversed(list(body)):
            after = self._before_statement(statement, after)
        return after

    def _before_statement(self, node: ast.stmt, after: _Names) -> _Names:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return after
        if isinstance(node, ast.Return) and self._returned and node.value is not None:
            return self._sources(node.value, node.value)
        if isinstance(node, (ast.Return, ast.Raise)):
            return self._used(node, _NO_NAMES)
        if isinstance(node, ast.If):
            return self._before_branches(node, after)
        if isinstance(node, (ast.For, ast.AsyncFor)):
            return self._before_loop(node, after)
        if isinstance(node, ast.While):
            last = after | self._before(node.orelse, after)
            return self._used(node.test, last | self._before(node.body, last))
        if isinstance(node, (ast.With, ast.AsyncWith)):
            names = self._before(node.body, after)
            for item in reversed(node.items):
                names = self._used(item.context_expr, names)
            return names
        if isinstance(node, ast.Try):
            last = self._before(node.finalbody, after)
            names = self._before(node.body, self._before(node.orelse, last))
            return names.union(*(self._before(handler.body, last) for handler in node.handlers))
        if isinstance(node, ast.Match):
            names = after.union(*(self._before(case.body, after) for case in node.cases))
            return self._used(node.subject, names)
        if isinstance(node, ast.Assign) and (after or not self._returned):
            return self._before_assignment(node, after)
        return self._used(node, after)

    def _before_branches(self, node: ast.If, after: _Names) -> _Names:
        chain = [node]
        while len(chain[-1].orelse) == 1 and isinstance(following := chain[-1].orelse[0], ast.If):
            chain.append(following)
        found = self._before(chain[-1].orelse, after)
        for one in reversed(chain):
            within = after if self._brings_back(one) else self._before(one.body, after)
            found = self._used(one.test, found | within)
        return found

    def _before_loop(self, node: ast.For | ast.AsyncFor, after: _Names) -> _Names:
        last = after | self._before(node.orelse, after)
        start = self._before(node.body, last)
        self._note(node.target, start)
        bound = _bound(node.target)
        if start & bound:
            last |= self._names_behind(node.iter)
        return self._used(node.iter, last | (start - bound))

    def _before_assignment(self, node: ast.Assign, after: _Names) -> _Names:
        if self._is_plain and all(isinstance(one, ast.Name) and one.id not in after for one in node.targets):
            return after
        goals = after & frozenset().union(*(map(goal_of, _bound(target)) for target in node.targets))
        found = self._used(node.value, after - goals)
        for target in node.targets:
            if not goals.isdisjoint(map(goal_of, _bound(target))):
                found |= frozenset(map(goal_of, self._sources(target, node.value)))
            for one, value in bound_pairs(target, node.value):
                if _bound(one) & after and not self._is_computed(value):
                    self._note(one, after)
            if isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                found -= _bound(target) - self._used(node.value, _NO_NAMES)
            for one, value in bound_pairs(target, node.value):
                if _bound(one) & after and isinstance(one, (ast.Name, ast.Tuple, ast.List)):
                    # What has a place of its own in the result, and goes nowhere, is not what goes up.
                    found |= self._sources(one, value) - (_bound(one) - after)
                elif isinstance(one, (ast.Subscript, ast.Attribute)) and self._names_behind(one) & after:
                    found |= self._names_behind(value)
        return found

    def _is_computed(self, value: ast.expr) -> bool:
        """Whether an expression tells itself where its value is, as operations on tensors do."""
        if not isinstance(value, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)):
            return True
        function = value.func if isinstance(value, ast.Call) else None
        taken = value.args if isinstance(value, ast.Call) else [value]
        if any(self._names_behind(one) & self._made_there for one in taken):
            return True
        if isinstance(value, ast.Call) and self._is_made_there(value):
            return True
        path = dotted_name(function) if function is not None else None
        of_torch = self._record.module.scope.get(path.partition(".")[0]) if path is not None else None
        if isinstance(of_torch, Symbol):
            return of_torch.name.startswith("torch")
        if not isinstance(function, ast.Attribute):
            return False
        if isinstance(function.value, ast.Name) and function.value.id == self._record.receiver:
            return self._is_part(function.attr)
        return bool(self._engine.api.method(function.attr))

    @cached_property
    def _made_there(self) -> _Names:
        """The names that are given what is computed on the device: their parts are there as well."""
        nodes = self._record.nodes.of(ast.Assign)
        made = (one for one in nodes if isinstance(one.value, ast.Call) and self._is_made_there(one.value))
        return _NO_NAMES.union(*(_bound(target) for one in made for target in one.targets))

    def _is_made_there(self, call: ast.Call) -> bool:
        """Whether a call is given what is brought to the device, or is one of a function that makes such a call."""
        callee = self._callee(call.func)
        return is_given_what_is_brought(call) or (callee is not None and computes_there(callee))

    def _is_part(self, name: str) -> bool:
        """Whether what an attribute of the receiver is called for is computed where the parameters of a module are."""
        owner = self._record.owner
        if owner is None or find_method(owner, name) is not None:
            return False
        return ancestry.is_module(self._engine, owner) or is_held_as_module(name, owner)

    def _sources(self, target: ast.expr, value: ast.expr) -> _Names:
        """The names whose values are where a value is that is brought to the device later."""
        if isinstance(value, ast.Call) and not (isinstance(value.func, ast.Attribute) and value.func.attr in _LEAVING):
            given = {one.id for one in value.args if isinstance(one, ast.Name)}
            if self._callee(value.func) is not None:
                return frozenset(given)
            return self._names_behind(value) | (given & _bound(target))
        return self._names_behind(value)

    def _used(self, node: ast.AST, after: _Names) -> _Names:
        """What holds before an expression or a simple statement is evaluated."""
        if self._is_plain or (self._returned and not after):
            return after
        found = set(after)
        nodes = walk_to(ast.Lambda, node)
        for part in nodes:
            if isinstance(part, ast.Call) and not self._returned:
                found |= self.uploaded_by(part)
                found.update(map(goal_of, brought_back_to(part)))
        for part in reversed(nodes):
            if isinstance(part, ast.comprehension):
                bound = _bound(part.target)
                if bound & found:
                    found = (found - bound) | self._names_behind(part.iter) | (bound & after)
        return frozenset(found)

    def _note(self, target: ast.expr, uploaded: _Names) -> None:
        certain = without_goals(uploaded)
        for part in walk(target):
            if isinstance(part, ast.Name) and part.id in certain and part.id not in self._models:
                self._targets.add(part)


def _is_download(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cpu"


def _used_as_models(nodes: Nodes) -> Iterator[str]:
    """The names that are called, or asked for what modules have."""
    yield from (call.func.id for call in nodes.of(ast.Call) if isinstance(call.func, ast.Name))
    for node in nodes.of(ast.Attribute):
        if node.attr in _OF_MODELS and isinstance(node.value, ast.Name):
            yield node.value.id


# Methods that tensors have, and modules or batches of all kinds as well.
_SHARED = (
    _OF_MODELS | _PARTS | frozenset({"float", "half", "double", "bfloat16", "type", "to", "cuda", "cpu", "backward"})
)


def _evidence(engine: Interpreter, nodes: Nodes) -> tuple[_Names, _Names]:
    """The names that are used as tensors are, and as what holds tensors by their names."""
    tensors: set[str] = set()
    batches: set[str] = set()
    for node in nodes.of(ast.Attribute):
        if isinstance(node.value, ast.Name):
            if node.attr not in _SHARED and (engine.api.method(node.attr) or node.attr in _TELLING):
                tensors.add(node.value.id)
            elif node.attr == "items":
                batches.add(node.value.id)
    for part in nodes.of(ast.Subscript):
        if isinstance(part.value, ast.Name):
            key = part.slice
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                batches.add(part.value.id)
            elif isinstance(key, ast.Slice) or (
                isinstance(key, ast.Tuple) and any(isinstance(p, ast.Slice) for p in key.elts)
            ):
                tensors.add(part.value.id)
    # What comes with a tensor is one as well: `(words, lengths), labels = next(batches)`.
    for given in nodes.of(ast.Assign):
        if isinstance(given.value, ast.Call) and isinstance(given.targets[0], ast.Tuple):
            together = _bound(given.targets[0])
            tensors |= together if together & tensors else _NO_NAMES
    return frozenset(tensors - batches), frozenset(batches)
