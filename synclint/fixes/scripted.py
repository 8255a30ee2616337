"""Which functions are compiled from their text, or recorded: they may be written in a part of Python only.

TorchScript compiles a function together with all that it calls, and knows neither ``pin_memory=`` nor the type of what
``tolist()`` returns; what is traced must not ask for values. Source: https://docs.pytorch.org/docs/stable/jit.html.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from synclint.analysis.syntax.bindings import bound_by
from synclint.analysis.syntax.parsing import readable_tree
from synclint.analysis.syntax.walk import children, walk
from synclint.fixes.handed_over import ANYTHING, COMPILERS, Named, handings, is_compiler, last_name, made_of, meant
from synclint.fixes.imports import Imports
from synclint.fixes.place import Place
from synclint.fixes.source_files import SourceFile, UnreadableTreeError
from synclint.fixes.uses import nodes_of
from synclint.sources.kept_texts import KeptText, kept

# The last parts of COMPILERS, each found by its letters.
_NAMED = (
    re.compile(rb"jit(?<!\wjit)\b"),
    re.compile(rb"fx(?<!\wfx)\b"),
    re.compile(rb"onnx(?<!\wonnx)\b"),
    re.compile(rb"export(?<!\wexport)\b"),
)
_DEFINED = re.compile(rb"^[ \t]*(async +def|def|class) +(\w+)", re.MULTILINE)
# A function with one of these is left to Python.
_LEFT_OUT = frozenset({"torch.jit.ignore", "torch.jit.unused"})
# These take what was compiled.
_TAKING = frozenset({"load", "save", "freeze", "optimize_for_inference"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_scripted(place: Place, compiled: frozenset[Definition]) -> bool:
    """Whether the function of the finding is one of those that are compiled or recorded."""
    around = [node for node in place.file.ancestors(place.node) if isinstance(node, _DEFINITIONS)]
    return _is_compiled(around, compiled, place.imports)


def writes_into_scripted(file: SourceFile, lines: Iterable[int], compiled: frozenset[Definition]) -> bool:
    """Whether anything that is written at some lines of a file stands in what is compiled or recorded."""
    if not compiled:
        return False
    definitions, imports = [node for node in walk(file.tree) if isinstance(node, _DEFINITIONS)], Imports(file)
    around = ([d for d in reversed(definitions) if d.lineno <= line <= (d.end_lineno or 0)] for line in lines)
    return any(_is_compiled(some, compiled, imports) for some in around)


def _is_compiled(around: Sequence[Definition], compiled: frozenset[Definition], imports: Imports) -> bool:
    """Whether what stands in some definitions, the innermost first, is compiled with one of them."""
    if any(imports.qualified(one) in _LEFT_OUT for node in around[:1] for one in node.decorator_list):
        return False
    return not compiled.isdisjoint(around)


def compiled_in(imports: Imports, elsewhere: frozenset[str]) -> frozenset[Definition]:
    """The functions and classes of a file that are handed to a compiler, or ask for one, and all that they call.

    ``elsewhere`` are the names of what the files of the run hand to one (``compiled_names``).
    """
    tree, names_a_compiler = imports.file.tree, _names_a_compiler(kept(imports.file.text).utf8)
    if not names_a_compiler and not elsewhere:
        return frozenset()
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for node in walk(tree):
        if isinstance(node, _DEFINITIONS):
            by_name[node.name].append(node)
    waiting = [one for name in elsewhere for one in by_name.get(name, ())]
    if names_a_compiler:
        waiting += _compiled_by(imports, by_name)
    found: set[Definition] = set()
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for node in ast.walk(one):
            if isinstance(node, ast.Call):
                waiting += by_name.get(last_name(node.func), ())
    return frozenset(found)


def _compiled_by(imports: Imports, by_name: Mapping[str, list[Definition]]) -> Iterator[Definition]:
    """The definitions of a file that it hands to a compiler itself, or that ask for one."""
    found, made = handings(imports), made_of(imports.file.nodes)
    named = {name for one in found for name, _ in meant(one.values, made)}
    yield from (one for name in named for one in by_name.get(name, ()))
    for one in (definition for several in by_name.values() for definition in several):
        within = (n for n in nodes_of(one) if isinstance(n, ast.Attribute) and n.attr not in _TAKING)
        asked = (n for n in within if not is_compiler(imports, n))
        if _asks_for_a_compiler(imports, [*one.decorator_list, *asked]):
            yield one


def compiled_names(texts: Sequence[KeptText]) -> frozenset[str]:
    """The names of what some files hand to a compiler, in whichever file that is defined.

    All that these call by name, from file to file, is compiled with them. What a function returns is not known here.
    """
    waiting = [one for text in texts if _names_a_compiler(text.utf8) for one in _handed_over(text.text)]
    if not waiting:
        return frozenset()
    found: set[str] = set()
    defining = _Defining(texts)
    while waiting:
        name, kind = waiting.pop()
        if name not in found and not name.startswith("__") and defining.has(name, kind):
            found.add(name)
            waiting += [(other, ANYTHING) for other in defining.called_by(name)]
    return frozenset(found)


def said_of_compilers(text: str, names: frozenset[str]) -> tuple[object, ...]:
    """What ``compiled_names`` took from a text where it found some names: while that is so, it finds them again."""
    as_kept = kept(text)
    defining = _Defining([as_kept])
    called = {name: defining.called_by(name) for name in sorted(names) if defining.has(name, ANYTHING)}
    return _handed_over(text) if _names_a_compiler(as_kept.utf8) else set(), called


class _Defining:
    """The definitions in some texts by their names; a text is parsed once somebody asks what these call."""

    def __init__(self, texts: Sequence[KeptText]) -> None:
        self._texts = texts
        self._kinds: dict[str, set[str]] = defaultdict(set)
        self._places: dict[str, set[int]] = defaultdict(set)
        self._called: dict[int, Mapping[str, set[str]]] = {}
        for index, text in enumerate(texts):
            for kind, name in _DEFINED.findall(text.utf8):
                self._kinds[name.decode()].add("class" if kind == b"class" else "def")
                self._places[name.decode()].add(index)

    def has(self, name: str, kind: str) -> bool:
        """Whether a name is defined, and by a class where that is asked."""
        return bool(self._kinds.get(name)) and (kind == ANYTHING or kind in self._kinds[name])

    def called_by(self, name: str) -> set[str]:
        """The names of what the definitions of a name call, in all texts."""
        return {called for index in self._places[name] for called in self._calls(index).get(name, ())}

    def _calls(self, index: int) -> Mapping[str, set[str]]:
        if index not in self._called:
            tree = readable_tree(self._texts[index].text)
            self._called[index] = {} if tree is None else _calls_in(tree)
        return self._called[index]


def _names_a_compiler(utf8: bytes) -> bool:
    return b"torch" in utf8 and any(name.search(utf8) is not None for name in _NAMED)


def _handed_over(text: str) -> set[Named]:
    """The names of what a file hands to a compiler, with the keywords that may define each."""
    try:
        imports = Imports(SourceFile("", text))
        nodes = imports.file.nodes
    except UnreadableTreeError:
        return set()
    found: set[Named] = set()
    if handed := handings(imports):
        made, renamed = made_of(nodes), _renamed(nodes.of(ast.ImportFrom))
        named = (one for handing in handed for one in meant(handing.values, made))
        found = {(renamed.get(name, name), kind) for name, kind in named}
    definitions: list[Definition] = [*nodes.of(ast.ClassDef), *nodes.of(ast.FunctionDef)]
    definitions += nodes.of(ast.AsyncFunctionDef)
    asking = (node.name for node in definitions if _asks_for_a_compiler(imports, node.decorator_list))
    return found | {(name, ANYTHING) for name in asking}


def _asks_for_a_compiler(imports: Imports, names: Iterable[ast.expr]) -> bool:
    return any(name.startswith(COMPILERS) and name not in _LEFT_OUT for name in map(imports.qualified, names))


def _calls_in(tree: ast.Module) -> dict[str, set[str]]:
    """The names of what each definition of a file calls."""
    found: dict[str, set[str]] = defaultdict(set)
    owners = {"self", "cls"}
    imports: list[ast.ImportFrom] = []
    calls: list[tuple[ast.expr, tuple[str, ...]]] = []
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            imports.append(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            owners.update(bound for alias in node.names for bound in bound_by(alias))
        elif isinstance(node, _DEFINITIONS):
            around = (*around, node.name)
        elif isinstance(node, ast.Call) and around:
            calls.append((node.func, around))
        waiting += [(part, around) for part in reversed(children(node))]
    renamed = _renamed(imports)
    for called, around in calls:
        if isinstance(called, ast.Name):
            name = renamed.get(called.id, called.id)
        elif isinstance(called, ast.Attribute) and last_name(called.value) in owners:
            name = called.attr
        else:
            continue
        for definition in around:
            found[definition].add(name)
    return found


def _renamed(imports: Iterable[ast.ImportFrom]) -> dict[str, str]:
    """What is imported under another name: `from a import b as c`."""
    return {alias.asname: alias.name for node in imports for alias in node.names if alias.asname}
