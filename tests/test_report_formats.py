"""Each format is what its reader expects, whatever stands in the files that were checked."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from junitparser import JUnitXml
from markdown_it import MarkdownIt
from report_schemas import GITLAB, RDJSON, SARIF

from synclint.findings import (
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
from synclint.report.formats import FORMATS, LineFormat
from synclint.report.github import github_report
from synclint.report.gitlab import gitlab_report
from synclint.report.html import html_report
from synclint.report.junit import junit_report
from synclint.report.markdown import LONGEST, markdown_report
from synclint.report.origins import Origin, origin
from synclint.report.pylint import pylint_report
from synclint.report.rdjson import rdjson_report
from synclint.report.results import Results
from synclint.report.sarif import MOST_RESULTS, sarif_report
from synclint.report.terminal import Palette
from synclint.results.file_reports import FileReport
from synclint.rules.loading import all_rules
from synclint.sources.embedded import Block, Embedded

REPOSITORY = Path(__file__).parent.parent
HERE = Path("/project")
SOURCE = "def f(x, mask):\n    return '漢', x[mask]\n"
EVIL = "\x1b]0;owned\x07<script>alert(1)</script>`@octocat\u202e%0A::error::x, ##[error]y"


def finding(
    span: tuple[int, int, int, int] = (2, 17, 2, 24),
    message: str = "`x[mask]` waits: `mask` is a boolean tensor",
    severity: Severity = Severity.WARNING,
    fix: Fix | None = None,
) -> Finding:
    row, column, end_row, end_column = span
    return Finding(
        code="SYN103",
        name="boolean-mask-read",
        message=message,
        filename="loss.py",
        span=Span(Position(row, column), Position(end_row, end_column)),
        severity=severity,
        confidence=Confidence.HIGH,
        mechanism="data-dependent-shape",
        context=Context(Phase.STEP, reason="in `forward` of Loss", path=(CallPlace("", "/project/train.py", 41),)),
        instead="Use `torch.where`.",
        url="https://example.org/SYN103",
        fix=fix,
    )


FIX = Fix("Use torch.where", (Edit(Span(Position(2, 17), Position(2, 24)), "torch.where(mask, x, 0)"),))


def results(*reports: FileReport, problems: tuple[str, ...] = ()) -> Results:
    return Results(reports, HERE, HERE, problems)


def one(*findings: Finding, path: str = "src/loss.py", source: str = SOURCE) -> Results:
    return results(FileReport(Path(path), findings, source))


def notebook() -> Results:
    blocks = (Block(1, (12, 13), (0, 0), cell=2), Block(3, (30, 31), (0, 0), cell=3))
    embedded = Embedded("a\nb\npass\n  x[mask]\n", "a\nb\n!ls\n  x[mask]\n", blocks)
    inside = finding((4, 3, 4, 10))
    context = replace(
        inside.context,
        reason="in the loop at nb.ipynb:3",
        times=(Repetition("image", "nb.ipynb", 4), Repetition("layer", "model.py", 9)),
        path=(CallPlace("", "nb.ipynb", 1),),
    )
    inside = replace(inside, filename="nb.ipynb", context=context)
    return results(FileReport(Path("nb.ipynb"), (inside,), embedded.module, embedded=embedded))


def hostile() -> Results:
    bad = replace(
        finding((1, 1, 1, 5), message=f"`{EVIL}` waits"),
        instead=EVIL,
        context=Context(
            Phase.STEP,
            reason=EVIL,
            times=(Repetition(EVIL, EVIL, 1),),
            path=(CallPlace(EVIL, EVIL, 1),),
            captured=EVIL,
        ),
    )
    path = f"a\nb,c:d%{EVIL.replace('/', '')}\udcff.py"
    return replace(one(bad, path=path, source=EVIL), problems=(EVIL,))


EVERY = [one(), one(finding(), finding(fix=FIX)), notebook(), hostile()]


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_every_format_can_be_written_as_text_and_shows_no_control_characters(given: Results) -> None:
    for name, form in FORMATS.items():
        plain = Palette(enabled=False)
        for line in form.lines(given.files, plain, HERE) if isinstance(form, LineFormat) else [form.document(given)]:
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", line), name


# SARIF


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_sarif_follows_the_schema_and_the_limits_of_code_scanning(given: Results) -> None:
    jsonschema.validate(json.loads(sarif_report(given, all_rules())), SARIF)


def test_sarif_carries_each_rules_page_and_refers_to_it() -> None:
    (run,) = json.loads(sarif_report(one(finding()), all_rules()))["runs"]
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "SYN103"
    assert rule["help"]["markdown"].startswith("# SYN103 boolean-mask-read\n")


def test_sarif_holds_only_the_rules_that_occur() -> None:
    other = replace(finding(), code="SYN101", name="nonzero")
    (run,) = json.loads(sarif_report(one(finding(), other, finding()), all_rules()))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["SYN101", "SYN103"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["SYN103", "SYN101", "SYN103"]


def test_sarif_tells_the_calls_that_lead_to_a_finding_as_a_code_flow() -> None:
    context = Context(
        Phase.STEP,
        "in the training loop",
        times=(Repetition("layer", "src/model.py", 9),),
        path=(CallPlace("", "train.py", 41), CallPlace("step", "/project/src/loss.py", 7)),
    )
    (run,) = json.loads(sarif_report(one(replace(finding(), context=context)), all_rules()))["runs"]
    (result,) = run["results"]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    told = [
        (
            step["location"]["physicalLocation"]["artifactLocation"]["uri"],
            step["location"]["physicalLocation"]["region"]["startLine"],
            step["location"]["message"]["text"],
        )
        for step in flow["locations"]
    ]
    assert told == [
        ("train.py", 41, "a call at the top level of the module"),
        ("src/loss.py", 7, "a call in `step`"),
        ("src/loss.py", 2, "`x[mask]` waits: `mask` is a boolean tensor"),
    ]
    (loop,) = result["relatedLocations"]
    assert loop["physicalLocation"]["artifactLocation"]["uri"] == "src/model.py"
    assert loop["message"]["text"] == "the loop that runs it once for each layer"


def test_sarif_tells_the_place_in_characters_with_its_source() -> None:
    (run,) = json.loads(sarif_report(one(finding(fix=FIX)), all_rules()))["runs"]
    location = run["results"][0]["locations"][0]["physicalLocation"]
    region = location["region"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (2, 17, 24)
    assert region["snippet"]["text"] == "    return '漢', x[mask]"
    assert location["artifactLocation"] == {"uri": "src/loss.py", "uriBaseId": "%SRCROOT%"}
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "torch.where(mask, x, 0)"


def test_sarif_paths_are_uris_of_the_names_bytes() -> None:
    (run,) = json.loads(sarif_report(one(finding(), path="a b%ü\udcff.py"), ()))["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20b%25%C3%BC%FF.py"
    assert unquote(uri, errors="surrogateescape") == "a b%ü\udcff.py"
    (run,) = json.loads(sarif_report(one(finding(), path="/elsewhere/a.py"), ()))["runs"]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///elsewhere/a.py"}


def fingerprints(given: Results) -> list[str]:
    (run,) = json.loads(sarif_report(given, ()))["runs"]
    return [result["partialFingerprints"]["synclintStatement/v1"] for result in run["results"]]


def test_fingerprints_survive_edits_elsewhere_and_tell_equal_lines_apart() -> None:
    before = fingerprints(one(finding(), finding()))
    moved = finding((4, 21, 4, 28))
    after = fingerprints(one(moved, moved, source="import a\n\n" + SOURCE.replace("    ", "        ")))
    assert before == after
    assert len(set(before)) == 2
    assert fingerprints(one(finding(), path="other.py")) != before[:1]


def test_sarif_holds_as_many_results_as_github_takes_and_says_what_is_missing() -> None:
    (run,) = json.loads(sarif_report(one(*[finding()] * (MOST_RESULTS + 3)), all_rules()))["runs"]
    assert len(run["results"]) == MOST_RESULTS
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("3 more findings are left out")
    assert run["invocations"][0]["executionSuccessful"]


def test_sarif_messages_hold_no_links_and_no_bytes_that_are_not_text() -> None:
    given = replace(one(finding(message="`heads[i](0)` waits")), problems=("bad\udcff.py: gone",))
    (run,) = json.loads(sarif_report(given, ()))["runs"]
    assert run["results"][0]["message"]["text"].startswith("`heads[i] (0)` waits.")
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == r"bad\udcff.py: gone"


def test_sarif_of_a_run_that_could_not_check_a_file_is_not_successful() -> None:
    (run,) = json.loads(sarif_report(results(problems=("a.py: no such file",)), ()))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "a.py: no such file"


# GitHub


def commands(given: Results) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as the runner reads them (actions/runner, ActionCommand.TryParseV2)."""
    read: list[tuple[str, dict[str, str], str]] = []
    for line in "\n".join(github_report(given.files)).splitlines():
        matched = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        assert matched, line
        pairs = (pair.split("=", 1) for pair in matched[2].split(","))
        properties = {
            name: value.replace("%3A", ":").replace("%2C", ",").replace("%0A", "\n").replace("%25", "%")
            for name, value in pairs
        }
        read.append((matched[1], properties, matched[3].replace("%0A", "\n").replace("%25", "%")))
    return read


