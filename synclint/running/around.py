"""One file with all that is known around it, and what each of its expressions stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.running.contracts import asks_for_contracts
from synclint.running.limits import MOST_ANALYSED_FOR_FEW, TooMuchHasChangedError
from synclint.running.recorded import records_for
from synclint.running.reporting import Reporting, reporting_on
from synclint.running.share_analysis import analyse_share
from synclint.running.share_memo import ShareMemo
from synclint.running.share_results import ShareResult
from synclint.running.shares import shares_of, size_of
from synclint.running.survey import CodeFile, SurveyedFiles, folders_of, survey, survey_text


@dataclass(frozen=True)
class Around:
    """A file, and what reports are made of: with the expressions of this file, and with evidence."""

    file: CodeFile
    reporting: Reporting


def by_itself(path: Path, source: str, options: Options) -> Around:
    """A file of which nobody knows who calls it."""
    folders = folders_of([path])
    surveyed = survey_text(path, source, folders)
    (file,) = surveyed.files
    return _around(file, surveyed, surveyed.files, [], folders, options, is_whole=False)


def in_project(path: Path, files: Sequence[Path], roots: Sequence[Path], options: Options, memo: ShareMemo) -> Around:
    """A file as it is seen in a run over all ``files`` of a project, of which most is remembered.

    Raises TooMuchHasChangedError where it is not.
    """
    folders, real = folders_of(roots), real_path(path)
    surveyed = survey(files, folders)
    divided = shares_of(surveyed)
    file, mine = next((file, share) for share in divided for file in share if file.real_path == real)
    paths = {str(file.real_path): file.path for file in surveyed.files}
    memo.records = records_for(contracts=asks_for_contracts(surveyed.files, options))
    others = {share: memo.find(share, paths) for share in divided if share is not mine}
    unknown = [share for share, result in others.items() if result is None]
    if sum(size_of(file) for share in (mine, *unknown) for file in share) > MOST_ANALYSED_FOR_FEW:
        raise TooMuchHasChangedError
    results = [
        result or analyse_share(share, _uncounted, folders, options, records=memo.records)
        for share, result in others.items()
    ]
    return _around(file, surveyed, mine, results, folders, options, is_whole=all(root.is_dir() for root in roots))


def _around(
    file: CodeFile,
    surveyed: SurveyedFiles,
    share: Sequence[CodeFile],
    others: Sequence[ShareResult],
    folders: Sequence[Path],
    options: Options,
    *,
    is_whole: bool,
) -> Around:
    contracts = asks_for_contracts(surveyed.files, options)
    records = records_for(with_evidence=True, paths=frozenset({file.real_path}), contracts=contracts)
    # Somebody asks about this one: it is run although nothing in it has to do with torch.
    asked = [replace(each, has_torch_in_reach=True) if each is file else each for each in share]
    result = analyse_share(asked, _uncounted, folders, options, records=records)
    return Around(file, reporting_on(surveyed, [result, *others], options, is_whole=is_whole))


def _uncounted(count: int) -> None:
    """Nobody is told how far it has come."""
