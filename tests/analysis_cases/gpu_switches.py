# case: switch-that-brings-something-to-the-gpu-is-on
# Code is checked for how it runs on a GPU.
import torch


class Lookup:
    def __init__(self, rows: int, use_gpu) -> None:
        self.rows = torch.arange(rows)
        self.use_gpu = use_gpu

    def found(self, at: int) -> torch.Tensor:
        rows = self.rows[at:]
        if self.use_gpu:
            rows = rows.cuda()  # sync: SYN402
        return rows

    def distinct(self, at: int) -> torch.Tensor:
        rows = self.found(at)
        if self.use_gpu:
            rows = rows.cuda()
        return rows.unique()  # sync: SYN102


# case: of-two-ways-to-make-the-same-that-on-a-gpu-is-taken
import torch


def nearest(centroids: torch.Tensor, batch: torch.Tensor, on_gpu) -> torch.Tensor:
    batch = batch.cpu()  # sync: SYN204
    if not on_gpu:
        found = (centroids @ batch.T).max(dim=0).indices.cpu()
    else:
        found = (centroids @ batch.T.cuda()).max(dim=0).indices  # sync: SYN402
    return found


# case: device-that-a-switch-chooses
import torch


def zeros(n: int, use_cuda) -> list[float]:
    return torch.zeros(n, device="cuda" if use_cuda else "cpu").tolist()  # sync: SYN202


# case: switch-of-something-else-decides-nothing
# The other branch works on a GPU, too.
import torch


def prepared(x: torch.Tensor, y: torch.Tensor, is_fast) -> torch.Tensor:
    x, y = x.cpu(), y.cpu()  # sync: SYN204 SYN204
    if is_fast:
        x = x.cuda()  # sync: SYN402
    if is_fast:
        return x
    else:
        return y.cuda()  # sync: SYN402


# case: branch-that-does-more-than-bring-something-to-the-gpu-may-be-skipped
import torch


def kept(x: torch.Tensor, y: torch.Tensor, blends) -> int:
    x, y = x.cpu(), y.cpu()  # sync: SYN204 SYN204
    if blends:
        y = y.cuda() * 2  # sync: SYN402
        x = x + 1
    else:
        return len(x.unique())
    return len(x.unique())
