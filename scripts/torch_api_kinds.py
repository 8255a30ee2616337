"""Type annotations, as syntax, to the short kinds of value that the table of PyTorch's interface speaks in.

The grammar of kinds is documented with its reader, `synclint.catalog.torch_api`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

Resolve = Callable[[str], "str | ast.expr | None"]
"""A dotted name to the kind of what it names, to the expression it abbreviates, or to nothing known."""

KINDS_OF_NAMES: dict[str, tuple[str, ...]] = {
    "None": ("None",),
    "NoneType": ("None",),
    "Tensor": ("Tensor",),
    "TensorBase": ("Tensor",),
    "TensorLike": ("Tensor",),
    "TensorLikeType": ("Tensor",),
    "int": ("int",),
    "_int": ("int",),
    "SymInt": ("int",),
    "IntLikeType": ("int",),
    "SupportsIndex": ("int",),
    "Dim": ("int",),
    "float": ("float",),
    "_float": ("float",),
    "SymFloat": ("float",),
    "FloatLikeType": ("float",),
    "complex": ("number",),
    "_complex": ("number",),
    "Number": ("number",),
    "_Number": ("number",),
    "NumberType": ("number",),
    "bool": ("bool",),
    "_bool": ("bool",),
    "SymBool": ("bool",),
    "BoolLikeType": ("bool",),
    "str": ("str",),
    "_str": ("str",),
    "AnyStr": ("str",),
    "bytes": ("str",),
    "Size": ("Size",),
    "_size": ("size",),
    "_symsize": ("size",),
    "ShapeType": ("size",),
    "DimsType": ("int", "size"),
    "_size_any_t": ("int", "size"),
    "_size_1_t": ("int", "size"),
    "_size_2_t": ("int", "size"),
    "_size_3_t": ("int", "size"),
    "_size_4_t": ("int", "size"),
    "_size_5_t": ("int", "size"),
    "_size_6_t": ("int", "size"),
    "_size_any_opt_t": ("int", "size", "None"),
    "_size_1_opt_t": ("int", "size", "None"),
    "_size_2_opt_t": ("int", "size", "None"),
    "_size_3_opt_t": ("int", "size", "None"),
    "_ratio_any_t": ("float", "floats"),
    "_ratio_2_t": ("float", "floats"),
    "_ratio_3_t": ("float", "floats"),
    "dtype": ("dtype",),
    "_dtype": ("dtype",),
    "device": ("device",),
    "_device": ("device",),
    "Device": ("device", "None"),
    "DeviceLikeType": ("device",),
    "layout": ("layout",),
    "_layout": ("layout",),
    "Generator": ("generator",),
    "ndarray": ("array",),
    "NDArray": ("array",),
    "_TensorOrTensors": ("Tensor", "Tensors"),
    "_TensorOrOptionalTensors": ("Tensor", "Tensors"),
    "_tensor_or_tensors": ("Tensor", "Tensors"),
}
"""By the last component of a name: PyTorch's own abbreviations among them, which differ between its files."""

PLURALS = {
    "Tensor": "Tensors",
    "Tensor?": "Tensors",
    "int": "size",
    "int?": "size",
    "float": "floats",
    "number": "numbers",
    "bool": "bools",
    "str": "strs",
    "device": "devices",
}

