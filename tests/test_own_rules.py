"""Rules that an installed package brings along: the example, installed by pip, and packages that are at fault."""

from __future__ import annotations

import ast
import importlib
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch
from command_line import plant_two_shares
from installed_rules import ACME, Ended, Environment, make_environment

from synclint.plugins.discovery import PluginError, offers_in
from synclint.verify.source_lines import marked_lines, public_functions

RULES = ACME / "acme_training" / "synclint_rules"
FOLDERS = sorted(path.parent for path in RULES.glob("*/rule.toml"))

TRAINING = """\
import torch
from acme_training import Recorder, fetch_scalar


def train(model: torch.nn.Module, batches: list[torch.Tensor], optimizer: torch.optim.Optimizer) -> None:
    recorder = Recorder()
    limit = torch.ones(()).cpu()
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        recorder << loss
        recorder << 1.0
        recorder << limit
        print(fetch_scalar(loss), fetch_scalar(limit))
"""
OPERATOR = "train.py:12:9: ACME102 [+] record-by-operator"
CALL = "train.py:15:15: ACME101 fetch-scalar"


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which the example is installed."""
    made = make_environment(tmp_path_factory.mktemp("environment"))
    made.install(ACME, tmp_path_factory.mktemp("source"))
    return made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that uses what the example brings along."""
    (tmp_path / "train.py").write_text(TRAINING)
    return tmp_path


def found(ended: Ended) -> list[str]:
    """The places and rules of what was found."""
    assert ended.err == ""
    return [line.rpartition(": `")[0].split(": `")[0] for line in ended.out.splitlines() if ": ACME" in line]


def check(environment: Environment, folder: Path, *arguments: str, **variables: str) -> Ended:
    return environment.synclint("check", "--output-format", "concise", *arguments, folder=folder, **variables)


# --- what is installed takes part ----------------------------------------------------------------------------------


def test_an_entry_and_a_matcher_of_a_package_find_what_waits_and_nothing_else(acme: Environment, project: Path) -> None:
    ended = check(acme, project, "--no-cache", "train.py")
    assert found(ended) == [OPERATOR, CALL]
    assert "`loss` is a 0-dim tensor" in ended.out
    assert ended.status == 1


def test_rules_of_a_package_are_listed_with_its_name(acme: Environment, tmp_path: Path) -> None:
    as_json, as_text = acme.several([["rules", "--output-format", "json"], ["rules"]], tmp_path)
    packages = {rule["code"]: rule["package"] for rule in json.loads(as_json.out)}
    assert packages["ACME101"] == packages["ACME102"] == "acme-training"
    assert packages["SYN101"] is None
    assert "ACME101  fetch-scalar" in as_text.out
    assert "(acme-training)" in as_text.out


def test_the_page_of_a_rule_is_shown(acme: Environment, tmp_path: Path) -> None:
    page = (RULES / "ACME102-record-by-operator" / "README.md").read_text()
    by_code, by_name = acme.several([["explain", "ACME102"], ["explain", "record-by-operator"]], tmp_path)
    assert by_code.out == by_name.out == page


SELECTIONS = {
    ("--select", "ACME101"): [CALL],
    ("--select", "ACME"): [OPERATOR, CALL],
    ("--select", "SYN"): [],
    ("--select", "record-by-operator"): [OPERATOR],
    ("--ignore", "ACME1"): [],
    ("--per-file-ignores", "train.py:ACME102"): [CALL],
}


def test_selectors_reach_added_rules(acme: Environment, project: Path) -> None:
    calls = [["check", "--no-cache", "--output-format", "concise", *given, "train.py"] for given in SELECTIONS]
    assert list(map(found, acme.several(calls, project))) == list(SELECTIONS.values())


def test_comments_suppress_what_added_rules_find(acme: Environment, project: Path) -> None:
    text = TRAINING.replace("recorder << loss", "recorder << loss  # synclint: ignore[ACME102] wanted")
    text = text.replace("fetch_scalar(limit))", "fetch_scalar(limit))  # noqa: ACME101")
    (project / "train.py").write_text(text)
    ended = check(acme, project, "--no-cache", "train.py")
    assert found(ended) == []
    assert "SYN001" not in ended.out


def test_a_comment_that_suppresses_nothing_of_an_added_rule_is_told(acme: Environment, project: Path) -> None:
    (project / "train.py").write_text(TRAINING.replace("1.0", "1.0  # noqa: ACME102"))
    assert "SYN001" in check(acme, project, "--no-cache", "train.py").out


