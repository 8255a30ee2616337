# case: attribute-of-something-unknown-is-what-the-parameter-says
import numpy as np
import torch
from torch import nn


class Actor(nn.Module):
    def forward(self, obs: np.ndarray | torch.Tensor) -> torch.Tensor:
        device = next(self.parameters()).device
        return self.net(torch.as_tensor(obs, device=device))  # sync: SYN401


class Policy:
    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def learn(self, batch):
        return self.actor(batch.obs).mean()


# case: attribute-that-no-tensor-has
import torch
from torch import Tensor


class Key:
    index: int

    def is_set(self, name: str) -> bool:
        return hasattr(self, name)

    def sum(self) -> int:
        return 3


def chosen(table: dict[str, Key | Tensor], name: str) -> bool:
    key = table[name]
    if key.is_set("index"):
        return True
    return bool(key.sum())  # sync: SYN203


# case: attribute-set-through-the-dictionary
import copy

import torch


class Key:
    def is_set(self) -> bool:
        return True


class View:
    def __init__(self, store, key: Key) -> None:
        self.__dict__["_key"] = key
        self.__dict__["_scale"] = torch.ones(3)
        self.__dict__["_store"] = store

    def __getattr__(self, name: str):
        return copy.copy(self)._store.get_tensor(name).detach_()

    def read(self, x: torch.Tensor) -> torch.Tensor:
        if copy.copy(self._key).is_set():
            x = x * self._scale.to(x.device)  # sync: SYN402
        return x


# case: object-that-is-put-into-one-of-several-containers
import numpy as np
import torch


class Batch:
    def __setitem__(self, index, value) -> None:
        pass


def made(value, count: int):
    if isinstance(value, torch.Tensor):
        return torch.zeros(count, device=value.device)
    return Batch()


def add(value, batch: Batch, rows: np.ndarray, x: torch.Tensor) -> None:
    stored = made(value, 3)
    stored[rows] = batch
    stored[rows] = x  # sync: SYN403


# case: key-that-is-looked-for-in-a-dictionary-or-a-tensor
from torch import Tensor


def embedding(found: Tensor | dict[str, Tensor], kinds, position: int) -> Tensor:
    source, _, target = kinds
    assert source in found and target in found
    assert position in found  # sync: SYN304
    return found[source]


# case: what-is-compared-with-a-tensor-on-the-host-is-there
import torch


def same(table, dataset, row: int, other: torch.Tensor) -> bool:
    mine = table["items"][row].to("cpu")  # sync: SYN204
    if torch.equal(mine, dataset.items[row]):
        return True
    scale = torch.tensor(2.0)
    return torch.allclose(other, scale * dataset.rows)  # sync: SYN206


# case: copies-to-the-host-by-name
import torch


class State:
    def to_host(self, names, model, batch, encoder) -> list:
        held = [getattr(self, name) for name in names]
        model.to("cpu")
        encoder.to("cpu")
        batch.to("cpu")
        return [value.to("cpu") for value in held]  # sync: SYN204


# case: results-beside-what-is-annotated
import torch
from torch import Tensor


class Store:
    def __init__(self, mapping: dict[str, Tensor]) -> None:
        self.mapping = mapping

    @property
    def num_nodes(self) -> int | None:
        if "num_nodes" in self.mapping:
            return self.mapping[list(self.mapping)[0]]
        for value in self.mapping.values():
            return value.size(0)
        return None

    @property
    def largest(self) -> int:
        return max(value.max() for value in self.mapping.values())  # sync: SYN304


def nodes(store: Store) -> Tensor:
    for _ in range(store.num_nodes):
        pass
    return torch.arange(store.largest)  # sync: SYN208


# case: number-by-its-key
from torch import Tensor


def tokens(sample: dict[str, Tensor]) -> float:
    if sample["ntokens"] > 0:
        return sample["ntokens"] / sample["loss"].item()  # sync: SYN201
    return 0.0


# case: list-or-tensor-at-the-positions-of-a-tensor
import torch
from torch import Tensor


def ordered(edges: Tensor, weights: Tensor | list[Tensor], count: Tensor):
    order = edges[0].argsort()
    if isinstance(weights, list):
        return [weight[order] for weight in weights], weights[count.max()]  # sync: SYN207
    return weights[order]


def chosen(edges: Tensor, weights: Tensor | list[Tensor]):
    order = edges[0].argsort()
    return weights[order]


# case: probability-of-dropping
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def forward(self, x, dropout_prob):
        return F.dropout(F.normalize(x), dropout_prob, training=self.training)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()

    def forward(self, x, dropout_prob):
        return self.encoder(x, dropout_prob)


# case: positions-among-the-dimensions-of-something-unknown
import torch


def taken(model, rows: int, key):
    order = torch.randperm(rows)
    mean = model.strategy.mean[..., order]  # sync: SYN403
    return mean, model.strategy.rows[order], model.strategy.table[key, :]


