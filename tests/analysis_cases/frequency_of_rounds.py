# case: window-that-learns-between-its-frames
import glfw
import torch


class Studio:
    def __init__(self, net, solver, batches) -> None:
        self.net, self.solver, self.batches = net, solver, batches

    def learn(self, count: int) -> float:
        total = torch.tensor([0.0], device="cuda")  # interval: SYN401
        for _ in range(count):
            loss = self.net(next(self.batches)).mean()
            self.solver.zero_grad()
            loss.backward()
            self.solver.step()
            total += loss.detach()
            print(loss.item())  # sync: SYN201
        return total.item()  # interval: SYN201

    def picture(self, camera):
        with torch.no_grad():
            return self.net(torch.from_numpy(camera).cuda()).cpu().numpy()  # cold: SYN402, SYN204


def show(window, studio: Studio, camera) -> None:
    while not glfw.window_should_close(window):
        studio.learn(16)
        print(studio.picture(camera).shape)
        glfw.swap_buffers(window)


# case: game-whose-player-learns-nothing
import torch


def play(world, player, games: int) -> None:
    for game in range(games):
        over = False
        start = seen = torch.zeros(4, device="cuda")
        while not over:
            seen, reward, over, more = world.step(player(seen).argmax().item())  # cold: SYN201
            print(player(start).max().item())  # sync: SYN201
        print(seen.sum().item())  # epoch: SYN201


# case: game-after-training
import torch


def judge(world, player) -> None:
    seen = torch.zeros(4, device="cuda")
    for _ in range(1000):
        seen, reward, over, more = world.step(player(seen).argmax().item())  # eval: SYN201


def main(world, player, solver, examples) -> None:
    for example in examples:
        player(example).sum().backward()
        solver.step()
    judge(world, player)


main(None, torch.nn.Linear(4, 2).cuda(), torch.optim.SGD([], lr=0.1), [])


# case: keys-of-a-dictionary-are-no-batches
import torch


class Store:
    def __init__(self) -> None:
        self.rows: dict[int, torch.Tensor] = {}

    def make_room(self, count: int) -> None:
        for _ in range(count):
            oldest = next(iter(self.rows))
            del self.rows[oldest]

    def advance(self, x: torch.Tensor) -> float:
        self.make_room(2)
        return x.sum().item()  # sync: SYN201


def serve(store: Store, x: torch.Tensor) -> None:
    while True:
        store.advance(x)


# case: noise-that-is-removed-in-rounds
import torch


class Painter:
    @torch.no_grad()
    def clean(self, image: torch.Tensor, t: int) -> torch.Tensor:
        if image.max() > 1:  # sync: SYN301
            image = image / 2
        return image - self.net(image, t)

    @torch.no_grad()
    def paint(self, shape: tuple, count: int) -> torch.Tensor:
        image = torch.randn(shape, device="cuda")
        scale = float(image.std())  # once: SYN203
        for t in reversed(range(count)):
            image = self.clean(image, t)
        return image * scale


# case: words-one-after-the-other-for-each-question
import torch


@torch.inference_mode()
def answer(net, words: torch.Tensor, longest: int) -> torch.Tensor:
    words = words[words.max().item() :]  # epoch: SYN201
    for _ in range(longest):
        following = net(words).argmax(dim=-1)
        words = torch.cat([words, following])
        if following[-1] == 0:  # cold: SYN301
            break
    return words


if __name__ == "__main__":
    net = torch.nn.Linear(8, 8).cuda()
    for question in torch.rand(1000, 8, device="cuda"):
        answer(net, question, 100)


# case: layers-are-no-rounds
import torch


class Stack:
    @torch.no_grad()
    def encode(self, x: torch.Tensor) -> torch.Tensor:
        if x.max() > 1:  # sync: SYN301
            x = x / 2
        for layer in self.layers:
            x = layer(x)
        return x


# case: first-values-of-weights
import torch
from torch import nn


class Xavier:
    def __call__(self, module: nn.Module) -> None:
        def fill(part):
            if isinstance(part, nn.Linear):
                nn.init.xavier_uniform_(part.weight)

        module.apply(fill)
        for weight in module.parameters():
            print(weight.mean().item())  # once: SYN201


# case: file-whose-name-is-not-what-it-does
# file: bench_train.py
import torch


