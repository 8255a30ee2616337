"""Reading rule folders and catalogue entries as cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from synclint.catalog.entries import Entry, load_catalog
from synclint.verify.cases import (
    BrokenCase,
    Case,
    CaseKind,
    Source,
    load_rule_case,
    load_rule_cases,
    not_applicable,
    rule_folders,
    select_cases,
)
from synclint.verify.catalog_cases import catalog_case, load_catalog_cases

RULE = 'code = "SYN901"\nname = "example"\nmatches = ["item"]\n'
HAZARD = "def inputs(device):\n    return {}\n\ndef case(x):\n    return x.item()  # sync: SYN901\n"
TWIN = "def case(x):\n    return x\n"


def folder(path: Path, rule: str | None = RULE, hazard: str | None = HAZARD, twin: str | None = TWIN) -> Path:
    home = path / "SYN901-example"
    home.mkdir()
    for name, text in (("rule.toml", rule), ("hazard.py", hazard), ("sync_free.py", twin)):
        if text is not None:
            (home / name).write_text(text, encoding="utf-8")
    return home


def test_a_folder_is_read_as_a_case(tmp_path: Path) -> None:
    case = load_rule_case(folder(tmp_path))
    assert isinstance(case, Case)
    assert (case.id, case.name, case.entries) == ("SYN901", "example", ("item",))
    assert case.hazard.marked == {5: ("SYN901",)}
    assert case.hazard.functions == ("case",)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"rule": None}, "SYN901-example/rule.toml is missing"),
        ({"hazard": None}, "SYN901-example/hazard.py is missing"),
        ({"twin": None}, "SYN901-example/sync_free.py is missing"),
        ({"rule": "code ="}, "SYN901-example/rule.toml is not valid TOML"),
        ({"rule": RULE + 'proof = "faith"\n'}, 'proof must be "trace" or "static"'),
        ({"hazard": "def case(:\n"}, "SYN901-example/hazard.py:1: not valid Python"),
        ({"hazard": "def inputs(device): ...\n"}, "has no case function"),
        ({"hazard": "def case(x):\n    x.item()  # sync: SYN901\n"}, "lacks inputs(device)"),
        ({"hazard": "def inputs(d): ...\ndef case(x): ...\n"}, "marks no line"),
        ({"twin": "def other(x): ...\n"}, "sync_free.py lacks the twin of case"),
    ],
)
def test_a_folder_that_cannot_be_read_says_what_is_wrong(
    tmp_path: Path, files: dict[str, str | None], said: str
) -> None:
    broken = load_rule_case(folder(tmp_path, **files))
    assert isinstance(broken, BrokenCase)
    assert broken.id == "SYN901"
    assert said in broken.problem


def test_every_rule_of_the_project_can_be_read() -> None:
    cases = load_rule_cases(rule_folders())
    assert len(cases) > 40
    assert [case.problem for case in cases if isinstance(case, BrokenCase)] == []


def everything(package: str) -> str | None:
    return "1.0"


def test_every_entry_of_the_catalogue_can_be_read() -> None:
    cases = load_catalog_cases(load_catalog().entries, everything)
    assert len(cases) > 100
    assert [case.problem for case in cases if isinstance(case, BrokenCase)] == []


def entry(**more: object) -> Entry:
    known: dict[str, object] = {
        "id": "e",
        "mechanism": "scalar-read",
        "summary": "s",
        "because": "b",
        "instead": "i",
    }
    return Entry(**(known | more))  # type: ignore[arg-type]


def test_an_entry_waits_on_its_case_line_and_nowhere_else() -> None:
    case = catalog_case(entry(case="s.item()", free=("s + 1", "cs.item()")), everything)
    assert isinstance(case, Case)
    assert case.hazard.marked == {1: ("e",)}
    assert case.twin.functions == ("free 1", "free 2")
    assert not case.compares_results


def test_an_entry_that_mentions_numpy_needs_it() -> None:
    case = catalog_case(entry(case="x[np.arange(2)]"), everything)
    assert isinstance(case, Case) and case.requires == ("numpy",)


def test_a_near_miss_that_needs_a_missing_package_is_left_out() -> None:
    case = catalog_case(entry(case="s.item()", free=("cs.item()", "cs.numpy()")), lambda package: None)
    assert isinstance(case, Case)
    assert (case.requires, case.twin.text) == ((), "cs.item()")


def test_a_rule_needs_what_its_files_import(tmp_path: Path) -> None:
    case = load_rule_case(folder(tmp_path, hazard=f"import numpy as np\nimport torch\n{HAZARD}"))
    assert isinstance(case, Case) and case.requires == ("numpy",)


@pytest.mark.parametrize("line", ["a = (", "a = 1; b = 2", "if a:\n    b"])
def test_an_entry_whose_line_is_no_single_statement_is_told(line: str) -> None:
    broken = catalog_case(entry(case=line), everything)
    assert isinstance(broken, BrokenCase) and "catalogue entry e" in broken.problem


def case(**more: object) -> Case:
    source = Source("hazard.py", "hazard.py", "", ())
    known: dict[str, object] = {"id": "SYN901", "name": "example", "kind": CaseKind.RULE}
    return Case(**(known | {"hazard": source, "twin": source} | more))  # type: ignore[arg-type]


def why_not(case: Case, **installed: str) -> str | None:
    return not_applicable(case, lambda name: installed.get(name))


def test_a_case_needs_what_it_requires() -> None:
    assert why_not(case(requires=("torchmetrics",)), torch="2.13.0") is not None
    assert why_not(case(requires=("torchmetrics",)), torch="2.13.0", torchmetrics="1.9.0") is None


def test_a_hazard_that_a_library_mended_says_nothing_about_later_releases() -> None:
    mended = case(requires=("torchmetrics",), library_versions={"torchmetrics": "1.6"})
    assert why_not(mended, torchmetrics="1.5.2") is None
    assert "fixed in 1.6" in str(why_not(mended, torchmetrics="1.6.0"))


@pytest.mark.parametrize(
    ("torch", "applies"),
    [("2.12.1", True), ("2.13.0+cpu", True), ("2.13.4", True), ("2.14.0", False)],
)
def test_until_names_the_last_release_with_the_hazard(torch: str, applies: bool) -> None:
    assert (why_not(case(until="2.13"), torch=torch) is None) is applies


def test_since_names_the_first_release_with_the_hazard() -> None:
    assert why_not(case(since="2.6"), torch="2.5.1") is not None
    assert why_not(case(since="2.6"), torch="2.6.0") is None


def test_an_entry_of_a_library_counts_the_librarys_releases() -> None:
    counted = catalog_case(entry(case="s.item()", library="torchmetrics", until="1.6.0"), everything)
    assert isinstance(counted, Case)
    assert why_not(counted, torch="2.13.0", torchmetrics="1.6.0") is None
    assert "torchmetrics 1.9.0 no longer" in str(why_not(counted, torch="2.13.0", torchmetrics="1.9.0"))


CASES = [
    case(entries=("item",)),
    case(id="SYN911", name="other"),
    case(id="item", name="item", kind=CaseKind.CATALOGUE),
    case(id="tolist", name="tolist", kind=CaseKind.CATALOGUE),
]


@pytest.mark.parametrize(
    ("tokens", "chosen"),
    [
        ((), ["SYN901", "SYN911", "item", "tolist"]),
        (("ALL",), ["SYN901", "SYN911", "item", "tolist"]),
        (("SYN9",), ["SYN901", "SYN911", "item"]),
        (("syn911",), ["SYN911"]),
        (("example",), ["SYN901", "item"]),
        (("tolist", "other"), ["SYN911", "tolist"]),
    ],
)
def test_cases_are_selected_by_code_name_and_entry(tokens: tuple[str, ...], chosen: list[str]) -> None:
    found, unknown = select_cases(tokens, CASES)
    assert [case.id for case in found] == chosen
    assert unknown == []


def test_a_selector_that_names_nothing_is_reported() -> None:
    assert select_cases(("SYN901", "SYN999"), CASES)[1] == ["SYN999"]
