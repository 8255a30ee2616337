"""Odd input gets a clear answer: a finding or one line, the right status, and the files beside it are checked."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD, Run, Synclint, plant_two_shares

from synclint.config.format_names import FORMAT_NAMES
from synclint.files.bounded_files import read_at_most
from synclint.sources.decoding import read_source

FOUND = "SYN101 nonzero"
LARGE = 5_000_000


@dataclass(frozen=True)
class Odd:
    """A file's bytes, and what is said of it: a code on standard output, or words on standard error."""

    data: bytes
    finding: str = ""
    complaint: str = ""

    @property
    def status(self) -> int:
        """The exit status of a run over this file alone."""
        return 2 if self.complaint else int(bool(self.finding))


def found(text: str, encoding: str = "utf-8") -> Odd:
    return Odd(text.encode(encoding), finding=FOUND)


def no_python(text: str) -> Odd:
    return Odd(text.encode(), finding="SYN000 syntax-error")


def unreadable(data: bytes, complaint: str) -> Odd:
    return Odd(data, complaint=complaint)


def blocks(levels: int) -> str:
    return "".join(f"{' ' * level}if x:\n" for level in range(levels)) + " " * levels + "pass\n"


STATEMENT = "x = torch.nonzero(torch.zeros(3, device='cuda'))"
LOOP = f"import torch\nfor batch in loader:\n    {STATEMENT}\n"