def main(model: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> None:
    for batch in batches:
        loss = model(batch).sum()
        loss.backward()
        solver.step()
        print(loss.item())  # sync: SYN201


if __name__ == "__main__":
    main(torch.nn.Linear(3, 3).cuda(), torch.optim.SGD([], lr=0.1), [])
# file: eval/heads.py
import torch


def fit(head: torch.nn.Module, solver: torch.optim.Optimizer, batches) -> None:
    for batch in batches:
        loss = head(batch).sum()
        loss.backward()
        solver.step()
        print(loss.item())  # sync: SYN201


# case: solvers-one-after-the-other
import torch


def learn(first, second, real, solvers: dict) -> None:
    for batch in real:
        for name in solvers:
            loss = first(batch).mean() if name == "first" else second(batch).mean()
            solvers[name].zero_grad()
            loss.backward()
            solvers[name].step()
        print(loss.item())  # sync: SYN201


# case: metadata-for-each-pass
import torch


class Dense:
    def init_pass(self, lengths: torch.Tensor) -> None:
        self.longest = lengths.max().item()  # sync: SYN201


class Paged:
    def init_pass(self, lengths: torch.Tensor) -> None:
        self.total = lengths.sum().item()  # sync: SYN201


class Sparse:
    def init_pass(self, lengths: torch.Tensor) -> None:
        self.least = lengths.min().item()  # sync: SYN201


class Ragged:
    def init_pass(self, lengths: torch.Tensor) -> None:
        self.all = lengths.tolist()  # sync: SYN202


class Model(torch.nn.Module):
    def forward(self, batch) -> torch.Tensor:
        self.backend.init_pass(batch.lengths)
        return batch.rows


# case: answer-to-one-request
import torch
from fastapi import FastAPI

app = FastAPI()
net = torch.nn.Linear(8, 8).cuda()


@app.post("/answer")
def answer(values: list[float]) -> list[float]:
    found = net(torch.tensor(values, device="cuda"))  # once: SYN401
    for _ in range(int(len(values))):
        found = net(found)
        if found.max() > 1:  # sync: SYN301
            break
    return found.tolist()  # once: SYN202


# case: answers-of-a-class-that-is-served
import torch
from ray import serve


@serve.deployment
class Speaker:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(8, 8).cuda()

    async def __call__(self, request) -> list[float]:
        return self.net(torch.rand(8, device="cuda")).tolist()  # once: SYN202


# case: program-that-is-asked-by-keyboard
import torch


@torch.no_grad()
def speak(net, words: torch.Tensor, longest: int) -> torch.Tensor:
    for _ in range(longest):
        short = words[-8:]
        words = torch.cat([words, net(short).argmax(dim=-1)[None]])
        if words[-1] == 0:  # cold: SYN301
            break
    return words


def main() -> None:
    net = torch.nn.Linear(8, 8).cuda()
    while True:
        line = input("> ")
        words = torch.tensor([ord(letter) for letter in line], device="cuda")  # epoch: SYN401
        print(speak(net, words, 100).tolist())  # epoch: SYN202


main()


# case: question-that-is-typed-is-answered-as-a-whole-whatever-that-takes
import torch


class Speaker:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(8, 8).cuda()

    def answer(self, line: str) -> None:
        words = torch.tensor([ord(letter) for letter in line], device="cuda")  # epoch: SYN401
        print(self.net(words).argmax(-1).tolist())  # epoch: SYN202


def main() -> None:
    speaker = Speaker()
    while True:
        line = input("> ")
        if not line:
            break
        speaker.answer(line)


if __name__ == "__main__":
    main()


# case: what-is-streamed-for-a-typed-question-is-its-answer
import torch


class Speaker:
    def __init__(self, processor) -> None:
        self.processor = processor

    def decoded(self, word: torch.Tensor) -> str:
        return self.processor.decode([word.item()])  # cold: SYN201

    def texts(self, words):
        for word in words:
            yield self.decoded(word)
            if word.sum().item() > 9:  # sync: SYN201
                return


def spoken(net, words: torch.Tensor, most: int):
    for _ in range(most):
        yield net(words)


def answer(net, speaker: Speaker, line: str) -> None:
    words = torch.tensor([ord(letter) for letter in line], device="cuda")  # epoch: SYN401
    for text in speaker.texts(spoken(net, words, 100)):
        print(text)


def main() -> None:
    net = torch.nn.Linear(8, 8).cuda()
    speaker = Speaker(None)
    while True:
        answer(net, speaker, input("> "))


if __name__ == "__main__":
    main()


# case: answers-of-a-conversation-are-results
import torch


class Speaker(torch.nn.Module):
    @torch.inference_mode()
    def write(self, words: torch.Tensor, most: int) -> torch.Tensor:
        for _ in range(most):
            word = self.forward(words)
            words = torch.cat([words, word])
            if (word == 0).all():  # sync: SYN301
                break
        return words


def converse(net: Speaker, said: list[int]) -> None:
    while True:
        words = torch.tensor(said, device="cuda")  # epoch: SYN401
        answer = net.write(words, 100).tolist()  # epoch: SYN202
        if not answer:
            break
        said.extend(answer)


def main(questions: list[list[int]]) -> None:
    net = Speaker().cuda()
    for question in sorted(questions):
        converse(net, question)
    said: list[int] = []
    for question in sorted(questions):
        said = said[-8:] + question
        said += net.write(torch.tensor(said, device="cuda"), 100).tolist()  # epoch: SYN401, SYN202


if __name__ == "__main__":
    main([])


# case: drafts-of-a-few-words-are-a-part-of-the-step
import torch


@torch.no_grad()
def guess(small, large, word: torch.Tensor, count: int = 4) -> torch.Tensor:
    words = []
    for _ in range(count):
        word = small(word)
        words.append(word)
    wrong = large(torch.cat(words)) > 0
    return words[int(wrong.sum())]  # sync: SYN203


def serve(small, large, word: torch.Tensor) -> None:
    for _ in range(100_000):
        word = guess(small, large, word)


if __name__ == "__main__":
    serve(torch.nn.Linear(8, 8).cuda(), torch.nn.Linear(8, 8).cuda(), torch.rand(8, device="cuda"))


# case: conversation-that-goes-on
import torch


@torch.inference_mode()
def speak(net, said: torch.Tensor, longest: int) -> torch.Tensor:
    word = said[-1:]
    for _ in range(longest):
        word = net(word)
        if word[0] == 0:  # sync: SYN301
            break
    return word


def main() -> None:
    net = torch.nn.Linear(1, 1).cuda()
    said = torch.zeros(1, device="cuda")
    while True:
        line = input("> ")
        said = torch.cat([said, torch.tensor([float(line)], device="cuda")])  # epoch: SYN401
        said = torch.cat([said, speak(net, said, 100)])
        print(said.tolist())  # epoch: SYN202


main()


# case: rounds-that-make-a-model-are-no-steps
import torch


class Net(torch.nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale


def measured(width: int) -> float:
    net = Net(width).cuda()
    return net(torch.rand(width, device="cuda")).sum().item()  # epoch: SYN201


def main(widths: str) -> None:
    for width in widths.split(" ")[1:]:
        print(measured(int(width)))


main("1 2 4")


# case: what-is-only-called-by-methods-that-call-each-other
import torch


class Algorithm:
    def __init__(self, net, env, optimizer: torch.optim.Optimizer) -> None:
        self.net, self.env, self.optimizer = net, env, optimizer

    def learn(self, rounds: int) -> None:
        for _ in range(rounds):
            self.collect()
            self.train()

    def collect(self) -> None:
        observed = self.env.reset()
        for _ in range(128):
            observed, reward, ended, cut, info = self.env.step(0)
        self.summarize(torch.rand(8, device="cuda"))

    def summarize(self, values: torch.Tensor) -> None:
        self.mean = values.mean().item()  # epoch: SYN201

    def train(self) -> None:
        for batch in DataLoader(self.data):
            loss = self.net(batch.cuda()).mean()  # sync: SYN402
            loss.backward()
            self.optimizer.step()


class First(Algorithm):
    def learn(self, rounds: int) -> None:
        super().learn(rounds)


class Second(Algorithm):
    def learn(self, rounds: int) -> None:
        super().learn(rounds)


# case: list-called-batches-makes-no-epoch-of-the-loop-around
import torch


class Engine:
    def step(self, model, rows: torch.Tensor) -> None:
        batches = []
        for start in range(0, 8, 4):
            batches.append(rows[start : start + 4])
        for batch in batches:
            model(batch)
        print(rows.sum().item())  # sync: SYN201


def main(model) -> None:
    engine = Engine()
    while True:
        engine.step(model, torch.zeros(8, device="cuda"))


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8).cuda())


