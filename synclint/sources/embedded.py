"""Python inside other files: the module that is checked in its place, and the way back to the file.

The cells of a notebook, or the code blocks of a document, are put together into one module, because each
uses the names of those before it. What is found in the module is then told by the place in the file.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synclint.findings import CallPlace, Context, Edit, Finding, Fix, Position, Repetition, Span

NOTEBOOK_SUFFIX = ".ipynb"
DOCUMENT_SUFFIXES = frozenset({".md", ".markdown", ".rst"})


class EmbeddedSourceError(ValueError):
    """A file whose code cannot be taken out; the message says why, without the file's name."""


@dataclass(frozen=True)
class Block:
    """A run of lines of the module, and where they stand in the file.

    ``start`` is the first of them in the module, counting from 1, and ``file_lines`` is the line of the
    file for each. ``indents`` counts the characters that were cut off before each. ``cell`` is the
    number of the notebook's cell, None in a document.
    """

    start: int
    file_lines: tuple[int, ...]
    indents: tuple[int, ...]
    cell: int | None = None

    def holds(self, line: int) -> bool:
        """Whether a line of the module belongs to this block."""
        return self.start <= line < self.start + len(self.file_lines)


@dataclass(frozen=True)
class Embedded:
    """The Python in a file: the ``module`` to check, the ``shown`` text with the same lines, its blocks in order."""

    module: str
    shown: str
    blocks: tuple[Block, ...]


def located(finding: Finding, blocks: Sequence[Block]) -> Finding:
    """A finding about the module, told by the place in the file: the cell, or the document's own lines."""
    block = _block_of(finding.span.start.line, blocks)
    if block is None:
        return finding
    context = _context(finding.context, finding.filename, blocks)
    message = finding.message
    if finding.context.captured is not None and context.captured is not None:
        message = message.replace(finding.context.captured, context.captured)
    return replace(
        finding,
        cell=block.cell,
        message=message,
        span=_span(finding.span, block),
        fix=_fix(finding.fix, blocks) if finding.fix else None,
        context=context,
    )


def file_line(line: int, cell: int | None, blocks: Sequence[Block]) -> int:
    """The line of the file on disk, as other programs count it, for a line of a cell or a document."""
    if cell is not None:
        index = bisect_right(blocks, cell, key=lambda block: block.cell or 0) - 1
        if index >= 0 and blocks[index].cell == cell and line <= len(blocks[index].file_lines):
            return blocks[index].file_lines[line - 1]
    return line


def _block_of(line: int, blocks: Sequence[Block]) -> Block | None:
    index = bisect_right(blocks, line, key=lambda block: block.start) - 1
    return blocks[index] if index >= 0 and blocks[index].holds(line) else None


def _span(span: Span, block: Block) -> Span:
    return Span(_position(span.start, block), _position(span.end, block))


def _position(position: Position, block: Block) -> Position:
    index = min(position.line - block.start, len(block.file_lines) - 1)
    line = block.file_lines[index] if block.cell is None else index + 1
    return Position(line, position.column + block.indents[index])


def _fix(fix: Fix, blocks: Sequence[Block]) -> Fix:
    return replace(fix, edits=tuple(located_edit(edit, blocks) for edit in fix.edits))


def located_edit(edit: Edit, blocks: Sequence[Block]) -> Edit:
    """An edit of the module, told by the place in the file: a cell, or the document's own lines."""
    block = None if edit.path else _block_of(edit.span.start.line, blocks)
    return edit if block is None else replace(edit, span=_span(edit.span, block), cell=block.cell)


def _context(context: Context, filename: str, blocks: Sequence[Block]) -> Context:
    """The same context, with the places in this file that it mentions told by cell."""
    place = re.compile(rf"(?<![\w/\\]){re.escape(filename)}:(\d+)")

    def by_cell(match: re.Match[str]) -> str:
        cell, line = _cell_line(int(match[1]), blocks)
        return match[0] if cell is None else f"{filename}, cell {cell}, line {line}"

    def call(step: CallPlace) -> CallPlace:
        if not _is_file(step.path, filename):
            return step
        cell, line = _cell_line(step.line, blocks)
        return step._replace(line=line, cell=cell)

    def loop(repetition: Repetition) -> Repetition:
        if not _is_file(repetition.path, filename):
            return repetition
        cell, line = _cell_line(repetition.line, blocks)
        return repetition._replace(line=line, cell=cell)

    return replace(
        context,
        reason=place.sub(by_cell, context.reason),
        times=tuple(map(loop, context.times)),
        path=tuple(map(call, context.path)),
        captured=place.sub(by_cell, context.captured) if context.captured is not None else None,
    )


def _is_file(path: str, filename: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(filename)


def _cell_line(line: int, blocks: Sequence[Block]) -> tuple[int | None, int]:
    """A line of the module as a line of a cell, or as one of the document, which has no cells."""
    block = _block_of(line, blocks)
    if block is None:
        return None, line
    index = line - block.start
    return block.cell, index + 1 if block.cell is not None else block.file_lines[index]
