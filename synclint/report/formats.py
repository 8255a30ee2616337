"""The formats of a report by their names, and what makes each of them.

A run needs one of them as a rule, so that each is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from synclint.report.names import FORMAT_NAMES
from synclint.report.results import CheckedFile, Results
from synclint.report.terminal import Palette
from synclint.rules import all_rules


@dataclass(frozen=True)
class LineFormat:
    """A report that is lines about one file after the other: it can be printed while the files are being reported.

    ``lines`` is given the files, the colours, and the folder where the run takes place. ``root_variable`` is the
    environment variable by which its reader names the folder that it counts paths from. ``is_prose`` says whether a
    last line with the totals fits in, ``is_verbatim`` whether a program reads the lines, so that nothing in them may
    be changed.
    """

    lines: Callable[[Iterable[CheckedFile], Palette, Path], Iterator[str]]
    root_variable: str = ""
    is_prose: bool = False
    is_verbatim: bool = False


@dataclass(frozen=True)
class DocumentFormat:
    """A report that is one text about all files together; ``root_variable`` is the same as for lines."""

    document: Callable[[Results], str]
    root_variable: str = ""


def _text(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.text import text_report

    return text_report((file.report for file in files), colors, folder)


def _concise(files: Iterable[CheckedFile], colors: Palette, folder: Path) -> Iterator[str]:
    from synclint.report.concise import concise_report

    return concise_report((file.report for file in files), colors, folder)


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


FORMATS: Mapping[str, LineFormat | DocumentFormat] = MappingProxyType(
    {
        "text": LineFormat(_text, is_prose=True),
        "concise": LineFormat(_concise, is_prose=True),
        "json": DocumentFormat(_json),
        "sarif": DocumentFormat(_sarif, "GITHUB_WORKSPACE"),
        "github": LineFormat(_github, "GITHUB_WORKSPACE", is_prose=True, is_verbatim=True),
        "gitlab": DocumentFormat(_gitlab, "CI_PROJECT_DIR"),
        "junit": DocumentFormat(_junit),
        "rdjson": DocumentFormat(_rdjson),
        "pylint": LineFormat(_pylint),
        "markdown": DocumentFormat(_markdown),
        "html": DocumentFormat(_html),
    }
)
assert tuple(FORMATS) == FORMAT_NAMES
