# case: parameter-of-unknown-device-counts-as-the-device
from torch import Tensor


def read(x: Tensor) -> float:
    return x.sum().item()  # sync: SYN201


# case: literal-tensor-is-on-the-host
import torch


def read() -> int:
    return torch.tensor(3).item()


# case: factory-without-a-device-is-on-the-host
import torch


def read(n: int) -> list[int]:
    return torch.arange(n).flip(0).tolist()


# case: factory-with-a-device
import torch


def read(n: int) -> list[int]:
    return torch.arange(n, device="cuda").flip(0).tolist()  # sync: SYN202


# case: factory-with-the-device-of-a-tensor
import torch
from torch import Tensor


def read(x: Tensor) -> list[int]:
    return torch.arange(x.size(0), device=x.device).tolist()  # sync: SYN202


# case: factory-with-the-device-of-a-host-tensor
import torch


def read(n: int) -> list[int]:
    first = torch.zeros(n)
    return torch.arange(n, device=first.device).tolist()


# case: factory-with-the-host-by-name
import torch


def read(n: int) -> list[int]:
    return torch.arange(n, device="cpu").tolist() + torch.arange(n, device=torch.device("cpu")).tolist()


# case: factory-with-a-device-in-a-variable
import torch


def read(n: int) -> list[int]:
    device = torch.device("cuda:0")
    host = torch.device("cpu")
    first = torch.arange(n, device=host).tolist()
    return first + torch.arange(n, device=device).tolist()  # sync: SYN202


# case: factory-with-a-device-parameter
import torch


def read(n: int, device: torch.device) -> list[int]:
    return torch.arange(n, device=device).tolist()  # sync: SYN202


# case: like-factory-stays-where-the-tensor-is
import torch
from torch import Tensor


def read(x: Tensor) -> float:
    host = torch.zeros_like(torch.ones(3))
    first = host.sum().item()
    return first + torch.zeros_like(x).sum().item()  # sync: SYN201


# case: new-factory-stays-where-the-tensor-is
from torch import Tensor


def read(x: Tensor) -> float:
    return x.new_zeros(3).sum().item()  # sync: SYN201


# case: copy-to-the-host-then-free-reads
from torch import Tensor


def read(x: Tensor) -> list[float]:
    host = x.detach().cpu()  # sync: SYN204
    if host.max() > 1:
        host = host / host.max()
    return host[host > 0].tolist()


# case: copy-to-the-host-by-to
from torch import Tensor


def read(x: Tensor) -> float:
    host = x.to("cpu")  # sync: SYN204
    return host.sum().item()


# case: copy-to-the-host-by-a-device-object
import torch
from torch import Tensor


def read(x: Tensor) -> float:
    host = x.to(device=torch.device("cpu"), dtype=torch.float64)  # sync: SYN204
    return host.sum().item()


# case: copy-to-the-host-that-does-not-block
from torch import Tensor


def fetch(x: Tensor) -> Tensor:
    return x.to("cpu", non_blocking=True)


# case: array-of-a-copied-tensor
from torch import Tensor


def read(x: Tensor) -> float:
    array = x.detach().cpu().numpy()  # sync: SYN204
    return float(array.mean()) if array.any() else array.max().item()


# case: forced-array
from torch import Tensor


def read(x: Tensor):
    return x.numpy(force=True)  # sync: SYN204


# case: legacy-type-of-the-host
import torch
from torch import Tensor


def read(x: Tensor) -> Tensor:
    return x.type(torch.FloatTensor)  # sync: SYN204


# case: change-of-dtype-stays-on-the-device
import torch
from torch import Tensor


def read(x: Tensor) -> float:
    y = x.to(torch.float64).type(torch.float32).half()
    return y.sum().item()  # sync: SYN201


# case: copy-of-a-host-tensor-to-the-host
import torch


def read(n: int) -> list[int]:
    return torch.arange(n).cpu().to("cpu").tolist()


