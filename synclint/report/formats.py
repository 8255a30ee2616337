"""The formats of a report by their names, and what makes each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from synclint.report.concise import concise_report
from synclint.report.github import github_report
from synclint.report.gitlab import gitlab_report
from synclint.report.html import html_report
from synclint.report.json import json_report
from synclint.report.junit import junit_report
from synclint.report.markdown import markdown_report
from synclint.report.names import FORMAT_NAMES
from synclint.report.pylint import pylint_report
from synclint.report.rdjson import rdjson_report
from synclint.report.results import Results
from synclint.report.sarif import sarif_report
from synclint.report.terminal import Palette
from synclint.report.text import text_report
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


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": Format(
            lambda results, colors: text_report(results.reports, colors, results.folder), is_prose=True
        ),
        "concise": Format(
            lambda results, colors: concise_report(results.reports, colors, results.folder), is_prose=True
        ),
        "json": Format(lambda results, _: [json_report(results.reports, results.folder)]),
        "sarif": Format(lambda results, _: [sarif_report(results, all_rules())], "GITHUB_WORKSPACE"),
        "github": Format(lambda results, _: github_report(results), "GITHUB_WORKSPACE", is_prose=True),
        "gitlab": Format(lambda results, _: [gitlab_report(results)], "CI_PROJECT_DIR"),
        "junit": Format(lambda results, _: [junit_report(results)]),
        "rdjson": Format(lambda results, _: [rdjson_report(results)]),
        "pylint": Format(lambda results, _: pylint_report(results)),
        "markdown": Format(lambda results, _: [markdown_report(results)]),
        "html": Format(lambda results, _: [html_report(results)]),
    }
)
assert tuple(FORMATS) == FORMAT_NAMES
