# case: step-of-a-training-loop
import torch.nn as nn
from torch import Tensor


def train(model: nn.Module, batches: list[Tensor]) -> float:
    total = 0.0
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        total += loss.item()  # sync: SYN201
    return total


# case: every-hundredth-step
import torch.nn as nn
from torch import Tensor


def train(model: nn.Module, batches: list[Tensor]) -> None:
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        if step % 100 == 0:
            print(loss.item())  # cold: SYN201


# case: every-hundredth-step-among-other-conditions
import torch.nn as nn
from torch import Tensor


def train(model: nn.Module, batches: list[Tensor], rank: int, log_every: int) -> None:
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        if rank == 0 and (step + 1) % log_every == 0:
            print(loss.item())  # cold: SYN201


# case: every-step-but-each-hundredth
import torch.nn as nn
from torch import Tensor


def train(model: nn.Module, batches: list[Tensor]) -> list[float]:
    history = []
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        if step % 100 == 0:
            history.clear()
        else:
            history.append(loss.item())  # sync: SYN201
    return history


# case: loop-continues-before-the-read
import torch.nn as nn
from torch import Tensor


def train(model: nn.Module, batches: list[Tensor]) -> None:
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        if step % 100 != 0:
            continue
        print(loss.item())  # cold: SYN201


# case: function-returns-before-the-read
from torch import Tensor


def track(loss: Tensor, step: int, interval: int) -> None:
    if step % interval:
        return
    print(loss.item())  # cold: SYN201


# case: after-the-loop
import torch.nn as nn
from torch import Tensor


def evaluate(model: nn.Module, batches: list[Tensor]) -> float:
    total = model(batches[0]).sum()
    for batch in batches[1:]:
        total = total + model(batch).sum()
    return total.item()  # cold: SYN201


# case: end-of-an-epoch
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


def train(model: nn.Module, loader: DataLoader, device: torch.device, epochs: int) -> None:
    for _ in range(epochs):
        total = torch.zeros((), device=device)
        for batch in loader:
            loss = model(batch.to(device, non_blocking=True)).mean()
            loss.backward()
            total += loss.detach()
        print(total.item())  # cold: SYN201


# case: forward-of-a-module
import torch.nn as nn
from torch import Tensor


