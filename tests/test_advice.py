"""Advice can be followed where it is given, and speaks of the reader's own names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from synclint.catalog.entries import Entry, load_catalog
from synclint.config.options import Options
from synclint.findings import Confidence, Context, Finding, Phase, Position, Severity, Span
from synclint.results.completion import LONGEST_ADVICE, completed
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


def advice(source: str, construct: str = "condition", subject: str = "torch.isnan(loss)", width: int = 1) -> str:
    """What is advised about the beginning of line 2 of a source."""
    span = Span(Position(2, 1), Position(2, 1 + width))
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
    assert "Test `torch.isnan(loss)` every N steps" in told
    assert "act a step later" in told


def test_where_an_exception_hangs_on_it_an_assertion_on_the_device_is_advised() -> None:
    assert "torch._assert_async" in advice("for x in y:\n  if torch.isnan(loss):\n    raise ValueError\n")


def test_no_loader_is_to_pin_what_a_call_makes_on_the_spot() -> None:
    assert "DataLoader" in advice("\nx = batch.cuda()\n", "upload", "batch")
    told = advice("\nx = torch.zeros(3).cuda()\n", "upload", "torch.zeros(3)")
    assert "DataLoader" not in told and "torch.zeros(3)" in told


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("images.float()", "Copy `images` up first, pinned, with `non_blocking=True`, and call `float` there."),
        ("self.mask.repeat(n, 1)", "Copy `self.mask` up first"),
        ("torch.from_numpy(window)", "`torch.from_numpy(window).pin_memory().to(device, non_blocking=True)`"),
        ("torch.zeros(n).float()", "Create `torch.zeros(n).float()` on the device"),
        ("self.made(n)", "Create `self.made(n)` on the device"),
    ],
)
def test_what_is_computed_of_a_batch_goes_up_after_it(subject: str, said: str) -> None:
    assert said in advice(f"\nx = {subject}.to(device)\n", "upload", subject)


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("np.random.normal(0, 1, size)", "`torch.normal(…, device=device)`"),
        ("numpy.ones((n, *rest))", "`torch.ones(…, device=device)`"),
        ("np.load(path)", "outside the loop"),
        ("data.ones(n)", "outside the loop"),
    ],
)
def test_what_numpy_makes_on_the_spot_is_made_by_torch(subject: str, said: str) -> None:
    assert said in advice(f"\nx = torch.tensor({subject}, device=device)\n", "tensor-from-host-data", subject)


@pytest.mark.parametrize("subject", ["rows", "self.lengths[:n]", "torch.from_numpy(rows)"])
def test_what_is_copied_without_waiting_is_to_be_in_a_pinned_buffer(subject: str) -> None:
    told = advice(f"\nx = {subject}.to(device, non_blocking=True)\n", "unpinned-upload", subject)
    assert "pinned buffer" in told and f"`{subject}`" in told
    assert ("DataLoader" in told) == (not subject.endswith(")"))


def test_a_list_is_not_advised_to_be_filled_in_as_a_number() -> None:
    assert "torch.full((), n, device" in advice("\nx = torch.tensor(n)\n", "tensor-from-host-data", "n")
    told = advice("\nx = torch.tensor([n])\n", "tensor-from-host-data", "[n]")
    assert "torch.full" not in told and "Make `[n]` a tensor once" in told


def test_a_list_that_grows_by_what_is_read_is_no_sum() -> None:
    told = advice("\nself.numbers += kept.tolist()\n", "tolist", "kept")
    assert "Add up" not in told and "`kept`" in told


def test_of_a_long_operand_its_beginning_is_repeated() -> None:
    long = "f(" + ", ".join(["argument"] * 20) + ")"
    assert "torch.where(f(…), a, b)" in advice("for x in y:\n  if c:\n    z = 0.0\n", subject=long)
    assert "torch.where(x, a, b)" in advice("for x in y:\n  if c:\n    z = 0.0\n", subject="argument" * 20)


def test_an_operand_that_a_message_cuts_off_is_told_from_what_stands_there() -> None:
    made = "torch.zeros([batch.shape[0], (length - (self.sequence_length)), batch.shape[2]])"
    copied = f"{made}.to(batch.device)"
    told = advice(f"\n{copied}\n", "upload", f"{made[:57]}...", len(copied))
    assert "Create `torch.zeros(…)` on the device" in told


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("cells.clamp_(0, size - 1)", "`.clamp_(min=0).clamp_(max=size - 1)`"),
        ("torch.clamp(cells, size, max=3)", "`.clamp(min=size).clamp(max=3)`"),
        ("torch.clamp(*bounds)", "by the tensor `size`"),
    ],
)
def test_two_kinds_of_bounds_are_told_apart_in_their_order(call: str, said: str) -> None:
    assert said in advice(f"\n{call}\n", "clamp-mixed-bounds", "size", len(call))


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
    # What a library decides is no statement of the reader's.
    without = {"assert-condition", "builtin-comparison", "inner-control-flow"}
    assert bool(entry.instead_for_actions) == (entry.id not in without)


@pytest.mark.parametrize("folder", sorted(RULES.glob("SYN*")), ids=lambda folder: folder.name)
def test_the_help_names_the_operand_as_it_is_written_where_the_finding_stands(folder: Path) -> None:
    path = folder / "hazard.py"
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    for wait in report.findings:
        subject = " ".join(wait.subject.split())
        if 0 < len(subject) <= 50 and wait.construct not in WITHOUT_OPERAND:
            root = re.split(r"\W", subject)[0]
            told = wait.instead
            assert subject in told or root in told or len(told) + len(subject) > 90, wait.construct


PLACES = """\
import torch
import torch.nn.functional as F


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, mask):
        if mask.any():  # Hoist it: ask for `mask.any()` once before the loop over the layers
            x = x * 2
        return self.linear(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(6)])
        self.tail = torch.nn.Linear(4, 4)
        self.scale = 2.0

    def forward(self, x, mask):
        x = x * self.scale
        for layer in self.layers:
            x = layer(x, mask)
        return self.tail(x)