# case: array-made-a-tensor-stays-on-the-host
import numpy as np
import torch


def read(array: np.ndarray) -> float:
    x = torch.from_numpy(array)
    return x[x > 0].sum().item()


# case: array-made-a-tensor-by-as-tensor
import numpy as np
import torch


def read(array: np.ndarray) -> float:
    x = torch.as_tensor(array)
    return x.sum().item()


# case: upload-makes-a-device-tensor
import torch


def read(numbers: list[float], device: torch.device) -> float:
    x = torch.tensor(numbers).pin_memory().to(device, non_blocking=True)
    return x.sum().item()  # sync: SYN201


# case: to-the-device-of-another-tensor
import torch
from torch import Tensor


def read(x: Tensor, index: Tensor) -> float:
    moved = index.to(x.device)
    return moved.sum().item()  # sync: SYN201


# case: host-and-device-operands-give-a-device-tensor
import torch
from torch import Tensor


def read(x: Tensor) -> float:
    scaled = torch.tensor(0.5) * x
    return scaled.sum().item()  # sync: SYN201


# case: host-operands-give-a-host-tensor
import torch


def read(n: int) -> float:
    angles = torch.arange(n) * torch.tensor(0.5) / n
    return torch.cat([angles, angles.cos()]).sum().item()


# case: result-of-a-loader-is-on-the-host
from torch import Tensor
from torch.utils.data import DataLoader


def read(loader: DataLoader) -> int:
    tokens = 0
    for batch in loader:
        inputs, labels = batch
        tokens += (labels != -100).sum().item()
    return tokens


# case: result-of-a-loader-after-its-transfer
import torch
from torch.utils.data import DataLoader


def read(loader: DataLoader, device: torch.device) -> int:
    tokens = 0
    for inputs, labels in loader:
        labels = labels.to(device, non_blocking=True)
        tokens += (labels != -100).sum().item()  # sync: SYN201
    return tokens


# case: helper-that-picks-a-device
import torch


def get_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def read(n: int) -> list[int]:
    return torch.arange(n, device=get_device()).tolist()  # sync: SYN202


# case: device-chosen-by-a-condition
import torch


def read(n: int) -> list[int]:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.arange(n, device=device).tolist()  # sync: SYN202


# case: device-in-an-attribute
import torch


class Noise:
    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.host = torch.device("cpu")

    def sample(self, n: int) -> list[float]:
        first = torch.rand(n, device=self.host).tolist()
        return first + torch.rand(n, device=self.device).tolist()  # sync: SYN202


# case: attribute-of-a-plain-class-stays-on-the-host
import torch


class Schedule:
    def __init__(self, steps: int) -> None:
        self.betas = torch.linspace(1e-4, 0.02, steps)

    def beta(self, step: int) -> float:
        return self.betas[step].item()


# case: attribute-of-a-plain-class-moved-to-the-device
import torch


class Schedule:
    def __init__(self, steps: int) -> None:
        self.betas = torch.linspace(1e-4, 0.02, steps)

    def to(self, device: torch.device) -> "Schedule":
        self.betas = self.betas.pin_memory().to(device, non_blocking=True)
        return self

    def beta(self, step: int) -> float:
        return self.betas[step].item()  # sync: SYN201


# case: guard-by-device-type
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if x.device.type == "cpu":
        if x.isnan().any():
            return x.nan_to_num()
    elif x.isnan().any():  # sync: SYN301
        return x.nan_to_num()
    return x


# case: guard-by-is-cuda
from torch import Tensor


def check(x: Tensor) -> float:
    if x.is_cuda:
        return x.sum().item()  # sync: SYN201
    return x.sum().item()


# case: guard-by-not-is-cuda
from torch import Tensor


def check(x: Tensor) -> float:
    return x.sum().item() if not x.is_cuda else 0.0


# case: guard-by-is-cpu
from torch import Tensor


