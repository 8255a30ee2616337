# case: nvidia-01-event-record
import torch


def order(event: torch.cuda.Event) -> None:
    event.record()


# case: nvidia-02-event-wait
import torch


def order(event: torch.cuda.Event) -> None:
    event.wait()


# case: nvidia-03-event-synchronize
import torch


def wait(event: torch.cuda.Event) -> None:
    event.synchronize()  # sync: SYN601


# case: nvidia-04-stream-synchronize
import torch


def wait(stream: torch.cuda.Stream) -> None:
    stream.synchronize()  # sync: SYN601


# case: nvidia-05-device-synchronize
import torch


def wait() -> None:
    torch.cuda.synchronize()  # sync: SYN601


# case: nvidia-06-copy-to-the-host
from torch import Tensor


def fetch(x: Tensor) -> Tensor:
    host = x.cpu()  # sync: SYN204
    return host + x.to("cpu")  # sync: SYN204


# case: nvidia-07-copy-to-the-host-without-blocking
from torch import Tensor


def fetch(x: Tensor) -> Tensor:
    return x.to("cpu", non_blocking=True)


# case: nvidia-08-upload
import torch


def upload(n: int) -> torch.Tensor:
    c = torch.rand(n)
    first = c.cuda()  # sync: SYN402
    return first + c.to("cuda")  # sync: SYN402


# case: nvidia-09-upload-of-a-pinned-tensor-without-blocking
import torch


def upload(n: int) -> torch.Tensor:
    c = torch.rand(n, pin_memory=True)
    return c.cuda(non_blocking=True) + c.to("cuda", non_blocking=True)


# case: nvidia-10-type-by-dtype
import torch
from torch import Tensor


def cast(x: Tensor) -> Tensor:
    return x.type(torch.long)


# case: nvidia-11-type-by-legacy-host-type
import torch
from torch import Tensor


def cast(x: Tensor) -> Tensor:
    return x.type(torch.LongTensor)  # sync: SYN204


# case: nvidia-12-factory-on-the-host-then-upload
import torch


def zeros(n: int) -> torch.Tensor:
    return torch.zeros(n, device="cpu").to("cuda")  # sync: SYN402


# case: nvidia-13-tensor-from-a-number-on-the-device
import torch


def zero() -> torch.Tensor:
    return torch.tensor(0, device="cuda")  # sync: SYN401


# case: nvidia-14-tensor-from-a-number-then-upload
import torch


def zero() -> torch.Tensor:
    return torch.tensor(0).to("cuda")  # sync: SYN402


# case: nvidia-15-tensor-from-a-number-then-unpinned-upload
import torch


def zero() -> torch.Tensor:
    return torch.tensor(0).to("cuda", non_blocking=True)  # sync: SYN406


# case: nvidia-16-tensor-from-a-list-on-the-device
import torch


def levels(numbers: list[float]) -> torch.Tensor:
    return torch.tensor(numbers, device="cuda")  # sync: SYN401


# case: nvidia-17-tensor-from-an-array-on-the-device
import numpy as np
import torch


def levels(array: np.ndarray) -> torch.Tensor:
    return torch.as_tensor(array, device="cuda")  # sync: SYN401


# case: nvidia-18-tensor-from-an-array-on-the-host-then-unpinned-upload
import numpy as np
import torch


def levels(array: np.ndarray) -> torch.Tensor:
    c = torch.as_tensor(array, device="cpu")
    return c.to("cuda", non_blocking=True)  # sync: SYN406


# case: nvidia-19-legacy-device-constructor
import torch


def flags(values: list[bool]) -> torch.Tensor:
    return torch.cuda.BoolTensor(values)  # sync: SYN401


# case: nvidia-20-factories-on-the-device
import torch


def made(n: int) -> torch.Tensor:
    a = torch.zeros(n, device="cuda") + torch.ones(n, device="cuda")
    return a + torch.empty(n, device="cuda") + torch.randn(n, device="cuda")


# case: nvidia-21-item
from torch import Tensor


def read(x: Tensor) -> float:
    return x.sum().item()  # sync: SYN201


# case: nvidia-22-is-nonzero
import torch
from torch import Tensor


def check(x: Tensor) -> bool:
    return torch.is_nonzero(x.sum())  # sync: SYN206


# case: nvidia-23-truth-of-a-tensor
from torch import Tensor


def check(x: Tensor) -> int:
    if x:  # sync: SYN301
        return 1
    return 0


# case: nvidia-24-truth-of-a-comparison
from torch import Tensor


def check(x: Tensor) -> int:
    flag = x.sum() > 16
    if flag:  # sync: SYN301
        return 1
    return 0


# case: nvidia-25-truth-of-a-nan-test
from torch import Tensor


def check(x: Tensor) -> int:
    flag = x.isnan().any()
    if flag:  # sync: SYN301
        return 1
    return 0


