"""The language server as an editor meets it: a real client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from command_line import CLEAN, HAZARD
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

import synclint
from synclint.server.hovers import CALLERS_UNKNOWN

pytestmark = pytest.mark.asyncio(loop_scope="module")

CALLER = """\
import torch
from losses import measured


def train(model: torch.nn.Module, loader: list[torch.Tensor]) -> None:
    for batch in loader:
        measured(model(batch)).backward()
"""
CALLED = """\
def measured(prediction):
    if prediction.isnan().any():
        raise ValueError
    return prediction.sum()
"""
WEIGHTED = """\
import torch


def weighted(losses: torch.Tensor) -> torch.Tensor:
    "𝔏"; return losses * torch.zeros(2).cuda()
"""
SECONDS = 30.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace."""
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "train.py").write_text(CALLER)
    (folder / "losses.py").write_text(CALLED)
    # What a project that trains mentions nowhere most likely does not run, and is not reported.
    (folder / "names.py").write_text("__all__ = ['weighted', 'again', 'loss']\n")
    return folder


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    scope="module", config=ClientServerConfig(server_command=[sys.executable, "-m", "synclint", "server"])
)
async def client(lsp_client: LanguageClient, folder: Path) -> AsyncIterator[None]:
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(parameters: lsp.RegistrationParams) -> None:
        """Take note of nothing: the tests say themselves what has changed on disk."""

    parameters = lsp.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"),
        workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
        initialization_options={"synclint": {"runs": ["step", "eval"], "suppression-reason": "it is read once"}},
    )
    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


def open_(client: LanguageClient, path: Path, text: str) -> str:
    uri = path.as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 1, text)))
    return uri


def change(client: LanguageClient, uri: str, version: int, text: str) -> None:
    changes: list[lsp.TextDocumentContentChangeEvent] = [lsp.TextDocumentContentChangeWholeDocument(text)]
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), changes)
    )


def close(client: LanguageClient, uri: str) -> None:
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))


async def codes(client: LanguageClient, uri: str, expected: list[str]) -> list[lsp.Diagnostic]:
    """Wait until a document has these diagnostics."""
    for _ in range(int(SECONDS / 0.05)):
        shown = client.diagnostics.get(uri)
        if shown is not None and [each.code for each in shown] == expected:
            return list(shown)
        await asyncio.sleep(0.05)
    raise AssertionError(client.diagnostics.get(uri))


async def hovered(client: LanguageClient, asked: lsp.HoverParams) -> str:
    """What is told under the cursor once the callers are known."""
    for _ in range(int(SECONDS / 0.05)):
        told = await client.text_document_hover_async(asked)
        if told is not None:
            assert isinstance(told.contents, lsp.MarkupContent)
            if CALLERS_UNKNOWN not in told.contents.value:
                return told.contents.value
        await asyncio.sleep(0.05)
    raise AssertionError(told)


async def actions(client: LanguageClient, uri: str, at: lsp.Range, *only: str) -> dict[str, lsp.CodeAction]:
    context = lsp.CodeActionContext([], only=list(only) or None)
    found = await client.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), at, context)
    )
    return {action.title: action for action in found or () if isinstance(action, lsp.CodeAction)}