def test_github_annotates_the_place_with_message_and_advice() -> None:
    assert commands(one(finding())) == [
        (
            "warning",
            {
                "title": "synclint: SYN103 boolean-mask-read",
                "file": "src/loss.py",
                "line": "2",
                "endLine": "2",
                "col": "17",
                "endColumn": "24",
            },
            "`x[mask]` waits: `mask` is a boolean tensor\nUse `torch.where`.\nhttps://example.org/SYN103",
        )
    ]


def test_github_levels_follow_the_severity() -> None:
    levels = [finding(severity=severity) for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)]
    assert [command for command, _, _ in commands(one(*levels))] == ["error", "warning", "notice"]


def test_github_gets_no_columns_for_several_lines() -> None:
    ((_, properties, _),) = commands(one(finding((1, 5, 2, 7))))
    assert (properties["line"], properties["endLine"]) == ("1", "2")
    assert "col" not in properties


def test_nothing_in_a_file_begins_a_workflow_command_of_its_own() -> None:
    ((command, properties, message),) = commands(hostile())
    assert command == "warning"
    assert properties["file"].startswith("a\nb,c:d%")
    assert len(message.splitlines()) == 3


# GitLab


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_gitlab_follows_the_code_quality_format(given: Results) -> None:
    issues = json.loads(gitlab_report(given))
    jsonschema.validate(issues, GITLAB)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_gitlab_severities_tell_apart_what_matters_most() -> None:
    step = finding().context
    told = [
        replace(finding(severity=Severity.ERROR), context=replace(step, captured="the graph")),
        replace(finding(), context=replace(step, trains=True)),
        finding(),
        replace(finding(), context=replace(step, assumed=True)),
        finding(severity=Severity.INFO),
    ]
    issues = json.loads(gitlab_report(one(*told)))
    assert [issue["severity"] for issue in issues] == ["blocker", "major", "minor", "minor", "info"]


