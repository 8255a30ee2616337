"""Changes to source text, and to the files that hold it."""

from __future__ import annotations

import ast
import tokenize
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from io import BytesIO

from synclint.files.atomic_files import replace_bytes
from synclint.files.bounded_files import read_at_most
from synclint.findings import Edit, Finding, Position
from synclint.results.file_reports import FileReport
from synclint.sources.comments import LINE_END
from synclint.sources.decoding import decode_source, most_bytes
from synclint.sources.embedded import Embedded, located_edit


class EditError(ValueError):
    """A file that is left as it was; the message says why, without the file's name."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made that do not overlap; a line of which an edit leaves nothing goes, too."""
    ends = [match.end() for match in LINE_END.finditer(text)]
    starts = [0, *ends]

    def offset(position: Position) -> int:
        return starts[position.line - 1] + position.column - 1

    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start, end = offset(edit.span.start), offset(edit.span.end)
        line_start = starts[edit.span.start.line - 1]
        line_end = starts[edit.span.end.line] if edit.span.end.line < len(starts) else len(text)
        if not (edit.replacement or text[line_start:start].strip() or text[end:line_end].strip()):
            start, end = line_start, line_end
        text = text[:start] + edit.replacement + text[end:]
    return text


def with_edits(text: str, edits: Sequence[Edit], embedded: Embedded | None) -> str:
    """The ``text`` of a file with edits made in its code: of a notebook in the cells, of a document in the blocks."""
    if embedded is None:
        return apply_edits(text, edits)
    by_cell: dict[int | None, list[Edit]] = defaultdict(list)
    for edit in edits:
        placed = located_edit(edit, embedded.blocks)
        by_cell[placed.cell].append(placed)
    if None in by_cell:
        return apply_edits(text, by_cell[None])
    from synclint.sources.notebooks import read_notebook, with_cells

    notebook = read_notebook(text)
    cells = {cell.number: cell.text for cell in notebook.cells}
    changed = {number: apply_edits(cells[number], made) for number, made in by_cell.items() if number}
    return with_cells(notebook, changed)


def edit_file(report: FileReport, findings: Sequence[Finding]) -> None:
    """Make the fixes of ``findings``, which are to comments, in the file of a report. Raises EditError and OSError.

    Where one of them would change what the code does the file is left as it was.
    """
    path = report.path
    if path.is_symlink():
        raise EditError("is a link; name the file that it points to")
    edits = [edit for finding in findings if finding.fix for edit in finding.fix.edits]
    if _meaning(report.source) != _meaning(apply_edits(report.source, edits)):
        raise EditError("its comments cannot be distinguished from its code with certainty; it was not changed")
    data = read_at_most(path, most_bytes(path), "a source file")
    replace_bytes(path, encoded(with_edits(decode_source(data), edits, report.embedded), data))


def encoded(text: str, before: bytes) -> bytes:
    """The bytes of a file that shall hold ``text``, in the encoding that it had. Raises EditError."""
    encoding, _ = tokenize.detect_encoding(BytesIO(before).readline)
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        raise EditError(f"its encoding, {encoding}, has no such characters") from None


def _meaning(source: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EditError("this Python does not understand it; it was not changed") from None
