"""Takes the linter up where there are findings already: baseline, changed lines, comments for what stays."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from synclint.adoption.baseline import (
    Baseline,
    BaselineError,
    baseline_text,
    compare,
    entries_of,
    joined,
    read_baseline,
    without,
)
from synclint.adoption.comparable import could_find
from synclint.adoption.diff_base import ChangedLines, DiffBaseError, changed_lines
from synclint.adoption.edits import EditError, edit_file
from synclint.adoption.new_suppressions import NOT_SUPPRESSED, with_suppressions
from synclint.commands.adoption import Adoption
from synclint.commands.new_waits import only_worse
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.files.atomic_files import replace_file
from synclint.files.real_paths import real_path
from synclint.findings import Finding
from synclint.report.results import CheckedFile
from synclint.results.file_reports import FileReport
from synclint.rules.own import INTERNAL_ERROR, NOT_CHECKED, UNUSED_SUPPRESSION

_MOST_SHOWN = 5


@dataclass
class Outcome:
    """What is left to report, and what to say of the rest, a sentence each."""

    reports: list[FileReport]
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def adopt(
    reports: Sequence[FileReport],
    paths: Sequence[Path],
    adoption: Adoption,
    run: Options,
    configured: Configurations,
) -> Outcome:
    """Do what was asked for with the findings of a run over ``paths``, which are empty for standard input.

    Raises ClickException for a baseline or a revision that cannot be used, and for a baseline that cannot be
    written; a source that cannot is one of the outcome's problems.
    """
    outcome = Outcome(list(reports))
    try:
        _adopt(outcome, paths, adoption, run, configured)
    except (BaselineError, DiffBaseError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {(error.strerror or str(error)).lower()}") from None
    return outcome


def _adopt(
    outcome: Outcome, paths: Sequence[Path], adoption: Adoption, run: Options, configured: Configurations
) -> None:
    if run.baseline:
        _follow_baseline(outcome, run.baseline, paths, adoption, configured)
    if adoption.diff_base is not None:
        found = {real_path(report.path) for report in outcome.reports if report.findings}
        changed = changed_lines(adoption.diff_base, Path.cwd(), found)
        outcome.reports = [_only_changed(report, changed) for report in outcome.reports]
        if adoption.only_worse:
            olds = {report.path: changed.olds.get(real_path(report.path)) for report in outcome.reports}
            outcome.reports = [
                only_worse(report, old, configured.of_file(real_path(report.path)))
                if (old := olds[report.path]) is not None
                else report
                for report in outcome.reports
            ]
    if adoption.add_ignore:
        _add_comments(outcome, adoption.reason)
    if adoption.prune_ignores:
        _prune_comments(outcome)


def _follow_baseline(
    outcome: Outcome, path: Path, paths: Sequence[Path], adoption: Adoption, configured: Configurations
) -> None:
    shown = os.path.relpath(path)
    if adoption.write_baseline:
        old = _present(path)
        findable = could_find(outcome.reports, old, configured)
        found = {entry.key: entry for entry in entries_of(outcome.reports, old)}
        # A run over part of the project, or of a file, says nothing about the rest of it.
        kept = {entry.key: entry for entry in old.entries if not findable(entry)}
        most = {key: max(found.get(key, entry), entry, key=lambda entry: entry.count) for key, entry in kept.items()}
        covered = {*old.paths, *map(old.path_of, paths)}
        replace_file(path, baseline_text({**found, **most}.values(), covered))
        outcome.notes.append(f"wrote {_number(sum(entry.count for entry in found.values()), 'finding')} to {shown}")
        outcome.reports = [_filtered(report, lambda f: f.code in NOT_CHECKED) for report in outcome.reports]
        return
    baseline = read_baseline(path)
    compared = compare(outcome.reports, baseline, could_find(outcome.reports, baseline, configured))
    outcome.reports = list(compared.reports)
    if compared.known:
        outcome.notes.append(f"{_number(compared.known, 'finding')} listed in {shown} not shown")
    # Who calls what is only known from all of a project: in a part of it, what is not found need not be gone.
    is_whole = adoption.diff_base is None and baseline.is_covered_by(paths)
    gone = sum(entry.count for entry in compared.stale) if is_whole else 0
    if adoption.prune_baseline and not is_whole:
        part = f"this run covers only part of what {shown} was written for"
        outcome.warnings.append(f"--prune-baseline does nothing here: {part}")
    elif adoption.prune_baseline and (gone or compared.moved):
        left = without(baseline, (*compared.stale, *compared.left_behind))
        replace_file(path, baseline_text(joined((*left, *compared.moved)), baseline.paths))
        outcome.notes.append(f"removed {_number(gone, 'finding')} from {shown}")
    elif gone:
        examples = "; ".join(
            f"{entry.rule} in {entry.path}: {entry.statement}" for entry in compared.stale[:_MOST_SHOWN]
        )
        listed = f"{shown} lists {_number(gone, 'finding')} that can no longer be found"
        outcome.warnings.append(f"{listed}; --prune-baseline removes them: {examples}")


def _present(path: Path) -> Baseline:
    """The baseline that is to be replaced; empty where there is none that can be read."""
    try:
        return read_baseline(path)
    except BaselineError:
        return Baseline(real_path(path.parent))


def _only_changed(report: FileReport, changed: ChangedLines) -> FileReport:
    return replace(
        report,
        findings=_changed(report, report.findings, changed),
        unshown=_changed(report, report.unshown, changed),
        unsure=_changed(report, report.unsure, changed),
    )


def _changed(report: FileReport, findings: tuple[Finding, ...], changed: ChangedLines) -> tuple[Finding, ...]:
    if not findings:
        return findings
    path, checked = real_path(report.path), CheckedFile(replace(report, findings=findings), "")
    # What was not checked of a file may be what has changed in it.
    touched = {id(f) for f in findings if f.code in NOT_CHECKED and path in changed.files}
    touched |= {id(f) for f in findings if f.code == INTERNAL_ERROR.code}
    for finding, placed in zip(findings, checked.findings, strict=True):
        first = checked.file_line(placed)
        end = replace(placed, span=placed.span._replace(start=placed.span.end))
        if changed.touch(path, first, max(first, checked.file_line(end))):
            touched.add(id(finding))
    return tuple(finding for finding in findings if id(finding) in touched)


def _add_comments(outcome: Outcome, reason: str) -> None:
    added = files = 0
    for index, report in enumerate(outcome.reports):
        written = with_suppressions(report.findings, report.source, reason) if report.findings else []
        if written and _edit(outcome, report, written):
            left = _filtered(report, lambda finding: finding.code in NOT_SUPPRESSED)
            added, files = added + len(report.findings) - len(left.findings), files + 1
            outcome.reports[index] = left
    outcome.notes.append(f"suppressed {_number(added, 'finding')} in {_number(files, 'file')}")


def _prune_comments(outcome: Outcome) -> None:
    removed = files = 0
    for index, report in enumerate(outcome.reports):
        useless = list(filter(_is_useless_comment, report.findings))
        if useless and _edit(outcome, report, useless):
            removed, files = removed + len(useless), files + 1
            outcome.reports[index] = _filtered(report, lambda finding: not _is_useless_comment(finding))
    outcome.notes.append(f"removed {_number(removed, 'unused suppression')} from {_number(files, 'file')}")


def _is_useless_comment(finding: Finding) -> bool:
    return finding.code == UNUSED_SUPPRESSION.code and finding.fix is not None


def _edit(outcome: Outcome, report: FileReport, findings: Sequence[Finding]) -> bool:
    try:
        edit_file(report, findings)
    except EditError as error:
        outcome.problems.append(f"{report.path}: {error}")
    except OSError as error:
        outcome.problems.append(f"{report.path}: {(error.strerror or str(error)).lower()}")
    else:
        return True
    return False


def _filtered(report: FileReport, keep: Callable[[Finding], bool]) -> FileReport:
    return replace(report, findings=tuple(filter(keep, report.findings)))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
