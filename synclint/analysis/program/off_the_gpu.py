"""Where nothing waits for a GPU: programs for the host, code for accelerators of another kind, and tests for both."""

from __future__ import annotations

import ast
from collections import Counter

from synclint.analysis.program.host_programs import is_host_program
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import names_in

_OTHER_ACCELERATORS = names_in("modules", "other-accelerators")


def is_off_the_gpu(tree: ast.Module) -> bool:
    """Whether a module is a program for the host, or cannot be imported where there is nothing but a GPU."""
    return any(map(_needs_another_accelerator, tree.body)) or is_host_program(tree)


def asks_for_another_place(test: ast.expr) -> bool:
    """Whether a program asks where it runs, by a word that torch has for a place without a GPU: ``platform.is_cpu()``.

    Source: the attributes of ``torch.Tensor`` (torch/_C/__init__.pyi), and those that other accelerators give it
    (torch/utils/backend_registration.py, ``generate_methods_for_privateuse1_backend``).
    """
    if not isinstance(test, ast.Call) or test.args or test.keywords:
        return False
    return (dotted_name(test.func) or "").rpartition(".")[2] in OTHER_PLACES


def names_of_other_places(tree: ast.Module) -> frozenset[str]:
    """The names that the top of a module gives the answer to such a question, and no other value: ``_is_cpu``."""
    given = [statement for statement in tree.body if isinstance(statement, ast.Assign)]
    names = Counter(target.id for one in given for target in one.targets if isinstance(target, ast.Name))
    asked = [one.targets[0] for one in given if len(one.targets) == 1 and asks_for_another_place(one.value)]
    return frozenset(name.id for name in asked if isinstance(name, ast.Name) and names[name.id] == 1)


# Tensors have these attributes, the last ones where a library for such an accelerator has given it a name (torch_npu,
# habana_frameworks, torch_musa, torch_mlu).
OTHER_PLACES = frozenset(
    {
        "is_cpu", "is_xpu", "is_mps", "is_ipu", "is_xla", "is_mtia", "is_maia", "is_vulkan",
        "is_npu", "is_hpu", "is_musa", "is_mlu",
    }
)  # fmt: skip


def _needs_another_accelerator(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return any(one.name.partition(".")[0] in _OTHER_ACCELERATORS for one in statement.names)
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return (statement.module or "").partition(".")[0] in _OTHER_ACCELERATORS
    return False
