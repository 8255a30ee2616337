"""What an attribute holds is what has been written there last, however often it has been asked before."""

from __future__ import annotations

import ast
from pathlib import Path

from synclint.analysis.domain.values import NOTHING, STRING, ClassRecord, ModuleRecord, Tensor
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.runs import Run
from synclint.sources.kept_texts import kept

MODULE = ModuleRecord("m", Path("m.py"), Path("m.py"), ast.parse(""), kept(""), Path(), lambda: True, "m")


def class_of(name: str, *bases: ClassRecord) -> ClassRecord:
    node = ast.parse(f"class {name}: pass").body[0]
    assert isinstance(node, ast.ClassDef)
    return ClassRecord(name, name, MODULE, node, bases)


def test_a_subclass_holds_what_is_written_by_way_of_its_base_later() -> None:
    base = class_of("Base")
    derived = class_of("Derived", base)
    fields, run, other = Fields(), Run(None, MODULE, {}), Run(None, MODULE, {})
    assert fields.held(derived, "mask") is None
    fields.write(base, "mask", NOTHING, run)
    assert fields.held(derived, "mask") == NOTHING
    fields.write(derived, "mask", Tensor(), other)
    held = fields.held(derived, "mask")
    assert held is not None
    assert held not in (NOTHING, Tensor())
    assert fields.held(base, "mask") == NOTHING


def test_what_is_taken_back_is_held_no_longer() -> None:
    base = class_of("Base")
    derived = class_of("Derived", base)
    fields, run, other = Fields(), Run(None, MODULE, {}), Run(None, MODULE, {})
    fields.write(base, "mask", STRING, run)
    fields.write(base, "mask", Tensor(), other)
    assert fields.held(derived, "mask") not in (STRING, Tensor())
    fields.retract(other)
    assert fields.held(derived, "mask") == STRING
    fields.retract(run)
    assert fields.held(derived, "mask") is None
