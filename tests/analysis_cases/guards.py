# case: counts-of-rounds-by-any-name
import itertools

import torch
from tqdm import trange


def step(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> torch.Tensor:
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    for apple in trange(100_000):
        loss = step(model, optimizer, batch)
        optimizer.step()
        if apple % 100 == 0:
            print(loss.item())  # interval: SYN201
        if apple and apple % 100 == 0:
            print(loss.item())  # interval: SYN201
        if not (apple + 1) % 100:
            print(loss.item())  # interval: SYN201
        if apple % 100:
            print(loss.item())  # sync: SYN201
        if apple % 100 < 1:
            print(loss.item())  # interval: SYN201
        if apple & 127 == 0:
            print(loss.item())  # interval: SYN201
        if not apple & 127:
            print(loss.item())  # interval: SYN201
        if apple // 100 > (apple - 1) // 100:
            print(loss.item())  # interval: SYN201
        if divmod(apple, 100)[1] == 0:
            print(loss.item())  # interval: SYN201
        if (left := apple % 100) == 0:
            print(left, loss.item())  # interval: SYN201
    for pear in itertools.count():
        loss = step(model, optimizer, batch)
        optimizer.step()
        if pear % 100 == 0:
            print(loss.item())  # interval: SYN201
        if pear > 1000:
            break
    plum = 0
    while plum < 1000:
        loss = step(model, optimizer, batch)
        optimizer.step()
        if plum % 100 == 0:
            print(loss.item())  # interval: SYN201
        plum = plum + 1
    seen = 0
    for cherry in range(1000):
        loss = step(model, optimizer, batch)
        optimizer.step()
        seen += batch.shape[0]
        if seen % 1000 == 0:
            print(cherry, loss.item())  # interval: SYN201


# case: rounds-that-are-first-last-listed-or-usual
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader, milestones) -> None:
    n = len(loader)
    for i, batch in enumerate(loader, start=1):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if i == 1:
            print(loss.item())  # interval: SYN201
        if i == n:
            print(loss.item())  # interval: SYN201
        if i >= n - 1:
            print(loss.item())  # interval: SYN201
        is_last = i + 1 == len(loader)
        if is_last:
            print(loss.item())  # interval: SYN201
        if i in milestones:
            print(loss.item())  # interval: SYN201
        if i in (10, 100):
            print(loss.item())  # interval: SYN201
        if i in range(0, n, 50):
            print(loss.item())  # interval: SYN201
        if i > 10:
            print(loss.item())  # sync: SYN201
        if i != 1:
            print(loss.item())  # sync: SYN201
        if i < n - 1:
            print(loss.item())  # sync: SYN201


# case: bounds-that-are-moved
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    following = last = count = 0
    recent: list[torch.Tensor] = []
    for i in range(100_000):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        count += 1
        recent.append(loss.detach())
        if i >= following:
            print(loss.item())  # interval: SYN201
            following += 100
        if i - last >= 100:
            print(loss.item())  # interval: SYN201
            last = i
        if count >= 100:
            print(loss.item())  # interval: SYN201
            count = 0
        if len(recent) >= 100:
            print(torch.stack(recent).mean().item())  # interval: SYN201
            recent.clear()
        if i >= 1000:
            print(loss.item())  # interval: SYN201
            break


# case: distances-that-are-closed
import torch


class Every:
    def __init__(self, trainer, every: int) -> None:
        self.trainer, self.every, self.last = trainer, every, 0

    def after_step(self, loss: torch.Tensor) -> None:
        if (self.trainer.num_steps - self.last) >= self.every:
            self.last = self.trainer.num_steps
            print(loss.item())  # interval: SYN201
        if self.trainer.num_steps - self.last >= self.every:
            print(loss.item())  # sync: SYN201


def train(trainer, model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor, every: Every) -> None:
    for _ in trainer.rounds():
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        every.after_step(loss)


# case: remainders-of-a-count-that-grows-by-a-batch
import torch


def train(options, model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    seen = 0
    for i in range(100_000):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        seen += options.batch_size
        if seen % options.every < options.batch_size:
            print(loss.item())  # interval: SYN201
        if i % 10 < 8:
            print(loss.item())  # sync: SYN201


# case: time-that-passes-and-numbers-that-are-drawn
import random
import time

import numpy as np
import torch


class Timer:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.last = time.monotonic()

    def is_over(self) -> bool:
        now = time.monotonic()
        if now - self.last < self.seconds:
            return False
        self.last = now
        return True


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    begun, timer = time.time(), Timer(10)
    for _ in range(100_000):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if time.time() - begun > 10:
            print(loss.item())  # interval: SYN201
            begun = time.time()
        if timer.is_over():
            print(loss.item())  # interval: SYN201
        if random.random() < 0.01:
            print(loss.item())  # interval: SYN201
        if random.random() < 0.9:
            print(loss.item())  # sync: SYN201
        if random.random() < 0.5:
            print(loss.item())  # sync: SYN201
        if random.random() > 0.5:
            print(loss.item())  # sync: SYN201
        if random.randrange(100) == 0:
            print(loss.item())  # interval: SYN201
        if np.random.rand() > 0.99:
            print(loss.item())  # interval: SYN201


# case: moments-and-the-time-between-them
import datetime as dt
from datetime import datetime, timedelta

import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    begun, shown = datetime.now(), dt.datetime.utcnow()
    for _ in range(100_000):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if datetime.now() - begun > timedelta(minutes=1):
            print(loss.item())  # interval: SYN201
            begun = datetime.now()
        if (dt.datetime.utcnow() - shown).total_seconds() > 60:
            print(loss.item())  # interval: SYN201
            shown = dt.datetime.utcnow()
        passed = datetime.now() - begun
        if passed.seconds > 60:
            print(loss.item())  # interval: SYN201
        print(datetime.now().strftime("%H:%M"), loss.item())  # sync: SYN201


# case: guards-through-methods-properties-and-flags
import torch


class Loop:
    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, every: int) -> None:
        self.model = model
        self.optimizer = optimizer
        self.every = every
        self.done = 0

    @property
    def is_due(self) -> bool:
        return self.done % self.every == 0

    def ready(self) -> bool:
        if self.done % self.every:
            return False
        return True

    def update(self, batch: torch.Tensor) -> torch.Tensor:
        loss = self.model(batch).mean()
        loss.backward()
        self.optimizer.step()
        self.done += 1
        return loss

    def run(self, loader: torch.utils.data.DataLoader) -> None:
        for batch in loader:
            loss = self.update(batch)
            if self.is_due:
                print(loss.item())  # interval: SYN201
            if self.ready():
                print(loss.item())  # interval: SYN201
            self.show(loss, self.done)
            self.tell(loss, self.done % 10 == 0)
            flag = False
            if self.done % 10 == 0:
                flag = True
            if flag:
                print(loss.item())  # interval: SYN201
            shown = True if self.done % 10 == 0 else False
            print(loss.item() if shown else "")  # interval: SYN201
            shown and print(loss.item())  # interval: SYN201

    def show(self, loss: torch.Tensor, t: int) -> None:
        if t % 100 == 0:
            print(loss.item())  # interval: SYN201
        if t > 100:
            print(loss.item())  # sync: SYN201

    def tell(self, loss: torch.Tensor, wanted: bool) -> None:
        if not wanted:
            return
        print(loss.item())  # interval: SYN201


