"""Jupyter notebooks: their code cells as one module, and the place of every cell in the file.

The file is read with a scanner that notes where each cell's source stands, so that a cell can be changed
while outputs, metadata and layout stay byte for byte as they were.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.decoder import JSONDecodeError

from synclint.sources.embedded import Block, Embedded, EmbeddedSourceError
from synclint.sources.magics import python_of_cell

_SPACE = re.compile(r"[ \t\r\n]*")
# No number in a notebook is of interest, and Python refuses to read an integer of thousands of digits.
_DECODER = json.JSONDecoder(strict=False, parse_int=float)


@dataclass(frozen=True)
class Cell:
    """One cell: its ``number`` from 1, its kind, its text, and where its source stands in the file.

    ``start`` and ``end`` bound the JSON value of the source, in characters; ``file_lines`` is the line
    of the file for each line of the text, and ``in_pieces`` says whether the source is a list of lines.
    """

    number: int
    kind: str
    text: str
    start: int
    end: int
    file_lines: tuple[int, ...]
    in_pieces: bool


@dataclass(frozen=True)
class Notebook:
    """A notebook as it stands in ``text``, its cells, and the language of its kernel in small letters."""

    text: str
    cells: tuple[Cell, ...]
    language: str


@dataclass(frozen=True)
class _Item:
    """A value within a JSON object (with its key) or list, and where it stands in the text."""

    key: str
    value: object
    start: int
    end: int


def read_notebook(text: str) -> Notebook:
    """Read a notebook of format 4. Raises EmbeddedSourceError for anything else."""
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    cells: tuple[Cell, ...] | None = None
    metadata: object = None
    try:
        for top in _items(text, _skip_space(text, 0), "{}"):
            if top.key == "cells":
                found = enumerate(_items(text, top.start, "[]"), start=1)
                cells = tuple(_cell(number, text, item.start, line_starts) for number, item in found)
            elif top.key == "metadata":
                metadata = top.value
    except (JSONDecodeError, RecursionError) as error:
        raise EmbeddedSourceError(f"is not a notebook: {error}") from None
    if cells is None:
        raise EmbeddedSourceError("is not a notebook of format 4: it has no list of cells")
    return Notebook(text, cells, _language(metadata))


def notebook_module(text: str) -> Embedded:
    """The code cells of a notebook as one module, in their order; nothing where it is not Python.

    What only IPython understands is replaced line by line, so that positions stay. Raises
    EmbeddedSourceError when the text is not a notebook.
    """
    notebook = read_notebook(text)
    module: list[str] = []
    shown: list[str] = []
    blocks: list[Block] = []
    if notebook.language in ("", "python", "ipython"):
        for cell in notebook.cells:
            if cell.kind != "code":
                continue
            # A carriage return ends a line for Python, but not for the notebook.
            lines = [line.rstrip("\r").replace("\r", " ") for line in cell.text.split("\n")]
            blocks.append(Block(len(module) + 1, cell.file_lines, (0,) * len(lines), cell.number))
            shown += lines
            module += python_of_cell(lines)
    return Embedded("\n".join([*module, ""]), "\n".join([*shown, ""]), tuple(blocks))


def with_cells(notebook: Notebook, texts: Mapping[int, str]) -> str:
    """The file with new text in some cells, by their numbers; everything else stays as it is."""
    parts: list[str] = []
    position = 0
    for cell in notebook.cells:
        if cell.number in texts and texts[cell.number] != cell.text:
            parts += [notebook.text[position : cell.start], _source_value(notebook.text, cell, texts)]
            position = cell.end
    return "".join([*parts, notebook.text[position:]])


def _source_value(text: str, cell: Cell, texts: Mapping[int, str]) -> str:
    """The JSON of a cell's new source, laid out as the old one was."""
    old = text[cell.start : cell.end]
    ascii_only = old.isascii() and "\\u" in old
    if not cell.in_pieces:
        return json.dumps(texts[cell.number], ensure_ascii=ascii_only)
    pieces = [json.dumps(line, ensure_ascii=ascii_only) for line in _kept_lines(texts[cell.number])]
    before = old[1 : _skip_space(old, 1)]
    after = old[len(old[:-1].rstrip()) : -1] if len(old.split()) > 1 else ""
    return f"[{before}{(',' + (before or ' ')).join(pieces)}{after}]"


def _kept_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _cell(number: int, text: str, start: int, line_starts: Sequence[int]) -> Cell:
    members = {item.key: item for item in _items(text, start, "{}")}
    source = members.get("source")
    if source is None:
        raise EmbeddedSourceError(f"is not a notebook: cell {number} has no source")
    in_pieces = isinstance(source.value, list)
    items = list(_items(text, source.start, "[]")) if in_pieces else [source]
    pieces = [(str(item.value), bisect_right(line_starts, item.start)) for item in items]
    return Cell(
        number=number,
        kind=str(members["cell_type"].value) if "cell_type" in members else "",
        text="".join(piece for piece, _ in pieces),
        start=source.start,
        end=source.end,
        file_lines=_file_lines(pieces, bisect_right(line_starts, source.start)),
        in_pieces=in_pieces,
    )


def _file_lines(pieces: Sequence[tuple[str, int]], first: int) -> tuple[int, ...]:
    """The line of the file for each line of a cell's text: that of the piece in which it begins."""
    lines: list[int] = []
    begins = True
    for piece, line in pieces:
        if piece:
            ends = piece.endswith("\n")
            lines += [line] * (begins + piece.count("\n") - ends)
            begins = ends
    if begins:
        lines.append(lines[-1] if lines else first)
    return tuple(lines)


def _language(metadata: object) -> str:
    if not isinstance(metadata, dict):
        return ""
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        table = metadata.get(section)
        if isinstance(table, dict) and isinstance(table.get(key), str):
            return str(table[key]).lower()
    return ""


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _items(text: str, position: int, brackets: str) -> Iterator[_Item]:
    """The members of the JSON object, or the elements of the JSON list, that begins at ``position``."""
    opening, closing = brackets[0], brackets[1]
    if text[position : position + 1] != opening:
        raise JSONDecodeError(f"Expecting {opening!r}", text, position)
    position = _skip_space(text, position + 1)
    while text[position : position + 1] != closing:
        key = ""
        if opening == "{":
            key, position = _key(text, position)
        value, end = _DECODER.raw_decode(text, position)
        yield _Item(key, value, position, end)
        position = _skip_space(text, end)
        if text[position : position + 1] == ",":
            position = _skip_space(text, position + 1)
        elif text[position : position + 1] != closing:
            raise JSONDecodeError("Expecting ',' delimiter", text, position)


def _key(text: str, position: int) -> tuple[str, int]:
    key, end = _DECODER.raw_decode(text, position)
    colon = _skip_space(text, end)
    if text[colon : colon + 1] != ":":
        raise JSONDecodeError("Expecting ':' delimiter", text, colon)
    return str(key), _skip_space(text, colon + 1)
