# case: module-under-another-name
import torch as t


def positions(mask: t.Tensor) -> t.Tensor:
    return t.nonzero(mask)  # sync: SYN101


# case: function-imported-under-another-name
from torch import Tensor
from torch import nonzero as nz


def positions(mask: Tensor) -> Tensor:
    return nz(mask)  # sync: SYN101


# case: functional-module-under-another-name
import torch.nn.functional as F
from torch import Tensor


def encode(labels: Tensor) -> Tensor:
    return F.one_hot(labels)  # sync: SYN106


# case: functional-module-imported-from-its-package
from torch import Tensor
from torch.nn import functional as fn


def encode(labels: Tensor) -> Tensor:
    return fn.one_hot(labels)  # sync: SYN106


# case: submodule-by-its-full-name
import torch
import torch.linalg


def invert(matrix: torch.Tensor) -> torch.Tensor:
    return torch.linalg.inv(matrix)  # sync: SYN505


# case: submodule-under-another-name
import torch.linalg as LA
from torch import Tensor


def invert(matrix: Tensor) -> Tensor:
    return LA.inv(matrix)  # sync: SYN505


# case: alias-by-assignment-at-module-level
import torch

find = torch.nonzero


def positions(mask: torch.Tensor) -> torch.Tensor:
    return find(mask)  # sync: SYN101


# case: alias-by-assignment-in-a-function
import torch


def positions(mask: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    where = torch.where
    (rows,) = where(mask)  # sync: SYN101
    return rows.sum() + where(mask, x, 0.0).sum()


# case: bound-method-kept-in-a-variable
from torch import Tensor


def read(loss: Tensor) -> float:
    get = loss.item
    return get()  # sync: SYN201


# case: method-called-through-its-class
import torch


def read(loss: torch.Tensor) -> float:
    return torch.Tensor.item(loss)  # sync: SYN201


# case: import-inside-the-function
def positions(mask):
    import torch

    return torch.nonzero(mask)  # sync: SYN101


# case: import-that-may-fail
try:
    import torch
except ImportError:
    torch = None


def labels_present(labels):
    return torch.unique(labels)  # sync: SYN102


# case: tensor-class-under-another-name
from torch import Tensor as T


def positive(total: T) -> bool:
    if total > 0:  # sync: SYN301
        return True
    return False


# case: function-of-the-file-shadows-the-import
from torch import Tensor, unique


def unique(names: list[str]) -> list[str]:
    return sorted(set(names))


def vocabulary(names: list[str]) -> list[str]:
    return unique(names)


# case: local-name-shadows-the-module
def positions(torch: dict[str, int]) -> int:
    return torch.get("nonzero", 0)


# case: same-function-name-in-numpy
from numpy import nonzero, unique


def labels_present(labels) -> int:
    return len(unique(labels)) + len(nonzero(labels)[0])


# case: same-function-name-in-jax
import jax.numpy as jnp


def labels_present(labels):
    return jnp.unique(labels[jnp.nonzero(labels)])


# case: partial-application
from functools import partial

import torch

count_unique = partial(torch.unique, return_counts=True)


def counts(labels: torch.Tensor) -> torch.Tensor:
    _, numbers = count_unique(labels)  # sync: SYN102
    return numbers


# case: name-chosen-by-a-condition
import torch


def distinct(labels: torch.Tensor, ordered: bool) -> torch.Tensor:
    find = torch.unique_consecutive if ordered else torch.unique
    return find(labels)  # sync: SYN102


# case: module-imported-by-a-call
import importlib

torch = importlib.import_module("torch")
np = importlib.import_module("numpy")


def positions(x):
    host = np.arange(3)
    if np.isnan(host).any():
        host[0] = 1
    return torch.nonzero(torch.ones(3, device=x.device))  # sync: SYN101


# case: module-imported-by-the-built-in-function
np = __import__("numpy")
alg = __import__("torch.linalg")


def invert(x: "alg.Tensor"):
    host = np.isnan(np.arange(3))
    if host.any():
        return x
    return alg.linalg.inv(x)  # sync: SYN505


# case: module-that-a-test-skips-without
import pytest

torch = pytest.importorskip("torch", minversion="2.0")


def positions(x):
    return torch.nonzero(torch.ones(3, device=x.device))  # sync: SYN101


# case: module-handed-on-by-a-function-that-imports-it
from pkg.lazy import optional

np, has_numpy = optional("numpy")
torch, has_torch = optional("torch")


def positions(x):
    if np.isnan(np.arange(3)).any():
        return None
    return torch.nonzero(torch.ones(3, device=x.device))  # sync: SYN101


# file: pkg/__init__.py
# file: pkg/lazy.py
from importlib import import_module


def optional(name):
    try:
        module = import_module(name)
    except ImportError:
        return None, False
    return module, True


# case: module-of-the-project-imported-by-a-call
import importlib

helpers = importlib.import_module("pkg.helpers")


def check(x):
    return 1 if helpers.total(x) > 0 else 0  # sync: SYN301


# file: pkg/__init__.py
# file: pkg/helpers.py
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum()


# case: module-one-of-several-of-arrays
import numpy as np
import torch

try:
    import cupy as cp
except ImportError:
    cp = None


def largest(x: torch.Tensor, labels):
    lib = np
    if cp is not None and x.is_cuda:
        lib = from_somewhere("cupy")
    counts = lib.bincount(labels)
    counts[0] = 0
    return 1 if counts.max() > 3 else 0


# case: torch-from-a-star-of-a-module-that-is-not-at-hand
from elsewhere import *


def check(x):
    found = torch.isinf(x).any()
    return bool(found.item())  # sync: SYN201


# case: names-that-a-script-binds-after-a-branching
# file: helpers.py
import torch


class Model:
    def describe(self, x: torch.Tensor) -> float:
        return x.mean().item()  # once: SYN201


# file: case.py
import sys

try:
    import tensorboard
except ImportError:
    tensorboard = None
import torch
from helpers import Model


def main(arguments):
    model = Model()
    print(arguments, model.describe(torch.ones(size, device="cuda")))


if __name__ == "__main__":
    size = 4
    main(sys.argv[1:])


# case: a-global-that-a-function-sets-is-not-none-for-ever
import torch
from torch import Tensor

from elsewhere import made

_CONNECTOR = None
_NEVER = None


class Connector:
    def save_caches(self, rows: Tensor) -> None:
        print(rows.detach().cpu())  # sync: SYN204


def connector() -> Connector:
    assert _CONNECTOR is not None, "set up first"
    return _CONNECTOR


def set_up(name: str) -> None:
    global _CONNECTOR
    _CONNECTOR = made(name)


def shut_down() -> None:
    global _CONNECTOR, _NEVER
    _CONNECTOR = None
    _NEVER = None


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor]) -> None:
    for batch in batches:
        loss = model(batch).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        reveal(connector())  # revealed: Connector()
        reveal(_NEVER)  # revealed: None
        connector().save_caches(loss)
