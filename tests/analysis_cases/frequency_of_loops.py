# case: simulation-under-main
import torch


def main() -> None:
    state = torch.rand(4096, device="cuda")
    for step in range(100_000):
        state = state + 0.1 * torch.sin(state)
        if state.max() > 10.0:  # sync: SYN301
            break
    print(state.mean().item())  # once: SYN201


if __name__ == "__main__":
    main()


# case: conjugate-gradient-at-the-top-of-a-script
import torch

a = torch.rand(512, 512, device="cuda")
b = torch.rand(512, device="cuda")
x = torch.zeros_like(b)
r = b - a @ x
while r.norm() > 1e-6:  # sync: SYN301
    x = x + r
    r = b - a @ x
print(x.sum().item())  # once: SYN201


# case: k-means-in-a-command
import click
import torch


@click.command()
@click.option("--rounds", default=100)
def main(rounds: int) -> None:
    points = torch.rand(10_000, 3, device="cuda")
    centers = points[:8]
    for _ in range(rounds):
        nearest = torch.cdist(points, centers).argmin(dim=1)
        present = torch.unique(nearest)  # sync: SYN102
        centers = torch.stack([points.mean(dim=0) for _ in range(8)])
    click.echo(str(centers.shape) + str(present.shape))


# case: loop-of-a-reinforcement-learner
import gymnasium
import torch


def main() -> None:
    env = gymnasium.make("CartPole-v1")
    policy = torch.nn.Linear(4, 2).cuda()
    optimizer = torch.optim.Adam(policy.parameters())
    for episode in range(10_000):
        observation, _ = env.reset()
        done = False
        while not done:
            logits = policy(torch.from_numpy(observation).cuda())  # sync: SYN402
            action = logits.argmax().item()  # sync: SYN201
            observation, reward, done, _, _ = env.step(action)
        loss = -reward * logits.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()


# case: loop-over-parameters-at-the-start
import torch


def main() -> None:
    model = torch.nn.Linear(8, 8).cuda()
    for parameter in model.parameters():
        print(parameter.norm().item())  # once: SYN201


main()


# case: optimizer-that-steps-in-a-method
import torch
from torch import Tensor, nn


class Master:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def optimize(self, optimizer: torch.optim.Optimizer) -> None:
        self.log_norms()
        optimizer.step()

    def log_norms(self) -> None:
        for parameter in self.model.parameters():
            norm = parameter.norm()
            print(norm.item())  # sync: SYN201


def main() -> None:
    model = nn.Linear(8, 8).cuda()
    master = Master(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(1000):
        loss = model(torch.rand(4, 8, device="cuda")).sum()
        loss.backward()
        master.optimize(optimizer)


main()


# case: closure-that-a-training-loop-calls
import torch
from torch.utils.data import DataLoader


def main(data: DataLoader) -> None:
    model = torch.nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def forward_backward() -> None:
        loss = model(torch.rand(4, 8, device="cuda")).sum()
        print(loss.item())  # sync: SYN201
        loss.backward()

    for step in range(1000):
        forward_backward()
        optimizer.step()


# case: micro-batches-do-not-make-a-step-an-epoch
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, batches, micro_steps: int) -> None:
    step = 0
    while True:
        total = torch.zeros((), device="cuda")
        for micro_step in range(micro_steps):
            loss = model(next(batches))
            loss.backward()
            total += loss.detach()
        optimizer.step()
        print(total.item())  # sync: SYN201
        step += 1


# case: levels-with-an-optimizer-each-that-is-looked-up
import torch
from torch.nn import functional as F


