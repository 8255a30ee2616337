"""What the names of functions, classes and modules say of how often they run: weak evidence, and only data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from synclint.analysis.program.test_modules import is_test
from synclint.findings import Phase


class Named(NamedTuple):
    """The phase that a name speaks of, and why, as the end of a sentence."""

    runs: Phase
    reason: str


_METHODS = {
    "__init__": "runs once, when the object is made",
    "__new__": "runs once, when the object is made",
    "__post_init__": "runs once, when the object is made",
    "setup": "runs once, before training",
    "__repr__": "only shows the object",
    "__str__": "only shows the object",
    "__format__": "only shows the object",
    "extra_repr": "only shows the object",
    "__getstate__": "runs when the object is saved",
    "__setstate__": "runs when the object is loaded",
    "__reduce__": "runs when the object is saved",
    "__deepcopy__": "runs when the object is copied",
    "reset_parameters": "runs once, when the module is made",
    "init_weights": "runs once, when the module is made",
    "_init_weights": "runs once, when the module is made",
    "state_dict": "runs when a checkpoint is written",
    "load_state_dict": "runs when a checkpoint is read",
    "configure_optimizers": "runs once, before training",
    "prepare_data": "runs once, before training",
    "on_save_checkpoint": "runs when a checkpoint is written",
    "on_load_checkpoint": "runs when a checkpoint is read",
    "__del__": "runs when the object is destroyed",
    "plot": "draws a figure",
}
_SELDOM = re.compile(
    r"^(_*on_(train|training|fit)?_?(start|end|begin)|_*(save|load|export|convert|fuse|reparameterize|switch_to_deploy|"
    r"prune|write|dump|print|show|summari[sz]e|plot|visuali[sz]e|draw|render)(_.*)?|.*_(checkpoint|visuali[sz]ation)|"
    r"set_.*|_*init_.*|(.*_)?warm_?up|.*_init|from_pretrained|from_checkpoint|parse_args|main_worker_setup|checkpoint_filter.*|_*debug(_.*)?|"
    r"_*(build|make|create|get|setup|configure)_(model|models|optimizers?|optim|schedulers?|datasets?|data_?loaders?|"
    r"loaders?|tokenizer|backbone|network|criterion)|((to|as|_to|_as)_)?(pandas|data_?frame|csv)|(to|as)_(df|json|yaml)|"
    r"__nice__)$"
)
_EPOCH = re.compile(
    r"^(_*on_(train|training)?_?epoch_(start|end|begin)|.*_epoch_end|epoch_end|end_of_epoch|.*_epoch_start)$"
)
_EVALUATION = re.compile(
    r"^_*(eval|evals|evaluate|evaluates|evaluation|evaluator|valid|val|test|tests|testing|preview|previews)(_.*)?$"
    r"|^_*(validate|validates|validation)(_(epoch|one_epoch|model|step|loop|batch|loader|metrics|loss))?$"
    r"|^.*_(eval|evaluate|evaluation|preview|test)$"
    r"|^_*on_(validation|test|predict|eval)(_.*)?$"
    r"|^(run|do|make|compute|calc|calculate|get|estimate)_(eval|evaluation|validation|val|test|metrics|preview)(_.*)?$"
    r"|^_*estimate_loss$|^_*post_?process(_.*)?$"
)
_EVALUATION_CLASSES = re.compile(
    r"^PostProcess|(Evaluator|Evaluation|Validator|PostProcess|PostProcessor|Tester|ConfusionMatrix)$"
)
_EVALUATION_MODULES = re.compile(
    r"^(eval|evals|evaluate|evaluation|evaluator|evaluators|val|valid|validate|validation)$"
    r"|_(eval|evaluation|validation)$|^(eval|evaluate|val|validate)_"
)
_EVALUATION_FOLDERS = frozenset({"eval", "evals", "evaluation", "validation"})
_METRICS = frozenset({"metric", "metrics"})
_GENERATES = re.compile(
    r"(^|_)(generate|generates|generation|sample|sampling|denoise|denoising|synthesize|rollout)(_|$)"
)
_INFERS = re.compile(
    r"(^|_)(gen|generate|generates|generation|sampling|denoise|denoising|synthesize|synthesis|infer|inference|predict|"
    r"predictor|prediction|detect|demo|serve|serving|rollout)(_|$)|(^|_)sample(s|_loop|_images?|_latents?|_text|_tokens?)?$"
)
# The results of these have as many rows as there is to be found.
_SELECTS = re.compile(r"(^|_)(nms|non_?max(imum)?_?suppression)(_|$)")
_INFERENCE_FOLDERS = frozenset({"inference", "sampling", "serving", "demo", "demos", "generation", "deploy"})
_BENCHMARKS = re.compile(
    r"^(bench|benchmark|benchmarks|benchmarking|profiling)$|^(bench|benchmark)_|_(bench|benchmark)$"
)
_BENCHMARK_FUNCTIONS = re.compile(
    r"^_*(bench|benchmark|profile|time_it|timeit|measure_(time|latency|speed|throughput))(_.*)?$"
)
_TRAINS = re.compile(
    r"(^|_)(train|training|optimizer)_step$|^_?train_(batch|on_batch|one_batch|one_step|one_iter)$|^forward_train$"
)
_LOSSES = re.compile(r"(^|_)(loss|losses)(_(fn|func|single))?$|(^|_)(loss|losses)_(and|by)_|^criterion$")
_LOSS_CLASSES = re.compile(r"(Loss|Losses|Criterion|Objective)$|Distill|^Train(ing)?[A-Z]")
_BUILDERS = re.compile(r"(Builder|Factory|Exporter|Converter)$")
_SAVES = re.compile(r"^(save|show|plot|dump)$|^(save|dump|figure|plot)_|_save$")
_TEST_MODULES = re.compile(r"^(unit_?tests?|integration_?tests?)$|^numerical_tests?_")
_ENTRY_POINTS = frozenset({"main", "_main", "run_main", "cli", "main_worker"})
_ENTRY_DECORATORS = frozenset({"command", "main", "group", "entrypoint", "local_entrypoint", "callback"})

# Calls of torch and of launchers that run a function that they are handed just where they stand.
RUNS_WHAT_IT_IS_GIVEN = frozenset(
    {"spawn", "start_processes", "launch", "notebook_launcher", "elastic_launch", "run", "main", "apply"}
)


def of_function(name: str) -> Named | None:
    """What the name of a function or method says."""
    if name in _METHODS:
        return Named(Phase.ONCE, _METHODS[name])
    if _EPOCH.match(name):
        return Named(Phase.EPOCH, f"`{name}` runs once per epoch, judging by its name")
    if _BENCHMARK_FUNCTIONS.match(name):
        return Named(Phase.BENCHMARK, f"`{name}` measures, judging by its name")
    if _EVALUATION.match(name):
        return Named(Phase.EVAL, f"`{name}` evaluates, judging by its name")
    if _SELDOM.match(name) or "load_state_dict" in name:
        return Named(Phase.ONCE, f"`{name}` rarely runs, judging by its name")
    return None


def of_class(name: str) -> Named | None:
    """What the name of a class says of its methods."""
    if _BUILDERS.search(name):
        return Named(Phase.ONCE, f"`{name}` builds something, judging by its name")
    return Named(Phase.EVAL, f"`{name}` evaluates, judging by its name") if _EVALUATION_CLASSES.search(name) else None


def of_module(name: str) -> Named | None:
    """What the dotted name of a module says of all that it holds: tests and benchmarks are run for themselves."""
    parts = name.lower().split(".")
    if is_test(name.lower()) or any(_TEST_MODULES.search(part) for part in parts):
        return Named(Phase.TEST, f"`{name}` is a test, judging by its name")
    for part in parts:
        if _BENCHMARKS.search(part):
            return Named(Phase.BENCHMARK, f"`{name}` is a benchmark, judging by its name")
    return None


def evaluates(module: str, is_function: bool) -> Named | None:
    """Whether the dotted name of a module says that what it holds evaluates.

    The functions of a module of metrics are called by an evaluation as a rule, the ``update`` of its classes is not.
    """
    *folders, last = module.lower().split(".")
    around = {*folders[-1:]}
    said = _EVALUATION_MODULES.search(last) is not None or not _EVALUATION_FOLDERS.isdisjoint(around)
    if said or (is_function and not _METRICS.isdisjoint({last, *around})):
        return Named(Phase.EVAL, f"`{module}` evaluates, judging by its name")
    return None


def generates(function: str) -> bool:
    """Whether the name of a function says that it generates something in a loop of its own."""
    return _GENERATES.search(function.lower()) is not None


def infers(function: str, module: str) -> bool:
    """Whether names say that results are what a function is there for: samples, predictions, answers."""
    *folders, last = module.lower().split(".")
    if _INFERS.search(function.lower()) is not None or _INFERS.search(last) is not None:
        return True
    return not _INFERENCE_FOLDERS.isdisjoint(folders[-1:])


def trains(function: str) -> bool:
    """Whether the name of a function says that it is a training step, and can be nothing else."""
    return _TRAINS.search(function) is not None


def is_loss(function: str, owner: str) -> bool:
    """Whether names say that a function computes a loss, or is another part of training, such as a distillation."""
    if _LOSSES.search(function):
        return True
    return function in ("forward", "__call__") and _LOSS_CLASSES.search(owner) is not None


def saves(function: str, parameters: Iterable[str]) -> Named | None:
    """Whether parameters say that a function saves or shows something, which somebody has to ask for."""
    for parameter in parameters:
        if _SAVES.search(parameter):
            return Named(Phase.ONCE, f"`{function}` runs on request, judging by its parameter `{parameter}`")
    return None


def selects(function: str) -> bool:
    """Whether the name of a function says that it selects detections."""
    return _SELECTS.search(function.lower()) is not None


def is_entry_point(name: str, decorators: tuple[str, ...]) -> bool:
    """Whether a function is where a program begins: ``main``, or a command of a command line."""
    return name in _ENTRY_POINTS or any(decorator.rpartition(".")[2] in _ENTRY_DECORATORS for decorator in decorators)
