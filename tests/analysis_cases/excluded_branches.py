# case: member-of-a-set-is-found-by-its-hash
import torch


def parameters_once(model: torch.nn.Module, known: list[torch.Tensor]) -> list[torch.Tensor]:
    memo: set[torch.nn.Parameter] = set()
    frozen = frozenset(known)
    found = []
    for value in model.parameters():
        if value in memo or value in frozen:
            continue
        memo.add(value)
        found.append(value)
        if value in known:  # sync: SYN304
            found.pop()
    return found


# case: key-of-a-dictionary-is-found-by-its-hash
import torch


def count_uses(values: list[torch.Tensor]) -> dict[torch.Tensor, int]:
    uses: dict[torch.Tensor, int] = {}
    for value in values:
        if value in uses:
            uses[value] += 1
        elif value not in uses.keys():
            uses[value] = 1
    return uses


# case: item-of-a-dictionary-or-list-is-no-element-of-a-tensor
import torch


def collect(images: list[torch.Tensor]) -> dict[str, object]:
    output: list[torch.Tensor] = [torch.zeros(4, device="cuda")] * len(images)
    targets = {}
    for index, image in enumerate(images):
        target = torch.ones(4)
        output[index] = target
        targets["boxes"] = target
        targets[index] = target
    return {"output": output, **targets}


# case: flag-that-only-another-backend-sets
import torch


def suppressed(prediction: torch.Tensor, device: torch.device) -> torch.Tensor:
    mps = "mps" in prediction.device.type
    if mps:
        prediction = prediction.cpu()
    if prediction.device.type == "mps":
        prediction = prediction.cpu()
    if torch.backends.mps.is_available():
        prediction = prediction.cpu()
    if "cuda" not in str(device):
        prediction = prediction.cpu()
    if "cuda" in str(device):
        prediction = prediction.cpu()  # sync: SYN204
    return prediction


# case: backend-that-is-called-like-another-accelerator
import torch


def gathered(values: torch.Tensor, indices: torch.Tensor, backend: str, attention_backend: str) -> list[int]:
    if backend == "kernel":
        return indices.tolist()  # sync: SYN202
    elif backend == "kernel_ascend":
        return values[indices > 0].tolist()
    if attention_backend != "intel_xpu":
        return indices.tolist()  # sync: SYN202
    return values.tolist()


# case: branches-that-only-tracing-takes
import torch
import torchvision


def padded(sizes: torch.Tensor, image: torch.Tensor) -> list[int]:
    if torchvision._is_tracing():
        return _padded_for_export(sizes)
    if torch.onnx.is_in_onnx_export() or torch.jit.is_tracing():
        return sizes.tolist()
    if torch.compiler.is_compiling():
        return sizes.tolist()
    return [*image.shape, _largest(sizes)]


def _padded_for_export(sizes: torch.Tensor) -> list[int]:
    return [int(size) for size in sizes]


def _largest(sizes: torch.Tensor) -> int:
    return int(sizes.max())  # sync: SYN203


# case: what-is-no-tensor-does-not-wait
import torch


def summed(values: list[object], value: object, given: torch.Tensor | float) -> float:
    total = 0.0
    if not isinstance(value, torch.Tensor):
        total += float(value)
    if not torch.is_tensor(given):
        total += float(given)
    if type(given) is not torch.Tensor:
        total += float(given)
    else:
        total += float(given)  # sync: SYN203
    for item in values:
        if isinstance(item, torch.Tensor):
            continue
        total += float(item)
    return total


# case: what-stands-behind-a-failing-assertion
import torch


def erased(values: torch.Tensor) -> list[int]:
    kept = values.nonzero().tolist()  # sync: SYN101, SYN202
    assert False, "not finished"
    return kept + values.tolist()


def unfinished(values: torch.Tensor) -> float:
    raise NotImplementedError
    return values.sum().item()


# case: text-kept-in-a-class-may-be-set-anew
import torch


class policy:
    _value = "ignore"

    @classmethod
    def value(cls) -> str:
        return cls._value