def check(x: Tensor) -> float:
    if not x.is_cpu:
        return 0.0
    return x.sum().item()


# case: guard-by-an-assertion
from torch import Tensor


def check(lengths: Tensor) -> int:
    assert not lengths.is_cuda
    return lengths.max().item()


# case: guard-by-scripting
import torch
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if torch.jit.is_scripting():
        if x.isnan().any():
            return x.nan_to_num()
    return x


# case: eager-branch-of-a-scripting-guard
import torch
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if not torch.jit.is_scripting():
        if x.isnan().any():  # sync: SYN301
            return x.nan_to_num()
    return x


# case: eager-branch-of-a-compiling-guard
import torch
from torch import Tensor


def check(x: Tensor, total: Tensor) -> Tensor:
    if torch.compiler.is_compiling():
        torch._check(total.item() > 0)
    else:
        x = x / total.item()  # sync: SYN201
    return x


# case: meta-device-holds-no-values
import torch


def shape(n: int) -> torch.Size:
    return torch.zeros(n, 2 * n, device="meta").t().shape


# case: host-scalar-in-arithmetic-is-free
import torch
from torch import Tensor


def scale(x: Tensor) -> Tensor:
    half = torch.tensor(0.5)
    return (x * half + half).mul_(half)


# case: cpu-only-where-a-program-offloads
import torch

from ours import accelerator


class Optimizer:
    def __init__(self, offloads: bool) -> None:
        self.device = "cpu" if offloads else accelerator()

    def norm(self, groups: list) -> torch.Tensor:
        return torch.stack([torch.tensor(group.norm, device=self.device) for group in groups]).norm()  # sync: SYN401

    def clip(self, groups: list) -> float:
        return 2.0 if self.norm(groups) > 1 else 1.0  # sync: SYN301


class Offloading:
    def __init__(self) -> None:
        self.device = "cpu"

    def norm(self, groups: list) -> torch.Tensor:
        return torch.stack([torch.tensor(group.norm, device=self.device) for group in groups]).norm()

    def clip(self, groups: list) -> float:
        return 2.0 if self.norm(groups) > 1 else 1.0


# case: variable-of-a-tensor-is-that-tensor
import torch
from torch import Tensor
from torch.autograd import Variable


def moved(x: Tensor) -> Tensor:
    return Variable(x.cuda())


def read(x: Tensor) -> float:
    return moved(x).sum().item()  # sync: SYN201


def read_on_the_host() -> float:
    return Variable(torch.zeros(3)).sum().item()


# case: variants-for-other-accelerators
import torch
from torch import nn


class Pages:
    def __init__(self) -> None:
        self.free_pages = torch.zeros(8, device="cuda")

    def release(self) -> int:
        return int(self.free_pages.sum())  # sync: SYN203


class PagesV4NPUOrdered(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())


class XpuPages(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())


class RocmPages(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())


class PagesOfROCm(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())


class PROCMapPages(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())  # sync: SYN203


class INPUTPages(Pages):
    def release(self) -> int:
        return int(self.free_pages.max())  # sync: SYN203


class NPU:
    def __init__(self, x: torch.Tensor) -> None:
        self.x = x

    def step(self) -> int:
        return int(self.x.cuda().max())  # sync: SYN203


# case: what-variants-for-other-places-make-says-nothing-of-others
import torch
from registered import pool_called


class Pool:
    def __init__(self, size: int, device: torch.device | str) -> None:
        self.free = torch.arange(size, device=device)

    def take(self, count: int) -> list[int]:
        return self.free[:count].tolist()  # sync: SYN202


class Runner:
    def __init__(self, kind: str, device: torch.device) -> None:
        self.pool = pool_called(kind)(8, device)

    def step(self) -> list[int]:
        return self.pool.take(2)


