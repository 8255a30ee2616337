"""One cause is told once: which findings of a file belong together, and which of them stands for the others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from command_line import Synclint, plant_two_shares

from synclint.catalog.entries import load_catalog
from synclint.findings import Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span
from synclint.results.completion import completed

SOURCE = """\
def step(model, batch):
    first = f(a.item(), b.item())
    second = g(a.item())
    third = h(other)
    return third


def other(model):
    second = g(a.item())
"""


def at(
    line: int,
    column: int = 5,
    code: str = "SYN201",
    subject: str = "a",
    cause: str = "",
    mechanism: str = "scalar-read",
) -> Finding:
    return Finding(
        code, "name", "it waits", "a.py", Span(Position(line, column), Position(line, column + 1)), Severity.WARNING,
        Confidence.HIGH, mechanism, Context(Phase.STEP, ""), subject=subject, cause=cause,
    )  # fmt: skip


def parts(findings: Iterable[Finding]) -> list[list[int]]:
    """The lines of the findings, group by group."""
    groups: dict[str, list[int]] = {}
    for finding in completed(list(findings), SOURCE, load_catalog()):
        groups.setdefault(finding.group, []).append(finding.span.start.line)
    return list(groups.values())


def test_all_that_waits_in_one_statement_is_one() -> None:
    assert parts([at(2), at(2, 15, subject="b"), at(2, 20, "SYN402", "c"), at(4, subject="d")]) == [[2, 2, 2], [4]]


def test_positions_that_several_tensors_are_indexed_with_are_one() -> None:
    indexed = replace(at(2, code="SYN403", cause="a.py:1", mechanism="host-to-device-copy"), construct="host-index")
    other = replace(indexed, span=at(4).span, cause="a.py:3")
    assert parts([indexed, other]) == [[2, 4]]
    assert parts([indexed, replace(other, subject="b")]) == [[2], [4]]
    assert parts([indexed, replace(other, construct="upload")]) == [[2], [4]]


def test_what_is_selected_by_one_mask_in_several_shapes_is_one() -> None:
    mask, shaped = (at(line, 5, "SYN103", "mask", "a.py:1", "data-dependent-shape") for line in (2, 4))
    assert parts([mask, replace(shaped, subject="mask.view(-1, 1)")]) == [[2, 4]]
    assert parts([replace(mask, subject="x > 0"), replace(shaped, subject="x > 0")]) == [[2, 4]]
    assert parts([replace(mask, subject="drawn()"), replace(shaped, subject="drawn()")]) == [[2], [4]]
    assert parts([mask, replace(shaped, cause="a.py:9")]) == [[2], [4]]


def test_reads_of_one_value_in_one_function_are_one() -> None:
    assert parts([at(2, subject="a.x()", cause="a.py:1"), at(4, subject="a.y()", cause="a.py:1")]) == [[2, 4]]
    assert parts([at(2, subject="a.x()", cause="a.py:1"), at(4, subject="a.y()", cause="a.py:9")]) == [[2], [4]]
    assert parts([at(2, subject="a.x()", cause="a.py:1"), at(9, subject="a.y()", cause="a.py:1")]) == [[2], [9]]


def test_uploads_of_what_comes_from_one_place_are_one_in_all_functions() -> None:
    def index(line: int) -> Finding:
        return at(line, code="SYN403", subject="i()", cause="m.py:3", mechanism="host-to-device-copy")

    assert parts([index(2), index(9)]) == [[2, 9]]


def test_uploads_in_statements_that_follow_one_another_are_one() -> None:
    def upload(line: int, construct: str = "tensor-to") -> Finding:
        return replace(
            at(line, code="SYN402", mechanism="host-to-device-copy"), subject=f"x{line}", construct=construct
        )

    assert parts([upload(2), upload(3), upload(4)]) == [[2, 3, 4]]
    assert parts([upload(2), upload(4)]) == [[2], [4]]
    assert parts([upload(2), upload(3, "tensor-cuda")]) == [[2], [3]]
    assert parts([upload(4), upload(9)]) == [[4], [9]]


def test_a_tensor_that_is_sent_and_read_back_is_one() -> None:
    def sent(line: int) -> Finding:
        return at(line, code="SYN401", subject="batch", mechanism="host-to-device-copy")

    def read(line: int, subject: str, cause: str) -> Finding:
        return at(line, subject=subject, cause=cause)

    assert parts([sent(2), read(4, "first", "a.py:2")]) == [[2, 4]]
    assert parts([sent(2), read(4, "first", "/where/it/is/a.py:2")]) == [[2, 4]]
    assert parts([sent(2), read(4, "first.sum()", "a.py:2")]) == [[2], [4]]
    assert parts([sent(2), read(4, "first", "b.py:2")]) == [[2], [4]]
    assert parts([sent(2), read(9, "first", "a.py:2")]) == [[2], [9]]


def test_what_one_rule_says_of_one_operand_in_a_function_is_one() -> None:
    def masked(line: int, code: str = "SYN103") -> Finding:
        return at(line, code=code, mechanism="data-dependent-shape", subject="mask")

    assert parts([masked(2), masked(4)]) == [[2, 4]]
    assert parts([masked(2), masked(9)]) == [[2], [9]]
    assert parts([masked(2), masked(4, "SYN104")]) == [[2], [4]]
    assert parts([at(2, subject="1.0"), at(4, subject="1.0")]) == [[2], [4]]


def test_code_that_runs_otherwise_is_not_joined() -> None:
    evaluated = replace(at(2, 15), context=Context(Phase.EVAL, ""))
    assert parts([at(2), evaluated]) == [[2], [2]]


NEIGHBOURS = """\
def log(model, loss, total, best, norms):
    first = loss.item()
    second = total.item()
    third = f(float(loss))
    if best.item():
        pass
    fourth = norms["all"].item()
