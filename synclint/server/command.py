"""``synclint server``: the language server, on standard input and output."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec

import click


@click.command("server")
def serve() -> None:
    """Run the language server for an editor: findings as you type, facts about expressions, and fixes.

    It speaks the Language Server Protocol on standard input and output, and is started by the editor. It needs
    `synclint[lsp]`.
    """
    if find_spec("pygls") is None:
        raise click.ClickException("the language server needs pygls; install it with `pip install 'synclint[lsp]'`")
    from synclint.server.language_server import make_server

    gc.enable()  # a command of a moment leaves its garbage; this one runs all day
    # Descriptors of their own, since they are closed at the end; whatever else prints must not get between messages.
    with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers, redirect_stdout(sys.stderr):
        make_server().start_io(requests, answers)
