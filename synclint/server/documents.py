"""Which file an editor's document belongs to: itself, or the notebook of which it is a cell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from lsprotocol.types import NotebookCellKind, NotebookDocument
from pygls.uris import to_fs_path
from pygls.workspace import Workspace

from synclint.server.actions import Document

_KINDS = {NotebookCellKind.Code: "code", NotebookCellKind.Markup: "markdown"}


def path_of(uri: str) -> Path | None:
    """The path that a document has on disk; None for one that has none, as no file has a null character in its name."""
    path = to_fs_path(uri) if uri.startswith(("file:", "vscode-notebook-cell:")) else None
    return Path(path) if path and "\0" not in path else None


def notebook_text(notebook: NotebookDocument, workspace: Workspace) -> str:
    """A notebook as a file, with the texts that its cells have in the editor."""
    cells = [
        {"cell_type": _KINDS.get(cell.kind, "raw"), "source": _text(cell.document, workspace)}
        for cell in notebook.cells
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def documents_of(uri: str, workspace: Workspace) -> Iterator[tuple[int | None, Document]]:
    """The documents that are open for a file: itself, or each cell of a notebook with its number."""
    notebook = workspace.notebook_documents.get(uri)
    if notebook is None:
        yield None, Document(uri, _text(uri, workspace))
        return
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.kind == NotebookCellKind.Code:
            yield number, Document(cell.document, _text(cell.document, workspace))


def notebook_of(cell_uri: str, workspace: Workspace) -> str | None:
    """The notebook that has a document as a cell; None for a document of its own."""
    for uri, notebook in workspace.notebook_documents.items():
        if any(cell.document == cell_uri for cell in notebook.cells):
            return str(uri)
    return None


def open_text(uri: str, workspace: Workspace) -> str | None:
    """The text that a document has in the editor; None for one that is not open."""
    document = workspace.text_documents.get(uri)
    return str(document.source) if document is not None else None


def _text(uri: str, workspace: Workspace) -> str:
    return open_text(uri, workspace) or ""
