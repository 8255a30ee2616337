"""Which rule speaks of a wait, by what was called and by the operator that waited.

The linter's own finding on the line is asked first (``assembly``); this is for waits that it did not predict, and for
tests that run without it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from synclint.catalog.entries import Entry, load_catalog
from synclint.results.completion import without_place
from synclint.trace.ownership import INSTALLED
from synclint.trace.records import ObservedWait

# By the operators that run, from the outside in: the first pattern whose operators all occur, in this order.
_BY_OPERATORS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("aten::index_put_",), "SYN104"),
    (("aten::_index_put_impl_",), "SYN104"),
    (("aten::masked_select",), "SYN103"),
    (("aten::index", "aten::nonzero"), "SYN103"),
    (("aten::one_hot",), "SYN106"),
    (("aten::bincount",), "SYN107"),
    (("aten::histc",), "SYN107"),
    (("aten::repeat_interleave",), "SYN105"),
    (("aten::_unique2",), "SYN102"),
    (("aten::unique_dim",), "SYN102"),
    (("aten::unique_consecutive",), "SYN102"),
    (("aten::_coalesce",), "SYN108"),
    (("aten::nonzero",), "SYN101"),
    (("aten::equal",), "SYN206"),
    (("aten::allclose",), "SYN206"),
    (("aten::is_nonzero",), "SYN301"),
    (("aten::item",), "SYN201"),
    (("aten::_local_scalar_dense",), "SYN201"),
)
_BY_OP = {
    "cudaDeviceSynchronize": "SYN601",
    "cudaEventSynchronize": "SYN601",
    "cudaFree": "SYN602",
}
_BY_MECHANISM = {
    "device-to-host-copy": "SYN204",
    "host-to-device-copy": "SYN402",
    "scalar-read": "SYN201",
    "control-flow": "SYN301",
    "explicit": "SYN601",
}


_MECHANISM_BY_OPERATOR = {
    "aten::_local_scalar_dense": "scalar-read",
    "aten::is_nonzero": "scalar-read",
    "aten::equal": "scalar-read",
    "aten::allclose": "scalar-read",
    "aten::nonzero": "data-dependent-shape",
    "aten::masked_select": "data-dependent-shape",
    "aten::_unique2": "data-dependent-shape",
    "aten::unique_dim": "data-dependent-shape",
    "aten::unique_consecutive": "data-dependent-shape",
    "aten::unique_dim_consecutive": "data-dependent-shape",
    "aten::bincount": "data-dependent-shape",
    "aten::repeat_interleave": "data-dependent-shape",
    "aten::_coalesce": "data-dependent-shape",
}
_COPIES = (("DtoH", "device-to-host-copy"), ("HtoD", "host-to-device-copy"))


def mechanism_of(operators: tuple[str, ...], copy: str, known: str) -> str:
    """The catalogue's mechanism for a wait within ``operators`` that makes ``copy``; ``known`` where nothing tells."""
    if known != "unknown":
        return known
    for operator in reversed(operators):
        if operator in _MECHANISM_BY_OPERATOR:
            return _MECHANISM_BY_OPERATOR[operator]
    return next((mechanism for mark, mechanism in _COPIES if mark in copy), known)


# By the library's own function that waits, with its mechanism: rules that speak of what a library does within.
_BY_LIBRARY = {
    ("torchmetrics/aggregation.py", "_cast_and_nan_check_input", "scalar-read"): "SYN503",
}


# The only waits that are in doubt are copies from pageable memory with ``non_blocking=True``.
_UNDECIDED_UPLOAD = "SYN406"


def rule_of(wait: ObservedWait) -> str:
    """The code of the rule for such waits, empty where none is known."""
    if not wait.certain:
        return _UNDECIDED_UPLOAD
    code = _rule_of_library(wait)
    if code:
        return code
    code = _rules_by_call().get(wait.via, "")
    if code:
        return code
    operators = (*wait.operators, wait.op)
    for wanted, code in _BY_OPERATORS:
        positions = [operators.index(name) if name in operators else -1 for name in wanted]
        if -1 not in positions and positions == sorted(positions):
            return code
    return _BY_OP.get(wait.op) or _BY_MECHANISM.get(wait.mechanism, "")


def is_of_a_library(wait: ObservedWait) -> bool:
    """Whether an installed package waits, of which no rule says what to do about it.

    PyTorch's own Python does where it synchronizes without being asked to: its profiler, the statistics of
    ``DistributedDataParallel``.
    """
    if wait.library is None:
        return False
    if is_torch(wait.library.file):
        asked_for = (entry.mechanism for entry in _entries_by_call().get(wait.via, ()))
        return wait.mechanism == "explicit" and "explicit" not in asked_for
    return not _rule_of_library(wait)


def is_torch(file: str) -> bool:
    """Whether a file is one of PyTorch's own Python, wherever it is installed.

    The folder of installed packages says which package a file is of: an environment may lie below a folder `torch`.
    """
    parts = Path(file).parts[:-1]
    installed = max((index for index, part in enumerate(parts) if part in INSTALLED), default=None)
    return "torch" in (parts if installed is None else parts[installed + 1 : installed + 2])


def _rule_of_library(wait: ObservedWait) -> str:
    if wait.library is None:
        return ""
    file = "/".join(Path(wait.library.file).parts[-2:])
    return _BY_LIBRARY.get((file, wait.library.function, wait.mechanism), "")


def advice_of(wait: ObservedWait) -> str:
    """What to write instead, in general: of the function that was called, else of what the wait's rule is about.

    Empty where nothing is known of either.
    """
    said = dict.fromkeys(entry.instead for entry in _entries_by_call().get(wait.via, ()))
    if len(said) == 1:
        return without_place(next(iter(said)))
    return without_place(_advice_by_rule().get((rule_of(wait), wait.mechanism), ""))


@cache
def _advice_by_rule() -> dict[tuple[str, str], str]:
    """What the first of a rule's entries with a mechanism says; those of one rule say much the same."""
    from synclint.rules.loading import load_rules

    entries = load_catalog().by_id
    found: dict[tuple[str, str], str] = {}
    for rule in load_rules():
        for entry in (entries[name] for name in rule.matches if name in entries):
            found.setdefault((rule.code, entry.mechanism), entry.instead)
    return found


@cache
def _rules_by_call() -> dict[str, str]:
    """Codes by the full names of functions and methods, for those calls that one rule alone speaks of."""
    from synclint.rules.loading import load_rules

    rules = {entry: rule.code for rule in load_rules() for entry in rule.matches}
    found = {name: {rules.get(entry.id, "") for entry in own} for name, own in _entries_by_call().items()}
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


@cache
def _entries_by_call() -> dict[str, list[Entry]]:
    """The catalogue's entries by the full names of the functions and methods that they speak of."""
    found: dict[str, list[Entry]] = {}
    for entry in load_catalog().entries:
        for call in entry.calls:
            found.setdefault(f"torch.{call}" if call.startswith("Tensor.") else call, []).append(entry)
    return found