# case: positions-from-unknown-bounds
import torch
from torch import Tensor


def edges(x: Tensor, start, end, step) -> Tensor:
    return x[:, torch.arange(start, end, step)]  # sync: SYN403


# case: several-results-of-numpy
import numpy as np
import torch
from torch import Tensor


def first_of_each(rows: Tensor, labels: Tensor) -> Tensor:
    _, positions = np.unique(labels.cpu().numpy(), return_index=True)  # sync: SYN204
    anchors, others = rows[positions], rows[positions]  # sync: SYN403
    counts, edges = np.histogram(positions)
    return anchors + others + rows[edges]  # sync: SYN403


# case: largest-by-a-key
from torch import Tensor


def best(x: Tensor, names: list[str]):
    pairs = [(x.sum(), "sum"), (x.mean(), "mean")]
    by_value = max(pairs, key=lambda pair: pair[0])  # sync: SYN304
    return by_value, max(pairs, key=lambda pair: pair[1]), min(names, key=len)


# case: number-of-the-loss-where-torch-is-not-imported
# file: bound.py
from base import Bound


class Sampled(Bound):
    def loss_and_gradients(self, model, guide) -> float:
        loss, surrogate = self.both(model, guide)
        surrogate.backward()
        return loss.item()  # sync: SYN201
# file: base.py
import torch


class Bound:
    def scale(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


# case: old-form-of-new-tensor
from torch import Tensor


def among(x: Tensor, values: list) -> Tensor:
    empty = x.new(3, 4), x.new(x.shape), x.new()
    return (x[..., None] == x.new(values)).any(-1) + empty[0]  # sync: SYN401


# case: function-with-gradients
import torch


class Sharp(torch.optim.Optimizer):
    @torch.no_grad()
    def step(self, closure):
        closure = torch.enable_grad()(closure)
        loss = float(closure())  # sync: SYN203
        norm = torch.no_grad()(lambda x: x.norm())
        return loss + norm(self.flat.detach_()).item()  # sync: SYN201


# case: length-that-is-found-where-none-is-given
import torch


def mask(lengths, longest=None):
    if longest is None:
        longest = lengths.max()
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)  # sync: SYN208


# case: place-of-another-tensor-that-is-unknown
import torch


def order(plan, rows: int):
    given = plan.indices.left
    if plan.is_padded:
        given = None
    return torch.randperm(rows).type_as(given)  # sync: SYN402


# case: boxes-of-which-nothing-is-known
from torchvision.ops import nms


def kept(boxes, scores):
    return nms(boxes, scores, 0.5)  # sync: SYN109


# case: part-of-a-batch-that-stays-on-the-host
import torch


def validate(model, loader, criterion, device):
    losses = []
    with torch.no_grad():
        for series, target in loader:
            series = series.float().to(device)  # eval: SYN402
            predicted = model(series).detach().cpu()  # eval: SYN204
            target = target.float().detach().cpu()
            losses.append(criterion(predicted, target).item())
    return losses


# case: other-library-where-it-is-installed
import torch
from torch import Tensor

try:
    import probabilities.distributions as base
except ImportError:
    import torch.distributions as base


