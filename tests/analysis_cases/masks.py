# case: comparison-is-a-mask
from torch import Tensor


def positive(x: Tensor) -> Tensor:
    return x[x > 0]  # sync: SYN103


# case: mask-through-assignment
from torch import Tensor


def positive(x: Tensor) -> Tensor:
    mask = x > 0
    keep = mask
    return x[keep]  # sync: SYN103


# case: comparison-method-is-a-mask
from torch import Tensor


def labelled(x: Tensor, labels: Tensor) -> Tensor:
    valid = labels.ne(-100)
    return x[valid]  # sync: SYN103


# case: negation-is-a-mask
import torch
from torch import Tensor


def finite(x: Tensor) -> Tensor:
    return x[~torch.isnan(x)]  # sync: SYN103


# case: conjunction-is-a-mask
from torch import Tensor


def between(x: Tensor) -> Tensor:
    return x[(x > 0) & (x < 1)]  # sync: SYN103


# case: logical-function-is-a-mask
import torch
from torch import Tensor


def between(x: Tensor) -> Tensor:
    inside = torch.logical_and(x > 0, x < 1)
    return x[inside]  # sync: SYN103


# case: conversion-to-bool-is-a-mask
from torch import Tensor


def attended(x: Tensor, attention_mask: Tensor) -> Tensor:
    return x[attention_mask.bool()]  # sync: SYN103


# case: dtype-argument-makes-a-mask
import torch
from torch import Tensor


def attended(x: Tensor, attention_mask: Tensor) -> Tensor:
    keep = attention_mask.to(dtype=torch.bool)
    return x[keep]  # sync: SYN103


# case: factory-with-a-bool-dtype
import torch
from torch import Tensor


def upper(x: Tensor) -> Tensor:
    mask = torch.ones(x.shape[-2:], dtype=torch.bool, device=x.device).triu()
    return x[:, mask]  # sync: SYN103


# case: like-factory-keeps-the-dtype
import torch
from torch import Tensor


def kept(x: Tensor) -> Tensor:
    mask = torch.zeros_like(x > 0)
    return x[mask]  # sync: SYN103


# case: views-of-a-mask-are-masks
from torch import Tensor


def select(x: Tensor, labels: Tensor) -> Tensor:
    mask = (labels != 0).unsqueeze(-1).expand_as(x)
    return x[mask]  # sync: SYN103


# case: reduction-to-bool-is-a-mask
import torch
from torch import Tensor


def rows(x: Tensor) -> Tensor:
    return x[torch.any(x != 0, dim=1)]  # sync: SYN103


# case: stacked-masks
import torch
from torch import Tensor


def select(x: Tensor, y: Tensor) -> Tensor:
    mask = torch.cat([x > 0, y > 0])
    return torch.cat([x, y])[mask]  # sync: SYN103


# case: byte-mask
from torch import Tensor


def select(x: Tensor, flags: Tensor) -> Tensor:
    return x[flags.byte()]  # sync: SYN103


# case: mask-converted-to-integers-is-an-index
from torch import Tensor


def select(x: Tensor, flags: Tensor) -> Tensor:
    return x[(flags > 0).long()]


# case: mask-cast-to-float-is-a-factor
from torch import Tensor


def select(x: Tensor, flags: Tensor) -> Tensor:
    keep = (flags > 0).float()
    return x * keep


# case: mask-beside-a-slice
from torch import Tensor


def select(x: Tensor, labels: Tensor) -> Tensor:
    mask = labels > 0
    return x[:, mask, :].sum() + x[mask, 0].sum()  # sync: SYN103


# case: mask-in-an-attribute
import torch
import torch.nn as nn
from torch import Tensor


