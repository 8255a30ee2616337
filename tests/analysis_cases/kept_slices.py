# case: the-bounds-of-a-slice-that-was-made-before-are-read-where-it-selects
from torch import Tensor


def segment(source: Tensor, starts: Tensor, row: int) -> Tensor:
    rows = slice(starts[row], starts[row + 1])
    return source[rows]  # sync: SYN207


def batched(source: Tensor, starts: Tensor, row: int) -> Tensor:
    rows = (slice(None), slice(starts[0, row], starts[0, row + 1]))
    return source[rows]  # sync: SYN207


def by_numbers(source: Tensor, starts: list[int], row: int) -> Tensor:
    rows = slice(starts[row], starts[row + 1])
    return source[rows]


# case: frequencies-are-made-on-the-host-whatever-their-number-is-taken-from
import torch


def wave_numbers(u, modes):
    dtype, device = u.dtype, u.device
    host = torch.fft.fftfreq(modes[0], d=1.0 / modes[0]).to(dtype).to(device)  # sync: SYN402
    return host, torch.fft.rfftfreq(modes[0], device=device)
