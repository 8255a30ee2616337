"""The hand-written catalogue is well formed, and speaks of calls and parameters that PyTorch has."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synclint.analysis.objects.classes import OWN
from synclint.catalog.entries import MECHANISMS, PREDICATES, Condition, Entry, catalog_of, load_catalog
from synclint.catalog.tables import NAMES, catalog_tables
from synclint.catalog.torch_api import Overload, alternatives, items, load_torch_api
from synclint.findings import Confidence

CATALOG = load_catalog()
API = load_torch_api()

# Constructs that the interpreter recognises by itself; everything else is reached by a call.
SYNTAX = {
    "accelerate-loader-copy",
    "assert-condition",
    "boolean-operator",
    "broadcast-number",
    "builtin-any-all",
    "builtin-comparison",
    "chained-comparison",
    "condition",
    "containment",
    "copy-from-host",
    "copy-to-host",
    "cpu-mask-read",
    "cpu-mask-write",
    "distributed-inputs",
    "format-tensor",
    "host-index",
    "host-index-write",
    "host-tensor-write",
    "index-protocol",
    "index-write-number",
    "legacy-type-to-cpu",
    "lightning-loader-copy",
    "list-comparison",
    "log-tensor",
    "mask-read",
    "mask-update",
    "mask-write",
    "math-function",
    "mixed-mask-write",
    "number-conversion",
    "number-into-array",
    "numpy-of-device-tensor",
    "pinned-upload",
    "print-tensor",
    "scalar-index",
    "scalar-index-write",
    "scalar-mask-index",
    "scalar-mask-write",
    "single-element-write",
    "slice-bound",
    "tensor-as-number",
    "tensor-as-size",
    "tensor-from-tensors",
    "to-cpu",
    "unpinned-loader-copy",
    "unpinned-upload",
    "upload",
}
VOCABULARY = {
    *"xyvwnisfmbABpc",
    "cn",
    "cs",
    "cb",
    "pinned",
    "device",
    "torch",
    "F",
    "nn",
    "dist",
    "math",
    "np",
}
# Predicates that hold of an argument that is passed; the others hold of one that is not.
OF_ARGUMENTS = PREDICATES - {"absent", "not"}

each_entry = pytest.mark.parametrize("entry", CATALOG.entries, ids=lambda entry: entry.id)


def overloads_of(call: str) -> tuple[Overload, ...]:
    """The signatures of a call as the catalogue names it; none for what PyTorch does not have."""
    owner, _, name = call.rpartition(".")
    if owner == "Tensor":
        return API.method(name)
    known = API.class_(owner)
    if known is None:
        return API.function(call)
    return known.constructor if name == "__init__" else API.class_method(owner, name)


def parameters_of(call: str, entry: Entry) -> set[str]:
    """The names that conditions on this call may use."""
    names = {parameter.name for overload in overloads_of(call) for parameter in overload.parameters}
    if call.startswith("Tensor."):
        names.add("input")
    return names | set(entry.parameters)


def is_of_torch(call: str) -> bool:
    """Whether PyTorch's table should know the call; the writer of TensorBoard's files is a library's."""
    return call.startswith(("torch.", "Tensor.")) and not call.startswith("torch.utils.tensorboard.")


def clauses(entry: Entry) -> Iterator[Condition]:
    return (clause for group in entry.when for clause in group)


def test_syntax_constructs_are_the_entries_without_calls() -> None:
    without_calls = {entry.id for entry in CATALOG.entries if not entry.calls}
    # The calls of those about libraries are in summaries, one file for each library.
    assert {name for name in without_calls if not name.startswith("inner-")} == SYNTAX


@each_entry
def test_text_is_made_of_a_clause_and_of_sentences(entry: Entry) -> None:
    assert entry.summary and not entry.summary.endswith(".")
    assert entry.because.endswith(".") and entry.instead.endswith(".")
    assert entry.summary.count("`") % 2 == entry.because.count("`") % 2 == entry.instead.count("`") % 2 == 0


@each_entry
def test_fields_hold_known_words(entry: Entry) -> None:
    assert entry.mechanism in MECHANISMS
    assert entry.confidence in {level.value for level in Confidence}
    assert entry.id == entry.id.lower() and " " not in entry.id and "_" not in entry.id
    for release in (entry.since, entry.until):
        assert release is None or all(part.isdigit() for part in release.split("."))
    assert not set(entry.calls) & set(CATALOG.functions) or entry.library is not None


@each_entry
def test_calls_of_torch_exist(entry: Entry) -> None:
    assert [call for call in entry.calls if is_of_torch(call) and not overloads_of(call)] == []


@each_entry
def test_calls_of_libraries_name_known_classes_or_their_parameters(entry: Entry) -> None:
    for call in entry.calls:
        if not is_of_torch(call) and entry.when:
            assert entry.parameters, f"{call} has conditions, but its parameters are not named"


@each_entry
def test_conditions_name_parameters_of_the_calls(entry: Entry) -> None:
    names = {name for call in entry.calls for name in parameters_of(call, entry)} | {"self"}
    assert {clause.argument.partition(".")[0] for clause in clauses(entry)} <= names


@each_entry
def test_every_call_can_meet_its_conditions(entry: Entry) -> None:
    wanted = [
        {clause.argument for clause in group if clause.predicate in OF_ARGUMENTS and "." not in clause.argument}
        - {"self"}
        for group in entry.when
    ]
    for call in entry.calls:
        assert not wanted or any(names <= parameters_of(call, entry) for names in wanted), call


