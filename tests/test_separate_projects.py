"""What stands beside a project in a run, and has nothing to do with it, changes nothing of what is said of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from command_line import Run

from synclint.analysis.program.mentioned import mentioned
from synclint.analysis.program.project_files import ProjectFile
from synclint.analysis.program.separate_projects import separate_projects
from synclint.running import shares

SERVER = """\
import torch
from served.scores import chosen


def answer(model: torch.nn.Module, prompts: list[torch.Tensor]) -> list[int]:
    model.eval().cuda()
    said = []
    with torch.no_grad():
        for prompt in prompts:
            said.append(chosen(model(prompt.cuda())))
    return said


def main() -> None:
    print(answer(torch.load("model.pt"), torch.load("prompts.pt")))


if __name__ == "__main__":
    main()
"""
SCORES = """\
import torch


def chosen(scores: torch.Tensor) -> int:
    if scores.isnan().any():
        return -1
    return int(scores.argmax())


def kept(scores):
    return scores[scores > 0].tolist()


class Ranking:
    def count_all(self, scores: torch.Tensor) -> int:
        return int(scores.cuda().sum())


def counted(rankings, scores):
    return [ranking.list_all(scores) for ranking in rankings]


class Listing:
    def list_all(self, scores: torch.Tensor) -> list[float]:
        return scores.cuda().tolist()
"""
TRAINING = """\
import torch


class Learner:
    def chosen(self, scores):
        return scores.argmax().item()


class Listed:
    def list_all(self, scores):
        return []


def train(model, loader, optimizer, ranking):
    learner = Learner()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        print(loss.item(), learner.chosen(loss), ranking.count_all(loss))


train(torch.nn.Linear(2, 2), torch.load("batches.pt"), torch.optim.SGD([], 0.1), torch.load("ranking.pt"))
"""


def said_of_the_server(run: Callable[..., Run], *paths: str) -> list[dict[str, object]]:
    """All that a run says of the files of one project, but for the rank beside others."""
    found = json.loads(
        run("--no-cache", "--runs", "all", "--min-confidence", "low", "--output-format", "json", *paths).out
    )
    return [
        {name: value for name, value in finding.items() if name != "priority"}
        for finding in found
        if "served" in Path(finding["filename"]).parts
    ]


@pytest.mark.parametrize("share_bytes", [1_000, 2_000_000])
def test_a_project_beside_it_changes_nothing(
    run: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share_bytes: int
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", share_bytes)
    for path, text in {"served/server.py": SERVER, "served/scores.py": SCORES, "beside/train.py": TRAINING}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    alone = said_of_the_server(run, "served")
    assert {finding["code"] for finding in alone} >= {"SYN301", "SYN103"}
    assert said_of_the_server(run, "served", "beside") == alone


LOADING = "net = import_module(name)\nmodel = net.Net()\n"


def grouped(sources: Mapping[str, str], root: str = "/work") -> set[frozenset[str]]:
    """The paths of files that belong together, by their texts."""
    files = [ProjectFile(f"{root}/{name}", tuple(name.split("/")), mentioned(text)) for name, text in sources.items()]
    return {frozenset("/".join(file.parts) for file in group) for group in separate_projects(files)}


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({"a/x.py": "import torch\n", "b/x.py": "import torch\n"}, [{"a/x.py"}, {"b/x.py"}]),
        ({"a/x.py": "from b import y\n", "b/y.py": ""}, [{"a/x.py", "b/y.py"}]),
        ({"a/x.py": "import y\n", "a/y.py": "", "b/y.py": ""}, [{"a/x.py", "a/y.py"}, {"b/y.py"}]),
        ({"x.py": "import y\n", "y.py": "", "y/__init__.py": ""}, [{"x.py", "y.py", "y/__init__.py"}]),
        ({"a/x.py": "import work.b.y\n", "b/y.py": ""}, [{"a/x.py", "b/y.py"}]),
        ({"x.py": LOADING, "b/y.py": "class Net:\n    pass\n", "c/y.py": ""}, [{"x.py", "b/y.py"}, {"c/y.py"}]),
        ({"x.py": LOADING.replace("name", "'c.y'"), "b/y.py": "class Net:\n    pass\n"}, [{"x.py"}, {"b/y.py"}]),
        ({"x.py": LOADING.replace("net.", "torch."), "b/y.py": "class Net:\n    pass\n"}, [{"x.py"}, {"b/y.py"}]),
    ],
    ids=[
        "nothing",
        "an import",
        "a module of its own",
        "a package before a module of its name",
        "from above",
        "a name that is put together",
        "a literal",
        "nothing asked",
    ],
)
def test_imports_tell_what_belongs_together(sources: dict[str, str], expected: Iterable[set[str]]) -> None:
    assert grouped(sources) == {*map(frozenset, expected)}


def test_folders_that_were_named_one_by_one_have_nothing_to_do_with_one_another_unless_they_import() -> None:
    def of(text: str) -> int:
        named = {"/one/train.py": "import torch\n", "/other/serve.py": text}
        files = [ProjectFile(path, (path.rpartition("/")[2],), mentioned(text)) for path, text in named.items()]
        return len(separate_projects(files))

    assert of("import torch\n") == 2
    assert of("import train\n") == of("from one import train\n") == 1


def test_a_file_may_be_named_beside_a_folder(run: Callable[..., Run], tmp_path: Path) -> None:
    for path, text in {"served/server.py": SERVER, "served/scores/__init__.py": SCORES, "train.py": TRAINING}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = said_of_the_server(run, "served", "train.py")
    assert {finding["code"] for finding in found} >= {"SYN103", "SYN301"}
