"""Feeds the linter mutated and generated files for as long as wanted, and says what it should not have done.

    python scripts/fuzz.py files --files 100000 --seed 1 --corpus tests --keep failures
    python scripts/fuzz.py groups --groups 50 --seed 1
    python scripts/fuzz.py edits PACKAGE --edits 300 --seed 1

``files`` checks each file by itself: no internal error, no more than two seconds of CPU time unless the file is
told to be too much work, and every few files the same again. ``groups`` checks projects of a few files in other orders,
with other numbers of processes and other seeds of hashes, with a cache and without. ``edits`` changes a copy of a
package at random, one file at a time, and compares after each change a run that has a cache with one that has none.
The same seed gives the same files. The status is 1 if anything was wrong; what was wrong is kept in ``--keep``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.results.file_reports import FileReport
from synclint.rules.own import ANALYSIS_LIMIT, INTERNAL_ERROR
from synclint.running.runner import check_text
from synclint.sources.decoding import UnreadableSourceError, decode_source

MOST_SECONDS = 2.0
_HANG_SECONDS = 20.0
_EVERY_TWICE = 10
_SAID_EVERY = 1000
_WINDOW = 50
_LONGEST = 40_000
_EVERYTHING = Options(cold=True, min_confidence=Confidence.LOW)

# What has been hard to read for one program or another, and what the analysis knows well.
_TOKENS = (
    "import (", "from . import (#", "import a,", "from a import *", "'''", '"""', "'", '"', "\\", "\\\n", "(", ")", "[",
    "]", "{", "}", "f'{", "f'{x!r:>{y}}'", "#", "# noqa: ", "# noqa: SYN101", "# synclint: ignore[", "# synclint: off",
    "# synclint: hot\n", "\t", "\f", "\0", "\r", "\ufeff", "\u2028", "é", "\ud800", ":", ";", "=", "==", ":=", "->",
    "lambda x: ", "await ", "yield ", "async ", "*", "**", "@", "not ", " and ", " if x else ", "else:", "elif x:",
    "match x:\n    case [a, *b]: pass\n", "type X = int\n", "def f[T](x: T): pass\n", "try:", "except* E:",
    "with x:", "class C(nn.Module):", "def forward(self, x):", "for batch in loader:", "for epoch in range(9):",
    "global x", "torch.zeros(3, device='cuda')", ".item()", ".cpu()", ".nonzero()", "torch.where(x)", "float(x)",
    "if x:",
    "9" * 400, "0x" + "f" * 400, "1_", "1e999", "print(x)", "return x", "x[mask]", "x.to('cpu')", "torch.compile(f)",
    "super()",
)  # fmt: skip
_NAMES = ("x", "y", "self.x", "loss", "mask", "batch", "f", "C", "torch", "nn", "F", "np", "items", "model")
_OPERATORS = (" + ", " * ", " @ ", " < ", " == ", " and ", " or ", " is ", " in ", " % ", " | ")
_CALLS = (
    "torch.nonzero", "torch.tensor", "torch.stack", "F.one_hot", "float", "int", "bool", "len", "max", "isinstance",
    "getattr", "zip", "enumerate", "list", "dict", "sorted", "nn.Linear", "f", "C", "print", "map", "super",
)  # fmt: skip
_METHODS = ("item", "tolist", "cpu", "cuda", "to", "sum", "any", "numpy", "append", "update", "backward", "step", "T")


class Hang(BaseException):
    """A file that has taken too long to wait for its end."""


@dataclass
class Failures:
    """What went wrong, and the folder in which the files are kept that it went wrong with."""

    keep: Path | None
    found: list[str] = field(default_factory=list)

    def add(self, what: str, name: str, data: bytes) -> None:
        """Remember a failure."""
        self.found.append(what)
        print(f"FAILED: {what}", flush=True)
        if self.keep is not None:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{len(self.found):04}-{name}").write_bytes(data)


