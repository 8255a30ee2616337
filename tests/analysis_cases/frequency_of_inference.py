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


# case: word-is-read-as-it-is-written
import torch
from torch import nn


@torch.inference_mode()
def generate(model: nn.Module, word: torch.Tensor, most: int, last: int):
    written = torch.zeros(1, dtype=torch.long, device="cuda")
    for _ in range(most):
        scores = model(word.view(1, -1))
        word = scores[:, -1].argmax(-1)
        number = word.item()  # cold: SYN201
        if word == last:  # cold: SYN301
            return
        written += 1
        print(scores.max().item(), written.item())  # sync: SYN201, SYN201
        if written == most:  # sync: SYN301
            return
        yield number


@torch.no_grad()
def generate_all(model: nn.Module, words: torch.Tensor, most: int) -> None:
    for _ in range(most):
        word = model(words).argmax(-1)
        words = torch.cat((words, word), 1)
        print([one.item() for one in word])  # sync: SYN201
        if (word == 0).all():  # sync: SYN301
            break
        print(word[0].tolist())  # cold: SYN202


def main(model: nn.Module) -> None:
    words = torch.ones(1, dtype=torch.long, device="cuda")
    print(*generate(model, words, 300, 2))
    generate_all(model, words, 300)


if __name__ == "__main__":
    main(nn.Linear(8, 8).cuda())


# case: what-a-function-is-given-and-hands-back-on-the-host-is-a-result
import torch
from torch import nn


class Speaker:
    def __init__(self, processor) -> None:
        self.processor = processor

    def decoded(self, words: torch.Tensor) -> str:
        numbers = [words.item()] if words.ndim == 0 else words.tolist()  # cold: SYN201, SYN202
        return self.processor.decode(numbers)

    def longest(self, words: torch.Tensor) -> int:
        return words.max().item()  # sync: SYN201

    def last(self, words: torch.Tensor) -> int:
        words = words.argmax()
        return words.item()  # sync: SYN201


@torch.inference_mode()
def main(model: nn.Module, speaker: Speaker, images) -> None:
    for image in images:
        words = model(image).argmax(-1)
        print(speaker.decoded(words), speaker.longest(words), speaker.last(words))


if __name__ == "__main__":
    main(nn.Linear(8, 8).cuda(), Speaker(None), torch.ones(100, 8, device="cuda"))


# case: what-a-round-makes-of-the-last-one-needs-no-input
import torch
from torch import nn


def sample(model: nn.Module, rates: list[float]) -> torch.Tensor:
    model.eval()
    x = torch.randn(8, 4, device="cuda")
    with torch.no_grad():
        for t in reversed(range(1000)):
            rate = torch.tensor(rates[t]).cuda()  # sync: SYN402
            x = x - rate * model(x)
            x = x + torch.randn(8, 4).cuda()  # sync: SYN402
    return x.cpu()  # once: SYN204


def follow(model: nn.Module, frames: list[torch.Tensor]) -> torch.Tensor:
    model.eval()
    state = torch.randn(8, 4, device="cuda")
    with torch.no_grad():
        for frame in frames:
            state = model(state + frame.cuda())  # cold: SYN402
    return state


if __name__ == "__main__":
    sample(nn.Linear(4, 4).cuda(), [0.1])
    follow(nn.Linear(4, 4).cuda(), [torch.ones(3)])


# case: what-gets-better-round-by-round-is-no-word
import torch
from torch import nn


@torch.no_grad()
def refine(model: nn.Module, x: torch.Tensor, most: int) -> torch.Tensor:
    for _ in range(most):
        step = model(x)
        x = x - step
        error = step.norm()
        if error < 1e-3:  # sync: SYN301
            break
        print(error.item())  # sync: SYN201
    return x


if __name__ == "__main__":
    refine(nn.Linear(8, 8).cuda(), torch.ones(8, device="cuda"), 300)


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


# case: what-is-called-for-parts-of-a-step-hands-back-its-results
import torch
from torch import nn


@torch.inference_mode()
def main(model: nn.Module, requests: list) -> None:
    for request in requests_of(requests):
        result = model(torch.from_numpy(request).cuda())  # cold: SYN402
        show(result.cpu())  # cold: SYN204
        for group in range(len(result)):
            show(boxes_of(result[group]), flipped(result[group]))
            plan(result[group], Plan())
            show(planned(result[group], group), pictures_of(result[group]))
            show(result[group].cpu())  # cold: SYN204


