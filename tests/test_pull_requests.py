"""What runs in pull requests say: only what is new, in one comment. The events of GitHub and GitLab are played here."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import yaml
from command_line import HAZARD, Synclint
from test_action import ACTION, Runner
from test_diff_base import git

WAIT = "    kept = torch.nonzero(target)\n"
MORE = HAZARD.replace(WAIT, WAIT + WAIT.replace("kept", "more"))  # has another finding in line 6
PAGE = (Path(__file__).parent.parent / "docs" / "pull-requests.md").read_text(encoding="utf-8")

# Stands in for GitHub: keeps the comments of a pull request in a file, and those of others among them.
GH = """\
#!{python}
import json, sys
from pathlib import Path
store = Path({store!r})
comments = json.loads(store.read_text())
arguments = sys.argv[1:]
assert arguments[0] == "api", arguments
if Path({refuses!r}).exists():
    sys.exit("HTTP 403")
body = next((Path(a[6:]).read_text() for a in arguments if a.startswith("body=@")), None)
if "PATCH" in arguments:
    number = int(next(a for a in arguments if "/issues/comments/" in a).rpartition("/")[2])
    comments[number] = body
elif "POST" in arguments:
    assert "repos/owner/name/issues/7/comments" in arguments, arguments
    comments.append(body)
else:
    print("\\n".join(str(n) for n, text in enumerate(comments) if text.startswith("<!-- synclint -->")))
store.write_text(json.dumps(comments))
"""


@pytest.fixture
def repository(tmp_path: Path, run: Synclint) -> Path:
    """A repository on a branch that has changed nothing yet since ``main``, where there is a finding in line 5."""
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "loss.py").write_text(HAZARD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    git(tmp_path, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(tmp_path, "checkout", "--quiet", "-b", "change")
    return tmp_path


def on_github(patch: pytest.MonkeyPatch, folder: Path, base: str = "") -> None:
    event = folder / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7, "base": {"sha": base}}}))
    patch.setenv("GITHUB_ACTIONS", "true")
    patch.setenv("GITHUB_EVENT_NAME", "pull_request")
    patch.setenv("GITHUB_EVENT_PATH", str(event))
    patch.setenv("GITHUB_BASE_REF", "main")


def on_gitlab(patch: pytest.MonkeyPatch, folder: Path, base: str = "") -> None:
    patch.setenv("GITLAB_CI", "true")
    patch.setenv("CI_MERGE_REQUEST_IID", "7")
    patch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
    patch.setenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")


@pytest.fixture(autouse=True)
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_EVENT_NAME", "GITLAB_CI", "CI_MERGE_REQUEST_IID"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("event", [on_github, on_gitlab])
def test_only_changed_lines_are_reported_in_a_pull_request(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch, event: object
) -> None:
    assert callable(event)
    event(monkeypatch, repository)
    unchanged = run("check", "--output-format", "concise", ".")
    assert (unchanged.status, unchanged.out) == (0, "No waits found in 1 file.\n")
    assert "only what is new since origin/main is reported" in unchanged.err
    (repository / "loss.py").write_text(MORE)
    changed = run("check", "--output-format", "concise", ".")
    assert changed.status == 1
    assert [line[:9] for line in changed.out.splitlines()[:-1]] == ["loss.py:6"]
    assert run("check", "--diff-base", "none", "--quiet", "--output-format", "concise", ".").out.count("SYN101") == 2


@pytest.mark.parametrize("event", [on_github, on_gitlab])
def test_the_commit_that_the_runner_names_comes_before_the_branch(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch, event: object
) -> None:
    assert callable(event)
    (repository / "loss.py").write_text(MORE)
    git(repository, "commit", "--quiet", "-am", "second")
    event(monkeypatch, repository, "change")
    assert run("check", ".").status == 0


@pytest.mark.parametrize(
    "edited",
    [
        HAZARD.replace("target", "targets"),
        HAZARD.replace("(target)\n", "(\n        target\n    )\n"),
        HAZARD.replace(WAIT, f"    mask = target\n{WAIT}").replace("nonzero(target)", "nonzero(mask)"),
    ],
    ids=["renamed", "spread", "through another name"],
)
def test_a_line_that_waited_before_and_is_rewritten_is_not_worse(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch, edited: str
) -> None:
    on_github(monkeypatch, repository)
    (repository / "loss.py").write_text(edited)
    assert run("check", "--output-format", "concise", ".").out == "No waits found in 1 file.\n"
    assert run("check", "--output-format", "concise", "--diff-base", "HEAD", ".").status == 1


def test_a_wait_that_is_moved_into_a_loop_is_worse(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (
        "import torch\n\n\ndef train(model, loader, optimizer):\n    for x in loader:\n"
        "        loss = model(x).sum()\n        loss.backward()\n        optimizer.step()\n    print(loss.item())\n\n\n"
        "train(torch.nn.Linear(2, 2).cuda(), torch.utils.data.DataLoader([]), None)\n"
    )
    (repository / "train.py").write_text(before)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "train")
    on_github(monkeypatch, repository, "HEAD")
    (repository / "train.py").write_text(before.replace("    print(", "        print("))
    changed = run("check", "--output-format", "concise", ".")
    assert [line[:10] for line in changed.out.splitlines()[:-1]] == ["train.py:9"]


def test_where_the_base_is_missing_all_is_reported_and_a_note_says_so(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_github(monkeypatch, repository)
    git(repository, "update-ref", "-d", "refs/remotes/origin/main")
    result = run("check", ".")
    assert result.status == 1
    assert "all is reported, since git does not know origin/main" in result.err


@pytest.mark.parametrize("arguments", [("--write-baseline",), ("--diff-base", "HEAD"), ("--fix",), ("-",)])
def test_what_writes_or_names_its_own_base_is_no_business_of_the_runner(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    on_github(monkeypatch, repository)
    assert "pull request" not in run("check", *arguments, stdin=b"").err


def test_a_push_reports_everything(run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_github(monkeypatch, repository)
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    assert run("check", ".").status == 1


class PullRequest(Runner):
    """A pull request on a runner, with a stand-in for GitHub's comments."""

    def begin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (self.folder / "env").write_text(f"SYNCLINT_PROGRAMS={Path(sys.executable).parent}\n")
        programs = self.folder / "programs"
        programs.mkdir()
        self.store = self.folder / "comments.json"
        self.store.write_text(json.dumps(["looks good"]))
        self.refuses = self.folder / "refuses"
        gh = programs / "gh"
        gh.write_text(GH.format(python=sys.executable, store=str(self.store), refuses=str(self.refuses)))
        gh.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    def push(self) -> str:
        """Check as after a push, and comment; what is printed."""
        self.run("Check for waits")
        outputs = self.written("output")
        given = {f"steps.check.outputs.{name}": outputs.get(name, "") for name in ("comment", "findings")}
        given |= {"github.token": "t", "github.repository": "owner/name", "github.event.pull_request.number": "7"}
        commented = self.run_with("Comment on the pull request", given)
        assert commented.returncode == 0, commented.stderr
        return commented.stdout

    @property
    def comments(self) -> list[str]:
        found: list[str] = json.loads(self.store.read_text())
        return found


