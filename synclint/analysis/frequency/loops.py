"""What the text of loops and functions says of their rounds: training, batches, or a few of something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from synclint.analysis.program.outlines import OutlinedAsyncFunction, OutlinedFunction
from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import children, dotted_name, walk

Loop = ast.For | ast.AsyncFor | ast.While | ast.comprehension
LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OF_THEIR_OWN = frozenset(
    {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, OutlinedFunction, OutlinedAsyncFunction}
)
# All others tell nothing but by what stands in them.
_READ = _OF_THEIR_OWN.union((ast.Call, *LOOPS, ast.Assign, ast.Yield, ast.YieldFrom))

_OPTIMIZERS = re.compile(
    r"(^|_)(opt|opts|optim|optims|optimizers?|optimisers?|scaler|grad_scaler|adamw?|sgd|lbfgs|muon)(\d|_|$)"
)
_OPTIMIZING = frozenset(
    {"optimizer_step", "optim_step", "training_step", "train_step", "train_on_batch", "step_optimizer"}
)
_LOADERS = re.compile(r"loader|(^|_)(dl|batches|minibatches|data_iter|data_iterator|train_iter)(_|$)")
_ENVIRONMENTS = re.compile(r"(^|_)v?(env|envs|environment|environments|simulator)(\d|_|$)")
_RESULTS_OF_A_STEP = (4, 5)
_VALIDATION = re.compile(r"(^|_)(val|valid|validation|test|eval|evaluation|dev|holdout)(_|loader|dl|data|$)")
_NOT_BATCHES = frozenset(
    {"parameters", "modules", "buffers", "children", "named_parameters", "state_dict", "keys", "values"}
)
_WRAPPERS = frozenset(
    {"enumerate", "tqdm", "trange", "zip", "reversed", "sorted", "iter", "list", "tuple", "track", "progress_bar",
     "islice", "cycle", "prefetch"}
)  # fmt: skip
_EPOCHS = re.compile(r"(^|_)(epochs?|ep|n_epoch)(_|$)")
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
_FEW_ROUNDS = 16
_SINGULAR = {
    "parameters": "parameter", "named_parameters": "parameter", "params": "parameter",
    "param_groups": "parameter group",
    "modules": "module", "named_modules": "module", "children": "module", "layers": "layer", "blocks": "block",
    "targets": "target", "images": "image", "boxes": "box", "samples": "sample", "tokens": "token", "batch": "sample",
    "micro_batches": "micro batch", "microbatches": "micro batch", "losses": "loss", "metrics": "metric",
}  # fmt: skip


# `labels` of a batch are not what a loop goes through one by one.
_PLURAL = re.compile(r"[^su]s$")


class LoopEvidence(NamedTuple):
    """What the text of a loop says: the evidence of its own rounds, and whether a loop in it makes steps."""

    evidence: Evidence
    holds_steps: bool


def rounds(node: Loop) -> LoopEvidence:
    """What the text of a loop says of its rounds."""
    if isinstance(node, ast.comprehension):
        return LoopEvidence(_taken_from(node.iter, node.target), False)
    read = read_body(node.body)
    own = own_evidence(read, is_loop=True)
    taken = _taken_from(node.iter, node.target) if isinstance(node, (ast.For, ast.AsyncFor)) else Evidence.NONE
    inner = holds_steps(read.loops)
    if own is Evidence.OPTIMIZER or (own is Evidence.BACKWARD and taken is Evidence.BATCHES):
        return LoopEvidence(Evidence.OPTIMIZER, inner)
    if taken in (Evidence.BATCHES, Evidence.VALIDATION):
        return LoopEvidence(taken, inner)
    if own is not Evidence.NONE:
        return LoopEvidence(own, inner)
    return LoopEvidence(taken, inner)


class Body(NamedTuple):
    """What stands in a body, functions and classes that it defines left out.

    ``own_calls`` are the calls that are not within its loops, those of loops through optimizers included; ``called``
    are the last parts of the names of all calls. ``acts`` tells that it takes a step in an environment outside its
    loops. ``synchronizes`` counts the calls that wait for the device on purpose.
    """

    loops: tuple[ast.For | ast.AsyncFor | ast.While, ...]
    own_calls: tuple[ast.Call, ...]
    acts: bool
    called: frozenset[str]
    synchronizes: int
    yields: bool


def read_body(body: list[ast.stmt]) -> Body:
    """Read a body once for all that is asked of it."""
    loops: list[ast.For | ast.AsyncFor | ast.While] = []
    own_calls: list[ast.Call] = []
    called: set[str] = set()
    synchronizes = 0
    yields = acts = False
    is_own = True
    waiting: list[ast.AST | None] = [*reversed(body)]
    while waiting:
        node = waiting.pop()
        if node is None:  # the end of a loop whose calls are not the body's own
            is_own = True
            continue
        kind = type(node)
        if kind in _READ:
            if kind in _OF_THEIR_OWN:
                continue
            if isinstance(node, ast.Call):
                if is_own:
                    own_calls.append(node)
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                called.add(name)
                synchronizes += name == "synchronize"
            elif isinstance(node, LOOPS):
                loops.append(node)
                if is_own and not _passes_up(node):
                    is_own = False
                    waiting.append(None)
            elif isinstance(node, ast.Assign):
                acts = acts or (is_own and _acts(node))
            else:
                yields = True
        below = children(node)
        below.reverse()
        waiting += below
    return Body(tuple(loops), tuple(own_calls), acts, frozenset(called), synchronizes, yields)


def trains(suite: list[ast.stmt]) -> bool:
    """Whether a branch steps an optimizer or runs a backward pass, in loops or not."""
    read = read_body(suite)
    found = {own_evidence(read, is_loop=False), *(rounds(loop).evidence for loop in read.loops)}
    return not found.isdisjoint({Evidence.OPTIMIZER, Evidence.BACKWARD})


def holds_steps(loops: Iterable[ast.For | ast.AsyncFor | ast.While]) -> bool:
    """Whether one of the loops of a body trains, or takes batches to train on."""
    for inner in loops:
        found = rounds(inner).evidence
        if found is Evidence.BATCHES or (found is Evidence.OPTIMIZER and not _passes_up(inner)):
            return True
    return False


def own_evidence(body: Body, is_loop: bool) -> Evidence:
    """What a body says of itself, its loops left out; ``is_loop`` tells that it is run again and again."""
    found = Evidence.ENVIRONMENT if body.acts else Evidence.NONE
    for call in body.own_calls:
        name = dotted_name(call.func) or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        last = name.rpartition(".")[2]
        if _steps_an_optimizer(call, last):
            return Evidence.OPTIMIZER
        if last == "next" and is_loop and _takes_the_next(call):
            found = Evidence.VALIDATION if _is_for_validation(call.args[0]) else Evidence.BATCHES
        elif last in ("backward", "manual_backward") and found in (Evidence.NONE, Evidence.ENVIRONMENT):
            found = Evidence.BACKWARD
    return found


def _takes_the_next(call: ast.Call) -> bool:
    """Whether ``next`` is asked for another batch; ``next(iter(loader))`` takes the first one again."""
    if not call.args or _mentions(call.args[0], _NOT_BATCHES):
        return False
    return not (isinstance(call.args[0], ast.Call) and _loads(unwrapped(call.args[0])))


def _acts(node: ast.Assign) -> bool:
    """Whether a statement takes a step in an environment, by the four or five results of it, or by its name.

    The order of the results is that of Gym: observation, reward, whether the episode has ended, and what else is known.
    """
    call, target = node.value, node.targets[0]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    if isinstance(target, ast.Tuple) and len(target.elts) in _RESULTS_OF_A_STEP:
        return True
    return bool(_ENVIRONMENTS.search((dotted_name(call.func.value) or "").rpartition(".")[2].lower()))


def _steps_an_optimizer(call: ast.Call, last: str) -> bool:
    if last in _OPTIMIZING:
        return True
    if last != "step" or not isinstance(call.func, ast.Attribute):
        return False
    spoken = [part for part in re.split(r"\W+", ast.unparse(call.func.value).lower()) if part]
    spoken += [part for argument in call.args for part in re.split(r"\W+", ast.unparse(argument).lower())]
    return any(_OPTIMIZERS.search(part) for part in spoken) and not any("sched" in part for part in spoken[:1])


def _passes_up(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop goes through optimizers, or through phases that have one each: its rounds are parts of a step."""
    if isinstance(loop, ast.While):
        return False
    if any(_OPTIMIZERS.search(part.lower()) for part in _words(loop.iter)):
        return True
    targets = {name.id for name in walk(loop.target) if isinstance(name, ast.Name)}
    for call in walk(loop.body):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "step":
            root = (dotted_name(call.func) or "").partition(".")[0]
            if root in targets:
                return True
    return False