def test_the_fix_of_an_added_rule_is_offered_shown_and_made(acme: Environment, project: Path) -> None:
    marked = check(acme, project, "--no-cache", "--unsafe-fixes", "train.py").out
    assert [line.split()[1] for line in marked.splitlines() if " [*] " in line] == ["ACME102"]
    shown = acme.synclint("check", "--no-cache", "--diff", "--unsafe-fixes", "train.py", folder=project)
    changed = [line for line in shown.out.splitlines() if line[0] in "+-" and line[:3] not in ("---", "+++")]
    assert changed == ["-        recorder << loss", "+        recorder.keep(loss)"]
    assert (project / "train.py").read_text() == TRAINING
    # It is not safe: nothing changes unless that is asked for.
    check(acme, project, "--no-cache", "--fix", "train.py")
    assert (project / "train.py").read_text() == TRAINING
    left = check(acme, project, "--no-cache", "--fix", "--unsafe-fixes", "train.py")
    assert (project / "train.py").read_text() == TRAINING.replace("recorder << loss", "recorder.keep(loss)")
    assert CALL in left.out
    assert OPERATOR not in left.out


def test_reports_for_other_programs_know_added_rules(acme: Environment, project: Path) -> None:
    ended = acme.synclint("check", "--output-format", "sarif", "train.py", folder=project)
    (run,) = json.loads(ended.out)["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["ACME101"]["helpUri"] == "https://acme.example/rules/ACME101"
    assert {"ACME101", "ACME102"} <= {result["ruleId"] for result in run["results"]}


def test_any_number_of_processes_finds_the_same(acme: Environment, project: Path) -> None:
    plant_two_shares(project)
    one, two = (check(acme, project, "--no-cache", "--min-confidence", "low", "-j", jobs, ".") for jobs in ("1", "2"))
    assert found(one) == [OPERATOR, CALL]
    assert one == two


def test_why_a_line_is_reported_names_the_added_rule(acme: Environment, project: Path) -> None:
    called, matched = acme.several([["explain", "--why", f"train.py:{line}"] for line in (15, 12)], project)
    assert "ACME101 acme-fetch-scalar" in called.out
    assert "ACME102 acme102-match" in matched.out


def test_results_that_were_kept_do_not_outlive_a_change_of_the_package(acme: Environment, project: Path) -> None:
    kept = {"XDG_CACHE_HOME": str(project / "kept")}
    check(acme, project, "train.py", **kept)  # the first report explains itself on standard error
    assert found(check(acme, project, "train.py", **kept)) == [OPERATOR, CALL]
    installed = acme.packages / "acme_training" / "synclint_rules" / "ACME102-record-by-operator" / "match.py"
    code = installed.read_text()
    try:
        installed.write_text(code.replace("m.LeftShift()", "m.RightShift()"))
        assert found(check(acme, project, "train.py", **kept)) == [CALL]
    finally:
        installed.write_text(code)
    assert found(check(acme, project, "train.py", **kept)) == [OPERATOR, CALL]


# --- the rules of the example keep what ours keep -------------------------------------------------------------------


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ACME))
    yield
    sys.modules.pop("acme_training", None)


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.parent.name.replace('-', '_')}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_hazard_and_twin_of_the_example_give_equal_results(folder: Path) -> None:
    hazard, twin = module(folder / "hazard.py"), module(folder / "sync_free.py")
    cases = public_functions(ast.parse((folder / "hazard.py").read_text()))
    assert cases == tuple(hazard.inputs(torch.device("cpu")))
    for case in cases:
        arguments = hazard.inputs(torch.device("cpu"))[case]
        torch.testing.assert_close(getattr(hazard, case)(*arguments), getattr(twin, case)(*arguments))


def test_the_marked_lines_of_the_example_are_found_and_no_others(acme: Environment, tmp_path: Path) -> None:
    expected: list[str] = []
    for folder in FOLDERS:
        for name in ("hazard.py", "sync_free.py"):
            text = (folder / name).read_text()
            copied = f"{folder.name.partition('-')[0]}_{name}"
            (tmp_path / copied).write_text(text)
            expected += [f"{copied}:{line} {code}" for line, codes in marked_lines(text).items() for code in codes]
    lines = [line.split(": ") for line in check(acme, tmp_path, "--no-cache", ".").out.splitlines() if ": " in line]
    assert sorted(f"{place.rpartition(':')[0]} {rule.split()[0]}" for place, rule, *_ in lines) == sorted(expected)


# --- lightness ------------------------------------------------------------------------------------------------------

_LOADED = """\
import sys
from synclint.cli import main
main(["check", "--no-cache", "--quiet", sys.argv[1]])
print([name for name in ("libcst", "importlib.metadata", "torch") if name in sys.modules])
"""