def main(model: torch.nn.Module, optimizer: torch.optim.Optimizer, data) -> None:
    Loop(model, optimizer, 100).run(torch.utils.data.DataLoader(data, num_workers=2))


# case: numbers-that-count-no-steps
import torch


class Block(torch.nn.Module):
    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.index % 2 == 0:
            x = x[x > 0]  # sync: SYN103
        return x


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(i) for i in range(4)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i == 0:
                x = x[x > 1]  # sync: SYN103
        return x


# case: processes-and-constants
import torch
import torch.distributed as dist

WATCHED = True
DEBUG = False
EVERY = 1


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor) -> None:
    is_main_process = dist.get_rank() == 0
    for i in range(100_000):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if is_main_process:
            print(loss.item())  # sync: SYN201
        if dist.get_rank() == 0:
            print(loss.item())  # sync: SYN201
        if WATCHED:
            print(loss.item())  # sync: SYN201
        if DEBUG:
            print(loss.item())  # cold: SYN201
        if i % EVERY == 0:
            print(loss.item())  # sync: SYN201


# case: mode-handed-on
import torch


def points(x: torch.Tensor, fixed: bool = False) -> torch.Tensor:
    if fixed:
        return x[x > 0]  # eval: SYN103
    return x


class Renderer(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return points(x, fixed=not self.training)


def train(model: Renderer, optimizer: torch.optim.Optimizer, loader) -> None:
    for batch in loader:
        loss = model(batch.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    loader = torch.utils.data.DataLoader([], num_workers=2, pin_memory=True)
    train(Renderer().cuda(), torch.optim.SGD(Renderer().parameters()), loader)


# case: other-forms-of-tests
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    state = {"done": 0}
    is_shown = False
    for i, batch in enumerate(loader):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        state["done"] += 1
        if state["done"] % 10 == 0:
            print(loss.item())  # interval: SYN201
        if any([i % 100 == 0, i == 5]):
            print(loss.item())  # interval: SYN201
        if 0 <= i % 100 < 1:
            print(loss.item())  # interval: SYN201
        match i % 100:
            case 0:
                print(loss.item())  # interval: SYN201
            case _:
                print(loss.item())  # sync: SYN201
        print([loss.item() for _ in range(1) if i % 100 == 0])  # interval: SYN201
        if not is_shown:
            print(loss.item())  # interval: SYN201
            is_shown = True


# case: numbers-that-a-constructor-keeps-count-no-steps
import torch


class Layer(torch.nn.Module):
    def __init__(self, index: int, depth: int) -> None:
        super().__init__()
        self.is_last = index == depth - 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.is_last:
            x = x[x > 0]  # sync: SYN103
        return x


class Stack(torch.nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer(i, depth) for i in range(depth)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


# case: parameter-that-is-true-unless-somebody-asks-for-something-else
import torch


class Segmenter(torch.nn.Module):
    def forward(self, image: torch.Tensor, with_loss: bool = True) -> object:
        if with_loss:
            return self.losses_of(image)
        return self.test_views(image)

    def losses_of(self, image: torch.Tensor) -> torch.Tensor:
        print(image.mean().item())  # sync: SYN201
        return image.mean()

    def test_views(self, image: torch.Tensor) -> float:
        return self.drawn(image)

    def drawn(self, image: torch.Tensor) -> float:
        return image.max().item()  # eval: SYN201


def train(model: Segmenter, optimizer: torch.optim.Optimizer, loader) -> None:
    for image in loader:
        loss = model(image.cuda(non_blocking=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: parameter-that-is-true-by-default-and-turned-off-once
import torch


def scaled(image: torch.Tensor, fast: bool = True) -> torch.Tensor:
    if not fast:
        print(image.max().item())  # once: SYN201
    return image / 255


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    for image in loader:
        loss = model(scaled(image.cuda(non_blocking=True))).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main() -> None:
    model = torch.nn.Linear(3, 3).cuda()
    loader = make_loader()
    scaled(torch.ones(3, device="cuda"), fast=False)
    train(model, torch.optim.SGD(model.parameters()), loader)


# case: places-beside-guards
import torch


def fit(model, loader, optimizer: torch.optim.Optimizer, every: int, bar) -> None:
    for i, batch in enumerate(loader):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if loss.device.type != "cuda" or i % every == 0:
            bar.show(loss.item())  # interval: SYN201
        if loss.device.type == "cuda" or i % every == 0:
            bar.show(loss.item())  # sync: SYN201
        if not (loss.device.type == "cuda" and i % every != 0):
            bar.show(loss.item())  # interval: SYN201


# case: type-of-a-device-is-a-text
import torch


def read() -> float:
    x = torch.ones(3, device="cuda")
    kind = x.device.type
    if kind == "cpu":
        return x.sum().item()
    if x.device.type == "cuda" and x.sum() > 3:  # sync: SYN301
        return 0.0
    y = torch.tensor([1.0, 2.0], device=kind)  # sync: SYN401
    return y.sum().item() if kind == "cuda" else 0.0  # sync: SYN201


# case: objects-that-have-something-have-it-in-each-round
import torch


class Learner:
    def __init__(self, tunes: bool) -> None:
        self.log_scale = torch.zeros((), device="cuda", requires_grad=True) if tunes else None

    def learn(self, model, optimizer, batches, log_values: dict | None = None) -> None:
        for batch in batches:
            loss = model(batch).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if self.log_scale is not None:
                print(self.log_scale.item())  # sync: SYN201
            if log_values is not None:
                log_values["loss"] = loss.item()  # interval: SYN201


# case: a-branch-that-raises-where-somebody-wants-that-and-returns-otherwise
import math

import torch


class Trainer:
    def learn(self, model, optimizer, batches, strict: bool) -> None:
        for batch in batches:
            self.step(model, optimizer, batch, strict)

    def step(self, model, optimizer, batch, strict: bool) -> None:
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not math.isfinite(loss.item()):  # sync: SYN201
            text = f"stopped at {loss.item()}"  # once: SYN201
            if strict:
                raise FloatingPointError(text)
            else:
                return


# case: a-mode-that-nobody-knows-raises
import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, mode: str, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        if mode == "run":
            return self.layer(x)
        elif mode == "predict":
            return self.predict(x, mask)
        else:
            raise ValueError(mode)

    def predict(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.layer(x[mask.bool()])  # sync: SYN103


def train(model: Model, optimizer: torch.optim.Optimizer, batches) -> None:
    for x, mask in batches:
        loss = model("predict", model("run", x), mask).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: a-pool-is-filled-for-good
import torch


class Pool:
    def __init__(self, size: int) -> None:
        self.size = size
        self.filled = 0
        self.rows = torch.zeros(size, 8, device="cuda")

    def exchange(self, batch: torch.Tensor) -> torch.Tensor:
        count = len(batch)
        if self.filled == self.size:
            self.rows = self.rows[torch.randperm(self.size)]  # sync: SYN403
            batch = self.rows[:count].clone()
        else:
            self.rows[self.filled : self.filled + count] = batch
            self.filled = self.filled + count
        return batch


class Log:
    def __init__(self) -> None:
        self.seen = 0

    def add(self, loss: torch.Tensor) -> None:
        if self.seen == 100:
            print(loss.item())  # interval: SYN201
            self.seen = 0
        else:
            self.seen += 1


def train(model, optimizer, batches) -> None:
    pool, log = Pool(64), Log()
    for batch in batches:
        loss = model(pool.exchange(batch)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.add(loss.detach())


# case: what-has-been-collected-is-worked-off
import torch


def infer(model: torch.nn.Module, frames) -> list[float]:
    found: list[float] = []
    images, times = [], []
    for time, image in frames:
        times.append(time)
        images.append(image)
        if len(times) == 16:
            found += model(images, torch.tensor(times).cuda()).tolist()  # sync: SYN202, SYN402
            times, images = [], []
    return found


def infer_each(model: torch.nn.Module, frames) -> list[float]:
    losses, found = [], []
    for _, image in frames:
        losses.append(model(image.cuda(non_blocking=True)).mean())
        if len(losses) == 16:
            found += torch.stack(losses).tolist()  # interval: SYN202
            losses = []
    return found


# case: counts-that-another-function-increases
import torch
from torch.utils.data import DataLoader

seen = 0


def tell(loss: torch.Tensor) -> None:
    if seen % 100 == 0:
        print(loss.item())  # interval: SYN201


def advance(model, x, optimizer) -> None:
    global seen
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    seen += 1
    tell(loss)


def train(model, loader: DataLoader, optimizer) -> None:
    done, limit = 0, 3

    def advance_here(x: torch.Tensor) -> None:
        nonlocal done
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        done = done + 1
        tell_here(loss)

    def tell_here(loss: torch.Tensor) -> None:
        if done % 50 == 0:
            print(loss.item())  # interval: SYN201
        if limit % 50 == 0:
            print(loss.item())  # sync: SYN201

    for x in loader:
        advance(model, x, optimizer)
        advance_here(x)


# case: buffers-that-tell-what-was-initialized
import torch


class Codebook(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ready", torch.tensor(False))
        self.register_buffer("counted", torch.tensor(0))
        self.register_buffer("is_new", torch.tensor(True))
        self.register_buffer("embed", torch.zeros(64, 8))

    def begin(self, x: torch.Tensor) -> None:
        if self.ready:  # sync: SYN301
            return
        self.embed.copy_(x[x.sum(-1) > 0][:64])  # once: SYN103
        self.ready.data.copy_(torch.ones_like(self.ready))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.begin(x)
        if self.counted.item() == 0:  # sync: SYN201
            print(x.norm().item())  # once: SYN201
            self.counted.fill_(1)
        if self.is_new:  # sync: SYN301
            print(x.mean().item())  # once: SYN201
            self.is_new.fill_(False)
        if self.is_new:  # sync: SYN301
            print(x.amax().item())  # sync: SYN201
            self.is_new.fill_(True)
        return x @ self.embed.T


def train(loader, optimizer: torch.optim.Optimizer) -> None:
    model = Codebook().cuda()
    for x in loader:
        model(x.cuda(non_blocking=True)).sum().backward()
        optimizer.step()


# case: missing-key-that-a-method-fills-in
import torch


class Kernels:
    def __init__(self) -> None:
        self.compiled = {}

    def compile(self, key: int, x: torch.Tensor) -> None:
        self.keep(key, x.sum().item())  # cold: SYN201

    def forward(self, key: int, x: torch.Tensor) -> torch.Tensor:
        if key not in self.compiled:
            self.compile(key, x)
        return self.compiled[key] * x


# case: missing-key-that-is-told-of-and-left
import torch


class Limits(torch.nn.Module):
    def forward(self, key: str, x: torch.Tensor) -> torch.Tensor:
        if key not in self.limits:
            print(x.sum().item())  # sync: SYN201
            return x
        return self.limits[key] * x


# case: method-that-kernels-have-as-well
import torch


class Kernel:
    def compile(self, x) -> None:
        warmup = getattr(self.kernel, "warmup", None)
        warmup(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.compile(x)
        return x


class Server:
    def warmup(self, x: torch.Tensor) -> None:
        print(x.sum().item())  # cold: SYN201


def main() -> None:
    Server().warmup(torch.zeros(8, device="cuda"))


if __name__ == "__main__":
    main()


# case: attribute-that-is-given-another-name-before-it-is-found-missing
import torch


class Builder(torch.nn.Module):
    def __init__(self) -> None:
        self.context = None

    def addresses(self, states: list[torch.Tensor]) -> torch.Tensor:
        context = self.context
        if context is not None:
            return context
        context = torch.tensor([state.data_ptr() for state in states], device="cuda")  # cold: SYN401
        self.context = context
        return context

    def forward(self, states: list[torch.Tensor]) -> torch.Tensor:
        return self.addresses(states)


# case: what-a-called-function-keeps-is-made-once
import torch
from torch import Tensor, nn

TABLE = None


def load() -> None:
    global TABLE
    TABLE = torch.rand(3, 3).cuda()  # once: SYN402


def look_up(x: Tensor) -> Tensor:
    if TABLE is None:
        load()
    return x + TABLE


class Rope(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.grid = None
        self.apple = False

    def _cut(self, x: Tensor) -> None:
        self.grid = torch.rand(3).to(x.device)  # once: SYN402

    def _peel(self, x: Tensor) -> None:
        self.peel = torch.rand(3).to(x.device)  # once: SYN402
        self.apple = True

    def _eat(self, x: Tensor) -> Tensor:
        return torch.rand(3).to(x.device)  # sync: SYN402

    def forward(self, x: Tensor) -> Tensor:
        if self.grid is None:
            self._cut(x)
        if not self.apple:
            self._peel(x)
        if self.plum is None:
            x = self._eat(x)
        return look_up(x) + self.grid + self.peel


# case: a-global-that-the-branch-sets-is-made-once
import torch
from torch import Tensor, nn

TABLE = None


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        global TABLE
        if TABLE is None:
            TABLE = torch.rand(3).cuda()  # once: SYN402
        mine = None
        if mine is None:
            mine = torch.rand(3).cuda()  # sync: SYN402
        return x + TABLE + mine


# case: what-is-kept-is-replaced-only-where-it-is-too-small
import torch
from torch import Tensor, nn


class Rope(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.apple = torch.rand(100, 3)
        self.pear = 0
        self.count = 0

    def _pick(self, n: int, x: Tensor) -> None:
        self.pear = n
        self.plum = torch.rand(n).to(x.device)  # interval: SYN402

    def forward(self, x: Tensor, n: int) -> Tensor:
        if n > self.apple.size(0):
            self.apple = torch.rand(n + 100, 3).to(x.device)  # interval: SYN402
        if n > self.pear:
            self._pick(n, x)
        if self.count < n:
            self.count += 1
            x = x + torch.rand(3).to(x.device)  # sync: SYN402
        return x + self.apple[:n] + self.plum[:n]


# case: a-flag-compared-with-true-is-an-option
import torch
from torch import Tensor, nn


class Norm(nn.Module):
    def forward(self, x: Tensor, init: bool = False) -> Tensor:
        if init is True:
            x = x + torch.rand(3).to(x.device)  # sync: SYN402
        return x


def train(model: nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    norm = Norm()
    for batch in loader:
        loss = norm(model(batch)).mean()
        loss.backward()
        optimizer.step()


# case: what-numbers-are-added-to-counts-whatever-it-is
import torch


def learn(held, net, feed, solver, width) -> None:
    while held["n"] < 100:
        loss = net(next(feed)).mean()
        loss.backward()
        solver.step()
        held["n"] += 1
        if held["n"] % width == 0:
            print(loss.item())  # interval: SYN201


def learn_from(at, net, feed: torch.utils.data.DataLoader, solver, width) -> None:
    for sample in feed:
        loss = net(sample).mean()
        loss.backward()
        solver.step()
        if at % width == 0:
            print(loss.item())  # interval: SYN201
        at += 1


# case: what-tensors-are-added-to-does-not-count
import torch


def learn(total, net, feed: torch.utils.data.DataLoader, solver, width) -> None:
    for sample in feed:
        loss = net(sample).mean()
        loss.backward()
        solver.step()
        total += loss.detach()
        if total % width == 0:  # sync: SYN301
            print(loss.item())  # sync: SYN201


# case: an-option-that-is-one-by-default-may-be-set
from dataclasses import dataclass

import torch


@dataclass
class Choices:
    told: int = 1


def learn(choices: Choices, net, batches, solver) -> None:
    n = 0
    for sample in batches:
        n += 1
        loss = net(sample).mean()
        loss.backward()
        solver.step()
        if n % choices.told == 0:
            print(loss.item())  # interval: SYN201
        if n % 1 == 0:
            print(loss.item())  # sync: SYN201


def feed():
    return [torch.rand(4, 4, device="cuda")] * 100


learn(Choices(), torch.nn.Linear(4, 2).cuda(), feed(), torch.optim.SGD([], lr=0.1))


# case: program-that-hands-itself-on
import torch
from keeping import keep_call


def feed():
    return [torch.rand(4, 4, device="cuda")] * 100


def store(net) -> None:
    torch.save(net.state_dict(), "net.pth")  # sync: SYN204
    keep_call(begin)


def learn(net, batches, solver) -> None:
    print(float(net.weight.sum()))  # once: SYN203
    for sample in batches:
        loss = net(sample).mean()
        loss.backward()
        solver.step()
        store(net)


def begin() -> None:
    net = torch.nn.Linear(4, 2).cuda()
    learn(net, feed(), torch.optim.SGD(net.parameters(), lr=0.1))


# case: object-that-is-due-now-and-then
# The first time it is asked, it remembers when that was; then it is due after so many rounds.
import torch


class Every:
    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.last = None

    def __call__(self, number: int) -> bool:
        if not self.rounds:
            return False
        if self.last is None:
            self.last = number
            return True
        if number - self.last >= self.rounds:
            self.last = number
            return True
        return False


class Always:
    """This one says whenever it is asked that it is due, but for the first time."""

    def __init__(self) -> None:
        self.last = None

    def __call__(self, number: int) -> bool:
        if self.last is None:
            self.last = number
            return False
        return True


def train(model, optimizer, batches) -> None:
    now_and_then, always = Every(100), Always()
    for number, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if now_and_then(number):
            print(loss.item())  # interval: SYN201
        if always(number):
            print(loss.item())  # sync: SYN201


# case: what-runs-only-where-values-are-no-numbers
import math

import torch


def main(net, solver, batches) -> None:
    for batch in batches:
        loss = net(batch).mean()
        loss.backward()
        solver.step()
        value = loss.item()  # sync: SYN201
        if torch.isnan(loss).any():  # sync: SYN301
            net.scale = batch.abs().max().item()  # interval: SYN201
        if not math.isfinite(value):
            net.scale = batch.abs().min().item()  # interval: SYN201
        else:
            net.scale = batch.mean().item()  # sync: SYN201
        if (loss != loss).sum() > 0:  # sync: SYN301
            net.scale = batch.sum().item()  # interval: SYN201
        if torch.isfinite(loss):  # sync: SYN301
            net.scale = batch.std().item()  # sync: SYN201
        if (loss != batch).any():  # sync: SYN301
            net.scale = batch.var().item()  # sync: SYN201


# case: what-a-call-keeps-in-an-entry-that-it-is-given
import torch


class Entry:
    def __init__(self):
        self.graph, self.scale = None, None


class Replayer:
    def __init__(self, model):
        self.model, self.entries = model, {}

    def step(self, x):
        entry = self.entries.get(len(x))
        if entry is None:
            entry = Entry()
            self.entries[len(x)] = entry
        if entry.graph is None:
            return self.prepare(entry, x)
        fresh = Entry()
        if fresh.scale is None:
            self.measure(x, found=fresh)
        if entry.scale is None:
            self.look(entry, x)
        return self.model(x)

    def prepare(self, entry, x):
        torch.cuda.empty_cache()  # once: SYN602
        entry.graph = self.model(x)
        return entry.graph

    def measure(self, x, found):
        torch.cuda.synchronize()  # sync: SYN601
        found.scale = self.model(x)

    def look(self, entry, x):
        torch.cuda.synchronize()  # sync: SYN601
        other = entry
        other.size = entry.scale


def run(model, loader):
    replayer = Replayer(model.cuda().eval())
    with torch.inference_mode():
        for x in loader:
            replayer.step(x)


# case: a-remainder-of-what-each-round-increases-by-something-unknown
import torch
from settings import options


def main(loader, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    seen = options.seen
    since = seen % options.every
    for batch in loader:
        seen += options.batch_size
        loss = model(batch)
        loss.backward()
        optimizer.step()
        is_shown = seen % options.shown == since
        if seen % options.every == since:
            print(loss.item())  # interval: SYN201
        if is_shown:
            print(loss.item())  # interval: SYN201
        print(loss.item())  # sync: SYN201


# case: a-count-that-a-record-keeps-and-a-function-asks
# What the constructor of a record was given is no longer what it holds once something has been added to it.
from dataclasses import dataclass

import torch


@dataclass
class State:
    step: int
    part: int

    def load_state_dict(self, kept) -> None:
        self.step = kept["step"]
        self.part = kept["part"]


def is_due(state, every, part=None, parts=None):
    due = state.step % every == 0
    if part is not None:
        due = due and state.part == part
    elif parts is not None:
        due = due and state.part % parts == 0
    return due


def is_over(state):
    return state.step > 10


def main(loader, model: torch.nn.Module, optimizer: torch.optim.Optimizer, options) -> None:
    state = State(step=0, part=0)
    for batch in loader:
        state.part = (state.part + 1) % options.parts
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        state.step += 1
        if is_due(state, options.every):
            print(loss.item())  # interval: SYN201
        if is_due(state, options.every, part=None if options.parts else 0, parts=options.parts):
            print(loss.item())  # interval: SYN201
        if is_over(state):
            print(loss.item())  # sync: SYN201


# case: a-branch-that-looks-at-gradients-beside-the-training-of-each-round
import torch


def look(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    for step, batch in enumerate(loader):
        if step % 100 == 0:
            first = model(batch[:1]).mean()
            first.backward()
            print(first.item())  # interval: SYN201
            optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()


def accumulate(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    losses = []
    for step, batch in enumerate(loader):
        losses.append(model(batch).mean())
        if step % 4 == 0:
            loss = torch.stack(losses).sum()
            loss.backward()
            print(loss.item())  # sync: SYN201
            losses.clear()
        optimizer.step()


def alternate(model: torch.nn.Module, critic: torch.nn.Module, loader) -> None:
    optimizers = [torch.optim.SGD(one.parameters()) for one in (model, critic)]
    for step, batch in enumerate(loader):
        loss = critic(batch).mean()
        loss.backward()
        optimizers[1].step()
        if step % 5 == 0:
            loss = model(batch).mean()
            loss.backward()
            optimizers[0].step()
            print(loss.item())  # sync: SYN201


# case: a-count-that-may-be-read-from-a-file-by-numpy
import numpy as np
import torch
from settings import options


def main(loader, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    first, seen = np.loadtxt("iterations.txt", delimiter=",", dtype=int) if options.resumes else (1, 0)
    total = (first - 1) * len(loader) + seen
    since = total % options.every
    for batch in loader:
        total += options.batch_size
        loss = model(batch)
        loss.backward()
        optimizer.step()
        if total % options.every == since:
            print(loss.item())  # interval: SYN201
        if total > 100:
            print(loss.item())  # sync: SYN201


# case: what-is-kept-in-an-entry-is-made-anew-where-it-does-not-fit
import torch


class Head(torch.nn.Module):
    def __init__(self, levels: int) -> None:
        super().__init__()
        self.grids = [torch.zeros(1)] * levels

    def forward(self, maps):
        found = []
        for level, x in enumerate(maps):
            grid = self.grids[level]
            if grid.shape[2:4] != x.shape[2:4]:
                grid = torch.stack([torch.arange(n) for n in x.shape[2:4]]).to(x.device)  # once: SYN402
                self.grids[level] = grid
            fresh = self.grids[level]
            if fresh.shape[2:4] != x.shape[2:4]:
                fresh = torch.zeros(x.shape[2:4]).to(x.device)  # sync: SYN402
            found.append(x + grid + fresh)
        return found


def main(loader) -> None:
    model = Head(3).cuda()
    optimizer = torch.optim.SGD(model.parameters())
    for maps in loader:
        maps = [x.cuda(non_blocking=True) for x in maps]
        loss = torch.stack([x.mean() for x in model(maps)]).mean()
        loss.backward()
        optimizer.step()


# case: count-that-an-object-without-torch-increases-by-batches
# file: rounds.py
import numpy


class Rounds:
    def __init__(self, settings, size: int) -> None:
        self.settings = settings
        self.first, self.within = 1, 0
        if settings.goes_on:
            self.first, self.within = numpy.loadtxt("rounds.txt", delimiter=",", dtype=int)
        self.seen = (self.first - 1) * size + self.within

    def note(self) -> None:
        self.seen += self.settings.rows

    def is_shown(self) -> bool:
        return (self.seen % self.settings.every) < self.settings.rows
# file: fit.py
import torch
from rounds import Rounds
from settings import settings, loader, net, solver

rounds = Rounds(settings, len(loader))
for batch in loader:
    rounds.note()
    loss = net(batch).mean()
    loss.backward()
    solver.step()
    print(loss.item())  # sync: SYN201
    if rounds.is_shown():
        print(loss.sqrt().item())  # interval: SYN201


# case: branch-that-ends-the-loop-runs-once-in-it
import torch


def learn(net: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> float:
    for batch in batches:
        loss = net(batch).mean()
        loss.backward()
        solver.step()
        print(loss.max().item())  # sync: SYN201
        if loss > 100:  # sync: SYN301
            print(loss.item())  # interval: SYN201
            break
        if batch is None:
            return loss.item()  # interval: SYN201
    return 0.0


def learn_with_parts(net: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> None:
    for batch in batches:
        loss = net(batch).mean()
        for part in net.children():
            if part.is_last:
                loss = loss * part(batch).mean().item()  # sync: SYN201
                break
        loss.backward()
        solver.step()


def decode(net: torch.nn.Module, words: torch.Tensor, end: int) -> int:
    with torch.no_grad():
        for _ in range(100):
            words = torch.cat([words, net(words).argmax(-1)], 1)
            ended = (words == end).any(1)
            if ended.all():  # sync: SYN301
                best = ended.float().argmax().item()  # cold: SYN201
                break
    return best


# case: record-that-a-call-is-given-may-be-another-one-each-time
from dataclasses import dataclass

import torch


@dataclass
class Mapping:
    ids: tuple[int, ...]


class Adapters:
    def __init__(self):
        self.last = None
        self.size = 0
        self.ids = torch.zeros(8, device="cuda")

    def set_mapping(self, mapping: Mapping, size: int):
        if self.last != mapping:
            self.last = mapping
            self.used = self.ids.unique()  # sync: SYN102
        if self.size != size:
            self.size = size
            self.table = self.ids.unique()  # once: SYN102


def main():
    adapters = Adapters()
    for ids in open("requests.txt"):
        adapters.set_mapping(Mapping(tuple(map(int, ids.split()))), len(ids))


if __name__ == "__main__":
    main()


# case: every-so-many-steps-or-at-the-end
import torch


class Trainer:
    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, every: int, total: int) -> None:
        self.model = model
        self.optimizer = optimizer
        self.every = every
        self.total = total
        self.step = 0

    def fit(self, loader: torch.utils.data.DataLoader) -> None:
        stop_at = self.total
        is_cancelled = is_over = False
        for batch in loader:
            self.step += 1
            loss = self.model(batch).mean()
            loss.backward()
            self.optimizer.step()
            if not is_cancelled and (self.step % self.every == 0 or self.step >= stop_at):
                print(loss.item())  # interval: SYN201
            if self.step % self.every == 0 or is_over:
                print(loss.item())  # interval: SYN201
            if self.every == 0 or self.step % self.every == 0 or self.model.training:
                print(loss.item())  # sync: SYN201
            if self.step >= self.every:
                print(loss.item())  # sync: SYN201
            if self.step >= stop_at:
                print(loss.item())  # interval: SYN201
            is_over = self.step > stop_at
            if self.step >= stop_at:
                break


# case: count-of-a-progress-bar
import torch
import tqdm


class Runner:
    def __init__(self, model: torch.nn.Module, loader: torch.utils.data.DataLoader, every: int) -> None:
        self.model = model
        self.loader = loader
        self.every = every
        self.done = 0

    def train(self, optimizer: torch.optim.Optimizer) -> None:
        bar = tqdm.tqdm(total=1000)
        for batch in self.loader:
            loss = self.model(batch).mean()
            loss.backward()
            optimizer.step()
            bar.update(1)
            self.done = bar.n
            if self.done % self.every == 0:
                print(loss.item())  # interval: SYN201
            if bar.total > 100:
                print(loss.item())  # sync: SYN201


# case: guards-that-some-calls-pass-by
import torch

TRAINING, VALIDATION = "training", "validation"


class Trainer:
    def __init__(self, model: torch.nn.Module, every: int) -> None:
        self.model = model
        self.every = every

    def fit(self, loader: torch.utils.data.DataLoader, optimizer: torch.optim.Optimizer) -> None:
        for step, batch in enumerate(loader):
            loss = self.model(batch).mean()
            loss.backward()
            optimizer.step()
            self.tell(step, loss)
            self.tell_again(step, loss)
            self.tell_of(step, loss, TRAINING)
            self.tell_in_any_case(step, loss)
        self.tell(step, loss, force=True)
        self.tell_again(step, loss, force=True)
        self.tell_of(step, loss, VALIDATION)

    def tell(self, step: int, loss: torch.Tensor, force: bool = False) -> None:
        if step % self.every == 0 or force:
            print(loss.item())  # interval: SYN201

    def tell_again(self, step: int, loss: torch.Tensor, force: bool = False) -> None:
        if step % self.every and not force:
            return
        print(loss.item())  # interval: SYN201

    def tell_of(self, step: int, loss: torch.Tensor, stage: str) -> None:
        if step % self.every == 0 and step > 0 or stage == VALIDATION:
            print(loss.item())  # interval: SYN201

    def tell_in_any_case(self, step: int, loss: torch.Tensor, verbose: bool = True) -> None:
        if step % self.every == 0 or verbose:
            print(loss.item())  # sync: SYN201


# case: kept-or-too-small
import torch
from torch import nn


class Masks(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None
        self.steps = None

    def forward(self, x):
        n = x.shape[1]
        if self.mask is None or self.mask.size(0) < n:
            mask = torch.ones(n, n).tril().to("cuda")  # interval: SYN402
            self.mask = mask
        if self.mask is None or len(x) < n:
            self.other = torch.ones(n, n).to("cuda")  # sync: SYN402
        return x @ self.mask + self.positions(n)

    def positions(self, n):
        if self.steps is not None and self.steps.shape[0] >= n:
            return self.steps[:n]
        self.steps = torch.arange(n).to("cuda")  # interval: SYN402
        return self.steps


# case: asked-for-by-a-name-or-a-key
import torch
from torch import nn


class Tables(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}

    def forward(self, x):
        table = getattr(self, "table", None)
        if table is None:
            table = torch.arange(3).to("cuda")  # once: SYN402
            self.table = table
        if not getattr(self, "is_ready", False):
            self.is_ready = True
            self.scale = torch.ones(3).to("cuda")  # once: SYN402
        if self.kept.get(x.shape) is None:
            self.kept[x.shape] = torch.zeros(3).to("cuda")  # once: SYN402
        if not getattr(self, "is_wide", False):
            self.width = torch.ones(3).to("cuda")  # sync: SYN402
        return x * table


# case: given-in-the-first-round
import torch


def smoothed(model, batches, optimizer) -> float:
    total, last = None, None
    for batch in batches:
        loss = model(batch).mean()
        if total is None:
            total = loss.item()  # interval: SYN201
        else:
            total = 0.9 * total + 0.1 * loss.item()  # sync: SYN201
        if last is None:
            last = loss.item()  # sync: SYN201
        if total > 3:
            last = None
        loss.backward()
        optimizer.step()
    return total


def summed(x: torch.Tensor, layers) -> torch.Tensor:
    is_first, start = True, None
    for layer in layers:
        if is_first:
            print(x.sum().item())  # sync: SYN201
            is_first = False
        if start is None:
            start = x.mean().item()  # sync: SYN201
        x = layer(x)
    return x * start


# case: counted-by-an-attribute-of-what-a-function-is-given
def train(options, model, batches, optimizer) -> None:
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        size = model.size() * len(options.gpus)
        options.seen += size
        if options.seen % options.every < size:
            print(loss.item())  # interval: SYN201
        if options.other % options.every < size:
            print(loss.item())  # sync: SYN201


# case: other-objects-that-fill-in-what-they-lack
import torch


class Context:
    def __init__(self) -> None:
        self.ready = self.busy = False

    def prepare(self) -> None:
        self.table = torch.tensor([1.0, 2.0], device="cuda")  # cold: SYN401
        self.ready = True

    def refresh(self) -> None:
        self.weights = torch.tensor([1.0, 2.0], device="cuda")  # sync: SYN401
        self.ready = True


class Model:
    def __init__(self, number: int) -> None:
        self.contexts = [Context() for _ in range(number)]
        self.first = Context()

    def context(self, at: int) -> Context:
        context = self.contexts[at]
        if not context.ready:
            context.prepare()
        if not context.busy:
            context.refresh()
        if not self.first.ready:
            self.first.prepare()
        return context


def run(model: Model, net, optimizer, loader) -> None:
    for batch in loader:
        net(batch * model.context(0).table).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    from elsewhere import loader, optimizer

    run(Model(2), torch.nn.Linear(2, 2).cuda(), optimizer, loader)


# case: buffers-kept-under-keys-that-are-too-small
import torch


def bytes_of(buffer: torch.Tensor | None) -> int:
    return 0 if buffer is None else buffer.numel() * buffer.element_size()


class Workspaces:
    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.buffers: list[torch.Tensor | None] = [None, None]
        self.largest = torch.zeros((), device=device)

    def room(self, key: int, needed: int) -> torch.Tensor:
        buffer = self.buffers[key]
        present = bytes_of(buffer)
        if present < needed:
            torch.cuda.empty_cache()  # interval: SYN602
            self.buffers[key] = torch.empty((needed,), dtype=torch.uint8, device=self.device)
        if present < needed:
            torch.cuda.synchronize()  # sync: SYN601
        return self.buffers[key]


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    spaces = Workspaces(torch.device("cuda"))
    for batch in loader:
        loss = model(batch.cuda(), spaces.room(0, batch.shape[0])).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()


# case: every-way-on-is-a-seldom-one
import torch


def show(options, epoch, done: int, net: torch.nn.Module) -> None:
    if done == 0:
        if not options.at_first:
            return
    else:
        if options.epochs is None and options.steps is None:
            return
        if options.epochs is not None:
            if epoch is None or epoch % options.epochs != 0:
                return
        else:
            if done % options.steps != 0 or epoch is not None:
                return
    draw(net)


def draw(net: torch.nn.Module) -> None:
    print(net(torch.ones(3, device="cuda")).sum().item())  # interval: SYN201


def often(options, done: int, net: torch.nn.Module) -> None:
    if options.careful:
        if done % options.steps != 0:
            return
    print(net(torch.ones(3, device="cuda")).sum().item())  # sync: SYN201


def train(options, net: torch.nn.Module, solver, batches) -> None:
    done = 0
    show(options, 0, done, net)
    for epoch in range(options.rounds):
        for batch in batches:
            net(batch.cuda(non_blocking=True)).mean().backward()
            solver.step()
            done += 1
            show(options, None, done, net)
            often(options, done, net)
        show(options, epoch + 1, done, net)


if __name__ == "__main__":
    from elsewhere import batches, net, options, solver

    train(options, net, solver, batches)


# case: a-count-that-a-tensor-keeps
import torch


class Trainer:
    def __init__(self, net: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.net, self.optimizer = net.cuda(), optimizer
        self.done = torch.zeros(1, dtype=torch.long, device="cuda")
        self.fixed = torch.ones(1, dtype=torch.long, device="cuda")

    def train_step(self, x: torch.Tensor) -> None:
        done = int(self.done.item())  # sync: SYN201
        loss = self.net(x.cuda(non_blocking=True)).sum()
        loss.backward()
        self.optimizer.step()
        if not (done % 100):
            print(loss.item())  # interval: SYN201
        rest = int(self.fixed)  # sync: SYN203
        if rest % 2:
            print(loss.mean().item())  # sync: SYN201
        self.done.add_(1)

    def train(self, batches) -> None:
        for x in batches:
            self.train_step(x)


# case: an-update-every-few-calls-is-the-step
import torch


class Agent:
    def __init__(self, net: torch.nn.Module, every: int) -> None:
        self.net, self.every = net.cuda(), every
        self.optimizer = torch.optim.Adam(net.parameters())

    def update(self, batch: torch.Tensor, step: int) -> dict:
        if step % self.every != 0:
            return {}
        x = batch.mean()
        found = {"mean": x.item()}  # sync: SYN201
        found.update(self.learn(batch))
        return found

    def learn(self, batch: torch.Tensor) -> dict:
        loss = self.net(batch).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.item()}  # sync: SYN201


class Shown(Agent):
    def shown(self, batch: torch.Tensor, step: int) -> None:
        if step % self.every == 0:
            print(batch.mean().item())  # interval: SYN201


def main(net: torch.nn.Module) -> None:
    agent = Shown(net, 2)
    for step in range(1000):
        batch = torch.ones(3, device="cuda")
        agent.update(batch, step)
        agent.shown(batch, step)


# case: counts-that-go-on-through-the-loops-around
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    seen, last = 0, -1
    for index, batch in enumerate(loader):
        part = 0
        for piece in batch:
            loss = model(piece).mean()
            loss.backward()
            seen += 1
            part += 1
            now = seen
            marks = [True if place == len(piece) - 1 else False for place in range(len(piece))]
            if seen % 100 == 0 and marks:
                print(loss.item())  # interval: SYN201
            if now % 100 == 0:
                print(loss.item())  # interval: SYN201
            if part % 100 == 0:
                print(loss.item())  # sync: SYN201
        for step in range(20):
            if step % 5 == 0:
                print(loss.item())  # sync: SYN201
        optimizer.step()
        if index // 50 != last:
            print(loss.item())  # interval: SYN201
        last = index // 50
        if index // 50 == 3:
            print(loss.item())  # interval: SYN201
        if index // 50 != 3:
            print(loss.item())  # sync: SYN201


# case: quotients-beside-those-of-the-round-before
import torch


class Agent:
    def __init__(self, env, model: torch.nn.Module, optimizer: torch.optim.Optimizer, period) -> None:
        self.env = env
        self.model = model
        self.optimizer = optimizer
        self.period = period
        self.episode = 0

    def train(self) -> None:
        state = self.env.reset()
        while self.episode <= 1000:
            for _ in range(10):
                state, reward, done, _ = self.env.step(self.model(state))
                before = self.episode
                self.episode += done.sum()
                if (self.episode // self.period) != (before // self.period):
                    print(self.model.weight.sum().item())  # interval: SYN201
                if self.episode // self.period == before // self.period:
                    print(self.model.weight.sum().item())  # sync: SYN201
            loss = self.model(state).mean()
            loss.backward()
            self.optimizer.step()


# case: tests-of-which-either-is-seldom-by-facts-or-by-name
import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
        self.register_buffer("rounds", torch.zeros(1, dtype=torch.long))
        self.register_buffer("size", torch.zeros(1, dtype=torch.long))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.rounds += 1
        return self.linear(x)

    def taken(self) -> int:
        return self.rounds.data.item()  # sync: SYN201

    def held(self) -> int:
        return self.size.data.item()  # sync: SYN201


def train(loader, optimizer: torch.optim.Optimizer, options, length: int) -> None:
    model = Net().cuda()
    for index, batch in enumerate(loader, 1):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        is_last = options.every == -1 and index == length
        if model.taken() % options.every == 0:
            print(loss.item())  # interval: SYN201
        if model.held() % options.every == 0:
            print(loss.item())  # sync: SYN201
        if is_last or options.should_log:
            print(loss.item())  # interval: SYN201
        if is_last or options.wanted:
            print(loss.item())  # sync: SYN201
        if index % options.every == 0 or (index == 0 and options.first):
            print(loss.item())  # interval: SYN201
        if index % options.every == 0 or (options.wanted and options.first):
            print(loss.item())  # sync: SYN201


# case: numbers-drawn-by-a-generator-of-ones-own
import random

import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader, seed: int) -> None:
    generator = random.Random(seed)
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if generator.random() < 0.01:
            print(loss.item())  # interval: SYN201
        if generator.random() < 0.9:
            print(loss.item())  # sync: SYN201
        if generator.randint(0, 100) == 0:
            print(loss.item())  # interval: SYN201
        picked = generator.sample(range(10), 2)
        print(picked[0])
        rows = generator.choice(loss.view(1, 1))
        print(rows.item())  # sync: SYN201


# case: kept-for-a-size-or-a-type-that-is-asked-for-by-a-method
import torch
from torch import nn


class Window(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = torch.ones(3)
        self.channels = 1
        self.mask = None

    def forward(self, x):
        channels = x.size(1)
        if channels == self.channels and self.window.data.type() == x.data.type():
            window = self.window
        else:
            window = torch.ones(channels).cuda(x.get_device())  # once: SYN402
            self.window = window
            self.channels = channels
        if self.mask is None or x.size(0) != self.mask.size(0):
            self.mask = torch.ones(x.size(0)).to("cuda")  # once: SYN402
        if x.size(0) != window.size(0):
            window = torch.ones(x.size(0)).to("cuda")  # sync: SYN402
        if self.mask.size(0) != x.size(0):
            self.other = torch.ones(x.size(0)).to("cuda")  # sync: SYN402
        return (x * window * self.mask).sum()


def train(model, optimizer):
    window = Window().cuda()
    for _ in range(100):
        loss = window(model(torch.rand(3, 3, device="cuda")))
        loss.backward()
        optimizer.step()


# case: a-hook-that-knows-its-trainer-by-a-proxy
import weakref

import torch


class Report:
    def __init__(self, period):
        self.period = period

    def after_step(self):
        done = self.trainer.step + 1
        is_last = done == self.trainer.limit
        if is_last:
            print(self.trainer.loss.max().item())  # interval: SYN201
        if done % self.period == 0:
            print(self.trainer.loss.mean().item())  # interval: SYN201
        self.last = self.trainer.loss.sum().item()  # sync: SYN201


class Trainer:
    def __init__(self, model, hooks, limit):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for hook in hooks:
            hook.trainer = weakref.proxy(self)
        self.hooks = hooks
        self.limit = limit

    def train(self, start):
        for self.step in range(start, self.limit):
            self.loss = self.model(torch.rand(3, 3, device="cuda")).mean()
            self.loss.backward()
            self.optimizer.step()
            for hook in self.hooks:
                hook.after_step()


Trainer(torch.nn.Linear(3, 3).cuda(), [Report(10)], 100).train(0)


# case: a-remainder-of-a-number-at-the-top-of-the-module
import torch

log_interval = 1
save_interval = 100
given_interval: int = 1


def train(model, optimizer, loader, given_interval: int):
    for iter_num, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if iter_num % log_interval == 0:
            print(loss.item())  # sync: SYN201
        if iter_num % save_interval == 0:
            print(loss.item())  # interval: SYN201
        if iter_num % given_interval == 0:
            print(loss.item())  # interval: SYN201


# case: how-much-is-told-unless-somebody-says-otherwise
import torch


def fit(model, optimizer, loader, verbose=1, debug=0, level=None):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if verbose > 0:
            print(loss.item())  # sync: SYN201
        if verbose > 1:
            print(loss.item())  # interval: SYN201
        if debug > 0:
            print(loss.item())  # interval: SYN201


def quietly(model, optimizer, loader, verbose):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if verbose > 0:
            print(loss.item())  # interval: SYN201


# case: an-episode-begins-at-the-top-of-the-loop
import torch


class Agent:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(3, 3).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters(), 0.1)

    def update(self, seen):
        loss = self.net(seen).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()  # sync: SYN201


def train(env, buffer) -> None:
    agent = Agent()
    done = True
    for step in range(10_000):
        if done:
            print(agent.net.weight.mean().item())  # interval: SYN201
            seen = env.reset()
            done = False
        agent.update(buffer.sample())
        print(agent.net.weight.norm().item())  # sync: SYN201
        seen, reward, done, _ = env.step(agent.net(seen).argmax())


def train_again(env, buffer) -> None:
    agent = Agent()
    done = False
    for step in range(10_000):
        if not done:
            if step % 100:
                continue
        print(agent.net.weight.norm().item())  # interval: SYN201
        seen, reward, done, _ = env.step(agent.net(buffer.sample()).argmax())
        agent.update(seen)


# case: numbers-that-settings-may-change-where-they-are-executed
import torch

log_interval = 1
exec(open("settings.py").read())


def train(model, optimizer, loader):
    for iter_num, batch in enumerate(loader):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        if iter_num % log_interval == 0:
            print(loss.item())  # interval: SYN201
