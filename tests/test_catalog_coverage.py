"""Nothing that is known to wait is forgotten: the catalogue against a reference list and PyTorch itself."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed
import torch.distributions
import torchmetrics

from synclint.catalog.entries import load_catalog

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CATALOG = load_catalog()
LEFT_OUT: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("catalog_coverage.toml").read_text(encoding="utf-8")
)
REFERENCE_SIZE = 243
CALLS = {call for entry in CATALOG.entries for call in entry.calls}
DATA_DEPENDENT = (torch.Tag.dynamic_output_shape, torch.Tag.data_dependent_output)


def test_every_number_of_the_reference_list_is_covered_or_left_out_with_a_reason() -> None:
    covered = {number for entry in CATALOG.entries for number in entry.covers}
    left_out = {int(number) for number in LEFT_OUT["reference"]}
    assert covered | left_out == set(range(REFERENCE_SIZE))
    assert covered & left_out == set()


def test_every_entry_has_a_case_or_a_reason_for_none() -> None:
    without = {entry.id for entry in CATALOG.entries if entry.case is None}
    assert without == set(LEFT_OUT["without_case"])


def tagged_operators() -> set[str]:
    """Operators of which PyTorch itself says that shape or value of the result depends on data."""
    names = {schema.name.removeprefix("aten::") for schema in torch._C._jit_get_all_schemas()}
    found = set()
    for name in names:
        packet = getattr(torch.ops.aten, name, None)
        if packet is not None and any(
            tag in getattr(packet, overload).tags for overload in packet.overloads() for tag in DATA_DEPENDENT
        ):
            found.add(name)
    return found


def public_names(operator: str) -> set[str]:
    """The public calls that an operator of this name may be."""
    names = {f"torch.{operator}", f"Tensor.{operator}", f"torch.nn.functional.{operator}", f"torch._VF.{operator}"}
    return names | {f"torch.linalg.{operator.removeprefix('linalg_')}"}


def test_every_operator_that_pytorch_tags_as_data_dependent_is_catalogued() -> None:
    forgotten = {operator for operator in tagged_operators() if not public_names(operator) & CALLS}
    assert forgotten == set(LEFT_OUT["operators"])


def documented_to_synchronize() -> Iterator[str]:
    """Public names of functions and classes whose documentation mentions synchronizing."""
    owners: dict[str, Any] = {
        "Tensor": torch.Tensor,
        "torch": torch,
        "torch.accelerator": torch.accelerator,
        "torch.autograd": torch.autograd,
        "torch.cuda": torch.cuda,
        "torch.distributed": torch.distributed,
        "torch.linalg": torch.linalg,
        "torch.nn.functional": torch.nn.functional,
        "torch.nn.utils": torch.nn.utils,
    }
    for owner, holder in owners.items():
        for name in dir(holder):
            member = inspect.getattr_static(holder, name)
            # Which modules are there depends on what has been imported before.
            text = None if name.startswith("_") or inspect.ismodule(member) else member.__doc__
            if isinstance(text, str) and "synchroniz" in text.lower():
                yield f"{owner}.{name}"


@pytest.mark.filterwarnings("ignore:.*reduce_op.*:FutureWarning")  # looking at it is enough to be told
def test_every_function_documented_to_synchronize_is_catalogued() -> None:
    forgotten = {name for name in documented_to_synchronize() if name not in CALLS}
    assert forgotten == set(LEFT_OUT["documented"])


def test_every_distribution_is_checked_when_constructed_and_when_asked_for_a_probability() -> None:
    composed = {
        "Distribution",
        "ExponentialFamily",
        "Independent",
        "MixtureSameFamily",
        "TransformedDistribution",
    }
    names = {
        name
        for name in torch.distributions.__all__
        if inspect.isclass(value := getattr(torch.distributions, name))
        and issubclass(value, torch.distributions.Distribution)
    }
    by_id = CATALOG.by_id
    constructed = set(by_id["distribution-validation"].calls)
    asked = {call for entry in ("distribution-log-prob", "independent-log-prob") for call in by_id[entry].calls}
    assert {f"torch.distributions.{name}.__init__" for name in names - composed} == constructed
    assert {f"torch.distributions.{name}.log_prob" for name in names} - asked == {
        "torch.distributions.ExponentialFamily.log_prob",
    }


def test_every_public_metric_is_known() -> None:
    public = {f"torchmetrics.{name}" for name in torchmetrics.__all__ if inspect.isclass(getattr(torchmetrics, name))}
    assert public - set(CATALOG.classes) == set()


def test_metrics_derive_from_the_bases_that_the_catalogue_gives() -> None:
    for name in torchmetrics.classification.__all__:
        value = getattr(torchmetrics.classification, name)
        if inspect.isclass(value):
            known = CATALOG.classes[f"torchmetrics.classification.{name}"]
            ancestors = {ancestor.__name__ for ancestor in value.__mro__}
            assert {base.rpartition(".")[2] for base in known.bases} <= ancestors
