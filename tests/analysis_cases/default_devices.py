# case: default-device-is-the-gpu
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.set_default_device(device)


def draw(table: torch.Tensor, names: list[str]) -> torch.Tensor:
    rows = torch.randperm(8)
    scale = torch.tensor([1.0, 2.0])  # sync: SYN401
    legacy = torch.Tensor([1.0, 2.0]).to(table.device)  # sync: SYN402
    one = table[np.random.choice(8)]
    return torch.ones(8, 2).cuda()[rows] * scale + legacy + one


# case: default-type-of-tensors-is-one-of-the-gpu
import numpy as np
import torch


def draw(table, rays: np.ndarray) -> torch.Tensor:
    far = torch.Tensor([1e10])  # sync: SYN401
    sent = torch.Tensor(rays)  # sync: SYN401
    return torch.rand(4) * far + sent + torch.zeros(4, 4).to("cuda") + table[torch.arange(4)]


if __name__ == "__main__":
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    for step in range(1000):
        draw(torch.ones(4, 4), np.ones(4))


# case: default-device-is-left-on-the-host
import torch

torch.set_default_device("cpu")
# torch.set_default_device("cuda")
torch.set_default_tensor_type(torch.DoubleTensor)


def draw(x: torch.Tensor) -> torch.Tensor:
    return x.cuda() + torch.ones(4).cuda()  # sync: SYN402


# case: program-that-moves-nothing-anywhere
from itertools import count

import torch

target = torch.randn(4, 1)
model = torch.nn.Linear(4, 1)


def described(weights):
    return "".join("{:+.2f}".format(weight) for weight in weights)


for number in count(1):
    x = torch.randn(32, 4)
    loss = torch.nn.functional.mse_loss(model(x), x @ target)
    loss.backward()
    if loss.item() < 1e-3:
        break

print(described(model.weight.view(-1)))


# case: excerpt-that-names-no-device
import torch

for x, y in loader:
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: SYN201


# case: trainers-that-are-told-to-stay-on-the-cpu
import pytorch_lightning as pl
import torch
from torch import nn


class Plain(pl.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(3, 3)

    def training_step(self, batch: torch.Tensor, index: int) -> torch.Tensor:
        loss = self.net(batch).sum()
        print(loss.item())
        return loss


if __name__ == "__main__":
    trainer = pl.Trainer(accelerator="cpu", max_epochs=1)
    trainer.fit(Plain(), torch.utils.data.DataLoader([]))


# case: one-of-two-trainers-is-told-to-stay-on-the-cpu
import pytorch_lightning as pl
import torch
from torch import nn


class Plain(pl.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(3, 3)

    def training_step(self, batch: torch.Tensor, index: int) -> torch.Tensor:
        loss = self.net(batch).sum()
        print(loss.item())  # sync: SYN201
        return loss


def run(batches) -> None:
    pl.Trainer(accelerator="cpu", max_epochs=1).fit(Plain(), batches)
    pl.Trainer(max_epochs=1).fit(Plain(), batches)


if __name__ == "__main__":
    run([])


# case: default-device-that-is-put-back
import torch
from torch import nn


class Runner:
    def __init__(self) -> None:
        torch.set_default_device("cuda")
        self.net = nn.Linear(4, 4)
        self.prepare()
        torch.set_default_device("cpu")

    def prepare(self) -> None:
        self.rows = torch.zeros(8, dtype=torch.int64)

    def run(self, numbers: list[int]) -> torch.Tensor:
        rows = torch.tensor(numbers, pin_memory=True).cuda(non_blocking=True)
        self.rows[:4] = rows
        return self.net(torch.tensor(numbers).cuda() + self.rows)  # sync: SYN402


# case: default-device-of-one-of-two-ways
import torch


def begin(on_gpu: bool) -> None:
    if on_gpu:
        torch.set_default_device("cuda")
    else:
        torch.set_default_device("cpu")


def scale(x: torch.Tensor) -> torch.Tensor:
    return x * torch.tensor([1.0, 2.0])  # sync: SYN401
