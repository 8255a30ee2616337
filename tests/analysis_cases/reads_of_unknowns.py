# case: backward-shows-a-tensor
from losses import criterion


def train(model, loader, optimizer):
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()  # sync: SYN201
    return total


# case: backward-on-what-a-library-returns-beside-torch
import torch
from losses import criterion


def train(model, loader, optimizer, device):
    for images, labels in loader:
        images = images.to(device)  # sync: SYN402
        loss = criterion(model(images), labels)
        if loss < 100:  # sync: SYN301
            loss.backward()
        optimizer.step()
        print(f"loss {loss}")  # sync: SYN205


# case: backward-of-an-attribute-of-what-is-returned
import torch


def train(model, batches, optimizer):
    for batch in batches:
        output = model(**batch)
        loss = output.loss
        loss.backward()
        optimizer.step()
        history = float(loss)  # sync: SYN203


# case: result-of-a-closure
import torch


class Sharp(torch.optim.Optimizer):
    def step(self, closure):
        loss = closure()
        with torch.enable_grad():
            flat = float(closure())  # sync: SYN203
        if loss > flat:  # sync: SYN301
            return loss
        return flat


# case: schedule-that-looks-at-a-loss-that-was-summed
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau


def train(model, batches, optimizer, criterion):
    scheduler = ReduceLROnPlateau(optimizer)
    for x, y in batches:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step(loss)  # sync: SYN510


# case: fields-of-a-named-tuple-that-is-annotated
from typing import NamedTuple

import torch
from torch import Tensor


class Tree(NamedTuple):
    turning: Tensor
    diverging: Tensor
    depth: int


def grow(tree: Tree) -> Tree:
    if tree.turning or tree.diverging:  # sync: SYN301, SYN303
        return tree
    if tree.depth > 4:
        return tree
    return tree._replace(depth=tree.depth + 1)


# case: fields-of-a-named-tuple-made-by-a-call
from collections import namedtuple

import torch

Tree = namedtuple("Tree", ["turning", "diverging", "depth"])


def leaf(position, energy):
    return Tree(position.norm() > 1, energy > 100.0, 0)


def grow(position: torch.Tensor, energy: torch.Tensor):
    tree = leaf(position, energy)
    if tree.diverging:  # sync: SYN301
        return tree
    return tree if tree.depth > 4 else None


# case: tensor-in-a-list-of-tensors
import torch
from torch import Tensor


def known(value: Tensor, seen: list[Tensor]) -> bool:
    return value in seen  # sync: SYN304


# case: tensors-in-a-list-that-is-filled
import torch


def distinct(values: torch.Tensor):
    seen = []
    for value in values:
        if value not in seen:  # sync: SYN304
            seen.append(value)
    return seen


# case: tuples-with-tensors-sorted
import torch


def best(beams: list[tuple[torch.Tensor, str]], scores: torch.Tensor, k: int):
    pairs = [(scores[i], i) for i in range(k)]
    pairs.sort()  # sync: SYN304
    first = min(pairs)  # sync: SYN304
    ranked = sorted(beams)  # sync: SYN304
    by_name = sorted(beams, key=lambda beam: beam[1])
    by_score = sorted(beams, key=lambda beam: beam[0])  # sync: SYN304
    by_both = sorted(beams, key=lambda beam: (beam[0], beam[1]))  # sync: SYN304
    return first, ranked, by_name, by_score, by_both


# case: tuples-told-apart-before-their-tensors
import torch


def queue(values: torch.Tensor):
    pairs = [(i, values[i]) for i in range(4)]
    return sorted(pairs)


# case: functions-of-the-library-that-take-numbers
import math
import random
import time

import torch


def crop(image: torch.Tensor, box: torch.Tensor):
    y = box[0].max()
    height = image.shape[-2]
    top = random.randint(0, height - y)  # sync: SYN207
    rate = random.uniform(0, y)
    chosen = random.sample(range(8), k=y)  # sync: SYN207
    for _ in range(y):  # sync: SYN207
        pass
    root = math.sqrt(y)  # sync: SYN203
    time.sleep(y)  # sync: SYN203
    return image[..., top:, :], rate, root, chosen


# case: text-by-other-doors
import logging
from pprint import pprint

import torch

logger = logging.getLogger(__name__)


def texts(x: torch.Tensor, stats: dict[str, torch.Tensor]):
    pprint(stats)  # sync: SYN205
    logger.info("mean %s", x.mean())  # sync: SYN205
    logging.info("mean %s", x.mean())  # sync: SYN205
    text = torch.Tensor.__repr__(x)  # sync: SYN205
    return text + x.__repr__()  # sync: SYN205


# case: text-of-an-error
import torch


def checked(x: torch.Tensor, limit: int):
    if x.shape[0] > limit:
        raise ValueError(f"too large: {x}")  # cold: SYN205
    return x


# case: parameter-annotated-as-a-number-that-may-be-a-tensor
import torch
from torch import Tensor


def focal(x: Tensor, gamma: float = 2.0) -> Tensor:
    if isinstance(gamma, torch.Tensor):
        scale = float(gamma)  # sync: SYN203
    else:
        scale = float(gamma)
    return x * scale


# case: boolean-without-dimensions-as-an-index-of-something-used-as-a-tensor
import torch
from torch import Tensor


def kept(x: Tensor, scores: Tensor) -> Tensor:
    is_any = (scores > 0).any()
    y = x[is_any]  # sync: SYN103
    x[is_any] = 0.0  # sync: SYN104
    return y


# case: mask-annotated-with-an-alias
from typing import Union

import torch
from torch import Tensor

Mask = torch.Tensor
BoolMask = torch.BoolTensor