# case: parameter-that-is-a-list-of-batches-makes-no-epoch-of-the-loop-around
import torch


def publish(store, batches: list[tuple[str, int]] | None) -> None:
    for key, rows in batches:
        store.put(key, rows)


def main(model, store) -> None:
    x = torch.zeros(8, device="cuda")
    while True:
        x = model(x)
        publish(store, [("first", 1)])
        print(x.sum().item())  # sync: SYN201


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8).cuda(), {})


# case: results-that-are-copied-to-the-host-in-pairs-are-no-batches
import torch


def collected(outputs, chosen) -> list:
    found = []
    for output, is_chosen in zip(outputs, chosen):
        found.append(output.to("cpu", non_blocking=True) if is_chosen else None)
    return found


def main(model) -> None:
    x = torch.zeros(8, device="cuda")
    while True:
        x = model(x)
        collected([x], [True])
        print(x.sum().item())  # sync: SYN201


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8).cuda())


# case: micro-batches-make-no-epoch-of-the-loop-around
import torch


def split(model, x: torch.Tensor, num_micro_batches: int) -> None:
    for index in range(num_micro_batches):
        model(x[index])


def main(model) -> None:
    x = torch.zeros(8, device="cuda")
    while True:
        split(model, x, 2)
        print(x.sum().item())  # sync: SYN201


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8).cuda())


