"""Notebooks are checked cell by cell, and can be edited without touching anything else in them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Synclint
from hypothesis import given
from hypothesis import strategies as st

from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.magics import python_of_cell
from synclint.sources.notebooks import notebook_module, read_notebook, with_cells


def code(*lines: str) -> dict[str, Any]:
    source = "\n".join(lines).splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source}


def markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def notebook(*cells: dict[str, Any], language: str = "python", indent: int | None = 1) -> str:
    metadata = {"kernelspec": {"language": language, "name": "kernel"}}
    whole = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"


TRAINING = notebook(
    markdown("# Training\n\n    torch.nonzero(x)"),
    code("%matplotlib inline", "import torch"),
    code("!nvidia-smi", "", "def step(x: torch.Tensor):", "    torch.nonzero(x)", "    return x"),
)


def test_a_finding_is_told_by_cell_and_line_with_the_line_itself(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(TRAINING)
    result = run("a.ipynb")
    assert result.status == 1
    assert "\na.ipynb:cell 3, line 4, column 5: SYN101 nonzero: " in result.out
    assert "4 |     torch.nonzero(x)\n" in result.out


def test_json_has_the_cell_and_rows_within_it(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(TRAINING)
    (found,) = json.loads(run("--output-format", "json", "a.ipynb").out)
    assert found["cell"] == 3
    assert found["location"] == {"row": 4, "column": 5}
    assert found["filename"] == str(tmp_path / "a.ipynb")


def test_annotations_stand_at_the_line_of_the_file(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(TRAINING)
    line = TRAINING[: TRAINING.index("    torch.nonzero(x)\\n")].count("\n") + 1
    assert f",line={line}::cell 3, line 4: " in run("--output-format", "github", "a.ipynb").out


def test_names_of_one_cell_are_known_in_the_next(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(
        notebook(
            code("import torch as t", "def mask_of(x: t.Tensor):", "    return x > 0"),
            code("def loss(x: t.Tensor):", "    return x[mask_of(x)]"),
        )
    )
    assert "\na.ipynb:cell 2, line 2, column 12: SYN103 " in run("a.ipynb").out


def test_directories_are_searched_for_notebooks_but_not_checkpoints(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(TRAINING)
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "a-checkpoint.ipynb").write_text(TRAINING)
    assert "1 wait in each step (1 of 1 file)." in run(".").out


def test_a_notebook_from_standard_input_goes_by_the_name_it_is_given(run: Synclint) -> None:
    result = run("-", "--stdin-filename", "a.ipynb", stdin=TRAINING.encode())
    assert "\na.ipynb:cell 3, line 4, column 5: SYN101" in result.out


def test_a_syntax_error_is_told_by_its_cell(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(code("x = 1"), code("y = 2", "def f(:")))
    result = run("a.ipynb")
    assert "\na.ipynb:cell 2, line 2, column 7: SYN000 syntax-error: " in result.out


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '"text"', "{}", '{"cells": 3}', '{"cells": [1]}', '{"cells": [{}]}', '{"cells": [,]}'],
)
def test_what_is_no_notebook_is_status_2_in_one_line(run: Synclint, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.ipynb").write_text(text)
    result = run("a.ipynb")
    assert result.status == 2
    assert result.err.startswith("synclint: error: a.ipynb: is not a notebook")
    assert len(result.err.splitlines()) == 1


def test_a_notebook_in_another_language_has_nothing_to_check(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(code("x <- c(1, 2)"), language="R"))
    assert run("a.ipynb").status == 0


@pytest.mark.parametrize(
    ("cell", "module"),
    [
        (["!ls", "x = 1"], ["pass", "x = 1"]),
        (["if x:", "    %pip install torch", "y"], ["if x:", "    pass", "y"]),
        (["files = !ls *.py", "out = %time f()"], ["files = get_ipython()", "out = get_ipython()"]),
        (["x?", "?torch.nonzero", "x.item??", "y"], ["pass", "pass", "pass", "y"]),
        (["!echo \\", "  more \\", "  last", "y"], ["pass", "", "", "y"]),
        (["%%bash", "ls | wc"], ["", ""]),
        (["", "%%time", "f(x)", "!ls"], ["", "", "f(x)", "pass"]),
        (["%%html"], [""]),
        (["!ls", "z = (a", "%b)", "t = '''", "!not shell", "'''"], None),
        (["!ls", "z = a \\", "% b", "s = 'it\\'s ('", "%who"], None),
        (["a = {'x': 1}  # (", "%who", "b = f'{a}'"], ["a = {'x': 1}  # (", "pass", "b = f'{a}'"]),
    ],
)
def test_what_only_ipython_understands_is_replaced_where_it_stands(cell: list[str], module: list[str] | None) -> None:
    replaced = python_of_cell(cell)
    ast.parse("\n".join(replaced))
    assert len(replaced) == len(cell)
    if module is None:
        kept = [line for line in cell if not line.startswith(("!ls", "%who"))]
        assert [line for line in replaced if line != "pass"] == kept
    else:
        assert replaced == module


@given(st.lists(st.text(alphabet="ab=%!?\\'\"#([{}]), \t\r", max_size=12), min_size=1, max_size=6))
def test_a_cell_keeps_its_number_of_lines_whatever_it_holds(lines: list[str]) -> None:
    assert len(python_of_cell(lines)) == len(lines)


CELLS = st.lists(
    st.tuples(st.sampled_from(["code", "markdown", "raw"]), st.text(max_size=30), st.booleans()), max_size=4
)


@given(CELLS, st.sampled_from([None, 0, 1, 4]), st.booleans())
def test_reading_finds_each_cell_and_writing_back_changes_nothing(
    given_cells: list[tuple[str, str, bool]], indent: int | None, ascii_only: bool
) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": kind, "source": text.splitlines(keepends=True) if in_pieces else text, "metadata": {}}
        for kind, text, in_pieces in given_cells
    ]
    whole = json.dumps({"metadata": {}, "cells": cells}, indent=indent, ensure_ascii=ascii_only)
    read = read_notebook(whole)
    assert [(cell.kind, cell.text) for cell in read.cells] == [(kind, text) for kind, text, _ in given_cells]
    assert [len(cell.file_lines) for cell in read.cells] == [s.count("\n") + 1 for _, s, _ in given_cells]
    assert with_cells(read, {cell.number: cell.text for cell in read.cells}) == whole


@given(CELLS.filter(bool), st.text(max_size=30), st.sampled_from([None, 1]))
def test_a_new_text_for_a_cell_changes_that_cell_alone(
    given_cells: list[tuple[str, str, bool]], new: str, indent: int | None
) -> None:
    cells = [
        {"source": text.splitlines(keepends=True) if in_pieces else text, "outputs": [1.0, "é"], "id": "x"}
        for _, text, in_pieces in given_cells
    ]
    text = json.dumps({"cells": cells, "metadata": {"a": 1e3}}, indent=indent)
    changed = read_notebook(with_cells(read_notebook(text), {1: new}))
    assert changed.cells[0].text == new
    assert [cell.text for cell in changed.cells[1:]] == [source for _, source, _ in given_cells[1:]]
    before, after = read_notebook(text).cells[0], changed.cells[0]
    assert (text[: before.start], text[before.end :]) == (
        changed.text[: after.start],
        changed.text[after.end :],
    )


def test_an_edited_cell_is_laid_out_as_before() -> None:
    text = notebook(code("a", "b"), code("é"))
    changed = with_cells(read_notebook(text), {1: "a\nü\n"})
    assert changed == text.replace('"b"', '"ü\\n"')


def test_escapes_stay_where_the_file_has_them() -> None:
    text = '{"cells": [{"source": "\\u00e9", "metadata": {}}], "metadata": {"x": "\\u00fc"}}'
    assert with_cells(read_notebook(text), {1: "é!"}) == text.replace("\\u00e9", "\\u00e9!")


def test_windows_line_ends_between_the_members_stay() -> None:
    text = notebook(code("a"), indent=1).replace("\n", "\r\n")
    assert with_cells(read_notebook(text), {1: "b"}) == text.replace('"a"', '"b"')


def test_nesting_without_end_is_no_notebook() -> None:
    with pytest.raises(EmbeddedSourceError, match="is not a notebook"):
        notebook_module('{"cells": ' + "[" * 100_000)


def test_carriage_returns_within_a_cell_do_not_move_its_lines(run: Synclint, tmp_path: Path) -> None:
    source = "import torch\r\nx = 1\r\n\ndef f(x: torch.Tensor):\n    x.tolist()  # a\rb"
    (tmp_path / "a.ipynb").write_text(notebook({"cell_type": "code", "metadata": {}, "source": source}))
    assert "\na.ipynb:cell 1, line 5, column 5: SYN202" in run("a.ipynb").out
    assert notebook_module(notebook(code("x"), {"cell_type": "code", "source": "a\rb\r\nc"})).module == ("x\na b\nc\n")
