"""Where a program lets PyTorch put what its factories make, if nothing else is said."""

from __future__ import annotations

import re

# The first of both leaves the legacy constructor ``torch.Tensor`` as it is (``torch/utils/_device.py``), the second is
# what that constructor makes.
DEVICE, TENSOR_TYPE = "set_default_device", "set_default_tensor_type"
_SET = re.compile(rf"(?m)^[^#\n]*\b({DEVICE}|{TENSOR_TYPE})\(\s*([^()\n]{{1,100}}(?:\([^()\n]{{0,100}}\))?)")


def put_on_an_accelerator(source: str) -> frozenset[str]:
    """By which functions of PyTorch the text of a module makes a GPU the place of what is made without a device."""
    if "set_default_" not in source:
        return frozenset()
    return frozenset(found[1] for found in _SET.finditer(source) if _names_one(found[2].strip(), source))


def _names_one(given: str, source: str) -> bool:
    """Whether an argument names a GPU, or is a variable that is given one."""
    if "cuda" in given:
        return True
    return given.isidentifier() and re.search(rf"(?m)^[ \t]*{given}\b[^=\n]{{0,60}}=[^#\n]*cuda", source) is not None
