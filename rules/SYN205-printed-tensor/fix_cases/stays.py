"""Text of tensors that is no matter of loops."""

# ruff: noqa: UP031

from __future__ import annotations

from torch import Tensor


def whole(scores: Tensor) -> str:
    return f"{scores}"


def of_one(score: Tensor) -> str:
    return "%.3f" % (score.sum(),)


def of_several(rows: list[Tensor]) -> str:
    return "%s %s" % (*rows,)


def used_after_the_loop(scores: Tensor) -> tuple[str, Tensor]:
    text = ""
    for score in scores:
        text += f"{score:.2f}"
    return text, score


def written_to(scores: Tensor) -> str:
    text = ""
    for score in scores:
        score += 1
        text += f"{score:.2f}"
    return text


def as_many_arguments(scores: Tensor) -> str:
    return "%.2f %.2f %.2f" % (*scores.float().flatten(),)
