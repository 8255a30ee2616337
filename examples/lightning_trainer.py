"""Lightning's trainer on a small model, as it is: ``synclint trace examples/lightning_trainer.py``.

One line of ``training_step`` makes the CPU wait for the GPU; the metric of ``validation_step`` is checked once in an
epoch.
"""

import pytorch_lightning as lightning
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

FEATURES = 16
CLASSES = 4


class Classifier(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.network = nn.Sequential(nn.Linear(FEATURES, 32), nn.ReLU(), nn.Linear(32, CLASSES))
        self.history = []

    def training_step(self, batch: list[Tensor], index: int) -> Tensor:
        features, label = batch
        loss = F.cross_entropy(self.network(features), label)
        self.history.append(loss.item())
        self.log("loss", loss)
        return loss

    def validation_step(self, batch: list[Tensor], index: int) -> None:
        features, label = batch
        accuracy = (self.network(features).argmax(dim=1) == label).float().mean()
        self.log("accuracy", accuracy)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


def random_loader(batches: int) -> DataLoader:
    items = 8 * batches
    data = TensorDataset(torch.randn(items, FEATURES), torch.randint(0, CLASSES, (items,)))
    return DataLoader(data, batch_size=8, pin_memory=True)


def main() -> None:
    trainer = lightning.Trainer(
        accelerator="gpu",
        devices=1,
        max_epochs=1,
        precision="16-mixed",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    model = Classifier()
    trainer.fit(model, random_loader(6), random_loader(2))
    print(f"{len(model.history)} steps on {trainer.strategy.root_device}")


if __name__ == "__main__":
    main()
