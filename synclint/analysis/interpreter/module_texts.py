"""What the text of a module tells of the functions in it: it is gone through once for all of them."""

from __future__ import annotations

from dataclasses import dataclass

from synclint.analysis.domain.values import ModuleRecord
from synclint.analysis.frequency import names
from synclint.analysis.frequency.step_words import mentions_steps


@dataclass(frozen=True)
class ModuleText:
    """What a module is there for, and which words its text has without which nothing of a kind stands in it.

    ``purpose`` is what its functions are for whoever calls them; ``of_functions`` and ``of_methods`` what its name says
    of those that nobody is known to call.
    """

    purpose: names.Named | None
    of_functions: names.Named | None
    of_methods: names.Named | None
    has_steps: bool
    has_sockets: bool
    saves: bool
    initializes: bool
    has_modules: bool


def read_text(module: ModuleRecord) -> ModuleText:
    """Read the text of a module."""
    source = module.source
    return ModuleText(
        purpose=names.of_module(module.name_in_project, source),
        of_functions=names.of_functions_in(module.name, source, is_method=False),
        of_methods=names.of_functions_in(module.name, source, is_method=True),
        has_steps=mentions_steps(source),
        has_sockets="socket" in source,
        saves="torch.save" in source,
        initializes="init." in source,
        has_modules="nn." in source,
    )
