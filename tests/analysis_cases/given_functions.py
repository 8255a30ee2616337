# case: what-a-function-is-given-runs-where-it-was-given
import torch
from torch import nn


def on_leaves(fn, tree):
    if isinstance(tree, dict):
        return {key: on_leaves(fn, value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [on_leaves(fn, value) for value in tree]
    return fn(tree)


def to_device(tensor):
    return tensor.to("cuda")  # sync: SYN402


def to_host(tensor):
    return tensor.cpu()  # once: SYN204


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for batch in torch.utils.data.DataLoader([{"x": torch.randn(4)}], num_workers=2):
        batch = on_leaves(to_device, batch)
        net(batch["x"]).mean().backward()
        optimizer.step()
    torch.save(on_leaves(to_host, net.state_dict()), "weights.pt")


main()


# case: a-function-that-is-handed-on-runs-where-the-first-one-gave-it
import torch
from torch import nn


def inner(fn, value):
    return fn(value)


def outer(value, fn):
    return inner(fn, value)


def read(value):
    return value.item()  # sync: SYN201


def report(value):
    return value.tolist()  # once: SYN202


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        loss = net(torch.randn(4, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        outer(loss, read)
    outer(loss, fn=report)


main()


# case: functions-within-functions-know-what-stands-further-out
import torch
from torch import nn


def curry(function):
    def outer(first):
        def inner(second):
            return function(first, second)

        return inner

    return outer


@curry
def above(limit, x):
    return x[x > limit]  # sync: SYN103


def below(limit, x):
    return x[x < limit]  # sync: SYN103


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    first, second = above(0.5), curry(below)(0.9)
    for step in range(1000):
        kept = second(first(torch.randn(4, device="cuda")))
        net(kept).mean().backward()
        optimizer.step()


main()


# case: functions-of-libraries-call-what-they-are-given-on-each-leaf
from functools import reduce

import torch
from torch import nn
from torch.utils._pytree import tree_map, tree_map_only


def larger(first, second):
    return first if (first > second).any() else second  # sync: SYN301


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        loss = net(torch.randn(4, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        tree_map(lambda leaf: leaf.item(), {"loss": loss, "more": [loss]})  # sync: SYN201
        tree_map_only(torch.Tensor, lambda leaf: leaf.tolist(), (loss, 3))  # sync: SYN202
        reduce(larger, [loss, loss, loss])
        halves = tree_map(lambda leaf: leaf / 2, {"loss": loss, "count": 3})
        if halves["count"] > 1 and halves["loss"] > 1:  # sync: SYN301
            print("high")


main()


# case: hooks-that-are-named-run-where-they-are-named
import torch
from torch import nn


class Hook:
    def on_start(self, runner) -> None: ...
    def on_step(self, runner) -> None: ...
    def on_epoch(self, runner) -> None: ...


class Losses(Hook):
    def on_start(self, runner) -> None:
        print(next(runner.model.parameters()).sum().item())  # once: SYN201

    def on_step(self, runner) -> None:
        runner.history.append(runner.loss.item())  # sync: SYN201

    def on_epoch(self, runner) -> None:
        print(runner.loss.item())  # epoch: SYN201


class Norms(Hook):
    def on_epoch(self, runner) -> None:
        print(runner.loss.norm().item())  # epoch: SYN201


class Runner:
    def __init__(self, model: nn.Module, hooks: list) -> None:
        self.model, self.hooks, self.history = model.cuda(), hooks, []
        self.optimizer = torch.optim.SGD(model.parameters())

    def call(self, event: str) -> None:
        for hook in self.hooks:
            if isinstance(hook, Losses):
                getattr(hook, event)(self)
            else:
                method = getattr(hook, event)
                method(self)

    def run(self, batches: list, epochs: int) -> None:
        self.call("on_start")
        for _ in range(epochs):
            for x in batches:
                self.loss = self.model(x).mean()
                self.optimizer.zero_grad()
                self.loss.backward()
                self.optimizer.step()
                self.call("on_step")
            self.call("on_epoch")


if __name__ == "__main__":
    Runner(nn.Linear(3, 3), [Losses(), Norms()]).run([torch.rand(3, 3, device="cuda")], 3)


# case: functions-that-a-list-was-filled-with-are-called
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module) -> None:
        self.model, self.finally_called = model.cuda(), []
        self.optimizer = torch.optim.SGD(model.parameters())

    def add(self, function) -> None:
        self.finally_called.append(function)

    def fit(self, batches: list, epochs: int) -> None:
        for epoch in range(epochs):
            for x in batches:
                loss = self.model(x).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            for function in self.finally_called:
                function(epoch, loss)


def tell(epoch: int, loss) -> None:
    print(epoch, loss.item())  # epoch: SYN201


def main() -> None:
    trainer = Trainer(nn.Linear(3, 3))
    trainer.add(tell)
    trainer.add(lambda epoch, loss: print(loss.item()))  # epoch: SYN201
    trainer.fit([torch.rand(3, 3, device="cuda")], 3)


if __name__ == "__main__":
    main()


# case: what-is-only-asked-about-is-not-called
import inspect

import torch


def main(model, batches: list) -> None:
    optimizer = torch.optim.Adam(model.parameters())
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if hasattr(load_total, "cached") or "scale" in inspect.signature(load_total).parameters:
            continue
        handed(load_mean)


def load_total(values: torch.Tensor) -> float:
    return values.sum().item()  # cold: SYN201


def load_mean(values: torch.Tensor) -> float:
    return values.mean().item()  # sync: SYN201


def handed(function) -> None:
    unknown(function)


if __name__ == "__main__":
    main(torch.nn.Linear(4, 4).cuda(), [])


# case: a-function-that-an-inner-function-calls-runs-where-the-one-around-it-was-given-it
import torch
from torch import nn


def apply_to_sample(function, sample):
    def _apply(x):
        if torch.is_tensor(x):
            return function(x)
        if isinstance(x, dict):
            return {key: _apply(value) for key, value in x.items()}
        return x

    return _apply(sample)


def on_each(function, values):
    return list(map(lambda value: function(value), values))


def move_to_host(sample):
    def _move(tensor):
        return tensor.cpu()  # epoch: SYN204

    return apply_to_sample(_move, sample)


def read_all(sample):
    def _read(tensor):
        return tensor.item()  # sync: SYN201

    return apply_to_sample(_read, sample)


def report(value):
    return value.tolist()  # epoch: SYN202


def read(value):
    return value.item()  # sync: SYN201


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for epoch in range(3):
        for batch in torch.utils.data.DataLoader([torch.randn(4)], num_workers=2, pin_memory=True):
            loss = net(batch.cuda(non_blocking=True)).mean()
            loss.backward()
            optimizer.step()
            print(read_all({"loss": loss}), on_each(read, [loss, loss]))
        print(move_to_host({"weight": net.weight}), on_each(report, [net.weight, net.bias]))


main()


# case: what-a-function-is-made-with-runs-where-that-is-called
import torch
from torch import nn


def logged(function):
    def wrapper(value):
        print("reading")
        return function(value)

    return wrapper


@logged
def read(value):
    return value.item()  # sync: SYN201


@logged
def report(value):
    return value.tolist()  # once: SYN202


def on_each(function, values):
    return [function(value) for value in values]


def shown(value):
    return value.tolist()  # once: SYN202


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        loss = net(torch.randn(4, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        read(loss)
    report(loss)
    on_each(logged(shown), [loss])


main()


# case: a-function-that-is-put-in-the-place-of-what-was-given-runs-as-often
import torch
from torch import nn


def read(value):
    return value.item()  # sync: SYN201


def on_each(function, values):
    def one(value):
        return function(value)

    function = function or read
    return [one(value) for value in values]


def main():
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        loss = net(torch.randn(4, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        on_each(None, [loss])
    on_each(read, [loss])


main()


# case: each-call-that-hands-a-function-on-counts
import torch
from torch import nn


def read(value):
    return value.tolist()  # sync: SYN202


def trained(function, net):
    def look():
        print(function(net.weight))

    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(1000):
        net(torch.randn(4, device="cuda")).mean().backward()
        optimizer.step()
        if step % 100 == 0:
            look()
        else:
            look()


trained(read, nn.Linear(4, 4).cuda())
