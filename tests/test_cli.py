"""The program as its users call it: arguments, output, exit status."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CLEAN, COLD, HAZARD, Run, Synclint

import synclint


def test_findings_end_with_status_1_and_a_summary(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "clean.py").write_text(CLEAN)
    result = run("check", ".")
    assert result.status == 1
    assert "loss.py:5:12: SYN101 nonzero: " in result.out
    assert "5 |     kept = torch.nonzero(target)\n  |            ^^^^^^^^^^^^^^^^^^^^^" in result.out
    assert "= help: " in result.out
    assert result.out.endswith("1 wait in the training step (1 of 2 files).\n")
    assert result.err == ""


def test_nothing_found_ends_with_status_0(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text(CLEAN)
    assert run("clean.py") == Run(0, "No waits found in 1 file.\n", "")


def test_check_is_the_default_command(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    assert run("loss.py") == run("check", "loss.py")
    assert run("--output-format", "concise", "loss.py") == run("check", "--output-format", "concise", "loss.py")


def test_a_path_with_the_name_of_a_command_can_still_be_checked(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "loss.py").write_text(HAZARD)
    assert run("check", "rules").status == run("./rules").status == 1


def test_exit_zero_keeps_the_findings_and_drops_the_status(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run("loss.py", "--exit-zero")
    assert result.status == 0
    assert "SYN101" in result.out


def test_quiet_prints_findings_and_nothing_else(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "clean.py").write_text(CLEAN)
    assert run("-q", "clean.py") == Run(0, "", "")
    result = run("--quiet", "loss.py")
    assert "SYN101" in result.out
    assert "each step (" not in result.out


def test_select_and_ignore_take_codes_prefixes_and_names(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    for selected in ("SYN101", "SYN1", "nonzero", "SYN102,nonzero"):
        assert run("loss.py", "--select", selected).status == 1
    assert run("loss.py", "--select", "SYN102").status == 0
    for ignored in ("SYN101", "SYN1", "nonzero"):
        assert run("loss.py", "--ignore", ignored).status == 0


def test_an_unknown_rule_is_wrong_use_and_the_nearest_one_is_named(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run("loss.py", "--ignore", "nonzeros")
    assert result.status == 2
    assert result.out == ""
    assert result.err == "synclint: error: unknown rule 'nonzeros'; did you mean 'nonzero'? (in --ignore)\n"


def test_cold_code_is_reported_when_asked_for(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(COLD)
    assert run("module.py", "--select", "item-in-hot-code").status == 0
    assert run("module.py", "--select", "item-in-hot-code", "--cold").status == 1


def test_json_positions_count_from_one_in_characters(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD.replace("kept", "größe"), encoding="utf-8")
    (finding,) = json.loads(run("loss.py", "--output-format", "json").out)
    assert finding["code"] == "SYN101"
    assert finding["filename"] == str(tmp_path / "loss.py")
    assert finding["location"] == {"row": 5, "column": 13}
    assert finding["end_location"] == {"row": 5, "column": 34}


def test_standard_input_is_checked_under_the_name_given(run: Synclint) -> None:
    result = run("-", "--stdin-filename", "pkg/loss.py", "--output-format", "concise", stdin=HAZARD.encode())
    assert result.status == 1
    assert result.out.startswith("pkg/loss.py:5:12: SYN101")
    assert run("-", "--output-format", "concise", stdin=HAZARD.encode()).out.startswith("-:5:12: SYN101")


def test_standard_input_stands_alone(run: Synclint) -> None:
    assert run("-", "a.py", stdin=b"").status == 2
    assert run("a.py", "--stdin-filename", "b.py", stdin=b"").status == 2


def test_statistics_count_instead_of_listing(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run("loss.py", "--statistics")
    assert result.status == 1
    assert result.out.splitlines() == [
        "1  SYN101  nonzero",
        "",
        "1  in each step",
        "",
        "1  of high confidence",
        "1 wait in the training step (1 of 1 file).",
    ]
    listed = run("loss.py", "--statistics", "--output-format", "json").out
    (row,) = json.loads(listed)
    assert (row["code"], row["name"], row["count"], row["runs"]) == ("SYN101", "nonzero", 1, {"step": 1})


def test_several_processes_find_the_same_in_the_same_order(run: Synclint, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"m{number:02}.py").write_text(HAZARD if number % 3 else CLEAN)
    alone = run(".", "--jobs", "1", "--output-format", "json")
    assert len(json.loads(alone.out)) == 26
    assert run(".", "--jobs", "2", "--output-format", "json") == alone


def test_output_does_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "synclint", "."],
            cwd=tmp_path, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(outputs) == 1


def test_version_and_help(run: Synclint) -> None:
    assert run("--version") == Run(0, f"synclint {synclint.__version__}\n", "")
    assert "synclint src/" in run("--help").out
    assert "Examples:" in run("check", "--help").out
    assert run("check", "-h").status == 0


@pytest.mark.parametrize("arguments", ["['--version']", "['--help']", "['rules']", "['explain', 'nonzero']"])
def test_commands_that_check_nothing_do_not_import_the_engine(arguments: str, tmp_path: Path) -> None:
    program = (
        "import sys; from synclint.cli import main; "
        f"status = main({arguments}); "
        "sys.exit(status or ('libcst' in sys.modules or 'torch' in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)


def test_checking_does_not_import_torch(tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    program = "import sys; from synclint.cli import main; main(['loss.py']); sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)


def test_what_is_checked_is_never_imported_or_executed(run: Synclint, tmp_path: Path) -> None:
    trap = "from pathlib import Path\nPath('sprung').touch()\n"
    package = tmp_path / "torch_helpers"
    package.mkdir()
    for name in ("__init__.py", "conftest.py", "setup.py", "sitecustomize.py"):
        (package / name).write_text(trap)
    (tmp_path / "user.py").write_text("import torch_helpers\nfrom torch_helpers import conftest\n" + HAZARD)
    assert run(".").status == 1
    assert not (tmp_path / "sprung").exists()


def test_rules_lists_codes_and_names(run: Synclint) -> None:
    result = run("rules")
    assert result.status == 0
    assert [line.split()[:2] for line in result.out.splitlines()[:4]] == [
        ["SYN000", "syntax-error"],
        ["SYN001", "unused-suppression"],
        ["SYN002", "analysis-limit"],
        ["SYN003", "internal-error"],
    ]


def test_rules_can_be_read_by_programs(run: Synclint) -> None:
    listed = {rule["code"]: rule for rule in json.loads(run("rules", "--output-format", "json").out)}
    assert listed["SYN101"]["name"] == "nonzero"
    assert "nonzero" in listed["SYN101"]["matches"]
    assert listed["SYN101"]["mechanism"] == "data-dependent-shape"


def test_explain_prints_the_page_of_a_rule_by_code_or_name(run: Synclint) -> None:
    page = run("explain", "SYN101")
    assert page.status == 0
    assert page.out.startswith("# SYN101 nonzero\n")
    assert page == run("explain", "nonzero")
    assert run("explain", "syntax-error").out.startswith("# SYN000 syntax-error\n")


def test_explain_does_not_know_every_word(run: Synclint) -> None:
    result = run("explain", "SYN1O1")
    assert (result.status, result.err) == (
        2,
        "synclint: error: unknown rule 'SYN1O1'; did you mean 'SYN101'?\n",
    )


def test_without_arguments_the_help_is_shown(run: Synclint) -> None:
    result = run()
    assert (result.status, result.err) == (2, "")
    assert result.out == run("--help").out


def test_wrong_options_are_named_in_one_line(run: Synclint) -> None:
    for arguments in (
        ["--outptu-format", "json"],
        ["--min-confidence", "sure"],
        ["--jobs", "0"],
        ["explain"],
    ):
        result = run(*arguments)
        assert result.status == 2
        assert result.err.startswith("synclint: error: ")
        assert result.err.count("\n") == 1


def test_verify_is_a_command_and_an_option(run: Synclint) -> None:
    assert run("verify", "--help").out == run("--verify", "--help").out
    assert run("verify", "--help").status == 0


def test_no_line_of_a_help_is_longer_than_80_columns(run: Synclint) -> None:
    for command in ([], ["check"], ["config"], ["clean"], ["rules"], ["explain"], ["trace"], ["verify"], ["server"]):
        lines = run(*command, "--help").out.splitlines()
        assert max(map(len, lines)) <= 80, command


def test_the_short_names_of_version_and_verbose(run: Synclint, tmp_path: Path) -> None:
    assert run("-V").out == run("--version").out
    (tmp_path / "synclint.toml").write_text('torch-version = "2.4"\n')
    (tmp_path / "loss.py").write_text(CLEAN)
    told = run("-v", "--no-cache", ".")
    assert told.out == run("--no-cache", ".").out
    assert f"settings from {tmp_path / 'synclint.toml'};" in told.err
    assert "note: PyTorch 2.4 is assumed" in told.err
    assert "no results are kept" in told.err


def test_what_runs_have_kept_can_be_removed_and_nothing_beside_it(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "mine.json").write_text("{}")
    first = run("--cache-dir", "kept", ".")
    cleaned = run("clean", "--cache-dir", "kept")
    assert (cleaned.status, cleaned.err) == (0, "")
    assert re.fullmatch(r"Removed \d+ kept results \(\d+\.\d MB\) from .*kept\.\n", cleaned.out)
    assert [path.name for path in kept.rglob("*.json")] == ["mine.json"]
    assert run("clean", "--cache-dir", "kept").out == f"Nothing is kept in {kept}.\n"
    assert run("--cache-dir", "kept", ".") == first
