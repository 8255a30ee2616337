"""What the code itself proves of a value: an annotation, or the name of a parameter, proves nothing of what is passed.

What the analysis concluded of a parameter rests on its annotation as soon as one caller is unknown, as of everything
that a package exports. A fix that is safe for tensors only has to know more: that a function of torch made the value,
or that something is done with it that nothing else can do.
"""

from __future__ import annotations

import ast

from synclint.fixes.blocks import block_of, is_always_evaluated
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, loads

# Methods and attributes of tensors that arrays, data frames, numbers and containers do not have.
_ONLY_OF_TENSORS = frozenset(
    {
        "add_", "amax", "amin", "backward", "bernoulli", "bfloat16", "chunk", "clamp", "clamp_", "cross", "detach",
        "dim", "double", "erf", "exp", "expand", "expand_as", "fill_", "float", "gather", "grad_fn", "half",
        "index_add", "index_select", "is_cuda", "is_floating_point", "is_leaf", "isnan", "log_softmax", "logical_and",
        "logical_not", "logical_or", "long", "masked_fill", "masked_fill_", "masked_select", "matmul", "narrow",
        "ndimension", "nelement", "new_empty", "new_full", "new_ones", "new_tensor", "new_zeros", "norm", "numel",
        "permute", "relu", "reshape_as", "rsqrt", "scatter", "sigmoid", "softmax", "sqrt", "square", "tanh", "topk",
        "tril", "triu", "type_as", "unbind", "unfold", "unsqueeze", "view_as", "zero_",
    }
)  # fmt: skip
_DEEPEST = 10


def is_proved_tensor(place: Place, node: ast.expr, depth: int = _DEEPEST) -> bool:
    """Whether an expression is a tensor by what the code does, and not only by what it declares."""
    if not depth or not place.fact(node).is_certain:
        return False
    if isinstance(node, ast.Call):
        if place.qualified(node.func).startswith("torch."):
            return True
        is_method = isinstance(node.func, ast.Attribute)
        return is_method and _is_proved_owner(place, node.func, depth)  # type: ignore[arg-type]
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            return True
        return _is_proved_owner(place, node, depth)
    if isinstance(node, ast.Subscript):
        return is_proved_tensor(place, node.value, depth - 1)
    if isinstance(node, (ast.BinOp, ast.Compare)):
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
        return any(is_proved_tensor(place, part, depth - 1) for part in parts)
    if isinstance(node, ast.UnaryOp):
        return is_proved_tensor(place, node.operand, depth - 1)
    if isinstance(node, ast.IfExp):
        return all(is_proved_tensor(place, part, depth - 1) for part in (node.body, node.orelse))
    return isinstance(node, ast.Name) and _is_proved_name(place, node, depth)


def _is_only_of_tensors(attribute: str) -> bool:
    is_in_place = attribute.endswith("_") and not attribute.startswith("_") and not attribute.endswith("__")
    return is_in_place or attribute in _ONLY_OF_TENSORS


def _is_proved_owner(place: Place, node: ast.Attribute, depth: int) -> bool:
    return _is_only_of_tensors(node.attr) or is_proved_tensor(place, node.value, depth - 1)


def _is_proved_name(place: Place, name: ast.Name, depth: int) -> bool:
    if _is_used_as_tensor(place, name):
        return True
    scope = place.file.function_of(name) or place.file.tree
    return place.file.once(
        ("bound to tensors", id(scope), name.id, depth), lambda: _binds_tensors(place, scope, name.id, depth)
    )


def _binds_tensors(place: Place, scope: ast.AST, name: str, depth: int) -> bool:
    bound = bindings(scope, name)
    return bool(bound) and all(_is_bound_to_tensor(place, one, depth) for one in bound)


def _is_bound_to_tensor(place: Place, bound: ast.AST, depth: int) -> bool:
    statement = place.file.parent(bound)
    if isinstance(statement, ast.Assign) and bound in statement.targets:
        return is_proved_tensor(place, statement.value, depth - 1)
    if isinstance(statement, ast.Tuple) and isinstance(statement.ctx, ast.Store):
        whole = place.file.parent(statement)
        value = whole.value if isinstance(whole, ast.Assign) else None
        if isinstance(value, ast.Tuple) and len(value.elts) == len(statement.elts):
            part = value.elts[statement.elts.index(bound)]  # type: ignore[arg-type]
            return is_proved_tensor(place, part, depth - 1)
        return False
    if isinstance(statement, ast.AugAssign):
        return isinstance(bound, ast.Name) and place.fact(statement.value).is_tensor
    if isinstance(statement, (ast.For, ast.comprehension)) and statement.target is bound:
        return is_proved_tensor(place, statement.iter, depth - 1)
    return False


