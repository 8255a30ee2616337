"""Whatever files are called and say, a report has the form that it has for others, and gives nobody commands.

Every format is tried: one that is new is covered without a line here.
"""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import HAZARD, Synclint
from markdown_it import MarkdownIt

from synclint.findings import (
    Applicability,
    CallPlace,
    Confidence,
    Context,
    Edit,
    Finding,
    Fix,
    Phase,
    Position,
    Repetition,
    Severity,
    Span,
)
from synclint.report.formats import FORMATS, DocumentFormat
from synclint.report.markdown import LONGEST
from synclint.report.results import Results, checked_files
from synclint.report.terminal import Palette
from synclint.results.file_reports import FileReport

TEXTS = {
    "terminal": "\x1b]0;owned\x07\x1b[2J\x9b31m\x00\x7f\x08",
    "runner": "::error::owned",
    "old runner": "##[error]owned",
    "azure": "##vso[task.setvariable variable=x]owned",
    "teamcity": "##teamcity[buildStatus text='owned']",
    "gitlab": "section_start:1:x[collapsed=true]\r\x1b[0Kowned",
    "lines": "a\n::error::owned\r\n##[error]owned\x0b\x0c\x1c\x85\u2028\u2029b",
    "percent": "%0A::error::owned%0D%25%3A%2C",
    "xml": ']]><x a="1">&amp;&lt;&#0;<!--<![CDATA[',
    "html": "</pre></mark><script>alert(1)</script><img src=x onerror=alert(1)>\"' onload='x",
    "markdown": "</details> [x](javascript:x) ![x](http://x) @octocat #1 | *a* _b_ ~~c~~ <!-- \\ $x$ http://x.org",
    "quotes": "\"'\\\"\\' {} %s {0} ${x} $(x)",
    "directions": "\u202eevil\u2066\u2069\u200f\u061c\ufeff\u200b\u00ad",
    "surrogates": "\udc80\udcff",
    "lone surrogates": "\ud800 \udfff",
    "long": "x" * 100_000,
    "wide": "\u4e16\u0301\u0301\U0001f600\U000e0041",
}
# A name has neither a null character nor a stroke, and the file system gives bytes that are no text in one form alone.
NAMES = {
    case: text.replace("\0", "").replace("/", "").replace("\ud800", "").replace("\udfff", "")[:80]
    for case, text in TEXTS.items()
}
HOSTILE = pytest.mark.parametrize("case", TEXTS)
FORMAT = pytest.mark.parametrize("name", FORMATS)

OBEYED_BY_TERMINALS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
OBEYED_BY_RUNNERS = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)


def finding(path: Path, text: str, span: Span) -> Finding:
    return Finding(
        code="SYN101",
        name="nonzero",
        message=f"{text} waits",
        filename=str(path),
        span=span,
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        mechanism="shape",
        context=Context(
            Phase.STEP,
            f"{text} is hot",
            times=(Repetition(text, text, 3),),
            path=(CallPlace(text, f"a{text}", 1), CallPlace(f"b{text}", text, 2)),
            captured=f"{text} captures",
        ),
        instead=f"{text} instead",
        url="https://example.org",
        evidence=(text,),
        fix=Fix(f"write {text}", (Edit(span, text),), Applicability.UNSAFE, text),
    )


def results(path: str, text: str, problem: str, folder: Path) -> Results:
    """Two files with findings and one that could not be read."""
    lines = re.split(r"\r\n|\r|\n", text)
    source = f"{text} = 1\n" + "y = 2\n" * 9
    span = Span(Position(1, 1), Position(1, max(2, len(lines[0]))))
    named = Path(path)
    reports = (
        FileReport(named, (finding(named, text, span), finding(named, text, span)), source),
        FileReport(Path("other.py"), (finding(Path("other.py"), text, span),), source),
        FileReport(Path("broken.py"), problem=f"broken.py: {problem}"),
    )
    return Results(reports, folder, folder, (f"broken.py: {problem}",))


def rendered(name: str, made: Results) -> str:
    form = FORMATS[name]
    if isinstance(form, DocumentFormat):
        return form.document(made)
    files = checked_files(made.reports, made.folder, made.root)
    return "\n".join(form.lines(files, Palette(enabled=False), made.folder))


# The shape of a report: what its reader makes of it, without the texts


