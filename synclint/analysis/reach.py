"""Which files can have to do with torch at all: the rest need not be analysed.

A file has torch in reach when its text speaks of torch, or when it imports a file of the project that has. The text
decides by bytes and words; nothing is parsed for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Words of those who use torch, or pass tensors on without naming it.
# Words of HTML and of NumPy only look like them.
_WORDS = re.compile(r"torch|(?<![a-z])cuda(?![a-z])|tensor(?!dot|inv|solve)")
_STEMS = ("torch", "cuda", "tensor")
# Libraries that give and take tensors; what they are called may mean anything elsewhere.
_LIBRARIES = frozenset({"lightning", "accelerate", "einops", "wandb", "mlflow"})
# Anywhere on a line, so that nothing is missed; words in a docstring may look the same, and do no harm.
_IMPORT = re.compile(r"import\b[\s\\]*(\([^)]*\)|(?:\\\r?\n|[^\n;#])*)")
_FROM = re.compile(r"\bfrom[\s\\]+([.\w]+)[\s\\]*$")
_LONGEST_FROM = 300
_NAME = re.compile(r"[.\w]+")


@dataclass(frozen=True)
class Text:
    """What the text of a module says: whether it speaks of torch, and the names that it may import."""

    signs: bool
    imports: frozenset[str]


def text_of(source: str, package: str) -> Text:
    """Look through the source of a module; ``package`` is what its relative imports start from."""
    lowered = source.lower()
    if any(stem in lowered for stem in _STEMS) and _WORDS.search(lowered):
        return Text(True, frozenset())
    imports = frozenset(_imported(source, package))
    return Text(any(name.partition(".")[0] in _LIBRARIES for name in imports), imports)


def _imported(source: str, package: str) -> Iterator[str]:
    for found in _IMPORT.finditer(source):
        names = _NAME.findall(found[1])
        base = _FROM.search(source[max(0, found.start() - _LONGEST_FROM) : found.start()])
        if base is None:
            yield from names
        else:
            start = _absolute(base[1], package)
            yield start
            yield from (f"{start}.{name}" for name in names)


def _absolute(base: str, package: str) -> str:
    name = base.lstrip(".")
    levels = len(base) - len(name)
    for _ in range(levels - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{name}".strip(".") if levels else name


@dataclass
class Reach:
    """Remembers of which modules it is known whether they have torch in reach.

    ``find`` gives the file of a dotted name, and ``read`` the text of a file, None where there is none.
    """

    find: Callable[[str], Path | None]
    read: Callable[[Path, str], Text | None]
    _known: dict[Path, bool] = field(default_factory=dict)

    def of(self, path: Path, text: Callable[[], Text]) -> bool:
        """Whether the module at a path, which says ``text``, has torch in reach."""
        if path not in self._known:
            seen: dict[Path, None] = {path: None}
            reached = self._search(text(), seen)
            # Whatever was seen on the way to nothing reaches nothing either.
            self._known.update(dict.fromkeys([path] if reached else seen, reached))
        return self._known[path]

    def _search(self, text: Text, seen: dict[Path, None]) -> bool:
        waiting = [text]
        while waiting:
            current = waiting.pop()
            if current.signs:
                return True
            for name in current.imports:
                for path, module in self._modules(name):
                    if self._known.get(path):
                        return True
                    if path not in seen and path not in self._known:
                        seen[path] = None
                        found = self.read(path, module)
                        if found is not None:
                            waiting.append(found)
        return False

    def _modules(self, name: str) -> Iterator[tuple[Path, str]]:
        """The files that importing a name runs: its own, and those of the packages around it."""
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            path = self.find(module)
            if path is not None:
                yield path, module
