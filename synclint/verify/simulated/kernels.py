"""Reading ``catalog/kernels.toml``: the kernels whose waits the simulated device has to be told of."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from synclint.catalog.entries import MECHANISMS
from synclint.catalog.tables import CATALOG

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KERNELS = CATALOG / "kernels.toml"

# A predicate and the names of the operator's arguments that it reads.
Clause = tuple[str, list[str]]


@dataclass(frozen=True)
class Kernel:
    """An operator whose CUDA kernel waits when all clauses of one of ``alternatives`` hold, or always."""

    operator: str
    mechanism: str
    alternatives: tuple[tuple[Clause, ...], ...]


def _clause(text: str) -> Clause:
    predicate, *arguments = text.split()
    return predicate, arguments


def load_kernels(path: Path = KERNELS) -> tuple[Kernel, ...]:
    """Read the file; ValueError names the operators of an entry that is not well formed."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    kernels: list[Kernel] = []
    for table in document["kernel"]:
        operators = table["operators"]
        if table["mechanism"] not in MECHANISMS:
            raise ValueError(f"{path.name}, {', '.join(operators)}: unknown mechanism {table['mechanism']!r}")
        if not table.get("because"):
            raise ValueError(f"{path.name}, {', '.join(operators)}: 'because' must say what the kernel reads")
        alternatives = tuple(tuple(map(_clause, clauses)) for clauses in table.get("when", ()))
        kernels += [Kernel(operator, table["mechanism"], alternatives) for operator in operators]
    return tuple(kernels)
