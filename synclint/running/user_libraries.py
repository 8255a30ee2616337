"""The libraries in the environment that a run names, as the analysis asks for them and as keys of what is kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.catalog.summaries import SummaryOf, summary_of
from synclint.config.options import Options

if TYPE_CHECKING:
    from synclint.libraries.installed import InstalledLibraries

# The folder of what is known of libraries, within that of the cache.
_LIBRARIES = "libraries"


def summaries_for(options: Options) -> SummaryOf:
    """What tells of libraries: their shipped summaries, or those of what is installed where the run names it."""
    return summary_of if options.python is None else _libraries(options.python, options.cache_dir).summary_of


def prepare(options: Options, texts: Iterable[str]) -> None:
    """Make the summaries that files with these texts need, before several processes ask for the same ones."""
    if options.python is not None:
        _libraries(options.python, options.cache_dir).prepare(texts)


def installed_in(options: Options) -> tuple[object, ...]:
    """What is installed in the environment that a run names: a result rests on it."""
    if options.python is None:
        return ()
    from synclint.libraries.installed import environment_at

    environment = environment_at(options.python)
    return tuple(map(str, environment.folders)), environment.distributions


def _libraries(python: Path, cache_dir: Path | None) -> InstalledLibraries:
    from synclint.libraries.installed import environment_at, libraries_in
    from synclint.memo.entry_files import Entries
    from synclint.memo.folders import default_folder, secret_of_user

    folder = cache_dir or default_folder()
    secret = secret_of_user()
    entries = None if folder is None or secret is None else Entries(folder / _LIBRARIES, secret)
    return libraries_in(environment_at(python), entries)