def loaded(environment: Environment, folder: Path, name: str) -> object:
    ended = environment.run("-c", _LOADED, name, folder=folder, variables={})
    assert ended.err == ""
    return ast.literal_eval(ended.out.splitlines()[-1])


def test_a_file_that_no_matcher_can_match_imports_nothing_for_it(acme: Environment, project: Path) -> None:
    (project / "plain.py").write_text(TRAINING.replace("Recorder", "Other"))
    assert "libcst" not in str(loaded(acme, project, "plain.py"))
    assert "libcst" in str(loaded(acme, project, "train.py"))


def test_without_added_rules_the_metadata_of_packages_is_not_imported(project: Path) -> None:
    empty = make_environment(project / "empty")
    assert loaded(empty, project, "train.py") == []


# --- code is taken from installed packages only ----------------------------------------------------------------------

MARKER = "from pathlib import Path\nPath({name!r}).touch()\n"


def package_with_rule(site: Path, package: str = "nosy", **files: str) -> Path:
    """What pip leaves behind of a package with one rule that matches by code; ``files`` take the place of others."""
    metadata = site / f"{package}-1.0.dist-info"
    folder = site / package / "rules" / "NOSY101-any-call"
    folder.mkdir(parents=True)
    metadata.mkdir()
    given = {
        "METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n",
        "entry_points.txt": f"[synclint.rules]\nnosy = {package}.rules\n",
        "init": "",
        "rule": RULE,
        "page": "# NOSY101 any-call\n",
        "match": MATCH,
        **files,
    }
    (metadata / "METADATA").write_text(given["METADATA"])
    (metadata / "entry_points.txt").write_text(given["entry_points.txt"])
    (site / package / "__init__.py").write_text(given["init"])
    (folder / "rule.toml").write_text(given["rule"])
    (folder / "README.md").write_text(given["page"])
    if given["match"]:
        (folder / "match.py").write_text(given["match"])
    if "fix" in given:
        (folder / "fix.py").write_text(given["fix"])
    if "catalog" in given:
        (folder / "catalog.toml").write_text(given["catalog"])
    return folder


RULE = """\
code = "NOSY101"
name = "any-call"
summary = "a call"
mechanism = "explicit"
severity = "warning"
dependency = "false"

[match]
words = ["loss"]
summary = "a call of `backward`"
"""
MATCH = "import libcst.matchers as m\nMATCHER = m.Call(func=m.Attribute(attr=m.Name('backward')))\n"


@pytest.mark.parametrize("way", ["in the working directory", "on PYTHONPATH"])
def test_a_repository_offers_no_rules_by_looking_like_an_installed_package(
    tmp_path: Path, project: Path, way: str
) -> None:
    marker = MARKER.format(name=str(tmp_path / "executed"))
    package_with_rule(project, init=marker, match=marker)
    environment = make_environment(tmp_path / "environment")
    variables = {"PYTHONPATH": str(project)} if way == "on PYTHONPATH" else {}
    ended = check(environment, project, "--no-cache", "train.py", **variables)
    assert "NOSY" not in ended.out
    assert ended.err == ""
    assert "NOSY" not in environment.synclint("rules", folder=project, **variables).out
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("below", [".", "src"])
def test_a_matcher_imports_its_package_where_that_is_installed(tmp_path: Path, project: Path, below: str) -> None:
    environment = make_environment(tmp_path / "environment")
    uses = "import libcst.matchers as m\nfrom nosy.names import NAME\n"
    probe = "try:\n    import only_here\nexcept ImportError:\n"
    matcher = "    MATCHER = m.Call(func=m.Attribute(attr=m.Name(NAME)))\n"
    fix = f"def fix(place):\n    from nosy.names import NAME\n{textwrap.indent(probe, '    ')}        return None\n"
    package_with_rule(environment.packages, match=uses + probe + matcher, fix=fix)
    (environment.packages / "nosy" / "names.py").write_text('NAME = "backward"\n')
    source = project / below
    (source / "nosy").mkdir(parents=True)
    for name in ("nosy/__init__.py", "nosy/names.py", "only_here.py"):
        (source / name).write_text(MARKER.format(name=str(tmp_path / "executed")))
    ended = check(environment, project, "--no-cache", "train.py", PYTHONPATH=str(source))
    assert "train.py:10:9: NOSY101" in ended.out, ended
    assert ended.err == ""
    assert not (tmp_path / "executed").exists()


# --- packages at fault end the run in one line that names them -------------------------------------------------------


def rules_said(site: Path, environment: Environment, folder: Path, command: str) -> str:
    arguments = ("rules",) if command == "rules" else ("check", "--no-cache", "train.py")
    ended = environment.synclint(*arguments, folder=folder)
    assert ended.status == 2
    (line,) = ended.err.splitlines()
    assert line.startswith("synclint: error: the rules of the package 'nosy': ")
    return line


