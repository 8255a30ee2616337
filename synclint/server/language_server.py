"""The language server: what an editor asks and tells, and what it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from synclint.api import Finding, SettingsError
from synclint.api.settings import configurations_with
from synclint.files.real_paths import real_path
from synclint.findings import Position
from synclint.report.terminal import escape
from synclint.server.actions import DEFAULT_REASON, FIX_ALL, Document, fix_all, quick_fix, suppression
from synclint.server.checks import Checks, Listener
from synclint.server.diagnostics import diagnostic
from synclint.server.documents import documents_of, notebook_of, notebook_text, open_text, path_of
from synclint.server.hovers import CALLERS_UNKNOWN, fact_at, hover_text
from synclint.server.known_facts import KnownFacts
from synclint.server.positions import lines_of, place_of, range_of
from synclint.sources.extraction import extract
from synclint.version import __version__

_SECTION = "synclint"
_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    [
        lsp.NotebookDocumentFilterWithNotebook(
            lsp.NotebookDocumentFilterNotebookType("jupyter-notebook"),
            [lsp.NotebookCellLanguage("python"), lsp.NotebookCellLanguage("markdown")],
        )
    ]
)


@dataclass(frozen=True)
class _Shown:
    """The findings of a document, its text when they were made, and how the editor shows them."""

    text: str
    findings: tuple[Finding, ...] = ()
    diagnostics: tuple[lsp.Diagnostic, ...] = ()


@dataclass
class _State:
    """What the server knows: the work for each root, what is shown by document, and the settings of the editor."""

    checks: dict[Path, Checks] = field(default_factory=dict)
    shown: dict[str, _Shown] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    reason: str = DEFAULT_REASON
    facts: KnownFacts = field(default_factory=KnownFacts)
    progress: dict[str, Path] = field(default_factory=dict)


def make_server() -> LanguageServer:
    """A server with everything that it answers to, to be started."""
    server = LanguageServer("synclint", f"v{__version__}", notebook_document_sync=_NOTEBOOKS)
    state = _State()
    _add_settings(server, state)
    _add_documents(server, state)
    _add_notebooks(server, state)
    _add_answers(server, state)
    return server


# --- settings and files -------------------------------------------------------------------------------------------


def _add_settings(server: LanguageServer, state: _State) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(parameters: lsp.InitializeParams) -> None:
        _take_settings(server, state, parameters.initialization_options)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configure(parameters: lsp.DidChangeConfigurationParams) -> None:
        _take_settings(server, state, parameters.settings)
        for checks in state.checks.values():
            checks.configure(state.settings)

    @server.feature(lsp.INITIALIZED)
    async def watch(parameters: lsp.InitializedParams) -> None:
        capabilities = server.client_capabilities.workspace
        watching = capabilities.did_change_watched_files if capabilities else None
        if watching is None or not watching.dynamic_registration:
            return
        globs = ("**/*.py", "**/*.ipynb", "**/pyproject.toml", "**/{.,}synclint.toml")
        watchers = [lsp.FileSystemWatcher(glob) for glob in globs]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = lsp.Registration(str(uuid4()), lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(lsp.RegistrationParams([registration]))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(parameters: lsp.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in parameters.changes if (path := path_of(change.uri)) is not None]
        for root, checks in state.checks.items():
            own = [path for path in paths if real_path(path).is_relative_to(root) and path not in checks.texts]
            if any(path.suffix == ".toml" for path in paths):
                checks.refresh(None)
            elif own:
                checks.refresh(own)

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel(parameters: lsp.WorkDoneProgressCancelParams) -> None:
        root = state.progress.get(str(parameters.token))
        if root is not None:
            state.checks[root].cancel()

    @server.feature(lsp.SHUTDOWN)
    def shutdown(parameters: None) -> None:
        for checks in state.checks.values():
            checks.end()


def _take_settings(server: LanguageServer, state: _State, given: object) -> None:
    """Read the editor's settings; what cannot be used is told, and the settings before stay."""
    table = given.get(_SECTION, given) if isinstance(given, Mapping) else {}
    table = table if isinstance(table, Mapping) else {}
    written = {str(name).replace("-", "_"): value for name, value in table.items()}
    reason = written.pop("suppression_reason", DEFAULT_REASON)
    isolated, config = bool(written.pop("isolated", False)), written.pop("config", None)
    try:
        configurations_with(written, str(config) if config else None, isolated, Path.cwd())
    except SettingsError as error:
        _log_message(server, str(error))
        return
    state.reason = reason if isinstance(reason, str) else DEFAULT_REASON
    state.settings = {**written, "isolated": isolated, "config": str(config) if config else None}


