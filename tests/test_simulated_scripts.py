"""Unchanged training scripts on the simulated device: what they ask of torch.cuda works, and what cannot is said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from synclint.trace.ownership import default_ownership
from synclint.trace.simulated_limits import explain
from synclint.verify.recording import record_syncs
from synclint.verify.simulated import operators_run, simulated_device

# The device is compiled once for the session, and not for every process of a test.
CACHE = os.environ.get("XDG_CACHE_HOME")


@pytest.fixture(scope="module", autouse=True)
def device() -> Iterator[torch.device]:
    with simulated_device() as simulated:
        yield simulated


# --- what scripts ask for --------------------------------------------------------------------------------


def test_memory_is_counted_in_use_at_the_peak_and_given_back() -> None:
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    made = torch.zeros(1000, device="cuda") + 1
    assert torch.cuda.memory_allocated() - before == made.untyped_storage().nbytes()
    assert torch.cuda.max_memory_allocated() - before == 2 * made.untyped_storage().nbytes()
    del made
    assert torch.cuda.memory_allocated() == before
    free, total = torch.cuda.mem_get_info()
    assert total - free == before
    assert "allocated" in torch.cuda.memory_summary().lower()
    assert torch.cuda.memory_stats()["allocated_bytes.all.current"] == before


def test_pinned_loaders_with_workers_feed_the_device_without_waiting() -> None:
    data = TensorDataset(torch.arange(8.0), torch.arange(8))
    loader = DataLoader(data, batch_size=4, num_workers=1, pin_memory=True, persistent_workers=True)
    total = torch.zeros((), device="cuda")
    with record_syncs() as syncs:
        for value, label in loader:
            assert value.is_pinned()
            total += (value.to("cuda", non_blocking=True) * label.cuda(non_blocking=True)).sum()
    assert syncs == []
    assert total.item() == sum(i * i for i in range(8))


def test_compiled_models_run_as_written_and_fused_optimizers_step() -> None:
    model = torch.compile(nn.Linear(3, 1).to("cuda"), mode="reduce-overhead")
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    scaler = torch.amp.GradScaler("cuda", init_scale=8.0)
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(torch.ones(2, 3, device="cuda")).sum()
    before = next(model.parameters()).detach().clone()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert not torch.equal(before, next(model.parameters()))


def test_checkpoints_are_loaded_onto_the_device(tmp_path: Path) -> None:
    model = nn.Linear(2, 2).cuda()
    torch.save(model.state_dict(), tmp_path / "model.pt")
    for where in ("cuda", "cuda:0", torch.device("cuda"), lambda storage, location: storage.cuda(0)):
        state = torch.load(tmp_path / "model.pt", map_location=where)
        assert all(value.is_cuda for value in state.values())
        model.load_state_dict(state)


def test_settings_of_cudnn_and_marks_for_profilers_change_nothing() -> None:
    benchmark = torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = True
    try:
        with torch.cuda.nvtx.range("step"):
            result = nn.Conv2d(1, 1, 3).cuda()(torch.ones(1, 1, 4, 4, device="cuda"))
        torch.cuda.profiler.start()
        torch.cuda.profiler.stop()
    finally:
        torch.backends.cudnn.benchmark = benchmark
    assert result.shape == (1, 1, 2, 2)


def test_old_names_of_tensor_types_make_tensors_on_the_device() -> None:
    with record_syncs() as syncs:
        empty = torch.cuda.FloatTensor(2, 3)
    assert (empty.shape, empty.dtype, empty.is_cuda, syncs) == ((2, 3), torch.float32, True, [])
    assert torch.cuda.LongTensor([1, 2]).tolist() == [1, 2]
    assert isinstance(empty, torch.cuda.FloatTensor) and not isinstance(empty, torch.cuda.HalfTensor)
    assert torch.zeros(1).type(torch.cuda.HalfTensor).dtype == torch.float16
    assert torch.zeros(1).type("torch.cuda.FloatTensor").is_cuda


def test_a_parallel_module_runs_on_the_one_device() -> None:
    assert nn.DataParallel(nn.Linear(2, 3).cuda())(torch.ones(4, 2, device="cuda")).shape == (4, 3)


def test_pytorchs_profiler_runs_with_cuda_activities(capfd: pytest.CaptureFixture[str]) -> None:
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profiler:
        torch.ones(2, device="cuda") + 1
    assert "aten::add" in {event.key for event in profiler.key_averages()}
    assert "Failed to record CUDA event" not in capfd.readouterr().err


@pytest.mark.parametrize("function", [nn.functional.softmax, nn.functional.log_softmax])
def test_softmax_under_autocast_turns_half_into_float(function: Callable[..., torch.Tensor]) -> None:
    half = torch.linspace(-1, 1, 4, dtype=torch.float16).cuda().requires_grad_()
    weight = torch.arange(4.0)
    with torch.autocast("cuda", dtype=torch.float16):
        result = function(half, dim=0)
    (result * weight.cuda()).sum().backward()
    host = half.detach().cpu().float().requires_grad_()
    (function(host, dim=0) * weight).sum().backward()
    assert result.dtype == torch.float32 and half.grad is not None and half.grad.dtype == torch.float16
    torch.testing.assert_close(result.cpu(), function(host, dim=0))
    torch.testing.assert_close(half.grad.cpu().float(), host.grad, atol=2e-3, rtol=0)


def test_operators_on_the_device_are_counted_and_others_are_not() -> None:
    before = operators_run()
    torch.ones(2) + 1
    assert operators_run() == before
    torch.ones(2, device="cuda") + 1
    assert operators_run() > before


def test_several_devices_keep_their_tensors_apart() -> None:
    program = """
