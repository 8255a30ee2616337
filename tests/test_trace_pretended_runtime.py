"""Programs that are traced on PyTorch's own CUDA host code: they must not notice.

PyTorch's CUDA build over a runtime that computes nothing is not part of this repository. Where there is one,
``SYNCLINT_PRETENDED_PYTHON`` names its interpreter.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

PYTHON = os.environ.get("SYNCLINT_PRETENDED_PYTHON", "")
REPOSITORY = Path(__file__).parent.parent
# What differs from one run of the same program to the next: times, process numbers.
VARYING = re.compile(r"\d+:\d+ |\d{4}-\d\d-\d\d [\d:]+|\[W\d+ [\d:.]+ ")

pytestmark = pytest.mark.skipif(not PYTHON, reason="SYNCLINT_PRETENDED_PYTHON names no CUDA build of PyTorch")

# Each wait on a line of its own: of those that share one, only a profiled step tells which is which.
STEP = (
    "def step():\n    l = m(x.cuda()).sum(); o.zero_grad(); l.backward(); o.step()\n    return l\n"
    "def train(done=lambda: None):\n    for i in range(5):\n        l = step()\n        l.item()\n        done()\n"
)
MODEL = """import torch
m = torch.nn.Linear(8, 2, bias=False).cuda(); o = torch.optim.SGD(m.parameters(), lr=.1); x = torch.ones(4, 8)
"""
PROGRAMS = {
    "thread": (
        "import threading, torch\n"
        "t = threading.Thread(target=lambda: torch.ones(2, device='cuda').nonzero()); t.start(); t.join()\n"
        f"{MODEL}{STEP}train()\n"
    ),
    "ddp": (
        "import torch, torch.distributed as dist\n"
        "dist.init_process_group('gloo', init_method='file://' + __file__ + '.group', rank=0, world_size=1)\n"
        f"{MODEL}m = torch.nn.parallel.DistributedDataParallel(m)\n"
        f"{STEP}train()\ndist.destroy_process_group()\n"
    ),
    "profiler": (
        f"{MODEL}from torch.profiler import profile, schedule\n"
        f"{STEP}with profile(schedule=schedule(wait=1, warmup=1, active=1)) as p:\n    train(p.step)\n"
    ),
}


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "FAKE_CUDA_READS": "bytes"}
    ended = subprocess.run(
        [PYTHON, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    (folder / "program.py.group").unlink(missing_ok=True)
    return ended.returncode, ended.stdout, VARYING.sub("", ended.stderr)


@pytest.mark.parametrize("schedule", [(), ("--wait", "0", "--warmup", "0")], ids=["as usual", "without warm-up"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_status_output_and_errors_are_those_of_a_plain_run(
    name: str, schedule: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(PROGRAMS[name], encoding="utf-8")
    plain = run(tmp_path, "program.py")
    output = ("--output-format", "json", "--output-file", "trace.json")
    traced = run(tmp_path, "-m", "synclint", "trace", *output, *schedule, "program.py")
    assert plain[0] == 0, plain[2]
    assert traced == plain
    report: dict[str, Any] = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    (read,) = [wait for wait in report["waits"] if wait["code"] == "SYN201"]
    assert read["count"] == report["steps"]
    assert report["busy"] is None or 0 <= report["busy"] <= 1
