"""What the source was found to say of how often code runs: bodies run several times, their text is read once."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from synclint.analysis.domain.values import ModuleRecord
from synclint.analysis.state.control_context import Condition
from synclint.analysis.state.usage import NameUses, Uploads
from synclint.analysis.syntax.asked_together import AskedBeside
from synclint.findings import Phase


class GuardedPhase(NamedTuple):
    """The phase of the code behind a test, why, and which of the loops around it is the one whose rounds it counts."""

    runs: Phase
    reason: str
    counts: int = 0


class Modes(NamedTuple):
    """The models that a function puts into training mode, and the statements that set evaluation mode in passing."""

    trained: frozenset[str]
    passing: frozenset[ast.stmt]


@dataclass
class Readings:
    """Which tests are cache misses (``misses``), what they find missing (``missing``), which calls their branches need
    (``needs``), and which options.

    ``branches`` are what the text of an ``if`` says of each of its branches, ``steps`` whether that trains,
    ``called`` the names of the functions that one calls, ``calls`` those in a statement of one, ``tested`` the
    names that are operands of a test. ``made`` are the names to which a function gives objects that it makes,
    ``looked_up`` the containers in which it looks up what it gives names, ``for_host`` whether it is one for the
    CPU, by the name of its class, ``modes`` the modes that it puts models into, ``carried`` the names that a round
    of a loop may have from the one before, ``captured`` those that functions within a function may read,
    ``increased`` those that a loop increases, ``given`` those that they give any value, and where that adds
    nothing, ``growing`` the containers into which they put items, ``leaving`` those by which they end. ``setting``
    tells whether a loop gives names to attributes, ``batches`` whether what it goes through gives batches,
    ``moving`` which calls bring each item of a container somewhere, and of the containers in it, and ``name_uses``
    how lambdas use names. ``exchanges`` are what loops and functions bring to and from simulated environments,
    ``ends`` what is true in them where an episode has ended, ``environment`` what is read from the environment by
    the names that it is given, ``library_bases`` what is known of classes elsewhere. ``libraries`` are those that a
    module imports, ``with_item`` tells whether it has classes with a method ``item``; both beside the number of
    names that the module had by then. ``mentioned_libraries`` are those that a function mentions. ``uploads`` are
    what a function hands to the device later, ``returned`` the targets that it binds to what it returns,
    ``gpu_switches`` those that are true on a GPU, ``asked`` for which methods it asks one thing together.
    """

    misses: dict[tuple[ast.AST, bool, int], bool] = field(default_factory=dict)
    missing: dict[tuple[ast.AST, bool], tuple[str, ...]] = field(default_factory=dict)
    needs: dict[tuple[ast.AST, bool], Condition | None] = field(default_factory=dict)
    options: dict[tuple[ast.AST, bool], str | None] = field(default_factory=dict)
    branches: dict[tuple[ast.AST, bool], GuardedPhase | None] = field(default_factory=dict)
    steps: dict[tuple[ast.AST, bool], bool] = field(default_factory=dict)
    tested: dict[ast.expr, tuple[str, ...]] = field(default_factory=dict)
    called: dict[tuple[ast.AST, bool], tuple[str, ...]] = field(default_factory=dict)
    calls: dict[ast.stmt, tuple[ast.Call, ...]] = field(default_factory=dict)
    made: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    looked_up: dict[ast.AST, dict[str, ast.expr]] = field(default_factory=dict)
    for_host: dict[ast.AST, bool] = field(default_factory=dict)
    modes: dict[ast.AST, Modes] = field(default_factory=dict)
    carried: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    captured: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    leaving: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    growing: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    increased: dict[ast.AST, Mapping[str, bool]] = field(default_factory=dict)
    given: dict[ast.AST, Mapping[str, frozenset[ast.AST]]] = field(default_factory=dict)
    setting: dict[ast.AST, bool] = field(default_factory=dict)
    batches: dict[ast.AST, bool] = field(default_factory=dict)
    moving: dict[ast.AST, tuple[ast.Call | None, ast.Call | None]] = field(default_factory=dict)
    name_uses: dict[ast.AST, NameUses] = field(default_factory=dict)
    uploads: dict[ast.AST, Uploads] = field(default_factory=dict)
    returned: dict[ast.AST, frozenset[ast.AST]] = field(default_factory=dict)
    gpu_switches: dict[ast.AST, frozenset[ast.expr]] = field(default_factory=dict)
    asked: dict[ast.AST, Mapping[ast.Call, AskedBeside]] = field(default_factory=dict)
    exchanges: dict[ast.AST, Mapping[ast.stmt, str]] = field(default_factory=dict)
    ends: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    environment: dict[ast.AST, dict[str, ast.expr]] = field(default_factory=dict)
    library_bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    libraries: dict[ModuleRecord, tuple[int, frozenset[str]]] = field(default_factory=dict)
    mentioned_libraries: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    with_item: dict[ModuleRecord, tuple[int, bool]] = field(default_factory=dict)