def _is_used_as_tensor(place: Place, name: ast.Name) -> bool:
    """Whether something that only a tensor has is asked of a name wherever the expression at hand is evaluated."""
    scope = place.file.function_of(name)
    if scope is None or isinstance(scope, ast.Lambda) or len(bindings(scope, name.id)) != 1:
        return False
    asked = place.file.once(("asked", id(scope), name.id), lambda: _blocks_that_ask(place, scope, name.id))
    around = [place.file.statement_of(name), *place.file.ancestors(name)]
    within = (node for node in around[: around.index(scope)] if isinstance(node, ast.stmt))
    return bool(asked) and any(id(block_of(place.file, one)[0]) in asked for one in within)


def _blocks_that_ask(place: Place, scope: ast.AST, name: str) -> frozenset[int]:
    """The blocks of a function, each run from its first to its last statement, that use a name as a tensor."""
    found: set[int] = set()
    for use in loads(scope, name):
        asked = place.file.parent(use)
        if isinstance(asked, ast.Attribute) and asked.value is use and _is_only_of_tensors(asked.attr):
            statement = place.file.statement_of(use)
            if statement is not None and is_always_evaluated(place.file, use, statement):
                found.add(id(block_of(place.file, statement)[0]))
    return frozenset(found)


def _is_returned(place: Place, use: ast.expr) -> bool:
    """Whether a function gives what it has, by itself or beside other things, and then is over."""
    around = place.file.parent(use)
    return isinstance(around, ast.Return) or (isinstance(around, ast.Tuple) and _is_returned(place, around))


def is_read_only(place: Place, use: ast.expr) -> bool:
    """Whether a use of a tensor neither writes to it nor lets anybody else keep it, or a view of it."""
    around = place.file.parent(use)
    if isinstance(around, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Slice)):
        return True
    if isinstance(around, ast.Subscript):
        if around.slice is use:
            return True
        return isinstance(around.ctx, ast.Load) and is_read_only(place, around)
    if isinstance(around, ast.Attribute):
        call = place.file.parent(around)
        if around.attr in _ABOUT_TENSORS:
            return True
        if not isinstance(call, ast.Call) or call.func is not around or around.attr.endswith("_"):
            return False
        return around.attr in _GIVE_NUMBERS or is_fresh(place, call) or is_read_only(place, call)
    if isinstance(around, ast.Tuple):
        return isinstance(around.ctx, ast.Load) and not _is_returned(place, around) and is_read_only(place, around)
    if isinstance(around, ast.Call) and use in around.args:
        if isinstance(around.func, ast.Name):
            return around.func.id in _READING and not place.binds(around.func.id)
        if is_fresh(place, around):
            return True
        is_method = isinstance(around.func, ast.Attribute) and not place.qualified(around.func)
        is_size = is_method and place.fact(use).ndim == 0 and not around.func.attr.endswith("_")  # type: ignore[attr-defined]
        return is_size and place.fact(around.func.value).is_tensor  # type: ignore[attr-defined]
    return False


_ABOUT_TENSORS = frozenset({"shape", "device", "dtype", "ndim", "is_cuda"})
_READING = frozenset({"len", "print", "float", "int", "bool", "range"})
_GIVE_NUMBERS = frozenset({"item", "tolist", "size", "numel", "dim", "stride"})


def is_fresh(place: Place, node: ast.expr) -> bool:
    """Whether an expression makes a tensor of its own memory, which nobody else can write to."""
    if isinstance(node, (ast.BinOp, ast.Compare)):
        return True
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.UAdd)
    if not isinstance(node, ast.Call) or any(word.arg == "out" for word in node.keywords):
        return False
    name = place.qualified(node.func)
    function = name.rpartition(".")[2] if name.startswith("torch.") else getattr(node.func, "attr", "")
    if function == "detach" and isinstance(node.func, ast.Attribute):
        return is_fresh(place, node.func.value)
    return function in _MAKES_NEW


_MAKES_NEW = frozenset(
    {
        "abs", "all", "amax", "amin", "any", "argmax", "argmin", "bincount", "clamp", "clone", "count_nonzero",
        "cross_entropy", "cumsum", "empty", "exp", "eye", "full", "linspace", "arange", "log", "log_softmax",
        "matmul", "max", "mean", "median", "min", "mse_loss", "l1_loss", "nll_loss", "nonzero", "norm", "ones",
        "prod", "rand", "randn", "sigmoid", "softmax", "sqrt", "square", "stack", "std", "sum", "tanh",
        "tensor", "topk", "var", "where", "zeros", "ones_like", "zeros_like",
    }
)  # fmt: skip
