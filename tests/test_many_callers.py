"""What is known of calls when a function has more callers than it is run for."""

from __future__ import annotations

from pathlib import Path

from marked_sources import findings_in, places_of

# More than the callers for which any function is run one by one.
CLASSES = 14

REGISTERING = """\
import torch


class Pipeline:
    def register(self, **parts):
        for name, part in parts.items():
            setattr(self, name, part)

    def shown(self, values):
        return values


class Scale:
    def __init__(self):
        self.factor = torch.ones(1, device="cuda")
"""

KIND = """

class Limit{number}:
    def __init__(self):
        self.bound = torch.ones({number} + 1, device="cuda")


class Pipeline{number}(Pipeline):
    def __init__(self, limit: Limit{number}, scale: Scale):
        self.register(limit=limit, scale=scale)

    def run(self, values: torch.Tensor) -> int:
        return 1 if self.limit.bound.sum() > 0 else 0
"""


def lines_reported(source: str, folder: Path) -> list[int]:
    path = folder / "pipelines.py"
    path.write_text(source, encoding="utf-8")
    return sorted(place.line for place in places_of(findings_in([path], folder), folder, cold=True))


def test_every_class_keeps_what_an_inherited_method_sets_on_it(tmp_path: Path) -> None:
    source = REGISTERING + "".join(KIND.format(number=number) for number in range(CLASSES))
    waiting = [at for at, line in enumerate(source.splitlines(), 1) if "self.limit.bound.sum() > 0" in line]
    assert lines_reported(source, tmp_path) == waiting
    assert len(waiting) == CLASSES


BUILDING = """\
import torch
from torch import Tensor, nn


class Base(nn.Module):
    @classmethod
    def build(cls, size):
        return cls(size)
"""

BUILT = """

class Part{number}(Base):
    def __init__(self, size):
        super().__init__()

    def forward(self, x: Tensor) -> {kind}:
        return {value}


class User{number}(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.part = Part{number}.build(size)

    def forward(self, x: Tensor) -> Tensor:
        return x + 1 if self.part(x) else x
"""


def test_an_inherited_class_method_makes_an_object_of_the_class_that_it_is_called_on(tmp_path: Path) -> None:
    kinds = [("Tensor", "x > 0") if number % 2 else ("int", "x.shape[0]") for number in range(CLASSES)]
    parts = [BUILT.format(number=number, kind=kind, value=value) for number, (kind, value) in enumerate(kinds)]
    source = BUILDING + "".join(parts)
    asking = [at for at, line in enumerate(source.splitlines(), 1) if "if self.part(x)" in line]
    assert lines_reported(source, tmp_path) == asking[1::2]


MOVING = """\
import torch


def bounds(corners, height):
    offsets = torch.tensor([[1.0, 0.0], [0.0, 1.0]], device=corners.device)
    return (corners @ offsets).amax(0) * height


def moved(image, size, label, corners=None):
    height = image.shape[0]
    used = corners
    if corners is None:
        used = torch.eye(2)
    return image.detach() * bounds(used, height).tolist()[0] * size


def augmented(image, label, corners=None):
    return moved(image, 3, label, corners)
"""

JOB = """

def job{number}():
    return augmented(torch.ones(2, 2, device="cuda"), {label})
"""
# More than those that are told apart, and fewer than those that are followed.
LABELS = ("1", "0.5", "None", "'a'", "(1,)", "[1]", "{1: 2}", "int")


def test_what_nobody_may_ever_give_says_nothing_of_what_many_callers_give(tmp_path: Path) -> None:
    jobs = (JOB.format(number=number, label=label) for number, label in enumerate(LABELS))
    assert lines_reported(MOVING + "".join(jobs), tmp_path) == []
