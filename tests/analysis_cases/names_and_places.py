# case: package-directory-without-an-init-file
# file: pkg/util/ops.py
import torch


def norm(x: torch.Tensor) -> torch.Tensor:
    return x.norm()


# file: pkg/train.py
from pkg.util.ops import norm


def update(batch):
    n = norm(batch)
    return n.item()  # sync: SYN201


# case: unresolved-name-in-camel-case
import torch
from somewhere import ComputeLoss


def update(model, batches):
    for x, y in batches:
        loss = ComputeLoss(model(x), y)
        loss.backward()
        print(float(loss))  # sync: SYN203


# case: public-attribute-is-no-constant
import torch


class Sampler:
    def __init__(self) -> None:
        self.burnin = False
        self.verbose = True

    def step(self, energy: torch.Tensor) -> float:
        if not self.burnin:
            return energy.sum().item()  # sync: SYN201
        return energy.mean().item()  # sync: SYN201


# case: loader-through-a-progress-bar-in-a-with-statement
import torch
from tqdm import tqdm


def train(model, train_loader, optimizer, device):
    with tqdm(train_loader, desc="train") as progress:
        for x, y in progress:
            x, y = x.to(device), y.to(device)  # sync: SYN402, SYN402
            loss = model(x, y)
            loss.backward()
            optimizer.step()
            progress.set_postfix(loss=loss.item())  # sync: SYN201


# case: loader-through-a-bar-and-a-count
import torch
from tqdm.auto import tqdm


def train(model, train_loader, optimizer, device):
    bar = tqdm(enumerate(train_loader), total=len(train_loader))
    for i, (x, y) in bar:
        x = x.to(device)  # sync: SYN402
        loss = model(x, y)
        loss.backward()
        optimizer.step()
    for i, (x, y) in enumerate(tqdm(train_loader)):
        x = x.to(device)  # sync: SYN402
        model(x).sum().backward()
        optimizer.step()


# case: loaders-zipped-and-cycled
import torch
from itertools import cycle


def train(model, source_loader, target_loader, optimizer, device):
    for (x, y), (z, _) in zip(source_loader, cycle(target_loader)):
        x = x.to(device)  # sync: SYN402
        z = z.to(device)  # sync: SYN402
        model(x, z).backward()
        optimizer.step()


# case: training-function-with-a-loader
import torch
import torch.nn.functional as F


def train(args, model, device, train_loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)  # sync: SYN402, SYN402
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()


# case: training-function-in-a-file-that-does-not-import-torch


def train(model, device, train_loader, optimizer, criterion):
    for data, target in train_loader:
        data, target = data.to(device), target.to(device)  # sync: SYN402, SYN402
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()


# case: data-that-is-iterated-moved-and-given-to-a-model


def train(network, device, dataset, optimizer, criterion):
    for inputs, labels in dataset:
        inputs = inputs.to(device)  # sync: SYN402
        labels = labels.to(device)  # sync: SYN402
        loss = criterion(network(inputs), labels)
        loss.backward()
        optimizer.step()


# case: prefetched-batches
import torch
from prefetch import Prefetcher


def train(model, data, optimizer, device):
    for batch in Prefetcher(data):
        x = batch[0].to(device)  # sync: SYN402
        y = batch[1].to(device)  # sync: SYN402
        model(x, y).backward()
        optimizer.step()


# case: models-that-are-iterated-and-moved


def prepare(models, device):
    for model in models:
        model = model.to(device)
        model.eval()
        yield model


# case: nested-comprehensions-over-batches
import torch


def lengths(batches: list[list[torch.Tensor]]) -> list[list[float]]:
    return [[item.sum().item() for item in batch] for batch in batches]  # sync: SYN201


# case: flat-comprehension-over-batches
import torch


def losses(batches: list[list[torch.Tensor]]) -> list[float]:
    return [item.sum().item() for batch in batches for item in batch]  # sync: SYN201


# case: docstring-of-a-float-tensor-with-shape
import torch


def score(pred, mask):
    """Score predictions.

    Args:
        pred: A float tensor with shape (N, C) holding logits.
        mask: Boolean tensor of size (N,), what counts.
    """
    if pred.max() > 1:  # sync: SYN301
        return pred
    return pred[mask]  # sync: SYN103


# case: docstring-of-a-tensor-of-size
import torch


def weigh(weights, eps=1e-6):
    """Weigh.

    Parameters:
        weights (Tensor of size N x 3): the weights
        eps (float): added
    """
    return weights.tolist()  # sync: SYN202


# case: docstring-of-something-with-a-tensor
import torch


