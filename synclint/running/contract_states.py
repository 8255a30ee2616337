"""The contracts of a run: which there are, whether they hold, and what that means for the reports of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.files import ConfigurationError
from synclint.config.options import Options
from synclint.contracts.accepted import Acceptance, accepted_by_place, in_words
from synclint.contracts.declared import Contract, ContractNameError, check_names, contracts_in, file_of
from synclint.contracts.marks import may_hold_contracts
from synclint.contracts.reached import Calls
from synclint.contracts.region_names import RegionNameError, check_regions
from synclint.contracts.states import ContractState, state_of
from synclint.files.real_paths import real_path
from synclint.findings import CallPlace, Span
from synclint.running.contracts import BrokenContract, FileContracts

if TYPE_CHECKING:
    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.facts import Region
    from synclint.running.shortfalls import Shortfall
    from synclint.running.survey import CodeFile


def verify_names(options: Options) -> None:
    """Raise ConfigurationError for a name that means nothing under ``sync-free`` or ``allowed-regions``."""
    try:
        check_names(options.sync_free)
        check_regions(options.allowed_regions)
    except (ContractNameError, RegionNameError) as error:
        raise ConfigurationError((str(error),)) from None


@dataclass(frozen=True)
class Contracts:
    """The contracts of all files together; nothing is looked for until somebody asks."""

    files: Sequence[CodeFile]
    graph: CallGraph
    shortfalls: Mapping[Path, Shortfall]
    options: Options

    @cached_property
    def states(self) -> tuple[ContractState, ...]:
        """What is known of each contract, in the order of files and lines."""
        from synclint.analysis.calls.opaque_calls import decorators_in_between

        cut_short = {str(real_path(path)): shortfall.message for path, shortfall in self.shortfalls.items()}
        return tuple(
            state_of(
                contract,
                self._calls,
                self.options.min_confidence,
                cut_short,
                decorators_in_between(contract.decorators),
            )
            for contract in self._declared
        )

    def of(self, file: CodeFile) -> FileContracts:
        """What they say of one file."""
        path = str(file.real_path)
        words = {
            place: in_words(region, CallPlace("", self._path_of(region.path), region.span.start.line))
            for place, region in self._accepted.get(path, {}).items()
        }
        return FileContracts(tuple(self._broken.get(path, ())), words, tuple(self._useless.get(path, ())))

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.graph.observed, self.graph.waits)

    @cached_property
    def _acceptance(self) -> Acceptance:
        return Acceptance(self.graph.observed, self._calls)

    @cached_property
    def _accepted(self) -> Mapping[str, Mapping[tuple[Span, str], Region]]:
        return accepted_by_place(self._acceptance, self.graph.waits)

    @cached_property
    def _useless(self) -> Mapping[str, list[Region]]:
        return self._acceptance.useless(self.graph.waits)

    @cached_property
    def _broken(self) -> Mapping[str, list[BrokenContract]]:
        by_wait: dict[tuple[str, Span, str], list[BrokenContract]] = {}
        for state in self.states:
            for one in state.breaks:
                by_wait.setdefault((one.path, one.span, one.construct), []).append(BrokenContract(state.contract, one))
        found: dict[str, list[BrokenContract]] = {}
        for (path, _, _), broken in by_wait.items():
            nearest = min(broken, key=lambda one: len(one.broken_by.chain))
            found.setdefault(path, []).append(replace(nearest, others=len(broken) - 1))
        return found

    @cached_property
    def _declared(self) -> tuple[Contract, ...]:
        named: dict[Path, list[str]] = {}
        for name in self.options.sync_free:
            path = file_of(name)
            if path is not None:
                named.setdefault(real_path(path), []).append(name.function)
        found = [
            contract
            for file in self.files
            if file.real_path in named or may_hold_contracts(file.kept.utf8)
            for contract in contracts_in(file.path, file.real_path, file.source, named.get(file.real_path, ()))
        ]
        return tuple(sorted(found, key=lambda contract: (str(contract.path), contract.line)))

    def _path_of(self, real: str) -> str:
        return self._paths.get(real, real)

    @cached_property
    def _paths(self) -> Mapping[str, str]:
        return {str(file.real_path): str(file.path) for file in self.files}
