# case: loader-that-a-function-returns-beside-its-data-set
import torch
from torch.utils.data import DataLoader, Dataset


def make_loader(data: Dataset) -> tuple[DataLoader, Dataset]:
    return DataLoader(data, 8, num_workers=2, pin_memory=True), data


def train(model: torch.nn.Module, data: Dataset, device: torch.device) -> None:
    loader, _ = make_loader(data)
    for images, labels in loader:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device)  # sync: SYN701
        model(images, labels).backward()


# case: loaders-in-a-dictionary
import torch
from torch.utils.data import DataLoader, Dataset


def make_loaders(data: Dataset) -> dict[str, DataLoader]:
    return {
        "train": DataLoader(data, 8, num_workers=2, pin_memory=True),
        "other": DataLoader(data, 8, num_workers=2),
    }


def train(model: torch.nn.Module, data: Dataset, device: torch.device) -> None:
    loaders = make_loaders(data)
    for images, labels in loaders["train"]:
        images = images.to(device, non_blocking=True)
        model(images, labels.to(device, non_blocking=True)).backward()
    for images, labels in loaders["other"]:
        images = images.to(device, non_blocking=True)  # sync: SYN406
        model(images, labels.cuda()).backward()  # sync: SYN402


# case: loader-in-an-attribute
import torch
from torch.utils.data import DataLoader, Dataset


class Data:
    def __init__(self, data: Dataset) -> None:
        self.train_loader = DataLoader(data, 8, num_workers=2, pin_memory=True)


def train(model: torch.nn.Module, data: Dataset, device: torch.device) -> None:
    batches = iter(Data(data).train_loader)
    for _ in range(100):
        images, labels = next(batches)
        images = images.to(device, non_blocking=True)
        labels = labels.to(device)  # sync: SYN701
        model(images, labels).backward()


# case: pinned-right-before-it-is-copied
import numpy as np
import torch


def conditions(labels: list[np.ndarray], device: torch.device) -> torch.Tensor:
    first = torch.from_numpy(np.stack(labels)).pin_memory().to(device)  # sync: SYN701
    return first + torch.from_numpy(np.stack(labels)).pin_memory().to(device, non_blocking=True)


# case: loader-that-is-known-by-its-name
import torch


def train(model: torch.nn.Module, train_loader, device: torch.device) -> None:
    for images, labels in train_loader:
        images = images.to(device)  # sync: SYN402
        labels = labels.to(device, non_blocking=True)
        model(images, labels).backward()
        images.mean().item()  # sync: SYN201


# case: batch-of-dictionaries
import torch


def train(model: torch.nn.Module, data_loader, device: torch.device) -> None:
    for images, targets in data_loader:
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]  # sync: SYN402
        model(images, targets).backward()


# case: what-is-called-a-loader-may-be-none-or-be-called
import torch


def run(model: torch.nn.Module, loader, image_loader, get_loader, x: torch.Tensor, device: torch.device) -> None:
    if loader is None:
        x.sum().item()  # cold: SYN201
    for images in get_loader:
        model(images.to(device))
    model(loader(x).to(device), image_loader("a.png").to(device))


# case: gradient-scaler-that-may-be-switched-off
import torch


def smart_optimizer(model: torch.nn.Module, name: str) -> torch.optim.Optimizer:
    if name == "Adam":
        return torch.optim.Adam(model.parameters())
    return torch.optim.SGD(model.parameters(), 0.1)


class Scaler:
    def __init__(self, device: str = "cuda") -> None:
        try:
            self._scaler = torch.amp.GradScaler(device=device)
        except TypeError:
            self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss: torch.Tensor, optimizer) -> None:
        self._scaler.scale(loss).backward()
        self._scaler.step(optimizer)  # sync: SYN510