# JUnit


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_junit_is_read_by_a_junit_parser(given: Results) -> None:
    suites = JUnitXml.fromstring(junit_report(given).encode())
    assert suites.failures == given.count
    assert suites.errors == len(given.problems)
    assert suites.tests == sum(1 for suite in suites for _ in suite)


def test_junit_has_a_passing_case_for_a_clean_file_and_a_failing_one_for_each_finding() -> None:
    top = ElementTree.fromstring(
        junit_report(results(FileReport(Path("a.py")), FileReport(Path("b.py"), (finding(),), SOURCE)))
    )
    clean, broken = top
    assert [len(case) for case in clean] == [0]
    (case,) = broken
    assert case.attrib["name"] == "SYN103 boolean-mask-read, line 2"
    assert case[0].attrib["message"] == "`x[mask]` waits: `mask` is a boolean tensor"
    assert (case[0].text or "").startswith("b.py, line 2, column 17\nUse `torch.where`.")


# reviewdog


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_rdjson_follows_the_format(given: Results) -> None:
    jsonschema.validate(json.loads(rdjson_report(given)), RDJSON)


def test_rdjson_columns_count_bytes() -> None:
    (diagnostic,) = json.loads(rdjson_report(one(finding(fix=FIX))))["diagnostics"]
    assert diagnostic["location"]["range"] == {
        "start": {"line": 2, "column": 19},
        "end": {"line": 2, "column": 26},
    }
    assert diagnostic["suggestions"][0]["text"] == "torch.where(mask, x, 0)"


