# case: what-only-a-data-set-calls-runs-on-the-host
import random

import torch
from helpers import rotated
from torch.utils.data import Dataset


class Images(Dataset):
    def __getitem__(self, index: int):
        image = torch.load(f"{index}.pt")
        return _flipped(rotated(image))


def _flipped(image: torch.Tensor) -> torch.Tensor:
    if image.max() > 1:
        image = image / image.max().item()
    return image.flip(-1) if random.random() > 0.5 else image


# file: helpers.py
import torch


def rotated(image: torch.Tensor) -> torch.Tensor:
    return image if image.mean() < 0.5 else _half_turn(image)


def _half_turn(image: torch.Tensor) -> torch.Tensor:
    angle = image.sum().item()
    return image.rot90(int(angle))


# case: what-a-data-set-and-training-call-may-wait
import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __getitem__(self, index: int):
        return flipped(torch.load(f"{index}.pt"))


def flipped(image: torch.Tensor) -> torch.Tensor:
    return image.flip(-1) if image.max() > 1 else image  # sync: SYN301


def training_step(images: torch.Tensor) -> torch.Tensor:
    return flipped(images)


# case: what-only-a-sampler-calls-runs-on-the-host
import torch
from torch.utils.data import Sampler


def _permutation(size: int, generator: torch.Generator):
    order = torch.arange(size)
    for i in range(size):
        j = torch.randint(i, size, size=(1,), generator=generator).item()
        yield order[j].item()


def _slice_of(tensor: torch.Tensor, step: int) -> list[int]:
    return [value.item() for value in tensor[::step]]


class Shuffled(Sampler):
    def __iter__(self):
        pick = _slice_of if self.exact else _slice_of
        yield from _permutation(10, torch.Generator())
        yield from pick(tensor=torch.load("order.pt"), step=2)


# case: device-value-into-an-element-of-an-array
import numpy as np
import torch
from torch import Tensor


def returns(values: Tensor, rewards: np.ndarray, count: int) -> np.ndarray:
    total = np.zeros(count)
    for i in range(count):
        total[i] = values.sum()  # sync: SYN203
        rewards[i] += 0.9 * values.max()  # sync: SYN203
    total[0] = values.sum().item()  # sync: SYN201
    total[1] = values.shape[0]
    return total


def of_unknown(values: Tensor, kept) -> None:
    kept[1] = values.sum()


# case: attribute-is-where-all-calls-of-the-constructor-leave-it
import numpy as np
import torch


class View:
    def __init__(self, image, mask) -> None:
        self.image = image.clamp(0.0, 1.0)
        self.mask = mask.clamp(0.0, 1.0)


def views(pictures: list) -> list:
    found = []
    for picture in pictures:
        loaded = torch.from_numpy(np.asarray(picture))
        found.append(View(image=loaded, mask=loaded.cuda()))  # cold: SYN402
    found.append(View(torch.zeros(3), torch.zeros(3, device="cuda")))
    return found


def main(model: torch.nn.Module, pictures: list) -> None:
    optimizer = torch.optim.SGD(model.parameters())
    seen = views(pictures)
    while seen:
        view = seen.pop()
        optimizer.zero_grad()
        made = model(view.image.cuda()) * view.mask.cuda()  # sync: SYN402
        made.sum().backward()
        optimizer.step()


if __name__ == "__main__":
    main(torch.nn.Linear(3, 3).cuda(), [])


# case: attribute-may-be-anywhere-where-one-call-does-not-tell
import torch


class View:
    def __init__(self, image) -> None:
        self.image = image.clamp(0.0, 1.0)

    def total(self) -> float:
        return self.image.sum().item()  # sync: SYN201


def views(pictures: list, other: torch.Tensor) -> list:
    return [View(torch.zeros(3)), View(other)]


# case: transforms-of-graphs-prepare-samples
import torch
from torch_geometric.transforms import BaseTransform


class Turn(BaseTransform):
    def forward(self, data):
        return turned(data.pos)


class Turned:
    def forward(self, data):
        return opposite(data.pos)


def turned(x: torch.Tensor) -> torch.Tensor:
    return x if torch.linalg.det(x) < 0 else -x


def opposite(x: torch.Tensor) -> torch.Tensor:
    return -x if torch.linalg.det(x) < 0 else x  # sync: SYN301


# case: a-device-that-all-calls-of-the-constructor-say-is-the-cpu
import torch