def names_of(config, count):
    """List names.

    Args:
        config: Configuration of the tensor with shape and names.
        count: The number of tensors with size 3.
    """
    if config > 3:
        return count
    return float(count)


# case: tensors-that-are-on-the-host-by-their-names
from dataclasses import dataclass

import torch


@dataclass
class Metadata:
    seq_lens: torch.Tensor
    seq_lens_cpu: torch.Tensor
    query_lens_cpu: torch.Tensor | None = None
    seq_lens_cpu_upper_bound: torch.Tensor | None = None
    recpute_lens: torch.Tensor | None = None


class Builder(torch.nn.Module):
    def build(self, metadata: Metadata, starts_host: torch.Tensor) -> int:
        lengths_cpu = metadata.seq_lens_cpu[1:] - metadata.seq_lens_cpu[:-1]
        assert metadata.query_lens_cpu is not None
        longest = lengths_cpu.max().item() + starts_host[-1].item() + metadata.query_lens_cpu[-1].item()
        if metadata.seq_lens_cpu_upper_bound is not None:
            longest += metadata.seq_lens_cpu_upper_bound[1:].max().item()
        longest += metadata.recpute_lens[0].item()  # sync: SYN201
        return longest + metadata.seq_lens.max().item()  # sync: SYN201

    def told(self, x: torch.Tensor) -> float:
        total_cpu = x.cuda().sum()
        return total_cpu.item()  # sync: SYN201


# case: variants-of-an-interface-that-are-for-the-cpu-by-their-names
from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch


@dataclass
class Lengths:
    lengths: torch.Tensor


class Lookup(ABC):
    @abstractmethod
    def find(self, rows: torch.Tensor, sizes: Lengths) -> torch.Tensor: ...


class CPULookup(Lookup):
    def find(self, rows: torch.Tensor, sizes: Lengths) -> torch.Tensor:
        valid = rows >= 0
        if not valid.all().item():
            rows = rows[valid]
        return rows[: int(sizes.lengths[0])] + self.count(rows)

    def count(self, rows: torch.Tensor) -> int:
        return rows.max().item()

    def brought(self, rows: torch.Tensor) -> int:
        return rows.cuda().max().item()  # sync: SYN201

    def fetched(self, rows: torch.Tensor) -> list[int]:
        return rows.cpu().tolist()  # sync: SYN204


class Owner:
    def __init__(self, lookup: Lookup, rows: torch.Tensor) -> None:
        self.lookup, self.sizes = lookup, Lengths(rows.cuda())

    def run(self, rows: torch.Tensor) -> torch.Tensor:
        return self.lookup.find(rows.cuda(), self.sizes)


class LookupOnGpu(Lookup):
    def find(self, rows: torch.Tensor, sizes: Lengths) -> torch.Tensor:
        return rows[: int(sizes.lengths[0])]  # sync: SYN203


class CpuToGpuLookup(Lookup):
    def find(self, rows: torch.Tensor, sizes: Lengths) -> torch.Tensor:
        return rows[: int(sizes.lengths[0])]  # sync: SYN203


class CPULimits:
    def largest(self, rows: torch.Tensor) -> int:
        return rows.max().item()  # sync: SYN201


class Cpulse(Lookup):
    def find(self, rows: torch.Tensor, sizes: Lengths) -> torch.Tensor:
        return rows[: int(sizes.lengths[0])]  # sync: SYN203


# case: packages-within-a-folder-that-has-an-init-itself
# file: flow/__init__.py
# file: flow/pyproject.toml
[project]
name = "flow"
# file: flow/flow/__init__.py
# file: flow/flow/places.py
import torch


def here() -> torch.device:
    return torch.device("cpu")


def there() -> torch.device:
    return torch.device("cuda")


# file: flow/flow/training/__init__.py
# file: flow/flow/training/pipeline.py
import torch
from flow.places import here, there
from helpers.batches import moved


def train(model, solver, batch: torch.Tensor, steps: int) -> None:
    for step in range(steps):
        near = torch.zeros(3).to(here())
        far = torch.zeros(3).to(there())  # sync: SYN402
        model(near, far, moved(batch)).mean().backward()
        solver.step()


# file: flow/helpers/__init__.py
# file: flow/helpers/batches.py
import torch


def moved(batch: torch.Tensor) -> torch.Tensor:
    return torch.ones(3).cuda() + batch  # sync: SYN402


# file: flow/flow/einops/__init__.py
def joined(parts):
    return parts


# file: flow/flow/einops/uses.py
import torch
from einops import rearrange


def first(x: torch.Tensor) -> float:
    return float(rearrange(x, "a b -> (a b)")[0])  # sync: SYN203
