# case: gaussian-nll-loss-with-a-tensor-variance
import torch.nn.functional as F
from torch import Tensor


def loss(mean: Tensor, target: Tensor, var: Tensor) -> Tensor:
    return F.gaussian_nll_loss(mean, target, var)  # sync: SYN509


# case: gaussian-nll-loss-as-a-module
import torch.nn as nn
from torch import Tensor


class Loss(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.nll = nn.GaussianNLLLoss()

    def forward(self, mean: Tensor, target: Tensor, var: Tensor) -> Tensor:
        return self.nll(mean, target, var)  # sync: SYN509


# case: covariance
import torch
from torch import Tensor


def whiten(x: Tensor) -> Tensor:
    centred = x - x.mean(dim=1, keepdim=True)
    known = centred @ centred.T / (x.size(1) - 1)
    return known + torch.cov(x) + torch.corrcoef(x)  # sync: SYN509


# case: inverse-short-time-fourier-transform
import torch
from torch import Tensor


def audio(spectrum: Tensor, window: Tensor) -> Tensor:
    wave = torch.istft(spectrum, n_fft=512, window=window)  # sync: SYN509
    return torch.stft(wave, n_fft=512, window=window, return_complex=True)


# case: cross-entropy-with-weight-and-smoothing
import torch.nn.functional as F
from torch import Tensor


def loss(logits: Tensor, labels: Tensor, weight: Tensor) -> Tensor:
    return F.cross_entropy(logits, labels, weight=weight, label_smoothing=0.1)  # sync: SYN509


# case: cross-entropy-with-weight-or-smoothing
import torch.nn.functional as F
from torch import Tensor


def loss(logits: Tensor, labels: Tensor, weight: Tensor) -> Tensor:
    first = F.cross_entropy(logits, labels, weight=weight) + F.cross_entropy(logits, labels, label_smoothing=0.1)
    return first + F.cross_entropy(logits, labels, weight=weight, label_smoothing=0.1, reduction="sum")


# case: batch-norm-with-a-cumulative-average
import torch.nn as nn
from torch import Tensor


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.BatchNorm1d(width)
        self.second = nn.BatchNorm1d(width, momentum=None)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        return self.second(x)  # sync: SYN509


# case: transformer-encoder-with-a-mask
import torch.nn as nn
from torch import Tensor


class Model(nn.Module):
    def __init__(self, layer: nn.TransformerEncoderLayer) -> None:
        super().__init__()
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.encoder(x) + self.encoder(x, mask=mask, is_causal=True)
        return self.encoder(x, mask=mask)  # sync: SYN509


# case: distribution-validates-its-parameters
import torch
from torch import Tensor


def policy(mean: Tensor, std: Tensor) -> torch.distributions.Normal:
    return torch.distributions.Normal(mean, std)  # sync: SYN504


# case: distribution-without-validation
import torch
from torch import Tensor
from torch.distributions import Normal


def policy(mean: Tensor, std: Tensor, action: Tensor) -> Tensor:
    normal = Normal(mean, std, validate_args=False)
    return normal.log_prob(action) + normal.rsample().sum() + normal.entropy()


# case: distribution-validates-a-value
from torch import Tensor
from torch.distributions import Categorical


def policy(logits: Tensor, action: Tensor) -> Tensor:
    choice = Categorical(logits=logits)  # sync: SYN504
    return choice.log_prob(action)  # sync: SYN504


# case: distribution-of-numbers-is-on-the-host
from torch.distributions import Normal


def noise(n: int) -> float:
    normal = Normal(0.0, 1.0)
    return float(normal.sample((n,)).sum())


# case: normal-checks-its-deviations
import torch
from torch import Tensor


def noise(mean: Tensor, std: Tensor) -> Tensor:
    free = torch.normal(mean, 1.0) + torch.normal(0.0, 1.0, size=mean.shape, device=mean.device)
    return free + torch.normal(mean, std)  # sync: SYN507


# case: sample-of-a-normal-distribution
from torch import Tensor
from torch.distributions import Normal


def noise(mean: Tensor, std: Tensor) -> Tensor:
    normal = Normal(mean, std, validate_args=False)
    return normal.sample()  # sync: SYN507


# case: inverse-and-solve
import torch
from torch import Tensor


def solved(a: Tensor, b: Tensor) -> Tensor:
    first = torch.linalg.inv(a) @ b  # sync: SYN505
    second = torch.linalg.solve(a, b)  # sync: SYN505
    return first + second + torch.linalg.inv_ex(a).inverse @ b + torch.linalg.solve_ex(a, b).result


# case: inverse-by-its-older-names
import torch
from torch import Tensor


def inverted(a: Tensor) -> Tensor:
    return torch.inverse(a) + a.inverse()  # sync: SYN505


# case: cholesky
import torch
from torch import Tensor


def factored(a: Tensor) -> Tensor:
    factor, info = torch.linalg.cholesky_ex(a)
    return factor + torch.linalg.cholesky(a)  # sync: SYN505


# case: extended-function-that-checks
import torch
from torch import Tensor


def factored(a: Tensor) -> Tensor:
    factor, info = torch.linalg.cholesky_ex(a, check_errors=True)  # sync: SYN505
    return factor


# case: decompositions
import torch
from torch import Tensor


def spectra(a: Tensor) -> Tensor:
    values, vectors = torch.linalg.eigh(a)  # sync: SYN505
    u, s, vh = torch.linalg.svd(a)  # sync: SYN505
    rank = torch.linalg.matrix_rank(a)  # sync: SYN505
    pseudo = torch.linalg.pinv(a)  # sync: SYN505
    least = torch.linalg.lstsq(a, a).solution  # sync: SYN505
    return values + s + rank + pseudo.sum() + least.sum()


# case: linear-algebra-without-a-check
import torch
from torch import Tensor


def free(a: Tensor, b: Tensor) -> Tensor:
    q, r = torch.linalg.qr(a)
    lower = torch.linalg.solve_triangular(a, b, upper=False)
    return q @ r + lower + torch.linalg.det(a) + torch.linalg.matrix_norm(a) + torch.linalg.slogdet(a).logabsdet


# case: matrix-norms
import torch
from torch import Tensor


def norms(a: Tensor) -> Tensor:
    free = torch.linalg.matrix_norm(a, ord="fro") + torch.linalg.matrix_norm(a, ord=1) + a.norm()
    return free + torch.linalg.matrix_norm(a, ord=2)  # sync: SYN505


# case: matrix-power
import torch
from torch import Tensor


def powers(a: Tensor) -> Tensor:
    return torch.linalg.matrix_power(a, 3) + torch.linalg.matrix_power(a, -1)  # sync: SYN505


# case: matrix-exponential
import torch
from torch import Tensor


def exponential(a: Tensor) -> Tensor:
    return torch.matrix_exp(a)  # sync: SYN509


# case: search-with-a-sorter
import torch
from torch import Tensor


def places(x: Tensor, values: Tensor) -> Tensor:
    order = x.argsort()
    free = torch.searchsorted(x.sort().values, values)
    return free + torch.searchsorted(x, values, sorter=order)  # sync: SYN509


# case: connectionist-temporal-classification
import torch.nn.functional as F
from torch import Tensor


def loss(log_probs: Tensor, targets: Tensor, lengths: list[int], target_lengths: list[int]) -> Tensor:
    return F.ctc_loss(log_probs, targets, lengths, target_lengths)  # sync: SYN509


# case: one-of-two-losses-by-what-it-is-given
import torch
from torch import Tensor, nn


def trained(model: nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor], is_aligned: bool) -> None:
    criterion = nn.CTCLoss() if is_aligned else nn.CrossEntropyLoss()
    for batch in batches:
        scores = model(batch).log_softmax(2)
        if is_aligned:
            loss = criterion(scores, batch.long(), (8,), (2,))  # sync: SYN509
        else:
            loss = criterion(scores, batch.long())
        loss.backward()
        optimizer.step()


