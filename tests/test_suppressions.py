"""Comments that suppress findings or correct contexts, complaints about them, and edits to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint
from hypothesis import given
from hypothesis import strategies as st

from synclint.adoption.edits import apply_edits
from synclint.adoption.suppressions import review
from synclint.sources.comments import source_lines

HEAD = "import torch\n\n\ndef loss(target: torch.Tensor, other: torch.Tensor) -> None:\n"
FIRST = HEAD.count("\n") + 1
UNKNOWN_TO_EVERY_PYTHON = "match x:::\n"


def codes(run: Synclint, path: Path, body: str, *arguments: str) -> list[tuple[str, int]]:
    """The codes and line numbers of what is found in a function with this body; its first line is line 1."""
    path.write_text(HEAD + body, encoding="utf-8")
    result = run(str(path), "--output-format", "json", *arguments)
    found = json.loads(result.out)
    return [(finding["code"], finding["location"]["row"] - FIRST + 1) for finding in found]


@pytest.mark.parametrize(
    "comment",
    [
        "# synclint: ignore[SYN101]",
        "# synclint: ignore[SYN101] the mask is needed below",
        "# synclint: ignore[nonzero]: by its name",
        "# synclint: ignore[SYN1]",
        "# synclint: ignore",
        "# synclint:ignore[ syn101 ]",
        "# type: ignore # synclint: ignore[SYN101]",
        "# see #12  # synclint: ignore[SYN101] see #13",
        "# noqa: SYN101",
        "# NOQA:SYN101",
        "# noqa: nonzero",
        "# noqa: E501, SYN101 the line is long, too",
        "# noqa: E501 SYN101",
        "# pragma: no cover # noqa: SYN101",
    ],
)
def test_a_comment_suppresses_the_finding_on_its_line(run: Synclint, tmp_path: Path, comment: str) -> None:
    body = f"    a = torch.nonzero(target)  {comment}\n    b = torch.nonzero(target)\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 2)]


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa  # see #12",
        "# noqa: E501",
        "# noqa: E501 nonsense",
        "# see synclint: ignore",
        "# flake8: noqa-file",
    ],
)
def test_comments_for_others_suppress_nothing_and_are_no_complaint(run: Synclint, tmp_path: Path, comment: str) -> None:
    body = f"    a = torch.nonzero(target)  {comment}\n    b = 1  {comment}\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 1)]


def test_a_suppression_of_one_rule_leaves_the_others(run: Synclint, tmp_path: Path) -> None:
    body = "    torch.unique(target[torch.nonzero(target)])  # synclint: ignore[unique]\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 1)]


@pytest.mark.parametrize("first", ["  # synclint: ignore[SYN101]", "  # noqa: SYN101", ""])
def test_the_first_and_the_last_line_speak_for_the_whole_statement(run: Synclint, tmp_path: Path, first: str) -> None:
    last = "" if first else "  # synclint: ignore[SYN101]"
    body = f"    a = (  # {first}\n        other,\n        torch.nonzero(\n            target),\n    ){last}\n"
    assert codes(run, tmp_path / "a.py", body) == []


def test_a_line_within_a_statement_speaks_for_itself(run: Synclint, tmp_path: Path) -> None:
    body = (
        "    a = (\n"
        "        torch.nonzero(target),\n"
        "        torch.nonzero(other),  # synclint: ignore[SYN101]\n"
        "        # synclint: ignore[SYN101] on a line of its own\n"
        "        torch.nonzero(target * other),\n"
        "    )\n"
    )
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 2)]


def test_a_header_ends_where_its_body_begins(run: Synclint, tmp_path: Path) -> None:
    body = "    if target.any():  # synclint: ignore[SYN301]\n        if other.any():\n            pass\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN301", 2)]


def test_a_comment_of_its_own_speaks_for_the_next_statement(run: Synclint, tmp_path: Path) -> None:
    body = "    # synclint: ignore[SYN101] why\n\n    a = torch.nonzero(target)\n    b = torch.nonzero(target)\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 4)]


def test_off_and_on_enclose_a_region(run: Synclint, tmp_path: Path) -> None:
    body = (
        "    # synclint: off\n"
        "    a = torch.nonzero(target)\n"
        "    # synclint: on\n"
        "    b = torch.nonzero(target)\n"
        "    # synclint: off[unique] to the end\n"
        "    c = torch.unique(target[torch.nonzero(target)])\n"
    )
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 4), ("SYN101", 6)]


def test_a_file_can_be_ignored_as_a_whole(run: Synclint, tmp_path: Path) -> None:
    body = "    a = torch.nonzero(target)\n    b = torch.unique(target)\n# synclint: ignore-file[SYN101] old\n"
    assert codes(run, tmp_path / "a.py", body) == [("SYN102", 2)]
    assert codes(run, tmp_path / "a.py", body.replace("[SYN101]", "")) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a = 1  # synclint: ignore[SYN101]", "suppresses no SYN101 nonzero here"),
        ("a = 1  # synclint: ignore", "suppresses nothing here"),
        ("a = 1  # noqa: E501, SYN101", "suppresses no SYN101 nonzero here"),
        (
            "a = torch.nonzero(target)  # synclint: ignore[nonzero, tolist]",
            "suppresses no SYN202 tolist here",
        ),
        ("a = torch.nonzero(target)  # synclint: ignore[nonzero, SYN9]", "unknown rule 'SYN9'"),
        ("a = 1  # synclint: ignore[nonzeros]", "unknown rule 'nonzeros'; did you mean 'nonzero'?"),
        ("a = 1  # noqa: SYN999", "unknown rule 'SYN999'"),
        ("a = 1  # synclint: ignroe[SYN101]", "there is no directive 'ignroe'; did you mean 'ignore'?"),
        ("a = 1  # synclint: ignore[SYN101", "needs the names of rules and a closing `]`"),
        ("a = 1  # synclint: ignore[]", "needs the names of rules and a closing `]`"),
        ("a = 1  # synclint: cold", "it is not on a function or a loop"),
        ("a = 1  # synclint: on", "there is no `synclint: off` before it"),
        ("a = 1  # synclint: off", "suppresses nothing here"),
        ("a = 1  # synclint: ignore-file[SYN7]", "suppresses no SYN7 here"),
    ],
)
def test_a_comment_that_does_nothing_is_a_finding_that_says_why(
    run: Synclint, tmp_path: Path, line: str, told: str
) -> None:
    (tmp_path / "a.py").write_text(f"{HEAD}    {line}\n")
    result = run("a.py", "--output-format", "concise")
    assert result.status == 1
    assert "SYN001 unused-suppression: " in result.out
    assert told in result.out


def test_whether_a_suppression_is_used_does_not_depend_on_what_is_asked_for(run: Synclint, tmp_path: Path) -> None:
    body = "    a = torch.nonzero(target)  # synclint: ignore[SYN101]\n"
    for arguments in (["--ignore", "SYN1"], ["--select", "SYN0"], ["--min-confidence", "high"]):
        assert codes(run, tmp_path / "a.py", body, *arguments) == []


def test_complaints_can_be_switched_off_and_silenced_by_name(run: Synclint, tmp_path: Path) -> None:
    body = "    a = 1  # synclint: ignore[SYN101]\n"
    assert codes(run, tmp_path / "a.py", body, "--ignore", "unused-suppression") == []
    assert codes(run, tmp_path / "a.py", body, "--select", "SYN101") == []
    assert codes(run, tmp_path / "a.py", body.replace("[SYN101]", "[SYN101, SYN001]")) == []


def test_a_required_reason_decides_whether_a_suppression_takes_effect(run: Synclint, tmp_path: Path) -> None:
    body = (
        "    a = torch.nonzero(target)  # synclint: ignore[SYN101]\n"
        "    b = torch.nonzero(target)  # synclint: ignore[SYN101] read once, at the end\n"
        "    c = torch.nonzero(target)  # noqa: SYN101\n"
        "    d = torch.nonzero(target)  # noqa: SYN101 read once\n"
    )
    (tmp_path / "synclint.toml").write_text("require-reason = true\n")
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 1), ("SYN101", 3)]
    assert "must give a reason" in run("a.py").out


def test_text_in_strings_is_no_comment(run: Synclint, tmp_path: Path) -> None:
    body = '    a = torch.nonzero(target), "# synclint: ignore[SYN101]"\n    """\n    # noqa: SYN101\n    """\n'
    assert codes(run, tmp_path / "a.py", body) == [("SYN101", 1)]


