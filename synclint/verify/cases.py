"""What there is to verify: the rules' folders and their files, read but not run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from synclint.analysis.models.versions import release
from synclint.plugins.loading import rule_folders as added_folders
from synclint.rules.loading import rules_folder
from synclint.verify.measurement import Side
from synclint.verify.source_lines import marked_lines, packages_needed, public_functions

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HAZARD_FILE = "hazard.py"
TWIN_FILE = "sync_free.py"


class CaseKind(str, Enum):
    """Where a case comes from."""

    RULE = "rule"
    CATALOGUE = "catalogue"


@dataclass(frozen=True)
class Source:
    """The code of one side. ``marked`` are the lines that claim to wait, and the codes that they name.

    ``name`` is shown to people; ``filename`` is what the code's frames and tracebacks carry.
    """

    name: str
    filename: str
    text: str
    functions: tuple[str, ...]
    marked: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Case:
    """A hazard and its sync-free twin, and what must be there for them to run.

    ``setup`` is None for the rules' files, which make their own inputs; for a catalogue entry it is
    the code that runs before each of its lines. ``proof`` is "trace", or "static" where no trace can
    show the hazard. ``library_versions`` name the release of a library in which its hazard was mended;
    ``since`` and ``until`` are the first and the last release with it of the package ``released_with``.
    """

    id: str
    name: str
    kind: CaseKind
    hazard: Source
    twin: Source
    setup: str | None = None
    proof: str = "trace"
    requires: tuple[str, ...] = ()
    library_versions: Mapping[str, str] = field(default_factory=dict, hash=False)
    since: str | None = None
    until: str | None = None
    released_with: str = "torch"
    entries: tuple[str, ...] = ()

    def source(self, side: Side) -> Source:
        """The code of one side."""
        return self.hazard if side is Side.HAZARD else self.twin

    @property
    def compares_results(self) -> bool:
        """Whether both sides must return the same; the near-misses of the catalogue are no twins."""
        return self.kind is CaseKind.RULE


@dataclass(frozen=True)
class BrokenCase:
    """A case that cannot be read; ``problem`` says what is wrong, where, and what to do."""

    id: str
    name: str
    kind: CaseKind
    problem: str
    entries: tuple[str, ...] = ()


def rule_folders() -> list[Path]:
    """The folders of all rules, complete or not, in the order of their codes."""
    ours = sorted(path for path in rules_folder().glob("SYN*") if path.is_dir())
    return [*ours, *(folder.path for folder in added_folders())]


def load_rule_cases(folders: Iterable[Path]) -> list[Case | BrokenCase]:
    """The cases of the rules' folders, in their order; a folder that cannot be read is a case too."""
    return [load_rule_case(folder) for folder in folders]


def load_rule_case(folder: Path) -> Case | BrokenCase:
    """Read ``rule.toml``, ``hazard.py`` and ``sync_free.py`` of a rule's folder."""
    code, _, name = folder.name.partition("-")
    entries: tuple[str, ...] = ()
    try:
        table = _rule_table(folder)
        entries = tuple(table.get("matches", ()))
        return _case(folder, table, entries)
    except (OSError, ValueError) as error:
        return BrokenCase(code, name, CaseKind.RULE, str(error), entries)


