"""The settings. Every field of ``Options`` is one of them: its name, its default, its kind and its help.

The command line, the configuration files, the JSON Schema and the documentation all follow from this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

from synclint.catalog.entries import Catalog, Entry
from synclint.config import kinds, own_entries
from synclint.config.format_names import FORMAT_NAMES, SORTS
from synclint.config.kinds import ContractName, Kind, RegionName
from synclint.config.patterns import FileSelection, PathPattern
from synclint.findings import Confidence, Context, Finding, Phase, Severity
from synclint.sources.embedded import DOCUMENT_SUFFIXES

# What ruff leaves out by default, so that a project needs no second list; and the interpreter's cache.
_EXCLUDED = """
.bzr .direnv .eggs .git .git-rewrite .hg .ipynb_checkpoints .mypy_cache .nox .pants.d .pyenv .pytest_cache
.pytype .ruff_cache .svn .tox .venv .vscode __pycache__ __pypackages__ _build buck-out build dist
node_modules site-packages venv
"""
_ANYWHERE = Path()
_SEVERITIES = tuple(level.value for level in Severity)
FAIL_ON = (*_SEVERITIES, *(level.value for level in Confidence))


def _row(kind: Kind, text: str) -> dict[str, object]:
    return {"kind": kind, "help": text}


@dataclass(frozen=True)
class Options:
    """The value of every setting: what to check and what to report."""

    select: tuple[str, ...] = field(
        default=(),
        metadata=_row(kinds.RULES, "Report only these rules: codes, code prefixes or names. Empty: all rules."),
    )
    extend_select: tuple[str, ...] = field(
        default=(), metadata=_row(kinds.RULES, "Report these rules in addition to the selected ones.")
    )
    ignore: tuple[str, ...] = field(default=(), metadata=_row(kinds.RULES, "Do not report these rules."))
    fixable: tuple[str, ...] = field(
        default=(), metadata=_row(kinds.RULES, "Offer fixes for these rules only. Empty: for all that have one.")
    )
    unfixable: tuple[str, ...] = field(default=(), metadata=_row(kinds.RULES, "Offer no fixes for these rules."))
    per_file_ignores: tuple[tuple[PathPattern, tuple[str, ...]], ...] = field(
        default=(),
        metadata=_row(kinds.RULES_BY_PATTERN, "Do not report rules in the files that a pattern matches."),
    )
    include: tuple[PathPattern, ...] = field(
        default=(PathPattern("*.py", _ANYWHERE), PathPattern("*.ipynb", _ANYWHERE)),
        metadata=_row(kinds.PATTERNS, "The files to check below a directory."),
    )
    include_docs: bool = field(
        default=False,
        metadata=_row(
            kinds.BOOLEAN,
            "Also check the code blocks of Markdown and reStructuredText. Needs `synclint[docs]`.",
        ),
    )
    exclude: tuple[PathPattern, ...] = field(
        default=tuple(PathPattern(name, _ANYWHERE) for name in _EXCLUDED.split()),
        metadata=_row(kinds.PATTERNS, "Files and directories to leave out below a directory."),
    )
    extend_exclude: tuple[PathPattern, ...] = field(
        default=(), metadata=_row(kinds.PATTERNS, "Files and directories to leave out in addition to `exclude`.")
    )
    force_exclude: bool = field(
        default=False,
        metadata=_row(kinds.BOOLEAN, "Leave out excluded files even if they are named, as by a pre-commit hook."),
    )
    respect_gitignore: bool = field(
        default=True, metadata=_row(kinds.BOOLEAN, "Leave out what .gitignore excludes below a directory.")
    )
    min_confidence: Confidence = field(
        default=Confidence.MEDIUM,
        metadata=_row(kinds.CONFIDENCE, "Leave out findings whose evidence is weaker."),
    )
    severity: tuple[tuple[str, Severity], ...] = field(
        default=(),
        metadata=_row(
            kinds.SEVERITIES, "The severity of a rule's findings, regardless of their phase; the longest selector wins."
        ),
    )
    fail_on: str | None = field(
        default=None,
        metadata=_row(
            kinds.choice(FAIL_ON),
            "Exit with status 1 only for findings of at least this severity or confidence. Unset: for all.",
        ),
    )
    runs: tuple[Phase, ...] = field(
        default=(Phase.STEP,),
        metadata=_row(kinds.PHASES, "Report code that runs in these phases. `all` means all of them."),
    )
    cold: bool = field(
        default=False, metadata=_row(kinds.BOOLEAN, "Also report code that rarely runs: short for all phases.")
    )
    torch_version: str | None = field(
        default=None,
        metadata=_row(
            kinds.TORCH_VERSION,
            "The release of PyTorch to assume. Unset: what the project locks or requires, otherwise the newest.",
        ),
    )
    per_file_torch_version: tuple[tuple[PathPattern, str], ...] = field(
        default=(),
        metadata=_row(
            kinds.TORCH_VERSIONS_BY_PATTERN,
            "The release of PyTorch for the files that a pattern matches; the last pattern wins.",
        ),
    )
    library_versions: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata=_row(
            kinds.VERSIONS,
            "The releases of other libraries. Unset: what the project locks or requires, otherwise the newest.",
        ),
    )
    python: Path | None = field(
        default=None,
        metadata=_row(
            kinds.ENVIRONMENT,
            "The interpreter whose libraries are used, or `active`: what waits in their calls is read from what is "
            "installed there. Unset: from the summaries that are shipped.",
        ),
    )
    hot_functions: tuple[str, ...] = field(
        default=(), metadata=_row(kinds.NAMES, "Functions that run often: patterns for qualified names.")
    )
    cold_functions: tuple[str, ...] = field(
        default=(), metadata=_row(kinds.NAMES, "Functions that rarely run: patterns for qualified names.")
    )
    device_functions: tuple[str, ...] = field(
        default=(),
        metadata=_row(kinds.NAMES, "Functions whose result is a tensor on the device: patterns for qualified names."),
    )
    sync_free: tuple[ContractName, ...] = field(
        default=(),
        metadata=_row(kinds.CONTRACTS, "Functions from which nothing may be reached that waits."),
    )
    allowed_regions: tuple[RegionName, ...] = field(
        default=(),
        metadata=_row(
            kinds.REGIONS,
            "Context managers of the project in whose blocks waits are accepted: patterns for qualified names.",
        ),
    )
    accepted: bool = field(
        default=False, metadata=_row(kinds.BOOLEAN, "Report the waits in regions that accept them as well.")
    )
    waits: tuple[Entry, ...] = field(
        default=(),
        metadata=_row(
            own_entries.WAITS,
            "Functions of the project in which the host waits, as entries of the catalogue.",
        ),
    )
    gives: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata=_row(
            own_entries.GIVES, "The kinds of attributes (`ours.Batch.size`) and of results of calls (`ours.load()`)."
        ),
    )
    require_reason: bool = field(
        default=False,
        metadata=_row(kinds.BOOLEAN, "Let a suppression take effect only if it gives a reason."),
    )
    ignore_noqa: bool = field(
        default=False,
        metadata=_row(kinds.BOOLEAN, "Report what comments suppress as well, and nothing about these comments."),
    )
    baseline: Path | None = field(
        default=None, metadata=_row(kinds.PATH, "Report only findings that this file does not list.")
    )
    output_format: str = field(
        default="full", metadata=_row(kinds.choice(FORMAT_NAMES), "The format of the report; `text` means `full`.")
    )
    sort: str | None = field(
        default=None,
        metadata=_row(
            kinds.choice(SORTS),
            "The order of `full`, `grouped` and `concise`. Unset: by path in `concise`, in the others by what costs "
            "most.",
        ),
    )
    project: bool = field(
        default=True,
        metadata=_row(
            kinds.BOOLEAN,
            "Check individually named files together with the project around them, if it is small or a run has checked "
            "it as a whole.",
        ),
    )
    jobs: int | None = field(
        default=None,
        metadata=_row(
            kinds.POSITIVE,
            "Number of processes; small projects need only one. Unset: as many as there are cores. Results do not "
            "depend on it.",
        ),
    )
    cache_dir: Path | None = field(
        default=None,
        metadata=_row(kinds.PATH, "The directory for results kept between runs. Unset: one in the user's cache."),
    )

    @property
    def selected(self) -> tuple[str, ...]:
        """The selectors of rules, with those that come on top."""
        return (*(self.select or ("ALL",)), *self.extend_select)

    @property
    def catalog(self) -> Catalog:
        """The catalogue, with what the project says of its own functions."""
        return own_entries.catalog_with(self.waits, self.gives)

    @property
    def files(self) -> FileSelection:
        """Which files below a directory are checked."""
        documents = sorted(DOCUMENT_SUFFIXES) if self.include_docs else ()
        included = (*self.include, *(PathPattern(f"*{suffix}", _ANYWHERE) for suffix in documents))
        return FileSelection(
            included, (*self.exclude, *self.extend_exclude), self.respect_gitignore, self.force_exclude
        )

    def ignored_in(self, path: Path) -> tuple[str, ...]:
        """The selectors of rules that are not reported in the file at ``path`` (absolute), come what may."""
        return tuple(rule for pattern, rules in self.per_file_ignores if pattern.matches(path) for rule in rules)

    def torch_version_in(self, path: Path) -> str | None:
        """The release of PyTorch that counts in the file at ``path`` (absolute), None where none is named."""
        found = [version for pattern, version in self.per_file_torch_version if pattern.matches(path)]
        return found[-1] if found else self.torch_version

    def fails(self, finding: Finding) -> bool:
        """Whether a finding that is shown makes the run fail."""
        if self.fail_on is None:
            return True
        if self.fail_on in _SEVERITIES:
            return _SEVERITIES.index(finding.severity.value) >= _SEVERITIES.index(self.fail_on)
        return finding.confidence.at_least(Confidence(self.fail_on))

    @property
    def phases(self) -> frozenset[Phase]:
        """The phases whose findings are reported."""
        return frozenset(Phase) if self.cold else frozenset(self.runs)

    def admits(self, finding: Finding) -> bool:
        """Whether a finding is reported: sure enough, and of a phase that is asked for."""
        return self.is_sure(finding) and self.is_asked_for(finding.context)

    def is_sure(self, finding: Finding) -> bool:
        """Whether a finding is as sure as asked for."""
        return finding.confidence.at_least(self.min_confidence)

    def is_asked_for(self, context: Context) -> bool:
        """Whether code that runs so is reported.

        What fails within a captured graph is reported in every phase: it need not run often to matter. What inference
        cannot do without is reported where all phases are asked for.
        """
        return context.captured is not None or self.asks_for(context.runs, by_nature=context.by_nature)

    def asks_for(self, runs: Phase, *, by_nature: bool) -> bool:
        """Whether code of a phase is reported; ``by_nature`` says that it cannot do without the wait."""
        return runs in self.phases and (not by_nature or self.phases == frozenset(Phase))


@dataclass(frozen=True)
class Setting:
    """One row of the table: ``field`` is its name in ``Options``, ``name`` its name everywhere else."""

    name: str
    field: str
    kind: Kind
    default: object
    help: str


def settings() -> Iterator[Setting]:
    """Every setting, in the order in which they are explained."""
    for row in fields(Options):
        yield Setting(row.name.replace("_", "-"), row.name, row.metadata["kind"], row.default, row.metadata["help"])
