"""Write `synclint/catalog/torch_api.json` from the torch that is installed.

    python scripts/generate_torch_api.py            # after installing another version of torch
    python scripts/generate_torch_api.py --check    # does the file say what the installed torch says?

Stubs come first, for they tell overloads apart; what they leave out is read from Python sources, from the schemas of
operators and from docstrings, in that order. What none of them says stands in `torch_api_supplement.toml`.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy
import torch
from torch_api_kinds import Resolve
from torch_api_sources import (
    Definition,
    Overload,
    annotated_names,
    classes,
    definitions,
    documented_result,
    is_property,
    mentions_dimension_names,
    of_python_function,
    of_schemas,
    overload_of,
    resolver,
    syntax,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
TABLE = HERE.parent / "synclint" / "catalog" / "torch_api.json"
SUPPLEMENT = tomllib.loads((HERE / "torch_api_supplement.toml").read_text(encoding="utf-8"))
TORCH = Path(torch.__file__).parent
STUB = syntax(TORCH / "_C" / "__init__.pyi")

PRIVATE_BUT_USED = ("_foreach_", "_assert", "_weight_norm", "_standard_gamma", "_grouped_mm", "_scaled_mm")
"""Prefixes of underscored functions of `torch` that optimizers and libraries call nonetheless."""

SPECIAL_BASES = frozenset({"object", "Generic", "ABC", "Protocol", "Enum", "tuple", "dict", "list"})


def is_public(name: str) -> bool:
    """Whether a name of `torch` belongs in the table."""
    return not name.startswith("_") or name.startswith(PRIVATE_BUT_USED)


class Interface:
    """The public interface of the installed torch, as far as importing its public modules shows it."""

    def __init__(self) -> None:
        self.modules: list[ModuleType] = [
            module for name in SUPPLEMENT["modules"] if (module := _import(name)) is not None
        ]
        self.class_names: dict[int, str] = {}
        self.public_classes: dict[str, type] = {}
        self.aliases: dict[str, str] = dict(SUPPLEMENT["aliases"])
        for module in self.modules:
            for name, value in _public_members(module):
                if _is_class(value):
                    self._name_class(f"{module.__name__}.{name}", value)

    def _name_class(self, name: str, value: Any) -> None:
        known = self.class_names.setdefault(id(value), name)
        if known == name:
            self.public_classes[name] = value
        else:
            self.aliases[name] = known
        defined = f"{value.__module__}.{value.__qualname__}"
        if defined != known and defined.startswith("torch."):
            self.aliases[defined] = known

    def class_name(self, value: Any) -> str | None:
        """The public name of a class, of `Tensor` its kind, nothing for a class that is not public."""
        if value is torch.Tensor:
            return "Tensor"
        return self.class_names.get(id(value))

    def resolve_in(self, namespace: Mapping[str, Any], self_type: str | None = None) -> Resolve:
        """Resolve annotations as code with this namespace, in a class of kind `self_type`, would."""
        inner = resolver(namespace, self.class_name)

        def resolve(name: str) -> str | ast.expr | None:
            return self_type if name.rpartition(".")[2] == "Self" and self_type else inner(name)

        return resolve


def _import(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _is_class(value: Any) -> bool:
    return inspect.isclass(value) or type(value).__name__ == "tensortype"


def _is_function(value: Any) -> bool:
    return inspect.isroutine(value) and not inspect.isclass(value)


def _public_members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module offers: what it lists in `__all__`, else what is defined in it or built in."""
    listed = frozenset(getattr(module, "__all__", ()))
    for name in sorted(vars(module)):
        value = vars(module)[name]
        if f"{module.__name__}.{name}" in SUPPLEMENT["not-offered"] or not (_is_class(value) or _is_function(value)):
            continue
        if module is torch:
            offered = is_public(name) and _defining_module(value).startswith("torch")
        else:
            home = _defining_module(value)
            own = home == module.__name__ or home.startswith((f"{module.__name__}.", "torch._C"))
            offered = not name.startswith("_") and (name in listed or (not listed and (own or not home)))
        if offered:
            yield name, value


