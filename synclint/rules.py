"""The rules: read from their folders, selected by code or name, and applied to sync events."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synclint.findings import Context, Finding, Severity, Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from synclint.analysis.events import SyncEvent
    from synclint.catalog.entries import Catalog, Entry

DOCUMENTATION = "https://github.com/synclint/synclint/tree/main"

# A wheel carries the rules inside the package; a checkout keeps them at the top, where people look.
_PACKAGED = Path(__file__).parent / "rules"
_CHECKOUT = Path(__file__).parent.parent / "rules"


@dataclass(frozen=True)
class Rule:
    """One rule as its folder describes it.

    ``matches`` are the ids of the catalogue entries that it reports; ``dependency`` says whether the
    host truly needs the value ("true") or could do without ("false"); ``requires`` names the packages
    that its cases import, ``library_versions`` the release below which a library has the hazard, and
    ``since`` and ``until`` the torch releases with it. ``page`` is its README; ``folder`` is None for
    the rules that the program itself reports.
    """

    code: str
    name: str
    summary: str
    mechanism: str
    severity: Severity
    dependency: str
    matches: tuple[str, ...]
    page: str
    folder: Path | None
    requires: tuple[str, ...] = ()
    library_versions: dict[str, str] = field(default_factory=dict, hash=False)
    since: str | None = None
    until: str | None = None

    @property
    def url(self) -> str:
        """Where the rule's page stands on the web; empty for the program's own rules."""
        return f"{DOCUMENTATION}/rules/{self.folder.name}" if self.folder else ""


SYNTAX_ERROR = Rule(
    code="SYN000",
    name="syntax-error",
    summary="the file is not valid Python",
    mechanism="syntax-error",
    severity=Severity.ERROR,
    dependency="true",
    matches=(),
    page=(
        "# SYN000 syntax-error\n\n"
        "## What it finds\n\n"
        "A file that does not parse. Nothing can be said about its syncs, so it is reported instead of "
        "being passed over; the other files are checked as usual.\n\n"
        "## What to do\n\n"
        "Mend the syntax error at the position given. Files that are not meant to be Python, such as "
        "templates, can be left out by `.gitignore` or by not naming them.\n"
    ),
    folder=None,
)

UNUSED_SUPPRESSION = Rule(
    code="SYN001",
    name="unused-suppression",
    summary="a comment suppresses nothing, or is not understood",
    mechanism="suppression",
    severity=Severity.WARNING,
    dependency="true",
    matches=(),
    page=(
        "# SYN001 unused-suppression\n\n"
        "## What it finds\n\n"
        "A `# synclint: ignore[...]`, `# synclint: off` or `# noqa: SYN...` that suppresses nothing, names a "
        "rule that does not exist, or is misspelled. Such comments hide what is written there next, or hide "
        "nothing although their author thinks so.\n\n"
        "## What to do\n\n"
        "Remove it: `synclint check --prune-ignores` does so, and leaves codes of other tools in the same "
        "comment as they are. Check the whole project before: with a single file the linter does not see who "
        "calls its functions, and may not find what the comment is there for.\n"
    ),
    folder=None,
)

ANALYSIS_LIMIT = Rule(
    code="SYN002",
    name="analysis-limit",
    summary="the file takes more work than one file may take, or is nested too deeply",
    mechanism="analysis-limit",
    severity=Severity.WARNING,
    dependency="true",
    matches=(),
    page=(
        "# SYN002 analysis-limit\n\n"
        "## What it finds\n\n"
        "A file that was not analysed to its end. Functions are run on the arguments of their calls, and a file "
        "may take only so many statements of that; code that is nested thousands of levels deep is more than the "
        "analysis can follow. What was found up to there is reported, this finding stands at the statement that "
        "was being analysed, and nothing is said of the rest. The other files are checked as usual.\n\n"
        "The limit counts statements, not seconds: it is the same on every machine.\n\n"
        "## What to do\n\n"
        "Split or simplify the function or the expression at that place. Code that was written by a program, or "
        "is not worth it, can be left out with `exclude`; `ignore` leaves this finding out, and the rest of the "
        "file unchecked.\n"
    ),
    folder=None,
)

INTERNAL_ERROR = Rule(
    code="SYN003",
    name="internal-error",
    summary="synclint itself made a mistake in this file",
    mechanism="internal-error",
    severity=Severity.ERROR,
    dependency="true",
    matches=(),
    page=(
        "# SYN003 internal-error\n\n"
        "## What it finds\n\n"
        "A file in which synclint failed by a mistake of its own. The message gives a short id, the same for the "
        "same mistake, and the path of a log file with what a bug report needs. What else is reported in the file "
        "may be incomplete; the other files are checked as usual. The exit status is 2.\n\n"
        "## What to do\n\n"
        "Please report it, with the log file; read the log before, as it names files of yours. Until the mistake is "
        "mended the file can be left out with `exclude`. `ignore` does not silence this rule: a file that was not "
        "checked must not look clean.\n"
    ),
    folder=None,
)

# Rules that say that a file, or the rest of it, was not checked: no baseline and no comment takes that back.
NOT_CHECKED = frozenset({SYNTAX_ERROR.code, ANALYSIS_LIMIT.code, INTERNAL_ERROR.code})


# Rules about files and comments, whose findings are no waits and have no phase.
OWN = frozenset({*NOT_CHECKED, UNUSED_SUPPRESSION.code})


class RuleFileError(ValueError):
    """A rule's folder is incomplete or its ``rule.toml`` is not well formed."""