def _rule_table(folder: Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(_read(folder, "rule.toml"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{folder.name}/rule.toml is not valid TOML: {error}") from None
    return table


def _case(folder: Path, table: Mapping[str, Any], entries: tuple[str, ...]) -> Case:
    code, _, name = folder.name.partition("-")
    versions = table.get("versions", {})
    proof = str(table.get("proof", "trace"))
    if proof not in ("trace", "static"):
        raise ValueError(f'{folder.name}/rule.toml: proof must be "trace" or "static", not {proof!r}')
    hazard, hazard_functions = _source(folder, HAZARD_FILE)
    twin, twin_functions = _source(folder, TWIN_FILE)
    if not hazard_functions:
        raise ValueError(f"{folder.name}/{HAZARD_FILE} has no case function: define a public one")
    if missing := [function for function in hazard_functions if function not in twin_functions]:
        raise ValueError(f"{folder.name}/{TWIN_FILE} lacks the twin of {', '.join(missing)}")
    if not any(isinstance(node, ast.FunctionDef) and node.name == "inputs" for node in hazard[1].body):
        raise ValueError(f"{folder.name}/{HAZARD_FILE} lacks inputs(device), which makes the arguments")
    imported = packages_needed(hazard[1]) | packages_needed(twin[1])
    marked = marked_lines(hazard[0])
    if not marked and proof == "trace":
        raise ValueError(f"{folder.name}/{HAZARD_FILE} marks no line: end one that waits in '# sync: {code}'")
    return Case(
        id=str(table.get("code", code)),
        name=str(table.get("name", name)),
        kind=CaseKind.RULE,
        hazard=Source(HAZARD_FILE, str(folder / HAZARD_FILE), hazard[0], hazard_functions, marked),
        twin=Source(TWIN_FILE, str(folder / TWIN_FILE), twin[0], hazard_functions),
        proof=proof,
        requires=tuple(dict.fromkeys([*table.get("requires", ()), *sorted(imported)])),
        library_versions=dict(table.get("library-versions", {})),
        since=versions.get("since"),
        until=versions.get("until"),
        entries=entries,
    )


def _source(folder: Path, name: str) -> tuple[tuple[str, ast.Module], tuple[str, ...]]:
    text = _read(folder, name)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise ValueError(f"{folder.name}/{name}:{error.lineno}: not valid Python: {error.msg}") from None
    return (text, tree), public_functions(tree)


def _read(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ValueError(f"{folder.name}/{name} is missing") from None


def not_applicable(case: Case, installed: Callable[[str], str | None]) -> str | None:
    """Why a case says nothing on this machine, or None when it can be run.

    ``installed`` gives the release of a package, or of something built into PyTorch such as "nccl", and
    None where it is not there.
    """
    missing = [package for package in case.requires if installed(package) is None]
    if missing:
        return f"needs {' and '.join(missing)}, which this Python does not have"
    for library, mended in case.library_versions.items():
        version = installed(library)
        if version is not None and release(version) >= release(mended):
            return f"{library} {version} no longer has this hazard; it was fixed in {mended}"
    used = installed(case.released_with)
    if used is None:
        return None
    if case.since is not None and release(used) < release(case.since):
        return f"{case.released_with} {used} does not have this hazard yet; it came with {case.since}"
    if case.until is not None and release(used)[: len(release(case.until))] > release(case.until):
        last = f"{case.until} was the last release with it"
        return f"{case.released_with} {used} no longer has this hazard; {last}"
    return None


def select_cases(
    tokens: Sequence[str], cases: Sequence[Case | BrokenCase]
) -> tuple[list[Case | BrokenCase], list[str]]:
    """The cases that the tokens name, all when there are none, and the tokens that name nothing.

    A token is the beginning of a rule's code, a rule's name, or a catalogue entry's id. A rule brings
    its catalogue entries along.
    """
    if not tokens or any(token.upper() == "ALL" for token in tokens):
        return list(cases), []

    def named(token: str, case: Case | BrokenCase) -> bool:
        letters = case.id.rstrip("0123456789")
        by_code = case.kind is CaseKind.RULE and token.upper().startswith(letters)
        return token.lower() in (case.id.lower(), case.name.lower()) or (by_code and case.id.startswith(token.upper()))

    chosen = [case for case in cases if any(named(token, case) for token in tokens)]
    brought = {entry for case in chosen for entry in case.entries}
    unknown = [token for token in tokens if not any(named(token, case) for case in cases)]
    return [case for case in cases if case in chosen or _is_entry(case, brought)], unknown


def _is_entry(case: Case | BrokenCase, ids: set[str]) -> bool:
    return case.kind is CaseKind.CATALOGUE and case.id in ids
