"""After edits of what the analysis knows facts from, runs with a memory tell what runs without one tell.

The analysis cases are small projects in which much rests on little: a line that is edited often decides elsewhere.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from analysis_case import AnalysisCase, load_cases

from benchmarks.random_edits import RandomEdits
from synclint.config.options import Options
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.running import runner, shares
from synclint.running.cache import check_files_cached

_ONE_IN = 24
_EDITS = 3


def chosen_cases() -> list[AnalysisCase]:
    """Some of the cases, others as cases come, and the same ones in each process."""
    return [case for case in load_cases() if zlib.crc32(case.identity.encode()) % _ONE_IN == 0]


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few files be several shares."""
    monkeypatch.setattr(shares, "SHARE_BYTES", 600)


def write(case: AnalysisCase, folder: Path) -> None:
    """Write the files of a case into a folder."""
    for name, source in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.lstrip("\n"), encoding="utf-8")


def with_and_without_memory(own_cache: Path, options: Options) -> tuple[list[FileReport], list[FileReport]]:
    """What is reported of the files of the current folder, with what is kept between runs and without it."""
    files = sorted(Path().rglob("*.py"))
    found = list(check_files_cached(files, [Path()], options, 1, lambda count: None, Phases(), own_cache))
    return found, list(runner.check_files(files, [Path()], options, 1).reports)


@pytest.mark.parametrize("case", chosen_cases(), ids=lambda case: case.identity)
def test_edits_of_a_case_are_told_as_a_run_without_memory_tells_them(
    case: AnalysisCase, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(case, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    edits = RandomEdits(Path(), Random(case.identity))
    said: list[str] = []
    options = Options(cold=True, torch_version=case.torch_version)
    for _ in range(_EDITS + 1):
        if not any(Path().rglob("*.py")):  # the last one is gone
            break
        found, expected = with_and_without_memory(own_cache, options)
        assert found == expected, said
        kind, path = edits.edit()
        said.append(f"{path}: {kind}")


def definition(case: str, name: str) -> str:
    """The text of a function at the top of a case, with the lines that part it from what is before it."""
    (source,) = next(one for one in load_cases() if one.identity == case).files.values()
    found = re.search(rf"\n\n\ndef {name}\(.*?(?=\n\n\n|\Z)", source, re.DOTALL)
    assert found is not None
    return found.group()


_FORWARD = "    def forward(self, x: torch.Tensor) -> torch.Tensor:\n        return x * self.scale\n"
_MISSING_KEY = "        return self.limits[key] * x\n"


@dataclass(frozen=True)
class Edit:
    """An edit of a case that once left stale what rests on it, after what was another text ``before`` already."""

    case: str
    old: str
    new: str
    before: tuple[str, str] = ("", "")


_EDITS_THAT_REACH_FAR = {
    "what a registry stores": Edit(
        "registries/functions-in-an-object-whose-method-is-a-decorator-or-makes-one", "self._held[name] = what", "pass"
    ),
    "evidence by recursion": Edit(
        "uploads/batch-that-may-be-a-dictionary-is-moved-part-by-part", "import torch\n", "import torch, math\n"
    ),
    "where a loader that a fix pins is made": Edit(
        "loaders_handed_on/loaders-in-a-dictionary", '"other": DataLoader(data, 8', '"other": DataLoader(data.cpu(), 8'
    ),
    "who writes an attribute of a base": Edit(
        "following_values/what-a-base-is-given-says-nothing-of-what-another-method-makes",
        "timestep > 0",
        "timestep > 1",
    ),
    "whether anything trains": Edit(
        "loaders_handed_on/keys-of-a-batch-that-is-a-dictionary",
        definition("loaders_handed_on/keys-of-a-batch-that-is-a-dictionary", "train_on_copies"),
        "",
        before=("    for batch in ", "    _kept = lambda each: each.item()\n    for batch in "),
    ),
    "how a parameter is declared": Edit(
        "numbers_or_tensors/a-flag-by-the-documentation-of-who-is-given-it",
        "return self.compare(scores, label)",
        "return 1 or self.compare(scores, label)",
        before=("self.threshold = ", "self.other_threshold = "),
    ),
    "quotes in a message": Edit(
        "uploads/object-handed-on-beside-what-is-brought-to-the-device", 'device="cuda"', "device='cuda'"
    ),
    "a count that another function reads": Edit(
        "guards/counts-that-another-function-increases", "    seen += 1", "    renamed_seen += 1"
    ),
    "a method that its base calls": Edit("frequency_of_rounds/rounds-that-make-a-model-are-no-steps", _FORWARD, ""),
    "the first import of torch": Edit(
        "guards/missing-key-that-is-told-of-and-left",
        _MISSING_KEY,
        f"{_MISSING_KEY}import torch.nn.functional as _functional\n",
        before=("import torch\n", ""),
    ),
    "whether a loop steps an optimizer": Edit(
        "optimizer_states/states-of-each-parameter-in-their-own-place", "optimizer.step()", "optimizer.shape.step()"
    ),
    "a default": Edit(
        "known_callers/the-old-way-to-call-the-constructor-of-a-base-hands-no-class-on",
        "with_weights: bool = False",
        "with_weights: bool = True",
    ),
}


@pytest.mark.parametrize("edit", _EDITS_THAT_REACH_FAR.values(), ids=_EDITS_THAT_REACH_FAR)
def test_what_rests_on_an_edited_text_otherwise_than_by_calls_is_told_anew(
    edit: Edit, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    case = next(case for case in load_cases() if case.identity == edit.case)
    write(case, folder)
    monkeypatch.chdir(folder)
    path = next(path for path in sorted(folder.rglob("*.py")) if edit.old in path.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8").replace(*edit.before, 1)
    path.write_text(text, encoding="utf-8")
    with_and_without_memory(own_cache, Options(cold=True))
    edited = text.replace(edit.old, edit.new, 1)
    assert edited != text
    path.write_text(edited, encoding="utf-8")
    found, expected = with_and_without_memory(own_cache, Options(cold=True))
    assert found == expected