def density(mean: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    return base.Normal(mean, scale).log_prob(x)  # sync: SYN504


# case: distribution-made-without-its-constructor
import torch
from torch.distributions import MultivariateNormal


class Lazy(MultivariateNormal):
    def expand(self, batch_shape):
        new = self._new_like(Lazy)
        mean, tril = self.loc.expand(batch_shape), self.tril.expand(batch_shape)
        super(Lazy, new).__init__(loc=mean, scale_tril=tril)  # sync: SYN504
        return new


# case: parameters-of-an-own-distribution
import torch
from torch.distributions import Distribution, Normal, constraints


class Sub(Normal):
    def __init__(self, loc, scale):
        super().__init__(loc, scale)  # once: SYN504


class Coalescent(Distribution):
    arg_constraints = {"rate": constraints.positive}

    def __init__(self, rate, count):
        if rate.min() > 0 and count > 3:  # once: SYN303
            super().__init__(rate.shape)  # once: SYN504


# case: weights-that-were-loaded-onto-the-host
import torch


def load(model: torch.nn.Linear, path: str, device: torch.device) -> torch.Tensor:
    saved = torch.load(path, map_location="cpu")
    weights = saved["state_dict"] if "state_dict" in saved else saved
    model.load_state_dict(weights)
    model.weight.data.copy_(weights["linear.weight"])  # once: SYN402
    for _ in range(saved["epoch"] + 1):
        model.to(saved["args"].device)
    return saved["mean"].to(device)  # once: SYN402


# case: characters-and-digits-of-a-tensor
from torch import Tensor


def text(tokens: Tensor, count: int) -> str:
    words = "".join(chr(token + 97) for token in tokens[0])  # sync: SYN207
    return words + hex(tokens.max()) + bin(count)  # sync: SYN207


# case: writer-that-is-handed-around
import torch


def log(writer, table, loss: torch.Tensor, step: int) -> None:
    writer.add_scalar("loss", loss, step)  # sync: SYN205
    writer.add_scalar("step", step, step)
    table.add_row("loss", loss)


# case: members-of-an-enumeration
from enum import Enum, IntEnum
from typing import Any

from torch import Tensor


class Resample(Enum):
    NEAREST = 0
    BILINEAR = 1


class Level(IntEnum):
    LOW = 0


def sampled(flags: dict[str, Tensor], x: Tensor) -> Any:
    if flags["resample"] == Resample.NEAREST or flags["resample"] in (Resample.BILINEAR, Resample.NEAREST):
        return x
    if x.sum() == Level.LOW:  # sync: SYN301
        return None
    return x.mean() in (Level.LOW, 1)  # sync: SYN304


# case: sizes-among-the-tensors-of-a-dictionary
from torch import Tensor


def matched(data: dict[str, Tensor], keep: Tensor) -> Tensor:
    height, width = data["hw0_c"]
    return keep.expand(len(keep), height, width)


# case: what-frameworks-are-given-to-start-from
import lightning as L
import torch


def train(dataset, model, engine):
    fabric = L.Fabric(devices=1)
    for batch in dataset:
        loss = model(batch)
        fabric.backward(loss)
        fabric.log("loss", loss)  # sync: SYN205
        other = engine(batch)
        engine.backward(other)
        if other > 3:  # sync: SYN301
            break


class Square(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad):
        Square.helper.backward(ctx)
        if ctx:
            return grad


# case: masks-of-a-graph
import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid


def fit(model, device) -> torch.Tensor:
    data = Planetoid("data", "Cora")[0].to(device)
    out = model(data.x, data.edge_index)
    return F.cross_entropy(out[data.train_mask], data.y[data.train_mask])  # sync: SYN103


# case: lists-made-of-tensors
import torch
from torch import Tensor


def blocks(x: Tensor, columns: int) -> Tensor:
    every = torch.arange(0, columns - 1)
    inner = torch.tensor(range(7, columns, 8))
    outer = torch.tensor(list(set(every.tolist()).symmetric_difference(inner.tolist())))
    return x[:, :, outer] - x[:, :, outer + 1]  # sync: SYN403


# case: path-made-absolute
import torch


def fetch(store, name: str, weights: torch.Tensor) -> str:
    target = store.folder / name
    torch.save(weights.cpu(), target)  # sync: SYN204
    return str(target.absolute())


# case: branch-for-what-is-no-tensor
# file: ours/__init__.py
from ours.enhance import solarize
# file: ours/enhance.py
import torch
from torch import Tensor


def solarize(x: Tensor, threshold: float | Tensor = 0.5, factor: float | Tensor = 1.0, shift=None) -> Tensor:
    if isinstance(threshold, float):
        threshold = torch.as_tensor(threshold, device=x.device)  # sync: SYN401
    if not isinstance(shift, Tensor):
        shift = torch.as_tensor(shift, device=x.device)
    return shift + x.where(x < threshold, torch.as_tensor(factor, device=x.device))


def transform(x: Tensor, threshold: Tensor, factor: Tensor) -> Tensor:
    return solarize(x, threshold, factor, factor)


# case: parts-that-are-subtracted
import torch


def spread(weights: torch.Tensor, batch) -> torch.Tensor:
    return torch.repeat_interleave(weights, batch.ptr[1:] - batch.ptr[:-1])  # sync: SYN105


def shifted(names, others):
    found = names[1:] + others[:-1]
    if found:
        return found
    return torch.zeros(3)


# case: a-batch-that-is-calculated-with-is-a-tensor
import torch
from data import loader, others
from torch import nn


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for x in loader:
        x = x.to("cuda", non_blocking=True)
        if x.min() < 0:  # sync: SYN301
            print("negative")
        net(x).mean().backward()
        optimizer.step()
    for images in torch.utils.data.DataLoader(others, num_workers=2):
        images = images.to("cuda")  # sync: SYN402
        bright = images[images > 0.5]  # sync: SYN103
        net(images[:, 0]).mean().backward()
        optimizer.step()
        bright.sum()


main()


# case: a-batch-whose-parts-have-names-is-none
import torch
from data import loader
from torch import nn


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for batch in torch.utils.data.DataLoader(loader, num_workers=2):
        batch = batch.to("cuda")  # sync: SYN402
        if batch is None or not batch:
            continue
        net(batch.x[batch.mask > 0]).mean().backward()  # sync: SYN103
        optimizer.step()


main()


# case: a-program-without-a-device-runs-on-the-host-whatever-it-calls-its-values
import json

import torch
from torch import nn


def main() -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps = 100
    for step in range(steps):
        inputs = torch.randn(8, 4)
        output = model(inputs).mean()
        output.backward()
        optimizer.step()
        print(json.dumps({"step": step, "loss": output.item()}))


if __name__ == "__main__":
    main()
