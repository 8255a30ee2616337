"""How soon the language server answers somebody who types in a project, measured from the side of an editor.

``python -m benchmarks.typing_latency FOLDER`` starts ``synclint server``, opens a file of a copy of the project in a
folder, waits until all is known of it, and sends one text after each keystroke. It prints JSON: how long each answer
took, by the kind of edit, and whether it was what the server said in the end, when nobody typed any more. Each
keystroke is told on standard error as it is answered.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import click

from benchmarks.keystrokes import Keystroke, keystrokes

# A pause between keystrokes of somebody who types fast, and one after which all of a project has been looked at.
_SECONDS_BETWEEN = 0.2
_SECONDS_AFTER_EDIT = 2.0
_LONGEST = 1200.0


@dataclass
class _Editor:
    """An editor that talks to a server."""

    process: Process
    requests: int = 0
    answers: dict[int, asyncio.Future[Any]] = field(default_factory=dict)
    shown: list[tuple[float, int | None, list[Any]]] = field(default_factory=list)
    running: set[str] = field(default_factory=set)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Take in what the server says."""
        assert self.process.stdout is not None
        while True:
            size = 0
            while line := (await self.process.stdout.readline()).strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            if not size:
                return
            self._take(json.loads(await self.process.stdout.readexactly(size)))
            self.news.set()

    def _take(self, said: dict[str, Any]) -> None:
        method, parameters = said.get("method"), said.get("params")
        if method == "textDocument/publishDiagnostics":
            assert parameters is not None
            self.shown.append((perf_counter(), parameters.get("version"), parameters["diagnostics"]))
        elif method == "$/progress":
            assert parameters is not None
            # A run may end before the editor has agreed to hear of it: then only its end is told.
            change = {"begin": self.running.add, "end": self.running.discard}.get(parameters["value"]["kind"])
            if change is not None:
                change(parameters["token"])
        elif method is None and said["id"] in self.answers:
            self.answers.pop(said["id"]).set_result(said.get("result"))
        elif "id" in said:
            self._send({"id": said["id"], "result": None})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def tell(self, method: str, **parameters: Any) -> None:  # noqa: ANN401 - whatever the protocol wants
        """Send a notification."""
        self._send({"method": method, "params": parameters})

    async def ask(self, method: str, **parameters: Any) -> Any:  # noqa: ANN401
        """Send a request and wait for its answer."""
        self.requests += 1
        self.answers[self.requests] = asyncio.get_running_loop().create_future()
        self._send({"id": self.requests, "method": method, "params": parameters})
        return await self.answers[self.requests]

    async def until_quiet(self, seconds: float) -> None:
        """Wait until the server does nothing and has said nothing for some time."""
        end = perf_counter() + _LONGEST
        while perf_counter() < end:
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), seconds)
            except asyncio.TimeoutError:
                if not self.running:
                    return

    async def answered(self, version: int, seconds: float) -> float | None:
        """When the first diagnostics of a version came; None if none did in time."""
        end = perf_counter() + seconds
        while perf_counter() < end:
            moment = next((moment for moment, known, _ in self.shown if known == version), None)
            if moment is not None:
                return moment
            self.news.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.news.wait(), max(0.0, end - perf_counter()))
        return None


@dataclass(frozen=True)
class Typed:
    """A keystroke: what was being typed, whether the text could be parsed, and the seconds until it was answered.

    ``cpu`` are the seconds for which the server had a core until then, which tell more than others where a machine is
    busy; None where the system does not tell. ``is_final`` says that this answer was the last one; None where there was
    no other before more was typed.
    """

    kind: str
    parses: bool
    seconds: float | None
    cpu: float | None
    is_final: bool | None


