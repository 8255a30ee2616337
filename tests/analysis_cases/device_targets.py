# case: copy-to-the-host-on-one-of-two-paths
import torch
from torch import Tensor


def bring(x: Tensor, model: Tensor | None = None) -> Tensor:
    goal = torch.device("cpu") if model is None else model.device
    return x.to(goal)  # sync: SYN204


# case: copy-to-the-host-or-elsewhere-as-a-helper-says
import torch
from torch import Tensor


def goal_and_type(table: dict[str, Tensor]):
    for held in table.values():
        return held.device, held.dtype
    return torch.zeros(()).device, torch.float32


def bring(x: Tensor, table: dict[str, Tensor]) -> Tensor:
    device, kind = goal_and_type(table)
    return x.to(kind).to(device=device)  # sync: SYN204


# case: copy-to-where-new-tensors-are-made
import torch
from torch import Tensor


def bring(x: Tensor) -> Tensor:
    return x.to(torch.get_default_device())  # sync: SYN204


# case: copy-to-the-default-of-a-parameter
import torch
from torch import Tensor

HOST = torch.device("cpu")


def bring(x: Tensor, goal: str = "cpu") -> Tensor:
    return x.to(goal)  # sync: SYN204


def bring_named(x: Tensor, goal: "torch.device | str" = HOST) -> Tensor:
    return x.to(device=goal)  # sync: SYN204


def upload(numbers: list[float], goal: str = "cpu") -> Tensor:
    return torch.tensor(numbers, device=goal)  # sync: SYN401


def bring_to_given(x: Tensor, goal: str = "cuda") -> Tensor:
    return x.to(goal)


# case: what-may-be-on-the-host-copied-to-what-may-be-there
import torch
from torch import Tensor


class Meter:
    def __init__(self, goal: "torch.device | None" = None) -> None:
        self.goal = goal if goal is not None else torch.device("cpu")
        self.seen = torch.zeros(3, device=self.goal)
        self.sums: list[Tensor] = []

    def update(self, x: Tensor) -> None:
        self.sums.append(x.to(self.goal))  # sync: SYN204

    def value(self) -> Tensor:
        return torch.stack(self.sums).to(self.goal) + self.seen.to(self.goal)


# case: copy-into-what-may-be-on-the-host
import torch
from torch import Tensor


def keep(x: Tensor, on_host: bool) -> Tensor:
    kept = torch.empty(3, device="cpu" if on_host else x.device)
    kept.copy_(x)  # sync: SYN204
    return kept


# case: reads-before-the-upload-of-what-is-read
import torch
from torch import Tensor


def bring(*tensors):
    return [tensor.cuda() for tensor in tensors]  # sync: SYN402


class Learner:
    def fetch(self):
        return next(self.source)

    def noisy(self, words, sizes):
        for at in range(sizes.size(0)):
            words[: sizes[at], at].clamp_(min=1)
        return words, sizes

    def prepare(self):
        (words, sizes), labels = self.fetch()
        words = words.clone()
        words, sizes = self.noisy(words, sizes)
        longest = sizes.max().item()
        return words[:longest], sizes, labels

    def learn(self):
        words, sizes, labels = self.prepare()
        mask = torch.arange(sizes.max(), device=sizes.device)[:, None] < sizes[None]
        goal = words.masked_select(mask)
        words, sizes, goal = bring(words, sizes, goal)
        loss = self.model(words, sizes, goal)
        loss.backward()
        self.seen += sizes.sum().item()  # sync: SYN201


# case: parameter-read-before-its-upload
from torch import Tensor


def step(model, images: Tensor, sizes: Tensor) -> Tensor:
    longest = sizes.max().item()
    sizes = sizes.cuda()  # sync: SYN402
    return model(images[:, :longest], sizes) * sizes.sum().item()  # sync: SYN201


# case: parts-of-a-batch-read-before-their-upload
import torch


