# case: in-a-diamond-the-second-base-comes-before-what-both-share
import torch


class A:
    def score(self, x: torch.Tensor):
        return 1.0


class B(A):
    pass


class C(A):
    def score(self, x: torch.Tensor):
        return x.sum()


class D(B, C):
    def forward(self, x: torch.Tensor):
        if self.score(x) > 0:  # sync: SYN301
            return x


# case: super-goes-on-to-the-next-class-in-the-order-of-the-receiver
import torch


class A:
    def score(self, x: torch.Tensor):
        return 1.0


class B(A):
    def score(self, x: torch.Tensor):
        return super().score(x)


class C(A):
    def score(self, x: torch.Tensor):
        return x.sum()


class D(B, C):
    def forward(self, x: torch.Tensor):
        if self.score(x) > 0:  # sync: SYN301
            return x


def other(x: torch.Tensor):
    if B().score(x) > 0:
        return x


# case: super-with-arguments-begins-after-the-class-that-they-name
import torch


class A:
    def score(self, x: torch.Tensor):
        return x.sum()


class B(A):
    def score(self, x: torch.Tensor):
        return 1.0


class C(B):
    def skips(self, x: torch.Tensor):
        if super(B, self).score(x) > 0:  # sync: SYN301
            return x

    def asks_the_next(self, x: torch.Tensor):
        if super(C, self).score(x) > 0:
            return x


# case: super-in-a-class-method-is-bound-to-the-class
import torch


class A:
    @classmethod
    def make(cls, x: torch.Tensor):
        return cls.score(x)

    @staticmethod
    def score(x):
        return 1.0


class B(A):
    @classmethod
    def make(cls, x: torch.Tensor):
        return super().make(x)

    @staticmethod
    def score(x):
        return x.sum()


def step(x: torch.Tensor):
    if B.make(x) > 0:  # sync: SYN301
        return x


# case: constructors-that-call-each-other-by-super-set-what-each-of-them-sets
import torch


class Base:
    def __init__(self, **given):
        pass


class Left(Base):
    def __init__(self, left, **given):
        super().__init__(**given)
        self.left = left


class Right(Base):
    def __init__(self, right=0, **given):
        super().__init__(**given)
        self.right = torch.ones(1, device="cuda")


class Both(Left, Right):
    def forward(self, x: torch.Tensor):
        if self.right > 0:  # sync: SYN301
            return x


# case: what-super-gives-of-torch-is-what-torch-gives
import torch


class Layer(torch.nn.Linear):
    def forward(self, x: torch.Tensor):
        y = super().forward(x)
        if y.sum() > 0:  # sync: SYN301
            return y


# case: bases-in-an-order-that-python-refuses-are-read-all-the-same
import torch


class A:
    def score(self, x: torch.Tensor):
        return x.sum()


class B(A):
    pass


class C(A, B):
    def forward(self, x: torch.Tensor):
        if self.score(x) > 0:  # sync: SYN301
            return x


# case: what-a-constructor-has-a-subclass-make-is-held-by-objects-of-that-subclass
import torch
from torch import Tensor, nn


