"""What libcst's users are told about an expression: the facts, the waits, and which node they belong to."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import libcst.matchers as m
import pytest
from libcst.metadata import FullRepoManager, MetadataWrapper

from synclint.codemod import (
    Confidence,
    Device,
    DType,
    Phase,
    TensorFact,
    TensorFactProvider,
    UnknownFactsError,
    facts_of_files,
    facts_of_text,
)
from synclint.rules.loading import load_rules

SOURCE = """\
import torch
from torch.utils.data import DataLoader


def train(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer) -> float:
    total = 0.0
    for images, labels in loader:
        logits = model(images.cuda())
        wrong = logits.argmax(dim=1) != labels.cuda()
        loss = (logits.logsumexp(dim=1)).mean()
        loss.backward()
        optimizer.step()
        report({"loss": loss, "wrong": wrong[wrong, None]})
        total += loss.item()
    return total


def report(values: dict[str, torch.Tensor]) -> None:
    print(sum(len(name) for name in ("a", "b")), values.get("loss", None), unknown.thing)


if torch.jit.is_scripting():
    print(torch.zeros(3, device="cuda"))
"""


def facts(source: str, path: Path) -> dict[str, TensorFact]:
    """The facts of a source by the text of their expressions, on one line; of several the last counts."""
    known = facts_of_text(source, path, [path.parent])
    wrapper = MetadataWrapper(cst.parse_module(source), cache={TensorFactProvider: known})
    return {
        " ".join(wrapper.module.code_for_node(node).split()): fact
        for node, fact in wrapper.resolve(TensorFactProvider).items()
    }


@pytest.fixture
def told(tmp_path: Path) -> dict[str, TensorFact]:
    return facts(SOURCE, tmp_path / "train.py")


# --- facts ----------------------------------------------------------------------------------------------------------


def test_a_tensor_is_told_with_its_device_type_rank_confidence_and_evidence(told: dict[str, TensorFact]) -> None:
    loss = told["(logits.logsumexp(dim=1)).mean()"]
    assert (loss.is_tensor, loss.device, loss.dtype, loss.rank) == (True, Device.UNKNOWN, DType.FLOAT, 0)
    assert loss.confidence is Confidence.MEDIUM
    assert loss.description == "a 0-dim tensor"
    assert loss.evidence[0].startswith("result of `.mean()` at ")
    wrong = told["logits.argmax(dim=1) != labels.cuda()"]
    assert (wrong.device, wrong.dtype) == (Device.DEVICE, DType.BOOL)
    assert wrong.may_be_on_device


def test_where_a_tensor_lives_on_the_cpu_it_cannot_be_on_the_device(told: dict[str, TensorFact]) -> None:
    assert told["images"].device is Device.CPU
    assert not told["images"].may_be_on_device
    assert not told["images"].holds_device_tensor


def test_what_is_something_else_is_told_apart_from_what_is_unknown(told: dict[str, TensorFact]) -> None:
    assert told["total"].is_tensor is False
    assert told["total"].description == "a Python float"
    assert told["unknown.thing"].is_tensor is None
    assert told["loader"].instance_of == "torch.utils.data.DataLoader"


def test_a_dictionary_is_no_tensor_and_holds_one(told: dict[str, TensorFact]) -> None:
    values = told['{"loss": loss, "wrong": wrong[wrong, None]}']
    assert values.is_tensor is False
    assert values.holds_device_tensor


def test_every_expression_is_told_how_often_it_runs(told: dict[str, TensorFact]) -> None:
    def phase(text: str) -> Phase | None:
        context = told[text].context
        return context.runs if context is not None else None

    assert phase("loss.item()") is Phase.STEP
    assert phase("loader") is Phase.ONCE
    assert phase('values.get("loss", None)') is Phase.STEP  # of a function that only the loop calls


def test_what_never_runs_has_no_facts(told: dict[str, TensorFact]) -> None:
    assert 'torch.zeros(3, device="cuda")' not in told


def test_a_function_whose_calls_are_all_known_is_told_by_them(tmp_path: Path) -> None:
    source = (
        "import torch\n\n\ndef helper(x):\n    return x.sum()\n\n\n"
        "def loss() -> torch.Tensor:\n    return helper(torch.ones(3, 2))\n"
    )
    assert facts(source, tmp_path / "a.py")["x"].device is Device.CPU


# --- waits ----------------------------------------------------------------------------------------------------------


def test_a_wait_is_told_with_how_and_how_often(told: dict[str, TensorFact]) -> None:
    (wait,) = told["loss.item()"].waits
    assert (wait.code, wait.mechanism, wait.context.runs) == ("SYN201", "scalar-read", Phase.STEP)
    assert told["loss.item()"].waits_each_step
    assert not told["loss"].waits


def test_a_wait_at_several_indices_is_told_of_the_subscript(told: dict[str, TensorFact]) -> None:
    assert [wait.code for wait in told["wrong[wrong, None]"].waits] == ["SYN103"]


def test_settings_and_comments_decide_what_is_reported_and_not_what_waits(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.synclint]\nignore = ["SYN103"]\n')
    source = SOURCE.replace("loss.item()", "loss.item()  # synclint: ignore[SYN201] once")
    told = facts(source, tmp_path / "train.py")
    assert told["loss.item()"].waits
    assert told["wrong[wrong, None]"].waits
    assert not told["loss.item()"].reported
    assert not told["wrong[wrong, None]"].reported
    assert [finding.code for finding in told["images.cuda()"].reported] == ["SYN402"]


def test_every_wait_of_every_rule_belongs_to_a_node() -> None:
    files = [rule.folder / "hazard.py" for rule in load_rules() if rule.folder is not None]
    found = facts_of_files(files, files[0].parents[1])
    assert found.keys() == set(files)
    for known in found.values():
        assert known.waits
        wrapper = MetadataWrapper(cst.parse_module(known.source), cache={TensorFactProvider: known})
        joined = [wait for fact in wrapper.resolve(TensorFactProvider).values() for wait in fact.waits]
        assert sorted(joined, key=lambda wait: (wait.span, wait.code)) == list(known.waits)


# --- nodes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("((mask, 1))", "((mask, 1))"),
        ("(mask for _ in range(3))", "(mask for _ in range(3))"),
        ("list(mask for _ in range(3))", "mask for _ in range(3)"),
        ("(\n        mask\n        + 1\n    )", "( mask + 1 )"),
        ("'é', mask.sum()", "mask.sum()"),
        ("f'{mask.sum()}'", "mask.sum()"),
        ("'a' 'b', mask if mask is None else 2", "mask if mask is None else 2"),
        ("(lambda: mask)()", "(lambda: mask)()"),
    ],
)
def test_facts_are_joined_to_the_node_that_has_their_place(tmp_path: Path, expression: str, text: str) -> None:
    source = f"import torch\n\n\ndef pick(mask: torch.Tensor):\n    return {expression}\n"
    assert text in facts(source, tmp_path / "a.py")


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}"])
def test_line_ends_and_a_byte_order_mark_move_nothing(tmp_path: Path, change: object) -> None:
    assert callable(change)
    path = tmp_path / "train.py"
    path.write_bytes(change(SOURCE).encode())
    manager = FullRepoManager(str(tmp_path), ["train.py"], {TensorFactProvider})
    module = cst.parse_module(path.read_bytes())
    wrapper = MetadataWrapper(module, cache=manager.get_cache_for_path("train.py"))
    (item,) = m.findall(wrapper, m.Call(func=m.Attribute(attr=m.Name("item"))))
    assert wrapper.resolve(TensorFactProvider)[item].waits_each_step


def test_matchers_ask_for_metadata(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE)
    manager = FullRepoManager(str(tmp_path), ["train.py"], {TensorFactProvider})
    wrapper = manager.get_metadata_wrapper_for_path("train.py")
    waits = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: fact.waits_each_step)
    found = m.findall(wrapper, m.Call(metadata=waits))
    code = [wrapper.module.code_for_node(node) for node in found if isinstance(node, cst.Call)]
    assert code == ["images.cuda()", "labels.cuda()", "loss.item()", code[-1]]
    assert code[-1].startswith("print(")
    fact = wrapper.resolve(TensorFactProvider)[found[0]]
    assert m.findall(wrapper, m.Call(metadata=m.MatchMetadata(TensorFactProvider, fact))) == [found[0]]


# --- files ----------------------------------------------------------------------------------------------------------


def test_files_of_a_manager_are_analysed_together(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def pick(x):\n    return x.sum()\n")
    main = "import torch\nfrom helper import pick\n\n\ndef loss() -> None:\n    pick(torch.ones(3, device='cuda'))\n"
    (tmp_path / "main.py").write_text(main)
    manager = FullRepoManager(str(tmp_path), ["helper.py", "main.py"], {TensorFactProvider})
    wrapper = manager.get_metadata_wrapper_for_path("helper.py")
    (total,) = m.findall(wrapper, m.Call())
    assert wrapper.resolve(TensorFactProvider)[total].device is Device.DEVICE


def test_a_module_that_was_changed_is_told_by_its_own_text(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE)
    manager = FullRepoManager(str(tmp_path), ["train.py"], {TensorFactProvider})
    module = cst.parse_module(SOURCE.replace("loss.item()", "loss.detach()"))
    wrapper = MetadataWrapper(module, cache=manager.get_cache_for_path("train.py"))
    (detached,) = m.findall(wrapper, m.Call(func=m.Attribute(attr=m.Name("detach"))))
    assert wrapper.resolve(TensorFactProvider)[detached].is_tensor
    assert not wrapper.resolve(TensorFactProvider)[detached].waits


def test_a_file_that_cannot_be_parsed_keeps_no_other_from_its_facts(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import torch\ndef (:\n")
    (tmp_path / "train.py").write_text(SOURCE)
    manager = FullRepoManager(str(tmp_path), ["broken.py", "train.py", "missing.py"], {TensorFactProvider})
    assert manager.get_metadata_wrapper_for_path("train.py").resolve(TensorFactProvider)


def test_a_text_that_cannot_be_parsed_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnknownFactsError, match=r"a\.py:2: ") as refused:
        facts_of_text("import torch\ndef (:\n", tmp_path / "a.py", [tmp_path])
    assert "\n" not in str(refused.value)


def test_entries_of_the_configuration_are_among_the_facts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.synclint.gives]\n"ours.load()" = "device-tensor"\n')
    source = "import ours\nimport torch\n\n\ndef first() -> None:\n    ours.load()\n"
    assert facts(source, tmp_path / "a.py")["ours.load()"].device is Device.DEVICE


def test_a_recording_changes_no_finding(tmp_path: Path) -> None:
    from synclint.config import Options
    from synclint.running.runner import check_text

    path = tmp_path / "train.py"
    plain = check_text(SOURCE, path, [tmp_path], Options()).findings
    recorded = facts_of_text(SOURCE, path, [tmp_path]).reported
    assert [(finding.span, finding.code, finding.context) for finding in recorded] == [
        (finding.span, finding.code, finding.context) for finding in plain
    ]