class Similarity(torch.nn.Module):
    def __init__(self, device, loss_device) -> None:
        super().__init__()
        self.device = device
        self.loss_device = loss_device

    def loss(self, embeds: torch.Tensor) -> torch.Tensor:
        table = torch.zeros(4, 4).to(self.loss_device)
        other = torch.zeros(4, 4).to(self.device)  # sync: SYN402
        return (embeds * other).cpu().sum() + table.sum().item()  # sync: SYN204


def train(loader, optimizer) -> None:
    similarity = Similarity(torch.device("cuda"), torch.device("cpu"))
    for embeds in loader:
        optimizer.zero_grad()
        similarity.loss(embeds.cuda(non_blocking=True)).backward()
        optimizer.step()


# case: a-device-that-one-call-of-the-constructor-does-not-tell
import torch


class Similarity(torch.nn.Module):
    def __init__(self, loss_device) -> None:
        super().__init__()
        self.loss_device = loss_device

    def loss(self, embeds: torch.Tensor) -> torch.Tensor:
        return torch.zeros(4, 4).to(self.loss_device) * embeds  # sync: SYN402


def train(loader, optimizer, options) -> None:
    for device in (torch.device("cpu"), options.device):
        similarity = Similarity(device)
        for embeds in loader:
            optimizer.zero_grad()
            similarity.loss(embeds.to(device, non_blocking=True)).sum().backward()
            optimizer.step()


# case: what-a-data-set-is-made-with-runs-on-the-host
import torch
import torchvision
from torch.utils.data import Dataset


class Masked:
    def __call__(self, graph):
        return graph.index_fill(0, torch.randint(int(graph.max().item()), (3,)), 0)


class Brightened:
    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        return _stretched(image / image.max().item())


def _stretched(image: torch.Tensor) -> torch.Tensor:
    return image * 2 if image.mean() < 0.5 else image


def inverted(image: torch.Tensor) -> torch.Tensor:
    return image.max().item() - image


class Graphs(Dataset):
    def __init__(self, root: str, transform) -> None:
        self.transform = transform


def main(model, optimizer) -> None:
    graphs = Graphs("graphs", transform=Masked())
    both = torchvision.transforms.Compose([Brightened(), inverted])
    images = torchvision.datasets.ImageFolder("images", transform=both)
    for x in torch.utils.data.DataLoader(images, num_workers=2):
        optimizer.zero_grad()
        model(x, graphs).sum().backward()
        optimizer.step()


# case: what-something-else-is-made-with-may-wait
import torch
from torch.utils.data import IterableDataset


class Chosen:
    def __call__(self, seen: torch.Tensor) -> int:
        return seen.argmax().item()  # sync: SYN201


class Weighted:
    def __call__(self, loss: torch.Tensor) -> torch.Tensor:
        return loss / loss.max().item()  # sync: SYN201


