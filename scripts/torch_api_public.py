"""Which modules, functions and classes of the installed torch are public, and what each is called."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

import torch
from torch_api_kinds import Resolve
from torch_api_sources import classes, resolver, syntax

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SUPPLEMENT: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("torch_api_supplement.toml").read_text(encoding="utf-8")
)
TORCH = Path(torch.__file__).parent

Member: TypeAlias = Any
"""A function or class of a module, which is all that is known of it before it is looked at."""


class PublicInterface:
    """The public modules of the installed torch and the names of what they hold."""

    def __init__(self) -> None:
        """Import the modules the supplement lists; those that this build of torch lacks are left out."""
        self.classes: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.aliases: dict[str, str] = dict(SUPPLEMENT["aliases"])
        self._class_names: dict[int, str] = {}
        modules = [module for name in SUPPLEMENT["modules"] if (module := _import(name)) is not None]
        for module in modules:
            for member, value in _members(module):
                self._name(f"{module.__name__}.{member}", value)
        for module in modules:
            self._pass_on(module)

    def _name(self, name: str, value: Member) -> None:
        if name in self.aliases:
            return
        if not is_class(value):
            self.functions[name] = value
            known = name
        else:
            known = self._class_names.setdefault(id(value), name)
            if known == name:
                self.classes[name] = value
            else:
                self.aliases[name] = known
        home = home_of(value)
        if is_class(value) or isinstance(value, FunctionType):
            defined = f"{home}.{name.rpartition('.')[2]}"
            if home.startswith("torch.") and defined != known and defined not in self.functions:
                self.aliases.setdefault(defined, known)

    def _pass_on(self, module: ModuleType) -> None:
        """Functions of others that a module does not list: `torch.nn.functional.conv2d` is `torch.conv2d`."""
        known = {id(value): name for name, value in reversed(self.functions.items())}
        for member, value in vars(module).items():
            name = f"{module.__name__}.{member}"
            if not member.startswith("_") and id(value) in known and name not in self.functions:
                self.aliases.setdefault(name, known[id(value)])

    def class_name(self, value: Member) -> str | None:
        """The public name of a class, nothing for one that is not public."""
        return self._class_names.get(id(value))

    def _kind_of_class(self, value: Member) -> str | None:
        is_tensor = type(value).__name__ == "tensortype" or issubclass(value, torch.Tensor)
        return "Tensor" if is_tensor else self.class_name(value)

    def resolve_in(self, namespace: Mapping[str, Any], self_kind: str | None = None) -> Resolve:
        """Resolve names as code with this namespace would; `Self` is `self_kind`."""
        inner = resolver(namespace, self._kind_of_class)

        def resolve(name: str) -> str | ast.expr | None:
            return self_kind if name.rpartition(".")[2] == "Self" else inner(name)

        return resolve

    def resolve_in_stubs(self, self_kind: str | None = None) -> Resolve:
        """Resolve names as the stubs of torch's built-in modules would."""
        inner = self.resolve_in({**vars(torch), "torch": torch}, self_kind)

        def resolve(name: str) -> str | ast.expr | None:
            return _return_types().get(name) or inner(name)

        return resolve


def is_class(value: Member) -> bool:
    """Whether it is a class, `torch.FloatTensor` and its like included, which are no classes to Python."""
    return inspect.isclass(value) or type(value).__name__ == "tensortype"


def home_of(value: Member) -> str:
    """The module that defines a function or class."""
    if type(value).__name__ == "tensortype":
        return "torch"
    home = getattr(value, "__module__", None)
    return "torch._C" if home is None and inspect.isbuiltin(value) else home or ""


def _import(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _members(module: ModuleType) -> Iterator[tuple[str, Member]]:
    """What a module offers: what it lists in `__all__`, else what it defines or has built in."""
    listed = frozenset(getattr(module, "__all__", ()))
    not_offered = frozenset(SUPPLEMENT["not-offered"])
    for name in sorted(vars(module)):
        if f"{module.__name__}.{name}" in not_offered:
            continue
        value = vars(module)[name]
        if not is_class(value) and not inspect.isroutine(value):
            continue
        if module is torch:
            offered = _is_offered_by_torch(name, value)
        else:
            home = home_of(value)
            own = home == module.__name__ or home.startswith((f"{module.__name__}.", "torch._C"))
            offered = not name.startswith("_") and (name in listed if listed else own)
        if offered and not _is_legacy_storage(value):
            yield name, value


def _is_offered_by_torch(name: str, value: Member) -> bool:
    """`torch` passes all of `torch._C` on: its classes are offered only where the supplement says so."""
    if name.startswith("_"):
        return name.startswith(tuple(SUPPLEMENT["private-but-used"]))
    home = home_of(value)
    if inspect.isclass(value) and home in {"torch", "torch._C"}:
        return name in SUPPLEMENT["built-in-classes"]
    return home.startswith("torch")


def _is_legacy_storage(value: Member) -> bool:
    return inspect.isclass(value) and issubclass(value, torch.storage._LegacyStorage)


@cache
def _return_types() -> Mapping[str, ast.expr]:
    """`torch.return_types.max` and the like, as the tuples they are."""
    stub = classes(syntax(TORCH / "return_types.pyi").body)
    return {f"torch.return_types.{name}": node.bases[0] for name, node in stub.items()}