def _defining_module(value: Any) -> str:
    if _is_class(value) and type(value).__name__ == "tensortype":
        return "torch"
    home = getattr(value, "__module__", None)
    if home is None and inspect.isbuiltin(value):
        return "torch._C"
    return home or ""


def _return_types() -> dict[str, ast.expr]:
    """`torch.return_types.max` and the like, as the tuples they are."""
    found = {}
    for name, node in classes(syntax(TORCH / "return_types.pyi").body).items():
        found[f"torch.return_types.{name}"] = node.bases[0]
    return found


def _stub_resolver(interface: Interface, self_type: str | None = None) -> Resolve:
    return_types = _return_types()
    inner = interface.resolve_in({**vars(torch), "torch": torch}, self_type)

    def resolve(name: str) -> str | ast.expr | None:
        return return_types.get(name) or inner(name)

    return resolve


def _unique(overloads: Iterable[Overload]) -> list[Overload]:
    kept: list[Overload] = []
    for overload in overloads:
        if overload not in kept and not mentions_dimension_names(overload):
            kept.append(overload)
    return kept


def _of_nodes(nodes: Iterable[Definition], resolve: Resolve, *, bound: bool = False) -> list[Overload]:
    overloads = []
    for node in nodes:
        overload = overload_of(node, resolve, bound=bound)
        if node.returns is None:
            overload[1] = documented_result(ast.get_docstring(node))
        overloads.append(overload)
    return _unique(overloads)


def _supplied(signatures: Iterable[str], resolve: Resolve, *, bound: bool = False) -> list[Overload]:
    """The overloads of signatures written as `(input: Tensor) -> Tensor`; `bound` ones have no receiver to leave out."""
    nodes = [ast.parse(f"def f{signature}: ...").body[0] for signature in signatures]
    return [overload_of(node, resolve) for node in nodes if isinstance(node, ast.FunctionDef)]


def functions(interface: Interface) -> dict[str, list[Overload]]:
    """The public functions of every public module."""
    resolve = _stub_resolver(interface)
    stubs = {
        "torch": definitions([*STUB.body, *syntax(TORCH / "_C" / "_VariableFunctions.pyi").body]),
        "torch.nn.functional": definitions(
            [*syntax(TORCH / "_C" / "_nn.pyi").body, *syntax(TORCH / "nn" / "functional.pyi").body]
        ),
    }
    table: dict[str, list[Overload]] = {}
    by_identity: dict[int, str] = {}
    for module in interface.modules:
        for name, value in _public_members(module):
            if not _is_function(value):
                continue
            public = f"{module.__name__}.{name}"
            by_identity.setdefault(id(value), public)
            nodes = stubs.get(module.__name__, {}).get(name, [])
            table[public] = _of_nodes(nodes, resolve) or _of_function(interface, value)
            defined = f"{_defining_module(value)}.{getattr(value, '__qualname__', name)}"
            if isinstance(value, FunctionType) and defined != public and "<" not in defined:
                interface.aliases.setdefault(defined, public)
    for public, overloads in table.items():
        same = by_identity.get(id(_find(public)))
        if not overloads and same:
            table[public] = table[same]
    for public, signatures in SUPPLEMENT["functions"].items():
        table[public] = _supplied(signatures, resolve)
    return {name: overloads or [[[["*args", "any"], ["**kwargs", "any"]], "any"]] for name, overloads in table.items()}


def _find(qualified: str) -> Any:
    module, _, name = qualified.rpartition(".")
    return getattr(sys.modules.get(module), name, None)


def _of_function(interface: Interface, value: Any) -> list[Overload]:
    target = inspect.unwrap(value) if isinstance(value, FunctionType) else value
    if isinstance(target, FunctionType):
        return _unique(of_python_function(value, interface.resolve_in(target.__globals__)))
    name = getattr(value, "__name__", "")
    overloads = of_schemas(name)
    documented = documented_result(getattr(value, "__doc__", None))
    return _unique(overloads) or (
        [[[["*args", "any"], ["**kwargs", "any"]], documented]] if documented != "any" else []
    )


