"""Methods that a call names in a text: ``executor.broadcast("run_step", batch)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.calls.written_arguments import positional_names, told_arguments
from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.program.heads import Parameter
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.selectors import name_looked_up
from synclint.analysis.syntax.walk import dotted_name, walk


def methods_named(record: FunctionRecord, node: ast.AST) -> Iterable[str]:
    """The texts that a call of a function gives for parameters which take a function or the name of a method."""
    if not isinstance(node, ast.Call):
        return ()
    for argument in node.args:
        if type(argument) is ast.Constant and _text(argument) is not None:
            return _named(record, node)
    for keyword in node.keywords:
        if type(keyword.value) is ast.Constant and _text(keyword.value) is not None:
            return _named(record, node)
    return ()


def _named(record: FunctionRecord, node: ast.Call) -> Iterator[str]:
    written = told_arguments(node, positional_names(record))
    for parameter in record.parameters:
        text = _text(written.get(parameter.name))
        if text is not None and _takes_a_method(record, parameter):
            yield text


def _text(node: ast.expr | None) -> str | None:
    """A text that may be the name of something."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        return node.value
    return None


def _takes_a_method(record: FunctionRecord, parameter: Parameter) -> bool:
    """Whether a parameter is declared as a function or a text, or names what is looked up in an object."""
    if parameter.annotation is not None:
        names = {dotted_name(part) for part in walk(parameter.annotation)}
        if "str" in names and not names.isdisjoint(_FUNCTIONS):
            return True
    return parameter.name in _looked_up(record)


@text_fact
def _looked_up(record: FunctionRecord) -> frozenset[str]:
    """The parameters that name what a function looks up in an object."""
    looked_up = set(map(name_looked_up, record.nodes.of(ast.Call)))
    return frozenset(one.name for one in record.parameters if one.name in looked_up)


_FUNCTIONS = frozenset({"Callable", "typing.Callable", "collections.abc.Callable", "t.Callable", "abc.Callable"})