CONTEXTS = """\
import torch


# synclint: cold  only at the end of an epoch
@torch.no_grad()
def evaluate(prediction: torch.Tensor) -> float:
    for row in prediction:  # synclint: hot
        print(row.item())
    return prediction.sum().item()


class Model:
    def __init__(self, weight: torch.Tensor) -> None:  # synclint: hot
        self.total = weight.cuda().sum().item()


def after(prediction: torch.Tensor) -> float:
    return prediction.sum().item()
"""


def test_cold_and_hot_correct_the_context_of_a_function_or_loop(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CONTEXTS)
    found = json.loads(run("a.py", "--output-format", "json", "--select", "SYN2").out)
    assert [(finding["location"]["row"], finding["context"]["reason"]) for finding in found][:2] == [
        (8, f"marked hot at {tmp_path / 'a.py'}:7"),
        (14, f"marked hot at {tmp_path / 'a.py'}:13"),
    ]
    assert [finding["location"]["row"] for finding in found] == [8, 14, 18]
    cold = json.loads(run("a.py", "--output-format", "json", "--select", "SYN2", "--cold").out)
    assert (9, f"marked cold at {tmp_path / 'a.py'}:4") in {
        (f["location"]["row"], f["context"]["reason"]) for f in cold
    }


def test_syntax_that_this_python_does_not_know_leaves_the_comments_before_and_after_it() -> None:
    lines = source_lines("a = 1  # noqa\nb = '''\n" + UNKNOWN_TO_EVERY_PYTHON + "c = 1  # synclint: ignore\n")
    assert [(comment.line, comment.text) for comment in lines.comments] == [
        (1, "# noqa"),
        (4, "# synclint: ignore"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    lines = source_lines(f"\ufeffa = (1,  # x{end}  2){end}{end}if a: # y{end}    b = 1")
    assert [(line.first, line.last, line.indent, line.text) for line in lines.logical] == [
        (1, 2, 0, "a = (1, 2)"),
        (4, 4, 0, "if a:"),
        (5, 5, 4, "b = 1"),
    ]
    assert [(comment.line, comment.column) for comment in lines.comments] == [(1, 10), (4, 7)]


PIECES = ["# synclint: ignore[SYN101", "]", "# noqa: ", "SYN101", "# synclint: off", "on", "cold", "'", '"""']
PIECES += [
    "def f():",
    "for x in y:",
    "    ",
    "\t",
    "\\",
    "(",
    ")",
    "\n",
    "\r",
    "\f",
    "\x00",
    "é",
    "\ud800",
    "@",
    ",",
    "x = 1",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_whatever_stands_in_a_file_its_comments_are_read_without_an_error(source: str) -> None:
    lines = source_lines(source)
    firsts = [logical.first for logical in lines.logical]
    assert firsts == sorted(firsts)
    for comment in lines.comments:
        assert lines.physical[comment.line - 1][comment.column - 1 :].startswith(comment.text)
    reviewed = review([], source, Path("a.py"))
    for complaint in reviewed.complaints:
        assert complaint.span.start.line == complaint.span.end.line
        assert complaint.fix is None or apply_edits(source.removeprefix("\ufeff"), complaint.fix.edits) != source


PRUNED = {
    "a = 1  # synclint: ignore[SYN101] why\n": "a = 1\n",
    "# synclint: ignore[SYN101]\na = 1\n": "a = 1\n",
    "a = 1  # synclint: ignore[SYN101]  # type: ignore\n": "a = 1  # type: ignore\n",
    "a = 1  # type: ignore  # synclint: ignore[SYN101]\n": "a = 1  # type: ignore\n",
    "a = 1  # noqa: E501,SYN101,W291\n": "a = 1  # noqa: E501, W291\n",
    "a = 1  # noqa: SYN101\n": "a = 1\n",
    "# synclint: off\na = 1\n# synclint: on\nb = 1\n": "a = 1\nb = 1\n",
    "a = 1  # synclint: ignore[SYN101]": "a = 1",
    "a = 1  # synclint: ignore[SYN101]\r\nb = 1\r\n": "a = 1\r\nb = 1\r\n",
    "\ufeffa = 1  # synclint: ignore[SYN101] größe\n": "\ufeffa = 1\n",
}


@pytest.mark.parametrize("before", PRUNED, ids=range(len(PRUNED)))
def test_pruning_removes_what_is_of_no_use_and_nothing_else(run: Synclint, tmp_path: Path, before: str) -> None:
    (tmp_path / "a.py").write_bytes(before.encode())
    result = run("a.py", "--prune-ignores")
    assert result.status == 0
    assert (tmp_path / "a.py").read_bytes().decode() == PRUNED[before]
    assert run("a.py").status == 0


def test_pruning_keeps_what_is_of_use(run: Synclint, tmp_path: Path) -> None:
    body = "    a = torch.nonzero(target)  # synclint: ignore[SYN202, nonzero] why\n"
    (tmp_path / "a.py").write_text(HEAD + body)
    assert run("a.py", "--prune-ignores").err == "synclint: note: removed 1 unused suppression from 1 file\n"
    assert (tmp_path / "a.py").read_text() == HEAD + body.replace("SYN202, ", "")


ADDED = """\
import torch


def loss(target: torch.Tensor) -> torch.Tensor:
    a = torch.nonzero(target); b = torch.unique(target)
    c = torch.nonzero(  # layout
        target,
    )
    d = torch.nonzero(target)  # type: ignore
    e = torch.unique(target[torch.nonzero(target)])  # synclint: ignore[unique] counted once
    return '''
    ''', torch.nonzero(target)
"""


def test_comments_are_added_for_all_that_is_found(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ADDED)
    result = run("a.py", "--add-ignore", "--reason", "as it was")
    assert result.status == 0
    assert result.err == "synclint: note: suppressed 6 findings in 1 file\n"
    assert (tmp_path / "a.py").read_text() == (
        ADDED.replace("(target)\n    c", "(target)  # synclint: ignore[SYN101, SYN102] as it was\n    c")
        .replace("    )\n", "    )  # synclint: ignore[SYN101] as it was\n")
        .replace("# type: ignore\n", "# type: ignore  # synclint: ignore[SYN101] as it was\n")
        .replace("ignore[unique]", "ignore[unique, SYN101]")
        .replace("''', torch.nonzero(target)", "''', torch.nonzero(target)  # synclint: ignore[SYN101] as it was")
    )
    assert run("a.py").status == 0


def test_a_required_reason_is_required_of_added_comments(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    assert run("loss.py", "--add-ignore", "--require-reason").status == 2
    assert run("loss.py", "--add-ignore", "--require-reason", "--reason", "x").status == 0
    assert run("loss.py", "--require-reason").status == 0


def test_what_cannot_be_suppressed_is_still_reported(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run(".", "--add-ignore", "--output-format", "concise")
    assert result.status == 1
    assert result.out.startswith("broken.py:1:")
    assert (tmp_path / "broken.py").read_text() == "def f(:\n"


def test_a_cell_of_a_notebook_is_edited_and_the_rest_stays(run: Synclint, tmp_path: Path) -> None:
    def notebook(line: str) -> str:
        source = ["import torch\n", "def loss(target: torch.Tensor) -> None:\n", line]
        cells = [
            {"cell_type": "markdown", "metadata": {}, "source": ["# text"]},
            {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [], "source": source},
        ]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)

    path = tmp_path / "a.ipynb"
    path.write_text(notebook("    torch.nonzero(target)"))
    assert run("a.ipynb", "--add-ignore").status == 0
    assert path.read_text() == notebook("    torch.nonzero(target)  # synclint: ignore[SYN101]")
    assert run("a.ipynb").status == 0


def test_a_link_is_not_edited(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "loss.py").write_text(HAZARD)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "loss.py").symlink_to(tmp_path / "elsewhere" / "loss.py")
    result = run("here", "--add-ignore")
    assert result.status == 2
    assert "is a link" in result.err
    assert (tmp_path / "elsewhere" / "loss.py").read_text() == HAZARD


def test_other_encodings_are_kept(run: Synclint, tmp_path: Path) -> None:
    source = f"# coding: latin-1\n# größe\n{HAZARD}".encode("latin-1")
    (tmp_path / "loss.py").write_bytes(source)
    assert run("loss.py", "--add-ignore", "--reason", "漢").status == 2
    assert (tmp_path / "loss.py").read_bytes() == source
    assert run("loss.py", "--add-ignore", "--reason", "für später").status == 0
    assert "für später" in (tmp_path / "loss.py").read_text(encoding="latin-1")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--add-ignore", "--prune-ignores"],
        ["--reason", "x"],
        ["-", "--add-ignore"],
        ["--prune-baseline"],
        ["--write-baseline", "--baseline", "b.json", "--diff-base", "HEAD"],
    ],
)
def test_options_that_make_no_sense_together_are_wrong_use(run: Synclint, arguments: list[str]) -> None:
    assert run("check", *arguments, stdin=b"").status == 2


def test_findings_end_with_status_1_whatever_the_format(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    for form in (
        "text",
        "concise",
        "json",
        "sarif",
        "github",
        "gitlab",
        "junit",
        "rdjson",
        "pylint",
        "markdown",
    ):
        assert run("loss.py", "--output-format", form).status == 1


def test_a_missing_file_is_an_error_and_not_silence(run: Synclint) -> None:
    result = run("nowhere.py")
    assert result.status == 2
    assert "nowhere.py" in result.err


def test_suppressed_lines_are_left_alone_by_edits(run: Synclint, tmp_path: Path) -> None:
    suppressed = HAZARD.replace("(target)\n", "(target)  # noqa: SYN101\n")
    (tmp_path / "loss.py").write_text(suppressed)
    assert run("loss.py", "--add-ignore").status == 0
    assert (tmp_path / "loss.py").read_text() == suppressed


@pytest.mark.parametrize("comment", ["# noqa: SYN101", "# synclint: ignore[SYN101] -- read once"])
def test_what_comments_suppress_is_reported_where_they_are_to_be_ignored(
    run: Synclint, tmp_path: Path, comment: str
) -> None:
    (tmp_path / "loss.py").write_text(HAZARD.replace("(target)\n", f"(target)  {comment}\n"))
    assert run("loss.py").status == 0
    found = run("loss.py", "--ignore-noqa", "--output-format", "concise")
    assert found.status == 1
    assert "SYN101" in found.out and "SYN001" not in found.out


def test_a_comment_that_says_how_often_code_runs_counts_even_where_suppressions_do_not(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "loss.py").write_text(HAZARD.replace("def loss", "# synclint: runs=once\ndef loss"))
    assert run("loss.py", "--ignore-noqa").out == run("loss.py").out
