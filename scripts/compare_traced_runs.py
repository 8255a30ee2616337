"""Run small programs with and without ``synclint trace`` on a CUDA build of PyTorch: they must not notice.

    python scripts/compare_traced_runs.py PYTHON [PROGRAM.py ...]

PYTHON is an interpreter whose PyTorch was built for CUDA, on a GPU or over a runtime that only pretends to be one.
Without programs, those below are run, each as usual and without a warm-up of the profiler. Exit status, output and
errors have to be the same, and in those below the wait that each has in every step has to be counted right. The status
is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SCHEDULES = ((), ("--wait", "0", "--warmup", "0"))
LIMIT = 300.0
# What differs from one run of the same program to the next: times, process numbers.
VARYING = re.compile(r"\d+:\d+ |\d{4}-\d\d-\d\d [\d:]+|\[?W\d+ [\d:.]+ \d*")

_MODEL = """import torch
m = torch.nn.Linear(8, 2, bias=False).cuda(); o = torch.optim.SGD(m.parameters(), lr=.1); x = torch.ones(4, 8)
"""
# Each wait on a line of its own: of those that share one, only a profiled step tells which is which.
_STEP = (
    "def step():\n    l = m(x.cuda()).sum(); o.zero_grad(); l.backward(); o.step()\n    return l\n"
    "def train(done=lambda: None):\n    for i in range(5):\n        l = step()\n        l.item()\n        done()\n"
)
PROGRAMS = {
    "thread": (
        "import threading, torch\n"
        "t = threading.Thread(target=lambda: torch.ones(2, device='cuda').nonzero()); t.start(); t.join()\n"
        f"{_MODEL}{_STEP}train()\n"
    ),
    "distributed": (
        "import torch, torch.distributed as dist\n"
        "dist.init_process_group('gloo', init_method='file://' + __file__ + '.group', rank=0, world_size=1)\n"
        f"{_MODEL}m = torch.nn.parallel.DistributedDataParallel(m)\n"
        f"{_STEP}train()\ndist.destroy_process_group()\n"
    ),
    "profiler": (
        f"{_MODEL}from torch.profiler import profile, schedule\n"
        f"{_STEP}with profile(schedule=schedule(wait=1, warmup=1, active=1)) as p:\n    train(p.step)\n"
    ),
    "compiled": f"{_MODEL}m = torch.compile(m, backend='aot_eager')\n{_STEP}train()\n",
    "hook": f"{_MODEL}m.weight.register_hook(lambda g: print(g.sum().item() >= 0))\n{_STEP}train()\n",
    "errors": f"import warnings; warnings.simplefilter('error')\n{_MODEL}{_STEP}train()\n",
}


def run(python: str, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Status, output and errors."""
    path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
    ended = subprocess.run(
        [python, *arguments],
        cwd=folder,
        env={"FAKE_CUDA_READS": "bytes", **os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    (folder / "program.py.group").unlink(missing_ok=True)
    return ended.returncode, ended.stdout, VARYING.sub("", ended.stderr)


def differences(python: str, text: str, schedule: Sequence[str], *, known: bool) -> Iterator[str]:
    """What a program, by its text, shows of being traced; ``known`` is one of those above."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(text, encoding="utf-8")
        plain = run(python, folder, "program.py")
        output = ("--output-format", "json", "--output-file", "trace.json")
        traced = run(python, folder, "-m", "synclint", "trace", *output, *schedule, "program.py")
        if plain[0] != traced[0]:
            yield f"status {plain[0]} became {traced[0]}"
        for before, after in zip(plain[1:], traced[1:], strict=True):
            yield from difflib.unified_diff(
                before.splitlines(), after.splitlines(), "plain", "traced", n=0, lineterm=""
            )
        if known:
            report = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
            line = text.splitlines().index("        l.item()") + 1
            counts = [wait["count"] for wait in report["waits"] if wait["line"] == line]
            if counts != [report["steps"]] or plain[0] != 0:
                yield f"status {plain[0]}; `l.item()` has waited {counts} times in {report['steps']} steps"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and compare; the status."""
    parser = argparse.ArgumentParser(description="Whether programs notice that they are traced, on a CUDA build.")
    parser.add_argument("python", help="an interpreter with a CUDA build of PyTorch")
    parser.add_argument("programs", nargs="*", type=Path, help="other programs than those that this script knows")
    given = parser.parse_args(arguments)
    chosen = {str(path): path.read_text(encoding="utf-8") for path in given.programs} or PROGRAMS
    differing = 0
    for name, text in chosen.items():
        for schedule in SCHEDULES:
            found = list(differences(given.python, text, schedule, known=not given.programs))
            print(f"{name} {' '.join(schedule)}: {'as in a plain run' if not found else 'differs'}", *found, sep="\n  ")
            differing += bool(found)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
