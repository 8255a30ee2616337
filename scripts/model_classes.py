"""Which classes of transformers are models, and what their source says of them: read, not imported.

What the catalogue says of ``transformers.PreTrainedModel`` is true of models that take tokens and an
``attention_mask``, may run scaled dot-product attention, and ask in their file for a mask to be made. Of others that
generate, only that is told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_MODEL, _GENERATING = "PreTrainedModel", "GenerationMixin"
_AUTO = "_BaseAutoModelClass"
# What makes masks: `transformers.masking_utils`, what was there before, and models that hand the mask to another one.
_MAKES_MASKS = re.compile(r"\bcreate_\w*mask\w*\(|_prepare_4d_\w+\(|AutoModel\w*\.from_config|_update_causal_mask\(")


class ModelClass(NamedTuple):
    """What the text of a class says; None where it leaves a question to its bases."""

    bases: tuple[str, ...]
    takes_mask: bool | None
    has_fused_attention: bool | None
    makes_masks: bool


def model_classes(package: Path) -> dict[str, str]:
    """The names of the models of an unpacked ``package``, as one text for each class that the catalogue describes."""
    classes = dict(_classes(package))
    checking = {name for name in classes if _is_checking(name, classes)}
    # An automatic class stands for what more than a third of its models are: those of today, which most programs load.
    generating = {name for name in classes if {_MODEL, _GENERATING} <= set(_ancestors(name, classes))}
    for name, models in _chosen_among(package, classes):
        known = [model for model in models if model in classes]
        for kind in (checking, generating):
            if 3 * sum(model in kind for model in known) > len(known):
                kind.add(name)
    described = {_MODEL: checking - {_MODEL}, _GENERATING: generating - checking - {_GENERATING}}
    return {f"transformers.{base}": " ".join(sorted(names)) for base, names in described.items()}


def _classes(package: Path) -> Iterator[tuple[str, ModelClass]]:
    for path in sorted(package.rglob("*.py")):
        if path.name.startswith("modular_"):  # of which the files beside it are made
            continue
        text = path.read_text(encoding="utf-8")
        makes_masks = _MAKES_MASKS.search(text) is not None
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                bases = tuple(ast.unparse(base).rpartition(".")[2] for base in node.bases)
                yield node.name, ModelClass(bases, _takes_mask(node), _has_fused_attention(node), makes_masks)


def _takes_mask(node: ast.ClassDef) -> bool | None:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "forward":
            return {"input_ids", "attention_mask"} <= {one.arg for one in (*part.args.args, *part.args.kwonlyargs)}
    return None


def _has_fused_attention(node: ast.ClassDef) -> bool | None:
    for part in node.body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "_supports_sdpa":
            return isinstance(part.value, ast.Constant) and part.value.value is True
    return None


def _is_checking(name: str, classes: Mapping[str, ModelClass]) -> bool:
    """Whether a class is a model that may look into its mask."""
    ancestors = list(_ancestors(name, classes))
    described = [classes[one] for one in ancestors if one in classes]
    takes = next((one.takes_mask for one in described if one.takes_mask is not None), False)
    has = next((one.has_fused_attention for one in described if one.has_fused_attention is not None), False)
    return _MODEL in ancestors and takes and has and described[0].makes_masks


def _ancestors(name: str, classes: Mapping[str, ModelClass], below: tuple[str, ...] = ()) -> Iterator[str]:
    """A class and those above it, the nearest first."""
    yield name
    for base in classes[name].bases if name in classes else ():
        if base not in below:
            yield from _ancestors(base, classes, (*below, name))


def _chosen_among(package: Path, classes: Mapping[str, ModelClass]) -> Iterator[tuple[str, list[str]]]:
    """The automatic classes, each with the models one of which ``from_pretrained`` gives."""
    path = package / "models" / "auto" / "modeling_auto.py"
    tree = ast.parse(path.read_bytes())
    listed = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _AUTO in _ancestors(node.name, classes):
            mapping = next((ast.unparse(part.value) for part in node.body if isinstance(part, ast.Assign)), "")
            names = listed.get(f"{mapping}_NAMES")
            if names is not None:
                yield node.name, list(_names_in(names))


def _names_in(node: ast.expr) -> Iterable[str]:
    """The class names in the pairs of a mapping: ``("bert", "BertModel")``, or several for one architecture."""
    for part in ast.walk(node):
        if isinstance(part, ast.Tuple) and len(part.elts) == 2 and isinstance(part.elts[0], ast.Constant):
            yield from (str(one.value) for one in ast.walk(part.elts[1]) if isinstance(one, ast.Constant))
