"""Where a program lets PyTorch put what its factories make, if nothing else is said."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

# The first of both leaves the legacy constructor ``torch.Tensor`` as it is (``torch/utils/_device.py``), the second is
# what that constructor makes.
DEVICE, TENSOR_TYPE = "set_default_device", "set_default_tensor_type"
_SET = re.compile(
    rf"(?m)^[^#\n]*\b(?P<by>{DEVICE}|{TENSOR_TYPE})"
    r"\(\s*(?P<given>[^()\n]{1,100}(?:\([^()\n]{0,100}\))?)"
)
_CALLED = re.compile(r"\b(\w{1,100})\(")
_FUNCTION = re.compile(r"(?m)^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)")

# The functions that set a default, each with the names of those in which it holds, None where it holds in all.
DefaultDevices = Mapping[str, frozenset[str] | None]


def put_on_an_accelerator(source: str) -> DefaultDevices:
    """By which functions of PyTorch the text of a module makes a GPU the place of what is made without a device.

    What the same block puts back holds for what it calls before that.
    """
    if "set_default_" not in source:
        return {}
    calls = list(_SET.finditer(source))
    found: dict[str, frozenset[str] | None] = {}
    for at, call in enumerate(calls):
        if _is_one(call, source):
            back = (one for one in calls[at + 1 :] if one["by"] == call["by"] and not _is_one(one, source))
            until = next((one.start() for one in back if _is_one_block(source[call.start() : one.end()])), None)
            within = None if until is None else _called(source, call.start(), until)
            before = found.get(call["by"], frozenset())
            found[call["by"]] = None if within is None or before is None else before | within
    return found


def is_put_there(devices: DefaultDevices, by: Collection[str], function: str | None) -> bool:
    """Whether one of several ways of setting a default holds in a function, None at the top of a module."""
    held = [devices[one] for one in by if one in devices]
    return any(one is None or function in one for one in held)


def _is_one(call: re.Match[str], source: str) -> bool:
    return _names_one(call["given"].strip(), source)


def _is_one_block(text: str) -> bool:
    """Whether no line of a text stands further out than its first, but for what runs in any case."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return all(_depth(line) >= _depth(lines[0]) or line.strip() == "finally:" for line in lines)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _called(source: str, since: int, until: int) -> frozenset[str]:
    """The function that a stretch of a text stands in, and what the stretch calls."""
    depth = _depth(source[since:until])
    around = [one[2] for one in _FUNCTION.finditer(source, 0, since) if len(one[1]) < depth]
    return frozenset(_CALLED.findall(source, since, until)) | frozenset(around[-1:])


def _names_one(given: str, source: str) -> bool:
    """Whether an argument names a GPU, or is a variable that is given one."""
    if "cuda" in given:
        return True
    return given.isidentifier() and re.search(rf"(?m)^[ \t]*{given}\b[^=\n]{{0,60}}=[^#\n]*cuda", source) is not None
