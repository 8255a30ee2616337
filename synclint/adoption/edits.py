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
from synclint.sources.embedded import located


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


def edited(report: FileReport, findings: Sequence[Finding], text: str) -> str:
    """The ``text`` of a file with the fixes of ``findings`` made in it: in its code, its cells or its blocks.

    Raises EditError where a fix, which is one to a comment, would change what the code does.
    """
    fixes = [finding.fix for finding in findings if finding.fix]
    if _meaning(report.source) != _meaning(apply_edits(report.source, fixes)):
        raise EditError("its comments cannot be told from its code with certainty; it is left as it was")
    if report.embedded is None:
        return apply_edits(text, fixes)
    by_cell: dict[int | None, list[Edit]] = defaultdict(list)
    for finding in findings:
        placed = located(finding, report.embedded.blocks)
        if placed.fix:
            by_cell[placed.cell].append(placed.fix)
    if None in by_cell:
        return apply_edits(text, by_cell[None])
    from synclint.sources.notebooks import read_notebook, with_cells

    notebook = read_notebook(text)
    cells = {cell.number: cell.text for cell in notebook.cells}
    changed = {number: apply_edits(cells[number], made) for number, made in by_cell.items() if number}
    return with_cells(notebook, changed)


def edit_file(report: FileReport, findings: Sequence[Finding]) -> None:
    """Make the fixes of ``findings`` in the file of a report. Raises EditError and OSError."""
    path = report.path
    if path.is_symlink():
        raise EditError("is a link; name the file that it leads to")
    data = read_at_most(path, most_bytes(path), "a source file")
    changed = edited(report, findings, decode_source(data))
    encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
    try:
        replace_bytes(path, changed.encode(encoding))
    except UnicodeEncodeError:
        raise EditError(f"its encoding, {encoding}, has no such characters") from None


def _meaning(source: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EditError("this Python does not understand it; it is left as it was") from None