# case: nvidia-26-condition-on-an-item
from torch import Tensor


def check(loss: Tensor, limit: float) -> int:
    if loss.item() > limit:  # sync: SYN201
        return 1
    return 0


# case: nvidia-27-builtin-max-and-min
from torch import Tensor


def extremes(x: Tensor) -> Tensor:
    high = max(x[0, 0], x[0, 1])  # sync: SYN304
    return high - min(x[0, 0], x[0, 1])  # sync: SYN304


# case: nvidia-28-torch-max
import torch
from torch import Tensor


def larger(a: Tensor, b: Tensor) -> Tensor:
    return torch.max(a, b)


# case: nvidia-29-sum-of-items
from torch import Tensor


def overflows(found_inf: dict[str, Tensor]) -> float:
    return sum(v.item() for v in found_inf.values())  # sync: SYN201


# case: nvidia-30-index-by-a-number
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    return x[0]


# case: nvidia-31-index-by-a-list
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    il = [0, 2, 5]
    return x[il]  # sync: SYN403


# case: nvidia-32-index-by-a-host-tensor
import torch
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    ic = torch.tensor([0, 2, 5])
    return x[ic]  # sync: SYN403


# case: nvidia-33-index-by-a-device-tensor
import torch
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    ig = torch.arange(3, device="cuda")
    return x[ig]


# case: nvidia-34-index-select
import torch
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    ig = torch.arange(3, device="cuda")
    return torch.index_select(x, 0, ig)


# case: nvidia-35-number-written-by-a-device-index
import torch
from torch import Tensor


def mark(x: Tensor) -> None:
    ig = torch.arange(3, device="cuda")
    x[ig] = 0  # sync: SYN404


# case: nvidia-36-device-scalar-written-by-a-device-index
import torch
from torch import Tensor


def mark(x: Tensor) -> None:
    ig = torch.arange(3, device="cuda")
    z = torch.zeros((), device="cuda")
    x[ig] = z


# case: nvidia-38-slices-by-numbers
from torch import Tensor


def cut(x: Tensor) -> Tensor:
    return x[8:16].sum() + x[:, 8:16].sum() + x[8:16, 8:16].sum()


# case: nvidia-39-slice-by-device-bounds
from torch import Tensor


def cut(x: Tensor, bounds: Tensor) -> Tensor:
    i, j = bounds[0], bounds[1]
    return x[i:j]  # sync: SYN207


# case: nvidia-40-slice-of-columns-by-device-bounds
from torch import Tensor


def cut(x: Tensor, bounds: Tensor) -> Tensor:
    i, j = bounds[0], bounds[1]
    return x[:, i:j]  # sync: SYN207


# case: nvidia-41-slice-of-both-by-device-bounds
from torch import Tensor


def cut(x: Tensor, bounds: Tensor) -> Tensor:
    i, j = bounds[0], bounds[1]
    return x[i:j, i:j]  # sync: SYN207


# case: nvidia-42-slice-by-a-device-index
import torch
from torch import Tensor


def cut(x: Tensor) -> Tensor:
    s = torch.arange(8, 16, device="cuda")
    return x[:, s] + x[s, :].T


# case: nvidia-43-nonzero
import torch
from torch import Tensor


def positions(m: Tensor) -> Tensor:
    return torch.nonzero(m)  # sync: SYN101


# case: nvidia-44-index-by-a-mask
from torch import Tensor


def kept(x: Tensor) -> Tensor:
    m = x > 0
    return x[m]  # sync: SYN103


# case: nvidia-45-where-with-one-argument
import torch
from torch import Tensor


def positions(m: Tensor) -> tuple[Tensor, ...]:
    return torch.where(m)  # sync: SYN101


# case: nvidia-46-index-by-the-positions-of-a-mask
import torch
from torch import Tensor


def kept(x: Tensor, m: Tensor) -> Tensor:
    return x[torch.where(m)]  # sync: SYN101


# case: nvidia-47-masked-select
import torch
from torch import Tensor


def kept(x: Tensor, m: Tensor) -> Tensor:
    return torch.masked_select(x, m)  # sync: SYN103


# case: nvidia-48-index-by-a-host-mask
import torch
from torch import Tensor


def kept(x: Tensor) -> Tensor:
    mc = torch.rand(len(x)) > 0.5
    return x[mc]


# case: nvidia-49-mask-copied-to-the-host-without-blocking
from torch import Tensor


def fetch(x: Tensor) -> Tensor:
    return (x > 0).to("cpu", non_blocking=True)


# case: nvidia-50-conjunction-with-a-mask
from torch import Tensor


def both(x: Tensor, m: Tensor) -> Tensor:
    return x & m


# case: nvidia-51-where-with-three-arguments
import torch
from torch import Tensor


