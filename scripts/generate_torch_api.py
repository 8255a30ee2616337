"""Write `synclint/catalog/torch_api.json` from the torch that is installed.

    python scripts/generate_torch_api.py            # after installing another version of torch
    python scripts/generate_torch_api.py --check    # does the file say what the installed torch says?

Stubs come first, for they tell overloads apart; what they leave out is read from Python sources, docstrings
and the schemas of operators. What none of them says stands in `torch_api_supplement.toml`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy
import torch
from torch_api_classes import class_row
from torch_api_public import SUPPLEMENT, TORCH, Member, PublicInterface
from torch_api_sources import (
    ANYTHING,
    Definition,
    Overload,
    annotated_names,
    classes,
    definitions,
    documented_result,
    of_nodes,
    of_python_function,
    of_schemas,
    of_signatures,
    syntax,
    with_defaults,
)

TABLE = Path(__file__).resolve().parent.parent / "synclint" / "catalog" / "torch_api.json"

STUBS = {
    "torch": ("_C/__init__.pyi", "_C/_VariableFunctions.pyi"),
    "torch.nn.functional": ("_C/_nn.pyi", "nn/functional.pyi"),
}
"""By module: the stubs that declare what is built into it; a later one has the last word."""


BUILTINS = (list, dict, str, int, float, complex, set, tuple, bytes)
OTHERS_THAN_TENSORS = (*BUILTINS, numpy.ndarray, torch.nn.Module, torch.Size)


def functions(interface: PublicInterface) -> dict[str, list[Overload]]:
    """The public functions of every public module."""
    resolve = interface.resolve_in_stubs()
    stubs = {
        module: definitions([node for path in paths for node in syntax(TORCH / path).body])
        for module, paths in STUBS.items()
    }
    table: dict[str, list[Overload]] = {}
    for public, value in interface.functions.items():
        module, _, name = public.rpartition(".")
        nodes: Iterable[Definition] = stubs.get(module, {}).get(name, ())
        overloads = of_nodes(nodes, resolve) or _beyond_stubs(interface, value)
        table[public] = with_defaults(overloads, _defaults(value))
    _share_between_names(interface, table)
    for public, signatures in SUPPLEMENT["functions"].items():
        table[public] = of_signatures(signatures, resolve)
    return {name: overloads or [ANYTHING] for name, overloads in table.items()}


def _beyond_stubs(interface: PublicInterface, value: Member) -> list[Overload]:
    target = inspect.unwrap(value) if isinstance(value, FunctionType) else value
    if isinstance(target, FunctionType):
        return of_python_function(value, interface.resolve_in(target.__globals__))
    if overloads := of_schemas(getattr(value, "__name__", "")):
        return overloads
    documented = documented_result(getattr(value, "__doc__", None))
    return [] if documented == "any" else [[ANYTHING[0], documented]]


def _defaults(value: Member) -> dict[str, str]:
    """The defaults of a function, which stubs tend to leave out."""
    if isinstance(value, FunctionType):
        return {
            parameter.name: repr(parameter.default)
            for parameter in inspect.signature(value).parameters.values()
            if isinstance(parameter.default, (int, float, str, type(None)))
        }
    rows = [row for parameters, _ in of_schemas(getattr(value, "__name__", "")) for row in parameters]
    return {row[0]: row[2] for row in rows if len(row) == 3}


def _share_between_names(interface: PublicInterface, table: dict[str, list[Overload]]) -> None:
    """A built-in function has one set of overloads by whichever of its names a stub declares it."""
    known = {id(interface.functions[name]): overloads for name, overloads in table.items() if overloads}
    for name, value in interface.functions.items():
        table[name] = table[name] or known.get(id(value), [])


def tensor_members(interface: PublicInterface) -> tuple[dict[str, list[Overload]], dict[str, str]]:
    """The methods of `Tensor`, and its properties."""
    resolve = interface.resolve_in_stubs("Tensor")
    stub = classes(syntax(TORCH / "_C" / "__init__.pyi").body)["TensorBase"].body
    source = classes(syntax(TORCH / "_tensor.py").body)["Tensor"].body
    properties = {
        **annotated_names(stub, resolve),
        **annotated_names(source, resolve),
        **SUPPLEMENT["properties"],
    }
    methods = {name: of_nodes(nodes, resolve, bound=True) for name, nodes in definitions(stub).items()}
    for name, nodes in definitions(source).items():
        overloads = of_nodes(nodes, resolve, bound=True)
        if name not in methods or all(returns != "any" for _, returns in overloads):
            methods[name] = overloads
    for name, signatures in SUPPLEMENT["methods"].items():
        methods[name] = of_signatures(signatures, resolve)
    return (
        {name: methods[name] for name in methods if name not in properties and _is_method_of_interest(name)},
        {name: properties[name] for name in properties if not name.startswith("_")},
    )


def _is_method_of_interest(name: str) -> bool:
    if not name.startswith("_"):
        return True
    if name in SUPPLEMENT["private-methods-but-used"]:
        return True
    return name.startswith("__") and name not in SUPPLEMENT["special-methods-of-no-interest"]


def tensor_only(names: Iterable[str]) -> list[str]:
    """The names that tell a tensor from anything else that code with tensors is likely to hold."""
    elsewhere = {name for group in SUPPLEMENT["not-only-tensors"].values() for name in group}
    elsewhere.update(*(dir(other) for other in OTHERS_THAN_TENSORS))
    return sorted(name for name in names if not name.startswith("_") and name not in elsewhere)


def generate() -> dict[str, Any]:
    """The table, as JSON has it."""
    interface = PublicInterface()
    function_table = functions(interface)
    methods, properties = tensor_members(interface)
    members = sorted([*methods, *properties])
    return {
        "torch": torch.__version__.partition("+")[0],
        "functions": function_table,
        "methods": methods,
        "properties": properties,
        "classes": {name: class_row(interface, name, cls) for name, cls in interface.classes.items()},
        "aliases": interface.aliases,
        "namespaces": SUPPLEMENT["namespaces"],
        "numpy_shared": [name for name in members if hasattr(numpy.ndarray, name)],
        "tensor_only": tensor_only(members),
    }


def render(table: Mapping[str, Any]) -> str:
    """The table as text: one line an entry, so that the differences between versions of torch can be read."""

    def compact(value: object) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    sections = []
    for section, content in table.items():
        if isinstance(content, dict):
            lines = ",\n".join(f"{compact(name)}:{compact(content[name])}" for name in sorted(content))
            sections.append(f"{compact(section)}:{{\n{lines}\n}}")
        else:
            sections.append(f"{compact(section)}:{compact(content)}")
    return "{" + ",\n".join(sections) + "}\n"


def main() -> int:
    """Write the table, or with `--check` compare it; 1 if it differs."""
    parser = argparse.ArgumentParser(description="Write synclint/catalog/torch_api.json from the installed torch.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file is out of date")
    arguments = parser.parse_args()
    text = render(generate())
    if not arguments.check:
        TABLE.write_text(text, encoding="utf-8")
    elif TABLE.read_text(encoding="utf-8") != text:
        print(f"{TABLE} does not say what torch {torch.__version__} does: run this script again without --check")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
