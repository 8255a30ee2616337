"""The two sides of a case as something that runs: inputs made afresh from a seed, then a call.

Lives in the worker: it executes the rule's files.
"""

from __future__ import annotations

import ast
import linecache
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType, ModuleType

import torch

from synclint.verify.cases import Case, Source
from synclint.verify.measurement import Side
from synclint.verify.source_lines import statement_starts
from synclint.verify.vocabulary import build_vocabulary

Run = Callable[[], object]


@dataclass(frozen=True)
class Program:
    """One side of a case.

    ``prepare(function, seed)`` makes the inputs, outside of what is measured, and gives a call
    without arguments; equal seeds make equal inputs. ``filename`` is what the frames of the code
    under test carry, ``starts`` maps its lines to the first line of their statement.
    """

    side: Side
    filename: str
    starts: Mapping[int, int]
    functions: tuple[str, ...]
    prepare: Callable[[str, int], Run]


def load_programs(case: Case, device: torch.device) -> tuple[Program, Program]:
    """The hazard and its twin, loaded. What their modules raise when imported goes to the caller."""
    if case.setup is None:
        return _module_programs(case, device)
    return (
        _statement_program(Side.HAZARD, case.hazard, case.setup, device),
        _statement_program(Side.TWIN, case.twin, case.setup, device),
    )


def _module_programs(case: Case, device: torch.device) -> tuple[Program, Program]:
    hazard = _load_module(case.hazard)
    twin = _load_module(case.twin)
    make_inputs = hazard.__dict__["inputs"]

    def program(side: Side, module: ModuleType, source: Source) -> Program:
        def prepare(function: str, seed: int) -> Run:
            _seed(seed)
            arguments = make_inputs(device)[function]
            _seed(seed)
            return lambda: module.__dict__[function](*arguments)

        starts = statement_starts(ast.parse(source.text))
        return Program(side, source.filename, starts, source.functions, prepare)

    return program(Side.HAZARD, hazard, case.hazard), program(Side.TWIN, twin, case.twin)


def _load_module(source: Source) -> ModuleType:
    module = ModuleType(f"synclint_case_{abs(hash(source.filename))}")
    module.__file__ = source.filename
    # Dataclasses and pickling look their module up by name.
    sys.modules[module.__name__] = module
    exec(compile(source.text, source.filename, "exec"), module.__dict__)
    return module


def _statement_program(side: Side, source: Source, setup: str, device: torch.device) -> Program:
    """Each line of the source is a function of its own, over the vocabulary and what ``setup`` adds."""
    _show_in_tracebacks(source)
    tree = ast.parse(source.text)
    codes = {name: _compile_line(node, source.filename) for name, node in zip(source.functions, tree.body, strict=True)}
    prepared = compile(setup, f"{source.filename} (set-up)", "exec")

    def prepare(function: str, seed: int) -> Run:
        _seed(seed)
        names = build_vocabulary(device, f"{setup}\n{source.text}")
        exec(prepared, names)
        return lambda: exec(codes[function], names)

    return Program(side, source.filename, statement_starts(tree), source.functions, prepare)


def _compile_line(node: ast.stmt, filename: str) -> CodeType:
    return compile(ast.Module([node], type_ignores=[]), filename, "exec")


def _show_in_tracebacks(source: Source) -> None:
    linecache.cache[source.filename] = (
        len(source.text),
        None,
        source.text.splitlines(keepends=True),
        source.filename,
    )


def _seed(seed: int) -> None:
    random.seed(seed)
    torch.manual_seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed)
