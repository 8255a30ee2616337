"""Modes of objects: flags that the constructor switches, and methods switch as a whole (``trainer.train()``)."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name


def is_mode_by_default(node: ast.expr, value: bool, frame: Frame) -> bool:
    """Whether an attribute has a value from the beginning, until a method gives it another one whatever happens.

    A flag that is found out anew in each step is given something else than true or false, or only in some steps.
    """
    owner = frame.function.owner if frame.function is not None else None
    if owner is None or not isinstance(node, ast.Attribute) or dotted_name(node.value) != frame.function.receiver:  # type: ignore[union-attr]
        return False
    constructor = owner.all_methods.get("__init__")
    methods = [method for one in owner.ancestors for method in one.assigners.get(node.attr, ())]
    if constructor is None or not all(node.attr in _switched(method) for method in methods) or methods == [constructor]:
        return False
    begun = {constructor.name, *_called_at_once(constructor)}
    return any(method.name in begun and value in _switched(method)[node.attr] for method in methods)


@text_fact
def _switched(method: FunctionRecord) -> dict[str, frozenset[bool]]:
    """The attributes of its object that a method makes true or false, whenever it is called, and nothing else."""
    given: defaultdict[str, list[bool]] = defaultdict(list)
    for statement in _body(method):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            for target in statement.targets:
                if isinstance(statement.value.value, bool) and isinstance(target, ast.Attribute):
                    given[dotted_name(target) or ""].append(statement.value.value)
    stored = Counter(dotted_name(node) for node in method.nodes.of(ast.Attribute) if isinstance(node.ctx, ast.Store))
    start = f"{method.receiver}."
    return {
        path.removeprefix(start): frozenset(values)
        for path, values in given.items()
        if path.startswith(start) and stored[path] == len(values)
    }


@text_fact
def _called_at_once(method: FunctionRecord) -> frozenset[str]:
    """The methods of its object that a constructor calls whenever it is called."""
    return frozenset(_calls_at_once(method)) if method.name == "__init__" else frozenset()


def _calls_at_once(method: FunctionRecord) -> Iterator[str]:
    for statement in _body(method):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            receiver, _, called = (dotted_name(statement.value.func) or "").rpartition(".")
            if receiver == method.receiver:
                yield called


def _body(method: FunctionRecord) -> list[ast.stmt]:
    return method.node.body if isinstance(method.node.body, list) else []