def _log_message(server: LanguageServer, message: str) -> None:
    server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"synclint: {escape(message)}"))


# --- documents ----------------------------------------------------------------------------------------------------


def _add_documents(server: LanguageServer, state: _State) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(parameters: lsp.DidOpenTextDocumentParams) -> None:
        _changed(server, state, parameters.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(parameters: lsp.DidChangeTextDocumentParams) -> None:
        _changed(server, state, parameters.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(parameters: lsp.DidCloseTextDocumentParams) -> None:
        _closed(server, state, parameters.text_document.uri)


def _add_notebooks(server: LanguageServer, state: _State) -> None:
    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(parameters: lsp.DidOpenNotebookDocumentParams) -> None:
        _changed(server, state, parameters.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(parameters: lsp.DidChangeNotebookDocumentParams) -> None:
        _changed(server, state, parameters.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(parameters: lsp.DidCloseNotebookDocumentParams) -> None:
        for cell in parameters.cell_text_documents:
            _show(server, state, Document(cell.uri, ""), ())
        _closed(server, state, parameters.notebook_document.uri)


def _changed(server: LanguageServer, state: _State, uri: str) -> None:
    path = path_of(uri)
    if path is None:
        return
    notebook = server.workspace.notebook_documents.get(uri)
    text = open_text(uri, server.workspace) if notebook is None else notebook_text(notebook, server.workspace)
    if text is not None:
        _checks(server, state, path).open(path, text)


def _closed(server: LanguageServer, state: _State, uri: str) -> None:
    path = path_of(uri)
    if path is None:
        return
    _checks(server, state, path).close(path)
    state.facts.forget(path)
    _show(server, state, Document(uri, ""), ())


def _checks(server: LanguageServer, state: _State, path: Path) -> Checks:
    """The work for the folder of the workspace that a file lies in, else for the file with what it imports.

    A folder that nobody has opened may be a home directory, or hold the projects of others.
    """
    folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
    if not folders and server.workspace.root_uri:
        folders = [path_of(server.workspace.root_uri)]
    around = [folder for folder in folders if folder is not None and path.is_relative_to(folder)]
    root = max(around, key=lambda folder: len(folder.parts), default=path)
    if root not in state.checks:
        listener = Listener(
            found=partial(_found, server, state),
            began=partial(_began, server, state, root),
            ended=partial(_ended, server, state, root),
            failed=partial(_log_message, server),
        )
        state.checks[root] = Checks(root, state.settings, listener)
    return state.checks[root]


def _found(server: LanguageServer, state: _State, path: Path, findings: Sequence[Finding]) -> None:
    uri = _uri(server, path)
    for number, document in documents_of(uri, server.workspace):
        _show(server, state, document, [finding for finding in findings if finding.cell == number])


def _uri(server: LanguageServer, path: Path) -> str:
    """The name by which the editor knows a file."""
    known = (*server.workspace.notebook_documents, *server.workspace.text_documents)
    named = (uri for uri in known if uri.startswith("file:") and path_of(uri) == path)
    return next(named, None) or path.as_uri()


def _show(server: LanguageServer, state: _State, document: Document, findings: Sequence[Finding]) -> None:
    lines, codec = lines_of(document.text), server.workspace.position_codec
    diagnostics = tuple(diagnostic(finding, lines, codec) for finding in findings)
    if findings:
        state.shown[document.uri] = _Shown(document.text, tuple(findings), diagnostics)
    else:
        state.shown.pop(document.uri, None)
    server.text_document_publish_diagnostics(
        lsp.PublishDiagnosticsParams(document.uri, list(diagnostics), _version(server, document.uri))
    )


def _version(server: LanguageServer, uri: str) -> int | None:
    """The version of a document, None for one that is not open."""
    document = server.workspace.text_documents.get(uri)
    return None if document is None else document.version


def _began(server: LanguageServer, state: _State, root: Path) -> None:
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        return
    token = str(uuid4())
    state.progress[token] = root

    async def begin() -> None:
        await server.work_done_progress.create_async(token)
        if token in state.progress:
            value = lsp.WorkDoneProgressBegin("synclint", cancellable=True, message=escape(root.name))
            server.work_done_progress.begin(token, value)
        if token not in state.progress:
            server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())

    asyncio.get_running_loop().create_task(begin())


def _ended(server: LanguageServer, state: _State, root: Path) -> None:
    for token in [token for token, other in state.progress.items() if other == root]:
        del state.progress[token]
        if token in server.work_done_progress.tokens:
            server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())


# --- answers ------------------------------------------------------------------------------------------------------


def _add_answers(server: LanguageServer, state: _State) -> None:
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    def actions(parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return _actions(server, state, parameters)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(parameters: lsp.HoverParams) -> lsp.Hover | None:
        return await _hover(server, state, parameters)


def _actions(server: LanguageServer, state: _State, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri, wanted = parameters.text_document.uri, parameters.context.only
    shown = state.shown.get(uri)
    text = open_text(uri, server.workspace)
    if shown is None or shown.text != text:
        return []  # what was found there speaks of another text
    codec, document = server.workspace.position_codec, Document(uri, text)
    documents = partial(_document, server, state)
    found: list[lsp.CodeAction | None] = []
    for finding, diagnosed in zip(shown.findings, shown.diagnostics, strict=True):
        if _touch(diagnosed.range, parameters.range):
            found.append(quick_fix(finding, diagnosed, documents, codec))
            found.append(suppression(finding, diagnosed, document, state.reason, codec))
    found.append(fix_all(shown.findings, documents, codec))
    return [action for action in found if action is not None and _is_wanted(str(action.kind), wanted)]


def _is_wanted(kind: str, wanted: Sequence[Any] | None) -> bool:
    names = [str(getattr(one, "value", one)) for one in wanted or ()]
    own = str(lsp.CodeActionKind.QuickFix.value) if "QuickFix" in kind else kind
    return not names or any(own == name or own.startswith(f"{name}.") for name in names)


def _document(server: LanguageServer, state: _State, file: str, cell: int | None) -> Document | None:
    """The document that an edit speaks of, with a text that has not changed since it was checked."""
    uri = _uri(server, Path(file))
    for number, document in documents_of(uri, server.workspace):
        if number == cell and document.uri in server.workspace.text_documents:
            shown = state.shown.get(document.uri)
            return document if shown is None or shown.text == document.text else None
    return None


def _touch(first: lsp.Range, second: lsp.Range) -> bool:
    def key(position: lsp.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(first.start) <= key(second.end) and key(second.start) <= key(first.end)


async def _hover(server: LanguageServer, state: _State, parameters: lsp.HoverParams) -> lsp.Hover | None:
    uri = parameters.text_document.uri
    codec, text = server.workspace.position_codec, open_text(uri, server.workspace)
    if text is None:
        return None
    place = place_of(parameters.position, lines_of(text), codec)
    owner = notebook_of(uri, server.workspace) or uri
    path = path_of(owner)
    if path is None:
        return None
    checks = _checks(server, state, path)
    whole = checks.texts.get(path, text)
    try:
        known = await state.facts.of(checks, path, whole)
        embedded = extract(path, whole)
    except ValueError:  # no Python, or no notebook
        return None
    shown = state.shown.get(uri)
    here = [
        finding
        for finding in (shown.findings if shown is not None and shown.text == text else ())
        if finding.start <= place <= finding.end
    ]
    # Within a notebook facts count in the module that is made of all cells.
    number = next((cell for cell, document in documents_of(owner, server.workspace) if document.uri == uri), None)
    first = 1
    if embedded is not None:
        first = next((block.start for block in embedded.blocks if block.cell == number), 0)
    found = fact_at(known.facts, Position(place.line + first - 1, place.column)) if first else None
    span = None if found is None else found[0]
    expression = "" if span is None else _text_of(known.facts.source, span.start, span.end)
    text = hover_text(expression, found[1] if found else None, here, "" if known.with_callers else CALLERS_UNKNOWN)
    if not text:
        return None
    area = None
    if span is not None:
        start = Position(span.start.line - first + 1, span.start.column)
        area = range_of(start, Position(span.end.line - first + 1, span.end.column), lines_of(text), codec)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), area)


def _text_of(source: str, start: Position, end: Position) -> str:
    lines = lines_of(source)[start.line - 1 : end.line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: end.column - 1]
    lines[0] = lines[0][start.column - 1 :]
    return "\n".join(lines)
