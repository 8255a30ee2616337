"""What becomes of a session's files: evidence beside that of other machines, and pages that say what was confirmed.

The evidence is made up, and the pages are copies.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import adopt_evidence
import generate_rule_table
from generate_rule_table import CHANGED, EVIDENCE, SENTENCES, TABLE, UNVERIFIED

from synclint.rules.loading import load_rules

REPOSITORY = Path(__file__).parent.parent
PROGRAMS = generate_rule_table.current_programs(load_rules())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the pages, without any evidence."""
    copy = tmp_path / "checkout"
    for path in (TABLE, *SENTENCES):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / path, copy / path)
    generate_rule_table.main([], copy)
    return copy


@pytest.fixture
def session(tmp_path: Path) -> Path:
    folder = tmp_path / "session"
    folder.mkdir()
    return folder


def document(verdicts: Mapping[str, str], device: str = "NVIDIA H100", **more: Any) -> str:  # noqa: ANN401
    environment = {"device": device, "torch": "2.13.0+cu130", "cuda": "13.0", "driver": "580.1", "date": "2026-12-01"}
    cases = [
        {"id": code, "kind": "rule", "verdict": verdict, "programs": PROGRAMS.get(code)}
        for code, verdict in verdicts.items()
    ]
    return json.dumps({"simulated": False, "environment": environment, "cases": cases, **more})


def everywhere(root: Path) -> dict[Path, str]:
    return {path: (root / path).read_text(encoding="utf-8") for path in (TABLE, *SENTENCES)}


def row(root: Path, code: str) -> str:
    lines = (root / TABLE).read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"| [{code} "))


def test_pages_say_rule_by_rule_what_was_confirmed_and_where(root: Path, session: Path) -> None:
    said = {"SYN101": "confirmed", "SYN102": "contradicted", "SYN202": "inconclusive", "SYN702": "static"}
    (session / "rules.json").write_text(document(said), encoding="utf-8")
    assert adopt_evidence.main([str(session)], root) == 0
    assert row(root, "SYN101").endswith("| confirmed on NVIDIA H100, torch 2.13.0 |")
    assert row(root, "SYN102").endswith("| contradicted on NVIDIA H100, torch 2.13.0 |")
    assert row(root, "SYN702").endswith("| a property of the source, which no trace can show |")
    assert row(root, "SYN103").endswith(f"| {UNVERIFIED} |")
    total = len(load_rules()) - 1
    sentence = (
        f"Run on a GPU: <!-- evidence -->1 of {total} rules confirmed on NVIDIA H100, torch 2.13.0; "
        "contradicted: SYN102; inconclusive: SYN202.<!-- end of evidence -->"
    )
    for path in SENTENCES:
        assert sentence in (root / path).read_text(encoding="utf-8"), path
    assert [path.name for path in (root / EVIDENCE).iterdir()] == ["nvidia-h100-torch2.13.0-cuda13.0-driver580.1.json"]
    assert generate_rule_table.main(["--check"], root) == 0


def test_evidence_of_several_machines_stands_side_by_side(root: Path, session: Path) -> None:
    for device in ("NVIDIA H100", "NVIDIA A100"):
        (session / "rules.json").write_text(document({"SYN101": "confirmed"}, device), encoding="utf-8")
        assert adopt_evidence.main([str(session)], root) == 0
    assert row(root, "SYN101").endswith(
        "| confirmed on NVIDIA A100, torch 2.13.0; confirmed on NVIDIA H100, torch 2.13.0 |"
    )


def test_a_rule_that_another_release_of_a_package_proves_is_proved(root: Path, session: Path) -> None:
    (session / "rules.json").write_text(document({"SYN501": "inconclusive"}), encoding="utf-8")
    (session / "torchmetrics.json").write_text(document({"SYN501": "confirmed"}), encoding="utf-8")
    assert adopt_evidence.main([str(session)], root) == 0
    assert row(root, "SYN501").endswith("| confirmed on NVIDIA H100, torch 2.13.0 |")
    assert len(list((root / EVIDENCE).iterdir())) == 2


def test_a_contradiction_outweighs_what_another_run_has_confirmed(root: Path, session: Path) -> None:
    (session / "rules.json").write_text(document({"SYN501": "contradicted"}), encoding="utf-8")
    (session / "torchmetrics.json").write_text(document({"SYN501": "confirmed"}), encoding="utf-8")
    assert adopt_evidence.main([str(session)], root) == 0
    assert row(root, "SYN501").endswith("| contradicted on NVIDIA H100, torch 2.13.0 |")


def test_a_rule_whose_programs_have_changed_is_not_confirmed(root: Path, session: Path) -> None:
    old = json.loads(document({"SYN101": "confirmed", "SYN102": "confirmed"}))
    old["cases"][0]["programs"] = "of an earlier version"
    (session / "rules.json").write_text(json.dumps(old), encoding="utf-8")
    assert adopt_evidence.main([str(session)], root) == 0
    assert row(root, "SYN101").endswith(f"| {CHANGED} |")
    assert "1 of " in (root / "README.md").read_text(encoding="utf-8").split("<!-- evidence -->")[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (document({"SYN101": "confirmed"}, "Pretended GPU"), "it comes from a pretended device"),
        (document({"SYN101": "confirmed"}, simulated=True), "it comes from the simulated device"),
        ("{", "is not evidence of a GPU run"),
    ],
)
def test_what_comes_from_no_gpu_changes_nothing(
    root: Path, session: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # The first file is good: it is not adopted either.
    (session / "rules.json").write_text(document({"SYN101": "confirmed"}), encoding="utf-8")
    (session / "torchmetrics.json").write_text(text, encoding="utf-8")
    before = everywhere(root)
    assert adopt_evidence.main([str(session)], root) == 2
    assert everywhere(root) == before and not (root / EVIDENCE).exists()
    assert said in capsys.readouterr().err


def test_a_folder_without_evidence_is_told(root: Path, session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert adopt_evidence.main([str(session)], root) == 2
    assert "holds no evidence" in capsys.readouterr().err
