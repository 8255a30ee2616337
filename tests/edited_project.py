"""A small training project, and what people type into its functions."""

from __future__ import annotations

import ast
import random
import textwrap

TRAIN = '''\
import torch
from torch import nn
from losses import Weighted, masked
from model import Net, clip


def train(loader, device):
    net = Net(4).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = Weighted(scale=2.0)
    for step, batch in enumerate(loader):
        x, target = batch[0].to(device), batch[1].to(device)
        loss = criterion(net(x), target) + masked(x, target > 0)
        loss.backward()
        if step % 10 == 0:
            print(loss)
        clip(net.parameters(), 1.0)
        optimizer.step()
    return report(loss)


def report(loss):
    """What is told of a run."""
    total = loss.detach()
    return total.item()
'''
MODEL = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.count = 0

    def forward(self, x):
        y = self.linear(x)
        self.count = self.count + 1
        return self.scaled(y)

    def scaled(self, y):
        largest = y.abs().max()
        return y / largest


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.blocks = nn.ModuleList([Block(size) for _ in range(3)])
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        self.steps += 1
        return x


def clip(parameters, most):
    norms = []
    for parameter in parameters:
        norms.append(parameter.grad.norm())
    total = torch.stack(norms).norm()
    if total > most:
        for norm in norms:
            norm.mul_(most)
    return total
"""
LOSSES = '''\
import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, scale=1.0, weight=None):
        super().__init__()
        self.scale = scale
        self.weight = weight

    def forward(self, x, target):
        found = (x - target) ** 2
        if self.weight is not None:
            found = found * torch.tensor(self.weight, device=x.device)
        return self.scale * found.mean()


def masked(x, mask):
    """The mean of some elements, 0.0 without any."""
    chosen = x[mask]

    def mean(values):
        return values.mean()

    if chosen.numel() == 0:
        return 0.0
    return mean(chosen)


def unused(x):
    first = x[0]
    return first
'''
FILES = {"train.py": TRAIN, "model.py": MODEL, "losses.py": LOSSES}
# What people type into functions: waits, calls of other functions, other results, other attributes, what is no code.
TYPED = (
    "_a = {0}.item()",
    "if ({0} > 0).any(): pass",
    "print({0})",
    "_b = {0}[{0} > 0]",
    "for _i in range(3): _c = {0}.tolist()",
    "_d = 1",
    "# a comment",
    "_e = torch.tensor([1.0], device={0}.device)",
    "{0} = {0}.cpu()",
    "return {0}",
    "if {0} is None: return 3",
    "_f = [v.item() for v in {0}]",
    "_g = clip([{0}], 2.0)",
    "_h = masked({0}, {0})",
    "self.weight = {0}",
    "_k = lambda v: v.item()",
    "while {0}.sum() > 0: {0} = {0} - 1",
    "def _m(v):\n    return v.item()",
    "def _n():\n    return {0}.tolist()\n_n()",
    "_o = list(map(lambda v: v.cpu(), {0}))",
    "self.scale = lambda v: v * 2",
)
SAID = ("What is told.", "Args:\n        x (list[float]): numbers\n", "Args:\n        loss (torch.Tensor): it\n")


def after_typing(text: str, chosen: random.Random) -> str:
    """A statement more, or one less, in a function; now and then something else than that."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and len(node.body) > 1]
    lines = text.splitlines(keepends=True)
    said = [ast.get_docstring(function, clean=False) for function in functions]
    if chosen.random() < 0.1 and any(said):
        return text.replace(chosen.choice([one for one in said if one]), chosen.choice(SAID))
    if not functions or chosen.random() < 0.1:
        return f"{text}\nMORE = 1\n"
    function = chosen.choice(functions)
    statement = chosen.choice(function.body[1:])
    if chosen.random() < 0.25:
        del lines[statement.lineno - 1 : statement.end_lineno]
    else:
        names = [one.arg for one in function.args.args]
        typed = chosen.choice(TYPED).format(chosen.choice(names))
        lines.insert(statement.lineno - 1, textwrap.indent(f"{typed}\n", " " * statement.col_offset))
    return "".join(lines)
