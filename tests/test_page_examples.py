"""What pages show as an example works, and has the files that it names."""

from __future__ import annotations

import re
from pathlib import Path

import torch

REPOSITORY = Path(__file__).parent.parent


def test_the_page_of_item_in_hot_code_prints_the_mean_of_each_hundred_steps() -> None:
    page = (REPOSITORY / "rules" / "SYN201-item-in-hot-code" / "README.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[1]
    printed: list[float] = []
    names = {"total": torch.zeros(()), "print": printed.append}
    for step in range(300):
        exec(example, names | {"step": step, "loss": torch.tensor(float(step // 100))})
    assert printed == [0.0, 1.0, 2.0]


def test_the_tree_of_the_page_on_own_rules_is_that_of_the_example() -> None:
    page = (REPOSITORY / "docs" / "own-rules.md").read_text(encoding="utf-8")
    tree = re.search(r"^    (acme_training/synclint_rules)/\n((?: {8}.*\n)+)", page, re.MULTILINE)
    assert tree is not None
    top = REPOSITORY / "examples" / "acme-training" / tree[1]
    shown: set[str] = set()
    folder = ""
    for line in tree[2].splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        names = re.findall(r"\S+(?:/|\.\w+)(?= |$)", re.split(r" {4,}(?=\S* )", line.strip())[0])
        if line.strip().endswith("/"):
            folder = line.strip()
            continue
        shown |= {f"{folder if depth == 3 else ''}{name}" for name in names}
    assert shown == {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file() and path.suffix != ".pyc"}
