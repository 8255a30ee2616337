# case: what-a-call-by-name-hands-from-the-cpu-is-there
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        return self.model.embed_with_images(ids, is_image=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor | None = None) -> torch.Tensor:
        if is_image is None:
            return ids
        count = int(is_image.sum())
        return merged(ids, is_image, count)


def merged(ids: torch.Tensor, is_image: torch.Tensor, count: int) -> torch.Tensor:
    return ids[: count + is_image.sum().item()]


# case: nothing-is-concluded-where-one-call-by-name-hands-something-else
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        return self.model.embed_with_images(ids, is_image=is_image)

    def execute_on_device(self, ids: torch.Tensor):
        return self.model.embed_with_images(ids, is_image=ids > 5)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]  # sync: SYN201


# case: nothing-is-concluded-where-a-call-by-name-has-a-star
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int, options: dict):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        self.model.embed_with_images(ids, **options)
        return self.model.embed_with_images(ids, is_image=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]  # sync: SYN201


# case: a-call-that-cannot-be-one-of-the-method-tells-nothing-of-it
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        return self.model.embed_with_images(ids, is_image=is_image, is_other=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]  # sync: SYN201


# case: what-is-handed-on-is-where-it-was-handed-to-the-caller
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int):
        return self.embedded(ids, ([ids], torch.zeros(count, dtype=torch.bool)))

    def embedded(self, ids: torch.Tensor, images: tuple[list[torch.Tensor], torch.Tensor] | None):
        parts, is_image = images or (None, None)
        return self.model.embed_with_images(ids, parts, is_image=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, parts: list[torch.Tensor] | None, is_image: torch.Tensor):
        first = parts[0].sum().item() if parts is not None else 0  # sync: SYN201
        return ids[: is_image.sum().item() + first]


# case: a-module-that-is-called-with-lists-alone-is-given-no-tensor
import torch
from torch import nn


class Tower(nn.Module):
    def forward(self, pixels: torch.Tensor, sizes: torch.Tensor | list[list[int]]) -> torch.Tensor:
        if isinstance(sizes, torch.Tensor):
            sizes = sizes.tolist()
        return pixels[: sizes[0][0]]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = Tower()

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.tower(pixels, [[pixels.shape[0], 1]])


# case: a-module-that-is-called-with-something-unknown-may-be-given-a-tensor
import torch
from torch import nn


class Tower(nn.Module):
    def forward(self, pixels: torch.Tensor, sizes: torch.Tensor | list[list[int]]) -> torch.Tensor:
        if isinstance(sizes, torch.Tensor):
            sizes = sizes.tolist()  # sync: SYN202
        return pixels[: sizes[0][0]]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = Tower()

    def forward(self, pixels: torch.Tensor, batch: dict) -> torch.Tensor:
        self.tower(pixels, [[pixels.shape[0], 1]])
        return self.tower(pixels, batch["sizes"])


# case: what-a-module-of-unknown-class-is-handed-counts-as-well
import torch
from torch import nn


class Runner:
    def __init__(self, model: nn.Module):
        self.model = model

    def execute(self, ids: torch.Tensor, count: int):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        self.model.embed_with_images(ids, is_image=None)
        return self.model.embed_with_images(ids, is_image=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor | None) -> torch.Tensor:
        return ids if is_image is None else ids[: is_image.sum().item()]


# case: another-module-of-unknown-class-may-be-handed-anything
import torch
from torch import nn


class Runner:
    def __init__(self, model: nn.Module, batch: dict):
        self.model = model
        self.batch = batch

    def execute(self, ids: torch.Tensor, count: int):
        is_image = torch.zeros(count, dtype=torch.bool, device="cpu")
        self.model.embed_with_images(ids, is_image=self.batch["is_image"])
        return self.model.embed_with_images(ids, is_image=is_image)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]  # sync: SYN201


