# case: validation-loader
import torch


def run(model: torch.nn.Module, train_loader, val_loader, optimizer) -> None:
    for epoch in range(10):
        for batch in train_loader:
            loss = model(batch)
            loss.backward()
            optimizer.step()
            print(loss.mean().item())  # sync: SYN201
        for batch in val_loader:
            score = model(batch).mean()
            print(score.item())  # eval: SYN201


# case: between-eval-and-train
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor, steps: int) -> None:
    for step in range(steps):
        model.train()
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201
        model.eval()
        preview = model(batch)
        print(preview.mean().item())  # sync: SYN201


# case: between-eval-and-train-around-the-steps
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batches, held_out, epochs: int) -> None:
    for epoch in range(epochs):
        model.train()
        for batch in batches:
            loss = model(batch).sum()
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: SYN201
        model.eval()
        print(model(held_out).mean().item())  # eval: SYN201


# case: evaluation-mode-in-passing-in-what-a-step-calls
import torch


class Pair:
    def translate_back(self, words: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            self.model.eval()
            found = self.model.translate(words, limit=int(words.max().item()))  # sync: SYN201
            self.model.train()
        return found

    def learn(self, words: torch.Tensor) -> None:
        loss = self.model(self.translate_back(words)).sum()
        loss.backward()
        self.solver.step()


def run(pair: Pair, texts) -> None:
    for words in texts:
        pair.learn(words)


# case: teacher-in-evaluation-mode
import torch


def train(model: torch.nn.Module, teacher: torch.nn.Module, optimizer: torch.optim.Optimizer, batch) -> None:
    teacher.eval()
    for step in range(1000):
        loss = (model(batch) - teacher(batch)).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


# case: function-that-evaluates-by-its-text
import torch
from torch.utils.data import DataLoader


@torch.no_grad()
def accuracy_over(model: torch.nn.Module, loader: DataLoader) -> float:
    model.eval()
    right = 0
    for inputs, targets in loader:
        right += (model(inputs.to("cuda")).argmax(dim=1) == targets.to("cuda")).sum().item()  # eval: SYN402, SYN201
    return right


# case: functions-that-evaluate-by-their-names
import torch


def evaluate(scores: torch.Tensor) -> float:
    return helper(scores)


def helper(scores: torch.Tensor) -> float:
    return scores.max().item()  # eval: SYN201


class BoxEvaluator:
    def add(self, scores: torch.Tensor) -> float:
        return scores.min().item()  # eval: SYN201


class Module(torch.nn.Module):
    def validation_step(self, scores: torch.Tensor) -> float:
        return scores.sum().item()  # eval: SYN201


# case: name-that-only-checks-arguments
import torch


def validate_scores(scores: torch.Tensor) -> None:
    if scores.min() < 0:  # sync: SYN301
        raise ValueError("negative")


# case: evaluation-that-is-a-part-of-the-step
import torch


class Policy:
    def evaluate_actions(self, actions: torch.Tensor) -> float:
        return actions.mean().item()  # sync: SYN201


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    policy = Policy()
    for step in range(1000):
        actions = model(torch.rand(8, device="cuda"))
        policy.evaluate_actions(actions)
        actions.sum().backward()
        optimizer.step()


# case: generation-is-the-work-of-a-sampler
import torch


@torch.no_grad()
def generate(model: torch.nn.Module, tokens: torch.Tensor, length: int) -> list[int]:
    model.eval()
    found = []
    for _ in range(length):
        token = model(tokens)[:, -1].argmax()
        found.append(token.item())  # sync: SYN201
    return found


# case: branch-outside-of-training
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            print(x.mean().item())  # eval: SYN201
        return x


# case: every-so-many-steps-through-a-variable
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    for i in range(1000):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        is_due = i % 50 == 0
        if is_due:
            print(loss.item())  # interval: SYN201


# case: early-return
import torch


class Trainer:
    def train_step(self, loss: torch.Tensor, should_log: bool) -> None:
        if not should_log:
            return
        print(loss.item())  # interval: SYN201


# case: rest-of-a-round-when-an-interval-is-over
import torch


def train(model, optimizer, batch: torch.Tensor, tick_interval: int) -> None:
    last = 0
    for step in range(100_000):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if step < last + tick_interval:
            continue
        last = step
        print(batch.mean().item())  # interval: SYN201


# case: parameter-that-is-true-by-default
import torch


class Loss(torch.nn.Module):
    def forward(self, scores: torch.Tensor, log: bool = True) -> torch.Tensor:
        if log:
            print(scores.mean().item())  # sync: SYN201
        return scores

    def backward_hook(self, scores: torch.Tensor, verbose: bool = False) -> torch.Tensor:
        if verbose:
            print(scores.mean().item())  # interval: SYN201
        return scores


# case: what-is-found-once-and-kept
import torch

_TABLES: dict[int, float] = {}


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = None
        self.indices = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scale is None:
            self.scale = x.max().item()  # once: SYN201
        if self.indices is None or self.indices.shape[0] != x.shape[0]:
            self.indices = torch.nonzero(x)  # once: SYN101
        return x


def table(x: torch.Tensor, n: int) -> float:
    known = _TABLES.get(n)
    if known is not None:
        return known
    known = x.sum().item()  # once: SYN201
    _TABLES[n] = known
    return known


def local(rows: list[torch.Tensor]) -> dict[int, float]:
    seen = {}
    for n, row in enumerate(rows):
        if n not in seen:
            seen[n] = row.sum().item()  # sync: SYN201
    return seen


# case: state-of-an-optimizer-that-its-first-step-makes
import torch


class Plain(torch.optim.Optimizer):
    def step(self, closure=None) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["norm"] = p.norm().item()  # once: SYN201
                p.add_(p.grad)
                print(p.norm().item())  # sync: SYN201


# case: branch-that-gives-up
import sys

import torch


def check(loss: torch.Tensor) -> None:
    if torch.isnan(loss):  # sync: SYN301
        print(loss.item())  # once: SYN201
        sys.exit(1)
    if loss.isinf():  # sync: SYN301
        raise ValueError(f"loss is {loss.item()}")  # once: SYN201


# case: rounds-that-are-the-first-or-the-last
import torch


def train(model, optimizer, loader, batch: torch.Tensor) -> None:
    for i, _ in enumerate(loader):
        model(batch).sum().backward()
        optimizer.step()
        if i == 0:
            print(batch.sum().item())  # interval: SYN201
        if i == len(loader) - 1:
            print(batch.mean().item())  # interval: SYN201


# case: timing
import time

import torch


def time_forward(model: torch.nn.Module, batch: torch.Tensor) -> float:
    torch.cuda.synchronize()  # benchmark: SYN601
    start = time.perf_counter()
    model(batch)
    torch.cuda.synchronize()  # benchmark: SYN601
    return time.perf_counter() - start


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    for step in range(1000):
        start = time.time()
        model(batch).sum().backward()
        optimizer.step()
        torch.cuda.synchronize()  # sync: SYN601
        print(time.time() - start)


# case: what-is-called-by-a-test-alone
# file: tests/test_model.py
import torch

from model import summary


def test_summary() -> None:
    x = torch.rand(3, device="cuda")
    assert summary(x) > 0
    assert x.sum().item() > 0  # test: SYN201
# file: model.py
import torch


def summary(x: torch.Tensor) -> float:
    return x.sum().item()  # sync: SYN201


# case: helper-of-a-data-set
import torch
from torch.utils.data import Dataset


def crop(image: torch.Tensor) -> float:
    return image.max().item()


class Images(Dataset):
    def __getitem__(self, index: int) -> float:
        return crop(torch.rand(3, 8, 8, device="cuda"))


# case: interval-of-each-phase
import torch


def train(losses: list, phases: list, optimizer: torch.optim.Optimizer) -> None:
    for step in range(100_000):
        for phase in phases:
            if step % phase.interval != 0:
                continue
            loss = torch.rand(3, device="cuda").sum()
            loss.backward()
            losses.append(loss.item())  # sync: SYN201
            optimizer.step()


# case: interval-of-all-rounds
import torch


def train(losses: list, config: object, optimizer: torch.optim.Optimizer) -> None:
    for step in range(100_000):
        loss = torch.rand(3, device="cuda").sum()
        loss.backward()
        optimizer.step()
        if step % config.interval != 0:
            continue
        losses.append(loss.item())  # interval: SYN201


# case: tables-are-made-on-request
import torch


class Results:
    def __init__(self, boxes: torch.Tensor) -> None:
        self.boxes = boxes

    def pandas(self) -> list:
        return self.boxes.tolist()  # once: SYN202

    def to_device(self) -> list:
        return self.boxes.tolist()  # sync: SYN202


# case: what-saves-its-results-runs-on-request
import torch


class Detections:
    def __init__(self, found: torch.Tensor) -> None:
        self.found = found

    def crop(self, save=True, save_dir="runs"):
        return self._run(save_dir)

    def count(self):
        return self.found.sum().item()  # sync: SYN201

    def _run(self, save_dir):
        return self.found.tolist()  # once: SYN202


# case: what-saves-at-a-path-that-it-is-given-runs-on-request
import torch
from torch import nn


class Unet(nn.Module):
    def persist(self, where: str) -> None:
        torch.save(self.cuda().state_dict(), str(where))  # once: SYN204
        print(self.weight.sum().item())  # once: SYN201

    def count(self) -> float:
        return self.weight.sum().item()  # sync: SYN201


# case: what-a-step-draws-in-its-first-rounds-is-no-step
import torch


class Callbacks:
    def __init__(self) -> None:
        self.plots = True

    def on_train_batch_end(self, images: torch.Tensor, number: int) -> None:
        if self.plots:
            draw(images)


def draw(images: torch.Tensor) -> None:
    images.cpu()  # interval: SYN204


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    callbacks = Callbacks()
    for number, batch in enumerate(loader):
        images = model(batch)
        images.sum().backward()
        optimizer.step()
        callbacks.on_train_batch_end(images, number)


# case: what-is-built-in-each-step-is-part-of-it
import torch


class MetadataBuilder:
    def __call__(self, widths: torch.Tensor) -> list[int]:
        return widths.tolist()  # sync: SYN202


# case: elements-that-a-defaultdict-makes
import torch
from collections import defaultdict


class Meter:
    def synchronize(self) -> None:
        torch.tensor([1.0], device="cuda")  # epoch: SYN401


class Meters:
    def __init__(self) -> None:
        self.meters = defaultdict(Meter)

    def synchronize(self) -> None:
        for meter in self.meters.values():
            meter.synchronize()


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    meters = Meters()
    for epoch in range(10):
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
        meters.synchronize()


# case: early-return-on-what-was-looked-up-before
import torch


class Trainer:
    def __init__(self, plan) -> None:
        self.plan = plan

    def train_step(self, batch: torch.Tensor) -> float:
        plan = self.plan
        if plan.is_pipelined:
            return 0.0
        return batch.sum().item()  # sync: SYN201


# case: early-return-where-something-is-kept
import torch


class Limits:
    def __init__(self) -> None:
        self.found = None

    def limit_for_step(self, values: torch.Tensor) -> float:
        if self.found is not None:
            return self.found
        self.found = values.max().item()  # once: SYN201
        return self.found


# case: updates-in-every-few-steps-are-steps
import torch


def learn(policy, optimizer, observations: torch.Tensor) -> None:
    for step in range(1_000_000):
        value = policy(observations)
        if step % 4 == 0:
            loss = value.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: SYN201
        if step % 100 == 0:
            print(value.mean().item())  # interval: SYN201


# case: modes-by-name
import torch


class Solver:
    def __init__(self, model, optimizer) -> None:
        self.model = model
        self.optimizer = optimizer

    def run_epoch(self, loader, train=True) -> None:
        for batch in loader:
            loss = self.model(batch).sum()
            if not train:
                print(loss.item())  # eval: SYN201
            if train:
                loss.backward()
                self.optimizer.step()
                print(loss.item())  # sync: SYN201


def step(model, optimizer, batch: torch.Tensor, phase: str) -> None:
    loss = model(batch).sum()
    if phase == "val":
        print(loss.item())  # eval: SYN201
    if phase == "train":
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201
    else:
        print(loss.item())  # eval: SYN201


# case: a-mode-that-is-off-by-default-says-nothing
import torch


class Sampler(torch.nn.Module):
    def forward(self, x: torch.Tensor, train: bool = False) -> torch.Tensor:
        if not train:
            print(x.sum().item())  # sync: SYN201
        return x


# case: values-that-should-not-be-are-rare
import torch
import warnings


def spectrum(sound: torch.Tensor, limit: float) -> torch.Tensor:
    if sound.abs().max() > 1.0:  # sync: SYN301
        print("loudest", sound.abs().max())  # once: SYN205
    if torch.isnan(sound).any():  # sync: SYN301
        warnings.warn(f"not a number in {sound.sum().item()}")  # once: SYN201
    if sound.max() > limit:  # sync: SYN301
        print(sound.max())  # sync: SYN205
        sound = sound / sound.sum().item()  # sync: SYN201
    return sound


# case: override-that-a-further-override-calls
import torch


class Reporter:
    def report(self, x: torch.Tensor) -> float:
        return 0.0


class Exact(Reporter):
    def report(self, x: torch.Tensor) -> float:
        return x.sum().item()  # once: SYN201


class Rounded(Exact):
    def report(self, x: torch.Tensor) -> float:
        return round(super().report(x), 3)


def finish(reporter: Reporter, x: torch.Tensor) -> None:
    print(reporter.report(x))


if __name__ == "__main__":
    finish(Reporter(), torch.rand(3, device="cuda"))


# case: override-that-is-called-by-itself-as-well
import torch


class Reporter:
    def report(self, x: torch.Tensor) -> float:
        return 0.0


class Exact(Reporter):
    def report(self, x: torch.Tensor) -> float:
        return x.sum().item()  # sync: SYN201


def finish(reporter: Reporter, x: torch.Tensor) -> None:
    print(reporter.report(x))


def main() -> None:
    x = torch.rand(3, device="cuda")
    finish(Reporter(), x)
    reporter = Exact()
    for _ in range(10_000):
        x = x + 1
        reporter.report(x)


if __name__ == "__main__":
    main()


# case: flag-that-only-an-evaluation-sets
import torch


class Flow(torch.nn.Module):
    def forward(self, x: torch.Tensor, reverse: bool = False) -> torch.Tensor:
        return transform(x, inverse=reverse)

    def sample(self, x: torch.Tensor) -> torch.Tensor:
        return self(x, reverse=True)


def transform(x: torch.Tensor, inverse: bool = False) -> torch.Tensor:
    if x.max() > 1:  # sync: SYN301
        x = x / 2
    if inverse:
        assert (x >= 0).all()  # eval: SYN302
    return x


def train(flow: Flow, optimizer: torch.optim.Optimizer, loader) -> None:
    for batch in loader:
        flow(batch).sum().backward()
        optimizer.step()


def evaluate(flow: Flow, x: torch.Tensor) -> torch.Tensor:
    return flow.sample(x)


# case: flag-that-a-step-sets
import torch


def loss_of(x: torch.Tensor, check: bool = False) -> torch.Tensor:
    if check:
        print(x.max().item())  # sync: SYN201
    return x.sum()


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader, should_check: bool) -> None:
    for batch in loader:
        loss_of(model(batch), check=should_check).backward()
        optimizer.step()


