"""``synclint check --watch``: check again whenever something changes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from synclint.commands.output import complain

# What a run depends on besides the files that it checks.
_CONFIGURES = (
    "synclint.toml", ".synclint.toml", "pyproject.toml", ".gitignore", "uv.lock", "poetry.lock", "pdm.lock",
    "pylock.toml", "requirements.txt",
)  # fmt: skip
_MILLISECONDS_UNTIL_SILENCE = 250
_CHECKED = (".py", ".pyi", ".ipynb", ".md", ".markdown", ".rst")


def matters(path: Path) -> bool:
    """Whether a change of this file can change what is reported."""
    return path.name in _CONFIGURES or path.suffix in _CHECKED


def watch(paths: Sequence[Path], check: Callable[[], int], quiet: bool) -> int:
    """Check now and after each change below ``paths``, until the user ends it; the status of the last check.

    Raises UsageError where ``watchfiles`` is not installed.
    """
    try:
        import watchfiles
    except ImportError:
        raise click.UsageError("--watch needs watchfiles; install it with `pip install 'synclint[watch]'`") from None
    changes: Iterator[object] = watchfiles.watch(
        *(path if path.exists() else path.parent for path in paths),
        watch_filter=lambda change, path: matters(Path(path)),
        raise_interrupt=True,
        rust_timeout=_MILLISECONDS_UNTIL_SILENCE,
        yield_on_timeout=True,
    )
    # Watching begins when the first answer is asked for: what changes during the first check must not be missed.
    next(changes, None)
    status = check()
    _say_what_it_waits_for(quiet)
    # Whoever watches ends it with an interrupt, of which ``watchfiles`` would log a line.
    with suppress(KeyboardInterrupt):
        for change in changes:
            if not change:
                continue
            click.clear()
            status = check()
            _say_what_it_waits_for(quiet)
            gc.collect()  # the process collects nothing by itself, since a run that ends has no need to
    return status


def _say_what_it_waits_for(quiet: bool) -> None:
    if not quiet:
        complain("note", "watching for changes; press Ctrl+C to end")