def train(models, rays, levels: int, steps: int, device: torch.device) -> None:
    for step in range(steps):
        batch = rays[step].sample(1024).cuda()
        for level in range(levels):
            net, optimizer = models[f"net_{level}"], models["optimizer_{}".format(level)]
            if level == 0:
                depths = torch.linspace(0, 1, 64).cuda()  # sync: SYN402
            loss = F.mse_loss(net(batch, depths), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if step % 100 == 0:
            print(loss.item())  # interval: SYN201


# case: optimizers-that-take-turns-are-stepped-in-steps
import torch
from torch.nn import functional as F


def train(model, batches, optimizers, epochs: int, device: torch.device) -> None:
    for epoch in range(epochs):
        table = torch.linspace(0, 1, 64).cuda()  # epoch: SYN402
        for step in range(1000):
            batch = batches[step]
            optimizer = optimizers[step % 2]
            if step == 0:
                print(table.sum().item())  # interval: SYN201
            loss = F.mse_loss(model(batch, table), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: phases-with-an-optimizer-each
import torch


def train(phases, loader_iterator) -> None:
    seen = torch.zeros((), device="cuda")
    while True:
        images = next(loader_iterator)
        for phase in phases:
            phase.loss(images).backward()
            phase.opt.step()
        seen += 1
        if seen > 1000:  # sync: SYN301
            break


# case: epochs-around-batches
import torch
from torch.utils.data import DataLoader


def train(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, epochs: int) -> None:
    for epoch in range(epochs):
        total = torch.zeros((), device="cuda")
        for batch in loader:
            loss = model(batch.cuda(non_blocking=True)).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
            print(loss.item())  # sync: SYN201
        print(total.item())  # epoch: SYN201
    print(loss.item())  # once: SYN201


# case: epochs-around-a-function-that-trains
import torch
from torch.utils.data import DataLoader


def train_one_epoch(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer) -> torch.Tensor:
    total = torch.zeros((), device="cuda")
    for inputs, targets in loader:
        loss = (model(inputs.cuda()) - targets.cuda()).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total


def main(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer) -> None:
    for _ in range(90):
        total = train_one_epoch(model, loader, optimizer)
        print(total.item())  # epoch: SYN201


# case: clearing-gradients-decides-nothing
import torch


def prepare(models: list[torch.nn.Module]) -> None:
    for model in models:
        model.zero_grad()


def main() -> None:
    weight = torch.rand(8, device="cuda")
    prepare([torch.nn.Linear(8, 8)])
    print(weight.sum().item())  # once: SYN201


main()


# case: generator-that-a-training-loop-asks
import torch


def batches(size: int):
    start = torch.rand(1, device="cuda")
    print(start.item())  # once: SYN201
    while True:
        rows = torch.rand(size, 8)
        yield rows.cuda()  # sync: SYN402


def main(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    data = batches(32)
    for step in range(1000):
        model(next(data)).sum().backward()
        optimizer.step()


main(torch.nn.Linear(8, 8), torch.optim.SGD([], lr=0.1))


# case: constructor-that-each-step-calls
import torch


class Found:
    def __init__(self, scores: torch.Tensor) -> None:
        self.best = scores.max().item()  # sync: SYN201


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.rand(3, device="cuda").max().item()  # once: SYN201

    def forward(self, x: torch.Tensor) -> Found:
        return Found(x)


# case: name-that-a-call-in-a-step-outdoes
import torch


class Average:
    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model

    def state_dict(self) -> dict[str, float]:
        return {name: p.norm().item() for name, p in self.model.named_parameters()}  # sync: SYN201


class Sleeper:
    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model

    def state_dict(self) -> dict[str, float]:
        return {name: p.norm().item() for name, p in self.model.named_parameters()}  # once: SYN201


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    average = Average(model)
    for step in range(1000):
        model(torch.rand(8, device="cuda")).sum().backward()
        optimizer.step()
        average.state_dict()


# case: method-called-on-something-unknown
import torch


class Recorder:
    def record_losses(self, losses: torch.Tensor) -> None:
        print(losses.mean().item())  # interval: SYN201


def train(model, optimizer, recorders, loader) -> None:
    for step, batch in enumerate(loader):
        loss = model(batch)
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            for recorder in recorders.values():
                recorder.record_losses(loss)


# case: function-handed-to-a-launcher
import torch
import torch.multiprocessing as mp


def work(rank: int) -> None:
    weight = torch.rand(8, device="cuda")
    print(weight.sum().item())  # once: SYN201


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)


# case: functions-that-call-each-other
import torch


def even(x: torch.Tensor, n: int) -> float:
    return x.sum().item() if n == 0 else odd(x, n - 1)  # sync: SYN201


def odd(x: torch.Tensor, n: int) -> float:
    return x.mean().item() if n == 0 else even(x, n - 1)  # sync: SYN201


# case: steps-of-an-environment-beside-a-training-loop
import torch


def learn(policy, envs, optimizer, device) -> None:
    observation = torch.zeros(8, 4, device=device)
    for update in range(1000):
        for step in range(128):
            action = policy(observation).argmax(dim=1)
            observation, reward, done, info = envs.step(action.cpu().numpy())  # cold: SYN204
            observation = torch.from_numpy(observation).to(device)  # cold: SYN402
            print(action.sum().item())  # sync: SYN201
        for epoch in range(4):
            loss = policy(observation).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(loss.item())  # epoch: SYN201


# case: steps-of-an-environment-in-a-method
import torch


class Collector:
    def __init__(self, env, policy) -> None:
        self.env = env
        self.policy = policy

    def advance(self, observation: torch.Tensor) -> torch.Tensor:
        action = self.policy(observation).argmax().item()  # sync: SYN201
        after, reward, done, info = self.env.step(action)
        return torch.from_numpy(after).cuda()  # sync: SYN402

    def collect(self, observation: torch.Tensor, count: int) -> torch.Tensor:
        for _ in range(count):
            observation = self.advance(observation)
        return observation


def learn(env, policy, optimizer, observation: torch.Tensor) -> None:
    collector = Collector(env, policy)
    for update in range(1000):
        observation = collector.collect(observation, 256)
        for batch in range(8):
            loss = policy(observation).sum()
            loss.backward()
            optimizer.step()
        print(loss.item())  # epoch: SYN201


# case: gradient-steps-in-each-step-of-an-environment
import torch


def learn(env, policy, optimizer, start: torch.Tensor) -> None:
    observation = start
    for step in range(1_000_000):
        action = policy(observation).argmax().item()  # cold: SYN201
        observation, reward, terminated, truncated, info = env.step(action)
        for _ in range(update_count):
            loss = policy(start).sum()
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: SYN201


# case: updates-by-the-dozen-after-each-step-of-an-environment
import torch


class Agent:
    def __init__(self, policy, optimizer) -> None:
        self.policy = policy
        self.optimizer = optimizer

    def surprise(self, observation: torch.Tensor) -> float:
        return self.policy(observation).std().item()  # sync: SYN201

    def update(self, replayed) -> None:
        loss = self.policy(replayed).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def learn(env, policy, optimizer, replay) -> None:
    agent = Agent(policy, optimizer)
    observation = env.reset()
    for step in range(1_000_000):
        observation, reward, done, info = env.step(env.action_space.sample())
        print(agent.surprise(observation))
        if step >= 1000:
            for _ in range(update_count):
                agent.update(replay.sample(64))


if __name__ == "__main__":
    learn(make_environment(), torch.nn.Linear(8, 2).cuda(), make_optimizer(), make_replay())


# case: steps-of-an-environment-in-an-evaluation
import torch


def evaluate(env, policy, observation: torch.Tensor) -> None:
    for step in range(1000):
        action = policy(observation).argmax().item()  # eval: SYN201
        observation, reward, done, info = env.step(action)


# case: steps-of-a-schedule-are-none-of-an-environment
import torch


def learn(policy, schedule, optimizer, batch: torch.Tensor) -> None:
    for update in range(1000):
        for name in schedule.order():
            first, second = schedule.step(name)
            print(policy(batch).sum().item())  # epoch: SYN201
        for epoch in range(4):
            loss = policy(batch).sum()
            loss.backward()
            optimizer.step()


# case: what-the-user-of-a-program-lists
import argparse

import torch


def convert(path: str) -> None:
    state = torch.load(path, map_location="cpu")
    model = torch.nn.Linear(8, 8).cuda()
    model.load_state_dict(state)
    print(model.weight.norm().item())  # once: SYN201


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("signatures", nargs="*")
    args = parser.parse_args()
    for signature in args.signatures:
        convert(signature)


if __name__ == "__main__":
    main()


# case: first-batch-of-a-loader
import torch


def prepare(model: torch.nn.Module, loaders: dict) -> None:
    for name in loaders:
        sample = next(iter(loaders[name]))
        print(name, model(sample).sum().item())  # once: SYN201


def main(model: torch.nn.Module, loaders: dict, optimizer: torch.optim.Optimizer) -> None:
    prepare(model, loaders)
    for batch in loaders["train"]:
        model(batch).sum().backward()
        optimizer.step()


# case: what-a-loop-over-batches-leaves-is-stepped-behind-it
import torch


def train_one_epoch(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> torch.Tensor:
    total = torch.zeros((), device="cuda")
    for index, (inputs, labels) in enumerate(loader):
        loss = model(inputs).sum()
        loss.backward()
        total += loss.detach()
        if (index + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()
    optimizer.zero_grad()
    return total


def main(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    for epoch in range(1000):
        print(train_one_epoch(model, loader, optimizer).item())  # epoch: SYN201


# case: step-on-all-batches-in-place-of-a-loop-over-them
import torch


def step(model: torch.nn.Module, batch: torch.Tensor, optimizer: torch.optim.Optimizer) -> torch.Tensor:
    loss = model(batch).sum()
    loss.backward()
    optimizer.step()
    return loss.detach()


def step_on_all(model: torch.nn.Module, batches: list[torch.Tensor], optimizer: torch.optim.Optimizer) -> torch.Tensor:
    optimizer.zero_grad()
    loss = model(torch.cat(batches)).sum()
    loss.backward()
    optimizer.step()
    return loss.detach()


def train_one_epoch(
    model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer, batches: list[torch.Tensor] | None
) -> torch.Tensor:
    if batches is not None:
        return step_on_all(model, batches, optimizer)
    for batch in loader:
        loss = step(model, batch, optimizer)
    return loss


def main(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer, batches: list[torch.Tensor] | None) -> None:
    for epoch in range(1000):
        print(train_one_epoch(model, loader, optimizer, batches).item())  # epoch: SYN201


# case: first-batch-of-a-loop-that-ends-with-break
import torch


def prepare(model: torch.nn.Module, loader) -> None:
    for inputs, labels in loader:
        print(model(inputs).sum().item())  # once: SYN201
        break


def main(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    prepare(model, loader)
    for inputs, labels in loader:
        model(inputs).sum().backward()
        optimizer.step()


# case: loop-that-hands-training-to-a-framework
import torch
from flashy import BaseSolver


class Solver(BaseSolver):
    def __init__(self, model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
        super().__init__()
        self.model, self.loader, self.optimizer = model.cuda(), loader, optimizer

    def run(self) -> None:
        for epoch in range(self.epoch, 1000):
            self.run_stage("train", self.train)
            print(self.model.weight.norm().item())  # epoch: SYN201

    def train(self) -> None:
        for batch in self.loader:
            loss = self.model(batch).sum()
            loss.backward()
            self.optimizer.step()
            print(loss.item())  # sync: SYN201


def main(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer) -> None:
    Solver(model, loader, optimizer).run()


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8), [], None)


# case: processes-that-take-turns-are-few
import torch
import torch.distributed as dist


def main() -> None:
    weight = torch.rand(3, 3)
    for turn in range(dist.get_world_size()):
        if turn == dist.get_rank():
            weight = weight.cuda()  # once: SYN402
        dist.barrier()  # once: SYN603
    for other in range(1, dist.get_world_size()):
        dist.send(weight, other)
        print(weight.sum().item())  # once: SYN201
    for number in range(weight.size(0)):
        print(weight[number].sum().item())  # sync: SYN201


main()


# case: gradients-that-a-solver-of-another-library-asks-for
import numpy as np
import scipy.optimize
import torch


def fit(model, examples: torch.Tensor) -> None:
    def loss_and_gradient(weights):
        torch.nn.utils.vector_to_parameters(torch.from_numpy(weights).cuda(), model.parameters())  # sync: SYN402
        loss = model(examples).pow(2).mean()
        loss.backward()
        return loss.item(), np.zeros(3)  # sync: SYN201

    scipy.optimize.fmin_l_bfgs_b(loss_and_gradient, np.zeros(3), maxiter=25)


def main(world, model) -> None:
    for _ in range(1000):
        seen = []
        for _ in range(2048):
            picture, reward, over, more = world.step(model(picture).argmax())
            seen.append(picture)
        examples = torch.from_numpy(np.stack(seen)).cuda()  # sync: SYN402
        fit(model, examples)


if __name__ == "__main__":
    main(None, torch.nn.Linear(3, 3))


# case: gradients-of-parameters-are-those-of-a-training-step
import math

import torch


def natural_step(model, examples: torch.Tensor) -> None:
    loss = model(examples).mean()
    gradients = torch.autograd.grad(loss, model.parameters())
    direction = torch.cat([gradient.view(-1) for gradient in gradients])
    length = math.sqrt(0.01 / direction.dot(direction))  # sync: SYN203
    for weight, gradient in zip(model.parameters(), gradients):
        weight.data.add_(gradient, alpha=-length)


def main(world, model) -> None:
    for _ in range(1000):
        picture = torch.zeros(3, device="cuda")
        for _ in range(2048):
            picture, reward, over, more = world.step(model(picture).argmax())
        natural_step(model, picture)


# case: gradients-of-an-input-are-no-training-step
import torch


def saliency(model, picture: torch.Tensor) -> float:
    (found,) = torch.autograd.grad(model(picture).sum(), picture)
    return found.abs().max().item()  # epoch: SYN201


def main(world, model) -> None:
    for _ in range(1000):
        picture = torch.zeros(3, device="cuda")
        for _ in range(2048):
            picture, reward, over, more = world.step(model(picture).argmax())
        print(saliency(model, picture))


if __name__ == "__main__":
    main(None, torch.nn.Linear(3, 3))


# case: a-viewer-asks-over-a-socket-within-the-training-loop
# file: viewer.py
import socket

import torch

connection = None
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def connect() -> None:
    global connection
    connection, _ = listener.accept()


def read() -> bytes:
    return connection.recv(4)


def asked() -> torch.Tensor:
    return torch.tensor(list(read())).cuda()  # once: SYN402


# file: case.py
import torch
import viewer
from torch import nn
from torch.utils.data import DataLoader


def shown(model: nn.Module, pose: torch.Tensor) -> torch.Tensor:
    return model(pose).cpu()  # once: SYN204


def main() -> None:
    model = nn.Linear(3, 3).cuda()
    optimizer = torch.optim.SGD(model.parameters())
    for x in DataLoader([], num_workers=2):
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201
        while viewer.connection is not None:
            pose = viewer.asked()
            viewer.connection.send(shown(model, pose).numpy())


if __name__ == "__main__":
    main()


# case: batches-over-a-pipe-or-a-socket-are-trained-on
import socket

import torch
from torch import nn


def taken(connection: socket.socket, size: int) -> torch.Tensor:
    return torch.frombuffer(connection.recv(size), dtype=torch.float32).cuda()  # sync: SYN402


def main(pipe, size: int) -> None:
    connection, _ = socket.socket().accept()
    model = nn.Linear(3, 3).cuda()
    optimizer = torch.optim.SGD(model.parameters())
    while True:
        optimizer.zero_grad()
        loss = model(taken(connection, size) + pipe.recv()).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201


def play(model: nn.Module, pipe) -> None:
    while True:
        print(model(pipe.recv()).sum().item())  # sync: SYN201


# case: what-is-done-at-the-end-of-an-episode
import numpy as np
import torch


def collect(envs, policy, value_net, observation: torch.Tensor, shown: list[float]) -> None:
    returns = torch.zeros(8, device="cuda")
    for step in range(1_000_000):
        chosen = policy(observation)
        actions = chosen.cpu().numpy()  # cold: SYN204
        following, rewards, terminated, truncated, infos = envs.step(actions)
        dones = np.logical_or(terminated, truncated)
        for index, done in enumerate(dones):
            if done and infos[index].get("cut"):
                rewards[index] += returns[index].item()  # interval: SYN201
        if terminated[0] | truncated[0]:
            shown.append(returns.sum().item())  # interval: SYN201
        if not terminated.any():
            shown.append(returns.max().item())  # sync: SYN201
        if rewards.any():
            shown.append(returns.min().item())  # sync: SYN201
        loss = value_net(observation).mean()
        loss.backward()


class Counted:
    def __init__(self, env) -> None:
        self.env = env
        self.total = torch.zeros((), device="cuda")

    def step(self, action):
        observation, reward, self.done, info = self.env.step(action)
        self.total += reward
        if self.done:
            info["return"] = self.total.item()  # interval: SYN201
        return observation, reward, self.done, info


# case: what-constructors-do-prepares-the-work-of-a-program
import torch


class Graphs:
    def __init__(self, model: torch.nn.Module, sizes: list[int]) -> None:
        self.model = model
        self.capture(sizes)

    def capture(self, sizes: list[int]) -> None:
        for size in sizes:
            print(self.model(torch.zeros(size, device="cuda")).sum().item())  # once: SYN201


class Server:
    def __init__(self, sizes: list[int]) -> None:
        self.model = torch.nn.Linear(3, 3).cuda()
        self.graphs = Graphs(self.model, sizes)

    def serve(self, requests) -> None:
        while True:
            x = requests.get()
            print(self.model(torch.zeros(x, device="cuda")).sum().item())  # sync: SYN201


def main(options, requests) -> None:
    server = Server(options.sizes)
    server.serve(requests)


if __name__ == "__main__":
    main(read_options(), make_requests())


# case: training-that-is-tried-again
import torch


def train(batches: torch.utils.data.DataLoader, net: torch.nn.Module, solver: torch.optim.Optimizer) -> None:
    best = torch.zeros((), device="cuda")
    print(best.item())  # once: SYN201
    for batch in batches:
        net(batch).sum().backward()
        solver.step()


def main(batches: torch.utils.data.DataLoader) -> None:
    net = torch.nn.Linear(4, 2).cuda()
    while True:
        try:
            return train(batches, net, torch.optim.SGD(net.parameters(), lr=0.1))
        except torch.cuda.OutOfMemoryError:
            print("again")


if __name__ == "__main__":
    main(torch.utils.data.DataLoader([], num_workers=2, pin_memory=True))


# case: process-that-serves
import multiprocessing

import torch


class Server:
    def __init__(self, net: torch.nn.Module) -> None:
        self.net = net
        self.waiting: list[torch.Tensor] = []

    def run(self) -> None:
        while True:
            self.answer(torch.ones(4, device="cuda"))

    def answer(self, tokens: torch.Tensor) -> None:
        print(self.net(tokens).argmax().item())  # sync: SYN201


def serve(rank: int) -> None:
    print(torch.ones(4, device="cuda").sum().item())  # once: SYN201
    Server(torch.nn.Linear(4, 2).cuda()).run()


def launch(count: int, work) -> None:
    for rank in range(count):
        multiprocessing.Process(target=work, args=(rank,)).start()


if __name__ == "__main__":
    launch(8, serve)


# case: server-that-goes-on-without-a-request
import multiprocessing

import torch
import zmq


class Plan(torch.nn.Module):
    def __init__(self, net: torch.nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.net(tokens)


class Server:
    def __init__(self, socket, net: torch.nn.Module) -> None:
        self.socket, self.net = socket, net
        self.waiting = []

    def poll(self) -> None:
        self.waiting.append(self.socket.recv(zmq.NOBLOCK))

    def expired(self, waiting_batches) -> list[int]:
        return [self.late(batch) for batch in waiting_batches] + self.all_late(waiting_batches)

    def all_late(self, waiting_batches) -> list[int]:
        late = []
        for batch in waiting_batches:
            if batch.is_late():
                late.append(batch.number)
        return late

    def run(self) -> None:
        while True:
            self.poll()
            self.expired(self.waiting)
            print(Plan(self.net)(torch.ones(4, device="cuda")).argmax().item())  # sync: SYN201


def serve(address: str) -> None:
    Server(zmq.Context().socket(address), torch.nn.Linear(4, 2).cuda()).run()


if __name__ == "__main__":
    multiprocessing.Process(target=serve, args=("tcp://*:5555",)).start()


# case: steps-in-an-environment-of-which-every-fourth-is-followed-by-an-update-are-training
import torch


class Agent:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(4, 2).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters())

    def learn(self, memory) -> None:
        loss = self.net(memory.sample()).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        print(loss.item())  # sync: SYN201


def train(env, agent: Agent, memory, count: int) -> None:
    state = torch.zeros(4, device="cuda")
    for t in range(count):
        seen, reward, done = env.step(agent.net(state))
        print(state.sum().item())  # sync: SYN201
        if t % 4 == 0:
            agent.learn(memory)


if __name__ == "__main__":
    train(None, Agent(), None, 10_000)


# case: steps-in-an-environment-that-are-gone-over-every-few-hundred-are-training-and-that-is-an-epoch
import torch


class Agent:
    def __init__(self) -> None:
        self.net = torch.nn.Linear(4, 2).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters())

    def update(self, memory) -> None:
        kept = torch.ones(4, device="cuda")
        print(kept.sum().item())  # epoch: SYN201
        for batch in memory.batches():
            loss = self.net(batch).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(loss.item())  # sync: SYN201


def train(env, agent: Agent, memory, count: int) -> None:
    state = torch.zeros(4, device="cuda")
    for t in range(count):
        seen, reward, done = env.step(agent.net(state))
        print(state.sum().item())  # sync: SYN201
        if t % 400 == 0:
            agent.update(memory)


def play(env, agent: Agent, count: int) -> None:
    state = torch.zeros(4, device="cuda")
    for t in range(count):
        seen, reward, done = env.step(agent.net(state))
        print(state.sum().item())  # eval: SYN201


if __name__ == "__main__":
    agent = Agent()
    train(None, agent, None, 10_000)
    play(None, agent, 10_000)


# case: numbers-of-batches-are-no-batches
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.most = most

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n_batches = x.shape[0] // self.most
        parts = [self.encoder(x[: self.most])]
        for i in range(1, n_batches):
            parts.append(self.encoder(x[i * self.most : (i + 1) * self.most]))
        return torch.cat(parts)


class Model:
    def __init__(self) -> None:
        self.model = Autoencoder(16)

    def training_step(self, x: torch.Tensor) -> torch.Tensor:
        return self.shared_step(x)

    def shared_step(self, x: torch.Tensor) -> torch.Tensor:
        loss = self.model(x).sum()
        print(loss.item())  # sync: SYN201
        return loss


# case: what-an-optimizer-solves-in-turn-is-no-result
import torch


def solved(rows: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    return torch.linalg.solve_triangular(q, rows, upper=True, left=False)


def balanced(rows: torch.Tensor, factors: list[torch.Tensor]) -> torch.Tensor:
    for q in factors:
        rows = solved(rows, q)
    return rows


def bound(a: torch.Tensor) -> torch.Tensor:
    columns, _ = torch.max(torch.sum(a, dim=0), 0)
    rows, _ = torch.max(torch.sum(a, dim=1), 0)
    if columns > rows:  # sync: SYN301
        return columns
    return rows


class Whitened(torch.optim.Optimizer):
    def __init__(self, params, lr: float = 0.1) -> None:
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            update = group.get("update", None)
            for p in group["params"]:
                if callable(update):
                    update = update(self.state[p]["step"])
                a = balanced(p.grad, self.state[p]["factors"])
                for q in self.state[p]["factors"]:
                    q.sub_(a / bound(a + q))


# case: what-is-brought-in-the-first-round-stays-there
import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader


def train(model: nn.Module, optimizer: Optimizer, loader: DataLoader, means: list[float], epochs: int) -> None:
    mean = torch.tensor(means).view(1, 3, 1, 1)
    state = torch.zeros(8)
    for _ in range(epochs):
        scale = torch.ones(8)
        for batch in loader:
            image = batch["image"].cuda()  # sync: SYN402
            mean = mean.to(device=image.device, dtype=image.dtype)  # cold: SYN402
            scale = scale.to(image.device)  # cold: SYN402
            state = state.to(image.device)  # sync: SYN402
            score, state = model(image - mean, state.detach().cpu())  # sync: SYN204
            (score * scale).mean().backward()
            optimizer.step()


# case: backward-passes-that-a-clock-is-read-around-are-measured
import time

import torch


def attention(q):
    if q.sum() > 0:  # benchmark: SYN301
        return q * 2
    return q


def measure(rounds):
    q = torch.randn(8, device="cuda", requires_grad=True)
    torch.cuda.synchronize()  # benchmark: SYN601
    start = time.perf_counter()
    for _ in range(rounds):
        out = attention(q)
        torch.autograd.backward(out, torch.ones_like(out))
    torch.cuda.synchronize()  # benchmark: SYN601
    print(time.perf_counter() - start)


if __name__ == "__main__":
    measure(100)
