"""Programs that run on the host: scripts that name the CPU, and no other device.

That is said of a whole file only, and only if nothing else can choose a device: the file is a program, it uses no
library that moves models by itself, and each device that it names is written out as the CPU. One that names no device
at all may be an excerpt, unless it gives a value to every name that it uses. What the files of a project say together
is told by `host_projects`. Lightning moves models where its trainers are told to, `Trainer(accelerator="cpu")`
(lightning/pytorch/trainer/connectors/accelerator_connector.py).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Collection, Iterator

from synclint.analysis.syntax.bindings import bound_by
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.catalog.names import names_in

# Libraries that compute on the host, or where they are told to. All others may choose a device.
ON_HOST = names_in("modules", "without-a-device") | sys.stdlib_module_names
# The short names also end words such as `output`, `input` and `dumps`.
_ACCELERATORS = re.compile(
    r"cuda|gpu|mtia|rocm|accelerat|default_(?:tensor|device)|(?<![a-z])(?:tpu|mps|xpu|hpu|npu)s?(?![a-z])",
    re.IGNORECASE,
)
# What names an accelerator, moves things, says where they are, or makes objects by what a configuration says, a device
# among it; and the short names, which also end other words.
_SPEAKING = (
    "device",
    "cuda",
    "gpu",
    "map_location",
    ".to(",
    "instantiate(",
    "accelerat",
    "default_tensor",
    "mtia",
    "rocm",
)
_SHORT = ("tpu", "mps", "xpu", "hpu", "npu")
# Where optimizers are from: `torch.optim.Adam(...)`, `from torch import optim`.
_OPTIMIZERS = re.compile(r"\boptim\b")
_LIGHTNING = frozenset({"lightning", "pytorch_lightning"})
_LONGEST_NAME = 64
_NAMING = frozenset({"device", "map_location"})
_TRAINING = frozenset({"backward"})
_DEEPEST = 4


def is_host_program(tree: ast.Module) -> bool:
    """Whether a module is a program that runs on the host alone."""
    if not _is_program(tree):
        return False
    nodes = list(walk(tree))
    told = _told_to_stay(nodes)
    if any(_chooses_elsewhere(node) for node in nodes if node not in told):
        return False
    devices = [node for part in nodes for node in _devices(part)]
    names = _Names(nodes)
    if not all(names.are_on_host(node) for node in devices):
        return False
    return bool(told) or any(names.is_named(node) for node in devices) or _is_whole(nodes)


def may_choose_device(source: str) -> bool:
    """Whether the text of a file speaks of devices.

    Comments and docstrings that do so count: whoever wrote them has had some in mind.
    """
    text = source.lower()
    if any(word in text for word in _SPEAKING):
        return True
    return any(word in text for word in _SHORT) and _ACCELERATORS.search(text) is not None


def makes_all(source: str) -> bool:
    """Whether the text of a file gives a value to every name that it uses, and makes the optimizer that it steps.

    Whoever is handed one trains what somebody else has put where it is.
    """
    if _OPTIMIZERS.search(source) is None:
        return False
    try:
        return _is_whole([*walk(parse(source))])
    except ParseFailure:
        return False


def _told_to_stay(nodes: list[ast.AST]) -> set[ast.AST]:
    """The imports of Lightning, and what tells its trainers to stay on the CPU, if all of them are told so."""
    trainers = [node for node in nodes if isinstance(node, ast.Call) and _last_name(node.func) == "Trainer"]
    told = [next((one for one in node.keywords if one.arg == "accelerator"), None) for node in trainers]
    staying = {
        one for one in told if one is not None and isinstance(one.value, ast.Constant) and one.value.value == "cpu"
    }
    if not staying or len(staying) < len(trainers):
        return set()
    imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return staying.union(node for node in imports if _LIGHTNING.issuperset(_roots(node)))


def _roots(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The libraries that an import takes something from."""
    if isinstance(node, ast.Import):
        yield from (one.name.partition(".")[0] for one in node.names)
    else:
        yield "" if node.level else (node.module or "").partition(".")[0]


def _last_name(node: ast.expr) -> str:
    return (dotted_name(node) or "").rpartition(".")[2]


def _is_whole(nodes: Collection[ast.AST]) -> bool:
    """Whether every name that is used is given a value somewhere, as in a program and unlike in an excerpt of one."""
    bound = {*dir(builtins), "__file__", "__doc__", *(name for node in nodes for name in bound_by(node))}
    return all(node.id in bound for node in nodes if isinstance(node, ast.Name))


