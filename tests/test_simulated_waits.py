"""What the simulated device sees wait and what it does not: known waits, and the lines most like them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from synclint.verify.recording import SyncRecord, record_syncs
from synclint.verify.simulated import simulated_device
from synclint.verify.vocabulary import build_vocabulary

# Code over the vocabulary, and the operator or CUDA function that waits in it.
WAITS = {
    # values read by the host
    "s.item()": "aten::_local_scalar_dense",
    "float(s)": "aten::_local_scalar_dense",
    "int(i)": "aten::_local_scalar_dense",
    "math.sqrt(s.abs())": "aten::_local_scalar_dense",
    "v.tolist()": "aten::copy_",
    "x.cpu()": "aten::copy_",
    "x.to('cpu')": "aten::copy_",
    "x.type(torch.FloatTensor)": "aten::copy_",
    "x.numpy(force=True)": "aten::copy_",
    "c.copy_(x)": "aten::copy_",
    "c.copy_(x, non_blocking=True)": "aten::copy_",
    "repr(x)": "aten::_local_scalar_dense",
    "f'{s:.3f}'": "aten::_local_scalar_dense",
    "torch.equal(x, y)": "aten::equal",
    "torch.allclose(x, y)": "aten::_local_scalar_dense",
    "x[i]": "aten::_local_scalar_dense",
    "x[i] = v": "aten::_local_scalar_dense",
    "x[:i]": "aten::_local_scalar_dense",
    "list(range(i))": "aten::_local_scalar_dense",
    "torch.zeros(i)": "aten::_local_scalar_dense",
    "x.topk(i)": "aten::_local_scalar_dense",
    "torch.add(x, y, alpha=s)": "aten::_local_scalar_dense",
    "x.masked_fill(m, s)": "aten::masked_fill_",
    "x.index_fill(0, n, s)": "aten::index_fill_",
    "x.clamp(min=s, max=1.0)": "aten::_local_scalar_dense",
    "torch.linalg.matrix_exp(x)": "aten::linalg_matrix_exp",
    # control flow
    "1 if f else 0": "aten::_local_scalar_dense",
    "f and m": "aten::_local_scalar_dense",
    "0 < s < 1": "aten::_local_scalar_dense",
    "min(s, v[0])": "aten::_local_scalar_dense",
    "any(b)": "aten::_local_scalar_dense",
    "2 in n": "aten::_local_scalar_dense",
    # sizes that depend on data
    "x[m]": "aten::nonzero",
    "x[m] = v[0]": "aten::nonzero",
    "x.index_put_((m,), torch.full((), 0.0, device=device), accumulate=True)": "aten::nonzero",
    "x[b, n[:4]] = 0.0": "aten::nonzero",
    "torch.nonzero(m)": "aten::nonzero",
    "torch.where(m)": "aten::nonzero",
    "torch.masked_select(x, m)": "aten::masked_select",
    "torch.unique(x)": "aten::_unique2",
    "torch.unique(x, dim=0)": "aten::unique_dim",
    "torch.unique_consecutive(n)": "aten::unique_consecutive",
    "torch.repeat_interleave(v, n)": "aten::repeat_interleave",
    "torch.bincount(n, minlength=8)": "aten::bincount",
    "torch.histc(v, 4)": "aten::histc",
    "torch.histc(n, 4)": "aten::histc",
    "F.one_hot(n)": "aten::_local_scalar_dense",
    "torch.combinations(v)": "aten::masked_select",
    "x.to_sparse()": "aten::_to_sparse",
    "torch.sparse_coo_tensor(n.view(1, 8), v, (8,)).coalesce()": "aten::_coalesce",
    "torch.isin(n, torch.arange(40, device=device))": "aten::isin",
    "torch.isin(n, torch.arange(40, device=device), assume_unique=True)": "aten::isin",
    "torch.cholesky(A)": "aten::cholesky",
    "torch.mode(torch.zeros(4096, device=device))": "aten::mode",
    "v.clone().requires_grad_().prod().backward()": "aten::nonzero",
    # host to device
    "torch.tensor([1.0, 2.0], device=device)": "aten::copy_",
    "torch.as_tensor(1.0, device=device)": "aten::copy_",
    "c.to(device)": "aten::copy_",
    "c.cuda()": "aten::copy_",
    "pinned.to(device)": "aten::copy_",
    "x.copy_(c)": "aten::copy_",
    "x[[0, 2]]": "aten::copy_",
    "x[cn]": "aten::copy_",
    "v[0] = 5.0": "aten::copy_",
    "x[n] = 1.0": "aten::copy_",
    "x[0:8] = c": "aten::copy_",
    "v[cb] = 0.0": "aten::copy_",
    "torch.where(m, x, cs)": "aten::where",
    # checks in libraries
    "dist.Normal(v, w.exp())": "aten::_local_scalar_dense",
    "torch.normal(v, w.exp())": "aten::normal",
    "torch.linalg.inv(A)": "aten::_local_scalar_dense",
    "torch.linalg.inv_ex(A, check_errors=True)": "aten::linalg_inv_ex",
    "torch.linalg.solve(A, B)": "aten::_local_scalar_dense",
    "torch.linalg.cholesky(A)": "aten::_local_scalar_dense",
    "torch.linalg.eigh(A)": "aten::_linalg_eigh",
    "torch.linalg.svd(A)": "aten::_linalg_svd",
    "torch.cov(x)": "aten::equal",
    "F.gaussian_nll_loss(v, w, w.exp())": "aten::_local_scalar_dense",
    "torch.searchsorted(v.sort()[0], w, sorter=n)": "aten::searchsorted",
    "torch.segment_reduce(v, 'sum', lengths=torch.full((2,), 4, device=device))": "aten::segment_reduce",
    "nn.BatchNorm1d(8, momentum=None, device=device)(x)": "aten::_local_scalar_dense",
    # explicit
    "torch.cuda.synchronize()": "cudaDeviceSynchronize",
    "torch.accelerator.synchronize()": "cudaDeviceSynchronize",
    "torch.cuda.current_stream().synchronize()": "cudaStreamSynchronize",
    "torch.cuda.current_stream().record_event().synchronize()": "cudaEventSynchronize",
    "torch.cuda.empty_cache()": "cudaFree",
}

FREE = (
    "x[m] = 0.0",
    "x[m] = cs",
    "x[m, ...] = 0.0",
    "x[n] = y",
    "x.index_put_((n,), y, accumulate=True)",
    "x[0:1] = 5.0",
    "x[0] = 5.0",
    "x[0] = v",
    "x[3]",
    "x[:, -1]",
    "x[1:5:2]",
    "x[n]",
    "x[:, n]",
    "x[i.view(1)]",
    "x[cs.long()]",
    "v[cb]",
    "x[[]]",
    "x.masked_fill(m, 0.0)",
    "x.masked_fill(m, cs)",
    "x.masked_scatter(m, y)",
    "x.index_fill(0, n, 1.0)",
    "x.index_select(0, n)",
    "x.scatter_add(0, n.view(1, 8), y)",
    "torch.where(m, x, y)",
    "torch.where(m, x, 0.0)",
    "torch.where(m, x, s)",
    "x + cs",
    "x * 2.0",
    "x.fill_(s)",
    "x.fill_(cs)",
    "x.clamp(0.0, 1.0)",
    "x.clamp(min=s)",
    "torch.full((), 3.0, device=device)",
    "torch.scalar_tensor(1.0, device=device)",
    "torch.arange(8, device=device)",
    "torch.tensor(s)",
    "torch.as_tensor(x)",
    "pinned.to(device, non_blocking=True)",
    "x.to('cpu', non_blocking=True)",
    "pinned.copy_(x, non_blocking=True)",
    "x.to(torch.float64)",
    "x.to(device)",
    "torch.empty(0).to(device)",
    "x.shape[0] < 4",
    "len(x)",
    "x.numel() == 0",
    "x is None",
    "x == y",
    "m.any()",
    "torch.isnan(x).any()",
    "[row.sum() for row in x]",
    "sum([s, s])",
    "hash(x)",
    "x.is_pinned()",
    "(1 if cs > 0 else 0)",
    "cs.item()",
    "torch.isclose(x, y).all()",
    "torch.equal(x, v)",
    "torch.nonzero_static(m, size=8)",
    "torch.count_nonzero(m)",
    "torch.repeat_interleave(v, n, output_size=28)",
    "torch.repeat_interleave(v, 2)",
    "torch.histc(v, 4, min=-1, max=1)",
    "F.one_hot(n, 8)",
    "torch.isin(n, n[:2])",
    "torch.isin(n, n, assume_unique=True)",
    "torch.cholesky_inverse(A)",
    "torch.mode(v)",
    "torch.sort(v)",
    "x.topk(2)",
    "torch.multinomial(p, 2)",
    "torch.quantile(v, 0.5)",
    "torch.median(v)",
    "torch.searchsorted(v.sort()[0], w)",
    "torch.std(x)",
    "F.cross_entropy(x, n)",
    "F.cross_entropy(x, n, ignore_index=2, label_smoothing=0.1)",
    "F.embedding(n, x, max_norm=1.0)",
    "F.dropout(x, 0.5)",
    "F.gumbel_softmax(x, hard=True)",
    "F.scaled_dot_product_attention(x.view(1, 1, 8, 8), x.view(1, 1, 8, 8), x.view(1, 1, 8, 8))",
    "torch.normal(v, 1.0)",
    "v + w.exp() * torch.randn_like(v)",
    "dist.Normal(v, w.exp(), validate_args=False).rsample()",
    "dist.Categorical(logits=x, validate_args=False).sample()",
    "torch.linalg.inv_ex(A)",
    "torch.linalg.solve_ex(A, B)",
    "torch.linalg.det(A)",
    "torch.linalg.qr(A)",
    "torch.linalg.cholesky_ex(A)",
    "torch.linalg.vector_norm(x)",
    "torch.linalg.matrix_exp(x[:1, :1])",
    "torch._assert_async(f)",
    "torch.segment_reduce(v, 'sum', lengths=torch.full((2,), 4, device=device), unsafe=True)",
    "nn.utils.rnn.pad_sequence([v, w[:3]])",
    "F.batch_norm(x, v, w.exp(), training=True)",
    "nn.LSTM(8, 4, device=device)(x)",
    "nn.GRU(8, 4, device=device)(x)",
    "nn.Conv1d(8, 8, 3, groups=8, device=device)(x)",
    "nn.utils.clip_grad_norm_([v.clone().requires_grad_()], 1.0)",
    "x.clone().requires_grad_().masked_fill(m, 0.0).sum().backward()",
    "nn.MultiheadAttention(8, 2, device=device)(x, x, x, key_padding_mask=b)",
    "torch.cuda.current_stream().query()",
    "torch.cuda.Stream().wait_stream(torch.cuda.current_stream())",
    "torch.cuda.Event().record()",
    "torch.cuda.memory_allocated()",
    "torch.cuda.manual_seed(0)",
    "torch.cuda.get_rng_state()",
    "x.record_stream(torch.cuda.Stream())",
)


@pytest.fixture(scope="module")
def device() -> Iterator[torch.device]:
    with simulated_device() as simulated:
        yield simulated


def run(code: str, device: torch.device) -> list[SyncRecord]:
    names = build_vocabulary(device, code)
    with record_syncs() as syncs:
        exec(code, names)
    return syncs


@pytest.mark.parametrize(("code", "op"), WAITS.items())
def test_host_waits(code: str, op: str, device: torch.device) -> None:
    syncs = run(code, device)
    assert op in {sync.op for sync in syncs}
    assert all(sync.simulated and sync.certain for sync in syncs)


@pytest.mark.parametrize("code", FREE)
def test_host_does_not_wait(code: str, device: torch.device) -> None:
    assert run(code, device) == []


def test_an_upload_from_pageable_memory_without_blocking_is_uncertain(device: torch.device) -> None:
    (sync,) = run("c.to(device, non_blocking=True)", device)
    assert not sync.certain


def test_code_on_the_cpu_waits_for_nothing(device: torch.device) -> None:
    assert run("c[c > 0].sum().item()", device) == []
