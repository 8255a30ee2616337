"""``--fix``, ``--unsafe-fixes`` and ``--diff``: what they write, what they keep, and what they say."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD, Synclint

from synclint.findings import Edit
from synclint.fixes import folders
from synclint.fixes.layout import broken, laid_out, width_of
from synclint.fixes.place import Place

SAFE = """\
import torch as th


def step(x: th.Tensor) -> th.Tensor:
    return x * th.tensor(0.5, device=x.device)  # half of it
"""
SAFE_FIXED = SAFE.replace("th.tensor(0.5,", "th.full((), 0.5,")

UNSAFE = """\
import torch


def step(x: torch.Tensor) -> torch.Tensor:
    return x + torch.randn(8).to(x.device)
"""
UNSAFE_FIXED = UNSAFE.replace("torch.randn(8).to(x.device)", "torch.randn(8, device=x.device)")

LOADER = """\
from torch.utils.data import DataLoader


def make_loader(data):
    return DataLoader(data, batch_size=4, num_workers=2)
"""
TRAIN = """\
import torch
from loaders import make_loader


def train(model: torch.nn.Module, data, device: torch.device) -> None:
    for images, labels in make_loader(data):
        model(images.to(device), labels.to(device)).backward()


if __name__ == "__main__":
    train(torch.nn.Linear(4, 4), [], torch.device("cuda"))
"""


TWO_LOOPS = """\
import torch
from torch.utils.data import DataLoader


def evaluate(model: torch.nn.Module, loader: DataLoader) -> None:
    for images, labels in loader:
        model(images.cuda())


def train(model: torch.nn.Module, data) -> None:
    loader = DataLoader(data, batch_size=4, num_workers=2)
    for images, labels in loader:
        model(images.cuda()).backward()
    evaluate(model, loader)


if __name__ == "__main__":
    train(torch.nn.Linear(4, 4).cuda(), [])