def train(model: torch.nn.Module, batches: list[torch.Tensor], name: str, amp: bool) -> None:
    optimizer = smart_optimizer(model, name)
    fused = torch.optim.SGD(model.parameters(), 0.1, fused=True)
    scaler = torch.cuda.amp.GradScaler(enabled=amp)
    for batch in batches:
        scaler.scale(model(batch).sum()).backward()
        scaler.step(optimizer)  # sync: SYN510
        scaler.step(fused)


# case: number-of-numpys-in-a-single-element
import numpy as np
import torch


class Grid(torch.nn.Module):
    def __init__(self, size, rate) -> None:
        super().__init__()
        self.size = np.broadcast_to(np.asarray(size), [2])
        self.rate = rate

    def forward(self, w: torch.Tensor) -> torch.Tensor:
        theta = torch.eye(2, 3, device=w.device)
        theta[0, 0] = 0.5 * self.size[0] / self.rate  # sync: SYN404
        theta[1, 1] = self.size[1]  # sync: SYN404
        return theta


# case: several-unknown-loaders-counted-and-zipped
from itertools import cycle

import torch
import torch.nn.functional as F


def adapt(net, labelled, unlabelled, device, optimizer) -> None:
    for step, ((images, _), others) in enumerate(zip(labelled, cycle(unlabelled))):
        images = images.to(device)  # sync: SYN402
        others = others.to(device)  # sync: SYN402
        F.mse_loss(net(images), net(others)).backward()
        optimizer.step()


def moved_models(nets, names, device) -> None:
    for step, (net, name) in enumerate(zip(nets, names)):
        net.to(device)
        print(step, name)


# case: dataset-of-a-loader-is-the-one-that-it-was-given
import torch


class Bodies:
    def __init__(self) -> None:
        self.pairs = [[0, 1], [1, 0]]

    def __len__(self) -> int:
        return 100

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.rand(3)

    def edges(self) -> list:
        return [torch.LongTensor(self.pairs[0]), torch.LongTensor(self.pairs[1])]


def learn(net, solver, feed) -> None:
    for body in feed:
        edges = feed.dataset.edges()
        edges = [edges[0].cuda(), edges[1].cuda()]  # sync: SYN402
        net(edges).mean().backward()
        solver.step()


def main() -> None:
    net = torch.nn.Linear(3, 3).cuda()
    learn(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.utils.data.DataLoader(Bodies(), batch_size=4))  # cold: SYN702


main()


# case: a-loader-of-the-project-that-lists-what-its-dataset-gives
import torch
from torch.utils.data import DataLoader, Dataset


class Graphs(Dataset):
    def __init__(self, graphs):
        self.graphs = graphs

    def __len__(self):
        return len(self.graphs)

    def __getitem__(self, index):
        return self.graphs[index]


def as_list(graphs):
    return graphs


class Listing(DataLoader):
    def __init__(self, dataset, batch_size=1, **options):
        super().__init__(dataset, batch_size=batch_size, collate_fn=as_list, **options)


class Numbers(DataLoader):
    def __iter__(self):
        yield from range(10)


def train_epoch(model, loader, optimizer, device):
    for graphs in loader:
        graphs = [graph.to(device) for graph in graphs]  # sync: SYN402
        model(graphs).mean().backward()
        optimizer.step()


def count(loader, device):
    total = 0
    for number in loader:
        total += number
    return total


def main(graphs, pin) -> None:
    model = torch.nn.Linear(2, 2).cuda()
    loader = Listing(Graphs(graphs), 4, num_workers=2, pin_memory=pin)
    count(Numbers(Graphs(graphs), num_workers=2), torch.device("cuda"))
    for _ in range(100):
        train_epoch(model, loader, torch.optim.Adam(model.parameters()), torch.device("cuda"))


# case: keys-of-a-batch-that-is-a-dictionary
import torch
from torch.utils.data import DataLoader, Dataset


