"""What calls ask for on something unknown, and what methods take, as the source has it."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.models.method_names import may_be_meant
from synclint.analysis.results.signatures import Asked, Signature
from synclint.analysis.state.call_sites import CallSite

# What stands in front of a name in these modules leaves a function with the parameters that it has.
_KEEPING = frozenset({"abc", "contextlib", "functools", "torch", "typing", "typing_extensions"})
_KEEPING_NAMES = frozenset({"staticmethod", "classmethod", "abstractmethod", "override", "contextmanager"})


def asked_by(name: str, site: CallSite) -> Asked:
    """What a call on something unknown asks for; one that names the method in a text may give it anything."""
    if site.is_certain or not isinstance(site.node, ast.Call):
        return Asked(name)
    telling = () if may_be_meant(name) else tuple(filter(may_be_meant, site.beside.anywhere))
    return _given(name, site.node)._replace(beside=site.beside.always, telling=telling)


def given_to(method: FunctionRecord, node: ast.AST) -> Asked | None:
    """What a call gives a method that takes any more, while those in its place may not; None where nobody knows."""
    if method.owner is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    is_open = any(one.kind in ("*", "**") for one in method.parameters)
    return _given(method.name, node) if is_open and node.func.attr == method.name else None


def _given(name: str, node: ast.Call) -> Asked:
    written = tuple(sorted(keyword.arg for keyword in node.keywords if keyword.arg is not None))
    by_position = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    is_open = len(by_position) < len(node.args) or len(written) < len(node.keywords)
    return Asked(name, len(by_position), written, is_open)


def signature_of(record: FunctionRecord) -> Signature | None:
    """What a method takes besides its object; None where a decorator of unknown kind may take something else."""
    return taken_by(record) if record.owner is not None else None


def taken_by(record: FunctionRecord) -> Signature | None:
    """The same of any function."""
    if not all(map(_keeps_parameters, record.decorators)):
        return None
    if len(record.decorators) < len(record.decorator_nodes):
        return None
    taken = record.parameters if record.receiver is None else record.parameters[1:]
    return Signature(
        tuple(one.name for one in taken if one.kind == "positional"),
        tuple(one.name for one in taken if one.kind == "keyword"),
        tuple(one.name for one in taken if one.kind in ("positional", "keyword") and one.default is None),
        any(one.kind == "*" for one in record.parameters),
        any(one.kind == "**" for one in record.parameters),
    )


def _keeps_parameters(decorator: str) -> bool:
    return decorator in _KEEPING_NAMES or decorator.partition(".")[0] in _KEEPING
