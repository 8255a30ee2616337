# case: norm-that-another-method-puts-into-the-state
import torch
from torch.optim import Optimizer


class Scaled(Optimizer):
    def __init__(self, params, lr=1e-3, floor=0.1) -> None:
        super().__init__(params, {"lr": lr, "floor": floor})

    def _begin(self, group) -> None:
        for p in group["params"]:
            state = self.state[p]
            if not state:
                state["scale"] = p.norm()
                state["kept"] = p.abs() > 0
                self.state[p]["noise"] = p.std()
                state["count"] = 0

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            self._begin(group)
            for p in group["params"]:
                state = self.state[p]
                state["count"] += 1
                if state["scale"] < group["floor"]:  # sync: SYN301
                    continue
                grad = p.grad[state["kept"]]  # sync: SYN103
                p.add_(grad.mean(), alpha=-group["lr"] * state["noise"])  # sync: SYN209
                if state["count"] > 100 and group["lr"] > 0.1:
                    state["count"] = 0


# case: step-size-that-a-group-keeps
import torch
from torch.optim import Optimizer


class Adaptive(Optimizer):
    def __init__(self, params, lr=1.0, growth=2.0) -> None:
        super().__init__(params, dict(lr=lr, growth=growth, distance=1e-6))

    def _grow(self) -> None:
        group = self.param_groups[0]
        total = torch.stack([p.grad.norm() for p in group["params"]]).sum()
        group["distance"] = total * group["growth"]

    @torch.no_grad()
    def step(self, closure=None):
        self._grow()
        group = self.param_groups[0]
        rate = float(group["distance"] * group["lr"])  # sync: SYN203
        for p in group["params"]:
            p.add_(p.grad, alpha=-rate)


# case: same-key-in-the-state-and-in-a-group
import torch
from torch.optim import Optimizer


class Adaptive(Optimizer):
    def __init__(self, params, ratio=0.5) -> None:
        super().__init__(params, {"ratio": ratio})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["ratio"] = p.norm()
                if group["ratio"] > 0.1:
                    p.mul_(0.5)


# case: what-other-classes-keep-under-a-key-says-nothing
import torch


class Memory:
    def __init__(self) -> None:
        self.state: dict = {}

    def put(self, x: torch.Tensor) -> None:
        state = self.state
        state["scale"] = x.norm()

    def get(self, state: dict) -> bool:
        if state["scale"] > 1:
            return True
        return False


# case: number-or-tensor-by-a-condition-of-ones-own
import torch


def trust_step(p: torch.Tensor, update: torch.Tensor, lr: float) -> None:
    weight, length = p.norm(), update.norm()
    ratio = 1.0 if lr == 0 else weight / length
    p.add_(update, alpha=-lr * ratio)  # sync: SYN209


# case: number-or-tensor-as-callers-please
import torch


def scaled_step(p: torch.Tensor, update: torch.Tensor, lr: float | torch.Tensor) -> None:
    p.add_(update, alpha=-lr)


# case: optimizer-over-nested-groups-or-whatever-is-given
import torch
from torch import nn


class Planes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.planes = nn.ParameterList([nn.Parameter(torch.randn(1, 16, 8, 8)) for _ in range(3)])
        self.net = nn.Linear(16, 3)

    def groups(self, lr: float):
        return [{"params": self.planes, "lr": lr}, {"params": self.net.parameters(), "lr": lr / 10}]


class Trainer:
    def __init__(self, model, make) -> None:
        self.model, self.optimizer = model, make(model)
        self.scaler = torch.amp.GradScaler("cuda")

    def train(self, loader) -> None:
        for x in loader:
            self.scaler.scale(self.model(x.cuda(non_blocking=True)).mean()).backward()
            self.scaler.step(self.optimizer)  # sync: SYN510


class FusedTrainer(Trainer):
    def __init__(self, model) -> None:
        self.model = model
        self.fused = torch.optim.Adam(model.groups(0.01), fused=True)

    def train(self, loader) -> None:
        for x in loader:
            self.model(x.cuda(non_blocking=True)).mean().backward()
            torch.amp.GradScaler("cuda").step(self.fused)