# pylint


def test_pylint_lines_name_path_line_rule_and_message() -> None:
    assert list(pylint_report(one(finding()).files)) == [
        "src/loss.py:2: [SYN103(boolean-mask-read), ] `x[mask]` waits: `mask` is a boolean tensor"
    ]
    assert len("\n".join(pylint_report(hostile().files)).splitlines()) == 1


# Markdown


def rendered(given: Results) -> str:
    return str(MarkdownIt("gfm-like", {"linkify": False}).render(markdown_report(given)))


def test_markdown_counts_rules_and_lists_places() -> None:
    page = rendered(one(finding(), finding()))
    assert "<h3>synclint</h3>" in page
    assert "2 waits in each step (1 of 1 file)." in page
    assert '<td><a href="https://example.org/SYN103">SYN103 boolean-mask-read</a></td>' in page
    assert "<summary><code>src/loss.py</code> (2)</summary>" in html.unescape(page)
    assert "line 2: <strong>SYN103 boolean-mask-read</strong> <code>x[mask]</code> waits" in page
    assert "Use <code>torch.where</code>.<br" in page
    assert "runs in each step, called from train.py:41" in page


def test_markdown_shows_what_files_contain_and_renders_none_of_it() -> None:
    page = rendered(hostile())
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "@octocat" not in re.sub("<code>.*?</code>", "", page)  # where nobody is mentioned
    assert "@<!-- -->octocat" in page
    plain = "[x](http://e) **b** ![i](j) ~~s~~ $m$ _u_ a_b www.x.y :x: #1 | 1. 2 &amp; - + (c)"
    clean = rendered(one(replace(finding(), message=plain)))
    assert plain in html.unescape(clean)
    code = rendered(one(replace(finding(), message="``a`b*c*`` waits")))
    assert "<code>a`b*c*</code> waits" in code


def test_markdown_escapes_nothing_that_needs_none() -> None:
    text = "`a.b(c)` waits: 2 of 3 (or more) - see `d_e`, f_g, h.i; j!"
    assert text in markdown_report(one(replace(finding(), message=text)))


def test_markdown_fits_into_a_comment_and_says_what_does_not() -> None:
    many = [FileReport(Path(f"{number}.py"), (finding(),) * 20, SOURCE) for number in range(100)]
    summary = markdown_report(results(*many))
    assert len(summary) < LONGEST + 100
    listed = summary.count("- line 2")
    assert f"\n{2000 - listed} more findings do not fit in a comment.\n" in summary


# HTML


