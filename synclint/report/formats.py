"""The formats of a report by their names, and what makes each of them.

A run needs one of them as a rule, so that each is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from synclint.report.names import FORMAT_NAMES
from synclint.report.results import Results
from synclint.report.terminal import Palette
from synclint.rules import all_rules


@dataclass(frozen=True)
class Format:
    """How a report is made.

    ``root_variable`` is the environment variable by which its reader names the folder that it counts
    paths from. ``is_prose`` says whether a last line with the totals fits in.
    """

    report: Callable[[Results, Palette], Iterable[str]]
    root_variable: str = ""
    is_prose: bool = False


def _text(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.text import text_report

    return text_report(results.reports, colors, results.folder)


def _concise(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.concise import concise_report

    return concise_report(results.reports, colors, results.folder)


def _json(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.json import json_report

    return [json_report(results.reports, results.folder)]


def _sarif(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.sarif import sarif_report

    return [sarif_report(results, all_rules())]


def _github(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.github import github_report

    return github_report(results)


def _gitlab(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.gitlab import gitlab_report

    return [gitlab_report(results)]


def _junit(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.junit import junit_report

    return [junit_report(results)]


def _rdjson(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.rdjson import rdjson_report

    return [rdjson_report(results)]


def _pylint(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.pylint import pylint_report

    return pylint_report(results)


def _markdown(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.markdown import markdown_report

    return [markdown_report(results)]


def _html(results: Results, colors: Palette) -> Iterable[str]:
    from synclint.report.html import html_report

    return [html_report(results)]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": Format(_text, is_prose=True),
        "concise": Format(_concise, is_prose=True),
        "json": Format(_json),
        "sarif": Format(_sarif, "GITHUB_WORKSPACE"),
        "github": Format(_github, "GITHUB_WORKSPACE", is_prose=True),
        "gitlab": Format(_gitlab, "CI_PROJECT_DIR"),
        "junit": Format(_junit),
        "rdjson": Format(_rdjson),
        "pylint": Format(_pylint),
        "markdown": Format(_markdown),
        "html": Format(_html),
    }
)
assert tuple(FORMATS) == FORMAT_NAMES