def boxes_of(part: torch.Tensor):
    boxes = part.sum(0).cpu()  # cold: SYN204
    return boxes + 1


def flipped(part: torch.Tensor):
    turned = part.cpu().numpy()[..., ::-1].copy()  # sync: SYN204
    return torch.from_numpy(turned).to(part.device)  # sync: SYN402


class Plan:
    lengths = None


def pictures_of(parts: torch.Tensor):
    found = []
    for part in parts:
        part = part.cpu()  # cold: SYN204
        picture = part.numpy()
        found.append(picture)
    return found


def planned(part: torch.Tensor, first: int):
    lengths = part.sum(0).cpu()  # sync: SYN204
    lengths[first:] = lengths[first:] + 1
    made = list(range(first))
    show(lengths)
    return made


def plan(part: torch.Tensor, made: Plan) -> None:
    made.lengths = part.sum(0).cpu()  # sync: SYN204


def requests_of(requests: list):
    return requests


def show(*results) -> None:
    pass


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


# case: what-makes-a-result-of-each-batch-is-no-evaluation
import torch
from torch import nn
from torch.utils.data import DataLoader


def denoise(parts: list, model: nn.Module, rounds: int, device: torch.device) -> torch.Tensor:
    loader = DataLoader(parts, batch_size=4, num_workers=2)
    mask = torch.from_numpy(parts[0].numpy()).to(device)  # epoch: SYN402
    with torch.no_grad():
        for x in loader:
            x = x.to(device)  # epoch: SYN402
            for t in range(rounds):
                step = model(x, t)
                if torch.isnan(step).any():  # sync: SYN301
                    step = torch.zeros_like(step)
                x = x - step
    return x * mask


def main() -> None:
    model = torch.nn.Linear(3, 3).cuda()
    test_loader = DataLoader([], num_workers=2)
    for number, wanted in enumerate(test_loader):
        made = denoise([wanted, wanted], model, 20, torch.device("cuda"))
        print(number, [one.sum().item() for one in made])  # epoch: SYN201


if __name__ == "__main__":
    main()


# case: what-goes-through-each-batch-in-turn-evaluates-where-only-training-asks-for-it
import torch
from torch import nn
from torch.utils.data import DataLoader


def total(model: nn.Module, loader: DataLoader, rounds: int) -> float:
    found = 0.0
    with torch.no_grad():
        for x in loader:
            state = torch.zeros(3, device="cuda")
            for t in range(rounds):
                state = model(x[t].cuda() + state)  # eval: SYN402
            found += state.sum().item()  # eval: SYN201
    return found


def main() -> None:
    model = nn.Linear(3, 3).cuda()
    loader = DataLoader([], num_workers=2)
    optimizer = torch.optim.SGD(model.parameters())
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            model(x).sum().backward()
            optimizer.step()
        print(total(model, loader, 5))


if __name__ == "__main__":
    main()


# case: a-loader-for-validation-goes-by-its-name-where-each-batch-is-looked-at-once
import torch
from torch import nn
from torch.utils.data import DataLoader


@torch.no_grad()
def compare(model: nn.Module, x: torch.Tensor) -> float:
    return model(x).sum().item()  # eval: SYN201


def main() -> None:
    model = nn.Linear(3, 3).cuda()
    test_loader = DataLoader([], num_workers=2)
    for x in test_loader:
        print(compare(model, x))


if __name__ == "__main__":
    main()


# case: a-program-beside-which-nothing-trains-evaluates-for-its-own-sake
import torch


