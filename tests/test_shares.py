"""How the files of a run are divided, and among how many processes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from command_line import plant_two_shares

from synclint.config import Options
from synclint.running import here, processes, runner
from synclint.running.share_results import ShareResult
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, SurveyedFiles
from synclint.sources.kept_texts import kept

MEGABYTE = 1_000_000


def divided(files: Sequence[CodeFile], root: str = "") -> list[tuple[CodeFile, ...]]:
    """The shares of a run over such files."""
    return shares_of(SurveyedFiles(tuple(files), roots=(Path(root),) if root else ()))


def files(count: int, megabytes: float, *, has_torch_in_reach: bool = True) -> list[CodeFile]:
    """So many files that have so much text together."""
    source = "#" * int(megabytes * MEGABYTE / count)
    paths = [Path(f"{number:04}.py") for number in range(count)]
    return [CodeFile(path, path, kept(source), has_torch_in_reach=has_torch_in_reach) for path in paths]


@pytest.mark.parametrize(
    ("megabytes", "shares"),
    [
        (0.5, 1),
        (2, 1),
        # As soon as it is worth a process more, until the usual machine has no more cores.
        (4, 2),
        (8, 4),
        (30, 4),
        # Then by what fits into memory, as many for each core.
        (40, 8),
        (60, 8),
        (70, 12),
    ],
)
def test_larger_projects_have_more_shares(megabytes: float, shares: int) -> None:
    assert len(divided(files(100, megabytes))) == shares


def test_shares_are_about_the_same_work_and_hold_every_file_once() -> None:
    given = files(100, 30)
    shares = divided(given)
    assert sorted(file.path for share in shares for file in share) == [file.path for file in given]
    assert {len(share) for share in shares} == {25}


def test_the_order_of_the_files_changes_no_share() -> None:
    given = files(100, 30)
    assert divided(given[::-1]) == divided(given)


def in_folders(seed: int) -> list[CodeFile]:
    """Files of all sizes in some folders, each of which defines something else."""
    chosen = random.Random(seed)
    made = []
    for number in range(400):
        path = Path(f"/work/{chosen.choice('abcdefg')}/{chosen.choice('xyz')}/{number}.py")
        name = "".join(chosen.choices("abcdefghij", k=6))
        text = f"def {name}{number}(): pass\n" + "#" * int(chosen.expovariate(1 / 20_000))
        made.append(CodeFile(path, path, kept(text)))
    return made


@pytest.mark.parametrize("seed", range(5))
def test_a_file_that_is_new_or_gone_changes_its_own_share(seed: int) -> None:
    given = in_folders(seed)
    before = divided(given)
    assert len(before) == 4
    assert sorted(str(file.path) for share in before for file in share) == sorted(str(file.path) for file in given)
    without = [{*divided([file for file in given if file is not one])} for one in given[::8]]
    changed = [len({*before} - shares) for shares in without]
    assert min(changed) == 1
    assert changed.count(1) > len(changed) * 0.8  # with borders at equal work it is two fifths


def test_borders_between_shares_stand_where_folders_end() -> None:
    source = "#" * 100_000
    paths = [Path(f"/work/{folder}/{number}.py") for folder, count in (("a", 19), ("b", 23)) for number in range(count)]
    assert folders(divided([CodeFile(path, path, kept(source)) for path in paths])) == [{"a"}, {"b"}]


def test_files_that_are_only_parsed_count_little_and_come_last() -> None:
    without_torch = [*files(100, 8, has_torch_in_reach=False)]
    assert len(divided(without_torch)) == 1
    with_torch = [CodeFile(Path("z.py"), Path("z.py"), kept("import torch\n"))]
    (share,) = divided([*without_torch, *with_torch])
    assert share[0].path == Path("z.py")


def of_projects(**sources: str) -> list[CodeFile]:
    """Two files of each folder, the second with a text of its own."""
    return [
        CodeFile(path, path, kept(text), has_torch_in_reach=True)
        for folder, source in sources.items()
        for path, text in ((Path(f"/work/{folder}/one.py"), "x = 1\n"), (Path(f"/work/{folder}/two.py"), source))
    ]


def folders(shares: Sequence[Sequence[CodeFile]]) -> list[set[str]]:
    """In which folders the files of each share are."""
    return [{file.path.parent.name for file in share} for share in shares]


def test_projects_that_have_nothing_to_do_with_one_another_are_divided_by_themselves() -> None:
    given = of_projects(a="import torch\n", b="import torch\nfrom c import one\n", c="import torch\n")
    assert folders(divided(given, "/work")) == [{"a"}, {"b", "c"}]
    assert folders(divided(given[::-1], "/work")) == [{"a"}, {"b", "c"}]


def test_what_stands_beside_a_project_moves_no_border_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.running.shares.SHARE_BYTES", 30_000)
    own, stranger = (of_projects(**{name: "import torch\n" + "#" * 50_000}) for name in ("own", "stranger"))
    alone = divided(own, "/work")
    assert len(alone) > 1
    assert [share for share in divided([*stranger, *own], "/work") if share[0] in own] == alone


@pytest.mark.parametrize(
    ("jobs", "cores", "expected"), [(None, 4, 2), (None, 1, None), (1, 4, None), (2, 1, 2), (8, 4, 2)]
)
def test_there_are_as_many_processes_as_cores_unless_jobs_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int | None, cores: int, expected: int | None
) -> None:
    plant_two_shares(tmp_path)
    asked: list[int] = []

    def work(
        divided: Sequence[Sequence[CodeFile]], work: object, jobs: int, progress: object, meanwhile: object
    ) -> Iterator[processes.Done[CodeFile, ShareResult]]:
        asked.append(jobs)
        return iter([processes.Done((ShareResult(),)) for _ in divided])

    monkeypatch.setattr(processes, "work_in_processes", work)
    monkeypatch.setattr(here, "usable_cores", lambda: cores)
    found = sorted(tmp_path.glob("*.py"))
    checked = runner.check_files(found, [tmp_path], Options(), jobs)
    assert [report.path for report in checked.reports] == found
    assert asked == ([] if expected is None else [expected])


def test_there_is_a_core_to_work_on() -> None:
    assert here.usable_cores() >= 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_file_of_another_share_turns_off_is_off_everywhere(tmp_path: Path, jobs: int) -> None:
    plant_two_shares(tmp_path)
    policy = tmp_path / "b_policy.py"
    policy.write_text(
        "import torch\nfrom torch.distributions import Categorical\n\n\n"
        "def step(logits: torch.Tensor) -> Categorical:\n    return Categorical(logits=logits)\n"
    )
    switch = tmp_path / "z_main.py"

    def found() -> list[str]:
        files = sorted(tmp_path.glob("*.py"))
        reports = runner.check_files(files, [tmp_path], Options(), jobs).reports
        return [finding.code for report in reports for finding in report.findings]

    switch.write_text("import torch\n")
    assert found() == ["SYN504"]
    switch.write_text(
        "from torch.distributions import Distribution\n\n"
        "if __name__ == '__main__':\n    Distribution.set_default_validate_args(False)\n"
    )
    assert found() == []


def test_a_call_has_one_place_however_many_shares_have_seen_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_two_shares(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("b_read.py").write_text(
        "import torch\n\n\ndef read(values: torch.Tensor) -> float:\n    return float(values.cuda().mean())\n"
    )
    Path("c_step.py").write_text(
        "import torch\n\nfrom b_read import read\n\n\n"
        "def step(values: torch.Tensor) -> float:\n    return read(values)\n"
    )
    Path("z_main.py").write_text(
        "import torch\n\nfrom c_step import step\n\n"
        "for number in range(1000):\n    step(torch.ones(number, device='cuda'))\n"
    )
    files = sorted(path.relative_to(tmp_path) for path in tmp_path.glob("*.py"))
    reports = runner.check_files(files, [Path()], Options(), 1).reports
    (finding,) = (finding for report in reports for finding in report.findings)
    assert [call.path for call in finding.context.path] == ["z_main.py", "c_step.py"]
    assert finding.context.callers == 1
