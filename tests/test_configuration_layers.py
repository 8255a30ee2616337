"""Settings from several places: files that extend others, variables, inline settings, and what wins."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HAZARD, Synclint
from test_config import effective, plant

from synclint import __version__


def test_a_hidden_file_comes_before_the_others(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {".synclint.toml": "jobs = 2\n", "synclint.toml": "jobs = 3\n"})
    assert effective(run)["jobs"] == "jobs = 2  # .synclint.toml"


def test_a_file_takes_from_the_one_that_it_extends_what_it_does_not_say(run: Synclint, tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "base/synclint.toml": 'jobs = 3\nruns = ["eval"]\nexclude = ["old/"]\n',
            "synclint.toml": 'extend = "base/synclint.toml"\njobs = 2\n',
        },
    )
    found = effective(run)
    assert found["jobs"] == "jobs = 2  # synclint.toml"
    assert found["runs"] == 'runs = ["eval"]  # base/synclint.toml'


def test_patterns_of_an_extended_file_are_relative_to_its_own_directory(run: Synclint, tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "base.toml": 'exclude = ["/loss.py", "/app/old/"]\n',
            "app/synclint.toml": 'extend = "../base.toml"\n',
            "app/loss.py": HAZARD,
            "app/old/loss.py": HAZARD,
        },
    )
    assert run("--show-files", "app").out.splitlines() == ["app/loss.py"]


def test_files_that_extend_each_other_are_told_in_one_line(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'extend = "a.toml"\n', "a.toml": 'extend = "synclint.toml"\n'})
    result = run(".")
    assert result.status == 2
    assert result.err.splitlines() == [
        "synclint: error: a.toml: extend: files extend each other in a circle: synclint.toml -> a.toml -> synclint.toml"
    ]


@pytest.mark.parametrize(
    ("value", "said"), [('"none.toml"', "there is no file 'none.toml'"), ("3", "expected the path")]
)
def test_what_cannot_be_extended_is_told(run: Synclint, tmp_path: Path, value: str, said: str) -> None:
    plant(tmp_path, {"synclint.toml": f"extend = {value}\n"})
    result = run(".")
    assert result.status == 2
    assert f"synclint.toml: extend: {said}" in result.err


@pytest.mark.parametrize("required", [">=900", "899.0", "==899"])
def test_another_required_release_ends_the_run_before_its_keys_are_read(
    run: Synclint, tmp_path: Path, required: str
) -> None:
    plant(tmp_path, {"synclint.toml": f'required-version = "{required}"\nof-the-future = 1\n'})
    result = run(".")
    assert result.status == 2
    assert result.err.splitlines() == [
        f"synclint: error: synclint.toml: required-version: this is synclint {__version__}, but {required!r} is "
        "required"
    ]


def test_the_required_release_may_be_this_one(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": f'required-version = "{__version__}"\n', "loss.py": HAZARD})
    assert run("loss.py").status == 1


def test_what_is_no_release_is_told(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'required-version = "new"\n'})
    assert "expected a release or a range such as '>=0.4', got 'new'" in run(".").err


def test_variables_come_before_files_and_after_options(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, {"synclint.toml": 'runs = ["eval"]\njobs = 3\n'})
    monkeypatch.setenv("SYNCLINT_RUNS", "step,once")
    monkeypatch.setenv("SYNCLINT_JOBS", "2")
    found = effective(run)
    assert found["runs"] == 'runs = ["step", "once"]  # environment'
    assert found["jobs"] == "jobs = 2  # environment"
    assert effective(run, "--jobs", "4")["jobs"] == "jobs = 4  # command line"


def test_a_wrong_variable_is_wrong_use(run: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYNCLINT_SELECT", "SYN999")
    result = run(".")
    assert result.status == 2
    assert "unknown rule 'SYN999'" in result.err
    assert "(in SYNCLINT_SELECT)" in result.err


def test_a_setting_can_be_given_as_toml(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": "jobs = 3\n", "other.toml": "jobs = 5\n"})
    assert effective(run, "--config", "jobs = 2")["jobs"].startswith("jobs = 2")
    found = effective(run, "--config", "other.toml", "--config", 'select = ["SYN1"]')
    assert found["jobs"] == "jobs = 5  # other.toml"
    assert found["select"].startswith('select = ["SYN1"]')


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("none.toml", "there is no file 'none.toml'"),
        ("jobs = = 2", "neither a file nor a setting in TOML"),
        ("job = 2", "unknown key 'job'; did you mean 'jobs'?"),
        ("jobs = 0", "jobs: expected an integer of at least 1"),
    ],
)
def test_a_wrong_inline_setting_is_told(run: Synclint, given: str, said: str) -> None:
    result = run("--config", given, ".")
    assert result.status == 2
    assert said in result.err


def test_the_severity_of_a_rule_can_be_set_and_decides_the_status(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"loss.py": HAZARD})
    assert run("loss.py", "--fail-on", "error").status == 0
    assert run("loss.py", "--fail-on", "error", "--severity", "SYN1=error").status == 1
    assert run("loss.py", "--fail-on", "error", "--severity", "SYN1=error,nonzero=info").status == 0
    assert run("loss.py", "--fail-on", "high").status == 1


def test_the_release_can_differ_by_file(run: Synclint, tmp_path: Path) -> None:
    source = "import torchmetrics\nimport torch\n\n\ndef f(x: torch.Tensor):\n    return x.unique()\n"
    plant(tmp_path, {"new/a.py": source, "old/a.py": source})
    assert run("--per-file-torch-version", "old/**:1.0", ".").status == 1
    assert effective(run, "--per-file-torch-version", "old/**:1.0")["per-file-torch-version"].startswith(
        'per-file-torch-version = {"old/**" = "1.0"}'
    )


def test_a_release_that_will_not_be_is_refused(run: Synclint) -> None:
    assert "there is no release '99.0' of PyTorch" in run("--torch-version", "99.0", ".").err


def test_files_can_be_listed_without_being_checked(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "(", "b/c.py": HAZARD, "build/d.py": HAZARD})
    result = run("--show-files", ".")
    assert (result.status, result.out.splitlines()) == (0, ["a.py", "b/c.py"])


def test_standard_input_is_left_out_where_exclusions_are_forced(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'exclude = ["old/"]\n'})
    arguments = ("--force-exclude", "-", "--stdin-filename", "old/a.py")
    assert run(*arguments, stdin=HAZARD.encode()).status == 0
    assert run("-", "--stdin-filename", "old/a.py", stdin=HAZARD.encode()).status == 1


def test_a_misspelled_command_is_told_from_a_path(run: Synclint, tmp_path: Path) -> None:
    result = run("chekc")
    assert (result.status, "did you mean 'check'?" in result.err) == (2, True)
    plant(tmp_path, {"chekc/loss.py": HAZARD})
    assert run("chekc").status == 1


@pytest.mark.parametrize(("choice", "colored"), [("always", True), ("never", False)])
def test_colour_can_be_chosen(run: Synclint, tmp_path: Path, choice: str, colored: bool) -> None:
    plant(tmp_path, {"loss.py": HAZARD})
    assert ("\x1b[" in run("--color", choice, "loss.py").out) is colored