def _taken_from(source: ast.expr, target: ast.expr) -> Evidence:
    """What the thing that a loop goes through says."""
    stripped = unwrapped(source)
    if _loads(stripped):
        return Evidence.VALIDATION if _is_for_validation(stripped) else Evidence.BATCHES
    if any(_EPOCHS.search(name.id.lower()) for name in walk(target) if isinstance(name, ast.Name)):
        return Evidence.EPOCHS
    return Evidence.FEW if _has_few(stripped) else Evidence.NONE


def unwrapped(source: ast.expr) -> ast.expr:
    """What is gone through, without ``enumerate``, ``tqdm`` and the like around it."""
    while True:
        if isinstance(source, ast.Call) and source.args:
            name = (dotted_name(source.func) or "").rpartition(".")[2]
            loaded = [argument for argument in source.args if _loads(argument)]
            if name in _WRAPPERS or loaded:
                source = loaded[0] if loaded else source.args[-1] if name == "track" else source.args[0]
                continue
        if isinstance(source, ast.Starred):
            source = source.value
            continue
        return source


def _loads(source: ast.expr) -> bool:
    """Whether a name, or the call of a method of what it names, speaks of a loader."""
    if isinstance(source, ast.Call):
        name = dotted_name(source.func) or ""
        if name.rpartition(".")[2] == "DataLoader":
            return True
        owner, _, method = name.rpartition(".")
        return bool(_LOADERS.search((owner or method).rpartition(".")[2].lower())) and method not in _NOT_BATCHES
    path = dotted_name(source)
    if path is None and isinstance(source, ast.Subscript):
        path = dotted_name(source.value)
        if path is not None and not path.rpartition(".")[2].lower().endswith("loaders"):
            return False
    last = (path or "").rpartition(".")[2].lower()
    return (bool(_LOADERS.search(last)) and not last.endswith("loaders")) or (
        isinstance(source, ast.Subscript) and last.endswith("loaders")
    )