class Asking(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 3:
            return x
        return x + 1


class Adding(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        return x + sizes[0]


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = self.make_part()
        self.rest = nn.Linear(3, 3)

    def make_part(self) -> nn.Module:
        raise NotImplementedError


class WithPair(Base):
    def make_part(self) -> nn.Module:
        return Asking()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, (3, 4))


class Between(Base):
    def run(self, x: Tensor) -> Tensor:
        return self.rest(self.use(x))


class WithTensor(Between):
    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class WithOther(Between):
    def make_part(self) -> nn.Module:
        return Other()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Other(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 5:  # sync: SYN301
            return x
        return x + 1


def train(x: Tensor) -> None:
    for model in (WithPair().cuda(), WithTensor().cuda()):
        model.use(x)
    WithTensor().run(x)


# case: a-class-between-holds-what-its-own-subclasses-make
import torch
from torch import Tensor, nn


class Asking(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 3:
            return x
        return x + 1


class Adding(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        return x + sizes[0]


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = self.make_part()

    def make_part(self) -> nn.Module:
        raise NotImplementedError


class WithPair(Base):
    def make_part(self) -> nn.Module:
        return Asking()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, (3, 4))


class Between(Base):
    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class WithTensor(Between):
    def make_part(self) -> nn.Module:
        return Adding()


class WithOther(Between):
    def make_part(self) -> nn.Module:
        return Other()


class Other(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 5:  # sync: SYN301
            return x
        return x + 1


def train(x: Tensor) -> None:
    for model in (WithPair().cuda(), WithTensor().cuda(), WithOther().cuda()):
        model.use(x)


# case: overrides-that-take-what-a-call-gives-where-the-method-itself-does-not
import torch
from torch import nn


class Brain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward_(self, x: torch.Tensor, count: int = None):
        return self.linear(x).repeat(count, 1)

    def rated(self, x: torch.Tensor, rate=1.0):
        return x.sum() * rate

    def shown(self, x: torch.Tensor):
        return x.sum().item()  # sync: SYN201


class Recurrent(Brain):
    def forward_(self, x: torch.Tensor, hidden: torch.Tensor, before: torch.Tensor, count: int = None):
        return self.linear(x + hidden + before).repeat(count, 1)

    def rated(self, x: torch.Tensor, *, scale):
        return float(x.sum() * scale)  # sync: SYN203


class Loss:
    def __call__(self, model: Brain, x: torch.Tensor, options):
        hidden = torch.transpose(x, 0, 1)
        loss = model.forward_(x, hidden, hidden, options.count).mean()
        print(model.rated(x, scale=2.0))
        print(model.shown(x, hidden))
        return loss


def train(loader, options) -> None:
    model = {"plain": Brain, "recurrent": Recurrent}[options.kind]().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    for x in loader:
        loss = Loss()(model, x.cuda(), options)  # sync: SYN402
        loss.backward()
        optimizer.step()


# case: methods-that-only-return-leave-the-work-to-others
import torch


def noted(source) -> None:
    print(float(source))  # sync: SYN203


class Connector:
    def use(self, operation) -> None:
        """Tell how to copy."""
        return

    def after(self, x: torch.Tensor) -> None:
        return

    def count(self, x: torch.Tensor):
        return len(x)


class Saving(Connector):
    def __init__(self) -> None:
        self.operation = None

    def use(self, operation) -> None:
        self.operation = operation

    def after(self, x: torch.Tensor) -> None:
        assert self.operation is not None
        self.operation(x)

    def count(self, x: torch.Tensor):
        return x.sum()


def train(loader, connector: Connector, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    connector.use(noted)
    for x in loader:
        loss = model(x.cuda()).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()
        connector.after(loss)
        if connector.count(x.cuda()) > 3:  # sync: SYN402
            break


# case: methods-with-which-subclasses-begin
import torch


class Platform:
    kind = "cuda"

    def __getattr__(self, name: str):
        return getattr(getattr(torch, self.kind), name, None)

    def name(self) -> str:
        return self.kind


class Nvidia(Platform):
    @classmethod
    def copied(cls, x: torch.Tensor) -> torch.Tensor:
        return x.cpu()  # sync: SYN204

    @property
    def limit(self) -> int:
        return 3


class Amd(Platform):
    @classmethod
    def copied(cls, x: torch.Tensor) -> torch.Tensor:
        return x.detach()

    @property
    def limit(self) -> torch.Tensor:
        return torch.ones((), device="cuda")


def train(platform: Platform, model: torch.nn.Module, optimizer: torch.optim.Optimizer, loader) -> None:
    copy = platform.copied
    for x in loader:
        x = x.to("cuda", non_blocking=True)
        model(x).sum().backward()
        optimizer.step()
        copy(x)
        if platform.limit > 2:  # sync: SYN301
            x = x * 2
        if platform.name() == "cuda":
            x = x * 3


# case: many-classes-hold-each-what-it-makes-itself
import torch
from torch import Tensor, nn


class Asking(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 3:
            return x
        return x + 1


class Adding(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        return x + sizes[0]


class Base(nn.Module):
    def __init__(self, size) -> None:
        super().__init__()
        self.size = size
        self.part = self.make_part()

    def make_part(self) -> nn.Module:
        raise NotImplementedError


class First(Base):
    def __init__(self, size: float) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Asking()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, (3, 4))


class Second(Base):
    def __init__(self, size: int) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Third(Base):
    def __init__(self, size: int | None) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Fourth(Base):
    def __init__(self, size: str) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Fifth(Base):
    def __init__(self, size: str | None) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Sixth(Base):
    def __init__(self, size: list[int]) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Seventh(Base):
    def __init__(self, size: dict[str, int]) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Adding()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Zeroth(Base):
    def __init__(self, size: set[int]) -> None:
        super().__init__(size)

    def make_part(self) -> nn.Module:
        return Other()

    def use(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum(1))


class Other(nn.Module):
    def forward(self, x: Tensor, sizes: Tensor | tuple[int, int]) -> Tensor:
        if sizes[0] > 5:  # sync: SYN301
            return x
        return x + 1


def train(x: Tensor) -> None:
    made = (First(1.0), Second(1), Third(None), Fourth(""), Fifth(None), Sixth([1]), Seventh({"a": 1}), Zeroth({1}))
    for model in made:
        model.cuda().use(x)
