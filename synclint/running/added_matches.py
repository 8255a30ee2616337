"""Runs the matchers that rules of installed packages bring along, over a file and what is known of its expressions.

libcst is imported with this module, and this module only for a file that one of the matchers may match.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from types import ModuleType

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider, ProviderT

from synclint.analysis.domain.tensors import weaker
from synclint.analysis.results.events import SyncEvent
from synclint.catalog.entries import load_catalog
from synclint.findings import Confidence, Context, Position, Span
from synclint.plugins.discovery import PluginError, rules_of
from synclint.plugins.imports import offer_of, only_installed
from synclint.plugins.loading import MATCH_FILE, match_id
from synclint.results.expression_facts import FileFacts, TensorFact
from synclint.results.fact_nodes import facts_of_nodes, span_of
from synclint.rules.records import Rule

_MATCHER, _SUBJECT = "MATCHER", "subject"


def matched_events(rules: Sequence[Rule], facts: FileFacts, filename: str) -> list[SyncEvent]:
    """What the matchers of rules find in a file, as events like those that the analysis finds.

    How often a node runs is what is said of it, or of the first expression in it that is ever run; without one nothing
    is found there. Raises PluginError for a ``match.py`` that fails.
    """
    try:
        module = cst.parse_module(facts.source)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True, cache=_Given(facts))
        positions = wrapper.resolve(PositionProvider)
        of_nodes = facts_of_nodes(positions, facts)
    except (cst.ParserSyntaxError, RecursionError):
        return []  # what only Python's own parser reads, or can nest so deeply, is left to the catalogue
    contexts = [
        (span_of(positions[node]).start, fact.context) for node, fact in of_nodes.items() if fact.context is not None
    ]
    contexts.sort(key=itemgetter(0))
    found: list[SyncEvent] = []
    for rule in rules:
        for node, subject in _matched(rule, wrapper):
            span = span_of(positions[node])
            fact = of_nodes.get(node)
            context = fact.context if fact is not None else _context_within(span, contexts)
            if context is not None:
                found.append(_event(rule, span, subject, of_nodes.get(subject), context, (module, filename)))
    return found


def _event(
    rule: Rule,
    span: Span,
    subject: cst.CSTNode,
    fact: TensorFact | None,
    context: Context,
    where: tuple[cst.Module, str],
) -> SyncEvent:
    module, filename = where
    confidence = Confidence(load_catalog().by_id[match_id(rule.code)].confidence)
    if fact is not None and fact.confidence is not None:
        confidence = weaker(confidence, fact.confidence)
    return SyncEvent(
        construct=match_id(rule.code),
        filename=filename,
        span=span,
        subject=module.code_for_node(subject).strip(),
        facts=fact.description if fact is not None else "",
        confidence=confidence,
        context=context,
        evidence=fact.evidence if fact is not None else (),
    )


def _context_within(span: Span, contexts: Sequence[tuple[Position, Context]]) -> Context | None:
    return next((context for start, context in contexts if span.start <= start < span.end), None)


class _Given(Mapping[ProviderT, object]):
    """What libcst takes for the cache of all files: the facts of this one, for the provider that wants them."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    def __getitem__(self, provider: ProviderT) -> object:
        if getattr(provider, "takes_file_facts", False):
            return self._facts
        raise KeyError(provider)

    def __iter__(self) -> Iterator[ProviderT]:
        return iter(())

    def __len__(self) -> int:
        return 0


# --- the code of the packages ------------------------------------------------------------------------------------


def _matched(rule: Rule, wrapper: MetadataWrapper) -> list[tuple[cst.CSTNode, cst.CSTNode]]:
    """The nodes that a rule matches, each with the operand that it saves as the one that decides."""
    with only_installed(offer_of(rule.folder)):
        matcher = _matcher(rule)
        try:
            nodes = m.findall(wrapper, matcher)
            saved = [m.extract(node, matcher, metadata_resolver=wrapper) or {} for node in nodes]
        except Exception as error:
            raise _failed(rule, error) from None
    subjects = [named.get(_SUBJECT) for named in saved]
    return [
        (node, subject if isinstance(subject, cst.CSTNode) else node)
        for node, subject in zip(nodes, subjects, strict=True)
    ]


@cache
def _matcher(rule: Rule) -> m.BaseMatcherNode:
    assert rule.folder is not None
    spec = importlib.util.spec_from_file_location(f"synclint_rule_{rule.code.lower()}", rule.folder / MATCH_FILE)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _failed(rule, error) from None
    matcher = getattr(module, _MATCHER, None)
    if not isinstance(matcher, m.BaseMatcherNode):
        raise PluginError(f"{_where(rule)} defines no {_MATCHER}, which must be a matcher of libcst")
    return matcher


def _failed(rule: Rule, error: BaseException) -> PluginError:
    return PluginError(f"{_where(rule)} failed: {type(error).__name__}: {error}")


def _where(rule: Rule) -> str:
    assert rule.folder is not None
    return f"{rules_of(rule.package)}: {rule.folder.name}/{MATCH_FILE}"
