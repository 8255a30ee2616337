"""Functions and classes whose names stand nowhere in a project but where they are defined: nothing there runs them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Programs that make objects from names in configuration files, which are not read.
_BY_CONFIGURATION = re.compile(
    r"\binstantiate(_from_\w{1,40})?\(|\bLightningCLI\b|[\"'](_target_|class_path)[\"']|\bpydoc\.locate\(|(?<![.\w])eval\(|"
    r"\bglobals\(\)\[|(?<!self)\.__dict__\[(args|cfg|conf|config|opt|opts|name|arch|model_name)\b|"
    r"\bgetattr\((sys\.modules\[|importlib\.import_module\(|__import__\()|"
    r"\bgetattr\((\w{1,40}\.){0,4}(models|modules|archs|networks|datasets|losses)\s{0,9},\s{0,9}[^\"'\s]"
)
_OF_TORCH = re.compile(
    r"^(?:import torch(?:\.\w{1,40}){0,5} as (\w{1,40})|"
    r"from torch(?:\.\w{1,40}){0,5} import (?:\w{1,40} as )?(\w{1,40}))$",
    re.MULTILINE,
)
# What stands in front of an attribute, up to the end of what is looked at.
_OWNER = re.compile(r"(?<![\w.])(\w{1,40}(?:\.\w{1,40}){0,5})\.\Z")
_LONGEST_OWNER = 240
_PATH = re.compile(r"[\w.]+")


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
        removed, added = (Counter(_mentioned(text)) for text in (before, after))
        if any(word in self.registries for _, word in (*removed, *added)):
            return True
        return any(word in self.unmentioned for _, word in added - removed) or any(
            word in self.names for _, word in removed - added
        )


def _mentioned(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the name of which it is an attribute, if of any."""
    for path in _PATH.findall(text):
        root, *attributes = path.split(".")
        yield "", root
        yield from ((root, attribute) for attribute in attributes)


@lru_cache(maxsize=4096)  # a project that is held open asks it of nearly the same texts after each edit
def makes_by_name(source: str) -> bool:
    """Whether a source makes objects from names that other files hold, or says that it does."""
    return _BY_CONFIGURATION.search(source) is not None


def unmentioned(names: Iterable[str], sources: Sequence[str]) -> frozenset[str]:
    """Of the names of functions and classes those that all sources together mention once, in whatever words.

    None where objects are made from names that other files hold.
    """
    return frozenset() if any(map(makes_by_name, sources)) else mentioned_once(names, sources)


def mentioned_once(names: Iterable[str], sources: Iterable[str]) -> frozenset[str]:
    """Of names those that all sources together mention once, or never, whatever makes objects of them."""
    left = dict.fromkeys(names, 0)
    for source in sources:
        for name in [name for name in left if name in source]:
            left[name] += _mentions(name, source)
            if left[name] > 1:
                del left[name]
    return frozenset(left)


def _mentions(name: str, source: str) -> int:
    """How often a source mentions a name; an attribute of what it imports from torch is something else of that name."""
    found = list(re.finditer(rf"\b{re.escape(name)}\b", source))
    of_torch = _names_of_torch(source)
    return sum(1 for match in found if not _is_attribute_of(of_torch, source, match.start()))


def _is_attribute_of(names: frozenset[str], source: str, start: int) -> bool:
    before = _OWNER.search(source, max(0, start - _LONGEST_OWNER), start)
    return before is not None and before[1].partition(".")[0] in names


@lru_cache(maxsize=4096)
def _names_of_torch(source: str) -> frozenset[str]:
    """The names that stand for torch and its modules in a source."""
    return frozenset({"torch", *(name for found in _OF_TORCH.finditer(source) for name in found.groups() if name)})