def tensor_members(interface: Interface) -> tuple[dict[str, list[Overload]], dict[str, str]]:
    """The methods of `Tensor`, and its properties."""
    resolve = _stub_resolver(interface, "Tensor")
    base = classes(STUB.body)["TensorBase"].body
    own = classes(syntax(TORCH / "_tensor.py").body)["Tensor"].body
    methods = {name: _of_nodes(nodes, resolve, bound=True) for name, nodes in definitions(base).items()}
    properties = {**annotated_names(base, resolve), **annotated_names(own, resolve)}
    for name, nodes in definitions(own).items():
        if name in properties or is_property(nodes[0]):
            continue
        overloads = _of_nodes(nodes, resolve, bound=True)
        if name not in methods or all(returns != "any" for _, returns in overloads):
            methods[name] = overloads
    for name, signatures in SUPPLEMENT["methods"].items():
        methods[name] = _supplied(signatures, resolve)
    properties |= SUPPLEMENT["properties"]
    return (
        {name: methods[name] for name in methods if name not in properties and _is_usable(name)},
        {name: properties[name] for name in properties if not name.startswith("_")},
    )


def _is_usable(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def class_table(interface: Interface) -> dict[str, dict[str, Any]]:
    """Every public class, with what it and its private bases define."""
    return {name: _class_row(interface, name, cls) for name, cls in interface.public_classes.items()}


def _class_row(interface: Interface, name: str, cls: Any) -> dict[str, Any]:
    ancestors = [] if type(cls).__name__ == "tensortype" else list(cls.__mro__[1:])
    bases = [interface.class_names[id(base)] for base in ancestors if id(base) in interface.class_names]
    if type(cls).__name__ == "tensortype":
        bases = ["torch.Tensor"]
    methods: dict[str, list[Overload]] = {}
    attributes: dict[str, str] = {}
    for owner in [cls, *_private_bases(interface, cls)]:
        if owner is torch.Tensor:
            continue
        found_methods, found_attributes = _own_members(interface, owner, name)
        methods = {**found_methods, **methods}
        attributes = {**found_attributes, **attributes}
    resolve = _stub_resolver(interface, name)
    supplied = SUPPLEMENT["classes"].get(name, {})
    for method, signatures in supplied.get("methods", {}).items():
        methods[method] = _supplied(signatures, resolve)
    attributes |= supplied.get("attributes", {})
    init = methods.pop("__init__", None) or methods.pop("__new__", None) or _inherited_init(interface, cls)
    methods.pop("__new__", None)
    for method, overloads in methods.items():
        if all(returns == "any" for _, returns in overloads):
            _inherit_result(interface, cls, method, overloads)
    return {
        "bases": bases,
        "init": init,
        "methods": {key: methods[key] for key in sorted(methods) if key in methods and key not in attributes},
        "attributes": dict(sorted(attributes.items())),
    }


def _private_bases(interface: Interface, cls: Any) -> list[Any]:
    """The bases up to which a class answers for: those that are neither public nor a public base's own."""
    order = getattr(cls, "__mro__", (cls,))[1:]
    public = [base for base in order if id(base) in interface.class_names]
    inherited = {id(base) for owner in public for base in getattr(owner, "__mro__", ())}
    return [base for base in order if id(base) not in inherited and base.__name__ not in SPECIAL_BASES]


def _class_body(cls: Any) -> tuple[list[ast.stmt], Mapping[str, Any]]:
    """The statements of a class, in its source or in the stub of what is built in, and the names they see."""
    module = sys.modules.get(getattr(cls, "__module__", ""))
    path = Path(getattr(module, "__file__", None) or "")
    if path.suffix == ".py":
        node = _class_node(path, cls.__qualname__)
        if node is not None:
            return node.body, vars(module)
    stub = classes(STUB.body)
    node = stub.get(cls.__name__) or stub.get(f"_{cls.__name__}")
    if node is None or type(cls).__name__ == "tensortype":
        return [], {}
    return node.body, {**vars(torch), "torch": torch}


def _class_node(path: Path, qualified: str) -> ast.ClassDef | None:
    found = [node for node in ast.walk(syntax(path)) if isinstance(node, ast.ClassDef) and node.name == qualified]
    return found[0] if found else None


def _own_members(interface: Interface, cls: Any, kind: str) -> tuple[dict[str, list[Overload]], dict[str, str]]:
    body, namespace = _class_body(cls)
    resolve = interface.resolve_in(namespace, "Tensor" if kind == "torch.Tensor" else kind)
    attributes = annotated_names(body, resolve)
    methods = {
        name: _of_nodes(nodes, resolve, bound=True)
        for name, nodes in definitions(body).items()
        if name in {"__init__", "__new__", "__call__", "__iter__", "__next__", "__getitem__", "__enter__", "__len__"}
        or not name.startswith("_")
    }
    constraints = vars(cls).get("arg_constraints") if hasattr(cls, "__dict__") else None
    if isinstance(constraints, dict):
        # The parameters of a distribution become attributes, broadcast to tensors.
        attributes = {**dict.fromkeys(constraints, "Tensor"), **{k: v for k, v in attributes.items() if v != "any"}}
    return methods, {name: kind for name, kind in attributes.items() if not name.startswith("_")}


def _inherited_init(interface: Interface, cls: Any) -> list[Overload]:
    for base in getattr(cls, "__mro__", ())[1:]:
        if base.__module__.startswith("torch"):
            methods, _ = _own_members(interface, base, "any")
            if found := methods.get("__init__"):
                return found
    return [[[["*args", "any"], ["**kwargs", "any"]], "None"]]


def _inherit_result(interface: Interface, cls: Any, method: str, overloads: list[Overload]) -> None:
    """An override without annotations returns what the method it overrides is annotated to return."""
    for base in getattr(cls, "__mro__", ())[1:]:
        if not base.__module__.startswith("torch"):
            continue
        methods, attributes = _own_members(interface, base, interface.class_name(base) or "any")
        for _, returns in methods.get(method, ()):
            if returns != "any":
                for overload in overloads:
                    overload[1] = returns
                return


def shared_with_numpy(names: Iterable[str]) -> list[str]:
    """The names that arrays have as well."""
    return sorted(name for name in names if hasattr(numpy.ndarray, name))


def tensor_only(names: Iterable[str]) -> list[str]:
    """The names that tell a tensor from anything else one is likely to meet in the same code."""
    others = (numpy.ndarray, list, dict, str, int, float, complex, set, tuple, bytes, torch.nn.Module, torch.Size)
    elsewhere = set(SUPPLEMENT["not-only-tensors"]["names"])
    return sorted(
        name
        for name in names
        if not name.startswith("_") and name not in elsewhere and not any(hasattr(other, name) for other in others)
    )


def generate() -> dict[str, Any]:
    """The table, as JSON has it."""
    interface = Interface()
    function_table = functions(interface)
    methods, properties = tensor_members(interface)
    return {
        "torch": torch.__version__.partition("+")[0],
        "functions": function_table,
        "methods": methods,
        "properties": properties,
        "classes": class_table(interface),
        "aliases": {name: public for name, public in interface.aliases.items() if name != public},
        "numpy_shared": shared_with_numpy([*methods, *properties]),
        "tensor_only": tensor_only([*methods, *properties]),
    }


def render(table: Mapping[str, Any]) -> str:
    """The table as text: one line an entry, so that the difference between two versions of torch can be read."""

    def compact(value: Any) -> str:
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
    """Write the table, or with `--check` compare it; exit with 1 if it differs."""
    parser = argparse.ArgumentParser(description="Write synclint/catalog/torch_api.json from the installed torch.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file is out of date")
    arguments = parser.parse_args()
    text = render(generate())
    if not arguments.check:
        TABLE.write_text(text, encoding="utf-8")
        return 0
    if TABLE.read_text(encoding="utf-8") == text:
        return 0
    print(
        f"{TABLE.name} is not what torch {torch.__version__} says; run: python scripts/generate_torch_api.py",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
