# case: what-something-unknown-gives-is-used-as-a-tensor
import torch
from torch import Tensor


def step(state, x: Tensor) -> Tensor:
    done = state.get("done")
    kept = torch.logical_not(done)
    if done.any():  # sync: SYN301
        return kept
    return x


# case: bound-more-than-once-it-may-be-anything
import torch
from torch import Tensor


def step(state, x: Tensor) -> Tensor:
    done = state.get("done")
    if done:
        return x
    done = state.get("mask")
    return x * torch.logical_not(done)


# case: sizes-by-position
from torch import Tensor


def scattered(tokens, table: Tensor) -> float:
    for position in range(tokens.size(0)):
        table = table + position
    return int(tokens[0])  # sync: SYN203


def flattened(y) -> float:
    y = y.view(-1, 4)
    return int(y[0, 0])  # sync: SYN203


# case: size-of-an-array-is-no-method
import numpy as np
import torch


def total(values) -> int:
    if values.size > 3:
        values = np.asarray(values).view("int64")
    return int(values[0])


# case: arithmetic-with-literal-numbers-as-an-argument
import torch


def rounded(x) -> int:
    y = torch.round(x * 3)
    return int(x[0]) + len(y)  # sync: SYN203


# case: what-a-name-was-before-it-is-bound-anew
import torch


def drawn(count, chances):
    count = torch.full((), count)
    drawn = torch.binomial(count, torch.full((), 0.5))
    if count == 0:
        return drawn
    return chances


class Sampler(torch.nn.Module):
    def forward(self, x):
        return drawn(10, x.softmax(-1))


# case: several-dimensions-at-once
import torch


def normalized(function, x) -> int:
    mean = function(x).mean(dim=(0, 1), keepdim=True)
    return int(mean[0])  # sync: SYN203


# case: documented-in-the-style-of-numpy
import torch


def best(scores, names, limit):
    """The best of them.

    Parameters
    ----------
    scores : torch.Tensor
        One for each.
    names : list of Tensor
        What they are called.
    limit : int
        How many.
    """
    if limit > 3 or names:
        return 0
    return int(scores[0])  # sync: SYN203


# case: documented-in-the-style-of-google
import torch


def best(scores, weights, limit, table=None):
    """The best of them.

    Args:
        scores (Tensor): one for each
        weights (`torch.FloatTensor` of shape `(batch, 3)`, *optional*): of each
        limit (int, optional): how many
        table (dict of Tensor): by name
    """
    if limit > 3 or table > 2:
        return 0
    return int(scores[0]) + float(weights[0])  # sync: SYN203


# case: documented-in-the-style-of-sphinx
import torch


class Kernel:
    """A kernel.

    :param torch.Tensor width: how wide
    :type height: torch.Tensor
    """

    def __init__(self, width, height):
        self.area = float(width) * float(height)  # cold: SYN203


# case: what-is-done-with-a-parameter-counts-more-than-a-documented-number
import torch


def clipped(level):
    """Clip.

    Args:
        level (float): where
    """
    if level.masked_fill(level > 1, 1).sum() > 0:  # sync: SYN301
        return 1
    return 0


# case: torch-tensor-as-an-annotation
import torch


def same(first: torch.tensor, others: dict[str, torch.tensor]) -> bool:
    return all(torch.equal(first, other) for other in others.values())  # sync: SYN206


# case: factories-of-numbers-do-not-follow-the-tensors-among-them
import torch
from torch import Tensor


def starts(x: Tensor, count: Tensor) -> float:
    first = torch.randint(low=0, high=count.sum(), size=(3,))  # sync: SYN208
    ramp = torch.linspace(0, count.max(), 5)  # sync: SYN209
    x[first[0] :] = 0
    return float(ramp[0])


# case: texts-put-together-name-attributes
import torch


class Cluster(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean_unset", torch.tensor(True))

    def forward(self, x):
        if getattr(self, "mean" + "_unset"):  # sync: SYN301
            x = x + 1
        return self.updated("mean", x)

    def updated(self, name, x):
        if getattr(self, f"{name}_unset"):  # sync: SYN301
            return x + 1
        return x


# case: what-transformers-hands-out
import torch
from torch import Tensor
from transformers import MaxLengthCriteria, PreTrainedModel, StoppingCriteriaList, Trainer


class Own(Trainer):
    def lengths(self, n: Tensor) -> float:
        gathered = self.accelerator.gather(n)
        if gathered[gathered > 0].sum() > 0:  # sync: SYN103, SYN301
            return 1.0
        return float(self.accelerator.reduce(n))  # sync: SYN203


def generated(model: PreTrainedModel, ids: Tensor) -> list[int]:
    stopping = StoppingCriteriaList([MaxLengthCriteria(max_length=9)])
    if all(stopping(ids, None)):  # sync: SYN304
        return []
    return model.generate(ids).tolist()  # sync: SYN202, SYN512


# case: a-device-here-and-arithmetic-there
import torch


def positions(counts):
    device = counts.device
    total = counts.sum()
    return torch.arange(total, device=device)  # sync: SYN208