async def typed(folder: Path, file: Path, chosen: Random, edits: int) -> tuple[float, list[Typed]]:
    """Seconds until all was known of a project and its open file, and the keystrokes in that."""
    command = (sys.executable, "-m", "synclint", "server")
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=folder.parent, limit=1 << 26)
    editor = _Editor(process)
    listening = asyncio.create_task(editor.listen())
    try:
        uri, text = file.as_uri(), file.read_text(encoding="utf-8")
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        capabilities = {"window": {"workDoneProgress": True}, "general": {"positionEncodings": ["utf-16"]}}
        await editor.ask(
            "initialize", processId=os.getpid(), rootUri=None, workspaceFolders=folders, capabilities=capabilities
        )
        editor.tell("initialized")
        started = perf_counter()
        document = {"uri": uri, "languageId": "python", "version": 0, "text": text}
        editor.tell("textDocument/didOpen", textDocument=document)
        await editor.until_quiet(5.0)
        opening = editor.shown[-1][0] - started
        click.echo(f"open after {opening:.1f} s", err=True)
        found: list[Typed] = []
        kind = ""
        for version, stroke in enumerate(keystrokes(text, chosen, edits), start=1):
            if stroke.kind != kind:
                await editor.until_quiet(_SECONDS_AFTER_EDIT)
            kind = stroke.kind
            found.append(await _keystroke(editor, uri, version, stroke))
            click.echo(found[-1], err=True)
        return opening, found
    finally:
        listening.cancel()
        process.kill()
        await process.wait()


async def _keystroke(editor: _Editor, uri: str, version: int, stroke: Keystroke) -> Typed:
    sent, cpu_before = perf_counter(), _cpu_seconds(editor.process.pid)
    changes = [{"text": stroke.text}]
    editor.tell("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=changes)
    first = await editor.answered(version, 60.0)
    cpu_now = _cpu_seconds(editor.process.pid)
    await asyncio.sleep(max(0.0, sent + _SECONDS_BETWEEN - perf_counter()))
    said = [diagnostics for _, known, diagnostics in editor.shown if known == version]
    is_final = said[0] == said[-1] if len(said) > 1 else None
    editor.shown.clear()
    cpu = None if cpu_before is None or cpu_now is None else cpu_now - cpu_before
    return Typed(stroke.kind, _parses(stroke.text), None if first is None else first - sent, cpu, is_final)


def _cpu_seconds(process: int) -> float | None:
    """For how long a process has had a core; Linux tells it for each thread, in nanoseconds."""
    try:
        told = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/schedstat")]
    except OSError:  # a thread has ended
        return None
    return sum(int(one.split()[0]) for one in told) / 1e9 if told else None


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def summary(found: Sequence[Typed]) -> dict[str, object]:
    """The median, what nine of ten stay below, and how many were answered within 150 ms."""
    seconds = [one.seconds if one.seconds is not None else 60.0 for one in found]
    if not seconds:
        return {"keystrokes": 0}
    return {
        "keystrokes": len(seconds),
        "median": round(statistics.median(seconds), 3),
        "nine of ten": round(statistics.quantiles(seconds, n=10)[-1], 3) if len(seconds) > 1 else round(seconds[0], 3),
        "median of CPU": round(statistics.median(cpu), 3) if (cpu := [one.cpu for one in found if one.cpu]) else None,
        "within 150 ms": round(sum(one <= 0.15 for one in seconds) / len(seconds), 2),
    }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--file", "name", help="The file to edit, from the folder; else one of its larger ones.")
@click.option("--edits", default=30, help="How many things are typed.")
@click.option("--seed", default=1)
def main(folder: Path, name: str | None, edits: int, seed: int) -> None:
    """Type in a copy of the project in FOLDER, and print how soon that was answered."""
    chosen = Random(seed)
    with tempfile.TemporaryDirectory() as copies:
        root = Path(copies).resolve() / folder.name
        shutil.copytree(folder, root)
        large = [path for path in sorted(root.rglob("*.py")) if path.stat().st_size > 8_000]
        file = root / name if name else chosen.choice(large)
        opening, found = asyncio.run(typed(root, file, chosen, edits))
    kinds = sorted({one.kind for one in found})
    told = {
        "file": str(file.relative_to(root)),
        "load": round(os.getloadavg()[0], 1),
        "opening": round(opening, 1),
        "all": summary(found),
        "that parse": summary([one for one in found if one.parses]),
        "answered in another way later": sum(one.is_final is False for one in found),
        "by kind": {kind: summary([one for one in found if one.kind == kind]) for kind in kinds},
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