# case: list-of-what-a-loader-gives-is-a-loader
import torch


def fit(learner, loader) -> None:
    batches = list(loader)
    for batch in batches:
        learner.learn(batch)


def main(learner, loader) -> None:
    x = torch.zeros(8, device="cuda")
    for _ in range(100):
        fit(learner, loader)
        print(x.sum().item())  # epoch: SYN201


if __name__ == "__main__":
    main(None, [])


# case: a-step-that-is-told-not-to-train-makes-no-training-loop
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


def step(model: nn.Module, optimizer: torch.optim.Optimizer, batch: Tensor, apple: bool) -> Tensor:
    loss = model(batch).mean()
    if apple:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


def step_without(model: nn.Module, batch: Tensor, optimizer: torch.optim.Optimizer | None = None) -> Tensor:
    loss = model(batch).mean()
    if optimizer is not None:
        loss.backward()
        optimizer.step()
    return loss


def made(optimizer: torch.optim.Optimizer, pear: bool):
    def run(model: nn.Module, batch: Tensor) -> Tensor:
        loss = model(batch).mean()
        if not pear:
            return loss
        loss.backward()
        optimizer.step()
        return loss

    return run


def made_for(optimizer: torch.optim.Optimizer, pear: bool):
    def run(model: nn.Module, batch: Tensor) -> Tensor:
        loss = model(batch).mean()
        if pear:
            loss.backward()
            optimizer.step()
        return loss

    return run


def main(model: nn.Module, optimizer: torch.optim.Optimizer, loader: DataLoader, others: DataLoader) -> None:
    train, test = made_for(optimizer, True), made_for(optimizer, False)
    test_early = made(optimizer, False)
    for _ in range(100):
        for batch in loader:
            print(step(model, optimizer, batch, True).item())  # sync: SYN201
        for batch in loader:
            print(train(model, batch).item())  # sync: SYN201
        for batch in loader:
            print(step_without(model, batch, optimizer).item())  # sync: SYN201
        model.eval()
        for batch in others:
            print(step(model, optimizer, batch, False).item())  # eval: SYN201
        for batch in others:
            print(test(model, batch).item())  # eval: SYN201
        for batch in others:
            print(test_early(model, batch).item())  # eval: SYN201
        for batch in others:
            print(step_without(model, batch).item())  # eval: SYN201
        model.train()


# case: several-environments-take-a-step-one-after-the-other
import numpy as np
import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(3, 3).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters())

    def __call__(self, seen: np.ndarray, kept) -> torch.Tensor:
        for _ in range(kept.due()):
            self.learn(next(kept.batches))
        return self.net(torch.tensor(seen, device="cuda"))  # sync: SYN401

    def learn(self, batch: torch.Tensor) -> None:
        self.optimizer.zero_grad()
        self.net(batch).sum().backward()
        self.optimizer.step()


