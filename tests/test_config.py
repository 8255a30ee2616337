"""Where settings come from, what they do, and what is said of those that are wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from command_line import CLEAN, COLD, HAZARD, Run, Synclint

from synclint.config.dependencies import known_releases, release_allowed
from synclint.config.options import settings
from synclint.config.schema import SCHEMA_FILE, schema, schema_text

REPOSITORY = Path(__file__).parent.parent
MEAN = """\
import torch
import torchmetrics


def epoch(loader: list[torch.Tensor], metric: torchmetrics.MeanMetric, device: torch.device) -> None:
    metric = torchmetrics.MeanMetric(nan_strategy="ignore").to(device)
    for batch in loader:
        loss = batch.to(device, non_blocking=True).mean()
        loss.backward()
        metric.update(loss)
"""


def plant(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def effective(run: Synclint, *arguments: str) -> dict[str, str]:
    """What ``synclint config`` shows of each setting: its value, and after ``#`` its origin."""
    result = run("config", *arguments)
    assert result.status == 0, result.err
    lines = (line.removeprefix("# ") for line in result.out.splitlines())
    return {line.split()[0]: line for line in lines}


def test_settings_are_read_from_pyproject(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": '[tool.synclint]\nignore = ["nonzero"]\n', "loss.py": HAZARD})
    assert run("loss.py").status == 0
    assert run("--isolated", "loss.py").status == 1


def test_synclint_toml_comes_before_pyproject_in_the_same_directory(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": "[tool.synclint]\njobs = 2\n", "synclint.toml": "jobs = 3\n"})
    assert effective(run)["jobs"] == "jobs = 3  # synclint.toml"


def test_each_file_follows_the_nearest_configuration_above_it(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": '[tool.synclint]\nignore = ["SYN1"]\n', "a/loss.py": HAZARD})
    plant(tmp_path, {"b/synclint.toml": "cold = false\n", "b/deep/loss.py": HAZARD})
    result = run(".", "--output-format", "concise")
    assert [line.split(":")[0] for line in result.out.splitlines()[:-1]] == ["b/deep/loss.py"]


def test_a_pyproject_without_our_table_is_passed_over(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'ignore = ["SYN1"]\n', "a/pyproject.toml": "[tool.ruff]\n"})
    plant(tmp_path, {"a/loss.py": HAZARD})
    assert run("a").status == 0


def test_the_command_line_comes_before_files(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'cold = true\nselect = ["SYN2"]\n', "module.py": COLD})
    assert run("module.py").status == 1
    assert run("module.py", "--no-cold").status == 0
    assert run("module.py", "--select", "SYN1").status == 0


def test_config_names_one_file_for_everything(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"ci/strict.toml": 'ignore = ["SYN101"]\n', "synclint.toml": "", "loss.py": HAZARD})
    assert run("loss.py").status == 1
    assert run("loss.py", "--config", "ci/strict.toml").status == 0
    assert run("loss.py", "--config", "ci/strict.toml", "--isolated").status == 2
    assert run("loss.py", "--config", "nowhere.toml").status == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("slect = []", "synclint.toml: unknown key 'slect'; did you mean 'select'?"),
        ("zzz = 1", "synclint.toml: unknown key 'zzz'; `synclint config` lists the keys"),
        ("jobs = 'two'", "synclint.toml: jobs: expected an integer of at least 1, but got 'two'"),
        ("jobs = true", "synclint.toml: jobs: expected an integer of at least 1, but got True"),
        ("jobs = 0", "synclint.toml: jobs: expected an integer of at least 1, but got 0"),
        ("cold = 'yes'", "synclint.toml: cold: expected true or false, but got 'yes'"),
        (
            "min-confidence = 'hgh'",
            "min-confidence: expected one of 'low', 'medium', 'high', but got 'hgh'; did you mean 'high'?",
        ),
        ("select = 'SYN1'", "select: expected a list of rules: codes, code prefixes or names, but "),
        ("ignore = [1]", "ignore: expected a list of rules: codes, code prefixes or names, but got 1"),
        ("ignore = ['nonzeros']", "ignore: unknown rule 'nonzeros'; did you mean 'nonzero'?"),
        ("per-file-ignores = {'a' = ['SYN9']}", "per-file-ignores: unknown rule 'SYN9'"),
        ("torch-version = 2.6", "torch-version: expected a release such as '2.6', but got 2.6"),
        ("library-versions = {torchmetrics = 1.6}", "library-versions: expected a table from libraries to "),
        ("cache-dir = '../outside'", "cache-dir: '../outside' leads out of the directory of the "),
        ("baseline = '/etc/passwd'", "baseline: '/etc/passwd' leads out of the directory of the "),
        ("select = [", "synclint.toml: not valid TOML: "),
        ("select = " + "[" * 5000, "synclint.toml: nested too deeply"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_with_file_key_and_what_is_allowed(
    run: Synclint, tmp_path: Path, text: str, told: str
) -> None:
    plant(tmp_path, {"synclint.toml": f"{text}\n", "clean.py": CLEAN})
    result = run("clean.py")
    assert result.status == 2
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert told in line


def test_every_mistake_of_a_file_is_told_at_once(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": "[tool.synclint]\njobs = 0\ncolt = true\n", "clean.py": CLEAN})
    result = run("clean.py")
    assert result.err.splitlines() == [
        "synclint: error: pyproject.toml: [tool.synclint] jobs: expected an integer of at least 1, but got 0",
        "synclint: error: pyproject.toml: [tool.synclint] unknown key 'colt'; did you mean 'cold'?",
    ]


def test_a_link_cannot_lead_a_configured_path_out_of_the_project(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"outside/secret.json": "{}", "project/clean.py": CLEAN})
    (tmp_path / "project" / "link").symlink_to(tmp_path / "outside")
    plant(tmp_path, {"project/synclint.toml": "baseline = 'link/secret.json'\n"})
    result = run("project")
    assert result.status == 2
    assert "leads out of the directory" in result.err


def test_wrong_values_on_the_command_line_name_the_option(run: Synclint) -> None:
    assert run(".", "--jobs", "0").err.endswith("but got 0 (in --jobs)\n")
    assert "(in --library-versions)" in run(".", "--library-versions", "torchmetrics").err
    assert run(".", "--min-confidence", "hgh").status == 2


def test_per_file_ignores_hold_where_their_pattern_matches(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": '[tool.synclint.per-file-ignores]\n"tests/**" = ["nonzero"]\n'})
    plant(tmp_path, {"tests/a/loss.py": HAZARD, "src/loss.py": HAZARD})
    assert run("tests").status == 0
    assert run("src").status == 1
    assert run("src", "--per-file-ignores", "src/*:SYN101").status == 0
    assert run("tests", "--per-file-ignores", "!src/:SYN101", "--isolated").status == 0
    assert run("tests", "--select", "SYN101").status == 0


def test_exclusions_add_up_and_named_files_are_excluded_when_forced(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'extend-exclude = ["old/", "*_pb2.py"]\n', "kept.py": CLEAN})
    plant(tmp_path, {"old/loss.py": HAZARD, "src/loss_pb2.py": HAZARD, "build/loss.py": HAZARD})
    assert run(".") == Run(0, "No waits found in 1 file.\n", "")
    assert run("old/loss.py").status == 1
    assert run("old/loss.py", "--force-exclude").status == 0
    assert run("build/loss.py", "--force-exclude").status == 0
    assert run(".", "--exclude", "src", "--extend-exclude", "old").status == 1


def test_include_decides_which_files_are_checked(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": 'include = ["*.pyx.py", "scripts/train"]\n'})
    plant(tmp_path, {"scripts/train": HAZARD, "loss.py": HAZARD})
    assert run(".", "--output-format", "concise").out.startswith("scripts/train:5:12")


def test_gitignore_can_be_disregarded(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "loss.py\n", "loss.py": HAZARD, "clean.py": CLEAN})
    assert run(".").status == 0
    assert run(".", "--no-respect-gitignore").status == 1


def test_releases_decide_what_is_reported(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"train.py": MEAN})
    assert run("train.py", "--select", "metric-default-weight").status == 0
    assert run("train.py", "--select", "SYN501", "--library-versions", "torchmetrics=1.6").status == 1
    plant(tmp_path, {"synclint.toml": 'library-versions = {torchmetrics = "1.6"}\n'})
    assert run("train.py", "--select", "SYN501").status == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", 'version = 1\n\n[[package]]\nname = "torchmetrics"\nversion = "1.6.0"\n'),
        ("poetry.lock", '[[package]]\nname = "torchmetrics"\nversion = "1.6.0"\ndescription = "x"\n'),
        ("requirements-dev.txt", "-r base.txt\nTorchMetrics[audio] == 1.6.0 ; python_version > '3'\n"),
        ("requirements/base.txt", "torchmetrics==1.6.0 --hash=sha256:00\n"),
        ("pyproject.toml", '[project]\nname = "p"\ndependencies = ["torchmetrics<=1.6.0"]\n'),
        ("pyproject.toml", '[dependency-groups]\ntrain = ["torchmetrics~=1.6.0"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorchmetrics = {version = "1.6.0"}\n'),
    ],
)  # fmt: skip
def test_the_release_of_a_library_is_read_from_the_project(run: Synclint, tmp_path: Path, name: str, text: str) -> None:
    plant(tmp_path, {name: text, "src/train.py": MEAN})
    assert run("src/train.py", "--select", "SYN501").status == 1
    assert run("src/train.py", "--select", "SYN501", "--isolated").status == 0
    assert run("src/train.py", "--select", "SYN501", "--library-versions", "torchmetrics=1.9").status == 0
    assert f"# {name}" in effective(run)["library-versions"]


def test_the_release_of_torch_is_read_from_the_project(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"uv.lock": '[[package]]\nname = "torch"\nversion = "2.6.0+cu124"\n'})
    assert effective(run)["torch-version"] == 'torch-version = "2.6.0+cu124"  # uv.lock'


@pytest.mark.parametrize(
    ("specifiers", "release"),
    [
        ("==2.6.1", "2.6.1"),
        ("== 2.6.*", "2.6"),
        (">=2.4,<2.7", "2.6"),
        (">=2.4,<2.7.0", "2.6"),
        ("<=2.5", "2.5"),
        ("~=2.5.1", "2.5"),
        ("~=2.5", None),
        (">=2.4", None),
        ("<3", None),
        ("^2.4", None),
        ("~2.4.1", "2.4"),
        ("~2.4", "2.4"),
        ("~2", None),
        ("2.6.1", "2.6.1"),
        ("2.6.1+cu124", "2.6.1"),
        ("==2.6.0rc1", "2.6.0"),
        ("<2.7,<2.5", "2.4"),
        ("===ours", None),
        ("==2.6 garbage", None),
        ("*", None),
        ("", None),
    ],
)
def test_specifiers_lead_to_the_newest_release_that_they_allow(specifiers: str, release: str | None) -> None:
    assert release_allowed(specifiers) == release


@pytest.mark.parametrize(
    "line",
    [
        "torch==2.6.0",
        "Torch == 2.6.0",
        "torch[opt-einsum]==2.6.0 ; python_version > '3.8'",
        "torch (==2.6.0)",
        "torch==2.6.0+cu124  # the cluster's",
        "torch==2.6.0 --hash=sha256:0",
        "torch==2.6.0 \\",
    ],
)
def test_a_line_of_requirements_is_read_as_pip_reads_it(tmp_path: Path, line: str) -> None:
    (tmp_path / "requirements.txt").write_text(f"-r other.txt\n{line}\nnumpy @ https://example.org/n==2.whl\n== 3\n")
    assert {name: release.version for name, release in known_releases(tmp_path).items()} == {"torch": "2.6.0"}


def test_packaging_is_imported_for_requirements_with_a_bound_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n")
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "torch"\nversion = "2.6.0"\n')
    program = "import sys; from synclint.cli import main; main(['a.py']); sys.exit('packaging' in sys.modules)"
    for text, is_imported in (("torch>=2.4\nnumpy\n", False), ("torch>=2.4,<2.7\n", True)):
        (tmp_path / "requirements.txt").write_text(text)
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == is_imported, done.stderr


def test_a_lock_with_several_releases_counts_as_the_newest(tmp_path: Path) -> None:
    package = '[[package]]\nname = "torch"\nversion = "{}"\n'
    plant(tmp_path, {"uv.lock": "\n".join(map(package.format, ("2.9.1", "2.10.0", "2.6.0")))})
    assert known_releases(tmp_path)["torch"].version == "2.10.0"


def test_releases_are_looked_for_no_further_than_the_repository(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"requirements.txt": "torch==2.5\n", "repository/.git/HEAD": "", "repository/a/x": ""})
    assert "is not set" in effective(run, "repository/a")["torch-version"]
    assert 'torch-version = "2.5"' in effective(run, ".")["torch-version"]


def test_config_shows_every_setting_and_where_it_comes_from(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path, {"pyproject.toml": '[tool.synclint]\nper-file-ignores = {"t/*" = ["SYN2"]}\n', "sub/x": ""})
    shown = effective(run, "sub", "--cold")
    assert list(shown) == [setting.name for setting in settings()]
    assert shown["cold"] == "cold = true  # command line"
    assert shown["per-file-ignores"] == 'per-file-ignores = {"t/*" = ["SYN2"]}  # pyproject.toml'
    assert shown["include-docs"] == "include-docs = false  # default"


def test_what_config_shows_can_be_used_as_a_configuration(run: Synclint, tmp_path: Path) -> None:
    shown = run("config").out
    plant(tmp_path, {"synclint.toml": shown})
    assert run("config").out.replace("# synclint.toml", "# default") == shown


def test_the_schema_is_valid_and_says_what_the_program_says(run: Synclint) -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    assert json.loads(run("config", "--schema").out) == schema()
    validator = jsonschema.Draft7Validator(schema())
    good = {"select": ["SYN1", "item-in-hot-code"], "library-versions": {"torchmetrics": "1.6"}, "jobs": 2}
    assert validator.is_valid(good)
    for key, value in (("slect", []), ("jobs", 0), ("min-confidence", "hgh"), ("torch-version", 2.6)):
        assert not validator.is_valid({key: value})


def test_the_schema_in_the_package_is_current() -> None:
    shipped = REPOSITORY / "synclint" / "config" / SCHEMA_FILE
    assert shipped.read_text(encoding="utf-8") == schema_text(), "run `python scripts/generate_configuration.py`"


def test_the_table_in_the_documentation_is_current() -> None:
    script = REPOSITORY / "scripts" / "generate_configuration.py"
    checked = subprocess.run([sys.executable, script, "--check"], check=False)
    assert checked.returncode == 0, f"run `python scripts/{script.name}`"


def test_every_setting_is_an_option_of_the_command(run: Synclint) -> None:
    text = run("check", "--help").out
    for setting in settings():
        # A list of tables cannot be written there.
        assert (f"--{setting.name}" in text) is (setting.name != "waits")


def test_the_version_is_told_without_reading_configuration(tmp_path: Path) -> None:
    plant(tmp_path, {"synclint.toml": "this is not TOML"})
    program = (
        "import sys; from synclint.cli import main; main(['--version']); "
        "sys.exit('synclint.config' in sys.modules or 'pathspec' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 0