def _is_for_validation(source: ast.expr) -> bool:
    return any(_VALIDATION.search(part.lower()) for part in _words(source))


def _has_few(source: ast.expr) -> bool:
    if isinstance(source, (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant)):
        return True
    if isinstance(source, ast.Call):
        path = dotted_name(source.func) or (source.func.attr if isinstance(source.func, ast.Attribute) else "")
        last = path.rpartition(".")[2]
        if last == "range":
            bounds = [argument.value for argument in source.args if isinstance(argument, ast.Constant)]
            numbers = [bound for bound in bounds if isinstance(bound, int)]
            return len(numbers) == len(source.args) < 3 and len(range(*numbers)) <= _FEW_ROUNDS
        return bool(_FEW_OF.search(last.lower())) or last in _FEW_CALLS
    named = dotted_name(source)
    if named is None:
        return False
    root, _, last = named.lower().rpartition(".")
    return bool(_FEW_OF.search(last)) or root in _SETTINGS


def _words(node: ast.expr) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def _mentions(node: ast.expr, names: frozenset[str]) -> bool:
    return any(word in names for word in _words(node))


def is_retry(node: Loop) -> bool:
    """Whether a loop tries until something succeeds: a round that comes to its end leaves it."""
    return not isinstance(node, ast.comprehension) and isinstance(node.body[-1], (ast.Break, ast.Return))


def each(node: Loop) -> str:
    """What a loop runs once for, in the singular: "parameter", "`box`", "round"."""
    if isinstance(node, ast.While):
        return "round"
    source = unwrapped(node.iter)
    if isinstance(source, ast.Call):
        name = dotted_name(source.func) or (source.func.attr if isinstance(source.func, ast.Attribute) else "")
    elif isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Constant):
        name = str(source.slice.value)  # `group["params"]`
    else:
        name = dotted_name(source) or ""
    last = name.rpartition(".")[2].lower()
    if last in _SINGULAR:
        return _SINGULAR[last]
    names = [part.id for part in walk(node.target) if isinstance(part, ast.Name) and part.id != "_"]
    if last in ("items", "keys", "values"):
        held = name.rpartition(".")[0].rpartition(".")[2].lower()
        said = (known for known in _SINGULAR.values() if known in names)
        return _SINGULAR.get(held) or next(said, "item")
    for name in reversed(names):
        if name in _SINGULAR:
            return _SINGULAR[name]
        if len(name) > 2 and not _PLURAL.search(name):
            return f"`{name}`"
    return "round"
