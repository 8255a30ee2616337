"""A metadata provider of libcst that tells what synclint concluded about the expressions of a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import libcst as cst
from libcst.metadata import BaseMetadataProvider, CodePosition, PositionProvider

from synclint.codemod.files import facts_of_files, facts_of_text
from synclint.findings import Finding, Position, Span
from synclint.results.expression_facts import FileFacts, Key, TensorFact

_MARK = "\ufeff"

# The classes of ``ast`` that an expression of libcst may have there.
_KINDS: dict[type[cst.BaseExpression], tuple[str, ...]] = {
    cst.Name: ("Name", "Constant"),
    cst.Attribute: ("Attribute",),
    cst.Call: ("Call",),
    cst.Subscript: ("Subscript",),
    cst.BinaryOperation: ("BinOp",),
    cst.BooleanOperation: ("BoolOp",),
    cst.Comparison: ("Compare",),
    cst.UnaryOperation: ("UnaryOp",),
    cst.IfExp: ("IfExp",),
    cst.Lambda: ("Lambda",),
    cst.Tuple: ("Tuple",),
    cst.List: ("List",),
    cst.Set: ("Set",),
    cst.Dict: ("Dict",),
    cst.ListComp: ("ListComp",),
    cst.SetComp: ("SetComp",),
    cst.DictComp: ("DictComp",),
    cst.GeneratorExp: ("GeneratorExp",),
    cst.NamedExpr: ("NamedExpr",),
    cst.Await: ("Await",),
    cst.Yield: ("Yield", "YieldFrom"),
    cst.Integer: ("Constant",),
    cst.Float: ("Constant",),
    cst.Imaginary: ("Constant",),
    cst.Ellipsis: ("Constant",),
    cst.SimpleString: ("Constant",),
    cst.ConcatenatedString: ("Constant", "JoinedStr"),
    cst.FormattedString: ("JoinedStr",),
}
EXPRESSIONS: tuple[type[cst.BaseExpression], ...] = (*_KINDS, cst.StarredElement)
"""The classes of nodes that can have a fact."""

# ``ast`` counts the brackets around these among the expression, libcst does not.
_WITH_BRACKETS = (cst.Tuple, cst.GeneratorExp)


class TensorFactProvider(BaseMetadataProvider[TensorFact]):
    """For each expression of a module, the `TensorFact` that synclint concluded about it.

    The facts come from the files themselves, by way of ``FullRepoManager``, as those of ``TypeInferenceProvider`` do:

        manager = FullRepoManager(root, ["train.py"], {TensorFactProvider})
        wrapper = manager.get_metadata_wrapper_for_path("train.py")
        facts = wrapper.resolve(TensorFactProvider)

    The files of a manager are analysed together: give all those that call one another. Where the module at hand is not
    what was analysed, as in the second pass of a codemod, its own text is analysed anew. What the analysis never came
    to has no fact: code that cannot run, names that are only assigned, type annotations. A module without a manager is
    given as ``MetadataWrapper(module, cache={TensorFactProvider: facts_of_text(text, path, [root])})``. Resolving it
    raises UnknownFactsError where the text is none that Python's parser, or ours for newer syntax, can read.
    """

    METADATA_DEPENDENCIES = (PositionProvider,)

    @classmethod
    def gen_cache(
        cls, root_path: Path, paths: list[str], timeout: int | None = None, **kwargs: object
    ) -> Mapping[str, object]:
        """The facts of files by the paths given, which count from ``root_path``; the timeout is not needed.

        A file that cannot be read or parsed keeps no other from its facts: if a module is made of it nevertheless, that
        one's text is analysed. Raises ConfigurationError for a configuration that is wrong.
        """
        files = {path: root_path / path for path in paths}
        found = facts_of_files(files.values(), root_path)
        return {path: found.get(file) or FileFacts(file, "", (root_path,)) for path, file in files.items()}

    def __init__(self, cache: object) -> None:
        super().__init__(cache)
        if not isinstance(cache, FileFacts):
            raise TypeError("TensorFactProvider takes the facts that FullRepoManager or facts_of_text gives")
        self._known = cache

    def _gen_impl(self, module: cst.Module) -> None:
        known = self._known
        text = module.code
        if text.removeprefix(_MARK) != known.source.removeprefix(_MARK):
            known = facts_of_text(text, known.path, known.roots)
        if not known.facts and not known.waits:
            return
        by_span: dict[Span, list[cst.BaseExpression]] = {}
        for node in self.metadata[PositionProvider]:
            if not isinstance(node, cst.BaseExpression):
                continue
            span = self._span_of(node)
            by_span.setdefault(span, []).append(node)
            for kind in _KINDS.get(type(node), ()):
                fact = known.facts.get(Key(span, kind))
                if fact is not None:
                    self.set_metadata(node, fact)
        for finding in known.waits:
            at = _node_at(finding, by_span)
            if at is not None:
                fact = self._fact_of(at, finding)
                self.set_metadata(at, replace(fact, waits=(*fact.waits, finding)))
        for finding in known.reported:
            at = _node_at(finding, by_span)
            if at is not None:
                fact = self._fact_of(at, finding)
                self.set_metadata(at, replace(fact, reported=(*fact.reported, finding)))

    def _fact_of(self, node: cst.CSTNode, finding: Finding) -> TensorFact:
        known = self._computed.get(node)
        return known if isinstance(known, TensorFact) else TensorFact(context=finding.context)

    def _span_of(self, node: cst.BaseExpression) -> Span:
        place = self.get_metadata(PositionProvider, node)
        start, end = place.start, place.end
        if isinstance(node, _WITH_BRACKETS) and node.lpar:
            start = self.get_metadata(PositionProvider, node.lpar[-1]).start
            end = self.get_metadata(PositionProvider, node.rpar[0]).end
        elif isinstance(node, cst.GeneratorExp):  # the only argument of a call, which has the brackets
            start, end = CodePosition(start.line, start.column - 1), CodePosition(end.line, end.column + 1)
        return Span(Position(start.line, start.column + 1), Position(end.line, end.column + 1))


def _node_at(finding: Finding, by_span: Mapping[Span, list[cst.BaseExpression]]) -> cst.BaseExpression | None:
    """The outermost expression that has the place of a finding, else the smallest around it.

    What has no expression of its own in libcst is the several indices of a subscript. Positions are recorded from the
    inside out: of expressions with one place the last is the outermost.
    """
    if finding.span in by_span:
        return by_span[finding.span][-1]
    around = [span for span in by_span if span.start <= finding.span.start and finding.span.end <= span.end]
    # Expressions are nested: of those around one place that which begins last, or ends first, is the smallest.
    smallest = max(around, key=lambda span: (span.start, -span.end.line, -span.end.column), default=None)
    return by_span[smallest][-1] if smallest is not None else None

