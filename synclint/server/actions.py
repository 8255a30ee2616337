"""What an editor offers to do about findings: fixes, all safe ones at once, and comments that suppress them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, TextEdit, WorkspaceEdit
from pygls.workspace import PositionCodec

from synclint import findings as records
from synclint.adoption.new_suppressions import NOT_SUPPRESSED, with_suppressions
from synclint.api import Edit, Finding, Fix
from synclint.report.terminal import escape
from synclint.server.positions import lines_of, range_of
from synclint.sources.comments import LINE_END

FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.synclint"
DEFAULT_REASON = "this wait is acceptable"


@dataclass(frozen=True)
class Document:
    """A text as the editor has it: a file, or a cell of a notebook."""

    uri: str
    text: str


# Gives the document that an edit speaks of: a file by its path, or a cell of it; None where nobody can say.
DocumentOf = Callable[[str, "int | None"], "Document | None"]


def quick_fix(finding: Finding, shown: Diagnostic, documents: DocumentOf, codec: PositionCodec) -> CodeAction | None:
    """The action that makes a finding's fix; None where there is none."""
    if finding.fix is None:
        return None
    changes = _changes([finding.fix], documents, codec)
    if changes is None:
        return None
    caveat = f" ({finding.fix.caveat})" if finding.fix.caveat else ""
    return CodeAction(
        title=escape(f"{finding.code}: {finding.fix.message}{caveat}"),
        kind=CodeActionKind.QuickFix,
        diagnostics=[shown],
        is_preferred=finding.fix.applicability == "safe",
        edit=WorkspaceEdit(changes=changes),
    )


def fix_all(findings: Sequence[Finding], documents: DocumentOf, codec: PositionCodec) -> CodeAction | None:
    """The action that makes all safe fixes that do not overlap; None where there are none."""
    chosen: list[Fix] = []
    taken: set[Edit] = set()
    for finding in findings:
        fix = finding.fix
        if fix is None or fix.applicability != "safe":
            continue
        if any(edit != other and _overlap(edit, other) for edit in fix.edits for other in taken):
            continue
        chosen.append(fix)
        taken.update(fix.edits)
    changes = _changes(chosen, documents, codec) if chosen else None
    if changes is None:
        return None
    return CodeAction("synclint: apply all safe fixes", kind=FIX_ALL, edit=WorkspaceEdit(changes=changes))


def suppression(
    finding: Finding, shown: Diagnostic, document: Document, reason: str, codec: PositionCodec
) -> CodeAction | None:
    """The action that writes a comment with a reason; None for what no comment suppresses."""
    if finding.code in NOT_SUPPRESSED:
        return None
    written = with_suppressions([_record(finding)], document.text, " ".join(reason.split()))
    edits = [edit for one in written if one.fix for edit in one.fix.edits]
    lines = lines_of(document.text)
    made = [TextEdit(range_of(edit.span.start, edit.span.end, lines, codec), edit.replacement) for edit in edits]
    return CodeAction(
        f"{finding.code}: suppress with the reason {escape(reason)!r}",
        kind=CodeActionKind.QuickFix,
        diagnostics=[shown],
        edit=WorkspaceEdit(changes={document.uri: made}),
    )


def _changes(fixes: Sequence[Fix], documents: DocumentOf, codec: PositionCodec) -> dict[str, list[TextEdit]] | None:
    changes: dict[str, list[TextEdit]] = {}
    for edit in dict.fromkeys(edit for fix in fixes for edit in fix.edits):
        document = documents(edit.file, edit.cell)
        if document is None:
            return None
        changes.setdefault(document.uri, []).append(_text_edit(edit, document.text, codec))
    return changes


def _text_edit(edit: Edit, text: str, codec: PositionCodec) -> TextEdit:
    """An edit as an editor makes it; a line of which it leaves nothing goes, too."""
    lines = lines_of(text)
    before = lines[edit.start.line - 1][: edit.start.column - 1]
    after = lines[edit.end.line - 1][edit.end.column - 1 :]
    start, end = edit.start, edit.end
    if not (edit.content or before.strip() or after.strip()) and edit.end.line < len(lines):
        start, end = records.Position(start.line, 1), records.Position(end.line + 1, 1)
    newline = next((match.group() for match in LINE_END.finditer(text)), "\n")
    content = edit.content if newline == "\n" else edit.content.replace("\r\n", "\n").replace("\n", newline)
    return TextEdit(range_of(start, end, lines, codec), content)


def _overlap(first: Edit, second: Edit) -> bool:
    if (first.file, first.cell) != (second.file, second.cell):
        return False
    return first.start == second.start or max(first.start, second.start) < min(first.end, second.end)


def _record(finding: Finding) -> records.Finding:
    """As much of a finding as a comment has to know."""
    return records.Finding(
        code=finding.code,
        name=finding.name,
        message=finding.message,
        filename=str(Path(finding.file)),
        span=records.Span(finding.start, finding.end),
        severity=records.Severity(finding.severity),
        confidence=records.Confidence(finding.confidence),
        mechanism=finding.mechanism,
        context=records.Context(records.Phase(finding.runs), finding.reason),
    )
