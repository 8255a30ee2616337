"""A program under the tracer does what it does without: the same output, status, signals, modules and processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

# The compiled device is in the user's cache, which other fixtures put out of sight.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "RANK", "WORLD_SIZE")}
REPOSITORY = Path(__file__).parent.parent
ENVIRONMENT["PYTHONPATH"] = os.pathsep.join(filter(None, (str(REPOSITORY), ENVIRONMENT.get("PYTHONPATH"))))

ABOUT_ITSELF = '''\
"""What a program can see of itself."""
import atexit
import os
import sys
import threading

import __main__


def twice(number):
    return 2 * number


if __name__ == "__main__":
    atexit.register(lambda: print("at exit", flush=True))
    print(sys.argv, __file__, __doc__, __spec__ and __spec__.name, __package__, type(__loader__).__name__)
    print(sys.path[0], os.getcwd(), sorted(globals()), __main__.__dict__ is globals(), sys.stdin.read())
    if "processes" in sys.argv:
        import multiprocessing

        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.map(twice, [1, 2]))
    threading.Timer(0.2, lambda: print("in a thread", flush=True)).start()
    sys.exit(3)
'''

FAILING = """\
import sys


def deep():
    try:
        {}["key"]
    except KeyError as error:
        raise ValueError("what the program says") from error


print("before")
deep()
"""


def run(folder: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=ENVIRONMENT,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def traced(folder: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The program under the tracer, which says nothing but what it writes to ``trace.json``."""
    options = ("--device", "sim", "--no-lint", "--output-format", "json", "--output-file", str(folder / "trace.json"))
    return run(folder, "-m", "synclint", "trace", *options, *command, stdin=stdin)


def report(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "trace.json").read_text())
    return document


def test_a_script_sees_what_it_sees_without_a_tracer(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "program.py").write_text(ABOUT_ITSELF)
    command = ("below/program.py", "processes", "--flag", "-m")
    plain, under = run(tmp_path, *command, stdin="input"), traced(tmp_path, *command, stdin="input")
    assert plain.stdout.splitlines()[-3:] == ["[2, 4]", "in a thread", "at exit"]
    assert (under.stdout, under.stderr, under.returncode) == (plain.stdout, plain.stderr, 3)
    assert report(tmp_path)["header"]["exit_status"] == 3


def test_a_module_sees_what_it_sees_without_a_tracer(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "program.py").write_text(ABOUT_ITSELF)
    command = ("-m", "package.program", "--config", "x", "--device", "mine")
    plain, under = run(tmp_path, *command, stdin="input"), traced(tmp_path, *command, stdin="input")
    assert (under.stdout, under.stderr, under.returncode) == (plain.stdout, plain.stderr, 3)


def test_a_program_that_fails_shows_its_own_traceback_and_leaves_a_report(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FAILING)
    plain, under = run(tmp_path, "program.py"), traced(tmp_path, "program.py")
    assert "what the program says" in plain.stderr
    assert (under.stdout, under.stderr, under.returncode) == (plain.stdout, plain.stderr, 1)
    header = report(tmp_path)["header"]
    assert (header["exit_status"], header["ended_by"]) == (1, "ValueError")
    assert header["notes"] == ["the program never used the GPU"]


@pytest.mark.parametrize(
    ("ending", "status", "by"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM, "SIGTERM"),
        ("os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT, "KeyboardInterrupt"),
        ("os._exit(5)", 5, "os._exit"),
    ],
)
def test_a_program_that_ends_all_of_a_sudden_leaves_a_report(tmp_path: Path, ending: str, status: int, by: str) -> None:
    (tmp_path / "program.py").write_text(
        f"import os, signal, time\nprint('begun', flush=True)\n{ending}\ntime.sleep(9)\n"
    )
    under = traced(tmp_path, "program.py")
    assert (under.returncode, under.stdout) == (status, "begun\n")
    assert report(tmp_path)["header"]["ended_by"] == by


