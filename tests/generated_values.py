"""Abstract values for property-based tests: of every kind, with classes and functions of one small module."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from synclint.analysis.domain.containers import as_part
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.paces import CLOCK, COUNT, FALSE, FIRST, LAST, REMAINDER, TRUE
from synclint.analysis.domain.values import (
    ANY_OBJECT,
    ANYTHING,
    NEVER,
    NOTHING,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    ModuleRecord,
    Pace,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Value,
)
from synclint.analysis.project import ProjectAnalysis
from synclint.findings import Confidence

_PACES_OF_NUMBERS = (COUNT, CLOCK, Pace(REMAINDER, "10"), Pace(REMAINDER, "20"), Pace(REMAINDER))
_PACES_OF_BOOLEANS = tuple(Pace(kind, when) for kind in (TRUE, FALSE) for when in ("", FIRST, LAST))

_HIERARCHY = """
class Root: pass
class Left(Root): pass
class Right(Root): pass
class Both(Left, Right): pass
class Lower(Both): pass
class Leaf1(Left): pass
class Leaf2(Left): pass
class Leaf3(Left): pass
class Leaf4(Right): pass
class Leaf5(Root): pass
class Alone: pass
class Other: pass
def one(x): return x
def two(x): return x
"""


@functools.cache
def hierarchy() -> ModuleRecord:
    """The module with the classes and functions of which values are made."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hierarchy.py"
        path.write_text(_HIERARCHY, encoding="utf-8")
        project = ProjectAnalysis([Path(folder)])
        project.check(path, _HIERARCHY)
        module = project.module("hierarchy")
        assert module is not None
        return module


@functools.cache
def _records() -> tuple[tuple[ClassValue, ...], tuple[FunctionValue, ...]]:
    found = hierarchy().scope.values()
    classes = tuple(value for value in found if isinstance(value, ClassValue))
    functions = tuple(value for value in found if isinstance(value, FunctionValue))
    assert (len(classes), len(functions)) == (12, 2)
    return classes, functions


def _instances(parts: SearchStrategy[Value]) -> SearchStrategy[Value]:
    classes, _ = _records()
    fields = st.dictionaries(st.sampled_from("xy"), parts, max_size=2)
    return st.builds(
        lambda made, given: Instance(made.record.qualified_name, made.record, tuple(sorted(given.items()))),
        st.sampled_from(classes),
        fields,
    )


def tensors() -> SearchStrategy[Tensor]:
    """Tensors of every device, element type, rank and trust."""
    return st.builds(
        Tensor,
        st.sampled_from(Device),
        st.sampled_from(DType),
        st.sampled_from((None, 0, 1, 2)),
        st.sampled_from(Confidence),
        st.sampled_from((None, False, True)),
        is_empty=st.booleans(),
    )


def _leaves() -> SearchStrategy[Value]:
    classes, functions = _records()
    return st.one_of(
        tensors(),
        st.sampled_from((UNKNOWN, NOTHING, NEVER, ANY_OBJECT, ANYTHING)),
        st.builds(Scalar, st.just("int"), st.sampled_from((None, 1, 2))),
        st.builds(Scalar, st.just("bool"), st.sampled_from((None, True, False))),
        st.builds(Scalar, st.sampled_from(("float", "number"))),
        st.builds(Scalar, st.sampled_from(("int", "number")), pace=st.sampled_from(_PACES_OF_NUMBERS)),
        st.builds(Scalar, st.just("bool"), pace=st.sampled_from(_PACES_OF_BOOLEANS)),
        st.sampled_from((Text(), Text("a"), Text("b"), Text(None, ("a", "b")), Text(None, ("c",)))),
        st.builds(Array, st.sampled_from(DType), st.sampled_from((None, 0, 1))),
        st.builds(DeviceName, st.sampled_from(Device)),
        st.builds(DTypeName, st.sampled_from(DType)),
        st.builds(Symbol, st.sampled_from([f"library.name{number}" for number in range(9)])),
        st.builds(ProjectModule, st.sampled_from(("first", "second"))),
        st.sampled_from(classes),
        st.sampled_from(functions),
        st.builds(Instance, st.sampled_from(("library.Outside", "library.Foreign"))),
    )


def _containers(parts: SearchStrategy[Value]) -> SearchStrategy[Value]:
    parts = parts.map(as_part)
    several = st.lists(parts, max_size=3).map(tuple)
    kinds = st.sampled_from(("list", "tuple"))
    _, functions = _records()
    return st.one_of(
        st.builds(Sequence, kinds, several),
        st.builds(Sequence, kinds, st.none(), parts, several),
        st.builds(
            lambda entries, element: Mapping(tuple(entries.items()), element),
            st.dictionaries(st.sampled_from("abcd"), parts, max_size=3),
            parts,
        ),
        _instances(parts),
        st.builds(BoundMethod, parts, st.sampled_from(("sum", "item"))),
        st.builds(lambda function, bound: FunctionValue(function.record, bound), st.sampled_from(functions), parts),
        st.lists(parts, min_size=2, max_size=9).map(join_all),
    )


def values() -> SearchStrategy[Value]:
    """Values of every kind, alone and as alternatives, containers nested in one another."""
    return st.recursive(_leaves(), _containers, max_leaves=8)


def objects() -> SearchStrategy[Value]:
    """Objects of the classes of the module, alone."""
    return _instances(st.just(NOTHING))
