"""Where nothing waits for a GPU: programs for the host, code for accelerators of another kind, and tests for both."""

from __future__ import annotations

import ast
from collections import Counter

from synclint.analysis.program.host_programs import is_host_program
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import names_in

_OTHER_ACCELERATORS = names_in("modules", "other-accelerators")


def is_off_the_gpu(tree: ast.Module) -> bool:
    """Whether a module is a program for the host, or cannot be imported where there is nothing but a GPU.

    Nor can one that puts something else in the place of the streams and events of CUDA: nothing would run there.
    """
    is_for_others = any(_needs_another_accelerator(one) or _replaces_streams(one) for one in tree.body)
    return is_for_others or is_host_program(tree)


def place_asked_for(test: ast.expr) -> str:
    """What a program asks where it runs, by a word of torch: ``platform.is_cpu()``, ``torch.version.hip is not None``.

    Empty where it asks something else. Source: the attributes of ``torch.Tensor`` (torch/_C/__init__.pyi), those that
    other accelerators give it (torch/utils/backend_registration.py, ``generate_methods_for_privateuse1_backend``), and
    ``torch.version`` (tools/generate_torch_version.py), where ``hip`` and ``rocm`` are None but for GPUs of AMD.
    """
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot) and len(test.ops) == 1:
        is_nothing = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        return place_asked_for(test.left) if is_nothing and isinstance(test.left, ast.Attribute) else ""
    if isinstance(test, ast.Attribute):
        return _OF_AMD.get(dotted_name(test) or "", "")
    if not isinstance(test, ast.Call) or test.args or test.keywords:
        return ""
    word = (dotted_name(test.func) or "").rpartition(".")[2]
    return word if word in OTHER_PLACES or word in OF_GPUS else ""


def answers_of_places(tree: ast.Module) -> dict[str, str]:
    """The names that the top of a module gives the answer to such a question, and no other value, with the question.

    As with ``_is_cpu = is_cpu()``.
    """
    given = [statement for statement in tree.body if isinstance(statement, ast.Assign)]
    names = Counter(target.id for one in given for target in one.targets if isinstance(target, ast.Name))
    asked = [(one.targets[0], place_asked_for(one.value)) for one in given if len(one.targets) == 1]
    return {name.id: place for name, place in asked if place and isinstance(name, ast.Name) and names[name.id] == 1}


# Tensors have these attributes, the last ones where a library for such an accelerator has given it a name (torch_npu,
# habana_frameworks, torch_musa, torch_mlu).
OTHER_PLACES = frozenset(
    {
        "is_cpu", "is_xpu", "is_mps", "is_ipu", "is_xla", "is_mtia", "is_maia", "is_vulkan",
        "is_npu", "is_hpu", "is_musa", "is_mlu",
    }
)  # fmt: skip

# What programs ask of which GPU they run on, and what the answer is on one of NVIDIA.
OF_GPUS = {"is_cuda": True, "is_hip": False, "is_rocm": False}
_OF_AMD = {"torch.version.hip": "is_hip", "torch.version.rocm": "is_rocm"}


_STREAMS = frozenset({"torch.cuda.Event", "torch.cuda.Stream", "torch.cuda.current_stream", "torch.cuda.stream"})


def _replaces_streams(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and not _STREAMS.isdisjoint(map(dotted_name, statement.targets))


def _needs_another_accelerator(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return any(one.name.partition(".")[0] in _OTHER_ACCELERATORS for one in statement.names)
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return (statement.module or "").partition(".")[0] in _OTHER_ACCELERATORS
    return False
