"""What the README shows is what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent


def test_the_generated_parts_of_the_readme_are_current() -> None:
    script = REPOSITORY / "scripts" / "generate_readme.py"
    checked = subprocess.run([sys.executable, script, "--check"], check=False)
    assert checked.returncode == 0, f"run `python scripts/{script.name}`"


def test_links_within_the_documentation_lead_somewhere() -> None:
    for page in (*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