class Tags(HTMLParser):
    """The elements of a page and the names of their attributes, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self._colors: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Code between backticks is shown as such, and Python's words have their colours, whoever wrote them.
        if tag == "span":
            self._colors.append(dict(attrs).get("class") in ("keyword", "string", "literal", "comment"))
        if tag != "code" and not (tag == "span" and self._colors[-1]):
            self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag != "code" and not (tag == "span" and self._colors.pop()):
            self.found.append((f"/{tag}",))

    def handle_comment(self, data: str) -> None:
        assert data == " "


def tags_of(page: str) -> object:
    reader = Tags()
    reader.feed(page)
    reader.close()
    return reader.found


def shape_of_values(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape_of_values(inner) for key, inner in value.items()}
    return [shape_of_values(inner) for inner in value] if isinstance(value, list) else type(value)


def shape_of_element(element: ElementTree.Element) -> object:
    return element.tag, sorted(element.attrib), [shape_of_element(inner) for inner in element]


def shape(name: str, report: str) -> object:
    if name == "markdown":
        return tags_of(MarkdownIt("commonmark", {"html": True}).enable("table").render(report))
    if report.startswith("<?xml"):
        return shape_of_element(ElementTree.fromstring(report))
    if report.lower().startswith("<!doctype html"):
        return tags_of(report)
    if report[:1] in ("[", "{"):
        return shape_of_values(json.loads(report))
    return len(report.splitlines())


@FORMAT
@HOSTILE
def test_a_name_does_not_change_the_shape_of_a_report(tmp_path: Path, name: str, case: str) -> None:
    usual = rendered(name, results("usual.py", "x", "x", tmp_path))
    hostile = rendered(name, results(f"{NAMES[case]}.py", "x", "x", tmp_path))
    assert shape(name, hostile) == shape(name, usual)


@FORMAT
@HOSTILE
def test_what_files_say_does_not_change_the_shape_of_a_report(tmp_path: Path, name: str, case: str) -> None:
    usual = rendered(name, results("usual.py", "x", "x", tmp_path))
    hostile = rendered(name, results("usual.py", TEXTS[case], TEXTS[case], tmp_path))
    if name == "markdown" and case == "long":  # what does not fit is counted
        assert len(hostile) <= LONGEST
    elif name in ("full", "text"):  # what does not fit into the rows of an entry gives way
        assert len(hostile.splitlines()) <= len(usual.splitlines())
    else:
        assert shape(name, hostile) == shape(name, usual)


@FORMAT
@HOSTILE
def test_no_report_says_anything_to_a_terminal(tmp_path: Path, name: str, case: str) -> None:
    report = rendered(name, results(f"{NAMES[case]}.py", TEXTS[case], TEXTS[case], tmp_path))
    assert not OBEYED_BY_TERMINALS.search(report)


def file_of(folder: Path, case: str) -> Path:
    """A file with a finding whose name and text are hostile, as far as there are such files."""
    path = folder / f"{NAMES[case]}.py"
    comment = re.sub(r"[\r\n\x0b\x0c\x00]", " ", TEXTS[case])
    source = HAZARD.replace("(target)\n", f"(target)  # {comment}\n")
    path.write_text(source, encoding="utf-8", errors="backslashreplace")
    return path


@FORMAT
@pytest.mark.parametrize("case", ["runner", "old runner", "azure", "teamcity", "gitlab", "lines", "percent"])
@pytest.mark.parametrize("variable", ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"])
def test_nothing_that_is_printed_gives_a_runner_commands(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, case: str, variable: str
) -> None:
    file_of(tmp_path, case)
    monkeypatch.setenv(variable, "true")
    result = run(".", f"missing{NAMES[case]}.py", "--output-format", name)
    assert result.status == 2
    meant = r"^::warning [^\n]*\n" if name == "github" else r"(?!)"
    printed, commands = re.subn(meant, "", result.out, flags=re.MULTILINE)
    assert commands == (name == "github")
    assert not OBEYED_BY_RUNNERS.search(f"{printed}\n{result.err}")
    assert not re.search(r"##\w*\[", result.out)


@FORMAT
def test_what_is_printed_for_a_runner_says_the_same(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file_of(tmp_path, "azure")
    printed = run(".", "--output-format", name).out
    monkeypatch.setenv("TF_BUILD", "True")
    logged = run(".", "--output-format", name).out
    assert "##vso[" not in logged
    if printed[:1] in ("[", "{"):
        assert json.loads(logged) == json.loads(printed)
    elif printed.startswith("<"):
        assert html.unescape(logged) == html.unescape(printed)
    elif name != "markdown":
        assert logged == printed.replace("##vso[", r"\x23#vso[")


def test_the_runner_reads_from_an_annotation_what_was_put_into_it(tmp_path: Path) -> None:
    for text in TEXTS.values():
        report = rendered("github", results("usual.py", text, "x", tmp_path))
        for line in report.split("\n"):
            # As the runner does: the first part up to the space is the command, and properties end at commas.
            command, _, message = line.removeprefix("::").partition("::")
            kind, _, properties = command.partition(" ")
            assert kind == "warning"
            keys = [part.partition("=")[0] for part in properties.split(",")]
            assert keys == ["title", "file", "line", "endLine", "col", "endColumn"]
            assert "waits" in message


@FORMAT
def test_a_notebook_may_hold_what_is_no_text(run: Synclint, tmp_path: Path, name: str) -> None:
    source = HAZARD.replace("(target)\n", "(target)  # \ud800\n")
    cell = {"cell_type": "code", "metadata": {}, "source": source}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    result = run(".", "--output-format", name)
    assert (result.status, result.err) == (1, "")
    assert not OBEYED_BY_TERMINALS.search(result.out)
    report = tmp_path / "report"
    assert run(".", "--output-file", f"{name}={report}").status == 1
    assert report.read_text(encoding="utf-8")