class MlxRunnerStub(Runner):
    def __init__(self) -> None:
        self.pool = Pool(8, device="cpu")

    def step(self) -> list[int]:
        return self.pool.take(3)


class HostRunner(Runner):
    def __init__(self, device: torch.device) -> None:
        assert device == torch.device("cpu")

    def start(self) -> None:
        self.pool = Pool(8, device="cpu")


class Table:
    def __init__(self, size: int, device: torch.device | str) -> None:
        self.rows = torch.arange(size, device=device)

    def take(self, count: int) -> list[int]:
        return self.rows[:count].tolist()


class Reader(Runner):
    def __init__(self) -> None:
        self.table = Table(8, device="cpu")


# case: device-of-a-class-that-is-set-later
import numpy as np
import torch
from torch import Tensor


class Settings:
    device = torch.device("cpu")
    table = None


def choose(number: int) -> None:
    Settings.device = torch.device("cuda", number) if number >= 0 else torch.device("cpu")
    Settings.table = torch.zeros(8, device="cuda")


def tensor_of(rows: np.ndarray) -> Tensor:
    return torch.from_numpy(rows).to(Settings.device)  # sync: SYN402


def known() -> float:
    return Settings.table.sum().item()  # sync: SYN201


# case: device-where-there-are-no-parameters
import torch
from torch import Tensor, nn


class Guide(nn.Sequential):
    @property
    def device(self) -> torch.device:
        if hasattr(self[0], "encoder"):
            return self[0].encoder.device
        try:
            return next(self.parameters()).device
        except StopIteration:
            return torch.device("cpu")


class Loss(nn.Module):
    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self.guide = guide

    def forward(self, features: list[dict[str, Tensor]], labels: Tensor) -> Tensor:
        moved = [{key: value.to(self.guide.device) for key, value in each.items()} for each in features]
        return self.guide(moved) * labels


# case: variants-for-other-places-put-nothing-into-what-all-of-them-use
import torch


class Buffer:
    def __init__(self, n: int, device: torch.device) -> None:
        self.cpu = torch.zeros(n, device="cpu", pin_memory=True)
        self.gpu = torch.zeros_like(self.cpu, device=device)
        self.rows = torch.zeros(n, dtype=torch.int64, device=device)


class Runner:
    def __init__(self, device: torch.device) -> None:
        self.ids = Buffer(8, device)

    def step(self, x: torch.Tensor) -> None:
        x.copy_(self.ids.gpu, non_blocking=True)
        x.copy_(self.ids.rows, non_blocking=True)  # sync: SYN406


class HostRunner(Runner):
    def __init__(self, device: torch.device) -> None:
        super().__init__(device)
        assert device == torch.device("cpu")
        for held in vars(self).values():
            if isinstance(held, Buffer):
                held.gpu = torch.zeros(8)
        print(self.ids.rows.sum().item())


class OtherRunner(Runner):
    def __init__(self, device: torch.device) -> None:
        super().__init__(device)
        assert device == torch.device("cuda")
        for held in vars(self).values():
            if isinstance(held, Buffer):
                held.rows = torch.zeros(8, dtype=torch.int64)


# case: modules-that-replace-the-streams-of-cuda-are-for-the-host
import torch

import host