def kept(x: Tensor, mask: Mask, valid: BoolMask) -> tuple[Tensor, Tensor]:
    return x[mask], x[valid]  # sync: SYN103, SYN103


# case: mask-of-a-protocol
from typing import Protocol

import torch
from torch import Tensor


class Batch(Protocol):
    x: Tensor
    train_mask: Tensor


class Data(Protocol):
    @property
    def train_mask(self) -> Tensor: ...

    y: Tensor


def loss(batch: Batch, data: Data, scores: Tensor) -> Tensor:
    out = scores[batch.train_mask]  # sync: SYN103
    return out.sum() + data.y[data.train_mask].sum()  # sync: SYN103


# case: number-asked-for-its-item
from torch import Tensor


def number(values: dict, count: int):
    total = sum(values.values())
    return total / count


# case: arithmetic-with-a-tensor-is-done-by-tensors
import torch
from torch import Tensor


def link(posterior, x: Tensor):
    ratio = posterior.mean.div(torch.sqrt(1 + x))
    if ratio.max() > 1:  # sync: SYN301
        return ratio
    return x


# case: keys-of-a-dictionary-compared-with-a-tensor
import torch
from torch import Tensor


def update(metrics: dict, groups: Tensor, y: Tensor):
    for group, metric in metrics.items():
        mask = groups == group
        if mask.any():  # sync: SYN301
            metric.update(y[mask])  # sync: SYN103


# case: set-that-a-tensor-is-put-into
import torch
from torch import Tensor


def seen(known, x: Tensor):
    known.add(x)
    if known:
        return known
    return len(known)


# case: methods-of-attributes-of-something-unknown
import torch


def train(model, batches):
    for step, batch in enumerate(batches):
        output = model(batch)
        print(output.loss.item())  # sync: SYN201
        picked = output.logits.tolist()  # sync: SYN202
        output.history.append(picked)
        output.config.update({"step": step})


# case: flag-that-subclasses-set
import torch
from torch import Tensor


class Base:
    def __init__(self) -> None:
        self._updated = False
        self._count = 0

    def compute(self, total: Tensor) -> float:
        if not self._updated:
            raise RuntimeError("nothing yet")
        if self._count:
            return total.mean().item()  # sync: SYN201
        return total.item()  # sync: SYN201


# case: number-looked-for-among-tensors
import torch
from torch import Tensor


def without_background(labels: Tensor) -> list[Tensor]:
    kinds = list(labels.unique())  # sync: SYN102
    if 0 not in kinds:  # sync: SYN304
        kinds.append(labels.new_zeros(()))
    return kinds


def among_sizes(labels: Tensor, count: int) -> bool:
    return 0 in [count, labels.shape[0]] or "first" in [labels, count]


# case: tensor-looked-for-among-something-unknown
# A list compares it with each, until one is equal; what may be texts is no place where a tensor is looked for.
import torch


def generate(model: torch.nn.Module, tokens: torch.Tensor, tokenizer) -> torch.Tensor:
    stops = [tokenizer.end] if tokenizer.end is not None else []
    token = model(tokens).argmax()
    return tokens if token in stops else token  # sync: SYN304


def is_listed(token: torch.Tensor) -> bool:
    return token in ["first", "last"]


# case: the-loss-that-a-training-step-returns
import pytorch_lightning as pl


class Coder(pl.LightningModule):
    def __init__(self, loss) -> None:
        super().__init__()
        self.loss = loss

    def training_step(self, batch, batch_idx):
        found, parts = self.loss(batch, split="train")
        self.log("loss", found, prog_bar=True)  # sync: SYN205
        self.log("shown", parts["shown"], prog_bar=True)  # sync: SYN205
        return found


# case: options-with-the-names-of-methods
import torch


def prepared(args, x: torch.Tensor) -> torch.Tensor:
    reveal(args)  # revealed: unknown
    rows = x.reshape(args.chunk, args.length)
    if args.wide:
        rows = rows * 2
    return rows


# case: a-logger-that-is-given-a-name-first
import logging

import torch


def told(logger, loss: torch.Tensor, step: int) -> None:
    logger.log("train/loss", loss, step)
    logger.log(logging.INFO, "loss %s", loss)  # sync: SYN205
    logger.info("loss %s", loss)  # sync: SYN205


# case: what-is-subtracted-from-a-tensor
import torch


def update(net, storage, limits, optimizer) -> None:
    entry = storage.next_entry()
    predicted = net(entry)
    ratio = (predicted["log_prob"] - entry.log_prob).exp()
    loss = -(ratio * entry.advantage).mean()
    distance = (entry.log_prob - predicted["log_prob"]).mean()
    share = entry.share - limits["share"]
    if distance <= limits["distance"]:  # sync: SYN301
        loss.backward()
        optimizer.step()
    if share > 0:
        optimizer.zero_grad()


# case: methods-that-of-all-things-only-tensors-and-arrays-have-where-there-are-no-arrays
import torch
from torch import nn

import kernels


class Masked(nn.Module):
    def forward(self, x: torch.Tensor, held) -> torch.Tensor:
        rows = held.state["mask"].reshape(-1).nonzero().flatten()  # sync: SYN101
        columns = held.of(x).argsort().cumsum(0)
        if columns.reshape(-1)[0] > 0:  # sync: SYN301
            return x[rows]
        placed = kernels.reshape(x, -1)
        if placed:
            return x
        return kernels.nonzero(x)


# case: methods-of-tensors-and-arrays-where-there-are-arrays
import numpy as np
import torch
from torch import nn


class Masked(nn.Module):
    def forward(self, x: torch.Tensor, held) -> torch.Tensor:
        rows = held.state["mask"].reshape(-1).nonzero()
        if held.order.argsort()[0] > 0:
            return x
        return x[np.ravel(rows)]  # sync: SYN403