class UnknownRuleError(ValueError):
    """A selector that names no rule; ``suggestion`` is the nearest one that does."""

    def __init__(self, selector: str, suggestion: str | None) -> None:
        self.selector = selector
        self.suggestion = suggestion
        hint = f"; did you mean {suggestion!r}?" if suggestion else "; `synclint rules` lists them all"
        super().__init__(f"unknown rule {selector!r}{hint}")


def _rule(folder: Path) -> Rule:
    try:
        table: dict[str, Any] = tomllib.loads((folder / "rule.toml").read_text(encoding="utf-8"))
        versions = table.get("versions", {})
        return Rule(
            code=table["code"],
            name=table["name"],
            summary=table["summary"],
            mechanism=table["mechanism"],
            severity=Severity(table["severity"]),
            dependency=str(table["dependency"]).lower(),
            matches=tuple(table["matches"]),
            page=(folder / "README.md").read_text(encoding="utf-8"),
            folder=folder,
            requires=tuple(table.get("requires", ())),
            library_versions=dict(table.get("library-versions", {})),
            since=versions.get("since"),
            until=versions.get("until"),
        )
    except KeyError as error:
        raise RuleFileError(f"rules/{folder.name}/rule.toml lacks {error}") from None
    except (OSError, ValueError) as error:
        raise RuleFileError(f"rules/{folder.name}: {error}") from None


def rules_folder() -> Path:
    """The directory that holds the folders of the rules."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


@cache
def load_rules() -> tuple[Rule, ...]:
    """Every rule that has a folder, in the order of their codes.

    Raises RuleFileError, naming the folder, for a rule that is not well formed.
    """
    return tuple(_rule(path.parent) for path in sorted(rules_folder().glob("SYN*/rule.toml")))


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules with folders and those that the program itself reports."""
    return (SYNTAX_ERROR, UNUSED_SUPPRESSION, ANALYSIS_LIMIT, INTERNAL_ERROR, *load_rules())


def find_rule(selector: str, rules: Sequence[Rule] | None = None) -> Rule:
    """The rule with this code or name. Raises UnknownRuleError."""
    candidates = all_rules() if rules is None else rules
    for rule in candidates:
        if selector.upper() == rule.code or selector.lower() == rule.name:
            return rule
    raise UnknownRuleError(
        selector, _nearest(selector, [name for r in candidates for name in (r.code, r.name)])
    )