# case: gradient-norm-that-is-checked
import torch.nn as nn
from torch import Tensor
from torch.nn.utils import clip_grad_norm_


def clipped(model: nn.Module) -> Tensor:
    clip_grad_norm_(model.parameters(), 1.0)
    nn.utils.clip_grad_value_(model.parameters(), 1.0)
    return clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # sync: SYN506


# case: gradient-norm-that-is-compared
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_


def clipped(model: nn.Module) -> bool:
    norm = clip_grad_norm_(model.parameters(), 1.0)
    if norm > 10:  # sync: SYN301
        return False
    return True


# case: packed-sequence-that-is-sorted-on-the-host
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence


def packed(x: Tensor, lengths: list[int]) -> tuple:
    first = pack_padded_sequence(x, lengths, batch_first=True)
    return first, pack_padded_sequence(x, lengths, enforce_sorted=False)  # sync: SYN508


# case: packed-sequence-with-lengths-from-the-device
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence


def packed(x: Tensor, lengths: Tensor):
    return pack_padded_sequence(x, lengths.cpu(), batch_first=True)  # sync: SYN204


# case: ordinary-optimizers-and-schedules
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for batch in batches:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
        schedule.step()


# case: second-order-optimizer
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.LBFGS(model.parameters())
    for batch in batches:

        def closure() -> torch.Tensor:
            optimizer.zero_grad()
            loss = model(batch).sum()
            loss.backward()
            return loss

        optimizer.step(closure)  # sync: SYN510


