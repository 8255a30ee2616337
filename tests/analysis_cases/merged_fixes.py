# case: running-loss-kept-on-the-device
import torch
from torch import Tensor


def before(losses: list[Tensor]) -> float:
    total = 0.0
    for loss in losses:
        total += loss.item()  # sync: SYN201
    return total


def after(losses: list[Tensor]) -> Tensor:
    total = torch.zeros((), device=losses[0].device)
    for loss in losses:
        total += loss.detach()
    return total


# case: check-for-finite-values-deferred
import torch
from torch import Tensor


def before(loss: Tensor) -> Tensor:
    if not torch.isfinite(loss).all():  # sync: SYN303
        raise FloatingPointError("the loss is not finite")
    return loss


def after(loss: Tensor, broken: Tensor) -> Tensor:
    broken |= ~torch.isfinite(loss).all()
    return torch.nan_to_num(loss)


# case: mask-that-may-be-empty-filled-anyway
from torch import Tensor


def before(loss: Tensor, padding: Tensor) -> Tensor:
    if padding.any():  # sync: SYN301
        loss = loss.masked_fill(padding, 0.0)
    return loss


def after(loss: Tensor, padding: Tensor) -> Tensor:
    return loss.masked_fill(padding, 0.0)


# case: clipping-branch-replaced-by-clamp
from torch import Tensor


def before(gradient: Tensor, norm: Tensor, limit: float) -> Tensor:
    factor = norm / limit
    if factor > 1:  # sync: SYN301
        gradient = gradient / factor
    return gradient


def after(gradient: Tensor, norm: Tensor, limit: float) -> Tensor:
    return gradient / (norm / limit).clamp(min=1.0)


# case: norms-stacked-before-the-maximum
import torch
from torch import Tensor


def before(gradients: list[Tensor]) -> Tensor:
    return max(gradient.abs().max() for gradient in gradients)  # sync: SYN304


def after(gradients: list[Tensor]) -> Tensor:
    return torch.stack([gradient.abs().max() for gradient in gradients]).max()


# case: norms-kept-as-tensors
import torch
from torch import Tensor


def before(gradients: list[Tensor]) -> float:
    total = 0.0
    for gradient in gradients:
        total += gradient.norm(2).item() ** 2  # sync: SYN201
    return total**0.5


def after(gradients: list[Tensor]) -> Tensor:
    return torch.stack([gradient.norm(2) for gradient in gradients]).norm(2)


# case: scalar-filled-on-the-device
import torch
from torch import Tensor


def before(x: Tensor, value: float) -> Tensor:
    return torch.maximum(x, torch.tensor(value, device=x.device))  # sync: SYN401


def after(x: Tensor, value: float) -> Tensor:
    return torch.maximum(x, torch.full((), value, device=x.device))


# case: repeats-with-the-length-known-from-the-edges
import torch
from torch import Tensor


def before(x: Tensor, counts: Tensor, edges: Tensor) -> Tensor:
    return x.repeat_interleave(counts, dim=0) + edges  # sync: SYN105


def after(x: Tensor, counts: Tensor, edges: Tensor) -> Tensor:
    return x.repeat_interleave(counts, dim=0, output_size=edges.size(0)) + edges


# case: attention-mask-by-comparison-instead-of-slices
import torch
from torch import Tensor


def before(x: Tensor, lengths: Tensor) -> Tensor:
    mask = torch.zeros(x.shape[:2], dtype=torch.bool, device=x.device)
    for i in range(x.size(0)):
        mask[i, : lengths[i]] = True  # sync: SYN207
    return mask


def after(x: Tensor, lengths: Tensor) -> Tensor:
    return torch.arange(x.size(1), device=x.device)[None, :] < lengths[:, None]


# case: one-list-instead-of-many-items
from torch import Tensor


def before(starts: Tensor, rows: list[Tensor]) -> list[Tensor]:
    return [row[int(starts[i].item()) :] for i, row in enumerate(rows)]  # sync: SYN201


def after(starts: Tensor, rows: list[Tensor]) -> list[Tensor]:
    bounds = starts.tolist()  # sync: SYN202
    return [row[bounds[i] :] for i, row in enumerate(rows)]


# case: rows-selected-by-where
import torch
from torch import Tensor


def before(features: Tensor, padding: Tensor, token: Tensor) -> Tensor:
    features[padding.bool()] = token  # sync: SYN104
    return features


def after(features: Tensor, padding: Tensor, token: Tensor) -> Tensor:
    return torch.where(padding.bool().unsqueeze(-1), token, features)


# case: counts-scattered
import torch
from torch import Tensor


def before(experts: Tensor, n: int) -> Tensor:
    return torch.bincount(experts.flatten(), minlength=n)  # sync: SYN107


def after(experts: Tensor, n: int) -> Tensor:
    flat = experts.flatten()
    return torch.zeros(n, dtype=flat.dtype, device=flat.device).scatter_add_(0, flat, torch.ones_like(flat))


# case: step-found-by-counting-instead-of-searching
from torch import Tensor


class Before:
    def index(self, timesteps: Tensor, timestep: Tensor) -> int:
        return (timesteps == timestep).nonzero().item()  # sync: SYN101, SYN201


class After:
    def __init__(self) -> None:
        self.step_index = 0

    def index(self) -> int:
        self.step_index += 1
        return self.step_index - 1


# case: description-of-a-progress-bar
from torch import Tensor
from tqdm import tqdm


def before(losses: list[Tensor]) -> None:
    bar = tqdm(losses)
    for loss in bar:
        bar.set_description(f"loss {loss.item():.3f}")  # sync: SYN201


def after(losses: list[Tensor]) -> None:
    bar = tqdm(losses)
    for step, loss in enumerate(bar):
        if step % 50 == 0:
            bar.set_description(f"loss {loss.item():.3f}")  # cold: SYN201


# case: timing-without-a-device-wide-wait
import torch
import torch.nn as nn
from torch import Tensor


def before(model: nn.Module, x: Tensor) -> Tensor:
    torch.cuda.synchronize()  # sync: SYN601
    y = model(x)
    torch.cuda.synchronize()  # sync: SYN601
    return y


def after(model: nn.Module, x: Tensor, start: torch.cuda.Event, end: torch.cuda.Event) -> Tensor:
    start.record()
    y = model(x)
    end.record()
    return y


# case: difference-counted-without-the-host
from torch import Tensor


def before(preds: Tensor, target: Tensor) -> int:
    return int((preds == target).sum())  # sync: SYN203


def after(preds: Tensor, target: Tensor) -> Tensor:
    return (preds == target).sum()


# case: inverse-without-its-error-check
import torch
from torch import Tensor


def before(cameras: Tensor) -> Tensor:
    return torch.linalg.inv(cameras)  # sync: SYN505


def after(cameras: Tensor) -> Tensor:
    return torch.linalg.inv_ex(cameras).inverse


# case: host-tensor-indexed-by-a-device-number
import torch
from torch import Tensor


class Schedule:
    def __init__(self, steps: int) -> None:
        self.sigmas = torch.linspace(1.0, 0.0, steps)

    def before(self, timestep: Tensor) -> Tensor:
        return self.sigmas[timestep.argmax()]  # sync: SYN207

    def after(self, step: int) -> Tensor:
        return self.sigmas[step]