import torch
from synclint.verify.simulated import simulated_device
with simulated_device(devices=2):
    assert torch.cuda.device_count() == 2
    torch.cuda.set_device(1)
    one = torch.ones(2, device="cuda")
    assert one.get_device() == torch.cuda.current_device() == 1 and (one * 2).device.index == 1
    zero = torch.ones(2, device="cuda:0")
    assert zero.device.index == 0 and (zero + 1).device.index == 0 and one.to("cuda:0").device.index == 0
    with torch.cuda.device(0):
        assert torch.zeros(1, device="cuda").device.index == 0
    assert torch.cuda.memory_allocated(0) > 0 and torch.cuda.memory_allocated(1) > 0
"""
    subprocess.run([sys.executable, "-c", program], env=environment(), check=True)


def environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
    return own if CACHE is None else {**own, "XDG_CACHE_HOME": CACHE}


# The group ends, with Gloo's threads, before the interpreter does: else it would be taken apart with the modules, and a
# thread that wants the interpreter then is unwound, which ends the process. Two things would keep it: the model, and
# `torch.distributed.nn` where it is first imported, as by the model, once there is a group, by what its functions
# take by default.
RANK = """
import gc
import os
import sys
from pathlib import Path
import torch
import torch.distributed as dist
import torch.distributed.nn
from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device
from torch.nn.parallel import DistributedDataParallel

rank = int(os.environ["LOCAL_RANK"])
with simulated_device(devices=2):
    torch.cuda.set_device(rank)
    dist.init_process_group(sys.argv[1])
    torch.manual_seed(rank)
    model = DistributedDataParallel(torch.nn.Linear(3, 2).cuda(), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        with record_syncs() as syncs:
            loss = model(torch.full((4, 3), float(rank + step), device="cuda")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert syncs == [], syncs
    weight = model.module.weight.detach()
    gathered = [torch.empty_like(weight) for _ in range(2)]
    dist.all_gather(gathered, weight)
    assert torch.equal(*gathered) and gathered[0].get_device() == rank
    mean = torch.full((2,), float(rank), device="cuda")
    dist.all_reduce(mean, op=dist.ReduceOp.AVG)
    assert mean.tolist() == [0.5, 0.5]
    part = torch.zeros(1, device="cuda")
    dist.reduce_scatter_tensor(part, torch.arange(2.0, device="cuda"))
    assert part.item() == 2.0 * rank
    with record_syncs() as syncs:
        dist.barrier()
    assert len(syncs) == (sys.argv[1] == "nccl")
    del model, optimizer, loss
    gc.collect()
    dist.destroy_process_group()
    names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    assert not any("gloo" in name for name in names), names
    os.write(1, f"rank {rank} done\\n".encode())  # at once: two processes write there
"""


@pytest.mark.parametrize("backend", ["nccl", "gloo"])
def test_two_processes_train_one_model_through_gloo(backend: str, tmp_path: Path) -> None:
    script = tmp_path / "rank.py"
    script.write_text(RANK)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    finished = subprocess.run(
        [*command, str(script), backend], env=environment(), capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert {"rank 0 done", "rank 1 done"} <= set(finished.stdout.splitlines())


# --- what cannot be simulated ------------------------------------------------------------------------------


def use_a_graph() -> None:
    torch.cuda.CUDAGraph()


def use_another_device() -> None:
    torch.zeros(2, device="cuda:3")


def use_a_quantized_tensor() -> None:
    torch.quantize_per_tensor(torch.ones(3, device="cuda"), 0.1, 0, torch.qint8)


def use_a_kernel_for_cuda_only() -> None:
    torch.batch_norm_stats(torch.ones(3, 2, device="cuda"), 1e-5)


def use_triton() -> None:
    raise ModuleNotFoundError("No module named 'triton'")


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (use_a_graph, "CUDA graphs cannot be simulated"),
        (use_another_device, "there is no cuda:3 to simulate"),
        (use_a_quantized_tensor, "quantized tensors cannot be simulated"),
        (use_a_kernel_for_cuda_only, "aten::batch_norm_stats has a kernel for CUDA only"),
        (use_triton, "triton needs a GPU"),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_line_with_its_place(use: Callable[[], None], said: str) -> None:
    with pytest.raises(Exception) as caught:
        use()
    line = use.__code__.co_firstlineno + 1
    told = explain(caught.value, default_ownership())
    assert told is not None and told.startswith(f"{__file__}:{line}: {said}") and "\n" not in told


def test_a_failure_of_the_scripts_own_is_not_explained() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.ones(2, device="cuda") @ torch.ones(3, device="cuda")
    assert explain(caught.value, default_ownership()) is None