"""


@pytest.fixture
def synclint(run: Synclint) -> Synclint:
    """The program under its own name: what it comes to is a run."""
    return run


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_bytes(text.encode())


def test_safe_fixes_are_made_and_others_are_left(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, safe=SAFE, unsafe=UNSAFE)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "safe.py").read_text() == SAFE_FIXED
    assert (tmp_path / "unsafe.py").read_text() == UNSAFE
    assert run.status == 1
    assert "synclint: note: fixed 1 finding in 1 file" in run.err


def test_unsafe_fixes_are_made_when_they_are_asked_for(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, safe=SAFE, unsafe=UNSAFE)
    run = synclint("check", "--fix", "--unsafe-fixes", ".")
    assert (tmp_path / "unsafe.py").read_text() == UNSAFE_FIXED
    assert run.status == 0


def test_a_second_run_changes_nothing(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, safe=SAFE, unsafe=UNSAFE)
    synclint("check", "--fix", "--unsafe-fixes", ".")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("*.py")}
    run = synclint("check", "--fix", "--unsafe-fixes", ".")
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("*.py")} == before
    assert "fixed" not in run.err


def test_diff_shows_a_patch_and_writes_nothing(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, safe=SAFE)
    run = synclint("check", "--diff", ".")
    assert (tmp_path / "safe.py").read_text() == SAFE
    assert run.status == 1
    assert run.out.startswith("--- safe.py\n+++ safe.py\n@@")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=run.out, text=True, check=True)
    assert (tmp_path / "safe.py").read_text() == SAFE_FIXED


def test_diff_of_what_cannot_be_fixed_is_empty_and_ends_with_zero(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, hazard=HAZARD)
    run = synclint("check", "--diff", ".")
    assert (run.status, run.out) == (0, "")


def test_reports_mark_what_can_be_fixed_and_the_last_line_counts_it(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, safe=SAFE, unsafe=UNSAFE, hazard=HAZARD)
    plain = synclint("check", ".", "--output-format", "concise").out.splitlines()
    assert [line.split(":")[0] for line in plain if " [*] " in line] == ["safe.py"]
    assert plain[-1] == "[*] 1 fixable with --fix, [+] 1 more with --unsafe-fixes."
    unsafe = synclint("check", ".", "--output-format", "concise", "--unsafe-fixes").out.splitlines()
    assert [line.split(":")[0] for line in unsafe if " [*] " in line] == ["safe.py", "unsafe.py"]
    assert unsafe[-1] == "[*] 2 fixable with --fix --unsafe-fixes, 1 of them with --fix."


def test_reports_say_nothing_of_fixes_where_there_are_none(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, hazard=HAZARD)
    assert "fix" not in synclint("check", ".").out.splitlines()[-1]


def test_programs_are_told_the_edits(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, unsafe=UNSAFE)
    (finding,) = json.loads(synclint("check", ".", "--output-format", "json").out)
    assert finding["fix"]["applicability"] == "unsafe"
    assert finding["fix"]["caveat"].startswith("the device's generator draws different numbers from the same seed")
    sarif = json.loads(synclint("check", ".", "--output-format", "sarif").out)
    (fix,) = sarif["runs"][0]["results"][0]["fixes"]
    assert fix["description"]["text"].endswith(finding["fix"]["caveat"])
    (diagnostic,) = json.loads(synclint("check", ".", "--output-format", "rdjson").out)["diagnostics"]
    assert len(diagnostic["suggestions"]) == 1
    annotation = synclint("check", ".", "--output-format", "github").out
    old, new = (text.splitlines()[-1] for text in (UNSAFE, UNSAFE_FIXED))
    assert f"%0A- {old}%0A+ {new}" in annotation


def test_a_fix_in_two_files_is_made_in_both(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, loaders=LOADER, train=TRAIN)
    run = synclint("check", "--fix", "--unsafe-fixes", ".")
    assert "num_workers=2, pin_memory=True)" in (tmp_path / "loaders.py").read_text()
    fixed = (tmp_path / "train.py").read_text()
    assert "images.to(device, non_blocking=True), labels.to(device, non_blocking=True)" in fixed
    assert run.status == 0


def test_a_fix_in_two_files_is_not_safe(synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.fixes.uploads._BATCHES", "")  # as if nothing could differ
    write(tmp_path, loaders=LOADER, train=TRAIN)
    synclint("check", "--fix", ".")
    assert (tmp_path / "train.py").read_text() == TRAIN
    found = json.loads(synclint("check", ".", "--output-format", "json").out)
    fixes = [finding["fix"] for finding in found if finding["fix"]]
    assert fixes
    assert all(fix["caveat"] == "another file is changed with it" for fix in fixes)


def test_a_fix_in_two_files_is_not_made_where_only_one_is_checked(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, loaders=LOADER, train=TRAIN)
    synclint("check", "--fix", "--unsafe-fixes", "train.py")
    assert (tmp_path / "loaders.py").read_text() == LOADER
    assert (tmp_path / "train.py").read_text() == TRAIN


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "\n\n# the end"])
def test_line_ends_byte_order_mark_and_the_rest_of_a_file_are_kept(
    synclint: Synclint, tmp_path: Path, ending: str, start: str, end: str
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes((start + SAFE + end).replace("\n", ending).encode())
    synclint("check", "--fix", "a.py")
    assert path.read_bytes() == (start + SAFE_FIXED + end).replace("\n", ending).encode()


def test_the_encoding_of_a_file_is_kept(synclint: Synclint, tmp_path: Path) -> None:
    head = "# -*- coding: latin-1 -*-\n# Grüße\n"
    (tmp_path / "a.py").write_bytes((head + SAFE).encode("latin-1"))
    synclint("check", "--fix", "a.py")
    assert (tmp_path / "a.py").read_bytes() == (head + SAFE_FIXED).encode("latin-1")


def test_the_mode_of_a_file_is_kept(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=SAFE)
    (tmp_path / "a.py").chmod(0o751)
    synclint("check", "--fix", ".")
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == 0o751


def test_a_link_stays_a_link_and_its_file_is_fixed_once(synclint: Synclint, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write(tmp_path / "real", a=SAFE)
    (tmp_path / "linked.py").symlink_to(tmp_path / "real" / "a.py")
    synclint("check", "--fix", "linked.py", "real/a.py")
    assert (tmp_path / "linked.py").is_symlink()
    assert (tmp_path / "real" / "a.py").read_text() == SAFE_FIXED


def test_a_file_that_may_not_be_written_to_is_left_and_told(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may write to any file: what the system says of others is pretended.
    monkeypatch.setattr("synclint.files.atomic_files.os.access", lambda path, mode: mode != os.W_OK)
    write(tmp_path, a=SAFE)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE
    assert run.status == 2
    assert "a.py: the fixes could not be written: permission denied" in run.err


def test_a_file_that_changes_meanwhile_is_left_as_it_is(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a=SAFE)
    from synclint.fixes import rounds

    make = rounds.fixed

    def meanwhile(*given: object, **more: object) -> object:
        found = make(*given, **more)  # type: ignore[arg-type]
        write(tmp_path, a=SAFE + "# more\n")
        return found

    monkeypatch.setattr(rounds, "fixed", meanwhile)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE + "# more\n"
    assert run.status == 2
    assert "a.py: changed while it was being checked" in run.err


def test_a_file_whose_result_does_not_parse_stays_as_it_was(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.fixes.place.Place.replaced", _spoiled("th.full((), 0.5"))
    write(tmp_path, a=SAFE, b=CLEAN)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE
    assert run.status == 1
    assert "warning: a.py: 1 fix is left out: the result does not parse" in run.err


def test_a_file_that_would_show_another_finding_stays_as_it_was(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.fixes.place.Place.replaced", _spoiled("x[x > 0].nonzero()"))
    write(tmp_path, a=SAFE)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE
    assert "warning: a.py: 1 fix is left out: SYN" in run.err
    assert "would be a new finding" in run.err


def test_a_safe_fix_that_would_leave_a_read_is_left_out_and_an_unsafe_one_is_made(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.fixes.place.Place.replaced", _spoiled("x.max().item()"))
    write(tmp_path, a=SAFE)
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE
    assert "warning: a.py: 1 fix is left out: SYN201 would be a new finding" in run.err
    synclint("check", "--fix", "--unsafe-fixes", ".")
    assert "x.max().item()" in (tmp_path / "a.py").read_text()


def test_a_fix_that_would_bring_a_finding_is_left_out_alone(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synclint.fixes.place.Place.replaced", _spoiled("x[x > 0].nonzero()", where="0.5"))
    function = SAFE.partition("\n\n\n")[2]
    write(tmp_path, a=f"{SAFE}\n\n{function.replace('step', 'other').replace('0.5', '0.25')}")
    before = (tmp_path / "a.py").read_text()
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == before.replace("th.tensor(0.25,", "th.full((), 0.25,")
    assert "warning: a.py: 1 fix is left out: SYN" in run.err


OPERATORS = """\
import torch as th


