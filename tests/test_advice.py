"""Advice can be followed where it is given, and speaks of the reader's own names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from synclint.catalog.entries import Entry, load_catalog
from synclint.config.options import Options
from synclint.findings import Confidence, Context, Finding, Phase, Position, Severity, Span
from synclint.results.completion import completed
from synclint.running.runner import check_files

RULES = Path(__file__).parent.parent / "rules"

CATALOG = load_catalog()
# What waits there is no operand of the reader's, but a call or a number.
WITHOUT_OPERAND = frozenset(
    {
        "chained-comparison", "gradient-norm-check", "synchronize", "empty-cache", "barrier", "loader-without-workers",
        "detect-anomaly", "gradcheck", "distribution-validation",
    }
)  # fmt: skip


def advice(source: str, construct: str = "condition", subject: str = "torch.isnan(loss)") -> str:
    """What is advised about line 2 of a source."""
    span = Span(Position(2, 1), Position(2, 2))
    wait = Finding(
        "SYN301", "tensor-in-condition", "", "a.py", span, Severity.WARNING, Confidence.HIGH, "control-flow",
        Context(Phase.STEP, ""), construct=construct, subject=subject, instead=CATALOG.by_id[construct].instead,
    )  # fmt: skip
    (told,) = completed([wait], source, CATALOG)
    return told.instead


def test_a_choice_of_values_is_made_with_where_in_the_readers_names() -> None:
    assert "torch.where(torch.isnan(loss), a, b)" in advice("for x in y:\n  if torch.isnan(loss):\n    z = 0.0\n")


@pytest.mark.parametrize("action", ["continue", "break", "print(x)", "return", "self.best = 'x'"])
def test_where_the_host_acts_nobody_is_told_to_choose_with_where(action: str) -> None:
    told = advice(f"for x in y:\n  if torch.isnan(loss):\n    {action}\n")
    assert "torch.where" not in told
    assert "know `torch.isnan(loss)` before it acts" in told


def test_where_an_exception_hangs_on_it_an_assertion_on_the_device_is_advised() -> None:
    assert "torch._assert_async" in advice("for x in y:\n  if torch.isnan(loss):\n    raise ValueError\n")


def test_no_loader_is_to_pin_what_a_call_makes_on_the_spot() -> None:
    assert "DataLoader" in advice("\nx = batch.cuda()\n", "upload", "batch")
    told = advice("\nx = torch.zeros(3).cuda()\n", "upload", "torch.zeros(3)")
    assert "DataLoader" not in told and "torch.zeros(3)" in told


def test_a_list_is_not_advised_to_be_filled_in_as_a_number() -> None:
    assert "torch.full((), n, device" in advice("\nx = torch.tensor(n)\n", "tensor-from-host-data", "n")
    assert "torch.full((1,), number, device" in advice("\nx = torch.tensor([n])\n", "tensor-from-host-data", "[n]")


def test_a_long_operand_is_not_repeated() -> None:
    long = "f(" + ", ".join(["argument"] * 20) + ")"
    assert "torch.where(x, a, b)" in advice("for x in y:\n  if c:\n    z = 0.0\n", subject=long)


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("lengths", "`lengths.view(1)`"),
        ("lengths.max()", "`lengths.max().view(1)`"),
        ("length - 1", "`(length - 1).view(1)`"),
        ("0.5 * share", "`(0.5 * share).view(1)`"),
    ],
)
def test_an_operand_is_put_in_brackets_where_the_advice_would_take_it_apart(subject: str, said: str) -> None:
    assert said in advice("\nx = y[z]\n", "scalar-index", subject)


@pytest.mark.parametrize("entry", CATALOG.entries, ids=lambda entry: entry.id)
def test_the_only_placeholder_in_advice_is_the_operand(entry: Entry) -> None:
    made = entry.instead_for_calls, entry.instead_for_lists
    for text in (entry.instead, entry.instead_for_actions, entry.instead_for_raise, *made):
        assert set(re.findall(r"\{(\w+)\}", text)) <= {"subject"}
        assert text.count("`") % 2 == 0
        assert not text or text.endswith(".")


@pytest.mark.parametrize(
    "entry", [entry for entry in CATALOG.entries if entry.mechanism == "control-flow" and not entry.calls],
    ids=lambda entry: entry.id,
)  # fmt: skip
def test_advice_for_a_test_says_what_to_do_where_the_host_acts_unless_it_is_one_for_values(entry: Entry) -> None:
    assert bool(entry.instead_for_actions) == (entry.id not in {"assert-condition", "builtin-comparison"})


@pytest.mark.parametrize("folder", sorted(RULES.glob("SYN*")), ids=lambda folder: folder.name)
def test_the_help_names_the_operand_as_it_is_written_where_the_finding_stands(folder: Path) -> None:
    path = folder / "hazard.py"
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    for wait in report.findings:
        subject = " ".join(wait.subject.split())
        if 0 < len(subject) <= 50 and wait.construct not in WITHOUT_OPERAND:
            assert subject in wait.instead, wait.construct
