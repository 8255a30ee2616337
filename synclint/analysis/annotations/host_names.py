"""Tensors that are on the host by their names, ``seq_lens_cpu_upper_bound``, where nothing else tells where they are.

What is mirrored on both sides has names for both. So have classes: of the implementations of an interface, that for the
CPU is called so, ``CPUAttention(Attention)``, and works on tensors there. Asked only where an annotation or a use says
no more than that it is a tensor, or where it may be on the CPU on some paths anyway. A class that is called like an
accelerator of another kind, ``NPUAllocator(Allocator)``, runs where no GPU is waited for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import Alternatives, ClassRecord, Device, FunctionRecord, Origin, Tensor, Value
from synclint.analysis.program.text_facts import answered_once, text_fact
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_ON_THE_HOST = names_in("judged", "on-the-host")
_NOT_TOLD = frozenset({Device.UNKNOWN, Device.EITHER})
_ANYWHERE = frozenset(Device) - {Device.CPU}
MAY_BE_PLACED: frozenset[type] = frozenset({Tensor, Alternatives})
_CLASS_FOR_CPU = re.compile(r"_*C(?:PU|pu)(?![a-z])|.*C(?:PU|pu)$")
# Source: the types of devices of torch (c10/core/DeviceType.h), and those that libraries give a name of their own
# (torch_npu, torch_musa, torch_mlu), and Apple's MLX, beside which torch has the CPU. MPS also has another meaning.
# What is for AMD's GPUs alone is left out as what stands behind `if is_rocm():` is.
_CLASS_FOR_ANOTHER = re.compile(
    r"(?<![A-Z])(?:[NXHT]PU|MLU|MUSA|MLX|ROC[Mm])(?![a-z])|(?:[NXHT]pu|Mlu|Musa|Mlx|Rocm)(?![a-z])"
)
# How texts name them, beside what libraries call the devices: Ascend is what Huawei calls its NPU (torch_npu's README).
_OTHER_ACCELERATORS = frozenset({"npu", "xpu", "hpu", "tpu", "mlu", "musa", "ascend"})
_BETWEEN_WORDS = re.compile(r"[^a-z]+")
# What a method mentions that goes between places.
_OTHER_PLACES = re.compile(r"cuda|gpu|^(?:cpu|pin_memory|non_blocking)$", re.IGNORECASE)


def placed_by_name(name: str, value: Value) -> Value:
    """A value that is called so: a tensor of which nothing else tells where it is may be on the host by its name."""
    return _placed(f"`{name}` is on the CPU, judging by its name", value, _NOT_TOLD) if _says_host(name) else value


def placed_by_class(owner: str, value: Value) -> Value:
    """A value that is used in a method that `is_for_host`, of a class that is called so: it is there as well.

    Others of the same interface are given what is on the device.
    """
    return _placed(f"`{owner}` is for tensors on the CPU, judging by its name", value, _ANYWHERE)


def is_for_host(record: FunctionRecord) -> bool:
    """Whether a method is that of a variant for the CPU, by the name of its class, and mentions no other place."""
    owner = record.owner
    if owner is None or not owner.node.bases or _CLASS_FOR_CPU.match(owner.name) is None:
        return False
    if _OTHER_PLACES.search(owner.name) is not None:
        return False
    return not any(_OTHER_PLACES.search(word) for word in _words(record))


def is_for_another_accelerator(owner: ClassRecord | None) -> bool:
    """Whether a class is the variant of another one for accelerators of another kind, by its name."""
    return owner is not None and bool(owner.node.bases) and _CLASS_FOR_ANOTHER.search(owner.name) is not None


def runs_elsewhere(function: FunctionRecord | None) -> bool:
    """Whether a method is that of a variant for other places than a GPU.

    That is told by the name of its class, or by its constructor: ``assert device == torch.device("cpu")``.
    """
    owner = function.owner if function is not None else None
    return owner is not None and is_of_another_place(owner)


@answered_once  # asked whenever something waits or is given an attribute
def is_of_another_place(owner: ClassRecord) -> bool:
    """Whether a class is such a variant."""
    constructor = owner.methods.get("__init__")
    asserts = constructor is not None and _asserts_another_place(constructor)
    return is_for_another_accelerator(owner) or asserts


@text_fact
def _asserts_another_place(record: FunctionRecord) -> bool:
    """Whether a constructor asserts that it is used elsewhere than on a GPU."""
    body = record.node.body if record.name == "__init__" and isinstance(record.node.body, list) else []
    return any(_is_another_place(one.test) for one in body if isinstance(one, ast.Assert))


def _is_another_place(test: ast.expr) -> bool:
    """Whether a test asks for a device by its name, which is that of no GPU."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    asked, named = (dotted_name(test.left) or "").rpartition(".")[2], test.comparators[0]
    if isinstance(named, ast.Call) and len(named.args) == 1 and dotted_name(named.func) in ("torch.device", "device"):
        named = named.args[0]
    text = named.value if isinstance(named, ast.Constant) else None
    is_elsewhere = isinstance(text, str) and text.partition(":")[0] in {*_OTHER_ACCELERATORS, "cpu"}
    return is_elsewhere and asked in ("device", "device_type", "type")


def names_another_accelerator(text: str) -> bool:
    """Whether a text that is compared with a choice names an accelerator of another kind: ``"intel_xpu"``."""
    return not _OTHER_ACCELERATORS.isdisjoint(_BETWEEN_WORDS.split(text.lower()))


def _words(record: FunctionRecord) -> Iterator[str]:
    for node in record.nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg


def _placed(reason: str, value: Value, where: frozenset[Device]) -> Value:
    """A value of which tensors that would be in one of these places are on the CPU."""
    if isinstance(value, Tensor):
        return _on_host(reason, value, where)
    if isinstance(value, Alternatives) and any(isinstance(option, Tensor) for option in value.options):
        return join_all(
            _on_host(reason, option, where) if isinstance(option, Tensor) else option for option in value.options
        )
    return value


def _on_host(reason: str, tensor: Tensor, where: frozenset[Device]) -> Tensor:
    if tensor.device not in where:
        return tensor
    said = Origin(reason, parent=tensor.origin)
    # Whether its memory is pinned the name does not say.
    return replace(tensor, device=Device.CPU, pinned=None, trust=weaker(tensor.trust, Confidence.MEDIUM), origin=said)


@lru_cache(maxsize=4096)
def _says_host(name: str) -> bool:
    return not _ON_THE_HOST.isdisjoint(name.split("_"))
