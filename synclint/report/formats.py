"""The formats of a report by their names, and what makes each of them.

A run needs one of them as a rule, so that each is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from synclint.config.format_names import BY_PRIORITY, FORMAT_NAMES
from synclint.report.results import CheckedFile, Results
from synclint.report.terminal import Palette
from synclint.rules.loading import all_rules

Lines = Callable[[Iterable[CheckedFile], Palette, Path], Iterator[str]]


@dataclass(frozen=True)
class LineFormat:
    """A report that is lines about one file after the other: it can be printed while the files are being reported.

    ``lines`` is given the files, the colours, and the folder where the run takes place. ``ranked`` does the same with
    what matters most first, for which it needs all files; ``is_ranked`` says whether it does so unasked.
    ``root_variable`` is the environment variable by which its reader names the folder that it counts paths from.
    ``is_prose`` says whether a last line with the totals fits in, ``is_verbatim`` whether a program reads the lines, so
    that nothing in them may be changed.
    """

    lines: Lines
    ranked: Lines | None = None
    is_ranked: bool = False
    root_variable: str = ""
    is_prose: bool = False
    is_verbatim: bool = False


@dataclass(frozen=True)
class DocumentFormat:
    """A report that is one text about all files together; ``root_variable`` is the same as for lines."""

    document: Callable[[Results], str]
    root_variable: str = ""


def _full(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.full import full_report

    return full_report(files, colors, folder)


def _ranked_full(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.full import ranked_report

    return ranked_report(files, colors, folder)


def _concise(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.concise import concise_report

    return concise_report(files, colors, folder)


def _ranked_concise(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.concise import ranked_concise_report

    return ranked_concise_report(files, colors, folder)


def _grouped(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.grouped import grouped_report

    return grouped_report(files, colors, folder)


def _ranked_grouped(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.grouped import ranked_grouped_report

    return ranked_grouped_report(files, colors, folder)


def _json(results: Results) -> str:
    from synclint.report.json import json_report

    return json_report(results.reports, results.folder)


def _sarif(results: Results) -> str:
    from synclint.report.sarif import sarif_report

    return sarif_report(results, all_rules())


def _github(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.github import github_report

    return github_report(files)


def _gitlab(results: Results) -> str:
    from synclint.report.gitlab import gitlab_report

    return gitlab_report(results)


def _junit(results: Results) -> str:
    from synclint.report.junit import junit_report

    return junit_report(results)


def _rdjson(results: Results) -> str:
    from synclint.report.rdjson import rdjson_report

    return rdjson_report(results)


def _pylint(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.pylint import pylint_report

    return pylint_report(files)


def _markdown(results: Results) -> str:
    from synclint.report.markdown import markdown_report

    return markdown_report(results)


def _html(results: Results) -> str:
    from synclint.report.html import html_report

    return html_report(results)


_FULL = LineFormat(_full, _ranked_full, is_ranked=True, is_prose=True)
FORMATS: Mapping[str, LineFormat | DocumentFormat] = MappingProxyType(
    {
        "full": _FULL,
        "text": _FULL,
        "concise": LineFormat(_concise, _ranked_concise, is_prose=True),
        "grouped": LineFormat(_grouped, _ranked_grouped, is_ranked=True, is_prose=True),
        "json": DocumentFormat(_json),
        "sarif": DocumentFormat(_sarif, "GITHUB_WORKSPACE"),
        "github": LineFormat(_github, root_variable="GITHUB_WORKSPACE", is_prose=True, is_verbatim=True),
        "gitlab": DocumentFormat(_gitlab, "CI_PROJECT_DIR"),
        "junit": DocumentFormat(_junit),
        "rdjson": DocumentFormat(_rdjson),
        "pylint": LineFormat(_pylint),
        "markdown": DocumentFormat(_markdown),
        "html": DocumentFormat(_html),
    }
)
assert tuple(FORMATS) == FORMAT_NAMES


def lines_in_order(form: LineFormat, sort: str | None) -> Lines | None:
    """What makes the lines of a report in which what matters most comes first; None where the order of paths holds."""
    wanted = form.is_ranked if sort is None else sort == BY_PRIORITY
    return form.ranked if wanted else None
