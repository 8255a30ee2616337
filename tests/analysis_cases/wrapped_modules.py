# case: model-spread-over-processes
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x)
        if y.max() > 1.0:  # sync: SYN301
            y = y / 2
        return y

    def describe(self, x):
        return self.linear(x).mean().item()  # eval: SYN201


def train(net, optimizer, loader) -> None:
    for batch in loader:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()


def evaluate(net, batch):
    return net.module.describe(batch)


def main(loader, batch) -> None:
    net = DDP(Net().cuda())
    train(net, torch.optim.AdamW(net.parameters()), loader)
    evaluate(net, batch)


# case: inputs-that-a-wrapper-brings-to-the-device
import torch
from torch import nn


class Peak(nn.Module):
    def forward(self, x):
        return x.max().item()  # sync: SYN201


def main() -> None:
    peak = nn.DataParallel(Peak())
    for _ in range(100_000):
        peak(torch.zeros(4))


# case: one-of-several-inputs-that-a-wrapper-brings-to-the-device
import torch
from torch import nn


class Sum(nn.Module):
    def forward(self, x):
        if isinstance(x, list):
            x = torch.cat(x)
        return x.cuda(non_blocking=True).sum()


def main(is_whole: bool) -> None:
    total = nn.DataParallel(Sum())
    for _ in range(100_000):
        total(torch.zeros(4) if is_whole else [torch.zeros(2), torch.zeros(2)])


# case: module-that-no-wrapper-brings-anything
import torch
from torch import nn


class Shift(nn.Module):
    def forward(self, x):
        return x + 1


def main() -> None:
    shift = Shift()
    for _ in range(100_000):
        print(shift(torch.zeros(4)).max().item())


# case: function-that-is-compiled-by-a-call
import torch


def average(x):
    return x.mean()


def main(values: torch.Tensor) -> None:
    quick = torch.compile(average)
    for _ in range(100_000):
        print(quick(values).item())  # sync: SYN201


# case: what-a-wrapper-keeps-is-told-apart
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Count(nn.Module):
    def forward(self, x: torch.Tensor) -> int:
        return x.shape[0]


def unwrapped(module):
    return module.module if isinstance(module, DistributedDataParallel) else module


def main(x: torch.Tensor) -> None:
    count = unwrapped(DistributedDataParallel(Count()))
    for _ in range(100_000):
        if count(x):
            print("some")


# case: module-within-a-wrapper-of-another-library
import torch
from apex.parallel import DistributedDataParallel as DDP


class Generator(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, gen: bool = False) -> torch.Tensor:
        found = self.inner(x)
        if gen:
            print(lengths.max().item())  # interval: SYN201
        return found


def train(loader, optimizer: torch.optim.Optimizer) -> None:
    generator = DDP(Generator().cuda())
    for index, (x, lengths) in enumerate(loader):
        generator(x, lengths).sum().backward()
        optimizer.step()
        if index % 100 == 0:
            generator.module(x[:1], lengths[:1], gen=True)


# case: inputs-that-a-distributed-module-copies-to-its-device
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Scale(nn.Module):
    def forward(self, batch, factor):
        return batch["images"] * factor


def main(rank: int) -> None:
    told = DistributedDataParallel(Scale().cuda(rank), device_ids=[rank])
    untold = DistributedDataParallel(Scale().cuda(rank))
    images = torch.zeros(4)
    for _ in range(100_000):
        told({"images": images}, 2)  # sync: SYN402
        told({"images": images.pin_memory()}, factor=2)  # sync: SYN402
        told({"images": images.cuda(non_blocking=True)}, 2)  # sync: SYN406
        told({"names": ["a", "b"]}, 2)
        untold({"images": torch.ones(4, device="cuda")}, 2)


# case: a-wrapper-that-may-have-been-told-its-device-is-given-what-may-have-been-moved
import argparse

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Contrast(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        return (self.layer(first) * self.layer(second)).sum()


def train(loader, model, optimizer, args) -> None:
    for images, _ in loader:
        if args.gpu is not None:
            images[0] = images[0].cuda(args.gpu, non_blocking=True)
            images[1] = images[1].cuda(args.gpu, non_blocking=True)
        model(images[0], images[1]).backward()
        optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int)
    args = parser.parse_args()
    model = Contrast()
    if args.gpu is not None:
        model.cuda(args.gpu)
        model = DistributedDataParallel(model, device_ids=[args.gpu])
    else:
        model.cuda()
        model = DistributedDataParallel(model)
    loader = torch.utils.data.DataLoader(torch.load("data.pt"), batch_size=8, pin_memory=True, num_workers=4)
    train(loader, model, torch.optim.SGD(model.parameters(), lr=0.1), args)


main()


# case: distributed-model-is-given-what-was-moved-and-what-was-not
import torch
from torch.nn.parallel import DistributedDataParallel


def run(loader, width: int) -> None:
    net = DistributedDataParallel(torch.nn.GRU(3, 3).cuda(), device_ids=[0])
    solver = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in loader:
        for key, value in batch.items():
            if type(value) is not list:
                batch[key] = value.cuda()  # sync: SYN402
        net(batch["frames"])[0].sum().backward()
        hidden = torch.zeros((1, width, 3))
        net(batch["frames"], hidden)[0].sum().backward()  # sync: SYN402
        solver.step()
