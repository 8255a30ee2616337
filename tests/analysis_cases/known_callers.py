# case: nobody-calls-with-what-a-name-suggests
import torch
from torch.utils.data import DataLoader


def rewarded(texts, answers):
    scores = torch.zeros(len(texts), device="cuda")
    for at, text in enumerate(texts):
        if answers[at]:
            scores[at : at + 1].fill_(float(str(answers[at]) in text))
    return scores


def train(model, loader, optimizer) -> None:
    for batch in loader:
        score = rewarded(batch["texts"], batch["answers"])
        (model(batch["texts"]) * score).mean().backward()
        optimizer.step()


def main(model, optimizer, dataset) -> None:
    def collate(rows):
        return {"texts": [row["text"] for row in rows], "answers": [row["answers"] for row in rows]}

    train(model, DataLoader(dataset, collate_fn=collate, num_workers=2), optimizer)


# case: another-call-gives-what-a-name-suggests
import torch
from torch.utils.data import DataLoader


def told(found) -> None:
    if found:  # sync: SYN301
        print("found")


def evaluate(model, loader) -> None:
    with torch.no_grad():
        for batch in loader:
            told(batch["found"])


def train(model, loader, optimizer) -> None:
    for batch in loader:
        loss = model(batch["x"].cuda()).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()
        told(loss > 3)


def main(model, optimizer, dataset) -> None:
    train(model, DataLoader(dataset, num_workers=2), optimizer)
    evaluate(model, DataLoader(dataset, num_workers=2))


# case: constant-that-every-caller-gives
import torch
from helpers import accuracy