def test_a_pull_request_gets_one_comment_and_none_where_nothing_is_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = PullRequest(tmp_path)
    pull.begin(monkeypatch)
    checkout = pull.checkout
    git(checkout, "init", "--quiet", "--initial-branch=main")
    (checkout / "loss.py").write_text(HAZARD)
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "-m", "first")
    git(checkout, "update-ref", "refs/remotes/origin/main", "HEAD")
    on_github(monkeypatch, tmp_path)

    assert pull.push() == "" and pull.comments == ["looks good"]
    (checkout / "loss.py").write_text(MORE)
    pull.push()
    assert len(pull.comments) == 2 and "SYN101" in pull.comments[1]
    (checkout / "loss.py").write_text(MORE.replace("more", "even_more"))
    pull.push()
    assert len(pull.comments) == 2 and "SYN101" in pull.comments[1]
    (checkout / "loss.py").write_text(HAZARD)
    pull.push()
    assert len(pull.comments) == 2 and "No waits found" in pull.comments[1]
    pull.refuses.touch()
    assert pull.push().startswith("::notice::synclint: no comment on this pull request: ")


def test_the_workflows_of_the_page_are_whole_and_use_what_the_action_has() -> None:
    github, gitlab = (
        yaml.safe_load(block) for block in PAGE.split("```yaml\n")[1:] for block in [block.split("```")[0]]
    )
    (step,) = (step for step in github["jobs"]["synclint"]["steps"] if "synclint/synclint" in step.get("uses", ""))
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert github["permissions"]["pull-requests"] == "write"
    assert gitlab["synclint"]["variables"]["GIT_DEPTH"] == "0"
