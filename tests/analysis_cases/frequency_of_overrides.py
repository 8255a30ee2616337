# case: a-forward-that-only-an-evaluation-calls
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


class Selection(nn.Module):
    def forward(self, scores: Tensor) -> Tensor:
        return scores[scores > 0.5]  # eval: SYN103


class Distance(nn.Module):
    def forward(self, scores: Tensor) -> Tensor:
        if scores.max() > 3:  # sync: SYN301
            scores = scores / 2
        return scores.abs()


def judge(model: nn.Module, others) -> None:
    select, distance = Selection(), Distance()
    model.eval()
    with torch.no_grad():
        for batch in DataLoader(others, num_workers=2):
            found = select(model(batch))
            print(found.shape, distance(found).shape)


def train(model: nn.Module, solver: torch.optim.Optimizer, examples, others) -> None:
    distance = Distance()
    for _ in range(100):
        for batch in DataLoader(examples, num_workers=2):
            solver.zero_grad()
            distance(model(batch)).mean().backward()
            solver.step()
        judge(model, others)


if __name__ == "__main__":
    train(nn.Linear(2, 2).cuda(), torch.optim.SGD([], 0.1), range(300), range(300))


# case: a-call-by-super-means-no-other-override
import torch


class Part:
    def before(self, run) -> None:
        pass

    def after(self, run) -> None:
        pass


class Log(Part):
    def before(self, run) -> None:
        super().before(run)
        print("begins")

    def after(self, run) -> None:
        super().after(run)


class Memory(Part):
    def before(self, run) -> None:
        self.kept = run.weights.cpu()  # once: SYN204

    def after(self, run) -> None:
        print(run.loss.item())  # sync: SYN201


class Parts(Part):
    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts

    def after(self, run) -> None:
        for part in self.parts:
            part.after(run)


class Run:
    def __init__(self, model, solver, parts: list[Part]) -> None:
        self.model, self.solver, self.parts = model, solver, parts
        self.weights = torch.zeros(3, device="cuda")

    def begin(self) -> None:
        for part in self.parts:
            part.before(self)

    def train(self, examples) -> None:
        log = Log()
        self.begin()
        for example in examples:
            log.before(self)
            self.loss = self.model(example).sum()
            self.loss.backward()
            self.solver.step()
            Parts(self.parts).after(self)


if __name__ == "__main__":
    Run(torch.nn.Linear(3, 3), None, []).train(range(300))


# case: methods-that-are-named-in-a-text-beside-options
import torch


def tell(parts, event: str, **options) -> None:
    for part in parts:
        if hasattr(part, event):
            getattr(part, event)(**options)


class Memory:
    def before_all_that(self, weights: torch.Tensor) -> None:
        self.kept = weights.cpu()  # once: SYN204

    def after_each_of_it(self, loss: torch.Tensor) -> None:
        print(loss.item())  # sync: SYN201


def train(model, solver, parts, examples, **options) -> None:
    print(Memory)
    tell(parts, "before_all_that", weights=torch.zeros(3, device="cuda"), **options)
    for example in examples:
        loss = model(example).sum()
        loss.backward()
        solver.step()
        tell(parts, "after_each_of_it", loss=loss, **options)


if __name__ == "__main__":
    train(torch.nn.Linear(3, 3), None, input(), range(300))


# case: what-takes-the-place-of-a-training-step-and-trains-nothing-looks-at-batches
import torch
from torch import nn


class Trainer:
    def __init__(self, loader) -> None:
        self.loader = loader
        self.model = nn.Linear(4, 4).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self) -> None:
        for batch in self.loader:
            self.train_one(batch)

    def train_one(self, batch: torch.Tensor) -> None:
        loss = self.model(batch).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        print(loss.item())  # sync: SYN201


class Clipped(Trainer):
    def train_one(self, batch: torch.Tensor) -> None:
        super().train_one(batch.clamp(max=1))
        print(batch.max().item())  # sync: SYN201


class Viewer(Trainer):
    def train_one(self, batch: torch.Tensor) -> None:
        print(self.model(batch).argmax(-1).tolist())  # eval: SYN202


def main(loader, views: bool) -> None:
    if views:
        Viewer(loader).train()
    else:
        Clipped(loader).train()


# case: what-stands-in-for-the-forward-of-one-module-runs-in-each-step
import functools
import types

import torch
from torch import nn


def drop_empty(model: nn.Module) -> None:
    original = model.forward

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        if (tokens != 0).sum() == 0:  # sync: SYN301
            return tokens
        return original(tokens)

    model.forward = types.MethodType(forward, model)


def clip(model: nn.Module) -> None:
    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return tokens.clamp(max=int(tokens.max().item()))  # sync: SYN201

    model.forward = forward.__get__(model, type(model))


def count(model: nn.Module) -> None:
    def forward(tokens: torch.Tensor) -> torch.Tensor:
        print(tokens.sum().item())  # sync: SYN201
        return tokens

    model.forward = forward


def widen(model, name: str) -> None:
    def forward(owner, tokens: torch.Tensor) -> torch.Tensor:
        print(name, tokens.mean().item())  # sync: SYN201
        return tokens

    model.forward = functools.partial(forward, model)


class Course:
    def __init__(self, model: nn.Module) -> None:
        self.model = model
        for patch in (drop_empty, clip, count):
            patch(model)
        widen(model, "wide")

    def run(self, batches, solver: torch.optim.Optimizer) -> None:
        for batch in batches:
            self.model(batch).sum().backward()
            solver.step()


if __name__ == "__main__":
    Course(nn.Linear(2, 2).cuda()).run([], torch.optim.SGD([], 0.1))


# case: what-an-object-that-is-no-module-is-given-as-forward-says-nothing
import torch


class Plan:
    def __init__(self) -> None:
        self.forward = None


def prepare(plan: Plan) -> None:
    def forward(lengths: torch.Tensor) -> int:
        return int(lengths.max().item())  # once: SYN201

    plan.forward = forward
    print(forward(torch.ones(3, device="cuda")))


if __name__ == "__main__":
    prepare(Plan())


# case: a-bound-function-is-given-its-object-first
import types

import torch


def scale(factor, loss):
    return factor * float(loss)  # sync: SYN203


def train(model: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> None:
    by_type = types.MethodType(scale, 3)
    by_get = scale.__get__(3)
    for batch in batches:
        loss = model(batch).sum()
        loss.backward()
        solver.step()
        print(by_type(loss) + by_get(loss))


# case: a-loop-that-clears-gradients-trains-though-it-takes-labels-with-gradients-off
import torch


class Pseudo:
    def epoch(self, backpropagate) -> None:
        self.model.train()
        for first, second in self.loader:
            first, second = first.to("cuda"), second.to("cuda")  # sync: SYN402
            with torch.no_grad():
                labels = self.teacher(first)
            self.solver.zero_grad()
            backpropagate(self.criterion(self.model(second), labels))


# case: what-a-loop-that-clears-gradients-moves-is-a-batch
import torch


class Consistent:
    def __init__(self, semisupervised_loader=None) -> None:
        self.semisupervised_loader = semisupervised_loader

    def epoch(self, backpropagate) -> None:
        for x in self.semisupervised_loader:
            x = x.to("cuda")  # sync: SYN402
            self.solver.zero_grad()
            backpropagate(self.criterion(self.model(x), self.teacher(x)))
