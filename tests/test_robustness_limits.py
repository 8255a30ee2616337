"""Nothing that is read ends a run: no size, no long number, no bad line, no text that is costly to scan."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

from synclint.adoption import directives
from synclint.analysis.program.reach import text_of
from synclint.analysis.syntax import nesting, parsing
from synclint.analysis.syntax.nesting import nesting_of
from synclint.analysis.syntax.parsing import MOST_NEWER_TOKENS, MOST_TOKENS, ParseFailure, TooLongToParse, parse
from synclint.config.dependencies import known_releases
from synclint.config.files import overlong_key
from synclint.sources.magics import python_of_cell

FOUND = "loss.py:5:12: SYN101"
DIGITS = "9" * 5000
GIGABYTES = 3 * 2**30


def sparse(path: Path, size: int = GIGABYTES) -> None:
    """A file of a size that takes no place on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        stream.truncate(size)


# Sizes


@pytest.mark.parametrize("name", ["big.py", "big.ipynb", "big.pyi"])
def test_a_source_of_gigabytes_is_one_line(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    sparse(tmp_path / name)
    result = run("loss.py", name, "--output-format", "concise")
    assert result.status == 2
    assert FOUND in result.out
    told = rf"synclint: error: {re.escape(name)}: larger than a source file may be \(\d+ megabytes\)\n"
    assert re.fullmatch(told, result.err)


def test_a_module_of_gigabytes_that_is_imported_costs_nothing(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "user.py").write_text(f"import big\nfrom big import *\nbig.f()\n{HAZARD}")
    sparse(tmp_path / "big.py")
    sparse(tmp_path / "loss.pyi")
    for _ in range(2):  # the second time out of the cache
        result = run("loss.py", "user.py", "--output-format", "concise")
        assert (result.status, result.err) == (1, "")
        assert FOUND in result.out
        assert "user.py:8:12: SYN101" in result.out


@pytest.mark.parametrize("name", [".gitignore", "uv.lock", "poetry.lock", "requirements.txt", "requirements/dev.txt"])
def test_a_file_of_gigabytes_beside_the_sources_is_a_warning(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    sparse(tmp_path / name)
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert FOUND in result.out
    (line,) = result.err.splitlines()
    assert line.startswith("synclint: warning: ")
    assert f"{name}: not " in line
    assert "larger than" in line


@pytest.mark.parametrize("name", ["synclint.toml", "pyproject.toml"])
def test_a_configuration_of_gigabytes_is_one_line(run: Synclint, tmp_path: Path, name: str) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    sparse(tmp_path / name)
    result = run(".")
    assert (result.status, result.out) == (2, "")
    assert result.err == f"synclint: error: {name}: larger than a configuration may be (1 megabyte)\n"


def test_a_baseline_of_gigabytes_is_one_line(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    sparse(tmp_path / "base.json")
    result = run("loss.py", "--baseline", "base.json")
    assert (result.status, result.out) == (2, "")
    assert "larger than a baseline may be" in result.err
    assert len(result.err.splitlines()) == 1


def test_a_file_of_too_much_code_is_told_and_the_others_are_checked(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "MOST_TOKENS", 1000)
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "long.py").write_text("import torch\n" + "x = 1\n" * 1000)
    (tmp_path / "plain.py").write_text("x = 1\n" * 1000)
    result = run(".", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert FOUND in result.out
    for name in ("long.py", "plain.py"):
        assert f"{name}:1:1: SYN002 analysis-limit: it is not analysed: it has more code" in result.out


def test_the_limits_on_code_leave_room_for_the_longest_files_of_torch() -> None:
    # `torch/testing/_internal/common_methods_invocations.py` has 295,000, `torch/_C/_VariableFunctions.pyi` 323,000.
    assert MOST_TOKENS >= 3 * 323_000
    assert not parsing.has_more_tokens("x = f(1)\n" * 100, 700)
    assert parsing.has_more_tokens("x = f(1)\n" * 100, 699)


def test_long_code_is_not_tried_as_newer_syntax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_parsed_as_newer", lambda source: pytest.fail("it was tried"))
    with pytest.raises(ParseFailure, match="invalid syntax; it is too long to be read as newer syntax"):
        parse("x;" * (MOST_NEWER_TOKENS // 2) + "?")


def test_a_dotted_name_that_python_takes_the_square_of_its_length_for_is_not_parsed() -> None:
    with pytest.raises(ParseFailure, match="nested too deeply"):
        parse(f"import {'a.' * 20_000}b\n")
    parse(f"import {'a.' * 3000}b\nx{'.a' * 3000}\n")


@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
@pytest.mark.parametrize("prefix", ["f", "Rf", "fr", "F"])
def test_an_f_string_that_python_takes_the_square_of_its_length_for_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch, prefix: str, quote: str
) -> None:
    monkeypatch.setattr("ast.parse", lambda source: pytest.fail("it was parsed"))
    with pytest.raises(TooLongToParse):
        parse(f"y = {prefix}{quote}{'{x} and ' * 50_000}{quote}\n")


def test_as_many_fields_in_strings_of_a_usual_length_are_parsed() -> None:
    fields, escaped = "{x} and " * 100, "{x} \\' and " * 100
    parse(f'y = f"{fields}"\n' * 300 + f"y = f'{escaped}'\n" * 200)
    parse(f"y = '{'{x} and ' * 50_000}'\n")


# Numbers of thousands of digits


def test_a_long_number_in_a_requirement_costs_its_line(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "requirements.txt").write_text(f"torch<{DIGITS}\ntorch==2.{DIGITS}\nnumpy==1.2\ntorchmetrics==1.6\n")
    warned: list[str] = []
    assert known_releases(tmp_path, warned.append).keys() == {"numpy", "torchmetrics"}
    assert len(warned) == 2
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert FOUND in result.out
    assert [line.partition(": the release of ")[2][:26] for line in result.err.splitlines()] == [
        "torch is ignored: it has a"
    ] * 2


def test_a_long_number_in_a_lock_costs_its_package(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "uv.lock").write_text(
        f'[[package]]\nname = "torch"\nversion = "{DIGITS}"\n\n[[package]]\nname = "numpy"\nversion = "1.2"\n'
    )
    assert known_releases(tmp_path).keys() == {"numpy"}
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert "uv.lock: the release of torch is ignored" in result.err


def test_a_long_number_in_a_project_file_costs_no_run(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "pyproject.toml").write_text(f"[project]\nnumber = {DIGITS}\n")
    assert run(".").status == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"jobs = {DIGITS}", "not valid TOML: a number has too many digits"),
        (f"select = [0x{'f' * 5000}]", "but got a number of thousands of digits"),
        (f"torch-version = '{DIGITS}'", "torch-version: expected a release such as '2.6'"),
        (f"library-versions = {{torchmetrics = '1.{DIGITS}'}}", "library-versions: expected"),
        (f"{'a.' * 5000}b = 1", "line 1 has a key of too many parts"),
        (f"[{'a.' * 5000}b]", "line 1 has a key of too many parts"),
        ("exclude = ['[z-a]']", "'[z-a]' is not a pattern"),
    ],
    ids=["integer", "hexadecimal", "version", "library", "key", "table", "pattern"],
)
def test_what_a_configuration_cannot_say_is_one_line(run: Synclint, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "synclint.toml").write_text(text + "\n")
    result = run(".")
    assert (result.status, result.out) == (2, "")
    (line,) = result.err.splitlines()
    assert line.startswith("synclint: error: synclint.toml: ")
    assert told in line


@pytest.mark.parametrize(
    "arguments",
    [
        ("-j", DIGITS), ("--torch-version", DIGITS), ("--torch-version", f"2.{DIGITS}"),
        ("--library-versions", f"torchmetrics={DIGITS}"), ("--exclude", "[z-a]"), ("--extend-exclude", "a[z-a]*"),
        ("--include", "[z-a].py"), ("--per-file-ignores", "[z-a]:SYN101"), ("--why", f"loss.py:{DIGITS}"),
        ("--why", "loss.py:²"),
    ],
    ids=lambda arguments: "".join(arguments)[:20],
)  # fmt: skip
def test_what_an_option_cannot_say_is_one_line(run: Synclint, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run("loss.py", *arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("synclint: error: ")
    assert len(result.err.splitlines()) == 1


def test_a_long_number_in_a_notebook_is_a_number_like_any_other(run: Synclint, tmp_path: Path) -> None:
    cell = json.dumps({"cell_type": "code", "source": HAZARD, "metadata": {}})
    (tmp_path / "loss.ipynb").write_text(f'{{"cells": [{cell}], "metadata": {{"n": {DIGITS}}}, "nbformat": {DIGITS}}}')
    result = run("loss.ipynb", "--output-format", "concise")
    assert (result.status, result.err) == (1, "")
    assert "SYN101" in result.out


@pytest.mark.parametrize("number", [DIGITS, "9" * 4000, "0", "-1"])
def test_a_long_number_in_a_baseline_is_one_line(run: Synclint, tmp_path: Path, number: str) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    entry = '"path": "a", "function": "", "statement": "", "rule": "SYN101", "fingerprint": "", "confidence": "high"'
    (tmp_path / "base.json").write_text(f'{{"version": 1, "entries": [{{{entry}, "hot": true, "count": {number}}}]}}')
    result = run("loss.py", "--baseline", "base.json")
    assert (result.status, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1


# Bad lines of ignore files


def test_a_bad_line_of_an_ignore_file_costs_that_line(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "left_out.py").write_text(HAZARD)
    (tmp_path / ".gitignore").write_text("[z-a]\nx[9-0]\n\\\nleft_out.py\n[[:alpha:]\n")
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert FOUND in result.out
    assert "left_out" not in result.out
    assert [line.partition(".gitignore:")[2] for line in result.err.splitlines()] == [
        "1: ignored: '[z-a]' is not a pattern",
        "2: ignored: 'x[9-0]' is not a pattern",
        "3: ignored: '\\\\' is not a pattern",
    ]


def test_of_hundreds_of_bad_lines_some_are_told_and_the_rest_is_counted(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / ".gitignore").write_text("[z-a]\n" * 500)
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert len(result.err.splitlines()) == 6
    assert "495 more lines that are not patterns" in result.err


# Text that is costly to scan


def test_an_import_that_is_not_finished_is_scanned_once() -> None:
    assert text_of("import (\n" + "# comment\n" * 2000, "").imports == frozenset()
    assert text_of('"""\nimport (a # b\n' + "# c\n" * 2000 + '"""\n', "").signs is False
    listed = text_of("from a import (b,  # c (\n# )\n  d)\nx = (1)\n", "").imports
    assert {each.name for each in listed} == {"b", "d"}


@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
def test_a_string_without_an_end_is_looked_through_once(monkeypatch: pytest.MonkeyPatch, quote: str) -> None:
    passed = 0

    class Counting:
        """A pattern that counts how many parts of strings it has found."""

        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern = pattern

        def finditer(self, source: str, place: int) -> list[re.Match[str]]:
            nonlocal passed
            found = list(self.pattern.finditer(source, place))
            passed += len(found)
            return found

    counting = {sign: Counting(pattern) for sign, pattern in nesting._STRINGS.items()}
    monkeypatch.setattr(nesting, "_STRINGS", counting)
    source = f"{quote}\\" * 2000
    nesting_of(source)
    assert passed <= len(source)


def test_strings_that_end_are_found_as_before() -> None:
    # What stands in a string is no nesting, however it is quoted; what stands behind one is.
    for quote in ("'", '"', "'''", '"""'):
        assert nesting_of(f"x = {quote}((( \\{quote[0]} ((({quote}\n").brackets == 0
        assert nesting_of(f"x = {quote}a{quote}, ((1))\n").brackets == 2
    assert nesting_of("x = 'a\ny = ((1))\nz = 'b'\n").brackets == 2


def test_a_cell_of_magics_is_read_line_by_line() -> None:
    assert python_of_cell(["%%time\n"] * 3000 + ["x"])[-1] == "x"
    assert python_of_cell(["%a", " " * 3000]) == ["pass", " " * 3000]
    assert python_of_cell(["%a", "a, b = !ls"])[1] == "a, b = get_ipython()"
    assert python_of_cell(["%a", "x = '''\\'''", "%a", "'''", "%b"]) == ["pass", "x = '''\\'''", "%a", "'''", "pass"]
    assert python_of_cell(["%a", "x = 'a\\' (' # [", "%b"])[-1] == "pass"
    assert python_of_cell(["%a", "x = 'a (", "%b"])[-1] == "pass"


def test_a_comment_of_unknown_names_is_told_in_few_words(run: Synclint, tmp_path: Path) -> None:
    names = ", ".join(f"SYNx{number}" for number in range(1000))
    (tmp_path / "loss.py").write_text(f"{HAZARD}x = 1  # noqa: {names}, SYN101\n")
    result = run("loss.py", "--output-format", "concise")
    complaints = [line for line in result.out.splitlines() if "SYN001" in line]
    assert len(complaints) == directives._MOST_PROBLEMS + 1
    assert any("suppresses no SYN101 nonzero here" in line for line in complaints)
    assert max(map(len, complaints)) < 1500


def test_keys_are_only_refused_that_a_parser_takes_long_for() -> None:
    assert overlong_key("a.b.c = '" + "." * 500 + "'\n") is None
    assert overlong_key("x = [" + "'a.b', " * 500 + "]\n") is None
    assert overlong_key("# " + "." * 500 + "\n") is None
    assert overlong_key("x = 1\n" + "a." * 500 + "b = 1\n") == 2
    assert overlong_key("x = {a = 1, " + "a ." * 500 + "b = 1}\n") == 1


def test_standard_input_is_read_so_far_and_no_further(run: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synclint.sources.decoding.MOST_BYTES", 100)
    done = run("-", stdin=b"x = 1\n" * 100)
    assert done.status == 2
    assert done.err.splitlines() == [
        "synclint: error: -: standard input is larger than a source file may be (100 bytes)"
    ]
