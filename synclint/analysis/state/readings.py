"""What the source was found to say of how often code runs: bodies run several times, their text is read once."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import NamedTuple

from synclint.analysis.results.facts import Need
from synclint.analysis.state.usage import NameUses
from synclint.findings import Phase


class Said(NamedTuple):
    """The phase of the code behind a test, and why."""

    runs: Phase
    reason: str


class Flag(NamedTuple):
    """What is true or false by an ``option`` of a command line, and what it is where nobody sets that."""

    option: str
    usual: bool


@dataclass
class Readings:
    """What tests say by their words (``seldom``), which of them are cache misses (``misses``), and which calls their
    branches need (``needs``).

    ``made`` are the names to which a function gives objects that it makes, ``looked_up`` the containers in which it
    looks up what it gives names, ``questioned`` the names of which it asks whether they are tensors, ``trained`` the
    models that it puts into training mode, ``carried`` the names that a round of a loop may have from the one before,
    ``captured`` those that functions within a function may read. ``setting`` tells whether a loop gives names to
    attributes, ``batches`` whether what it goes through gives batches, and ``told`` what lambdas tell of names.
    ``flags`` are those of a script's command line, ``libraries`` those that a function mentions.
    """

    seldom: dict[ast.expr, Said | None] = field(default_factory=dict)
    misses: dict[tuple[ast.AST, bool, int], bool] = field(default_factory=dict)
    needs: dict[tuple[ast.AST, bool], Need | None] = field(default_factory=dict)
    made: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    looked_up: dict[ast.AST, dict[str, ast.expr]] = field(default_factory=dict)
    questioned: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    trained: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    carried: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    captured: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    setting: dict[ast.AST, bool] = field(default_factory=dict)
    batches: dict[ast.AST, bool] = field(default_factory=dict)
    told: dict[ast.AST, NameUses] = field(default_factory=dict)
    flags: dict[ast.AST, dict[str, Flag]] = field(default_factory=dict)
    libraries: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
