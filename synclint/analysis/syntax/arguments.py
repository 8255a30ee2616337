"""The arguments of a call as they stand in the source."""

from __future__ import annotations

import ast


def argument_nodes(call: ast.Call) -> list[ast.expr]:
    """The expressions that a call is given, without stars and names, the positional ones first."""
    positional = [node.value if isinstance(node, ast.Starred) else node for node in call.args]
    return positional + [keyword.value for keyword in call.keywords]


def argument_node(call: ast.Call, index: int = 0) -> ast.expr:
    """One of the expressions that a call is given; the call itself where it is given fewer."""
    given = argument_nodes(call)
    return given[index] if len(given) > index else call