@each_entry
def test_conditions_on_constructors_name_their_parameters(entry: Entry) -> None:
    receivers = [API.class_(call.rpartition(".")[0]) for call in entry.calls if is_of_torch(call)]
    names = {
        parameter.name
        for receiver in receivers
        if receiver is not None
        for overload in receiver.constructor
        for parameter in overload.parameters
    }
    if names:
        used = {clause.argument.split(".")[1] for clause in clauses(entry) if "self." in clause.argument}
        assert used <= names


@each_entry
def test_subject_is_a_parameter_or_the_receiver(entry: Entry) -> None:
    names = {name for call in entry.calls for name in parameters_of(call, entry)}
    assert not entry.calls or entry.subject in names | {"self"}


@each_entry
def test_literals_in_conditions_are_python_literals(entry: Entry) -> None:
    for clause in clauses(entry):
        if clause.value is not None:
            ast.literal_eval(clause.value)


def test_functions_of_torch_stand_with_the_methods_of_the_same_name() -> None:
    missing = {
        f"{entry.id}: {other}"
        for entry in CATALOG.entries
        for call in entry.calls
        if call.count(".") == 1 and entry.id != "where-one-argument"  # a method has two arguments at least
        for other in _namesakes(call)
        if overloads_of(other) and other not in entry.calls
    }
    assert missing == set()


def _namesakes(call: str) -> Iterator[str]:
    owner, name = call.split(".")
    if owner not in ("torch", "Tensor"):
        return
    yield f"{'Tensor' if owner == 'torch' else 'torch'}.{name}"
    if not name.endswith("_"):
        yield f"{owner}.{name}_"


@each_entry
def test_cases_are_single_statements_over_the_vocabulary(entry: Entry) -> None:
    setup = ast.parse(entry.setup)
    known = VOCABULARY | _bound(setup) | set(dir(builtins))
    for line in (entry.case, *entry.free):
        if line is not None:
            tree = ast.parse(line)
            assert len(tree.body) == 1
            assert _used(tree) - _bound(tree) <= known
    assert _used(setup) - _bound(setup) <= VOCABULARY | set(dir(builtins))


def _used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(tree: ast.AST) -> set[str]:
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = {
        alias.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    return stored | imported


@each_entry
def test_a_case_and_its_near_misses_differ(entry: Entry) -> None:
    assert entry.case not in entry.free
    assert len(set(entry.free)) == len(entry.free)


def test_bases_of_library_classes_are_known() -> None:
    unknown = {
        base
        for known in CATALOG.classes.values()
        for base in known.bases
        if base not in CATALOG.classes and API.class_(base) is None
    }
    assert unknown == set()


def test_library_methods_that_wait_belong_to_known_classes() -> None:
    for entry in CATALOG.entries:
        for call in entry.calls:
            owner = call.rpartition(".")[0]
            if not is_of_torch(call) and owner.rpartition(".")[2][:1].isupper():
                assert owner in CATALOG.classes, call
                assert CATALOG.classes[owner].name == owner, f"{call}: entries use the first name of a class"


# Those of the table of torch, and what libraries give that is not where their arguments are.
KINDS = {"Tensor", "int", "count", "float", "bool", "str", "None", "any", "array", "device", "dtype", "number"}
KINDS |= {"HostTensor", "DeviceLoader", "torch.nn.Module"}


def test_kinds_of_library_results_are_known() -> None:
    kinds = [*CATALOG.functions.values()]
    for known in CATALOG.classes.values():
        kinds += [*known.methods.values(), *known.attributes.values()]
    unknown = {kind for kind in kinds for part in _leaves(kind) if part not in KINDS | {OWN} | set(CATALOG.classes)}
    assert unknown == set()


def _leaves(kind: str) -> Iterator[str]:
    for part in alternatives(kind):
        inner = items(part)
        if inner:
            for item in inner:
                yield from _leaves(item)
        else:
            yield part


WELL_FORMED: dict[str, Any] = {
    "id": "a", "mechanism": "explicit", "summary": "s", "because": "b", "instead": "i", "when": ["device input"],
}  # fmt: skip


def test_what_the_program_reads_is_what_the_files_say() -> None:
    script = Path(__file__).parent.parent / "scripts" / "generate_tables.py"
    checked = subprocess.run([sys.executable, script, "--check"], check=False)
    assert checked.returncode == 0, f"run `python scripts/{script.name}`"


def test_the_conditions_of_an_entry_are_alternatives() -> None:
    (entry,) = catalog_of({"sync/a.toml": {"entry": [WELL_FORMED]}}).entries
    assert entry.when == ((Condition("device", "input"),),)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([WELL_FORMED, WELL_FORMED], "catalogue id 'a' is defined twice"),
        ([{**WELL_FORMED, "mechanism": "magic"}], "sync/a.toml, entry a: unknown mechanism 'magic'"),
        ([{**WELL_FORMED, "colour": "red"}], "sync/a.toml, entry a: .*colour"),
        ([{**WELL_FORMED, "when": ["elsewhere input"]}], "sync/a.toml, entry a: .* is not a condition"),
    ],
)
def test_an_entry_that_is_not_well_formed_is_named(entries: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        catalog_of({"sync/a.toml": {"entry": entries}})


def test_a_clause_without_a_known_predicate_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a condition"):
        Condition.parse("elsewhere input")


def test_a_comparison_without_a_value_is_refused() -> None:
    with pytest.raises(ValueError, match="take a value"):
        Condition.parse("is dim")


def test_every_list_of_names_is_read() -> None:
    package = Path(__file__).parent.parent / "synclint"
    sources = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    asked_for = set(re.findall(r'(?:names_in|facts_of)\("([^"]+)", "([^"]+)"\)', sources))
    assert asked_for == {(section, key) for section, lists in catalog_tables()[NAMES].items() for key in lists}
