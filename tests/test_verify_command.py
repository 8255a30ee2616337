"""``synclint --verify`` as people run it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Synclint

import synclint.commands.verify as command
from synclint.verify.cases import rule_folders
from synclint.verify.isolation import Workshop
from synclint.verify.journal import Journal


def test_without_cuda_one_line_says_what_to_do(run: Synclint) -> None:
    ended = run("--verify", "--select", "SYN101")
    assert ended.status == 2
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert "--device sim" in line and "synclint[verify]" in line


def test_without_a_compiler_one_line_says_what_to_do_and_names_no_class(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNCLINT_DEVICE_FOLDER", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    ended = run("--verify", "--device", "sim", "--select", "SYN101")
    assert ended.status == 2
    (line,) = ended.err.splitlines()
    assert line.startswith(
        "synclint: error: the simulated device is compiled on first use, and there is no C++ compiler"
    )


def test_without_torch_one_line_says_what_to_do(run: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "installed_version", lambda package: None)
    ended = run("--verify")
    assert ended.status == 2
    (line,) = ended.err.splitlines()
    assert "PyTorch is not installed" in line
    assert "--device sim" in line and "synclint[verify]" in line
    (asked,) = run("--verify", "--device", "sim").err.splitlines()
    assert "synclint[verify]" in asked
    assert "--device" not in asked


def test_a_rule_that_does_not_exist_is_named_with_the_nearest(run: Synclint) -> None:
    ended = run("verify", "--device", "sim", "--select", "SYN101,nonzerro")
    assert ended.status == 2
    assert "unknown rule 'nonzerro'; did you mean 'nonzero'?" in ended.err


def test_a_confirmed_rule_ends_with_status_0_and_says_that_it_is_simulated(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--select", "nonzero")
    assert ended.status == 0, ended.out + ended.err
    assert "SYN101 nonzero" in ended.out
    assert "1 confirmed (simulated)" in ended.out
    assert "simulated device" in ended.out.splitlines()[1]


def test_json_is_all_there_is_on_standard_output(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--select", "nonzero", "--output-format", "json")
    document = json.loads(ended.out)
    assert document["simulated"] is True
    (case,) = document["cases"]
    assert (case["id"], case["verdict"], case["simulated"]) == ("SYN101", "confirmed", True)
    assert all(line["seen_by"] == ["simulated"] for line in case["lines"] if line["marked"])


def test_the_catalogue_is_verified_with_its_near_misses(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--catalog", "--select", "item", "--output-format", "json")
    (case,) = json.loads(ended.out)["cases"]
    assert (case["kind"], case["verdict"]) == ("catalogue", "confirmed")
    assert [line["side"] for line in case["lines"]].count("twin") >= 1


def test_a_rule_brings_its_catalogue_entries_along(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--catalog", "--select", "SYN101", "--output-format", "json")
    assert {case["id"] for case in json.loads(ended.out)["cases"]} >= {
        "SYN101",
        "nonzero",
        "where-one-argument",
    }


def test_a_report_is_written_and_named(run: Synclint, tmp_path: Path) -> None:
    ended = run("--verify", "--device", "sim", "--select", "nonzero", "--report", "proof")
    assert ended.status == 0
    assert "report: proof/index.html" in ended.out
    assert "Simulated" in (tmp_path / "proof" / "index.html").read_text(encoding="utf-8")
    (evidence,) = (tmp_path / "proof").glob("simulated-torch*.json")
    assert json.loads(evidence.read_text(encoding="utf-8"))["simulated"] is True


def test_a_report_directory_that_cannot_be_made_is_told_first(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    ended = run("--verify", "--device", "sim", "--select", "nonzero", "--report", "taken")
    assert ended.status == 2
    assert ended.out == ""
    assert "cannot write the report to taken" in ended.err and "--report" in ended.err


def test_a_report_that_can_no_longer_be_written_does_not_lose_the_results(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_and_spoil(folder: Path, *, resume: bool) -> Journal:
        (folder / "index.html").mkdir(parents=True)
        journal = Journal(folder / "measured.jsonl", resume=resume)
        (folder / "measured.jsonl").unlink()
        (folder / "measured.jsonl").mkdir()
        return journal

    monkeypatch.setattr(command, "open_journal", open_and_spoil)
    ended = run("--verify", "--device", "sim", "--select", "nonzero", "--report", "proof")
    assert ended.status == 2
    assert "1 confirmed (simulated)" in ended.out
    assert "cannot write the report to proof" in ended.err


def test_a_run_that_is_resumed_measures_nothing_again(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run("--verify", "--device", "sim", "--select", "nonzero", "--report", "proof")
    assert first.status == 0

    def refuse(*arguments: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(Workshop, "measure", refuse)
    again = run("--verify", "--device", "sim", "--select", "nonzero", "--report", "proof", "--resume")
    assert again.status == 0 and "1 confirmed (simulated)" in again.out


def test_only_a_report_can_be_resumed(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--resume")
    assert ended.status == 2 and "name it with --report" in ended.err


def test_termination_ends_a_run_with_what_it_has(tmp_path: Path) -> None:
    report = tmp_path / "proof"
    arguments = ["-m", "synclint", "--verify", "--device", "sim", "--select", "SYN10", "--report", str(report)]
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        journal = report / "measured.jsonl"
        deadline = time.monotonic() + 600
        while not (journal.exists() and journal.read_bytes().strip()):
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.05)
        process.terminate()
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130 and "interrupted" in err
    (evidence,) = report.glob("simulated-*.json")
    document = json.loads(evidence.read_text(encoding="utf-8"))
    assert document["interrupted"] and (report / "index.html").exists()
    # What was written down is known to the next run, even if the signal came before its verdict.
    resumed = subprocess.run([sys.executable, *arguments, "--resume"], capture_output=True, text=True, check=False)
    assert resumed.returncode == 0, resumed.stderr


def test_a_broken_rule_folder_gets_a_verdict_and_the_others_go_on(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "SYN100-broken"
    broken.mkdir()
    known = rule_folders()
    monkeypatch.setattr(command, "rule_folders", lambda: [broken, *known])
    ended = run("--verify", "--device", "sim", "--select", "broken,nonzero")
    assert ended.status == 1
    assert "SYN100-broken/rule.toml is missing" in ended.out
    assert "1 confirmed, 1 inconclusive (simulated)" in ended.out


def test_every_stage_of_a_case_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with command._progress(2) as announce:
        for stage in ("starting the device", "example, hazard total, warm-up", "example, trace"):
            announce(0, stage)
            assert stage in capsys.readouterr().err


def test_the_help_names_the_exit_statuses(run: Synclint) -> None:
    ended = run("verify", "--help")
    assert ended.status == 0
    assert "Exit status: 0 all confirmed" in ended.out
