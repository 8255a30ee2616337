"""The two programs of every rule are annotated alike, and compute the same."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch
from rule_folders import cases, every_rule
from torch import distributed


def _load(path: Path) -> ModuleType:
    name = f"{path.parent.name.replace('-', '_')}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _arguments(hazard: ModuleType, case: str, seed: int) -> tuple[object, ...]:
    torch.manual_seed(seed)
    arguments: tuple[object, ...] = hazard.inputs(torch.device("cpu"))[case]
    return arguments


def _assert_same(actual: object, expected: object) -> None:
    if isinstance(actual, (tuple, list)):
        assert isinstance(expected, (tuple, list))
        for one, other in zip(actual, expected, strict=True):
            _assert_same(one, other)
    elif actual is None or isinstance(actual, str):
        assert actual == expected
    else:
        torch.testing.assert_close(actual, expected)


@pytest.fixture(autouse=True)
def no_process_group_left_behind() -> Iterator[None]:
    yield
    if distributed.is_initialized():
        distributed.destroy_process_group()


@every_rule
def test_hazard_and_twin_define_the_same_annotatedcases(folder: Path) -> None:
    hazard, twin = _load(folder / "hazard.py"), _load(folder / "sync_free.py")
    names = cases(folder / "hazard.py")
    assert 1 <= len(names) <= 4
    assert names == cases(folder / "sync_free.py") == tuple(hazard.inputs(torch.device("cpu")))
    assert not hasattr(twin, "inputs")
    for name in names:
        for module in (hazard, twin):
            signature = inspect.signature(getattr(module, name))
            assert signature.return_annotation is not inspect.Signature.empty
            annotations = [parameter.annotation for parameter in signature.parameters.values()]
            assert inspect.Parameter.empty not in annotations


@every_rule
def test_hazard_and_twin_give_equal_results(folder: Path) -> None:
    hazard, twin = _load(folder / "hazard.py"), _load(folder / "sync_free.py")
    for seed in range(2):
        for name in cases(folder / "hazard.py"):
            expected = getattr(hazard, name)(*_arguments(hazard, name, seed))
            _assert_same(getattr(twin, name)(*_arguments(hazard, name, seed)), expected)