class Page(HTMLParser):
    """The elements of a page, its text, and its links."""

    VOID = frozenset({"meta", "br", "input"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        given = dict(attrs)
        assert not [name for name in given if name.startswith("on") or name == "src"]
        if given.get("href"):
            self.links.append(given["href"] or "")
        if given.get("id"):
            self.anchors.add(given["id"] or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("given", EVERY, ids=["clean", "found", "notebook", "hostile"])
def test_html_is_one_well_formed_page_that_loads_nothing(given: Results) -> None:
    page = Page(html_report(given))
    assert page.open == []
    assert not {"link", "img", "iframe", "object", "base"} & set(page.tags)
    assert all(link.startswith(("#", "https://")) for link in page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= page.anchors


def test_html_runs_our_script_and_its_policy_allows_no_other() -> None:
    (script,) = re.findall("<script>(.*?)</script>", html_report(hostile()), re.DOTALL)
    assert script == (REPOSITORY / "synclint" / "report" / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in html_report(hostile())
    assert "<script" not in html_report(one())


def test_html_shows_findings_with_their_source() -> None:
    text = Page(html_report(one(finding()))).text
    assert "SYN103 boolean-mask-read" in text
    assert "src/loss.py, line 2" in text
    assert "2    return '漢', x[mask]" in text
    assert "<mark>x[mask]</mark>" in html_report(one(finding()))


def test_html_lists_files_the_one_with_most_findings_first() -> None:
    page = html_report(
        results(
            FileReport(Path("a.py"), (finding(),), SOURCE),
            FileReport(Path("b.py"), (finding(), replace(finding(), code="SYN101")), SOURCE),
        )
    )
    table = page[page.index("<h2>By file") : page.index("<form")]
    assert re.findall(r"<code>(.*?)</code>", table) == ["b.py", "a.py"]
    assert "SYN101, SYN103" in table


def test_html_findings_carry_what_they_are_filtered_and_grouped_by() -> None:
    page = html_report(one(finding(), path="src/a/loss.py"))
    assert (
        'data-file="src/a/loss.py" data-folder="src/a" data-phase="in each step"'
        ' data-confidence="high" data-rule="SYN103 boolean-mask-read"' in page
    )
    for control in ('id="search"', '<option value="folder">', 'data-key="phase" value="in each step"'):
        assert control in page
    assert 'data-key="confidence" value="low"' not in page


def test_html_says_what_run_it_is_of_and_links_to_the_sources() -> None:
    made = Origin("vision", "synclint --runs 'a b' src", "2026-11-23 04:00 UTC")
    page = Page(html_report(replace(one(finding()), origin=made)))
    assert "vision · 2026-11-23 04:00 UTC · synclint" in page.text
    assert "synclint --runs 'a b' src" in page.text
    assert "file:///project/src/loss.py" in page.links
    served = origin(
        HERE,
        "synclint src",
        "",
        {
            "GITHUB_WORKSPACE": "/project",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "ours/vision",
            "GITHUB_SHA": "0123abc",
        },
    )
    linked = Page(html_report(replace(one(finding(), path="src/lo ss.py"), origin=served)))
    assert "https://github.com/ours/vision/blob/0123abc/src/lo%20ss.py#L2" in linked.links


def test_html_colors_what_python_takes_for_comments_strings_numbers_and_keywords() -> None:
    source = 'def f(x, mask):\n    """Two\n    lines"""\n    return x[mask] + 1  # half\n  %broken(\n'
    page = html_report(one(finding((4, 12, 4, 19)), source=source))
    assert '<span class="keyword">return</span> <mark>x[mask]</mark> + <span class="literal">1</span>' in page
    assert '<span class="string">    lines&quot;&quot;&quot;</span>' in page
    assert '<span class="comment"># half</span>' in page


def test_html_marks_the_span_of_a_very_long_line() -> None:
    long = finding((1, 500_001, 1, 500_005))
    page = html_report(one(long, source="a" * 500_000 + "y[m]" + "b" * 500_000))
    assert "<mark>y[m]</mark>" in page
    assert len(page) < 20_000


def test_html_shows_what_files_contain_as_text() -> None:
    page = html_report(hostile())
    assert page.count("<script") == 1
    assert r"\x1b]0;owned\x07&lt;script&gt;" in page


# Notebooks


def test_reports_for_people_tell_the_cell_and_those_for_servers_the_line_of_the_file() -> None:
    given = notebook()
    assert "nb.ipynb, cell 3, line 2" in html_report(given)
    assert "- cell 3, line 2: **SYN103" in markdown_report(given)
    ((_, properties, message),) = commands(given)
    assert properties["line"] == "31"
    assert message.startswith("cell 3, line 2: ")
    (issue,) = json.loads(gitlab_report(given))
    assert issue["location"]["lines"] == {"begin": 31, "end": 31}
    (run,) = json.loads(sarif_report(given, ()))["runs"]
    (result,) = run["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 31}
    (call, here) = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert call["location"]["physicalLocation"]["region"] == {"startLine": 12}
    assert here["location"]["physicalLocation"]["region"] == {"startLine": 31}
    (diagnostic,) = json.loads(rdjson_report(given))["diagnostics"]
    assert diagnostic["location"]["range"] == {"start": {"line": 31}}


def test_the_context_of_a_finding_in_a_notebook_names_cells() -> None:
    (file,) = notebook().files
    (told,) = file.findings
    assert told.context.reason == "in the loop at nb.ipynb, cell 3, line 1"
    assert list(map(str, told.context.path)) == ["nb.ipynb, cell 2, line 1"]
    assert list(map(str, told.context.times)) == [
        "once for each image (nb.ipynb, cell 3, line 2)",
        "once for each layer (model.py:9)",
    ]