def main(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    train(model, optimizer, loader, True)
    print(loss_of(torch.ones(3, device="cuda"), check=True))  # once: SYN205


# case: what-is-registered-for-checkpoints
import torch


class Adapted(torch.optim.SGD):
    def agree(self) -> None:
        found = torch.ones(4, device="cuda").sum()
        if found.item() != 4:  # once: SYN201
            raise RuntimeError("the ranks differ")

    def written(self, *_: object) -> None:
        print(torch.ones(4, device="cuda").sum().item())  # once: SYN201


def after_reading(optimizer: Adapted) -> None:
    optimizer.agree()


def build(parameters) -> Adapted:
    optimizer = Adapted(parameters, lr=0.1)
    optimizer.register_load_state_dict_post_hook(after_reading)
    optimizer.register_state_dict_pre_hook(optimizer.written)
    return optimizer


# case: what-makes-a-part-of-a-model
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(8, 4)

    def widened(self, classes: int) -> None:
        head = nn.Linear(8, classes, device="cuda")
        with torch.no_grad():
            head.weight[:4].copy_(self.head.weight)
        print(head.weight.norm().item())  # once: SYN201
        self.head = head

    def scored(self, logits: torch.Tensor, target: torch.Tensor) -> float:
        criterion = nn.CrossEntropyLoss()
        return criterion(logits.cuda(), target).item()  # sync: SYN201


# case: method-of-a-subclass-that-a-script-calls-once
import torch


class Reader(torch.nn.Module):
    def masks_of(self, places: torch.Tensor) -> torch.Tensor:
        return places > 0


class PackedReader(Reader):
    def masks_of(self, places: torch.Tensor) -> torch.Tensor:
        return packed(places)


def packed(places: torch.Tensor) -> torch.Tensor:
    print(places.max().item())  # sync: SYN201
    return places > 1


def train(reader: Reader, optimizer: torch.optim.Optimizer, loader) -> None:
    for places in loader:
        places = places.cuda(non_blocking=True)
        loss = reader(places, reader.masks_of(places)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main() -> None:
    print(PackedReader().masks_of(torch.ones(4, device="cuda")).shape)


# case: what-is-called-where-a-flag-is-set-that-few-calls-set
import torch


def path_of(durations: torch.Tensor) -> torch.Tensor:
    return torch.arange(durations.max(), device=durations.device)  # interval: SYN208


class Decoder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.eye(8))

    def forward(self, x: torch.Tensor, reverse: bool = False) -> torch.Tensor:
        if reverse:
            return x @ torch.inverse(self.weight)  # interval: SYN505
        return x @ self.weight


class Generator(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.decoder = Decoder()

    def forward(self, x: torch.Tensor, durations: torch.Tensor, gen: bool = False) -> torch.Tensor:
        if gen:
            return self.decoder(x, reverse=True) + path_of(durations)
        return self.decoder(x)


def train(loader, optimizer: torch.optim.Optimizer) -> None:
    generator = Generator().cuda()
    for index, (x, durations) in enumerate(loader):
        generator(x, durations).sum().backward()
        optimizer.step()
        if index % 100 == 0:
            generator(x, durations, gen=True)


# case: metric-that-is-called-is-updated-and-computed
import torch
from torchmetrics import Metric


class Errors(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.add_state("total", default=torch.tensor(0.0), dist_reduce_fx="sum")

    def update(self, errors: torch.Tensor, mask: torch.Tensor) -> None:
        self.total += errors[mask > 0].sum()  # eval: SYN103

    def compute(self) -> torch.Tensor:
        return self.total


def evaluate(model: torch.nn.Module, loader) -> torch.Tensor:
    errors = Errors().to("cuda")
    with torch.no_grad():
        for batch in loader:
            batch = batch.to("cuda", non_blocking=True)
            errors(model(batch) - batch, batch)
    return errors.compute()


def train(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    for epoch in range(1000):
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
        evaluate(model, loader)


# case: test-of-the-model-after-each-step-over-all-the-data
import torch


def train(model: torch.nn.Module, graph, optimizer: torch.optim.Optimizer) -> float:
    model.train()
    loss = model(graph).sum()
    loss.backward()
    optimizer.step()
    return loss.item()  # sync: SYN201


@torch.no_grad()
def assess(model: torch.nn.Module, graph, chosen: torch.Tensor) -> float:
    model.eval()
    found = model(graph).argmax(dim=-1)
    return found[chosen].float().mean().item()  # eval: SYN201


def main(model: torch.nn.Module, graph, optimizer, chosen: torch.Tensor) -> None:
    for round_number in range(500):
        loss = train(model, graph, optimizer)
        print(loss, assess(model, graph, chosen))


# case: a-model-that-nobody-trains-in-each-step
import torch


class Pupil:
    @torch.no_grad()
    def told(self, x: torch.Tensor) -> float:
        self.teacher.eval()
        return self.teacher(x).mean().item()  # sync: SYN201

    def learn(self, x: torch.Tensor) -> None:
        self.model.train()
        (self.model(x).mean() - self.told(x)).backward()
        self.optimizer.step()


def run(pupil: Pupil, batches) -> None:
    for x in batches:
        pupil.learn(x)


# case: hooks-that-a-constructor-registers
import torch


class Watching:
    def __init__(self, model: torch.nn.Module) -> None:
        for module in model.modules():
            module.register_forward_pre_hook(self.save_input)

    def save_input(self, module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        print(inputs[0].sum().item())  # sync: SYN201


def counted(model: torch.nn.Module, x: torch.Tensor) -> None:
    def save_input(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        print(inputs[0].sum().item())  # once: SYN201

    handle = model.register_forward_pre_hook(save_input)
    model(x)
    handle.remove()


def train(model: torch.nn.Module, loader, optimizer) -> None:
    watching = Watching(model)
    counted(model, torch.ones(3, device="cuda"))
    for x in loader:
        model(x).sum().backward()
        optimizer.step()


# case: what-is-brought-to-the-device-for-good
import torch


class Anchors(torch.nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.anchors = torch.arange(count)
        self.shifts = torch.arange(count)
        self.scales = torch.arange(count)

    def prepare(self, count: int) -> None:
        self.scales = torch.arange(count)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.anchors = self.anchors.type_as(x)  # once: SYN402
        self.shifts = torch.arange(len(x))
        self.shifts = self.shifts.to(x.device)  # sync: SYN402
        self.scales = self.scales.to(x.device)  # sync: SYN402
        return x + self.anchors + self.shifts + self.scales


def train(model: Anchors, loader, optimizer) -> None:
    for x in loader:
        model(x.to("cuda", non_blocking=True)).sum().backward()
        optimizer.step()


# case: what-is-brought-to-the-device-for-good-as-declared
import torch
from torch import nn


class Turning(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.angles = torch.arange(10).float()

    def forward(self, query: torch.Tensor) -> torch.Tensor:
        self.angles: torch.Tensor = self.angles.to(query.device)  # once: SYN402
        return query * self.angles


# case: what-is-brought-to-the-device-for-good-by-another-name
import torch


class Rotary(torch.nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.angles = torch.arange(count)
        self.table = torch.arange(count)
        self.shifts = torch.arange(count)

    def angles_for(self, x: torch.Tensor) -> torch.Tensor:
        angles = self.angles
        if angles.device == x.device and angles.dtype == x.dtype:
            return angles
        angles = angles.to(x.device, dtype=x.dtype)  # once: SYN402
        self.angles = angles
        return angles

    def shifts_for(self, x: torch.Tensor) -> torch.Tensor:
        shifts = self.shifts
        if len(x) > 5:
            shifts = torch.arange(len(x))
        shifts = shifts.to(x.device)  # sync: SYN402
        self.shifts = shifts
        return shifts

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        table = self.table.to(x.device)  # sync: SYN402
        return x + self.angles_for(x) + self.shifts_for(x) + table


def train(model: Rotary, loader, optimizer) -> None:
    for x in loader:
        model(x.to("cuda", non_blocking=True)).sum().backward()
        optimizer.step()


# case: what-each-batch-brings-to-the-device
import torch


class Batch:
    def __init__(self, images: torch.Tensor) -> None:
        self.images = images.cpu()

    def to(self, device: str) -> "Batch":
        self.images = self.images.to(device)  # sync: SYN402
        return self


def train(model: torch.nn.Module, loader, optimizer) -> None:
    for images in loader:
        batch = Batch(images).to("cuda")
        model(batch.images).sum().backward()
        optimizer.step()


# case: a-module-that-trains-is-no-benchmark-for-its-name-and-a-clock
# file: large_benchmark/__init__.py
# file: large_benchmark/run.py
import time

import torch


def learn(model, solver, examples) -> None:
    began = time.perf_counter()
    for example in examples:
        loss = model(example).sum()
        loss.backward()
        solver.step()
        print(loss.item(), time.perf_counter() - began)  # sync: SYN201


# file: small_benchmark/__init__.py
# file: small_benchmark/run.py
import time

import torch


def measure(model, solver, example: torch.Tensor) -> None:
    torch.cuda.synchronize()  # benchmark: SYN601
    began = time.perf_counter()
    for _ in range(1000):
        loss = model(example).sum()
        loss.backward()
        solver.step()
        print(loss.item())  # benchmark: SYN201
    torch.cuda.synchronize()  # benchmark: SYN601
    print(time.perf_counter() - began)


# file: speed_benchmark/__init__.py
# file: speed_benchmark/run.py
import time

import torch


def answer(model, questions: list[torch.Tensor]) -> None:
    began = time.perf_counter()
    for question in questions:
        print(model(question).argmax().item())  # benchmark: SYN201
    print(time.perf_counter() - began)


# case: benchmarks-by-what-they-import
# file: clocks/__init__.py
# file: clocks/benchmark.py
def seconds(function) -> float:
    return 0.0


# file: kernels/__init__.py
# file: kernels/benchmark_attention.py
import torch

from clocks.benchmark import seconds


def main(sizes: list[int]) -> None:
    for size in sizes:
        x = torch.randn(size, size, device="cuda")
        print(seconds(lambda: x @ x))
        torch.testing.assert_close(x @ x, x.mm(x))  # benchmark: SYN206


if __name__ == "__main__":
    main([8, 16])


# file: kernels/benchmark_answers.py
import torch

import clocks.benchmark


def main(sizes: list[int]) -> None:
    for size in sizes:
        x = torch.randn(size, size, device="cuda")
        torch.testing.assert_close(x @ x, x.mm(x))  # once: SYN206


if __name__ == "__main__":
    main([8, 16])


# case: a-module-that-only-an-evaluation-calls-evaluates
import torch
from torch import nn
from torch.utils.data import DataLoader


class Features(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.nonzero()  # eval: SYN101


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.nonzero().float().sum()  # sync: SYN101


class Unseen(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.nonzero()  # sync: SYN101


@torch.no_grad()
def evaluate(net: Net, features: Features, loader: DataLoader) -> None:
    net.eval()
    for x in loader:
        features(net(x.cuda(non_blocking=True)))


def main() -> None:
    net, features = Net().cuda(), Features().cuda()
    loader = DataLoader([], num_workers=2, pin_memory=True)
    optimizer = torch.optim.SGD(net.parameters())
    for _ in range(9):
        for x in loader:
            optimizer.zero_grad()
            net(x.cuda(non_blocking=True)).backward()
            optimizer.step()
        evaluate(net, features, loader)


if __name__ == "__main__":
    main()


# case: what-a-decorator-puts-in-the-place-of-a-function-runs-where-that-is-called
import torch
from torch import Tensor

from decorators import saving, saving_at


@saving
def attention(rows: Tensor) -> Tensor:
    return rows * 2


@saving_at("end")
def prepared(rows: Tensor) -> Tensor:
    return rows * 2


def main(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor]) -> None:
    prepared(torch.ones(8, device="cuda"))
    for batch in batches:
        loss = model(attention(batch)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8).cuda(), torch.optim.SGD([torch.ones(1)], 0.1), [])
# file: decorators.py
import functools

from torch import Tensor


def saving(function):
    @functools.wraps(function)
    def wrapper(rows: Tensor) -> Tensor:
        result = function(rows)
        save_layer(result)
        return result

    return wrapper


def saving_at(place: str):
    def decorate(function):
        def wrapper(rows: Tensor) -> Tensor:
            save_others(function(rows))
            return rows

        return wrapper

    return decorate


def save_layer(rows: Tensor) -> None:
    print(rows.sum().item())  # sync: SYN201


def save_others(rows: Tensor) -> None:
    print(rows.sum().item())  # once: SYN201


# case: loops-over-batches-beside-the-one-that-trains
import torch


def fit(model, optimizer, loader, others, device) -> None:
    for _ in range(10):
        for inputs, target in loader:
            loss = model(inputs.to(device, non_blocking=True), target)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            print(loss.item())  # sync: SYN201
        with torch.no_grad():
            for inputs, target in others:
                error = model(inputs.to(device, non_blocking=True), target)
                print(error.item())  # eval: SYN201


def step(model, optimizer, inputs, target) -> torch.Tensor:
    loss = model(inputs, target)
    loss.backward()
    optimizer.step()
    return loss


def fit_twice(model, optimizer, loader, others, device) -> None:
    """Both loops train, one of them by what it calls."""
    for _ in range(10):
        for inputs, target in loader:
            loss = model(inputs.to(device, non_blocking=True), target)
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: SYN201
        for inputs, target in others:
            loss = step(model, optimizer, inputs.to(device, non_blocking=True), target)
            print(loss.item())  # sync: SYN201


def fit_all_at_once(model, optimizer, loader, device) -> None:
    """The loop over batches is a part of what steps the optimizer once."""
    for _ in range(10):
        total = torch.zeros((), device=device)
        for inputs, target in loader:
            error = model(inputs.to(device, non_blocking=True), target)
            print(error.item())  # sync: SYN201
            total = total + error
        total.backward()
        optimizer.step()


# case: what-is-called-forward-without-being-a-modules-runs-where-it-is-called
import torch


class Boxes(object):
    def forward(self) -> torch.Tensor:
        made = torch.tensor([1.0, 2.0]).cuda()  # once: SYN402
        return made


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super(Net, self).__init__()
        self.boxes = Boxes().forward()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.boxes + torch.tensor([1.0, 2.0]).cuda()  # sync: SYN402


def main(solver, batches) -> None:
    net = Net().cuda()
    for x in batches:
        net(x).sum().backward()
        solver.step()


# case: what-takes-the-place-of-a-librarys-method-runs-where-that-did
import torch
from attending.models import Attention, Reader


def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return x[mask]  # sync: SYN103


def _make_mask(self, mask: torch.Tensor) -> torch.Tensor | None:
    if torch.all(mask):  # sync: SYN301
        return None
    return mask


def save_as_text(self, x: torch.Tensor) -> None:
    print(x.tolist())  # once: SYN202


def compared(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    print(x[mask])  # once: SYN103, SYN205
    return x


def replace_attention() -> None:
    Attention.forward = forward
    Reader._make_mask = _make_mask
    Reader.save = save_as_text


def main() -> None:
    mask = torch.ones(3, dtype=torch.bool, device="cuda")
    x = torch.rand(3, 4, device="cuda")
    print(forward(None, x, mask).shape, _make_mask(None, mask) is None)
    print(compared(x, mask).shape)


if __name__ == "__main__":
    main()


# case: what-is-asked-for-by-not-training-runs-where-nothing-trains
import torch
from torch.utils.data import DataLoader


def scores(made: torch.Tensor, wanted: torch.Tensor, exact: bool = False) -> dict[str, torch.Tensor]:
    found = {"mean": (made - wanted).abs().mean()}
    if exact:
        found["rest"] = (made - wanted)[made > wanted].sum()  # eval: SYN103
    return found


def totals(made: torch.Tensor, also: bool = False) -> torch.Tensor:
    if also:
        return made[made > 0].sum()  # sync: SYN103
    return made.sum()


def noted(made: torch.Tensor, wanted: torch.Tensor, train: bool = True) -> torch.Tensor:
    return scores(made, wanted, exact=not train)["mean"] + totals(made, also=train)


def validate(model: torch.nn.Module, loader: DataLoader) -> None:
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            noted(model(x), y, train=False)


def main(model: torch.nn.Module, loader: DataLoader, val_loader: DataLoader, optimizer: torch.optim.Optimizer) -> None:
    for _ in range(10):
        for x, y in loader:
            loss = noted(model(x), y)
            loss.backward()
            optimizer.step()
        validate(model, val_loader)


# case: option-that-is-off-does-not-say-what-a-function-is-there-for
import torch


def scores(model: torch.nn.Module, batches: list, show_progress: bool = False) -> list[float]:
    found = [model(batch) for batch in batches]
    return torch.cat(found).tolist()  # sync: SYN202


def drawn(model: torch.nn.Module, batch: torch.Tensor, show_axes: bool) -> list[float]:
    return model(batch).tolist()  # once: SYN202


# case: levels-of-what-somebody-wants-to-look-at
import torch


def train(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer, opt) -> None:
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if opt.debug > 0:
            drawn(loss)
        if opt.verbose >= 2:
            print(loss.item())  # interval: SYN201
        if opt.debug_level == 3:
            print(loss.item())  # interval: SYN201
        if opt.debug < 1:
            continue
        print(loss.item())  # interval: SYN201


def train_quietly(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer, opt) -> None:
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if opt.debug == 0:
            print(loss.item())  # sync: SYN201
        if opt.debug >= 0:
            print(loss.item())  # sync: SYN201
        if opt.depth > 0:
            print(loss.item())  # sync: SYN201


def drawn(loss: torch.Tensor) -> None:
    show(loss.item())  # interval: SYN201


# case: what-a-call-returns-is-no-validation
import torch


def follow(capture, model: torch.nn.Module) -> None:
    while True:
        ret_val, frame = capture.read()
        if ret_val:
            print(model(frame).sum().item())  # sync: SYN201
        else:
            break


def train(model: torch.nn.Module, batches: list[torch.Tensor], is_val: bool) -> None:
    for batch in batches:
        loss = model(batch).sum()
        loss.backward()
        if is_val:
            print(loss.item())  # eval: SYN201


# case: an-object-is-called-as-often-as-it-is-seen-to-be
import torch
from torch import nn


class Summary:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def __call__(self) -> None:
        for parameter in self.model.parameters():
            print(parameter.norm().item())  # once: SYN201


class Penalty:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum() if x.max() > self.weight else x.mean()  # sync: SYN301


def main(loader) -> None:
    model = nn.Linear(4, 4).cuda()
    penalty = Penalty(0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        penalty(model(batch)).backward()
        optimizer.step()
    Summary(model)()


# case: what-is-moved-once-it-has-been-made-anew
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self._mask = torch.empty(0)
        self._kept = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.mask(x) + self.kept(x)

    def mask(self, x: torch.Tensor) -> torch.Tensor:
        if self._mask.size(0) < x.size(0) or self._mask.device != x.device:
            self._mask = torch.triu(torch.zeros([x.size(0), x.size(0)]), 1)
        self._mask = self._mask.to(x)  # once: SYN402
        return self._mask

    def kept(self, x: torch.Tensor) -> torch.Tensor:
        self._kept = torch.zeros(3)
        self._kept = self._kept.to(x)  # sync: SYN402
        return self._kept


def train(loader, optimizer) -> None:
    model = Decoder().cuda()
    for x in loader:
        model(x.cuda(non_blocking=True)).sum().backward()
        optimizer.step()


# case: what-a-with-statement-calls-runs-where-it-stands
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class Watch(TorchDispatchMode):
    def __enter__(self):
        super().__enter__()
        torch.cuda.synchronize()  # interval: SYN601
        return self

    def __exit__(self, *error):
        super().__exit__(*error)
        torch.cuda.synchronize()  # interval: SYN601

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        self.look(result)
        return result

    def look(self, result: torch.Tensor) -> None:
        print(result.max().item())  # interval: SYN201


class Log(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        torch.cuda.synchronize()  # sync: SYN601
        return function(*args, **(kwargs or {}))


def train(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer, options) -> None:
    if options.watches:
        watch = Watch()
    for step, batch in enumerate(loader):
        if options.watches and step % 100 == 0:
            with watch:
                model(batch)
        with Log():
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()


def main() -> None:
    train(make_model(), make_loader(), make_optimizer(), parse())


if __name__ == "__main__":
    main()


# case: first-part-of-a-step-is-one-of-it-and-what-else-a-test-asks-for-counts
import argparse

import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader: torch.utils.data.DataLoader) -> None:
    for images in loader:
        images = images.cuda(non_blocking=True)
        for turn in range(args.turns):
            for first in range(0, args.most, args.size):
                loss = model(images[first]).sum()
                if args.debug and turn == 0 and first == 0:
                    print(loss.item())  # interval: SYN201
                if turn == 0 and first == 0:
                    print(loss.item())  # sync: SYN201
                loss.backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--size", type=int, default=2)
    args = parser.parse_args()
    model = torch.nn.Linear(3, 3).cuda()
    train(
        model,
        torch.optim.SGD(model.parameters()),
        torch.utils.data.DataLoader([], num_workers=2, pin_memory=True),
    )


# case: answers-that-are-sampled-in-evaluation-mode-within-a-training-step
import torch
from torch import nn


@torch.no_grad()
def sample(model: nn.Module, prompt: torch.Tensor):
    tokens = []
    for _ in range(64):
        tokens.append(torch.multinomial(torch.softmax(model(prompt), dim=-1), 1).item())  # sync: SYN201
    return torch.tensor(tokens)


def loss_of(model: nn.Module, prompt: torch.Tensor, rollouts: int):
    scores = []
    was_training = model.training
    model.eval()
    for _ in range(rollouts):
        score = model(sample(model, prompt)).sum()
        print(score.item())  # sync: SYN201
        scores.append(score)
    if was_training:
        model.train()
    return torch.stack(scores).mean()


def held_out_loss(model: nn.Module, held_out, rounds: int):
    # What takes the next of something in each round, or goes by its number, goes through data.
    model.eval()
    for _ in range(rounds):
        print(model(next(held_out)).sum().item())  # eval: SYN201
    model.train()


def loss_on(model: nn.Module, images: torch.Tensor):
    model.eval()
    for index in range(len(images)):
        print(model(images[index]).sum().item())  # eval: SYN201
    model.train()


def train(model: nn.Module, prompts: torch.Tensor, held_out, images: torch.Tensor):
    optimizer = torch.optim.SGD(model.parameters())
    for step in range(1000):
        loss = loss_of(model, prompts[step], 4)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        held_out_loss(model, held_out, 8)
        loss_on(model, images)


# case: objects-of-classes-that-derive-from-what-python-has-are-called-as-calls-say
from abc import ABC
from typing import Generic, TypeVar

import torch
from torch import nn

T = TypeVar("T")


class Answer(ABC, Generic[T]):
    def __call__(self, x: torch.Tensor) -> float:
        return x.sum().item()  # once: SYN201


class Layer(nn.Module):
    def __call__(self, x: torch.Tensor) -> float:
        return x.sum().item()  # sync: SYN201


def main() -> None:
    answer = Answer()
    answer(torch.ones(3, device="cuda"))
    layer = Layer()
    layer(torch.ones(3, device="cuda"))


main()


# case: what-is-made-where-nothing-is-given
import torch


class Attention(torch.nn.Module):
    def forward(self, x: torch.Tensor, last: int | None = None) -> torch.Tensor:
        if last is None:
            print(x.norm().item())  # sync: SYN201
        else:
            print(x.mean().item())  # interval: SYN201
        return x


class Decoder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()

    def forward(self, encoded: torch.Tensor, targets: torch.Tensor | None = None) -> torch.Tensor:
        if targets is None:
            return self.word_by_word(encoded)
        targets = targets.transpose(1, 2)
        return self.attention(encoded * targets)

    def word_by_word(self, encoded: torch.Tensor) -> torch.Tensor:
        for position in range(100):
            encoded = self.attention(encoded, last=position)
            if (encoded > 0.5).all():  # interval: SYN301
                break
        return encoded


class Speech(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.decoder = Decoder()

    def forward(self, text: torch.Tensor, targets: torch.Tensor | None = None) -> torch.Tensor:
        return self.decoder(text, targets)


class Reader(torch.nn.Module):
    def forward(self, text: torch.Tensor, hint: torch.Tensor | None = None) -> torch.Tensor:
        if hint is None:
            hint = self.guess(text)
        return text * hint

    def guess(self, text: torch.Tensor) -> torch.Tensor:
        print(text.std().item())  # sync: SYN201
        return text


def train(model: Speech, reader: Reader, loader, optimizer) -> None:
    for step, (text, spoken) in enumerate(loader):
        loss = model(reader(text.cuda(non_blocking=True)), spoken.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        if step % 1000 == 0:
            speak(model, text.cuda(non_blocking=True))


def speak(model: Speech, text: torch.Tensor) -> torch.Tensor:
    return model(text)


if __name__ == "__main__":
    speech = Speech().cuda()
    optimizer = torch.optim.SGD(speech.parameters(), lr=0.1)
    train(speech, Reader().cuda(), torch.load("batches.pt"), optimizer)
    speak(speech, torch.load("text.pt").cuda())


# case: what-makes-inputs-of-texts-and-sound-prepares-data
import torch
from transformers import ProcessorMixin
from transformers.generation import LogitsProcessor


class SoundProcessor(ProcessorMixin):
    def __call__(self, sound: torch.Tensor, count: torch.Tensor) -> list[int]:
        return [7] * int(count)


class FirstToken(LogitsProcessor):
    def __call__(self, tokens: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if scores.max() > 3:  # sync: SYN301
            return scores / 3
        return scores


# case: what-is-called-when-the-program-ends
import atexit

import torch


class Server:
    def __init__(self, net: torch.nn.Module) -> None:
        self.net = net.cuda()
        atexit.register(self.close)

    def close(self) -> None:
        torch.cuda.synchronize()  # once: SYN601

    def answer(self, rows: torch.Tensor) -> list[float]:
        return self.net(rows).tolist()  # sync: SYN202


# case: a-function-that-each-branch-imports-from-elsewhere
import torch
from torch.utils.data import DataLoader


def run(kind: str, model: torch.nn.Module, dataset, epochs: int) -> None:
    optimizer = torch.optim.Adam(model.parameters())
    loader = DataLoader(dataset, batch_size=4, num_workers=2)
    if kind == "dense":
        from dense import train_dense as train_epoch
    else:
        from sparse import train_sparse as train_epoch
    for epoch in range(epochs):
        train_epoch(model, optimizer, loader)
        torch.save(model.state_dict(), "last.pt")  # epoch: SYN204


def main() -> None:
    run(input(), torch.nn.Linear(3, 3).cuda(), [], 3)


main()

# file: dense.py
def train_dense(model, optimizer, loader):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


# file: sparse.py
def train_sparse(model, optimizer, loader):
    for x in loader:
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


# case: what-is-prepared-for-a-measurement
import torch
from measured import timed

SIZES = (8, 16)


def of_size(size: int) -> None:
    x = filled(size)

    def product() -> torch.Tensor:
        return x @ x.T

    print(timed(product))


def filled(size: int) -> torch.Tensor:
    return torch.randn(size, size).cuda()  # benchmark: SYN402


def shown(size: int) -> None:
    x = torch.randn(size, size).cuda()  # once: SYN402
    print((x @ x.T).shape)


if __name__ == "__main__":
    for size in SIZES:
        of_size(size)
        shown(size)

# file: measured.py
import torch


def timed(function) -> float:
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    function()
    end.record()
    torch.cuda.synchronize()  # benchmark: SYN601
    return start.elapsed_time(end)


# case: an-evaluation-of-the-class-is-no-mode-of-a-model
import torch


class Every:
    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    def __call__(self, step: int) -> bool:
        return step % self.rounds == 0


class Workspace:
    def __init__(self, env, net: torch.nn.Module, every: int) -> None:
        self.env, self.every, self.step = env, every, 0
        self.net = net.cuda()

    def eval(self) -> None:
        state = self.env.reset()
        while not state.last():
            found = self.net(torch.zeros(3, device="cuda"))
            print(found.mean().item())  # eval: SYN201
            state = self.env.step(found)

    def train(self) -> None:
        eval_every = Every(self.every)
        state = self.env.reset()
        while self.step < 1000:
            if eval_every(self.step):
                self.eval()
            state = self.env.step(state)
            self.step += 1


def main(env, net: torch.nn.Module) -> None:
    Workspace(env, net, 100).train()


if __name__ == "__main__":
    main(input(), torch.nn.Linear(3, 3))


# case: two-loops-that-train-in-one-step
import torch


class Trainer:
    def __init__(self, accelerator, net: torch.nn.Module, judge: torch.nn.Module, batches) -> None:
        self.accelerator, self.batches, self.parts = accelerator, batches, 4
        self.net, self.judge = net.cuda(), judge.cuda()
        self.optimizer = torch.optim.Adam(net.parameters())

    def train_step(self) -> None:
        for _ in range(self.parts):
            x = next(self.batches).cuda(non_blocking=True)
            loss = self.net(x).mean()
            self.accelerator.backward(loss)
            print(loss.item())  # sync: SYN201
        self.optimizer.step()
        for _ in range(self.parts):
            x = next(self.batches).cuda(non_blocking=True)
            for judged in self.judge(x).unbind():
                self.accelerator.backward(judged)
                print(judged.item())  # sync: SYN201

    def train(self) -> None:
        for _ in range(1000):
            self.train_step()


# case: what-makes-a-model-is-no-step
import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) if x.sum() > 0 else x  # sync: SYN301


def made(path: str, **options) -> Net:
    net = Net(**options).cuda()
    net.scale = torch.ones(3).cuda()  # once: SYN402
    return net


def made_large(**options) -> Net:
    return made("large.pt", **options)


def moved(x: torch.Tensor) -> torch.Tensor:
    return x * torch.ones(3).cuda()  # sync: SYN402


# case: what-captures-a-graph-does-so-once
import torch


class Runner:
    def __init__(self, model: torch.nn.Module) -> None:
        self.model, self.graph = model, None
        self.inputs = torch.zeros(8, device="cuda")

    def begin(self) -> None:
        graph = torch.cuda.CUDAGraph()
        graph.capture_begin()  # once: SYN601
        self.graph = graph

    def step(self, x: torch.Tensor) -> torch.Tensor:
        if self.waits_for(x):
            self.begin()
        out = self.model(x)
        torch.cuda.synchronize()  # sync: SYN601
        return out


def serve(requests, model: torch.nn.Module) -> None:
    runner = Runner(model.cuda())
    while True:
        with torch.inference_mode():
            runner.step(torch.zeros(8, device="cuda"))
        for _ in range(100):
            graph = torch.cuda.CUDAGraph()
            graph.capture_begin()  # sync: SYN601
            graph.capture_end()


serve(*given())