def _is_program(tree: ast.Module) -> bool:
    """Whether a module does its work at its top level, or where it is the main module."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and isinstance(statement.test, ast.Compare):
            sides = (statement.test.left, *statement.test.comparators)
            if any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides):
                return _runs_something(statement.body, tree)
        if isinstance(statement, (ast.For, ast.While)):
            if any(isinstance(node, ast.Attribute) and node.attr in _TRAINING for node in walk(statement.body)):
                return True
    return False


def _runs_something(body: list[ast.stmt], tree: ast.Module) -> bool:
    """Whether what a main module does is more than to run tests: it uses what the file defines, or other libraries."""
    used = {node.id for node in walk(body) if isinstance(node, ast.Name)}
    for statement in (*tree.body, *body):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            bound = [name for alias in statement.names for name in bound_by(alias)]
            if not used.isdisjoint(bound) and not sys.stdlib_module_names.issuperset(_roots(statement)):
                return True
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if statement.name in used:
                return True
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement in tree.body:
            if not used.isdisjoint(name for node in walk(statement) for name in bound_by(node)):
                return True
    return False


def _chooses_elsewhere(node: ast.AST) -> bool:
    """Whether a node names an accelerator, or imports what may choose a device."""
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or (node.module or "").partition(".")[0] not in ON_HOST or _names_one(node.names)
    if isinstance(node, ast.Import):
        return any(one.name.partition(".")[0] not in ON_HOST for one in node.names) or _names_one(node.names)
    if isinstance(node, ast.Constant):
        text = node.value if isinstance(node.value, str) and len(node.value) <= _LONGEST_NAME else ""
        return _ACCELERATORS.search(text) is not None
    named = [getattr(node, field, None) for field in ("id", "attr", "arg", "name")]
    return any(isinstance(name, str) and _ACCELERATORS.search(name) is not None for name in named)


def _names_one(names: list[ast.alias]) -> bool:
    return any(_ACCELERATORS.search(one.name) is not None for one in names)


def _devices(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions by which a call says where something is or goes."""
    if not isinstance(node, ast.Call):
        return
    yield from (keyword.value for keyword in node.keywords if keyword.arg in _NAMING)
    function = node.func
    if node.args and isinstance(function, ast.Attribute) and function.attr == "to":
        yield node.args[0]


class _Names:
    """What a module gives its names and attributes, and the defaults of parameters."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self._given: dict[str, list[ast.expr]] = {}  # attributes with a dot
        for node in nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
                    self._note(target, node.value)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                taken = node.args
                positional = [*taken.posonlyargs, *taken.args]
                defaults = [*zip(reversed(positional), reversed(taken.defaults), strict=False)]
                for one, default in (*defaults, *zip(taken.kwonlyargs, taken.kw_defaults, strict=True)):
                    if default is not None:
                        self._given.setdefault(one.arg, []).append(default)

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Name, ast.Attribute)):
            name = target.id if isinstance(target, ast.Name) else f".{target.attr}"
            self._given.setdefault(name, []).append(value)

    def are_on_host(self, node: ast.expr, depth: int = _DEEPEST) -> bool:
        """Whether an expression names the CPU, where another tensor is, an element type, or nothing."""
        if isinstance(node, ast.Constant):
            return node.value is None or (isinstance(node.value, str) and node.value.partition(":")[0] == "cpu")
        if isinstance(node, ast.Call):
            return (dotted_name(node.func) or "").rpartition(".")[2] == "device" and all(
                self.are_on_host(given, depth) for given in node.args
            )
        path = dotted_name(node)
        if path is None or not depth:
            return False
        root, _, last = path.rpartition(".")
        if root == "torch":
            return True
        given = self._given.get(f".{last}" if root else last, [])
        return bool(given) and all(self.are_on_host(value, depth - 1) for value in given)

    def is_named(self, node: ast.expr) -> bool:
        """Whether an expression names the CPU."""
        parts = [node]
        if (path := dotted_name(node)) is not None:
            root, _, last = path.rpartition(".")
            parts += self._given.get(f".{last}" if root else last, [])
        return any(
            isinstance(part, ast.Constant) and isinstance(part.value, str) for one in parts for part in walk(one)
        )
