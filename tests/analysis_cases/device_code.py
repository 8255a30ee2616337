# case: a-kernel-is-compiled-and-not-run
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[1])
def summed(rows: int):
    @T.prim_func
    def kernel(values: T.Tensor((rows,), "float32"), result: T.Tensor((1,), "float32")):
        with T.Kernel(1) as block:
            if values[block] > 0:
                T.copy(values[block : block + 1], result)

    return kernel


def launch(values: torch.Tensor) -> torch.Tensor:
    return summed(4)(values.cuda())


# case: kernels-of-other-languages
import cutlass.cute as cute
import torch
import triton
from numba import cuda


@triton.autotune(configs=[], key=[])
@triton.jit
def of_triton(values, size: int):
    if values > 0:
        values.item()


@cute.kernel
def of_cute(values: torch.Tensor):
    if values[0] > 0:
        values.item()


@cuda.jit
def of_numba(values: torch.Tensor):
    if values[cuda.grid(1)] > 0:
        values.item()


def launch(values: torch.Tensor) -> None:
    of_triton[(1,)](values, 4)
    of_cute(values)
    of_numba[1, 1](values)
    values.item()  # sync: SYN201


# case: a-method-that-is-a-kernel
import cutlass.cute as cute
import torch


class Attention:
    @cute.jit
    def __call__(self, values: torch.Tensor):
        if values[0] > 0:
            return values
        return None

    def of_the_host(self, values: torch.Tensor):
        if self(values) is None:
            return None
        return values.item()  # sync: SYN201


# case: other-decorators-of-the-same-name-run
import numba
import torch


def jit(function):
    return function


@jit
def own(values: torch.Tensor):
    return values.item()  # sync: SYN201


@torch.jit.script
def scripted(values: torch.Tensor):
    return values.item()  # sync: SYN201


@numba.jit(forceobj=True)
def of_the_host(values: torch.Tensor):
    return values.item()  # sync: SYN201


# case: a-language-that-the-project-hands-on
import torch

from languages import compiler


@compiler.jit
def kernel(values: torch.Tensor):
    if values > 0:
        values.item()


def launch(values: torch.Tensor) -> None:
    kernel[(1,)](values)


# file: languages.py
class Missing:
    def jit(self, function):
        return function


try:
    import triton as compiler
except ImportError:
    compiler = Missing()


# case: function-that-returns-where-something-is
import torch


def runs_elsewhere(device: torch.device) -> bool:
    """Whether the reference has to do, which is for all that has no kernel."""
    return device.type != "cuda"


def is_there(values: torch.Tensor) -> bool:
    return values.is_cuda


def is_small(values: torch.Tensor) -> bool:
    return values.shape[0] != 4


def launch(values: torch.Tensor, count: torch.Tensor) -> int:
    if runs_elsewhere(values.device):
        return count.item()
    if not is_there(values=values):
        return count.item()
    if is_small(values):
        return count.item()  # sync: SYN201
    if is_there(values):
        count.tolist()  # sync: SYN202
    return 0


# case: what-is-called-where-nothing-waits-for-a-gpu
import torch


def launch(values: torch.Tensor, rows: list) -> None:
    for row in rows:
        if values.device.type != "cuda":
            launch_reference(values, row)
            settle(values)
            continue
        small = [one.sum() for one in values if one.is_cpu]
        settle(values)
        if values.is_cuda:
            launch_kernel(values, row, small)
            continue
        compute_elsewhere(row, values.device)


def launch_reference(values: torch.Tensor, row: list) -> None:
    gathered(row, values.device)


def gathered(row: list, device: torch.device) -> list:
    return torch.tensor(row, device=device).cuda().tolist()  # unreached: SYN401, SYN202


def launch_kernel(values: torch.Tensor, row: list, small: list) -> None:
    values.item()  # sync: SYN201


def compute_elsewhere(row: list, device: torch.device) -> None:
    added(row, device)


def added(row: list, device: torch.device) -> torch.Tensor:
    return torch.tensor(row, device=device).cuda()  # unreached: SYN401


def settle(values: torch.Tensor) -> None:
    values.tolist()  # sync: SYN202