def half(x: th.Tensor) -> th.Tensor:
    return quarter(x) * th.tensor(0.5, device=x.device)


def quarter(x: th.Tensor) -> th.Tensor:
    return x * th.tensor(0.25, device=x.device)


def eager(x: th.Tensor) -> th.Tensor:
    return x * th.tensor(0.125, device=x.device)
"""


@pytest.mark.parametrize(
    ("imported", "named"), [("import a", "a.half"), ("from a import half", "half"), ("from a import half as h", "h")]
)
def test_what_another_file_hands_to_a_compiler_is_left_alone_with_what_it_calls(
    synclint: Synclint, tmp_path: Path, imported: str, named: str
) -> None:
    write(tmp_path, a=OPERATORS, b=f"import torch\n{imported}\n\nfast = torch.jit.script({named})\n")
    run = synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == OPERATORS.replace("th.tensor(0.125,", "th.full((), 0.125,")
    assert "fixed 1 finding in 1 file" in run.err
    assert "[*]" not in run.out


def test_what_is_marked_is_what_is_fixed_where_another_file_hands_code_to_a_compiler(
    synclint: Synclint, tmp_path: Path
) -> None:
    write(tmp_path, a=OPERATORS, b="import torch\nimport a\n")
    arguments = ("check", ".", "--output-format", "json", "--cache-dir", "kept")
    apart = [one["fix"] is not None for one in json.loads(synclint(*arguments).out)]
    write(tmp_path, b="import torch\nimport a\n\nfast = torch.jit.script(a.half)\n")
    marked = [one["fix"] is not None for one in json.loads(synclint(*arguments).out)]
    assert (apart, marked) == ([True, True, True], [False, False, True])
    write(tmp_path, b="import torch\nimport a\n")
    assert [one["fix"] is not None for one in json.loads(synclint(*arguments).out)] == apart


def test_no_fix_writes_into_another_file_where_that_is_compiled(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, loaders=LOADER, train=TRAIN)
    assert "pin_memory" in synclint("check", "--diff", "--unsafe-fixes", ".").out
    write(tmp_path, export="import torch\nfrom loaders import make_loader\n\ntorch.jit.script(make_loader)\n")
    assert "pin_memory" not in synclint("check", "--diff", "--unsafe-fixes", ".").out


@pytest.mark.parametrize(
    "handing",
    [
        "script = torch.jit.script\nfast = script(a.half)",
        "fast = list(map(torch.jit.script, [a.half]))",
        "for one in (a.half,):\n    torch.jit.script(one)",
        "fast = [torch.jit.script(one) for one in (a.half,)]",
        "KNOWN = {'half': a.half}\nfast = torch.jit.script(KNOWN['half'])",
        "def compiled(one):\n    return torch.jit.script(one)\n\n\nfast = compiled(a.half)",
        "fast = torch.jit.trace(func=a.half, example_inputs=torch.ones(2))",
        "fast = torch.fx.Tracer().trace(a.half)",
        "fast = torch.jit.script(getattr(a, 'half'))",
    ],
)
def test_a_compiler_may_be_given_a_function_by_other_names_and_ways(
    synclint: Synclint, tmp_path: Path, handing: str
) -> None:
    write(tmp_path, a=OPERATORS, b=f"import torch\nimport a\n\n\n{handing}\n")
    synclint("check", "--fix", ".")
    fixed = (tmp_path / "a.py").read_text()
    assert fixed.partition("def eager")[0] == OPERATORS.partition("def eager")[0]


def test_what_a_program_makes_and_hands_to_a_compiler_does_not_stand_for_what_made_it(
    synclint: Synclint, tmp_path: Path
) -> None:
    made = "def made(x):\n    return half\n\n\n"
    write(
        tmp_path,
        a=SAFE.replace("def step", "def half"),
        b=f"import torch\nimport a\n\n\n{made}model = made(a.half)\ntorch.jit.script(model)\n",
    )
    synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == SAFE_FIXED.replace("def step", "def half")


def test_classes_that_another_file_hands_to_a_compiler_are_left_alone(synclint: Synclint, tmp_path: Path) -> None:
    model = "import torch as th\n\n\nclass Half(th.nn.Module):\n    def forward(self, x: th.Tensor) -> th.Tensor:\n"
    model += "        return x * th.tensor(0.5, device=x.device)\n"
    script = "import torch\nfrom a import Half\nfrom c import step\n\n\ndef main():\n    model = Half()\n"
    script += "    step(torch.jit.trace(model, torch.ones(2)))\n"
    write(tmp_path, a=model, b=script, c=SAFE)
    synclint("check", "--fix", "--cold", ".")
    assert (tmp_path / "a.py").read_text() == model
    assert (tmp_path / "c.py").read_text() == SAFE_FIXED


def test_a_fix_that_lets_another_be_made_does_not_bring_a_finding(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=TWO_LOOPS)
    run = synclint("check", "--fix", "--unsafe-fixes", "--runs", "all", "a.py")
    fixed = (tmp_path / "a.py").read_text()
    assert fixed.count("non_blocking=True") == 2
    assert fixed.count("pin_memory=True") == 1
    assert "left out" not in run.err


def _spoiled(source: str, where: str = "") -> object:
    """What writes something else, where an expression has a text."""
    from synclint.findings import Edit

    def replaced(place: Place, node: ast.expr, new: str, file: object = None) -> Edit:
        is_meant = where in place.text(node)
        return Edit(place.file.span(node), source if is_meant else new)

    return replaced


def test_cached_findings_keep_their_edits(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=SAFE)
    first = synclint("check", ".", "--output-format", "json", "--cache-dir", "kept").out
    second = synclint("check", ".", "--output-format", "json", "--cache-dir", "kept").out
    assert json.loads(first)[0]["fix"]
    assert second == first
    synclint("check", "--fix", ".", "--cache-dir", "kept")
    assert (tmp_path / "a.py").read_text() == SAFE_FIXED


OTHER = """
import torch