def select_rules(select: Sequence[str], ignore: Sequence[str], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that ``select`` names (all, when it is empty) and ``ignore`` does not.

    A selector is ``ALL``, a code, the beginning of a code, or a name. Where both lists reach a rule the
    longer selector wins, as in ruff, so that ``--select SYN101 --ignore SYN1`` keeps SYN101. Raises
    UnknownRuleError for a selector that reaches no rule.
    """
    for selector in (*select, *ignore):
        if not any(_reach(selector, rule) for rule in rules):
            names = [name for rule in rules for name in (rule.code, rule.name)]
            raise UnknownRuleError(selector, _nearest(selector, names))

    def strongest(selectors: Sequence[str], rule: Rule) -> int:
        return max((_reach(selector, rule) for selector in selectors), default=0)

    wanted = select or ("ALL",)
    return tuple(rule for rule in rules if strongest(wanted, rule) > strongest(ignore, rule))


_EXACT = 100


def _reach(selector: str, rule: Rule) -> int:
    """How specifically a selector names a rule; 0 when it does not."""
    if selector.lower() == rule.name or selector.upper() == rule.code:
        return _EXACT
    if selector.upper() == "ALL":
        return 1
    return len(selector) if rule.code.startswith(selector.upper()) and len(selector) >= len("SYN") else 0


_NEAR = 0.6


def _nearest(selector: str, names: Sequence[str]) -> str | None:
    """The name most like a selector; among equals, the one with the most characters in their place."""
    import difflib

    matcher = difflib.SequenceMatcher(b=selector.lower())
    best, likest = None, (_NEAR, 0)
    for name in names:
        matcher.set_seq1(name.lower())
        # What can be told quickly is never less than the ratio.
        if matcher.real_quick_ratio() >= likest[0] and matcher.quick_ratio() >= likest[0]:
            likeness = matcher.ratio(), sum(map(operator.eq, name.lower(), selector.lower()))
            if likeness > likest or (best is None and likeness[0] >= _NEAR):
                best, likest = name, likeness
    return best


def findings(events: Iterable[SyncEvent], rules: Sequence[Rule], catalog: Catalog) -> list[Finding]:
    """What the rules say about the events: one finding per expression, in the order of the source.

    Events of constructs that none of the ``rules`` matches are left out. Of several events that one rule
    matches in the same expression the strongest is kept.
    """
    rule_of = _rules_by_construct(tuple(rules))
    entries = catalog.by_id
    kept: dict[tuple[str, Span, str], Finding] = {}
    for event in sorted(events, key=_strongest_first):
        rule = rule_of.get(event.construct)
        if rule is None:
            continue
        kept.setdefault(
            (event.filename, event.span, rule.code), _finding(event, rule, entries[event.construct])
        )
    return [kept[place] for place in sorted(kept)]


@cache
def _rules_by_construct(rules: tuple[Rule, ...]) -> dict[str, Rule]:
    return {construct: rule for rule in rules for construct in rule.matches}


def _strongest_first(event: SyncEvent) -> tuple[bool, int, object]:
    return (not (event.context.hot or event.context.captured), -event.confidence.rank, event.span)


def severity_in(context: Context, rule: Rule) -> Severity:
    """What it costs to break a rule there: a captured graph its life, each step its time, other code little.

    It is never more than the rule's own severity but within what is captured.
    """
    if context.captured is not None:
        return Severity.ERROR
    return rule.severity if context.hot else Severity.INFO


def _finding(event: SyncEvent, rule: Rule, entry: Entry) -> Finding:
    inferred = f": `{event.subject}` is {event.facts}" if event.facts else ""
    captured = event.context.captured
    fails = f"; this fails, or breaks the graph, in what is captured by {captured}" if captured is not None else ""
    return Finding(
        code=rule.code,
        name=rule.name,
        message=" ".join(f"{entry.summary}{inferred}{fails}".split()),
        filename=event.filename,
        span=event.span,
        severity=severity_in(event.context, rule),
        confidence=event.confidence,
        mechanism=entry.mechanism,
        context=event.context,
        instead=entry.instead,
        url=rule.url,
        evidence=event.evidence,
        construct=event.construct,
        subject=event.subject,
        cause=event.cause,
    )
