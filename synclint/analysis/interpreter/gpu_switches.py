"""Switches that tell whether a function works on a GPU, as their branches show: ``if use_gpu: x = x.cuda()``.

Code is checked for how it runs on a GPU, where whoever runs it has switched that on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.walk import dotted_name, statements, walk

# What no branch does without that names a GPU.
_NAME_OF_A_GPU = b"cuda"
_Branches = list[ast.stmt] | ast.expr


def is_gpu_switch(test: ast.expr, frame: Frame) -> bool:
    """Whether a name or attribute is asked whether what follows is to be done on a GPU."""
    if not isinstance(test, (ast.Name, ast.Attribute)):
        return False
    holder = frame.module.tree if frame.function is None else frame.function.node
    known = frame.engine.readings.gpu_switches
    if holder not in known and _NAME_OF_A_GPU not in frame.module.kept.utf8:
        known[holder] = frozenset()
    if holder not in known:
        nodes = Nodes(_top_level(frame.module.tree)) if frame.function is None else frame.function.nodes
        known[holder] = _read((*nodes.of(ast.If), *nodes.of(ast.IfExp)))
    return test in known[holder]


def _top_level(tree: ast.Module) -> Iterator[ast.AST]:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for statement in tree.body:
        if not isinstance(statement, definitions):
            yield from walk(statement)


def _read(tests: Iterable[ast.If | ast.IfExp]) -> frozenset[ast.expr]:
    """The tests of a function that are true on a GPU: one branch names it, and the other one does the same without."""
    asked = [found for node in tests if (found := _asked(node)) is not None]
    switches = {dotted_name(test) for test, there, elsewhere in asked if _is_the_same(test, there, elsewhere)}
    switches -= {dotted_name(test) for test, _, elsewhere in asked if _names_a_gpu(elsewhere)}
    return frozenset(test for test, there, _ in asked if dotted_name(test) in switches and _names_a_gpu(there))


def _asked(node: ast.If | ast.IfExp) -> tuple[ast.expr, _Branches, _Branches] | None:
    """The name or attribute that a test asks, and what is done where it is true, and where it is false."""
    if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
        test, there, elsewhere = node.test.operand, node.orelse, node.body
    else:
        test, there, elsewhere = node.test, node.body, node.orelse
    return None if dotted_name(test) is None else (test, there, elsewhere)


def _is_the_same(test: ast.expr, there: _Branches, elsewhere: _Branches) -> bool:
    """Whether two branches do the same, one of them on a GPU."""
    if not _names_a_gpu(there) or _names_a_gpu(elsewhere) or dotted_name(test) in _paths(there):
        return False
    if not isinstance(there, list):
        return not isinstance(elsewhere, ast.Constant) or elsewhere.value == "cpu"
    assert isinstance(elsewhere, list)
    if not elsewhere:
        return all(map(_only_moves, there))
    given = {*_targets(there)}
    return bool(given) and given == {*_targets(elsewhere)}


def _names_a_gpu(branch: _Branches) -> bool:
    """Whether a branch brings something to a GPU, or names one: ``x.cuda()``, or a type there."""
    for node in walk(branch):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.partition(":")[0] == "cuda":
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "cuda":
            return True
        if isinstance(node, ast.Attribute) and node.attr.endswith("Tensor") and dotted_name(node.value) == "torch.cuda":
            return True
    return False


def _only_moves(statement: ast.stmt) -> bool:
    """Whether a statement only brings things there: ``x = x.cuda()``, ``a, b = a.cuda(), b.cuda()``."""
    if isinstance(statement, ast.Expr):
        return _moved(statement.value) is not None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [dotted_name(one) for one in target.elts] == [_moved(one) for one in value.elts]
    return _moved(value) is not None and dotted_name(target) == _moved(value)


def _moved(node: ast.expr) -> str | None:
    """What an expression brings to a GPU: ``x`` of ``x.cuda().half()``."""
    is_moved = False
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_moved = is_moved or node.func.attr in ("cuda", "to")
        node = node.func.value
    return dotted_name(node) if is_moved else None


def _paths(branch: _Branches) -> set[str | None]:
    return {dotted_name(node) for node in walk(branch) if isinstance(node, (ast.Name, ast.Attribute))}


def _targets(suite: list[ast.stmt]) -> Iterator[str | None]:
    """What a suite gives a value."""
    for statement in statements(suite):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
                yield from (dotted_name(part) for part in parts)
