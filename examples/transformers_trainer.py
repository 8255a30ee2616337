"""The trainer of Hugging Face's Transformers on a small model, as it is.

    synclint trace examples/transformers_trainer.py

The loss of ``compute_loss`` is read in every step, which makes the CPU wait for the GPU; the trainer itself reads it
where it logs.
"""

import tempfile

import torch
from torch import Tensor, nn
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

VOCABULARY = 64


class RandomTokens(Dataset):
    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> dict[str, Tensor]:
        tokens = torch.randint(0, VOCABULARY, (16,))
        return {"input_ids": tokens, "labels": tokens}


class WatchfulTrainer(Trainer):
    """Keeps the largest loss."""

    largest = 0.0

    def compute_loss(self, model: nn.Module, inputs: dict, *arguments: object, **options: object) -> Tensor:
        loss = super().compute_loss(model, inputs, *arguments, **options)
        self.largest = max(self.largest, loss.item())
        return loss


def main() -> None:
    model = GPT2LMHeadModel(GPT2Config(vocab_size=VOCABULARY, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            max_steps=6,
            per_device_train_batch_size=4,
            logging_steps=3,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        trainer = WatchfulTrainer(model=model, args=arguments, train_dataset=RandomTokens())
        trainer.train()
    print(f"{trainer.state.global_step} steps on {model.device}, largest loss {trainer.largest:.2f}")


if __name__ == "__main__":
    main()