TRAINING = textwrap.dedent(
    """\
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset


    def selected(prediction, kept):
        return prediction[kept]


    def unused(tensor):
        return tensor.item()


    def main():
        model = nn.Linear(4, 2).to("cuda")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        data = TensorDataset(torch.randn(64, 4))
        for (inputs,) in DataLoader(data, batch_size=4, num_workers=1):
            inputs = inputs.to("cuda")
            loss = selected(model(inputs), inputs[:, 0] > 0).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item() is None)
        print("not before --stop")


    main()
    """
)


def test_a_training_script_is_told_its_waits_by_line_and_stopped_after_the_active_steps(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(TRAINING)
    outputs = [f"--output-file={form}={tmp_path / form}" for form in ("json", "html", "chrome")]
    under = run(tmp_path, "-m", "synclint", "trace", "--device=sim", "--stop", "--active=2", *outputs, "train.py")
    assert (under.returncode, under.stdout.split()) == (0, ["False", "False", "False"])
    document = json.loads((tmp_path / "json").read_text())
    assert document["steps"] == 4 and document["device"] == "sim"
    lines = TRAINING.splitlines()

    def line(text: str) -> int:
        return next(number for number, one in enumerate(lines, start=1) if text in one)

    per_step = {
        (wait["line"], wait["backward"]): (wait["per_step"], wait["code"], wait["runs"])
        for wait in document["waits"]
        if wait["per_step"]
    }
    assert per_step == {
        (line("inputs = inputs.to"), False): (1.0, "SYN402", "step"),
        (line("return prediction[kept]"), False): (1.0, "SYN103", "step"),
        (line("return prediction[kept]"), True): (1.0, "SYN103", "step"),
        (line("print(loss.item()"), False): (1.0, "SYN201", "step"),
    }
    statuses = {finding["line"]: finding["status"] for finding in document["findings"]}
    assert statuses[line("return prediction[kept]")] == "confirmed"
    assert statuses.get(line("return tensor.item()"), "not reached") == "not reached"
    # That the model was brought to the device before the loop is a wait, and no missed one.
    assert line("model = nn.Linear") in {wait["line"] for wait in document["waits"]}
    assert document["missed"] == []
    assert "4 steps" in under.stderr and "there are no times" in under.stderr
    assert "never used" not in under.stderr
    assert (tmp_path / "html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "chrome").read_bytes()[:2] == b"\x1f\x8b"


RANKS = textwrap.dedent(
    """\
    import os
    import time

    import torch
    import torch.distributed as dist
    from torch import nn

    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = nn.parallel.DistributedDataParallel(nn.Linear(4, 2).to("cuda"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(6):
        if rank == 1:
            time.sleep(0.3)
        loss = model(torch.randn(4, 4, device="cuda")).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            loss.item()
    dist.destroy_process_group()
    """
)


def test_two_ranks_leave_a_file_each_and_merged_show_who_waits_for_whom(tmp_path: Path) -> None:
    (tmp_path / "ranks.py").write_text(RANKS)
    launcher = ("-m", "torch.distributed.run", "--nproc-per-node=2", "--master-port=0", "--rdzv-backend=c10d")
    command = ("--no-python", sys.executable, "-m", "synclint", "trace", "--device=sim", "--no-lint", "ranks.py")
    ended = run(tmp_path, *launcher, "--rdzv-endpoint=localhost:0", *command)
    assert ended.returncode == 0, ended.stderr
    files = [tmp_path / f"synclint-trace.rank{rank}.json" for rank in (0, 1)]
    first, second = (json.loads(file.read_text()) for file in files)
    item = 1 + RANKS.splitlines().index("        loss.item()")
    assert {wait["line"] for wait in first["waits"]} - {wait["line"] for wait in second["waits"]} == {item}
    merged = run(tmp_path, "-m", "synclint", "trace", "--merge", *map(str, files), "--output-format=json")
    assert merged.returncode == 2  # options come first, as those of the program would follow
    merged = run(tmp_path, "-m", "synclint", "trace", "--merge", "--output-format=json", *map(str, files))
    document = json.loads(merged.stdout)
    waiting = {facts["rank"]: facts["waiting_seconds"] for facts in document["ranks"]}
    assert waiting[1] == 0.0 and waiting[0] > 0.1
    assert any("rank 0 waits" in note and "for rank 1" in note for note in document["notes"])