class Scorer(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> float:
        return x.mean().item()  # sync: SYN201


class Played(IterableDataset):
    def __init__(self, choose) -> None:
        self.choose = choose


class Scored(torch.utils.data.Dataset):
    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer


class Objective:
    def __init__(self, weigh) -> None:
        self.weigh = weigh


def main(model, optimizer) -> None:
    played, scored, objective = Played(Chosen()), Scored(Scorer()), Objective(Weighted())
    for x in torch.utils.data.DataLoader(played, num_workers=2):
        optimizer.zero_grad()
        objective.weigh(model(x, scored)).sum().backward()
        optimizer.step()


# case: frames-of-a-film-are-arrays
import cv2
import torch


def show(net, path: str) -> None:
    film = cv2.VideoCapture(path)
    while True:
        is_there, frame = film.read()
        turned = frame[:, :, [2, 1, 0]]
        print(net(torch.from_numpy(turned).cuda()).shape)  # cold: SYN402
        cv2.imshow("frame", turned)


# case: parts-of-what-a-reader-gives-where-nothing-makes-arrays
import torch


def turn(net, reader):
    is_there, frame = reader.read()
    turned = frame[:, :, [2, 1, 0]]  # sync: SYN403
    return net(turned).to(torch.float32)


# case: device-numbers-into-elements-of-an-array-of-several-dimensions
import numpy as np
import torch


def step(scores: torch.Tensor, count: int) -> np.ndarray:
    table = np.zeros((count, 4))
    for row in range(count):
        table[row, 3] = scores[row].max()  # sync: SYN203
        table[row, 2] = scores.cpu()[row].max()  # sync: SYN204
        table[row, :] = 1.0
    return table


# case: lists-of-empty-lists
import torch


def none_at_all(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    pairs = torch.tensor([[], []], device=x.device)
    rows = torch.tensor([[], [1]], device=x.device)  # sync: SYN401
    return pairs, rows


# case: main-module-that-only-runs-tests
import math

import torch


def stored(bank: list[torch.Tensor]) -> float:
    """The mean of a bank.

    >>> stored([torch.zeros(3)])
    0.0
    """
    rows = torch.stack([row.cpu() for row in bank])  # sync: SYN204
    return math.fsum(rows.tolist())


if __name__ == "__main__":
    import doctest

    results = doctest.testmod()
    if results.failed == 0:
        print("All tests passed.")


# case: main-module-that-runs-its-file
import math

import torch


def stored(bank: list[torch.Tensor]) -> float:
    rows = torch.stack([row.cpu() for row in bank])
    return math.fsum(rows.tolist())


if __name__ == "__main__":
    print(stored([torch.zeros(3)]))


# case: what-a-data-set-calls-calls-what-that-was-made-with
# file: train.py
import os

import torch
from images import build
from torch.utils.data import DataLoader


def main():
    model = torch.nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters())
    for images, targets in DataLoader(build(os.environ["KIND"]), batch_size=2):  # cold: SYN702
        loss = model(images.cuda()).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
# file: images.py
import transforms as T


class Images:
    def __init__(self, folder, transforms):
        self.folder = folder
        self.transforms = transforms

    def __getitem__(self, index):
        image, target = read(self.folder, index)
        return self.transforms(image, target)

    def __len__(self):
        return 1000


def read(folder, index):
    return open(f"{folder}/{index}"), {"boxes": index}


def transforms_for(kind):
    if kind == "train":
        return T.Compose([T.OneOf(T.Resize([1, 2]), T.Compose([T.Resize([3]), T.SizedCrop(3, 6), T.Resize([4])]))])
    steps = [T.Resize([800])] if kind == "test" else [T.Crossing(2), T.Crossing(3)]
    return T.Compose(steps)


def build(kind):
    return Images("images", transforms_for(kind))
# file: transforms.py
import random

import torchvision.transforms as T


def _crop(image, target, region):
    boxes = target["boxes"].reshape(-1, 2, 2)
    keep = (boxes[:, 1, :] > boxes[:, 0, :]).all(dim=1)
    target["boxes"] = target["boxes"][keep]
    return image.crop(region), target


class NeverMade:
    def __init__(self, size):
        self.size = size

    def __call__(self, image, target):
        return _crop(image, target, T.RandomCrop.get_params(image, self.size))


class SizedCrop:
    def __init__(self, smallest, largest):
        self.smallest = smallest
        self.largest = largest

    def __call__(self, image, target):
        size = random.randint(self.smallest, self.largest)
        return _crop(image, target, T.RandomCrop.get_params(image, [size, size]))


class Crossing:
    def __init__(self, count):
        self.count = count

    def __call__(self, image, target):
        target["areas"] = [area.item() for area in target["boxes"].prod(dim=1)]
        return image, target


class Resize:
    def __init__(self, sizes):
        self.sizes = sizes

    def __call__(self, image, target):
        return image.resize(random.choice(self.sizes)), target


class OneOf:
    def __init__(self, first, second):
        self.first = first
        self.second = second

    def __call__(self, image, target):
        chosen = self.first if random.random() < 0.5 else self.second
        return chosen(image, target)


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image, target):
        for transform in self.transforms:
            image, target = transform(image, target)
        return image, target


# case: a-set-of-samples-that-is-asked-for-what-a-model-has-made
import torch
from torch.utils.data import DataLoader, Dataset


class Scaler:
    def __init__(self) -> None:
        self.mean = 0.0

    def undone(self, data):
        return data + torch.tensor(self.mean).to(data.device)  # sync: SYN402


class Rows(Dataset):
    def __init__(self, rows: torch.Tensor) -> None:
        self.rows = self.prepared(rows)
        self.scaler = Scaler()

    def prepared(self, rows):
        return rows / rows.sum().item()

    def __getitem__(self, i: int):
        return self.halves(self.rows[i])

    def halves(self, row):
        return row / row.max().item(), row

    def undone(self, data):
        print(data.sum().item())  # sync: SYN201
        return self.scaler.undone(data)


def train(net: torch.nn.Module, optimizer, rows: torch.Tensor) -> None:
    data = Rows(rows)
    for x, y in DataLoader(data, pin_memory=True, num_workers=4):
        out = data.undone(net(x.cuda(non_blocking=True)))
        out.sum().backward()
        optimizer.step()


def main() -> None:
    net = torch.nn.Linear(3, 3).cuda()
    train(net, torch.optim.SGD(net.parameters(), 0.1), torch.rand(10, 3))


if __name__ == "__main__":
    main()