def train(model: torch.nn.Module, solver: torch.optim.Optimizer, data: Dataset, device: torch.device) -> None:
    for batch in DataLoader(data, 8, num_workers=2, pin_memory=True):
        for name in batch:
            if name != "meta":
                batch[name] = batch[name].to(device, non_blocking=True)
        model(batch).backward()
        solver.step()


def train_on_copies(model: torch.nn.Module, solver: torch.optim.Optimizer, data: Dataset, device: torch.device) -> None:
    for batch in DataLoader(data, 8, num_workers=2, pin_memory=True):
        loss = model({name: batch[name].to(device, non_blocking=True) for name in batch})
        loss.backward()
        solver.step()
        model({name: batch[name].to(device) for name in batch})  # sync: SYN701


# case: batches-that-a-log-of-many-programs-hands-on
import torch
from torch.utils.data import DataLoader, Dataset


class Log:
    def __init__(self) -> None:
        self.count = 0

    def each(self, items, every: int):
        for number, item in enumerate(items):
            yield item
            if number % every == 0:
                print(number)


class Rows(Dataset):
    def __init__(self, files: list[str]) -> None:
        self.files = files

    def __getitem__(self, index: int):
        return torch.load(self.files[index]), self.files[index].split()


def joined(rows):
    images, counts = [], []
    for image, answers in rows:
        images.append(image)
        counts.append(len(answers))
    return torch.stack(images), counts


def compare(net: torch.nn.Module) -> None:
    first = net(torch.ones(8, 8, device="cuda"))
    for row in Log().each(first, 50):
        print(row.argmax().item())  # sync: SYN201
    for row in Log().each(first.float(), 50):
        print(row.argmax().item())  # sync: SYN201
    for row in Log().each(first.int(), 50):
        print(row.argmax().item())  # sync: SYN201
    for row in Log().each(first.bool(), 50):
        print(row.argmax().item())  # sync: SYN201
    for row in Log().each([first.int()], 50):
        print(row.argmax().item())  # sync: SYN201
    for row in Log().each([first.float()], 50):
        print(row.argmax().item())  # sync: SYN201


def train(model: torch.nn.Module, solver: torch.optim.Optimizer, files: list[str]) -> None:
    loader = DataLoader(Rows(files), 8, num_workers=2, pin_memory=True, collate_fn=joined)
    for images, counts in Log().each(loader, 10):
        images = images.to("cuda", non_blocking=True)
        rows = []
        for row, count in enumerate(counts):
            rows += [images[row]] * count
        model(torch.stack(rows)).backward()
        solver.step()


# case: a-loader-in-what-counts-and-shows-its-batches-pins-them-all-the-same
import torch
import tqdm
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __init__(self, transform) -> None:
        self.transform = transform

    def __getitem__(self, index: int):
        try:
            image, boxes = self.transform((open(str(index)), index))
        except ValueError:
            return None
        return index, image, boxes

    def collate(self, rows):
        paths, images, boxes = list(zip(*rows))
        return paths, torch.stack([image for image in images]), torch.cat(boxes, 0)


def make(transform, pins: bool) -> DataLoader:
    dataset = Boxes(transform)
    if pins:
        return DataLoader(dataset, num_workers=2, pin_memory=True, collate_fn=dataset.collate)
    return DataLoader(dataset, num_workers=2, collate_fn=dataset.collate)


def train(model, optimizer, transform) -> None:
    for _, (_, images, boxes) in enumerate(tqdm.tqdm(make(transform, True))):
        loss = model(images.to("cuda", non_blocking=True)) - boxes.to("cuda")  # sync: SYN701
        loss.sum().backward()
        optimizer.step()
    for _, (_, images, boxes) in enumerate(tqdm.tqdm(make(transform, False))):
        loss = model(images.cuda()) - boxes.to("cuda", non_blocking=True)  # sync: SYN402, SYN406
        loss.sum().backward()
        optimizer.step()


train(torch.nn.Linear(2, 2).cuda(), torch.load("optimizer.pt"), torch.load("transform.pt"))