def summed(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    chosen = policy.value()
    if chosen == "mask":
        return x[x > 0].sum()  # sync: SYN103
    return x.sum()


# case: what-the-host-has-in-place-of-a-kernel-is-not-called
import torch
from torch import Tensor

from elsewhere import platform


def kernel(values: Tensor) -> Tensor:
    return values.cumsum(0)


def by_hand(values: Tensor) -> Tensor:
    return values * values[0]


if platform.is_cpu():
    kernel = lambda values: torch.tensor(values.tolist())  # noqa: E731


def step(values: Tensor) -> float:
    if not platform.is_cpu():
        return kernel(values).sum().item()  # sync: SYN201
    return by_hand(values).sum().item()


# case: a-name-for-the-question-whether-there-is-a-gpu-is-as-good-as-the-question
import torch
from engine.utils import is_cpu, is_hip, is_xpu
from torch import Tensor

_is_cpu = is_cpu()
_is_xpu = is_xpu()
_is_hip = is_hip()
_may_be_cpu = is_cpu()
_may_be_cpu = False


def step(values: Tensor) -> list[float]:
    if _is_cpu or _is_xpu:
        return values.tolist()
    if not _is_cpu and values.sum().item() > 3:  # sync: SYN201
        return []
    return [float(values[0])]  # sync: SYN203


def told_otherwise(values: Tensor, _is_cpu: bool) -> list[float]:
    if _is_cpu or _may_be_cpu:
        return values.tolist()  # sync: SYN202
    return values.cpu() if _is_hip else values  # sync: SYN204


def set_otherwise(values: Tensor, place: str) -> list[float]:
    _is_xpu = place == "anywhere"
    return values.tolist() if _is_xpu else []  # sync: SYN202


# case: accelerators-that-libraries-give-a-name
import torch
from engine.utils import is_hip, is_npu

_is_npu = is_npu()
_is_hip = is_hip()


def sizes(values: torch.Tensor) -> list[int]:
    if _is_npu:
        return values.tolist()
    if _is_hip:
        return values.tolist()  # sync: SYN202
    return values.new_zeros(3).tolist() if is_npu() else []


# case: what-is-read-of-something-unknown-may-be-none-or-anything-else
import argparse

import torch
from torch.utils.data import DataLoader


def scores(settings):
    x = torch.ones(3, device="cuda")
    if settings.weight is not None:
        return x.sum().item()  # sync: SYN201
    if isinstance(settings.mode, list):
        x.min().item()  # sync: SYN201
    elif isinstance(settings.mode, torch.Tensor):
        x.max().item()  # sync: SYN201
    return x.mean().item()  # sync: SYN201


def fit(loader, model, optimizer):
    for x, y in loader:
        loss = (model(x.cuda()) - y.cuda()).mean()  # sync: SYN402, SYN402
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scp", default=None, type=str)
    parser.add_argument("--dump", default=None, type=str)
    args = parser.parse_args()
    if (args.scp is not None and args.dump is not None) or (args.scp is None and args.dump is None):
        raise ValueError("one of them")
    model = torch.nn.Linear(3, 3).cuda()
    fit(DataLoader([(torch.rand(3), torch.rand(3))]), model, torch.optim.SGD(model.parameters(), 0.1))  # once: SYN702


if __name__ == "__main__":
    main()


# case: what-is-known-to-be-something-leaves-the-other-branch-out
import torch


def scores():
    x = torch.ones(3, device="cuda")
    parts = [x, x]
    if parts is None:
        x.sum().item()
    if isinstance(x, list):
        x.max().item()
    return x.mean().item()  # sync: SYN201


# case: a-tensor-that-a-call-gives-for-a-default-of-none-is-there
import torch
from torch import nn
from torch.utils.data import DataLoader


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.output = nn.Linear(3, 3)

    def forward(self, tokens, targets=None, mask=None):
        if mask is not None:
            tokens = tokens[mask.nonzero()[:, 0]]  # sync: SYN101
        if targets is not None:
            return (self.output(tokens) - targets).mean()
        return self.output(tokens[:, [-1], :])  # unreached: SYN403


def batches():
    for x, y in DataLoader([1], num_workers=2, pin_memory=True):
        yield x.to("cuda", non_blocking=True), y.to("cuda", non_blocking=True)


def masks(known):
    return torch.ones(3, device="cuda") if known else None


model = Model().cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step, (x, y) in enumerate(batches()):
    loss = model(x, y, masks(step))
    loss.backward()
    optimizer.step()


# case: what-a-data-frame-holds-is-no-tensor
import pandas as pd
import torch


def scaled(path, other):
    frame = pd.read_csv(path)
    x = torch.ones(3, device="cuda")
    if torch.is_tensor(frame.values):
        x.sum().item()
    if isinstance(other.rows, torch.Tensor):
        x.max().item()  # sync: SYN201
    return x.mean().item()  # sync: SYN201