# case: gradient-scaler-reads-what-it-found
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for batch in batches:
        scaler.scale(model(batch).sum()).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)  # sync: SYN510
        scaler.update()


# case: gradient-scaler-with-a-fused-optimizer
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    for batch in batches:
        scaler.scale(model(batch).sum()).backward()
        scaler.step(optimizer)
        scaler.update()


# case: schedule-that-looks-at-the-loss
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    for batch in batches:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        schedule.step(loss)  # sync: SYN510


# case: adaptive-softmax
import torch.nn as nn
from torch import Tensor


class Head(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.softmax = nn.AdaptiveLogSoftmaxWithLoss(width, 1000, [100, 500])

    def forward(self, x: Tensor, labels: Tensor) -> Tensor:
        return self.softmax(x, labels).loss  # sync: SYN109


# case: asserted-on-the-host
import torch
from torch import Tensor


def check(x: Tensor) -> Tensor:
    torch._assert(x.isfinite().all(), "not finite")  # sync: SYN302
    torch._assert_async(x.isfinite().all())
    return x


# case: metric-checks-for-nan
from torch import Tensor
from torchmetrics import MeanMetric


def collect(losses: list[Tensor]) -> MeanMetric:
    metric = MeanMetric().to("cuda")
    for loss in losses:
        metric.update(loss)  # sync: SYN503
    return metric


# case: metric-with-the-nan-check-disabled
from torch import Tensor
from torchmetrics import MeanMetric


def collect(losses: list[Tensor]) -> MeanMetric:
    metric = MeanMetric(nan_strategy="disable").to("cuda")
    for loss in losses:
        metric.update(loss)
    return metric


# case: metric-updated-with-a-number
import time

from torchmetrics import MeanMetric


def collect(steps: int) -> MeanMetric:
    metric = MeanMetric(nan_strategy="disable").to("cuda")
    for _ in range(steps):
        metric.update(time.perf_counter())  # sync: SYN502
    return metric


# case: metric-on-the-host
from torchmetrics import MeanMetric


def collect(seconds: list[float]) -> float:
    metric = MeanMetric()
    for value in seconds:
        metric.update(value)
    return metric.compute().item()


# case: metric-with-a-default-weight
# torchmetrics: 1.6
import torch
from torch import Tensor
from torchmetrics import MeanMetric


def collect(losses: list[Tensor]) -> MeanMetric:
    metric = MeanMetric().to("cuda")
    for loss in losses:
        metric.update(loss)  # sync: SYN501, SYN503
        metric.update(loss, torch.ones_like(loss))  # sync: SYN503
    return metric


# case: metric-that-validates-its-arguments
from torch import Tensor
from torchmetrics.classification import BinaryAccuracy


def collect(batches: list[tuple[Tensor, Tensor]]) -> None:
    checked = BinaryAccuracy().to("cuda")
    unchecked = BinaryAccuracy(validate_args=False).to("cuda")
    for preds, target in batches:
        checked.update(preds, target)  # sync: SYN511
        unchecked.update(preds, target)


# case: explicit-waits
import torch


def wait(event: torch.cuda.Event, stream: torch.cuda.Stream) -> None:
    torch.cuda.synchronize()  # sync: SYN601
    event.synchronize()  # sync: SYN601
    stream.synchronize()  # sync: SYN601
    torch.cuda.empty_cache()  # sync: SYN602


# case: order-without-waiting
import torch


def order(event: torch.cuda.Event, stream: torch.cuda.Stream) -> bool:
    event.record()
    event.wait()
    stream.wait_stream(torch.cuda.current_stream())
    stream.wait_event(event)
    return event.query() and stream.query()


# case: barrier-and-objects-across-processes
import torch.distributed as dist
from torch import Tensor


def share(x: Tensor, names: list[str]) -> list[str]:
    dist.barrier()  # sync: SYN603
    gathered = [None] * dist.get_world_size()
    dist.all_gather_object(gathered, names)  # sync: SYN604
    dist.all_reduce(x)
    dist.broadcast(x, src=0, async_op=True).wait()
    return gathered


# case: anomaly-detection
import torch
import torch.nn as nn


def train(model: nn.Module, batches: list[torch.Tensor]) -> None:
    for batch in batches:
        with torch.autograd.detect_anomaly():  # sync: SYN703
            model(batch).sum().backward()