ODD = {
    "empty": Odd(b""),
    "byte-order-mark-alone": Odd(b"\xef\xbb\xbf"),
    "byte-order-mark": Odd(b"\xef\xbb\xbf" + HAZARD.encode(), finding=FOUND),
    "byte-order-mark-of-utf-16": unreadable(HAZARD.encode("utf-16"), "line 1 is not valid utf-8 (byte 0xff)"),
    "windows-line-ends": found(HAZARD.replace("\n", "\r\n")),
    "old-mac-line-ends": found(HAZARD.replace("\n", "\r")),
    "mixed-line-ends": found(HAZARD.replace("\n", "\r\n", 3)),
    "no-line-end": found(HAZARD.rstrip("\n")),
    "form-feeds": found("\f" + HAZARD.replace("\n\n\n", "\n\f\n\f")),
    "tabs": found(HAZARD.replace("    ", "\t")),
    "tabs-and-spaces": no_python("if 1:\n\tx = 1\n        y = 2\n"),
    "line-separators": found(HAZARD.replace("(target)\n", "(target)  # \u2028 \x85 \x1c\n")),
    "latin-1": found("# -*- coding: latin-1 -*-\nx = 'é'\n" + HAZARD, "latin-1"),
    "invalid-utf-8": unreadable(b"x = 1\ny = '\xff'\n", "line 2 is not valid utf-8 (byte 0xff)"),
    "unknown-coding": unreadable(b"# coding: klingon\n", "unknown encoding: klingon"),
    "nul-byte": no_python("x = 1\0\n"),
    "nul-byte-in-string": no_python("x = '\0'\n" + HAZARD),
    "unfinished-string": no_python("x = '''abc\n"),
    "backslash-at-the-end": no_python("x = 1\n\\"),
    "blocks-nested": no_python(blocks(1000)),
    "parentheses-nested": no_python(f"x = {'(' * 1000}1{')' * 1000}\n"),
    "numbers-added": Odd(f"x = 1{' + 1' * 1000}\n".encode()),
    "type-parameters": found(f"def f[T: int](x: T) -> T: return x\ntype A[T] = list[T]\n{HAZARD}"),
    "quotes-within-quotes": found(f"x = f'{{'a' + f'{{1}}'}}'\n{HAZARD}"),
    "exceptions-without-parentheses": found(f"try: pass\nexcept A, B: pass\n{HAZARD}"),
    "template-string": found(f"x = t'{{x}}'\n{HAZARD}"),
    "syntax-of-tomorrow": no_python("x = y ?? z\n"),
    "python-2": no_python("print 'x'\nexec 'a' in b\nraise E, 'x'\n"),
    "long-number": no_python(f"x = {'9' * 5000}\n{HAZARD}"),
    "long-line": found(f"import torch\nfor batch in loader: s = '{'a' * 1_000_000}'; {STATEMENT}\n"),
    "many-statements-on-a-line": found(f"import torch\n{'pass; ' * 5000}\n{LOOP}"),
    "large": found("x = [\n" + f"    '{'a' * 990}',\n" * (LARGE // 1000) + "]\n" + HAZARD),
}

NOT_PYTHON = re.compile(r"Traceback|internal error")


def plant(folder: Path) -> None:
    for name, odd in ODD.items():
        (folder / f"{name.replace('-', '_')}.py").write_bytes(odd.data)


def assert_said(odd: Odd, result: Run) -> None:
    assert not NOT_PYTHON.search(result.out + result.err), result
    assert odd.finding in result.out
    assert odd.complaint in result.err
    assert len(result.err.splitlines()) == bool(odd.complaint)


@pytest.mark.parametrize("name", ODD)
def test_each_is_answered_in_one_finding_or_one_line(run: Synclint, tmp_path: Path, name: str) -> None:
    odd = ODD[name]
    (tmp_path / "odd.py").write_bytes(odd.data)
    result = run("odd.py", "--output-format", "concise")
    assert result.status == odd.status
    assert_said(odd, result)


@pytest.mark.parametrize("name", [name for name in ODD if name != "large"])
def test_a_file_that_imports_it_is_still_checked(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "odd.py").write_bytes(ODD[name].data)
    (tmp_path / "user.py").write_text(f"import odd\nfrom odd import x\nodd.f(x, odd.y)\n{HAZARD}")
    result = run("user.py", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith("user.py:8:12: SYN101 nonzero")


def test_all_of_them_together_cost_no_other_file_its_findings(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    (tmp_path / "large.py").unlink()
    (tmp_path / "zz_loss.py").write_text(HAZARD)
    plant_two_shares(tmp_path)
    alone = run(".", "--jobs", "1", "--output-format", "concise")
    assert alone.status == 2
    for name, odd in ODD.items():
        if name != "large":
            lines = (alone.out + alone.err).splitlines()
            said = [line for line in lines if f"{name.replace('-', '_')}.py:" in line]
            assert bool(said) == bool(odd.status), name
            assert all((odd.finding or odd.complaint) in line for line in said), name
    assert "zz_loss.py:5:12: SYN101" in alone.out
    assert run(".", "--jobs", "2", "--output-format", "concise") == alone


def test_standard_input_may_be_odd_too(run: Synclint) -> None:
    for name in ("empty", "byte-order-mark", "invalid-utf-8", "nul-byte", "python-2"):
        result = run("-", "--output-format", "concise", stdin=ODD[name].data)
        assert result.status == ODD[name].status, name
        assert_said(ODD[name], result)


NESTED = {
    "lists": f"{'[' * 1000}1{']' * 1000}",
    "calls": f"{'f(' * 1000}1{')' * 1000}",
    "subscripts": f"x{'[0]' * 1000}",
    "methods": f"x{'.abs()' * 1000}",
    "negations": f"{'not ' * 1000}x",
    "lambdas": f"{'lambda: ' * 1000}x",
    "conditions": f"{'1 if x else ' * 1000}2",
    "conjunction": f"x{' and x' * 1000}",
    "strings": "'a' " * 1000,
}


@pytest.mark.parametrize("name", NESTED)
def test_a_thousand_levels_are_followed_or_told_in_one_line(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "deep.py").write_text(f"import torch\nx = {NESTED[name]}\n")
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert "loss.py:5:12: SYN101" in result.out
    assert all("SYN000" in line or "deep.py:2:1: SYN002" in line for line in result.out.splitlines() if "deep" in line)


# What is no regular file


def test_a_pipe_below_a_directory_is_passed_over(run: Synclint, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "loss.py").write_text(HAZARD)
    assert "1 wait in the training step (1 of 1 file)." in run(".").out


def test_a_pipe_that_is_named_is_read(run: Synclint, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(HAZARD,))
    writer.start()
    result = run("pipe.py", "--output-format", "concise")
    writer.join()
    assert result.out.startswith("pipe.py:5:12: SYN101")


def test_links_in_a_circle_end(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "outer").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "circle.py").symlink_to("circle.py")
    (tmp_path / "loss.py").write_text("import circle\ncircle.f()\n" + HAZARD)
    assert "1 wait in the training step (1 of 1 file)." in run(".").out
    named = run("circle.py", "loss.py")
    assert named.status == 2
    assert len(named.err.splitlines()) == 1
    assert "circle.py" in named.err
    assert "SYN101" in named.out


def test_a_directory_with_the_name_of_a_module_is_searched(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "x.py").mkdir()
    (tmp_path / "x.py" / "loss.py").write_text("import x\nx.f()\n" + HAZARD)
    for argument in (".", "x.py"):
        assert run(argument, "--output-format", "concise").out.startswith("x.py/loss.py:7:12: SYN101")


def test_a_file_name_that_is_no_text_goes_through_every_format(run: Synclint, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py")).write_text(HAZARD)
    for name in FORMAT_NAMES:
        result = run(".", "--output-format", name)
        assert (result.status, result.err) == (1, ""), name
        result.out.encode()


# What changes during the run


def test_a_file_that_vanishes_during_the_run_is_one_line(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.py", "gone.py", "turned.py", "z.py"):
        (tmp_path / name).write_text(HAZARD)

    def read_while_files_change(path: Path) -> str:
        if path.name == "a.py":
            (tmp_path / "gone.py").unlink()
            (tmp_path / "turned.py").unlink()
            (tmp_path / "turned.py").mkdir()
        return read_source(path)

    monkeypatch.setattr("synclint.running.survey.read_source", read_while_files_change)
    result = run(".")
    assert result.status == 2
    assert result.err == (
        "synclint: error: gone.py: no such file or directory\nsynclint: error: turned.py: is a directory now\n"
    )
    assert "2 waits in the training step (2 of" in result.out


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied"), "permission denied"),
        (FileNotFoundError(2, "No such file or directory"), "no such file or directory"),
        (OSError(5, "Input/output error"), "input/output error"),
    ],
)
def test_a_directory_that_cannot_be_listed_is_one_line(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, told: str
) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "loss.py").write_text(HAZARD)
    scandir = os.scandir

    def refuse(path: str | Path = ".") -> Iterator[os.DirEntry[str]]:
        if Path(path).name == "locked":
            raise error
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = run(".")
    assert result.status == 2
    assert result.err == f"synclint: error: locked: {told}\n"
    assert "SYN101" in result.out


def test_a_file_that_the_disk_cannot_give_is_one_line(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text(CLEAN)
    (tmp_path / "loss.py").write_text(HAZARD)

    def fail(path: Path, most: int, kind: str) -> bytes:
        if path.name == "broken.py":
            raise OSError(5, "Input/output error")
        return read_at_most(path, most, kind)

    monkeypatch.setattr("synclint.sources.decoding.read_at_most", fail)
    result = run(".")
    assert (result.status, result.err) == (2, "synclint: error: broken.py: input/output error\n")
    assert "SYN101" in result.out
