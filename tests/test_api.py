"""What ``import synclint`` offers: the findings of the command, as data."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from command_line import CLEAN, HAZARD, Synclint

import synclint
from synclint import FilesNotCheckedError, SettingsError
from synclint.api.settings import OF_THE_COMMAND, Settings
from synclint.config.options import settings
from synclint.running import shares
from synclint.running.survey import survey

STEP = """\
import torch
from losses import loss


def train(model: torch.nn.Module, loader: list[torch.Tensor], optimizer: torch.optim.Optimizer) -> None:
    for batch in loader:
        total = loss(model(batch), batch)
        total.backward()
        optimizer.step()
"""
UNKNOWN: dict[str, Any] = {"selct": ["SYN1"]}
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Losses"]},
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": HAZARD},
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a few files, in which the program runs."""
    (tmp_path / "losses.py").write_text(HAZARD)
    (tmp_path / "train.py").write_text(STEP)
    (tmp_path / "clean.py").write_text(CLEAN)
    (tmp_path / "study.ipynb").write_text(json.dumps(NOTEBOOK))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_json(finding: synclint.Finding) -> dict[str, Any]:
    """A finding in the words of the JSON report, as far as that has them."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "mechanism": finding.mechanism,
        "priority": finding.priority,
        "group": finding.group,
        "cell": finding.cell,
        "filename": finding.file,
        "location": {"row": finding.start.line, "column": finding.start.column},
        "end_location": {"row": finding.end.line, "column": finding.end.column},
        "url": finding.url,
        "runs": finding.runs,
        "reason": finding.reason,
        "fix": fix and [(edit.content, edit.start.line, edit.start.column) for edit in fix.edits],
    }


def reported(out: str) -> list[dict[str, Any]]:
    """What a JSON report says, as far as ``as_json`` says it."""
    found = []
    for item in json.loads(out):
        context, fix = item["context"], item["fix"]
        keys = ("code", "name", "message", "severity", "confidence", "mechanism", "priority", "group", "cell",
                "filename", "location", "end_location", "url")  # fmt: skip
        edits = fix and [
            (edit["content"], edit["location"]["row"], edit["location"]["column"]) for edit in fix["edits"]
        ]
        told = {key: item[key] for key in keys}
        found.append(told | {"runs": context["runs"], "reason": context["reason"], "fix": edits})
    return found


def test_importing_synclint_imports_nothing_else_of_it() -> None:
    program = "import sys, synclint; print(*sorted(name for name in sys.modules if name.startswith('synclint')))"
    heavy = "print(*{'ast', 'click', 'libcst', 'torch', 'pathspec', 'multiprocessing'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", f"{program}; {heavy}"], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["synclint synclint.version", ""]


def test_every_offered_name_is_there_and_an_unknown_one_is_not() -> None:
    assert {name for name in synclint.__all__ if hasattr(synclint, name)} == set(synclint.__all__)
    assert set(synclint.__all__) <= set(dir(synclint))
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        synclint.chekc  # noqa: B018


def test_all_settings_but_those_of_reports_are_keyword_arguments() -> None:
    assert set(Settings.__annotations__) == {setting.field for setting in settings()} - OF_THE_COMMAND


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ((), {}),
        (("--runs", "all", "--min-confidence", "low"), {"runs": ["all"], "min_confidence": "low"}),
        (("--ignore", "SYN1"), {"ignore": ["SYN1"]}),
        (("--exclude", "*.ipynb"), {"exclude": ["*.ipynb"]}),
        (("--severity", "SYN101=error"), {"severity": {"SYN101": "error"}}),
    ],
)
def test_checked_paths_give_the_findings_of_the_command(
    project: Path, run: Synclint, arguments: tuple[str, ...], given: dict[str, Any]
) -> None:
    told = reported(run("check", "--output-format", "json", *arguments, ".").out)
    assert [as_json(finding) for finding in synclint.check_paths(["."], **given)] == told
    assert told or given


def test_a_checked_source_gives_the_findings_of_standard_input(project: Path, run: Synclint) -> None:
    told = reported(run("check", "-", "--output-format", "json", stdin=HAZARD.encode()).out)
    assert [as_json(finding) for finding in synclint.check_source(HAZARD)] == told
    named = reported(
        run("check", "-", "--stdin-filename", "new.py", "--output-format", "json", stdin=HAZARD.encode()).out
    )
    assert [as_json(finding) for finding in synclint.check_source(HAZARD, "new.py")] == named
    assert {item["filename"] for item in told} == {"-"}
    assert {item["filename"] for item in named} == {str(project / "new.py")}


def test_a_finding_tells_advice_evidence_and_the_calls_that_lead_there(project: Path) -> None:
    (finding,) = synclint.check_paths("losses.py", runs=["all"])
    assert finding.help
    assert finding.evidence[-1:] == ("its device is not known: tensors are assumed to be on the device",)
    (known,) = (each for each in synclint.check_paths(".") if each.file.endswith("losses.py"))
    assert known.path == (synclint.Call(str(project / "train.py"), 7, "train"),)
    assert known.work == "training"
    assert str(known).startswith(f"{project / 'losses.py'}:5:12: SYN101 ")


def test_a_finding_in_a_notebook_counts_lines_within_its_cell(project: Path) -> None:
    (finding,) = synclint.check_paths("study.ipynb")
    assert (finding.cell, finding.start, finding.end.line) == (2, synclint.Position(5, 12), 5)


def test_findings_are_frozen_and_survive_pickling(project: Path) -> None:
    findings = synclint.check_paths(".")
    assert pickle.loads(pickle.dumps(findings)) == findings
    with pytest.raises(AttributeError):
        findings[0].code = "SYN000"  # type: ignore[misc]


def test_a_finding_of_an_untrusted_file_prints_without_control_characters() -> None:
    (finding,) = synclint.check_source(HAZARD, "\x1b[31mred.py")
    assert "\x1b" not in str(finding)


def test_a_baseline_of_the_configuration_leaves_out_what_it_lists(project: Path, run: Synclint) -> None:
    assert synclint.check_paths(".")
    run("check", "--baseline", "known.json", "--write-baseline", ".")
    (project / "synclint.toml").write_text('baseline = "known.json"\n')
    assert synclint.check_paths(".") == []
    assert synclint.check_paths(".", isolated=True)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: synclint.check_paths(".", **UNKNOWN), SettingsError, "unknown setting 'selct'; did you mean 'select'"),
        (lambda: synclint.check_paths(".", select=["SYN999"]), SettingsError, "select: unknown rule 'SYN999'"),
        (lambda: synclint.check_paths(".", runs="eval"), SettingsError, "runs: expected a list of at least one of"),
        (lambda: synclint.check_paths(".", config="no.toml"), SettingsError, "config: there is no file"),
        (lambda: synclint.check_source("", baseline="no.json"), SettingsError, "no.json"),
        (lambda: synclint.Project(".", jobs=0), SettingsError, "jobs: expected an integer of at least 1"),
        (lambda: synclint.check_paths("nowhere"), FilesNotCheckedError, "nowhere: no such file or directory"),
        (lambda: synclint.check_source("no json", "a.ipynb"), FilesNotCheckedError, "a.ipynb: is not a notebook"),
        (lambda: synclint.explain("SYN10"), synclint.UnknownRuleError, "unknown rule 'SYN10'"),
    ],
)  # fmt: skip
def test_wrong_use_raises_a_documented_error_of_one_line(
    project: Path, call: Callable[[], object], kind: type[synclint.SynclintError], message: str
) -> None:
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, synclint.SynclintError)


def test_files_that_cannot_be_read_keep_no_findings_of_others_back(project: Path) -> None:
    with pytest.raises(synclint.FilesNotCheckedError) as raised:
        synclint.check_paths(["losses.py", "nowhere.py", "neither.py"])
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == "neither.py: no such file or directory (and 1 more)"
    assert [finding.code for finding in again.findings] == ["SYN101"]


def test_explain_gives_the_page_of_a_rule() -> None:
    page = synclint.explain("item-in-hot-code")
    assert page == synclint.explain("SYN201")
    assert str(page).startswith("# SYN201")


class Broken(Executor):
    """An executor whose workers are dead."""

    def submit(self, fn: Callable[..., Any], /, *args: object, **kwargs: object) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(EOFError("the worker\nhas gone"))
        return future


def test_a_broken_executor_raises_a_documented_error_of_one_line(project: Path) -> None:
    with pytest.raises(synclint.ExecutorError, match="the executor did not finish: EOFError: the worker has gone"):
        synclint.check_paths(".", executor=Broken())


@pytest.fixture
def two_shares(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same project, of two shares."""
    monkeypatch.setattr(shares, "SHARE_BYTES", 4000)
    assert len(shares.shares_of(survey(sorted(project.iterdir()), [project]))) == 2
    return project


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_gives_the_findings_of_a_run_here(two_shares: Path, kind: Callable[[int], Executor]) -> None:
    here = synclint.check_paths(".", jobs=1, runs=["all"])
    with kind(2) as executor:
        there = synclint.check_paths(".", executor=executor, runs=["all"])
    assert repr(there) == repr(here)
    assert here


def test_two_threads_check_with_settings_of_their_own(project: Path) -> None:
    expected = {code: synclint.check_paths(".", select=[code]) for code in ("SYN101", "SYN2", "SYN3")}
    found: dict[str, list[synclint.Finding]] = {}

    def check(code: str) -> None:
        for _ in range(3):
            found[code] = synclint.check_paths(".", select=[code])

    threads = [threading.Thread(target=check, args=(code,)) for code in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected
