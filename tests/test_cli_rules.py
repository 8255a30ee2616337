"""How rules are selected, and how sync events become findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from synclint.analysis.results.events import SyncEvent
from synclint.catalog.entries import Catalog, Entry
from synclint.findings import Confidence, Context, Phase, Position, Severity, Span
from synclint.rules.loading import all_rules, load_rules
from synclint.rules.matching import findings
from synclint.rules.own import SYNTAX_ERROR
from synclint.rules.records import Rule
from synclint.rules.selectors import UnknownRuleError, find_rule, select_rules
from synclint.version import REVISION


def rule(code: str, name: str, *matches: str) -> Rule:
    folder = Path(f"{code}-{name}")
    return Rule(code, name, f"what {name} finds", "scalar-read", Severity.WARNING, "false", matches, "# page", folder)


NONZERO = rule("SYN101", "nonzero", "nonzero", "argwhere")
UNIQUE = rule("SYN102", "unique", "unique")
ITEM = rule("SYN201", "item-in-hot-code", "item")
RULES = (NONZERO, UNIQUE, ITEM)

CATALOG = Catalog(
    tuple(
        Entry(
            identifier,
            "data-dependent-shape",
            f"`{identifier}` makes the host wait",
            "because",
            "write another",
        )
        for identifier in ("nonzero", "argwhere", "unique", "item")
    ),
    {},
    {},
)

EVENT = SyncEvent(
    construct="nonzero",
    filename="a.py",
    span=Span(Position(3, 5), Position(3, 21)),
    subject="mask",
    facts="a boolean tensor on the device",
    confidence=Confidence.HIGH,
    context=Context(Phase.STEP, reason="in `forward`"),
)


def at(event: SyncEvent, line: int, column: int) -> SyncEvent:
    return replace(event, span=Span(Position(line, column), Position(line, column + 4)))


def codes(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> list[str]:
    return [found.code for found in select_rules(select, ignore, RULES)]


def test_without_selectors_every_rule_is_selected() -> None:
    assert codes() == ["SYN101", "SYN102", "SYN201"]


@pytest.mark.parametrize("selector", ["SYN101", "syn101", "nonzero"])
def test_a_rule_is_selected_by_its_code_or_its_name(selector: str) -> None:
    assert codes([selector]) == ["SYN101"]


def test_the_beginning_of_a_code_selects_a_group() -> None:
    assert codes(["SYN1"]) == ["SYN101", "SYN102"]
    assert codes(["SYN"]) == codes(["ALL"]) == codes()


def test_ignored_rules_are_taken_from_the_selected_ones() -> None:
    assert codes(ignore=["SYN1"]) == ["SYN201"]
    assert codes(["SYN1"], ["unique"]) == ["SYN101"]


def test_the_more_specific_selector_wins() -> None:
    assert codes(["SYN101"], ["SYN1"]) == ["SYN101"]
    assert codes(["SYN101"], ["nonzero"]) == []


@pytest.mark.parametrize(
    ("selector", "suggestion"),
    [("SYM101", "SYN101"), ("nonzeros", "nonzero"), ("item_in_hot_code", "item-in-hot-code"), ("SYN9", None)],
)
def test_a_selector_that_reaches_no_rule_is_an_error_with_the_nearest_spelling(
    selector: str, suggestion: str | None
) -> None:
    with pytest.raises(UnknownRuleError) as caught:
        select_rules([selector], [], RULES)
    assert caught.value.selector == selector
    if suggestion:
        assert f"did you mean {suggestion!r}?" in str(caught.value)


@pytest.mark.parametrize("selector", ["S", "SY", "x", "SYN101 "])
def test_fragments_are_no_selectors(selector: str) -> None:
    with pytest.raises(UnknownRuleError):
        select_rules([selector], [], RULES)


def test_find_rule_takes_codes_and_names_only() -> None:
    assert find_rule("Syn102", RULES) is UNIQUE
    assert find_rule("unique", RULES) is UNIQUE
    with pytest.raises(UnknownRuleError, match="did you mean 'unique'"):
        find_rule("uniqe", RULES)
    with pytest.raises(UnknownRuleError):
        find_rule("SYN1", RULES)


def test_a_finding_says_what_was_inferred_and_what_to_write_instead() -> None:
    (finding,) = findings([EVENT], RULES, CATALOG)
    assert (finding.code, finding.name) == ("SYN101", "nonzero")
    assert finding.message == "`nonzero` makes the host wait: `mask` is a boolean tensor on the device"
    assert finding.instead == "write another"
    assert finding.mechanism == "data-dependent-shape"
    assert finding.url == f"https://github.com/synclint/synclint/tree/{REVISION}/rules/SYN101-nonzero"
    assert (finding.span, finding.context) == (EVENT.span, EVENT.context)


@pytest.mark.parametrize(
    ("context", "severity"),
    [
        (Context(Phase.STEP, ""), Severity.WARNING),
        (Context(Phase.EVAL, ""), Severity.INFO),
        (Context(Phase.ONCE, ""), Severity.INFO),
        (Context(Phase.ONCE, "", captured="the CUDA graph at train.py:30"), Severity.ERROR),
    ],
)
def test_severity_follows_from_how_often_the_line_runs(context: Context, severity: Severity) -> None:
    (finding,) = findings([replace(EVENT, context=context)], RULES, CATALOG)
    assert finding.severity is severity


def test_the_message_says_that_a_wait_in_a_captured_graph_fails() -> None:
    context = Context(Phase.STEP, "", captured="the CUDA graph at train.py:30")
    (finding,) = findings([replace(EVENT, context=context)], RULES, CATALOG)
    assert finding.message == (
        "`nonzero` makes the host wait: `mask` is a boolean tensor on the device; this is captured in the CUDA "
        "graph at train.py:30, where it fails or breaks the graph"
    )


def test_a_finding_without_inferred_facts_keeps_to_what_the_construct_does() -> None:
    (finding,) = findings([replace(EVENT, facts="")], RULES, CATALOG)
    assert finding.message == "`nonzero` makes the host wait"


def test_events_that_no_selected_rule_matches_are_left_out() -> None:
    assert findings([EVENT], (UNIQUE,), CATALOG) == []


def test_the_same_expression_is_reported_once_with_its_strongest_evidence() -> None:
    weak = replace(EVENT, confidence=Confidence.LOW)
    cold = replace(EVENT, construct="argwhere", context=Context(Phase.ONCE, reason="in `__init__`"))
    (finding,) = findings([weak, cold, EVENT], RULES, CATALOG)
    assert finding.confidence is Confidence.HIGH
    assert finding.context.hot


def test_every_expression_on_a_line_is_reported() -> None:
    assert len(findings([at(EVENT, 3, 5), at(EVENT, 3, 20)], RULES, CATALOG)) == 2


def test_findings_stand_in_the_order_of_the_source() -> None:
    events = [at(EVENT, 9, 1), replace(at(EVENT, 2, 8), construct="item"), at(EVENT, 2, 4)]
    assert [found.span.start for found in findings(events, RULES, CATALOG)] == [
        Position(2, 4),
        Position(2, 8),
        Position(9, 1),
    ]


def test_every_rule_folder_is_named_for_its_rule() -> None:
    for found in load_rules():
        assert found.folder is not None
        assert found.folder.name == f"{found.code}-{found.name}"
        assert found.page.startswith(f"# {found.code} {found.name}\n")


def test_codes_and_names_are_unique() -> None:
    rules = all_rules()
    assert len({found.code for found in rules}) == len({found.name for found in rules}) == len(rules)


def test_the_program_reports_syntax_errors_under_a_rule_of_its_own() -> None:
    assert SYNTAX_ERROR in all_rules()
    assert SYNTAX_ERROR not in load_rules()
    assert SYNTAX_ERROR.severity is Severity.ERROR
