"""The skill for coding agents can be followed: its commands exist, and its keys are those of the report."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

from command_line import HAZARD, Synclint

REPOSITORY = Path(__file__).parent.parent
SKILL = (REPOSITORY / "skills" / "synclint" / "SKILL.md").read_text(encoding="utf-8")
PAGE = (REPOSITORY / "docs" / "agents.md").read_text(encoding="utf-8")

TRAIN = """\
import torch


def train(model, loader, optimizer):
    total = 0.0
    for images, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item()
    return total


if __name__ == "__main__":
    model = torch.nn.Linear(8, 4).cuda()
    train(model, torch.utils.data.DataLoader([]), torch.optim.SGD(model.parameters(), lr=0.1))
"""


def commands() -> list[list[str]]:
    """The calls of the program in the skill, without what a shell does with their output."""
    blocks = "\n".join(re.findall(r"```console\n(.*?)```", SKILL, re.DOTALL))
    inline = re.findall(r"`(synclint [^`]+)`", SKILL)
    lines = [part.strip() for line in blocks.splitlines() for part in re.split(r"&&|;", line)]
    return [shlex.split(line.partition(" > ")[0])[1:] for line in (*lines, *inline) if line.startswith("synclint ")]


def test_the_skill_has_the_head_that_agents_read() -> None:
    _, head, body = SKILL.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields["name"] == "synclint" and 50 < len(fields["description"]) <= 1024
    assert body.strip().startswith("# ")


def test_every_command_of_the_skill_that_reads_code_runs(run: Synclint, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "train.py").write_text("\n" * 9 + TRAIN)
    called = [command for command in commands() if command[0] != "trace"]
    assert len(called) >= 5
    for command in called:
        result = run(*command)
        assert result.status in (0, 1), (command, result.err)
        assert "error" not in result.err


def test_the_report_has_the_keys_that_the_skill_explains(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "loss.py").write_text(HAZARD)
    first, *_ = json.loads(run("check", "--output-format", "json", "--exit-zero", ".").out)
    table = SKILL.partition("| Key | Meaning |")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z_.]+)`", "".join(row.split("|")[1] for row in table.splitlines() if row.count("|") > 2))
    assert {"filename", "help", "group", "context.path"} <= set(named)
    for key in named:
        value = first
        for part in key.split("."):
            assert part in value, key
            value = value[part]


def test_a_wait_that_the_skill_tells_how_to_keep_is_kept_with_its_reason(run: Synclint, tmp_path: Path) -> None:
    (comment,) = re.findall(r"`(# synclint: ignore\[SYN201\] -- [^`]+)`", SKILL)
    (tmp_path / "train.py").write_text(TRAIN.replace("loss.item()", f"loss.item()  {comment}"))
    kept = run("check", "--config", "require-reason = true", ".")
    assert "SYN402" in kept.out and "SYN201" not in kept.out


def test_the_instructions_for_agents_without_skills_name_what_exists(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (line,) = re.findall(r"`(synclint check --output-format json[^`]+)`", PAGE)
    assert json.loads(run(*shlex.split(line)[1:]).out)