def place(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    rows = torch.zeros(8)
    return out.cuda().copy_(rows)  # sync: SYN402


# file: host.py
import torch
from torch import Tensor


class Event:
    def synchronize(self) -> None:
        pass


torch.cuda.Event = Event
torch.cuda.current_stream = lambda *args: Event()


def place(x: Tensor, out: Tensor) -> Tensor:
    rows = torch.zeros(8)
    print(x.sum().item())
    return out.cuda().copy_(rows)


# file: timed.py
import torch

torch.cuda.synchronized = torch.cuda.synchronize


def place(x: torch.Tensor) -> float:
    return x.sum().item()  # sync: SYN201


# case: what-a-variant-for-another-place-inherits-waits-for-no-gpu
import torch


class Runner:
    def __init__(self, device: torch.device) -> None:
        self.device = device

    def step(self, table: torch.Tensor, rows: list) -> torch.Tensor:
        index = torch.tensor(rows, pin_memory=True).to(self.device, non_blocking=True)
        return table[index]

    def last(self, table: torch.Tensor) -> float:
        return table[-1].item()  # sync: SYN201


class HostRunner(Runner):
    def __init__(self, device: torch.device) -> None:
        super().__init__(device)
        assert device == torch.device("cpu")


def on_host(table: torch.Tensor, rows: list) -> torch.Tensor:
    runner = HostRunner(torch.device("cpu"))
    return runner.step(table, rows)


def on_any(table: torch.Tensor, rows: list, device: torch.device) -> torch.Tensor:
    return Runner(device).step(table, rows)


# case: what-a-function-asserts-to-be-on-the-cpu
import torch


def brought_up(data: torch.Tensor, device: str) -> torch.Tensor:
    values = data
    if not values.is_pinned():
        values = torch.empty(values.shape, device="cpu", pin_memory=True).copy_(values)
    assert values.is_cpu
    return values.to(device, non_blocking=True)


def totalled(counts: torch.Tensor, sums: torch.Tensor) -> int:
    assert counts.is_cpu and counts.ndim == 1
    if counts.ndim == 2:
        assert sums.is_cpu
    return int(counts.sum()) + int(sums.sum())  # sync: SYN203


def run(batches: list) -> None:
    for batch in batches:
        brought_up(torch.ones(4, device="cuda"), "cuda")
        totalled(torch.ones(4, device="cuda"), torch.ones(4, device="cuda"))


# case: what-a-function-pins-is-on-the-cpu-and-so-is-what-it-was-computed-from
import torch
from torch import nn

PIN = torch.cuda.is_available()


class Vision(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("cache", torch.zeros(100, 8))

    def embedded(self, grid: torch.Tensor) -> torch.Tensor:
        return self.cache[: grid[:, 1].max()]

    def forward(self, x: torch.Tensor, grid: torch.Tensor | list) -> torch.Tensor:
        if isinstance(grid, list):
            grid = torch.tensor(grid, dtype=torch.int32)
        x = x + self.embedded(grid)
        lengths = torch.repeat_interleave(grid[:, 1] * grid[:, 2], grid[:, 0]).cumsum(dim=0)
        lengths = torch.cat(
            [lengths.new_zeros(1), lengths], out=lengths.new_empty(lengths.numel() + 1, pin_memory=PIN)
        ).to(x.device, non_blocking=True)
        if lengths[-1] > 3:  # sync: SYN301
            x = x * 2
        return self.linear(x)


class Elsewhere(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("cache", torch.zeros(100, 8))

    def embedded(self, grid: torch.Tensor) -> torch.Tensor:
        return self.cache[: grid[:, 1].max()]  # sync: SYN207

    def forward(self, x: torch.Tensor, grid: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        x = x + self.embedded(grid)
        lengths = grid.cpu().cumsum(dim=0)  # sync: SYN204
        lengths = lengths.pin_memory()
        if not sizes.is_cuda:
            sizes = sizes.pin_memory()
        sizes = sizes.to(x.device, non_blocking=True)
        if sizes.max() > 3:  # sync: SYN301
            x = x * 2
        return self.linear(x) + lengths.to(x.device, non_blocking=True).sum()


def train(loader) -> None:
    first, second = Vision().cuda(), Elsewhere().cuda()
    optimizer = torch.optim.SGD(first.parameters(), 1)
    for x, grid, sizes in loader:
        x, grid, sizes = x.to("cuda"), grid.to("cuda"), sizes.to("cuda")  # sync: SYN402
        loss = first(x, grid.cpu()).sum() + second(x, grid, sizes).sum()  # sync: SYN204
        loss.backward()
        optimizer.step()