def corpus(folders: Sequence[Path]) -> list[str]:
    """The texts of the Python files below some folders."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]


def expression(chosen: random.Random, depth: int = 3) -> str:
    """An expression of what training code is made of."""
    if depth == 0 or chosen.random() < 0.2:
        return chosen.choice((*_NAMES, "0", "-1", "1.5", "None", "True", "'cuda'", "...", "[]", "{}"))
    one, other = (expression(chosen, depth - 1) for _ in range(2))
    return chosen.choice(
        (
            f"({one}{chosen.choice(_OPERATORS)}{other})",
            f"{one}.{chosen.choice(_METHODS)}()",
            f"{chosen.choice(_CALLS)}({one}, {other})",
            f"{chosen.choice(_CALLS)}(*{one}, device={other})",
            f"{one}[{other}]",
            f"{one}[{other}:, None]",
            f"({one} if {other} else {one})",
            f"[{one} for x in {other} if {one}]",
            f"{{'a': {one}, **{other}}}",
            f"(lambda x, *y: {one})",
            f"f'{{{chosen.choice(_NAMES)}!r}} {{x:>{{y}}}}'",
            f"(y := {one})",
            f"not {one}",
        )
    )


def statements(chosen: random.Random, indent: str = "", depth: int = 3) -> Iterator[str]:
    """Some statements, one after the other and within one another."""
    for _ in range(chosen.randint(1, 5)):
        value = expression(chosen)
        simple = (
            f"{chosen.choice(_NAMES)} = {value}", value, f"return {value}", f"x, *y = {value}", f"x[{value}] += y",
            f"assert {value}", "from m import *", "import torch as f", f"yield {value}", f"del {chosen.choice(_NAMES)}",
        )  # fmt: skip
        if depth == 0 or chosen.random() < 0.5:
            yield indent + chosen.choice(simple)
            continue
        head = chosen.choice(
            (
                f"if {value}:", f"while {value}:", f"for x in {value}:", "for i, batch in enumerate(loader):",
                f"with {value} as x:", "try:", "def f(x, *y, z=None, **k):", "async def g(self, x: 'torch.Tensor'):",
                "class C(nn.Module):", "@torch.no_grad()\n" + indent + "def f(self, x: torch.Tensor) -> list[int]:",
            )
        )  # fmt: skip
        yield indent + head
        yield from statements(chosen, indent + "    ", depth - 1)
        if head == "try:":
            yield f"{indent}except E as x:"
            yield from statements(chosen, indent + "    ", depth - 1)


def mutated(text: str, texts: Sequence[str], chosen: random.Random) -> str:
    """A part of a text with a few things wrong in it."""
    lines = text.split("\n")
    start = chosen.randrange(max(1, len(lines) - _WINDOW))
    lines = lines[start : start + _WINDOW]
    for _ in range(chosen.randint(1, 6)):
        place = chosen.randrange(len(lines) + 1)
        line = min(place, len(lines) - 1)
        token = chosen.choice(_TOKENS)
        match chosen.randrange(10):
            case 0:
                del lines[place : place + chosen.randint(1, 4)]
            case 1:
                lines[place:place] = lines[line : line + chosen.randint(1, 20)]
            case 2:
                chosen.shuffle(lines)
            case 3:
                lines.insert(place, token * chosen.choice((1, 3, 50, 2000)))
            case 4:
                other = chosen.choice(texts).split("\n")
                first = chosen.randrange(len(other))
                lines[place:place] = other[first : first + 10]
            case 5:
                lines[place:place] = statements(chosen, chosen.choice(("", "    ", "\t")))
            case 6 if lines:
                lines[line] = chosen.choice(("", "    ", "\t", " ")) + lines[line].lstrip()
            case 7 if lines:
                lines[line] = lines[line].replace(chosen.choice(_NAMES), expression(chosen))
            case _ if lines:
                column = chosen.randrange(len(lines[line]) + 1)
                cut = chosen.choice((0, 0, 1, 5, 100))
                lines[line] = lines[line][:column] + token * chosen.choice((0, 1, 1, 30)) + lines[line][column + cut :]
        if not lines:
            lines = [""]
    return "\n".join(lines)[:_LONGEST]


def made(seed: int, texts: Sequence[str]) -> tuple[str, bytes]:
    """The name and the bytes of the file of a seed."""
    chosen = random.Random(seed)
    if chosen.random() < 0.3:
        text = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n" + "\n".join(statements(chosen))
        if chosen.random() < 0.3:
            text = mutated(text, texts, chosen)
    else:
        text = mutated(chosen.choice(texts), texts, chosen)
    kind = chosen.random()
    if kind < 0.08:
        cells = [
            {"cell_type": "code", "metadata": {}, "source": chosen.choice(("", "%time ", "%%bash\n", "!ls ")) + part}
            for part in text.split("\n\n")
        ]
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})
        if chosen.random() < 0.3:
            place = chosen.randrange(len(text))
            text = text[:place] + chosen.choice(_TOKENS) + text[place + chosen.randrange(9) :]
        return f"case{seed}.ipynb", text.encode("utf-8", "surrogatepass")
    if kind < 0.11:
        return f"case{seed}.md", f"text\n\n```python\n{text}\n```\n".encode("utf-8", "surrogatepass")
    if kind < 0.13:
        block = "\n".join(f"    {line}" for line in text.split("\n"))
        return f"case{seed}.rst", f"text\n\n.. code-block:: python\n\n{block}\n".encode("utf-8", "surrogatepass")
    data = text.encode("utf-8", chosen.choice(("surrogatepass", "replace", "replace", "replace")))
    if kind < 0.16:
        place = chosen.randrange(len(data) + 1)
        data = data[:place] + chosen.randbytes(chosen.randint(1, 30)) + data[place:]
    return f"case{seed}.py", data


def checked(name: str, data: bytes) -> FileReport:
    """The report on a file that stands nowhere."""
    path = Path(name)
    try:
        source = decode_source(data)
    except UnreadableSourceError as error:
        return FileReport(path, problem=str(error))
    return check_text(source, path, (), _EVERYTHING)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Hang


def _measured(work: Callable[[], FileReport]) -> tuple[FileReport, float]:
    signal.setitimer(signal.ITIMER_VIRTUAL, _HANG_SECONDS)
    started = time.process_time()
    try:
        report = work()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return report, time.process_time() - started


def fuzz_files(count: int, seed: int, texts: Sequence[str], failures: Failures) -> None:
    """Check files one by one."""
    signal.signal(signal.SIGVTALRM, _stop)
    slowest, limited, found, started = 0.0, 0, 0, time.monotonic()
    for number in range(count):
        name, data = made(seed + number, texts)
        try:
            report, seconds = _measured(lambda name=name, data=data: checked(name, data))  # type: ignore[misc]
        except Hang:
            failures.add(f"{name}: more than {_HANG_SECONDS} seconds", name, data)
            continue
        except Exception as error:
            failures.add(f"{name}: {type(error).__name__}: {error}", name, data)
            continue
        codes = {finding.code for finding in report.findings}
        slowest = max(slowest, seconds)
        limited += ANALYSIS_LIMIT.code in codes
        found += len(report.findings)
        if INTERNAL_ERROR.code in codes:
            told = next(finding.message for finding in report.findings if finding.code == INTERNAL_ERROR.code)
            failures.add(f"{name}: {told}", name, data)
        if seconds > MOST_SECONDS and ANALYSIS_LIMIT.code not in codes:
            failures.add(f"{name}: {seconds:.1f} seconds", name, data)
        if number % _EVERY_TWICE == 0 and seconds < MOST_SECONDS and checked(name, data) != report:
            failures.add(f"{name}: another report when it is checked again", name, data)
        if (number + 1) % _SAID_EVERY == 0:
            print(
                f"{number + 1} files, {found} findings, {limited} beyond a limit, slowest {slowest:.2f} s, "
                f"{len(failures.found)} failures, {time.monotonic() - started:.0f} s",
                flush=True,
            )


def _run(folder: Path, cache: Path, arguments: Sequence[str], hash_seed: int) -> tuple[int, str]:
    settings = ["--output-format", "json", "--cold", "--min-confidence", "low"]
    command = [sys.executable, "-m", "synclint", *settings, *arguments]
    root = str(Path(__file__).parents[1])
    environment = {
        **os.environ, "PYTHONHASHSEED": str(hash_seed), "XDG_CACHE_HOME": str(cache), "PYTHONPATH": root,
    }  # fmt: skip
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def fuzz_groups(count: int, seed: int, texts: Sequence[str], failures: Failures) -> None:
    """Check projects of a few files in other orders, with other numbers of processes, seeds and caches."""
    for number in range(count):
        chosen = random.Random(f"group {seed + number}")
        with tempfile.TemporaryDirectory() as place:
            folder, cache = Path(place) / "project", Path(place) / "cache"
            folder.mkdir()
            names = []
            for index in range(chosen.randint(3, 12)):
                _, data = made(chosen.randrange(2**40), texts)
                names.append(f"m{index}.py")
                imports = "".join(f"from m{other} import *\nimport m{other}\n" for other in range(index))
                (folder / names[-1]).write_bytes(imports.encode() + data)
            reference = _run(folder, cache, ["--no-cache", "-j", "1", *names], 0)
            if INTERNAL_ERROR.code in reference[1]:
                failures.add(f"group {seed + number}: internal error", "group", reference[1].encode())
            for way in ("shuffled", "processes", "cached", "cached again"):
                chosen.shuffle(names)
                options = {"processes": ["--no-cache", "-j", "3"], "shuffled": ["--no-cache"]}.get(way, [])
                if _run(folder, cache, [*options, *names], chosen.randrange(1, 2**31)) != reference:
                    what = "\n".join(path.read_text(errors="replace") for path in sorted(folder.iterdir()))
                    failures.add(f"group {seed + number}: another result, {way}", "group", what.encode())
        if (number + 1) % 10 == 0:
            print(f"{number + 1} groups, {len(failures.found)} failures", flush=True)


def fuzz_edits(package: Path, count: int, seed: int, texts: Sequence[str], failures: Failures) -> None:
    """Change a copy of a package, one file at a time, and compare runs with a cache and without."""
    chosen = random.Random(f"edits {seed}")
    with tempfile.TemporaryDirectory() as place:
        folder, cache = Path(place) / package.name, Path(place) / "cache"
        shutil.copytree(package, folder, ignore=shutil.ignore_patterns("__pycache__"))
        paths = sorted(folder.rglob("*.py"))
        for number in range(count):
            path = chosen.choice(paths)
            before = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
            match chosen.randrange(8):
                case 0 if path.exists():
                    path.unlink()
                case 1:
                    lines = before.split("\n")
                    del lines[chosen.randrange(len(lines)) :][:1]
                    path.write_text("\n".join(lines), encoding="utf-8")
                case 2:
                    path.write_text(before + "\n" + "\n".join(statements(chosen)) + "\n", encoding="utf-8")
                case 3:
                    path.write_text(mutated(before, texts, chosen), encoding="utf-8", errors="replace")
                case 4:
                    path.write_text(before, encoding="utf-8")
                case _:
                    lines = before.split("\n")
                    lines.insert(chosen.randrange(len(lines) + 1), f"x = {expression(chosen)}")
                    path.write_text("\n".join(lines), encoding="utf-8")
            without = _run(folder.parent, cache, ["--no-cache", "-j", "1", folder.name], 0)
            for run in ("with a cache", "with a cache again"):
                if _run(folder.parent, cache, ["-j", "1", folder.name], number + 1) != without:
                    failures.add(f"edit {number} of {path.name}: another result {run}", path.name, before.encode())
            if INTERNAL_ERROR.code in without[1]:
                failures.add(f"edit {number} of {path.name}: internal error", path.name, without[1].encode())
            if (number + 1) % 10 == 0:
                print(f"{number + 1} edits of {package.name}, {len(failures.found)} failures", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("files", "groups", "edits"))
    parser.add_argument("package", nargs="?", type=Path, help="the package that is edited")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--groups", type=int, default=10)
    parser.add_argument("--edits", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, action="append", help="folders with Python files to mutate")
    parser.add_argument("--keep", type=Path, help="a folder for the files that something was wrong with")
    given = parser.parse_args(arguments)
    root = Path(__file__).parents[1]
    texts = corpus(given.corpus or [root / "tests", root / "rules", root / "examples"])
    failures = Failures(given.keep)
    if given.what == "files":
        fuzz_files(given.files, given.seed, texts, failures)
    elif given.what == "groups":
        fuzz_groups(given.groups, given.seed, texts, failures)
    elif given.package is None:
        parser.error("edits needs a package")
    else:
        fuzz_edits(given.package, given.edits, given.seed, texts, failures)
    print(f"{len(failures.found)} failures")
    return 1 if failures.found else 0


if __name__ == "__main__":
    sys.exit(main())