def train(model: torch.nn.Module, batches: list[torch.Tensor]) -> None:
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        if loss > 3.0:
            break
"""


@pytest.mark.parametrize(
    ("source", "expected"), [(HAZARD, "False"), (CLEAN, "False"), (OTHER, "False"), (SAFE, "True")]
)
def test_libcst_is_imported_only_where_there_is_something_to_fix(tmp_path: Path, source: str, expected: str) -> None:
    source = source.replace("th.tensor(0.5,", "th.tensor([0.5, 1.0],")  # laid out with libcst
    write(tmp_path, a=source)
    code = "import sys; from synclint.cli import main; main(['.', '--no-cache']); print('libcst' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[-1] == expected, run.stderr
    assert source == CLEAN or "SYN" in run.stdout


def notebook(*cells: str) -> str:
    shared = {"cell_type": "code", "metadata": {}, "outputs": []}
    made = [{**shared, "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False)


def test_notebooks_are_fixed_cell_by_cell(synclint: Synclint, tmp_path: Path) -> None:
    body = SAFE.removeprefix("import torch as th\n").replace("th.", "torch.").strip()
    cells = ["import torch\n%matplotlib inline", body]
    (tmp_path / "a.ipynb").write_text(notebook(*cells))
    run = synclint("check", "--fix", "a.ipynb")
    fixed = [cells[0], cells[1].replace("torch.tensor(0.5,", "torch.full((), 0.5,")]
    assert (tmp_path / "a.ipynb").read_text() == notebook(*fixed), run.err


def test_an_import_that_a_fix_needs_is_added_and_one_that_nothing_uses_any_more_goes(
    synclint: Synclint, tmp_path: Path
) -> None:
    source = SAFE.replace("import torch as th", '"""A step."""\n\nfrom torch import Tensor, tensor')
    source = source.replace("th.tensor", "tensor", 1).replace("th.Tensor", "Tensor").replace("th.tensor", "tensor")
    write(tmp_path, a=source)
    synclint("check", "--fix", ".")
    fixed = (tmp_path / "a.py").read_text()
    assert "import torch\nfrom torch import Tensor\n" in fixed
    assert "x * torch.full((), 0.5, device=x.device)" in fixed


def test_a_name_that_means_something_else_is_not_used(synclint: Synclint, tmp_path: Path) -> None:
    source = SAFE.replace("import torch as th", "from torch import Tensor, tensor\n\ntorch = None")
    write(tmp_path, a=source.replace("th.tensor", "tensor").replace("th.Tensor", "Tensor"))
    before = (tmp_path / "a.py").read_text()
    synclint("check", "--fix", "--unsafe-fixes", ".")
    assert (tmp_path / "a.py").read_text() == before


def test_findings_that_a_comment_suppresses_are_not_fixed(synclint: Synclint, tmp_path: Path) -> None:
    source = SAFE.replace("# half of it", "# synclint: ignore[SYN401] why not")
    write(tmp_path, a=source)
    synclint("check", "--fix", "--unsafe-fixes", ".")
    assert (tmp_path / "a.py").read_text() == source


NEVER = """\
import torch
from torch.utils.data import DataLoader


