"""Flags of the command line that are off unless somebody gives them: ``--compile``, ``action="store_true"``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from synclint.analysis.domain.command_lines import ARGUMENTS
from synclint.analysis.domain.values import Instance, ModuleRecord, options
from synclint.analysis.program.text_facts import module_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk


class Flag(NamedTuple):
    """What is true or false by an ``option`` of a command line, and what it is where nobody sets that."""

    option: str
    usual: bool


def given_on_command_line(test: ast.Attribute, taken: bool, frame: Frame) -> str | None:
    """The flag without which a test of what a parser has read does not come out so, whichever file made the parser."""
    if dotted_name(test.value) is None:
        return None
    read = [one for one in options(frame.engine.evaluate(test.value, frame)) if isinstance(one, Instance)]
    made_in = {one.made.module for one in read if one.name == ARGUMENTS and one.made is not None}
    flags = [flags_of(module).get(test.attr) for module in made_in if module is not None]
    is_asked_for = bool(flags) and all(flag is not None and flag.usual is not taken for flag in flags)
    return next((flag.option for flag in flags if flag is not None), None) if is_asked_for else None


@module_fact
def flags_of(module: ModuleRecord) -> dict[str, Flag]:
    """The flags of the command line that a module reads, and what is said of them otherwise, by their names."""
    return dict(_read(module.tree)) if module.reads_command_line else {}


def _read(tree: ast.Module) -> Iterator[tuple[str, Flag]]:
    flags: dict[str, Flag] = {}
    set_later: set[str] = set()
    for node in walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "add_argument" and (name := _off_unless_given(node)) is not None:
            flags[name] = Flag(name, usual=False)
        elif node.func.attr == "set_defaults":  # `parser.set_defaults(pin_mem=True)`
            set_later.update(one.arg for one in node.keywords if one.arg is not None and not _is_false(one.value))
    for name in set_later & flags.keys():
        del flags[name]
    yield from flags.items()
    for node in walk(tree):
        # `args.prefetcher = not args.no_prefetcher`
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.UnaryOp) and isinstance(node.value.op, ast.Not):
            given = node.value.operand
            if isinstance(given, ast.Attribute) and given.attr in flags:
                turned = Flag(given.attr, usual=True)
                yield from ((target.attr, turned) for target in node.targets if isinstance(target, ast.Attribute))


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _off_unless_given(call: ast.Call) -> str | None:
    """The name of the option that a call adds to a parser, if it is off unless somebody asks for it.

    That is what ``action="store_true"`` makes of it, or ``default=False``, whatever turns the text that is given into
    a value (``type=str2bool``), and ``argparse.BooleanOptionalAction`` as well.
    """
    said = {keyword.arg: keyword.value.value for keyword in call.keywords if isinstance(keyword.value, ast.Constant)}
    is_flag = said.get("action") == "store_true"
    is_off = said.get("default") is False or (is_flag and not said.get("default"))
    if not is_off or not (is_flag or "action" not in said):
        return None
    names = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    long = next((name for name in names if name.startswith("--")), None)
    given = said.get("dest") or (long.removeprefix("--").replace("-", "_") if long is not None else None)
    return given if isinstance(given, str) else None