def train(model: torch.nn.Module, images: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    logits = model(images)
    first = accuracy(logits, labels, k=1, reduction="none")
    return first + accuracy(logits, labels, k=5, reduction="none")


# file: helpers.py
import torch


def accuracy(logits: torch.Tensor, labels: torch.Tensor, k: int, reduction: str = "mean"):
    best = logits.topk(k, dim=-1)[1]
    hits = (best == labels[:, None]).float().sum(dim=-1)
    if reduction == "mean":
        return hits.mean().item()
    return hits


# case: constant-that-one-caller-does-not-give
import torch
from helpers import accuracy


def train(model: torch.nn.Module, images: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    accuracy(model(images), labels, k=1)
    return accuracy(model(images), labels, k=1, reduction="none")


# file: helpers.py
import torch


def accuracy(logits: torch.Tensor, labels: torch.Tensor, k: int, reduction: str = "mean"):
    best = logits.topk(k, dim=-1)[1]
    hits = (best == labels[:, None]).float().sum(dim=-1)
    if reduction == "mean":
        return hits.mean().item()  # sync: SYN201
    return hits


# case: default-that-every-caller-replaces
import torch
from torch import Tensor, nn


class PatchLoss(nn.Module):
    def forward_masked(self, student: Tensor, masks: Tensor, weight: Tensor | None = None) -> Tensor:
        if weight is None:
            weight = (1 / masks.sum(-1)).unsqueeze(-1).expand_as(masks)[masks.bool()]
        return (student * weight).sum()


class Arch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patch_loss = PatchLoss()

    def forward(self, student: Tensor, masks: Tensor, weight: Tensor) -> Tensor:
        return self.patch_loss.forward_masked(student, masks, weight=weight)


# case: function-that-is-handed-on-may-be-given-anything
import torch
from helpers import accuracy

METRICS = {"accuracy": accuracy}


def train(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return accuracy(logits, labels, reduction="none")


# file: helpers.py
import torch


def accuracy(logits: torch.Tensor, labels: torch.Tensor, reduction: str = "mean"):
    hits = (logits.argmax(dim=-1) == labels).float()
    if reduction == "mean":
        return hits.mean().item()  # sync: SYN201
    return hits


# case: method-that-is-called-on-something-unknown-may-be-given-anything
import torch
from torch import Tensor


class Meter:
    def add(self, hits: Tensor, reduction: str = "mean"):
        if reduction == "mean":
            return hits.mean().item()  # sync: SYN201
        return hits


def train(hits: Tensor, other) -> None:
    Meter().add(hits, reduction="none")
    other.add(hits)


# case: what-a-package-offers-may-be-given-anything
from package.helpers import accuracy


def train(logits, labels):
    return accuracy(logits, labels, reduction="none")


# file: package/__init__.py
from package.helpers import accuracy

# file: package/helpers.py
import torch


def accuracy(logits: torch.Tensor, labels: torch.Tensor, reduction: str = "mean"):
    hits = (logits.argmax(dim=-1) == labels).float()
    if reduction == "mean":
        return hits.mean().item()  # sync: SYN201
    return hits


# case: what-a-module-lists-for-others-may-be-given-anything
from helpers import accuracy


def train(logits, labels):
    return accuracy(logits, labels, reduction="none")


# file: helpers.py
import torch

__all__ = ["accuracy"]


def accuracy(logits: torch.Tensor, labels: torch.Tensor, reduction: str = "mean"):
    hits = (logits.argmax(dim=-1) == labels).float()
    if reduction == "mean":
        return hits.mean().item()  # sync: SYN201
    return hits


# case: numbers-from-every-caller
from helpers import Meter


def train(losses: list[float]) -> None:
    meter = Meter()
    for loss in losses:
        meter.note(float(loss))


# file: helpers.py
import torch


class Meter:
    def note(self, value) -> None:
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.total = value


# case: tests-say-nothing-of-what-a-function-is-given
import torch
from helpers import largest, scaled


def train(numbers: list[float], x: torch.Tensor) -> torch.Tensor:
    return x * largest(numbers) * scaled(x, 2.0)


# file: helpers.py
import torch


def largest(values):
    return max(values) if values else 0.0


def scaled(x, factor):
    if factor > 1:
        return x * factor
    return x


# file: tests/test_helpers.py
import torch
from helpers import largest, scaled


def test_largest() -> None:
    values = torch.rand(4, device="cuda")
    largest(values)
    scaled(values, torch.ones((), device="cuda"))


# case: tests-say-nothing-also-if-they-are-read-first
# file: conftest.py
import torch
from helpers import Scale, scaled


class Louder(Scale):
    factor = torch.ones((), device="cuda")


def pytest_configure() -> None:
    values = torch.rand(4, device="cuda")
    scaled(values, torch.ones((), device="cuda"))
    scale = Scale(torch.ones((), device="cuda"))
    scale.limit = torch.ones((), device="cuda")
    scale.apply(values)


# file: helpers.py
class Scale:
    limit = 0.0

    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        def inner(by):
            if by > 1:
                return x
            return None

        if self.factor > 1 and self.limit > 1:
            return inner(self.factor)
        return x


def scaled(x, factor):
    if factor > 1:
        return x * factor
    return x


# case: script-that-is-called-test-is-no-test
# file: test.py
import torch
from helpers import scaled


def main() -> None:
    values = torch.rand(4, device="cuda")
    for _ in range(10):
        scaled(values, torch.ones((), device="cuda"))


# file: helpers.py
import torch


def scaled(x, factor):
    if factor > 1:  # once: SYN301
        return x * factor
    return x


# case: function-with-an-example-is-for-others
# file: helpers.py
import torch


def classes(labels: torch.Tensor, count: int | None = None) -> int:
    """Count classes.

    >>> classes(torch.tensor([0, 2]))
    3
    """
    if count is None:
        count = int(labels.max()) + 1  # sync: SYN203
    return count


# file: main.py
import torch
from helpers import classes


def forward(labels: torch.Tensor) -> int:
    return classes(labels, 4)


# case: flag-that-no-construction-sets
import torch


class Loss:
    def __init__(self, model: torch.nn.Module, balances: bool = False) -> None:
        self.model, self.balances = model, balances

    def __call__(self, x: torch.Tensor) -> float:
        if self.balances:
            return x.sum().item()  # cold: SYN201
        return x.max().item()  # sync: SYN201


def train(model: torch.nn.Module, x: torch.Tensor) -> float:
    return Loss(model)(x)


# case: flag-that-one-construction-sets
import torch


class Loss:
    def __init__(self, model: torch.nn.Module, balances: bool = False) -> None:
        self.model, self.balances = model, balances

    def __call__(self, x: torch.Tensor) -> float:
        if self.balances:
            return x.sum().item()  # sync: SYN201
        return 0.0


def train(model: torch.nn.Module, x: torch.Tensor) -> float:
    return Loss(model)(x) + Loss(model, balances=True)(x)


# case: weight-that-a-caller-hands-on
import torch


def train(x: torch.Tensor, weight=None) -> torch.Tensor:
    return reduced(x, weight)


def reduced(x: torch.Tensor, weight=None) -> torch.Tensor:
    if weight is None:
        weight = x[x > 0]  # sync: SYN103
    return (x * weight).sum()


# case: weight-that-every-caller-gives-a-function-that-can-do-without
import torch


def train(x: torch.Tensor, batch: dict) -> torch.Tensor:
    weight = batch["weight"].cuda(non_blocking=True)
    return reduced(x, weight=weight)


def reduced(x: torch.Tensor, weight=None) -> torch.Tensor:
    if weight is None:
        weight = x[x > 0]  # cold: SYN103
    return (x * weight).sum()


# case: weight-that-is-taken-away-before-it-is-asked-for
import torch


def train(x: torch.Tensor, batch: dict) -> torch.Tensor:
    weight = batch["weight"].cuda(non_blocking=True)
    return reduced(x, weight=weight)


def reduced(x: torch.Tensor, weight=None) -> torch.Tensor:
    if x.dim() > 1:
        weight = None
    if weight is None:
        weight = x[x > 0]  # sync: SYN103
    return (x * weight).sum()


# case: functions-kept-in-a-namespace
from types import SimpleNamespace

import torch


def attend(x: torch.Tensor, position: torch.Tensor) -> int:
    return position.item()  # eval: SYN201


kernels = SimpleNamespace(attend=attend)


def evaluate(x: torch.Tensor, position: torch.Tensor) -> int:
    return kernels.attend(x, position)


# case: keywords-from-a-dictionary-of-numbers
import torch


class Logger:
    def update(self, **values):
        for value in values.values():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.last = value


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, losses: dict[str, float]) -> None:
    logger = Logger()
    for step in range(1000):
        optimizer.step()
        logger.update(**losses)

# case: norm-of-another-kind-that-no-call-asks-for
import torch
from torch import inf


def train(grads: list[torch.Tensor]) -> torch.Tensor:
    return norm(grads)


def norm(grads: list[torch.Tensor], kind: float = 2.0) -> torch.Tensor:
    kind = float(kind)
    if kind == inf:
        return max(grad.abs().max() for grad in grads)  # cold: SYN304
    if kind == float("inf"):
        return max(grad.abs().min() for grad in grads)  # cold: SYN304
    if kind == 2:
        return torch.tensor([grad.norm().item() for grad in grads])  # sync: SYN201
    return torch.stack([grad.norm(kind) for grad in grads]).norm(kind)


# case: norm-of-another-kind-that-older-releases-call-otherwise
import torch

if int(torch.__version__.split(".")[1]) < 8:
    from torch._six import inf
else:
    from torch import inf


def train(grads: list[torch.Tensor]) -> torch.Tensor:
    return norm(grads)


def norm(grads: list[torch.Tensor], kind: float = 2.0) -> torch.Tensor:
    if kind == inf:
        return max(grad.abs().max() for grad in grads)  # cold: SYN304
    return torch.stack([grad.norm(kind) for grad in grads]).norm(kind)


# case: norm-of-another-kind-that-a-call-asks-for
import math
import torch


def train(grads: list[torch.Tensor]) -> torch.Tensor:
    return norm(grads, math.inf)


def norm(grads: list[torch.Tensor], kind: float = 2.0) -> torch.Tensor:
    kind = float(kind)
    if kind == math.inf:
        return max(grad.abs().max() for grad in grads)  # sync: SYN304
    return torch.stack([grad.norm(kind) for grad in grads]).norm(kind)


# case: norm-of-a-kind-that-the-function-chooses
import math
import torch


def train(grads: list[torch.Tensor]) -> torch.Tensor:
    return norm(grads)


def norm(grads: list[torch.Tensor], kind: float = 2.0) -> torch.Tensor:
    kind = float("inf") if len(grads) > 3 else kind
    if kind == math.inf:
        return max(grad.abs().max() for grad in grads)  # sync: SYN304
    return torch.stack([grad.norm(kind) for grad in grads]).norm(kind)


# case: learning-rate-is-a-number
import torch


def train(model: torch.nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x in batches:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        log(optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["params"][0])


def log(rate, weight) -> None:
    if isinstance(rate, torch.Tensor):
        rate = rate.item()
    if isinstance(weight, torch.Tensor):
        weight = weight.mean().item()  # sync: SYN201
    print(rate, weight)


# case: method-that-a-text-names-in-each-step
from collections.abc import Callable

import torch
from torch import Tensor, nn


class Worker:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def warm_up(self) -> None:
        self.run_step(torch.zeros(3, device="cuda"))

    def run_step(self, batch: Tensor) -> float:
        return self.model(batch).sum().item()  # sync: SYN201


class Executor:
    def broadcast(self, method: str | Callable[..., object], arguments: tuple[Tensor, ...] = ()) -> object:
        raise NotImplementedError

    def forward_step(self, batch: Tensor) -> object:
        return self.broadcast("run_step", arguments=(batch,))


def main(executor: Executor, worker: Worker) -> None:
    worker.warm_up()
    while True:
        executor.forward_step(torch.zeros(3))


if __name__ == "__main__":
    main(Executor(), Worker(nn.Linear(3, 3).cuda()))


# case: method-looked-up-by-the-text-of-a-parameter
import torch
from torch import Tensor, nn


class Worker:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def warm_up(self) -> None:
        self.run_step(torch.zeros(3, device="cuda"))

    def run_step(self, batch: Tensor) -> float:
        return self.model(batch).sum().item()  # sync: SYN201


def apply(workers, method, batch: Tensor) -> list[object]:
    return [getattr(worker, method)(batch) for worker in workers]


def main(worker: Worker, batches: list[Tensor]) -> None:
    worker.warm_up()
    while True:
        apply([worker], "run_step", torch.zeros(3))


if __name__ == "__main__":
    main(Worker(nn.Linear(3, 3).cuda()), [])


# case: text-that-is-no-method-of-anything-asked
import torch
from torch import Tensor, nn


class Worker:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def warm_up(self) -> None:
        self.run_step(torch.zeros(3, device="cuda"))

    def run_step(self, batch: Tensor) -> float:
        return self.model(batch).sum().item()  # once: SYN201


def count(name: str, counts: dict[str, int]) -> None:
    counts[name] = counts.get(name, 0) + 1


def main(worker: Worker) -> None:
    counts: dict[str, int] = {}
    worker.warm_up()
    while True:
        count("run_step", counts)


if __name__ == "__main__":
    main(Worker(nn.Linear(3, 3).cuda()))


# case: option-that-is-called-like-a-method
import torch
from torch import Tensor


class Trainer:
    def __init__(self, params):
        self.params = params

    def noise(self, words: Tensor, lengths):
        if self.params.noise == 0 or f"{self.params.noise}" == "-1":
            return words
        for i in range(lengths.size(0)):
            words[: lengths[i], i].zero_()
        return words

    def step(self, batches) -> None:
        for words in batches:
            self.noise(words, torch.zeros(8, dtype=torch.long)).cuda(non_blocking=True)


# case: method-that-is-handed-on-and-called-like-an-option
import torch
from torch import Tensor


class Trainer:
    def __init__(self, params):
        self.params = params
        self.steps = [self.noise]

    def noise(self, words: Tensor, lengths):
        if self.params.noise == 0:
            return words
        for i in range(lengths.size(0)):
            words[: lengths[i], i].zero_()  # sync: SYN207
        return words

    def step(self, batches) -> None:
        for words in batches:
            self.noise(words, torch.zeros(8, dtype=torch.long))


# case: unpacked-arguments-of-which-all-are-known
import torch


def sampled(x: torch.Tensor, is_tested: bool = False) -> torch.Tensor:
    if is_tested:
        print(x.sum().item())
    return x * 2


def rendered(x: torch.Tensor, **settings) -> torch.Tensor:
    return sampled(x, **settings)


def main(optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    for step in range(1000):
        loss = rendered(x).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    weights = torch.ones(3, device="cuda", requires_grad=True)
    main(torch.optim.SGD([weights]), weights)


# case: unpacked-arguments-that-are-copied-from-others
import torch
from options import load_options


def sampled(x: torch.Tensor, scale: float, is_tested: bool = False) -> torch.Tensor:
    if is_tested:
        print(x.sum().item())
    return x * scale


def rendered(x: torch.Tensor, **settings) -> torch.Tensor:
    return sampled(x, **settings)


def main(options, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    settings = {"scale": options.scale}
    others = {key: settings[key] for key in settings}
    same = {key: settings[key] for key in settings.keys()}
    others["scale"] = 1.0
    for step in range(1000):
        loss = rendered(x, **settings).sum() + rendered(x, **others).sum() + rendered(x, **same).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    weights = torch.ones(3, device="cuda", requires_grad=True)
    main(load_options(), torch.optim.SGD([weights]), weights)


# case: an-option-that-somebody-asks-for-further-up
import torch


class Mixing(torch.nn.Module):
    def __init__(self, is_near: bool = False) -> None:
        super().__init__()
        self.is_near = is_near

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.is_near:
            x = x + torch.ones(x.shape[0]).to(x.device)  # sync: SYN402
        return x * 2


class Reading(torch.nn.Module):
    def __init__(self, is_near: bool = False) -> None:
        super().__init__()
        self.mixing = Mixing(is_near=is_near)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mixing(x)


def main(optimizer: torch.optim.Optimizer, x: torch.Tensor) -> None:
    reading = Reading(is_near=True).cuda()
    for step in range(1000):
        loss = reading(x).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    weights = torch.ones(3, device="cuda", requires_grad=True)
    main(torch.optim.SGD([weights]), weights)


# case: what-a-module-hands-on-by-its-calls
import torch
from torch import nn


class Crop(nn.Module):
    def forward(self, values, places):
        return cut(values, places), counted(values)


def cut(values, places):
    return values[:, places[0] : places[1]]


def counted(values):
    return values[:, : values.sum().int()]  # sync: SYN207


def infer(images) -> None:
    crop = Crop().cuda()
    for image in images:
        crop(image.cuda(non_blocking=True), torch.tensor([[3, 4]])[0])


# case: what-a-module-hands-on-where-only-a-test-calls-it
from torch import nn


class Crop(nn.Module):
    def forward(self, values, places):
        return cut(values, places)


def cut(values, places):
    return values[:, places[0] : places[1]]  # sync: SYN207


# file: tests/test_crop.py
import torch

from case import Crop


def test_crop() -> None:
    assert Crop()(torch.ones(2, 4), torch.tensor([1, 2])) is not None


# case: a-function-of-the-name-of-a-method
import torch


def train(model, limit) -> None:
    model.train()
    if limit > 0:
        model(torch.ones(2, device="cuda") * limit)


def other(model, limit) -> None:
    if model.other() is not None and limit > 0:
        model(torch.ones(2, device="cuda") * limit)


def main() -> None:
    model = torch.nn.Linear(2, 2).cuda()
    train(model, 3)
    other(model, 3)


# case: a-function-that-a-module-gives-away
import torch

import steps


def main(chosen) -> None:
    steps.first(torch.ones(2), 3)
    steps.second(torch.ones(2), 3)
    chosen.third = 3
    run(steps.second, chosen.third)


def run(function, limit):
    return function(torch.ones(2, device="cuda"), limit)


# file: steps.py
from torch import Tensor


def first(x: Tensor, limit: Tensor):
    return x if limit > 0 else -x


def second(x: Tensor, limit: Tensor):
    return x if limit > 0 else -x  # once: SYN301


def third(x: Tensor, limit: Tensor):
    return x if limit > 0 else -x  # sync: SYN301


# case: a-function-of-a-module-that-is-looked-up
import importlib

from torch import Tensor


def measure(x: Tensor, limit: Tensor):
    return x if limit > 0 else -x  # once: SYN301


def main(x: Tensor, name: str):
    measure(x, 3)
    return importlib.import_module(name).measure(x, x.sum())


# case: what-takes-nothing-by-its-place-is-not-called-so
import torch


class Log:
    def __init__(self, meters):
        self.meters = meters

    def update(self, **values):
        for name, value in values.items():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.meters[name].update(value)


class Record:
    def __init__(self, meters):
        self.meters = meters

    def insert(self, value):
        if isinstance(value, torch.Tensor):
            value = value.item()  # sync: SYN201
        self.meters[0].insert(value)


class Table:
    def __init__(self, meters):
        self.meters = meters

    def refresh(self, **values):
        for value in values.values():
            if isinstance(value, torch.Tensor):
                value = value.item()  # sync: SYN201
            self.meters[0].refresh(count=value)


def _train(model, loader, optimizer: torch.optim.Optimizer, meters) -> None:
    log, record, table = Log(meters), Record(meters), Table(meters)
    for count, batch in enumerate(loader):
        model(batch).sum().backward()
        optimizer.step()
        log.update(count=count)
        record.insert(count)
        table.refresh(count=count)


# case: the-old-way-to-call-the-constructor-of-a-base-hands-no-class-on
# All calls of the constructor are known, and none asks for the weights.
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, with_weights: bool = False) -> None:
        super(Attention, self).__init__()
        self.with_weights = with_weights

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.with_weights:
            x = x * torch.ones(3).to(x.device)  # unreached: SYN402
        return x


class Model(nn.Module):
    def __init__(self) -> None:
        super(Model, self).__init__()
        self.attention = Attention()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.attention(x)


# case: to-apply-a-function-of-autograd-is-to-call-it
# Of what its own text allows for its parameters, nothing is handed on: all calls of it are known.
import numpy as np
import torch
from torch import nn


class Filter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, taps):
        return filtered(x, taps)


class Bank(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("taps", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Filter.apply(x, self.taps)


def filtered(x, taps):
    if not isinstance(taps, torch.Tensor):
        taps = torch.tensor(np.array(taps), device=x.device)
    return x * taps


# case: who-calls-nothing-so-is-no-caller
# What is saved so is given something that is not known, as only the text of the other caller allows.
import numpy as np
import torch
from torch import nn


class Filter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, taps):
        return filtered(x, taps)


class Bank(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("taps", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Filter.apply(x, self.taps)


def save_filtered(x, taps):
    return filtered(x, taps)


def filtered(x, taps):
    if not isinstance(taps, torch.Tensor):
        taps = torch.tensor(np.array(taps), device=x.device)  # once: SYN401
    return x * taps


# case: a-model-that-is-tried-before-it-is-trained
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("sigmas", torch.ones(10))
        self.mixing = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return self.mixing(x) / self.sigmas[labels, None]  # once: SYN403


def main() -> None:
    net = Net().cuda()
    print(net(torch.ones(8, 3, device="cuda"), torch.tensor([1] * 8)).shape)
    optimizer = torch.optim.SGD(net.parameters())
    for _ in range(1000):
        labels = torch.randint(0, 9, (8,), device="cuda")
        net(torch.ones(8, 3, device="cuda"), labels).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()


# case: what-none-of-many-calls-gives-though-not-all-are-followed
import torch


def _gathered(rows: torch.Tensor, index: torch.Tensor, kept: torch.Tensor | None = None) -> torch.Tensor:
    rows = rows.gather(0, index)
    if kept is not None:
        rows = rows[kept > 0]  # unreached: SYN103
    return rows


def decode(heat: torch.Tensor) -> torch.Tensor:
    scores, places, kinds = heat.float(), heat.int(), heat.bool()
    first = _gathered(scores, scores) + _gathered(scores, places) + _gathered(scores, kinds) + _gathered(heat, scores)
    second = _gathered(places, scores) + _gathered(places, places) + _gathered(places, kinds) + _gathered(heat, places)
    third = _gathered(kinds, scores) + _gathered(kinds, places) + _gathered(kinds, kinds) + _gathered(heat, kinds)
    return first + second + third


def learn(net: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> None:
    for images in batches:
        loss = decode(net(images)).mean()
        loss.backward()
        solver.step()


# case: what-no-call-gives-to-a-method-that-hands-it-on
import numpy as np
import torch
from torch import nn


def matched(costs: torch.Tensor) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(torch.from_numpy(np.arange(len(row))), torch.from_numpy(np.zeros(len(row)))) for row in costs]


class Criterion(nn.Module):
    def rows_of(self, pairs):
        batch = torch.cat([torch.full_like(rows, at) for at, (rows, _) in enumerate(pairs)])
        return batch, torch.cat([rows for rows, _ in pairs])

    def of_masks(self, masks, pairs):
        rows = self.rows_of(pairs)
        counts = rows[0].unique(return_counts=True)[1]
        return masks[rows].sum() * len(counts)  # sync: SYN403

    def of_kind(self, masks, pairs):
        return self.of_masks(masks, pairs)

    def forward(self, masks):
        return self.of_kind(masks, matched(masks))


def train(net: nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    criterion = Criterion()
    for images in loader:
        loss = criterion(net(images))
        loss.backward()
        optimizer.step()


# case: what-waits-under-no-call-of-a-project-that-trains
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mixing = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, scale=None) -> torch.Tensor:
        if scale is None:
            scale = torch.ones(8).to(x.device)  # unreached: SYN402
        return self.mixing(x * scale)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()

    def forward(self, x: torch.Tensor, scale) -> torch.Tensor:
        return self.attention(x, scale)


def train(loader, optimizer: torch.optim.Optimizer) -> None:
    net = Block().cuda()
    for images in loader:
        loss = net(images.cuda(), torch.ones(8, device="cuda")).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()


# case: what-is-looked-up-in-a-table-of-ones-own-is-only-called
import numpy as np
import torch
from torch import nn


class Criterion(nn.Module):
    def of_boxes(self, boxes, rows):
        return boxes[rows].sum()  # sync: SYN403

    def of_sizes(self, boxes, rows):
        return boxes.sum() * len(torch.full_like(rows, 1).unique())

    def forward(self, boxes, kind: str):
        losses = {"boxes": self.of_boxes, "sizes": self.of_sizes}
        assert kind in losses, kind
        return losses[kind](boxes, torch.from_numpy(np.arange(8)))


def train(net: nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    criterion = Criterion()
    for images in loader:
        loss = criterion(net(images), "boxes") + criterion(net(images), "sizes")
        loss.backward()
        optimizer.step()


# case: calls-tell-whether-what-is-copied-is-pinned
import torch
from torch.utils.data import DataLoader


def train(model, train_loader, optimizer) -> None:
    for x, y in train_loader:
        loss = (model(x.to("cuda")) - y.to("cuda")).mean()  # sync: SYN701
        loss.backward()
        optimizer.step()


def tune(model, train_loader, optimizer) -> None:
    for x, y in train_loader:
        loss = (model(x.to("cuda")) - y.to("cuda")).mean()  # sync: SYN402, SYN701
        loss.backward()
        optimizer.step()


def main(data, model, optimizer, others) -> None:
    train(model, DataLoader(data, num_workers=2, pin_memory=True), optimizer)
    tune(model, DataLoader(data, num_workers=2, pin_memory=True), optimizer)
    tune(model, DataLoader(data, num_workers=2), optimizer)
    for other in others:
        other.train()
        other.tune()
    print(train, tune)


# case: program-in-a-folder-beside-others
import torch


def scale(x: torch.Tensor) -> torch.Tensor:
    return x


# file: first/run.py
import torch
from parts.work import Work

if __name__ == "__main__":
    for turn in range(3):
        Work().train(turn)
        torch.cuda.empty_cache()  # epoch: SYN602

# file: first/parts/work.py
import torch
from tools.stopping import Stopping


class Work:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(3, 3).cuda()

    def train(self, turn: int) -> None:
        solver = torch.optim.Adam(self.net.parameters(), fused=True)
        loader = torch.utils.data.DataLoader([1, 2], num_workers=2)
        stopping = Stopping()
        for epoch in range(10):
            for x in loader:
                loss = self.net(x.cuda()).mean()  # sync: SYN402
                loss.backward()
                solver.step()
            stopping(self.net)


# file: first/tools/stopping.py
import torch


class Stopping:
    def __call__(self, net: torch.nn.Module) -> None:
        torch.save(net.state_dict(), "net.pt")  # epoch: SYN204


# file: second/run.py
from parts.work import Work

if __name__ == "__main__":
    Work().sum_up()

# file: second/parts/work.py
import torch


class Work:
    def sum_up(self) -> None:
        print(torch.ones(3, device="cuda").sum().item())  # once: SYN201


# case: what-is-a-tensor-is-not-made-one
import torch
from torch import nn


def scaled(value):
    if not torch.is_tensor(value):
        value = torch.tensor([value], device="cuda")
    return value * 2


def shifted(value):
    if not torch.is_tensor(value):
        value = torch.tensor([value], device="cuda")  # sync: SYN401
    return value + 1


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        loss = scaled(net(torch.randn(4, device="cuda")).mean())
        shifted(loss).backward()
        optimizer.step()
        print(shifted(step).shape)


main()
