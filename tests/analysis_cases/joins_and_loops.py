# case: the-tensor-is-the-last-of-eight-options
import torch


def check(kind: int) -> int:
    if kind == 0:
        v = 1
    elif kind == 1:
        v = "a"
    elif kind == 2:
        v = None
    elif kind == 3:
        v = [1]
    elif kind == 4:
        v = {}
    elif kind == 5:
        v = dict
    elif kind == 6:
        v = check
    else:
        v = torch.zeros(3, device="cuda").sum()
    reveal(v)  # revealed: Tensor[cuda, float, 0-d] | list[int 1] | {} | int 1 | str 'a' | def check | builtins.dict | None
    return 1 if v else 0  # sync: SYN301


# case: the-tensor-is-the-first-of-eight-options
import torch


def check(kind: int) -> int:
    if kind == 0:
        v = torch.zeros(3, device="cuda").sum()
    elif kind == 1:
        v = "a"
    elif kind == 2:
        v = None
    elif kind == 3:
        v = [1]
    elif kind == 4:
        v = {}
    elif kind == 5:
        v = dict
    elif kind == 6:
        v = check
    else:
        v = 1
    reveal(v)  # revealed: Tensor[cuda, float, 0-d] | list[int 1] | {} | int 1 | str 'a' | def check | builtins.dict | None
    return 1 if v else 0  # sync: SYN301


# case: a-key-of-one-dictionary-may-be-any-of-the-other
from torch import Tensor


def check(flag: bool, batch: dict[str, Tensor]) -> int:
    d = {"a": 1} if flag else batch
    reveal(d)  # revealed: {'a': Tensor | int 1, *: Tensor}
    reveal(d["a"])  # revealed: Tensor | int 1
    reveal(d["b"])  # revealed: Tensor
    return 1 if d["a"] else 0  # sync: SYN301


# case: dictionaries-of-other-keys
def check(flag: bool) -> None:
    d = {"a": 1, "c": 1.5} if flag else {"b": "x", "c": 2}
    reveal(d)  # revealed: {'a': int 1, 'b': str 'x', 'c': number}
    reveal(d["c"])  # revealed: number
    reveal(d["d"])  # revealed: unknown


# case: a-dictionary-after-an-update
from torch import Tensor


def check(x: Tensor, name: str) -> None:
    d = {"a": 1}
    d.update(b=x)
    reveal(d)  # revealed: {'a': int 1, 'b': Tensor}
    d[name] = x
    reveal(d)  # revealed: {'a': int 1, *: Tensor}
    reveal({**d, "a": "text"})  # revealed: {'a': str 'text', *: Tensor}
    reveal({"a": "text", **d})  # revealed: {'a': int 1, *: Tensor}
    reveal(dict(c=None))  # revealed: {'c': None}


# case: a-long-dictionary-keeps-the-tensor-among-its-values
import torch

TABLE = {
    "k00": 0, "k01": 0, "k02": 0, "k03": 0, "k04": 0, "k05": 0, "k06": 0, "k07": 0, "k08": 0, "k09": 0,
    "k10": 0, "k11": 0, "k12": 0, "k13": 0, "k14": 0, "k15": 0, "k16": 0, "k17": 0, "k18": 0, "k19": 0,
    "k20": 0, "k21": 0, "k22": 0, "k23": 0, "k24": 0, "k25": 0, "k26": 0, "k27": 0, "k28": 0, "k29": 0,
    "k30": 0, "k31": 0, "k32": 0, "k33": torch.ones(3, device="cuda").sum(),
}


def check(key: str) -> int:
    reveal(TABLE)  # revealed: {*: Tensor[cuda, float, 0-d] | int 0}
    return 1 if TABLE[key] else 0  # sync: SYN301


# case: a-tensor-on-the-cpu-beside-one-of-a-subclass
import torch


class Boxes(torch.Tensor):
    pass


def check(flag: bool, n: int) -> int:
    x = torch.zeros(3) if flag else Boxes(n)
    reveal(x)  # revealed: Tensor[cpu, float, 1-d] | Boxes()
    reveal(x.sum())  # revealed: Tensor[cpu?, 0-d]
    return 1 if x.sum() else 0  # sync: SYN301


