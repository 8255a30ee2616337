"""What a loop goes through, by how its source is written: batches, those of a validation, or a few of something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import dotted_name, walk

# Micro-batches are parts of a step.
_LOADERS = re.compile(r"loader|(^|_)(dl|(?<!micro_)batches|minibatches|data_iter|data_iterator|train_iter)(_|$)")
_VALIDATION = re.compile(r"(^|_)(val|valid|validation|test|eval|evaluation|dev|holdout)(_|loader|dl|data|$)")
NOT_BATCHES = frozenset(
    {"parameters", "modules", "buffers", "children", "named_parameters", "state_dict", "keys", "values", "items"}
)
_WRAPPERS = frozenset(
    {"enumerate", "tqdm", "trange", "zip", "reversed", "sorted", "iter", "list", "tuple", "track", "progress_bar",
     "islice", "cycle", "prefetch"}
)  # fmt: skip
_FEW_OF = re.compile(
    r"(^|_)(parameters|params|param_groups|groups|modules|layers|blocks|heads|children|models|nets|networks|optimizers|"
    r"schedulers|state_dict|buffers|items|keys|files|filenames|paths|args|names|classes|seeds|folds|configs|metrics|"
    r"datasets|splits|ranks|gpus|devices|checkpoints|ckpts|weights|prompts|scales|sizes|shapes|dims|stages|levels|losses|"
    r"callbacks|hooks|loggers|axes|channels|experts|branches|members|fields|options|tasks|loss_dict|outputs|grids|groups|"
    r"lines|columns|words|methods|attrs|kwargs|convs|norms|downs|ups|anchors|features)$"
)
# What the user of a program lists: files to convert, tracks to take apart.
_SETTINGS = frozenset({"args", "opt", "opts", "options", "cfg", "conf", "config", "flags", "hparams", "settings"})
_FEW_CALLS = frozenset({"values", "items", "keys", "glob", "listdir", "iterdir", "split"})
FEW_ROUNDS = 16
# How many processes or devices there are, as PyTorch, Fabric and Accelerate call it.
_PROCESSES = frozenset({"world_size", "get_world_size", "num_processes", "device_count"})


def taken_from(source: ast.expr, lists: frozenset[str]) -> Evidence:
    """What the thing that a loop goes through says."""
    stripped = unwrapped(source)
    if isinstance(stripped, ast.Name) and stripped.id in lists:
        return Evidence.FEW if _has_few(stripped) else Evidence.NONE
    if loads(stripped):
        return Evidence.VALIDATION if is_for_validation(stripped) else Evidence.BATCHES
    return Evidence.FEW if _has_few(stripped) else Evidence.NONE


def unwrapped(source: ast.expr) -> ast.expr:
    """What is gone through, without ``enumerate``, ``tqdm`` and the like around it."""
    while True:
        if isinstance(source, ast.Call) and source.args:
            name = (dotted_name(source.func) or "").rpartition(".")[2]
            # How many batches there are is a number: `range(n_batches)` may go through parts of one.
            loaded = [argument for argument in source.args if name != "range" and loads(argument)]
            if name in _WRAPPERS or loaded:
                source = loaded[0] if loaded else source.args[-1] if name == "track" else source.args[0]
                continue
        if isinstance(source, ast.Starred):
            source = source.value
            continue
        return source


def is_counted(node: ast.AST) -> bool:
    """Whether the rounds of a loop are numbered, or go on until something ends them, and are given nothing else."""
    if isinstance(node, ast.While):
        return True
    if not isinstance(node, (ast.For, ast.AsyncFor)):
        return False
    called = {
        (dotted_name(part.func) or "").rpartition(".")[2] for part in walk(node.iter) if isinstance(part, ast.Call)
    }
    return "range" in called and "len" not in called


def loads(source: ast.expr) -> bool:
    """Whether a name, or the call of a method of what it names, speaks of a loader."""
    if isinstance(source, ast.Call):
        name = dotted_name(source.func) or ""
        if name.rpartition(".")[2] == "DataLoader":
            return True
        owner, _, method = name.rpartition(".")
        return bool(_LOADERS.search((owner or method).rpartition(".")[2].lower())) and method not in NOT_BATCHES
    path = dotted_name(source)
    if path is None and isinstance(source, ast.Subscript):
        path = dotted_name(source.value)
        if path is not None and not path.rpartition(".")[2].lower().endswith("loaders"):
            return False
    last = (path or "").rpartition(".")[2].lower()
    if last.rpartition("_")[2] in _SETTINGS:
        return False
    return (bool(_LOADERS.search(last)) and not last.endswith("loaders")) or (
        isinstance(source, ast.Subscript) and last.endswith("loaders")
    )


def is_for_validation(source: ast.expr) -> bool:
    """Whether what batches are taken from is called one for validation."""
    return any(_VALIDATION.search(part.lower()) for part in words_of(source))


def _has_few(source: ast.expr) -> bool:
    if isinstance(source, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant)):
        return True
    if isinstance(source, ast.Call):
        path = dotted_name(source.func) or (source.func.attr if isinstance(source.func, ast.Attribute) else "")
        last = path.rpartition(".")[2]
        if last == "range":
            if all(isinstance(one, ast.Constant) or _counts_processes(one) for one in source.args[:2]):
                if any(map(_counts_processes, source.args)):
                    return True
            bounds = [argument.value for argument in source.args if isinstance(argument, ast.Constant)]
            numbers = [bound for bound in bounds if isinstance(bound, int)]
            return len(numbers) == len(source.args) < 3 and len(range(*numbers)) <= FEW_ROUNDS
        return bool(_FEW_OF.search(last.lower())) or last in _FEW_CALLS
    named = dotted_name(source)
    if named is None:
        return False
    root, _, last = named.lower().rpartition(".")
    return bool(_FEW_OF.search(last)) or root in _SETTINGS


def _counts_processes(node: ast.expr) -> bool:
    return (dotted_name(node.func if isinstance(node, ast.Call) else node) or "").rpartition(".")[2] in _PROCESSES


def words_of(node: ast.expr) -> Iterator[str]:
    """The names and attributes that an expression mentions."""
    for part in walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