def play(agent: Agent, envs: list, kept, most: int) -> None:
    seen, count = kept.first(), 0
    while count < most:
        actions = agent(seen, kept)
        chosen = [np.array(actions[at].cpu()) for at in range(len(envs))]  # sync: SYN204
        results = [env.step(action) for env, action in zip(envs, chosen)]
        seen = np.stack([result[0] for result in results])
        count += len(envs)


def main(envs: list, kept) -> None:
    agent = Agent()
    for epoch in range(9):
        play(agent, envs, kept, 1000)


if __name__ == "__main__":
    main([], None)


# case: schedulers-that-take-a-step-one-after-the-other-are-no-environments
import torch
from torch import nn


def main(model: nn.Module, parts: list, schedulers: list) -> None:
    optimizer = torch.optim.SGD(model.parameters())
    for part in parts:
        for x in torch.utils.data.DataLoader(part, num_workers=2):
            optimizer.zero_grad()
            loss = model(x).sum()
            loss.backward()
            optimizer.step()
        rates = [scheduler.step(epoch) for epoch, scheduler in enumerate(schedulers)]
        print(loss.item(), rates)  # epoch: SYN201


if __name__ == "__main__":
    main(nn.Linear(3, 3).cuda(), [], [])


# case: one-round-is-no-loop
import torch


def try_out(net, solver) -> None:
    for _ in range(1):
        loss = net(torch.ones(3, device="cuda")).mean()
        loss.backward()
        solver.step()
        print(loss.item())  # once: SYN201
    for _ in range(20):
        loss = net(torch.ones(3, device="cuda")).mean()
        loss.backward()
        solver.step()
        print(loss.item())  # sync: SYN201


def main(net, solver) -> None:
    try_out(net, solver)


# case: one-round-of-many-batches
import torch


def main(net, solver, train_loader) -> None:
    for epoch in range(1):
        for batch in train_loader:
            loss = net(batch).mean()
            loss.backward()
            solver.step()
            print(loss.item())  # sync: SYN201
        print(loss.item())  # epoch: SYN201


# case: loader-that-gives-lists-of-batches
import torch
from torch import nn
from torch.utils.data import DataLoader


class Scheduled:
    def __init__(self, model: nn.Module) -> None:
        self.wrapped = torch.optim.Adam(model.parameters())

    def advance(self) -> None:
        self.wrapped.step()
        self.wrapped.zero_grad()


def main(dataset, config) -> None:
    model = nn.Linear(3, 3).cuda()
    updates = Scheduled(model)
    done = 1
    while True:
        for group in DataLoader(dataset, collate_fn=dataset.in_groups, num_workers=2):
            for x in group:
                loss = model(x.cuda()).mean()  # sync: SYN402
                loss.backward()
                if done % config["accumulate"] == 0:
                    updates.advance()
                print(loss.item())  # sync: SYN201
                if done % config["every"] == 0:
                    print(loss.item())  # interval: SYN201
                done += 1


if __name__ == "__main__":
    main([], {})


# case: parts-of-a-batch-make-no-epoch-of-the-loop-over-batches
import torch
from torch import nn
from torch.utils.data import DataLoader


class Scheduled:
    def __init__(self, model: nn.Module) -> None:
        self.wrapped = torch.optim.Adam(model.parameters())

    def advance(self) -> None:
        self.wrapped.step()
        self.wrapped.zero_grad()


def main(dataset, size: int) -> None:
    model = nn.Linear(3, 3).cuda()
    updates = Scheduled(model)
    for x in DataLoader(dataset, pin_memory=True, num_workers=2):
        total = 0.0
        for part in x.cuda(non_blocking=True).split(size):
            loss = model(part).mean()
            loss.backward()
            total += loss.item()  # sync: SYN201
        updates.advance()
        print(loss.item(), total)  # sync: SYN201


if __name__ == "__main__":
    main([], 4)


# case: step-that-is-a-function-within-the-loop
# Only the function around it can name `step`: what it is called with says which round it is.
import torch