# case: a-mask-of-a-subclass-beside-a-mask
import torch
from torch import Tensor


class Mask(torch.Tensor):
    pass


def check(x: Tensor, n: int, flag: bool) -> Tensor:
    mask = x > 0 if flag else Mask(n)
    return x[mask]  # sync: SYN103


# case: a-chain-of-five-assignments-in-a-loop
import torch


def check(n: int) -> int:
    a = b = c = d = e = 0
    count = 0
    for _ in range(n):
        reveal(a)  # revealed: Tensor[cuda, float, 0-d] | int 0
        if a:  # sync: SYN301
            count += 1
        a = b
        b = c
        c = d
        d = e
        e = torch.zeros(3, device="cuda").sum()
    return count


# case: a-chain-through-two-loops
import torch


def check(n: int) -> int:
    a = b = c = d = 0
    count = 0
    for _ in range(n):
        while count < n:
            count += 1
            if a:  # sync: SYN301
                count += 1
            a = b
            b = c
        c = d
        d = torch.zeros(3, device="cuda").sum()
    reveal(a)  # revealed: Tensor[cuda, float, 0-d] | int 0
    return count


# case: a-chain-in-the-innermost-of-six-loops
import torch


def check(n: int) -> int:
    a = b = c = 0
    count = 0
    for _ in range(n):
        for _ in range(n):
            for _ in range(n):
                for _ in range(n):
                    for _ in range(n):
                        for _ in range(n):
                            if a:  # sync: SYN301
                                count += 1
                            a = b
                            b = c
                            c = torch.zeros(3, device="cuda").sum()
    return count


# case: containers-that-grow-into-themselves
def check(n: int) -> None:
    pair = (1, None)
    for _ in range(n):
        pair = (1, pair)
    reveal(pair[0])  # revealed: int 1
    keys = {}
    for name in range(n):
        keys = {"inner": keys, "depth": name}
    reveal(keys["depth"])  # revealed: int


# case: a-list-that-a-loop-fills
import torch


def check(n: int) -> None:
    found = []
    for _ in range(n):
        found.append(torch.zeros(3, device="cuda"))
    reveal(found)  # revealed: list[*Tensor[cuda, float, 1-d]]
    first, *rest = found
    reveal(rest)  # revealed: list[*Tensor[cuda, float, 1-d]]
    reveal(found[0])  # revealed: Tensor[cuda, float, 1-d]
    reveal(found[1:])  # revealed: list[*Tensor[cuda, float, 1-d]]


# case: lists-of-two-lengths
from torch import Tensor


def check(flag: bool, x: Tensor) -> None:
    both = (x, 1) if flag else (x, "a", None)
    reveal(both)  # revealed: tuple[Tensor, int 1 | str 'a', *None]
    reveal(both[0])  # revealed: Tensor
    reveal(both[1])  # revealed: int 1 | str 'a'
    reveal([1, 2] if flag else (3, 4))  # revealed: sequence[int, int]


# case: numbers-and-texts-that-join
def check(flag: bool) -> None:
    reveal(1 if flag else 2)  # revealed: int
    reveal(1 if flag else 1.5)  # revealed: number
    reveal("a" if flag else "b")  # revealed: str
    reveal(None if flag else "b")  # revealed: str 'b' | None


# case: tensors-that-join
import torch


def check(flag: bool, n: int) -> None:
    reveal(torch.zeros(3) if flag else torch.ones(3, device="cuda"))  # revealed: Tensor[cpu?, float, 1-d]
    reveal(torch.zeros(3, 4, device="cuda") if flag else torch.ones(3, device="cuda"))  # revealed: Tensor[cuda, float]
    reveal(torch.zeros(3, device="cuda") > 0 if flag else torch.ones(3, device="cuda"))  # revealed: Tensor[cuda, 1-d]


# case: objects-of-a-few-classes
class Base:
    pass


class First(Base):
    pass


class Second(Base):
    pass


def check(flag: bool) -> None:
    reveal(First() if flag else Second())  # revealed: First() | Second()
    reveal(Second() if flag else First())  # revealed: First() | Second()
    reveal(First if flag else Second)  # revealed: type[First] | type[Second]


# case: objects-of-too-many-classes-are-of-what-they-have-in-common
import torch


