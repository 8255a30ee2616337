"""What contracts and regions say of one file, and whether a run has to ask for that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synclint.config.options import Options
from synclint.contracts.marks import may_hold_contracts
from synclint.findings import Span

if TYPE_CHECKING:
    from synclint.analysis.results.facts import Region
    from synclint.contracts.declared import Contract
    from synclint.contracts.states import Break
    from synclint.running.survey import CodeFile


def asks_for_contracts(files: Iterable[CodeFile], options: Options) -> bool:
    """Whether a run has to follow contracts: for most, nothing in the configuration or in any file speaks of them."""
    return bool(options.sync_free or options.allowed_regions) or any(
        may_hold_contracts(file.kept.utf8) for file in files
    )


@dataclass(frozen=True)
class BrokenContract:
    """A wait in a file that breaks a contract, and so many ``others``: of those, it is the nearest to the wait."""

    contract: Contract
    broken_by: Break
    others: int = 0


@dataclass(frozen=True)
class FileContracts:
    """What contracts and regions say of one file.

    ``accepted`` says by which region a wait is accepted, by its span and construct; ``useless`` are the regions in
    which none is.
    """

    broken: tuple[BrokenContract, ...] = ()
    accepted: Mapping[tuple[Span, str], str] = field(default_factory=dict)
    useless: tuple[Region, ...] = ()


NO_CONTRACTS = FileContracts()