def main(loader) -> None:
    Trainer(Planes(), lambda model: torch.optim.Adam(model.groups(0.01), eps=1e-15)).train(loader)
    FusedTrainer(Planes()).train(loader)


# case: states-that-are-brought-to-the-device-with-their-counters
import torch


def resume(optimizer, path, device):
    optimizer.load_state_dict(torch.load(path, map_location="cpu"))
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value):
                state[key] = value.to(device)


def train(model, batches, device):
    optimizer = torch.optim.AdamW(model.parameters())
    plain = torch.optim.SGD(model.parameters(), 0.1)
    fused = torch.optim.Adam(model.parameters(), fused=True)
    resume(optimizer, "last.pt", device)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()  # sync: SYN510
        plain.step()
        fused.step()


# case: states-of-each-parameter-in-their-own-place
import torch


def to_gpu(optimizer: torch.optim.Adam):
    for state in optimizer.state.values():
        for held in state.values():
            if isinstance(held, torch.Tensor):
                held.data = held.data.cuda()  # cold: SYN402


def train(model, batches, optimizer: torch.optim.Adam):
    to_gpu(optimizer)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()  # sync: SYN510


# case: states-by-their-parameters
import torch


def train(model, batches):
    optimizer = torch.optim.NAdam(model.parameters())
    for p in model.parameters():
        for key, value in optimizer.state[p].items():
            optimizer.state[p][key] = value.cuda()
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()  # sync: SYN510


# case: states-without-their-counters
import torch


def train(model, batches, device):
    optimizer = torch.optim.AdamW(model.parameters())
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value) and key != "step":
                state[key] = value.to(device)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()


# case: states-that-are-brought-to-the-host
import torch


def train(model, batches):
    optimizer = torch.optim.AdamW(model.parameters())
    for state in optimizer.state.values():
        for key, value in state.items():
            if torch.is_tensor(value):
                state[key] = value.to("cpu")  # cold: SYN204
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()


# case: states-of-something-else
import torch


def train(model, batches, cache, device):
    optimizer = torch.optim.AdamW(model.parameters())
    for state in cache.state.values():
        for key, value in state.items():
            state[key] = value.to(device)  # cold: SYN402
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()


# case: numbers-of-a-parameter-group-that-are-logged
import torch


class Numbers:
    def __init__(self) -> None:
        self.seen: dict[str, float] = {}

    def update(self, **given) -> None:
        for name, one in given.items():
            if isinstance(one, torch.Tensor):
                one = one.item()
            self.seen[name] = one


class Others:
    def __init__(self) -> None:
        self.seen: dict[str, float] = {}

    def update(self, **given) -> None:
        for name, one in given.items():
            if isinstance(one, torch.Tensor):
                one = one.item()  # sync: SYN201
            self.seen[name] = one


def train(model, solver, loader) -> None:
    numbers, others = Numbers(), Others()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        solver.step()
        numbers.update(rate=solver.param_groups[0]["lr"], decay=solver.param_groups[0]["weight_decay"])
        others.update(rate=solver.param_groups[0]["lr"], loss=loss.detach())
        for group in solver.param_groups:
            for weight in group["params"]:
                print(weight.grad.norm().item())  # sync: SYN201


# case: step-with-a-closure-returns-its-loss
import torch


def fit(model: torch.nn.Module, images: torch.Tensor, steps: int) -> None:
    optimizer = torch.optim.SGD(model.parameters())

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = model(images).mean()
        loss.backward()
        return loss

    for _ in range(steps):
        print(optimizer.step(closure).item())  # sync: SYN201


def fit_counted(model: torch.nn.Module, images: torch.Tensor, steps: int) -> None:
    optimizer = torch.optim.SGD(model.parameters())

    def closure() -> float:
        optimizer.zero_grad()
        loss = model(images).mean()
        loss.backward()
        return loss.item()  # sync: SYN201

    for _ in range(steps):
        print(float(optimizer.step(closure)))