class Base:
    def __init__(self):
        self.scale = torch.ones(1, device="cuda")


class A(Base): ...
class B(Base): ...
class C(Base): ...
class D(Base): ...
class E(Base): ...
class F(Base): ...
class G(Base): ...


def check(flag: int) -> int:
    made = [A(), B(), C(), D(), E(), F(), G()]
    reveal(made[flag])  # revealed: some Base()
    return 1 if made[flag].scale else 0  # sync: SYN301


# case: fields-of-records
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Batch:
    data: Tensor
    count: int


def check(flag: bool) -> None:
    first = Batch(torch.zeros(3, device="cuda"), 1)
    second = Batch(torch.ones(3, 4), 2)
    reveal(first)  # revealed: Batch(data=Tensor[cuda, float, 1-d], count=int 1)
    reveal(first.data)  # revealed: Tensor[cuda, float, 1-d]
    reveal(first if flag else second)  # revealed: Batch(count=int, data=Tensor[cpu?, float])
    reveal(first.count)  # revealed: int 1


# case: class-attributes-and-methods
import torch


class Meter:
    kind = "mean"

    def __init__(self, size: int):
        self.total = torch.zeros(size, device="cuda")
        self.count = 0

    @property
    def mean(self):
        return self.total / self.count

    def reset(self):
        self.total = None


def check(meter: Meter) -> None:
    reveal(meter)  # revealed: Meter()
    reveal(meter.total)  # revealed: Tensor[cuda, float, 1-d] | None
    reveal(meter.count)  # revealed: int
    reveal(meter.mean)  # revealed: Tensor[cuda, float, 1-d]
    reveal(meter.kind)  # revealed: str 'mean'
    reveal(Meter)  # revealed: type[Meter]
    reveal(meter.reset)  # revealed: Meter().reset


# case: what-tests-leave
from torch import Tensor


def check(x: Tensor | None, y: int | Tensor | str) -> None:
    if x is not None:
        reveal(x)  # revealed: Tensor
    else:
        reveal(x)  # revealed: None
    if isinstance(y, Tensor):
        reveal(y)  # revealed: Tensor[likely]
    else:
        reveal(y)  # revealed: int | str


# case: containers-in-containers
from torch import Tensor


def check(x: Tensor, names: list[str]) -> None:
    nested = {"a": [x, {"b": (x, 1)}]}
    reveal(nested)  # revealed: {'a': list[Tensor, {'b': tuple[Tensor, int 1]}]}
    reveal(nested["a"][1]["b"][1])  # revealed: int 1
    reveal({name: x for name in names})  # revealed: {*: Tensor}
    reveal([(name, x) for name in names])  # revealed: list[*tuple[str, Tensor]]
    for name, value in {"p": x, "q": 1}.items():
        reveal(value)  # revealed: Tensor | int 1
    reveal(list(zip(names, [x])))  # revealed: list[*tuple[str, Tensor]]


# case: none-until-made-and-given-to-torch
import torch
from torch import Tensor


def direction(curvature, gradient: Tensor, exact: bool) -> Tensor:
    hessian = None
    if exact:
        hessian = curvature(gradient)
    return torch.linalg.solve(hessian, gradient)  # sync: SYN505


def normalized(x: Tensor, scale=None) -> Tensor:
    return torch.nn.functional.layer_norm(x, x.shape[-1:], scale)


# case: what-is-put-under-a-key-that-was-missing-is-what-was-there-before
import torch


class Collector:
    def __init__(self):
        self.held = {}
        self.moved = {}
        self.given = {}

    def update(self, name):
        if name not in self.held:
            self.held[name] = torch.zeros(3)
        reveal(self.held[name])  # revealed: Tensor[cpu, float, 1-d]
        self.held[name].copy_(torch.ones(3))

    def upload(self, name):
        if name not in self.moved:
            self.moved[name] = torch.zeros(3, device="cuda")
        self.moved[name].copy_(torch.ones(3))  # sync: SYN402

    def take(self, name, given):
        if name not in self.given:
            self.given[name] = torch.zeros(3)
        self.given[name].copy_(torch.ones(3))  # sync: SYN402
        self.given[f"{name}/given"] = given
