"""Metrics that make the CPU wait for the GPU in every training step, and three optimizations that avoid it.

The program of "Efficient Metric Collection in PyTorch: Avoiding the Performance Pitfalls of TorchMetrics" (Chaim
Rand, 2025), rewritten: an image classifier, five metrics, and the mean time of a step.

    synclint trace examples/metric_collection.py --optimizations 0
    synclint trace examples/metric_collection.py --optimizations 2

``--step-time device`` keeps the mean step time on the device, as training on several devices requires; the third
optimization is about its update. The defaults are the article's. On a laptop use
``--batch-size 4 --image-size 32 --width 8 --classes 10 --workers 0``.
"""

import argparse
import time

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset
from torchmetrics import Accuracy, F1Score, MeanMetric, Metric, Precision, Recall
from torchmetrics.aggregation import BaseAggregator


class Block(nn.Module):
    """Two convolutions with a shortcut around them."""

    def __init__(self, channels_in: int, channels: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels_in, channels, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )
        self.shortcut = nn.Identity()
        if stride != 1 or channels_in != channels:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels_in, channels, 1, stride, bias=False), nn.BatchNorm2d(channels)
            )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.body(x) + self.shortcut(x))


def resnet18(width: int, classes: int) -> nn.Sequential:
    """A network of the shape of ResNet-18, whose first stage has ``width`` channels."""
    stem = (
        nn.Conv2d(3, width, 7, stride=2, padding=3, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, stride=2, padding=1),
    )
    blocks = []
    channels_in = width
    for stage in range(4):
        channels = width << stage
        blocks += [Block(channels_in, channels, 1 if stage == 0 else 2), Block(channels, channels, 1)]
        channels_in = channels
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels_in, classes))
    return nn.Sequential(*stem, *blocks, *head)


class RandomImages(Dataset):
    def __init__(self, size: int, classes: int) -> None:
        self.size = size
        self.classes = classes

    def __len__(self) -> int:
        return 100_000_000

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        image = torch.randn(3, self.size, self.size)
        label = torch.tensor(index % self.classes, dtype=torch.int64)
        return image, label


def without_nan_check(metric: type[BaseAggregator]) -> type[BaseAggregator]:
    """Optimization 2: the same metric, which does not check its inputs for NaN."""

    class Unchecked(metric):
        def _cast_and_nan_check_input(
            self, x: float | Tensor, weight: float | Tensor | None = None
        ) -> tuple[Tensor, Tensor]:
            if not isinstance(x, Tensor):
                x = torch.as_tensor(x, dtype=self.dtype, device=self.device)
            if weight is None:
                weight = torch.ones_like(x)
            elif not isinstance(weight, Tensor):
                weight = torch.as_tensor(weight, dtype=self.dtype, device=self.device)
            return x.to(self.dtype), weight.to(self.dtype)

    return Unchecked


def make_metrics(classes: int, mean: type[BaseAggregator], device: str) -> dict[str, Metric]:
    metrics = {
        "avg_loss": mean(),
        "accuracy": Accuracy(task="multiclass", num_classes=classes),
        "precision": Precision(task="multiclass", num_classes=classes),
        "recall": Recall(task="multiclass", num_classes=classes),
        "f1_score": F1Score(task="multiclass", num_classes=classes),
    }
    return {name: metric.to(device) for name, metric in metrics.items()}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--optimizations", type=int, choices=range(4), default=0)
    parser.add_argument("--no-metrics", action="store_true")
    parser.add_argument("--step-time", choices=("host", "device"), default="host")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--report-every", type=int, default=100, metavar="STEPS")
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    optimizations = arguments.optimizations
    device = arguments.device
    loader = DataLoader(
        RandomImages(arguments.image_size, arguments.classes),
        batch_size=arguments.batch_size,
        num_workers=arguments.workers,
        pin_memory=True,
    )
    model = resnet18(arguments.width, arguments.classes).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters())
    mean = without_nan_check(MeanMetric) if optimizations >= 2 else MeanMetric
    metrics = {} if arguments.no_metrics else make_metrics(arguments.classes, mean, device)
    step_time = mean().to(device if arguments.step_time == "device" else "cpu")

    model.train()
    started = time.perf_counter()
    for step, (image, label) in enumerate(loader, start=1):
        image = image.to(device, non_blocking=True)
        label = label.to(device, non_blocking=True)
        optimizer.zero_grad()
        output = model(image)
        loss = criterion(output, label)
        loss.backward()
        optimizer.step()

        if metrics:
            if optimizations >= 1:
                metrics["avg_loss"].update(loss, weight=torch.ones_like(loss))
            else:
                metrics["avg_loss"].update(loss)
            for name, metric in metrics.items():
                if name != "avg_loss":
                    metric.update(output, label)
            if step % arguments.report_every == 0:
                results = {name: metric.compute().item() for name, metric in metrics.items()}
                print(f"step {step}: {results}")
                for metric in metrics.values():
                    metric.reset()

        now = time.perf_counter()
        duration = now - started
        started = now
        if optimizations >= 3:
            elapsed = torch.as_tensor(duration)
            step_time.update(elapsed, torch.ones_like(elapsed))
        else:
            step_time.update(duration)
        if step == arguments.steps:
            break
    print(f"{arguments.steps} steps, {1000 * step_time.compute().item():.1f} ms each")


if __name__ == "__main__":
    main()
