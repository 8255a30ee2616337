# case: items-of-a-batch-are-brought-to-the-device
import torch


class Trainer:
    def step(self, batch) -> None:
        images = batch["image"].to(self.device)  # sync: SYN402
        labels = batch.labels.to(self.device)  # sync: SYN402
        mask = batch["mask"].squeeze(1).cuda()  # sync: SYN402
        for key, value in batch.items():
            if isinstance(value, torch.Tensor):
                batch[key] = value.to(self.device)  # sync: SYN402
        self.use(images, labels, mask, batch["mask"].cuda())


# case: images-of-a-list-of-batched-inputs
import torch


class Detector(torch.nn.Module):
    def forward(self, batched_inputs):
        return [self.normalize(x["image"].to(self.device)) for x in batched_inputs]  # sync: SYN402


# case: batch-that-keeps-its-device
import torch


class Trainer:
    def step(self, batch, loss: torch.Tensor) -> None:
        self.use(batch["image"].to(torch.float16), batch["mask"].to(loss.device), batch.to("cpu"))

    def bring(self, batch) -> None:
        self.use(self.batch_norm.to(self.device), batch["x"].to(self.device, non_blocking=True))


# case: frameworks-bring-batches-to-the-device
import torch


class Module(torch.nn.Module):
    def training_step(self, batch, index: int) -> torch.Tensor:
        return self.layer(batch["image"].to(self.device))


# case: container-of-tensors-that-moves-them
import torch


class Padded:
    def __init__(self, tensors, mask) -> None:
        self.tensors, self.mask = tensors, mask

    def to(self, device):
        return Padded(self.tensors.to(device), self.mask.to(device))  # sync: SYN402


# case: module-that-moves-its-parameters
import torch


class Net(torch.nn.Module):
    def to(self, device):
        self.table = self.table.to(device)
        return super().to(device)


# case: new-tensor-of-weights-that-a-configuration-gives
import torch


class Loss(torch.nn.Module):
    def __init__(self, class_weight=None) -> None:
        super().__init__()
        self.class_weight = class_weight

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        if self.class_weight is not None:
            scores = scores * scores.new_tensor(self.class_weight)  # sync: SYN401
        return scores


# case: sizes-of-a-batch-that-is-a-tensor
import torch


class Check(torch.nn.Module):
    def forward(self, images):
        count, length = images.shape[0], images.shape[self.axis]
        assert length == self.length, "of another length"
        assert images.sum() > 0, "empty"  # sync: SYN302
        return images * count


def train(check: Check, loader, optimizer) -> None:
    for batch in loader:
        check(batch.to("cuda", non_blocking=True)).sum().backward()
        optimizer.step()


# case: part-of-a-batch-that-has-items-is-a-dictionary
import torch
from torch.utils.data import DataLoader


def train(loader: DataLoader, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    for images, target in loader:
        for key, value in target.items():
            target[key] = value.cuda()  # sync: SYN402
        model(images, target).backward()
        optimizer.step()


def train_on(loader: DataLoader, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    for batch, number in loader:
        for key in batch.keys():
            batch[key] = batch[key].cuda()  # sync: SYN402
        model(batch).backward()
        optimizer.step()


def train_on_pairs(loader: DataLoader, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    for images, target in loader:
        for key in range(3):
            target[key] = model(images)[key].sum().cuda()  # sync: SYN204
        model(images, target).backward()
        optimizer.step()


# case: part-of-a-batch-as-a-bound
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader


def train(model: nn.Module, optimizer: Optimizer, loader: DataLoader, device: str) -> None:
    for batch in loader:
        batch = batch.to(device)  # sync: SYN402
        score = model(batch.x)[: batch.seeds]
        first = score[0, : batch.lengths[0]]  # sync: SYN207
        whole = score[:, : batch.lengths.max()]  # sync: SYN207
        (score.mean() + first.mean() + whole.mean()).backward()
        optimizer.step()


# case: what-a-dictionary-in-a-batch-holds-stays-where-it-is
import torch


def train(net: torch.nn.Module, optimizer, loader) -> None:
    for batch in loader:
        for key, value in batch.items():
            if type(value) is not dict:
                batch[key] = value.cuda()  # sync: SYN402
        counts = [count.item() for count in batch["info"]["counts"]]
        loss = net(batch["images"]).sum() / sum(counts)
        loss.backward()
        optimizer.step()


# case: iterator-of-a-loader-in-an-attribute-declared-as-one
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader


class Trainer:
    loader: DataLoader
    batches: Iterator[dict[str, Any]]
    names: Iterator[dict[str, Any]]

    def next_batch(self) -> torch.Tensor:
        batch = next(self.batches, None)
        if batch is None:
            self.batches = iter(self.loader)
            batch = next(self.batches)
        return batch["images"].to("cuda")  # sync: SYN402

    def next_names(self):
        return next(self.names)["images"].to("cuda")

    def train(self, net: torch.nn.Module, optimizer) -> None:
        self.batches = iter(self.loader)
        self.names = ({"images": torch.ones(3, device="cuda")} for _ in range(100))
        for _ in range(100):
            net(self.next_batch(), self.next_names()).mean().backward()
            optimizer.step()
