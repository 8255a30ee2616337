"""Draws what the program prints about the example, as a terminal shows it, for the README and the site.

Without arguments it writes the picture; with ``--check`` its status is 1 when the picture says something else than the
program does now.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from html import unescape
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from synclint.report.wrapping import wrapped

REPOSITORY = Path(__file__).parent.parent
PICTURE = REPOSITORY / "docs" / "assets" / "terminal.svg"
COMMAND = ("synclint", "examples/train.py")
COLUMNS = 104
_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"


def printed() -> list[str]:
    """The lines that the program prints, with colours."""
    colored = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"FORCE_COLOR": "1"}
    command = [sys.executable, "-m", *COMMAND]
    run = subprocess.run(command, cwd=REPOSITORY, env=colored, capture_output=True, text=True, check=False)
    return [f"$ {' '.join(COMMAND)}", *wrapped(run.stdout.splitlines(), COLUMNS)]


def picture(lines: Sequence[str]) -> str:
    """The lines as an SVG that loads no font from elsewhere."""
    console = Console(record=True, width=COLUMNS, force_terminal=True, file=io.StringIO())
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=True)
    svg = console.export_svg(title="synclint", theme=DIMMED_MONOKAI, unique_id="synclint")
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in re.sub(r"Fira Code|arial", _FONT, svg).splitlines()) + "\n"


def words(svg: str) -> list[str]:
    """What a picture says, word by word."""
    texts = re.findall(r'<text class="synclint-r\d+"[^>]*>(.*?)</text>', svg, re.DOTALL)
    return " ".join(unescape(text) for text in texts).replace("\xa0", " ").split()


def main(arguments: Sequence[str]) -> int:
    """Draw the picture, or with ``--check`` only compare what it says."""
    current = picture(printed())
    if "--check" in arguments:
        return int(words(current) != words(PICTURE.read_text(encoding="utf-8")))
    PICTURE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