SEQUENCES = frozenset(
    {
        "list",
        "List",
        "Sequence",
        "MutableSequence",
        "Collection",
        "Iterable",
        "set",
        "Set",
        "frozenset",
        "deque",
    }
)
ITERATORS = frozenset({"Iterator", "Generator", "AsyncIterator"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
TRANSPARENT = frozenset({"Annotated", "ClassVar", "Final", "Required", "NotRequired"})
NUMBERS = ("int", "float", "bool")
ORDER = ("Tensor", "Tensors", "number", "int", "float", "True", "False", "bool", "size", "floats")


def render(alternatives: Iterable[str]) -> str:
    """One kind for a union: ordered, without repetition, an optional single kind as `kind?`."""
    found = set(alternatives)
    if "number" in found or {"int", "float"} <= found:
        found = found - set(NUMBERS) | {"number"}
    if "bool" in found or {"True", "False"} <= found:
        found = found - {"True", "False"} | {"bool"}
    if "size" in found:
        found -= {"Size"}
    ranked = sorted(found - {"None"}, key=lambda kind: (ORDER.index(kind) if kind in ORDER else len(ORDER), kind))
    if "None" not in found:
        return "|".join(ranked)
    if not ranked:
        return "None"
    if ranked == ["any"]:
        return "any"
    return f"{ranked[0]}?" if len(ranked) == 1 else "|".join([*ranked, "None"])


def dotted_name(node: ast.expr) -> str | None:
    """`torch.return_types.max` for the expression of that name, nothing for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted_name(node.value)
        return f"{owner}.{node.attr}" if owner else None
    return None


def parameter_kind(annotation: ast.expr | None, resolve: Resolve, *, or_none: bool = False) -> str:
    """The kind of an argument: what a sequence is made of matters, which sequence it is does not."""
    if annotation is None:
        return "any"
    alternatives = _Converter(resolve, collapse=True).alternatives(annotation)
    return render([*alternatives, "None"] if or_none else alternatives)


def result_kind(annotation: ast.expr | None, resolve: Resolve) -> str:
    """The kind of a result, which keeps tuples, lists and dictionaries apart."""
    return _Converter(resolve, collapse=False).kind(annotation)


class _Converter:
    def __init__(self, resolve: Resolve, *, collapse: bool) -> None:
        self._resolve = resolve
        self._collapse = collapse

    def kind(self, node: ast.expr | None) -> str:
        """The kind of an annotation, `any` where there is none."""
        return "any" if node is None else render(self.alternatives(node))

    def alternatives(self, node: ast.expr) -> list[str]:
        """The kinds of the members of a union, of anything else its one kind."""
        if isinstance(node, ast.Constant):
            return self._of_constant(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return [*self.alternatives(node.left), *self.alternatives(node.right)]
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node)
        if isinstance(node, ast.Call) and node.args:  # the representation of a forward reference
            return self.alternatives(node.args[0])
        name = dotted_name(node)
        return self._of_name(name) if name else ["any"]

    def _of_constant(self, value: object) -> list[str]:
        if value is None:
            return ["None"]
        if isinstance(value, str):
            try:
                return self.alternatives(ast.parse(value.strip(), mode="eval").body)
            except SyntaxError:
                return ["any"]
        return ["any"]

    def _of_name(self, name: str) -> list[str]:
        last = name.rpartition(".")[2]
        if last in KINDS_OF_NAMES:
            return list(KINDS_OF_NAMES[last])
        if last in SEQUENCES or last in {"tuple", "Tuple"}:
            return ["list[any]" if self._collapse or last not in {"tuple", "Tuple"} else "tuple[any,...]"]
        if last in MAPPINGS:
            return ["dict[any,any]"]
        resolved = self._resolve(name)
        if isinstance(resolved, str):
            return [resolved]
        return ["any"] if resolved is None else self.alternatives(resolved)

    def _of_subscript(self, node: ast.Subscript) -> list[str]:
        name = (dotted_name(node.value) or "").rpartition(".")[2]
        arguments = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Optional":
            return [*self.alternatives(arguments[0]), "None"]
        if name in {"TypeGuard", "TypeIs"}:
            return ["bool"]
        if name == "Union":
            return [kind for argument in arguments for kind in self.alternatives(argument)]
        if name == "Literal":
            return [_literal_kind(argument) for argument in arguments]
        if name in TRANSPARENT:
            return self.alternatives(arguments[0])
        if name.startswith("BroadcastingList"):
            element = self.kind(arguments[0])
            return [element, PLURALS.get(element, f"list[{element}]")]
        if name in {"tuple", "Tuple"}:
            return [self._tuple(arguments)]
        if name in SEQUENCES:
            element = self.kind(arguments[0])
            if self._collapse:
                return [PLURALS.get(element, f"list[{element}]")]
            return [f"tuple[{element},...]" if name == "Sequence" else f"list[{element}]"]
        if name in ITERATORS:
            return [f"iterator[{self.kind(arguments[0])}]"]
        if name in MAPPINGS and len(arguments) == 2:
            return [f"dict[{self.kind(arguments[0])},{self.kind(arguments[1])}]"]
        return self._of_name(dotted_name(node.value) or "")

    def _tuple(self, arguments: list[ast.expr]) -> str:
        variadic = len(arguments) == 2 and isinstance(arguments[1], ast.Constant) and arguments[1].value is ...
        elements = [self.kind(argument) for argument in (arguments[:1] if variadic else arguments)]
        if not elements:  # `tuple[()]`
            return "tuple[any,...]"
        if self._collapse and len(set(elements)) == 1 and elements[0] in PLURALS:
            return PLURALS[elements[0]]
        return f"tuple[{','.join(elements)}{',...' if variadic else ''}]"


def _literal_kind(node: ast.expr) -> str:
    if not isinstance(node, ast.Constant):
        return "any"
    if node.value is None or isinstance(node.value, bool):
        return str(node.value)
    return "str" if isinstance(node.value, str) else "int"
