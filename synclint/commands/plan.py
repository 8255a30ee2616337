"""What a run of ``synclint check`` is asked to do: read from its arguments, and verified, before it begins."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synclint.commands.adoption import ALL_LINES, DEFAULT_BASELINE, Adoption, read_adoption
from synclint.commands.fixing import Fixing, read_fixing
from synclint.commands.output import complain
from synclint.commands.reports import PROSE, OutputFile, check_statistics, format_for_single_files, formats_by_name
from synclint.commands.settings import configurations
from synclint.commands.standard_input import STDIN
from synclint.config.configurations import DEFAULT, Configurations
from synclint.config.options import Options
from synclint.report.formats import LineFormat
from synclint.version import __version__

if TYPE_CHECKING:
    from synclint.trace.report import TraceReport


@dataclass(frozen=True)
class Plan:
    """What is looked at, under which settings, what is done with what is found, and where it is reported.

    Each file follows the nearest configuration, the run as a whole its options, ``run``. ``standard_input`` is the name
    that standard input is given where that is looked at, instead of ``paths``. ``measured`` is what a traced run cost.
    """

    paths: tuple[Path, ...]
    standard_input: Path | None
    configured: Configurations
    run: Options
    adoption: Adoption
    fixing: Fixing
    measured: TraceReport | None
    only_measured: bool
    output_files: tuple[OutputFile, ...]
    statistics: bool
    remembers: bool
    quiet: bool

    @property
    def is_adopting(self) -> bool:
        """Whether there is anything to do with the findings but to fix and to report them."""
        return self.adoption.is_asked_for(self.run)

    @property
    def format_for_single_files(self) -> LineFormat | None:
        """The format in which each file is reported as soon as it has been checked; None if all have to be known."""
        if self.measured is not None or self.is_adopting or self.fixing.is_asked_for:
            return None
        run = self.run
        return format_for_single_files(run.output_format, run.sort, self.output_files, statistics=self.statistics)

    @property
    def is_read_by_people(self) -> bool:
        """Whether the findings are printed in prose."""
        in_files = any(file.format is None for file in self.output_files)
        return self.run.output_format in PROSE and not self.statistics and not in_files


def reads_standard_input(paths: Sequence[Path], name: Path | None) -> bool:
    """Whether standard input is looked at; ``name`` is the one it is given. Raises UsageError."""
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other paths")
    if name is not None and paths not in ((), (STDIN,)):
        raise click.UsageError("--stdin-filename is the name of standard input; give `-` as the path")
    return STDIN in paths or name is not None


def _evidence(path: Path | None, only_measured: bool, *, stdin: bool) -> TraceReport | None:
    """What was measured in the run that ``--evidence`` names."""
    if path is None:
        if only_measured:
            raise click.UsageError("--only-measured needs --evidence FILE")
        return None
    if stdin:
        raise click.UsageError("--evidence is about files; it cannot be used with standard input")
    from synclint.commands.evidence import read_evidence

    return read_evidence(path)


def make_plan(
    given: dict[str, object],
    *,
    paths: tuple[Path, ...],
    standard_input: Path | None,
    config: Sequence[str],
    isolated: bool,
    output_files: Sequence[OutputFile],
    evidence: Path | None,
    only_measured: bool,
    statistics: bool,
    remembers: bool,
    quiet: bool,
) -> Plan:
    """Read the arguments of a run; ``given`` are those that other modules have added, and the settings.

    Raises UsageError for what cannot be done together, and ConfigurationError.
    """
    stdin = standard_input is not None
    adoption = read_adoption(given)
    measured = _evidence(evidence, only_measured, stdin=stdin)
    fixing = read_fixing(given)
    configured = configurations(given, config, isolated)
    run = configured.of(Path.cwd()).options
    adoption.verify(run, stdin=stdin)
    if adoption.write_baseline and run.baseline is None:
        run = replace(run, baseline=Path(DEFAULT_BASELINE).absolute())
        if not quiet:
            complain("note", f"later runs read {DEFAULT_BASELINE} if `baseline` is set to it, or with --baseline")
    _verify_fixing(fixing, adoption, statistics=statistics)
    output_files = formats_by_name(output_files, run.output_format)
    if not (stdin or adoption.writes or fixing.is_asked_for):
        adoption = _in_pull_request(adoption, quiet=quiet)
    if statistics:
        check_statistics(run.output_format, output_files)
    return Plan(
        paths=() if stdin else paths or (Path(),),
        standard_input=standard_input,
        configured=configured,
        run=run,
        adoption=adoption,
        fixing=fixing,
        measured=measured,
        only_measured=only_measured,
        output_files=output_files,
        statistics=statistics,
        remembers=remembers,
        quiet=quiet,
    )


def _verify_fixing(fixing: Fixing, adoption: Adoption, *, statistics: bool) -> None:
    """Raise UsageError for what cannot be done together."""
    flag = "--diff" if fixing.diff else "--fix"
    if fixing.fix and fixing.diff:
        raise click.UsageError("--diff shows what --fix would write; use only one of them")
    if fixing.shows and not fixing.is_asked_for:
        raise click.UsageError("--show-fixes lists what --fix fixes, or --diff would; give one of them")
    if not fixing.is_asked_for:
        return
    if adoption.writes:
        raise click.UsageError(f"{flag} and {adoption.writes} cannot be used together")
    if statistics and fixing.diff:
        raise click.UsageError("--diff shows changes, --statistics counts findings; use only one of them")


def _in_pull_request(adoption: Adoption, *, quiet: bool) -> Adoption:
    """What a run asks for, with what a pull request is compared with where this is one and nothing else is named."""
    if adoption.diff_base is not None:
        return replace(adoption, diff_base=None) if adoption.diff_base == ALL_LINES else adoption
    from synclint.adoption.pull_requests import known_revision, revisions_before

    revisions = revisions_before(os.environ)
    if not revisions:
        return adoption
    known = known_revision(revisions, Path.cwd())
    if known is not None:
        said = f"pull request: only what is new since {known} is reported; --diff-base none reports all"
    else:
        named = " nor ".join(revisions)
        said = f"pull request: all is reported, since git does not know {named}; a deeper clone has it (fetch-depth: 0)"
    if not quiet:
        complain("note", said)
    return replace(adoption, diff_base=known, only_worse=known is not None)


def premises(plan: Plan) -> Iterator[str]:
    """What a run rests on besides the files that it checks, a sentence each."""
    from synclint.memo.folders import default_folder

    configuration = plan.configured.of(Path.cwd())
    yield f"synclint {__version__} on Python {platform.python_version()}, from {Path(__file__).parent.parent}"
    sources = {origin for origins in configuration.origins.values() for origin in origins} - {DEFAULT}
    yield f"settings from {', '.join(sorted(sources)) or 'nothing but defaults'}; `synclint config` shows each"
    version = configuration.options.torch_version
    yield f"PyTorch {version} is assumed" if version else "the newest PyTorch that is known is assumed"
    folder = configuration.options.cache_dir or default_folder()
    yield f"results are kept in {folder}" if plan.remembers and folder else "no results are kept"