def step(x: torch.Tensor, counts: torch.Tensor, losses: list[torch.Tensor]):
    host = x.cpu()
    other = x.to("cpu")
    third = x.sum().to(torch.device("cpu"))
    spread = torch.repeat_interleave(x, counts)
    return host, other, third, spread, x.detach().cpu().numpy(), [loss.cpu() for loss in losses]


def prepare(rows: list[float], device: str) -> torch.Tensor:
    return torch.tensor(rows, device=device)
"""


def test_what_can_do_harm_is_never_offered(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=NEVER)
    found = json.loads(synclint("check", ".", "--output-format", "json", "--runs", "all").out)
    assert {"SYN204", "SYN105"} <= {finding["code"] for finding in found}
    fixes = [finding["fix"] for finding in found if finding["fix"]]
    written = [edit["content"] for fix in fixes for edit in fix["edits"]]
    assert not [text for text in written if "output_size" in text]
    assert not [finding for finding in found if finding["code"] in ("SYN204", "SYN105") and finding["fix"]]
    # Memory is pinned for a device that is one of CUDA: that it is one has to be known.
    pinning = [fix for fix in fixes if any("pin_memory" in edit["content"] for edit in fix["edits"])]
    assert all("the device has to be one of CUDA" in fix["caveat"] for fix in pinning)


def test_standard_input_is_fixed_on_its_way_to_standard_output(synclint: Synclint, tmp_path: Path) -> None:
    given = ("\ufeff" + SAFE.replace("\n", "\r\n")).encode()
    run = synclint("check", "--fix", "-", stdin=given)
    assert run.out == "\ufeff" + SAFE_FIXED.replace("\n", "\r\n")
    assert "fixed 1 finding" in run.err
    assert not list(tmp_path.iterdir())
    # What is left is told aside, and a name makes no file of it.
    named = ("--stdin-filename", "a.py", "--output-format", "concise")
    left = synclint("check", "--fix", "-", *named, stdin=HAZARD.encode())
    assert (left.status, left.out) == (1, HAZARD)
    assert left.err.startswith("a.py:5:12: SYN101")
    assert not list(tmp_path.iterdir())


def test_a_second_fix_of_standard_input_changes_nothing(synclint: Synclint) -> None:
    once = synclint("check", "--fix", "-", stdin=SAFE.encode()).out
    again = synclint("check", "--fix", "-", stdin=once.encode())
    assert (again.status, again.out) == (0, once)


def test_standard_input_that_does_not_parse_is_handed_on_as_it_is(synclint: Synclint) -> None:
    run = synclint("check", "--fix", "-", stdin=b"x = (\n")
    assert run.out == "x = (\n"
    assert "SYN000" in run.err


def test_the_difference_of_standard_input_goes_by_its_name(synclint: Synclint) -> None:
    run = synclint("check", "--diff", "-", "--stdin-filename", "pkg/a.py", stdin=SAFE.encode())
    assert run.status == 1
    assert run.out.startswith("--- pkg/a.py\n+++ pkg/a.py\n")


def test_the_last_line_promises_no_safe_fix_where_there_is_none(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, unsafe=UNSAFE)
    said = synclint("check", ".", "--output-format", "concise").out.splitlines()
    assert said[-1] == "[+] 1 fixable with --fix --unsafe-fixes."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--fix", "--diff", "."), "use only one of them"),
        (("--fix", "--add-ignore", "."), "--fix and --add-ignore cannot be used together"),
        (("--diff", "--statistics", "."), "--statistics"),
    ],
)
def test_what_cannot_be_done_together_is_refused(synclint: Synclint, arguments: tuple[str, ...], said: str) -> None:
    run = synclint("check", *arguments)
    assert run.status == 2
    assert said in run.err


BOTH = f"{SAFE}\n\ndef other(x: th.Tensor) -> th.Tensor:\n    return x + th.randn(8).to(x.device)\n"


def test_two_marks_tell_what_fix_does_and_what_unsafe_fixes_add(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=BOTH)
    lines = synclint("check", ".", "--output-format", "concise").out.splitlines()
    assert ["[*]" in line for line in lines[:2]] == [True, False]
    assert ["[+]" in line for line in lines[:2]] == [False, True]
    assert "[*] 1 fixable with --fix, [+] 1 more with --unsafe-fixes." in lines
    lines = synclint("check", ".", "--output-format", "concise", "--unsafe-fixes").out.splitlines()
    assert ["[*]" in line for line in lines[:2]] == [True, True]


@pytest.mark.parametrize(
    "flags", [("--unfixable", "SYN401"), ("--fixable", "SYN402"), ("--fixable", "SYN4", "--unfixable", "SYN401")]
)
def test_rules_can_be_kept_from_being_fixed(synclint: Synclint, tmp_path: Path, flags: tuple[str, ...]) -> None:
    write(tmp_path, a=BOTH)
    run = synclint("check", "--fix", "--unsafe-fixes", "--output-format", "concise", *flags, ".")
    text = (tmp_path / "a.py").read_text()
    assert "th.randn(8, device=x.device)" in text
    assert "th.tensor(0.5," in text
    assert run.status == 1
    assert "[*]" not in run.out


def test_settings_of_a_project_keep_rules_from_being_fixed(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=BOTH)
    (tmp_path / "synclint.toml").write_text('unfixable = ["tensor-from-host-data"]\n')
    synclint("check", "--fix", ".")
    assert (tmp_path / "a.py").read_text() == BOTH


def test_fix_only_reports_nothing_that_is_left(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=BOTH)
    run = synclint("check", "--fix-only", ".")
    assert (tmp_path / "a.py").read_text() == BOTH.replace("th.tensor(0.5,", "th.full((), 0.5,")
    assert (run.status, run.out) == (0, "")


def test_what_was_fixed_is_listed_if_asked_for(synclint: Synclint, tmp_path: Path) -> None:
    write(tmp_path, a=BOTH)
    run = synclint("check", "--diff", "--unsafe-fixes", "--show-fixes", ".")
    assert "a.py: 1 × SYN401 (tensor-from-host-data)" in run.err
    assert "a.py: 1 × SYN402 (blocking-upload)" in run.err
    assert synclint("check", "--show-fixes", ".").status == 2


@pytest.mark.parametrize("file", ["fix.py", "transformations.py"])
@pytest.mark.parametrize("flag", ["", "--diff", "--fix-only"])
def test_a_rule_whose_fix_cannot_be_loaded_is_told_and_costs_the_others_nothing(
    synclint: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, flag: str
) -> None:
    def defined(code: str, name: str, *others: str) -> object:
        if (code, name) == ("SYN301", file):
            raise ZeroDivisionError
        return loaded(code, name, *others)

    loaded = folders._defined
    monkeypatch.setattr(folders, "_defined", defined)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    for cached in (folders.fix_function, folders.transformations):
        cached.cache_clear()
    write(tmp_path, a=BOTH.replace("    return", "    if th.isnan(x).any():\n        x = x / 2\n    return"))
    run = synclint("check", *filter(None, [flag]), "--output-format", "concise", ".")
    assert re.search(r"a\.py:\d+(:\d+)?: .*in the fix of SYN301: internal error [0-9a-f]{8} ", f"{run.out}{run.err}")
    assert run.status == 2
    if flag == "--fix-only":
        assert "th.full((), 0.5," in (tmp_path / "a.py").read_text()
    else:
        assert "SYN401 [*]" in run.out or "th.full((), 0.5," in run.out


def test_a_line_that_is_all_of_a_call_is_broken_at_its_commas() -> None:
    line = "    first_value + second_value[0], dtype=torch.long"
    assert broken("f(", line, ")", 40) == "    first_value + second_value[0],\n    dtype=torch.long,"
    assert broken("", "    index = first_value[second]", "", 26) == "    index = first_value[\n        second\n    ]"


def test_a_statement_that_backslashes_continue_is_not_broken_elsewhere() -> None:
    assert broken("", "    index = first_value[second] * \\", "        third", 26) is None
    assert broken("    index = first * \\", "        second_value[third]", "", 26) is None
    assert broken("    index = first * \\", "        second[third]", "", 26) == "        second[third]"


def test_lines_with_comments_do_not_tell_how_long_lines_may_be() -> None:
    assert width_of(["x = 1", f"{'y = 1':<90}# one"]) == 88
    assert width_of([f"y = {'a' * 90}", "x = 1  # one"]) == 94


def test_a_choice_or_tuple_that_is_too_long_is_put_in_parentheses_and_tabs_stay_tabs() -> None:
    line = "    result = torch.ones(3) if is_first else torch.exp(-x)  # why"
    assert laid_out(line, 53) == "    result = (  # why\n        torch.ones(3) if is_first else torch.exp(-x)\n    )"
    line = "    a, b = torch.ones(3), torch.exp(-x).sum()"
    assert laid_out(line, 40) == "    a, b = (\n        torch.ones(3),\n        torch.exp(-x).sum(),\n    )"
    assert laid_out("\treturn first_value(second)", 20) == "\treturn first_value(\n\t\tsecond\n\t)"


def test_an_import_that_a_fix_needs_stands_beside_what_is_imported_from_there(
    synclint: Synclint, tmp_path: Path
) -> None:
    head = "import os\n\nos.environ['OMP_NUM_THREADS'] = '1'\n\nfrom torch import Tensor, tensor"
    source = SAFE.replace("import torch as th", head).replace("th.tensor", "tensor").replace("th.Tensor", "Tensor")
    write(tmp_path, a=source)
    synclint("check", "--fix", ".")
    assert "= '1'\n\nimport torch\nfrom torch import Tensor\n" in (tmp_path / "a.py").read_text()


def test_an_import_that_an_example_in_a_docstring_needs_stays(synclint: Synclint, tmp_path: Path) -> None:
    source = SAFE.replace(
        "import torch as th", '"""A step.\n\n>>> step(tensor(1.0))\n"""\n\nfrom torch import Tensor, tensor'
    )
    source = source.replace("th.tensor", "tensor").replace("th.Tensor", "Tensor")
    write(tmp_path, a=source, b=source.replace(">>> step", ">>> from torch import tensor\n>>> step"))
    synclint("check", "--fix", ".")
    assert "from torch import Tensor, tensor\n" in (tmp_path / "a.py").read_text()
    assert "from torch import Tensor\n" in (tmp_path / "b.py").read_text()
