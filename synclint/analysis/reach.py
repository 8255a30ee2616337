"""Which files can have to do with torch at all: the rest need not be analysed.

A file has torch in reach when it imports torch or a library that gives tensors, when it does what is done to tensors
only, or when it imports a file of the project that has. The text decides; nothing is parsed for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# What only code does that works on tensors, that has torch from somebody's `import *`, or names it in a string.
_SIGNS = re.compile(
    r"""\btorch\.\w|["']torch\b|\.(?:cuda\(|is_cuda|unsqueeze|masked_(?:fill|select|scatter)|index_select|scatter_add"""
    r"""|requires_grad|zero_grad|new_(?:zeros|ones|full|empty|tensor)|type_as|expand_as|view_as)"""
)
# Looking for plain words first is many times faster, and most files have none of them.
_STEMS = (
    "torch", "cuda", "unsqueeze", "masked_", "index_select", "scatter_add", "requires_grad", "zero_grad", "new_zeros",
    "new_ones", "new_full", "new_empty", "new_tensor", "type_as", "expand_as", "view_as",
)  # fmt: skip
# Libraries that give and take tensors, beside those with torch in their names.
_LIBRARIES = frozenset({"lightning", "accelerate", "einops", "wandb", "mlflow"})
# Anywhere on a line, so that nothing is missed; words in a docstring may look the same, and do no harm.
_IMPORT = re.compile(r"import\b[\s\\]*(\((?:[^()#]|#[^\n]*)*\)|(?:\\\r?\n|[^\n;#])*)")
_FROM = re.compile(r"\bfrom[\s\\]+([.\w]+)[\s\\]*$")
_LONGEST_FROM = 300
_NAME = re.compile(r"[.\w]+")
_DEEPEST_MODULE = 50


@dataclass(frozen=True)
class Text:
    """What the text of a module says: whether it shows that it uses torch, and the names that it may import."""

    signs: bool
    imports: frozenset[str]


def text_of(source: str, package: str) -> Text:
    """Look through the source of a module; ``package`` is what its relative imports start from.

    What a module imports that shows by itself that it uses torch is nobody's question, and left out.
    """
    if _has_signs(source):
        return Text(True, frozenset())
    imports = frozenset(_imported(source, package))
    gives_tensors = any(map(_gives_tensors, imports))
    return Text(gives_tensors, frozenset() if gives_tensors else imports)


def _has_signs(source: str) -> bool:
    return any(stem in source for stem in _STEMS) and _SIGNS.search(source) is not None


def _gives_tensors(imported: str) -> bool:
    top = imported.partition(".")[0]
    return "torch" in top or top in _LIBRARIES


def _imported(source: str, package: str) -> Iterator[str]:
    for found in _IMPORT.finditer(source):
        names = _NAME.findall(found[1])
        base = _FROM.search(source[max(0, found.start() - _LONGEST_FROM) : found.start()])
        if base is None:
            yield from (around for name in names for around in _with_packages(name))
        else:
            start = _absolute(base[1], package)
            yield start
            yield from (f"{start}.{name}" for name in names)


def _with_packages(name: str) -> Iterator[str]:
    """``a.b.c``, ``a.b`` and ``a``: importing the first gives a name to the last."""
    parts = name.split(".", _DEEPEST_MODULE)[:_DEEPEST_MODULE]
    yield from (".".join(parts[:end]) for end in range(len(parts), 0, -1))


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
                path = self.find(name)
                if path is None or path in seen:
                    continue
                if self._known.get(path):
                    return True
                seen[path] = None
                found = self.read(path, name) if path not in self._known else None
                if found is not None:
                    waiting.append(found)
        return False
