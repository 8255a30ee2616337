"""How soon a project that is held open answers for a file in which somebody edits functions.

``python -m benchmarks.held_edits FOLDER`` opens the project in a folder, makes edits in runs of a few in one file, as
people do, and prints the times as JSON: a statement more in a function, or something else in the place of one, one
edit after the other.
"""

from __future__ import annotations

import ast
import json
import statistics
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import synclint

_FILES = 12
_EDITS_OF_A_FILE = 6
_TYPED = ("_typed = 1", "print(_typed)", "_typed = {0}", "if {0} is None: pass", "_typed = {0}.item()")


@dataclass(frozen=True)
class HeldEdits:
    """Seconds of wall clock until all was analysed, and for each edit; and of CPU for each edit.

    ``analysed_again`` counts the edits that had to wait for the analysis of a share; ``resident`` are the megabytes
    that the process has in the end.
    """

    opening: float
    edits: tuple[float, ...]
    cpu: tuple[float, ...]
    analysed_again: int
    resident: int | None

    @property
    def median(self) -> float:
        """The median of the edits."""
        return statistics.median(self.edits)

    @property
    def slowest_tenth(self) -> float:
        """What nine of ten of these stay below."""
        return statistics.quantiles(self.edits, n=10)[-1]


def held_edits(folder: Path, seed: int = 1) -> HeldEdits:
    """Open a project, and edit functions in it."""
    chosen = Random(seed)
    project = synclint.Project(folder, isolated=True)
    started = perf_counter()
    project.findings()
    opening = perf_counter() - started
    edits: list[float] = []
    cpu: list[float] = []
    again = 0
    for path, text in _edits(folder, chosen):
        project.change(path, text)
        analysed = project.shares_analysed
        started, cpu_before = perf_counter(), process_time()
        project.findings(path)
        edits.append(perf_counter() - started)
        cpu.append(process_time() - cpu_before)
        again += project.shares_analysed > analysed
    return HeldEdits(opening, tuple(edits), tuple(cpu), again, _resident())


def _resident() -> int | None:
    """The megabytes of memory that this process has, where the system tells."""
    try:
        told = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) // 1024 for line in told if line.startswith("VmRSS")), None)


def _edits(folder: Path, chosen: Random) -> Iterator[tuple[Path, str]]:
    """Texts of files, edit by edit."""
    files = [path for path in sorted(folder.rglob("*.py")) if _functions(path.read_text(encoding="utf-8"))]
    for path in chosen.sample(files, min(_FILES, len(files))):
        text = path.read_text(encoding="utf-8")
        for _ in range(_EDITS_OF_A_FILE):
            text = _edited(text, chosen)
            yield path, text


def _functions(text: str) -> list[ast.FunctionDef]:
    """The functions of more than one statement, with parameters."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if len(node.body) > 1 and node.args.args]


def _edited(text: str, chosen: Random) -> str:
    """The text with a statement more in a function, or with what was typed there before as something else."""
    lines = text.splitlines(keepends=True)
    typed = [number for number, line in enumerate(lines) if "_typed" in line]
    function = chosen.choice(_functions(text))
    said = chosen.choice(_TYPED).format(function.args.args[-1].arg)
    if typed and chosen.random() < 0.5:
        number = chosen.choice(typed)
        indentation = lines[number][: -len(lines[number].lstrip())]
        lines[number] = f"{indentation}{chosen.choice(_TYPED[:2])}\n"
        return "".join(lines)
    statement = function.body[-1]
    lines.insert(statement.lineno - 1, f"{' ' * statement.col_offset}{said}\n")
    return "".join(lines)


if __name__ == "__main__":
    print(json.dumps(asdict(held_edits(Path(sys.argv[1])))))