class Trainer:
    def __init__(self, model, optimizer, config) -> None:
        self.model, self.optimizer = model, optimizer
        self.rounds = config["rounds"]
        self.every = config["every"]

    def run(self, batches) -> None:
        def step(number, key="inputs") -> None:
            loss = self.model(next(batches)[key]).mean()
            loss.backward()
            self.optimizer.step()
            if (number + 1) % self.every == 0 or number + 2 == self.rounds:
                self.keep(loss)
            self.tell(loss)

        for number in range(self.rounds):
            step(number, "images")

    def keep(self, loss) -> None:
        print(loss.item())  # interval: SYN201

    def tell(self, loss) -> None:
        print(loss.item())  # sync: SYN201


class Handed:
    """Here somebody else calls it, with whatever it likes."""

    def __init__(self, model, optimizer) -> None:
        self.model, self.optimizer = model, optimizer

    def run(self, batches, engine) -> None:
        def step(number, rounds) -> None:
            loss = self.model(next(batches)).mean()
            loss.backward()
            self.optimizer.step()
            if number == rounds:
                self.keep(loss)

        for number in range(100):
            step(number, 99)
        engine.attach(step)

    def keep(self, loss) -> None:
        print(loss.item())  # sync: SYN201


# case: what-is-updated-every-few-steps-is-a-part-of-the-step
import torch
from torch import nn


class Agent:
    def __init__(self, every: int) -> None:
        self.net, self.every = nn.Linear(3, 1).cuda(), every
        self.solver = torch.optim.Adam(self.net.parameters())

    def learn(self, x: torch.Tensor) -> None:
        loss = self.net(x).mean()
        self.solver.zero_grad()
        loss.backward()
        self.solver.step()
        print(loss.item())  # sync: SYN201

    def show(self, x: torch.Tensor) -> None:
        print(self.net(x).mean().item())  # interval: SYN201

    def advance(self, x: torch.Tensor, step: int) -> None:
        if step % self.every == 0:
            self.learn(x)
            self.show(x)


def main(env) -> None:
    agent = Agent(2)
    seen = env.reset()
    for step in range(100000):
        seen, reward, done, _ = env.step(env.action_space.sample())
        agent.advance(torch.rand(8, 3, device="cuda"), step)


if __name__ == "__main__":
    main(None)


# case: text-that-a-program-makes-once-of-many-rows
import torch


def check(net: torch.nn.Module) -> None:
    out = net(torch.zeros(4, 3, device="cuda"))
    print(", ".join(["%f" % out[i].mean().item() for i in range(out.shape[0])]))  # once: SYN201


if __name__ == "__main__":
    check(torch.nn.Linear(3, 3).cuda())


# case: number-of-the-step-that-calls-give-a-method
# Its own text does not know what `it` is; a flag that the constructor switches on is none that holds now and then.
import torch
from torch import nn
from torch.nn import functional as F


class Scored(nn.Module):
    def __init__(self, warm_up: int) -> None:
        super().__init__()
        self.warm_up = warm_up

    def forward(self, outputs, targets, it):
        if it < self.warm_up:
            return F.cross_entropy(outputs, targets), 1.0
        share = 0.1 + 0.9 * (self.warm_up / it)
        return F.cross_entropy(outputs, targets), share


class Losses:
    def __init__(self, config) -> None:
        self.score = Scored(config["warm_up"])

    def compute(self, outputs, targets, it):
        return self.score(outputs, targets, it)[0]


class Trainer:
    def __init__(self, config) -> None:
        self.net, self.every = nn.Linear(3, 3).cuda(), config["every"]
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.losses = Losses(config)
        self.train()

    def pass_over(self, inputs, targets, it=0) -> None:
        loss = self.losses.compute(self.net(inputs), targets, it)
        if self._do_log:
            self.add(loss)
        if it % self.every == 0 and it != 0:
            self.tell(loss)
        loss.backward()
        self.optimizer.step()

    def add(self, loss) -> None:
        print(loss.item())  # sync: SYN201

    def tell(self, loss) -> None:
        print(loss.item())  # interval: SYN201

    def train(self) -> None:
        self._do_log = True

    def test(self) -> None:
        self._do_log = False

    def load(self, path):
        return torch.load(path)["it"]