def kept(x: Tensor, m: Tensor) -> Tensor:
    return torch.where(m, x, 0)


# case: nvidia-52-masked-mean
import torch
from torch import Tensor


def mean(x: Tensor, m: Tensor) -> Tensor:
    return torch.where(m, x, 0).float().sum() / m.sum()


# case: nvidia-53-number-written-by-the-positions-of-a-mask
import torch
from torch import Tensor


def mark(x: Tensor, m: Tensor) -> None:
    x[torch.where(m)] = -1  # sync: SYN101, SYN404


# case: nvidia-54-number-written-by-a-mask
from torch import Tensor


def mark(x: Tensor) -> None:
    m = x > 0
    x[m] = -1


# case: nvidia-55-masked-fill-with-a-number
from torch import Tensor


def mark(x: Tensor, m: Tensor) -> None:
    x.masked_fill_(m, -1)


# case: nvidia-56-device-value-written-by-a-mask
import torch
from torch import Tensor


def mark(x: Tensor) -> None:
    z = torch.zeros((), device="cuda")
    x[x > 0] = z  # sync: SYN104


# case: nvidia-57-masked-fill-with-a-device-value
import torch
from torch import Tensor


def mark(x: Tensor, m: Tensor) -> None:
    z = torch.zeros((), device="cuda")
    x.masked_fill_(m, z)  # sync: SYN209


# case: nvidia-58-where-with-a-device-value
import torch
from torch import Tensor


def marked(x: Tensor, m: Tensor) -> Tensor:
    z = torch.zeros((), device="cuda")
    return torch.where(m, z, x)


# case: nvidia-59-backward-through-free-indices
import torch
from torch import Tensor


def differentiate(xf: Tensor, g: Tensor) -> None:
    ig = torch.arange(3, device="cuda")
    mc = torch.rand(len(xf)) > 0.5
    xf.backward(g)
    xf[0].backward(g[0])
    xf[ig].backward(g[ig])
    xf[mc].backward(g[mc])


# case: nvidia-60-backward-through-a-mask
from torch import Tensor


def differentiate(xf: Tensor, g: Tensor) -> None:
    m = xf > 0
    xf[m].backward(g[m])  # sync: SYN103


# case: nvidia-62-repeats-on-the-device
import torch
from torch import Tensor


def repeated(y: Tensor, r: Tensor) -> Tensor:
    return torch.repeat_interleave(y, r, dim=0)  # sync: SYN105


# case: nvidia-63-repeats-with-an-output-size
import torch
from torch import Tensor


def repeated(y: Tensor, r: Tensor) -> Tensor:
    return torch.repeat_interleave(y, r, dim=0, output_size=3)


# case: nvidia-64-unique
import torch
from torch import Tensor


def distinct(t: Tensor) -> Tensor:
    return torch.unique(t)  # sync: SYN102


# case: nvidia-65-unique-consecutive
import torch
from torch import Tensor


def distinct(t: Tensor) -> Tensor:
    return torch.unique_consecutive(t)  # sync: SYN102


# case: nvidia-67-all-reduce
import torch.distributed as dist
from torch import Tensor


def share(x: Tensor) -> None:
    dist.all_reduce(x)


# case: nvidia-68-all-reduce-without-waiting
import torch.distributed as dist
from torch import Tensor


def share(x: Tensor) -> None:
    dist.all_reduce(x, async_op=True)


# case: nvidia-69-wait-for-a-collective
import torch.distributed as dist
from torch import Tensor


def share(x: Tensor) -> None:
    work = dist.all_reduce(x, async_op=True)
    work.wait()


# case: nvidia-70-barrier
import torch.distributed as dist


def meet() -> None:
    dist.barrier()  # sync: SYN603


# case: nvidia-72-print-of-an-item-and-of-a-tensor
from torch import Tensor


def step(loss: Tensor) -> None:
    print(loss.item())  # sync: SYN201
    print(loss)  # sync: SYN205


# case: nvidia-73-array-of-device-data
from torch import Tensor


def array(x: Tensor):
    return x.numpy(force=True)  # sync: SYN204


# case: nvidia-74-several-items-in-a-row
import torch
from torch import Tensor


def read(a: Tensor, b: Tensor) -> list[float]:
    first = a.sum().item()  # sync: SYN201
    second = b.sum().item()  # sync: SYN201
    together = torch.stack([a.sum(), b.sum()]).cpu()  # sync: SYN204
    return [first, second, *together.tolist()]


# case: nvidia-75-logging-inside-forward
import logging

from torch import Tensor


def hidden(x: Tensor) -> Tensor:
    logging.info(f"mean {x.mean()}")  # sync: SYN205
    return x * 2


# case: nvidia-76-polling-a-stream-and-an-event
import torch


def ready(stream: torch.cuda.Stream, event: torch.cuda.Event) -> bool:
    return stream.query() and event.query()
