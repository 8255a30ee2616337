"""What the simulated device cannot do, said in one line that names the user's line.

A script that fails on the simulated device for a reason of its own ends as it would without a tracer. One that fails
because something is not simulated is told so, and what to do, instead of a traceback through PyTorch.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from synclint.trace.ownership import Owner, Ownership
from synclint.trace.records import CodeLine

ON_A_GPU = "trace it on a GPU, or leave it out for this run"


@dataclass(frozen=True)
class Limit:
    """An exception that a limit shows itself by: part of its message, and what to say, with the groups filled in."""

    pattern: re.Pattern[str]
    says: str
    then: str = ON_A_GPU


# Messages of PyTorch built without CUDA, and of the simulated device itself.
LIMITS = (
    Limit(re.compile(r"dummy base class _?CUDAGraph"), "CUDA graphs cannot be simulated"),
    Limit(re.compile(r"dummy base class (\w+)"), "torch.cuda's {0} cannot be simulated"),
    Limit(
        re.compile(r"invalid device ordinal .{0,200}there is no (cuda:\d+)"),
        "there is no {0} to simulate",
        "use one that exists",
    ),
    Limit(
        re.compile(r"the simulated device knows strided.{0,200} this one is (\S+)"),
        "{0} tensors cannot be simulated",
    ),
    Limit(
        re.compile(r"Could not run '([^']+)' with arguments from the '\w*(?:CPU|CUDA)' backend"),
        "{0} has a kernel for CUDA only, which cannot be simulated",
    ),
    Limit(
        re.compile(r"module 'torch\._C' has no attribute '_(cuda_\w+|cudnn\w*|nccl_\w+)'"), "{0} cannot be simulated"
    ),
    Limit(
        re.compile(r"(?:needs Gloo|group of \d+ processes)"),
        "a group of several processes cannot be simulated without Gloo",
    ),
    Limit(
        re.compile(r"Torch not compiled with CUDA enabled"),
        "something that this line calls needs PyTorch built for CUDA",
    ),
    Limit(
        re.compile(r"CUDA_HOME environment variable is not set|Ninja is required to load C\+\+ extensions|nvcc"),
        "kernels written for CUDA cannot be simulated",
    ),
    Limit(
        re.compile(r"[Nn]o module named '?(triton|pynvml|cupy|cuda|nvidia)\b"),
        "{0} needs a GPU and cannot be simulated",
    ),
    Limit(
        re.compile(r"[Nn]o module named '?(flash_attn|xformers|apex|transformer_engine|bitsandbytes)\b"),
        "the kernels of {0} cannot be simulated",
    ),
    Limit(
        re.compile(r"nvidia-ml-py"), "the driver's figures for utilization, temperature and power cannot be simulated"
    ),
    Limit(re.compile(r"(NVTX|NVML) (?:functions|library|is)"), "{0} cannot be simulated"),
    Limit(
        re.compile(r"0 active drivers|Triton.{0,80}(?:not installed|unavailable)"),
        "Triton's kernels cannot be simulated",
    ),
)


def explain(error: BaseException, ownership: Ownership) -> str | None:
    """One line about ``error`` if a limit of the simulated device caused it, None if it is the script's own.

    The line begins with the place in the user's code, as "train.py:31: ", where there is one.
    """
    for cause in _causes(error):
        limit = _limit_behind(str(cause))
        if limit is not None:
            place = _innermost(cause, ownership) or _innermost(error, ownership)
            where = f"{place.file}:{place.line}: " if place else ""
            return f"{where}{limit}"
    return None


def _limit_behind(message: str) -> str | None:
    for limit in LIMITS:
        found = limit.pattern.search(message)
        if found:
            return f"{limit.says.format(*found.groups())}: {limit.then}"
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and those that led to it, the last first."""
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _innermost(error: BaseException, ownership: Ownership) -> CodeLine | None:
    places: Iterable[CodeLine] = (
        CodeLine(frame.f_code.co_filename, line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    )
    own = [place for place in places if ownership.of(place.file) is Owner.USER]
    return own[-1] if own else None