class Attack:
    def __init__(self, model, count: int) -> None:
        self.model, self.count = model, count

    @torch.no_grad()
    def perturb(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        best = x.clone()
        for restart in range(self.count):
            best = torch.minimum(best, self.run_once(x, y))
            print(best.sum().item())  # epoch: SYN201
        return best

    def run_once(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            for number in range(self.count):
                with torch.enable_grad():
                    x.requires_grad_()
                    loss = self.model(x).sub(y).sum()
                    slope = torch.autograd.grad(loss, [x])[0]
                x = x + slope.sign()
                print(loss.item())  # sync: SYN201
        return x


def run_evaluation(model, attack: Attack, images: torch.Tensor, labels: torch.Tensor, n_batches: int) -> None:
    with torch.no_grad():
        for number in range(n_batches):
            x = images[number].cuda()  # epoch: SYN402
            print(attack.perturb(x, labels[number].cuda()).mean().item())  # epoch: SYN402, SYN201


def main(model, images, labels, n_batches: int) -> None:
    run_evaluation(model, Attack(model, 100), images, labels, n_batches)


# case: what-evaluates-beside-training-does-so-for-the-sake-of-that
import torch


class Attack:
    def __init__(self, model, count: int) -> None:
        self.model, self.count = model, count

    def run_once(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            for number in range(self.count):
                x = x + self.model(x).sign()
                print(x.sum().item())  # eval: SYN201
        return x


def run_evaluation(attack: Attack, images: torch.Tensor, n_batches: int) -> None:
    for number in range(n_batches):
        print(attack.run_once(images[number].cuda()).mean().item())  # eval: SYN402, SYN201


def main(model, solver, images, n_batches: int) -> None:
    for image in images:
        model(image).sum().backward()
        solver.step()
    run_evaluation(Attack(model, 100), images, n_batches)


# case: rounds-are-steps-also-where-a-list-keeps-what-they-make
import torch
from torch import nn


@torch.no_grad()
def refined(start: torch.Tensor, model: nn.Module, rounds: int) -> torch.Tensor:
    states = [start]
    for _ in range(rounds):
        change = model(states[-1])
        if change.norm() < 0.1:  # sync: SYN301
            change = change * 2
        states.append(states[-1] - change)
    return states[-1]


def main() -> None:
    model = nn.Linear(8, 8).cuda()
    for _ in range(1000):
        made = refined(torch.rand(8, device="cuda"), model, 50)
        print(made.mean().item())  # epoch: SYN201


if __name__ == "__main__":
    main()


# case: a-list-that-no-round-looks-into-carries-nothing
import torch
from torch import nn


@torch.no_grad()
def answers(parts: list, model: nn.Module) -> list:
    found = []
    for part in parts:
        found.append(model(part.cuda(non_blocking=True)))
    return found


def main(parts: list) -> None:
    model = nn.Linear(8, 8).cuda()
    for _ in range(1000):
        print(answers(parts, model)[0].mean().item())  # sync: SYN201


if __name__ == "__main__":
    main([])


# case: what-is-sampled-instead-of-training-is-made-in-steps
import sys

import torch
from torch import nn


@torch.no_grad()
def sampled(x: torch.Tensor, model: nn.Module) -> torch.Tensor:
    for _ in range(50):
        x = x - model(x)
        if x.isnan().any():  # sync: SYN301
            x = torch.zeros_like(x)
    return x


def sample_all(model: nn.Module) -> None:
    for _ in range(1000):
        print(sampled(torch.rand(8, device="cuda"), model).mean().item())  # epoch: SYN201


def train(model: nn.Module, loader) -> None:
    optimizer = torch.optim.SGD(model.parameters())
    for x in loader:
        model(x).sum().backward()
        optimizer.step()


def main(kind: str, loader) -> None:
    model = nn.Linear(8, 8).cuda()
    if kind == "sample":
        sample_all(model)
    else:
        train(model, loader)


if __name__ == "__main__":
    main(sys.argv[1], [])


# case: what-is-sampled-once-training-is-done-shows-what-it-has-learned
import sys

import torch
from torch import nn


@torch.no_grad()
def sampled(x: torch.Tensor, model: nn.Module) -> torch.Tensor:
    for _ in range(50):
        x = x - model(x)
        if x.isnan().any():  # epoch: SYN301
            x = torch.zeros_like(x)
    return x


def sample_all(model: nn.Module) -> None:
    for _ in range(1000):
        print(sampled(torch.rand(8, device="cuda"), model).mean().item())  # epoch: SYN201


def train(model: nn.Module, loader) -> None:
    optimizer = torch.optim.SGD(model.parameters())
    for x in loader:
        model(x).sum().backward()
        optimizer.step()


def main(kind: str, loader) -> None:
    model = nn.Linear(8, 8).cuda()
    if kind == "long":
        print("a long training")
    train(model, loader)
    if kind != "silent":
        sample_all(model)


if __name__ == "__main__":
    main(sys.argv[1], [])


# case: a-model-that-is-called-with-gradients-off-is-there-for-results
import torch
from torch import nn


class Tracker:
    def __init__(self, model) -> None:
        self.model, self.limit = model, 0.5

    def track(self, frame: torch.Tensor) -> None:
        with torch.no_grad():
            self.found = self.follow(frame)

    def follow(self, frame: torch.Tensor) -> torch.Tensor:
        moved = self.model(frame.cuda())  # sync: SYN402
        if moved.norm() > self.limit:  # sync: SYN301
            print(moved.cpu().numpy())  # cold: SYN204
        return moved


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def main() -> None:
    tracker = Tracker(Net().cuda())
    for frame in torch.rand(100, 3, 3).numpy():
        tracker.track(torch.from_numpy(frame))


if __name__ == "__main__":
    main()


# case: a-loop-with-gradients-off-that-runs-a-model-is-there-for-results
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def look(model: nn.Module, x: torch.Tensor) -> None:
    found = model(x)
    print(found.cpu().numpy(), found.max().item())  # cold: SYN204 # sync: SYN201


@torch.no_grad()
def main() -> None:
    model = Net().cuda()
    for number in range(1000):
        look(model, torch.rand(8, 3, device="cuda"))


if __name__ == "__main__":
    main()


# case: gradients-are-off-in-simulations-as-well
import torch


class World:
    def __init__(self) -> None:
        self.state = torch.rand(4096, device="cuda")

    @torch.no_grad()
    def advance(self) -> None:
        self.state = self.state + 0.1 * torch.sin(self.state)
        keep(self.state.cpu().numpy())  # sync: SYN204


def keep(values) -> None:
    pass


def main() -> None:
    world = World()
    for number in range(1000):
        world.advance()


if __name__ == "__main__":
    main()


# case: batches-for-which-a-caller-has-put-the-model-into-evaluation-mode-show-what-training-has-made


# case: what-prints-its-results-batch-by-batch-is-there-for-them
import torch
from helpers import decoded
from torch import nn
from torch.utils.data import DataLoader


def demo(model: nn.Module, images, path: str) -> None:
    loader = DataLoader(images, batch_size=8, num_workers=2, pin_memory=True)
    model.eval()
    log = open(path, "a")
    with torch.no_grad():
        for image, name in loader:
            scores = model(image.to("cuda"))  # sync: SYN701
            for one, text in zip(scores.amax(1), decoded(scores.argmax(1))):
                print(f"{name}: {text}")
                log.write(f"{name}: {one:.3f}")  # sync: SYN205
    log.close()


if __name__ == "__main__":
    demo(nn.Linear(8, 8).cuda(), load(), "log.txt")

# file: helpers.py
import torch


def decoded(scores: torch.Tensor) -> list[str]:
    found = []
    for score in scores:
        if score > 0:  # sync: SYN301
            found.append("x")
    return found

# file: train.py
import torch
from torch import nn


def train(model: nn.Module, loader, optimizer) -> None:
    for images in loader:
        model(images).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    train(nn.Linear(8, 8).cuda(), load(), make())


# case: what-compares-with-targets-or-adds-up-evaluates-though-it-prints
import torch
from torch import nn
from torch.utils.data import DataLoader


class Saliency:
    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.model.eval()

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        self.model(x).max(dim=-1).values.sum().backward()
        return x.grad.abs()


def draw(loader: DataLoader, model: nn.Module) -> None:
    saliency = Saliency(model)
    for images, _ in loader:
        print(saliency(images.cuda()).cpu())  # eval: SYN402, SYN204


def count_wrong(loader: DataLoader, model: nn.Module) -> None:
    for images, labels in loader:
        wrong = model(images.cuda()).argmax(-1) != labels.cuda()  # eval: SYN402, SYN402
        print(wrong.sum().item())  # eval: SYN201


def visualize(loader: DataLoader) -> None:
    model = nn.Linear(4, 4).cuda()
    model.eval()
    draw(loader, model)
    count_wrong(loader, model)


def train(loader: DataLoader) -> None:
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        loss = nn.functional.cross_entropy(model(images.cuda()), labels.cuda())  # sync: SYN402, SYN402
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


def main(loader: DataLoader, shows: bool) -> None:
    train(loader)
    if shows:
        visualize(loader)


@torch.no_grad()
def compared(model: nn.Module, loader: DataLoader) -> None:
    for image, target in loader:
        found = model(image.cuda()).argmax(1)  # cold: SYN402
        print(found.eq(target.cuda()).sum())  # cold: SYN402, SYN205


@torch.no_grad()
def added(model: nn.Module, loader: DataLoader) -> None:
    total = 0.0
    for image, target in loader:
        total += model(image.cuda()).sum().item()  # cold: SYN402, SYN201
        print(total)


@torch.no_grad()
def kept(model: nn.Module, loader: DataLoader) -> None:
    meter = Meter()
    for image, target in loader:
        found = model(image.cuda()).sum()  # cold: SYN402
        meter.update(found.item())  # cold: SYN201
        print(meter)


@torch.no_grad()
def said_at_the_end(model: nn.Module, loader: DataLoader) -> None:
    for image, target in loader:
        found = model(image.cuda())  # cold: SYN402
        print("next")
    print(found.sum().item())  # cold: SYN201


if __name__ == "__main__":
    for show in (compared, added, kept, said_at_the_end):
        show(nn.Linear(8, 8).cuda(), load())


# case: class-that-a-table-in-another-file-holds
from factory import DETECTORS


def demo(options) -> None:
    detector = DETECTORS[options.task](options)
    while True:
        detector.run(frame())
        if shown():
            return


if __name__ == "__main__":
    demo(given())

# file: factory.py
from detectors import Boxes, Points

DETECTORS = {
    "boxes": Boxes,

    "points": Points,
}

# file: detectors.py
import torch


class Detector:
    def __init__(self, options) -> None:
        self.model = torch.nn.Linear(8, 8).cuda()
        self.model.eval()

    def process(self, image):
        raise NotImplementedError

    def run(self, image) -> None:
        return self.process(torch.from_numpy(image).cuda())  # sync: SYN402


class Boxes(Detector):
    @torch.no_grad()
    def process(self, image):
        return self.model(image).max().item()  # sync: SYN201


class Points(Detector):
    @torch.no_grad()
    def process(self, image):
        return self.model(image).min().item()  # sync: SYN201


# case: a-program-that-goes-through-what-a-generator-decodes-is-there-for-that
import torch
from torch import nn
from torch.utils.data import DataLoader


@torch.inference_mode()
def decoded(lines: list, model: nn.Module):
    loader = DataLoader(lines, 8, num_workers=4, pin_memory=True)
    for batch in loader:
        tokens = batch.to("cuda", non_blocking=True)
        for _ in range(100):
            chosen = model(tokens)[:, -1].argmax(-1)
            if (chosen == 0).all():  # sync: SYN301
                break
            tokens = torch.cat([tokens, chosen[:, None]], -1)
        yield tokens


def step(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    model(torch.ones(8, device="cuda")).sum().backward()
    optimizer.step()


def main() -> None:
    found = decoded([[1, 2], [3, 4]], nn.Linear(8, 8).cuda())
    for tokens in found:
        print(tokens.shape)


if __name__ == "__main__":
    main()


# case: pictures-that-are-timed-and-turned-on-request
import time

import cv2
import torch


class Detector:
    def __init__(self, net: torch.nn.Module, flip_test: bool) -> None:
        self.net, self.flip_test = net, flip_test

    def run(self, image: torch.Tensor) -> tuple[torch.Tensor, float]:
        begun = time.time()
        torch.cuda.synchronize()  # cold: SYN601
        with torch.no_grad():
            found = self.net(image)
            if self.flip_test:
                if found.max() > 1:  # sync: SYN301
                    found = found.flip(-1)
        torch.cuda.synchronize()  # cold: SYN601
        return found, time.time() - begun


def show(detector: Detector, camera) -> None:
    while cv2.waitKey(1) != 27:
        cv2.imshow("found", detector.run(camera.read()))
        torch.cuda.synchronize()  # sync: SYN601


# case: events-of-the-device-are-waited-for-before-they-are-asked
import torch


@torch.no_grad()
def predict(model: torch.nn.Module, loader, out: list) -> float:
    model.eval()
    spent = 0.0
    for frame in loader:
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        out.append(model(frame))
        end.record()
        torch.cuda.synchronize()  # cold: SYN601
        spent += start.elapsed_time(end)
    return spent


@torch.no_grad()
def predict_in_turn(model: torch.nn.Module, loader, out: list) -> None:
    model.eval()
    for frame in loader:
        out.append(model(frame))
        torch.cuda.synchronize()  # sync: SYN601


# case: what-predicts-with-gradients-off-is-there-for-its-results
import torch


class Detector:
    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model.cuda()

    def predict(self, images: list) -> list:
        found = []
        with torch.no_grad():
            boxes = self.model(torch.stack(images).cuda())
        for box in boxes:
            box = box[box > 0.5]  # sync: SYN103
            found.append(dict(box=box.cpu().numpy()))  # cold: SYN204
        return found

    def predict_aloud(self, images: torch.Tensor) -> None:
        print(self.model(images).sum().cpu())  # sync: SYN204