def step(model, batch, device: torch.device):
    count = batch["mask"].sum().item()
    batch = {key: value.to(device) for key, value in batch.items()}  # sync: SYN402
    return model(batch) / count + batch["mask"].sum().item()  # sync: SYN201


# case: moved-to-where-another-tensor-is-may-be-there-already
from torch import Tensor


def step(x: Tensor, y: Tensor) -> float:
    device = y.device
    total = x.sum().item()  # sync: SYN201
    return total + (x.to(device) + x.to(y.device)).sum().item()  # sync: SYN201


# case: forward-makes-sure-of-its-input
import torch
from torch import Tensor, nn


class Head(nn.Module):
    def forward(self, x: Tensor, device: torch.device) -> Tensor:
        if x.sum() > 0:  # sync: SYN301
            x = x * 2
        return x.to(device)


# case: model-is-no-tensor-on-the-host
def prepare(build, images):
    model = build()
    model = model.cuda()
    return model(images)


# case: script-that-names-the-cpu-alone
import torch
from torch import nn

DEVICE = torch.device("cpu")
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).to(DEVICE)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    loss = model(torch.randn(2, 4, device=DEVICE)).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())


# case: script-that-may-be-given-a-device
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
options = parser.parse_args()
model = nn.Linear(4, 4).to(options.device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    loss = model(torch.randn(2, 4, device=options.device)).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: SYN201


# case: class-value-until-the-constructor-moves-it
import torch
from torch import Tensor


class Rule:
    points = torch.tensor([0.0, 1.0])

    def __init__(self, like: Tensor) -> None:
        self.points = self.points.to(like.device)  # once: SYN402

    def weights(self) -> float:
        return self.points.sum().item()  # sync: SYN201


# case: metric-moves-with-its-module
import lightning.pytorch as pl
from torchmetrics.classification import MulticlassAccuracy


class Task(pl.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.accuracy = MulticlassAccuracy(3)

    def training_step(self, batch, index):
        x, y = batch
        self.print(self.accuracy(self(x), y).item())  # sync: SYN201, SYN511


# case: list-in-a-batch-is-where-the-loader-left-it
from torch.utils.data import DataLoader


def brought(part, device):
    if isinstance(part, list):
        return [one.to(device) for one in part]  # sync: SYN402
    return part.to(device)  # sync: SYN402


def run(model, dataset, device) -> None:
    for x, parts in DataLoader(dataset, num_workers=2):
        model(brought(x, device), brought(parts, device))


# case: an-object-is-made-for-the-device-of-what-it-is-given
import torch


class KeepsItsDevice:
    def __init__(self, device: str | torch.device = "cpu") -> None:
        self._device = torch.device(device)

    def update(self, values: torch.Tensor) -> torch.Tensor:
        return values.sum().to(self._device)


# case: the-device-of-what-is-asked-for-its-place
import torch


def compared(features: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    device = torch.device("cuda") if features.is_cuda else torch.device("cpu")
    same = torch.eq(labels, labels.T).float().to(device)
    ahead = torch.eye(len(labels)).to(device)  # sync: SYN402
    return same * ahead


# case: device-of-settings-beside-a-model-that-is-moved
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, config, model, dataset):
        self.config = config
        self.dataset = dataset
        self.model = model
        self.device = config.device
        self.model = self.model.to(self.device)

    def run(self):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        for inputs, target in DataLoader(self.dataset, pin_memory=True, num_workers=4):
            inputs = inputs.to(self.device)  # sync: SYN701
            loss = self.model(inputs, target)
            loss.backward()
            optimizer.step()


# case: device-that-a-constructor-begins-with
# The CPU is where a module is until it is told which device is meant, here in a callback that comes after the reader.
import torch
from torch import nn


class Placed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self._device = torch.device("cpu")

    @property
    def device(self):
        return self._device

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.exp()
        scale = torch.tensor(2.0, device=self.device)  # sync: SYN401
        return y.to(self.device) * scale

    def place(self, device) -> None:
        def tell(module) -> None:
            if isinstance(module, Placed):
                module._device = device

        self.apply(tell)


class Resting(nn.Module):
    """Nobody tells this one of another device."""

    def __init__(self) -> None:
        super().__init__()
        self._device = torch.device("cpu")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = torch.tensor(2.0, device=self._device)
        return x.exp().to(self._device) * scale  # sync: SYN204


class Switched(nn.Module):
    """This one is told of the CPU or of the device later, by a test."""

    def __init__(self) -> None:
        super().__init__()
        self._device = torch.device("cpu")

    def place(self, x: torch.Tensor, rests: bool) -> None:
        self._device = torch.device("cpu") if rests else x.device

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.exp().to(self._device)  # sync: SYN204


# case: part-of-a-module-computes-where-its-parameters-are
# What is handed to the device later is on the CPU, but not what a layer of the module makes.
import torch
from torch import nn


class Split(nn.Module):
    def __init__(self, encoder, decoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def table(self, names):
        return names.table

    def forward(self, x, names, device):
        hidden = self.encoder(x)
        table = self.table(names)
        table = table[:8].to(device)  # sync: SYN402
        return self.decoder(hidden.to(device)) + table


# case: cuda-is-initialized-once-something-is-there
import torch


def chosen() -> torch.device:
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        return torch.device("cuda")
    return torch.device("cpu")


def shown(loss: torch.Tensor, reached: torch.Tensor) -> torch.Tensor:
    kept = loss.detach().to(chosen())
    return kept.to(reached.device) + reached


# case: what-is-compared-with-gpu-is-a-text-and-names-a-place
import torch


class Predictor:
    def __init__(self, model: torch.nn.Module, device="cpu") -> None:
        self.model = model
        self.device = device

    def predict(self, image: torch.Tensor, shift: float) -> torch.Tensor:
        shifts = torch.tensor([shift])
        if self.device == "gpu":
            shifts = shifts.cuda()  # sync: SYN402
        return self.model(image + shifts)


# case: what-only-its-name-tells-to-be-a-device-may-be-a-text
import argparse

import torch


def train(device: torch.device) -> None:
    network = torch.nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(network.parameters())
    for _ in range(100):
        loss = network(torch.zeros(3, 3, device=device)).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    if args.device == "cpu":
        device = torch.device("cpu")
    elif args.device == "cuda":
        device = torch.device("cuda")
    else:
        device = torch.device("mps")
    train(device)


if __name__ == "__main__":
    main()


# case: what-follows-an-error-on-a-gpu-runs-elsewhere
import argparse

import torch


def train(device: torch.device) -> None:
    network = torch.nn.Linear(3, 3).to(device)
    optimizer = torch.optim.SGD(network.parameters())
    for _ in range(100):
        loss = network(torch.zeros(3, 3, device=device)).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="mps")
    args = parser.parse_args()
    if args.device == "cuda":
        raise ValueError
    train(torch.device(args.device))


if __name__ == "__main__":
    main()


# case: a-device-is-never-equal-to-a-text
import torch


def batches(rows, device: torch.device):
    use_cuda = device == "cuda"
    for row in rows:
        staged = torch.tensor(row, pin_memory=use_cuda)
        yield staged.to(device, non_blocking=use_cuda)  # sync: SYN402


# case: a-tensor-that-is-made-of-another-on-the-cpu
import torch
from torch import Tensor


def kept(scores: Tensor) -> Tensor:
    return torch.as_tensor(scores, device="cpu")  # sync: SYN204


def copied(scores: Tensor) -> Tensor:
    return torch.tensor(scores, device=torch.device("cpu"))  # sync: SYN204


def wrapped(scores: Tensor, device: torch.device | None = None) -> tuple[Tensor, Tensor, Tensor]:
    return torch.as_tensor(scores), torch.as_tensor(scores, device=device), torch.asarray(scores, device=scores.device)


def brought(scores: Tensor, device: torch.device = torch.device("cpu")) -> Tensor:
    return torch.asarray(scores, device=device)  # sync: SYN204


# case: type-of-the-device-if-there-is-one
import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader, TensorDataset

with_device = torch.cuda.is_available()
Real = torch.cuda.FloatTensor if with_device else torch.FloatTensor
Whole = torch.cuda.LongTensor if with_device else torch.LongTensor


def train(model: nn.Module, optimizer: Optimizer, images: Tensor, labels: Tensor) -> None:
    loader = DataLoader(TensorDataset(images, labels), batch_size=8)
    for image, label in loader:
        score = model(image.type(Real))  # sync: SYN402
        loss = nn.functional.cross_entropy(score, label.type(Whole))  # sync: SYN402
        noise = torch.randn_like(score).type(Real)
        (loss + (score * noise).mean()).backward()
        optimizer.step()


# case: type-of-elements-or-of-the-host
import torch
from torch import Tensor


def host(x: Tensor, half: bool) -> Tensor:
    return x.type(torch.FloatTensor if half else torch.DoubleTensor)  # sync: SYN204


def same(x: Tensor, half: bool) -> Tensor:
    return x.type(torch.float16 if half else torch.float32)


# case: type-of-the-device-behind-a-switch
import torch
from torch import Tensor


def moved(x: Tensor, use_gpu: bool) -> Tensor:
    kind = torch.cuda.FloatTensor if use_gpu else torch.FloatTensor
    noise = torch.zeros(3).type(kind)  # sync: SYN402
    return x.cuda().type(kind) + noise


# case: a-device-that-is-chosen-by-a-test-is-the-one-of-a-gpu
import torch


def train(model, loader, optimizer, gpu: int):
    place = torch.device("cuda:%d" % gpu) if gpu >= 0 else torch.device("cpu")
    rows = torch.arange(32, device=place)
    for batch in loader:
        scores = model(batch)
        picked = scores[rows, torch.argmax(scores * rows.float(), dim=-1)]
        picked.sum().backward()
        optimizer.step()


# case: a-device-that-a-program-sets-in-one-place-is-the-one-of-a-gpu
import torch


class Config:
    DEVICE = torch.device("cpu")


def select_device(gpu: int) -> None:
    if gpu >= 0:
        Config.DEVICE = torch.device(f"cuda:{gpu}")
    else:
        Config.DEVICE = torch.device("cpu")


def train(model, loader, optimizer):
    rows, atoms = torch.arange(32, device=Config.DEVICE), torch.linspace(0, 1, 51, device=Config.DEVICE)
    for batch in loader:
        scores = model(batch)
        best = torch.argmax(scores * atoms, dim=-1)
        scores[rows, best].sum().backward()
        optimizer.step()


if __name__ == "__main__":
    select_device(0)
    train(torch.load("model.pt"), torch.load("batches.pt"), torch.load("optimizer.pt"))


# case: what-is-moved-to-a-device-that-is-the-cpu-for-some-callers-alone-may-be-copied-down
import torch
from torch import Tensor


def kept(x: Tensor, offload: bool) -> list[float]:
    place = torch.device("cpu") if offload else x.device
    return x.to(place).tolist()  # sync: SYN202, SYN204


# case: what-a-module-holds-is-where-it-is-given-something
import torch


class Extension(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("matrix", torch.eye(4))
        self.register_buffer("table", torch.eye(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = self.matrix.to(dtype=x.dtype, device=x.device)  # sync: SYN402
        self.table.to(dtype=x.dtype, device=torch.device("cpu"))  # sync: SYN204
        return x @ rows


def plot() -> None:
    extension = Extension()
    for length in range(100):
        print(extension(torch.stack([torch.sin(torch.linspace(0, 1, 4))])).sum())


if __name__ == "__main__":
    plot()