"""


def reads(source: str) -> list[Finding]:
    """A finding for each `.item()`, by its construct and operand."""
    found = []
    for line, text in enumerate(source.splitlines(), 1):
        if ".item()" in text:
            subject = text.partition(".item()")[0].split()[-1]
            found.append(replace(at(line, 5, subject=subject), construct="item"))
    return completed(found, source, load_catalog())


def test_numbers_that_are_read_in_statements_that_follow_one_another_are_one_and_need_one_copy() -> None:
    first, second, tested, fourth = reads(NEIGHBOURS)
    assert first.group == second.group
    assert len({first.group, tested.group, fourth.group}) == 3
    assert "`torch.stack([loss, total]).tolist()`" in first.instead
    assert second.instead == first.instead
    assert "torch.stack([loss" not in fourth.instead


def test_numbers_that_are_read_with_something_in_between_are_told_apart() -> None:
    source = "def log(loss, total):\n    a = loss.item()\n    step()\n    b = total.item()\n"
    first, second = reads(source)
    assert first.group != second.group


def test_one_of_a_group_stands_for_it_that_which_is_multiplied_most() -> None:
    often = replace(at(4), context=Context(Phase.STEP, "", times=(Repetition("parameter", "a.py", 3),)))
    found = completed([at(2), at(3), often], SOURCE, load_catalog())
    assert [finding.repeats for finding in found] == [True, True, False]
    assert found[2].priority > max(found[0].priority, found[1].priority)


def priorities(findings: Iterable[Finding]) -> list[float]:
    return [finding.priority for finding in completed(list(findings), SOURCE, load_catalog())]


def test_a_statement_counts_for_each_place_at_which_it_waits() -> None:
    once, at_one_place, at_two = (
        priorities(given)[0] for given in ([at(2)], [at(2), at(2, code="SYN402")], [at(2), at(2, 15, subject="b")])
    )
    assert once == at_one_place < at_two


def test_a_wait_right_behind_one_of_its_kind_finds_little_to_wait_for() -> None:
    first, behind, after = priorities([at(2), at(3, subject="b"), at(4, subject="c")])
    assert first > behind == after
    assert priorities([at(2), at(4, subject="c")]) == [first, first]
    assert priorities([at(2), at(3, code="SYN202", subject="b")]) == [first, first]
    loop = Context(Phase.STEP, "", times=(Repetition("token", "a.py", 3),))
    assert priorities([at(2), replace(at(3, subject="b"), context=loop)])[1] > first


MATCHED = """\
import torch