def run(config, loader) -> None:
    trainer = Trainer(config)
    it = trainer.load(config["path"]) if config["path"] else 0
    for inputs, targets in loader:
        trainer.pass_over(inputs.cuda(non_blocking=True), targets.cuda(non_blocking=True), it)
        it += 1


if __name__ == "__main__":
    from elsewhere import config, loader

    run(config, loader)


# case: engine-that-steps-after-each-part-of-a-batch
import deepspeed
import torch


def backward(settings, engine, loss) -> None:
    if settings.deepspeed:
        engine.backward(loss)
    else:
        raise ValueError


def one_step(settings, engine, batches):
    for _ in range(settings.gradient_accumulation_steps):
        loss = engine(next(batches)).mean()
        backward(settings, engine, loss)
        engine.step()
        print(loss.item())  # sync: SYN201
    return loss


def check(engine, batches) -> float:
    with torch.no_grad():
        return engine(next(batches)).mean().item()  # interval: SYN201


def run(settings, engine, batches) -> None:
    done = 0
    while done < settings.rounds:
        loss = one_step(settings, engine, batches)
        done += 1
        print(loss.item())  # sync: SYN201
        if done % 100 == 0:
            print(check(engine, batches))


if __name__ == "__main__":
    from elsewhere import batches, settings

    run(settings, deepspeed.initialize(model=torch.nn.Linear(3, 3))[0], batches)


# case: what-a-generator-does-after-many-rounds
from collections.abc import Iterator

import torch


def rounds(load: torch.Tensor, count: int) -> Iterator[None]:
    while True:
        if load.max() > 3:  # sync: SYN301
            load.zero_()
        for _ in range(count):
            yield
        print(load.tolist())  # interval: SYN202


def parts(load: torch.Tensor) -> Iterator[float]:
    while True:
        for part in load:
            yield part.item()  # sync: SYN201


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader, load: torch.Tensor) -> None:
    for batch, _, _ in zip(loader, rounds(load, 100), parts(load)):
        model(batch).mean().backward()
        optimizer.step()


# case: flag-that-each-round-sets
import torch


class Trainer:
    every: int = 5

    def __init__(self, model: torch.nn.Module, loader, optimizer) -> None:
        self.model, self.loader, self.optimizer = model, loader, optimizer
        self.done = 0

    def fit(self) -> None:
        is_first = is_late = fresh = stale = True
        for batch in self.loader:
            self.done += 1
            loss = self.model(batch).mean()
            loss.backward()
            self.optimizer.step()
            if is_first:
                print(loss.item())  # interval: SYN201
            else:
                print(loss.item())  # sync: SYN201
            if is_first or self.done % self.every == 0:
                self.tell(loss)
            if fresh:
                print(loss.item())  # sync: SYN201
            if stale:
                print(loss.item())  # sync: SYN201
            if is_late:
                print(loss.item())  # interval: SYN201
            with torch.no_grad():
                is_late = False
            is_first = False
            fresh = False
            if len(batch) > 3:
                fresh = True
                stale = False

    def tell(self, loss: torch.Tensor) -> None:
        print(loss.item())  # interval: SYN201


# case: loop-of-steps-that-a-return-ends
import torch


class Trainer:
    def __init__(self, model: torch.nn.Module, loader, optimizer, limit: int) -> None:
        self.model, self.loader, self.optimizer, self.limit = model, loader, optimizer, limit

    def fit(self) -> None:
        for batch in self.loader:
            loss = self.model(batch).mean()
            loss.backward()
            self.optimizer.step()
            over = self.is_over(batch)
            if over:
                print(loss.item())  # interval: SYN201
            if self.limit > 3:
                print(loss.item())  # sync: SYN201
            if over:
                return

    def is_over(self, batch) -> bool:
        return len(batch) == self.limit


# case: an-agent-that-learns-in-a-loop-within-the-one-over-its-actions
import torch


def train(settings, env, agent, optimizer, buffer) -> None:
    seen = env.reset()
    for step in range(settings.steps):
        if step < settings.first_steps:
            action = env.action_space.sample()
        else:
            with torch.no_grad():
                scores = agent(seen)
                print(scores.max().item())  # sync: SYN201
                action = scores.argmax()
        for _ in range(settings.updates):
            loss = agent(buffer.sample()).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        seen, reward, done, _ = env.step(action)
