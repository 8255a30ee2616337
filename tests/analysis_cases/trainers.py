# case: trainer-of-transformers-copies-and-checks-in-each-step
from transformers import Trainer, TrainingArguments


def main(model, data):
    arguments = TrainingArguments(output_dir="out", per_device_train_batch_size=4)
    trainer = Trainer(model=model, args=arguments, train_dataset=data)
    trainer.train()  # sync: SYN402, SYN512


# case: trainer-of-transformers-whose-settings-are-read-from-a-file
import json
from transformers import Trainer, TrainingArguments


def main(model, data):
    with open("settings.json") as file:
        settings = json.load(file)
    Trainer(model=model, args=TrainingArguments(**settings), train_dataset=data).train()  # sync: SYN402, SYN512
    quiet = TrainingArguments(**settings, logging_nan_inf_filter=False)
    Trainer(model=model, args=quiet, train_dataset=data).train()  # sync: SYN402


# case: trainer-of-transformers-without-arguments-of-its-own
import torch
from transformers import Seq2SeqTrainer

Seq2SeqTrainer(torch.nn.Linear(2, 2), train_dataset=[]).train()  # sync: SYN402, SYN512


# case: trainer-of-transformers-with-copies-that-do-not-block
from transformers import Trainer, TrainingArguments


def main(model, data):
    arguments = TrainingArguments("out", accelerator_config={"non_blocking": True})
    trainer = Trainer(model, arguments, train_dataset=data)
    trainer.train()  # sync: SYN512


# case: trainer-of-transformers-with-another-setting-of-accelerate
from transformers import Trainer, TrainingArguments
from transformers.trainer_pt_utils import AcceleratorConfig


def main(model, data):
    split = TrainingArguments("out", accelerator_config={"split_batches": True}, logging_nan_inf_filter=False)
    Trainer(model, split, train_dataset=data).train()  # sync: SYN402
    quick = AcceleratorConfig(split_batches=True, non_blocking=True)
    both = TrainingArguments("out", accelerator_config=quick, logging_nan_inf_filter=False)
    Trainer(model, both, train_dataset=data).train()


# case: trainer-of-transformers-whose-batches-are-not-pinned
from transformers import Trainer, TrainingArguments

QUICK = {"non_blocking": True}


def main(model, data):
    arguments = TrainingArguments(
        "out", accelerator_config=QUICK, dataloader_pin_memory=False, logging_nan_inf_filter=False
    )
    Trainer(model, arguments, train_dataset=data).train()  # sync: SYN406


# case: trainer-of-transformers-of-a-class-of-the-project
from transformers import Trainer, TrainingArguments


class WithLoss(Trainer):
    def compute_loss(self, model, inputs):
        return model(**inputs).loss


class WithOption(Trainer):
    def __init__(self, *args, weight=1.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.weight = weight


class WithLoader(Trainer):
    def get_train_dataloader(self):
        return self.train_dataset


def main(model, data):
    arguments = TrainingArguments("out", accelerator_config={"non_blocking": True}, logging_nan_inf_filter=False)
    WithLoss(model, arguments, train_dataset=data).train()
    WithOption(model=model, args=arguments, train_dataset=data).train()
    WithLoss(model, TrainingArguments("out"), train_dataset=data).train()  # sync: SYN402, SYN512
    WithLoader(model, TrainingArguments("out"), train_dataset=data).train()  # sync: SYN512


# case: trainer-of-transformers-with-arguments-of-a-class-of-the-project
from dataclasses import dataclass, field

import transformers
from transformers import HfArgumentParser, Trainer


@dataclass
class Longer(transformers.TrainingArguments):
    extra: int = 1


@dataclass
class Quick(transformers.TrainingArguments):
    logging_nan_inf_filter: bool = False
    accelerator_config: dict = field(default_factory=lambda: {"non_blocking": True})


def main(model, data):
    given = Longer("out", accelerator_config={"non_blocking": True}, logging_nan_inf_filter=False)
    Trainer(model, given, train_dataset=data).train()
    Trainer(model, Quick("out"), train_dataset=data).train()
    Trainer(model, Quick("out", logging_nan_inf_filter=True), train_dataset=data).train()  # sync: SYN512
    (parsed,) = HfArgumentParser(Longer).parse_args_into_dataclasses()
    Trainer(model, parsed, train_dataset=data).train()  # sync: SYN402, SYN512


# case: trainer-of-lightning-copies-batches-that-are-not-pinned
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, index):
        return self.layer(batch[0]).sum()


def main():
    loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8)
    trainer = L.Trainer(max_epochs=1, accelerator="gpu")
    trainer.fit(Model(), loader)  # sync: SYN406


# case: trainer-of-lightning-that-is-given-loaders-by-name
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8)
pl.Trainer(max_epochs=1).fit(pl.LightningModule(), train_dataloaders=loader)  # sync: SYN406


# case: loaders-that-lightning-is-given-by-methods
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Data(L.LightningDataModule):
    def __init__(self):
        super().__init__()
        self.rows = TensorDataset(torch.randn(64, 4))

    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=8, num_workers=4)  # sync: SYN406

    def val_dataloader(self):
        return DataLoader(self.rows, batch_size=8, num_workers=4)


class Pinned(L.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=8, num_workers=4, pin_memory=True)


class Configured(L.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=8, num_workers=4, pin_memory=self.pins)


class Other:
    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=8, num_workers=4)


L.Trainer(max_epochs=1).fit(L.LightningModule(), datamodule=Data())
