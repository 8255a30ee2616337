"""Functions and classes whose names stand nowhere in a project but where they are defined: nothing there runs them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Programs that make objects from names in configuration files, which are not read.
_BY_CONFIGURATION = re.compile(
    r"\binstantiate(_from_\w{1,40})?\(|\bLightningCLI\b|[\"'](_target_|class_path)[\"']|\bpydoc\.locate\(|(?<![.\w])eval\(|"
    r"\bglobals\(\)\[|(?<!self)\.__dict__\[(args|cfg|conf|config|opt|opts|name|arch|model_name)\b|"
    r"\bgetattr\((\w{1,40}\.){0,4}(models|modules|archs|networks|datasets|losses)\s{0,9},\s{0,9}[^\"'\s]"
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Words:
    """The names that sources do not mention, of all of which it matters: those of functions and classes with waits.

    ``registries`` are the words on which it hangs whether anything builds what is in a registry.
    """

    unmentioned: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    registries: frozenset[str] = frozenset()

    def could_change(self, before: str, after: str) -> bool:
        """Whether to write one text in the place of another one could change which names are mentioned."""
        removed, added = (Counter(_WORD.findall(text)) for text in (before, after))
        if not (self.registries.isdisjoint(removed) and self.registries.isdisjoint(added)):
            return True
        return not (self.unmentioned.isdisjoint(added - removed) and self.names.isdisjoint(removed - added))


@lru_cache(maxsize=4096)  # a project that is held open asks it of nearly the same texts after each edit
def makes_by_name(source: str) -> bool:
    """Whether a source makes objects from names that other files hold, or says that it does."""
    return _BY_CONFIGURATION.search(source) is not None


def unmentioned(names: Iterable[str], sources: Sequence[str]) -> frozenset[str]:
    """Of the names of functions and classes those that all sources together mention once, in whatever words.

    None where objects are made from names that other files hold.
    """
    if any(map(makes_by_name, sources)):
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