def matched(counts: list[int]):
    return [torch.arange(count) for count in counts]


def of_all(indices):
    return torch.cat([i for i in indices])


def loss_labels(labels: torch.Tensor, indices):
    return labels[of_all(indices)]


def loss_boxes(boxes: torch.Tensor, indices):
    return sum(box[i].sum() for box, i in zip(boxes, indices))


def loss(outputs: torch.Tensor, other: torch.Tensor, counts: list[int]):
    indices = matched(counts)
    own = torch.as_tensor([1, 2])
    return loss_labels(outputs, indices) + loss_boxes(outputs, indices) + other[own]
"""


def test_indices_from_one_place_are_one_and_others_are_not(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(MATCHED)
    rows = json.loads(run("loss.py", "--select", "SYN403", "--output-format", "json").out)
    groups = {row["location"]["row"]: row["group"] for row in rows}
    assert groups.keys() == {13, 17, 23}
    assert groups[13] == groups[17] != groups[23]


def test_groups_are_the_same_in_any_order_and_number_of_processes(run: Synclint, tmp_path: Path) -> None:
    plant_two_shares(tmp_path)
    (tmp_path / "b.py").write_text(
        "import torch\n\ndef f(x: torch.Tensor, mask: torch.Tensor):\n    y = x[mask > 0], x[mask > 0]\n"
        "    n = x.sum()\n    return y, n.item(), n.item() + int(n)\n"
    )
    one = run(".", "--no-cache", "--jobs", "1", "--output-format", "json")
    rows = json.loads(one.out)
    assert [len({row["group"] for row in rows}), len(rows)] == [2, 5]
    assert run("b.py", ".", "--no-cache", "--jobs", "2", "--output-format", "json") == one
    assert run(".", "--output-format", "json") == one
    assert run(".", "--output-format", "json") == one


_BACKENDS = """\
import torch


class Backend:
    def build(self, lengths: torch.Tensor) -> int:
        raise NotImplementedError


class Dense(Backend):
    def build(self, lengths: torch.Tensor) -> int:
        return lengths.max().item()


class Paged(Backend):
    def build(self, lengths: torch.Tensor) -> int:
        return lengths.sum().item() // 16


class Counter:
    def build(self, lengths: torch.Tensor) -> int:
        return lengths.min().item()
"""


def test_what_alternatives_of_one_interface_wait_for_is_one(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "backends.py").write_text(_BACKENDS)
    found = json.loads(run("backends.py", "--runs", "all", "--output-format", "json").out)
    groups = {finding["location"]["row"]: finding["group"] for finding in found}
    assert groups[11] == groups[16] != groups[21]


_CHECKED = """\
import torch
from torch.distributions import Categorical, Normal


def act(mean: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return Normal(mean, torch.ones_like(mean)).rsample() + Categorical(logits=scores).probs.sum()


def read(mean: torch.Tensor) -> float:
    return mean.sum().item()
"""


def test_what_one_call_turns_off_in_the_whole_program_is_one(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "acting.py").write_text(_CHECKED)
    (tmp_path / "learning.py").write_text(_CHECKED.replace("Categorical(logits=scores).probs", "scores"))
    found = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    groups = {(Path(one["filename"]).name, one["location"]["row"], one["code"]): one["group"] for one in found}
    checks = {group for (_, row, _), group in groups.items() if row == 6}
    assert len(checks) == 1
    assert groups["acting.py", 10, "SYN201"] not in checks
