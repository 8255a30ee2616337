# case: a-generator-method-is-what-a-loop-goes-through
import torch


class Feed:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for row in self.rows:
            yield torch.tensor(row).cuda().sum(), len(row)  # sync: SYN402

    def __len__(self):
        return len(self.rows)


def train(model, optimizer, rows) -> None:
    feed = Feed(rows)
    for total, size in feed:
        model(total).backward()
        optimizer.step()
        if total > 3:  # sync: SYN301
            print("high")
        if size > 3:
            print("long")


# case: an-iterator-of-its-own-gives-one-element-in-each-round
import torch


class Drawn:
    def __init__(self, rows):
        self.rows = rows
        self.start = torch.tensor(rows[0]).cuda()  # once: SYN402

    def __iter__(self):
        self.at = torch.tensor(self.rows[0]).cuda()  # epoch: SYN402
        return self

    def __next__(self):
        if not self.rows:
            raise StopIteration
        return torch.tensor(self.rows.pop()).cuda().sum()  # sync: SYN402


def train(model, optimizer, rows) -> None:
    drawn = Drawn(rows)
    for epoch in range(90):
        for total in drawn:
            model(total).backward()
            optimizer.step()
            if total > 3:  # sync: SYN301
                print("high")


# case: what-only-has-rows-gives-one-after-another
import torch


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, at):
        return torch.ones(len(self.rows[at]), device="cuda").sum()


def train(model, optimizer, rows) -> None:
    for total in Rows(rows):
        model(total).backward()
        optimizer.step()
        if total > 3:  # sync: SYN301
            print("high")


# case: what-is-given-to-functions-that-iterate-is-gone-through
import torch
from tqdm import tqdm


class Feed:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return (torch.ones(len(row), device="cuda").sum() for row in self.rows)


def told(feed: Feed) -> None:
    for at, total in enumerate(tqdm(feed)):
        if total > at:  # sync: SYN301
            print("high")
    for total, size in zip(feed, range(8)):
        if total > size:  # sync: SYN301
            print("high")
    for total in [one + 1 for one in feed]:
        if total > 3:  # sync: SYN301
            print("high")
    if next(iter(feed)) > 3:  # sync: SYN301
        print("high")
    for total in list(feed):
        if total > 3:  # sync: SYN301
            print("high")


# case: an-iterator-that-is-asked-for-the-next-one-by-name
import torch


class Drawn:
    def __iter__(self):
        return self

    def __next__(self):
        return torch.ones(8, device="cuda").sum(), 3


def train(model, optimizer) -> None:
    drawn = iter(Drawn())
    for _ in range(1000):
        total, size = next(drawn)
        model(total).backward()
        optimizer.step()
        if total > 3:  # sync: SYN301
            print("high")
        if size > 3:
            print("long")


# case: an-object-that-iterates-over-host-values-gives-those
import torch


class Names:
    def __init__(self, scores):
        self.scores = scores.cuda()  # once: SYN402

    def __iter__(self):
        return iter([1, 2, 3])

    def __getitem__(self, at):
        return self.scores[at]


def check() -> None:
    for name in Names(torch.ones(8)):
        if name > 3:
            print("high")


# case: a-feed-that-yields-batches-leaves-it-to-others-what-is-done-with-them
# In a project that trains as well, a worker that answers requests goes through a feed that brings batches to the device.
import queue

import torch
from torch import nn


class Feed:
    def __init__(self, loader, device) -> None:
        self.loader = loader
        self.device = device

    def __iter__(self):
        for batch in self.loader:
            yield batch.to(self.device, non_blocking=True)


class Decoder:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def decode_all(self, feed) -> list:
        return [self.decode(batch) for batch in feed]

    @torch.no_grad()
    def decode(self, batch: torch.Tensor) -> torch.Tensor:
        words = batch[:, :1]
        for _ in range(100):
            words = torch.cat([words, self.model(words).argmax(-1)], 1)
            if (words[:, -1] == 0).all():  # sync: SYN301
                break
        return words


def answer(requests: queue.Queue, answers: queue.Queue, model: nn.Module, device: torch.device) -> None:
    decoder = Decoder(model)
    while True:
        request = requests.get()
        answers.put(decoder.decode_all(Feed(request, device)))


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
