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
from synclint.analysis.syntax.walk import walk
from synclint.fixes.imports import Imports
from synclint.fixes.place import Place
from synclint.fixes.source_files import SourceFile, UnreadableTreeError
from synclint.fixes.uses import nodes_of
from synclint.sources.kept_texts import KeptText, kept

_COMPILERS = ("torch.jit.", "torch.fx.", "torch.onnx.", "torch.export.")
_NAMED = re.compile(rf"\b(?:{'|'.join(name.split('.')[1] for name in _COMPILERS)})\b".encode())
# A function with one of these is left to Python.
_LEFT_OUT = frozenset({"torch.jit.ignore", "torch.jit.unused"})
_HANDING = frozenset({"script", "trace", "trace_module", "export", "dynamo_export", "symbolic_trace"})
_ANYTHING = "async +def|def|class"
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
                waiting += by_name.get(_last_name(node.func), ())
    return frozenset(found)


def _compiled_by(imports: Imports, by_name: Mapping[str, list[Definition]]) -> Iterator[Definition]:
    """The definitions of a file that it hands to a compiler itself, or that ask for one."""
    tree = imports.file.tree
    made = _made_of(tree)
    for node in walk(tree):
        if isinstance(node, ast.Call) and _is_handing(imports, node):
            yield from (one for name in _meant(node.args[:1], made) for one in by_name.get(name, ()))
    for one in (definition for several in by_name.values() for definition in several):
        own = nodes_of(one)
        handing = {n.func for n in own if isinstance(n, ast.Call) and _is_handing(imports, n)}
        asked = (n for n in own if isinstance(n, ast.Attribute) and n not in handing and n.attr not in _TAKING)
        if _asks_for_a_compiler(imports, asked):
            yield one


def _is_handing(imports: Imports, call: ast.Call) -> bool:
    """Whether a call hands its first argument to a compiler: it stands in ordinary code itself."""
    compiler, _, function = imports.qualified(call.func).rpartition(".")
    return f"{compiler}." in _COMPILERS and function in _HANDING


def compiled_names(texts: Sequence[KeptText]) -> frozenset[str]:
    """The names of what some files hand to a compiler, in whichever file that is defined.

    All that these call by name, from file to file, is compiled with them. What a function returns is not known here.
    """
    found: set[str] = set()
    trees: dict[bytes, ast.Module] = {}
    waiting = [one for text in texts if _names_a_compiler(text.utf8) for one in _handed_over(text.text)]
    while waiting:
        name, kinds = waiting.pop()
        if name in found or name.startswith("__"):
            continue
        defining = [text for text in texts if _defines(text.utf8, name, kinds)]
        called = [_called_by(tree, name) for text in defining if (tree := _tree(text, trees)) is not None]
        if called:
            found.add(name)
            waiting += [(other, _ANYTHING) for some in called for other in some]
    return frozenset(found)


def said_of_compilers(text: str, names: frozenset[str]) -> tuple[object, ...]:
    """What ``compiled_names`` took from a text where it found some names: while that is so, it finds them again."""
    as_kept, trees = kept(text), dict[bytes, ast.Module]()
    defined = sorted(name for name in names if _defines(as_kept.utf8, name))
    tree = _tree(as_kept, trees) if defined else None
    called = {name: _called_by(tree, name) for name in defined} if tree is not None else {}
    return _handed_over(text) if _names_a_compiler(as_kept.utf8) else set(), called


def _names_a_compiler(utf8: bytes) -> bool:
    return b"torch" in utf8 and _NAMED.search(utf8) is not None


def _handed_over(text: str) -> set[tuple[str, str]]:
    """The names of what a file hands to a compiler, with the keywords that may define each: of objects, the classes."""
    try:
        imports = Imports(SourceFile("", text))
        tree = imports.file.tree
    except UnreadableTreeError:
        return set()
    made, renamed = _made_of(tree), _renamed(tree)
    found: set[tuple[str, str]] = set()
    for node in walk(tree):
        if isinstance(node, ast.Call) and _is_handing(imports, node):
            named = {renamed.get(name, name) for one in node.args[:1] for name in _names(one)}
            found |= {(name, _ANYTHING) for name in named}
            found |= {(renamed.get(name, name), "class") for name in _meant(node.args[:1], made) - named}
        elif isinstance(node, _DEFINITIONS) and _asks_for_a_compiler(imports, node.decorator_list):
            found.add((node.name, _ANYTHING))
    return found


def _defines(utf8: bytes, name: str, kinds: str = _ANYTHING) -> bool:
    """Whether a text defines a name with one of some keywords."""
    if name.encode() not in utf8:
        return False
    return re.search(rf"^[ \t]*(?:{kinds}) +{re.escape(name)}\b".encode(), utf8, re.MULTILINE) is not None


def _tree(text: KeptText, trees: dict[bytes, ast.Module]) -> ast.Module | None:
    """The tree of a text, which is read once."""
    tree = trees.get(text.utf8) or readable_tree(text.text)
    if tree is not None:
        trees[text.utf8] = tree
    return tree


def _asks_for_a_compiler(imports: Imports, names: Iterable[ast.expr]) -> bool:
    return any(name.startswith(_COMPILERS) and name not in _LEFT_OUT for name in map(imports.qualified, names))


def _called_by(tree: ast.Module, name: str) -> set[str]:
    """The names of what the definitions of a name call."""
    definitions = (node for node in walk(tree) if isinstance(node, _DEFINITIONS) and node.name == name)
    called = [node.func for one in definitions for node in ast.walk(one) if isinstance(node, ast.Call)]
    imports = (node for node in walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    owners = {"self", "cls", *(bound for node in imports for alias in node.names for bound in bound_by(alias))}
    of_owners = (one for one in called if isinstance(one, ast.Attribute) and _last_name(one.value) in owners)
    renamed = _renamed(tree)
    by_name = {renamed.get(one.id, one.id) for one in called if isinstance(one, ast.Name)}
    return by_name | {one.attr for one in of_owners}


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _names(node: ast.AST) -> set[str]:
    """The last part of each name in an expression: that of a function, whatever module it is in."""
    return {_last_name(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))}


def _meant(arguments: Iterable[ast.expr], made: Mapping[str, set[str]]) -> set[str]:
    """The names in some arguments, and in what these were made of."""
    found: set[str] = set()
    waiting = [name for argument in arguments for name in _names(argument)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += made.get(name, ())
    return found


def _renamed(tree: ast.Module) -> dict[str, str]:
    """What is imported under another name: `from a import b as c`."""
    imports = (node for node in walk(tree) if isinstance(node, ast.ImportFrom))
    return {alias.asname: alias.name for node in imports for alias in node.names if alias.asname}


def _made_of(tree: ast.Module) -> dict[str, set[str]]:
    """The names in what each name is given: `model = Model()` is made of `Model`."""
    found: dict[str, set[str]] = defaultdict(set)
    for statement in walk(tree):
        if isinstance(statement, ast.Assign):
            names = _names(statement.value)
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found[target.id] |= names
    return found