def train(images_and_lengths):
    net = Net().cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = torch.tensor(1e9, device="cuda")
    worst = torch.zeros((), device="cuda")
    weights = [1.0, 2.0]
    total = count = 0.0
    margin = float(len(weights))
    said = ""
    history = []
    for images, lengths, labels in images_and_lengths:
        x, target = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        lengths = lengths.cuda()
        longest = int(lengths.max())  # Read it before `.cuda()`
        m = torch.as_tensor(margin, device="cuda")  # Fill it in on the device, which copies nothing: `torch.full(
        w = torch.tensor(weights, device="cuda")  # Make `weights` a tensor once
        mask = x.sum(-1) > 0
        out = net(x[:, :longest], mask) * w.sum() * m
        n = int(mask.sum())  # Use a bound that the host knows instead of `mask.sum()`
        table = torch.zeros(n, device="cuda")
        cut = out[: mask.sum()]  # Use a bound that the host knows instead of `mask.sum()`
        valid = target >= 0
        loss = F.cross_entropy(out[valid], target[valid])  # `target.masked_fill(~valid, -100)`, which `ignore_index`
        if torch.isnan(loss):  # Test `torch.isnan(loss)` every N steps
            break
        if loss < best:  # `best = torch.minimum(best, loss)`
            best = loss
        if best > worst:  # Compute both sides
            worst, best = best, worst
        worst = loss if loss > worst else worst  # `worst = torch.maximum(worst, loss)`
        if loss > 10.0:  # Read it once, every N steps, and set the learning rate
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
        out[0, 0] = 1.0  # `out[0, 0].fill_(1.0)`
        clipped = min(loss, 1.0)  # `loss.clamp(max=1.0)`
        total += float(loss)  # Add up on the device: `total += loss.detach()`
        count = count + loss.item()  # Add up on the device: `count += loss.detach()`
        level = torch.full((2,), loss.item())  # `torch.empty(size, device=device).fill_(loss)`
        history.append(loss.item())  # Append `loss.detach()`, and
        history.append(loss.detach().item())  # Append `loss.detach()`, and
        history.append(float(loss.item()) / 2)  # Append `loss.detach() / 2`, and
        history.append((n, loss.item()))  # Keep `loss` a tensor
        total += 0.5 * (loss - best).item()  # Add up on the device: `total += 0.5 * (loss - best).detach()`
        said += f"{loss.item()}, "  # Keep `loss` a tensor
        (clipped + table.sum() + cut.sum()).backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    train(torch.utils.data.DataLoader([], pin_memory=True))
"""


def test_advice_follows_from_what_becomes_of_the_value(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(PLACES)
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    told: dict[int, set[str]] = {}
    for wait in report.findings:
        told.setdefault(wait.span.start.line, set()).add(wait.instead)
    for number, line in enumerate(PLACES.splitlines(), start=1):
        _, marked, expected = line.partition("  # ")
        if marked:
            assert any(expected in text for text in told.get(number, ())), (number, expected, told.get(number))


def test_what_a_loop_gives_another_value_in_each_round_is_not_to_be_hoisted(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(PLACES.replace("if mask.any():", "if x.isnan().any():"))
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    (wait,) = (wait for wait in report.findings if wait.span.start.line == 11)
    assert "Hoist" not in wait.instead


def test_no_advice_is_longer_than_its_page_is_for() -> None:
    for entry in CATALOG.entries:
        made = entry.instead_for_calls, entry.instead_for_lists
        for text in (entry.instead, entry.instead_for_actions, entry.instead_for_raise, *made):
            assert len(text.replace("{subject}", "loss")) <= LONGEST_ADVICE, entry.id


def test_what_the_loop_counts_over_is_not_to_be_hoisted(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    source = PLACES.replace("        for layer in self.layers:\n", "        for at, layer in enumerate(self.layers):\n")
    asked = "            if mask[at].any():\n                x = x * 2\n"
    path.write_text(source.replace("            x = layer(x, mask)\n", f"{asked}            x = layer(x, mask)\n"))
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    waits = [wait for wait in report.findings if "mask[at]" in path.read_text().splitlines()[wait.span.start.line - 1]]
    assert waits and not any("Hoist" in wait.instead for wait in waits)


def test_what_is_made_in_the_shape_of_something_is_made_of_none_of_its_values(tmp_path: Path) -> None:
    program = """\
import numpy as np
import torch


def best_path(scores: torch.Tensor) -> torch.Tensor:
    scores = scores.cuda().data.cpu().numpy()
    path = np.zeros(scores.shape, dtype=np.int32)
    search(path, scores)
    return torch.from_numpy(path)
"""
    path = tmp_path / "paths.py"
    path.write_text(program)
    (report,) = check_files([path], [path], Options(), jobs=1).reports
    waits = [wait for wait in report.findings if wait.span.start.line == 6]
    assert waits and not any("bound" in wait.instead for wait in waits)
