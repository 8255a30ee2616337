"""Functions and classes whose names stand nowhere in a project but where they are defined: nothing there runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Programs that make objects from names in configuration files, which are not read.
_BY_CONFIGURATION = re.compile(
    r"\binstantiate(_from_\w+)?\(|\bLightningCLI\b|[\"'](_target_|class_path)[\"']|\bpydoc\.locate\(|(?<![.\w])eval\(|"
    r"\bglobals\(\)\[|(?<!self)\.__dict__\[(args|cfg|conf|config|opt|opts|name|arch|model_name)\b|"
    r"\bgetattr\((\w+\.)*(models|modules|archs|networks|datasets|losses)\s*,\s*[^\"'\s]"
)


def unmentioned(names: Iterable[str], sources: Sequence[str]) -> frozenset[str]:
    """Of the names of functions and classes those that all sources together mention once, in whatever words.

    None where objects are made from names that other files hold.
    """
    if any(_BY_CONFIGURATION.search(source) for source in sources):
        return frozenset()
    left = dict.fromkeys(names, 0)
    for source in sources:
        for name in [name for name in left if name in source]:
            left[name] += _mentions(name, source)
            if left[name] > 1:
                del left[name]
    return frozenset(left)


def _mentions(name: str, source: str) -> int:
    return sum(1 for _ in re.finditer(rf"\b{re.escape(name)}\b", source))
