"""The language server where an editor opens files without a folder around them, and asks what makes no sense."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import pytest
from command_line import HAZARD

from synclint.api import Project
from synclint.server import checks as checks_module
from synclint.server.checks import Checks, Listener

SECONDS = 30
USES = "import torch\nfrom measure import measured\n\n\ndef loss(x: torch.Tensor):\n    return measured(x).item()\n"
MEASURE = "import torch\n\n\ndef measured(x: torch.Tensor) -> torch.Tensor:\n    return x.sum()\n"


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def opening(path: Path | str, text: str) -> dict[str, Any]:
    uri = path if isinstance(path, str) else path.as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def answers(folder: Path, *messages: dict[str, Any], until: str = "") -> tuple[list[dict[str, Any]], str]:
    """What a server without a workspace says to these messages, and what it writes on standard error.

    It is told to end once it has published diagnostics for ``until`` twice, first what is soon known and then what the
    run over all finds, or has answered the last request.
    """
    alone: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    begin: dict[str, Any] = {"id": 1, "method": "initialize", "params": alone}
    program = [sys.executable, "-m", "synclint", "server"]
    with subprocess.Popen(
        program, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        first: list[dict[str, Any]] = [begin, {"method": "initialized", "params": {}}]
        for message in (*first, *messages):
            server.stdin.write(framed(message))
        server.stdin.flush()
        last = max((message["id"] for message in messages if "id" in message), default=0)
        said: list[dict[str, Any]] = []
        published = 0
        reading = ThreadPoolExecutor(1)
        while True:
            message = reading.submit(_read, server.stdout).result(timeout=SECONDS)
            said.append(message)
            if message.get("method") == "textDocument/publishDiagnostics":
                published += message["params"]["uri"] == until
            if published == 2 or (not until and message.get("id") == last):
                break
        reading.shutdown()
        server.stdin.write(framed({"id": 99, "method": "shutdown"}) + framed({"method": "exit"}))
        server.stdin.close()
        server.stdout.read()
        return said, server.stderr.read().decode()


def _read(stream: IO[bytes]) -> dict[str, Any]:
    length = 0
    while (line := stream.readline().strip()) or not length:
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    message: dict[str, Any] = json.loads(stream.read(length))
    return message


def test_a_file_without_a_workspace_is_checked_with_what_it_imports_and_with_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "measure.py").write_text(MEASURE)
    # Another project that lies there: its settings are broken, and its code would be found.
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / "pyproject.toml").write_text("[tool.synclint]\nselect = 3\n")
    (stranger / "model.py").write_text(HAZARD)
    path = tmp_path / "scratch.py"
    path.write_text(USES)
    said, complained = answers(tmp_path, opening(path, USES), until=path.as_uri())
    shown = [m["params"] for m in said if m.get("method") == "textDocument/publishDiagnostics"]
    assert [d["code"] for d in shown[-1]["diagnostics"]] == ["SYN201"]
    assert not [m for m in said if m.get("method") == "window/showMessage"]
    assert "Traceback" not in complained


def test_only_the_file_and_what_it_imports_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "measure.py").write_text(MEASURE)
    for number in range(20):
        (tmp_path / f"neighbour_{number}.py").write_text(HAZARD)
    (tmp_path / "scratch.py").write_text(USES)
    project = Project(tmp_path / "scratch.py")
    assert {Path(finding.file).name for finding in project.findings()} == {"scratch.py"}


@pytest.mark.parametrize("uri", ["file:///tmp/none%00.py", "untitled:Untitled-1", "file:///tmp/never-opened.py"])
def test_questions_about_documents_that_are_not_open_are_answered_with_nothing(tmp_path: Path, uri: str) -> None:
    document, place = {"uri": uri}, {"line": 0, "character": 0}
    whole = {"start": place, "end": place}
    said, complained = answers(
        tmp_path,
        opening("file:///tmp/odd%00name.py", HAZARD),
        {"id": 2, "method": "textDocument/hover", "params": {"textDocument": document, "position": place}},
        {"method": "textDocument/didClose", "params": {"textDocument": document}},
        {
            "id": 3,
            "method": "textDocument/codeAction",
            "params": {"textDocument": document, "range": whole, "context": {"diagnostics": []}},
        },
    )
    results = {message["id"]: message for message in said if "id" in message}
    assert results[2].get("result") is None and "error" not in results[2]
    assert not results[3]["result"]
    assert "Traceback" not in complained


def test_the_run_over_all_may_end_while_files_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def drive() -> Checks:
        answering, go_on = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        held = asyncio.run_coroutine_threadsafe

        def at_once(self: Checks, path: Path, turn: int) -> Sequence[Any]:
            loop.call_soon_threadsafe(answering.set)
            held(go_on.wait(), loop).result(SECONDS)
            return ()

        monkeypatch.setattr(Checks, "_at_once", at_once)
        monkeypatch.setattr(checks_module, "SECONDS_BEFORE_ALL", 3600.0)
        work = Checks(tmp_path, {}, Listener(lambda *_: None, lambda: None, lambda: None, pytest.fail))
        work.open(tmp_path / "a.py", "x = 1\n")
        work.open(tmp_path / "b.py", "x = 1\n")
        await answering.wait()
        work._touched.clear()  # as the run over all does with every file that it has shown
        go_on.set()
        assert work._answering is not None
        await work._answering  # raises what it dies of
        work.end()
        return work

    asyncio.run(drive())
