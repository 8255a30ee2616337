"""``synclint contracts``: the functions that are declared sync-free, and whether that is proved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synclint.commands.option_groups import GroupedCommand
from synclint.commands.output import color_option, complain, palette, write
from synclint.commands.settings import configurations, reporting_problems, setting_options
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.findings import CallPlace, Span
from synclint.report.terminal import Palette, escape
from synclint.results.full_paths import full_path
from synclint.rules.own import BROKEN_CONTRACT

if TYPE_CHECKING:
    from synclint.contracts.grouped import BreaksByChoice
    from synclint.contracts.reached import Choice
    from synclint.contracts.states import Break, ContractState, Doubt
    from synclint.results.file_reports import FileReport

# Of one contract so many reasons are listed; JSON has all of them.
_MOST_LISTED = 10

_EXAMPLES = """\
\b
Examples:
  synclint contracts                      the contracts of this project
  synclint contracts --strict src/        fail unless all of them are proved
  synclint contracts --format json src/   for programs

\b
Exit status: 0 no contract is broken (with --strict: all of them hold), 1 some
are, 2 incorrect use, a name that means no function, or an unreadable file.
"""


@click.command("contracts", cls=GroupedCommand, epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@setting_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--strict", is_flag=True, help="Exit with status 1 also for contracts that are not proved.")
@color_option
@click.pass_context
def contracts(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    config: tuple[str, ...],
    isolated: bool,
    form: str,
    strict: bool,
    **given: object,
) -> None:
    """List the functions in PATHS that are declared sync-free: each holds, is broken, or is unknown.

    A contract holds if everything that is reached from its function is known not to wait. Functions are declared by
    `sync-free` in the configuration, a comment `# synclint: sync-free`, or the decorator `synclint.sync_free`.
    """
    from synclint.contracts.states import Status

    with reporting_problems(context):
        states, problems = _states(paths or (Path(),), configurations(given, config, isolated))
    if form == "json":
        click.echo(json.dumps([_as_object(state, code) for state, code in states], indent=2))
    else:
        write(_lines(states, palette()))
    for problem in problems:
        complain("error", problem)
    if problems:
        context.exit(2)
    failing = {Status.BROKEN, Status.UNKNOWN} if strict else {Status.BROKEN}
    context.exit(int(any(state.status in failing for state, _ in states)))


# What is known of a contract, and the codes of the rules by the constructs that they are about.
_Told = tuple["ContractState", Mapping[str, str]]


def _states(paths: Sequence[Path], configured: Configurations) -> tuple[list[_Told], list[str]]:
    """What is known of each contract below ``paths``, and what could not be checked. Raises ConfigurationError."""
    from synclint.rules.loading import load_rules
    from synclint.rules.matching import rules_by_construct
    from synclint.running.contract_states import verify_names
    from synclint.running.discovery import discover
    from synclint.running.runner import check_files

    found = discover(paths, lambda folder: configured.of(folder).options.files)
    for warning in (*configured.warnings, *found.warnings):
        complain("warning", warning)
    alike: dict[Options, list[Path]] = {}
    for path, real in found.files.items():
        alike.setdefault(configured.of_file(real), []).append(path)
    states: list[_Told] = []
    problems = list(found.problems)
    for options, files in alike.items():
        verify_names(options)
        checked = check_files(files, paths, options, options.jobs)
        reports = [*checked.reports]
        problems += [report.problem for report in reports if report.problem]
        codes = {name: rule.code for name, rule in rules_by_construct(load_rules(), options.catalog).items()}
        if checked.contracts is not None:
            accepted = frozenset(_accepted_by_comments(reports))
            states += [(state.without(accepted), codes) for state in checked.contracts.states]
    return sorted(states, key=lambda told: (str(told[0].contract.path), told[0].contract.line)), problems


def _accepted_by_comments(reports: Iterable[FileReport]) -> Iterator[tuple[str, Span]]:
    """The places, by the paths of their files, where a comment leaves out that a contract is broken."""
    for report in reports:
        path = str(real_path(report.path))
        yield from ((path, one.span) for one in report.suppressed if one.code == BROKEN_CONTRACT.code)


def _lines(states: Sequence[_Told], colors: Palette) -> Iterator[str]:
    from synclint.contracts.grouped import by_choice, by_reason, whatever_is_meant

    if not states:
        yield "No function is declared sync-free here."
        return
    for state, codes in states:
        contract = state.contract
        place = escape(f"{contract.path}:{contract.line}")
        yield f"{colors.strong(place)}  {escape(contract.function)}: {_verdict(state)}"
        yield from _listed([_break_in_words(one, codes) for one in whatever_is_meant(state.breaks)])
        yield from _listed([_choice_in_words(group, codes) for group in by_choice(state.breaks)])
        yield from _listed([_doubts_in_words(group) for group in by_reason(state.doubts)])
    counted = {status: sum(state.status.value == status for state, _ in states) for status in _WORDS}
    counts = ", ".join(f"{count} {_holding(count) if word == 'holds' else word}" for word, count in counted.items())
    yield f"{_number(len(states), 'contract')}: {counts}"


_WORDS = ("holds", "broken", "unknown")


def _holding(count: int) -> str:
    return "holds" if count == 1 else "hold"


def _verdict(state: ContractState) -> str:
    if state.breaks:
        return f"broken by {_number(len(state.breaks), 'wait')}"
    if state.doubts:
        return f"unknown because of {_number(len(state.doubts), 'place')}"
    return "holds"


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"    {line}" for line in lines[:_MOST_LISTED])
    if len(lines) > _MOST_LISTED:
        yield f"    and {len(lines) - _MOST_LISTED} more (--format json lists all)"


def _break_in_words(one: Break, codes: Mapping[str, str]) -> str:
    place = f"{_shown(one.path)}:{one.span.start.line}:{one.span.start.column}"
    code = codes.get(one.construct, one.construct)
    return f"{escape(place)}  {code} `{escape(one.subject)}` waits{_way(one.chain)}"


def _choice_in_words(group: BreaksByChoice, codes: Mapping[str, str]) -> str:
    """The waits that are reached only if a call means one of several functions: their number, and the nearest one."""
    waits = f"{_number(len(group.breaks), 'wait')} in {_number(group.files, 'file')}"
    call = f"{escape(_place(group.choice.place))}  `{escape(group.choice.name)}` may be one of several functions"
    return f"{call}: {waits}, the first {_break_in_words(group.breaks[0], codes)}"


def _doubts_in_words(group: Sequence[Doubt]) -> str:
    """What is in doubt for one reason: the nearest place, and how many others there are."""
    first = group[0]
    others = f", and at {_number(len(group) - 1, 'other place')}" if len(group) > 1 else ""
    return f"{escape(_place(first.place))}  {escape(first.reason)}{_way(first.chain)}{others}"


def _way(chain: Sequence[CallPlace]) -> str:
    if not chain:
        return ""
    return f" (by {escape(' → '.join(f'{_place(call)}' for call in chain))})"


def _place(call: CallPlace) -> str:
    return f"{_shown(call.path)}:{call.line}"


def _shown(path: str) -> str:
    """A path as a reader here would write it."""
    here = Path(path)
    folder = Path.cwd()
    return str(here.relative_to(folder)) if here.is_absolute() and here.is_relative_to(folder) else path


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _as_object(state: ContractState, codes: Mapping[str, str]) -> dict[str, Any]:
    contract, folder = state.contract, Path.cwd()
    return {
        "function": contract.function,
        "filename": full_path(str(contract.path), folder),
        "row": contract.line,
        "declared_by": contract.declared_by.value,
        "status": state.status.value,
        "broken_by": [
            {
                "code": codes.get(one.construct, one.construct),
                "operand": one.subject,
                "filename": full_path(one.path, folder),
                "row": one.span.start.line,
                "column": one.span.start.column,
                "path": _calls(one.chain, folder),
                "only_if": _only_if(one.choice, folder),
            }
            for one in state.breaks
        ],
        "unknown_because_of": [
            {
                "reason": one.reason,
                "call": one.call or None,
                "filename": full_path(one.place.path, folder),
                "row": one.place.line,
                "path": _calls(one.chain, folder),
                "only_if": _only_if(one.choice, folder),
            }
            for one in state.doubts
        ],
    }


def _only_if(choice: Choice | None, folder: Path) -> dict[str, Any] | None:
    """The call that has to mean one of several functions for something to be reached."""
    if choice is None:
        return None
    return {"means": choice.name, "filename": full_path(choice.place.path, folder), "row": choice.place.line}


def _calls(chain: Sequence[CallPlace], folder: Path) -> list[dict[str, Any]]:
    return [
        {"function": call.function or None, "filename": full_path(call.path, folder), "row": call.line}
        for call in chain
    ]
