"""What the name of a parameter says of it, where a tensor would be expected: numbers, flags, and data about the data.

A name is the weakest evidence there is. It is asked only where nothing but the place of a parameter speaks for a
tensor, such as that of `H` in ``forward(x, H, W)``.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from synclint.analysis.domain.values import BOOLEAN, INTEGER, NUMBER, STRING, UNKNOWN, Sequence, Value

_NUMBERS = re.compile(
    r"(num|n|max|min|total|cur|current|global|start|end|local)_(steps?|epochs?|iters?|iterations?|size|length|len|layers?"
    r"|heads?|groups?|samples|classes|frames|tokens|patches|blocks|levels?|dims?|rank|workers)"
    r"|\w+_(size|dim|dims|stride|steps|epochs|epoch|iters|height|width|rank|factor|level)"
    r"|(update|step|iter|iteration|epoch|layer|batch)_num|num_(updates|sentences)|n(tokens|sentences|samples|frames)"
    r"|epochs?|steps?|iters?|iterations?|height|width|stride|dilation|groups|padding|dim|dims|axis|size"
    r"|top_?k|lr|learning_rate|world_size|rank|seed"
    r"|(\w+_)?drop(out|path|_path)?(_(p|prob|probability|rate|ratio))?|keep_prob"
    r"|layer_(idx|index|id|number|num)|block_(idx|index|id)|batch_(idx|index)"
)
# One of them may be a hidden state or a homography; both together, `H_in` and `W_in`, are the sides of an image.
_OTHER_SIDE = {"H": "W", "W": "H", "h": "w", "w": "h"}
_FLAGS = re.compile(
    r"(use|return|do|with|need|needs|has|enable|disable|should|no|want)_\w+"
    r"|\w+_only|is_(train|training|test|testing|eval|inference|causal|first|last|main|distributed)"
    r"|output_(attentions|hidden_states)"
    r"|train|training|inference|flip|rescale|verbose|debug|inplace|causal|deterministic|augment|profile|visualize"
)
# What is called so is no flag, however the name begins: `use_mask`, `has_token_ids`.
_OF_TENSORS = re.compile(r"(^|_)(masks?|ids|states?|logits|embeds?|embeddings?|features?|tensor|values?|weights?)$")
_TEXTS = re.compile(
    r"mode|\w+_mode|phase|split|stage|reduction|task|task_?(name|type)|names?|\w*(file_?names?|paths?|_names?)"
)
_SHAPES = re.compile(
    r"(\w+_)?shape|(out|output|input|image|img|target|orig|original|feature|grid)_size|(hw|img|image)_shapes"
    r"|hw\d?(_\w)?"
)
_ABOUT_DATA = re.compile(
    r"(\w+_)?metas?|(\w+_)?meta_?(data|info)|(\w+_)?infos?|(\w+_)?(cfg|config|configuration)|opts?|options|args"
    r"|h(yper)?_?param(eter)?s|\w*version"
)


def implied_by_name(name: str, others: Collection[str]) -> Value | None:
    """What a parameter of this name is, beside ``others`` of the function; None where the name tells nothing."""
    if _ABOUT_DATA.fullmatch(name):
        return UNKNOWN
    if _SHAPES.fullmatch(name):
        return UNKNOWN if name.endswith("s") else Sequence("tuple", None, INTEGER)
    if _NUMBERS.fullmatch(name) or _other_side(name) in others:
        return NUMBER
    if _FLAGS.fullmatch(name) and not (_OF_TENSORS.search(name) and not name.startswith(("return_", "output_"))):
        return BOOLEAN
    return STRING if _TEXTS.fullmatch(name) else None


def is_of_the_host(key: str) -> bool:
    """Whether what stands under a key of a batch is a number as a rule, or something else of the host."""
    return any(words.fullmatch(key) for words in (_NUMBERS, _TEXTS, _ABOUT_DATA, _SHAPES))


def _other_side(name: str) -> str | None:
    """``W_in`` for ``H_in``, None for what is not called like the side of an image."""
    parts = name.split("_")
    for index, part in enumerate(parts):
        if part[:1] in _OTHER_SIDE and (len(part) == 1 or (part[1:].isdigit() and index == len(parts) - 1)):
            return "_".join([*parts[:index], f"{_OTHER_SIDE[part[0]]}{part[1:]}", *parts[index + 1 :]])
    return None
