# case: what-an-object-says-of-itself-runs-where-it-is-asked-for
import logging

import torch
from torch import nn

logger = logging.getLogger()


class Meter:
    def __init__(self, name: str, shown: str = ":f") -> None:
        self.name, self.shown = name, shown
        self.reset()

    def reset(self) -> None:
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        text = "{name} {val" + self.shown + "} ({avg" + self.shown + "})"
        return text.format(**self.__dict__)  # sync: SYN205

    def title(self):
        return "{name}, {count} of them".format(**self.__dict__)


class Printed(Meter):
    def __str__(self):
        return "%s: %.3f" % (self.name, self.avg)  # sync: SYN205


class Formatted(Meter):
    def __str__(self):
        return f"{self.name}: {self.sum}"  # sync: SYN205


class Filled(Meter):
    def __repr__(self):
        return "{}: {}".format(self.name, self.avg)  # cold: SYN205

    def __str__(self):
        return "{}: {:.3f}".format(self.name, self.avg)  # sync: SYN205


class Logged(Meter):
    def __str__(self):
        return "{avg:.3f}".format(avg=self.avg)  # sync: SYN205


class Seldom(Meter):
    def __str__(self):
        return str(self.avg)  # interval: SYN205


def train(model: nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    one, two, three = Meter("one"), Printed("two"), Formatted("three")
    four, five, six = Filled("four"), Logged("five"), Seldom("six")
    for step, batch in enumerate(loader):
        loss = model(batch.to("cuda", non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        for meter in (one, two, three, four, five, six):
            meter.update(loss.detach())
        logger.info(one.title())
        entries = str(one) + "%s" % two + f"{three}" + "{}".format(four)
        logger.info("%s %s", entries, five)
        if step % 100 == 0:
            print(six)
