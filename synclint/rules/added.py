"""The rules that installed packages bring along, checked as ours are by our tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from synclint.catalog.entries import MECHANISMS, load_catalog
from synclint.plugins.loading import (
    MATCH_FILE,
    RuleFolder,
    check_identity,
    entry_ids,
    match_id,
    rule_folders,
    rule_table,
)
from synclint.rules.folders import rule_of
from synclint.rules.records import Rule

_DEPENDENCIES = ("true", "false")
_TEXTS = ("code", "name", "summary", "mechanism", "severity")


def added_rules(ours: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that installed packages offer, in the order of their codes.

    Raises PluginError for one that is not well formed, or has a code or a name that another one has.
    """
    folders = rule_folders()
    if not folders:
        return ()
    load_catalog()  # which checks the entries that rules match
    taken = {name: "synclint" for rule in ours for name in (rule.code, rule.name)}
    owned: set[str] = set()
    found: list[Rule] = []
    for folder in folders:
        rule = _rule(folder)
        for name in (rule.code, rule.name):
            if name in taken:
                raise folder.problem(f"{name!r} is the code or the name of a rule of {taken[name]!r}, too")
            taken[name] = rule.package
        for entry in rule.matches:
            if entry in owned:
                raise folder.problem(f"another rule matches the entry {entry!r}, too")
        owned.update(rule.matches)
        found.append(rule)
    _check_entries(folders, owned)
    return tuple(sorted(found, key=lambda rule: rule.code))


def _check_entries(folders: Iterable[RuleFolder], owned: set[str]) -> None:
    for folder in folders:
        for entry in entry_ids(folder):
            if entry not in owned:
                raise folder.problem(f"no rule matches the entry {entry!r} of the catalogue: name it in `matches`")


def _rule(folder: RuleFolder) -> Rule:
    table = rule_table(folder)
    for key in _TEXTS:
        if not isinstance(table.get(key), str):
            raise folder.problem(f"rule.toml needs a text for {key!r}")
    try:
        rule = rule_of({"matches": [], **table}, folder.path)
    except KeyError as error:
        raise folder.problem(f"rule.toml lacks {error}") from None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise folder.problem(str(error)) from None
    check_identity(folder, rule.code, rule.name)
    if rule.mechanism not in MECHANISMS:
        raise folder.problem(f"unknown mechanism {rule.mechanism!r}; choose one of {', '.join(sorted(MECHANISMS))}")
    if rule.dependency not in _DEPENDENCIES:
        raise folder.problem(f"dependency must be true or false, not {rule.dependency!r}")
    words = tuple(_match_words(folder, table))
    matches = (*rule.matches, match_id(rule.code)) if words else rule.matches
    for entry in matches:
        if entry not in entry_ids(folder):
            raise folder.problem(f"matches {entry!r}, which is not an entry of the package's catalogue")
    if not matches:
        raise folder.problem("it matches nothing: give entries in `matches`, or a `match.py` and a table [match]")
    return replace(rule, matches=matches, package=folder.package, page_url=str(table.get("url", "")), match_words=words)


def _match_words(folder: RuleFolder, table: Mapping[str, Any]) -> Iterator[str]:
    """The words of the table ``[match]``, which has to be there where ``match.py`` is and nowhere else."""
    has_code = (folder.path / MATCH_FILE).is_file()
    said = table.get("match")
    if said is None:
        if has_code:
            raise folder.problem(f"{MATCH_FILE} needs a table [match] in rule.toml")
        return
    if not has_code:
        raise folder.problem(f"rule.toml has a table [match], but there is no {MATCH_FILE}")
    words = said.get("words") if isinstance(said, dict) else None
    if not words or not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        raise folder.problem("[match] needs `words`: a list of words, one of which a matching file must contain")
    if not isinstance(said.get("summary"), str):
        raise folder.problem("[match] needs a `summary`, which says what makes the host wait")
    yield from words
