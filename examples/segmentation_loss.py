"""A training step whose loss makes the CPU wait for the GPU, and three optimizations that remove the waits.

The program of "PyTorch Model Performance Analysis and Optimization, Part 3" (Chaim Rand, 2023), rewritten: a
segmentation model, and a loss that ignores pixels without a label, treats the background as such pixels, and is zero
for a batch with fewer than two labels.

    synclint trace examples/segmentation_loss.py --optimizations 0
    synclint trace examples/segmentation_loss.py --optimizations 3

The defaults are the article's. On a laptop use ``--batch-size 2 --image-size 32 --workers 0``.
"""

import argparse

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

CLASSES = 10
BACKGROUND = CLASSES - 1
IGNORED = -1


class Network(nn.Module):
    def __init__(self, hidden: int = 10) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 10, 3, padding="same")
        self.hidden = nn.Sequential(*(nn.Conv2d(10, 10, 3, padding="same") for _ in range(hidden)))
        self.last = nn.Conv2d(10, CLASSES, 3, padding="same")

    def forward(self, image: Tensor) -> Tensor:
        return self.last(self.hidden(F.relu(self.first(image))))


class MaskedLoss(nn.Module):
    """As one might first write it."""

    def ignore_background(self, target: Tensor) -> Tensor:
        background = torch.nonzero(target == BACKGROUND, as_tuple=True)
        target[background] = IGNORED
        return target

    def cross_entropy(self, logits: Tensor, target: Tensor) -> Tensor:
        labelled = target != IGNORED
        target = target[labelled]
        logits = logits.permute(0, 2, 3, 1)[labelled.unsqueeze(-1).expand(-1, -1, -1, CLASSES)]
        return F.cross_entropy(logits.reshape(-1, CLASSES), target)

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        target = self.ignore_background(target)
        labels = torch.unique(target)
        loss = self.cross_entropy(logits, target)
        if labels.numel() < 2:
            loss = 0.0 * loss
        return loss


class LossWithWhere(MaskedLoss):
    """Optimization 1: select element by element, instead of asking for the positions of the selected elements."""

    def ignore_background(self, target: Tensor) -> Tensor:
        return torch.where(target == BACKGROUND, torch.full_like(target, IGNORED), target)


class LossWithSort(LossWithWhere):
    """Optimization 2: count the labels on the device, instead of asking which ones occur."""

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        target = self.ignore_background(target)
        ordered = target.flatten().sort().values
        labels = torch.count_nonzero(ordered[1:] - ordered[:-1]) + 1
        loss = self.cross_entropy(logits, target)
        return torch.where(labels < 2, 0.0 * loss, loss)


class LossWithIgnoreIndex(LossWithSort):
    """Optimization 3: let the loss ignore pixels, instead of selecting the others with a mask."""

    def cross_entropy(self, logits: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(logits, target, ignore_index=IGNORED)


LOSSES = (MaskedLoss, LossWithWhere, LossWithSort, LossWithIgnoreIndex)


class RandomPictures(Dataset):
    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        image = torch.randn(3, self.size, self.size)
        label = torch.randint(IGNORED, CLASSES, (self.size, self.size))
        return image, label


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--optimizations", type=int, choices=range(len(LOSSES)), default=0)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--image-size", type=int, default=256)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    device = torch.device(arguments.device)
    loader = DataLoader(
        RandomPictures(arguments.image_size),
        batch_size=arguments.batch_size,
        shuffle=True,
        num_workers=arguments.workers,
        pin_memory=True,
    )
    model = Network().to(device)
    criterion = LOSSES[arguments.optimizations]().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)
    model.train()
    for step, (image, label) in enumerate(loader):
        if step == arguments.steps:
            break
        image = image.to(device, non_blocking=True)
        label = label.to(device, non_blocking=True)
        loss = criterion(model(image), label)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    print(f"{arguments.steps} steps, last loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
