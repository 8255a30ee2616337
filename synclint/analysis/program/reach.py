"""Which files can have to do with torch at all: the rest need not be analysed.

A file has torch in reach when it imports torch or a library that gives tensors, when it does what is done to tensors
only, or when something that it imports is defined in such a file. Farther away, only functions that are called with
tensors matter, and loops over epochs, batches and steps: they tell how hot it is what they call, through however many
files. What answers whether a count has come round tells how often others run, whatever it imports. The text decides;
nothing is parsed for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from synclint.catalog.names import names_in

# What only code does that works on tensors, or that has torch from somebody's `import *`.
# Plain strings, and a pattern that begins with one, because looking for them is many times faster.
_SIGNS = (
    "from torch import", "import torch\n", ".cuda(", ".is_cuda", ".unsqueeze", ".masked_fill", ".masked_select",
    ".masked_scatter", ".index_select", ".scatter_add", ".requires_grad", ".zero_grad", ".new_zeros", ".new_ones",
    ".new_full", ".new_empty", ".new_tensor", ".type_as", ".expand_as", ".view_as", ".backward()",
)  # fmt: skip
_TORCH = re.compile(r"torch\.\w")
# What programs that work on the arrays of another framework take from torch, and the frameworks.
_BESIDE_ARRAYS = re.compile(r"torch\.(?!utils\.tensorboard\b|backends\b|manual_seed\b)\w")
_FRAMEWORKS = ("jax", "flax", "tensorflow", "mxnet")
_OTHER_FRAMEWORKS = re.compile(r"^(?:import|from) (?:jax|flax|tensorflow|mxnet)\b", re.MULTILINE)
_NAMED_IN_A_STRING = re.compile(r"""torch["']""")
# Libraries that give and take tensors, beside those with torch in their names.
_LIBRARIES = names_in("libraries", "with-tensors")
_TURNS = ("epoch", "batch", "step")
_TRAINING = re.compile(r"for\s+(?:\(?\w+,\s*)*\(?\w*(?:epoch|batch|step)")
# `return self.step % self.every == 0`; `%` between a text and what it formats is followed by no comparison.
_COMES_ROUND = re.compile(r"\breturn\b[^\n#'\"]{0,99}[\w)\]][ ]?%[ ]?[\w.(][^\n#'\"%]{0,99}(?:==|!=|<|>)")
# Anywhere on a line, so that nothing is missed; words in a docstring may look the same, and do no harm.
_IMPORT = re.compile(r"import\b[\s\\]*")
_BRACKET_OR_COMMENT = re.compile(r"[()]|#[^\n]*")
_REST_OF_LINE = re.compile(r"[^\n;#\\]*(?:\\(?:\r?\n)?[^\n;#\\]*)*")
_FROM = re.compile(r"\bfrom[\s\\]+([.\w]+)[\s\\]*$")
# So far back somebody looks for what stands before a word. Whatever is longer is no code that anybody wrote.
_LONGEST_FROM = 300
_LONGEST_INDENTATION = 300
_LONGEST_NAME = 300
_NAMED = re.compile(r"([.\w]+|\*)(?:[\s\\]+as[\s\\]+(\w+))?")
# So many names are looked for faster one by one, in patterns that begin with them, than all at once.
_FEW_NAMES = 10
_DOTTED = re.compile(r"(\w+)((?:\.\w+)*)")
# A name at the top that is given a list, a dictionary or a tuple, and what that holds.
_TABLE = re.compile(r"^(\w+)[ \t]*(?::[^=\n]{0,200})?=[ \t]*[\[{(]([^\n]*(?:\n(?:[ \t\]})][^\n]*)?)*)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"#[^\n]*")
_DEEPEST_MODULE = 50


class Import(NamedTuple):
    """``from module import name as alias``; for ``import module`` there is no name, and for a star it is ``*``."""

    module: str
    name: str = ""
    alias: str = ""


@dataclass(frozen=True)
class Text:
    """What the text of a module says: whether it shows that it uses tensors, whether it trains, what it imports.

    One that ``is_asked`` takes tensors from others but has none to give: it names torch in a string, as in
    ``sys.modules.get("torch")``, or answers whether a count has come round. ``words`` are there where a star has to be
    told what is meant, ``tables`` the names of what it holds in tables, by theirs: ``MODELS = {"net": Net}``. Of a text
    that shows that it uses tensors nothing else is asked.
    """

    signs: bool
    is_asked: bool = False
    trains: bool = False
    imports: frozenset[Import] = frozenset()
    words: frozenset[str] = frozenset()
    tables: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def by_alias(self) -> Mapping[str, Sequence[Import]]:
        """The imports by the names that they bind; a star binds ``*``."""
        found: dict[str, list[Import]] = {}
        for each in self.imports:
            found.setdefault(each.alias, []).append(each)
        return found


def text_of(source: str, package: str) -> Text:
    """Look through the source of a module; ``package`` is what its relative imports start from."""
    is_named = "torch" in source
    if is_named and _works_on_other_arrays(source):
        return Text(False)
    if (is_named and _uses_torch(source)) or any(sign in source for sign in _SIGNS):
        return Text(True)
    is_asked = (is_named and _NAMED_IN_A_STRING.search(source) is not None) or (
        "%" in source and _COMES_ROUND.search(source) is not None
    )
    imports = frozenset(_imported(source, package))
    has_star = any(each.name == "*" for each in imports)
    words = frozenset(_WORD.findall(source)) if has_star else frozenset[str]()
    trains = any(turn in source for turn in _TURNS) and _TRAINING.search(source) is not None
    return Text(False, is_asked, trains, imports, words, dict(_tables(source, {each.alias for each in imports})))


def _tables(source: str, aliases: Collection[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The tables at the top of a source with the names in them that it imports."""
    for name, held in _TABLE.findall(source) if aliases else ():
        if found := frozenset(_WORD.findall(held)).intersection(aliases):
            yield name, found


def _works_on_other_arrays(source: str) -> bool:
    """Whether a text works on the arrays of another framework, and has no more from torch than its log."""
    # Plain words first: to look for them takes next to nothing, and most texts are decided by that.
    if "import torch\n" in source or not any(name in source for name in _FRAMEWORKS):
        return False
    if _OTHER_FRAMEWORKS.search(source) is None:
        return False
    return _BESIDE_ARRAYS.search(source) is None and not any(sign in source for sign in _SIGNS)


def _uses_torch(source: str) -> bool:
    """Whether something of torch is named, comments aside."""
    lines = _Lines(source)
    return any(not lines.is_comment(found.start()) for found in _TORCH.finditer(source))


@dataclass
class _Lines:
    """Tells what stands before places in a source on their lines.

    The places come in rising order: what was passed is not looked at again, however long a line is.
    """

    source: str
    _passed: int = 0
    _line: int = 0
    _sign: int = -1

    def is_comment(self, place: int) -> bool:
        """Whether a ``#`` stands before it."""
        end = self.source.rfind("\n", self._passed, place)
        if end >= 0:
            self._line = end + 1
        self._passed = max(self._passed, place)
        if self._sign < self._line:
            found = self.source.find("#", self._line)
            self._sign = found if found >= 0 else len(self.source)
        return self._sign < place

    def may_begin(self, place: int) -> bool:
        """Whether a statement may begin here."""
        if self.is_comment(place):
            return False
        before = self.source[max(self._line, place - _LONGEST_INDENTATION) : place].rstrip()
        return not before or before[-1] in ";:"


def _imported(source: str, package: str) -> Iterator[Import]:
    lines = _Lines(source)
    whole: list[tuple[str, str]] = []
    found = _IMPORT.search(source)
    while found is not None:
        end = found.end()
        base = _FROM.search(source, max(0, found.start() - _LONGEST_FROM), found.start())
        # Else a string or a comment speaks of imports, or a docstring shows some to its readers.
        if lines.may_begin((base or found).start()):
            listed, end = _listed(source, end)
            named = _NAMED.findall(_COMMENT.sub("", listed))
            if base is None:
                whole += named
            else:
                module = _absolute(base[1], package)
                yield from (Import(module, name, alias or name) for name, alias in named)
        found = _IMPORT.search(source, end)
    uses = _dotted(source, {alias or name.partition(".")[0] for name, alias in whole})
    for name, alias in whole:
        yield from _used(name, alias, uses)


def _listed(source: str, start: int) -> tuple[str, int]:
    """What an import lists from here on, and where that ends: in brackets, or up to the end of the line."""
    if source.startswith("(", start):
        for found in _BRACKET_OR_COMMENT.finditer(source, start + 1):
            if found[0] == ")":
                return source[start : found.end()], found.end()
            if found[0] == "(":  # which no import has: this one is not finished
                break
    rest = _REST_OF_LINE.match(source, start)
    end = rest.end() if rest else start
    return source[start:end], end


def _dotted(source: str, names: Collection[str]) -> Mapping[str, set[str]]:
    """What stands in a source after each of the names and a dot: ``a.b.c`` is ``.b.c`` of ``a``."""
    names = {name for name in names if len(name) <= _LONGEST_NAME}
    if len(names) <= _FEW_NAMES:
        return {name: set(re.findall(rf"{re.escape(name)}((?:\.\w+)+)", source)) for name in names}
    found: dict[str, set[str]] = {name: set() for name in names}
    for name, path in _DOTTED.findall(source):
        if path and name in found:
            found[name].add(path)
    return found


def _used(module: str, alias: str, uses: Mapping[str, set[str]]) -> Iterator[Import]:
    """What is used of a module that is imported as a whole: ``a.b.c`` is ``b`` of ``a`` and ``c`` of ``a.b``."""
    yield from map(Import, _with_packages(module))
    bound = alias or module.partition(".")[0]
    start = module if alias else bound
    for path in uses.get(bound, ()):
        steps = path[1:].split(".", _DEEPEST_MODULE)[:_DEEPEST_MODULE]
        for index, name in enumerate(steps):
            yield Import(".".join([start, *steps[:index]]), name, name)


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
    _texts: dict[Path, Text | None] = field(default_factory=dict)
    _known: dict[Path, bool] = field(default_factory=dict)
    _defined: dict[Import, bool] = field(default_factory=dict)
    _imported: dict[Import, bool] = field(default_factory=dict)

    def of(self, path: Path, name: str) -> bool:
        """Whether the module of this name at this path has torch in reach."""
        if path not in self._known:
            said = self._said(path, name)
            self._known[path] = said is not None and self._reaches(said)
        return self._known[path]

    def _said(self, path: Path, name: str) -> Text | None:
        if path not in self._texts:
            said = self.read(path, name)
            if said is not None and any(map(self._gives_tensors, {each.module for each in said.imports})):
                said = Text(True)
            self._texts[path] = said
        return self._texts[path]

    def _gives_tensors(self, module: str) -> bool:
        """Whether a module is torch or of a library that gives tensors, and none of the project's."""
        top = module.partition(".")[0]
        return ("torch" in top or top in _LIBRARIES) and self.find(module) is None

    def _reaches(self, text: Text) -> bool:
        return (
            text.signs
            or text.is_asked
            or _search(self._meant(text.imports, text.words), self._where_defined, self._defined)
            or (text.trains and _search(text.imports, self._whatever_imported, self._imported))
        )

    def _meant(self, imports: Iterable[Import], words: frozenset[str]) -> Iterator[Import]:
        """The imports of a text with these words, with what it uses by a star in the place of the star."""
        waiting = list(imports)
        stars: set[Import] = set()
        while waiting:
            each = waiting.pop()
            if each.name != "*":
                yield each
            elif each not in stars:
                stars.add(each)
                yield Import(each.module)
                home = self.find(each.module)
                text = self._said(home, each.module) if home is not None else None
                if text is not None:
                    waiting += [other for other in text.imports if other.name == "*" or other.alias in words]

    def _where_defined(self, wanted: Import) -> tuple[bool, Iterable[Import]]:
        """Whether the module named in an import uses torch, and the imports by which it hands on what is wanted."""
        if wanted.name:
            submodule = _joined(wanted.module, wanted.name)
            if self.find(submodule) is not None:
                return False, (Import(submodule),)
        home = self.find(wanted.module)
        text = self._said(home, wanted.module) if home is not None else None
        if home is None or text is None:
            return False, ()
        if not wanted.name:
            return text.signs, ()
        stars = [star._replace(name=wanted.name) for star in text.by_alias.get("*", ())]
        aliases = (wanted.name, *text.tables.get(wanted.name, ()))
        return text.signs, [*(each for alias in aliases for each in text.by_alias.get(alias, ())), *stars]

    def _whatever_imported(self, wanted: Import) -> tuple[bool, Iterable[Import]]:
        """Whether a module named in an import uses torch, and all that is imported there."""
        if wanted.name:
            # What a module imports is looked at once, however many names others import from it.
            return False, (Import(wanted.module), Import(_joined(wanted.module, wanted.name)))
        home = self.find(wanted.module)
        text = self._said(home, wanted.module) if home is not None else None
        if text is None:
            return False, ()
        return text.signs, text.imports


def _search(
    imports: Iterable[Import],
    follow: Callable[[Import], tuple[bool, Iterable[Import]]],
    known: dict[Import, bool],
) -> bool:
    """Whether one of the imports, or of those that ``follow`` leads to, is of torch; ``known`` remembers."""
    waiting = list(imports)
    seen = set(waiting)
    while waiting:
        each = waiting.pop()
        if each not in known:
            found, further = follow(each)
            if found:
                known[each] = True
            else:
                new = [other for other in further if other not in seen]
                seen.update(new)
                waiting += new
        if known.get(each):
            return True
    # Whatever was seen on the way to nothing leads to nothing either.
    known.update(dict.fromkeys(seen, False))
    return False


def _joined(module: str, name: str) -> str:
    return f"{module}.{name}".strip(".")