# case: however-many-calls-by-name-may-agree
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute_first(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_second(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_third(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_fourth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_fifth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_sixth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_seventh(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_eighth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_ninth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]


# case: the-ninth-call-by-name-counts-as-well
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def execute_first(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_second(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_third(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_fourth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_fifth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_sixth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_seventh(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_eighth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_ninth(self, ids: torch.Tensor, count: int):
        return self.model.embed_with_images(ids, is_image=torch.ones(count, dtype=torch.bool))

    def execute_tenth(self, ids: torch.Tensor):
        return self.model.embed_with_images(ids, is_image=ids > 5)


# file: model.py
import torch
from torch import nn


class Model(nn.Module):
    def embed_with_images(self, ids: torch.Tensor, is_image: torch.Tensor) -> torch.Tensor:
        return ids[: is_image.sum().item()]  # sync: SYN201


# case: what-has-a-method-of-the-project-has-others-of-it-too
import torch


class Trainer:
    def __init__(self, ranker, optimizer: torch.optim.Optimizer, ranks_all: bool):
        self.ranker = ranker
        self.optimizer = optimizer
        self.ranks_all = ranks_all

    def train(self, loader):
        for batch in loader:
            self.ranker.loss_of(batch).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self, val_loader):
        for batch in val_loader:
            if self.ranks_all:
                self.ranker.rank_all(batch)
            else:
                self.ranker.predict(batch)

    def fit(self, loader, val_loader):
        for epoch in range(100):
            self.train(loader)
            self.validate(val_loader)

    def scale(self, scaler, table):
        return scaler.transform(table)


# file: linear.py
import torch
from torch import nn


class Linear(nn.Module):
    def loss_of(self, batch: torch.Tensor) -> torch.Tensor:
        return batch.sum()

    def rank_all(self, batch: torch.Tensor) -> list[float]:
        return batch.tolist()  # eval: SYN202

    def predict(self, batch: torch.Tensor) -> float:
        return batch.sum().item()  # eval: SYN201

    def transform(self, batch: torch.Tensor) -> float:
        return batch.sum().item()  # sync: SYN201


# file: deep.py
import torch
from torch import nn


class Deep(nn.Module):
    def loss_of(self, batch: torch.Tensor) -> torch.Tensor:
        return batch.mean()

    def rank_all(self, batch: torch.Tensor) -> list[float]:
        return batch.tolist()  # eval: SYN202

    def predict(self, batch: torch.Tensor) -> float:
        return batch.mean().item()  # eval: SYN201


# case: attributes-whose-names-are-put-together
import torch
from torch import nn


class Model:
    def __init__(self) -> None:
        self.loss_names = ["real", "fake"]
        self.net = nn.Linear(3, 3).cuda()
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def step(self, x: torch.Tensor) -> None:
        self.loss_real = self.net(x).mean()
        self.loss_fake = self.loss_real.detach() * 2
        self.steps_real = 1
        self.optimizer.zero_grad()
        self.loss_real.backward()
        self.optimizer.step()

    def losses(self) -> dict:
        return {name: float(getattr(self, "loss_" + name)) for name in self.loss_names}  # sync: SYN203

    def steps(self) -> list:
        return [float(getattr(self, f"steps_{name}")) for name in self.loss_names]

    def has_started(self, name: str) -> bool:
        return getattr(self, "loss_" + name, None) is not None

    def is_high(self, name: str) -> bool:
        if getattr(self, "loss_" + name, 0.0) > 3:  # sync: SYN301
            return True
        return False


def train(batches: list) -> None:
    model = Model()
    for x in batches:
        model.step(x)
        print(model.losses(), model.steps(), model.has_started("real"), model.is_high("fake"))


if __name__ == "__main__":
    train([torch.rand(3, 3, device="cuda")])


# case: what-waits-under-the-calls-of-an-object-itself-waits-under-one-that-asks-something-unknown-as-well
import torch
from models import find
from torch.utils.data import DataLoader


class Base:
    def feed_data(self, data):
        raise NotImplementedError

    def validate_all(self, loader):
        with torch.no_grad():
            for val_data in loader:
                self.feed_data(val_data)


class Restorer(Base):
    def __init__(self, options):
        self.device = torch.device("cuda" if options["gpus"] else "cpu")
        self.net = torch.nn.Linear(4, 4).to(self.device)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def feed_data(self, data):
        self.inputs = data["inputs"].to(self.device)  # sync: SYN402

    def optimize_parameters(self):
        self.optimizer.zero_grad()
        self.net(self.inputs).sum().backward()
        self.optimizer.step()


def train(options, samples, others):
    loader, val_loader = DataLoader(samples, pin_memory=options["pins"]), DataLoader(others)  # cold: SYN702
    model = find(options)
    for step, data in enumerate(loader):
        model.feed_data(data)
        model.optimize_parameters()
        if step % 1000 == 0:
            model.validate_all(val_loader)


if __name__ == "__main__":
    train({"gpus": 1, "pins": False}, [], [])


# case: each-call-on-something-unknown-counts-however-many-there-are
import torch
from meters import find


class Meter:
    def __init__(self) -> None:
        self.sum = torch.zeros(4, device="cuda")

    def advance_all_sums(self, x: torch.Tensor) -> float:
        self.sum += x
        return self.sum.sum().item()  # sync: SYN201


def setup(x: torch.Tensor) -> None:
    find("average").advance_all_sums(x)
    find("balance").advance_all_sums(x)
    find("clip").advance_all_sums(x)
    find("decay").advance_all_sums(x)
    find("extend").advance_all_sums(x)
    find("filter").advance_all_sums(x)
    find("grow").advance_all_sums(x)
    find("halve").advance_all_sums(x)
    find("invert").advance_all_sums(x)


def train(model, optimizer, samples) -> None:
    meter = find("loss")
    for x in samples:
        loss = model(x)
        loss.sum().backward()
        optimizer.step()
        meter.advance_all_sums(loss.detach())


if __name__ == "__main__":
    setup(torch.zeros(4, device="cuda"))
    train(find("model"), find("optimizer"), [])