class Model(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().item()  # sync: SYN201


# case: constructor-of-a-module
import torch.nn as nn
from torch import Tensor


class Model(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.scale = weight.mean().item()  # cold: SYN201


# case: representation-of-a-module
import torch.nn as nn
from torch import Tensor


class Model(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)

    def __repr__(self) -> str:
        return f"Model({self.weight.mean().item():.3f})"  # cold: SYN201

    def extra_repr(self) -> str:
        return f"mean={self.weight.mean().item():.3f}"  # cold: SYN201


# case: training-step-of-a-trainer
import torch.nn as nn
from torch import Tensor


class Task(nn.Module):
    def training_step(self, batch: Tensor, index: int) -> Tensor:
        loss = batch.mean()
        self.last = loss.item()  # sync: SYN201
        return loss

    def on_train_epoch_end(self) -> None:
        self.mean = next(self.parameters()).mean().item()  # cold: SYN201


# case: script-without-functions
import torch

x = torch.rand(8, device="cuda")
print(x.sum().item())  # cold: SYN201
positions = torch.nonzero(x)  # cold: SYN101


# case: training-loop-of-a-script
import torch
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(8, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.rand(64, 8)), num_workers=1, pin_memory=True)
for (batch,) in loader:
    loss = model(batch.to("cuda", non_blocking=True)).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: SYN201
print(loss.item())  # cold: SYN201


# case: main-block
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum()


if __name__ == "__main__":
    print(total(torch.rand(8, device="cuda")).item())  # cold: SYN201


# case: helper-of-a-cold-place-only
import torch.nn as nn
from torch import Tensor


def _mean_of(weight: Tensor) -> float:
    return weight.mean().item()  # cold: SYN201


class Model(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.scale = _mean_of(weight)


# case: helper-of-a-cold-and-of-a-hot-place
import torch.nn as nn
from torch import Tensor


def _mean_of(weight: Tensor) -> float:
    return weight.mean().item()  # sync: SYN201


class Model(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.scale = _mean_of(weight)

    def forward(self, x: Tensor) -> Tensor:
        return x * _mean_of(x)


# case: helper-called-every-hundredth-step-only
import torch.nn as nn
from torch import Tensor


def _report(loss: Tensor) -> None:
    print(loss.item())  # cold: SYN201


def train(model: nn.Module, batches: list[Tensor]) -> None:
    for step, batch in enumerate(batches):
        loss = model(batch).mean()
        loss.backward()
        if step % 100 == 0:
            _report(loss)


# case: function-that-nobody-calls-here
from torch import Tensor


def mean_of(x: Tensor) -> float:
    return x.mean().item()  # sync: SYN201


# case: message-of-an-error
from torch import Tensor


def check(x: Tensor, limit: int) -> Tensor:
    if len(x) > limit:
        raise ValueError(f"too many rows, their mean is {x.mean().item()}")  # cold: SYN201
    return x


# case: checkpoint
import torch
import torch.nn as nn


def save_checkpoint(model: nn.Module, path: str) -> None:
    torch.save({name: tensor.cpu() for name, tensor in model.state_dict().items()}, path)  # cold: SYN204


# case: update-of-a-metric
import torch
from torch import Tensor
from torchmetrics import Metric


class Errors(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.add_state("wrong", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: Tensor, target: Tensor) -> None:
        self.wrong += (preds != target).sum().item()  # sync: SYN201

    def compute(self) -> float:
        return self.wrong.item()  # cold: SYN201


# case: numbers-that-select-what-a-function-does-tell-its-calls-apart
import torch
from torch import Tensor


def attend(q: Tensor, longest, version=2) -> Tensor:
    if version == 2:
        return q + 1
    elif version in (3, 5):
        return q * longest
    elif version == 4:
        if longest > 5:
            return q
    return q.flatten()


def asked(q: Tensor, longest, version: int) -> Tensor:
    if version != 1 and longest > 5:  # sync: SYN301
        return q
    return q.flatten()


def raised(q: Tensor, longest, version: int) -> Tensor:
    version = version + 1
    if version == 4:
        if longest > 5:  # sync: SYN301
            return q
    return q.flatten()


def use(q: Tensor, lengths: Tensor, given: int) -> list[Tensor]:
    longest = lengths.max()
    first = [attend(q, longest, version=3), attend(q, longest), attend(q, longest, 5), attend(q, 3, version=4)]
    second = [asked(q, longest, 1), asked(q, 3, 2), asked(q, longest, given)]
    return [*first, *second, raised(q, longest, 3)]


# case: tensors-on-the-cpu-are-told-apart-from-all-others
import torch


def padded(x: torch.Tensor, ndim: int) -> torch.Tensor:
    missing = ndim - x.ndim
    if missing < 0:
        raise ValueError(missing)
    return x[(...,) + (None,) * missing]


def many(x: torch.Tensor) -> list[torch.Tensor]:
    return [
        padded(x, 5),
        padded(x.long(), 5),
        padded(x.bool(), 5),
        padded(x.float(), 5),
        padded(x.sum(), 5),
        padded(x.long().sum(), 5),
        padded(x.bool().any(), 5),
        padded(torch.zeros(3, device="cuda"), 5),
        padded(torch.zeros(3, device="cuda").long(), 5),
        padded(torch.zeros(3, device="cuda").sum(), 5),
        padded(torch.zeros(3, device="cuda").bool(), 5),
    ]


def step(scale: list[float], x: torch.Tensor) -> torch.Tensor:
    return padded(torch.tensor(scale), x.ndim).to(x.device) * sum(many(x))  # sync: SYN402


# case: a-call-with-another-constant-opens-the-branch-that-the-first-one-closed
import torch


def _check(x, t):
    if not torch.is_floating_point(x):
        raise ValueError
    if t is None:
        t = torch.linspace(0, x.size(-2) - 1, x.size(-2), dtype=x.dtype, device=x.device)
    return t


def _scalar(t, x, version):
    not_nan = ~torch.isnan(x)
    if version == 0:
        if torch.isnan(x[0]):  # sync: SYN301
            x = x.clone()
    else:
        return x.masked_select(not_nan)  # sync: SYN103
    return x.masked_select(not_nan) + t  # sync: SYN103


def _top(x, t, version):
    t = _check(x, t)
    return _scalar(t, x.transpose(-1, -2), version)


def coeffs(x, t=None):
    return _top(x, t, version=0)


def coeffs2(x, t=None):
    return _top(x, t, version=1)
