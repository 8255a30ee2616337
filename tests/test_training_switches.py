"""Whose body is read for what makes it train nothing is told by the names of what it calls."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from synclint.analysis.frequency.loops import may_train
from synclint.analysis.frequency.training_switches import training_switches

TRAINING = (
    "loss.backward()",
    "engine.manual_backward(loss)",
    "xm.optimizer_step(optimizer)",
    "torch.autograd.grad(loss, model.parameters())",
    "optimizer.zero_grad()\noptimizer.step()",
    "def closure():\n    loss.backward()\nminimize(closure)",
)


@pytest.mark.parametrize("statements", TRAINING)
def test_what_hangs_on_a_test_is_seen_by_a_call(statements: str) -> None:
    tree = ast.parse(f"if train:\n{indent(statements, '    ')}")
    assert [ast.unparse(test) for test, _ in training_switches(tree.body)] == ["train"]
    assert may_train(node for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_what_only_computes_does_not_train() -> None:
    tree = ast.parse("if train:\n    loss = model(batch).mean()\n    print(loss.item())")
    assert training_switches(tree.body) == ()
    assert not may_train(node for node in ast.walk(tree) if isinstance(node, ast.Call))