@pytest.mark.parametrize(
    ("files", "command", "said"),
    [
        ({"rule": RULE.replace("NOSY101", "SYN901")}, "rules", "does not begin with SYN"),
        ({"rule": "code ="}, "rules", "NOSY101-any-call/rule.toml: "),
        ({"rule": RULE.replace('"explicit"', '"magic"')}, "rules", "unknown mechanism 'magic'"),
        ({"rule": RULE.replace('words = ["loss"]', "")}, "check", "[match] needs `words`"),
        ({"rule": RULE.partition("[match]")[0], "match": ""}, "rules", "it matches nothing"),
        ({"catalog": '[[entry]]\nid = "item"\n'}, "rules", "catalog.toml, entry item"),
        ({"match": "1 / 0\n"}, "check", "NOSY101-any-call/match.py failed: ZeroDivisionError: division by zero"),
        ({"match": "MATCHER = 3\n"}, "check", "match.py defines no MATCHER"),
        (
            {"match": "import libcst.matchers as m\nMATCHER = m.Call(metadata=m.MatchIfTrue(lambda node: 1 / 0))\n"},
            "check",
            "match.py failed: ",
        ),
        ({"fix": "1 / 0\n"}, "check", "NOSY101-any-call/fix.py failed: ZeroDivisionError: division by zero"),
        ({"fix": "def fix(place):\n    1 / 0\n"}, "check", "NOSY101-any-call/fix.py failed: ZeroDivisionError: "),
    ],
    ids=["prefix", "toml", "mechanism", "words", "nothing", "entry", "import", "matcher", "matching", "fix", "fixing"],
)
def test_a_package_at_fault_is_named_in_one_line(
    tmp_path: Path, project: Path, files: dict[str, str], command: str, said: str
) -> None:
    environment = make_environment(tmp_path / "environment")
    package_with_rule(environment.packages, **files)
    assert said in rules_said(environment.packages, environment, project, command)


def test_what_a_page_tells_a_terminal_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "environment")
    package_with_rule(environment.packages, page="# NOSY101 any-call\n\x1b[2Jgone\n")
    assert environment.synclint("explain", "NOSY101", folder=tmp_path).out == "# NOSY101 any-call\n\\x1b[2Jgone\n"


def test_an_entry_point_that_names_nothing_is_refused(tmp_path: Path) -> None:
    folder = package_with_rule(tmp_path)
    with pytest.raises(PluginError, match=r"'nosy': entry point 'nosy' names 'nosy.rules', which does not exist"):
        folder.parent.rename(tmp_path / "elsewhere")
        offers_in([str(tmp_path)])


def test_an_entry_point_names_a_package_and_no_path(tmp_path: Path) -> None:
    package_with_rule(tmp_path, **{"entry_points.txt": "[synclint.rules]\nnosy = ../outside\n"})
    with pytest.raises(PluginError, match="must name a package"):
        offers_in([str(tmp_path)])


def test_of_two_packages_with_one_name_the_first_counts(tmp_path: Path) -> None:
    for site in ("one", "two"):
        package_with_rule(tmp_path / site)
    (offer,) = offers_in([str(tmp_path / "one"), str(tmp_path / "two")])
    assert offer.folder == tmp_path / "one" / "nosy" / "rules"


def test_a_package_that_its_developer_installed_in_place_is_found(tmp_path: Path) -> None:
    package_with_rule(tmp_path / "site")
    (tmp_path / "checkout" / "src").mkdir(parents=True)
    (tmp_path / "site" / "nosy").rename(tmp_path / "checkout" / "src" / "nosy")
    where: Callable[[bool], str] = lambda editable: json.dumps(  # noqa: E731
        {"url": (tmp_path / "checkout").as_uri(), "dir_info": {"editable": editable}}
    )
    direct = tmp_path / "site" / "nosy-1.0.dist-info" / "direct_url.json"
    direct.write_text(where(True))
    (offer,) = offers_in([str(tmp_path / "site")])
    assert offer.home == tmp_path / "checkout" / "src"
    direct.write_text(where(False))
    with pytest.raises(PluginError, match="which does not exist"):
        offers_in([str(tmp_path / "site")])


def test_other_entry_points_offer_no_rules(tmp_path: Path) -> None:
    text = textwrap.dedent("""\
        [console_scripts]
        nosy = nosy.rules:main
        [synclint.rules_of_others]
        nosy = nosy.rules
    """)
    package_with_rule(tmp_path, **{"entry_points.txt": text})
    assert offers_in([str(tmp_path)]) == ()