class Tril(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.register_buffer("mask", torch.ones(n, n, dtype=torch.bool).tril())

    def forward(self, x: Tensor) -> Tensor:
        return x[self.mask]  # sync: SYN103


# case: mask-from-a-helper
import torch
from torch import Tensor


def mask_of(lengths: Tensor, size: int) -> Tensor:
    return torch.arange(size, device=lengths.device)[None, :] < lengths[:, None]


def packed(x: Tensor, lengths: Tensor) -> Tensor:
    return x[mask_of(lengths, x.size(1))]  # sync: SYN103


# case: mask-among-unpacked-results
from torch import Tensor


def split(x: Tensor) -> tuple[Tensor, Tensor]:
    return x > 0, x.argmax(dim=0)


def select(x: Tensor) -> Tensor:
    mask, index = split(x)
    return x[mask].sum() + x[index].sum()  # sync: SYN103


# case: masked-select
import torch
from torch import Tensor


def select(x: Tensor, labels: Tensor) -> Tensor:
    kept = x.masked_select(labels > 0)  # sync: SYN103
    return kept.sum() + torch.masked_select(x, x > 0).sum()  # sync: SYN103


# case: mask-read-in-an-expression
from torch import Tensor


def mean(x: Tensor, labels: Tensor) -> Tensor:
    return (x[labels == 1].sum() - 1) / 2  # sync: SYN103


# case: number-assigned-through-a-mask
from torch import Tensor


def cleaned(x: Tensor) -> Tensor:
    x[x.isnan()] = 0.0
    x[x < 0] = -1
    return x


# case: host-scalar-assigned-through-a-mask
import torch
from torch import Tensor


def cleaned(x: Tensor) -> Tensor:
    x[x.isnan()] = torch.tensor(0.0)
    return x


# case: tensor-assigned-through-a-mask
from torch import Tensor


def merged(x: Tensor, mask: Tensor, values: Tensor) -> Tensor:
    keep = mask.bool()
    x[keep] = values  # sync: SYN104
    return x


# case: device-scalar-assigned-through-a-mask
from torch import Tensor


def merged(x: Tensor) -> Tensor:
    x[x < 0] = x.mean()  # sync: SYN104
    return x


# case: mask-on-both-sides
from torch import Tensor


def merged(x: Tensor, y: Tensor) -> Tensor:
    mask = x < 0
    x[mask] = y[mask]  # sync: SYN103, SYN104
    return x


# case: where-instead-of-a-mask
import torch
from torch import Tensor


def merged(x: Tensor, y: Tensor) -> Tensor:
    return torch.where(x < 0, y, x).masked_scatter(x > 1, y)


# case: mask-on-an-attribute-of-which-nothing-is-known
from torch import Tensor


def chosen(model, scores: Tensor, value: Tensor) -> Tensor:
    mask = scores > 0
    outputs = model(scores)
    outputs.logits[mask] = value.to(scores.device)  # sync: SYN104
    return outputs.last_hidden_state[mask, -1, :]  # sync: SYN103


# case: mask-that-is-given-or-not
from torch import nn


def exists(value):
    return value is not None


class Pool(nn.Module):
    def forward(self, x, mask=None):
        if exists(mask):
            x = x[mask]  # sync: SYN103
        return x.mean()


class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.pools = nn.ModuleList([Pool(), Pool()])

    def forward(self, x, mask=None):
        return sum(pool(x, mask=mask) for pool in self.pools)


# case: part-of-a-mask
from torch import nn


class Pool(nn.Module):
    def forward(self, x, mask):
        rows = [row[mask[index]] for index, row in enumerate(x)]  # sync: SYN103
        return rows, x[:, 0][mask[:, 0]], x[mask.flatten()]  # sync: SYN103


# case: mask-by-its-name-on-something-unknown
import torch


def chosen(rows, mask):
    return rows[mask], torch.zeros(3)  # sync: SYN103


# case: mask-by-its-name-where-there-are-arrays
import numpy as np
import torch


def chosen(rows, mask):
    return rows[mask], torch.zeros(3), np.zeros(3)


# case: key-that-is-called-a-mask
import torch


class Sampler:
    def __init__(self, interaction) -> None:
        self.MASK_FIELD = interaction.prefix + "mask"

    def chosen(self, interaction):
        return torch.stack(interaction[self.MASK_FIELD])


# case: comparison-of-something-unknown-as-an-index
import numpy as np
import torch


class Centers(torch.nn.Module):
    def outliers(self, scores, labels, embeddings, classes: int):
        rows = scores.masked_fill(scores == 0, 1.0)
        for label in range(classes):
            chosen = labels == label
            if not chosen.any():  # sync: SYN303
                continue
            found = chosen.nonzero()  # sync: SYN101
            rows = rows + rows[labels == label].sum()  # sync: SYN103
            rows = rows + embeddings[chosen].detach_().sum()  # sync: SYN103
        return rows, found, np.pi


# case: comparison-in-a-file-of-arrays
import numpy as np
import torch


def chosen(table, labels, label):
    kept = labels == label
    return table[kept], np.asarray(kept), kept.any()


# case: mask-on-the-host
import torch
from torch import Tensor


def lower(x: Tensor) -> Tensor:
    index = torch.arange(x.size(0))
    return x[index > index.unsqueeze(-1), ...]


# case: function-that-mentions-torch-alone-in-a-file-with-arrays
import numpy as np
import torch
from torchvision.ops import nms


def suppressed(scores, boxes):
    keep = scores > 0.05
    scores, boxes = scores[keep], boxes[keep]  # sync: SYN103, SYN103
    return boxes[nms(boxes, scores, 0.5)]  # sync: SYN109


def of_arrays(scores, boxes):
    keep = scores > 0.05
    return np.concatenate([scores[keep], boxes[keep]])


def of_either(scores):
    keep = scores > 0.05
    return scores[keep]


# case: groups-that-are-called-a-mask
import torch


def spread(sample: torch.Tensor, feature_mask: torch.Tensor, segment_masks: torch.Tensor) -> torch.Tensor:
    return sample[0][feature_mask] + sample[1][segment_masks]


# case: mask-that-is-called-nothing-else
import torch


def kept(sample: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return sample[mask]  # sync: SYN103


# case: comparison-of-something-unknown-selects-wherever-it-is-handed
import torch
from rasters import Rasterizer


class Points:
    def __init__(self) -> None:
        self.seen = torch.zeros(4, 3, device="cuda")
        self.rows = [0.1, 0.2]

    def add(self, chosen) -> None:
        self.seen[chosen] += 1  # sync: SYN104

    def clear(self, chosen) -> None:
        self.seen[chosen] = 0

    def row(self, chosen) -> float:
        return self.rows[chosen]

    def at(self, chosen) -> torch.Tensor:
        return self.seen[chosen]


def drawn(points: torch.Tensor) -> dict:
    image, radii, count = Rasterizer(7)(means=points)
    return {"image": image, "seen": radii > 0, "first": radii, "none": radii is None}


def step(kept: Points, points: torch.Tensor) -> torch.Tensor:
    found = drawn(points)
    kept.add(found["seen"])
    kept.clear(found["seen"])
    return kept.at(found["first"]) + kept.row(found["seen"]) + kept.at(found["none"])


# case: what-a-mask-is-on-one-way-is-not-forgotten-where-it-is-used-as-a-tensor
import torch
from matching import retried


def matched(boxes: torch.Tensor, scores: torch.Tensor, again: bool) -> torch.Tensor:
    chosen = scores > 0.5
    if again:
        chosen = retried(scores)
    targets = chosen.unsqueeze(-1)
    return boxes[chosen] * targets.sum()  # sync: SYN103


# case: mask-under-a-key
from torch import Tensor


def kept(x: Tensor, state: dict, update: Tensor) -> Tensor:
    x[state["mask"]] = update  # sync: SYN104
    return x[state["mask"]] + x[state["rows"]]  # sync: SYN103


# case: masks-among-tensors-that-are-broadcast
import torch
from torch import Tensor


def kept(rate: Tensor, value: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    rate, value, above = torch.broadcast_tensors(rate, value, value > 0)
    wide, index = torch.broadcast_tensors(value, places.long())
    return rate[above], rate[index], wide + rate  # sync: SYN103


def on_the_cpu(value: Tensor) -> Tensor:
    other, above = torch.broadcast_tensors(value.cpu(), torch.ones(4) > 0)  # sync: SYN204
    return other[above]
