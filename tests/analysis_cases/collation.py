# case: batch-is-what-the-collate-function-returns
import torch
from torch.utils.data import DataLoader


class Rays:
    def __init__(self, device, images) -> None:
        self.device, self.images = device, torch.from_numpy(images)

    def collate(self, index):
        return {"image": self.images[index].to(self.device), "index": index}  # sync: SYN402

    def loader(self):
        return DataLoader(list(range(9)), collate_fn=self.collate)  # once: SYN702


def train(model, images, optimizer) -> None:
    for data in Rays("cuda", images).loader():
        loss = model(data["image"]).mean()
        loss.backward()
        optimizer.step()
        print(data["image"].sum().item(), data["index"][0])  # sync: SYN201


# case: batch-is-on-the-host-where-the-collate-function-left-it
import torch
from torch.utils.data import DataLoader


def collate(rows: list[dict]):
    longest = max(row["ids"].numel() for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : row["ids"].numel()] = row["ids"]
        if row["ids"].max() > 9:
            ids[at] = 0
    return ids, [row["text"] for row in rows]


def train(model, dataset, optimizer, device: torch.device) -> None:
    loader = DataLoader(dataset, collate_fn=collate)  # once: SYN702
    for ids, texts in loader:
        if ids.max() > 5 and texts[0]:
            continue
        ids = ids.to(device)  # sync: SYN402
        model(ids).mean().backward()
        optimizer.step()


# case: batch-of-a-function-with-arguments-of-its-own
from functools import partial

import torch
from torch.utils.data import DataLoader


def collate(rows, device):
    return torch.stack([row["x"] for row in rows]).to(device)  # sync: SYN402


def train(model, dataset, optimizer, device: torch.device) -> None:
    for x in DataLoader(dataset, collate_fn=partial(collate, device=device)):  # once: SYN702
        model(x.to(device)).mean().backward()
        optimizer.step()


# case: workers-upload-nothing
import torch
from torch.utils.data import DataLoader


def collate(rows):
    weights = torch.tensor([0.1, 0.9], device="cuda")
    return torch.stack(rows).cuda() * weights


def train(model, dataset, optimizer) -> None:
    for x in DataLoader(dataset, collate_fn=collate, num_workers=2):
        model(x).mean().backward()
        optimizer.step()


# case: object-that-makes-batches
import torch
from torch.utils.data import DataLoader


class Collator:
    def __init__(self, device: torch.device) -> None:
        self.device = device

    def __call__(self, rows):
        ids = torch.tensor([row["id"] for row in rows], device=self.device)  # sync: SYN401
        return {"ids": ids, "rows": rows}


def train(model, dataset, optimizer, device: torch.device) -> None:
    for batch in DataLoader(dataset, collate_fn=Collator(device)):  # once: SYN702
        model(batch["ids"]).mean().backward()
        optimizer.step()


# case: text-is-a-key-of-a-dictionary-among-what-a-collate-function-returns
import torch
from torch.utils.data import DataLoader


def collate(rows):
    if isinstance(rows[0], torch.Tensor):
        return torch.cat(list(rows))
    if isinstance(rows[0], str):
        return list(rows)
    return {key: collate([row[key] for row in rows]) for key in rows[0]}


def train(model: torch.nn.Module, dataset, optimizer: torch.optim.Optimizer) -> None:
    for batch in DataLoader(dataset, collate_fn=collate, pin_memory=True, num_workers=2):
        for key in batch.keys():
            if isinstance(batch[key], torch.Tensor):
                batch[key] = batch[key].cuda(non_blocking=True)
        loss = model(batch["image"]).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


# case: collate-function-is-given-rows-of-the-dataset
import dataclasses

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclasses.dataclass
class Sample:
    tokens: torch.Tensor
    length: int

    def to(self, device: str) -> "Sample":
        return Sample(self.tokens.to(device), self.length)  # sync: SYN402


class Texts(Dataset):
    def __getitem__(self, position: int) -> Sample:
        return Sample(torch.tensor([1, 2, 3]), 3)


def first(samples: list) -> Sample:
    return samples[0]


def train(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    model.to("cuda")
    for sample in DataLoader(Texts(), batch_size=1, collate_fn=first, num_workers=2):
        if sample.tokens.max() > 5:
            continue
        longest = int(sample.tokens.max())
        moved = sample.to("cuda")
        loss = model(moved.tokens).mean()
        loss.backward()
        optimizer.step()
        if moved.length > longest:
            print("cut")


# case: texts-of-rows-stay-texts-and-numbers-become-tensors
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


class Images(Dataset):
    def __init__(self, files: list, transform) -> None:
        self.files, self.transform = files, transform

    def __getitem__(self, position: int):
        return self.transform(self.files[position]), f"image {position}", position % 10


def train(model: nn.Module, optimizer: torch.optim.Optimizer, files: list, transform, asked: str) -> None:
    model.to("cuda")
    dataset = Subset(Images(files, transform), range(100))
    for image, name, label in DataLoader(dataset, batch_size=1, num_workers=2):
        if name[0] == asked or name == [asked]:
            continue
        loss = nn.functional.cross_entropy(model(image.cuda()), label.cuda())  # sync: SYN402, SYN402
        loss.backward()
        optimizer.step()


# case: what-a-loader-calls-with-its-rows-is-called-by-nobody-else
import torch
from torch.utils.data import DataLoader
from unseen import datasets, make_loader


def kept(values, keep):
    return values[:, keep]


def shown(values, keep):
    return values[:, keep]  # sync: SYN103


class Collation:
    def __init__(self, wanted):
        self.wanted = wanted

    def collate_rows(self, rows):
        rows = {key: torch.stack([row[key] for row in rows]) for key in rows[0].keys()}
        keep = rows["charges"].sum(0) > 0
        return {key: kept(value, keep) for key, value in rows.items()}

    def gather(self, rows):
        rows = {key: torch.stack([row[key] for row in rows]) for key in rows[0].keys()}
        keep = rows["charges"].sum(0) > 0
        return {key: shown(value, keep) for key, value in rows.items()}


def main():
    collation = Collation(True)
    loaders = {key: DataLoader(one, num_workers=0, collate_fn=collation.collate_rows) for key, one in datasets.items()}  # once: SYN702
    others = make_loader(collation.gather)
    model = torch.nn.Linear(2, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    for batch in loaders["train"]:
        loss = model(batch["x"].cuda()).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
