# case: scale-that-is-read-of-a-scaler-with-a-setting
import torch


def train(model, batches, optimizer, args):
    scaler = torch.amp.GradScaler("cuda", enabled=args.amp)
    for x, y in batches:
        loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # sync: SYN510
        scaler.update()
        scale = scaler.get_scale()  # sync: SYN510


# case: scaler-for-one-type-only-with-an-optimizer-of-which-nothing-is-known
import torch

dtype = "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
scaler = torch.amp.GradScaler(enabled=(dtype == "float16"))


def train(model, batches):
    optimizer = model.configure_optimizers(0.1)
    for x, y in batches:
        loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# case: scaler-that-is-known-by-its-use
import torch


def step(model, batches, optimizer, scaler):
    for x, y in batches:
        loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)  # sync: SYN510
        scaler.update()
        before = scaler.get_scale()  # sync: SYN510


# case: scaler-of-an-object-that-is-known-by-its-use
import torch


class Trainer:
    def __init__(self, model, optimizer, scaler=None):
        self.model, self.optimizer, self.scaler = model, optimizer, scaler

    def fit(self, loader):
        for x, y in loader:
            loss = self.model(x, y)
            if self.scaler is not None:
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)  # sync: SYN510
                self.scaler.update()
            else:
                loss.backward()
                self.optimizer.step()


# case: scaler-for-shards
import torch
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler


def train(model, batches, optimizer):
    scaler = ShardedGradScaler()
    for x, y in batches:
        loss = model(x, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # sync: SYN510
        scaler.update()


# case: what-has-a-step-and-no-scale-is-no-scaler
import torch


def train(model, batches, optimizer, scheduler):
    for x, y in batches:
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        scheduler.step(optimizer)
        scale = scheduler.get_scale()


# case: standard-scaler-of-another-library
import numpy as np
from sklearn.preprocessing import StandardScaler


def scaled(x: np.ndarray, scaler: StandardScaler):
    scaler.fit(x)
    return scaler.transform(x), scaler.scale_, scaler.step(x)


# case: scaler-of-timm-is-given-the-loss-and-the-optimizer
import torch
from timm.utils import NativeScaler


def main(model: torch.nn.Module, loader) -> None:
    optimizer = torch.optim.AdamW(model.parameters())
    fused = torch.optim.AdamW(model.parameters(), fused=True)
    scaler = NativeScaler()
    for images, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters())  # sync: SYN510
        scaler(loss, fused)
        scaler(loss, optimizer, need_update=False)
        print(loss.item())  # sync: SYN201


main(torch.nn.Linear(2, 2).cuda(), [])


# case: optimizer-that-accelerate-prepares-for-float16
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def main(model: torch.nn.Module, data) -> None:
    accelerator = Accelerator(mixed_precision="fp16")
    plain, fused = torch.optim.AdamW(model.parameters()), torch.optim.AdamW(model.parameters(), fused=True)
    loader = DataLoader(data, num_workers=2)
    model, plain, fused, loader = accelerator.prepare(model, plain, fused, loader)
    for x in loader:  # sync: SYN402
        accelerator.backward(model(x).mean())
        plain.step()  # sync: SYN510
        fused.step()
        plain.zero_grad()


def wide(model: torch.nn.Module, loader) -> None:
    accelerator = Accelerator(mixed_precision="bf16")
    optimizer = accelerator.prepare(torch.optim.AdamW(model.parameters()))
    for x in loader:
        accelerator.backward(model(x).mean())
        optimizer.step()


main(torch.nn.Linear(2, 2), [])


# case: optimizer-that-fabric-sets-up-for-float16
import lightning as L
import torch
from lightning.fabric import Fabric


def main(model: torch.nn.Module, loader) -> None:
    fabric = L.Fabric(accelerator="cuda", devices=1, precision="16-mixed")
    plain, fused = torch.optim.AdamW(model.parameters()), torch.optim.AdamW(model.parameters(), fused=True)
    model, plain, fused = fabric.setup(model, plain, fused)
    for x in loader:
        fabric.backward(model(x).mean())
        plain.step()  # sync: SYN510
        fused.step()


def alone(model: torch.nn.Module, loader) -> None:
    half = Fabric(precision="16-mixed").setup_optimizers(torch.optim.AdamW(model.parameters()))
    wide = Fabric(precision="bf16-mixed").setup_optimizers(torch.optim.AdamW(model.parameters()))
    sharded = Fabric(precision="16-mixed", strategy="fsdp").setup_optimizers(torch.optim.AdamW(model.parameters()))
    for x in loader:
        model(x).mean().backward()
        half.step()  # sync: SYN510
        wide.step()
        sharded.step()


main(torch.nn.Linear(2, 2), [])
alone(torch.nn.Linear(2, 2), [])


# case: precision-that-is-tested-for-another-one-stays-what-it-is
import torch
from accelerate import Accelerator


class Settings:
    def __init__(self):
        self.half = ["no", "fp16", "bf16"][1]
        self.wide = ["no", "fp16", "bf16"][2]


settings = Settings()


def wide(model, batches):
    precision = settings.wide
    if precision == "fp8":
        print("untested")
    model, optimizer = Accelerator(mixed_precision=precision).prepare(model, torch.optim.AdamW(model.parameters()))
    for x in batches:
        model(x).mean().backward()
        optimizer.step()


def half(model, batches):
    precision = settings.half
    if precision == "fp8":
        print("untested")
    model, optimizer = Accelerator(mixed_precision=precision).prepare(model, torch.optim.AdamW(model.parameters()))
    for x in batches:
        model(x).mean().backward()
        optimizer.step()  # sync: SYN510
