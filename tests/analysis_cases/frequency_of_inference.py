# case: results-of-inference-are-what-it-is-there-for
import torch
from torch import nn


@torch.inference_mode()
def main(model: nn.Module, images: list) -> None:
    for image in images_of(images):
        result = model(torch.from_numpy(image).cuda())  # cold: SYN402
        save(result.cpu().numpy())  # cold: SYN204
        if result.max() > 0.5:  # sync: SYN301
            save(None)


def images_of(images: list):
    return images


def save(result) -> None:
    pass


# case: what-goes-in-part-by-part-could-go-at-once
import torch
from torch import nn


@torch.inference_mode()
def generate(model: nn.Module, frames: int) -> None:
    for frame in range(frames):
        for tile in range(frames):
            model(torch.rand(8).cuda())  # sync: SYN402


def main() -> None:
    generate(nn.Linear(8, 8).cuda(), 100)


if __name__ == "__main__":
    main()


# case: results-of-training-are-no-results-of-inference
import torch
from torch import nn


def main(model: nn.Module, optimizer: torch.optim.Optimizer, loader: torch.utils.data.DataLoader) -> None:
    for images in loader:
        loss = model(images).sum()
        loss.backward()
        optimizer.step()
        generate(loss)


def generate(loss: torch.Tensor) -> None:
    print(loss.cpu().numpy().shape)  # sync: SYN204


# case: simulation-is-no-inference
import torch


def main() -> None:
    state = torch.rand(4096, device="cuda")
    for step in range(100_000):
        state = state + 0.1 * torch.sin(state)
        keep(state.cpu().numpy())  # sync: SYN204


def keep(values) -> None:
    pass


# case: number-of-detections-is-needed-by-nature
import torch


def non_max_suppression(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return boxes[scores > 0.5]  # cold: SYN103


# case: sampler-with-a-loader-is-no-evaluation
import torch


def predict(model: torch.nn.Module, loader: torch.utils.data.DataLoader) -> None:
    model.eval()
    for images in loader:
        if model(images).max() > 0.5:  # sync: SYN301
            break


if __name__ == "__main__":
    predict(torch.nn.Linear(3, 3).cuda(), torch.utils.data.DataLoader([], num_workers=2))


# case: warming-up-runs-once
import torch


class Runner:
    def warmup(self, x: torch.Tensor) -> None:
        for _ in range(int(x.dim() > 2) + 1):
            self.run(x)

    def run(self, x: torch.Tensor) -> float:
        return x.sum().item()  # once: SYN201


def main() -> None:
    Runner().warmup(torch.rand(8, device="cuda"))


if __name__ == "__main__":
    main()


# case: methods-called-by-name-alone-are-no-evidence-of-rareness
import torch


class Actor:
    def forward_actions(self, x: torch.Tensor) -> float:
        return x.sum().item()  # sync: SYN201


def handle_request(runtime) -> None:
    runtime.train_loop()


def run_schedule(runtime, batches) -> None:
    runtime.forward_actions(batches)
    for batch in batches:
        runtime.optimizer.step()


# case: rounds-are-steps-also-where-an-object-keeps-what-the-last-one-has-made
import torch
from torch import Tensor, nn


class Search:
    def __init__(self, start: Tensor) -> None:
        self.words = start

    def advance(self, scores: Tensor) -> None:
        self.ended = scores.argmax(-1).tolist()  # sync: SYN202
        self.words = scores.argmax(-1)


class Writer:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def write(self, start: Tensor) -> Tensor:
        with torch.no_grad():
            return self.follow(Search(start))

    def follow(self, search: Search) -> Tensor:
        for _ in range(100):
            scores = self.model(search.words)
            search.advance(scores)
        print(search.words.sum().item())  # epoch: SYN201
        return search.words

    def write_all(self, texts, kept) -> None:
        for start in texts:
            written = self.write(start)
            print(written.sum().item())  # epoch: SYN201
            kept.put(written)


# case: keys-of-what-is-made-are-made-of-nothing
import torch


def table(of: int, to: int) -> torch.Tensor:
    return torch.rand(of + to, 3)


def tables(x: torch.Tensor, most: int) -> dict:
    with torch.no_grad():
        made = {}
        for a in range(most):
            for b in range(most):
                parts = []
                for j in range(a, b):
                    part = table(j, a)
                    parts.append(part.to(x.device))  # sync: SYN402
                made[a, b] = torch.stack(parts)
        return made


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + tables(x, 4)[0, 1]
