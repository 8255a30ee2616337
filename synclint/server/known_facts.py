"""What is concluded about the expressions of open files: with the whole project known, or soon without."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from synclint.results.expression_facts import FileFacts
from synclint.server.checks import Checks

# Nobody wants to wait any longer for what appears under the cursor.
SECONDS_TO_WAIT = 0.5


@dataclass(frozen=True)
class Known:
    """The facts about a file, and whether all of its callers were known."""

    facts: FileFacts
    with_callers: bool


@dataclass
class KnownFacts:
    """Facts that were asked for, kept until something changes on which they rest."""

    _whole: dict[Path, tuple[int, FileFacts]] = field(default_factory=dict)
    _alone: dict[Path, tuple[str, FileFacts]] = field(default_factory=dict)
    _running: dict[tuple[Path, int], asyncio.Task[FileFacts | None]] = field(default_factory=dict)

    def forget(self, path: Path) -> None:
        """A file is not open any more."""
        self._whole.pop(path, None)
        self._alone.pop(path, None)

    async def of(self, checks: Checks, path: Path, text: str) -> Known:
        """What is known of a file with this text; without its callers where these take a while.

        What takes a while goes on, so that a later question is answered by it. Raises ValueError for a text that is no
        Python, or no notebook.
        """
        turn = checks.turn
        whole = self._whole.get(path)
        if whole is not None and whole[0] == turn:
            return Known(whole[1], with_callers=True)
        running = self._running.get((path, turn))
        if running is None:
            running = asyncio.get_running_loop().create_task(self._of_project(checks, path, turn))
            self._running[path, turn] = running
        await asyncio.wait({running}, timeout=SECONDS_TO_WAIT)
        facts = running.result() if running.done() and not running.cancelled() else None
        if facts is not None:
            return Known(facts, with_callers=True)
        return Known(await self._by_itself(checks, path, text), with_callers=False)

    async def _of_project(self, checks: Checks, path: Path, turn: int) -> FileFacts | None:
        try:
            facts = await checks.facts(path, turn)
        finally:
            del self._running[path, turn]
        if facts is not None:
            self._whole[path] = (turn, facts)
        return facts

    async def _by_itself(self, checks: Checks, path: Path, text: str) -> FileFacts:
        known = self._alone.get(path)
        if known is not None and known[0] == text:
            return known[1]
        # Imported here because libcst comes with it, which nothing else needs.
        from synclint.codemod.files import facts_of_text

        made = await asyncio.get_running_loop().run_in_executor(None, facts_of_text, text, path, [checks.root])
        self._alone[path] = (text, made)
        return made
