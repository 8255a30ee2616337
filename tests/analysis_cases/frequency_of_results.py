# case: who-asks-for-one-result-runs-once-for-each
import torch
from torch import nn


class Sampler:
    def __call__(self, denoiser, x, levels):
        for level in levels:
            x = self.step(denoiser, x, level)
        return x

    def step(self, denoiser, x, level):
        if level > 0.5:  # sync: SYN301
            x = x + torch.randn_like(x)
        return denoiser(x, level)


def generate(model: nn.Module, sampler: Sampler, shape: tuple[int, ...]) -> torch.Tensor:
    with torch.no_grad():
        noise = torch.randn(shape).to("cuda")  # cold: SYN402
        levels = torch.linspace(1, 0, 50, device="cuda")
        print(levels)  # cold: SYN205
        return sampler(model, noise, levels)


class Service:
    def __init__(self) -> None:
        self.model = nn.Linear(8, 8).cuda()

    def text_to_image(self, prompt: list[int]) -> torch.Tensor:
        tokens = torch.tensor(prompt).cuda()  # cold: SYN402
        return generate(self.model, Sampler(), tuple(tokens.shape))


# case: gradients-are-off-in-what-the-rounds-call
import torch
from torch import nn


def denoise(model: nn.Module, x: torch.Tensor, level: int) -> torch.Tensor:
    with torch.no_grad():
        return model(x, level)


def sample(model: nn.Module, prompt: list[int]) -> torch.Tensor:
    x = torch.tensor(prompt).cuda()  # cold: SYN402
    for level in range(1000):
        x = denoise(model, x, level)
        if x.max() > 10:  # sync: SYN301
            x = x.clamp(-10, 10)
    return x


# case: rounds-with-gradients-are-parts-of-a-step
import torch
from torch import nn


def refine(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    for level in range(1000):
        x = model(x, level)
    return x


def loss(model: nn.Module, weights: list[float]) -> torch.Tensor:
    weight = torch.tensor(weights).cuda()  # sync: SYN402
    return (refine(model, weight) * weight).sum()


# case: fire-runs-what-it-is-given-once
import torch
from fire import Fire


def paint(values: list[float]) -> None:
    print(torch.tensor(values).to("cuda").sum())  # cold: SYN402, SYN205


if __name__ == "__main__":
    Fire(paint)


# case: what-makes-a-result-in-turn-when-it-is-called-makes-the-steps
import torch


class Pipeline:
    def __init__(self, denoiser, scheduler):
        self.denoiser = denoiser
        self.scheduler = scheduler

    def __call__(self, prompt: torch.Tensor, times: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            print(prompt.mean())  # cold: SYN205
            latents = torch.randn_like(prompt)
            for time in times:
                scale = time.item()  # sync: SYN201
                noise = self.denoiser(latents * scale, time, prompt)
                latents = self.scheduler.step(noise, time, latents)
            return latents


# case: an-engine-that-runs-any-model-makes-no-result-of-the-one-that-works-in-turn
import torch
from torch import nn


class Speaker:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    @torch.no_grad()
    def embed_features(self, x: torch.Tensor) -> torch.Tensor:
        for level in range(1000):
            x = self.model(x, level)
            if x.max() > 10:  # sync: SYN301
                break
        return x


class Reader:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    @torch.no_grad()
    def embed_features(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x[x > 0])  # sync: SYN103


class Runner:
    def __init__(self, reader) -> None:
        self.reader = reader

    @torch.no_grad()
    def execute_batch(self, batch: list[int]) -> torch.Tensor:
        x = torch.tensor(batch).cuda()  # sync: SYN402
        return self.reader.embed_features(x)


# case: what-a-step-asks-for-is-a-part-of-it
import torch
from torch import nn


class Drafter:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    @torch.no_grad()
    def propose(self, x: torch.Tensor, rounds: int) -> torch.Tensor:
        for level in range(rounds):
            x = self.model(x, level)
            if x.max() > 10:  # sync: SYN301
                break
        return x


class Worker:
    def __init__(self, model: nn.Module) -> None:
        self.drafter = Drafter(model)

    @torch.no_grad()
    def execute(self, batch: list[int]) -> torch.Tensor:
        x = torch.tensor(batch).cuda()  # sync: SYN402
        return self.drafter.propose(x, 8)


class Engine:
    def __init__(self, model: nn.Module) -> None:
        self.worker = Worker(model)

    def step(self, batch: list[int]) -> torch.Tensor:
        return self.worker.execute(batch)


# case: the-rounds-of-a-generator-make-one-result-for-whoever-goes-through-it
import torch
from torch import nn


class Diffusion:
    def denoise(self, model: nn.Module, x: torch.Tensor, level: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"sample": model(x, level)}

    def sample(self, model: nn.Module, shape: tuple[int, ...]) -> torch.Tensor:
        final = None
        for sample in self.progressively(model, shape):
            final = sample
        return final["sample"]

    def progressively(self, model, shape):
        x = torch.randn(*shape, device="cuda")
        for level in range(1000):
            levels = torch.tensor([level] * shape[0], device="cuda")  # sync: SYN401
            with torch.no_grad():
                out = self.denoise(model, x, levels)
                yield out
                x = out["sample"]


def main() -> None:
    model = nn.Linear(4, 4).cuda().eval()
    torch.set_grad_enabled(False)
    for seed in range(100):
        classes = torch.tensor([seed] * 8, device="cuda")  # cold: SYN401
        save(Diffusion().sample(model, (8, 4)) + classes[:, None])


def save(samples: torch.Tensor) -> None:
    print(samples.shape)


if __name__ == "__main__":
    main()