def edited(text: str, edits: list[lsp.TextEdit]) -> str:
    """What an editor makes of edits; columns count UTF-16 code units."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        before = lines[start.line].encode("utf-16-le")[: 2 * start.character].decode("utf-16-le")
        last = lines[end.line] if end.line < len(lines) else ""
        after = last.encode("utf-16-le")[2 * end.character :].decode("utf-16-le")
        lines[start.line : end.line + 1] = [before + edit.new_text + after]
    return "".join(lines)


async def test_an_open_file_is_diagnosed_with_its_callers_and_again_as_somebody_types(
    client: LanguageClient, folder: Path
) -> None:
    uri = open_(client, folder / "losses.py", CALLED)
    (shown,) = await codes(client, uri, ["SYN301"])
    assert shown.range == lsp.Range(lsp.Position(1, 7), lsp.Position(1, 31))
    assert shown.code_description is not None and "SYN301" in shown.code_description.href
    (related,) = shown.related_information or ()
    assert related.location.uri == (folder / "train.py").as_uri()
    assert related.location.range.start.line == 6
    change(client, uri, 2, f"\n{CALLED}")
    for _ in range(400):
        if client.diagnostics[uri] and client.diagnostics[uri][0].range.start.line == 2:
            break
        await asyncio.sleep(0.05)
    assert [each.range.start.line for each in client.diagnostics[uri]] == [2]
    change(client, uri, 3, CALLED.replace("prediction.isnan().any()", "prediction is None"))
    await codes(client, uri, [])
    close(client, uri)


async def test_while_a_statement_is_half_typed_what_was_found_stays_beside_the_syntax_error(
    client: LanguageClient, folder: Path
) -> None:
    uri = open_(client, folder / "losses.py", CALLED)
    await codes(client, uri, ["SYN301"])
    head, rest = CALLED.split("\n", 1)
    change(client, uri, 2, f"{head}\n    limit = max(\n{rest}")
    error, shown = await codes(client, uri, ["SYN000", "SYN301"])
    assert error.range.start.line == 1
    assert shown.range == lsp.Range(lsp.Position(2, 7), lsp.Position(2, 31))
    change(client, uri, 3, CALLED.replace("isnan()", "isnan("))
    await codes(client, uri, ["SYN000"])  # what was found stood on this very line
    change(client, uri, 4, f"{head}\n    limit = max(1, 2)\n{rest}")
    (shown,) = await codes(client, uri, ["SYN301"])
    assert shown.range.start.line == 2
    close(client, uri)


async def test_diagnostics_tell_of_which_version_they_are(client: LanguageClient, folder: Path) -> None:
    told: list[tuple[int | None, int]] = []
    features = client.protocol.fm.features
    handler = features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def publish(parameters: lsp.PublishDiagnosticsParams) -> None:
        told.append((parameters.version, len(parameters.diagnostics)))

    features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish
    try:
        uri = open_(client, folder / "fresh.py", HAZARD)
        change(client, uri, 2, CLEAN)
        for _ in range(400):
            if (2, 0) in told:
                break
            await asyncio.sleep(0.05)
        close(client, uri)
    finally:
        features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = handler
    assert (2, 0) in told and (2, 1) not in told


async def test_what_is_open_in_one_buffer_counts_in_another(client: LanguageClient, folder: Path) -> None:
    losses = open_(client, folder / "losses.py", CALLED)
    await codes(client, losses, ["SYN301"])
    train = open_(client, folder / "train.py", CALLER.replace("model(batch)", "len(batch)"))
    await codes(client, losses, [])
    close(client, train)
    await codes(client, losses, ["SYN301"])
    close(client, losses)


async def test_a_fix_is_made_at_utf16_positions(client: LanguageClient, folder: Path) -> None:
    uri = open_(client, folder / "weights.py", WEIGHTED)
    (shown,) = await codes(client, uri, ["SYN402"])
    # The letter before it is one character and two code units.
    start = WEIGHTED.splitlines()[4].index("torch.zeros") + 1
    assert shown.range.start == lsp.Position(4, start)
    found = await actions(client, uri, shown.range)
    (title,) = (name for name in found if name.startswith("SYN402: ") and "suppress" not in name)
    edit = found[title].edit
    assert edit is not None and edit.changes is not None
    mended = edited(WEIGHTED, list(edit.changes[uri]))
    assert mended != WEIGHTED
    assert [finding.code for finding in synclint.check_source(mended, folder / "weights.py")] == []
    close(client, uri)


async def test_all_safe_fixes_are_one_action_that_can_be_asked_for_alone(client: LanguageClient, folder: Path) -> None:
    text = WEIGHTED + WEIGHTED.split("\n\n\n")[1].replace("weighted", "again")
    uri = open_(client, folder / "weights.py", text)
    (first, _) = await codes(client, uri, ["SYN402", "SYN402"])
    found = await actions(client, uri, first.range, "source.fixAll")
    (action,) = found.values()
    assert action.edit is not None and action.edit.changes is not None
    mended = edited(text, list(action.edit.changes[uri]))
    assert synclint.check_source(mended, folder / "weights.py") == []
    close(client, uri)


async def test_a_finding_is_suppressed_with_the_reason_of_the_settings(client: LanguageClient, folder: Path) -> None:
    uri = open_(client, folder / "fresh.py", HAZARD)
    (shown,) = await codes(client, uri, ["SYN101"])
    found = await actions(client, uri, shown.range, "quickfix")
    (title,) = (name for name in found if "suppress" in name)
    edit = found[title].edit
    assert edit is not None and edit.changes is not None
    mended = edited(HAZARD, list(edit.changes[uri]))
    assert "nonzero(target)  # synclint: ignore[SYN101] it is read once\n" in mended
    change(client, uri, 2, mended)
    await codes(client, uri, [])
    close(client, uri)


async def test_hovering_tells_what_is_known_and_the_page_of_the_rule(client: LanguageClient, folder: Path) -> None:
    uri = open_(client, folder / "fresh.py", HAZARD)
    await codes(client, uri, ["SYN101"])
    at = lsp.Position(4, HAZARD.splitlines()[4].index("nonzero"))
    told = await client.text_document_hover_async(lsp.HoverParams(lsp.TextDocumentIdentifier(uri), at))
    assert told is not None and isinstance(told.contents, lsp.MarkupContent)
    assert "element type" in told.contents.value
    assert "# SYN101" in told.contents.value
    nothing = await client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(1, 0))
    )
    assert nothing is None
    close(client, uri)


async def test_hovering_knows_what_callers_in_other_files_hand_over(client: LanguageClient, folder: Path) -> None:
    column = CALLED.splitlines()[1].index("prediction")
    uri = open_(client, folder / "losses.py", CALLED)
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(1, column))
    told = await hovered(client, asked)
    assert "device: not known" in told and "called from" in told and "train.py:7" in told
    train = open_(client, folder / "train.py", CALLER.replace("model(batch)", "model(batch).cpu()"))
    assert "device: the CPU" in await hovered(client, asked)
    close(client, uri)
    close(client, train)


async def test_a_cell_of_a_notebook_is_diagnosed_at_its_own_lines(client: LanguageClient, folder: Path) -> None:
    uri, first, second = (f"{folder.as_uri()}/study.ipynb{end}" for end in ("", "#one", "#two"))
    cells = [
        lsp.NotebookCell(lsp.NotebookCellKind.Code, first),
        lsp.NotebookCell(lsp.NotebookCellKind.Code, second),
    ]
    head, body = HAZARD.split("\n\n\n")
    texts = [lsp.TextDocumentItem(first, "python", 1, head), lsp.TextDocumentItem(second, "python", 1, body)]
    notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
    client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, texts))
    (shown,) = await codes(client, second, ["SYN101"])
    assert shown.range.start.line == 1
    close_ = lsp.DidCloseNotebookDocumentParams(
        lsp.NotebookDocumentIdentifier(uri), [lsp.TextDocumentIdentifier(first), lsp.TextDocumentIdentifier(second)]
    )
    client.notebook_document_did_close(close_)
    await codes(client, second, [])


async def test_settings_that_cannot_be_used_are_told_and_the_others_stay(client: LanguageClient, folder: Path) -> None:
    uri = open_(client, folder / "fresh.py", HAZARD)
    await codes(client, uri, ["SYN101"])
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({"synclint": {"runs": ["never"]}}))
    for _ in range(200):
        if client.messages:
            break
        await asyncio.sleep(0.05)
    assert "there is no phase 'never'" in client.messages[-1].message
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({"synclint": {"ignore": ["SYN1"]}}))
    await codes(client, uri, [])
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({"synclint": {}}))
    await codes(client, uri, ["SYN101"])
    close(client, uri)


async def test_progress_begins_and_ends(client: LanguageClient, folder: Path) -> None:
    uri = open_(client, folder / "fresh.py", CLEAN)
    for _ in range(400):
        kinds: list[Any] = [type(each) for reports in client.progress_reports.values() for each in reports]
        if lsp.WorkDoneProgressBegin in kinds and lsp.WorkDoneProgressEnd in kinds:
            break
        await asyncio.sleep(0.05)
    assert {lsp.WorkDoneProgressBegin, lsp.WorkDoneProgressEnd} <= set(kinds)
    close(client, uri)


@pytest.mark.asyncio(loop_scope="module")
async def test_without_pygls_one_line_says_what_to_install(tmp_path: Path) -> None:
    blocked = "import sys; sys.modules['pygls'] = None; import importlib.util as u; u.find_spec = lambda name: None; "
    program = f"{blocked}from synclint.cli import main; sys.exit(main(['server']))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        "synclint: error: the language server needs pygls; install it with `pip install 'synclint[lsp]'`\n"
    )
    assert json.dumps(ran.stdout) == '""'
